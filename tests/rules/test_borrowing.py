"""Borrowing: what may be taken from the melds on the table, under each of the three readings."""

from __future__ import annotations

import pytest

from .telling import FAMILIES, here, judged, melding, violation

NEVER = ("borrowing=never-from-three", "new-meld=any")
FREE = ("borrowing=free", "new-meld=any")
AFTER = ("borrowing=afterwards", "new-meld=any")


@pytest.mark.parametrize("rules", FAMILIES)
def test_free_only_the_result_counts(rules: str) -> None:
    # Three runs become three groups: no old meld is left, every new one is valid.
    position = here(rules, "4c", "2d 3d 4d, 2h 3h 4h, 2s 3s 4s", "", *FREE)
    assert melding(position, "2d 2h 2s, 3d 3h 3s, 4c 4d 4h 4s") is None
    position = here(rules, "7h", "5s 6s 7s", "7d", *FREE)
    assert melding(position, "7s 7h 7d") == "invalid-meld"  # 5s 6s are left over


@pytest.mark.parametrize("rules", FAMILIES)
def test_never_from_three_an_old_meld_may_lie_whole_in_a_new_one(rules: str) -> None:
    position = here(rules, "4s", "5s 6s 7s, Ac 2c 3c", "4c", *NEVER)
    assert melding(position, "4s 5s 6s 7s") is None
    # Two old melds whole in one.
    position = here(rules, "4d", "Ad 2d 3d, 5d 6d 7d", "", *NEVER)
    assert melding(position, "Ad 2d 3d 4d 5d 6d 7d") is None


@pytest.mark.parametrize("rules", FAMILIES)
def test_never_from_three_a_meld_of_four_lends_a_card(rules: str) -> None:
    position = here(rules, "7h", "4s 5s 6s 7s", "7d", *NEVER)
    assert melding(position, "7s 7h 7d") is None
    position = here(rules, "7c", "5c 5d 5h 5s", "6c", *NEVER)
    assert melding(position, "5c 6c 7c") is None


@pytest.mark.parametrize("rules", FAMILIES)
def test_never_from_three_a_meld_of_three_lends_when_it_was_first_added_to(rules: str) -> None:
    # 4s joins 5s 6s 7s, then the seven goes: never below three.
    position = here(rules, "7h", "5s 6s 7s", "4s 7d", *NEVER)
    assert melding(position, "7s 7h 7d, 4s 5s 6s") is None
    # With nothing added, and another meld of the same cards' rank in its place, the old meld is gone.
    position = here(rules, "7h", "5s 6s 7s", "5d 5h 6d 6h 7d", *NEVER)
    assert melding(position, "5s 5d 5h, 6s 6d 6h, 7s 7d 7h") == "borrowing"


@pytest.mark.parametrize("rules", FAMILIES)
def test_never_from_three_interior_cards_may_be_borrowed(rules: str) -> None:
    # 2s to 7s is six cards; the middle ones go, and one end lives on with an addition.
    position = here(rules, "5h", "Ac 2c 3c 4c 5c 6c 7c", "5d", *NEVER)
    assert melding(position, "5c 5d 5h, Ac 2c 3c 4c, 6c 7c") == "invalid-meld"
    last = "8c" if rules == "coonking" else "Jc"
    position = here(rules, "5h", f"2c 3c 4c 5c 6c 7c {last}", "5d", *NEVER)
    assert melding(position, "5c 5d 5h") == "invalid-meld"  # listed alone, 2c-4c and 6c-.. are one remainder
    assert melding(position, f"5c 5d 5h, 2c 3c 4c, 6c 7c {last}") is None
    # Of a run of four: the two middle ones cannot go, but one can when the end is added to.
    position = here(rules, "3h", "2c 3c 4c 5c", "Ac 3d", *NEVER)
    assert melding(position, "3c 3d 3h, Ac 2c, 4c 5c") == "invalid-meld"
    position = here(rules, "4h", "2c 3c 4c 5c", "Ac 4d", *NEVER)
    assert melding(position, "4c 4d 4h, Ac 2c 3c, 5c") == "invalid-meld"
    position = here(rules, "4h", "2c 3c 4c 5c", "Ac 4d 5d 5h", *NEVER)
    assert melding(position, "4c 4d 4h, Ac 2c 3c, 5c 5d 5h") is None


@pytest.mark.parametrize("rules", FAMILIES)
def test_never_from_three_a_card_lent_by_another_meld_is_no_addition(rules: str) -> None:
    # 4s comes from the group of fours: 4s 5s 6s has a card that is neither of the old run nor newly laid.
    lent = here(rules, "7h", "5s 6s 7s, 4c 4d 4h 4s", "7d", *NEVER)
    assert melding(lent, "7s 7h 7d, 4s 5s 6s, 4c 4d 4h") == "borrowing"
    own = here(rules, "7h", "5s 6s 7s, 4c 4d 4h", "7d 4s", *NEVER)
    assert melding(own, "7s 7h 7d, 4s 5s 6s") is None
    assert melding(here(rules, "7h", "5s 6s 7s, 4c 4d 4h 4s", "7d", *FREE), "7s 7h 7d, 4s 5s 6s") is None


