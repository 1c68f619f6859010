"""The second referee gives the published answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .melds import laid_out
from .referee import judge
from .search import forceable, legal_tables, onto, outs, winning_tables
from .settings import settings_for

SAMPLES = Path(__file__).parent.parent / "data" / "samples"


def read(name: str) -> list[dict[str, Any]]:
    with (SAMPLES / name).open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


@pytest.mark.parametrize("line", range(len(read("games.jsonl"))))
def test_the_sample_games_get_their_verdicts(line: int) -> None:
    sample = read("games.jsonl")[line]
    assert [ruling.expected_form() for ruling in judge(sample["game"])] == sample["expect"]


@pytest.mark.parametrize("sample", read("positions.jsonl"), ids=lambda sample: sample["id"])
def test_the_sample_positions_get_their_answers(sample: dict[str, Any]) -> None:
    case, expect = sample["case"], sample["expect"]
    settings = settings_for(case["rules"], case.get("readings"))
    table = laid_out(case["table"], settings)
    up, hand = case["up"], case["hand"]
    assert forceable(settings, table, up) == expect["forceable"]
    assert sorted(list(meld) for meld in onto(settings, table, up)) == sorted(expect["onto"])
    assert len(legal_tables(settings, table, up, hand)) == expect["melds"]
    assert bool(winning_tables(settings, table, up, hand)) == expect["wins"]
    assert sorted(outs(settings, table, hand)) == sorted(expect["outs"])
