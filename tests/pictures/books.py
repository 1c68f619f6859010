"""Books that several tests look at, made once."""

from __future__ import annotations

from functools import cache

from conquian.book.contents import Book, book
from conquian.differing import named


@cache
def two_readings() -> Book:
    """One set under two readings: all examples of the first, and those of the second that differ."""
    return book((named("swedish"), named("swedish?new-meld=any")))
