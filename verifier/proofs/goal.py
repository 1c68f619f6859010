"""The goal can be reached, and where that is promised no meld takes a table past it.

Counting says what cannot be; a play that goes through the engine says what can.
"""

from __future__ import annotations

from conquian.language import clauses as c
from conquian.language import formula as f
from conquian.language.rules import Clause
from conquian.tongue import Both, later
from conquian.verifier.circuits import Circuit
from conquian.verifier.proofs.cases import Cases
from conquian.verifier.proofs.game import Game
from conquian.verifier.proofs.plan import made
from conquian.verifier.proofs.result import Result
from conquian.verifier.proofs.under import within


def reached(game: Game) -> Result:
    goal, work = game.engine.program.goal, game.counted
    for table in sorted({table for one in game.tallies for table, _ in one.wins}):
        play = made(game.engine, table, lambda state: state.winner is not None)
        if play is not None:
            says = later(
                "a play of {events} events wins with {cards} cards on the table",
                events=len(play.events),
                cards=table,
            )
            return Result("proved", says, None, play.position(), work=work)
    if any(one.wins for one in game.tallies):
        cases = Cases(game)
        needed = _never(game, cases)
        if needed is not None:
            queries = tuple(cases.board.asked.asked)
            names = Both(tuple(f"`{clause.name}`" for clause in needed))
            says = (
                later("no meld can win: what {clauses} ask never holds together", clauses=names)
                if len(needed) > 1
                else later("no meld can win: what {clauses} asks never holds", clauses=names)
            )
            return Result("refuted", says, None, None, needed, queries, work + cases.board.asked.work)
        says = later("counting does not rule out a win, and no play to one was found")
        return Result("undecided", says, 0, work=work)
    largest = max(one.largest for one in game.tallies)
    play = next((p for n in range(largest, 0, -1) if (p := made(game.engine, n, lambda _: True))), None)
    if largest > goal:
        says = later("no meld leaves a table that wins, and the goal is {goal}", goal=goal)
    else:
        says = later(
            "a table never holds more than {cards} cards, and the goal is {goal}", cards=largest, goal=goal
        )
    return Result("refuted", says, None, None if play is None else play.position(), _clauses(game), work=work)


def never_passed(game: Game) -> Result:
    goal, work = game.engine.program.goal, game.counted
    if not any(one.past for one in game.tallies):
        largest = max(one.largest for one in game.tallies)
        says = later("a table never holds more than {cards} cards", cards=largest)
        if largest > goal:
            says = later("a meld that takes a table past {goal} cards wins", goal=goal)
        return Result("proved", says, work=work)
    longest = max(map(game.engine.pack.count, game.engine.melds.packed))
    for table in range(goal + 1, goal + longest):
        play = made(game.engine, table, lambda state: state.over)
        if play is not None:
            says = later(
                "a meld can take a table to {cards} cards without winning, and the goal is {goal}",
                cards=table,
                goal=goal,
            )
            return Result("refuted", says, None, play.position(), _clauses(game), work=work)
    says = later("counting does not rule it out, and no play past the goal was found")
    return Result("undecided", says, 0, work=work)


def _never(game: Game, cases: Cases) -> tuple[Clause, ...] | None:
    """The clauses that together leave no meld that wins, the one on winning first; None if there may be one."""
    if not cases.board.whole or any(isinstance(x, f.PlaceSize) for x in within(game.rules.only(c.Wins).when)):
        return None
    readings = dict(game.readings)
    (winning, wins) = next(game.rules.bodies(c.Wins))
    wanted = cases.board.condition(wins.when, readings)
    needed: dict[Clause, None] = {winning: None}
    for name, phase in game.flow.phases.items():
        if not any(isinstance(line, c.Acts) and line.verb == "meld" for _, line in phase.lines):
            continue
        against = cases.forbidden("meld", name, readings)

        def found(some: list[tuple[Clause, Circuit]], phase: str = name) -> bool:
            asked = [wanted, *(truth for _, truth in some)]
            return cases.find("a meld wins", "meld", phase, readings, asked) is not None

        if found(against):
            return None
        kept = list(against) if found([]) else []
        for one in list(kept):
            rest = [other for other in kept if other is not one]
            if not found(rest):
                kept = rest
        needed |= dict.fromkeys(clause for clause, _ in kept)
    return None if cases.board.guessing else tuple(needed)


def _clauses(game: Game) -> tuple[Clause, ...]:
    """What decides how many cards a player can have and lay."""
    found = [clause for kind in (c.Goal, c.Dealing, c.Wins) for clause, _ in game.rules.bodies(kind)]
    laying = [
        clause
        for clause, body in game.rules.bodies(c.Phase)
        if any(isinstance(line, c.Otherwise) and line.then.phase in _discarding(game) for line in body.lines)
    ]
    return (*found, *laying)


def _discarding(game: Game) -> set[str]:
    return {
        name
        for name, phase in game.flow.phases.items()
        if any(isinstance(line, c.Acts) and line.verb == "discard" for _, line in phase.lines)
    }
