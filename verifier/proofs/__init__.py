"""What rule sets ask to have proved of themselves (`prove` items), proved, refuted by a position, or left open.

under, flow, tally        conditions under readings; the order of play and the counts of cards, for all deals at once
game, board, cases        one rule set under readings; a table that is left open; acts found on it
standing                  how many cards hand and table of the player to act can have: no refutation has others
plan, idle, dead_ends     plays made to order in the engine; positions laid out in which nothing is legal
kept, going_on, met, goal, matter, agree, ending   one prover each
"""

from __future__ import annotations

from typing import assert_never

from conquian.language import obligations as o
from conquian.language.rules import Obligation
from conquian.tongue import later
from conquian.verifier.limits import Disagreement
from conquian.verifier.proofs.agree import agreeing
from conquian.verifier.proofs.ending import ending
from conquian.verifier.proofs.flow import TooMany
from conquian.verifier.proofs.game import Game
from conquian.verifier.proofs.goal import never_passed, reached
from conquian.verifier.proofs.going_on import going_on
from conquian.verifier.proofs.kept import kept
from conquian.verifier.proofs.matter import mattering
from conquian.verifier.proofs.met import met
from conquian.verifier.proofs.result import Query, Result


def prove(game: Game, obligation: Obligation) -> Result:
    """The answer to one obligation of a rule set under the game's readings."""
    try:
        return _answer(game, obligation.claim)
    except TooMany as many:
        return Result("undecided", many.said, 0)
    except Disagreement as problem:
        # What the two machines see differently is neither proved nor refuted; it must not hide the other answers.
        says = later(
            "engine and solver judge a case differently, which is an error of the program: {problem}",
            problem=str(problem),
        )
        return Result("undecided", says, 0)


def _answer(game: Game, claim: o.Claim) -> Result:
    match claim:
        case o.Kept():
            return kept(game)
        case o.GoingOn():
            return going_on(game)
        case o.Met():
            return met(game)
        case o.Reached():
            return reached(game)
        case o.NeverPassed():
            return never_passed(game)
        case o.Mattering():
            return mattering(game)
        case o.Agreeing():
            return agreeing(game)
        case o.Ending(within):
            return ending(game, within)
        case _:
            assert_never(claim)


__all__ = ["Game", "Query", "Result", "prove"]
