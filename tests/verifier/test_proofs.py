"""`spec check`: claims proved and refuted; every refutation lies on the table and is played again here."""

from __future__ import annotations

import os
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from conquian.engine.search import stuck
from conquian.engine.sets import rule_sets
from conquian.language import obligations as o
from conquian.position import Position, Rules
from conquian.verifier.checker import meld_table
from conquian.verifier.proofs import Game, Result, prove
from conquian.verifier.proofs.goal import never_passed
from conquian.verifier.proofs.matter import Looking

from .proving import answer, extending, shipped

FULL = bool(os.environ.get("CONQUIAN_FULL"))
SETS = rule_sets() if FULL else ["twice-around", "two-deck"]
UNDECIDED = Path(__file__).parents[2] / "docs" / "undecided.md"


def laid(game: Game, result: Result) -> tuple[Position, tuple[Any, ...]]:
    """The position of a result on the table, and its event."""
    assert result.position is not None
    found = dict(result.position)
    event = found.pop("event")
    return Rules(game.engine).position(**found), tuple(event)


@pytest.mark.parametrize("name", SETS)
def test_every_claim_of_a_shipped_set_is_proved_but_for_those_that_the_page_lists(name: str) -> None:
    game = shipped(name)
    found = {one.name: prove(game, one) for one in game.rules.obligations}
    assert "refuted" not in {result.status for result in found.values()}
    rows = re.findall(r"^\| ([\w-]+) \| ([\w-]+) \| (\d+) \|", UNDECIDED.read_text(encoding="utf-8"), re.M)
    listed = {claim: int(cards) for rules, claim, cards in rows if rules == name}
    assert {k: r.bound for k, r in found.items() if r.status == "undecided"} == listed
    assert all(cards >= 11 for cards in listed.values())


# ---- the goal


def test_twice_around_with_discards_never_reaches_fifteen() -> None:
    game = shipped("twice-around", discard_after_meld="yes")
    result = answer(game, o.Reached())
    assert result.status == "refuted"
    here, event = laid(game, result)
    after = here.apply(event)
    # Thirteen dealt and one on offer: all of them lie, and the fifteenth never comes.
    assert sum(map(len, after.table("me"))) == 14 and after.phase != "won"
    assert {clause.name for clause in result.clauses} >= {"goal", "dealing", "laying"}


def test_twice_around_with_discards_is_stuck_on_a_due_discard_once_fourteen_lie() -> None:
    game = shipped("twice-around", discard_after_meld="yes")
    result = answer(game, o.GoingOn())
    assert result.status == "refuted"
    here, event = laid(game, result)
    after = here.apply(event)
    assert after.phase == "discard" and after.hand("me") == ((), 0)
    assert stuck(game.engine, after.state)


def test_without_discards_a_goal_of_eleven_can_be_passed() -> None:
    game = shipped("swedish", discard_after_meld="no")
    result = answer(game, o.NeverPassed())
    assert result.status == "refuted"
    here, event = laid(game, result)
    after = here.apply(event)
    assert sum(map(len, here.table("me"))) < 11 < sum(map(len, after.table("me")))
    assert after.phase not in ("won", "drawn")


def test_a_goal_is_passed_without_discards_in_packs_with_copies_too() -> None:
    game = shipped("two-deck")
    result = never_passed(game)
    assert result.status == "refuted"
    here, event = laid(game, result)
    assert sum(map(len, here.apply(event).table("me"))) > 15


def test_at_least_the_goal_cannot_be_passed() -> None:
    assert (
        answer(shipped("swedish", discard_after_meld="no", goal="at-least"), o.NeverPassed()).status
        == "proved"
    )


# ---- demands


def divisions(cards: Counter[str], melds: Sequence[tuple[str, ...]]) -> Iterator[list[tuple[str, ...]]]:
    """Every way to divide cards into melds, by taking the first card in each meld that has it."""
    if not cards:
        yield []
        return
    first = min(cards)
    for meld in melds:
        if first in meld and Counter(meld) <= cards:
            for rest in divisions(cards - Counter(meld), melds):
                yield [meld, *rest]


