"""The melds of a rule set as sets of ints, and the searches over them: can cards be laid out, and how.

Each search divides cards into melds; a *layout* is a sorted tuple of packed melds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from conquian.engine.cover import Layout, covers
from conquian.engine.pack import Pack


class Validity:
    """Whether a physical set is one of some melds, for packs with copies; answers are kept."""

    __slots__ = ("_known", "_melds", "_pack")
    LIMIT = 10_000

    def __init__(self, pack: Pack, melds: frozenset[int]) -> None:
        self._pack, self._melds = pack, melds
        self._known: dict[int, bool] = {}

    def __contains__(self, physical: int) -> bool:
        found = self._known.get(physical)
        if found is None:
            if len(self._known) >= self.LIMIT:
                self._known.clear()
            found = self._known[physical] = self._pack.packed_of(physical) in self._melds
        return found


class Melds:
    """The table of melds of one rule set under one choice of readings."""

    LIMIT = 10_000

    def __init__(
        self,
        pack: Pack,
        shapes: Mapping[str, Sequence[Sequence[int]]],
        ends: Sequence[tuple[Sequence[int], Sequence[int]]],
    ) -> None:
        self.pack = pack
        packed = {name: frozenset(map(pack.of_kinds, melds)) for name, melds in shapes.items()}
        self.packed = frozenset().union(*packed.values())
        single = pack.copies == 1
        self.valid: frozenset[int] | Validity = self.packed if single else Validity(pack, self.packed)
        self.shapes: dict[str, frozenset[int] | Validity] = {
            name: melds if single else Validity(pack, melds) for name, melds in packed.items()
        }
        self._ends = {pack.of_kinds(meld): pack.of_kinds(ends) for meld, ends in ends}
        self._layable: dict[int, bool] = {}
        self.by_lowest: dict[int, list[int]] = {}
        self.ascending = sorted(self.packed)
        for meld in self.ascending:
            self.by_lowest.setdefault(meld & -meld, []).append(meld)

    @cached_property
    def ranks(self) -> list[int]:
        """The fields of each rank's kinds, in the order in which cards are shown."""
        return _by_rank(self.pack)

    @cached_property
    def beginning(self) -> dict[int, list[int]]:
        """Melds by their first kind, rank by rank and suit by suit; in ascending order."""
        found: dict[int, list[int]] = {}
        for meld in self.ascending:
            first = min(self.pack.kinds_now(meld), key=self.pack.place.__getitem__)
            found.setdefault(first, []).append(meld)
        return found

    @cached_property
    def sizes(self) -> dict[int, int]:
        """How many cards each meld has."""
        return {meld: self.pack.count(meld) for meld in self.ascending}

    @cached_property
    def units(self) -> dict[int, tuple[int, ...]]:
        """Of each meld: one card of each of its kinds."""
        return {
            meld: tuple(1 << (kind * self.pack.width) for kind in dict.fromkeys(self.pack.kinds_now(meld)))
            for meld in self.ascending
        }

    def ends(self, physical: int) -> int:
        """The outermost cards of a run, nothing for other sets."""
        pack = self.pack
        packed = pack.packed_of(physical)
        found = self._ends.get(packed, 0) if packed in self.packed else 0
        if pack.copies == 1:
            return found
        kinds = set(pack.kinds(found))
        mask = 0
        rest = physical
        while rest:
            low = rest & -rest
            if (low.bit_length() - 1) // pack.copies in kinds:
                mask |= low
            rest -= low
        return mask

    def layable(self, cards: int) -> bool:
        """Whether a packed set can be divided into melds (the empty set can)."""
        return self._layable_once(cards) if self.pack.width == 1 else self._layable_copies(cards)

    def _layable_once(self, cards: int) -> bool:
        if not cards:
            return True
        for meld in self.by_lowest.get(cards & -cards, ()):
            if not meld & ~cards and self._layable_once(cards & ~meld):
                return True
        return False

    def _layable_copies(self, cards: int) -> bool:
        """The same where copies exist; what has been tried is kept, for it comes up again and again."""
        if not cards:
            return True
        known = self._layable.get(cards)
        if known is None:
            # Rank by rank: the melds that have begun reach few ranks further, so few remainders come up.
            low = next(found for rank in self.ranks if (found := cards & rank))
            kind = ((low & -low).bit_length() - 1) // self.pack.width
            contains = self.pack.contains
            known = any(
                contains(cards, meld) and self._layable_copies(cards - meld)
                for meld in self.beginning.get(kind, ())
            )
            if len(self._layable) >= self.LIMIT:
                self._layable.clear()
            self._layable[cards] = known
        return known

    def layouts(self, cards: int) -> Iterator[Layout]:
        """Every way to divide a packed set into melds, each once."""
        return _each_once(covers(self.pack, self.ascending, cards, 0, self.layable))

    def acts(self, table: int, offer: int, hand: int) -> Iterator[Layout]:
        """Every layout of the table's cards and the offer with any of the hand's cards, each once."""
        return _each_once(covers(self.pack, self.ascending, table + offer, hand, self.layable, first=offer))

    def acts_with_few(self, table: int, offer: int, spare: int, most: int) -> Iterator[Layout]:
        """The same with at most so many of the other cards, and no meld of those alone."""
        return _each_once(
            covers(
                self.pack,
                self.ascending,
                table + offer,
                spare,
                self.layable,
                first=offer,
                alone=False,
                most=most,
            )
        )


def _by_rank(pack: Pack) -> list[int]:
    masks: dict[str, int] = {}
    for kind in sorted(range(len(pack.cards)), key=pack.place.__getitem__):
        rank = pack.cards[kind][:-1]
        masks[rank] = masks.get(rank, 0) | pack.field_mask << (kind * pack.width)
    return list(masks.values())


def _each_once(layouts: Iterator[Layout]) -> Iterator[Layout]:
    seen: set[Layout] = set()
    for layout in layouts:
        key = tuple(sorted(layout))
        if key not in seen:
            seen.add(key)
            yield key


__all__ = ["Layout", "Melds", "Validity"]
