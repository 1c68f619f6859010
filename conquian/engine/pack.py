"""Sets of cards as ints, for packs of any number of copies.

Two forms. *Packed*: a field of `width` bits a kind of card holds how many copies there are; with one copy a
field is one bit, with more its highest bits stay free so that containment is one subtraction and a few sets
can be added. Hands, tables and what is known of a deal are packed. *Physical*: one bit a physical card;
conditions on an act are asked of physical sets. With one copy both forms are the same int.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

from conquian.cards import CARDS

KINDS_LIMIT = 3_000
"""How many sets are remembered with their kinds."""


class Pack:
    """The kinds of card of a rule set, in the order of its program, and their int forms."""

    def __init__(self, cards: Sequence[str], copies: int) -> None:
        self.cards = tuple(cards)
        self.copies = copies
        self.width = width = 1 if copies == 1 else copies.bit_length() + 2
        self.addable = 1 if copies == 1 else ((1 << (width - 1)) + copies) // copies
        """How many sets of the pack can be added before a field could hold more than can be told."""
        self.field_mask = (1 << width) - 1
        self.tellable = copies if width == 1 else (1 << (width - 1)) + copies
        """How many cards of a kind a field can hold so that it can be told whether they are too many."""
        self.kind = {name: i for i, name in enumerate(self.cards)}
        self.unit = {name: 1 << (i * width) for i, name in enumerate(self.cards)}
        self.entry = {
            name: (1 << (i * width), self.field_mask << (i * width), copies << (i * width))
            for i, name in enumerate(self.cards)
        }
        """Name to (one card, its field, the field when every copy is there); all nothing for other cards."""
        for name in CARDS:
            self.entry.setdefault(name, (0, 0, 0))
        self.doubled = (
            0 if width == 1 else sum((self.field_mask - 1) << (i * width) for i in range(len(cards)))
        )
        """The bits of a packed set that say that it holds some card twice."""
        self.guards = 0 if width == 1 else sum(1 << (i * width + width - 1) for i in range(len(cards)))
        self.everything = sum(copies << (i * width) for i in range(len(self.cards)))
        self.size = len(self.cards) * copies
        self._kinds: dict[int, tuple[int, ...]] = {}
        self._lowest: dict[int, int] = {}
        self._whole: dict[int, int] = {}
        self._worth = [
            (1 << bit, sum(1 << (i * width + bit) for i in range(len(cards))))
            for bit in range(copies.bit_length())
        ]
        self.count: Callable[[int], int] = int.bit_count if width == 1 else self._count
        """How many cards a packed set holds."""

    def packed(self, names: Iterable[str]) -> int:
        """The packed form of cards by name; KeyError for a card that the pack lacks. Counts may overflow."""
        return sum(self.unit[name] for name in names)

    def of_kinds(self, kinds: Iterable[int]) -> int:
        width = self.width
        return sum(1 << (kind * width) for kind in kinds)

    def contains(self, whole: int, part: int) -> bool:
        """Whether each kind of `part` is in `whole` at least as often."""
        if self.width == 1:
            return part & ~whole == 0
        return ((whole | self.guards) - part) & self.guards == self.guards

    def minus(self, left: int, right: int) -> int:
        """What of a packed set is left when another is taken away as far as it goes."""
        width, mask = self.width, self.field_mask
        if width == 1:
            return left & ~right
        if ((right | self.guards) - left) & self.guards == self.guards:
            return 0
        result, shift = 0, 0
        while left:
            more = (left & mask) - (right & mask)
            if more > 0:
                result += more << shift
            left >>= width
            right >>= width
            shift += width
        return result

    def _count(self, packed: int) -> int:
        # The lowest bit of a field is worth one card, the next one two, and so on.
        found = 0
        for worth, places in self._worth:
            found += worth * (packed & places).bit_count()
        return found

    def kinds(self, packed: int) -> tuple[int, ...]:
        """The kinds in a packed set, ascending, a kind once a copy; remembered."""
        known = self._kinds.get(packed)
        if known is None:
            if len(self._kinds) >= KINDS_LIMIT:
                self._kinds.clear()
            known = self._kinds[packed] = self.kinds_now(packed)
        return known

    def kinds_now(self, packed: int) -> tuple[int, ...]:
        """The same for a set that hardly comes again."""
        found: list[int] = []
        width, mask = self.width, self.field_mask
        while packed:
            kind = ((packed & -packed).bit_length() - 1) // width
            copies = packed >> (kind * width) & mask
            found.extend([kind] * copies)
            packed -= copies << (kind * width)
        return tuple(found)

    @cached_property
    def place(self) -> tuple[int, ...]:
        """Kind to its place when cards are shown: by rank, then by suit."""
        ranks: dict[str, int] = {}
        for name in self.cards:
            ranks.setdefault(name[:-1], len(ranks))
        suits = {letter: i for i, letter in enumerate("cdhs")}
        ordered = sorted(self.cards, key=lambda name: (ranks[name[:-1]], suits[name[-1]]))
        where = {name: i for i, name in enumerate(ordered)}
        return tuple(where[name] for name in self.cards)

    def names(self, packed: int) -> list[str]:
        """The cards of a packed set as they are shown: by rank in the order of the pack, then by suit."""
        return [self.cards[kind] for kind in sorted(self.kinds(packed), key=lambda k: self.place[k])]

    # -- physical cards

    def physical(self, kind: int, copy: int) -> int:
        return 1 << (kind * self.copies + copy)

    def lowest(self, packed: int) -> int:
        """A packed set as the first copies of each kind."""
        found = self._lowest.get(packed)
        if found is None:
            found = 0
            for kind in (kinds := self.kinds(packed)):
                found |= ((1 << kinds.count(kind)) - 1) << (kind * self.copies)
            if len(self._lowest) >= KINDS_LIMIT:
                self._lowest.clear()
            self._lowest[packed] = found
        return found

    def whole(self, packed: int) -> int:
        """Every physical card of the kinds in a packed set."""
        found = self._whole.get(packed)
        if found is None:
            one = (1 << self.copies) - 1
            found = sum({one << (kind * self.copies) for kind in self.kinds(packed)})
            if len(self._whole) >= KINDS_LIMIT:
                self._whole.clear()
            self._whole[packed] = found
        return found

    def packed_of(self, physical: int) -> int:
        """The packed form of physical cards."""
        if self.copies == 1:
            return physical
        packed = 0
        while physical:
            low = physical & -physical
            packed += 1 << ((low.bit_length() - 1) // self.copies * self.width)
            physical -= low
        return packed


def bits(mask: int) -> list[int]:
    """The single cards of a set."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low)
        mask -= low
    return found
