"""A stream of games is judged the fast way; what it says is what the slow way says, game by game."""

from __future__ import annotations

import io
import json
from random import Random

import pytest

from conquian import judge
from conquian.batch import Batch
from conquian.engine.engine import engine
from conquian.engine.sets import rule_sets
from conquian.transcript.jsonform import read_json
from tests.reference.edits import one_edit_mutations
from tests.reference.randomplay import random_game

from .both import LONG, Document, random_games


def games_of(rules: str) -> list[Document]:
    random = Random(f"stream/{rules}")
    found: list[Document] = []
    for game in random_games(engine(rules, {"arranging": "alone"}), LONG, 21):
        found += [game, *one_edit_mutations(game, random)]
    return [*found, *random_games(engine(rules), 4, 22), random_game(rules, {}, 3, deals=3)]


@pytest.mark.parametrize("rules", rule_sets())
def test_the_fast_way_and_the_slow_way_give_the_same_verdict_with_the_same_notes(rules: str) -> None:
    games = games_of(rules)
    # Compact JSON is read by its bytes, other JSON is not.
    lines = [json.dumps(game, ensure_ascii=False).encode() for game in games[::3]]
    lines += [json.dumps(game, ensure_ascii=False, separators=(",", ":")).encode() for game in games]
    batch = Batch(None, {}, differs=False)
    judged = list(batch.lines(io.BytesIO(b"\n".join(lines)), "games.jsonl"))
    assert len(judged) == len(lines)
    for number, (line, (verdict, _, _)) in enumerate(zip(lines, judged, strict=True), 1):
        sheet = read_json(line, f"games.jsonl:{number}", "games.jsonl", number)
        assert verdict == judge(sheet, differs=False)
    # A verdict that was come to the fast way has no sheet: some went each way.
    ways = {sheet is None for _, sheet, _ in judged}
    assert ways == {True, False}
