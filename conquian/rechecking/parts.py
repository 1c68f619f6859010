"""What the kinds of certificates share: parts of a claim, and how answers, witnesses, cores and scripts are decided."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal, TypeVar

from msgspec import ValidationError, convert

from conquian import __version__
from conquian.cards import CARD_SET
from conquian.certificate import Certificate
from conquian.certifying import plain
from conquian.disputed import named
from conquian.engine.play import Event
from conquian.language.rules import RuleSet
from conquian.position import BadPosition, Position, Rules
from conquian.questions import CannotAsk
from conquian.snapshot import taken
from conquian.verifier.claims import forbidding
from conquian.verifier.expressions import TooLarge
from conquian.verifier.scripts import Script
from conquian.witnessing import MeldWitness, checkable, meld_faults

OPEN = ("undecided", "core", "clauses", "facts", "needs", "but_for", "checked", "proof", "consequence")
"""What of an answer a budget can leave undecided."""
FORMS: dict[tuple[str, int], Any] = {
    ("melds", 3): tuple[str, str, tuple[tuple[str, ...], ...]],
    ("arranges", 3): tuple[str, str, tuple[tuple[str, ...], ...]],
    ("discards", 3): tuple[str, str, str],
    ("turns", 3): tuple[str, str, str],
    ("passes", 2): tuple[str, str],
    ("forces", 2): tuple[str, str],
    ("forces", 4): tuple[str, str, str, tuple[str, ...]],
    ("gives", 4): tuple[str, str, str, str],
}
"""Events as documents have them, by verb and number of parts."""
Outcome = Literal["confirmed", "refuted", "not re-decided"]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a claim: what it says, who re-decided it ("" for nobody), what came out, and why."""

    what: str
    by: str
    outcome: Outcome
    detail: str = ""


# ---- reading a certificate


def form(found: object, wanted: type[T], path: str, where: str) -> T:
    """A part of a certificate in its form; CannotAsk if it has another."""
    try:
        return convert(found, wanted)
    except ValidationError as wrong:
        shown = str(wrong).replace("`$", f"`$.{where}")
        shown = shown if f"$.{where}" in shown else f"{shown} - at `$.{where}`"
        hint = "`--certificate FILE` writes certificates"
        raise CannotAsk(f"{path}: no certificate: {shown}", hint) from None


def position_of(found: Certificate, rules: Rules, path: str) -> Position:
    """The position of a certificate; CannotAsk if it is none of the rules."""
    if found.position is None:
        raise CannotAsk(f"{path}: no certificate: the position is missing - at `$.position`")
    try:
        return taken(found.position, rules)
    except BadPosition as wrong:
        raise CannotAsk(f"{path}: no position of these rules: {wrong.field}: {wrong}") from None


def event_of(said: Sequence[Any], places: Sequence[Position]) -> Event | None:
    """An event as documents have it; None if it is none of players and cards that there are."""
    verb = said[1] if len(said) > 1 and isinstance(said[1], str) else ""
    wanted = FORMS.get((verb, len(said)))
    if wanted is None:
        return None
    try:
        event: Event = convert(list(said), wanted)
    except ValidationError:
        return None
    names = [event[0], *([event[3]] if verb == "gives" else [])]
    cards = set(named(event)) - ({"?"} if verb == "gives" else set())
    known = cards <= CARD_SET and all(name in here.players for here in places for name in names)
    return event if known else None


# ---- deciding


def same_answer(found: Certificate, again: Mapping[str, Any]) -> Iterator[Part]:
    """The answer beside the one worked out anew; what is not worked out anew is told."""
    claimed = found.answer
    if not isinstance(claimed, dict):
        yield Part("answer", "engine", "refuted", "it has not the form of an answer")
        return
    worked = plain(again)
    if "undecided" in claimed:
        yield Part(
            "answer: `undecided`", "", "not re-decided", "the certificate itself leaves a part undecided"
        )
        worked = {key: value for key, value in worked.items() if key not in OPEN}
        claimed = {key: value for key, value in claimed.items() if key not in OPEN}
    differ = [key for key in worked if key not in claimed or claimed[key] != worked[key]]
    told = ", ".join(f"`{key}`" for key in differ)
    yield (
        Part("answer", "engine", "refuted", f"otherwise: {told}")
        if differ
        else Part("answer", "engine", "confirmed")
    )
    for key in claimed:
        if key not in worked:
            yield Part(f"answer: `{key[:40]}`", "", "not re-decided", "it is not worked out again")


