"""Demands: whether one is due, and what it does."""

from __future__ import annotations

from conquian.engine.engine import Engine
from conquian.engine.facts import arguments, facts
from conquian.engine.flow import REFUSED
from conquian.engine.state import State


def demandable(engine: Engine, state: State, at: int, seat: int, up: int) -> bool:
    """Whether an opponent may demand, without naming a meld, that `seat` meld the card, in a flow state."""
    flow = engine.flow
    phase = flow.phase(at)
    if phase is None or flow.seat(at) != seat or not any(line.verb == "force" for line in phase.lines):
        return False
    before, card, own, starter = arguments(engine, state, "force", seat, at, up)
    args = (before, card, own, starter, False, 0, 0, state.stock)
    number = at // 3 // engine.seats
    return engine.allowed("force", number, args) and not engine.forbidding("force", number, args)


def demand(
    engine: Engine, state: State, by: int, said: int | None, onto: int | None
) -> tuple[int, int, int | None]:
    """(state after, seat that is bound, clause that forbids it): REFUSED if the demand is not due.

    `said` and `onto` are packed; `onto` is the meld that the demand names.
    """
    flow = engine.flow
    at = state.at
    while True:
        phase = flow.phase(at)
        if phase is None:
            return REFUSED, -1, None
        seat = flow.seat(at)
        opponent = engine.team_of[by] != engine.team_of[seat]
        takes = any(line.verb == "force" and line.kind == "acts" for line in phase.lines)
        if takes and opponent:
            break
        if not phase.rests:
            return REFUSED, -1, None
        at = flow.closed(at, state.first, facts(engine, state, seat))
    number = at // 3 // engine.seats
    before, card, own, starter = arguments(engine, state, "force", seat, at, state.up)
    named = said is not None
    physical_said, physical_onto = 0, 0
    if named:
        physical_said = card if said == state.up else 0
        table = state.tables[seat]
        physical_onto = before[table.index(onto)] if onto in table else 0
    args = (before, card, own, starter, named, physical_said, physical_onto, state.stock)
    if not engine.allowed("force", number, args):
        return REFUSED, seat, None
    against = engine.forbidding("force", number, args)
    if against:
        return REFUSED, seat, against[0].clause
    return engine.take(at, "force", by, state.first, facts(engine, state, seat)), seat, None


def due_after_pass(engine: Engine, state: State, row: int, seat: int) -> bool:
    """Whether the pass that has just led to a row leaves a demand due on the passer."""
    if not engine.demand_without_fit and state.fit[seat] & state.up:
        empty = 0 if state.stock else 1
        known = engine.demands(empty, row, engine.opponents[seat], state.first)
        if known.bound != seat or known.due == 0 or not known.answers:
            return False
        if known.due == 1:
            return True
    return demandable(engine, state, row // engine.seats, seat, state.up)
