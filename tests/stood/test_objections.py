"""Objections: what they take back, when they are justified, and who may object."""

from __future__ import annotations

import pytest

from .telling import ANA, judged, notes, verdicts

FAMILIES = ("classic", "coonking", "swedish")
START = {"classic": "starter Kh\nAna passes\nBen passes\n", "coonking": "", "swedish": ""}


@pytest.mark.parametrize("rules", FAMILIES)
def test_an_illegal_act_that_is_objected_to_is_taken_back_and_play_goes_on_from_before_it(rules: str) -> None:
    start = START[rules]
    number = 2 if start else 0
    record = f"{start}Ana turns 5c; discards 2h\nBen objects\nAna passes\nBen passes"
    assert judged(rules, record) == "unfinished"
    assert ("taken-back", number + 2) in notes(rules, record)
    # Without the objection it is what it was.
    assert judged(rules, record.replace("Ben objects\n", "")) == f"no-discard-due @ {number + 1}"


def test_everything_after_the_illegal_act_is_taken_back_too() -> None:
    # Ana lays an illegal meld and throws a card in the same breath; both come back to her, 5c is on offer again.
    record = f"{ANA}Ana turns 5c; melds 5c 6c; discards 7c\nBen objects\nAna melds 5c 6c 7c; discards Ks"
    assert judged("swedish", record) == "unfinished"
    (deal,) = verdicts("swedish", record)
    assert [note.message for note in deal.notes] == [
        "Ben objects to event 1: 5c 6c is no valid meld (invalid-meld); it is taken back"
    ]


def test_cards_that_came_back_are_in_the_hand_again_and_can_be_nowhere_else() -> None:
    record = f"{ANA}Ana turns 5c; melds 5c 6c; discards 7c\nBen objects\nAna passes\nBen passes; turns 7c"
    assert judged("swedish", record) == "card-elsewhere @ 6"


def test_several_illegal_acts_in_a_row_are_taken_back_by_one_objection_to_the_first() -> None:
    record = "Ana turns 5c; turns 6c; turns 7c; discards Ks\nBen objects\nAna passes"
    assert judged("swedish", record) == "unfinished"
    assert notes("swedish", record) == [("taken-back", 4)]


def test_an_act_out_of_turn_is_taken_back_by_an_objection_of_the_other() -> None:
    assert judged("swedish", "Ana turns 5c\nBen turns 6c\nAna objects\nAna passes") == "unfinished"
    # After Ana has done something else it is too late.
    assert judged("swedish", "Ana turns 5c\nBen turns 6c\nAna passes\nAna objects") == "not-your-turn @ 1"


def test_a_demand_that_is_not_due_can_be_objected_to() -> None:
    assert judged("swedish", "Ana turns 5c\nBen forces\nAna objects; passes\nBen passes") == "unfinished"


def test_an_illegal_act_that_would_have_won_can_be_objected_to() -> None:
    holds = "Ana holds 3c 3d 3h 6h 7h Jh Qh 5s 6s 4s\n"
    wins = "melds 3c 3d 3h 3s, 6h 7h Jh Qh, 4s 5s 6s"
    assert judged("swedish", f"{holds}Ana turns 3s; {wins}") == "Ana wins"
    wrong = "melds 3c 3d 3h 3s 4s, 6h 7h Jh Qh, 5s 6s"
    assert judged("swedish", f"{holds}Ana turns 3s; {wrong}") == "invalid-meld @ 1"
    assert judged("swedish", f"{holds}Ana turns 3s; {wrong}\nBen objects") == "unfinished"
    assert judged("swedish", f"{holds}Ana turns 3s; {wrong}\nBen objects\nAna {wins}") == "Ana wins"


def test_an_objection_without_an_irregularity_right_before_it_is_a_violation() -> None:
    assert judged("swedish", "Ana turns 5c\nBen objects") == "no-objection-due @ 1"
    assert judged("swedish", "Ben objects") == "no-objection-due @ 0"
    assert judged("classic", "starter 5c\nBen objects") == "no-objection-due @ 0"


def test_nobody_objects_to_his_own_act() -> None:
    assert judged("swedish", "Ana turns 5c; discards Ks\nAna objects") == "no-discard-due @ 1"


def test_a_second_objection_to_the_same_act_is_not_justified() -> None:
    record = "Ana turns 5c; turns 6c\nBen objects\nBen objects"
    assert judged("swedish", record) == "no-objection-due @ 3"


def test_an_objection_that_is_not_justified_can_itself_be_objected_to() -> None:
    record = "Ana turns 5c\nBen objects\nAna objects; passes\nBen passes"
    assert judged("swedish", record) == "unfinished"
    assert notes("swedish", record) == [("taken-back", 2)]


def test_after_the_end_of_the_deal_an_objection_is_game_over() -> None:
    assert judged("swedish", "Ana turns 5c\nAna concedes\nBen objects") == "game-over @ 2"


def test_a_partner_does_not_object_and_either_opponent_may() -> None:
    four = "Ana, Ben, Cleo, Dan"
    record = "starter 5c\nAna discards 6c\n{} objects\nAna passes"
    for name, verdict in (("Ben", "unfinished"), ("Dan", "unfinished"), ("Cleo", "no-discard-due @ 0")):
        assert judged("partnership", record.format(name), players=four) == verdict


def test_the_comment_stood_is_a_comment() -> None:
    assert judged("swedish", "Ana turns 5c; turns 6c  # stood") == "offer-open @ 1"


def test_a_gift_that_was_not_due_is_taken_back_before_play() -> None:
    record = "Ana gives ? to Ben; gives ? to Ben\nBen objects; gives 3h to Ana\nAna turns 5c"
    assert judged("mexican", record) == "unfinished"
    assert notes("mexican", record) == [("taken-back", 2)]


def test_a_demand_is_still_due_after_an_act_that_followed_a_pass_was_taken_back() -> None:
    # Ana passes the Jc that fits her run; Ben turns, which is not his to do yet, takes it back, and demands.
    record = (
        f"{ANA}Ana turns 5c; melds 5c 6c 7c; discards Ks\nBen passes; turns 2d; passes\n"
        "Ana passes; turns Jc; passes\nBen turns 3s\nAna objects\nBen forces\nAna passes"
    )
    assert judged("swedish", record) == "forced @ 12"
