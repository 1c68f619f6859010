"""Deals in which the players say what only tables know: objections, concessions, agreed draws.

Guarantees: an objection is justified if an irregularity lies right before it that its speaker may still object to:
the last events are all of one other side, and one of them is illegal. Then everything from that event on is taken
back, the objection is answered, and play goes on from before it. A concession and an agreed draw end the deal.
Nothing here knows a rule of the game: what is illegal is asked of the engine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from conquian.engine.coded import Event
from conquian.engine.engine import Engine
from conquian.engine.facts import closed
from conquian.engine.refusals import Refusal
from conquian.engine.residues import Trail
from conquian.engine.state import State
from conquian.language.codes import EVENT_CODES, TABLE_CODES
from conquian.referee import Outcome, Taken, advance, refused
from conquian.transcript.model import SAID


class Place(Protocol):
    """What takes illegal events as played."""

    def __call__(self, state: State, event: Event, refusal: Refusal, following: Event | None) -> State | str:
        """The state that an illegal event leaves when it stands, or why it cannot stand."""
        ...

    def beside(self, state: State, event: Event, refusal: Refusal) -> State | Refusal:
        """The state after an event that is illegal only for melds that stood; else what is wrong with it besides."""
        ...


class Irregularity(NamedTuple):
    """An illegal event that nobody objected to.

    `states` are those before it, `why` says why the cards cannot be placed (None: they can, and the act stands),
    `objectors` are the seats that could have objected, `until` the event that ended the time for it, None if none did.
    """

    event: int
    refusal: Refusal
    states: list[State]
    why: str | None
    objectors: tuple[int, ...]
    until: int | None


class Walk:
    """One pass over the events of a deal. Without `place` it ends at the first irregularity that stands."""

    def __init__(
        self,
        engine: Engine,
        states: list[State],
        events: Sequence[Event],
        seats: Mapping[str, int],
        place: Place | None = None,
    ) -> None:
        self.engine, self.events, self.seats, self.place = engine, events, seats, place
        self.outcome = Outcome("unfinished", 0, states)
        self.trails = [Trail(state) for state in states]
        self.stood: list[Irregularity] = []
        self.last = -1
        """The last event that stands."""
        self.path: list[State] = []
        """Before each event that was judged, and after the last, the first of the states."""

    def walked(self) -> Outcome:
        """The outcome; `states` are those after the last event that counts."""
        outcome, events = self.outcome, self.events
        index = 0
        while index < len(events):
            outcome.legal = index
            self._passed(index)
            refusal = self._step(index)
            if refusal is None:
                index += 1
                continue
            objection = self._objection(index)
            if objection is not None:
                outcome.taken.append(Taken(index, objection, refusal, outcome.states[0]))
                index = objection + 1
                continue
            if self.place is None or not self._stands(index, refusal):
                outcome.kind, outcome.refusal = "invalid", refusal
                return outcome
            index += 1
        outcome.legal = len(events)
        self._passed(len(events))
        return outcome

    def _passed(self, index: int) -> None:
        """Notes the state before an event; what was taken back on the way to it left none of its own."""
        self.path += [self.outcome.states[0]] * (index + 1 - len(self.path))

    def _step(self, index: int) -> Refusal | None:
        """Plays one event if it is legal; else says why it is not."""
        event, outcome = self.events[index], self.outcome
        if event[1] in SAID:
            return self._said(index)
        if outcome.ended is not None:
            refusal = refused(self.engine, outcome.states, event, self.seats)
            over = refusal.code == "game-over"
            return _refusal("game-over", outcome.ended, self.seats[event[0]]) if over else refusal
        after, looked_at = advance(self.engine, outcome, self.trails, event, index, self.last, self.seats)
        if not after:
            refusal = refused(self.engine, looked_at, event, self.seats)
            if self.place is not None:
                beside = [self.place.beside(state, event, refusal) for state in outcome.states]
                after = [Trail(state) for state in beside if isinstance(state, State)]
                wrong = [other for other in beside if not isinstance(other, State)]
                refusal = max(wrong, key=lambda one: one.rank, default=refusal)
            if not after:
                return refusal
        self._stand(after, index)
        return None

    def _stand(self, trails: list[Trail], index: int) -> None:
        self.trails, self.last = trails, index
        self.outcome.states = [trail.state for trail in trails]

    def _said(self, index: int) -> Refusal | None:
        event, outcome, engine = self.events[index], self.outcome, self.engine
        seat = self.seats[event[0]]
        over = self._over()
        if over is not None:
            return _refusal("game-over", over, seat)
        if event[1] == "objects":
            return _refusal("no-objection-due", self._why_not(index), seat)
        if event[1] == "concedes":
            others = [s for s in range(engine.seats) if engine.team_of[s] != engine.team_of[seat]]
            if len({engine.team_of[s] for s in others}) > 1:
                return _refusal("conceding", "", seat)
            # The next of the other side in turn is named as the winner.
            winner = min(others, key=lambda s: (s - seat) % engine.seats)
            self._end("conceded", engine.flow.won, winner)
        else:
            sides = {engine.team_of[self.seats[name]] for name in (event[0], *event[2:])}
            missing = [s for s in range(engine.seats) if engine.team_of[s] not in sides]
            if missing:
                return _refusal("not-agreed", "", missing[0])
            self._end("agreed", engine.flow.drawn, None)
        outcome.ended_at = self.last = index
        return None

    def _end(self, ended: str, at: int, winner: int | None) -> None:
        states = [state.copy() for state in self.outcome.states]
        for state in states:
            state.at, state.winner, state.up = at, winner, 0
        self._stand([Trail(state) for state in states], self.last)
        self.outcome.ended = ended

    def _over(self) -> str | None:
        """How the deal has ended, None if it has not."""
        state, flow = self.outcome.states[0], self.engine.flow
        if self.outcome.ended is not None:
            return self.outcome.ended
        at = closed(self.engine, state, state.at)
        return "won" if at == flow.won else "drawn" if at == flow.drawn else None

    # -- objections

    def _objection(self, index: int) -> int | None:
        """The objection that takes the illegal event back: nobody of another side has done anything in between."""
        side = self._side(index)
        for later in range(index + 1, len(self.events)):
            if self._side(later) != side:
                return later if self.events[later][1] == "objects" else None
        return None

    def _until(self, index: int) -> int | None:
        """The event with which the time to object is over: the next of another side."""
        side = self._side(index)
        return next(
            (later for later in range(index + 1, len(self.events)) if self._side(later) != side), None
        )

    def _side(self, index: int) -> int:
        return self.engine.team_of[self.seats[self.events[index][0]]]

    def _why_not(self, index: int) -> str:
        """The case of an objection that nothing justifies, for its message."""
        stood = [one for one in self.stood if one.refusal.code not in TABLE_CODES]
        if not stood:
            return "own" if index and self._side(index) == self._side(index - 1) else ""
        return "late"

    def _stands(self, index: int, refusal: Refusal) -> bool:
        """Takes an illegal event as played, if its cards can be placed."""
        assert self.place is not None
        event, outcome = self.events[index], self.outcome
        following = self.events[index + 1] if index + 1 < len(self.events) else None
        placed = [self.place(state, event, refusal, following) for state in outcome.states]
        after = [state for state in placed if isinstance(state, State)]
        why = None if after else next(str(state) for state in placed)
        side = self._side(index)
        objectors = tuple(s for s in range(self.engine.seats) if self.engine.team_of[s] != side)
        until = self._until(index)
        self.stood.append(Irregularity(index, refusal, outcome.states, why, objectors, until))
        if after:
            self._stand([Trail(state) for state in after], index)
        return bool(after)


def _refusal(code: str, detail: str, seat: int) -> Refusal:
    rank = EVENT_CODES.index(code) if code in EVENT_CODES else len(EVENT_CODES) + TABLE_CODES.index(code)
    return Refusal(code, None, (), rank, detail, seat)
