"""Concessions, agreed draws, deals broken off: none an error, each with its effect on the stakes."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from conquian.engine.sets import rule_sets
from conquian.scoring import score
from conquian.standings import Score
from tests.reference.referee import ledger as second_ledger
from tests.score.telling import Document, bare, deal, payments, told, units, wins

from .telling import judged, notes, sheet_of

FAMILIES = ("classic", "coonking", "swedish")
FOUR = "Ana, Ben, Cleo, Dan"


def start(rules: str) -> str:
    return "starter Kh\nAna passes" if rules in ("classic", "partnership") else "Ana turns 5c"


@pytest.mark.parametrize("rules", FAMILIES)
def test_who_concedes_has_lost_and_it_is_no_error(rules: str) -> None:
    assert judged(rules, f"{start(rules)}\nBen concedes") == "Ana wins"
    assert judged(rules, f"{start(rules)}\nAna concedes") == "Ben wins"
    assert judged(rules, f"{start(rules)}; concedes") == "Ben wins"
    assert ("conceded", 1) in notes(rules, f"{start(rules)}\nBen concedes")


@pytest.mark.parametrize("rules", FAMILIES)
def test_an_agreed_draw_is_a_drawn_deal(rules: str) -> None:
    for names in ("Ana and Ben", "Ben and Ana"):
        assert judged(rules, f"{start(rules)}\n{names} agree a draw") == "drawn"
    assert ("agreed", 1) in notes(rules, f"{start(rules)}\nAna and Ben agree a draw")


@pytest.mark.parametrize("rules", FAMILIES)
def test_a_deal_that_was_broken_off_is_unfinished(rules: str) -> None:
    assert judged(rules, f"{start(rules)}\nbroken off") == "unfinished"
    assert ("broken-off", None) in notes(rules, f"{start(rules)}\nbroken off")
    assert ("broken-off", None) not in notes(rules, start(rules))


def test_a_deal_can_be_ended_before_its_first_event_and_during_the_exchange() -> None:
    assert judged("swedish", "Ben concedes") == "Ana wins"
    assert judged("mexican", "Ana gives 3h to Ben\nBen concedes") == "Ana wins"
    assert judged("mexican", "Ana and Ben agree a draw") == "drawn"
    assert judged("classic", "starter Kh\nbroken off") == "unfinished"


@pytest.mark.parametrize("rules", FAMILIES)
def test_nothing_follows_the_end_of_a_deal_that_the_players_ended(rules: str) -> None:
    for end in ("Ben concedes", "Ana and Ben agree a draw"):
        for after in ("Ana concedes", "Ana and Ben agree a draw", "Ben forces", "Ana turns 6c", "Ana passes"):
            assert judged(rules, f"{start(rules)}\n{end}\n{after}") == "game-over @ 2"


@pytest.mark.parametrize("rules", FAMILIES)
def test_a_deal_that_is_over_can_not_be_conceded_nor_drawn_nor_broken_off(rules: str) -> None:
    won = deal(rules, "first", "Ana", "Ben")
    number = len(won.replace(";", "\n").strip().splitlines()) - (1 if rules == "classic" else 0)
    for word in ("Ben concedes", "Ana and Ben agree a draw"):
        assert judged(rules, f"{won}{word}") == f"game-over @ {number}"
    assert judged(rules, f"{won}broken off") == "wrong-result"
    drawn = deal(rules, "drawn", "Ana", "Ben")
    assert judged(rules, drawn) == "drawn"
    assert judged(rules, f"{drawn}Ben concedes").startswith("game-over")
    assert judged(rules, f"{drawn}broken off") == "wrong-result"


def test_a_claim_says_what_the_concession_gives() -> None:
    assert judged("swedish", "Ana turns 5c\nBen concedes\nAna wins") == "Ana wins"
    assert judged("swedish", "Ana turns 5c\nBen concedes\nBen wins") == "wrong-result"
    assert judged("swedish", "Ana turns 5c\nBen concedes\nbroken off") == "wrong-result"
    assert judged("swedish", "Ana turns 5c\nAna and Ben agree a draw\ndrawn") == "drawn"
    assert judged("swedish", "Ana turns 5c\nAna and Ben agree a draw\nAna wins") == "wrong-result"


def test_a_forced_player_can_concede() -> None:
    record = (
        "Ana turns 5c; melds 5c 6c 7c; discards Ks\nBen passes; turns Jc; passes\nBen forces\nAna concedes"
    )
    assert judged("swedish", record) == "Ben wins"


def test_a_draw_is_agreed_by_every_side_and_one_of_two_partners_is_enough() -> None:
    record = "starter 5c\nAna passes\n{} agree a draw"
    for names, verdict in (
        ("Ana and Ben", "drawn"),
        ("Ana and Dan and Cleo and Ben", "drawn"),
        ("Ana and Cleo", "not-agreed @ 1"),
        ("Dan and Ben", "not-agreed @ 1"),
    ):
        assert judged("partnership", record.format(names), players=FOUR) == verdict


def test_of_partners_the_next_opponent_in_turn_is_named_as_the_winner() -> None:
    for name, winner in (("Ana", "Ben"), ("Ben", "Cleo"), ("Cleo", "Dan"), ("Dan", "Ana")):
        record = f"starter 5c\n{name} concedes"
        assert judged("partnership", record, players=FOUR) == f"{winner} wins"


THREE = """ruleset three "Three play"
extends swedish
source club "The club" in "club.txt"

