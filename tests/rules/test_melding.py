"""Melding: what may be laid, where the cards come from, what wins, and where the cards are."""

from __future__ import annotations

import pytest

from .telling import RULE_SETS, code, here, judged, melding, notes, tables, verdict_of, violation

# ---- valid melds


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_group_is_three_or_four_cards_of_one_rank(rules: str) -> None:
    assert melding(here(rules, "4c"), "4c 4d 4h") is None
    assert melding(here(rules, "4c"), "4c 4d 4h 4s") is None
    assert melding(here(rules, "4c"), "4c 4d") == "invalid-meld"
    assert melding(here(rules, "4c"), "4c 4d 5h") == "invalid-meld"


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_run_is_three_or_more_consecutive_cards_of_one_suit(rules: str) -> None:
    assert melding(here(rules, "4c"), "4c 5c 6c") is None
    assert melding(here(rules, "4c"), "Ac 2c 3c 4c 5c 6c 7c") is None
    assert melding(here(rules, "4c"), "4c 5c") == "invalid-meld"
    assert melding(here(rules, "4c"), "4c 5c 7c") == "invalid-meld"
    assert melding(here(rules, "4c"), "4c 5d 6c") == "invalid-meld"


@pytest.mark.parametrize("rules", RULE_SETS)
def test_cards_of_a_meld_may_be_listed_in_any_order(rules: str) -> None:
    assert melding(here(rules, "4c"), "6c 4c 5c") is None


@pytest.mark.parametrize("rules", sorted({*RULE_SETS} - {"coonking", "classic-52"}))
def test_seven_and_jack_are_neighbours_where_eight_nine_and_ten_are_out(rules: str) -> None:
    assert melding(here(rules, "7s"), "7s Js Qs") is None
    assert melding(here(rules, "7s"), "6s 7s Js") is None
    assert melding(here(rules, "7s"), "7s 8s 9s") == "not-in-deck"


def test_all_thirteen_ranks_follow_each_other_in_classic_52() -> None:
    assert melding(here("classic-52", "7s"), "7s Js Qs") == "invalid-meld"
    assert melding(here("classic-52", "7s"), "7s 8s 9s 10s Js Qs Ks") is None


def test_coonking_runs_end_with_the_ten() -> None:
    assert melding(here("coonking", "8h"), "8h 9h 10h") is None
    assert melding(here("coonking", "10h"), "10h Jh Qh") == "not-in-deck"


@pytest.mark.parametrize(
    ("rules", "high", "corner"),
    [(rules, "Qs Ks As", "Ks As 2s") for rules in RULE_SETS if rules != "coonking"]
    + [("coonking", "9s 10s As", "10s As 2s")],
)
def test_the_ace_is_low_and_runs_do_not_wrap(rules: str, high: str, corner: str) -> None:
    assert melding(here(rules, "As"), "As 2s 3s") is None
    assert melding(here(rules, "As"), high) == "invalid-meld"
    assert melding(here(rules, "As"), corner) == "invalid-meld"


@pytest.mark.parametrize("rules", ["swedish", "swedish-packets", "paco", "navajo-tens"])
def test_swedish_runs_have_at_most_eight_cards(rules: str) -> None:
    assert melding(here(rules, "Ad"), "Ad 2d 3d 4d 5d 6d 7d Jd") is None
    assert melding(here(rules, "Ad"), "Ad 2d 3d 4d 5d 6d 7d Jd Qd") == "invalid-meld"


@pytest.mark.parametrize("rules", ["classic", "no-force", "coonking"])
def test_other_runs_take_all_ten_ranks(rules: str) -> None:
    last = "8d 9d 10d" if rules == "coonking" else "Jd Qd Kd"
    assert melding(here(rules, "Ad"), f"Ad 2d 3d 4d 5d 6d 7d {last}") is None


# ---- what the holder may use