def no_meld_is_legal(here: Position, position: Mapping[str, Any]) -> bool:
    """By brute force: no hand cards, or any of them, laid with the table and the card on offer in any way."""
    rules = here.rules
    melds = sorted(meld_table(rules.engine.program, rules.readings))
    table = [card for meld in position["table"] for card in meld]
    hand = list(position["hand"])
    tried = 0
    for mask in range(1 << len(hand)):
        used = [card for i, card in enumerate(hand) if mask >> i & 1]
        for layout in divisions(Counter([*table, position["up"], *used]), melds):
            tried += 1
            if here.can(("me", "melds", tuple(layout))):
                return False
    return tried > 0


def test_a_table_laid_out_anew_and_no_borrowing_from_three_leave_a_forced_player_without_an_answer() -> None:
    game = shipped("coonking", force_scope="rearrangement")
    result = answer(game, o.Met())
    assert result.status == "refuted" and result.position is not None
    here, event = laid(game, result)
    forced = here.apply(event)
    assert stuck(game.engine, forced.state)
    assert no_meld_is_legal(forced, result.position)
    assert answer(game, o.GoingOn()).position == result.position


def test_the_tables_of_two_three_four_in_three_suits_with_the_four_of_the_fourth_on_offer() -> None:
    game = shipped("coonking", force_scope="rearrangement")
    position = {
        "up": "4c",
        "table": [["2d", "3d", "4d"], ["2h", "3h", "4h"], ["2s", "3s", "4s"]],
        "hand": ["9c"],
    }
    forced = Rules(game.engine).position(**position, declined=True).apply(("opponent", "forces"))  # type: ignore[arg-type]
    assert no_meld_is_legal(forced, position)


@pytest.mark.parametrize("name", ["swedish", "paco"])
def test_a_demand_for_a_card_that_fits_can_be_met_by_laying_it_there(name: str) -> None:
    assert answer(shipped(name), o.Met()).status == "proved"


def test_a_clause_that_forbids_laying_a_card_where_it_fits_refutes_that_demands_can_be_met() -> None:
    text = """clause short-runs "No run grows beyond three."
  cite club.runs
  code house.short-runs
  player may not meld when some n in after: run(n) and size(n) > 3
"""
    game = extending("swedish", text)
    result = answer(game, o.Met())
    assert result.status == "refuted" and result.position is not None
    here, event = laid(game, result)
    assert no_meld_is_legal(here.apply(event), result.position)


# ---- discards


FITTING = """clause fitting "A card that fits the player's own melds is never thrown."
  cite club.discards
  code house.fitting
  player may not discard
    when some m in before: valid(m + thrown)
"""
UNLESS = """clause fitting "A card that fits the player's own melds is thrown only when every hand card fits them."
  cite club.discards
  code house.fitting
  player may not discard
    when (some m in before: valid(m + thrown))
      and some c in hand without thrown: no m in before: valid(m + c)
"""


def test_a_hand_of_which_no_card_may_be_thrown_is_a_dead_end() -> None:
    game = extending("classic", FITTING)
    result = answer(game, o.GoingOn())
    assert result.status == "refuted" and [clause.name for clause in result.clauses] == ["fitting"]
    here, event = laid(game, result)
    after = here.apply(event)
    hand, unknown = after.hand("me")
    assert after.phase == "discard" and hand and not unknown
    assert not any(after.can(("me", "discards", card)) for card in hand)


def test_a_prohibition_that_gives_way_when_no_other_card_is_left_is_no_dead_end() -> None:
    assert answer(extending("classic", UNLESS), o.GoingOn()).status == "proved"


# ---- clauses


SMALL = """override clause pack "Twenty-eight cards."
  cite club.pack
  deck A 2 3 4 5 6 7 of clubs diamonds hearts spades

override clause order "From the ace to the seven."
  cite club.pack
  order A 2 3 4 5 6 7

"""


