"""Regrouping one's own melds: when it is allowed, and what may be left."""

from __future__ import annotations

import pytest

from .telling import here, judged, melds, notes, to_the_last_card

ALONE, WITH = "arranging=alone", "arranging=with-meld"
# Ana has the clubs 4 to 7 and three fours on the table; regrouped, the four of clubs joins the fours.
LAID = "Ana turns 4c; melds 4c 5c 6c 7c, 4d 4h 4s"
REGROUPED = "5c 6c 7c, 4c 4d 4h 4s"


def regroup(rules: str, record: str, *readings: str) -> str:
    return judged(rules, record + f"arranges {REGROUPED}", *readings)


def test_while_a_card_is_on_offer_to_the_player() -> None:
    offered = LAID + "; discards Kd\nBen passes; turns 2d; passes\nAna "
    assert regroup("swedish", offered, ALONE) == "unfinished"
    assert regroup("swedish", offered, WITH) == "arranging @ 6"
    own = LAID + "; discards Kd\nBen passes; turns 2d; passes\nAna passes; turns 2h; "
    assert regroup("swedish", own, ALONE) == "unfinished"


def test_before_turning() -> None:
    before = LAID + "; discards Kd\nBen passes; turns 2d; passes\nAna passes; "
    assert regroup("swedish", before, ALONE) == "unfinished"
    assert regroup("swedish", before, WITH) == "arranging @ 7"
    assert judged("swedish", before + f"arranges {REGROUPED}; turns 2h", ALONE) == "unfinished"


def test_after_a_meld_that_does_not_end_the_deal_until_the_discard() -> None:
    assert regroup("swedish", LAID + "; ", ALONE) == "unfinished"
    assert regroup("swedish", LAID + "; ", WITH) == "arranging @ 2"
    assert judged("swedish", LAID + f"; arranges {REGROUPED}; discards Kd", ALONE) == "unfinished"
    assert regroup("swedish", LAID + "; discards Kd\nAna ", ALONE) == "not-your-turn @ 3"


def test_where_no_discard_follows_until_the_next_players_event() -> None:
    readings = (ALONE, "discard-after-meld=no")
    assert regroup("swedish", LAID + "; ", *readings) == "unfinished"
    assert (
        judged("swedish", LAID + f"; arranges {REGROUPED}; arranges\nBen turns 2d", *readings) == "unfinished"
    )
    assert regroup("swedish", LAID + "\nBen turns 2d\nAna ", *readings) == "not-your-turn @ 3"
    assert regroup("swedish", LAID + "; ", WITH, "discard-after-meld=no") == "not-your-turn @ 2"
    # The default of two sets of the classic family.
    assert (
        judged("twice-around", "starter 4c\nAna melds 4c 5c 6c 7c, 4d 4h 4s; arranges " + REGROUPED)
        == "unfinished"
    )


def test_with_no_stock_left_the_draw_comes_only_after_that() -> None:
    # Ana melds the last card of the stock, which Ben passed on to her.
    record = to_the_last_card(
        "swedish", ["Ana turns Ac; passes", "Ben passes; turns Ad; passes"], "4c", "5c 6c 7c 4d 4h 4s"
    )
    record += "\nAna melds 4c 5c 6c 7c, 4d 4h 4s"
    readings = (ALONE, "discard-after-meld=no")
    assert judged("swedish", record, *readings) == "drawn"
    assert judged("swedish", record + f"; arranges {REGROUPED}", *readings) == "drawn"
    assert judged("swedish", record + f"; arranges {REGROUPED}\nBen turns Kd", *readings).startswith(
        "game-over"
    )
    # A regrouping that is not in order is refused for what is wrong with it.
    for wrong, code in (("5c 6c, 4c 4d 4h 4s", "invalid-meld"), ("3c 4c 5c 6c 7c", "arranging")):
        assert judged("swedish", record + f"; arranges {wrong}", *readings).startswith(f"{code} @ ")


def test_not_once_the_player_is_forced() -> None:
    forced = LAID + "; discards Kd\nBen passes; turns 3c; passes\nBen forces\nAna "
    assert regroup("swedish", forced, ALONE) == "forced @ 7"


def test_not_after_the_deal_has_ended() -> None:
    won = LAID + "; discards Kd\nBen passes; turns 3c; passes\nAna melds Ac 2c 3c 4c 5c 6c 7c Jc; "
    assert regroup("swedish", won, ALONE) == "game-over @ 7"


