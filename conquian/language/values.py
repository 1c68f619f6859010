"""Expressions that stand for cards, melds and numbers: what each word and function gives at its moment.

The part of typing that looks words up; conditions are in `conquian.language.types`. A word or a thing that
cannot stand where it stands is reported and taken as something harmless, so that checking can go on.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

from conquian.language import formula as f
from conquian.language import tree as t
from conquian.language.problems import Problems, did_you_mean
from conquian.language.words import (
    CARDS_AT,
    FLAGS_AT,
    MELDS_AT,
    MOMENTS,
    PLACES_AT,
    WORDS_OF_MOMENT,
    known_at,
)
from conquian.tongue import Listed, Saying, later

Value = f.Formula | f.Cards | f.Melds | f.Quantity
DEEPEST = 40
"""How many parts of a condition may stand inside one another, definitions written out."""
LARGEST = 3000
"""How many parts a condition may have, definitions written out."""
QUANTIFIERS = 4
"""How many quantifiers may stand inside one another."""


@dataclass(frozen=True, slots=True)
class Place:
    """The hand or the stock, of which only the number of cards is asked here."""

    name: str


@dataclass(slots=True)
class Typing:
    """What the conditions of one rule set have in common, and what typing them has brought to light."""

    defines: Mapping[str, t.DefineItem]
    choices: Mapping[str, tuple[str, ...]]
    shapes: frozenset[str]
    problems: Problems
    used_defines: set[str] = field(default_factory=set)
    used_readings: set[str] = field(default_factory=set)
    parts: int = 0
    depth: int = 0


@dataclass(slots=True)
class Values(ABC):
    """The words that mean something at one place of a condition."""

    typer: Typing
    moment: f.Moment
    names: dict[str, Value]
    inside: tuple[str, ...]
    """The definitions that are being written out."""
    taken: tuple[str, ...]
    """The variables of the quantifiers around."""

    def error(self, code: str, message: Saying, span: t.Span, hint: Saying | None = None) -> None:
        self.typer.problems.add(code, message, span, hint)

    def fits(self, expr: t.Expr) -> bool:
        """Counts one more part; reports, once, a condition that grows beyond the limits."""
        typer = self.typer
        typer.parts += 1
        if typer.parts <= LARGEST and typer.depth <= DEEPEST:
            return True
        if typer.parts < 2 * LARGEST:
            typer.parts = 2 * LARGEST
            self.error(
                "CQ106",
                later("the condition is too large once its definitions are written out"),
                expr.span,
                later(
                    "at most {largest} parts, {deepest} of them inside one another",
                    largest=LARGEST,
                    deepest=DEEPEST,
                ),
            )
        return False

    @abstractmethod
    def formula(self, expr: t.Expr) -> f.Formula:
        """A condition."""

    @abstractmethod
    def define(self, name: str, arguments: tuple[t.Expr, ...], span: t.Span) -> f.Formula:
        """A definition written out."""

    def value(self, expr: t.Expr, places: bool = False) -> Value | Place | None:
        if not self.fits(expr):
            return None
        self.typer.depth += 1
        found = self._value(expr, places)
        self.typer.depth -= 1
        return found

    def _value(self, expr: t.Expr, places: bool) -> Value | Place | None:
        match expr:
            case t.Number(value):
                return f.Number(value)
            case t.Name():
                return self.lookup(expr, places)
            case t.Call("size"):
                return self.quantity(expr)
            case t.Call("cards", arguments):
                inner = self.value(arguments[0]) if len(arguments) == 1 else None
                if isinstance(inner, f.Melds):
                    return f.CardsOf(inner)
                if len(arguments) != 1:
                    self.error("CQ303", later("`cards` takes one argument"), expr.span)
                elif inner is not None:
                    self.error("CQ301", later("`cards` takes `before` or `after`"), expr.span)
                return None
            case t.Call("ends"):
                return f.Ends(self.single(expr))
            case t.Binary("+", left, right):
                return f.Union(self.cards(left), self.cards(right))
            case t.Binary("&", left, right):
                return f.Both(self.cards(left), self.cards(right))
            case t.Binary("without", left, right):
                return f.Minus(self.cards(left), self.cards(right))
            case _:
                return self.formula(expr)

    def cards(self, expr: t.Expr) -> f.Cards:
        value = self.value(expr)
        if isinstance(value, f.Cards):
            return value
        if value is not None:
            hint = later("`cards(…)` gives the cards of the melds") if isinstance(value, f.Melds) else None
            self.error(
                "CQ301", later("cards are wanted here, not {kind}", kind=kind_of(value)), expr.span, hint
            )
        return f.CardsVar("up")

    def single(self, expr: t.Call) -> f.Cards:
        if len(expr.arguments) != 1:
            self.error("CQ303", later("`{function}` takes one argument", function=expr.function), expr.span)
            return f.CardsVar("up")
        return self.cards(expr.arguments[0])

    def quantity(self, expr: t.Expr) -> f.Quantity:
        if isinstance(expr, t.Call) and expr.function == "size":
            if len(expr.arguments) != 1:
                self.error("CQ303", later("`size` takes one argument"), expr.span)
                return f.Number(0)
            value = self.value(expr.arguments[0], places=True)
            if isinstance(value, Place):
                return f.PlaceSize("hand" if value.name == "hand" else "stock")
            if isinstance(value, f.Cards):
                return f.Size(value)
            if value is not None:
                hint = (
                    later("`size(cards(…))` counts the cards of the melds")
                    if isinstance(value, f.Melds)
                    else None
                )
                self.error(
                    "CQ301", later("`size` counts cards, not {kind}", kind=kind_of(value)), expr.span, hint
                )
            return f.Number(0)
        value = self.value(expr)
        if isinstance(value, f.Quantity):
            return value
        if value is not None:
            self.error("CQ301", later("a number is wanted here, not {kind}", kind=kind_of(value)), expr.span)
        return f.Number(0)

    def lookup(self, expr: t.Name, places: bool = False) -> Value | Place | None:
        name, moment = expr.text, self.moment
        if name in self.names:
            return self.names[name]
        if places and name in PLACES_AT.get(moment, ()):
            return Place(name)
        if name in CARDS_AT.get(moment, ()):
            return f.Union(f.CardsVar("up"), f.CardsVar("used")) if name == "laid" else f.CardsVar(name)
        if name in MELDS_AT.get(moment, ()):
            return f.Melds("before" if name == "before" else "after")
        if name in FLAGS_AT.get(moment, ()):
            return f.Flag(cast(f.Flagged, name))
        if name == "goal" and moment != "shape":
            return f.GoalSize()
        if name in self.typer.defines:
            return self.define(name, (), expr.span)
        elsewhere: list[f.Moment] = [m for m in MOMENTS if name in known_at(m)]
        if elsewhere:
            moments = sorted(WORDS_OF_MOMENT[m] for m in elsewhere)
            self.error(
                "CQ302",
                later(
                    "`{name}` has no meaning in a condition on {moment}",
                    name=name,
                    moment=Saying(WORDS_OF_MOMENT[moment]),
                ),
                expr.span,
                later(
                    "it can be used in conditions on {moments}", moments=Listed(tuple(map(Saying, moments)))
                ),
            )
            return None
        known = [*self.names, *known_at(moment), *self.typer.defines, *self.typer.choices]
        self.error("CQ201", later("`{name}` is not known", name=name), expr.span, did_you_mean(name, known))
        return None


def kind_of(value: Value | Place) -> Saying:
    if isinstance(value, Place):
        return later("the hand") if value.name == "hand" else later("the stock")
    if isinstance(value, f.Melds):
        return later("a collection of melds")
    if isinstance(value, f.Cards):
        return later("a set of cards")
    return later("a number") if isinstance(value, f.Quantity) else later("a condition")
