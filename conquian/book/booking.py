"""What `conquian book` writes: the rule book of one set or of two, as HTML or Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal, get_args

from conquian.book.contents import book
from conquian.cards import first_without_form
from conquian.differing import Named, named
from conquian.position import Rules
from conquian.questions import CannotAsk, notation_of
from conquian.tongue import tell

Form = Literal["html", "md"]
FORMS: tuple[Form, ...] = get_args(Form)
_ENDINGS: Mapping[str, Form] = {".html": "html", ".htm": "html", ".md": "md", ".markdown": "md"}


def form_of(given: str | None, output: str) -> Form:
    """The form that was asked for, else the one that a file's ending says; HTML if nothing says anything."""
    if given is not None:
        for form in FORMS:
            if given == form:
                return form
        raise CannotAsk(
            tell("--format {given} is not known here", given=given),
            tell("known: {known}", known=", ".join(FORMS)),
        )
    for ending, form in _ENDINGS.items():
        if output.lower().endswith(ending):
            return form
    return "html"


def book_text(
    words: Sequence[str], *, readings: Mapping[str, str], form: Form, cards: str | None, budget: int | None
) -> str:
    """The book of the rule sets that were named, each as `NAME?reading=choice`; `readings` hold for all of them.

    CannotAsk for more than two sets, for words and notations that cannot be used; RulesError and UnknownReading as
    `load` raises them.
    """
    if not 1 <= len(words) <= 2:
        raise CannotAsk(
            tell("a book is of one rule set or of two, not of {number}", number=len(words)),
            tell("name one or two"),
        )
    if budget is not None and not 1 <= budget < 2**32:
        raise CannotAsk(tell("a budget of {budget} is not possible", budget=budget), tell("1 or more"))
    sides = tuple(_read(named(word), readings) for word in words)
    if len(sides) == 2 and sides[0].word == sides[1].word:
        raise CannotAsk(
            tell("{name} is named twice", name=words[0]), tell("two rule sets, or one under two readings")
        )
    notation = notation_of(cards or "french")
    for side in sides:
        ranks = tuple(card[:-1] for card in side.rules.engine.pack.cards)
        rank = first_without_form(ranks, notation)
        if rank is not None:
            raise CannotAsk(
                tell(
                    "a {rank} of this pack has no {notation} form",
                    rank=rank,
                    notation=notation,
                ),
                tell("leave out --cards"),
            )
    made = book(sides, budget)
    if form == "md":
        from conquian.book.markdown import markdown

        return markdown(made, notation)
    from conquian.book.page import page

    return page(made, notation)


def _read(one: Named, readings: Mapping[str, str]) -> Named:
    """A rule set with some readings chosen; what its own word chooses stands."""
    from conquian.engine.engine import with_choices

    _, _, tail = one.word.partition("?")
    own = {pair.partition("=")[0] for pair in tail.split("&")}
    rest = {name: choice for name, choice in readings.items() if name not in own}
    return replace(one, rules=Rules(with_choices(one.rules.engine, rest))) if rest else one
