"""Sets of physical cards of which some are known to be in, and others are in under a condition."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from conquian.engine.pack import bits
from conquian.verifier.circuits import FALSE, TRUE, Circuit, Circuits


@dataclass(frozen=True, slots=True)
class CardSet:
    """`known` cards are in the set; a card of `open` is in it when its circuit holds; no other card is.

    `single` promises that at most one of the open cards is in.
    """

    known: int
    open: Mapping[int, Circuit] = field(default_factory=dict)
    single: bool = False

    def has(self, card: int) -> Circuit:
        return TRUE if self.known & card else self.open.get(card, FALSE)

    def cards(self) -> list[int]:
        """Every card that can be in the set."""
        return [*bits(self.known), *self.open]


def _made(known: int, found: Mapping[int, Circuit], single: bool) -> CardSet:
    for card, circuit in found.items():
        if circuit == TRUE:
            known |= card
    left = {card: x for card, x in found.items() if x not in (TRUE, FALSE)}
    return CardSet(known, left, single)


def union(circuits: Circuits, left: CardSet, right: CardSet) -> CardSet:
    known = left.known | right.known
    if not left.open and not right.open:
        return CardSet(known)
    found = {}
    for card in (*left.open, *right.open):
        if not known & card:
            found[card] = circuits.any((left.open.get(card, FALSE), right.open.get(card, FALSE)))
    single = (left.single and not right.open) or (right.single and not left.open)
    return _made(known, found, single)


def both(circuits: Circuits, left: CardSet, right: CardSet) -> CardSet:
    if not left.open and not right.open:
        return CardSet(left.known & right.known)
    smaller, larger = (left, right) if not left.open else (right, left)
    found = {}
    for card in bits(smaller.known):
        if card in larger.open:
            found[card] = larger.open[card]
    for card, circuit in smaller.open.items():
        found[card] = circuits.all((circuit, larger.has(card)))
    single = larger.single if not smaller.open else any(x.single and not x.known for x in (left, right))
    return _made(left.known & right.known, found, single)


def minus(circuits: Circuits, left: CardSet, right: CardSet) -> CardSet:
    known = left.known & ~right.known
    if not left.open and not right.open:
        return CardSet(known)
    found = {}
    for card, circuit in right.open.items():
        if known & card:
            known &= ~card
            found[card] = -circuit
    single = left.single and not found
    for card, circuit in left.open.items():
        found[card] = circuits.all((circuit, -right.has(card)))
    return _made(known, found, single)


def equal(circuits: Circuits, left: CardSet, right: CardSet) -> Circuit:
    cards = dict.fromkeys((*left.cards(), *right.cards()))
    return circuits.all(circuits.same(left.has(card), right.has(card)) for card in cards)
