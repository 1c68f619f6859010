"""`recheck`: an answer decided again from its certificate."""

from __future__ import annotations

from typing import Annotated

import typer

from conquian.commands.given import form_among
from conquian.commands.options import Format
from conquian.commands.writing import answered
from conquian.tongue import ENGLISH, speaking


def recheck(
    file: Annotated[
        str, typer.Argument(metavar="CERTIFICATE", help="what --certificate wrote; `-` for standard input")
    ],
    form: Format = "text",
) -> None:
    """Decide an answer again from its certificate, without the solver.

    Example: conquian force --rules swedish --up Kh --table "6h 7h Jh Qh" --hand "Ah Ad" --certificate kh.json

    Example: conquian recheck kh.json
    """
    from conquian.rechecking import recheck

    form_among(form, "text", "json")
    with speaking(ENGLISH):  # a certificate is in English whoever wrote it, and so is what is said of it
        answered(form, lambda: recheck(file))
