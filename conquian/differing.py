"""Where two rule sets differ: every clause that reads otherwise, and the smallest position on which they part.

Guarantees: a position that is shown was played under both; `proved-equal` means that no position at all separates the
two by that clause in that direction; `none-up-to` that none with so many cards does. What no position of play can
show (the deal, the stakes, who sits with whom) is named with what each side says, as none up to the whole pack.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from conquian.cards import Notation
from conquian.engine.play import Event
from conquian.language import clauses as c
from conquian.language.build import load as load_rules
from conquian.language.problems import RulesError
from conquian.language.rules import Clause, RuleSet
from conquian.lockstep import Parting, partings
from conquian.position import Rules, load
from conquian.questions import Answer, CannotAsk, in_notation, table_text
from conquian.tongue import tell, tell_n
from conquian.walked import exchanged, forbids_nothing

if TYPE_CHECKING:
    from conquian.verifier.difference_wanted import Query
    from conquian.verifier.joint import Joint

Name = Literal["a", "b"]
Status = Literal["position", "proved-equal", "none-up-to", "undecided"]


@dataclass(frozen=True, slots=True)
class Named:
    """A rule set under readings, as it was called."""

    word: str
    rules: Rules
    typed: RuleSet
    loaded: str
    """The name or path in the word."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One clause that differs, in one direction; `allows` None where no event is about it.

    name      the clause in the rule files
    clause    the passage that it cites first, on the side that forbids where that has one
    says      what each side says, None where it has no such clause
    position  the parts of the position; `after` the events that lead on from it
    queries   what the solver was asked: all unsatisfiable where the status is `proved-equal`
    """

    name: str
    clause: str
    allows: Name | None
    status: Status
    says: tuple[str | None, str | None]
    position: Mapping[str, Any] | None = None
    after: tuple[Event, ...] = ()
    event: Event | None = None
    code: str | None = None
    cards: int | None = None
    smallest: bool = False
    budget: int | None = None
    queries: tuple[Query, ...] = ()

    def document(self) -> dict[str, Any]:
        found: dict[str, Any] = {"clause": self.clause, "allows": self.allows, "status": self.status}
        if self.status == "position":
            assert self.event is not None
            found["position"] = dict(self.position or {})
            if self.after:
                found["after"] = [_listed(event) for event in self.after]
            found["event"] = _listed(self.event)
            found["cards"] = self.cards
            found["smallest"] = self.smallest
        if self.status == "none-up-to":
            found["cards"] = self.cards
        if self.status == "undecided":
            found["budget"] = self.budget
        if self.allows is None:
            found["says"] = {"a": self.says[0], "b": self.says[1]}
        return found


@dataclass(frozen=True, slots=True)
class Differences:
    """Everything in which two rule sets differ, in the order of the clauses of the first."""

    a: Named
    b: Named
    found: tuple[Difference, ...]

    @property
    def equal(self) -> bool:
        """Whether every clause is proved to allow the same."""
        return all(x.status == "proved-equal" for x in self.found)


def named(word: str) -> Named:
    """The rule set that `NAME?reading=choice&reading=choice` calls; NAME can be a path.

    CannotAsk for a word of another form; RulesError and UnknownReading as `load` raises them.
    """
    name, sign, tail = (word, "", "") if os.path.exists(word) else word.partition("?")
    chosen: dict[str, str] = {}
    for pair in tail.split("&") if sign else ():
        reading, equals, choice = pair.partition("=")
        if not (reading and equals and choice):
            raise CannotAsk(
                tell("{word}: {pair} is not READING=CHOICE", word=word, pair=repr(pair)),
                tell("for example {example}", example="swedish?new-meld=any"),
            )
        if chosen.get(reading, choice) != choice:
            raise CannotAsk(
                tell("{word} gives `{reading}` two choices", word=word, reading=reading),
                tell("name each reading once"),
            )
        chosen[reading] = choice
    try:
        typed = load_rules(name)
    except RulesError as wrong:
        (first, *rest) = wrong.problems
        if first.code != "CQ205" or first.hint or rest:
            raise
        raise CannotAsk(first.message, tell("`conquian spec list` names them")) from None
    if not typed.playable:
        raise CannotAsk(
            tell("{name} is a fragment, not a game", name=name), tell("`conquian spec list` names them")
        )
    return Named(word, load(name, chosen), typed, name)


def differences(a: Named, b: Named, budget: int | None = None) -> Differences:
    """What two rule sets disagree on; `budget` is what the solver may spend on one question."""
    from conquian.verifier.difference import separations
    from conquian.verifier.difference_asking import Comparison
    from conquian.verifier.difference_clauses import clauses_of, differs
    from conquian.verifier.joint import joint
    from conquian.verifier.limits import BUDGET

    try:
        both = joint(a.rules, b.rules, a.typed, b.typed)
    except ValueError as wrong:
        raise CannotAsk(str(wrong)) from None
    found: dict[str, list[Difference]] = {}
    spent = BUDGET if budget is None else budget
    for part in separations(Comparison(both, spent)):
        shown = part.shown
        forbids: Name = "b" if part.allows == "a" else "a"
        status, cards = part.status, part.cards
        goal = isinstance(both.a.bodies.get(part.clause), c.Goal)
        if goal and status == "proved-equal":
            # The goals are not the same; only no position that both can hold shows it.
            status, cards = "none-up-to", both.pack.size
        said = Difference(
            part.clause,
            _passage(both, part.clause, forbids),
            part.allows,
            status,
            _says(both, part.clause),
            cards=cards,
            budget=part.budget,
            queries=part.queries,
        )
        if shown is not None:
            said = replace(
                said,
                position=shown.laid.document(),
                after=shown.laid.way,
                event=shown.laid.event,
                code=shown.refusal.code,
                smallest=part.smallest,
            )
        found.setdefault(part.clause, []).append(said)
    changed = [name for name in clauses_of(both.a, both.b) if differs(both.a, both.b, name)]
    for played in _played(a, b, both, changed, spent):
        found.setdefault(played.name, []).append(played)
    for name in changed:
        if name not in found and isinstance(_body(both, name), _PLAIN):
            found[name] = [
                Difference(
                    name,
                    _passage(both, name, "a"),
                    None,
                    "none-up-to",
                    _says(both, name),
                    cards=both.pack.size,
                )
            ]
    ordered = (x for name in clauses_of(both.a, both.b) for x in found.get(name, ()))
    return Differences(a, b, tuple(ordered))


_PLAIN = (
    c.Deck,
    c.Order,
    c.Players,
    c.Dealing,
    c.Starter,
    c.Exchange,
    c.Opening,
    c.DealerStays,
    c.Stakes,
    c.Session,
)
"""Clauses that may differ without any position of play to show it."""


def _body(both: Joint, name: str) -> object:
    return both.a.bodies.get(name) or both.b.bodies.get(name)


def _clause(both: Joint, name: str, first: Name) -> Clause:
    sides = (both.a, both.b) if first == "a" else (both.b, both.a)
    return next(side.clauses[name] for side in sides if name in side.clauses)


def _passage(both: Joint, name: str, first: Name) -> str:
    clause = _clause(both, name, first)
    return clause.cites[0] if clause.cites else clause.name


def _says(both: Joint, name: str) -> tuple[str | None, str | None]:
    def said(clause: Clause | None) -> str | None:
        return None if clause is None else clause.said

    return said(both.a.clauses.get(name)), said(both.b.clauses.get(name))


# ---- what shows only when the two are played on


def _played(a: Named, b: Named, both: Joint, changed: list[str], budget: int) -> Iterator[Difference]:
    """Clauses on the order of play and on the pack: the first position from which play parts by them.

    Where none was found a walk through both orders of play shows that there is none, or it stays undecided.
    """
    phases = [name for name in changed if isinstance(_body(both, name), c.Phase)]
    decks = [name for name in changed if isinstance(_body(both, name), c.Deck)]
    if not phases and not decks:
        return
    best: dict[tuple[str, str], Parting] = {}
    for parting in partings(a.rules, b.rules):
        for name in _because(a, b, parting, phases, decks):
            key = (name, parting.allows)
            known = best.get(key)
            if known is None or _size(parting) < _size(known):
                best[key] = parting
    tabulated = not a.rules.engine.live and not b.rules.engine.live
    sides: tuple[Name, Name] = ("a", "b")
    for name in (*phases, *decks):
        for allows in sides:
            forbids: Name = "b" if allows == "a" else "a"
            first = best.get((name, allows))
            said = Difference(name, _passage(both, name, forbids), allows, "position", _says(both, name))
            if first is not None:
                yield replace(
                    said,
                    position=_laid(first),
                    after=first.way,
                    event=first.event,
                    code=first.refusal.code,
                    cards=first.start.cards,
                    smallest=tabulated or first.start.cards == 1,
                )
            elif name in phases and name in (both.b if allows == "a" else both.a).bodies:
                pair = ((a.rules, a.typed), (b.rules, b.typed))
                one, two = pair if allows == "a" else (pair[1], pair[0])
                if forbids_nothing(name, one, two):
                    yield replace(said, status="proved-equal")
                else:
                    yield replace(said, status="undecided", budget=budget)


def _size(parting: Parting) -> tuple[int, bool, int]:
    return parting.start.cards, parting.start.stock is not None, len(parting.way)


def _laid(parting: Parting) -> dict[str, Any]:
    start = parting.start
    found: dict[str, Any] = {
        "up": start.up,
        "table": [list(meld) for meld in start.table],
        "hand": list(start.hand),
    }
    if start.stock is not None:
        found["stock"] = start.stock
    if start.own:
        found["turned_by"] = "me"
    return found


def _because(a: Named, b: Named, parting: Parting, phases: list[str], decks: list[str]) -> list[str]:
    """The clauses by which an event is refused: put in place of the other side's, one of them would allow it."""
    if parting.refusal.code in ("not-in-deck", "card-elsewhere"):
        return decks
    if len(phases) < 2:
        return phases
    forbids, allows = (b, a) if parting.allows == "a" else (a, b)
    found = [
        name
        for name in phases
        if _legal(exchanged(forbids.rules, forbids.typed, allows.rules, allows.typed, name), parting)
    ]
    return found or phases[:1]


