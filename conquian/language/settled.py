"""Clauses as they read once every reading is chosen: tests of readings folded away, lines that never hold left out.

Two clauses with equal settled bodies say the same of every moment. A body that then says nothing is None.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import Any, TypeVar, cast

from conquian.language import clauses as c
from conquian.language import formula as f

Node = f.Formula | f.Cards | f.Melds | f.Quantity
N = TypeVar("N", bound=Node)


def rebuilt(node: N, change: Callable[[Node], Node]) -> N:
    """A node with its parts rebuilt, then changed itself."""
    made: dict[str, Any] = {}
    for field in fields(node):
        value = getattr(node, field.name)
        if isinstance(value, tuple):
            made[field.name] = tuple(rebuilt(x, change) for x in value)
        elif isinstance(value, _NODES):
            made[field.name] = rebuilt(value, change)
    return cast(N, change(replace(cast(Any, node), **made) if made else node))


_NODES = (*f.Formula.__args__, *f.Cards.__args__, *f.Quantity.__args__, f.Melds)


def settled(node: f.Formula, readings: Mapping[str, str]) -> f.Formula:
    """A condition under some readings."""

    def fold(x: Node) -> Node:
        match x:
            case f.ReadingIs(reading, choice):
                return f.Always(readings[reading] == choice)
            case f.Not(operand):
                return f.negated(operand)
            case f.All(operands):
                return _joined(operands, True)
            case f.Any_(operands):
                return _joined(operands, False)
            case f.Some(_, _, f.Always(False)):
                return f.Always(False)
            case _:
                return x

    return rebuilt(node, fold)


def _joined(operands: tuple[f.Formula, ...], every: bool) -> f.Formula:
    kept: list[f.Formula] = []
    for x in operands:
        if isinstance(x, f.Always):
            if x.value is not every:
                return x
        elif x not in kept:
            kept.append(x)
    if not kept:
        return f.Always(every)
    if len(kept) == 1:
        return kept[0]
    return f.All(tuple(kept)) if every else f.Any_(tuple(kept))


def before_the_act(node: f.Formula) -> f.Formula:
    """What a condition on the melds after an act says of those before it."""

    def change(x: Node) -> Node:
        return f.Melds("before") if x == f.Melds("after") else x

    return rebuilt(node, change)


def uses(node: f.Formula, *kinds: type[object]) -> bool:
    """Whether a node of one of the kinds is in a condition."""

    def found(x: Node) -> bool:
        return isinstance(x, kinds) or any(map(found, f.parts(x)))

    return found(node)


def size_alone(node: f.Formula, size: int, goal: int) -> bool | None:
    """What a condition says of a table with so many cards, if that alone decides it; else None."""

    def number(x: f.Quantity) -> int | None:
        match x:
            case f.Number(value):
                return value
            case f.GoalSize():
                return goal
            case f.Size(f.CardsOf(f.Melds("after"))):
                return size
            case _:
                return None

    match node:
        case f.Always(value):
            return value
        case f.Not(x):
            inner = size_alone(x, size, goal)
            return None if inner is None else not inner
        case f.All(xs) | f.Any_(xs):
            found = [size_alone(x, size, goal) for x in xs]
            decides = isinstance(node, f.Any_)
            if decides in found:
                return decides
            return None if None in found else not decides
        case f.Compare(sign, left, right):
            a, b = number(left), number(right)
            return None if a is None or b is None else _COMPARED[sign](a, b)
        case _:
            return None


_COMPARED: Mapping[str, Callable[[int, int], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}

Settled = c.Body[f.Formula]


def settled_body(body: Settled, readings: Mapping[str, str]) -> Settled | None:
    """What a clause says under some readings; None if nothing."""

    def when(condition: f.Formula | None) -> f.Formula | None:
        found = f.Always(True) if condition is None else settled(condition, readings)
        return None if found == f.Always(True) else found

    match body:
        case c.Modal():
            condition = when(body.when)
            return None if condition == f.Always(False) else replace(body, when=condition)
        case c.Must():
            where = settled(body.where, readings)
            return None if where == f.Always(True) else c.Must(where)
        case c.Shape():
            return replace(body, when=settled(body.when, readings))
        case c.Phase():
            lines = [replace(line, when=when(line.when)) for line in body.lines]
            kept = tuple(line for line in lines if line.when != f.Always(False))
            return replace(body, lines=kept) if kept else None
        case c.Wins() | c.DealerStays():
            return replace(body, when=settled(body.when, readings))
        case c.Stakes():
            stakes = [replace(line, when=when(line.when)) for line in body.lines]
            return c.Stakes(tuple(line for line in stakes if line.when != f.Always(False)))
        case _:
            return body
