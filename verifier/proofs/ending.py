"""Play ends: the longest way through the order of play, with the cards of the stock and of all hands counted down.

The number is an upper bound for all cards and all choices of the players; a rule set may state a larger one.
"""

from __future__ import annotations

from typing import NamedTuple

from conquian.tongue import later
from conquian.verifier.proofs.flow import Counts, Moment, TooMany
from conquian.verifier.proofs.game import Game
from conquian.verifier.proofs.idle import passed_through
from conquian.verifier.proofs.result import Result

COUNTS = 2_000_000
"""How many moments with their counts of cards are looked at."""


class _Count(NamedTuple):
    at: Moment
    stock: int
    held: int
    """Cards in all hands together."""


def ending(game: Game, within: int | None) -> Result:
    found, work, endless = _longest(game)
    if endless is not None:
        play = passed_through(game, None)
        phase = endless.at.phase
        clauses = tuple(dict.fromkeys(clause for clause, _ in game.flow.phases[phase].lines))
        says = later(
            "play can come back to the phase `{phase}` with nothing used up, again and again", phase=phase
        )
        if play is None:
            return Result("undecided", says, 0, None, clauses, work=work)
        return Result("refuted", says, None, play.position(), clauses, work=work)
    gifts = game.engine.program.exchange[0] * game.engine.seats
    longest = found + gifts
    says = later("no deal has more than {longest} events, regroupings aside", longest=longest)
    if within is None or longest <= within:
        return Result("proved", says, longest, work=work)
    play = passed_through(game, within)
    if play is None:
        says = later("{bound}; whether one has more than {within} is open", bound=says, within=within)
        return Result("undecided", says, 0, work=work)
    says = later(
        "a deal of {events} events is possible, more than the {within} that are stated",
        events=len(play.events),
        within=within,
    )
    return Result("refuted", says, None, play.position(), work=work)


def _longest(game: Game) -> tuple[int, int, _Count | None]:
    """Events of the longest way, counts looked at, and a count that leads back to itself if there is one."""
    flow, program = game.flow, game.engine.program
    left = game.engine.pack.size - program.dealt * program.players - program.starter
    known: dict[_Count, int] = {}
    open_: set[_Count] = set()
    best = 0
    for at in sorted(flow.start(Counts(left))):
        start = _Count(at, left, program.dealt * program.players)
        stack = [(start, _after(game, start))]
        open_.add(start)
        while stack:
            if len(known) > COUNTS:
                raise TooMany(
                    later("the stock and the hands are too large for every way through a deal to be followed")
                )
            here, after = stack[-1]
            fresh = next((x for x in after if x not in known), None)
            if fresh is None:
                stack.pop()
                open_.discard(here)
                known[here] = max((1 + known[x] for x in after), default=0)
                known[here] = max(known[here], 1 if game.melds_at(here.at, here.stock) else 0)
            elif fresh in open_:
                return 0, len(known), fresh
            else:
                open_.add(fresh)
                stack.append((fresh, _after(game, fresh)))
        best = max(best, known[start])
    return best, len(known), None


def _after(game: Game, here: _Count) -> list[_Count]:
    found: dict[_Count, None] = {}
    for move in game.moves(here.at, here.stock):
        stock, held = here.stock, here.held
        if move.verb == "turn":
            stock -= 1
        elif move.verb == "discard":
            held -= 1
        if stock < 0 or held < 0:
            continue
        for at in game.entered(move.then, stock):
            found[_Count(at, stock, held)] = None
    return list(found)