def _legal(rules: Rules | None, parting: Parting) -> bool:
    here = None if rules is None else parting.start.position(rules)
    if here is None:
        return False
    try:
        for event in parting.way:
            if not here.can(event):
                return False
            here = here.apply(event)
        return here.can(parting.event)
    except AssertionError:
        return False


# ---- the answer


def diff(
    a: str, b: str, budget: int | None = None, exit_code: bool = False, notation: Notation = "french"
) -> tuple[Differences, Answer]:
    """The comparison, and told as a document and as lines; exit status 3 when something is undecided, 1 with
    `exit_code` when the two differ."""
    if budget is not None and budget < 1:
        raise CannotAsk(tell("a budget of {budget} is not possible", budget=budget), tell("1 or more"))
    found = differences(named(a), named(b), budget)
    document: dict[str, Any] = {
        "a": a,
        "b": b,
        "equal": found.equal,
        "differences": [x.document() for x in found.found],
    }
    undecided = any(x.status == "undecided" for x in found.found)
    status = 3 if undecided else 1 if exit_code and not found.equal else 0
    return found, Answer(document, tuple(_lines(found, notation)), status)


def _lines(all_: Differences, notation: Notation) -> Iterator[str]:
    words = {"a": all_.a.word, "b": all_.b.word}
    if not all_.found:
        yield tell("{a} and {b} say the same in every clause.", **words)
        return
    together: dict[str, list[Difference]] = {}
    for one in all_.found:
        together.setdefault(one.name, []).append(one)
    for name, parts in together.items():
        yield f"{name} ({', '.join(dict.fromkeys(x.clause for x in parts))})"
        says = parts[0].says
        if says[0] == says[1]:
            yield f"    {says[0]}"
        else:
            for word, sentence in zip(words.values(), says, strict=True):
                said = sentence or tell("says nothing of it")
                yield f"    {word}: {said}"
        for one in parts:
            yield from (f"    {line}" for line in _told(one, words, notation))
    shared = _shared(all_)
    if shared is not None:
        yield tell(
            "The packs differ; positions are laid in the {number} cards that both have.", number=shared
        )
    yield _closing(all_, words)


