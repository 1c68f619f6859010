"""`validate` for people: whole outputs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .conftest import CLUB, OPEN, WON
from .running import run


def test_a_won_deal() -> None:
    done = run("validate", "won.cqn", "--no-differs")
    assert done.out == "won.cqn: valid (swedish)\n  deal 1: valid, Ana wins\n"
    assert (done.status, done.err) == (0, "")


def test_an_unfinished_deal() -> None:
    done = run("validate", "open.cqn", "--no-differs")
    assert done.out == "open.cqn: unfinished (swedish)\n  deal 1: unfinished\n"
    assert done.status == 0


def test_an_illegal_event_with_its_place_cards_clause_hint_and_readings() -> None:
    done = run("validate", "club.cqn")
    assert (
        done.out
        == """\
club.cqn: invalid (swedish)
  deal 1: invalid
club.cqn:6:14: new-meld too few hand cards in the new meld with 7h (deal 1, event 6)
    Ana melds 7c 7h 7d
                 ^^
    rule sw.turn.3 (Swedish rule sheet): A new combination takes at least two cards from the hand.
    hint: no meld of the card on offer is legal with the cards that are known
    legal with new-meld=any
    with discard-after-meld=no: invalid, not-your-turn at event 2
    with new-meld=any: unfinished
    with borrowing=afterwards: invalid, borrowing at event 6
"""
    )
    assert (done.status, done.err) == (1, "")


def test_after_the_first_violation_the_rest_is_read_but_marked_as_not_judged(folder: Path) -> None:
    (folder / "long.cqn").write_text(OPEN + "Ana turns 6c; passes\nBen passes\n", encoding="utf-8")
    done = run("validate", "long.cqn", "--no-differs")
    assert (
        done.out
        == """\
long.cqn: invalid (swedish)
  deal 1: invalid - 2 of 4 events judged, 2 not judged
long.cqn:5:1: offer-open Ana turns a card while 5c is on offer (deal 1, event 1)
    Ana turns 6c; passes
    ^^^^^^^^^^^^
    rule sw.intro.1 (Swedish rule sheet): The card on offer is melded or passed, and never enters a hand.
    hint: meld 5c or pass first
"""
    )


def test_every_error_of_a_file_and_the_deals_that_can_be_judged() -> None:
    done = run("validate", "broken.cqn", "--no-differs")
    assert (
        done.out
        == """\
broken.cqn: unreadable (swedish)
broken.cqn:5:11: bad-card '5x' is no card in french notation
    Ana turns 5x
              ^^
hint: a card is a rank (A 2 … 10 J Q K) and a suit (c d h s), like 7s or 10h
broken.cqn:6:5: unknown-verb 'plays' is nothing a player does
    Ana plays 5c
        ^^^^^
hint: a player holds, gives, turns, melds, arranges, passes, discards, forces or wins
  deal 1: unreadable
  deal 2: invalid - 2 of 3 events judged, 1 not judged
broken.cqn:8:15: offer-open Ben turns a card while 5c is on offer (deal 2, event 1)
    Ben turns 5c; turns 6c; passes
                  ^^^^^^^^
    rule sw.intro.1 (Swedish rule sheet): The card on offer is melded or passed, and never enters a hand.
    hint: meld 5c or pass first
"""
    )
    assert done.status == 2


def test_a_fault_of_the_set_up_and_a_wrong_claim(folder: Path) -> None:
    (folder / "deals.cqn").write_text(
        OPEN.replace("Ana turns", "deal 1\nAna holds 9:\nAna turns") + "deal 2\nAna turns 5c\nBen wins\n",
        encoding="utf-8",
    )
    done = run("validate", "deals.cqn", "--no-differs")
    assert (
        done.out
        == """\
deals.cqn: invalid (swedish)
  deal 1: invalid - 0 of 1 events judged, 1 not judged
