"""Proofs that ask how many cards there are: nothing is refuted or proved by numbers that no deal has."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from conquian.language import clauses as c
from conquian.language import obligations as o
from conquian.language.checking import check_files
from conquian.position import Rules
from conquian.verifier.limits import Disagreement
from conquian.verifier.proofs import Game, Result
from conquian.verifier.proofs.matter import Looking
from conquian.verifier.proofs.report import answers
from tests.verifier.proving import answer, extending, shipped

HOUSE = 'clause house "A rule of the house." cite club.a code house.rule '


def house(body: str) -> Game:
    return extending("swedish", f"{HOUSE}{body}\n")


def own_cards(result: Result) -> int:
    """Cards in the hand and on the table of the position, before its event."""
    assert result.position is not None
    return len(result.position["hand"]) + sum(map(len, result.position["table"]))


@pytest.mark.parametrize(
    ("body", "matters"),
    [
        ("player may not meld when size(hand) < 2", "yes"),
        ("player may not meld when size(hand) > 20", "no"),
        ("player may not meld when size(hand) >= 11", "no"),
        ("player may not discard when size(hand) < 4 and size(cards(before)) <= 3", "no"),
    ],
)
def test_a_clause_on_the_size_of_the_hand_matters_if_some_deal_has_that_size(body: str, matters: str) -> None:
    game = house(body)
    assert Looking(game).judge(game.rules.clauses[-1]) == matters


def test_whole_melds_decides_something_where_two_of_a_rank_are_a_meld() -> None:
    game = extending(
        "swedish",
        'clause pairs "Two of a rank." cite club.pair meld pair(g) when same_rank(g) and size(g) = 2\n',
    )
    whole = next(x for x in game.rules.clauses if x.name == "whole-melds")
    assert Looking(game).judge(whole) == "yes"


def test_a_demand_is_refuted_by_a_position_with_the_ten_cards_that_every_deal_leaves() -> None:
    result = answer(house("player may not meld when size(hand) < 2"), o.Met())
    assert result.status == "refuted" and own_cards(result) == 10


def test_a_demand_can_be_met_where_the_forbidden_hand_is_larger_than_any() -> None:
    assert answer(house("player may not meld when size(hand) >= 11"), o.Met()).status == "proved"


def test_the_numbers_of_a_deal_are_ten_between_turns_and_the_hand_is_never_three_beside_an_empty_table() -> (
    None
):
    standings = shipped("swedish").standings
    assert {hand + table for _, hand, table in standings.phases["offer"]} == {10}
    assert not standings.has("offer", 3, 0) and standings.has("offer", 7, 3)
    assert {hand + table for _, hand, table in standings.phases["discard"]} == {11}


@pytest.mark.parametrize(
    "body",
    [
        "player may not pass",
        "player may not pass when size(stock) = 0",
        "player may not turn when size(stock) = 1",
        "player may not pass in offer when own and before is empty and size(stock) >= 18",
    ],
)
def test_a_pass_or_turn_that_is_forbidden_with_no_meld_possible_is_a_dead_end(body: str) -> None:
    game = house(body)
    result = answer(game, o.GoingOn())
    assert result.status == "refuted" and own_cards(result) == 10
    assert [clause.name for clause in result.clauses] == ["house"]
    assert result.position is not None
    event = result.position.pop("event", None)
    here = Rules(game.engine).position(**result.position)
    here = here if event is None else here.apply(tuple(event))
    assert (
        here.legal_melds() == () and not here.can(("me", "passes")) and not here.can(("opponent", "forces"))
    )
    assert here.holder == "me" and not any(
        here.can(("me", "turns", card))
        for card in game.engine.pack.cards
        if card not in result.position["hand"]
    )


def test_a_hand_that_cannot_fit_one_meld_with_all_its_cards_is_no_dead_end() -> None:
    # Three on the table leave seven in the hand after a discard, and at most five fit a run of three.
    body = "player may not discard when size(cards(before)) <= 3 and every c in hand: some m in before: valid(m + c)"
    assert answer(house(body), o.GoingOn()).status == "proved"


def test_a_dead_end_on_a_discard_has_as_many_cards_as_were_dealt() -> None:
    result = answer(house("player may not discard when some m in before: valid(m + thrown)"), o.GoingOn())
    assert result.status == "refuted" and own_cards(result) == 10


# ---- the goal


@pytest.mark.parametrize(
    "text",
    [
        'override clause dealing "Nineteen." cite club.d deal 19 in packets of 1\n'
        'override clause goal "Twenty." cite club.g goal 20\n',
        f"{HOUSE}player may not pass in offer when own and before is empty and size(stock) >= 18\n",
    ],
)
def test_a_goal_that_one_act_reaches_is_reached(text: str) -> None:
    game = extending("swedish", text)
    result = answer(game, o.Reached())
    assert result.status == "proved" and result.position is not None
    event = result.position.pop("event")
    assert Rules(game.engine).position(**result.position).apply(tuple(event)).phase == "won"


def test_a_win_that_asks_for_what_cannot_be_is_never_reached_and_decides_nothing() -> None:
    text = (
        'override clause winning "No." cite club.a player wins when before is empty and before is not empty\n'
    )
    game = extending("swedish", text)
    result = answer(game, o.Reached())
    assert result.status == "refuted" and [clause.name for clause in result.clauses] == ["winning"]
    winning = next(x for x in game.rules.clauses if x.name == "winning")
    assert Looking(game).judge(winning) == "no"


def test_a_goal_is_never_reached_where_nobody_may_meld() -> None:
    result = answer(house("player may not meld"), o.Reached())
    assert result.status == "refuted" and [clause.name for clause in result.clauses] == ["winning", "house"]


@pytest.mark.parametrize("goal", [2, 5, 10])
def test_tables_that_pass_the_goal_are_counted_up_to_the_last_hand_card(goal: int) -> None:
    game = extending("swedish", f'override clause goal "Less." cite club.g goal {goal}\n')
    # Ten dealt and one on offer can all lie; the discard that is due then has no card.
    assert max(one.largest for one in game.tallies) == 11
    assert "never holds more" not in answer(game, o.Reached()).says
    assert answer(game, o.GoingOn()).status == "refuted"


# ---- answers and findings


@pytest.mark.parametrize("name", ["swedish", "classic"])
def test_a_demand_that_the_table_laid_out_anew_allows_contradicts_nothing(name: str) -> None:
    assert answer(shipped(name, force_scope="rearrangement"), o.Agreeing()).status == "proved"


def test_a_finding_points_at_the_clause_of_the_file_without_which_the_claim_holds() -> None:
    game = house("player may not meld when some m in before: some n in after: m within n and up in n")
    found = answers(game.rules, game.engine, code="CQ602").problems
    assert [(problem.code, problem.span.line) for problem in found] == [("CQ602", 5)]


def test_a_budget_of_one_step_leaves_claims_undecided_and_looks_at_few_tables() -> None:
    game = extending("twice-around", "", budget=1)
    result = answer(game, o.Met())
    assert result.status == "undecided" and result.bound == 3
    looking = Looking(extending("twice-around", "", budget=1))
    assert {looking.judge(x) for x, _ in looking.game.rules.bodies(c.Modal)} == {"open"}
    assert len(looking.boards) == 1


@pytest.mark.parametrize("data", [b"", b"\0"])
def test_a_rule_file_without_rules_is_a_syntax_error(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "mine.rules"
    path.write_bytes(data)
    assert check_files([str(path)]).status == 2


def test_a_contradiction_is_shown_by_a_position_with_the_cards_of_a_deal() -> None:
    result = answer(house("player may not meld"), o.Agreeing())
    assert result.status == "refuted" and own_cards(result) == 10


def test_a_case_that_engine_and_solver_judge_differently_leaves_one_claim_undecided(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def differs(game: Game) -> Result:
        raise Disagreement("a case")

    monkeypatch.setattr(sys.modules["conquian.verifier.proofs"], "mattering", differs)
    result = answer(shipped("swedish"), o.Mattering())
    assert result.status == "undecided" and "an error of the program: a case" in result.says