def test_not_in_the_other_players_turn() -> None:
    others = LAID + "; discards Kd\nBen passes; turns 2d\nAna "
    assert regroup("swedish", others, ALONE) == "not-your-turn @ 5"


def test_only_ones_own_melds_and_no_hand_card() -> None:
    assert judged("swedish", LAID + "; arranges 4c 5c 6c 7c Jc", ALONE) == "arranging @ 2"
    theirs = LAID + "; discards Kd\nBen arranges 5c 6c 7c"
    assert judged("swedish", theirs, ALONE) == "arranging @ 3"


def test_not_the_card_on_offer() -> None:
    offered = LAID + "; discards Kd\nBen passes; turns 3c; passes\nAna arranges 3c 4c 5c 6c 7c"
    assert judged("swedish", offered, ALONE) == "arranging @ 6"


def test_every_meld_is_valid_afterwards() -> None:
    assert judged("swedish", LAID + "; arranges 4c 5c 6c", ALONE) == "invalid-meld @ 2"
    assert judged("swedish", LAID + "; arranges 5c 6c, 4c 4d 4h 4s", ALONE) == "invalid-meld @ 2"


def test_an_empty_regrouping_changes_nothing_and_is_legal_where_arranging_is() -> None:
    assert judged("swedish", LAID + "; arranges; discards Kd", ALONE) == "unfinished"
    assert judged("swedish", LAID + "; arranges; discards Kd", WITH) == "arranging @ 2"
    assert judged("swedish", "Ana arranges", ALONE) == "unfinished"


@pytest.mark.parametrize(
    ("borrowing", "expected"), [("free", "unfinished"), ("never-from-three", "borrowing @ 2")]
)
def test_under_never_from_three_every_old_meld_lives_on(borrowing: str, expected: str) -> None:
    readings = (ALONE, f"borrowing={borrowing}")
    # From four clubs one may go, under both.
    assert judged("swedish", LAID + f"; arranges {REGROUPED}", *readings) == "unfinished"
    # Three runs to three groups: each old meld is gone.
    runs = "Ana turns 2d; melds 2d 3d 4d, 2h 3h 4h, 2s 3s 4s; arranges 2d 2h 2s, 3d 3h 3s, 4d 4h 4s"
    assert judged("swedish", runs, *readings) == expected


def test_under_never_from_three_nothing_is_newly_laid_so_a_meld_of_three_lends_nothing() -> None:
    # In a meld the four could have been added first; in regrouping there is no such card.
    record = "Ana turns 7c; melds 7c 7d 7h, 4s 5s 6s 7s; arranges 7c 7d 7h 7s"
    assert judged("swedish", record, ALONE, "borrowing=never-from-three") == "unfinished"
    record = "Ana turns 7c; melds 7c 7d 7h, 5s 6s 7s Js; arranges 7c 7d 7h 7s"
    assert judged("swedish", record, ALONE, "borrowing=never-from-three") == "invalid-meld @ 2"


def test_with_copies_every_meld_is_listed() -> None:
    assert judged("navajo-tens", LAID + "; arranges 5c 6c 7c, 4c 4d 4h 4s", ALONE) == "unfinished"
    assert judged("navajo-tens", LAID + "; arranges 4c 5c 6c 7c", ALONE) == "table-card-missing @ 2"


def test_arranged_away_is_noted_only_when_the_card_fitted_before() -> None:
    # 3c fits 4c-7c, and no longer when the four has gone to the other fours.
    offered = (
        "starter Kd\nAna passes\nBen passes\n"
        + LAID
        + "; discards Ad\nBen passes; turns {}; passes\nAna arranges "
    )
    assert notes("classic", offered.format("3c") + REGROUPED) == [("arranged-away", 8)]
    assert notes("classic", offered.format("2d") + REGROUPED) == []
    assert notes("classic", offered.format("3c")) == []


def test_a_demand_looks_at_the_table_as_it_lies_when_it_is_made() -> None:
    offered = LAID + "; discards Kd\nBen passes; turns 3c; passes\nAna "
    assert judged("swedish", offered + f"arranges {REGROUPED}\nBen forces", ALONE) == "no-force-due @ 7"
    assert judged("swedish", offered + "arranges\nBen forces", ALONE) == "unfinished"


def test_a_position_is_regrouped_too() -> None:
    position = here("classic", "2d", "4c 5c 6c 7c, 4d 4h 4s")
    after = position.apply(("me", "arranges", melds(REGROUPED)))
    assert after.table("me") == melds("4c 4d 4h 4s, 5c 6c 7c")
    assert after.up == "2d"
