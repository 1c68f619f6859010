"""`diff`: where two rule sets differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from conquian.commands.given import form_among
from conquian.commands.options import Cards, CertificateFile, Format, complete_compared
from conquian.commands.writing import answered, progress
from conquian.tongue import ENGLISH, speaking, spoken

if TYPE_CHECKING:
    from conquian.questions import Answer


def diff(
    a: Annotated[
        str,
        typer.Argument(
            metavar="A", help="NAME?READING=CHOICE&…; NAME can be a path", autocompletion=complete_compared
        ),
    ],
    b: Annotated[
        str,
        typer.Argument(metavar="B", help="the other, in the same form", autocompletion=complete_compared),
    ],
    exit_code: Annotated[bool, typer.Option("--exit-code", help="exit 1 if the two differ")] = False,
    budget: Annotated[
        int | None, typer.Option("--budget", help="what the solver may spend on a question; exit 3 beyond")
    ] = None,
    certificate: CertificateFile = None,
    cards: Cards = None,
    form: Format = "text",
) -> None:
    """Where two rule sets, or one set under two readings, differ: the smallest position for each clause.

    What no position of play can show (dealing, stakes, seats) is told by what each side says; in JSON its `allows` is
    null, and `none-up-to` means up to the whole pack. `smallest` false: a smaller position was not ruled out.

    Example: conquian diff swedish "swedish?new-meld=any"
    """
    from conquian import differing, questions
    from conquian.progress import counting

    form_among(form, "text", "json")

    def ask() -> Answer:
        notation = questions.notation_of(cards or "french")
        # A certificate is in English, and so is the comparison that it is of: nothing is compared twice.
        bar = counting(progress("steps", True, [], 0))
        with speaking(spoken() if certificate is None else ENGLISH), bar:
            found, answer = differing.diff(a, b, budget, exit_code, notation)
        if certificate is not None:
            from conquian.certificate import save
            from conquian.certifying_everywhere import diff_certificate

            save(diff_certificate(found, budget, answer), certificate)
        return answer

    answered(form, ask)
