"""The sample games: verdict, event, code, winner and draw of every deal, as an independent referee says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from conquian import judge
from conquian.transcript.read import read

SAMPLES = Path(__file__).parent.parent / "data" / "samples" / "games.jsonl"
LINES = SAMPLES.read_bytes().splitlines()


@pytest.mark.parametrize("number", range(len(LINES)))
def test_the_sample_games_get_their_verdicts(number: int) -> None:
    sample: dict[str, Any] = json.loads(LINES[number])
    (sheet,) = read(json.dumps(sample["game"]).encode(), "sample.json")
    found = []
    for deal in judge(sheet, differs=False).deals:
        first = deal.violations[0] if deal.violations else None
        result = deal.result or {}
        found.append(
            {
                "verdict": deal.verdict,
                "event": first.event if first else None,
                "code": first.code if first else None,
                "winner": result.get("winner"),
                "drawn": result.get("drawn", False),
            }
        )
    for said in sample["expect"]:
        said["drawn"] = bool(said["drawn"])
    assert found == sample["expect"]
