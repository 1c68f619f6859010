"""Cases written for a purpose: what chance gives too seldom.

Guarantees: expected answers are the independent referee's, as of every other case.
"""

from __future__ import annotations

from collections.abc import Iterator

from .answers import Line


def special(rules: str) -> Iterator[Line]:
    """The cases written for a rule set."""
    yield from ()
