"""The positions of a deal from its first violation on, illegal acts being taken as they were played.

Guarantees: they go on from the very position that the pictures show before the violation, without a guess of cards
that nobody recorded; what stood, and what was taken back, is what `conquian validate --as-played` says, or nothing is
shown.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from conquian.as_played import AsPlayed
from conquian.at_table import Walk
from conquian.engine.deals import seats_of
from conquian.position import Position
from conquian.referee import Taken
from conquian.transcript.model import Deal


class PlayedOn(NamedTuple):
    """`positions` are those before event `first`, before each that follows it, and after the last that was judged."""

    first: int
    positions: tuple[Position, ...]
    taken: tuple[Taken, ...]


def played_on(
    begun: Position, deal: Deal, wrong: Position, first: int, stood: Collection[int]
) -> PlayedOn | None:
    """How a deal goes on after event `first`, which is not legal in the position `wrong`.

    `begun` is the position before the first event, `stood` are the events that the verdict finds illegal. None where
    the walk, for want of hands that nobody recorded, does not find the same.
    """
    engine, seats = begun.rules.engine, seats_of(begun.players)
    hidden = any(event[1] == "gives" and event[2] == "?" for event in deal.events if len(event) > 2)
    # A gift that nobody saw is guessed card by card; what is shown goes on from a position without a guess.
    start, skipped = (wrong, first) if hidden else (begun, 0)
    events = deal.events[skipped:]
    walk = Walk(engine, [start.state.copy()], events, seats, AsPlayed(engine, begun.players, seats))
    walk.walked()
    if {one.event + skipped for one in walk.stood} != set(stood):
        return None
    states = walk.path[first - skipped :]
    positions = tuple(Position(begun.rules, state.copy(), begun.players) for state in states)
    taken = tuple(
        one._replace(event=one.event + skipped, objection=one.objection + skipped)
        for one in walk.outcome.taken
    )
    return PlayedOn(first, positions, taken)
