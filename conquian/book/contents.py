"""The book as data: the clauses of one rule set, or of two, by what they are about, with an example of each.

Guarantees: every clause and every reading of each set is in it, in the order of the files; so is why a clause has no
example. It is in no language: `telling` says it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from conquian.book.acts import Acts
from conquian.book.example import Example
from conquian.book.matches import Matches, Shown
from conquian.book.plays import Plays
from conquian.differing import Difference, Named, differences
from conquian.language import clauses as c
from conquian.language import formula as f
from conquian.language.rules import Clause, Reading, RuleSet
from conquian.language.settled import settled_body
from conquian.language.show import PARTS, part_of
from conquian.position import Position
from conquian.questions import CannotAsk
from conquian.tongue import mark
from conquian.verifier.limits import BUDGET, Disagreement


@dataclass(frozen=True, slots=True)
class Entry:
    """A clause in the book of one side. `asks` are its readings.

    `shown` is what shows a clause that no position shows; `why_none` is the message why it has neither that nor an
    example. A clause that says that something is not done has neither, and nothing is said of it; nor of one of a
    second side that stands with the first.
    """

    clause: Clause
    example: Example | None
    why_none: str
    asks: tuple[str, ...]
    silent: bool
    """Under the readings of the book it says nothing."""
    shown: Shown | None = None


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

    found: Difference
    allows: str
    forbids: str
    shown: Example
    """As the side that forbids it judges."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A clause on two sides. `same`: both say the same under their readings, `worded` in the same words too."""

    same: bool
    worded: bool
    unseen: tuple[Difference, ...] = ()
    """What was found in each direction that no position shows."""
    parted: tuple[Parted, ...] = ()

    @property
    def alike(self) -> bool:
        """Whether one text and one example do for both sides."""
        return self.same and self.worded and not self.parted


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
    typed = [one.typed for one in named]
    parts = {clause.name: part_of(clause.body) for one in reversed(typed) for clause in one.clauses}
    order = dict.fromkeys(clause.name for one in typed for clause in one.clauses)
    chapters = tuple((part, tuple(name for name in order if parts[name] == part)) for part in PARTS)
    compared: dict[str, Compared] = {}
    unasked = ""
    if len(named) == 2:
        found: tuple[Difference, ...] = ()
        try:
            found = differences(named[0], named[1], budget).found
        except CannotAsk as wrong:
            unasked = str(wrong)
        compared = {name: _compared(named[0], named[1], name, found) for name in order}
    first = _side(named[0], budget or BUDGET, frozenset())
    sides = [first]
    for one in named[1:]:
        alike = frozenset(x for x, how in compared.items() if how.alike)
        sides.append(_side(one, budget or BUDGET, alike))
    return Book(
        tuple(sides),
        tuple(x for x in chapters if x[1]),
        tuple(dict.fromkeys(reading.name for one in typed for reading in one.readings)),
        compared,
        unasked,
    )


# ---- a side


def _side(named: Named, budget: int, alike: frozenset[str]) -> Side:
    """One side; `alike` are clauses that stand with another side, where their example is."""
    acts, plays = Acts(named.typed, named.rules, budget), Plays(named.typed, named.rules)
    matches = Matches(named.typed, named.rules, plays.won)
    entries = {}
    for clause in named.typed.clauses:
        example, shown, why = None, None, ""
        if clause.name not in alike:
            example = acts.of(clause) if isinstance(clause.body, c.Modal | c.Must) else plays.of(clause)
            shown = matches.of(clause)
            if example is None and shown is None:
                why = _why_none(clause.body)
        silent = settled_body(clause.body, named.rules.readings) is None
        entries[clause.name] = Entry(clause, example, why, asks(clause.body), silent, shown)
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
        case c.Starter() | c.Exchange():
            return ""  # what is not done cannot be seen
        case c.Cut() | c.DealerStays() | c.Stakes() | c.Session():
            return mark("No deals were found that would go otherwise without this clause.")
        case _:
            return mark("No position was found in which this clause decides.")


# ---- two sides


def _compared(a: Named, b: Named, name: str, found: tuple[Difference, ...]) -> Compared:
    one, two = (next((x for x in side.typed.clauses if x.name == name), None) for side in (a, b))
    same = worded = False
    if one is not None and two is not None:
        same = _settled(a, one) == _settled(b, two)
        worded = (one.sentence, one.body) == (two.sentence, two.body)
    mine = tuple(x for x in found if x.name == name)
    parted = tuple(_parted(a, b, x) for x in mine if x.status == "position")
    return Compared(same, worded, tuple(x for x in mine if x.status != "position"), parted)


def _settled(side: Named, clause: Clause) -> object:
    return settled_body(clause.body, side.rules.readings)


def _parted(a: Named, b: Named, found: Difference) -> Parted:
    """The position of a difference, judged again on both sides."""
    allows, forbids = (a, b) if found.allows == "a" else (b, a)
    assert found.event is not None
    legal, here = (_stand(side, found) for side in (allows, forbids))
    refusal = here.check(found.event)
    if legal.check(found.event) is not None or refusal is None:
        raise Disagreement(f"{allows.word} and {forbids.word} do not part at {found}")
    example = Example(here, "solver" if found.queries else "engine", found.after, found.event, refusal)
    return Parted(found, allows.word, forbids.word, example)


def _stand(side: Named, found: Difference) -> Position:
    laid = dict(found.position or {})
    here = side.rules.position(
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