override clause seats "Three play, each for himself."
  cite club.seats
  players 3

override clause dealing "Eight cards each."
  cite club.deal
  deal 8 in packets of 1

override clause goal "Nine cards."
  cite club.goal
  goal 9
"""


def test_conceding_to_more_than_one_side_says_not_who_has_won(tmp_path: Path) -> None:
    from conquian.judgement import file_verdict

    file = tmp_path / "three.rules"
    file.write_text(THREE, encoding="utf-8")

    def code(record: str) -> list[str]:
        sheet = sheet_of("swedish", f"Ana turns 5c\n{record}", players="Ana, Ben, Cleo")
        (found,) = file_verdict(sheet, str(file), {}, False)[0].deals
        return [v.code for v in found.violations] or [found.verdict]

    assert code("Ben concedes") == ["conceding"]
    assert code("Ana and Ben agree a draw") == ["not-agreed"]
    assert code("Ana and Ben and Cleo agree a draw") == ["valid"]
    assert code("broken off") == ["unfinished"]


# ---- stakes, worked out by hand. Ben deals deal 1, so that Ana is first in it.


def ledger(rules: str, words: str, *readings: str) -> Score:
    """`conceded` is by the second player, so that the first has won; the second ledger agrees."""
    ends = {
        "conceded": "{second} concedes",
        "agreed": "{first} and {second} agree a draw",
        "broken": "broken off",
    }
    text, seat = "", 1
    for number, word in enumerate(words.split(), 1):
        first, second = ("Ana", "Ben") if seat else ("Ben", "Ana")
        text += f"deal {number}\n"
        if word in ends:
            opening = f"starter Kh\n{first} passes" if rules == "classic" else f"{first} turns 5c"
            text += f"{opening}\n{ends[word].format(first=first, second=second)}\n"
        else:
            text += deal(rules, word, first, second)
        again = "draw-settlement=replay" in readings and (
            word == "drawn"
            or (word == "agreed" and "agreed-draw=void" not in readings)
            or (word == "broken" and "breaking-off=drawn" in readings)
        )
        seat = seat if again else 1 - seat
    sheet = sheet_of(rules, text, *readings)
    found = score(sheet).score
    game: Document = json.loads(msgspec.json.encode(sheet.game))
    assert bare(found) == second_ledger(game)
    return found


@pytest.mark.parametrize("rules", FAMILIES)
def test_a_concession_is_paid_as_a_lost_deal(rules: str) -> None:
    found = ledger(rules, "conceded")
    assert (payments(found), wins(found), found.pot) == ([(1, -1)], (1, 0), 0)
    assert found.deals[0].winner == "Ana"


@pytest.mark.parametrize("rules", FAMILIES)
def test_a_concession_from_an_empty_table_is_no_rummy(rules: str) -> None:
    assert payments(ledger(rules, "conceded", "rummy-bonus=double")) == [(1, -1)]


@pytest.mark.parametrize("rules", FAMILIES)
def test_a_concession_can_be_void(rules: str) -> None:
    found = ledger(rules, "conceded first", "concession=void")
    # Deal 2 is Ben's; the deal has gone round all the same.
    assert (payments(found), wins(found), found.pot) == ([(0, 0), (-1, 1)], (0, 1), 0)


def test_an_agreed_draw_brings_what_a_draw_brings() -> None:
    for rules in FAMILIES:
        assert payments(ledger(rules, "agreed second")) == payments(ledger(rules, "drawn second"))
    # Worked by hand: two antes lie there, Ana is second in deal 2, antes one more and takes four.
    assert payments(ledger("classic", "agreed second")) == [(-1, -1), (3, -1)]
    assert payments(ledger("coonking", "agreed second")) == [(-1, -1), (3, -1)]
    assert payments(ledger("swedish", "agreed second")) == [(0, 0), (2, -2)]


@pytest.mark.parametrize("rules", FAMILIES)
def test_an_agreed_draw_can_be_void(rules: str) -> None:
    found = ledger(rules, "agreed second", "agreed-draw=void")
    assert (payments(found), found.pot) == ([(0, 0), (1, -1)], 0)


@pytest.mark.parametrize("rules", FAMILIES)
def test_a_deal_broken_off_moves_nothing_and_can_count_as_drawn(rules: str) -> None:
    assert payments(ledger(rules, "broken second")) == [(0, 0), (1, -1)]
    drawn = ledger(rules, "broken second", "breaking-off=drawn")
    assert payments(drawn) == payments(ledger(rules, "drawn second"))
    assert drawn.deals[0].winner is None


def test_a_draw_of_any_kind_that_counts_is_played_again_by_the_same_dealer() -> None:
    replay = "draw-settlement=replay"
    for words, readings, dealer in (
        ("agreed", (), "Ben"),
        ("agreed", ("agreed-draw=void",), "Ana"),
        ("broken", (), "Ana"),
        ("broken", ("breaking-off=drawn",), "Ben"),
        ("conceded", (), "Ana"),
    ):
        assert ledger("classic", words, replay, *readings).dealer_next == dealer


def test_a_deal_that_does_not_count_is_noted_with_the_reason() -> None:
    found = score(sheet_of("swedish", "Ana turns 5c\nbroken off")).score
    assert [(n.code, n.message) for n in found.notes] == [
        ("not-counted", "the deal was broken off; under these readings it does not count")
    ]
    found = score(sheet_of("swedish", "Ana turns 5c\nBen concedes", "concession=void")).score
    assert [n.message for n in found.notes] == [
        "the deal was conceded; under these readings it does not count"
    ]


def test_a_meld_that_was_taken_back_is_no_act_of_the_deal() -> None:
    # Laid in one act from nothing, once the first try, an illegal one, has come back: that is paid double.
    holds = "Ana holds 3c 3d 3h 6h 7h Jh Qh 5s 6s 7s\nAna turns 3s\n"
    goes_out = "Ana melds 3c 3d 3h 3s, 6h 7h Jh Qh, 5s 6s 7s"
    record = f"{holds}Ana melds 3c 3d 3h 3s, 5s 6s; discards Qh\nBen objects\n{goes_out}"
    sheet = sheet_of("swedish", record, "rummy-bonus=double")
    found = score(sheet).score
    assert payments(found) == [(2, -2)]
    game: Document = json.loads(msgspec.json.encode(sheet.game))
    assert bare(found) == second_ledger(game)


def test_a_house_can_say_what_a_concession_costs(tmp_path: Path) -> None:
    file = tmp_path / "dear.rules"
    file.write_text(
        'ruleset dear "A concession is dear"\nextends swedish\nsource club "The club" in "club.txt"\n\n'
        'clause dear "Who concedes pays two more."\n  cite club.dear\n  stakes:\n'
        "    loser pays 2 to winner when conceded\n",
        encoding="utf-8",
    )
    sheet = sheet_of("swedish", "Ana turns 5c\nBen concedes")
    assert units(score(sheet, rules=str(file)).score) == (3, -3)
    played = sheet_of("swedish", deal("swedish", "first", "Ana", "Ben"))
    assert units(score(played, rules=str(file)).score) == (1, -1)


@pytest.mark.parametrize("rules", rule_sets())
def test_every_rule_set_has_the_three_readings(rules: str) -> None:
    from conquian.engine.engine import engine

    chosen = engine(rules).readings
    assert (chosen["concession"], chosen["agreed-draw"], chosen["breaking-off"]) == ("lost", "drawn", "void")


def test_readings_on_stakes_change_no_verdict() -> None:
    assert told("swedish", "first")
    for reading in ("concession=void", "agreed-draw=void", "breaking-off=drawn"):
        assert judged("swedish", "Ana turns 5c\nBen concedes", reading) == "Ana wins"
        assert judged("swedish", "Ana turns 5c\nAna and Ben agree a draw", reading) == "drawn"
        assert judged("swedish", "Ana turns 5c\nbroken off", reading) == "unfinished"
