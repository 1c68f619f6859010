"""Illegal acts taken as played: what stands, what follows from it, who could have objected and until when."""

from __future__ import annotations

import msgspec
import pytest

from conquian.verdict import AsPlayed, DealVerdict, Stood

from .telling import ANA, as_played, findings

OPENING = f"{ANA}Ana turns 5c; melds 5c 6c 7c; discards Ks\n"


def stood(deal: DealVerdict, number: int = 0) -> Stood:
    found = deal.violations[number].stood
    assert isinstance(found, Stood)
    return found


def end(deal: DealVerdict) -> AsPlayed:
    assert isinstance(deal.as_played, AsPlayed)
    return deal.as_played


def test_a_legal_deal_says_nothing_of_it() -> None:
    deal = as_played("swedish", OPENING)
    assert deal.violations == ()
    assert "as_played" not in msgspec.json.decode(msgspec.json.encode(deal))


def test_the_first_violation_is_reported_and_judging_goes_on() -> None:
    # Two cards are no meld; what follows is legal, and then comes a discard that is not due.
    record = f"{ANA}Ana turns 5c; melds 5c 6c; discards Ks\nBen passes; discards 3h\nAna passes"
    deal = as_played("swedish", record)
    assert findings(deal) == ["invalid-meld @ 1", "no-discard-due @ 4"]
    assert [v.after_irregularity for v in deal.violations] == [False, True]
    assert end(deal) == AsPlayed(result=None, judged=6)


def test_cards_lie_where_they_were_played() -> None:
    # 5c and 6c lie on Ana's table, so that neither can be turned; 7c is still in her hand.
    record = f"{ANA}Ana turns 5c; melds 5c 6c; discards Ks\nBen passes; turns {{}}"
    assert findings(as_played("swedish", record.format("6c"))) == ["invalid-meld @ 1", "card-elsewhere @ 4!"]
    assert findings(as_played("swedish", record.format("7c"))) == ["invalid-meld @ 1", "card-elsewhere @ 4!"]
    assert findings(as_played("swedish", record.format("2c"))) == ["invalid-meld @ 1"]
    # What lies there is what a next card fits.
    fits = record.format("7c").replace("7c 3d", "2c 3d") + "; passes\nAna melds 5c 6c 7c"
    assert findings(as_played("swedish", fits)) == ["invalid-meld @ 1"]


def test_if_the_cards_cannot_be_placed_judging_stops_there_and_says_why() -> None:
    for act, why in (
        ("discards Qs", "the hand of Ana is known and does not hold Qs"),
        ("discards Kh", "Kh is in Ben's hand"),
        ("melds 5c 6c 8c", "the pack has no 8c"),
        ("melds 5c 6c 7c, 6c 7c Jc", "the pack does not have 6c 7c so often"),
        ("melds 5c 5d Kh", "Kh is in Ben's hand"),
        ("turns Kh", "Kh is in Ben's hand"),
    ):
        deal = as_played("swedish", f"{ANA}Ben holds Kh Kd\nAna turns 5c; {act}\nBen turns Ac; turns Ad")
        assert len(deal.violations) == 1
        assert (stood(deal).taken, stood(deal).why) == (False, why)
        assert end(deal) == AsPlayed(result=None, judged=2)


def test_a_card_that_the_recorded_stock_has_not_next_cannot_be_placed() -> None:
    deal = as_played("swedish", "stock 5c 2d\nAna turns 2d; passes")
    assert stood(deal).why == "the recorded stock has 5c next"


def test_after_the_end_of_a_deal_nothing_can_be_placed() -> None:
    deal = as_played("swedish", "Ben concedes\nAna turns 5c; turns 6c")
    assert (findings(deal), stood(deal).why) == (["game-over @ 1!"], "the deal had ended")


def test_a_deal_that_is_not_right_itself_is_not_judged_on() -> None:
    deal = as_played("swedish", "Ana holds 9:\nAna turns 5c; turns 6c")
    assert (findings(deal), end(deal).judged) == (["misdeal!"], 0)


def test_a_claim_that_is_wrong_from_the_start_stays_the_only_finding() -> None:
    deal = as_played("swedish", "Ana turns 5c\nAna wins")
    assert findings(deal) == ["wrong-result"]


# ---- who could have objected, and until when


