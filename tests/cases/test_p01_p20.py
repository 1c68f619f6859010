"""Faults from practice, P01 to P20: melds, layouts, demands, replays.

P03 is in `tests/agreement/test_layable.py`, P04 in `tests/house_rules/test_settings.py`, P08 in
`tests/agreement/test_conservation.py`.
"""

from __future__ import annotations

from itertools import permutations
from random import Random

from conquian import load, replay
from conquian.generate import games
from tests.rules.telling import (
    code,
    here,
    judged,
    melding,
    melds,
    notes,
    sheet_of,
    tables,
    verdict_of,
    violation,
)

ANY = "new-meld=any"


def cards_in(text: str) -> list[str]:
    return text.split()


def test_p01_the_same_card_twice_is_named_twice_and_no_meld() -> None:
    assert melding(here("swedish", "5h", "", "5c", ANY), "5h 5c 5c") == "card-twice"
    wrong = violation("swedish", "Ana turns 5h; melds 5h 5c 5c", ANY)
    assert (wrong.code, wrong.cards) == ("card-twice", ("5c",))
    assert "5c is named twice" in wrong.message
    two = here("navajo-tens", "5h", "", "5c 5c", "group-suits=distinct")
    assert melding(two, "5h 5c 5c") == "invalid-meld"
    assert melding(here("navajo-tens", "5h", "", "5c 5c"), "5h 5c 5c") is None


def test_p02_a_layout_that_leaves_out_a_table_card_is_refused_and_names_it() -> None:
    record = "Ana turns 5c; melds 5c 6c 7c, 2d 2h 2s; discards Kd\nBen passes; turns 4c; passes\n"
    wrong = violation("navajo-tens", record + "Ana melds 4c 5c 6c 7c, 2d 2h")
    assert (wrong.code, wrong.cards) == ("table-card-missing", ("2s",))
    # With one pack what is not listed stands; a remainder that is no meld is named.
    wrong = violation("swedish", record + "Ana melds 4c 5c 6c", ANY)
    assert (wrong.code, wrong.cards) == ("invalid-meld", ("7c",))


def test_p05_two_cards_at_the_low_end_are_laid_together() -> None:
    position = here("swedish", "4d", "5d 6d 7d", "3d Kc", ANY)
    after = position.apply(("me", "melds", melds("3d 4d 5d 6d 7d")))
    assert after.table("me") == melds("3d 4d 5d 6d 7d")


def test_p06_complete_cards_are_seen_as_complete_in_any_order() -> None:
    cards = ["2h", "3h", "4h", "5h", "4s", "5s", "6s", "Jh", "Qh", "Kh"]
    random = Random(6)
    for _ in range(20):
        random.shuffle(cards)
        up, *hand = cards
        found = here("swedish", up, "", " ".join(hand), ANY).legal_melds()
        assert tuple(sorted(melds("2h 3h 4h 5h, 4s 5s 6s, Jh Qh Kh"))) in found
    for listed in permutations(["5h 4h 3h 2h", "6s 4s 5s", "Kh Jh Qh"]):
        assert melding(here("swedish", "2h"), ", ".join(listed)) is None


def test_p07_a_doubled_card_makes_no_second_chance() -> None:
    assert tables(here("two-deck", "Kd", "", "Jd Qd Qd")) == ["Jd Qd Kd"]
    assert tables(here("navajo-tens", "Kd", "", "Jd Jd Qd Qd")) == ["Jd Qd Kd"]


def test_p09_rules_and_readings_are_the_same_with_and_without_a_seed() -> None:
    ruled = load("swedish", {"force-timing": "none", "goal": "at-least"})
    for seed in (0, 1, 2):
        (game,) = games(ruled.engine, 1, seed)
        assert game.rules == "swedish"
        assert game.readings == {"force-timing": "none", "goal": "at-least"}
        assert game.deals[0].hands is not None
        for position, _ in replay(ruled, game.players, game.deals[0], game.dealer):
            assert position.rules.readings == ruled.readings


def test_p10_a_demand_depends_on_open_cards_alone() -> None:
    cards = ["2c", "2d", "2h", "2s", "3d", "3h", "3s", "Kc", "Kd", "Kh", "Ks", "Js", "Qs"]
    random = Random(10)
    for up, due in (("4c", True), ("6d", False)):
        for _ in range(10):
            hand = " ".join(random.sample(cards, 6))
            position = here("swedish", up, "5c 6c 7c", hand)
            assert (code(position, ("opponent", "forces")) is None) == due
        assert (code(here("swedish", up, "5c 6c 7c"), ("opponent", "forces")) is None) == due


def test_p11_who_may_take_a_thrown_card_is_decided_by_seat() -> None:
    # The king fits Ana's own kings, but Ben has not declined it.
    record = "Ana turns Kd; melds Kd Kh Ks; discards Kc\nAna melds Kc Kd Kh Ks"
    wrong = violation("swedish", record)
    assert (wrong.code, wrong.event) == ("not-your-turn", 3)
    assert "Ben" in wrong.message and "meld" in wrong.message
    assert judged("swedish", record.replace("Ana melds Kc Kd Kh Ks", "Ben melds Kc Jc Qc")) == "unfinished"
    # Four players: the next in turn has the right, nobody after him.
    four = "starter Kd\nAna melds Kd Kh Ks; discards 5c\n"
    assert judged("partnership", four + "Cleo melds 5c 6c 7c") == "not-your-turn @ 2"
    assert judged("partnership", four + "Ben melds 5c 6c 7c") == "unfinished"
    assert judged("partnership", four + "Ben passes\nCleo melds 5c 6c 7c") == "not-your-turn @ 3"


