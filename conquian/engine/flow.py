"""The order of play: phases as states, and where an event leads.

A state is one int: phase, seat and how the card came on offer. Two more states are ends: `WON`, `DRAWN`.
`take` is what the phase clauses say, no more; the tables that the engine reads are filled with its answers.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from conquian.engine.program import Line, PhaseInfo, Program, Step, Verb

REFUSED = -1
ORIGINS = ("own", "given", "starter")
Condition = Callable[..., bool]


class Facts(Struct, frozen=True):
    """What lines can ask for besides the state: stock before and after the event, hand, table, offer."""

    stock_before: int
    stock_after: int
    hand: int
    before: tuple[int, ...] = ()
    up: int = 0
    tables: tuple[tuple[int, ...], ...] | None = None
    """Tables by seat, hands in `hands`, where play cannot be tabulated."""
    hands: tuple[int, ...] | None = None


class Flow:
    """The phases of one rule set under one choice of readings."""

    def __init__(self, program: Program, functions: dict[str, Condition]) -> None:
        self.phases: tuple[PhaseInfo, ...] = program.phases
        self.seats = program.players
        self.opening = program.opening
        self.team_of = [next(i for i, t in enumerate(program.teams) if s in t) for s in range(self.seats)]
        self._functions = functions
        self.won = len(self.phases) * self.seats * 3
        self.drawn = self.won + 1
        self.unstarted = self.won + 2
        self.count = self.won + 3

    # -- states

    def state(self, phase: int, seat: int, origin: int) -> int:
        return (phase * self.seats + seat) * 3 + origin

    def phase(self, state: int) -> PhaseInfo | None:
        """The phase of a state, None when the deal has ended or not begun."""
        return self.phases[state // 3 // self.seats] if state < self.won else None

    def seat(self, state: int) -> int:
        return state // 3 % self.seats

    def origin(self, state: int) -> str:
        return ORIGINS[state % 3]

    # -- steps

    def start(self, first: int, facts: Facts) -> int:
        """The state that play opens with."""
        step = self.opening
        seat = (first + 1) % self.seats if step.seat == "next" else first
        origin = ORIGINS.index(step.origin or "given")
        return self._enter(self.state(step.phase, seat, origin), first, facts, facts.stock_after)

    def entered(self, state: int, first: int, facts: Facts) -> int:
        """Where play stands the moment a state is come to: its `at once` lines followed."""
        return self._enter(state, first, facts, facts.stock_after)

    def take(self, state: int, verb: Verb, actor: int, first: int, facts: Facts) -> int:
        """The state after an event; REFUSED if no line of the phase, or of those it gives way to, allows it."""
        while True:
            phase = self.phase(state)
            if phase is None:
                return REFUSED
            for line in phase.lines:
                named = line.kind == "acts" and line.verb == verb and self.is_for(line, actor, state)
                if named and self.holds(line, state, first, facts, facts.stock_before):
                    then = self.target(line.then, state, first)
                    return self._enter(then, first, facts, facts.stock_after)
            if not phase.rests:
                return REFUSED
            state = self.closed(state, first, facts)

    def closed(self, state: int, first: int, facts: Facts) -> int:
        """Where a resting phase gives way to when an event comes that it does not name."""
        phase = self.phase(state)
        if phase is None or not phase.rests:
            return state
        return self._leave(phase, state, first, facts, facts.stock_before)

    def _leave(self, phase: PhaseInfo, state: int, first: int, facts: Facts, stock: int) -> int:
        for line in phase.lines:
            if line.kind == "otherwise" and self.holds(line, state, first, facts, stock):
                return self._enter(self.target(line.then, state, first), first, facts, stock)
        raise AssertionError(f"the phase {phase.name} leads nowhere")

    def _enter(self, state: int, first: int, facts: Facts, stock: int) -> int:
        while True:
            phase = self.phase(state)
            if phase is None:
                return state
            for line in phase.lines:
                if line.kind == "at_once" and self.holds(line, state, first, facts, stock):
                    state = self.target(line.then, state, first)
                    break
            else:
                if not phase.passes:
                    return state
                state = self._leave(phase, state, first, facts, stock)

    def is_for(self, line: Line, actor: int, state: int) -> bool:
        seat = self.seat(state)
        if line.actor == "player":
            return actor == seat
        return self.team_of[actor] != self.team_of[seat]

    def target(self, step: Step, state: int, first: int) -> int:
        if step.phase < 0:
            return self.drawn
        seat = self.seat(state)
        if step.seat == "next":
            seat = (seat + 1) % self.seats
        elif step.seat == "first":
            seat = first
        origin = state % 3 if step.origin is None else ORIGINS.index(step.origin)
        return self.state(step.phase, seat, origin)

    def holds(self, line: Line, state: int, first: int, facts: Facts, stock: int) -> bool:
        if line.condition is None:
            return True
        seat, origin = self.seat(state), state % 3
        before, hand = facts.before, facts.hand
        if facts.tables is not None and facts.hands is not None:
            before, hand = facts.tables[seat], facts.hands[seat]
        return self._functions[f"flow{line.condition}"](
            before,
            facts.up,
            origin == 0,
            origin == 2,
            (seat + 1) % self.seats == first,
            hand,
            stock,
            state // 3 // self.seats,
        )
