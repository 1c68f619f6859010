"""`conquian recheck`: a certificate re-decided without the solver that gave it.

Guarantees: Z3 is never loaded. Each part of the claim is `confirmed` or `refuted`, with who says so, or stays
`not re-decided`, with the reason. Nothing of a certificate is believed: its texts are compared with those at hand, its
answer is worked out anew, its witness goes to the checker, its core to exhaustion, and its scripts are written again.
Exit status: 0 all confirmed, 1 some part refuted, 3 nothing refuted but some part not re-decided; what is no
certificate is a `CannotAsk`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal, TypeVar

from msgspec import ValidationError, convert

from conquian.certificate import Certificate, Query, RulesUsed, decoded, texts
from conquian.certifying import (
    ForceAsked,
    ForceWitness,
    LegalAsked,
    ValidateAsked,
    force_parts,
    plain,
    typed_of,
)
from conquian.engine.engine import UnknownReading
from conquian.engine.play import Event
from conquian.forcing import force, offer_of
from conquian.language.problems import RulesError
from conquian.language.rules import RuleSet
from conquian.position import BadPosition, Position, Rules, load
from conquian.questions import Answer, CannotAsk, Question, read_bytes
from conquian.snapshot import taken
from conquian.verifier.acts import act_of
from conquian.verifier.claims import act_script, some_meld_script
from conquian.verifier.exhaustion import broken, forbidden_by
from conquian.verifier.limits import Disagreement
from conquian.verifier.scripts import Script
from conquian.verifier.second import BadScript, second_solver
from conquian.witnessing import MeldWitness, checkable, meld_faults

Outcome = Literal["confirmed", "refuted", "not re-decided"]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a claim: what it says, who re-decided it, what came out, and why."""

    what: str
    by: str
    outcome: Outcome
    detail: str = ""


def recheck(path: str) -> Answer:
    """The answer of `conquian recheck`."""
    found = decoded(read_bytes(path), path)
    parts = list(_parts(found, path))
    outcomes = {part.outcome for part in parts}
    verdict, status = "confirmed", 0
    if "refuted" in outcomes:
        verdict, status = "refuted", 1
    elif "not re-decided" in outcomes:
        verdict, status = "partly", 3
    document = {
        "certificate": path,
        "question": found.question,
        "verdict": verdict,
        "parts": [
            {"part": part.what, "by": part.by, "outcome": part.outcome, "detail": part.detail}
            for part in parts
        ],
    }
    told = {"partly": "nothing refuted, but not all could be re-decided"}.get(verdict, verdict)
    lines = [f"{path}: {told} ({found.question})"]
    for part in parts:
        by = f" by {part.by}" if part.by else ""
        lines.append(f"  {part.what}: {part.outcome}{by}" + (f": {part.detail}" if part.detail else ""))
    return Answer(document, tuple(lines), status)


def _parts(found: Certificate, path: str) -> Iterator[Part]:
    changed = [change for used in found.rules for change in _changed(used)]
    if not found.rules:
        raise CannotAsk(f"{path}: no certificate: it names no rules - at `$.rules`")
    if changed:
        yield Part("rule texts", "SHA-256", "refuted", "; ".join(changed))
        yield Part("answer", "", "not re-decided", "it is about other rules than those at hand")
        return
    yield Part("rule texts", "SHA-256", "confirmed")
    rules = [_loaded(used, path) for used in found.rules]
    try:
        yield from _KINDS[found.question](found, rules, path)
    except Disagreement as wrong:
        yield Part("answer", "checker", "refuted", str(wrong))


def _changed(used: RulesUsed) -> list[str]:
    here = {text.name: text.sha256 for text in texts(used.name)}
    then = {text.name: text.sha256 for text in used.texts}
    names = [name for name in here | then if here.get(name) != then.get(name)]
    return [f"{name} is not the text that {used.name} had then" for name in names]


def _loaded(used: RulesUsed, path: str) -> Rules:
    try:
        rules = load(used.name, used.readings)
    except UnknownReading as wrong:
        raise CannotAsk(f"{path}: no certificate: {wrong} - at `$.rules`") from None
    except RulesError as wrong:
        raise CannotAsk(
            f"{path}: {used.name}: the rules cannot be used", f"conquian spec check {used.name}"
        ) from wrong
    missing = sorted(set(rules.readings) - set(used.readings))
    if missing:
        raise CannotAsk(f"{path}: no certificate: the reading `{missing[0]}` is missing - at `$.rules`")
    return rules


