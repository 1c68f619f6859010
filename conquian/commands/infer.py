"""`infer`: the cards that a player certainly held."""

from __future__ import annotations

from typing import Annotated

import typer

from conquian.commands.given import form_among, readings_of
from conquian.commands.options import Cards, Format, Readings, RulesOption
from conquian.commands.writing import answered, complain_note


def infer(
    file: Annotated[
        str | None, typer.Argument(metavar="FILE", help="a transcript; `-` for standard input")
    ] = None,
    at: Annotated[
        str | None,
        typer.Option("--at", help="FILE:LINE[:COLUMN] or FILE#DEAL@EVENT; left out: after the last event"),
    ] = None,
    rules: RulesOption = None,
    reading: Readings = None,
    so_far: Annotated[
        bool, typer.Option("--so-far", help="use only what was recorded up to that moment")
    ] = False,
    cards: Cards = None,
    form: Format = "text",
) -> None:
    """Which cards each player certainly held, may have held and cannot have held.

    Just before the place that --at names, by everything that is recorded: a card that comes from a hand later was in
    it before. The JSON has for each player `held` (how many cards), `certain` (a card once a copy), `possible` (further
    cards, each once; with several packs `at_most` says how many) and `cannot`.

    Example: conquian infer --at examples/unrecorded-hands.cqn:17
    """
    from conquian.inferring import infer as answer
    from conquian.questions import notation_of

    form_among(form, "text", "json")
    chosen = readings_of(reading)
    answered(
        form,
        lambda: answer(file, at, rules, chosen, notation_of(cards) if cards else None, so_far, complain_note),
    )
