"""`settle`: one disputed event under every rule set."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from conquian.commands.described import Described, described
from conquian.commands.given import form_among, readings_of
from conquian.commands.options import Cards, Format, Readings, complete_listed
from conquian.commands.writing import answered, complain_note
from conquian.tongue import tell

if TYPE_CHECKING:
    from conquian.questions import Answer


@described()
def settle(
    rules: Annotated[
        str | None,
        typer.Option(
            "--rules",
            help="NAME,NAME,…, or paths; left out: every shipped set",
            autocompletion=complete_listed,
        ),
    ] = None,
    reading: Readings = None,
    *,
    here: Described,
    meld: Annotated[str | None, typer.Option("--meld", help="the disputed meld: `M, M`")] = None,
    event: Annotated[
        str | None, typer.Option("--event", help="the disputed event, as a transcript tells it")
    ] = None,
    cards: Cards = None,
    form: Format = "text",
) -> None:
    """One disputed event under every rule set, and what the players have to agree on.

    Example: conquian settle --up 7h --table "5s 6s 7s" --hand "4s 7d" --event "Ana melds 7s 7h 7d, 4s 5s 6s"
    """
    from conquian import questions, settling

    form_among(form, "text", "json")
    chosen = readings_of(reading)
    sets = rules.split(",") if rules is not None else None

    def answer() -> Answer:
        from conquian.engine.sets import rule_sets

        names = rule_sets() if sets is None else [name.strip() for name in sets]
        if not all(names):
            text = tell("--rules leaves a name out") if any(names) else tell("--rules names no rule set")
            raise questions.CannotAsk(text, tell("write NAME,NAME; `conquian spec list` names them"))
        if here.at is not None:
            if here != Described(at=here.at):
                raise questions.twice()
            notation = questions.notation_of(cards) if cards else None
            asked = settling.recorded(here.at, names, chosen, notation, complain_note)
            return settling.settle_recorded(asked, names, chosen, event, meld)
        _, said, parts = here.given(names[0], chosen, cards)
        return settling.settle_given(parts, names, said, event, meld)

    answered(form, answer)
