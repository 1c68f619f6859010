"""Findings stand under the characters they mean."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conquian.findings import Finding, nearest, render, source_with_carets, source_with_marks


@pytest.mark.parametrize(
    ("source", "column", "end", "carets"),
    [
        ("Ana turns 5x", 11, 13, "              ^^"),
        ("Ana\tturns\t5x", 11, 13, "       \t     \t^^"),
        ("漢字 turns 5x", 10, 12, "               ^^"),
        ("e\u0301 5x", 4, 6, "      ^^"),
        ("Ana 7♣", 5, 7, "        ^^"),
        ("Ana", 4, 5, "       ^"),
        ("", 1, None, "    ^"),
    ],
)
def test_carets_stand_under_the_token(source: str, column: int, end: int | None, carets: str) -> None:
    assert source_with_carets(source, column, end) == ("    " + source if source else "", carets)


def test_a_long_line_is_shown_around_the_place() -> None:
    source, carets = source_with_carets("abc " * 5000 + "X" + " def" * 5000, 20001, 20002)
    assert len(source) < 140
    assert source[carets.index("^")] == "X"


def test_no_control_character_reaches_the_terminal() -> None:
    source, carets = source_with_carets("a\x1b[31mb\x00\u202e5x", 9, 11)
    assert source == "    a␛[31mb␀�5x" and carets == "            ^^"


def test_several_places_are_marked_at_once() -> None:
    assert source_with_marks("Ana melds 5c 6c", [(11, 13), (14, 16)])[1] == "              ^^ ^^"


def test_the_first_line_is_for_programs() -> None:
    finding = Finding("bad-card", "'5x' is no card", 2, 11, "write 5c", 13)
    shown = render(finding, "a b.cqn", ["players: Ana", "Ana turns 5x"]).split("\n")
    assert shown == [
        "a b.cqn:2:11: bad-card '5x' is no card",
        "    Ana turns 5x",
        "              ^^",
        "hint: write 5c",
    ]
    assert re.fullmatch(r"(.+):(\d+):(\d+): (\S+) (.+)", shown[0])


@given(st.text(max_size=200), st.integers(1, 250), st.none() | st.integers(1, 250))
def test_any_line_and_place_can_be_drawn(source: str, column: int, end: int | None) -> None:
    drawn, carets = source_with_carets(source, column, end)
    assert "^" in carets or not carets
    assert "\n" not in drawn and "\x1b" not in drawn
    assert set(carets) <= set(" \t^")


def test_the_nearest_word() -> None:
    assert nearest("DISCARD", ("discards", "deals")) == "discards"
    assert nearest("zebra", ("discards",)) is None
    assert nearest("x" * 100_000, ("discards",)) is None