def test_p12_every_layout_is_given_not_only_the_first() -> None:
    hand = "2c 2d 2h 3c 3d 3h 4c 4d"
    whole = [
        table for table in here("swedish", "4h", "", hand, ANY).legal_melds() if sum(map(len, table)) == 9
    ]
    assert {frozenset(table) for table in whole} == {
        frozenset(melds("2c 2d 2h, 3c 3d 3h, 4c 4d 4h")),
        frozenset(melds("2c 3c 4c, 2d 3d 4d, 2h 3h 4h")),
    }


TEN = """Ana turns 5c; melds 4c 5c 6c 7c; discards Kd
Ben passes; turns 2d; passes
Ana melds 2d 2h 2s, Jh Qh Kh; discards Qs
"""


def test_p13_a_win_that_the_cards_do_not_give_is_refused_with_both_results_named() -> None:
    wrong = violation("swedish", TEN + "Ana wins")
    assert (wrong.code, wrong.line) == ("wrong-result", 7)
    assert "Ana wins" in wrong.message and "not ended" in wrong.message
    # Eleven of which the last comes from the hand alone: Ana has to use the five that is on offer.
    alone = TEN + "Ben passes; turns 5d; passes\nAna melds 4c 5c 6c 7c Jc\nAna wins"
    assert judged("swedish", alone) == "offer-not-used @ 11"


def test_p14_the_demand_looks_at_every_meld() -> None:
    table = "Ac 2c 3c, 5s 6s 7s"
    for other in (table, "5s 6s 7s, Ac 2c 3c"):
        forced = here("swedish", "Js", other, None, ANY).apply(("opponent", "forces"))
        assert code(forced, ("me", "passes")) == "forced"
        assert melding(forced, "5s 6s 7s Js") is None


def test_p15_the_first_ambiguous_line_is_the_line_reported() -> None:
    # With two packs it has to be said which melds stand; the later lines would fit either way.
    record = """Ana turns 5c; melds 5c 5d 5h; discards Kd
Ben passes; turns 5c; passes
Ana melds 5c 6c 7c; discards Kh
Ben passes; turns 4c; passes
Ana melds 4c 5c 6c 7c, 5c 5d 5h
"""
    wrong = violation("navajo-tens", record)
    assert (wrong.code, wrong.event, wrong.line) == ("table-card-missing", 6, 6)


def test_p16_after_an_illegal_line_nothing_is_called_legal() -> None:
    (deal,) = verdict_of("swedish", "Ana turns 5c; turns 6c; passes\nBen passes\nAna wins").deals
    assert deal.verdict == "invalid" and deal.result is None
    assert [wrong.event for wrong in deal.violations] == [1]


def test_p17_a_replay_shows_each_state_after_the_move() -> None:
    sheet = sheet_of(
        "swedish", "Ana holds 6c 7c Kd 2d 3d 4h 5h Js Qs As\nAna turns 5c; melds 5c 6c 7c; discards Kd"
    )
    assert sheet.game is not None
    hands = [
        set(position.hand("Ana")[0])
        for position, _ in replay(load("swedish"), ("Ana", "Ben"), sheet.game.deals[0])
    ]
    dealt = set(["6c", "7c", "Kd", "2d", "3d", "4h", "5h", "Js", "Qs", "As"])
    assert hands == [dealt, dealt, dealt - {"6c", "7c"}, dealt - {"6c", "7c", "Kd"}]
    for sign, letter in zip("♣♦♥♠", "cdhs", strict=True):
        other = sheet_of("swedish", f"Ana turns 5{sign}").game
        assert other is not None and other.deals[0].events == (("Ana", "turns", f"5{letter}"),)


def test_p18_the_card_taken_is_in_one_of_the_melds() -> None:
    position = here("swedish", "Kd", "3c 4c 5c", "7s 7h 7d", ANY)
    assert melding(position, "3c 4c 5c, 7s 7h 7d") == "offer-not-used"


def test_p19_a_meld_without_the_throw_is_refused_at_the_next_line() -> None:
    wrong = violation("swedish", "Ana turns 5c; melds 5c 6c 7c\nBen turns 2d")
    assert (wrong.code, wrong.event, wrong.line) == ("not-your-turn", 2, 5)
    assert "Ana still has to discard" in wrong.message


def test_p20_the_first_difference_says_line_expected_and_found() -> None:
    wrong = violation("swedish", "stock 5c 6c 7c\nAna turns 5c; passes\nBen passes; turns 7c; passes")
    assert (wrong.code, wrong.event, wrong.line, wrong.column) == ("stock-mismatch", 3, 6, 19)
    assert "expected 6c, found 7c" in wrong.hint


def test_p27_a_missed_demand_is_noted_and_play_goes_on() -> None:
    record = "Ana turns 5c; melds 5c 6c 7c; discards Kd\nBen passes; turns 4c; passes\n"
    record += "Ana passes; turns 2d; passes"
    assert judged("swedish", record) == "unfinished"
    assert notes("swedish", record) == [("demand-not-made", 6)]
