"""`outs`: the cards that would win at once."""

from __future__ import annotations

from typing import Annotated

import typer

from conquian.commands.described import Described, described
from conquian.commands.given import form_among
from conquian.commands.options import Cards, Format, Readings, RulesOption
from conquian.commands.writing import answered


@described("declined")
def outs(
    rules: RulesOption = None,
    reading: Readings = None,
    *,
    here: Described,
    depth: Annotated[int, typer.Option("--depth", help="1: cards that win at once; 2: pairs")] = 1,
    budget: Annotated[
        int | None, typer.Option("--budget", help="look at no more than so many tables; exit 3 beyond")
    ] = None,
    cards: Cards = None,
    form: Format = "text",
) -> None:
    """Which cards, put on offer to the player, win at once; or which two in turn.

    Example: conquian outs --rules swedish --table "3c 3d 3h 3s, 6h 7h Jh Qh" --hand "Ah Ad"
    """
    from conquian.outs import BUDGET
    from conquian.outs import outs as answer

    form_among(form, "text", "json")
    answered(
        form,
        lambda: answer(
            here.question(rules, reading, cards, offer=False),
            depth,
            BUDGET if budget is None else budget,
        ),
    )
