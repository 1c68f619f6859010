"""Texts that people wrote, as they may be shown.

Guarantees: nothing in what comes out moves the cursor, colours what stands behind it, turns the direction of a line or
begins a new one. A name may hold any character; one that cannot be printed is written out, as `\\x1b`.
"""

from __future__ import annotations

import re
from unicodedata import category

_PAINT = re.compile(r"(\033\[\d*m)")


def visible(text: str) -> str:
    """A text on one line in which every character can be seen; spaces of any width stay."""
    if text.isprintable():
        return text
    return "".join(
        c if c.isprintable() or category(c) == "Zs" else c.encode("unicode_escape").decode() for c in text
    )


def visible_line(line: str, colour: bool = False) -> str:
    """A line of an answer: its tabs stay, and with `colour` the paint that it was given."""
    if line.isprintable():
        return line
    parts = _PAINT.split(line) if colour else [line]
    return "".join(
        part if colour and _PAINT.fullmatch(part) else "\t".join(map(visible, part.split("\t")))
        for part in parts
    )