def test_no_meld_on_another_players_table() -> None:
    record = "Ana turns 5c; melds 5c 6c 7c; discards Kd\nBen passes; turns Jc; melds 5c 6c 7c Jc"
    assert judged("swedish", record) == "not-in-hand @ 5"
    assert violation("swedish", record).cards == ("5c", "6c", "7c")


def test_any_number_of_hand_cards_may_be_laid_with_the_card_on_offer() -> None:
    position = here("swedish", "4d", "5d 6d 7d", "3d Kc")
    assert melding(position, "3d 4d 5d 6d 7d") is None
    assert melding(position, "4d 5d 6d 7d") is None
    # Nothing else: with 3d and Kc in hand no other meld holds the four.
    assert tables(position) == ["3d 4d 5d 6d 7d", "4d 5d 6d 7d"]


def test_every_old_table_card_is_still_there() -> None:
    # Of 6h 7h Jh one card would be left over when two go to other melds.
    position = here("classic", "6c", "6h 7h Jh", "6d 7c 7d")
    assert melding(position, "6c 6d 6h, 7c 7d 7h") == "invalid-meld"
    # What is left of a meld stands without being listed, if it is itself a meld.
    assert melding(here("classic", "6c", "6h 7h Jh Qh", "6d"), "6c 6d 6h") is None


def test_with_copies_every_meld_that_stands_afterwards_is_listed() -> None:
    position = here("navajo-tens", "5c", "2h 3h 4h", "6c 7c")
    assert melding(position, "5c 6c 7c") == "table-card-missing"
    assert melding(position, "5c 6c 7c, 2h 3h 4h") is None


def test_the_card_on_offer_is_in_one_of_the_melds() -> None:
    position = here("classic", "Kd", "3c 4c 5c", "7s 7h 7d")
    assert melding(position, "3c 4c 5c, 7s 7h 7d") == "offer-not-used"
    assert melding(position, "7d 7h 7s") == "offer-not-used"


def test_the_rest_is_hand_cards() -> None:
    assert melding(here("classic", "Kd", "", "Kh Qd"), "Kd Kh Ks") == "not-in-hand"
    assert melding(here("classic", "Kd", "", "Kh Ks"), "Kd Kh Ks") is None


# ---- copies


def test_an_act_is_legal_if_the_listed_cards_can_be_matched_in_one_way() -> None:
    # The card on offer goes to the run; were it the copy of the group, the group of three would be broken.
    position = here("navajo-tens", "5c", "5c 5d 5h", "6c 7c", "borrowing=never-from-three")
    assert melding(position, "5c 5d 5h, 5c 6c 7c") is None
    # Only so: the five on offer joins the group, and the old one goes with one hand card to the seven.
    listed = "5c 5d 5h, 5c 6c 7c, 7d 7h 7s"
    readings = ("borrowing=never-from-three", "new-meld=two-from-hand")
    position = here("two-deck", "5c", "5c 5d 5h, 7c 7d 7h 7s", "6c", *readings)
    assert melding(position, listed) is None


def test_if_no_way_is_legal_the_code_is_the_one_furthest_down_the_table() -> None:
    # As before, but a group holds no two alike: with the five on offer in the group, three are borrowed from;
    # with it in the run, the run is new and has one hand card. `new-meld` is further down than `borrowing`.
    readings = ("borrowing=never-from-three", "new-meld=two-from-hand", "group-suits=distinct")
    position = here("two-deck", "5c", "5c 5d 5h, 7c 7d 7h 7s", "6c", *readings)
    assert melding(position, "5c 5d 5h, 5c 6c 7c, 7d 7h 7s") == "new-meld"


# ---- the goal


SIX = """starter 5c
Ana melds 5c 6c 7c; discards Kd
Ben passes; turns 4d; passes
Ana melds 4d 4h 4s; discards Ks
Ben passes; turns 2c; passes
"""


def test_win_right_after_a_meld_the_table_holds_eleven() -> None:
    # Ana has six on the table and six cards in hand; what she lays with 2c makes nine, ten, eleven.
    assert judged("classic", SIX + "Ana melds 2c 3c 4c 5c 6c 7c") == "unfinished"
    assert judged("classic", SIX + "Ana melds Ac 2c 3c 4c 5c 6c 7c") == "unfinished"
    assert judged("classic", SIX + "Ana melds Ac 2c 3c 4c 5c 6c 7c Jc") == "Ana wins"


