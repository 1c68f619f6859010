"""`explain`: the page of a code."""

from __future__ import annotations

from typing import Annotated

import typer

from conquian.commands.options import complete_codes
from conquian.commands.writing import fail
from conquian.tongue import tell


def explain(
    code: Annotated[str, typer.Argument(help="a code, as CQ305 or new-meld", autocompletion=complete_codes)],
) -> None:
    """The page of a code: what it means, with examples.

    Example: conquian explain CQ305
    """
    from conquian.language.pages import codes, page

    text = page(code)
    if text is None:
        from conquian.findings import did_you_mean

        fail(
            tell("there is no code `{code}`", code=code),
            did_you_mean(code, codes()) or tell("`conquian spec check` names codes"),
        )
    print(text.rstrip())
