"""Comparisons of rule sets, each made once for all tests that look at it."""

from __future__ import annotations

from functools import cache

from conquian.differing import Differences, Named, differences, named


@cache
def compared(a: str, b: str, budget: int | None = None) -> Differences:
    return differences(named(a), named(b), budget)


def by_words(a: Named, b: Named, budget: int | None = None) -> Differences:
    """In place of `differences`: what was compared before is not compared again."""
    return compared(a.word, b.word, budget)
