"""The rows of the rules on match and stakes, one test a sentence. Every ledger here is worked out by hand.

Pairs are Ana's and Ben's. Ben deals the first deal, so that Ana is first in it, Ben in the second, and so on.
"""

from __future__ import annotations

import pytest

from .telling import FAMILIES, ledger, noted, payments, scored, units, wins

DRAWN = "draw-settlement="
DOUBLE = "rummy-bonus=double"


def test_classic_each_player_antes_one_unit_per_deal_into_the_pot_and_the_winner_takes_it() -> None:
    # Ana wins: she pays 1, takes 2. Deal 2, Ben is first and wins, Ana being second.
    found = ledger("classic", "first first second")
    assert payments(found) == [(1, -1), (-1, 1), (-1, 1)]
    assert (units(found), wins(found), found.pot) == ((-1, 1), (1, 2), 0)
    assert [one.winner for one in found.deals] == ["Ana", "Ben", "Ben"]


def test_classic_a_drawn_deal_leaves_the_pot() -> None:
    # Two draws leave four units; with the antes of deal 3 there are six. Ana pays 1 and takes 6.
    found = ledger("classic", "drawn drawn first")
    assert payments(found) == [(-1, -1), (-1, -1), (5, -1)]
    assert (units(found), wins(found), found.pot) == ((3, -3), (1, 0), 0)
    assert ledger("classic", "drawn").pot == 2
    assert [one.winner for one in found.deals] == [None, None, "Ana"]


def test_classic_a_drawn_deal_gives_each_a_point_of_the_pot() -> None:
    # Each has put a unit in and gets one out; the next deal is for two units, not four.
    found = ledger("classic", "drawn first", f"{DRAWN}point-each")
    assert payments(found) == [(0, 0), (-1, 1)]
    assert (units(found), found.pot) == ((-1, 1), 0)


def test_classic_a_drawn_deal_is_played_again_for_the_same_pot() -> None:
    # Deal 1 leaves two units; deals 2 and 3 have no ante; Ana, first in all three, takes the two.
    found = ledger("classic", "drawn drawn first first", f"{DRAWN}replay")
    assert payments(found) == [(-1, -1), (0, 0), (2, 0), (-1, 1)]
    assert (units(found), found.pot) == ((0, 0), 0)
    # Ben dealt deals 1 to 3, Ana deal 4.
    assert found.dealer_next == "Ben"


def test_a_session_ends_at_so_many_wins_if_the_match_says_so() -> None:
    # Ana is first in deals 1 and 3 and wins both.
    found = ledger("classic", "first first first", head="match: wins=2")
    assert (wins(found), found.over) == ((2, 1), True)
    assert not ledger("classic", "first first", head="match: wins=2").over
    assert not ledger("classic", "first first first").over


def test_a_session_ends_at_so_many_units_if_the_match_says_so() -> None:
    # Ana: -1 after the draw, then +3, so +2 after deal 2; then +3 after deal 3.
    found = ledger("classic", "drawn second first", head="match: units=2")
    assert payments(found) == [(-1, -1), (3, -1), (0, 0)]
    assert (units(found), found.over, noted(found)) == ((2, -2), True, [("after-session", 3)])
    assert not ledger("classic", "drawn second first", head="match: units=4").over
    assert ledger("classic", "drawn second first", head="match: units=3").over


@pytest.mark.parametrize("rules", FAMILIES)
def test_rummy_bonus_all_goal_cards_in_one_single_act_by_a_player_with_nothing_before_pays_double(
    rules: str,
) -> None:
    assert payments(ledger(rules, "rummy", DOUBLE)) == [(2, -2)]
    assert payments(ledger(rules, "rummy")) == [(1, -1)]
    # In three acts it is no rummy.
    assert payments(ledger(rules, "first", DOUBLE)) == [(1, -1)]


