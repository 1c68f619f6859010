"""Shapes to the table of possible melds, evaluated once on concrete cards.

A card kind is its index in the pack: suit by suit, rank by rank. A meld is a tuple of kinds, ascending, with
a kind repeated where copies of a card exist. The table is the single source of what a valid meld is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations_with_replacement, product

from conquian.language import clauses as c
from conquian.language import formula as f
from conquian.language.check import largest_size, required_traits
from conquian.language.rules import RuleSet

SUIT_LETTERS = {"clubs": "c", "diamonds": "d", "hearts": "h", "spades": "s"}
Meld = tuple[int, ...]


def card_names(deck: c.Deck) -> tuple[str, ...]:
    """The kinds of a pack by index, in French notation."""
    return tuple(rank + SUIT_LETTERS[suit] for suit in deck.suits for rank in deck.ranks)


def meld_tables(rules: RuleSet) -> dict[str, dict[str, tuple[Meld, ...]]]:
    """For each combination of the readings that shapes ask for (`a=x,b=y`): shape name to its melds."""
    shapes = [body for _, body in rules.bodies(c.Shape)]
    asked = sorted(frozenset().union(*(f.readings_of(s.when) for s in shapes)))
    tables: dict[str, dict[str, tuple[Meld, ...]]] = {}
    for choices in product(*(rules.reading(name).choices for name in asked)):
        under = dict(zip(asked, choices, strict=True))
        key = ",".join(f"{name}={choice}" for name, choice in under.items())
        tables[key] = {s.name: tuple(sorted(_melds(s, rules, under))) for s in shapes}
    return tables


def _melds(shape: c.Shape[f.Formula], rules: RuleSet, under: Mapping[str, str]) -> set[Meld]:
    deck, order = rules.only(c.Deck), rules.only(c.Order)
    return {
        meld for meld in set(_candidates(shape, deck, order)) if _holds(shape.when, meld, deck, order, under)
    }


def _candidates(shape: c.Shape[f.Formula], deck: c.Deck, order: c.Order) -> Iterator[Meld]:
    """Every set of cards that can fulfil the shape's traits, and some that do not."""
    ranks = len(deck.ranks)
    if "consecutive" in required_traits(shape.when):
        for suit in range(len(deck.suits)):
            for path in _paths(order):
                yield tuple(sorted(suit * ranks + deck.ranks.index(rank) for rank in path))
        return
    largest = min(largest_size(shape.when) or 0, len(deck.suits) * deck.packs)
    for rank in range(ranks):
        kinds = [suit * ranks + rank for suit in range(len(deck.suits))]
        for size in range(1, largest + 1):
            for meld in combinations_with_replacement(kinds, size):
                if all(meld.count(kind) <= deck.packs for kind in set(meld)):
                    yield meld


def _paths(order: c.Order) -> Iterator[tuple[str, ...]]:
    """Every stretch of the order without a rank twice."""
    ring = order.ranks * 2 if order.around else order.ranks
    for start in range(len(order.ranks)):
        for end in range(start + 1, len(ring) + 1):
            path = ring[start:end]
            if len(set(path)) == len(path):
                yield path


def _holds(when: f.Formula, meld: Meld, deck: c.Deck, order: c.Order, under: Mapping[str, str]) -> bool:
    match when:
        case f.Always(value):
            return value
        case f.Not(x):
            return not _holds(x, meld, deck, order, under)
        case f.All(xs):
            return all(_holds(x, meld, deck, order, under) for x in xs)
        case f.Any_(xs):
            return any(_holds(x, meld, deck, order, under) for x in xs)
        case f.ReadingIs(reading, choice):
            return under[reading] == choice
        case f.Has(trait, f.CardsVar()):
            return _has(trait, meld, deck, order)
        case f.Compare(operator, left, right):
            return compared(operator, _number(left, meld), _number(right, meld))
        case _:
            raise NotImplementedError(f"a shape cannot ask for {type(when).__name__}")


def _number(quantity: f.Quantity, meld: Meld) -> int:
    match quantity:
        case f.Number(value):
            return value
        case f.Size(f.CardsVar()):
            return len(meld)
        case _:
            raise NotImplementedError(f"a shape cannot count {type(quantity).__name__}")


def compared(operator: str, left: int, right: int) -> bool:
    return {
        "=": left == right,
        "!=": left != right,
        "<": left < right,
        "<=": left <= right,
        ">": left > right,
        ">=": left >= right,
    }[operator]


def _has(trait: f.Trait, meld: Meld, deck: c.Deck, order: c.Order) -> bool:
    ranks = len(deck.ranks)
    match trait:
        case "same_rank":
            return len({kind % ranks for kind in meld}) == 1
        case "same_suit":
            return len({kind // ranks for kind in meld}) == 1
        case "distinct":
            return len(set(meld)) == len(meld)
        case "consecutive":
            names = {deck.ranks[kind % ranks] for kind in meld}
            return len(names) == len(meld) and any(
                set(path) == names for path in _paths(order) if len(path) == len(meld)
            )


def end_cards(rules: RuleSet) -> dict[Meld, tuple[int, ...]]:
    """The outermost cards of every run-like meld, by the rule set's order."""
    deck, order = rules.only(c.Deck), rules.only(c.Order)
    ends: dict[Meld, tuple[int, ...]] = {}
    for suit in range(len(deck.suits)):
        for path in _paths(order):
            kinds = [suit * len(deck.ranks) + deck.ranks.index(rank) for rank in path]
            ends[tuple(sorted(kinds))] = (kinds[0], kinds[-1])
    return ends