def test_win_ends_the_deal_at_once_and_no_discard_follows() -> None:
    won = SIX + "Ana melds Ac 2c 3c 4c 5c 6c 7c Jc"
    assert judged("classic", won + "; discards Qd") == "game-over @ 11"
    assert judged("classic", won + "\nBen turns Qd") == "game-over @ 11"
    assert judged("classic", won + "\nAna wins") == "Ana wins"


def test_win_not_with_ten_and_a_discard() -> None:
    assert judged("classic", SIX + "Ana melds 2c 2d 2h 2s; discards Qd\nAna wins") == "wrong-result"


def test_win_not_with_hand_cards_alone() -> None:
    # Six on the table, a group of four and a seventh club in hand; the two of clubs is not used.
    position = here("classic", "2h", "5c 6c 7c, 4d 4h 4s", "Jc Qc Kd Kh")
    assert melding(position, "5c 6c 7c Jc Qc, 4d 4h 4s") == "offer-not-used"


@pytest.mark.parametrize(
    ("rules", "up", "table", "hand"),
    [
        ("classic", "Ah", "2h 3h 4h 5h 6h 7h Jh, 2c 2d 2s", ""),
        ("coonking", "10h", "3h 4h 5h 6h 7h 8h 9h, 2c 2d 2s", ""),
        ("swedish", "Ah", "2h 3h 4h 5h 6h 7h, Jc Jd Jh Js", ""),
        ("mexican", "Ah", "2h 3h 4h 5h, Jc Jd Jh Js", ""),
        ("twice-around", "Ah", "2h 3h 4h 5h 6h 7h Jh, 2c 2d 2s, Kc Kd Kh Ks", ""),
        ("partnership", "Ah", "2h 3h 4h 5h 6h 7h Jh, 2c 2d 2s, Kc Kd Kh Ks", ""),
    ],
)
def test_a_single_card_that_completes_the_goal_wins(rules: str, up: str, table: str, hand: str) -> None:
    position = here(rules, up, table, hand)
    goal = {"mexican": 9, "twice-around": 15, "partnership": 15}.get(rules, 11)
    won = [sum(map(len, melds)) for melds in position.winning_melds()]
    assert won and set(won) == {goal}


def test_a_meld_may_take_the_table_past_the_goal_and_play_goes_on() -> None:
    # 13 dealt; ten on the table, then fourteen, then with the five and the last hand card sixteen of fifteen.
    record = """starter Ac
Ana melds Ac 2c 3c 4c 5c 6c 7c Jc Qc Kc
Ben turns Ad; passes
Ana melds Ad 2d 3d 4d
Ben turns 5d; passes
Ana melds Ad 2d 3d 4d 5d 6d
"""
    assert judged("twice-around", record) == "unfinished"
    assert notes("twice-around", record) == [("past-goal", 6), ("goal-out-of-reach", 6)]
    assert judged("twice-around", record, "goal=at-least") == "Ana wins"
    assert judged("twice-around", record + "Ben turns Kd; passes\nAna passes") == "unfinished"


# ---- an empty hand


ALL_FOURTEEN = "starter Ac\nAna melds Ac 2c 3c 4c 5c 6c 7c Jc Qc Kc, Ad 2d 3d 4d"


def test_twice_around_with_discards_can_lay_all_fourteen_and_is_stuck_on_the_discard() -> None:
    assert judged("twice-around", ALL_FOURTEEN, "discard-after-meld=yes") == "unfinished"
    assert notes("twice-around", ALL_FOURTEEN, "discard-after-meld=yes") == [("stuck", 0)]
    stuck = ALL_FOURTEEN + "; discards 5h"
    assert judged("twice-around", stuck, "discard-after-meld=yes") == "not-in-hand @ 1"
    stuck = ALL_FOURTEEN + "\nBen turns 5h"
    assert judged("twice-around", stuck, "discard-after-meld=yes") == "not-your-turn @ 1"