def _shared(all_: Differences) -> int | None:
    """How many kinds of card both packs have; None if they are the same."""
    one, two = (set(x.rules.engine.pack.cards) for x in (all_.a, all_.b))
    return None if one == two else len(one & two)


def said_of(one: Difference, words: Mapping[str, str]) -> str:
    """What was found of a difference, in one line; `words` are what the two sides are called."""
    if one.allows is None:
        return tell("no position of play shows it")
    allows, forbids = words[one.allows], words["b" if one.allows == "a" else "a"]
    sides = {"allows": allows, "forbids": forbids}
    match one.status:
        case "proved-equal":
            return tell(
                "{forbids} forbids nothing by it that {allows} allows: proved for all positions", **sides
            )
        case "none-up-to":
            return tell(
                "{forbids} forbids nothing by it that {allows} allows, up to {number} cards",
                number=one.cards,
                **sides,
            )
        case "undecided":
            return tell(
                "what {allows} allows and {forbids} forbids is undecided within a budget of {budget}",
                budget=one.budget,
                **sides,
            )
        case "position":
            size = tell_n("{number} card", "{number} cards", one.cards or 0)
            part = tell("{allows} allows what {forbids} forbids ({code})", code=one.code, **sides)
            smallest = (
                tell(", no smaller position does")
                if one.smallest
                else tell("; whether a smaller one does was not decided")
            )
            return f"{part}; {size}{smallest}:"


