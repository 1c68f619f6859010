"""The codes of events, in the order of the table: of two that apply, the first is reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from .telling import here, judged, melding, violation

# Ana has 5c 6c 7c, and it is Ben's turn with Kd on offer (event 3 is next).
LAID = "Ana turns 5c; melds 5c 6c 7c; discards Kd\n"
# Ana won the deal; event 9 is next.
WON = """Ana turns 5c; melds 4c 5c 6c 7c; discards Kd
Ben passes; turns 2d; passes
Ana melds 2d 3d 4d 5d, Ah 2h 3h
"""
LONG = "Ana turns 5c; melds 4c 5c 6c 7c"
PASSED = "Ben passes; turns {}; passes\n"
TEN = "2c 3c 4c Ad 2d 3d 4d Ah 2h 3h\n"  # ten cards that are not among those melded below
# Ana is forced to meld 4c; event 7 is next.
FORCED = LAID + PASSED.format("4c") + "Ben forces\n"

FIRST_OF_TWO = [
    # code, record, rules, readings: what else would apply
    ("not-in-deck @ 7", WON + "Ana discards 8c", "swedish", ()),  # game-over
    ("not-in-deck @ 0", "Ana gives 8c to Ben", "swedish", ()),  # exchange
    ("not-in-deck @ 0", "Ben forces 8c onto 5c 6c 7c", "swedish", ()),  # no-force-due
    ("not-in-deck @ 0", "Ben turns 8c", "swedish", ()),  # not-your-turn
    ("not-in-deck @ 7", FORCED + "Ana discards 8c", "swedish", ()),  # forced
    ("not-in-deck @ 1", "Ana turns 5c; melds 5c 6d 8d", "swedish", ()),  # invalid-meld
    ("not-in-deck @ 1", "Ana turns 5c; arranges 8c 6c 7c", "swedish", ()),  # arranging
    ("game-over @ 7", WON + "Ana gives 5c to Ben", "swedish", ()),  # exchange
    ("game-over @ 7", WON + "Ben forces", "swedish", ()),  # no-force-due
    ("game-over @ 7", WON + "Ben turns 5c", "swedish", ()),  # card-elsewhere
    ("game-over @ 7", WON + "Ana arranges 4c 5c 6c 7c", "classic", ()),  # see below
    ("exchange @ 0", "Ben forces", "mexican", ()),  # no-force-due
    ("exchange @ 0", "Ben gives 6c to Ana", "swedish", ()),  # not-your-turn
    ("exchange @ 7", FORCED + "Ana gives 6d to Ben", "swedish", ()),  # forced
    ("exchange @ 7", FORCED + "Ana gives 5c to Ben", "swedish", ()),  # not-in-hand
    ("no-force-due @ 0", "Ben forces", "swedish", ()),  # not-your-turn
    ("no-force-due @ 7", FORCED + "Ana forces", "swedish", ()),  # forced
    ("not-your-turn @ 7", FORCED + "Ben passes", "swedish", ()),  # (Ana is) forced
    ("not-your-turn @ 1", "Ana turns 5c\nBen turns 6c", "swedish", ()),  # offer-open
    ("not-your-turn @ 2", "Ana turns 5c; melds 5c 6c 7c\nBen turns 6d", "swedish", ()),  # wrong-action
    ("not-your-turn @ 1", "stock 5c 6c\nAna turns 5c\nBen turns 7c", "swedish", ()),  # stock-mismatch
    ("not-your-turn @ 0", "Ana holds 5c\nBen turns 5c", "swedish", ()),  # card-elsewhere
    ("not-your-turn @ 0", "Ben passes", "swedish", ()),  # no-offer
    ("not-your-turn @ 0", "Ben discards 5c", "swedish", ()),  # no-discard-due
    ("not-your-turn @ 3", LAID + "Ana arranges 5c 6c 7c", "swedish", ()),  # arranging
    ("not-your-turn @ 1", "Ana turns 5c\nBen melds 5c 5c", "swedish", ()),  # card-twice
    ("forced @ 7", FORCED + "Ana turns 6d", "swedish", ()),  # offer-open
    ("forced @ 7", FORCED + "Ana discards 6d", "swedish", ()),  # no-discard-due
    ("forced @ 7", FORCED + "Ana arranges 5c 6c 7c", "swedish", ()),  # arranging
    ("offer-open @ 1", "stock 5c 6c\nAna turns 5c; turns 7c", "swedish", ()),  # stock-mismatch
    ("offer-open @ 1", "Ana turns 5c; turns 5c", "swedish", ()),  # card-elsewhere
    ("wrong-action @ 2", "stock 5c 6d\nAna turns 5c; melds 5c 6c 7c; turns Kd",
     "swedish", ()),  # stock-mismatch
    ("wrong-action @ 2", "Ana turns 5c; melds 5c 6c 7c; turns 5c", "swedish", ()),  # card-elsewhere
    ("stock-mismatch @ 0", "Ana holds 6c\nstock 5c\nAna turns 6c", "swedish", ()),  # card-elsewhere
    ("no-offer @ 0", "Ana melds 5c 5c 6c", "swedish", ()),  # card-twice, invalid-meld
    ("no-offer @ 0", "Ana holds " + TEN + "Ana melds 5c 6c 7c", "swedish", ()),  # not-in-hand
    ("no-offer @ 2", "Ana turns 5c; melds 5c 6c 7c; melds 5c 6c", "swedish", ()),  # invalid-meld
    ("no-discard-due @ 3", LAID + "Ben discards 5c", "swedish", ()),  # not-in-hand
    ("no-discard-due @ 0", "Ana discards 5c", "swedish", ()),
    ("arranging @ 3", LAID + "Ben arranges 2c 2c 3c", "swedish", ()),  # card-twice
    ("arranging @ 3", LAID + "Ben arranges 2c 3c",
     "swedish", ()),  # a card that is not on the table, invalid-meld
    ("card-twice @ 1", "Ana turns 5c; melds 5c 6c 7c, 6c 6d 6h", "swedish", ()),  # a second meld is whole
    ("card-twice @ 1", "Ana turns 5c; melds 6c 7c 7c", "swedish", ()),  # offer-not-used, invalid-meld
    ("card-twice @ 1", "Ana holds " + TEN + "Ana turns 5c; melds 5c 7c 7c", "swedish", ()),
    ("card-twice @ 3", LAID + "Ben arranges 2c 2c 3c", "swedish", ("arranging=alone",)),  # arranging (a card)
    ("card-twice @ 6", LAID + PASSED.format("4c") + "Ana melds 4c 4c 4c 5c", "navajo-tens", ()),
    ("table-card-missing @ 6", LAID + PASSED.format("2h") + "Ana melds 3h 4h 5h", "navajo-tens", ()),
    ("table-card-missing @ 6", LAID + PASSED.format("2h") + "Ana melds 2h 2d 2c, 5c 6c", "navajo-tens", ()),
    ("table-card-missing @ 2", LONG + "; arranges 4c 5c 6c 2c", "navajo-tens", ("arranging=alone",)),
    ("arranging @ 2", "Ana turns 5c; melds 5c 6c 7c; arranges 4c 5c, 6c 7c", "swedish", ("arranging=alone",)),
    ("offer-not-used @ 3", "Ben holds " + TEN + LAID + "Ben melds 2s 3s 4s", "swedish", ()),
    ("offer-not-used @ 3", LAID + "Ben melds 2s 3s 5s", "swedish", ()),  # invalid-meld
    ("offer-not-used @ 7", FORCED + "Ana melds 2d 2h 2s", "swedish", ()),  # forced
    ("not-in-hand @ 3", "Ben holds " + TEN + LAID + "Ben melds Kd Kh", "swedish", ()),
    ("not-in-hand @ 7", FORCED + "Ana melds 4c 4d Kd", "swedish", ()),  # invalid-meld, forced
    ("invalid-meld @ 1", "Ana turns 5c; melds 5c 6c, 2d 2h 2s", "swedish", ("hand-only-melds=none",)),
    ("invalid-meld @ 7", FORCED + "Ana melds 4c 4d 5c", "swedish", ()),  # forced
    ("hand-only-melds @ 6", LAID + PASSED.format("7d") + "Ana melds 7c 7d 7h, 5c 6c 4c, 2d 2h 2s",
     "swedish", ("hand-only-melds=none", "borrowing=afterwards")),  # borrowing
    ("hand-only-melds @ 7", FORCED + "Ana melds 4c 4d 4h, 2d 2h 2s",
     "swedish", ("hand-only-melds=none",)),  # forced
    ("forced @ 7", FORCED + "Ana melds 3c 4c 5c, 6c 7c Jc", "swedish", ()),  # new-meld
    ("new-meld @ 6", LAID + PASSED.format("7d") + "Ana melds 7c 7d 7h, 4c 5c 6c", "swedish", ()),
    ("forced @ 7", FORCED + "Ana passes\nAna wins", "swedish", ()),  # wrong-result
]  # fmt: skip


@pytest.mark.parametrize(("expected", "record", "rules", "readings"), FIRST_OF_TWO)
def test_where_several_codes_apply_to_one_event_the_first_of_the_table_is_reported(
    expected: str, record: str, rules: str, readings: tuple[str, ...]
) -> None:
    if rules == "classic":
        record = "starter Kc\nAna passes\nBen passes\n" + record
        code, event = expected.split(" @ ")
        expected = f"{code} @ {int(event) + 2}"
    assert judged(rules, record, *readings) == expected


# Coonking, whose pack has no king.
NINE = LAID.replace("Kd", "9d") + PASSED.format("4c")
THREES = "Ana turns 4c; melds 4c 4d 4h; discards 9c\n" + PASSED.format("5d")
THREES += "Ana melds 4d 5d 6d, 4c 5c 6c, 4h 5h 6h"
FIVES = "Ana melds 5c 5d 5h 5s; discards Ac\n" + PASSED.format("4c")
CITED = [
    # code, rules, the passage that the sheet or the common page says it by, record, readings
    ("not-in-deck", "swedish", "sw.deal.1", "Ana turns 8c", ()),
    ("game-over", "swedish", "sw.end.1", WON + "Ana discards Ks", ()),
    ("exchange", "mexican", "sw.forms.2", "Ana turns 5c", ()),
    ("exchange", "swedish", "sw.deal.4", "Ana gives 5c to Ben", ()),
    ("no-force-due", "swedish", "sw.board.4", LAID + "Ana forces", ()),
    ("not-your-turn", "swedish", "sw.turn.6", "Ben turns 5c", ()),
    ("forced", "swedish", "sw.board.4", FORCED + "Ana passes", ()),
    ("forced", "coonking", "ck.19", NINE + "Ana passes\nBen forces\nAna passes", ()),
    ("offer-open", "swedish", "sw.intro.1", "Ana turns 5c; turns 6c", ()),
    ("wrong-action", "swedish", "sw.turn.5", "Ana turns 5c; melds 5c 6c 7c; turns 6d", ()),
    ("stock-mismatch", "swedish", "sw.turn.6", "stock 6c\nAna turns 5c", ()),
    ("card-elsewhere", "swedish", "sw.turn.6", "Ana holds 5c\nAna turns 5c", ()),
    ("no-offer", "swedish", "sw.turn.6", "Ana passes", ()),
    ("no-discard-due", "swedish", "sw.intro.1", "Ana turns 5c; discards 6c", ()),
    ("arranging", "swedish", "sw.board.1", "Ana turns 5c; arranges", ()),
    ("card-twice", "swedish", "sw.deal.1", "Ana turns 5c; melds 5c 5c 6c", ()),
    ("table-card-missing", "navajo-tens",
     "sw.board.1", LAID + PASSED.format("2h") + "Ana melds 2h 3h 4h", ()),
    ("offer-not-used", "swedish", "sw.intro.2", "Ana turns 5c; melds 6d 7d Jd", ()),
    ("not-in-hand", "swedish", "sw.intro.1", LAID + "Ben melds Kd Kc 5c", ()),
    ("invalid-meld", "swedish", "sw.board.1", "Ana turns 5c; melds 5c 6c", ()),
    ("hand-only-melds",
     "swedish", "sw.turn.4", "Ana turns 5c; melds 5c 6c 7c, 2d 3d 4d", ("hand-only-melds=none",)),
    ("borrowing", "coonking", "ck.17", THREES, ()),
    ("borrowing", "discard-then-meld", "cl.variants.5", "starter 5c\n" + FIVES + "Ana melds 3c 4c 5c", ()),
    ("new-meld",
     "swedish", "sw.turn.3", LONG + "; discards Kd\n" + PASSED.format("7d") + "Ana melds 7c 7d 7h", ()),
    ("wrong-result", "swedish", "sw.end.1", "Ana turns 5c\nAna wins", ()),
]  # fmt: skip


def test_borrowing_comes_before_forced_and_new_meld() -> None:
    # Everything is in groups of three afterwards: the run of three is gone, and the four lies elsewhere.
    readings = ("borrowing=never-from-three", "new-meld=two-from-hand")
    start = here("classic", "4c", "5c 6c 7c", "4d 4h 5d 5h 6d 6h 7d 7h", *readings)
    position = start.apply(("me", "passes")).apply(("opponent", "forces"))
    groups = "4c 4d 4h, 5c 5d 5h, 6c 6d 6h, 7c 7d 7h"
    assert melding(position, groups) == "borrowing"
    assert melding(position, "4c 4d 4h") == "forced"
    # One hand card and one borrowed one make a new meld; a run of four may lend it.
    position = here("classic", "5h", "2c 3c 4c 5c", "5d", *readings)
    assert melding(position, "5c 5d 5h") == "new-meld"


HOUSE = """ruleset thursday "Thursday club"
extends swedish
source club "Rules of the Thursday club" in "club.txt"

