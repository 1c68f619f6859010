"""Many cases to choose goldens from: games of the independent referee, edited in every way, and positions.

Guarantees: same rule set, same cases in the same order; every expected answer is the independent referee's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import msgspec

from conquian.transcript.model import Game
from conquian.transcript.shape import shape_errors
from tests.reference.edits import one_edit_mutations
from tests.reference.melds import Meld, every_meld, in_order
from tests.reference.randomplay import random_game, random_table
from tests.reference.settings import READINGS, settings_for

from .answers import Line, game_line, pack_line, position_line
from .special import bare

LARGEST_TABLE = 16
"""Table cards; more of them have too many layouts to count by brute force."""
_DECODER = msgspec.json.Decoder(Game)


def games(rules: str, count: int) -> Iterator[Line]:
    """Random games under random readings, each with a mutant of every kind of edit."""
    random = Random(f"goldens/{rules}")
    for seed in range(count):
        readings = some_readings(random) if seed % 3 else {}
        deals = random.choice((1, 1, 1, 2, 3))
        game = random_game(rules, readings, seed, deals)
        for edited in (game, *one_edit_mutations(game, random)):
            line = line_of(edited)
            if line is not None and edited["rules"] == rules:
                yield line


def some_readings(random: Random) -> dict[str, str]:
    names = random.sample(sorted(READINGS), random.choice((1, 1, 2, 3)))
    return {name: random.choice(READINGS[name]) for name in names}


def line_of(game: Mapping[str, Any]) -> Line | None:
    """A game as a golden case, cut short after a violation; None if it cannot be read."""
    kept = bare(game)
    try:
        if shape_errors(_DECODER.decode(msgspec.json.encode(kept))):
            return None
    except msgspec.ValidationError:
        return None
    line = game_line(kept)
    for deal, answer in zip(kept["deals"], line["expect"], strict=True):
        if answer[1] is not None:
            deal["events"] = deal["events"][: answer[1] + 1]
    return game_line(kept)


def positions(rules: str, count: int) -> Iterator[Line]:
    """Random tables, hands and cards on offer under random readings."""
    random = Random(f"positions/{rules}")
    for number in range(count):
        readings = some_readings(random) if number % 2 else {}
        settings = settings_for(rules, readings)
        short = [meld for meld in every_meld(settings) if len(meld) <= 6]
        table = random_table(settings, random, random.choice((0, 1, 1, 2, 2, 3)), short)
        size = sum(len(meld) for meld in table)
        room = max(settings.deal - size, 0)
        if size > LARGEST_TABLE or size >= settings.pack_size() - room - 1:
            continue
        left = settings.deck() * settings.packs
        for meld in table:
            for card in meld:
                left.remove(card)
        up, *hand = random.sample(left, min(room, 7) + 1)
        fitting = [c for c in left if any((*m, c) and _near(c, m) for m in table)]
        if fitting and random.random() < 0.6:
            up = random.choice(fitting)
            hand = [c for c in hand if c != up]
        yield position_line(rules, readings, up, table, in_order(hand, settings), random.random() < 0.5)


def _near(card: str, meld: Meld) -> bool:
    return any(card[:-1] == other[:-1] or card[-1] == other[-1] for other in meld)


def packs(rules: str) -> Iterator[Line]:
    """The pack as it is shown, and all its melds under each choice that shapes ask for."""
    for choice in READINGS["group-suits"]:
        yield pack_line(rules, {"group-suits": choice})
