"""`legal`: is this meld legal, and if not why; or all legal melds of a position."""

from __future__ import annotations

from typing import Annotated

import typer

from conquian.commands.described import Described, described
from conquian.commands.given import form_among, steps_of
from conquian.commands.options import Cards, CertificateFile, Format, Limit, Readings, RulesOption
from conquian.commands.writing import answered, certify


@described()
def legal(
    rules: RulesOption = None,
    reading: Readings = None,
    *,
    here: Described,
    meld: Annotated[str | None, typer.Option(help="is this meld legal: `M, M`")] = None,
    count: Annotated[bool, typer.Option("--count", help="only count the legal melds")] = False,
    limit: Annotated[int | None, typer.Option(help="list at most so many")] = None,
    event: Annotated[
        str | None, typer.Option("--event", help="is this event legal, as a transcript tells it")
    ] = None,
    why: Annotated[
        bool, typer.Option("--why", help="the smallest set of clauses that forbids it; with --at, that event")
    ] = False,
    budget: Limit = None,
    certificate: CertificateFile = None,
    cards: Cards = None,
    form: Format = "text",
) -> None:
    """Is this meld legal, and if not why; or all legal melds of a position.

    With --why the JSON gets `core` (passages of the fewest clauses that forbid it together), `clauses` (the same in
    words), `facts` (places of cards that stand against it), `needs` (the cards that the set needs), `but_for`
    (without any one of these it would be legal) and `checked`; or `core` null and `undecided`, and exit status 3.

    Example: conquian legal --rules swedish --up 7h --table "5s 6s 7s" --hand "4s 7d" --meld "7s 7h 7d, 4s 5s 6s"
    """
    from conquian import asked

    form_among(form, "text", "json")

    def ask() -> asked.Answer:
        question = here.question(rules, reading, cards)
        steps = steps_of(budget)

        def told() -> asked.Answer:
            return asked.legal(question, meld, count, limit, why, rules or "", event=event, budget=steps)

        found = told()
        if certificate is not None:
            from conquian.certifying import legal_certificate

            certify(
                certificate,
                found,
                told,
                lambda said: legal_certificate(
                    question, rules, (meld, event), count, limit, why, steps, said
                ),
            )
        return found

    answered(form, ask)
