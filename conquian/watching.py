"""Hands inferred while a deal goes on: after every event, what each player holds for certain and can hold.

For programs that follow a game; an event costs some microseconds. `conquian infer` looks back at a whole record.
"""

from __future__ import annotations

from collections.abc import Sequence

from conquian.engine.coded import Event
from conquian.engine.deals import SetupRefusal, first_states, seats_of
from conquian.engine.engine import Engine
from conquian.engine.hands import Held, hands, joined
from conquian.engine.residues import Trail, narrowed, step
from conquian.quick import setup_of
from conquian.referee import distinct, readings_of
from conquian.transcript.model import Record


class Watcher:
    """Follows one deal. ValueError for a set-up that is not legal."""

    def __init__(self, engine: Engine, players: Sequence[str], deal: Record, first: int) -> None:
        states = first_states(engine, setup_of(players, deal, first))
        if isinstance(states, SetupRefusal):
            raise ValueError(states.code)
        self.engine, self._seats = engine, seats_of(players)
        self._trails = [Trail(state) for state in states]

    def see(self, event: Event) -> bool:
        """Takes an event in; False, and nothing has changed, if no deal that fits allows it."""
        after = []
        for trail in self._trails:
            for tried in readings_of(self.engine, trail.state, event, self._seats):
                on, _, _ = step(self.engine, trail, tried, self._seats)
                if on is not None:
                    after.append(on)
        if after:
            self._trails = after if len(after) == 1 else distinct(after)
        return bool(after)

    def hands(self) -> list[Held]:
        """By seat, the bounds of each hand now, by all that has been seen. TooManyHands with rules that ask for
        hands, if that cannot be said within the budget."""
        ways = [self._hands(trail) for trail in self._trails]
        if len(ways) == 1:
            return ways[0]
        return [joined(self.engine.pack, by_seat) for by_seat in zip(*ways, strict=True)]

    def _hands(self, trail: Trail) -> list[Held]:
        if not trail.asked:
            return hands(self.engine, trail.state)
        known = enumerate(trail.state.hands)
        return [narrowed(self.engine, trail, self._seats, seat, cards) for seat, cards in known]