def _of(found: object, form: type[T], path: str, where: str) -> T:
    """A part of a certificate in its form; CannotAsk if it has another."""
    try:
        return convert(found, form)
    except ValidationError as wrong:
        shown = str(wrong).replace("`$", f"`$.{where}")
        shown = shown if f"$.{where}" in shown else f"{shown} - at `$.{where}`"
        raise CannotAsk(
            f"{path}: no certificate: {shown}", "`--certificate FILE` writes certificates"
        ) from None


def _position(found: Certificate, rules: Rules, path: str) -> Position:
    if found.position is None:
        raise CannotAsk(f"{path}: no certificate: the position is missing - at `$.position`")
    try:
        return taken(found.position, rules)
    except BadPosition as wrong:
        raise CannotAsk(f"{path}: no position of these rules: {wrong.field}: {wrong}", "") from None


# ---- force


def _force(found: Certificate, rules: Sequence[Rules], path: str) -> Iterator[Part]:
    position, asked = _position(found, rules[0], path), _of(found.asked, ForceAsked, path, "asked")
    if asked.player not in position.players:
        raise CannotAsk(f"{path}: no certificate: {asked.player[:40]} does not play - at `$.asked`")
    question = Question(rules[0], position, asked.player, "french", asked.hand_known, asked.left_out)
    claimed = _of(found.witness, ForceWitness, path, "witness")
    yield from _same_answer(found, force(question).document)
    typed = typed_of(found.rules[0].name, rules[0])
    seat, state, cases = offer_of(question)
    if state.at != position.state.at:
        yield Part("position", "engine", "refuted", "it is not the one that the question is about")
        return
    again, core, scripts = force_parts(position, seat, cases, typed, ask=False)
    yield _equal("moments of a demand", "checker", plain(again.due), plain(claimed.due))
    obeyed = claimed.obeyed
    if obeyed is not None:
        yield from _obeyed(position, seat, obeyed, typed)
    elif again.obeyed is not None:
        yield Part("meld that obeys", "engine", "refuted", "there is one, and the certificate names none")
    yield _equal("clauses that refuse", "checker", core, found.core)
    yield from _scripts(found.queries, scripts)


def _obeyed(position: Position, seat: int, witness: MeldWitness, typed: RuleSet) -> Iterator[Part]:
    from conquian.forcing import offer_moments

    engine, players = position.rules.engine, position.players
    by: Event = (players[engine.opponents[seat]], "forces")
    event: Event = (players[seat], "melds", tuple(tuple(card for card, _ in meld) for meld in witness.laid))
    for _, moment in offer_moments(engine, position.state, seat):
        here = Position(position.rules, moment, players)
        if here.can(by):
            forced = here.apply(by)
            yield _faultless("meld that obeys", _faults(forced, event, witness, typed))
            return
    yield Part("meld that obeys", "engine", "refuted", "no demand can be made there")


def _faults(position: Position, event: Event, witness: MeldWitness, typed: RuleSet) -> list[str]:
    if any(card not in position.rules.engine.pack.unit for meld in event[2] for card in meld):
        return ["it lays a card that the pack has not"]
    return meld_faults(position, event, witness, typed)


def _faultless(what: str, faults: Sequence[str]) -> Part:
    return Part(what, "checker", "refuted" if faults else "confirmed", "; ".join(faults[:3]))


# ---- legal


