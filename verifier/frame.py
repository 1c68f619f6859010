"""What a question is about: the cards, the sets that may lie before and after the act, the words of the moment.

A frame lists candidates, and says nothing of which of them lie: each has a truth of its own, shared by all frames
of a deck, that a position sets by assumption. Two kinds are made. The frame of a *deck* without copies has every
meld of the rule set on both sides. The frame of an *act* has the melds on the table before and, after, each way to
make the sets that the act leaves of the physical cards there are; so sets that are no melds, and packs with
copies, need no larger solver.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from conquian.engine.pack import Pack, bits
from conquian.verifier.cards import CardSet
from conquian.verifier.circuits import Circuits

WORDS = ("up", "used", "hand", "thrown", "said", "onto")


@dataclass(frozen=True, slots=True)
class Frame:
    """Physical cards, and the sets of them that may lie before and after."""

    cards: int
    before: tuple[int, ...]
    after: tuple[int, ...]


class Words:
    """The truths that a frame speaks of, by name: `up:3c`, `used:3c`, `hand:3c`, `old:3c 3d 3h`, `new:…`."""

    def __init__(self, circuits: Circuits, pack: Pack) -> None:
        self.circuits, self.pack = circuits, pack
        self._names: dict[int, str] = {}
        self.lying: dict[int, tuple[str, int]] = {}
        """By truth of a set or a card: its word and the physical cards it names."""

    def name(self, card: int) -> str:
        """A physical card; a copy but the first has a number."""
        found = self._names.get(card)
        if found is None:
            kind, copy = divmod(card.bit_length() - 1, self.pack.copies)
            found = self.pack.cards[kind] + (f".{copy + 1}" if copy else "")
            self._names[card] = found
        return found

    def truth(self, word: str, cards: int) -> int:
        """Whether these cards are what the word says: one card of `up`, one whole set of `old`."""
        found = self.circuits.variable(f"{word}:{' '.join(map(self.name, bits(cards)))}")
        self.lying.setdefault(found, (word, cards))
        return found

    def word(self, name: str, cards: int) -> CardSet:
        """A set of cards of the moment; the card on offer, or thrown, or said is at most one."""
        found = {card: self.truth(name, card) for card in bits(cards)}
        return CardSet(0, found, name in ("up", "thrown", "said"))

    def lies(self, side: str, cards: int) -> int:
        """Whether a set lies as a whole `before` or `after` the act."""
        return self.truth("old" if side == "before" else "new", cards)

    def at_least(self, place: str, count: int) -> int:
        """Whether a place (`hand`, `stock`, `held`) has so many cards."""
        return self.circuits.variable(f"{place}>={count}")


def versions(kinds: Sequence[int], pack: Pack, cards: int) -> tuple[int, ...]:
    """Each way to make a set of kinds of the physical cards there are."""
    from itertools import combinations

    found = [0]
    for kind in dict.fromkeys(kinds):
        copies = [c for c in (pack.physical(kind, i) for i in range(pack.copies)) if c & cards]
        picks = [sum(pick) for pick in combinations(copies, list(kinds).count(kind))]
        found = [made | pick for made in found for pick in picks]
    return tuple(found)
