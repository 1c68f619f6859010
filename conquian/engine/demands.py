"""Demands: whether one is due, and what it does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from conquian.engine.copies import fresh
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


def demanded_at(engine: Engine, state: State, by: int) -> int:
    """The state of the order of play in which a demand by a player would be made; REFUSED if there is none."""
    flow, at = engine.flow, state.at
    while (phase := flow.phase(at)) is not None:
        seat = flow.seat(at)
        takes = any(line.verb == "force" and line.kind == "acts" for line in phase.lines)
        if takes and engine.team_of[by] != engine.team_of[seat]:
            return at
        if not phase.rests:
            break
        at = flow.closed(at, state.first, facts(engine, state, seat))
    return REFUSED


def permission(engine: Engine, state: State, at: int) -> int | None:
    """The clause that says when a demand may be made, where none may: it would hold later, or for another card.

    Of several permissions that the readings leave open, the one that covers this card at another moment, then that of
    this moment, then the first. If the readings close them all, the first of the rules.
    """
    rules = engine.may.get("force", [])
    if not rules:
        return None
    seat, number = engine.flow.seat(at), at // 3 // engine.seats
    before, card, own, starter = arguments(engine, state, "force", seat, at, state.up)
    args = (before, card, own, starter, False, 0, 0, state.stock)
    for rule in rules:
        if any(phase != number and engine.allowed("force", phase, args) for phase in rule.phases):
            return rule.clause
    ordered = sorted(rules, key=lambda rule: number not in rule.phases)
    return next(
        (rule.clause for rule in ordered if _open(engine, rule.phases, own, starter)), rules[0].clause
    )


def closed_by_readings(engine: Engine) -> bool:
    """Whether the readings leave no demand at all, whatever lies on the table."""
    rules = engine.may.get("force", [])
    return not any(_open(engine, rule.phases, own, False) for rule in rules for own in (True, False))


def _open(engine: Engine, phases: Iterable[int], own: bool, starter: bool) -> bool:
    """Whether a card that fits could be demanded in one of the phases."""
    meld = next((m for m in sorted(engine.melds.packed) if engine.fit((m,))), None)
    if meld is None:
        return False
    fits = engine.fit((meld,))
    placed = engine.placed((meld,))
    card = engine.pack.unit[engine.pack.names(fits)[0]]
    if engine.pack.copies > 1:
        card = fresh(engine.pack, (card.bit_length() - 1) // engine.pack.width, sum(placed))
    args = (placed, card, own, starter, False, 0, 0, 1)
    return any(engine.allowed("force", phase, args) for phase in phases)


def demand(
    engine: Engine, state: State, by: int, said: int | None, onto: int | None
) -> tuple[int, int, int | None]:
    """(state after, seat that is bound, clause that forbids it): REFUSED if the demand is not due.

    `said` and `onto` are packed; `onto` is the meld that the demand names.
    """
    return next(demands(engine, state, by, ((said, onto),)))


def demands(
    engine: Engine, state: State, by: int, named: Iterable[tuple[int | None, int | None]]
) -> Iterator[tuple[int, int, int | None]]:
    """The same for many demands of one player, each with what it says and the meld it names."""
    at = demanded_at(engine, state, by)
    known = () if at == REFUSED else arguments(engine, state, "force", engine.flow.seat(at), at, state.up)
    for said, onto in named:
        yield (REFUSED, -1, None) if at == REFUSED else _demand(engine, state, by, at, known, said, onto)


def _demand(
    engine: Engine,
    state: State,
    by: int,
    at: int,
    known: tuple[Any, ...],
    said: int | None,
    onto: int | None,
) -> tuple[int, int, int | None]:
    seat = engine.flow.seat(at)
    number = at // 3 // engine.seats
    before, card, own, starter = known
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
