"""The first state of a deal of which just the hands and the card turned at the start were recorded, in full.

The fast way to set up a deal; `conquian.engine.deals` sets up every deal, and says what is wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from conquian.engine.engine import Engine
from conquian.engine.pack import Pack
from conquian.engine.state import State


def plain_state(
    engine: Engine, hands: Sequence[Sequence[str] | None], starter: str | None, first: int
) -> State | None:
    """The first state of a deal of which hands and starter alone were recorded, completely, and fit.

    The fast way: None if anything is left open, doubtful or wrong.
    """
    program, pack = engine.program, engine.pack
    if len(hands) != program.players or (starter is not None) is not program.starter or engine.live:
        return None
    dealt, card_of = program.dealt, pack.unit.__getitem__
    packed = []
    try:
        for hand in hands:
            if hand is None or len(hand) != dealt:
                return None
            packed.append(sum(map(card_of, hand)))
        up = card_of(starter) if starter is not None else 0
    except KeyError:
        return None
    seen = sum(packed) + up
    if pack.copies == 1:
        # A card named twice carries over into the next field, so that the cards are fewer than were named.
        if seen.bit_count() != dealt * program.players + program.starter:
            return None
    elif not _of_one_pack(pack, packed, dealt) or not pack.contains(pack.everything, seen):
        return None
    state = _blank(engine, first).copy()
    state.hands, state.seen, state.up = packed, seen, up
    return state


def _of_one_pack(pack: Pack, hands: Sequence[int], dealt: int) -> bool:
    """Whether each hand of so many cards can be from the pack, and all hands can be added up."""
    if dealt > pack.tellable or len(hands) > pack.addable:
        return False
    return all(pack.contains(pack.everything, hand) for hand in hands)


@lru_cache(maxsize=1024)
def _blank(engine: Engine, first: int) -> State:
    """A deal before its cards are told."""
    program, nobody = engine.program, [0] * engine.seats
    stock = engine.pack.size - program.dealt * engine.seats - program.starter
    gifts = [program.exchange[0]] * engine.seats
    at = engine.flow.unstarted if program.exchange[0] else engine.opening(first)
    return State(at, 0, nobody, nobody, [()] * engine.seats, nobody, stock, (), 0, first, gifts)
