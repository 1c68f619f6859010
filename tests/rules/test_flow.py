"""The order of play: the card on offer, passes, the openings, the end of the stock."""

from __future__ import annotations

import pytest

from .telling import RULE_SETS, here, judged, notes, pack_of, run_down, to_the_last_card

# Twenty cards of the forty, in the order of turning; with unknown hands the players can hold the others.
STOCK = {rules: pack_of(rules)[:20] for rules in ("coonking", "swedish", "classic")}


def exhausted(rules: str, *last: str) -> str:
    """All stock cards turned and passed by the one who turned them; the last one is on offer to the other."""
    if rules == "swedish" or rules == "coonking":
        return "\n".join([*run_down(STOCK[rules]), *last])
    lines = list(run_down(STOCK[rules][1:]))
    return "\n".join([f"starter {STOCK[rules][0]}", "Ana passes", "Ben passes", *lines, *last])


def test_the_player_turns_the_top_stock_card_and_it_is_on_offer_to_him() -> None:
    assert judged("swedish", "Ana turns 5c; melds 5c 6c 7c") == "unfinished"
    assert judged("swedish", "Ana turns 5c\nBen melds 5c 6c 7c") == "not-your-turn @ 1"


def test_at_most_one_card_is_on_offer() -> None:
    assert judged("swedish", "Ana turns 5c; turns 6c") == "offer-open @ 1"


def test_an_own_card_that_is_passed_is_offered_to_the_next_player() -> None:
    assert judged("swedish", "Ana turns 5c; passes\nBen melds 5c 6c 7c") == "unfinished"
    assert judged("swedish", "Ana turns 5c; passes; melds 5c 6c 7c") == "not-your-turn @ 2"


def test_a_card_that_the_next_player_passes_is_refused_for_good_and_he_turns() -> None:
    assert judged("swedish", "Ana turns 5c; passes\nBen passes; turns 6c") == "unfinished"
    assert judged("swedish", "Ana turns 5c; passes\nBen passes; melds 5c 6c 7c") == "no-offer @ 3"
    assert judged("swedish", "Ana turns 5c; passes\nBen passes\nAna turns 6c") == "not-your-turn @ 3"


def test_a_discard_is_offered_to_the_next_player_and_is_not_his_own() -> None:
    start = "Ana turns 5c; melds 5c 6c 7c; discards Kd\n"
    assert judged("swedish", start + "Ben melds Kd Kh Ks") == "unfinished"
    # Not his own: when Ben passes it is refused for good, and not offered on to Ana.
    assert judged("swedish", start + "Ben passes\nAna melds Kd Kh Ks") == "not-your-turn @ 4"
    assert judged("swedish", start + "Ben passes; turns Ac") == "unfinished"


def test_a_melder_discards_before_anything_else() -> None:
    start = "Ana turns 5c; melds 5c 6c 7c\n"
    assert judged("swedish", start + "Ben turns 6d") == "not-your-turn @ 2"
    assert judged("swedish", start + "Ana turns 6d") == "wrong-action @ 2"
    assert judged("swedish", start + "Ana passes") == "no-offer @ 2"


def test_a_card_never_enters_a_hand() -> None:
    # Ben passed the five, so it is out of play, and he cannot lay it when a six comes.
    assert (
        judged("swedish", "Ana turns 5c; passes\nBen passes; turns 6c; melds 5c 6c 7c") == "not-in-hand @ 4"
    )


@pytest.mark.parametrize("rules", ["coonking", "swedish"])
def test_opening_the_player_after_the_dealer_turns_the_first_card(rules: str) -> None:
    assert judged(rules, "Ana turns 5c") == "unfinished"
    assert judged(rules, "Ben turns 5c") == "not-your-turn @ 0"
    assert judged(rules, "Ben turns 5c", head="dealer: Ana") == "unfinished"
    assert judged(rules, "Ana passes") == "no-offer @ 0"


def test_opening_classic_the_starter_is_offered_to_each_and_then_the_first_player_turns() -> None:
    assert judged("classic", "starter 5c\nAna melds 5c 6c 7c") == "unfinished"
    assert judged("classic", "starter 5c\nAna passes\nBen melds 5c 6c 7c") == "unfinished"
    assert judged("classic", "starter 5c\nAna passes\nBen passes\nAna turns 6d") == "unfinished"
    assert judged("classic", "starter 5c\nAna passes\nBen passes\nBen turns 6d") == "not-your-turn @ 2"
    assert judged("classic", "starter 5c\nAna passes; turns 6d") == "not-your-turn @ 1"
    assert judged("classic", "starter 5c\nAna turns 6d") == "offer-open @ 0"


