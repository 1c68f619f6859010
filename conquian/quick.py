"""Games judged the fast way: whole games in which everything can be read and nothing is illegal.

What is not certain here is looked at again by the referee, slowly; nothing is ever refused here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from conquian.engine.coded import GIVE, Code, encoded
from conquian.engine.deals import Setup, first_states, seats_of
from conquian.engine.engine import Engine
from conquian.engine.facts import closed
from conquian.engine.plain_deals import plain_state
from conquian.engine.play import Played, run
from conquian.engine.residues import asks
from conquian.engine.state import State
from conquian.transcript.jsonform import events_of
from conquian.transcript.model import Claim, QuickDeal, QuickGame, Record

Kind = Literal["valid", "invalid", "unfinished"]


class Judged:
    """A deal without violation, as the fast way judges it: how it ended, what `run` noticed, its last state."""

    __slots__ = ("drawn", "kind", "played", "state", "winner")

    def __init__(self, kind: Kind, winner: int | None, drawn: bool, played: Played, state: State) -> None:
        self.kind: Kind = kind
        self.winner = winner
        self.drawn = drawn
        self.played = played
        self.state = state


def quick(engine: Engine, game: QuickGame) -> list[Judged] | None:
    """How the deals of a game ended in which everything can be read and nothing is illegal; None otherwise.

    The fast way for streams: what it does not give has to be looked at again, slowly.
    """
    players = game.players
    seats = seats_of(players)
    if len(seats) < len(players) or game.match is not None:
        return None
    dealer_stays = engine.functions["dealer_stays"]
    found = []
    number = 0
    try:
        seat = seats[game.dealer] if game.dealer is not None else len(players) - 1
        for deal in game.deals:
            # Comments, cuts and counts need a closer look at their shape, hands of strangers too.
            if deal.number <= number or deal.comments or deal.cut or deal.hand_sizes:
                return None
            if deal.hands is not None and not seats.keys() >= deal.hands.keys():
                return None
            number = deal.number
            state = _first_state(engine, players, deal, (seat + 1) % len(players))
            if state is None:
                return None
            codes = _codes(engine, deal, players, seats)
            judged = _judged(engine, state, codes, deal.claim, seats)
            if judged is None:
                return None
            found.append(judged)
            if not dealer_stays(False, judged.drawn):
                seat = (seat + 1) % len(players)
    except (KeyError, ValueError, TypeError, IndexError, AttributeError):
        return None
    return found


def _judged(
    engine: Engine, state: State, codes: Sequence[Code], claim: Claim | None, seats: Mapping[str, int]
) -> Judged | None:
    if engine.program.exchange[0] and any(code[0] == GIVE and code[2] == "?" for code in codes):
        return None
    if asks(engine, (state,)):
        return None
    played = run(engine, state, codes)
    if not played.all:
        return None
    winner = state.winner
    drawn = winner is None and closed(engine, state, state.at) == engine.flow.drawn
    if claim is not None and not claim_holds(engine, claim, seats, winner, drawn):
        return None
    return Judged("valid" if drawn or winner is not None else "unfinished", winner, drawn, played, state)


def judged_codes(
    engine: Engine,
    hands: Sequence[Sequence[str]],
    starter: str | None,
    first: int,
    codes: Sequence[Code],
    claim: Claim | None,
    seats: Mapping[str, int],
) -> Judged | None:
    """How a completely recorded deal ended in which nothing is illegal; None if that is not certain."""
    state = plain_state(engine, hands, starter, first)
    return None if state is None else _judged(engine, state, codes, claim, seats)


def _first_state(engine: Engine, players: Sequence[str], deal: Record, first: int) -> State | None:
    """The state that a deal begins from, None if there is none or more than one."""
    if deal.hands is not None and deal.deck is None and deal.stock is None:
        plain = plain_state(engine, [deal.hands.get(name) for name in players], deal.starter, first)
        if plain is not None:
            return plain
    states = first_states(engine, setup_of(players, deal, first))
    return states[0] if isinstance(states, list) and len(states) == 1 else None


def claim_holds(
    engine: Engine, claim: Claim | None, seats: Mapping[str, int], winner: int | None, drawn: bool
) -> bool:
    """Whether the result is what the recorder claims; ValueError for a claim of two things or none.

    A deal that has a result was not broken off; whether it has none is not asked here.
    """
    if claim is None:
        return True
    if (claim.drawn is True) + (claim.winner is not None) + (claim.broken_off is True) != 1:
        raise ValueError("a claim is a winner's name, `drawn` or `broken_off`")
    if claim.broken_off:
        return False
    if claim.winner is None:
        return drawn
    return winner is not None and engine.team_of[winner] == engine.team_of[seats[claim.winner]]


def _codes(engine: Engine, deal: QuickDeal, players: Sequence[str], seats: Mapping[str, int]) -> list[Code]:
    """The coded events of a deal that keeps them as JSON; ValueError and the like if they have faults."""
    raw = bytes(deal.events)
    codes = engine.chunks.codes(raw, tuple(players))
    if codes is None:
        pack = engine.pack
        codes = [encoded(pack, event, seats) for event in events_of(raw)]
    return codes


def setup_of(players: Sequence[str], deal: Record, first: int) -> Setup:
    hands, sizes = deal.hands or {}, deal.hand_sizes or {}
    return Setup(
        len(players),
        [hands.get(name) for name in players],
        [sizes.get(name) for name in players],
        deal.deck,
        deal.stock,
        deal.starter,
        first,
        tuple((deal.cut or {}).values()),
    )
