"""Cases written for a purpose: what chance gives too seldom.

Guarantees: expected answers are the independent referee's, as of every other case.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any

from tests.reference.randomplay import random_game
from tests.reference.referee import judge

from .answers import Line, game_line
from .citations import FAMILIES

Game = dict[str, Any]
MOST_SEEDS = 80
SETTLEMENTS = ("carry", "point-each", "replay", "double-next", "pot")


def special(rules: str) -> Iterator[Line]:
    """The cases written for a rule set."""
    if rules in FAMILIES:
        yield from dealt_again(rules)


def dealt_again(rules: str) -> Iterator[Line]:
    """Who deals after a misdeal, after a draw under each settlement, and after a deal that is won."""
    for settlement in SETTLEMENTS:
        for wanted in (True, False):
            game = _first_deal(rules, {"draw-settlement": settlement}, wanted)
            if game is not None:
                yield game_line(bare(game))
                misdealt = deepcopy(game)
                misdealt["deals"][0]["hand_sizes"] = {game["players"][0]: 5}
                yield game_line(bare(misdealt))


def _first_deal(rules: str, readings: Mapping[str, str], drawn: bool) -> Game | None:
    """A game of two deals whose first is drawn, or is not."""
    for seed in range(MOST_SEEDS):
        game = random_game(rules, readings, seed, 1)
        if bool(judge(game)[0].drawn) is drawn:
            return random_game(rules, readings, seed, 2)
    return None


def bare(game: Mapping[str, Any]) -> Game:
    """A game without what says nothing."""
    kept = {k: deepcopy(v) for k, v in game.items() if v and k not in ("tags", "cards")}
    for deal in kept["deals"]:
        for key in [k for k, v in deal.items() if v is None or v in ({}, [])]:
            del deal[key]
    return kept
