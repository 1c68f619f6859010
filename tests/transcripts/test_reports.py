"""Faults that readers of game records had elsewhere, each as a kind."""

from __future__ import annotations

import re

import pytest

from conquian.transcript.convert import convert
from conquian.transcript.read import read
from conquian.transcript.sheet import Sheet


def sheet(text: str | bytes) -> Sheet:
    (found,) = read(text if isinstance(text, bytes) else text.encode(), "club.cqn")
    return found


HEAD = "rules: swedish\nplayers: Ana, Ben\n"


def test_p21_nothing_that_was_not_written_is_ever_an_event(example: str) -> None:
    lines = example.split("\n")
    lines[11] = "Ana melds 2d 3d; 4d; discards As"
    found = sheet("\n".join(lines))
    assert found.game is not None and found.unreadable == {0}
    whole = sheet(example).game
    assert whole is not None
    assert set(found.game.deals[0].events) <= {*whole.deals[0].events, ("Ana", "melds", (("2d", "3d"),))}


def test_p22_a_finding_names_file_deal_line_and_column() -> None:
    found = sheet(f"{HEAD}deal 1\nAna passes\ndeal 2\nAna turns 5x\ndeal 3\nBen passes\n")
    (error,) = found.errors
    assert (error.deal, error.line, error.column) == (1, 6, 11)
    assert re.match(r"club\.cqn:6:11: bad-card ", found.show(error))


def test_p23_a_game_without_deals_is_a_game() -> None:
    bare = '{"format": "conquian/1", "players": ["Ana", "Ben"]}'
    sheets = list(read(f"{bare}\n{bare}\n".encode(), "games.jsonl"))
    assert len(sheets) == 2
    assert all(
        found.game is not None and [note.code for note in found.notes] == ["no-deals"] for found in sheets
    )
    assert [note.code for note in sheet(HEAD).notes] == ["no-deals"]


def test_p25_a_byte_order_mark_changes_nothing(example: str) -> None:
    plain, marked = sheet(example), sheet(b"\xef\xbb\xbf" + example.encode())
    assert marked.game == plain.game and marked.errors == ()
    assert [note.code for note in marked.notes] == ["bom"]


@pytest.mark.parametrize("blank", [0, 1, 2, 5])
@pytest.mark.parametrize("ends", [["\n"], ["\r\n"], ["\r"], ["\n", "\r\n", "\r"]])
def test_p26_blank_lines_and_line_ends_change_nothing(example: str, blank: int, ends: list[str]) -> None:
    lines = [line for line in example.split("\n") if line]
    lines = [line + "\n" * blank for line in lines]
    pieces = "\n".join(lines).split("\n")
    text = "".join(piece + ends[number % len(ends)] for number, piece in enumerate(pieces))
    # A CR before an LF is one end, not two: mixed ends are joined so that none is lost.
    assert sheet(text).game == sheet(example).game
    assert sheet(text).errors == ()


def test_p28_every_sentence_is_an_event_or_an_error() -> None:
    sentences = ["Ana turns 5c", "passes", "Ben turns 5x", "melds", "arranges", "discards", "Bob passes", "x"]
    found = sheet(HEAD + "deal 1\n" + "; ".join(sentences))
    assert found.game is not None
    assert len(found.game.deals[0].events) + len(found.errors) == len(sentences)


def test_p30_what_is_written_can_be_read(example: str) -> None:
    for to in ("text", "json", "jsonl"):
        written = convert(sheet(example), to)
        assert isinstance(written, str)
        again = sheet(written)
        assert again.game == sheet(example).game
        assert convert(again, to) == (written if to != "text" else convert(again, "text"))


def test_p32_a_left_out_event_is_not_put_back(example: str) -> None:
    whole = sheet(example).game
    found = sheet(example.replace("melds 2d 3d 4d; ", "")).game
    assert whole is not None and found is not None
    events = list(whole.deals[0].events)
    events.remove(("Ana", "melds", (("2d", "3d", "4d"),)))
    assert list(found.deals[0].events) == events


def test_p33_comments_everywhere_and_an_unclosed_quote(example: str) -> None:
    everywhere = "".join(f"# {number}\n{line}\n#\n" for number, line in enumerate(example.split("\n")))
    found = sheet(everywhere)
    assert found.errors == () and found.game is not None
    plain = sheet(example).game
    assert plain is not None and found.game.deals[0].events == plain.deals[0].events
    broken = sheet(f'{HEAD}deal 1\nAna gives 3h to "Ben\ndeal 2\nBen passes\n')
    (error,) = broken.errors
    assert (error.code, error.line, error.column, error.deal) == ("unclosed-quote", 4, 17, 0)
    assert broken.game is not None and broken.game.deals[1].events == (("Ben", "passes"),)


def test_p34_nothing_is_lost_on_the_way_through_json() -> None:
    source = (
        'rules: swedish\nreadings: goal=exactly\nplayers: Ana, "Ben B"\ndealer: Ana\nmatch: wins=10\n'
        'cards: german\ndate: ?\nTime: 19:30\nnote: "a # b"\n\ndeal 2\ncut Ana 7pi, "Ben B" 3ka\ndeck 7pi ?\n'
        'stock Bkr ?\nAna holds 9: 7pi\n"Ben B" holds ?\nstarter Dhe\nAna turns Bkr  # a jack\n# end\ndrawn\n'
    )
    there = convert(sheet(source), "json")
    assert isinstance(there, str)
    back = convert(sheet(there), "text")
    assert back == source


def test_p35_unknown_values_are_kept() -> None:
    found = sheet("players: Ana, Ben\ndate: ?\nplace: ?\nround: ?\ndeal 1\nAna holds ?\nstock ?\n")
    assert found.errors == () and found.game is not None
    assert found.game.tags == {"date": "?", "place": "?", "round": "?"}
    assert found.game.deals[0].hands == {"Ana": ()} and found.game.deals[0].stock == ("?",)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('[Event "x"]\n', "club.cqn:1:1: no-game 0 games recognised"),
        ("\n\nGame of 3 May:\nAnn drew the five\n", "club.cqn:3:1: no-game 0 games recognised"),
        ("%PDF-1.4\n\0\1", "club.cqn:1:1: no-game 0 games recognised"),
        ("", "club.cqn:1:1: no-game 0 games recognised"),
        ("{}", "club.cqn:1:1: no-game 0 games recognised"),
    ],
)
def test_p36_no_game_is_never_a_clean_zero(text: str, place: str) -> None:
    found = sheet(text)
    assert found.game is None
    assert found.show(found.errors[0]).startswith(place)
