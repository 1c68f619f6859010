"""Witnesses of legal melds and due demands, and what the checker of `conquian.verifier` says of them. No solver."""

from __future__ import annotations

from msgspec import Struct

from conquian.engine.demands import demand
from conquian.engine.facts import closed
from conquian.engine.play import Event
from conquian.language.rules import RuleSet
from conquian.position import Position
from conquian.verifier.acts import Act, act_of
from conquian.verifier.demands import demand_of
from conquian.verifier.exhaustion import read, told
from conquian.verifier.scenes import Scene, moment
from conquian.verifier.witness import due, meld_problems


class MeldWitness(Struct, frozen=True, forbid_unknown_fields=True):
    """Every set that lies after a meld, each card with where it comes from (`offer`, `hand`, `table 2`)."""

    laid: tuple[tuple[tuple[str, str], ...], ...]
    wins: bool


def meld_witness(position: Position, event: Event) -> MeldWitness | None:
    """The first way to read a legal meld that breaks no clause; None for an event that is no such meld."""
    act = act_of(position, event)
    if act is None or act.verb != "meld" or not position.can(event):
        return None
    way = next((way for way, against in read(position, act) if not against), None)
    return None if way is None else MeldWitness(told(position, way), position.apply(event).phase == "won")


def meld_faults(position: Position, event: Event, witness: MeldWitness, typed: RuleSet) -> list[str]:
    """What the checker finds wrong with the witness of a legal meld, or with its being one of this event."""
    act = act_of(position, event)
    if act is None:
        return ["the order of play takes no such meld there"]
    engine, state = position.rules.engine, position.state
    shown = sorted(sorted(name for name, _ in meld) for meld in witness.laid)
    if shown != sorted(sorted(engine.pack.names(meld)) for meld in act.after):
        return ["the witness does not lay the melds of the act"]
    here = scene(position, act, engine.flow.seat(closed(engine, state, state.at)))
    return meld_problems(here, witness.laid, witness.wins, typed, engine.program, engine.readings)


def checkable(position: Position, seat: int) -> bool:
    """Whether the checker can judge: not where clauses ask for a hand that nobody recorded."""
    return not (position.rules.engine.program.asks_hand and position.state.unknown[seat])


def demand_due(position: Position, seat: int, typed: RuleSet) -> bool:
    """Whether the checker finds that an opponent's demand on a seat, one that names no meld, is due."""
    engine = position.rules.engine
    by = engine.opponents[seat]
    _, bound, _ = demand(engine, position.state, by, None, None)
    act = demand_of(position, (position.players[by], "forces"))
    if act is None or bound != seat:
        return False
    here = scene(position, act, seat)
    return due(typed, act.phase, moment(here, engine.program, engine.readings))


def scene(position: Position, act: Act, seat: int) -> Scene:
    """What the checker is told of a position."""
    engine, state = position.rules.engine, position.state
    names = engine.pack.names
    return Scene(
        phase=act.phase,
        bound=act.bound,
        flags={"own": act.own, "starter": act.starter, "named": act.named},
        up=position.up if act.up else None,
        table=tuple(tuple(names(meld)) for meld in state.tables[seat]),
        hand=tuple(names(state.hands[seat])),
        unknown=state.unknown[seat],
        stock=state.stock,
    )
