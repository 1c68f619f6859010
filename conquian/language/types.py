"""Tree conditions to typed conditions: names resolved for their moment, definitions written out.

Total by construction: definitions may not use themselves, `possible` stands outside quantifiers, and nothing
grows beyond a limit. A condition that does not type is reported and stands as `Always(True)` so that checking
can go on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from conquian.language import formula as f
from conquian.language import tree as t
from conquian.language.problems import did_you_mean
from conquian.language.values import QUANTIFIERS, Place, Typing, Value, Values, kind_of
from conquian.language.words import RESERVED, TRAITS
from conquian.tongue import later


@dataclass(slots=True)
class Typer(Typing):
    """Types the conditions of one rule set."""

    def condition(
        self, expr: t.Expr | None, moment: f.Moment, scope: Mapping[str, Value] | None = None
    ) -> f.Formula:
        """A condition as it stands in a clause; a missing one always holds."""
        if expr is None:
            return f.Always(True)
        self.parts = self.depth = 0
        return _Conditions(self, moment, dict(scope or {}), (), ()).formula(expr)


@dataclass(slots=True)
class _Conditions(Values):
    """Conditions at one place."""

    def formula(self, expr: t.Expr) -> f.Formula:
        if not self.fits(expr):
            return f.Always(True)
        self.typer.depth += 1
        found = self._formula(expr)
        self.typer.depth -= 1
        return found

    def _formula(self, expr: t.Expr) -> f.Formula:
        match expr:
            case t.Negation(operand):
                return f.negated(self.formula(operand))
            case t.Junction("and", operands):
                return f.All(tuple(y for x in operands for y in _flat(self.formula(x), f.All)))
            case t.Junction(_, operands):
                return f.Any_(tuple(y for x in operands for y in _flat(self.formula(x), f.Any_)))
            case t.Quantified():
                return self.quantifier(expr)
            case t.Is():
                return self.is_(expr)
            case t.Between(subject, low, high):
                if low > high:
                    self.error(
                        "CQ405", later("no number lies in {low}..{high}", low=low, high=high), expr.span
                    )
                x = self.quantity(subject)
                return f.All((f.Compare(">=", x, f.Number(low)), f.Compare("<=", x, f.Number(high))))
            case t.Binary():
                return self.relation(expr)
            case t.Call() if expr.function not in ("size", "cards", "ends"):
                return self.call(expr)
            case t.Name():
                value = self.lookup(expr)
                if isinstance(value, f.Formula):
                    return value
                if value is not None:
                    self.error(
                        "CQ301",
                        later("`{name}` is {kind}, not a condition", name=expr.text, kind=kind_of(value)),
                        expr.span,
                        later("compare it with something, or ask for its size"),
                    )
                return f.Always(True)
            case _:
                self.error("CQ301", later("a condition is wanted here"), expr.span)
                return f.Always(True)

    def quantifier(self, expr: t.Quantified) -> f.Formula:
        domain = self.value(expr.domain)
        if not isinstance(domain, f.Melds | f.Cards):
            if domain is not None:
                self.error(
                    "CQ301",
                    later("`{quantifier}` ranges over melds or cards", quantifier=expr.quantifier),
                    expr.domain.span,
                )
            return f.Always(True)
        if expr.var in self.names or expr.var in RESERVED:
            self.error(
                "CQ204",
                later("`{name}` already has a meaning here", name=expr.var),
                expr.span,
                later("choose another name"),
            )
        if len(self.taken) == QUANTIFIERS:
            hint = later("say it in two clauses")
            self.error(
                "CQ106",
                later("more than {most} quantifiers inside one another", most=QUANTIFIERS),
                expr.span,
                hint,
            )
            return f.Always(True)
        var = expr.var
        while var in self.taken:  # written out inside a quantifier that uses the same name
            var += "2"
        names = {**self.names, expr.var: f.CardsVar(var)}
        inner = _Conditions(self.typer, self.moment, names, self.inside, (*self.taken, var))
        body = inner.formula(expr.body)
        match expr.quantifier:
            case "some":
                return f.Some(var, domain, body)
            case "no":
                return f.Not(f.Some(var, domain, body))
            case _:
                return f.Not(f.Some(var, domain, f.negated(body)))

    def is_(self, expr: t.Is) -> f.Formula:
        word = expr.word.text
        sign = f.negated if expr.negated else _same
        subject = expr.subject
        if isinstance(subject, t.Name) and subject.text in self.typer.choices and word != "empty":
            choices = self.typer.choices[subject.text]
            self.typer.used_readings.add(subject.text)
            if word not in choices:
                self.error(
                    "CQ207",
                    later(
                        "`{choice}` is no choice of the reading `{reading}`",
                        choice=word,
                        reading=subject.text,
                    ),
                    expr.word.span,
                    later("its choices are {choices}", choices=", ".join(choices)),
                )
                return f.Always(True)
            return sign(f.ReadingIs(subject.text, word))
        if isinstance(subject, t.Name) and subject.text == "next" and word == "first":
            if self.moment != "flow":
                self.error("CQ302", later("`next` has a meaning only in the order of play"), subject.span)
            return sign(f.NextIsFirst())
        if word == "empty":
            value = self.value(subject, places=True)
            if isinstance(value, Place):
                place = f.PlaceSize("hand" if value.name == "hand" else "stock")
                return sign(f.Compare("=", place, f.Number(0)))
            if isinstance(value, f.Melds):
                return sign(f.NoCards(f.CardsOf(value)))
            if isinstance(value, f.Cards):
                return sign(f.NoCards(value))
            if value is not None:
                self.error("CQ301", later("only places, melds and cards can be empty"), subject.span)
            return f.Always(True)
        known = [*self.typer.choices, "empty"]
        shown = subject.text if isinstance(subject, t.Name) else "this"
        self.error(
            "CQ207" if isinstance(subject, t.Name) else "CQ301",
            later("`{shown} is {word}`: `{shown}` is no reading", shown=shown, word=word),
            expr.span,
            did_you_mean(shown, known),
        )
        return f.Always(True)

    def relation(self, expr: t.Binary) -> f.Formula:
        if expr.operator in ("+", "&", "without"):
            self.error(
                "CQ301", later("`{operator}` gives cards, not a condition", operator=expr.operator), expr.span
            )
            return f.Always(True)
        if expr.operator in ("in", "within", "meets"):
            left = self.cards(expr.left)
            right = self.value(expr.right)
            if isinstance(right, f.Melds):
                if expr.operator == "in":
                    return f.IsMeldOf(left, right)
                right = f.CardsOf(right)
            if not isinstance(right, f.Cards):
                if right is not None:
                    self.error(
                        "CQ301",
                        later("`{operator}` wants cards or melds", operator=expr.operator),
                        expr.right.span,
                    )
                return f.Always(True)
            return f.Meets(left, right) if expr.operator == "meets" else f.Within(left, right)
        left_value = self.value(expr.left, places=True)
        right_value = self.value(expr.right, places=True)
        if left_value is None or right_value is None:
            return f.Always(True)
        if isinstance(left_value, f.Cards) and isinstance(right_value, f.Cards):
            same = f.Same(left_value, right_value)
            if expr.operator not in ("=", "!="):
                self.error(
                    "CQ301",
                    later("cards cannot be compared by `{operator}`", operator=expr.operator),
                    expr.span,
                )
            return f.Not(same) if expr.operator == "!=" else same
        if isinstance(left_value, f.Quantity) and isinstance(right_value, f.Quantity):
            operator = cast("f.Compare", expr).operator
            return f.Compare(operator, left_value, right_value)
        self.error(
            "CQ301",
            later(
                "{left} cannot be compared with {right}", left=kind_of(left_value), right=kind_of(right_value)
            ),
            expr.span,
            later("`size(…)` gives the number of cards"),
        )
        return f.Always(True)

    def call(self, expr: t.Call) -> f.Formula:
        name, arguments = expr.function, expr.arguments
        if name in self.typer.defines:
            return self.define(name, arguments, expr.span)
        if name in TRAITS:
            if self.moment != "shape":
                self.error(
                    "CQ302",
                    later("`{name}` describes shapes of melds only", name=name),
                    expr.span,
                    later("use `valid(…)`"),
                )
            return f.Has(cast(f.Trait, name), self.single(expr))
        if name == "valid" or name in self.typer.shapes:
            if self.moment == "shape":
                self.error(
                    "CQ302",
                    later("`{name}` cannot be asked while shapes are being described", name=name),
                    expr.span,
                )
            return f.Valid(self.single(expr), None if name == "valid" else name)
        if name == "possible":
            if self.taken:
                self.error(
                    "CQ402",
                    later("`possible` may not stand under a quantifier"),
                    expr.span,
                    later("ask it of all the cards at once, outside `some`, `every` and `no`"),
                )
            return f.Possible(self.single(expr))
        known = [
            *TRAITS,
            "valid",
            "possible",
            "size",
            "cards",
            "ends",
            *self.typer.shapes,
            *self.typer.defines,
        ]
        self.error("CQ304", later("`{name}` is no function", name=name), expr.span, did_you_mean(name, known))
        return f.Always(True)

    def define(self, name: str, arguments: tuple[t.Expr, ...], span: t.Span) -> f.Formula:
        item = self.typer.defines[name]
        self.typer.used_defines.add(name)
        if name in self.inside:
            self.error("CQ401", later("the definition `{name}` uses itself", name=name), span)
            return f.Always(True)
        if len(arguments) != len(item.params):
            self.error(
                "CQ303",
                later(
                    "`{name}` takes {takes} arguments, not {given}",
                    name=name,
                    takes=len(item.params),
                    given=len(arguments),
                ),
                span,
            )
            return f.Always(True)
        bound: dict[str, Value] = {}
        for param, argument in zip(item.params, arguments, strict=True):
            given = self.value(argument)
            if given is None or isinstance(given, Place):
                return f.Always(True)
            bound[param.text] = given
        before = len(self.typer.problems.found)
        inner = _Conditions(self.typer, self.moment, bound, (*self.inside, name), self.taken)
        result = inner.formula(item.body)
        if len(self.typer.problems.found) > before and item.span.path != span.path:
            self.error("CQ302", later("the definition `{name}` cannot be used here", name=name), span)
        return result


def _flat(formula: f.Formula, kind: type[f.All] | type[f.Any_]) -> tuple[f.Formula, ...]:
    return formula.operands if isinstance(formula, kind) else (formula,)


def _same(formula: f.Formula) -> f.Formula:
    return formula
