"""Which cards a member of a quantifier's domain has to meet for its condition to hold: logic, not rules.

Pairs of melds that share no card are most of all pairs, and nearly every condition on a pair fails for them.
"""

from __future__ import annotations

from conquian.language import formula as f


def touched(node: f.Formula, var: str) -> frozenset[str]:
    """Variables whose cards the variable must meet, all of them being sets that are not empty."""
    match node:
        case f.All(xs):
            return frozenset().union(*(touched(x, var) for x in xs))
        case f.Any_(xs) if xs:
            first, *rest = (touched(x, var) for x in xs)
            return first.intersection(*rest)
        case f.Within(f.CardsVar(a), f.CardsVar(b)) | f.Meets(f.CardsVar(a), f.CardsVar(b)):
            return _other(var, a, b)
        case f.Compare(">=", f.Size(f.Both(f.CardsVar(a), f.CardsVar(b))), f.Number(k)) if k >= 1:
            return _other(var, a, b)
        case _:
            return frozenset()


def _other(var: str, a: str, b: str) -> frozenset[str]:
    if var not in (a, b) or a == b:
        return frozenset()
    return frozenset({b if var == a else a})
