"""`convert`: a transcript in another form or notation."""

from __future__ import annotations

from typing import Annotated

import typer

from conquian.commands.options import Cards
from conquian.commands.writing import complain, fail, put
from conquian.tongue import tell


def convert(
    file: Annotated[str, typer.Argument(metavar="FILE", help="a transcript; `-` for standard input")],
    to: Annotated[str, typer.Option("--to", help="text, json or jsonl")] = "text",
    cards: Cards = None,
) -> None:
    """Write a transcript in another form or card notation. Nothing is lost, or nothing is written.

    Example: conquian convert examples/club-evening.cqn --to json
    """
    from conquian.asked import convert_file

    if to not in ("text", "json", "jsonl"):
        fail(tell("--to {to} is not known", to=to), tell("known: text, json, jsonl"))
    if cards not in (None, "french", "spanish", "german", "swedish"):
        fail(
            tell("--cards {cards} is not known", cards=cards), tell("known: french, spanish, german, swedish")
        )
    try:
        written, refusals, notes = convert_file(file, to, cards)
    except OSError as error:
        from conquian.opening import unreadable

        fail(f"{file}: {unreadable(error)}")
    if refusals:
        for line in refusals:
            complain(line)
        raise typer.Exit(2)
    for line in notes:
        complain(line)
    put(written)