def test_an_opponent_could_have_objected_until_his_next_event() -> None:
    deal = as_played("swedish", f"{ANA}Ana turns 5c; melds 5c 6c; discards Ks\nBen passes")
    assert (stood(deal).objectors, stood(deal).until) == (("Ben",), 3)
    out_of_turn = as_played("swedish", "Ana turns 5c\nBen turns 6c; passes\nAna passes")
    assert (stood(out_of_turn).objectors, stood(out_of_turn).until) == (("Ana",), 3)


def test_with_nothing_after_it_the_time_to_object_is_not_over() -> None:
    deal = as_played("swedish", "Ana turns 5c; turns 6c")
    assert (stood(deal).objectors, stood(deal).until) == (("Ben",), None)


def test_of_partners_both_opponents_could_have_objected() -> None:
    deal = as_played("partnership", "starter 5c\nAna discards 6c\nBen passes", players="Ana, Ben, Cleo, Dan")
    assert (stood(deal).objectors, stood(deal).until) == (("Ben", "Dan"), 1)


def test_what_was_objected_to_in_time_does_not_stand() -> None:
    assert findings(as_played("swedish", "Ana turns 5c; turns 6c\nBen objects\nAna passes")) == []


def test_an_objection_that_comes_too_late_is_a_finding_and_changes_nothing() -> None:
    record = f"{ANA}Ana turns 5c; melds 5c 6c; discards Ks\nBen passes; turns 2d\nBen objects\nBen passes"
    deal = as_played("swedish", record)
    assert findings(deal) == ["invalid-meld @ 1", "no-objection-due @ 5"]
    assert deal.violations[1].message == "Ben objects, and the time to object to what was illegal is over"
    assert end(deal).judged == 7


# ---- the order of play goes on from what was played


def test_a_pass_that_was_left_out_is_found_once() -> None:
    # Ana turned 2d; her pass is missing. Ben passes it, and play goes on.
    record = "Ana turns 2d\nBen passes; turns 3c; passes\nAna passes; turns 4c"
    assert findings(as_played("swedish", record)) == ["not-your-turn @ 1"]


def test_a_discard_that_was_left_out_is_found_once() -> None:
    record = f"{ANA}Ana turns 5c; melds 5c 6c 7c\nBen turns 2d; passes\nAna passes; turns 3h"
    assert findings(as_played("swedish", record)) == ["not-your-turn @ 2"]


def test_a_card_turned_over_an_open_offer_is_on_offer_and_the_other_is_gone() -> None:
    record = "Ana turns 5c; turns 6c; passes\nBen passes; turns {}"
    assert findings(as_played("swedish", record.format("7c"))) == ["offer-open @ 1"]
    assert findings(as_played("swedish", record.format("5c"))) == ["offer-open @ 1", "card-elsewhere @ 4!"]


def test_a_discard_that_was_not_due_is_offered_on() -> None:
    record = f"{ANA}Ana turns 5c; discards Ks\nBen melds Kc Kd Kh Ks; discards 3s\nAna passes"
    assert findings(as_played("swedish", record)) == ["no-discard-due @ 1"]


def test_a_pass_of_a_forced_player_is_a_pass() -> None:
    # Ben turned Jc and passed it; Ana, forced, passes it too. So it is refused, and Ana turns.
    record = f"{OPENING}Ben passes; turns Jc; passes\nBen forces\nAna passes; turns 3s; passes\nBen passes"
    assert findings(as_played("swedish", record)) == ["forced @ 7"]


def test_a_pass_without_a_card_on_offer_changes_nothing() -> None:
    assert findings(as_played("swedish", "Ana passes; turns 5c; passes\nBen passes")) == ["no-offer @ 0"]


def test_a_demand_that_is_not_due_binds_only_who_follows_it() -> None:
    record = "Ana turns 5c; passes\nBen forces\n{}"
    assert findings(as_played("swedish", record.format("Ben passes; turns 6c"))) == ["no-force-due @ 2"]
    followed = record.format("Ana melds 5c 6c 7c; discards Ks\nBen passes")
    assert findings(as_played("swedish", followed)) == ["no-force-due @ 2"]


