"""Random games use the whole of the rules: they are won, drawn, full of demands and of borrowed cards.

The bars are those that a thousand games a set pass with room to spare; here there are fewer, of one seed.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from conquian import load, replay
from conquian.engine.sets import rule_sets
from conquian.generate import games
from conquian.position import Rules, Table
from conquian.transcript.model import Game

from .both import LONG

GAMES = 40 * LONG


def borrows(before: Table, after: Table) -> bool:
    """Whether some meld that lay there is whole in no meld any more."""
    return any(not any(Counter(meld) <= Counter(other) for other in after) for meld in before)


def borrowed(rules: Rules, game: Game) -> bool:
    positions = list(replay(rules, game.players, game.deals[0], game.dealer))
    for (position, event), (after, _) in pairwise(positions):
        if event is not None and event[1] in ("melds", "arranges"):
            name = str(event[0])
            if borrows(position.table(name), after.table(name)):
                return True
    return False


@pytest.mark.parametrize("rules", rule_sets())
def test_a_tenth_are_won_a_tenth_drawn_a_tenth_hold_a_demand_and_a_twentieth_a_borrowed_card(
    rules: str,
) -> None:
    ruled = load(rules)
    met: Counter[str] = Counter()
    for game in games(ruled.engine, GAMES, 2026):
        (deal,) = game.deals
        assert deal.claim is not None
        met["drawn" if deal.claim.drawn else "won"] += 1
        met["demand"] += any(event[1] == "forces" for event in deal.events)
        met["borrowed"] += borrowed(ruled, game)
    assert met["won"] * 10 >= GAMES and met["drawn"] * 10 >= GAMES
    if ruled.readings["force-timing"] == "none":
        assert met["demand"] == 0
    else:
        assert met["demand"] * 10 >= GAMES
    assert met["borrowed"] * 20 >= GAMES
