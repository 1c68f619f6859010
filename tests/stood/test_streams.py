"""Streams: games in which things are said go the slow way, and come to the same verdict."""

from __future__ import annotations

import json
from typing import Any

import pytest

from conquian.batch import Batch
from conquian.engine.engine import engine
from conquian.generate import games
from conquian.judgement import file_verdict
from conquian.transcript.jsonform import read_json
from tests.agreement.both import Document, document

SAID: list[tuple[list[Any], Document | None]] = [
    (["Ana", "concedes"], None),
    (["Ana", "agrees", "Ben"], None),
    (["Ben", "objects"], None),
    ([], {"broken_off": True}),
]


def lines() -> list[Document]:
    found = []
    for number, game in enumerate(map(document, games(engine("swedish"), 12, 4))):
        event, claim = SAID[number % 4]
        deal = game["deals"][0]
        deal["events"] = [*deal["events"][: number * 3], *([event] if event else [])]
        deal["claim"] = claim
        found.append(game)
    return found


def test_the_fast_way_leaves_them_to_the_slow_one_and_both_say_the_same() -> None:
    batch = Batch(None, {}, False)
    # Frames of games are remembered: a plain game with the same frame comes before each.
    for game in lines():
        plain = json.loads(json.dumps(game))
        plain["deals"][0]["claim"] = None
        plain["deals"][0]["events"] = [e for e in plain["deals"][0]["events"] if e[1] not in _WORDS]
        written = json.dumps(plain, separators=(",", ":")).encode() + b"\n"
        assert batch.quickly(written, "games.jsonl:1", 1) is not None
        line = json.dumps(game, separators=(",", ":")).encode() + b"\n"
        assert batch.quickly(line, "games.jsonl:1", 1) is None
        ((verdict, _, _),) = batch.lines([line], "games.jsonl")
        slow, _ = file_verdict(read_json(line.strip(), "games.jsonl:1", "games.jsonl", 1), None, {}, False)
        assert verdict == slow


_WORDS = ("concedes", "agrees", "objects")


@pytest.mark.parametrize(
    "claim", ['{"broken_off":true,"drawn":true}', '{"broken_off":true,"broken_off":true}']
)
def test_two_claims_at_once_are_unreadable_on_a_stream_too(claim: str) -> None:
    line = (
        '{"format":"conquian/1","rules":"swedish","players":["Ana","Ben"],"deals":'
        f'[{{"number":1,"events":[["Ana","turns","5c"]],"claim":{claim}}}]}}\n'
    ).encode()
    ((verdict, _, _),) = Batch(None, {}, False).lines([line], "games.jsonl")
    assert verdict.verdict == "unreadable"


def test_as_played_is_said_on_streams_too() -> None:
    game = lines()[0]
    game["deals"][0]["events"] = [["Ana", "turns", "5c"], ["Ana", "turns", "6c"]]
    game["deals"][0]["hands"] = None
    line = json.dumps(game).encode() + b"\n"
    ((verdict, _, _),) = Batch(None, {}, False, as_played=True).lines([line], "games.jsonl")
    (deal,) = verdict.deals
    assert [v.code for v in deal.violations] == ["offer-open"]
    assert deal.as_played