def test_a_card_that_nobody_had_recorded_is_known_once_it_was_played() -> None:
    record = "Ana turns 5c; discards 3h\nBen passes; turns 4s; passes\nAna passes; turns {}"
    assert findings(as_played("swedish", record.format("3s"))) == ["no-discard-due @ 1"]
    gone = as_played("swedish", record.format("3h"))
    assert findings(gone) == ["no-discard-due @ 1", "card-elsewhere @ 6!"]
    assert stood(gone, 1).why == "3h has been played already"


def test_a_meld_out_of_turn_takes_the_card_on_offer() -> None:
    record = "Ana turns 5c\nBen melds 5c 6c 7c; discards Ks\nAna passes; turns {}"
    assert findings(as_played("swedish", record.format("2d"))) == ["not-your-turn @ 1"]
    assert findings(as_played("swedish", record.format("5c"))) == ["not-your-turn @ 1", "card-elsewhere @ 4!"]


def test_a_meld_that_leaves_the_offer_lying_refuses_it() -> None:
    record = f"{ANA}Ana turns 5c; melds 2h 3d 4d; discards Ks\nBen passes; turns {{}}"
    assert findings(as_played("swedish", record.format("2d"))) == ["offer-not-used @ 1"]
    assert findings(as_played("swedish", record.format("5c")))[-1] == "card-elsewhere @ 4!"


def test_regrouping_that_is_not_allowed_stands_and_the_offer_stays() -> None:
    record = (
        "Ana turns 5c; melds 3c 4c 5c 6c 7c Jc; discards Ks\nBen passes; turns 2d; passes\n"
        "Ana arranges 3c 4c 5c; passes; turns {}"
    )
    assert findings(as_played("swedish", record.format("2c"))) == ["arranging @ 6"]
    assert findings(as_played("swedish", record.format("3c"))) == ["arranging @ 6", "card-elsewhere @ 8!"]


def test_an_exchange_that_was_left_out_ends_with_the_first_event_of_play() -> None:
    assert findings(as_played("mexican", "Ana turns 5c; passes\nBen passes")) == ["exchange @ 0"]
    given = "Ana gives 3h to Ben\nAna turns 5c; passes\nBen passes; turns {}"
    assert findings(as_played("mexican", given.format("6c"))) == ["exchange @ 1"]
    # 3h went to Ben all the same.
    assert findings(as_played("mexican", given.format("3h"))) == ["exchange @ 1", "card-elsewhere @ 4!"]


def test_a_gift_during_play_goes_from_hand_to_hand() -> None:
    record = (
        f"{ANA}Ana turns 5c; gives 2h to Ben\nAna passes\nBen passes; turns 3h; melds 2h 3h 4h; discards Kc"
    )
    assert findings(as_played("swedish", record)) == ["exchange @ 1"]


def test_a_meld_that_stood_although_it_is_none_is_held_against_nobody_again() -> None:
    # 5c 6c lie there. A run beside them is legal, one that takes the 6c away is not.
    record = (
        f"{ANA}Ana turns 5c; melds 5c 6c; discards Ks\nBen passes; turns 2d; passes\nAna melds {{}}; discards As\n"
        "Ben passes"
    )
    assert findings(as_played("swedish", record.format("2d 3d 4d"))) == ["invalid-meld @ 1"]
    assert findings(as_played("swedish", record.format("5c 6c 7c"))) == [
        "invalid-meld @ 1",
        "offer-not-used @ 6",
    ]
    again = as_played("swedish", record.format("2d 3d"))
    assert findings(again) == ["invalid-meld @ 1", "invalid-meld @ 6"]
    assert [v.cards for v in again.violations] == [("5c", "6c"), ("2d", "3d")]
    # Made a meld by the next card, it is one.
    mended = f"{ANA}Ana turns 5c; melds 5c 6c; discards Ks\nBen passes; turns 4c; passes\nAna melds 4c 5c 6c"
    assert findings(as_played("swedish", mended)) == ["invalid-meld @ 1"]


@pytest.mark.parametrize("rules", ["navajo-tens", "paco"])
def test_where_cards_have_copies_it_is_listed_and_held_against_nobody(rules: str) -> None:
    record = (
        "Ana turns 5c; melds 5c 6c; discards Ac\nBen passes; turns 2d; passes\nAna melds {}; discards As\n"
        "Ben passes"
    )
    assert findings(as_played(rules, record.format("5c 6c, 2d 3d 4d"))) == ["invalid-meld @ 1"]
    assert findings(as_played(rules, record.format("5c 6c, 5c 6c, 2d 3d 4d")))[1] == "invalid-meld @ 6"
    left_out = findings(as_played(rules, record.format("2d 3d 4d")))
    assert left_out == ["invalid-meld @ 1", "table-card-missing @ 6!"]


