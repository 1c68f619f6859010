"""Typed conditions on plain sets of cards: a third reading of the same nodes, for checking. No engine, no solver.

A card is its name, where it comes from, and a number among its like.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from conquian.language import formula as f
from conquian.verifier.checker import divides

Cards = frozenset[tuple[str, str, int]]
Names = tuple[str, ...]
_SIGNS = {"=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le}
_SIGNS |= {">": operator.gt, ">=": operator.ge}


@dataclass(frozen=True, slots=True)
class Moment:
    """All that conditions ask for. `shapes`: melds as sorted names, those of any shape under None; `ends` of runs."""

    sides: Mapping[str, tuple[Cards, ...]]
    words: Mapping[str, Cards]
    flags: Mapping[str, bool]
    places: Mapping[str, int]
    readings: Mapping[str, str]
    shapes: Mapping[str | None, frozenset[Names]]
    ends: Mapping[Names, Names]

    def holds(self, node: f.Formula, env: Mapping[str, Cards]) -> bool:
        match node:
            case f.Always(value):
                return value
            case f.Not(x):
                return not self.holds(x, env)
            case f.All(xs) | f.Any_(xs):
                return (all if isinstance(node, f.All) else any)(self.holds(x, env) for x in xs)
            case f.Some(var, f.Melds(side), body):
                return any(self.holds(body, {**env, var: meld}) for meld in self.sides[side])
            case f.Some(var, domain, body) if not isinstance(domain, f.Melds):
                return any(self.holds(body, {**env, var: frozenset({x})}) for x in self.cards(domain, env))
            case f.ReadingIs(reading, choice):
                return self.readings[reading] == choice
            case f.Flag(name):
                return self.flags[name]
            case f.Compare(sign, left, right):
                return bool(_SIGNS[sign](self.size(left, env), self.size(right, env)))
            case f.Meets(a, b) | f.Within(f.CardsVar("up" | "thrown") as a, b):
                return bool(self.cards(a, env) & self.cards(b, env))
            case f.Within(a, b) | f.Same(a, b):
                one, two = self.cards(a, env), self.cards(b, env)
                return one <= two if isinstance(node, f.Within) else one == two
            case f.IsMeldOf(cards, melds):
                return self.cards(cards, env) in self.sides[melds.name]
            case f.NoCards(cards):
                return not self.size(f.Size(cards), env)
            case f.Valid(cards, shape):
                return names(self.cards(cards, env)) in self.shapes[shape]
            case f.Possible(cards):
                return divides(Counter(names(self.cards(cards, env))), self.shapes[None])
        raise ValueError(f"{node} is not asked of acts")

    def cards(self, node: f.Cards, env: Mapping[str, Cards]) -> Cards:
        match node:
            case f.CardsVar(name):
                return env[name] if name in env else self.words[name]
            case f.CardsOf(melds):
                return frozenset[tuple[str, str, int]]().union(*self.sides[melds.name])
            case f.Ends(cards):
                found = self.cards(cards, env)
                return frozenset(x for x in found if x[0] in self.ends.get(names(found), ()))
            case f.Union(a, b) | f.Both(a, b) | f.Minus(a, b):
                one, two = self.cards(a, env), self.cards(b, env)
                return (
                    one | two
                    if isinstance(node, f.Union)
                    else one & two
                    if isinstance(node, f.Both)
                    else one - two
                )

    def size(self, node: f.Quantity, env: Mapping[str, Cards]) -> int:
        match node:
            case f.Number(value):
                return value
            case f.GoalSize():
                return self.places["goal"]
            case f.PlaceSize(place):
                return self.places[place]
            case f.Size(f.CardsVar("hand")):
                return self.places["hand"]
            case f.Size(cards):
                return len(self.cards(cards, env))


def names(cards: Cards) -> Names:
    return tuple(sorted(name for name, _, _ in cards))