def _told(one: Difference, words: Mapping[str, str], notation: Notation) -> Iterator[str]:
    yield said_of(one, words)
    if one.status == "position":
        assert one.position is not None and one.event is not None and one.allows is not None
        yield f"    {_position_text(one.position, notation)}"
        for event in one.after:
            yield f"    {_event_text(event, notation)}"
        only = tell("only under {rules}", rules=words[one.allows])
        yield f"    {_event_text(one.event, notation)}   <- {only}"


def _position_text(position: Mapping[str, Any], notation: Notation) -> str:
    table = table_text(notation, position["table"]) or tell("nothing")
    known = " ".join(in_notation(notation, position.get("hand", ())))
    hand = known or (tell("nothing that matters") if "hand" in position else tell("what nobody recorded"))
    up = in_notation(notation, [position["up"]])[0]
    rest = ""
    if "stock" in position:
        rest += tell("; {number} in the stock", number=position["stock"])
    if position.get("turned_by") == "me":
        rest += tell("; turned by the player himself")
    if position.get("declined"):
        rest += tell("; passed")
    return (
        tell("on the table {table}; in the hand {hand}; on offer {card}", table=table, hand=hand, card=up)
        + rest
    )


def _event_text(event: Event, notation: Notation) -> str:
    words = [str(event[0]), str(event[1])]
    for part in event[2:]:
        if isinstance(part, str):
            words.append(in_notation(notation, [part])[0])
        elif part and isinstance(part[0], str):
            words.append(f"onto {' '.join(in_notation(notation, part))}")
        else:
            words.append(table_text(notation, part))
    return " ".join(words).rstrip()


def _listed(event: Event) -> list[Any]:
    """An event as documents have it."""

    def plain(part: Any) -> Any:
        return [plain(x) for x in part] if isinstance(part, tuple | list) else part

    return [plain(part) for part in event]


def _closing(all_: Differences, words: Mapping[str, str]) -> str:
    if all_.equal:
        return tell("{a} and {b} allow the same in every position.", **words)
    shown = {x.name for x in all_.found if x.status == "position"}
    if any(x.status == "undecided" for x in all_.found):
        return tell_n(
            "{a} and {b} part on {number} clause that a position shows; something is undecided.",
            "{a} and {b} part on {number} clauses that a position shows; something is undecided.",
            len(shown),
            **words,
        )
    if not shown:
        return tell("{a} and {b} differ, but on no position of play that was found.", **words)
    return tell_n(
        "{a} and {b} part on {number} clause that a position shows.",
        "{a} and {b} part on {number} clauses that a position shows.",
        len(shown),
        **words,
    )
