"""The exchange before play in the Mexican form: one card to the next player, all at once."""

from __future__ import annotations

from .telling import RULE_SETS, judged

ANA = "Ana holds Ac 2c 3c 5d 6d Jh Qh Ks\n"
BEN = "Ben holds Ad 2d 3d 5c 6c Jc Qc Kd\n"
BOTH = ANA + BEN


def test_each_player_gives_one_card_and_then_play_begins() -> None:
    assert judged("mexican", "Ana gives Ks to Ben\nBen gives Kd to Ana\nAna turns 4c") == "unfinished"
    assert judged("mexican", "Ben gives Kd to Ana\nAna gives Ks to Ben\nAna turns 4c") == "unfinished"


def test_the_exchange_is_due_before_any_other_event() -> None:
    assert judged("mexican", "Ana turns 4c") == "exchange @ 0"
    assert judged("mexican", "Ana gives Ks to Ben\nAna turns 4c") == "exchange @ 1"
    assert judged("mexican", "Ana gives Ks to Ben\nBen forces") == "exchange @ 1"
    assert judged("mexican", "Ana gives Ks to Ben\nBen passes") == "exchange @ 1"


def test_a_second_gift_is_one_too_many() -> None:
    assert judged("mexican", "Ana gives Ks to Ben; gives Qh to Ben") == "exchange @ 1"
    done = "Ana gives Ks to Ben\nBen gives Kd to Ana\n"
    assert judged("mexican", done + "Ana gives Qh to Ben") == "exchange @ 2"
    assert judged("mexican", done + "Ana turns 4c; gives Qh to Ben") == "exchange @ 3"


def test_the_receiver_is_the_next_player_in_turn() -> None:
    assert judged("mexican", "Ana gives Ks to Ana") == "exchange @ 0"


def test_a_gift_where_the_rules_have_none() -> None:
    for rules in sorted({*RULE_SETS} - {"mexican", "partnership"}):
        starter = (
            "starter 5c\n"
            if rules not in ("coonking", "swedish", "swedish-packets", "paco", "navajo-tens")
            else ""
        )
        assert judged(rules, starter + "Ana gives 6c to Ben") == "exchange @ 0"


def test_only_a_card_that_was_dealt_to_the_player_can_be_given() -> None:
    assert judged("mexican", BOTH + "Ana gives Kd to Ben") == "not-in-hand @ 0"
    # Nobody sees what he gets before giving: the card received is not there yet.
    assert judged("mexican", BOTH + "Ana gives Ks to Ben\nBen gives Ks to Ana") == "not-in-hand @ 1"
    assert judged("mexican", BOTH + "Ana gives Ks to Ben\nBen gives Kd to Ana") == "unfinished"


def test_the_cards_given_have_changed_hands() -> None:
    given = BOTH + "Ana gives Jh to Ben\nBen gives Kd to Ana\n"
    assert judged("mexican", given + "Ana turns 4c; melds Ac 2c 3c 4c; discards Kd") == "unfinished"
    assert judged("mexican", given + "Ana turns 4c; melds Ac 2c 3c 4c; discards Jh") == "not-in-hand @ 4"
    assert judged("mexican", given + "Ana turns Jd; passes\nBen melds Jc Jd Jh") == "unfinished"
    assert judged("mexican", given + "Ana turns Jh") == "card-elsewhere @ 2"


def test_an_unrecorded_gift_is_any_card_that_fits_all_that_is_known() -> None:
    hidden = BOTH + "Ana gives ? to Ben\nBen gives Kd to Ana\n"
    # It may have been the jack, and then it was not the king of spades.
    jack = hidden + "Ana turns Jd; passes\nBen melds Jc Jd Jh; discards 5c\n"
    assert judged("mexican", jack + "Ana melds 5c 6c 7c") == "not-in-hand @ 6"
    assert judged("mexican", jack + "Ana passes; turns Kh; melds Kd Kh Ks; discards Qh") == "unfinished"
    assert judged("mexican", jack + "Ana passes; turns Kh; melds Kd Kh Ks; discards Jh") == "not-in-hand @ 9"
    # Both at once cannot be: Ana gave one card only.
    two = hidden + "Ana turns Jd; passes\nBen melds Jc Jd Jh; discards 5c\n"
    assert (
        judged("mexican", two + "Ana passes; turns Js; passes\nBen melds Jc Jd Jh Js; discards Ks")
        == "not-in-hand @ 10"
    )


def test_a_gift_from_an_unknown_hand_may_be_any_card_that_lies_nowhere_else() -> None:
    assert judged("mexican", BEN + "Ana gives Kd to Ben") == "not-in-hand @ 0"
    assert judged("mexican", BEN + "Ana gives Kh to Ben\nBen gives Kd to Ana\nAna turns 4d") == "unfinished"
    # Kd is now Ana's for certain, and Kh Ben's.
    assert (
        judged("mexican", BEN + "Ana gives Kh to Ben\nBen gives Kd to Ana\nAna turns Kh")
        == "card-elsewhere @ 2"
    )
