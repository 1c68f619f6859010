"""`show`: a picture of a position."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from conquian.commands.described import Described, described
from conquian.commands.given import form_among
from conquian.commands.options import Cards, Format, Readings, RulesOption
from conquian.commands.writing import colour, columns, complain, fail, refuse, say, write_file, write_json
from conquian.tongue import tell


@described()
def show(
    rules: RulesOption = None,
    reading: Readings = None,
    *,
    here: Described,
    meld: Annotated[str | None, typer.Option("--meld", help="draw the table that this meld leaves")] = None,
    svg: Annotated[
        str | None, typer.Option("--svg", metavar="FILE", help="write an SVG picture; `-` to standard output")
    ] = None,
    ascii_only: Annotated[bool, typer.Option("--ascii", help="draw with ASCII characters alone")] = False,
    cards: Cards = None,
    form: Format = "text",
) -> None:
    """Draw a position: tables, hands, stock, the card on offer, where it can be forced, what was borrowed.

    Example: conquian show --rules swedish --up Kh --table "6h 7h Jh Qh" --hand "Ah Ad" --svg table.svg
    """
    from conquian.cards import showing
    from conquian.pictures.showing import NotLegal, scene_asked
    from conquian.questions import CannotAsk

    form_among(form, "text", "json")
    only = ascii_only or not (sys.stdout.encoding or "").lower().startswith("utf")
    try:
        asked = here.question(rules, reading, cards, offer=here.declined or here.turned_by is not None)
        with showing(asked.notation, signs=not only):
            scene = scene_asked(asked, meld)
    except CannotAsk as wrong:
        fail(str(wrong), wrong.hint)
    except NotLegal as wrong:
        complain(tell("not legal: {reason}", reason=wrong))
        raise typer.Exit(1) from None
    except Exception as problem:
        refuse(problem)
    if svg is not None:
        from conquian.pictures.svg import svg as drawn

        write_file(svg, drawn(scene))
    if form == "json":
        write_json(scene)
    elif svg is None:
        from conquian.pictures.terminal import WIDE, terminal

        for line in terminal(scene, ascii_only=only, colour=colour(), width=columns(WIDE)):
            say(line)