def test_rummy_bonus_doubles_the_stake_and_not_what_lies_in_the_pot() -> None:
    # Two units from the draw, two antes: Ana pays 1, takes 4; the double is Ben's one unit more.
    found = ledger("classic", "drawn second rummy", DOUBLE)
    assert payments(found) == [(-1, -1), (3, -1), (2, -2)]
    assert payments(ledger("classic", "drawn rummy", DOUBLE)) == [(-1, -1), (-2, 4)]


def test_coonking_the_loser_pays_the_winner_one_chip() -> None:
    found = ledger("coonking", "first second first")
    # Ana is first in deal 1 and second in deal 2, so she wins all three.
    assert payments(found) == [(1, -1), (1, -1), (1, -1)]
    assert (units(found), wins(found), found.pot) == ((3, -3), (3, 0), 0)


def test_coonking_after_a_draw_each_pays_one_chip_into_the_pot_which_the_next_winner_takes() -> None:
    found = ledger("coonking", "drawn drawn first second")
    # Four chips lie there; Ana gets them and one of Ben's. Then Ben is first, Ana second: she wins one chip.
    assert payments(found) == [(-1, -1), (-1, -1), (5, -1), (1, -1)]
    assert (units(found), found.pot) == ((4, -4), 0)
    assert ledger("coonking", "drawn drawn").pot == 4


def test_swedish_each_deal_is_its_own_game_and_after_a_draw_the_next_moves_two_units_and_is_one_win() -> None:
    found = ledger("swedish", "first drawn first first")
    # Deal 3 is Ana's and counts as two; deal 4 is Ben's and counts as one.
    assert payments(found) == [(1, -1), (0, 0), (2, -2), (-1, 1)]
    assert (units(found), wins(found), found.pot) == ((2, -2), (2, 1), 0)


def test_swedish_a_second_draw_in_a_row_does_not_double_again() -> None:
    found = ledger("swedish", "drawn drawn drawn second")
    # Ben is first in deal 4, Ana second.
    assert payments(found) == [(0, 0), (0, 0), (0, 0), (2, -2)]
    assert wins(found) == (1, 0)


PARTNERS = """starter 5c
Ana melds 4c 5c 6c 7c; discards Kd
Ben passes; turns 2d; passes
Cleo melds 4c 5c 6c 7c, 2d 3d 4d 5d; discards Kh
Dan passes; turns Js; passes
Ana melds 4c 5c 6c 7c, 2d 3d 4d 5d, Jc Jd Jh Js; discards Ks
Ben passes; turns 2s; passes
Cleo melds 4c 5c 6c 7c, 2d 3d 4d 5d, Jc Jd Jh Js, 2c 2h 2s
"""


@pytest.mark.parametrize("claimed", ["", "Ana wins\n", "Cleo wins\n"])
def test_partnership_every_player_antes_and_the_winning_team_shares_the_pot_equally(claimed: str) -> None:
    text = f"rules: partnership\nplayers: Ana, Ben, Cleo, Dan\n\n{PARTNERS}{claimed}"
    found = scored(text).score
    # Four units: Ana and Cleo get two each, and have paid one each.
    assert payments(found) == [(1, -1, 1, -1)]
    assert (wins(found), found.pot, found.dealer_next) == ((1, 0, 1, 0), 0, "Ana")
    assert found.deals[0].winner == "Cleo"


def test_partnership_a_claim_for_the_other_team_leaves_the_deal_in_dispute() -> None:
    text = f"rules: partnership\nplayers: Ana, Ben, Cleo, Dan\n\n{PARTNERS}Ben wins\n"
    found = scored(text)
    assert (payments(found.score), found.status) == ([(0, 0, 0, 0)], 1)


@pytest.mark.parametrize("rules", FAMILIES)
def test_a_deal_judged_misdeal_is_void_and_the_same_dealer_deals_again(rules: str) -> None:
    found = ledger(rules, "misdeal first misdeal")
    # Ben deals deals 1 and 2, Ana deal 3, and she deals again.
    assert payments(found) == [(0, 0), (1, -1), (0, 0)]
    assert (found.dealer_next, found.pot) == ("Ana", 0)
    assert noted(found) == [("not-counted", 1), ("not-counted", 3)]


