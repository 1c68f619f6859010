"""Findings about rule files, as data: a stable code, a place, other places, a hint.

Codes: CQ1xx syntax, CQ2xx names and sources, CQ3xx types, CQ4xx totality, CQ5xx overrides, CQ6xx proofs.
`conquian explain CODE` has a page for each.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from conquian.language.codes import GENERAL_HINTS
from conquian.language.tree import Span

_LONG = re.compile(r"`([^`]{50})[^`]+`")


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding; `warning` does not keep a rule set from loading."""

    code: str
    message: str
    span: Span
    hint: str | None = None
    others: tuple[tuple[Span, str], ...] = ()
    severity: Literal["error", "warning"] = "error"


@dataclass(slots=True)
class Problems:
    """Collects all findings of a file, so that one run tells them all."""

    found: list[Problem] = field(default_factory=list)

    def add(
        self,
        code: str,
        message: str,
        span: Span,
        hint: str | None = None,
        others: tuple[tuple[Span, str], ...] = (),
        warning: bool = False,
    ) -> None:
        hint = hint or GENERAL_HINTS.get(code)
        message = _LONG.sub(r"`\1…`", message)
        self.found.append(Problem(code, message, span, hint, others, "warning" if warning else "error"))

    @property
    def errors(self) -> list[Problem]:
        return [p for p in self.found if p.severity == "error"]


class RulesError(Exception):
    """A rule file that cannot be used; carries every problem found in it."""

    def __init__(self, name: str, problems: Sequence[Problem]) -> None:
        self.name = name
        self.problems = tuple(problems)
        lines = [f"{p.span.path}:{p.span.line}:{p.span.column}: {p.code} {p.message}" for p in self.problems]
        super().__init__("\n".join(lines) or name)


def nearest(word: str, known: Sequence[str]) -> str | None:
    """The known word most like `word`, for hints."""
    from difflib import get_close_matches

    # Comparing is quadratic: nobody misspells a word of a thousand letters.
    found = get_close_matches(word[:64], known, n=1, cutoff=0.5)
    return found[0] if found else None


def did_you_mean(word: str, known: Sequence[str]) -> str | None:
    """A hint that names the nearest known word, or lists them when there are few."""
    close = nearest(word, known)
    if close is not None:
        return f"did you mean `{close}`?"
    return f"known here: {', '.join(sorted(known))}" if 0 < len(known) <= 12 else None