clause later "A later meld does not have three cards."
  cite club.1
  code house.later
  player may not meld when some n in after: up in n and size(n) = 3 and not before is empty

clause four "The card on offer is in a meld of four or more."
  cite club.2
  code house.four
  player may not meld when some n in after: up in n and size(n) < 4
"""


def test_clauses_that_a_rule_set_adds_come_last_in_the_order_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "thursday.rules"
    file.write_text(HOUSE, encoding="utf-8")
    rules = str(file)
    assert melding(here(rules, "4c", "", "5c 6c"), "4c 5c 6c") == "house.four"
    assert melding(here(rules, "4c", "2d 2h 2s", "5c 6c"), "4c 5c 6c") == "house.later"
    assert melding(here(rules, "4c", "", "5c 6c"), "4c 5c 6d") == "not-in-hand"
    assert melding(here(rules, "4c", "", "5c 7c"), "4c 5c 7c") == "invalid-meld"
    # One hand card only: `new-meld` stands in the table, before them.
    assert melding(here(rules, "7h", "4s 5s 6s 7s", "7d"), "7s 7h 7d") == "new-meld"


@pytest.mark.parametrize(("code", "rules", "passage", "record", "readings"), CITED)
def test_a_verdict_cites_the_passage_of_the_deciding_clause(
    code: str, rules: str, passage: str, record: str, readings: tuple[str, ...]
) -> None:
    wrong = violation(rules, record, *readings)
    assert (wrong.code, wrong.clause) == (code, passage)
