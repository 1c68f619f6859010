"""Numbers that depend on the position, compared as circuits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from conquian.verifier.circuits import FALSE, TRUE, Circuit, Circuits


@dataclass(frozen=True, slots=True)
class Count:
    """Whether a number is at least so much, how far it can go, and what it is if that is certain."""

    at_least: Callable[[int], Circuit]
    most: int
    exact: int | None = None


def number(value: int) -> Count:
    return Count(lambda k: TRUE if k <= value else FALSE, value, value)


def compare(
    circuits: Circuits, operator: Literal["=", "!=", "<", "<=", ">", ">="], left: Count, right: Count
) -> Circuit:
    match operator:
        case ">=":
            return _reaches(circuits, left, right)
        case "<=":
            return _reaches(circuits, right, left)
        case ">":
            return -_reaches(circuits, right, left)
        case "<":
            return -_reaches(circuits, left, right)
        case "=":
            return circuits.all((_reaches(circuits, left, right), _reaches(circuits, right, left)))
        case "!=":
            return -compare(circuits, "=", left, right)


def _reaches(circuits: Circuits, left: Count, right: Count) -> Circuit:
    """Whether the left number is at least the right one."""
    if right.exact is not None:
        return left.at_least(right.exact)
    if left.exact is not None:
        return -right.at_least(left.exact + 1)
    steps = range(1, right.most + 1)
    return circuits.all(circuits.any((-right.at_least(k), left.at_least(k))) for k in steps)
