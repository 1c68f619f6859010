"""Rule sets given as text, ready to be proved."""

from __future__ import annotations

from conquian.engine.engine import Engine, engine_of
from conquian.engine.program import compile_rules
from conquian.language import obligations as o
from conquian.language.build import compile_text, load
from conquian.language.rules import RuleSet
from conquian.verifier.limits import BUDGET
from conquian.verifier.proofs import Game, Result, prove

HEAD = 'ruleset mine "Mine"\nextends {}\nsource club "Club" in "club.txt"\n\n'


def shipped(name: str, **readings: str) -> Game:
    """A shipped set; readings with `_` for `-`."""
    return _game(load(name), {key.replace("_", "-"): choice for key, choice in readings.items()})


def extending(base: str, text: str, budget: int = BUDGET) -> Game:
    rules, problems = compile_text(HEAD.format(base) + text, "mine.rules")
    assert rules is not None and not problems, problems
    return _game(rules, {}, budget)


def _game(rules: RuleSet, readings: dict[str, str], budget: int = BUDGET) -> Game:
    return Game(rules, engine(rules, readings), budget)


def engine(rules: RuleSet, readings: dict[str, str]) -> Engine:
    return engine_of(compile_rules(rules), readings)


def answer(game: Game, claim: o.Claim) -> Result:
    """What becomes of a claim, whatever the rule set calls it."""
    one = next(x for x in game.rules.obligations if type(x.claim) is type(claim))
    return prove(game, one)
