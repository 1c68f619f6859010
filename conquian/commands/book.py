"""`book`: the rule book of a set, or of two."""

from __future__ import annotations

from typing import Annotated

import typer

from conquian.commands.given import readings_of
from conquian.commands.options import Cards, Limit, Readings
from conquian.commands.writing import fail, refuse, same_file, write_file
from conquian.tongue import tell


def book(
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="NAME…", help="one rule set or two: NAME?READING=CHOICE&…; NAME can be a path"
        ),
    ],
    output: Annotated[
        str, typer.Option("-o", "--output", metavar="FILE", help="the book; `-` is standard output")
    ] = "-",
    reading: Readings = None,
    budget: Limit = None,
    cards: Cards = None,
    form: Annotated[
        str | None,
        typer.Option("--format", help="html or md; left out, the file's ending says it, else html"),
    ] = None,
) -> None:
    """The rule book of a set, or of two side by side: every clause with source, formula, readings and a picture.

    Example: conquian book swedish classic -o rules.html
    """
    from conquian.book.booking import book_text, form_of
    from conquian.questions import CannotAsk

    chosen = readings_of(reading)
    try:
        text = book_text(names, readings=chosen, form=form_of(form, output), cards=cards, budget=budget)
    except CannotAsk as wrong:
        fail(str(wrong), wrong.hint)
    except Exception as problem:
        refuse(problem)
    if any(same_file(name, output) for name in names if output != "-"):
        fail(
            tell("{path}: the book would take the place of its rules", path=output),
            tell("name another file with -o"),
        )
    write_file(output, text)
