"""Two referees, written apart, say the same of every game, legal or edited.

Set CONQUIAN_LONG=20 in the environment for twenty times as many games.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from conquian import load
from conquian.engine.engine import engine
from conquian.engine.sets import rule_sets
from tests.reference.edits import mutants, one_edit_mutations
from tests.reference.randomplay import random_game
from tests.reference.settings import READINGS, RULE_SETS

from .both import LONG, Document, differences, ours, random_games, read, under_every_reading


def some_readings(random: Random, count: int) -> dict[str, str]:
    """Other choices than the first of some readings; not always other ones than the rule set's."""
    return {name: random.choice(READINGS[name]) for name in random.sample(sorted(READINGS), count)}


def own_games(rules: str, random: Random) -> Iterator[Document]:
    """Games of the package's generator: by the set's own readings, and by others."""
    for changed in (0, 1, 3):
        judging = engine(rules, some_readings(random, changed))
        yield from random_games(judging, 1, random.randrange(10**6))


def other_games(rules: str, random: Random) -> Iterator[Document]:
    """Games of the second referee's players: with several deals, any dealer, decks and stocks at times."""
    yield random_game(rules, some_readings(random, random.choice((0, 2))), random.randrange(10**6), deals=2)


@pytest.mark.parametrize("rules", rule_sets())
def test_every_generated_game_is_legal_and_both_say_so(rules: str) -> None:
    random = Random(f"legal/{rules}")
    for _ in range(2 * LONG):
        for game in (*own_games(rules, random), *other_games(rules, random)):
            assert differences(game) == []
            known = read(game)
            assert known is not None and all(code is None for _, _, code, _, _ in ours(known))


@pytest.mark.parametrize("rules", rule_sets())
def test_p31_every_game_with_one_edit_gets_the_same_code_at_the_same_event(rules: str) -> None:
    random = Random(f"edited/{rules}")
    illegal = 0
    for _ in range(LONG):
        for game in (*own_games(rules, random), *other_games(rules, random)):
            for mutant in one_edit_mutations(game, random):
                known = read(mutant)
                if known is not None:
                    assert differences(mutant) == [], mutant["tags"]
                    illegal += any(code is not None for _, _, code, _, _ in ours(known))
    assert illegal > 50 * LONG


@pytest.mark.parametrize("rules", rule_sets())
def test_every_game_with_several_edits_gets_the_same_code_at_the_same_event(rules: str) -> None:
    random = Random(f"edited more/{rules}")
    for _ in range(2 * LONG):
        for mutant in mutants(next(own_games(rules, random)), random, 4):
            if read(mutant) is None:
                break
            assert differences(mutant) == [], mutant["tags"]


@pytest.mark.parametrize("rules", rule_sets())
def test_every_game_is_judged_alike_under_every_other_reading(rules: str) -> None:
    random = Random(f"otherwise/{rules}")
    for game in random_games(engine(rules, some_readings(random, 2)), 3 * LONG, 11):
        for other in under_every_reading(game):
            assert differences(other) == [], other["readings"]


@pytest.mark.parametrize("rules", rule_sets())
def test_both_know_the_same_readings_and_defaults(rules: str) -> None:
    assert load(rules).readings == RULE_SETS[rules].readings()
    for reading in load(rules).engine.program.readings:
        assert set(reading.choices) == set(READINGS[reading.name])
