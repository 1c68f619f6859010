"""The edited games meet every code of the table, so that none is agreed on by never being met."""

from __future__ import annotations

from collections import Counter
from random import Random

from conquian.engine.engine import engine
from tests.reference.edits import one_edit_mutations

from .both import ours, random_games, read, under_every_reading

CODES = [
    "players",
    "not-in-deck",
    "misdeal",
    "no-starter",
    "card-elsewhere",
    "game-over",
    "exchange",
    "no-force-due",
    "not-your-turn",
    "forced",
    "offer-open",
    "wrong-action",
    "stock-mismatch",
    "no-offer",
    "no-discard-due",
    "arranging",
    "card-twice",
    "table-card-missing",
    "offer-not-used",
    "not-in-hand",
    "invalid-meld",
    "hand-only-melds",
    "borrowing",
    "new-meld",
    "wrong-result",
]


def test_edits_and_other_readings_meet_every_code() -> None:
    met: Counter[str | None] = Counter()
    for rules in ("classic", "navajo-tens", "mexican"):
        random = Random(f"met/{rules}")
        for game in random_games(engine(rules, {"new-meld": "any"}), 8, 7):
            for mutant in (*one_edit_mutations(game, random), *under_every_reading(game)):
                known = read(mutant)
                if known is not None:
                    met.update(code for _, _, code, _, _ in ours(known))
    assert {code for code in CODES if not met[code]} == set()
