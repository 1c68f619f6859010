"""`conquian legal --why`: the smallest set of clauses in the answer, for shipped sets and for a file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from conquian.cli import app

HERE = ["--up", "7h", "--table", "5s 6s 7s", "--hand", "4s 7d", "--meld", "7s 7h 7d, 4s 5s 6s"]
HOUSE = Path(__file__).parents[1] / "house_rules"


def asked(*arguments: str) -> tuple[int, str]:
    found = CliRunner().invoke(app, ["legal", *arguments])
    return found.exit_code, found.output


def test_one_hand_card_in_a_new_combination_is_forbidden_by_the_clause_on_new_combinations() -> None:
    status, text = asked("--rules", "swedish", *HERE, "--why")
    assert status == 1
    assert "forbidden by sw.turn.3: A new combination takes at least two cards from the hand." in text
    assert "legal but for the clause `new-meld`" in text


@pytest.mark.parametrize(
    ("rules", "core"), [("swedish", ["sw.turn.3"]), ("discard-then-meld", ["cl.variants.5"])]
)
def test_the_core_names_passages(rules: str, core: list[str]) -> None:
    status, text = asked("--rules", rules, *HERE, "--why", "--format", "json")
    assert status == 1
    assert json.loads(text)["core"] == core


def test_what_is_legal_needs_no_reason() -> None:
    status, text = asked("--rules", "classic", *HERE, "--why", "--format", "json")
    assert status == 0
    assert json.loads(text) | {"legal": True, "core": []} == json.loads(text)


def test_a_clause_of_a_house_rule_is_named_by_its_own_source() -> None:
    path = next(p for p in HOUSE.glob("*.rules") if "house.first-meld" in p.read_text(encoding="utf-8"))
    act = ["--up", "7h", "--table", "", "--hand", "7c 7d 2s", "--meld", "7c 7d 7h"]
    status, text = asked("--rules", str(path), *act, "--why", "--format", "json")
    document = json.loads(text)
    assert status == 1 and document["code"] == "house.first-meld"
    assert document["core"] == [document["clause"]]


def test_without_a_meld_there_is_nothing_to_explain() -> None:
    status, _ = asked("--rules", "swedish", "--up", "7h", "--why")
    assert status == 2
