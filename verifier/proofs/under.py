"""Conditions under readings that are settled, and what is known of them from a few facts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product

from conquian.language import formula as f
from conquian.language.rules import Reading

Truth = bool | None
"""None: it depends on more than is known."""


def settled(node: f.Formula, readings: Mapping[str, str]) -> f.Formula:
    """The condition with these readings written in and everything folded that they decide.

    >>> settled(f.All((f.ReadingIs("goal", "exactly"), f.Flag("own"))), {"goal": "exactly"})
    Flag(name='own')
    """
    match node:
        case f.ReadingIs(reading, choice) if reading in readings:
            return f.Always(readings[reading] == choice)
        case f.Not(x):
            return f.negated(settled(x, readings))
        case f.All(xs):
            return _joined([settled(x, readings) for x in xs], f.All, True)
        case f.Any_(xs):
            return _joined([settled(x, readings) for x in xs], f.Any_, False)
        case f.Some(var, domain, body):
            inner = settled(body, readings)
            return inner if inner == f.Always(False) else f.Some(var, domain, inner)
        case _:
            return node


def _joined(found: Sequence[f.Formula], kind: type[f.All] | type[f.Any_], idle: bool) -> f.Formula:
    if f.Always(not idle) in found:
        return f.Always(not idle)
    left = tuple(x for x in found if x != f.Always(idle))
    if not left:
        return f.Always(idle)
    return left[0] if len(left) == 1 else kind(left)


def guessed(node: f.Formula) -> f.Formula:
    """The condition with each `possible(…)`, which cannot be asked of a whole pack, left to be true or false.

    What cannot hold then cannot hold; what can hold has to be asked again of the case that was found.
    """
    match node:
        case f.Possible():
            return f.ReadingIs("possible", "guessed")
        case f.Not(x):
            return f.negated(guessed(x))
        case f.All(xs):
            return f.All(tuple(map(guessed, xs)))
        case f.Any_(xs):
            return f.Any_(tuple(map(guessed, xs)))
        case _:
            return node


def known(node: f.Formula, fact: Callable[[f.Formula], Truth]) -> Truth:
    """The truth of a condition when some of its parts are known."""
    match node:
        case f.Always(value):
            return value
        case f.Not(x):
            return _opposite(known(x, fact))
        case f.All(xs):
            return _all([known(x, fact) for x in xs])
        case f.Any_(xs):
            return _opposite(_all([_opposite(known(x, fact)) for x in xs]))
        case _:
            return fact(node)


def _opposite(truth: Truth) -> Truth:
    return None if truth is None else not truth


def _all(found: Sequence[Truth]) -> Truth:
    if False in found:
        return False
    return None if None in found else True


def within(node: f.Formula | f.Cards | f.Melds | f.Quantity) -> Iterator[object]:
    """A condition and everything in it."""
    yield node
    for part in f.parts(node):
        yield from within(part)


def asks_numbers(node: f.Formula) -> bool:
    """Whether a condition asks for the hand, or how many cards are laid or lie on the table."""
    return any(
        (isinstance(part, f.PlaceSize) and part.place == "hand")
        or (isinstance(part, f.CardsVar) and part.name == "hand")
        or isinstance(part, f.CardsOf)
        or (isinstance(part, f.Size) and part.cards == f.CardsVar("used"))
        for part in within(node)
    )


def choices(
    asked: frozenset[str], readings: Sequence[Reading], first: Mapping[str, str], most: int = 256
) -> list[dict[str, str]]:
    """Every choice of some readings, the one that is given first; at most `most` of them."""
    named = [r for r in readings if r.name in asked]
    options = [[first[r.name], *(c for c in r.choices if c != first[r.name])] for r in named]
    found = []
    for picked in product(*options):
        found.append({r.name: choice for r, choice in zip(named, picked, strict=True)})
        if len(found) == most:
            break
    return found
