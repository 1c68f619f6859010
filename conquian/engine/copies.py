"""Which physical card is which when a pack holds copies: every way to match the cards of an act.

An act lists kinds of card. A *way* says, for each card laid, whether it is the card on offer, a hand card, or
a card of one of the old melds. Ways that differ only by copies of the same origin are one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from conquian.engine.pack import Pack


class Way(NamedTuple):
    """Physical sets: the old melds, the new ones, the card on offer, the hand cards laid."""

    before: tuple[int, ...]
    after: tuple[int, ...]
    up: int
    used: int


def fresh(pack: Pack, kind: int, taken: int) -> int:
    """A copy of a kind that is not among the physical cards taken; 0 if all are."""
    free = (((1 << pack.copies) - 1) << (kind * pack.copies)) & ~taken
    return free & -free


Plain = tuple[tuple[int, ...], tuple[int, ...], int, int]
"""A way as a plain tuple, for the engine's own loop: the old melds, the new ones, the card on offer, the hand cards."""


def only_way(pack: Pack, before: Sequence[int], after: Sequence[int], up: int, used: int) -> Plain:
    """The way of an act in which no card comes twice: each is the first copy of its kind."""
    lowest = pack.lowest
    old = [lowest(meld) for meld in before]
    new = [lowest(meld) for meld in after]
    physical_up = lowest(up) if up else 0
    # What is laid and neither lay there nor is on offer comes from the hand.
    return tuple(old), tuple(new), physical_up, sum(new) - sum(old) - physical_up


