"""One game before both referees: what each says of every deal, in the same form."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from conquian.engine.engine import Engine, engine
from conquian.generate import games
from conquian.referee import dealers, judge_deal
from conquian.transcript.model import Game
from conquian.transcript.shape import shape_errors
from tests.reference.referee import judge as second_judge
from tests.reference.settings import READINGS

LONG = int(os.environ.get("CONQUIAN_LONG", "1"))
"""How many times as much as usual the random tests try."""

Document = dict[str, Any]
Said = tuple[str, int | None, str | None, str | None, bool]
"""Verdict, event, code, winner, drawn."""

_decode = msgspec.json.Decoder(Game).decode


def document(game: Game) -> Document:
    """A game in JSON form, without the keys that say nothing."""
    data = json.loads(msgspec.json.encode(game))
    data = {key: value for key, value in data.items() if value is not None}
    data["deals"] = [{k: v for k, v in deal.items() if v is not None} for deal in data["deals"]]
    found: Document = data
    return found


def read(game: Mapping[str, Any]) -> Game | None:
    """The document as a game; None if it is none."""
    try:
        found = _decode(json.dumps(game).encode())
    except msgspec.ValidationError:
        return None
    return None if shape_errors(found) else found


def ours(game: Game) -> list[Said]:
    """What the referee of the package says; no result of a deal that is invalid in an event."""
    assert game.rules is not None
    judging = engine(game.rules, game.readings or {})
    turn = dealers(judging, game)
    dealer = next(turn)
    found: list[Said] = []
    for deal in game.deals:
        outcome = judge_deal(judging, game.players, deal, (dealer + 1) % len(game.players))
        winner = None if outcome.winner is None else game.players[outcome.winner]
        found.append((outcome.kind, outcome.event, outcome.code, winner, outcome.drawn))
        dealer = turn.send(outcome)
    return found


def theirs(game: Mapping[str, Any]) -> list[Said]:
    """What the second referee says."""
    return [(r.verdict, r.event, r.code, r.winner, bool(r.drawn)) for r in second_judge(game)]


def differences(game: Mapping[str, Any]) -> list[tuple[Said, Said]]:
    """The deals of a readable game on which the two do not say the same."""
    known = read(game)
    assert known is not None
    return [(a, b) for a, b in zip(ours(known), theirs(game), strict=True) if a != b]


def random_games(of: Engine, count: int, seed: int) -> Iterator[Document]:
    """Random legal games as the package's own generator writes them."""
    for game in games(of, count, seed):
        yield document(game)


def under_every_reading(game: Document) -> Iterator[Document]:
    """The same game under each single change of a reading."""
    said = game.get("readings") or {}
    for name, choices in READINGS.items():
        for choice in choices:
            yield {**game, "readings": {**said, name: choice}}
