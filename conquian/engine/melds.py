"""The melds of a rule set as sets of ints, and the searches over them: can cards be laid out, and how.

Searches are depth-first exact covers over the melds indexed by lowest card. Each divides cards into melds; a
*layout* is a sorted tuple of packed melds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from conquian.engine.pack import Pack

Layout = tuple[int, ...]


class Validity:
    """Whether a physical set is one of some melds, for packs with copies; answers are kept."""

    __slots__ = ("_known", "_melds", "_pack")
    LIMIT = 200_000

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

    LIMIT = 200_000

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
        for meld in sorted(self.packed):
            self.by_lowest.setdefault(meld & -meld, []).append(meld)

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
            pack = self.pack
            kind = ((cards & -cards).bit_length() - 1) // pack.width
            melds = (
                meld
                for bit in range(pack.width)
                for meld in self.by_lowest.get(1 << (kind * pack.width + bit), ())
            )
            known = any(pack.contains(cards, meld) and self._layable_copies(cards - meld) for meld in melds)
            if len(self._layable) >= self.LIMIT:
                self._layable.clear()
            self._layable[cards] = known
        return known

    def layouts(self, cards: int) -> Iterator[Layout]:
        """Every way to divide a packed set into melds, each once."""
        seen: set[Layout] = set()
        for layout in self._cover(cards, 0, ()):
            key = tuple(sorted(layout))
            if key not in seen:
                seen.add(key)
                yield key

    def acts(self, table: int, offer: int, hand: int) -> Iterator[Layout]:
        """Every layout of the table's cards and the offer with any of the hand's cards, each once."""
        seen: set[Layout] = set()
        for layout in self._cover(table + offer, hand, ()):
            key = tuple(sorted(layout))
            if key not in seen:
                seen.add(key)
                yield key

    def acts_with_few(self, table: int, offer: int, spare: int, most: int) -> Iterator[Layout]:
        """Layouts of the table's cards and the offer with at most so many of other cards, and no meld of
        those alone; some come more than once."""
        yield from self._cover_few(table + offer, spare, most, ())

    def _cover_few(self, needed: int, spare: int, most: int, laid: Layout) -> Iterator[Layout]:
        if not needed:
            yield tuple(sorted(laid))
            return
        everything = needed + spare
        for meld in self._holding(needed & -needed):
            if self.pack.contains(everything, meld):
                rest_needed, rest_spare = self._take(needed, spare, meld)
                left = most - self.pack.count(spare - rest_spare)
                if left >= 0:
                    yield from self._cover_few(rest_needed, rest_spare, left, (*laid, meld))

    def _cover(self, needed: int, spare: int, laid: Layout) -> Iterator[Layout]:
        """Layouts that use all of `needed` and any of `spare`; melds of spare cards alone come last."""
        contains = self.pack.contains
        if not needed:
            yield from self._more(spare, laid, 0)
            return
        # A meld that holds the lowest needed card may begin with a lower spare card.
        lowest = needed & -needed
        everything = needed + spare
        for meld in self._holding(lowest):
            if contains(everything, meld):
                rest_needed, rest_spare = self._take(needed, spare, meld)
                yield from self._cover(rest_needed, rest_spare, (*laid, meld))

    def _more(self, spare: int, laid: Layout, floor: int) -> Iterator[Layout]:
        yield laid
        contains = self.pack.contains
        for meld in self._inside(spare):
            if meld >= floor and contains(spare, meld):
                yield from self._more(spare - meld, (*laid, meld), meld)

    def _inside(self, cards: int) -> list[int]:
        contains = self.pack.contains
        return [m for m in self.packed if contains(cards, m)]

    def _holding(self, unit: int) -> list[int]:
        found = self._held.get(unit)
        if found is None:
            # The lowest bit of a set may be any bit of the field of its lowest kind.
            kind = (unit.bit_length() - 1) // self.pack.width
            field = self.pack.field_mask << (kind * self.pack.width)
            found = self._held[unit] = [m for m in sorted(self.packed) if m & field]
        return found

    @property
    def _held(self) -> dict[int, list[int]]:
        held: dict[int, list[int]] | None = self.__dict__.get("_held_by_unit")
        if held is None:
            held = self.__dict__["_held_by_unit"] = {}
        return held

    def _take(self, needed: int, spare: int, meld: int) -> tuple[int, int]:
        """Takes a meld's cards from the needed ones first, then from the spare ones."""
        pack = self.pack
        if pack.width == 1:
            return needed & ~meld, spare & ~meld
        for kind in set(pack.kinds(meld)):
            shift = kind * pack.width
            wanted = meld >> shift & pack.field_mask
            have = needed >> shift & pack.field_mask
            used = min(wanted, have)
            needed -= used << shift
            spare -= (wanted - used) << shift
        return needed, spare
