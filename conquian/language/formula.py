"""Typed conditions: what a clause says, with every name resolved and every definition written out.

The nodes are few and closed, for two machines read them: `conquian.engine.expressions` makes Python functions
on card masks of them, `conquian.verifier` makes constraints. Quantifiers range over finite sets; there are no
loops, no recursion and no calls.

Words of a condition by moment (`Moment`): `before` and `after` are the melds in front of the player (or team)
before and after the act, `up` the card on offer, `used` the hand cards laid, `laid` both, `hand` what the
player holds at that moment, `thrown` the card discarded, `said` and `onto` card and meld named by a demand.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

# ---- sets of cards


@dataclass(frozen=True, slots=True)
class CardsVar:
    """Named cards: `up used hand thrown said onto`, a quantified meld or card, the variable of a shape."""

    name: str


@dataclass(frozen=True, slots=True)
class Union:
    left: Cards
    right: Cards


@dataclass(frozen=True, slots=True)
class Both:
    left: Cards
    right: Cards


@dataclass(frozen=True, slots=True)
class Minus:
    left: Cards
    right: Cards


@dataclass(frozen=True, slots=True)
class CardsOf:
    """All cards of a collection of melds."""

    melds: Melds


@dataclass(frozen=True, slots=True)
class Ends:
    """The lowest and the highest card of a run; no card of anything else."""

    cards: Cards


Cards = CardsVar | Union | Both | Minus | CardsOf | Ends


@dataclass(frozen=True, slots=True)
class Melds:
    """The melds in front of the player or team, before or after the act."""

    name: Literal["before", "after"]


# ---- numbers


@dataclass(frozen=True, slots=True)
class Number:
    value: int


@dataclass(frozen=True, slots=True)
class GoalSize:
    """The number that the rule set's goal clause gives."""


@dataclass(frozen=True, slots=True)
class Size:
    cards: Cards


@dataclass(frozen=True, slots=True)
class PlaceSize:
    """How many cards the player's hand or the stock holds; known even when the cards are not."""

    place: Literal["hand", "stock"]


Quantity = Number | GoalSize | Size | PlaceSize

# ---- conditions


@dataclass(frozen=True, slots=True)
class Always:
    value: bool


@dataclass(frozen=True, slots=True)
class Not:
    operand: Formula


@dataclass(frozen=True, slots=True)
class All:
    operands: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Any_:
    operands: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Some:
    """Some meld of a collection, or some single card of a set, fulfils the body."""

    var: str
    domain: Melds | Cards
    body: Formula


@dataclass(frozen=True, slots=True)
class ReadingIs:
    reading: str
    choice: str


Ended = Literal["conceded", "agreed", "broken-off"]
Flagged = Literal["own", "starter", "named", "misdeal", "drawn", "drawn-before", "rummy"] | Ended


@dataclass(frozen=True, slots=True)
class Flag:
    """A fact of the moment: the card is the player's own or the starter, the demand names a meld, …"""

    name: Flagged


@dataclass(frozen=True, slots=True)
class NextIsFirst:
    """The next player in turn is the one who acted first in the deal."""


@dataclass(frozen=True, slots=True)
class Compare:
    operator: Literal["=", "!=", "<", "<=", ">", ">="]
    left: Quantity
    right: Quantity


@dataclass(frozen=True, slots=True)
class Within:
    left: Cards
    right: Cards


@dataclass(frozen=True, slots=True)
class Meets:
    left: Cards
    right: Cards


@dataclass(frozen=True, slots=True)
class Same:
    left: Cards
    right: Cards


@dataclass(frozen=True, slots=True)
class IsMeldOf:
    """The cards are one of the melds as it lies."""

    cards: Cards
    melds: Melds


@dataclass(frozen=True, slots=True)
class NoCards:
    cards: Cards


@dataclass(frozen=True, slots=True)
class Valid:
    """The cards are a meld of the named shape, or of any shape when `shape` is None."""

    cards: Cards
    shape: str | None


@dataclass(frozen=True, slots=True)
class Possible:
    """The cards can be divided into valid melds. Not nested, not under a quantifier."""

    cards: Cards


Trait = Literal["same_rank", "same_suit", "consecutive", "distinct"]


@dataclass(frozen=True, slots=True)
class Has:
    """A property of concrete cards that shapes are made of."""

    trait: Trait
    cards: Cards


Formula = (
    Always
    | Not
    | All
    | Any_
    | Some
    | ReadingIs
    | Flag
    | NextIsFirst
    | Compare
    | Within
    | Meets
    | Same
    | IsMeldOf
    | NoCards
    | Valid
    | Possible
    | Has
)

Moment = Literal["shape", "act", "win", "force", "discard", "pass", "turn", "flow", "dealer", "stakes"]


def parts(node: Formula | Cards | Melds | Quantity) -> tuple[Formula | Cards | Melds | Quantity, ...]:
    """The nodes directly below a node."""
    match node:
        case Not(x) | Size(x) | NoCards(x) | Possible(x) | Ends(x) | CardsOf(x):
            return (x,)
        case All(xs) | Any_(xs):
            return xs
        case Some(_, domain, body):
            return domain, body
        case Compare(_, a, b):
            return a, b
        case Union(a, b) | Both(a, b) | Minus(a, b) | Within(a, b) | Meets(a, b) | Same(a, b):
            return a, b
        case IsMeldOf(cards, melds):
            return cards, melds
        case Valid(cards, _) | Has(_, cards):
            return (cards,)
        case _:
            return ()


def readings_of(node: Formula | Cards | Melds | Quantity) -> frozenset[str]:
    """The names of the readings that a condition tests."""
    if isinstance(node, ReadingIs):
        return frozenset({node.reading})
    return frozenset().union(*(readings_of(x) for x in parts(node)))


def negated(formula: Formula) -> Formula:
    """The opposite, without stacking negations."""
    match formula:
        case Not(x):
            return x
        case Always(value):
            return Always(not value)
        case _:
            return Not(formula)
