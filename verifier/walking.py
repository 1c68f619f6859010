"""What of the order of play an event goes against, by the engine: its own lines and compiled conditions, every way on.

Decides again what `conquian.verifier.flow` says, and shares nothing with it but what an escape is.
"""

from __future__ import annotations

from conquian.engine.facts import facts
from conquian.engine.flow import Facts
from conquian.engine.program import PhaseInfo, Verb
from conquian.engine.refusals import draw_clause
from conquian.position import Position
from conquian.verifier.flow import After, Escape


def escapes(position: Position, verb: Verb, seat: int, after: After) -> frozenset[Escape]:
    """The smallest sets of clauses without which the order of play would take the event."""
    engine, state = position.rules.engine, position.state
    if engine.flow.phase(state.at) is None:
        ends = {engine.flow.won: engine.program.wins, engine.flow.drawn: draw_clause(engine)}
        holding = ends.get(state.at, engine.program.setup.get("exchange"))
        return frozenset() if holding is None else frozenset({_names(position, {holding})})
    known = _Known(position, verb, seat, after)
    found = _regrouping(position, known, seat) if verb == "arrange" else None
    if found is None:
        found = known.from_state(state.at, frozenset(), entering=False)
    return frozenset(_names(position, x) for x in found if not any(y < x for y in found))


def _names(position: Position, clauses: frozenset[int] | set[int]) -> Escape:
    return frozenset(position.rules.engine.program.clauses[i].name for i in clauses)


class _Known:
    """The lines of the program, with what they can ask for before and after the event."""

    def __init__(self, position: Position, verb: Verb, seat: int, after: After) -> None:
        self.engine, self.state, self.verb, self.seat = position.rules.engine, position.state, verb, seat
        left, table, up = after.hand, after.table, after.up
        self.after = facts(self.engine, self.state, seat, hand=left, table=table, up=up)

    def before(self, at: int) -> Facts:
        return facts(self.engine, self.state, self.engine.flow.seat(at))

    def from_state(self, at: int, dropped: frozenset[int], *, entering: bool) -> set[frozenset[int]]:
        """Every escape from a state of play on, `dropped` clauses being part of each."""
        flow, first = self.engine.flow, self.state.first
        phase = flow.phase(at)
        if phase is None:
            return set()
        found: set[frozenset[int]] = set()
        if entering:
            for line in phase.lines:
                if line.kind == "at_once" and flow.holds(line, at, first, self.before(at), self.state.stock):
                    found |= self.from_state(flow.target(line.then, at, first), dropped, entering=True)
                    dropped |= {line.clause}
                    break
        if not phase.passes:
            found |= {dropped} if self.takes(phase, at) else {dropped | {phase.clause}}
        if phase.rests or phase.passes:
            then = self.given_way(phase, at)
            if then is not None:
                found |= self.from_state(then, dropped, entering=True)
        return found

    def takes(self, phase: PhaseInfo, at: int) -> bool:
        flow = self.engine.flow
        return any(
            line.kind == "acts"
            and line.verb == self.verb
            and flow.is_for(line, self.seat, at)
            and flow.holds(line, at, self.state.first, self.after, self.state.stock)
            for line in phase.lines
        )

    def given_way(self, phase: PhaseInfo, at: int) -> int | None:
        flow, first = self.engine.flow, self.state.first
        for line in phase.lines:
            if line.kind == "otherwise" and flow.holds(line, at, first, self.before(at), self.state.stock):
                return flow.target(line.then, at, first)
        return None


def _regrouping(position: Position, known: _Known, seat: int) -> set[frozenset[int]] | None:
    """The same for a regrouping, which a permission takes and no line; None if no phase is the player's."""
    engine, state, flow = position.rules.engine, position.state, position.rules.engine.flow
    rules = engine.may.get("arrange", [])
    found: set[frozenset[int]] = set()
    mine, at = False, state.at
    while (phase := flow.phase(at)) is not None:
        if flow.seat(at) == seat:
            mine = True
            before = engine.placed(state.tables[seat])
            own, starter, number = engine.facts[at]
            args = (before, before, 0, 0, 0, state.unknown[seat], own, starter, state.stock)
            granted = engine.allowed("arrange", number, args)
            bound = frozenset() if phase.bound is None else frozenset({phase.bound})
            if granted:
                found.add(bound)
            elif rules:
                found.add(bound | {rules[0].clause})
        if not phase.rests:
            break
        at = flow.closed(at, state.first, facts(engine, state, flow.seat(at)))
    return found if mine and found else None
