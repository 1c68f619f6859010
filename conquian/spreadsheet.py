"""Texts in the cells of a CSV file that a spreadsheet may open: none of them becomes a formula.

Guarantees: a spreadsheet takes a cell that begins with one of `FORMULA` for a formula, also where it splits a cell at a
semicolon, a tab or the end of a line; with `guarded` no cell does, for an apostrophe stands before it (the advice of
OWASP on CSV injection). Nothing is lost: an apostrophe that stands there already gets another one, so that `unguarded`
gives back exactly the text.
"""

from __future__ import annotations

import re

FORMULA = "=+-@\t\r\n＝＋－＠"  # noqa: RUF001 - the wide signs are formulas, too
_PLACE = r"(?:\A|(?<=[;\t\r\n]))"
_GUARD = re.compile(rf"{_PLACE}(?='*[{re.escape(FORMULA)}])")
_GUARDED = re.compile(rf"{_PLACE}'(?='*[{re.escape(FORMULA)}])")


def guarded(text: str) -> str:
    """The text as it can stand in a cell.

    >>> [guarded(name) for name in ("Ana", "=1+1", "'=1", "O'Hara", "Ana;=1")]
    ['Ana', "'=1+1", "''=1", "O'Hara", "Ana;'=1"]
    """
    return _GUARD.sub("'", text)


def unguarded(cell: str) -> str:
    """The text of a cell that `guarded` has made.

    >>> [unguarded(cell) for cell in ("Ana", "'=1+1", "''=1", "O'Hara", "Ana;'=1")]
    ['Ana', '=1+1', "'=1", "O'Hara", 'Ana;=1']
    """
    return _GUARDED.sub("", cell)