def equal(what: str, by: str, again: object, claimed: object) -> Part:
    if plain(again) == plain(claimed):
        return Part(what, by, "confirmed")
    return Part(what, by, "refuted", "it is otherwise")


def none(what: str, claimed: object) -> Iterator[Part]:
    """That a certificate has no witness, or no core, where its answer has none."""
    if claimed is not None:
        yield Part(what, "engine", "refuted", "the answer has none")


def meld_part(what: str, position: Position, event: Event, witness: MeldWitness, typed: RuleSet) -> Part:
    """The witness of a legal meld, by the checker."""
    if not checkable(position, position.players.index(event[0])):
        return Part(what, "", "not re-decided", "a clause asks for a hand that nobody recorded")
    if any(card not in position.rules.engine.pack.unit for meld in event[2] for card in meld):
        faults = ["it lays a card that the pack has not"]
    else:
        faults = meld_faults(position, event, witness, typed)
    return Part(what, "checker", "refuted" if faults else "confirmed", "; ".join(faults[:3]))


def laid_event(player: str, witness: MeldWitness) -> Event:
    """The meld that a witness is one of, with every set that then lies."""
    return (player, "melds", tuple(tuple(card for card, _ in meld) for meld in witness.laid))


def nothing_forbids(what: str, position: Position, event: Event, typed: RuleSet) -> Part:
    """Whether no clause, and no place of a card, stands against an event: by the engine's clauses, one by one."""
    again = forbidding(position, event, typed).again
    if not again.whole:
        return Part(what, "", "not re-decided", "a clause asks for a hand that nobody recorded")
    return Part(what, "exhaustion", "confirmed" if again.legal(frozenset()) else "refuted")


def core_part(
    what: str, position: Position, event: Event, core: Sequence[str] | None, typed: RuleSet
) -> Part:
    """Whether the clauses and facts of a core, and no fewer, forbid an event whatever way it is read."""
    if position.check(event) is None:
        return Part(what, "engine", "refuted", "the event is legal")
    if core is None:
        return Part(what, "", "not re-decided", "the certificate names no core")
    try:
        asked = forbidding(position, event, typed)
    except TooLarge as wrong:
        return Part(what, "", "not re-decided", str(wrong))
    if not asked.again.whole:
        return Part(what, "", "not re-decided", "a clause asks for a hand that nobody recorded")
    every = frozenset(ground.name for ground, _ in asked.question.clauses)

    def forbidden_by(kept: Iterable[str]) -> bool:
        return not asked.again.legal(every - frozenset(kept))

    if not core:
        clauses = forbidden_by(every)
        return Part(
            what, "exhaustion", "refuted" if clauses else "confirmed", "clauses forbid it" if clauses else ""
        )
    if not frozenset(core) <= every or not forbidden_by(core):
        return Part(what, "exhaustion", "refuted", f"not forbidden by {' and '.join(core)[:80]}")
    if len(set(core)) != len(core) or any(
        forbidden_by(s) for s in combinations(sorted(every), len(core) - 1)
    ):
        return Part(what, "exhaustion", "refuted", "fewer clauses forbid it too")
    return Part(what, "exhaustion", "confirmed")


def scripts(found: Certificate, again: Sequence[Script]) -> Iterator[Part]:
    """That the scripts are those of the question, and claim the answer that was worked out."""
    queries = found.queries
    if found.program != __version__:
        told = f"conquian {found.program[:20]} wrote them, and this is {__version__}"
        yield Part("scripts", "", "not re-decided", told)
        return
    if [query.name for query in queries] != [script.name for script in again]:
        yield Part("scripts", "trial", "refuted", "they are not those of the question")
        return
    for query, script in zip(queries, again, strict=True):
        if query.smt2 != script.text:
            yield Part(f"script `{script.name}`", "trial", "refuted", "it is not that of the question")
        elif query.expected == "unknown":
            yield Part(f"script `{script.name}`", "trial", "confirmed", "the same, and its solver gave up")
        elif query.expected != script.expected:
            yield Part(f"script `{script.name}`", "trial", "refuted", f"the answer is {script.expected}")
        else:
            continue
        return
    if queries:
        yield Part("scripts", "trial", "confirmed", "written again they are the same, and so are the answers")
