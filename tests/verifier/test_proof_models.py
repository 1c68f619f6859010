"""The models that proofs rest on hold for what the engine does; their questions stand by themselves."""

from __future__ import annotations

import os
from itertools import product
from typing import Any

import pytest
import z3  # type: ignore[import-untyped]

from conquian.engine.deals import Setup, first_states
from conquian.engine.facts import closed, held
from conquian.engine.flow import REFUSED, Facts
from conquian.engine.play import play
from conquian.engine.search import can_meld, stuck
from conquian.engine.sets import rule_sets
from conquian.generate import games
from conquian.language import clauses as c
from conquian.language import formula as f
from conquian.language import obligations as o
from conquian.verifier.proofs import Game
from conquian.verifier.proofs.ending import ending
from conquian.verifier.proofs.flow import DRAWN, Counts, Moment
from conquian.verifier.proofs.met import witnesses
from conquian.verifier.proofs.tally import Count
from conquian.verifier.solver import Solver

from .proving import answer, shipped

GAMES = 40 if os.environ.get("CONQUIAN_FULL") else 6


def moment(game: Game, at: int) -> Moment | None:
    """A state of the engine as the model has it."""
    flow = game.engine.flow
    phase = flow.phase(at)
    if phase is None:
        return DRAWN if at == flow.drawn else None
    origins: tuple[c.Origin, ...] = ("own", "given", "starter")
    return Moment(phase.name, flow.seat(at), origins[at % 3])


@pytest.mark.parametrize("name", rule_sets())
def test_the_order_of_play_is_the_engine_s(name: str) -> None:
    for readings in (
        {},
        {"discard_after_meld": "no"},
        {"exhaustion": "immediate", "force_timing": "on-offer"},
    ):
        game = shipped(name, **readings)
        engine, flow = game.engine, game.engine.flow
        takes_demands = {phase.name for phase in flow.phases if any(x.verb == "force" for x in phase.lines)}
        verbs: tuple[Any, ...] = ("turn", "meld", "pass", "discard", "force")
        for at, stock, verb, actor in product(range(flow.won), (0, 1, 2), verbs, range(engine.seats)):
            here = moment(game, at)
            assert here is not None
            if (verb == "turn" and not stock) or (verb == "force" and takes_demands - game.flow.demands):
                continue
            after = stock - 1 if verb == "turn" else stock
            reached = engine.take(at, verb, actor, 0, Facts(stock, after, 1))
            team = engine.team_of
            moves = [
                move
                for move in game.flow.moves(here, Counts(stock))
                if move.verb == verb
                and (actor == move.at.seat if move.by_player else team[actor] != team[move.at.seat])
            ]
            then = {x for move in moves for x in game.flow.enter(move.then, Counts(after))}
            if reached == REFUSED:
                assert not any(move.sure for move in moves)
            else:
                assert moment(game, reached) in then


@pytest.mark.parametrize("name", rule_sets())
def test_what_games_come_to_is_among_what_was_counted_and_proved(name: str) -> None:
    game = shipped(name)
    engine, pack = game.engine, game.engine.pack
    longest = ending(game, None).bound
    assert longest is not None
    many = game.flow.stock_asked + 1
    for sample in games(engine, GAMES, seed=7):
        deal = sample.deals[0]
        assert deal.hands is not None
        names = {player: i for i, player in enumerate(sample.players)}
        hands = [list(deal.hands[player] or ()) for player in sample.players]
        setup = Setup(engine.seats, hands, [None] * engine.seats, None, None, deal.starter, 0)
        states = first_states(engine, setup)
        assert isinstance(states, list)
        state = states[0]
        assert sum(event[1] != "arranges" for event in deal.events) <= longest
        for event in deal.events:
            assert play(engine, state, [event], names).legal
            assert not stuck(engine, state)
            here = moment(game, state.at)
            if event[1] == "forces":
                assert can_meld(engine, state)
            if here is None or here == DRAWN:
                continue
            for seat, one in enumerate(game.tallies):
                table = min(sum(pack.count(meld) for meld in state.tables[seat]), one.most + 1)
                assert Count(here, min(state.stock, many), held(engine, state, seat), table) in one.counts
        assert closed(engine, state, state.at) in (engine.flow.won, engine.flow.drawn)


def test_the_longest_deal_of_twice_around_worked_by_hand() -> None:
    # 40 cards, 26 dealt and a starter leave a stock of 13. For each stock card: turned, passed, passed by the other,
    # demanded of him, melded. The starter: passed by both, demanded of the second, melded.
    assert ending(shipped("twice-around"), None).bound == 13 * 5 + 4


def test_no_demands_make_the_longest_deal_shorter() -> None:
    # Turned, passed and passed for each stock card, or melded instead; the starter passed by both.
    assert ending(shipped("twice-around", force_timing="none"), None).bound == 13 * 3 + 2


# ---- questions


def z3_says(text: str) -> str:
    solver = z3.Solver()
    solver.from_string(text.replace("(check-sat)", ""))
    return str(solver.check())


@pytest.mark.parametrize("claim", [o.Kept(), o.Met(), o.Agreeing()], ids=lambda claim: type(claim).__name__)
def test_each_question_can_be_asked_again_by_its_script_alone(claim: o.Claim) -> None:
    result = answer(shipped("twice-around"), claim)
    assert result.queries
    for query in result.queries:
        assert z3_says(query.script) == query.answer


def test_the_lemmas_on_single_cards_are_not_empty() -> None:
    result = answer(shipped("mexican"), o.Kept())
    assert len(result.queries) == 7
    for query in result.queries:
        # Without the last part, that the card is then in no place or in two, there are such events.
        assert Solver(query.circuits).can(query.facts[:-1]) is True


def test_how_many_melds_a_condition_needs() -> None:
    before, after = f.Melds("before"), f.Melds("after")
    up, m, n = f.CardsVar("up"), f.CardsVar("m"), f.CardsVar("n")
    some = f.Some("n", after, f.Within(up, n))
    assert witnesses(some) == 1 and witnesses(f.Not(some)) == 0
    each = f.Some("m", before, f.Not(f.Some("n", after, f.Within(m, n))))
    assert witnesses(each) == 1
    # For each meld another that has it: whole tables decide that.
    assert witnesses(f.Not(each)) is None
    assert witnesses(f.All((some, each))) == 2 and witnesses(f.Any_((some, each))) == 1
    assert witnesses(f.Compare(">", f.Size(f.CardsOf(before)), f.Number(5))) is None