@pytest.mark.parametrize("rules", FAMILIES)
def test_the_dealer_moves_on_after_every_deal_except_under_replay_after_a_draw(rules: str) -> None:
    assert ledger(rules, "drawn").dealer_next == "Ana"
    assert ledger(rules, "drawn", f"{DRAWN}replay").dealer_next == "Ben"
    assert ledger(rules, "first").dealer_next == "Ana"
    assert ledger(rules, "first first").dealer_next == "Ben"
    assert ledger(rules, "open").dealer_next == "Ana"
    assert ledger(rules, "first", dealer="Ana").dealer_next == "Ben"


@pytest.mark.parametrize("rules", FAMILIES)
def test_deals_after_the_sessions_goal_are_judged_not_scored_with_a_note(rules: str) -> None:
    found = ledger(rules, "first first second", head="match: wins=1")
    assert payments(found) == [(1, -1), (0, 0), (0, 0)]
    assert [one.winner for one in found.deals] == ["Ana", "Ben", "Ben"]
    assert (wins(found), found.over, found.dealer_next) == ((1, 0), True, "Ana")
    assert noted(found) == [("after-session", 2), ("after-session", 3)]


# ---- what does not count


@pytest.mark.parametrize("rules", FAMILIES)
@pytest.mark.parametrize("word", ["open", "wrong", "claimed", "misdeal"])
def test_a_deal_that_is_not_settled_is_as_if_it_had_not_been_played(rules: str, word: str) -> None:
    found = ledger(rules, f"drawn {word} first")
    between = payments(found)[1]
    # What the draw left is still there for deal 3: two units in the pot (classic antes two more, of which the
    # winner has paid one), two chips and one of the loser's, or a game that counts as two.
    assert between == (0, 0)
    assert noted(found) == [("not-counted", 2)]
    won = {"classic": 3, "coonking": 3, "swedish": 2}[rules]
    lost = {"classic": -1, "coonking": -1, "swedish": -2}[rules]
    assert sorted(payments(found)[2]) == [lost, won]
    assert found.pot == 0


def test_a_deal_in_dispute_has_no_winner() -> None:
    found = ledger("classic", "claimed wrong open")
    assert [one.winner for one in found.deals] == [None, None, None]


# ---- every settlement in every family

AFTER_A_DRAW = {
    # What a draw and the win of the second player after it (who is Ana) move, by family and settlement.
    ("classic", "carry"): [(-1, -1), (3, -1)],
    ("classic", "point-each"): [(0, 0), (1, -1)],
    ("classic", "double-next"): [(0, 0), (2, -2)],
    ("classic", "pot"): [(-2, -2), (5, -1)],
    ("coonking", "carry"): [(0, 0), (1, -1)],
    ("coonking", "point-each"): [(0, 0), (1, -1)],
    ("coonking", "double-next"): [(0, 0), (2, -2)],
    ("coonking", "pot"): [(-1, -1), (3, -1)],
    ("swedish", "carry"): [(0, 0), (1, -1)],
    ("swedish", "point-each"): [(0, 0), (1, -1)],
    ("swedish", "double-next"): [(0, 0), (2, -2)],
    ("swedish", "pot"): [(-1, -1), (3, -1)],
}


@pytest.mark.parametrize(("rules", "settlement"), AFTER_A_DRAW)
def test_each_settlement_can_be_chosen_with_any_rules(rules: str, settlement: str) -> None:
    found = ledger(rules, "drawn second", f"{DRAWN}{settlement}")
    assert payments(found) == AFTER_A_DRAW[rules, settlement]
    assert found.pot == 0


@pytest.mark.parametrize(
    ("rules", "moved"), [("classic", [(-1, -1), (0, 2)]), ("coonking", [(0, 0), (-1, 1)])]
)
def test_under_replay_the_second_player_of_both_deals_is_the_dealer(
    rules: str, moved: list[tuple[int, int]]
) -> None:
    assert payments(ledger(rules, "drawn second", f"{DRAWN}replay")) == moved
