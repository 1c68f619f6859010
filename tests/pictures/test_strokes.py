"""Letters as strokes: every rank of every notation can be drawn, names in Latin letters too."""

from __future__ import annotations

import re

import pytest

from conquian.cards import CARDS, NOTATIONS, NoForm, Notation, write_card
from conquian.pictures.faces import rank_text
from conquian.pictures.strokes import capitals, letterable, path_of, width_of

NUMBER = r"-?(?:\d+\.?\d*|\.\d+)"
COUNTS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "A": 7, "Z": 0}


def points(path: str) -> list[tuple[float, float]]:
    """The points that a path goes through; fails for a command with too many or too few numbers."""
    found: list[tuple[float, float]] = []
    x = y = 0.0
    commands = re.findall(r"([A-Za-z])([^A-Za-z]*)", path)
    assert "".join(c + n for c, n in commands) == path
    for command, numbers in commands:
        values = [float(v) for v in re.findall(NUMBER, numbers)]
        assert len(values) == COUNTS[command], (command, numbers)
        if command == "H":
            x = values[0]
        elif command == "V":
            y = values[0]
        elif values:
            x, y = values[-2:]
        found.append((x, y))
    return found


@pytest.mark.parametrize("notation", NOTATIONS)
def test_every_rank_of_every_notation_can_be_drawn(notation: Notation) -> None:
    for card in CARDS:
        written = write_card(card, notation)
        if not isinstance(written, NoForm):
            rank = rank_text(card, notation)
            assert written.startswith(rank) and letterable(rank)
            assert 0 < width_of(rank, 12.5) < 20


def test_a_rank_is_what_the_notation_writes_before_the_suit() -> None:
    assert [rank_text("10h", "french"), rank_text("Jc", "german"), rank_text("Jc", "swedish")] == [
        "10",
        "B",
        "Kn",
    ]
    assert [rank_text("As", "swedish"), rank_text("Kd", "spanish"), rank_text("Ad", "spanish")] == [
        "E",
        "12",
        "1",
    ]


@pytest.mark.parametrize("text", ["ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789", "?!.,'-_+/:()&", "ÅÄÖÉÑŐŁØÇ"])
def test_strokes_stay_in_the_room_of_their_text(text: str) -> None:
    assert letterable(text)
    width = width_of(text, 10)
    for x, y in points(path_of(text, 100, 50, 10)):
        assert 100 - 1 <= x <= 100 + width + 1
        assert 50 - 4 <= y <= 50 + 13.5


def test_a_text_twice_as_high_is_twice_as_wide() -> None:
    large = [value for point in points(path_of("ANA", 0, 0, 10)) for value in point]
    small = [value for point in points(path_of("ANA", 0, 0, 5)) for value in point]
    assert [2 * value for value in small] == pytest.approx(large, abs=0.03)


def test_letters_that_differ_are_drawn_differently() -> None:
    drawn = [path_of(letter, 0, 0, 10) for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789ÅÄÁÀÂ"]
    assert len(set(drawn)) == len(drawn)


def test_names_are_drawn_in_capitals_and_others_not_at_all() -> None:
    assert capitals("  Åsa   Weiß ") == "ÅSA WEISS"
    assert letterable(capitals("José O'Neill-Núñez"))
    assert not letterable("李") and not letterable("")
    with pytest.raises(ValueError, match="no strokes"):
        path_of("李", 0, 0, 10)
