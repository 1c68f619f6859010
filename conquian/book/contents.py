"""The book as data: the clauses of one rule set, or of two, by what they are about, with an example of each.

Guarantees: every clause and every reading of each set is in it, in the order of the files; so is why a clause has no
example.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from conquian.book.acts import Acts
from conquian.book.example import Example
from conquian.book.plays import Plays
from conquian.differing import Difference, Named, differences, said_of
from conquian.language import clauses as c
from conquian.language import formula as f
from conquian.language.rules import Clause, Reading, RuleSet
from conquian.language.settled import settled_body
from conquian.language.show import PARTS, part_of
from conquian.position import Position
from conquian.questions import CannotAsk
from conquian.verifier.limits import BUDGET, Disagreement


@dataclass(frozen=True, slots=True)
class Entry:
    """A clause in the book of one side. `why_none` says why it has no example; `asks` are its readings."""

    clause: Clause
    example: Example | None
    why_none: str
    asks: tuple[str, ...]
    silent: bool
    """Under the readings of the book it says nothing."""


@dataclass(frozen=True, slots=True)
class Side:
    """One rule set under its readings, by clause."""

    named: Named
    entries: Mapping[str, Entry]

    @property
    def word(self) -> str:
        return self.named.word

    @property
    def typed(self) -> RuleSet:
        return self.named.typed

    def reading(self, name: str) -> Reading | None:
        return next((x for x in self.typed.readings if x.name == name), None)


@dataclass(frozen=True, slots=True)
class Parted:
    """A position in which two sets part by a clause: the event is legal under one, and refused by the other."""

    says: str
    allows: str
    forbids: str
    shown: Example
    """As the side that forbids it judges."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A clause on two sides. `same`: both say the same under their readings, `worded` in the same words too."""

    same: bool
    worded: bool
    says: tuple[str, ...] = ()
    """What was found in each direction that no position shows."""
    parted: tuple[Parted, ...] = ()


@dataclass(frozen=True, slots=True)
class Book:
    """One side or two; `chapters` name the clauses in the order of the book. `unasked`: why two were not played."""

    sides: tuple[Side, ...]
    chapters: tuple[tuple[str, tuple[str, ...]], ...]
    readings: tuple[str, ...]
    compared: Mapping[str, Compared]
    unasked: str = ""


def book(named: tuple[Named, ...], budget: int | None = None) -> Book:
    """The book of one rule set or two; `budget` is what the solver may spend on one question."""
    sides = tuple(_side(one, budget or BUDGET) for one in named)
    parts: dict[str, str] = {}
    for side in sides:
        for entry in side.entries.values():
            parts.setdefault(entry.clause.name, part_of(entry.clause.body))
    chapters = tuple((part, tuple(name for name, of in parts.items() if of == part)) for part in PARTS)
    readings = tuple(dict.fromkeys(x.name for side in sides for x in side.typed.readings))
    compared: dict[str, Compared] = {}
    unasked = ""
    if len(sides) == 2:
        found: tuple[Difference, ...] = ()
        try:
            found = differences(named[0], named[1], budget).found
        except CannotAsk as wrong:
            unasked = str(wrong)
        compared = {name: _compared(sides[0], sides[1], name, found) for name in parts}
    return Book(sides, tuple(x for x in chapters if x[1]), readings, compared, unasked)


# ---- a side


def _side(named: Named, budget: int) -> Side:
    acts, plays = Acts(named.typed, named.rules, budget), Plays(named.typed, named.rules)
    entries = {}
    for clause in named.typed.clauses:
        decided = isinstance(clause.body, c.Modal | c.Must)
        example = acts.of(clause) if decided else plays.of(clause)
        silent = settled_body(clause.body, named.rules.readings) is None
        entries[clause.name] = Entry(
            clause, example, "" if example else _why_none(clause.body), asks(clause.body), silent
        )
    return Side(named, entries)


def asks(body: c.Body[f.Formula]) -> tuple[str, ...]:
    """The readings that a clause asks for, by name."""
    whens: list[f.Formula | None] = []
    match body:
        case c.Phase(_, lines):
            whens += [line.when for line in lines]
        case c.Stakes(stakes):
            whens += [line.when for line in stakes]
        case c.Must(where):
            whens.append(where)
        case c.Modal() | c.Shape() | c.Wins() | c.DealerStays():
            whens.append(body.when)
        case _:
            pass
    return tuple(sorted(frozenset[str]().union(*(f.readings_of(x) for x in whens if x is not None))))


def _why_none(body: c.Body[f.Formula]) -> str:
    match body:
        case c.Deck():
            return "It is about the pack as a whole; no single position shows it."
        case c.Cut() | c.DealerStays():
            return "It is about who deals, not about cards on a table; no position shows it."
        case c.Stakes() | c.Session():
            return "It is about what is staked and won, not about cards on a table; no position shows it."
        case c.Starter() | c.Exchange():
            return "It says that something is not done; no position shows it."
        case _:
            return "No position was found in which this clause decides."


# ---- two sides


def _compared(a: Side, b: Side, name: str, found: tuple[Difference, ...]) -> Compared:
    one, two = a.entries.get(name), b.entries.get(name)
    same = one is not None and two is not None and _settled(a, one) == _settled(b, two)
    worded = one is not None and two is not None and one.clause.sentence == two.clause.sentence
    mine = tuple(x for x in found if x.name == name)
    parted = tuple(_parted(a, b, x) for x in mine if x.status == "position")
    words = {"a": a.word, "b": b.word}
    says = tuple(said_of(x, words) for x in mine if x.status != "position")
    return Compared(same, worded, says, parted)


def _settled(side: Side, entry: Entry) -> object:
    return settled_body(entry.clause.body, side.named.rules.readings)


def _parted(a: Side, b: Side, found: Difference) -> Parted:
    """The position of a difference, judged again on both sides."""
    allows, forbids = (a, b) if found.allows == "a" else (b, a)
    assert found.event is not None
    legal, here = (_stand(side, found) for side in (allows, forbids))
    refusal = here.check(found.event)
    if legal.check(found.event) is not None or refusal is None:
        raise Disagreement(f"{allows.word} and {forbids.word} do not part at {found}")
    example = Example(here, "solver", found.after, found.event, refusal)
    return Parted(said_of(found, {"a": a.word, "b": b.word}), allows.word, forbids.word, example)


def _stand(side: Side, found: Difference) -> Position:
    laid = dict(found.position or {})
    here = side.named.rules.position(
        up=laid.get("up"),
        table=laid.get("table", ()),
        hand=laid.get("hand"),
        stock=laid.get("stock"),
        turned_by=laid.get("turned_by"),
        declined=bool(laid.get("declined")),
    )
    for event in found.after:
        here = here.apply(event)
    return here
