"""Every refusal of `validate` has its why: events, set-up and claims of edited games, under rule sets and readings.

The engine decides each answer again (`conquian.verifier.events`), and an answer that it does not confirm raises
`Disagreement`; so these tests ask, and look at what is said.

CONQUIAN_LONG=20 in the environment asks about twenty times as many games.
"""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from conquian.engine.engine import Engine, engine
from conquian.engine.sets import rule_sets
from conquian.language.rules import RuleSet
from conquian.referee import judge_deal
from conquian.transcript.model import Game
from conquian.verifier.limits import BUDGET
from conquian.verifier.why import Why
from conquian.whys import typed_rules, why_violation
from tests.agreement.both import LONG, random_games, read
from tests.reference.edits import one_edit_mutations


def whys(judging: Engine, typed: RuleSet, game: Game) -> list[Why]:
    """Why each deal of a game is refused, as far as the first that is."""
    found = []
    for deal in game.deals[:1]:
        players = game.players
        dealer = players.index(game.dealer) if game.dealer is not None else len(players) - 1
        first = (dealer + 1) % len(players)
        outcome = judge_deal(judging, players, deal, first)
        said = why_violation(judging, typed, players, deal, first, outcome, BUDGET)
        assert (said is None) == (outcome.code is None)
        if said is not None:
            assert isinstance(said, Why)
            assert not said.legal and said.code == outcome.code
            assert said.reasons or said.facts, (outcome.refusal, deal.events[outcome.legal :][:1])
            found.append(said)
    return found


@pytest.mark.parametrize("rules", rule_sets())
def test_every_refusal_of_an_edited_game_has_its_smallest_set(rules: str) -> None:
    random, met = Random(f"whys/{rules}"), Counter[str | None]()
    typed = typed_rules(rules)
    for changed in range(LONG):
        choices = {"new-meld": "any"} if changed % 2 else {}
        for game in random_games(engine(rules, choices), 1, random.randrange(10**6)):
            for mutant in one_edit_mutations(game, random):
                known = read(mutant)
                if known is not None and known.rules == rules:
                    judging = engine(rules, dict(known.readings or {}))
                    met.update(why.code for why in whys(judging, typed, known))
    assert len(met) > 8, met