def test_cards_of_a_meld_that_stood_count_for_the_goal() -> None:
    holds = "Ana holds 3c 3d 3h 6h 7h Jh Qh 5s 6s Kd\n"
    record = (
        f"{holds}Ana turns 7s; melds 7s 6s, 3c 3d 3h; discards Kd\nBen passes; turns 5h; passes\n"
        "Ana melds 5h 6h 7h Jh Qh; discards 5s"
    )
    # Five and five: ten cards are no win, and 5s is thrown. One card more in the run would have been eleven.
    assert findings(as_played("swedish", record)) == ["invalid-meld @ 1"]
    won = record.replace("Kd\nAna turns", "Kh\nAna turns").replace("discards Kd", "discards 5s")
    won = won.replace("melds 5h 6h 7h Jh Qh; discards 5s", "melds 5h 6h 7h Jh Qh Kh")
    deal = as_played("swedish", won)
    assert (findings(deal), end(deal).result) == (["invalid-meld @ 1"], {"winner": "Ana"})


def test_an_illegal_meld_that_reaches_the_goal_wins_as_played() -> None:
    holds = "Ana holds 3c 3d 3h 6h 7h Jh Qh 5s 6s 4s\n"
    deal = as_played("swedish", f"{holds}Ana turns 3s; melds 3c 3d 3h 3s 4s, 6h 7h Jh Qh, 5s 6s\nAna wins")
    assert (findings(deal), deal.result) == (["invalid-meld @ 1"], None)
    assert end(deal) == AsPlayed(result={"winner": "Ana"}, judged=2)
    other = as_played("swedish", f"{holds}Ana turns 3s; melds 3c 3d 3h 3s 4s, 6h 7h Jh Qh, 5s 6s\nBen wins")
    assert findings(other) == ["invalid-meld @ 1", "wrong-result"]
    off = as_played("swedish", f"{holds}Ana turns 3s; melds 3c 3d 3h 3s 4s, 6h 7h Jh Qh, 5s 6s\nbroken off")
    assert findings(off) == ["invalid-meld @ 1", "wrong-result"]
    assert off.violations[1].message == "the record says `broken off`, the events give `Ana wins`"


def test_a_deal_ended_by_its_players_ends_as_played_too() -> None:
    for words, result in (
        ("Ben concedes", {"winner": "Ana"}),
        ("Ana and Ben agree a draw", {"drawn": True}),
        ("broken off", None),
    ):
        deal = as_played("swedish", f"Ana turns 5c; turns 6c\n{words}")
        assert (findings(deal), end(deal).result) == (["offer-open @ 1"], result)


@pytest.mark.parametrize("rules", ["two-deck", "paco", "navajo-tens"])
def test_where_cards_have_copies_a_table_card_that_is_left_out_cannot_be_placed(rules: str) -> None:
    start = (
        "starter 5c\nAna melds 5c 6c 7c"
        if rules == "two-deck"
        else "Ana turns 5c; melds 5c 6c 7c; discards 2c"
    )
    melds = "Ben passes; turns 5d; passes\nAna melds 5d 6d 7d"
    if rules == "two-deck":
        melds = "Ben turns 5d; passes\nAna melds 5d 6d 7d"
    deal = as_played(rules, f"{start}\n{melds}")
    assert stood(deal).why == "5c 6c 7c lay on the table and is in none of the melds"


@pytest.mark.parametrize("rules", ["two-deck", "paco", "navajo-tens"])
def test_where_cards_have_copies_a_second_copy_can_be_played_and_no_third(rules: str) -> None:
    copies = 5 if rules == "paco" else 2
    opening = "starter 5c\nAna passes\nBen passes\n" if rules == "two-deck" else ""
    turned = 1 if opening else 0
    many = "; ".join(["turns 5c"] * (copies + 1 - turned))
    first = 2 if opening else 0
    found = findings(as_played(rules, f"{opening}Ana {many}"))
    open_offers = [f"offer-open @ {first + n}" for n in range(1, copies + 1 - turned)]
    assert found == [*open_offers[:-1], f"{open_offers[-1]}!"]