def test_opening_partnership_all_four_may_take_the_starter() -> None:
    start = "starter 5c\nAna passes\nBen passes\nCleo passes\n"
    assert judged("partnership", start + "Dan melds 5c 6c 7c") == "unfinished"
    assert judged("partnership", start + "Dan passes\nAna turns 5d") == "unfinished"
    assert judged("partnership", start + "Dan passes; turns 5d") == "not-your-turn @ 4"


def test_partnership_a_turned_card_is_offered_to_the_next_player_only() -> None:
    start = "starter 5c\nAna passes\nBen passes\nCleo passes\nDan passes\nAna turns 5d; passes\nBen passes"
    assert judged("partnership", start + "\nCleo melds 5d 6d 7d") == "not-your-turn @ 7"
    assert judged("partnership", start + "; turns 6h") == "unfinished"


@pytest.mark.parametrize("rules", ["classic", "coonking", "swedish"])
def test_where_a_player_would_have_to_turn_and_no_stock_is_left_the_deal_is_drawn(rules: str) -> None:
    holder = "Ben" if rules == "classic" else "Ana"
    assert judged(rules, exhausted(rules)) == "unfinished"
    assert judged(rules, exhausted(rules, f"{holder} passes")) == "drawn"
    assert judged(rules, exhausted(rules, f"{holder} passes", "drawn")) == "drawn"


def test_the_last_pass_of_a_deal_draws_it_when_nothing_follows() -> None:
    assert judged("swedish", exhausted("swedish", "Ana passes; turns 7c")) == "game-over @ 60"
    assert judged("swedish", exhausted("swedish", "Ana passes", "Ben passes")) == "game-over @ 60"
    assert judged("swedish", exhausted("swedish", "Ana passes; discards 7c")) == "game-over @ 60"


def test_after_the_last_pass_only_a_demand_may_come() -> None:
    # The last card of the stock fits Ana's twos; Ben turned it, and Ana is the last to pass it.
    opening = ["Ana turns 2c; melds 2c 2d 2h; discards Kc", "Ben passes; turns Ac; passes"]
    record = to_the_last_card("swedish", opening, last="2s", kept="") + "\nAna passes"
    assert judged("swedish", record) == "drawn"
    assert notes("swedish", record) == [("demand-not-made", 60)]
    assert judged("swedish", record + "\nBen forces\nAna melds 2c 2d 2h 2s") == "unfinished"
    assert notes("swedish", record + "\nBen forces\nAna melds 2c 2d 2h 2s") == []
    assert judged("swedish", record + "\nAna forces") == "no-force-due @ 61"


def test_after_the_last_pass_a_demand_that_is_not_due_is_no_force_due() -> None:
    assert judged("swedish", exhausted("swedish", "Ana passes", "Ben forces")) == "no-force-due @ 60"


def test_a_last_card_that_is_melded_leaves_its_discard_on_offer_as_any_other() -> None:
    # STOCK ends with 5s; Ana melds it with cards that nobody has turned.
    record = exhausted("swedish", "Ana melds 5s 6s 7s; discards Kc")
    assert judged("swedish", record) == "unfinished"
    assert judged("swedish", record + "\nBen passes") == "drawn"
    assert judged("swedish", record + "\nBen melds Kc Kd Kh; discards Qc\nAna passes") == "drawn"


@pytest.mark.parametrize("rules", RULE_SETS)
def test_the_stock_is_what_the_deal_leaves(rules: str) -> None:
    """Worked out by hand: packs of 40 or 52, times the packs, less the deal and the starter."""
    left = {
        "classic": 40 - 20 - 1,
        "classic-52": 52 - 20 - 1,
        "twice-around": 40 - 26 - 1,
        "two-deck": 80 - 20 - 1,
        "no-force": 19,
        "discard-then-meld": 19,
        "partnership": 80 - 40 - 1,
        "coonking": 20,
        "swedish": 20,
        "swedish-packets": 20,
        "mexican": 40 - 16,
        "paco": 200 - 20,
        "navajo-tens": 80 - 20,
    }
    assert here(rules, "5c").state.stock == left[rules]
