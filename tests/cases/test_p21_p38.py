"""Faults from practice, P21 to P38, on the side of the rules: what is judged and what is not.

What the readers of transcripts have to do about them is in `tests/transcripts/test_reports.py`; P24 and P34
are wholly there. P31 is in `tests/agreement/test_games.py`.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from conquian import judge, load
from conquian.generate import games, written
from conquian.transcript.read import read
from conquian.verdict import FileVerdict
from tests.agreement.both import differences, document
from tests.reference.referee import judge as second_judge
from tests.rules.telling import all_judged, here, in_a_word, judged, verdict_of, violation

GOOD = """rules: swedish
players: Ana, Ben
date: 2026-11-28

deal 1
Ana turns 5c; melds 4c 5c 6c 7c; discards Kd
Ben passes; turns 2d; passes
Ana melds 2d 3d 4d 5d, Ah 2h 3h
Ana wins
"""


def verdict(data: bytes, name: str = "club.cqn") -> FileVerdict:
    (sheet,) = read(data, name)
    return judge(sheet, differs=False)


def test_p21_after_an_illegal_meld_nothing_is_judged_from_an_invented_position() -> None:
    record = "Ana turns 5c; melds 5c 6c; discards Kd\n"
    record += "".join("Ben passes; turns 2d; passes\nAna passes; turns 3d; passes\n" for _ in range(4))
    wrong = violation("swedish", record)
    assert (wrong.code, wrong.event, wrong.line, wrong.column) == ("invalid-meld", 1, 4, 21)
    (deal,) = verdict_of("swedish", record).deals
    assert len(deal.violations) == 1 and deal.notes == ()


def test_p22_a_finding_names_file_deal_line_column_and_event() -> None:
    record = "deal 1\nAna turns 5c\ndeal 2\nBen turns 5c; turns 6c\ndeal 3\nAna turns 5c"
    found = verdict_of("swedish", record)
    assert [in_a_word(deal) for deal in found.deals] == ["unfinished", "offer-open @ 1", "unfinished"]
    (wrong,) = [wrong for deal in found.deals for wrong in deal.violations]
    assert (found.file, wrong.line, wrong.column, wrong.event) == ("test.cqn", 7, 15, 1)


def test_p23_a_game_without_events_is_counted() -> None:
    bare = '{"format": "conquian/1", "rules": "swedish", "players": ["Ana", "Ben"]}'
    sheets = list(read(f"{bare}\n{bare}\n".encode(), "games.jsonl"))
    found = [judge(sheet) for sheet in sheets]
    assert [v.verdict for v in found] == ["unfinished", "unfinished"]
    assert [[note.code for note in v.notes] for v in found] == [["no-deals"]] * 2


def test_p25_a_byte_order_mark_changes_no_verdict_and_is_noted() -> None:
    plain, marked = verdict(GOOD.encode()), verdict(b"\xef\xbb\xbf" + GOOD.encode())
    assert plain.verdict == marked.verdict == "valid"
    (deal,), (other,) = plain.deals, marked.deals
    assert [note.code for note in deal.notes] == []
    assert [note.code for note in other.notes] == ["bom"]


@pytest.mark.parametrize("blank", [0, 1, 2, 5])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_p26_blank_lines_and_line_ends_change_no_verdict(blank: int, end: str) -> None:
    text = GOOD.replace("\n\n", "\n" + "\n" * blank).replace("\n", end)
    found = verdict(text.encode())
    assert [in_a_word(deal) for deal in found.deals] == ["Ana wins"]


def test_p28_every_event_is_accepted_refused_or_not_judged() -> None:
    from conquian.render import verdict_lines

    record = GOOD.replace("Ben passes", "Ben turns")
    record = record.replace("Ben turns; turns 2d", "Ben turns 3d; turns 2d")
    (sheet,) = read(record.encode(), "club.cqn")
    lines = list(verdict_lines(judge(sheet, differs=False), sheet, False, ()))
    assert any(line.endswith("- 4 of 7 events judged, 3 not judged") for line in lines)


@pytest.mark.parametrize(
    ("setup", "code", "cards"),
    [
        ("Ana holds Ac 2c 3c 4c 5c 6c 7c Jc Qc Kc Ad\nBen holds 9:", "misdeal", ()),
        ("Ana holds Ac 2c\nBen holds 2c", "card-elsewhere", ("2c",)),
        ("Ana holds Ac 8h", "not-in-deck", ("8h",)),
        ("stock " + "? " * 21, "misdeal", ()),
    ],
)
def test_p29_an_impossible_deal_is_refused_before_any_event(
    setup: str, code: str, cards: tuple[str, ...]
) -> None:
    wrong = violation("swedish", setup + "\nBen turns 5c; turns 6c")
    assert (wrong.code, wrong.event, wrong.cards) == (code, None, cards)


@pytest.mark.parametrize("rules", ["classic", "coonking", "mexican", "paco", "partnership"])
def test_p30_a_written_game_reads_back_to_the_same_verdict(rules: str) -> None:
    for game in games(load(rules).engine, 3, 30):
        said = [(r.verdict, r.winner, r.drawn) for r in second_judge(document(game))]
        for to in ("text", "json", "jsonl"):
            text = written(game, to, None)
            assert text is not None
            (sheet,) = read(text.encode(), f"game.{to}")
            assert sheet.game == game
            (deal,) = judge(sheet, differs=False).deals
            result: dict[str, Any] = deal.result or {}
            assert [(deal.verdict, result.get("winner"), result.get("drawn", False))] == said


@pytest.mark.parametrize("rules", ["swedish", "classic", "mexican"])
def test_p32_without_one_event_a_game_is_illegal_at_the_first_event_that_no_longer_fits(rules: str) -> None:
    (game,) = games(load(rules).engine, 1, 32)
    whole = document(game)
    events = whole["deals"][0]["events"]
    illegal = 0
    for left_out in range(len(events) - 1):
        fewer = [event for number, event in enumerate(events) if number != left_out]
        shorter = {**whole, "deals": [{**whole["deals"][0], "events": fewer}]}
        assert differences(shorter) == []
        found = verdict(json.dumps(shorter).encode(), "game.json")
        (deal,) = found.deals
        if deal.violations and deal.violations[0].event is not None:
            assert deal.violations[0].event >= left_out
            illegal += 1
    assert illegal > len(events) // 2


def test_p33_comments_change_nothing_and_an_unclosed_quote_costs_its_deal_only() -> None:
    commented = "".join(f"# note\n{line}  # more\n" if line else "\n" for line in GOOD.split("\n"))
    assert verdict(commented.encode()).verdict == "valid"
    broken = GOOD + 'deal 2\n"Ben passes\ndeal 3\nAna turns 5c\n'
    found = verdict(broken.encode())
    assert found.verdict == "unreadable"
    assert [deal.verdict for deal in found.deals] == ["valid", "unreadable", "unfinished"]
    assert [(error.code, error.line, error.column) for error in found.errors] == [("unclosed-quote", 11, 1)]


def test_p35_unknown_header_values_do_not_matter_to_the_result() -> None:
    text = GOOD.replace("2026-11-28", "?").replace("deal 1", "event: ?\nplace: ?\nrecorder: ?\ndeal 1", 1)
    found = verdict(text.encode())
    assert [in_a_word(deal) for deal in found.deals] == ["Ana wins"]


@pytest.mark.parametrize(
    "text", ["", "\n\n", "once upon a time\n", "1. e4 e5\n", '[Event "x"]\n', "# only a comment\n"]
)
def test_p36_no_game_is_never_a_clean_zero(text: str) -> None:
    found = verdict(text.encode())
    assert found.verdict == "unreadable" and found.errors
    assert any("0 games recognised" in error.message or error.code for error in found.errors)


def test_p38_what_is_listed_as_legal_instead_is_never_refused() -> None:
    position = here("swedish", "7h", "4s 5s 6s 7s", "7d 3s Kd")
    refusal = position.check(("me", "melds", (("7s", "7h", "7d"),)))
    assert refusal is not None and refusal.code == "new-meld"
    for table in position.legal_melds():
        assert position.can(("me", "melds", table))
    record = "Ana turns 5c; melds 4c 5c 6c 7c; discards Kd\nBen passes; turns 7h; passes\nAna melds 7c 7h 7d"
    wrong = violation("swedish", record)
    assert (wrong.code, wrong.clause, wrong.source) == ("new-meld", "sw.turn.3", "Swedish rule sheet")
    assert wrong.legal_under == ({"new-meld": "any"},)
    assert judged("swedish", record, "new-meld=any") == "unfinished"
    assert all_judged("swedish", record, "new-meld=any") == ["unfinished"]
