"""Exact covers: every way to lay out all of some cards, with any of some others, in melds.

The cards to lay are taken from the lowest kind up, so that each way is met in one order; where copies of a
card lie in two melds, the lower meld is tried first. What has led nowhere is not tried again: with several
packs the same remainder comes up by many ways.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from conquian.engine.pack import Pack

Layout = tuple[int, ...]
DEAD_ENDS = 500_000
"""Remainders that are kept as dead ends in one search, at most."""


def covers(
    pack: Pack,
    melds: Iterable[int],
    needed: int,
    spare: int,
    layable: Callable[[int], bool],
    *,
    first: int = 0,
    alone: bool = True,
    most: int | None = None,
) -> Iterator[Layout]:
    """Layouts of all of `needed` with any of `spare`, or with at most `most` of them; some come twice.

    `layable` says of cards whether they can be laid out without others. `first` is the needed card to begin
    with, one that may go nowhere. `alone`: further melds of spare cards
    alone are laid, too. `melds` are in ascending order.
    """
    contains, width = pack.contains, pack.width
    everything = needed + spare
    if not everything:
        yield ()
        return
    usable = [meld for meld in melds if contains(everything, meld)]
    holding: dict[int, list[int]] = {}
    dead: set[tuple[int, int, int]] = set()

    def cover(needed: int, spare: int, laid: Layout, last: int, floor: int) -> Iterator[Layout]:
        if not needed:
            if alone:
                yield from more(spare, laid, 0)
            else:
                yield laid
            return
        # The lowest bit may be any bit of the field of its kind. The meld may begin with a lower spare card.
        lowest = needed & -needed if laid else first or needed & -needed
        kind = (lowest.bit_length() - 1) // width
        if kind != last:
            floor = 0
        known = (needed, spare, floor)
        if known in dead or (not spare and not layable(needed)):
            return
        candidates = holding.get(kind)
        if candidates is None:
            field = pack.field_mask << (kind * width)
            candidates = holding[kind] = [meld for meld in usable if meld & field]
        left = needed + spare
        found = False
        for meld in candidates:
            if meld >= floor and contains(left, meld):
                rest, more_spare = taken(pack, needed, spare, meld)
                if most is not None and pack.count(at_first - more_spare) > most:
                    continue
                for layout in cover(rest, more_spare, (*laid, meld), kind, meld):
                    found = True
                    yield layout
        if not found and len(dead) < DEAD_ENDS:
            dead.add(known)

    def more(spare: int, laid: Layout, floor: int) -> Iterator[Layout]:
        yield laid
        for meld in usable:
            if meld >= floor and contains(spare, meld):
                yield from more(spare - meld, (*laid, meld), meld)

    at_first = spare
    yield from cover(needed, spare, (), -1, 0)


def taken(pack: Pack, needed: int, spare: int, meld: int) -> tuple[int, int]:
    """What is left when a meld takes its cards from the needed ones first, then from the spare ones."""
    if pack.width == 1:
        return needed & ~meld, spare & ~meld
    for kind in set(pack.kinds(meld)):
        shift = kind * pack.width
        wanted = meld >> shift & pack.field_mask
        used = min(wanted, needed >> shift & pack.field_mask)
        needed -= used << shift
        spare -= (wanted - used) << shift
    return needed, spare