def _legal(found: Certificate, rules: Sequence[Rules], path: str) -> Iterator[Part]:
    from conquian import asked as asking

    position, asked = _position(found, rules[0], path), _of(found.asked, LegalAsked, path, "asked")
    if asked.player not in position.players:
        raise CannotAsk(f"{path}: no certificate: {asked.player[:40]} does not play - at `$.asked`")
    question = Question(rules[0], position, asked.player, "french", asked.hand_known)
    typed = typed_of(found.rules[0].name, rules[0])
    if asked.meld is None:
        yield from _same_answer(found, asking.legal(question, None, asked.count, asked.limit).document)
        witnesses = _of(found.witness, list[MeldWitness], path, "witness")
        yield from _all_melds(position, witnesses, typed)
        script = some_meld_script(
            "can the card on offer be melded", position, bool(witnesses), typed, ask=False
        )
        yield from _scripts(found.queries, [] if script is None else [script])
        return
    if not asked.meld:
        raise CannotAsk(f"{path}: no certificate: the meld names no cards - at `$.asked`")
    event: Event = (asked.player, "melds", asked.meld)
    text = ", ".join(" ".join(meld) for meld in asked.meld)
    document = asking.legal(question, text, False, None).document
    legal = bool(document["legal"])
    core = None if found.core is None else _of(found.core, list[str], path, "core")
    if asked.why and not legal:
        document = {**document, "core": found.answer["core"] if isinstance(found.answer, dict) else None}
        if core is not None:
            document["core"] = _passages(rules[0], core)
    yield from _same_answer(found, document)
    if legal:
        witness = _of(found.witness, MeldWitness, path, "witness")
        yield _meld_part("witness", position, event, witness, typed)
    else:
        yield _core_part("core", position, event, core)
    script = act_script("is this meld legal", position, event, legal, typed, ask=False)
    yield from _scripts(found.queries, [] if script is None else [script])


def _passages(rules: Rules, core: Sequence[str]) -> list[str]:
    passage = {info.name: info.passage for info in rules.engine.program.clauses}
    return list(dict.fromkeys(passage.get(name, name) for name in core))


def _meld_part(what: str, position: Position, event: Event, witness: MeldWitness, typed: RuleSet) -> Part:
    if not checkable(position, position.players.index(event[0])):
        return Part(what, "", "not re-decided", "a clause asks for a hand that nobody recorded")
    return _faultless(what, _faults(position, event, witness, typed))


def _core_part(what: str, position: Position, event: Event, core: Sequence[str] | None) -> Part:
    """Whether the clauses of a core, and no fewer, forbid an event whatever way it is read."""
    act = act_of(position, event)
    if core is None:
        return Part(what, "", "not re-decided", "the certificate names no core")
    if act is None:
        outcome: Outcome = "confirmed" if position.check(event) is not None and not core else "refuted"
        return Part(what, "engine", outcome, "the order of play or the cards decide, no clause on acts")
    if act.unknown and position.rules.engine.program.asks_hand:
        return Part(what, "", "not re-decided", "a clause asks for a hand that nobody recorded")
    ways = broken(position, act)
    if not core:
        outcome = "refuted" if any(ways) and all(ways) else "confirmed"
        return Part(what, "exhaustion", outcome, "some way to read the act breaks no clause; its sets decide")
    if not forbidden_by(ways, core):
        return Part(what, "exhaustion", "refuted", f"{', '.join(core)} do not forbid the act")
    fewer = len(core) - 1
    if len(set(core)) != len(core) or any(
        forbidden_by(ways, some) for some in combinations(sorted(frozenset().union(*ways)), fewer)
    ):
        return Part(what, "exhaustion", "refuted", "fewer clauses forbid the act too")
    return Part(what, "exhaustion", "confirmed")


def _all_melds(position: Position, witnesses: Sequence[MeldWitness], typed: RuleSet) -> Iterator[Part]:
    """That each listed meld is legal, by the checker, and that there is no other, by exhaustive search."""
    holder = position.holder
    names = position.rules.engine.pack.names
    wanted = position.legal_melds()
    for number, witness in enumerate(witnesses, 1):
        event: Event = (holder, "melds", tuple(tuple(card for card, _ in meld) for meld in witness.laid))
        part = _meld_part(f"meld {number}", position, event, witness, typed)
        if part.outcome != "confirmed":
            yield part
    del names
    shown = sorted(tuple(sorted(tuple(sorted(c for c, _ in m)) for m in w.laid)) for w in witnesses)
    again = sorted(tuple(sorted(tuple(sorted(m)) for m in table)) for table in wanted)
    yield _equal("melds, each once and no other", "engine", again, shown)


# ---- validate


