"""A match deal by deal: who deals, how the deal is judged, what it brings.

Guarantees: only deals that are judged valid, or recorded as broken off, can move units and count. A deal
that is invalid, unfinished or unreadable is as if it had not been played, but for the deal, which goes round as the
rules say. Deals after the match's goal are judged, and bring nothing. With `as_played` a deal in which illegal acts
stood ends, counts and passes the deal on as it was played; how it is judged is the same.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from itertools import islice
from typing import NamedTuple

from msgspec.structs import replace

from conquian.engine.engine import Engine
from conquian.ledger import Entry, Ledger, Melds
from conquian.referee import Outcome, dealers, first_dealer, judge_deal
from conquian.transcript.model import Deal, Game, Match


class Dealt(NamedTuple):
    """A deal of a match.

    `dealer` and `next_dealer` are seats, `outcome` is None if the deal cannot be read, `entry` None if it does not
    count; `over` says that the match was over before it. `stood` is how an invalid deal ended as it was played, where
    that was asked for and can be said. `ledger` stands as the deal leaves it, and moves on with the next.
    """

    dealer: int
    next_dealer: int
    outcome: Outcome | None
    entry: Entry | None
    over: bool
    ledger: Ledger
    stood: Outcome | None = None


def dealer_of(engine: Engine, game: Game, index: int, unreadable: Collection[int] = ()) -> str:
    """The dealer of a deal by its index, as the deals before it leave it."""
    if not index:
        return game.players[first_dealer(game)]
    before = next(islice(deals_of(engine, game, unreadable, game.match), index - 1, None))
    return game.players[before.next_dealer]


def deals_of(
    engine: Engine, game: Game, unreadable: Collection[int], match: Match | None, as_played: bool = False
) -> Iterator[Dealt]:
    """Every deal of a game in turn; `unreadable` are the indices of those not to be judged."""
    turn = dealers(engine, game)
    dealer = next(turn)
    ledger = Ledger(engine, match)
    for index, deal in enumerate(game.deals):
        over = ledger.over
        outcome = entry = stood = None
        if index not in unreadable:
            first = (dealer + 1) % len(game.players)
            outcome = judge_deal(engine, game.players, deal, first)
            find = _winning(engine, game, deal, first, outcome)
            if as_played and outcome.refusal is not None:
                from conquian.stood import ended_as_played

                stood, find = ended_as_played(engine, game.players, deal, first)
            counted = outcome if stood is None else stood
            if (counted.kind == "valid" or counted.ended == "broken-off") and not over:
                entry = ledger.enter(counted.winner, find, counted.ended)
        then = turn.send(outcome if stood is None else stood)
        yield Dealt(dealer, then, outcome, entry, over, ledger, stood)
        dealer = then


def _winning(
    engine: Engine, game: Game, deal: Deal, first: int, outcome: Outcome
) -> Callable[[], tuple[Melds, Melds]] | None:
    """How to find the winner's melds before and after the act that won: the last event of the deal, or a concession,
    which leaves them as they were."""
    winner = outcome.winner
    if winner is None:
        return None

    def find() -> tuple[Melds, Melds]:
        shorter = replace(deal, events=deal.events[:-1], claim=None)
        before = judge_deal(engine, game.players, shorter, first).states[0]
        after = outcome.states[0]
        return engine.placed(before.tables[winner]), engine.placed(after.tables[winner])

    return find
