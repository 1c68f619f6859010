"""The recorder's claim, and the notes that are no violations."""

from __future__ import annotations

import pytest

from .telling import all_judged, judged, notes, verdict_of, violation
from .test_flow import exhausted

WON = """Ana turns 5c; melds 4c 5c 6c 7c; discards Kd
Ben passes; turns 2d; passes
Ana melds 2d 3d 4d 5d, Ah 2h 3h
"""
DRAWN = exhausted("swedish", "Ana passes") + "\n"


@pytest.mark.parametrize(
    ("record", "claim", "expected"),
    [
        (WON, "Ana wins", "Ana wins"),
        (WON, "Ben wins", "wrong-result"),
        (WON, "drawn", "wrong-result"),
        (DRAWN, "drawn", "drawn"),
        (DRAWN, "Ana wins", "wrong-result"),
        ("Ana turns 5c\n", "Ana wins", "wrong-result"),
        ("Ana turns 5c\n", "drawn", "wrong-result"),
        ("deal 1\n", "drawn", "wrong-result"),
        (exhausted("swedish") + "\n", "drawn", "wrong-result"),
    ],
)
def test_wrong_result_the_claim_is_not_what_the_events_give(record: str, claim: str, expected: str) -> None:
    assert judged("swedish", record + claim) == expected


def test_the_claimed_and_the_reached_result_are_both_named() -> None:
    wrong = violation("swedish", WON + "Ben wins")
    assert "Ben wins" in wrong.message and "Ana wins" in wrong.message
    assert (wrong.event, wrong.line, wrong.column) == (None, 7, 1)
    (deal,) = verdict_of("swedish", WON + "Ben wins").deals
    assert deal.result == {"winner": "Ana"}


def test_partnership_a_claim_may_name_either_partner() -> None:
    # Ana lays seven clubs; Cleo's four and four complete the fifteen.
    record = """starter 5c
Ana melds 5c 6c 7c Ac 2c 3c 4c; discards Kd
Ben passes; turns 2d; passes
Cleo melds 2d 3d 4d 5d, Ah 2h 3h 4h, Ac 2c 3c 4c 5c 6c 7c
"""
    for name, expected in (
        ("Ana", "Cleo wins"),
        ("Cleo", "Cleo wins"),
        ("Ben", "wrong-result"),
        ("Dan", "wrong-result"),
    ):
        assert judged("partnership", record + f"{name} wins") == expected


def test_the_first_violation_of_a_deal_decides_and_the_rest_is_not_judged() -> None:
    record = "Ana turns 5c; turns 6c; turns 7c; turns 5c\nBen turns 8c\nBen wins"
    assert judged("swedish", record) == "offer-open @ 1"
    (deal,) = verdict_of("swedish", record).deals
    assert len(deal.violations) == 1


def test_each_deal_is_judged_by_itself() -> None:
    record = f"deal 1\nBen turns 5c\ndeal 2\nBen turns 5c\ndeal 3\n{WON}"
    assert all_judged("swedish", record) == ["not-your-turn @ 0", "unfinished", "Ana wins"]


def test_a_verdict_counts_the_worst_deal() -> None:
    assert verdict_of("swedish", f"deal 1\n{WON}").verdict == "valid"
    assert verdict_of("swedish", f"deal 1\n{WON}deal 2\nBen turns 5c").verdict == "unfinished"
    assert (
        verdict_of("swedish", f"deal 1\n{WON}deal 2\nAna turns 5c\ndeal 3\nBen turns 5c").verdict == "invalid"
    )


def test_nothing_is_noted_of_an_ordinary_deal() -> None:
    assert notes("swedish", WON) == []
    assert notes("swedish", DRAWN) == []


def test_a_note_has_a_line_and_words() -> None:
    record = "Ana turns 5c; melds 5c 6c 7c; discards Kd\nBen passes; turns 4c; passes\nAna passes; turns 2d"
    (deal,) = verdict_of("swedish", record).deals
    (note,) = deal.notes
    assert (note.code, note.event, note.line) == ("demand-not-made", 6, 6)
    assert "Ana" in note.message