@pytest.mark.parametrize("rules", FAMILIES)
def test_never_from_three_old_and_new_together_are_a_valid_meld(rules: str) -> None:
    # Of a group of three fives one stays in a run of new cards: group and run together are no meld.
    position = here(rules, "4c", "5c 5d 5h", "6c 3c 5s 6d 7d 6h 7h", *NEVER)
    assert melding(position, "3c 4c 5c, 5d 6d 7d, 5h 6h 7h") == "borrowing"
    # Of a run of three the top card goes, after the ace was added.
    position = here(rules, "As", "2s 3s 4s", "4d 4h", *NEVER)
    assert melding(position, "As 2s 3s, 4s 4d 4h") is None


def test_never_from_three_a_swedish_run_of_eight_cannot_first_be_added_to() -> None:
    run = "2s 3s 4s 5s 6s 7s Js Qs"
    position = here("swedish", "As", run, "Qd Qh", *NEVER)
    assert melding(position, "As 2s 3s 4s 5s 6s 7s Js, Qs Qd Qh") == "borrowing"
    # Where runs can be longer it can.
    position = here("classic", "As", run, "Qd Qh", *NEVER)
    assert melding(position, "As 2s 3s 4s 5s 6s 7s Js, Qs Qd Qh") is None


@pytest.mark.parametrize("rules", FAMILIES)
def test_afterwards_every_old_meld_stands_whole_in_one_of_its_own(rules: str) -> None:
    assert melding(here(rules, "4s", "5s 6s 7s", "3s", *AFTER), "3s 4s 5s 6s 7s") is None
    assert melding(here(rules, "7h", "4s 5s 6s 7s", "7d", *AFTER), "7s 7h 7d") == "borrowing"
    # No two of them in the same one.
    assert melding(here(rules, "4d", "Ad 2d 3d, 5d 6d 7d", "", *AFTER), "Ad 2d 3d 4d 5d 6d 7d") == "borrowing"
    assert melding(here(rules, "4d", "Ad 2d 3d, 5d 6d 7d", "", *AFTER), "Ad 2d 3d 4d") is None
    # The rest is newly laid cards: nothing of one old meld in another.
    last = "8d" if rules == "coonking" else "Jd"
    position = here(rules, "4d", f"Ad 2d 3d, 5d 6d 7d {last}", "", *AFTER)
    assert melding(position, "Ad 2d 3d 4d 5d") == "borrowing"


START = "starter 7h\nAna melds 7h 7d 7c; discards Kc\nBen passes; turns 5s; passes\n"


def test_afterwards_arranging_is_allowed_after_the_act_before_the_discard() -> None:
    laid = START + "Ana melds 5s 6s 7s"
    assert judged("discard-then-meld", laid + "; arranges 5s 6s 7s; discards Kd") == "unfinished"
    assert judged("discard-then-meld", laid + ", 7d 7h; arranges 7c; discards Kd") == "invalid-meld @ 5"
    borrowed = laid + " 4s; arranges 4s 5s 6s, 7s 7c 7d 7h; discards Kd"
    assert judged("discard-then-meld", borrowed) == "unfinished"
    # A hand card cannot come in then.
    assert judged("discard-then-meld", laid + "; arranges 4s 5s 6s 7s; discards Kd") == "arranging @ 6"


def test_afterwards_arranging_is_not_allowed_at_other_times() -> None:
    assert judged("discard-then-meld", START + "Ana arranges 7c 7d 7h") == "arranging @ 5"
    turned = "starter 7h\nAna melds 7h 7d 7c; discards Kc\nBen passes\nBen arranges"
    assert judged("discard-then-meld", turned) == "arranging @ 3"
    after_the_discard = START + "Ana melds 5s 6s 7s; discards Kd; arranges"
    assert judged("discard-then-meld", after_the_discard) == "not-your-turn @ 7"


def test_the_borrowed_cards_are_named() -> None:
    record = (
        "starter 5s\nAna melds 5c 5d 5h 5s; discards Kd\nBen passes; turns 7s; passes\nAna melds 5s 6s 7s"
    )
    assert judged("discard-then-meld", record) == "borrowing @ 5"
    wrong = violation("discard-then-meld", record)
    assert (wrong.cards, wrong.clause) == (("5s",), "cl.variants.5")
    record = "Ana turns 4c; melds 4c 4d 4h; discards 9c\nBen passes; turns 5d; passes\n"
    record += "Ana melds 4d 5d 6d, 4c 5c 6c, 4h 5h 6h"
    assert judged("coonking", record) == "borrowing @ 6"
    wrong = violation("coonking", record)
    assert (set(wrong.cards) <= {"4c", "4d", "4h"}, wrong.clause) == (True, "ck.17")
