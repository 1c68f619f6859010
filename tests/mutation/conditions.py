"""Every small change of a condition.

Guarantees: each mutant differs from the condition in one place; the words name the place and the change. What
a change gives need not type: that is for the checker to say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Literal

from conquian.language import tree as t

from .wording import words

Change = tuple[str, t.Expr]
LESS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "=": "!=", "!=": "="}
SETS = {"+": "&", "&": "+", "without": "&"}
RELATIONS = {"within": "meets", "meets": "within"}
Quantifier = Literal["some", "every", "no"]
QUANTIFIERS: dict[Quantifier, tuple[Quantifier, ...]] = {
    "some": ("every", "no"),
    "every": ("some", "no"),
    "no": ("some", "every"),
}
MELDS = {"before": "after", "after": "before"}


def changes(
    expr: t.Expr, choices: Mapping[str, tuple[str, ...]], defines: frozenset[str]
) -> Iterator[Change]:
    """Every mutant of a condition, itself a whole; `choices` are the readings', `defines` names in use."""
    yield from _here(expr, choices, defines)
    match expr:
        case t.Call(_, arguments):
            for i, x in enumerate(arguments):
                for said, new in changes(x, choices, defines):
                    yield said, replace(expr, arguments=(*arguments[:i], new, *arguments[i + 1 :]))
        case t.Binary(_, left, right):
            for said, new in changes(left, choices, defines):
                yield said, replace(expr, left=new)
            for said, new in changes(right, choices, defines):
                yield said, replace(expr, right=new)
        case t.Between(subject):
            for said, new in changes(subject, choices, defines):
                yield said, replace(expr, subject=new)
        case t.Negation(operand):
            for said, new in changes(operand, choices, defines):
                yield said, replace(expr, operand=new)
        case t.Junction(_, operands):
            for i, x in enumerate(operands):
                for said, new in changes(x, choices, defines):
                    yield said, replace(expr, operands=(*operands[:i], new, *operands[i + 1 :]))
        case t.Quantified(_, _, domain, body):
            for said, new in changes(domain, choices, defines):
                yield said, replace(expr, domain=new)
            for said, new in changes(body, choices, defines):
                yield said, replace(expr, body=new)
        case _:
            pass


def _here(expr: t.Expr, choices: Mapping[str, tuple[str, ...]], defines: frozenset[str]) -> Iterator[Change]:
    """The mutants that change the topmost part."""
    for new in _other(expr, choices):
        yield f"{words(expr)} => {words(new)}", new
    if _is_condition(expr, choices, defines):
        new = expr.operand if isinstance(expr, t.Negation) else t.Negation(expr, expr.span)
        yield f"{words(expr)} => {words(new)}", new
    if isinstance(expr, t.Name | t.Call) and _name(expr) in defines:
        for operator, said in (("=", "true"), ("!=", "false")):
            zero = t.Number(0, expr.span)
            yield f"{words(expr)} => {said}", t.Binary(operator, zero, zero, expr.span)


def _other(expr: t.Expr, choices: Mapping[str, tuple[str, ...]]) -> Iterator[t.Expr]:
    match expr:
        case t.Number(value):
            yield replace(expr, value=value + 1)
            if value:
                yield replace(expr, value=value - 1)
        case t.Name(text) if text in MELDS:
            yield replace(expr, text=MELDS[text])
        case t.Between(_, low, high):
            for bounds in ((low - 1, high), (low + 1, high), (low, high - 1), (low, high + 1)):
                yield replace(expr, low=bounds[0], high=bounds[1])
        case t.Is(subject, _, word):
            known = choices.get(subject.text, ()) if isinstance(subject, t.Name) else ()
            for choice in known:
                if choice != word.text:
                    yield replace(expr, word=replace(word, text=choice))
        case t.Binary(operator, left, right):
            if operator in LESS:
                yield replace(expr, operator=LESS[operator])
            elif operator in RELATIONS:
                yield replace(expr, operator=RELATIONS[operator])
            elif operator in SETS:
                yield replace(expr, operator=SETS[operator])
                yield left
                yield right
        case t.Junction(operator, operands):
            yield replace(expr, operator="or" if operator == "and" else "and")
            for i in range(len(operands)):
                rest = [*operands[:i], *operands[i + 1 :]]
                yield replace(expr, operands=tuple(rest)) if len(rest) > 1 else rest[0]
        case t.Quantified(quantifier):
            for other in QUANTIFIERS[quantifier]:
                yield replace(expr, quantifier=other)
        case _:
            pass


def _is_condition(expr: t.Expr, choices: Mapping[str, tuple[str, ...]], defines: frozenset[str]) -> bool:
    """Whether the part is a condition rather than cards, melds or a number."""
    match expr:
        case t.Number():
            return False
        case t.Name(text):
            return text in defines or text in (
                "own",
                "starter",
                "named",
                "misdeal",
                "drawn",
                "drawn-before",
                "rummy",
                "annulled",
                "conceded",
                "agreed",
                "broken-off",
            )
        case t.Call(function):
            return function not in ("size", "cards", "ends")
        case t.Binary(operator):
            return operator not in SETS and operator not in ("=", "!=")
        case _:
            return True


def _name(expr: t.Name | t.Call) -> str:
    return expr.text if isinstance(expr, t.Name) else expr.function
