"""What a condition can speak of over a frame: its cards, its melds, the words of the moment, as sets and numbers.

Everything here is built once for a frame and shared by all conditions over it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from conquian.engine.melds import Melds
from conquian.engine.pack import bits
from conquian.language import formula as f
from conquian.verifier.cards import CardSet, equal
from conquian.verifier.circuits import FALSE, TRUE, Circuit, Circuits
from conquian.verifier.counts import Count
from conquian.verifier.frame import Frame, Words, versions

FEW_TRUTHS = 10
"""Up to how many truths every case of a set is looked at for `possible`."""
LAYOUTS_LIMIT = 50_000
"""How many sets of cards are looked through for `possible` before giving up."""


class TooLarge(ValueError):
    """A condition with `possible` over more cards than can be listed."""


@dataclass(slots=True)
class Moment:
    """The sets and numbers of one rule set over one frame."""

    circuits: Circuits
    words: Words
    frame: Frame
    goal: int
    tables: Sequence[tuple[Circuit, Melds]]
    """The rule set's tables of melds, each with the readings under which it holds."""
    _moment: dict[str, CardSet] = field(default_factory=dict)
    _sides: dict[str, list[tuple[int, Circuit]]] = field(default_factory=dict)
    _known: dict[tuple[int, str | None], Circuit] = field(default_factory=dict)
    _melds: list[int] | None = None

    def valid(self, meld: int, shape: str | None = None) -> Circuit:
        """Under which readings concrete cards are a meld."""
        key = (meld, shape)
        if key not in self._known:
            self._known[key] = self.circuits.any(
                when
                for when, melds in self.tables
                if meld and meld in (melds.valid if shape is None else melds.shapes[shape])
            )
        return self._known[key]

    def melds(self) -> list[int]:
        """Every set of the frame's cards that is a meld under some reading."""
        if self._melds is None:
            pack = self.words.pack
            packed = sorted(frozenset().union(*(melds.packed for _, melds in self.tables)))
            have = pack.packed_of(self.frame.cards)
            self._melds = [
                meld
                for kinds in packed
                if pack.contains(have, kinds)
                for meld in versions(pack.kinds(kinds), pack, self.frame.cards)
            ]
        return self._melds

    def one(self, rest: Sequence[Circuit], count: int) -> Circuit:
        return self.circuits.any(rest) if count == 1 else FALSE

    def word(self, name: str) -> CardSet:
        if name not in self._moment:
            self._moment[name] = self.words.word(name, self.frame.cards)
        return self._moment[name]

    def lying(self, melds: f.Melds) -> list[tuple[int, Circuit]]:
        found = self._sides.get(melds.name)
        if found is None:
            candidates = self.frame.before if melds.name == "before" else self.frame.after
            found = [(meld, self.words.lies(melds.name, meld)) for meld in candidates]
            self._sides[melds.name] = found
        return found

    def joined(self, melds: f.Melds) -> CardSet:
        lying = self.lying(melds)
        found = {
            card: self.circuits.any(p for meld, p in lying if meld & card) for card in bits(self.frame.cards)
        }
        return CardSet(0, {card: circuit for card, circuit in found.items() if circuit != FALSE})

    def cases(self, found: CardSet) -> Iterator[tuple[Circuit, int]]:
        """Conditions with the cards that a set then is, as far as these are a meld."""
        circuits = self.circuits
        if not found.open:
            yield TRUE, found.known
        elif found.single:
            if self.valid(found.known) != FALSE:
                yield -circuits.any(found.open.values()), found.known
            for card, circuit in found.open.items():
                if self.valid(found.known | card) != FALSE:
                    yield circuit, found.known | card
        else:
            whole = sum(found.cards())
            for meld in self.melds():
                if not found.known & ~meld and not meld & ~whole:
                    yield equal(circuits, found, CardSet(meld)), meld

    def ends(self, found: CardSet) -> CardSet:
        circuits = self.circuits
        terms: dict[int, list[Circuit]] = {}
        for case, meld in self.cases(found):
            for when, melds in self.tables:
                for card in bits(melds.ends(meld)):
                    terms.setdefault(card, []).append(circuits.all((case, when)))
        ends = {card: circuits.any(either) for card, either in terms.items()}
        known = sum(card for card, circuit in ends.items() if circuit == TRUE)
        return CardSet(known, {c: x for c, x in ends.items() if x not in (TRUE, FALSE)})

    def possible(self, found: CardSet) -> Circuit:
        """Listed: what the set can be, where few truths decide it, else each union of melds that it can be. No set of
        a large frame with many truths can be so asked."""
        circuits = self.circuits
        groups: dict[Circuit, int] = {}
        for card, circuit in found.open.items():
            groups[circuit] = groups.get(circuit, 0) | card
        whole = sum(found.cards())
        unions: dict[int, list[Circuit]] = {}
        for when, melds in self.tables:
            inside = [m for m in self.melds() if not m & ~whole and m in melds.valid]
            if len(groups) <= FEW_TRUTHS:
                made = (x for x in _subsets(found.known, list(groups.values())) if _divides(x, inside))
            else:
                made = (x for x in _unions(inside) if not found.known & ~x)
            for x in made:
                unions.setdefault(x, []).append(when)
        return circuits.any(
            circuits.all((equal(circuits, found, CardSet(x)), circuits.any(unions[x])))
            for x in sorted(unions)
        )

    def place(self, place: str) -> Count:
        most = self.words.pack.size
        return Count(lambda k: TRUE if k <= 0 else self.words.at_least(place, k), most)


def _subsets(known: int, groups: Sequence[int]) -> set[int]:
    found = {known}
    for cards in groups:
        found |= {x | cards for x in found}
    return found


def _unions(melds: Sequence[int]) -> set[int]:
    found = {0}
    for meld in melds:
        found |= {x | meld for x in found if not x & meld}
        if len(found) > LAYOUTS_LIMIT:
            raise TooLarge(f"{len(melds)} melds can be laid out in too many ways")
    return found


def _divides(cards: int, melds: Sequence[int]) -> bool:
    """Whether cards can be divided into melds of a list: every meld that takes the lowest card is tried."""
    if not cards:
        return True
    lowest = cards & -cards
    return any(_divides(cards & ~meld, melds) for meld in melds if meld & lowest and not meld & ~cards)
