"""What can be said of an act in a pack with copies without telling its copies apart.

A condition is asked of physical cards, and an act names kinds; so every way to match the copies may have to be looked
at. But where a card set lies within another one, the kinds do too, each as often. So what follows from a condition
for the *packed* sets is a necessary condition: where that fails for every prohibition, the act is legal in every way,
and no way has to be made. `necessary` derives it from the typed condition; what it cannot say, it takes for possible.
"""

from __future__ import annotations

from conquian.engine.expressions import OPERATORS, Emitter, free_names, python_name, quantified
from conquian.language import formula as f

ARGUMENTS = ("before", "after", "up", "used", "n_table", "at", "n_hand", "n_stock")
"""Packed sets and numbers: the melds before and after, the card on offer, the hand cards laid, how many cards are on
the table after the act; the state of play; how many cards are left in the hand and in the stock."""
_KNOWN = frozenset({"own", "starter", "n_hand", "n_stock"})
_TABLE = f.Size(f.CardsOf(f.Melds("after")))


def necessary(node: f.Formula, emitter: Emitter) -> str:
    """A Python expression on packed sets that is true whenever the condition holds for some way to match copies."""
    if free_names(node) <= _KNOWN:
        return emitter.formula(node)
    match node:
        case f.All(xs):
            return "(" + " and ".join(necessary(x, emitter) for x in xs) + ")"
        case f.Any_(xs):
            return "(" + " or ".join(necessary(x, emitter) for x in xs) + ")"
        case f.Some(var, f.Melds(name), body):
            return _some(python_name(var), name, body, emitter)
        case f.Within(f.CardsVar(left), f.CardsVar(right)) if "hand" not in (left, right):
            return f"((({python_name(right)} | GUARDS) - {python_name(left)}) & GUARDS == GUARDS)"
        case _:
            return "True"


def _some(var: str, domain: str, body: f.Formula, emitter: Emitter) -> str:
    inner = necessary(body, emitter)
    if inner == "True":
        return f"bool({domain})"
    known = [name for name in sorted(free_names(body) | {domain}) if name != var]
    return quantified(emitter.helpers, var, domain, inner, known)


def counted(node: f.Formula, emitter: Emitter) -> str | None:
    """A condition that asks for nothing but numbers of cards, as an exact expression; None if it asks for more."""
    if free_names(node) <= _KNOWN:
        return emitter.formula(node)
    match node:
        case f.Not(x):
            inner = counted(x, emitter)
            return None if inner is None else f"not {inner}"
        case f.All(xs) | f.Any_(xs):
            parts = [counted(x, emitter) for x in xs]
            word = " and " if isinstance(node, f.All) else " or "
            return None if None in parts else "(" + word.join(map(str, parts)) + ")"
        case f.Compare(operator, left, right):
            sides = [_number(side, emitter) for side in (left, right)]
            return None if None in sides else f"({sides[0]} {OPERATORS[operator]} {sides[1]})"
        case _:
            return None


def _number(node: f.Quantity, emitter: Emitter) -> str | None:
    if node == _TABLE:
        return "n_table"
    return emitter.quantity(node) if free_names(node) <= _KNOWN else None
