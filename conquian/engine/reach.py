"""How far cards reach: the most of them that can be laid out at once, and every layout of no fewer than so many.

Guarantees: each layout comes once. A remainder is never looked into from which too few cards can be laid. What is
found of a remainder is remembered, for the cards that may come next and the cards that may be thrown leave the same
remainders behind; so a `Reach` is meant for the time of one answer.

The cards are taken rank by rank: the melds that have begun reach few ranks further, so few remainders come up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice

from conquian.engine.melds import Layout, Melds

NEVER = -1
LIMIT = 500_000
"""Remainders that are remembered, at most."""
MANY = 20_000
"""As many layouts of the same cards are found before the first of them is given."""
KEPT = 100_000
"""Layouts that are remembered, at most."""


class Reach:
    """Searches over one table of melds. Sets of cards are packed."""

    def __init__(self, melds: Melds) -> None:
        self.pack = pack = melds.pack
        self._melds = melds
        self._sizes = melds.sizes
        self._beginning = melds.beginning
        self._ranks = melds.ranks
        self._most: dict[tuple[int, int], int] = {}
        self._completing: dict[int, dict[int, list[int]]] = {}
        self._layouts: dict[tuple[int, int, int], list[Layout]] = {}
        self._kept = 0
        self.ordered = True
        """Whether all layouts so far were given in ascending order."""
        self._width = pack.width

    def most(self, needed: int, spare: int, rank: int = 0) -> int:
        """How many cards can be laid at most, all of `needed` among them; NEVER if those cannot be.

        No card is of one of the first `rank` ranks.
        """
        left = needed + spare
        if not left:
            return 0
        known = self._most.get((needed, spare))
        if known is not None:
            return known
        ranks = self._ranks
        while not (low := left & ranks[rank]):
            rank += 1
        kind, field = self._kind(low)
        best = NEVER if needed & field else self.most(needed, spare & ~field, rank)
        contains, sizes = self.pack.contains, self._sizes
        for meld in self._beginning.get(kind, ()):
            if contains(left, meld):
                further = self.most(*self._without(needed, spare, meld), rank)
                if further != NEVER and further + sizes[meld] > best:
                    best = further + sizes[meld]
        if len(self._most) >= LIMIT:
            self._most.clear()
        self._most[needed, spare] = best
        return best

    def layouts(self, table: int, offer: int, spare: int, least: int) -> Iterable[Layout]:
        """Every layout of the table's cards and the offer with any of the spare ones, of at least so many cards.

        In ascending order, unless they are too many to wait for.
        """
        # Which of the needed cards is the one on offer makes no difference to the layouts, only to where to begin.
        key = table + offer, spare, least
        known = self._layouts.get(key)
        if known is not None:
            return known
        layouts = self._with(table, offer, spare, least)
        found = list(islice(layouts, MANY + 1))
        if len(found) > MANY:
            self.ordered = False
            return chain(found, layouts)
        found.sort()
        self._kept += len(found) + 1
        if self._kept > KEPT:
            self._layouts.clear()
            self._kept = len(found) + 1
        self._layouts[key] = found
        return found

    def _with(self, table: int, offer: int, spare: int, least: int) -> Iterator[Layout]:
        """The same in another order."""
        field = self._kind(offer)[1]
        for meld in self.completing(table + spare).get(offer, ()):
            for laid in self._filled(*self._without(table + offer, spare, meld), least - self._sizes[meld]):
                # A layout in which several melds hold the card comes with the first of them.
                if not any(other & field and other < meld for other in laid):
                    yield tuple(sorted((meld, *laid)))

    def completed(self, table: int, offer: int, spare: int, least: int) -> bool:
        """Whether there is such a layout."""
        return any(
            self.most(*self._without(table + offer, spare, meld)) >= max(least - self._sizes[meld], 0)
            for meld in self.completing(table + spare).get(offer, ())
        )

    def completing(self, cards: int) -> Mapping[int, Sequence[int]]:
        """By kind, as one card of it: the melds for which, beside the cards, at most that one card is missing."""
        found = self._completing.get(cards)
        if found is None:
            found = self._completing[cards] = {}
            for meld, units in self._short(cards):
                for unit in units:
                    found.setdefault(unit, []).append(meld)
        return found

    def _short(self, cards: int) -> Iterator[tuple[int, Sequence[int]]]:
        """The melds that the cards hold but for one at most, and the single cards that then complete them."""
        units = self._melds.units
        if self._width == 1:
            for meld in self._melds.ascending:
                missing = meld & ~cards
                if not missing:
                    yield meld, units[meld]
                elif not missing & (missing - 1):
                    yield meld, (missing,)
            return
        guards, above = self.pack.guards, self._width - 1
        held = cards | guards
        for meld in self._melds.ascending:
            missing = (held - meld) & guards ^ guards
            if not missing:
                yield meld, units[meld]
            elif not missing & (missing - 1) and (held + (missing >> above) - meld) & guards == guards:
                yield meld, (missing >> above,)

    def _filled(self, needed: int, spare: int, least: int) -> Iterator[Layout]:
        """Every layout of all of `needed` with any of `spare`, of at least so many cards."""
        if self.most(needed, spare) < max(least, 0):
            return
        yield from self._fill(needed, spare, least, 0, 0, 0)

    def _fill(
        self, needed: int, spare: int, least: int, rank: int, last: int, floor: int
    ) -> Iterator[Layout]:
        """The same where there is one; melds of the kind `last` come in ascending order, from `floor` on."""
        left = needed + spare
        if not left:
            yield ()
            return
        ranks = self._ranks
        while not (low := left & ranks[rank]):
            rank += 1
        kind, field = self._kind(low)
        if not needed & field and self.most(needed, spare & ~field, rank) >= max(least, 0):
            yield from self._fill(needed, spare & ~field, least, rank, 0, 0)
        contains, from_here = self.pack.contains, floor if field == last else 0
        for meld in self._beginning.get(kind, ()):
            if meld >= from_here and contains(left, meld):
                more, rest = self._without(needed, spare, meld)
                further = least - self._sizes[meld]
                if self.most(more, rest, rank) >= max(further, 0):
                    for laid in self._fill(more, rest, further, rank, field, meld):
                        yield (meld, *laid)

    def _kind(self, cards: int) -> tuple[int, int]:
        """The lowest kind among some cards, and its field."""
        width = self._width
        kind = ((cards & -cards).bit_length() - 1) // width
        return kind, self.pack.field_mask << (kind * width)

    def _without(self, needed: int, spare: int, meld: int) -> tuple[int, int]:
        """What is left when a meld takes its cards from the needed ones first, then from the spare ones."""
        if self._width == 1:
            return needed & ~meld, spare & ~meld
        # Field by field at once: a guard bit stays where the needed cards are enough for the meld.
        guards, above = self.pack.guards, self._width - 1
        rest = (needed | guards) - meld
        enough = rest & guards
        short = enough ^ guards
        if not short:
            return rest ^ guards, spare
        missing = ((meld | guards) - needed) & (short - (short >> above))
        return rest & (enough - (enough >> above)), spare - missing
