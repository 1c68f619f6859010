"""Where the card on offer can be forced, for those who draw it.

Guarantees: what is said is what `conquian.forcing` answers for the same position.
"""

from __future__ import annotations

from typing import NamedTuple

from conquian.engine.engine import Engine
from conquian.engine.facts import closed_once
from conquian.engine.state import State
from conquian.forcing import forced
from conquian.position import Position

MADE = "made"
"""When a demand is no longer to be made: it has been."""


class Demandable(NamedTuple):
    """A demand in a state of the flow: whom it is on, when it can be made (`made`: it has been), and the packed melds
    that the card fits."""

    at: int
    seat: int
    when: str
    onto: tuple[int, ...]


def onto_which(position: Position) -> Demandable | None:
    """On whom the card on offer can be or has been forced, and onto which melds; None if on nobody."""
    engine, state = position.rules.engine, position.state.copy()
    flow = engine.flow
    while state.up and (phase := flow.phase(state.at)) is not None:
        seat = flow.seat(state.at)
        if phase.offers and phase.bound is not None:
            return Demandable(state.at, seat, MADE, fitting(engine, state, seat))
        if phase.offers or any(line.verb == "force" for line in phase.lines):
            when = forced(engine, state, seat, ()).when
            if when is not None:
                return Demandable(state.at, seat, when, fitting(engine, state, seat))
        if not phase.rests:
            return None
        state.at = closed_once(engine, state, state.at)
    return None


def fitting(engine: Engine, state: State, seat: int) -> tuple[int, ...]:
    """The packed melds of a seat that the card on offer extends as they lie."""
    return tuple(meld for meld in state.tables[seat] if engine.fit((meld,)) & state.up)
