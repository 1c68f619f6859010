"""A position in which one clause speaks, and the event that shows it.

Guarantees: nothing becomes an example that the engine has not judged; `judged` is the only way to one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from conquian.engine.engine import engine_of, with_choices
from conquian.engine.play import Event
from conquian.engine.program import compile_rules
from conquian.engine.refusals import Refusal
from conquian.language.rules import RuleSet
from conquian.position import Position, Rules

Found = Literal["solver", "engine"]


@dataclass(frozen=True, slots=True)
class Example:
    """A clause in a position.

    here      the position; `way` are the events that led to it from one that can be laid on the table
    event     what is tried there, None where the position itself is what there is to see
    refusal   why it is not legal, None if it is
    after     the position after a legal event
    decides   without the clause, and with every other, the event would be judged otherwise
    readings  what has to be chosen otherwise than in the book
    found     who found it; the engine judged it in any case
    """

    here: Position
    found: Found
    way: tuple[Event, ...] = ()
    event: Event | None = None
    refusal: Refusal | None = None
    after: Position | None = None
    decides: bool = False
    readings: tuple[tuple[str, str], ...] = ()


def judged(
    here: Position, event: Event, found: Found, way: Sequence[Event] = (), without: Position | None = None
) -> Example:
    """An event in a position as the engine judges it; `without` is the same position under the rules less a clause."""
    refusal = here.check(event)
    other = None if without is None else without.check(event)
    return Example(
        here,
        found,
        tuple(way),
        event,
        refusal,
        here.apply(event) if refusal is None else None,
        without is not None and (other is None) is not (refusal is None),
    )


def under(example: Example, readings: Mapping[str, str], usual: Mapping[str, str]) -> Example:
    """The example with the choices that are not those of the book."""
    other = tuple((name, choice) for name, choice in readings.items() if usual[name] != choice)
    return replace(example, readings=other)


def chosen(rules: Rules, readings: Mapping[str, str]) -> Rules:
    """The same rules with some readings chosen otherwise."""
    return Rules(with_choices(rules.engine, readings))


def without(typed: RuleSet, rules: Rules, clause: str) -> Rules | None:
    """The rules with one clause left out; None if there is no game left."""
    less = replace(typed, clauses=tuple(x for x in typed.clauses if x.name != clause))
    try:
        return Rules(engine_of(compile_rules(less), rules.engine.readings))
    except (AssertionError, KeyError, StopIteration, ValueError):
        return None


def deciding(rules: Rules, refusal: Refusal | None) -> str | None:
    """The name of the clause that a refusal is for."""
    if refusal is None or refusal.clause is None:
        return None
    return rules.engine.program.clauses[refusal.clause].name