def _validate(found: Certificate, rules: Sequence[Rules], path: str) -> Iterator[Part]:
    from conquian.judging_again import judged_acts, verdicts

    asked = _of(found.asked, ValidateAsked, path, "asked")
    witnesses = _of(found.witness, dict[str, MeldWitness], path, "witness")
    cores = _of(found.core, dict[str, list[str] | None], path, "core")
    try:
        acts = judged_acts(asked)
        judged = verdicts(asked)
    except (UnknownReading, RulesError, ValueError) as wrong:
        raise CannotAsk(f"{path}: no certificate: {wrong} - at `$.asked`") from None
    if acts is None or len(judged) != 1:
        raise CannotAsk(f"{path}: no certificate: the transcript cannot be read - at `$.asked`")
    if acts.loaded != found.rules[0].name or dict(acts.rules.readings) != found.rules[0].readings:
        yield Part(
            "rules", "engine", "refuted", "the transcript is judged by other rules than the certificate names"
        )
        return
    yield from _same_answer(found, plain(judged[0]))
    typed = typed_of(acts.loaded, acts.rules)
    scripts: list[Script] = []
    for where, position, event, legal in acts.melds:
        if legal and where not in witnesses:
            if act_of(position, event) is not None and event[1] == "melds":
                yield Part(f"{where}: witness", "engine", "refuted", "it is missing")
        elif legal:
            part = _meld_part(f"{where}: witness", position, event, witnesses[where], typed)
            if part.outcome != "confirmed":
                yield part
        else:
            yield _core_part(f"{where}: core", position, event, cores.get(where))
        script = act_script(f"{where}: is this act legal", position, event, legal, typed, ask=False)
        scripts += [] if script is None else [script]
    known = {where for where, *_ in acts.melds}
    strange = sorted((witnesses.keys() | cores.keys()) - known)
    if strange:
        yield Part("witnesses", "engine", "refuted", f"{strange[0][:40]} is no act of the transcript")
    else:
        yield Part("witnesses of the legal melds", "checker", "confirmed")
    yield from _scripts(found.queries, scripts)


# ---- what kinds share


def _same_answer(found: Certificate, again: Mapping[str, Any]) -> Iterator[Part]:
    """The answer worked out anew; what this cannot give is told."""
    claimed = found.answer
    if not isinstance(claimed, dict):
        yield Part("answer", "engine", "refuted", "it has not the form of an answer")
        return
    worked = plain(again)
    differ = [key for key in worked if key not in claimed or claimed[key] != worked[key]]
    if differ:
        yield Part("answer", "engine", "refuted", f"{', '.join(f'`{key}`' for key in differ)} are otherwise")
    else:
        yield Part("answer", "engine", "confirmed")
    for key in claimed:
        if key not in worked:
            yield Part(f"answer: `{key[:40]}`", "", "not re-decided", "it is not worked out again")


def _equal(what: str, by: str, again: object, claimed: object) -> Part:
    if plain(again) == plain(claimed):
        return Part(what, by, "confirmed")
    return Part(what, by, "refuted", "they are otherwise")


def _scripts(queries: Sequence[Query], again: Sequence[Script]) -> Iterator[Part]:
    """That the scripts are those of the question, and claim the answer that was worked out."""
    if [query.name for query in queries] != [script.name for script in again]:
        yield Part("scripts", "engine", "refuted", "they are not those of the question")
        return
    wrong = [s.name for q, s in zip(queries, again, strict=True) if q.smt2 != s.text]
    wrong += [
        s.name for q, s in zip(queries, again, strict=True) if q.expected not in (s.expected, "unknown")
    ]
    if wrong:
        yield Part("scripts", "engine", "refuted", f"`{wrong[0]}` is not that of the question")
    elif queries:
        yield Part("scripts", "engine", "confirmed", "written again, they are the same")


def _everywhere(found: Certificate, rules: Sequence[Rules], path: str) -> Iterator[Part]:
    """Claims about all positions: the scripts go to a second solver."""
    second = second_solver()
    for query in found.queries:
        what = f"script `{query.name[:60]}`"
        if second is None:
            yield Part(what, "", "not re-decided", "no second solver is installed (pip install cvc5)")
            continue
        try:
            said = second.answer(query.smt2)
        except BadScript as wrong:
            yield Part(what, second.name, "refuted", str(wrong))
            continue
        if "unknown" in (said, query.expected):
            yield Part(what, second.name, "not re-decided", f"it says {said}")
        elif said == query.expected:
            yield Part(what, second.name, "confirmed")
        else:
            yield Part(what, second.name, "refuted", f"it says {said}, not {query.expected}")


_KINDS: dict[str, Callable[[Certificate, Sequence[Rules], str], Iterator[Part]]] = {
    "force": _force,
    "legal": _legal,
    "validate": _validate,
    "diff": _everywhere,
    "spec check": _everywhere,
}