def test_twice_around_without_discards_the_next_player_turns() -> None:
    assert notes("twice-around", ALL_FOURTEEN) == []
    assert judged("twice-around", ALL_FOURTEEN + "\nBen turns 5h") == "unfinished"
    assert judged("twice-around", ALL_FOURTEEN + "; discards 5h") == "not-your-turn @ 1"


def test_partnership_an_empty_hand_discards_nothing_and_the_next_player_turns() -> None:
    # Ana lays three; her partner Cleo lays the four of diamonds and all ten of his: fourteen, one short.
    start = "starter 5c\nAna melds 5c 6c 7c; discards Kd\nBen passes; turns 4d; passes\n"
    record = start + "Cleo melds 4d 4h 4s, Ad 2d 3d, As 2s 3s 4s 5s, 5c 6c 7c"
    assert judged("partnership", record) == "unfinished"
    assert notes("partnership", record) == []
    assert judged("partnership", record + "; discards Qc") == "not-your-turn @ 6"
    assert judged("partnership", record + "\nDan turns Qd") == "unfinished"
    # With one card left he does discard.
    record = start + "Cleo melds 4d 4h 4s, Ad 2d 3d, As 2s 3s 4s, 5c 6c 7c"
    assert judged("partnership", record + "\nDan turns Qd") == "not-your-turn @ 6"
    assert judged("partnership", record + "; discards Qc") == "unfinished"


# ---- conservation


def test_a_card_that_is_known_to_be_in_one_place_cannot_appear_in_another() -> None:
    ana = "Ana holds Kc Kd Kh 2c 2d 2h 5d 5h Js Qs\n"
    assert judged("swedish", ana + "Ana turns Kc") == "card-elsewhere @ 0"
    assert judged("swedish", ana + "Ana turns Ac; passes\nBen melds Ac As Kc") == "not-in-hand @ 2"
    assert judged("swedish", "Ana turns Ac; passes\nBen passes; turns Ac") == "card-elsewhere @ 3"
    start = "Ana turns 5c; melds 5c 6c 7c; discards Kd\nBen passes; "
    assert judged("swedish", start + "turns 6c") == "card-elsewhere @ 4"
    assert judged("swedish", start + "turns Kd") == "card-elsewhere @ 4"


def test_unknown_cards_may_be_anything_that_fits_every_known_fact_at_once() -> None:
    nine = "Ana holds Kc Kd Kh 2c 2d 2h 5d 5h Js\n"
    # One card of Ana's is open: she can hold a six or a seven, not both.
    assert judged("swedish", nine + "Ana turns 5c; melds 5c 5d 5h; discards 6s") == "unfinished"
    assert judged("swedish", nine + "Ana turns 5s; melds 5s 6s 7s") == "not-in-hand @ 1"
    # Two copies: both are accounted for, so no third is anywhere.
    two = "Ana holds Kc Kc\n"
    assert (
        judged("navajo-tens", two + "Ana turns Ac; passes\nBen melds Ac 2c 3c; discards Kc")
        == "not-in-hand @ 3"
    )
    assert (
        judged("navajo-tens", "Ana holds Kc\nAna turns Ac; passes\nBen melds Ac 2c 3c; discards Kc")
        == "unfinished"
    )


def test_the_verdict_names_the_rules_and_readings_that_it_was_made_by() -> None:
    found = verdict_of("swedish", "Ana turns 5c", "new-meld=any")
    assert (found.rules, found.readings) == ("swedish", {"new-meld": "any"})


def test_a_refused_meld_leaves_the_position_as_it_was() -> None:
    position = here("swedish", "Kh", "6h 7h Jh Qh", "Ah Ad")
    before = tables(position)
    assert code(position, ("me", "melds", (("Kh", "Ah", "Ad"),))) == "invalid-meld"
    assert tables(position) == before
