"""What can be said of a hand that was not recorded: the cards it holds for certain, and the most it can hold.

Hands only shrink, so the unknown is the deal. The places of a pack that nobody recorded (cards of hands, cards
of the stock) are as many as the cards that nobody has seen, and any way to put these cards into those places is
a deal that fits. So counting is exact: of a kind with `n` unseen copies a hand with `u` open places holds at most
`min(n, u)` of them, and at least as many as the other open places are too few for.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from conquian.engine.engine import Engine
from conquian.engine.pack import Pack
from conquian.engine.state import State


class Held(NamedTuple):
    """Packed sets: the cards that are in a hand in every deal that fits, and all that are in it in some."""

    certain: int
    possible: int


def unseen(pack: Pack, state: State) -> int:
    """The cards of which nobody recorded where they are."""
    return pack.everything - state.seen


def held(pack: Pack, known: int, open_places: int, free: int) -> Held:
    """The bounds of a hand with known cards and so many open places, `free` being all unseen cards."""
    others = pack.count(free) - open_places
    if not open_places:
        return Held(known, known)
    if pack.copies == 1:
        return Held(known if others else known | free, known | free)
    if open_places >= pack.copies and others >= pack.copies:
        return Held(known, known + free)
    certain, possible = known, known
    for kind in dict.fromkeys(pack.kinds(free)):
        shift = kind * pack.width
        copies = free >> shift & pack.field_mask
        certain += max(0, copies - others) << shift
        possible += min(copies, open_places) << shift
    return Held(certain, possible)


def hands(engine: Engine, state: State) -> list[Held]:
    """The bounds of every hand, by seat, from what is known in one state."""
    pack = engine.pack
    free = unseen(pack, state)
    return [held(pack, known, places, free) for known, places in zip(state.hands, state.unknown, strict=True)]


def joined(pack: Pack, ways: Iterable[Held]) -> Held:
    """The bounds over several ways to read a record, of which nobody knows which is the right one."""
    found: Held | None = None
    for way in ways:
        if found is None:
            found = way
        else:
            certain = found.certain - pack.minus(found.certain, way.certain)
            found = Held(certain, way.possible + pack.minus(found.possible, way.possible))
    if found is None:
        raise ValueError("no way to read the record")
    return found