@pytest.mark.parametrize(
    ("body", "matters"),
    [
        ("code house.x player may not meld when size(used) > 10", "no"),
        ("code house.x player may not meld when size(used) > 8", "yes"),
        ("code house.x player may not meld when some n in after: size(n) = 2", "no"),
        ("code house.x player may not meld when no n in after: up in n", "no"),
        ("code house.x player may not meld when no n in after: up in n and size(n) >= 4", "yes"),
        ("opponent may not force when own and starter", "no"),
        ("opponent may not force when own", "yes"),
        ("code house.x player may not discard when some m in before: valid(m + thrown)", "yes"),
        ("opponent may force in declined when fits and own and not force-timing is none", "no"),
        ("opponent may force in declined when own", "yes"),
    ],
)
def test_a_clause_matters_if_it_alone_decides_something(body: str, matters: str) -> None:
    game = extending("classic", f'{SMALL}clause x "X." cite club.x {body}\n')
    assert Looking(game).judge(game.rules.clauses[-1]) == matters


def test_a_clause_that_decides_nothing_is_told_by_its_name() -> None:
    text = 'clause x "X." cite club.x code house.x player may not meld when no n in after: up in n\n'
    result = answer(extending("classic", SMALL + text), o.Mattering())
    assert result.status == "refuted" and [clause.name for clause in result.clauses] == ["use-offer", "x"]


def test_a_meld_that_another_shape_has_already_and_a_phase_that_play_never_comes_to() -> None:
    text = """clause pairs "A run of four."
  cite club.melds
  meld four(g) when same_suit(g) and consecutive(g) and size(g) = 4

clause never "Nothing happens when the card is the player's own and the starter."
  cite club.flow
  phase turn:
    at once drawn when own and starter
"""
    looking = Looking(extending("classic", text))
    assert [looking.judge(clause) for clause in looking.game.rules.clauses[-2:]] == ["no", "no"]


def test_a_permission_that_a_prohibition_takes_away_is_a_contradiction() -> None:
    text = 'clause nobody "Nobody demands." cite club.force opponent may not force\n'
    result = answer(extending("coonking", text), o.Agreeing())
    assert result.status == "refuted"
    assert [clause.name for clause in result.clauses] == ["nobody", "demand"]


def test_a_prohibition_of_every_meld_contradicts_the_order_of_play() -> None:
    text = 'clause none "Nobody melds." cite club.melds code house.none player may not meld when size(laid) > 0\n'
    result = answer(extending("classic", text), o.Agreeing())
    assert result.status == "refuted" and [clause.name for clause in result.clauses] == ["none"]


# ---- the end of play


def test_play_that_hands_the_card_on_for_ever_does_not_end() -> None:
    text = """override clause declining "A card that is passed is offered on."
  cite club.flow
  phase declined:
    opponent forces then forced
    otherwise offer to next
"""
    result = answer(extending("swedish", text), o.Ending(None))
    assert result.status == "refuted" and [clause.name for clause in result.clauses] == ["declining"]


# ---- answers


def test_a_solver_that_gives_up_leaves_a_claim_undecided() -> None:
    game = extending("twice-around", "", budget=1)
    for claim in (o.Kept(), o.Agreeing()):
        assert answer(game, claim).status == "undecided"


def test_an_answer_is_the_same_whatever_was_asked_before() -> None:
    first = answer(shipped("twice-around", discard_after_meld="yes"), o.GoingOn())
    game = shipped("twice-around", discard_after_meld="yes")
    answer(game, o.Agreeing())
    again = answer(game, o.GoingOn())
    assert (first.says, first.position, first.work) == (again.says, again.position, again.work)


def test_rules_with_more_moments_than_can_be_looked_at_stay_undecided(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys.modules["conquian.verifier.proofs.tally"], "STEPS", 10)
    monkeypatch.setattr(sys.modules["conquian.verifier.proofs.ending"], "COUNTS", 10)
    game = shipped("swedish")
    for claim in (o.GoingOn(), o.Reached(), o.Ending(None)):
        assert answer(game, claim).status == "undecided"


def test_a_deal_longer_than_is_stated_refutes_that_play_ends_so_soon() -> None:
    # Nobody ever melds: each of the 20 stock cards is turned and passed twice.
    result = answer(
        extending("swedish", "override prove ending: play ends within 59 events\n"), o.Ending(None)
    )
    assert result.status == "refuted"
    assert (
        answer(
            extending("swedish", "override prove ending: play ends within 142 events\n"), o.Ending(None)
        ).status
        == "proved"
    )