def likely_way(
    pack: Pack, before: Sequence[int], placed: tuple[int, ...], after: Sequence[int], up: int, used: int
) -> tuple[Plain, tuple[int, ...]]:
    """The way that a player most likely means: unchanged melds stay as they are, others change little.

    `placed` are the old melds as they lie, in physical cards; the melds of `after` come back in another order,
    unchanged ones first.
    """
    new = list(after)
    kept: list[int] = []
    laid: list[int] = []
    changed: list[int] = []
    lost = 0
    for i, meld in enumerate(before):
        if meld in new:
            new.remove(meld)
            kept.append(meld)
            laid.append(placed[i])
        else:
            changed.append(placed[i])
            lost += meld
    table = (*kept, *new)
    if up and (not changed or (len(changed) == len(new) == 1 and pack.contains(new[0], lost))):
        return _added(pack, placed, laid, changed, lost, new, up), table
    copies, width = pack.copies, pack.width
    one, taken = (1 << copies) - 1, sum(placed)
    physical_up = 0
    if up:
        free = one << ((up.bit_length() - 1) // width * copies) & ~taken
        physical_up = free & -free
        taken |= physical_up
    physical_used = 0
    for kind in pack.kinds_now(used):
        free = one << (kind * copies) & ~taken
        low = free & -free
        taken |= low
        physical_used |= low
    loose = physical_up | physical_used | sum(changed)
    # Only where a card is there twice is there a choice.
    again = sum(new) & pack.doubled
    twice = list(dict.fromkeys(pack.kinds_now(again))) if again else []
    for meld in new:
        mask = pack.whole(meld) & loose
        for kind in twice:
            count = meld >> (kind * width) & pack.field_mask
            field = one << (kind * copies) & mask
            if not count or field.bit_count() == count:
                continue
            whole = pack.whole(meld)
            sources = changed
            if len(changed) > 1:
                sources = sorted(changed, key=lambda cards, whole=whole: -(cards & whole).bit_count())  # type: ignore[misc]
            mask &= ~field
            mask |= _picked(sources, field, physical_up, count)
        loose &= ~mask
        laid.append(mask)
    return (placed, tuple(laid), physical_up, physical_used), table


def _picked(sources: Sequence[int], field: int, up: int, count: int) -> int:
    """So many copies of a kind: first from the melds that change, then the card on offer, then from the hand."""
    picked = 0
    for _ in range(count):
        left = field & ~picked
        bit = next((b for cards in sources if (b := cards & left)), 0) or up & left or left
        picked |= bit & -bit
    return picked


def _added(
    pack: Pack,
    placed: tuple[int, ...],
    kept: list[int],
    changed: Sequence[int],
    lost: int,
    new: Sequence[int],
    up: int,
) -> Plain:
    """The way of an act that lays new melds, or adds to one old meld: nothing is taken from anywhere."""
    taken = sum(placed)
    added = 0
    for meld in new:
        more = meld - lost if changed else meld
        low = pack.lowest(more)
        if low & taken:
            low = 0
            for kind in pack.kinds(more):
                low |= fresh(pack, kind, taken | low)
        taken |= low
        added |= low
        kept.append(low | changed[0] if changed else low)
    of_offer = added & ((1 << pack.copies) - 1) << ((up.bit_length() - 1) // pack.width * pack.copies)
    physical_up = of_offer & -of_offer
    return placed, tuple(kept), physical_up, added ^ physical_up


def ways(pack: Pack, before: Sequence[int], after: Sequence[int], up: int, used: int) -> Iterator[Way]:
    """Every way for packed sets; the cards of `before`, `up` and `used` are those of `after`."""
    if pack.copies == 1:
        yield Way(tuple(before), tuple(after), up, used)
        return
    sources: dict[int, list[tuple[int, int]]] = {}
    placed = [0] * len(before)
    physical_used = 0
    physical_up = 0
    origins = [*enumerate(before), (-1, up), (-2, used)]
    for origin, cards in origins:
        for kind in pack.kinds(cards):
            copies = sources.setdefault(kind, [])
            bit = pack.physical(kind, len(copies))
            copies.append((origin, bit))
            if origin >= 0:
                placed[origin] |= bit
            elif origin == -1:
                physical_up |= bit
            else:
                physical_used |= bit
    wanted: dict[int, list[tuple[int, int]]] = {}
    for place, cards in enumerate(after):
        kinds = pack.kinds(cards)
        for kind in dict.fromkeys(kinds):
            wanted.setdefault(kind, []).append((place, kinds.count(kind)))
    certain = [0] * len(after)
    choices: list[list[tuple[tuple[int, int], ...]]] = []
    for kind, copies in sources.items():
        places = wanted[kind]
        if len(places) == 1:
            certain[places[0][0]] |= sum(bit for _, bit in copies) if len(copies) > 1 else copies[0][1]
        else:
            choices.append(list(_deals(copies, places)))
    for picked in product(*choices):
        laid = certain.copy()
        for deal in picked:
            for place, mask in deal:
                laid[place] |= mask
        yield Way(tuple(placed), tuple(laid), physical_up, physical_used)


def in_hand(pack: Pack, way: Plain, hand: int) -> int:
    """A packed hand as physical cards: those that the way lays from it, and more copies that nobody has laid."""
    if pack.copies == 1:
        return hand
    _, after, laid, used = way
    for meld in after:
        laid |= meld
    found = 0
    for kind in dict.fromkeys(pack.kinds(hand)):
        copies = [pack.physical(kind, copy) for copy in range(pack.copies)]
        ordered = [*(c for c in copies if c & used), *(c for c in copies if not c & laid)]
        found |= sum(ordered[: hand >> (kind * pack.width) & pack.field_mask])
    return found


def _deals(
    copies: Sequence[tuple[int, int]], wanted: Sequence[tuple[int, int]]
) -> Iterator[tuple[tuple[int, int], ...]]:
    """Every way to give copies (with their origins) to places that want some, up to equal origins."""
    if not wanted:
        yield ()
        return
    (place, count), rest = wanted[0], wanted[1:]
    for chosen in _pick(copies, count):
        mask = sum(bit for _, bit in chosen)
        left = [c for c in copies if c not in chosen]
        for more in _deals(left, rest):
            yield ((place, mask), *more)


def _pick(copies: Sequence[tuple[int, int]], count: int) -> Iterator[tuple[tuple[int, int], ...]]:
    """Choices of `count` copies, one for each multiset of origins."""
    if count == 0:
        yield ()
        return
    seen: set[int] = set()
    for i, copy in enumerate(copies):
        if copy[0] in seen:
            continue
        seen.add(copy[0])
        for more in _pick(copies[i + 1 :], count - 1):
            yield (copy, *more)