deals.cqn:5:11: misdeal Ana was dealt 9 cards, not 10 (deal 1)
    Ana holds 9:
              ^
    rule sw.deal.2 (Swedish rule sheet): Ten cards each, one at a time.
    hint: the deal is void; the same dealer deals again
  deal 2: invalid
deals.cqn:9:1: wrong-result the record says `Ben wins`, the deal is not ended (deal 2)
    Ben wins
    ^
    rule sw.end.1 (Swedish rule sheet): The deal is won right after a meld that brings the table to the goal.
    hint: claimed: Ben wins; reached: not ended
"""
    )


def test_notes_are_shown_with_their_lines(folder: Path) -> None:
    text = (
        CLUB.replace("\n\n", "\nclub: Monday\n\n")
        .replace("7h", "3c")
        .replace("Ana melds 7c 3c 7d", "Ana passes; turns 2d")
    )
    (folder / "notes.cqn").write_text("\ufeff" + text, encoding="utf-8")
    done = run("validate", "notes.cqn", "--no-differs", "--rules", "swedish-packets")
    assert (
        done.out
        == """\
notes.cqn: unfinished (swedish-packets)
  deal 1: unfinished
    note: the file begins with a byte order mark; it is ignored (bom; line 1)
    note: the header key 'club' is not known; it is kept as it is (unknown-key; line 3)
    note: judged by `swedish-packets` from the command line; the header says `swedish` (rules-overridden; line 1)
    note: Ana passed a card that an opponent could have forced (demand-not-made; line 7, event 6)
"""
    )
    assert done.status == 0


def test_readings_that_are_not_the_rule_sets_own_are_named(folder: Path) -> None:
    done = run("validate", "club.cqn", "--no-differs", "--reading", "new-meld=any")
    assert done.out == "club.cqn: unfinished (swedish; new-meld=any)\n  deal 1: unfinished\n"


def test_several_files_and_standard_input(folder: Path) -> None:
    done = run("validate", "won.cqn", "-", "open.cqn", "--no-differs", given=WON)
    assert done.out == (
        "won.cqn: valid (swedish)\n  deal 1: valid, Ana wins\n"
        "-: valid (swedish)\n  deal 1: valid, Ana wins\n"
        "open.cqn: unfinished (swedish)\n  deal 1: unfinished\n"
    )


FIRST_LINE = re.compile(
    r"^(?P<path>[^:\n]+):(?P<line>\d+):(?P<col>\d+): (?P<code>[a-z.-]+) .+ \(deal \d+(, event \d+)?\)$"
)
PLACE = re.compile(r"^[^:\n]+:\d+:\d+: ")


@pytest.mark.parametrize("name", ["club", "broken"])
def test_p37_the_first_line_of_each_finding_can_be_taken_apart(name: str) -> None:
    done = run("validate", f"{name}.cqn", "--no-differs")
    findings = [line for line in done.out.splitlines() if PLACE.match(line)]
    of_rules = [line for line in findings if "(deal" in line]
    assert of_rules and all(FIRST_LINE.match(line) for line in of_rules)
    for line in findings:
        path, number, column, rest = line.split(":", 3)
        assert path == f"{name}.cqn" and int(number) > 3 and int(column) >= 1
        assert re.match(r" [a-z-]+ \S", rest)


@pytest.mark.parametrize("mark", ["", "\t", "   ", "12. "])
def test_marks_stand_under_the_cards_whatever_comes_before_them(folder: Path, mark: str) -> None:
    text = OPEN.replace("5c", "5♣") + f"{mark}Ana melds 5♣ 6♣ 9♣\n"
    (folder / "marks.cqn").write_text(text, encoding="utf-8")
    done = run("validate", "marks.cqn", "--no-differs")
    lines = done.out.splitlines()
    source = next(i for i, line in enumerate(lines) if "Ana melds" in line)
    assert lines[source + 1].index("^") == lines[source].index("9♣")
