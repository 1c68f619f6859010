"""What is said at the table as text: mistakes, each at its place, with a hint."""

from __future__ import annotations

import pytest

from conquian.transcript.read import read

HEAD = "rules: swedish\nplayers: Ana, Ben\n\nAna turns 5c\n"


@pytest.mark.parametrize(
    ("line", "code", "under", "hint"),
    [
        ("Ana agree a draw", "syntax", "agree a draw", "'Ana and Ben agree a draw'"),
        ("Ana and Ben", "syntax", "", "'Ana and Ben agree a draw'"),
        ("Ana and Ben agree", "syntax", "agree", "'Ana and Ben agree a draw'"),
        ("Ana and Ana agree a draw", "syntax", "Ana", "name each player once"),
        ("Ana and Bob agree a draw", "unknown-player", "Bob", "the players are Ana, Ben"),
        ("Ana objcts", "unknown-verb", "objcts", "did you mean 'objects'?"),
        ("Ana concede", "unknown-verb", "concede", "did you mean 'concedes'?"),
        ("Ana objects now", "syntax", "now", "'Ben objects'"),
        ("Ana passes concedes", "syntax", "concedes", "write ';' before 'concedes'"),
        ("broken off now", "unknown-verb", "off", "a player holds"),
        ("objects", "no-player", "objects", "the player's name"),
        ("drawn\nbroken off", "duplicate-claim", "broken off", "one result"),
    ],
)
def test_each_mistake_at_its_place(line: str, code: str, under: str, hint: str) -> None:
    (sheet,) = read(f"{HEAD}{line}\n".encode(), "club.cqn")
    error = sheet.errors[0]
    source = sheet.line(error.line)
    assert error.end_column is not None
    assert (error.code, source[error.column - 1 : error.end_column - 1]) == (code, under)
    assert hint in error.hint, error.hint


@pytest.mark.parametrize("written", ["OBJECTS", "Objects", "objects  ", "objects # loudly", "3. Ben objects"])
def test_case_blanks_comments_and_move_numbers_do_not_matter(written: str) -> None:
    line = written if written[0] == "3" else f"Ben {written}"
    (sheet,) = read(f"{HEAD}{line}\n".encode(), "club.cqn")
    assert sheet.game is not None and sheet.game.deals[0].events[-1] == ("Ben", "objects")


def test_the_player_carries_on_to_what_he_says() -> None:
    (sheet,) = read(f"{HEAD}Ben passes; turns 6c; concedes\n".encode(), "club.cqn")
    assert sheet.game is not None and sheet.game.deals[0].events[-1] == ("Ben", "concedes")
