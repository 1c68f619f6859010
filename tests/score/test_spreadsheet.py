"""No name in a ledger's CSV is a formula in a spreadsheet, and every name comes back from it."""

from __future__ import annotations

import csv
import doctest
import io
import json
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from conquian import spreadsheet
from conquian.spreadsheet import guarded, unguarded
from tests.cli.running import run

NAMES = ["=1+1", "+1", "-Ana", "@SUM(A1)", "=cmd|'/C calc'!A0", "'=1", "''@x", "Ana;=1", "Ana;'=1", "＝1"]  # noqa: RUF001
GAME = {
    "format": "conquian/1",
    "rules": "swedish",
    "deals": [{"number": 1, "events": [["Ben", "turns", "5c"]]}],
}
texts = st.text(st.sampled_from("=+-@'\t\r\n; aA1\"，＝")) | st.text()  # noqa: RUF001


def formulas(cell: str) -> list[str]:
    """The parts of a cell, however it is split, that a spreadsheet would calculate."""
    return [part for part in (cell, *re.split(r"[;\t\r\n]", cell)) if part[:1] in set("=+-@\t\r\n＝＋－＠")]  # noqa: RUF001


@given(texts)
@example(";'=")
@example("\r\n=")
@example("'\t'=")
def test_a_guarded_text_is_no_formula_and_comes_back_as_it_was(text: str) -> None:
    assert formulas(guarded(text)) == []
    assert unguarded(guarded(text)) == text


@given(texts, texts)
def test_two_texts_never_look_alike(one: str, other: str) -> None:
    assert (guarded(one) == guarded(other)) is (one == other)


@given(st.text(st.characters(categories=["L", "N"]), min_size=1))
def test_a_usual_name_stands_as_it_is(name: str) -> None:
    assert guarded(name) == name


@pytest.mark.parametrize("name", NAMES)
def test_a_player_with_such_a_name_stands_in_the_csv_and_comes_back(name: str) -> None:
    game = json.dumps({**GAME, "players": [name, "Ben"], "dealer": name})
    rows = list(csv.DictReader(io.StringIO(run("score", "-", "--format", "csv", given=game).out)))
    assert [unguarded(row["player"]) for row in rows] == [name, "Ben"]
    assert unguarded(rows[0]["dealer"]) == name
    assert all(
        formulas(row[column]) == [] for row in rows for column in ("file", "dealer", "result", "player")
    )
    # Everything else has the name as it is.
    assert name in run("score", "-", "--format", "json", given=game).data["players"]


def test_a_winner_with_such_a_name_is_no_formula_in_the_result_and_a_payment_stays_a_number() -> None:
    hand = ["3c", "3d", "3h", "6h", "7h", "Jh", "Qh", "5s", "6s", "7s"]
    melds = [["3c", "3d", "3h", "3s"], ["6h", "7h", "Jh", "Qh"], ["5s", "6s", "7s"]]
    deal = {
        "number": 1,
        "hands": {"=Ana": hand},
        "events": [["=Ana", "turns", "3s"], ["=Ana", "melds", melds]],
    }
    game = json.dumps({**GAME, "players": ["=Ana", "Ben"], "deals": [deal]})
    rows = list(csv.DictReader(io.StringIO(run("score", "-", "--format", "csv", given=game).out)))
    assert [row["result"] for row in rows] == ["'=Ana wins"] * 2
    assert [row["payment"] for row in rows] == ["1", "-1"]


def test_the_examples_of_the_module_are_true() -> None:
    assert doctest.testmod(spreadsheet).failed == 0 and doctest.testmod(spreadsheet).attempted == 2
