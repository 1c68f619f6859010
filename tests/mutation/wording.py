"""Conditions of rule files in short words, for the names of mutants.

Guarantees: two conditions that differ in more than their places have different words.
"""

from __future__ import annotations

from conquian.language import clauses as c
from conquian.language import tree as t


def words(expr: t.Expr) -> str:
    """A condition as a rule file would write it."""
    match expr:
        case t.Number(value):
            return str(value)
        case t.Name(text):
            return text
        case t.Call(function, arguments):
            return f"{function}({', '.join(words(x) for x in arguments)})"
        case t.Binary(operator, left, right):
            return f"{inner(left)} {operator} {inner(right)}"
        case t.Between(subject, low, high):
            return f"{inner(subject)} in {low}..{high}"
        case t.Is(subject, negated, word):
            return f"{inner(subject)} is {'not ' if negated else ''}{word.text}"
        case t.Negation(operand):
            return f"not {inner(operand)}"
        case t.Junction(operator, operands):
            return f" {operator} ".join(inner(x) for x in operands)
        case t.Quantified(quantifier, var, domain, body):
            return f"{quantifier} {var} in {inner(domain)}: {words(body)}"


def inner(expr: t.Expr) -> str:
    """A condition as a part of another."""
    text = words(expr)
    return f"({text})" if isinstance(expr, t.Junction | t.Quantified | t.Binary) else text


def target(then: c.Target) -> str:
    """Where play goes on."""
    seat = "" if then.seat == "player" else f" to {then.seat}"
    origin = "" if then.origin is None else f" as {then.origin}"
    return f"{then.phase}{seat}{origin}"
