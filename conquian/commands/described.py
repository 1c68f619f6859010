"""The options by which commands are told of a position, said once.

A command that asks about a position has a parameter `here: Described` and stands under `@described()`; in its place
the program takes `--up`, `--table` and the others.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, get_type_hints

import typer

from conquian.commands.given import readings_of
from conquian.commands.writing import complain_note

if TYPE_CHECKING:
    from conquian.questions import Given, Question


class Described(NamedTuple):
    """A position as the options describe it; None or False for what is left out."""

    up: Annotated[str | None, typer.Option("--up", help="the card on offer")] = None
    table: Annotated[str | None, typer.Option("--table", help="the holder's melds: `M, M`")] = None
    hand: Annotated[
        str | None, typer.Option("--hand", help="the holder's hand: `C C`; left out: unknown")
    ] = None
    opponent_table: Annotated[str | None, typer.Option("--opponent-table", help="the opponent's melds")] = (
        None
    )
    stock: Annotated[int | None, typer.Option("--stock", help="cards left in the stock")] = None
    turned_by: Annotated[str | None, typer.Option("--turned-by", help="me or opponent")] = None
    declined: Annotated[bool, typer.Option("--declined", help="the holder has just passed")] = False
    position: Annotated[
        str | None, typer.Option("--position", help="a position as JSON; `-` for standard input")
    ] = None
    at: Annotated[
        str | None, typer.Option("--at", help="FILE:LINE[:COLUMN] or FILE#DEAL@EVENT of a transcript")
    ] = None

    def question(
        self, rules: str | None, reading: list[str] | None, cards: str | None, *, offer: bool = True
    ) -> Question:
        """The question that a command asks of it; CannotAsk, RulesError or UnknownReading if it is none.

        `offer` False: the question does not need a card on offer. What the command line overrides of a transcript's
        header is told on standard error.
        """
        from conquian.questions import question

        return question(
            rules=rules,
            readings=readings_of(reading),
            cards=cards,
            offer=offer,
            notice=complain_note,
            **self._asdict(),
        )

    def given(
        self, rules: str | None, readings: dict[str, str], cards: str | None
    ) -> tuple[str | None, dict[str, str], Given]:
        """The rule set and readings that are named, and the parts of the position; it is of no transcript."""
        from conquian.questions import given

        parts = self._asdict()
        del parts["at"]
        return given(rules=rules, readings=readings, cards=cards, **parts)


def described(*without: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Gives a command the options of a position where it has its parameter `here`, but for some."""

    def given(command: Callable[..., None]) -> Callable[..., None]:
        types = get_type_hints(Described, include_extras=True)
        options = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=types[name])
            for name, default in Described._field_defaults.items()
            if name not in without
        ]
        names = [option.name for option in options]

        @wraps(command)
        def called(**values: Any) -> None:
            here = Described(**{name: values.pop(name) for name in names})
            command(here=here, **values)

        taken: list[inspect.Parameter] = []
        whole = inspect.signature(command, eval_str=True)
        for parameter in whole.parameters.values():
            taken += options if parameter.name == "here" else [parameter]
        vars(called)["__signature__"] = whole.replace(
            parameters=[p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in taken]
        )
        return called

    return given
