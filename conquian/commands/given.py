"""What commands are given, made sure of: forms, readings, card notations, budgets, rule sets.

Guarantees: what cannot be used is told with a hint and ends the program with exit status 2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from conquian.commands.writing import fail, refuse_rules
from conquian.tongue import tell

if TYPE_CHECKING:
    from conquian.cards import Notation
    from conquian.position import Rules


def form_among(given: str, *known: str) -> str:
    if given not in known:
        fail(
            tell("--format {given} is not known here", given=given),
            tell("known: {known}", known=", ".join(known)),
        )
    return given


def readings_of(pairs: list[str] | None) -> dict[str, str]:
    chosen: dict[str, str] = {}
    for pair in pairs or ():
        name, sign, choice = pair.partition("=")
        if not sign or not name or not choice:
            fail(
                tell("--reading {pair} is not NAME=CHOICE", pair=pair),
                tell("for example --reading new-meld=any"),
            )
        if chosen.get(name, choice) != choice:
            fail(tell("--reading gives `{name}` two choices", name=name), tell("name each reading once"))
        chosen[name] = choice
    return chosen


def notation_named(cards: str | None) -> Notation | None:
    from conquian.cards import NOTATIONS

    if cards is None:
        return None
    for notation in NOTATIONS:
        if notation == cards:
            return notation
    fail(
        tell("--cards {cards} is not known", cards=cards),
        tell("known: {known}", known=", ".join(NOTATIONS)),
    )


def steps_of(budget: int | None) -> int:
    from conquian.verifier.limits import BUDGET

    if budget is not None and not 1 <= budget < 2**32:
        fail(
            tell("--budget {budget} is not a number of steps", budget=budget),
            tell("1 or more; left out it is {budget}", budget=BUDGET),
        )
    return BUDGET if budget is None else budget


def rules_named(name: str, readings: dict[str, str]) -> Rules:
    """The rules of a name or path; exit status 2 with every problem if they cannot be used."""
    from conquian.engine.engine import UnknownReading
    from conquian.position import load

    try:
        return load(name, readings)
    except UnknownReading as unknown:
        from conquian.findings import did_you_mean

        word = unknown.choice or unknown.reading
        fail(
            str(unknown),
            did_you_mean(word, unknown.known) or tell("known: {known}", known=", ".join(unknown.known)),
        )
    except ValueError as wrong:
        fail(str(wrong))
    except Exception as problem:
        from conquian.language.problems import RulesError

        if isinstance(problem, RulesError):
            refuse_rules(problem)
        raise


def known_readings(rules: str | None, pairs: list[str] | None) -> dict[str, str]:
    """The readings, before any file is read; refused if the rule set, or without one no shipped set, has them."""
    chosen = readings_of(pairs)
    if rules is not None:
        rules_named(rules, chosen)
    elif chosen:
        from conquian.engine.sets import rule_sets

        rules_named(rule_sets()[0], chosen)
    return chosen
