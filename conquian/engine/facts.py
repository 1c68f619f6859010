"""What clauses and the order of play can ask of a moment, gathered from a state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from conquian.engine.copies import fresh
from conquian.engine.engine import Engine
from conquian.engine.flow import Facts
from conquian.engine.program import Verb
from conquian.engine.state import State


def facts(
    engine: Engine,
    state: State,
    seat: int,
    hand: int | None = None,
    up: int | None = None,
    turned: bool = False,
    table: Sequence[int] | None = None,
) -> Facts:
    """What the order of play can ask for, before and after an event of a seat.

    `hand` and `table` are the seat's as the event leaves them, where it changes them.
    """
    count = held(engine, state, seat) if hand is None else hand
    stock = state.stock
    after = max(stock - 1, 0) if turned else stock
    if not engine.live:
        return Facts(stock, after, count)
    team = () if table is None else engine.partners[seat]
    tables = tuple(
        engine.placed(tuple(table) if table is not None and s in team else state.tables[s])
        for s in range(engine.seats)
    )
    hands = tuple(count if s == seat else held(engine, state, s) for s in range(engine.seats))
    unit = state.up if up is None else up
    return Facts(stock, after, count, (), _offer(engine, unit), tables, hands)


def _offer(engine: Engine, unit: int) -> int:
    """The card on offer as a physical card that is on no table."""
    if not unit or engine.pack.copies == 1:
        return unit
    kind = (unit.bit_length() - 1) // engine.pack.width
    return engine.pack.physical(kind, engine.pack.copies - 1)


def held(engine: Engine, state: State, seat: int) -> int:
    """How many cards a player holds."""
    return engine.pack.count(state.hands[seat]) + state.unknown[seat]


def closed(engine: Engine, state: State, at: int) -> int:
    """The state that a resting phase gives way to for an event that it does not take."""
    while engine.resting[at]:
        at = closed_once(engine, state, at)
    return at


def closed_once(engine: Engine, state: State, at: int) -> int:
    """The state that one resting phase gives way to; it can rest itself."""
    if engine.live:
        return engine.flow.closed(at, state.first, facts(engine, state, engine.flow.seat(at)))
    return engine.closed(at, 0 if state.stock else 1, state.first)


def arguments(engine: Engine, state: State, verb: str, seat: int, at: int, card: int) -> tuple[Any, ...]:
    """What compiled conditions on a pass, a turn, a discard or a demand are called with, without the phase."""
    own, starter = at % 3 == 0, at % 3 == 2
    before, pack = engine.placed(state.tables[seat]), engine.pack
    physical, hand = card, state.hands[seat]
    if pack.copies > 1:
        taken = sum(before)
        if card:
            physical = fresh(pack, (card.bit_length() - 1) // pack.width, taken)
        if verb == "discard":
            for kind in pack.kinds(hand):
                taken |= fresh(pack, kind, taken)
            hand = taken ^ sum(before)
    if verb == "discard":
        return before, physical, hand, state.unknown[seat], state.stock
    if verb == "pass":
        return before, physical, own, starter, held(engine, state, seat), state.stock
    if verb == "turn":
        return before, held(engine, state, seat), state.stock
    return before, physical, own, starter


def forbidden(engine: Engine, state: State, verb: Verb, seat: int, at: int, card: int) -> bool:
    """Whether some prohibition speaks against a pass, a turn or a discard."""
    if verb not in engine.may_not:
        return False
    at = closed(engine, state, at)
    phase = at // 3 // engine.seats
    return bool(engine.forbidding(verb, phase, arguments(engine, state, verb, seat, at, card)))
