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
from conquian.tongue import Listed, Saying, later

_QUOTED = re.compile(r"`([^`]*)`")
LONGEST_WORD = 50
"""Characters of a word of a file that a message shows."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding; `warning` does not keep a rule set from loading.

    Its words are told when they are read, in the language then spoken: a finding holds no language.
    """

    code: str
    said: Saying
    span: Span
    tip: Saying | None = None
    beside: tuple[tuple[Span, Saying | str], ...] = ()
    severity: Literal["error", "warning"] = "error"

    @property
    def message(self) -> str:
        return _QUOTED.sub(_shortened, str(self.said))

    @property
    def hint(self) -> str | None:
        return None if self.tip is None else str(self.tip)

    @property
    def others(self) -> tuple[tuple[Span, str], ...]:
        """Other places, and what each is."""
        return tuple((span, str(what)) for span, what in self.beside)


def _shortened(quoted: re.Match[str]) -> str:
    word = quoted[1]
    return f"`{word}`" if len(word) <= LONGEST_WORD else f"`{word[:LONGEST_WORD]}…`"


@dataclass(slots=True)
class Problems:
    """Collects all findings of a file, so that one run tells them all."""

    found: list[Problem] = field(default_factory=list)

    def add(
        self,
        code: str,
        message: Saying,
        span: Span,
        hint: Saying | None = None,
        others: tuple[tuple[Span, Saying | str], ...] = (),
        warning: bool = False,
    ) -> None:
        if hint is None and code in GENERAL_HINTS:
            hint = Saying(GENERAL_HINTS[code])
        self.found.append(Problem(code, message, span, hint, others, "warning" if warning else "error"))

    @property
    def errors(self) -> list[Problem]:
        return [p for p in self.found if p.severity == "error"]


class RulesError(Exception):
    """A rule file that cannot be used; carries every problem found in it."""

    def __init__(self, name: str, problems: Sequence[Problem]) -> None:
        self.name = name
        self.problems = tuple(problems)
        super().__init__(name, self.problems)

    def __str__(self) -> str:
        lines = [f"{p.span.path}:{p.span.line}:{p.span.column}: {p.code} {p.message}" for p in self.problems]
        return "\n".join(lines) or self.name


def nearest(word: str, known: Sequence[str]) -> str | None:
    """The known word most like `word`, for hints."""
    from difflib import get_close_matches

    # Comparing is quadratic: nobody misspells a word of a thousand letters.
    found = get_close_matches(word[:64], known, n=1, cutoff=0.5)
    return found[0] if found else None


def did_you_mean(word: str, known: Sequence[str]) -> Saying | None:
    """A hint that names the nearest known word, or lists them when there are few."""
    close = nearest(word, known)
    if close is not None:
        return later("did you mean `{close}`?", close=close)
    return later("known here: {known}", known=Listed(tuple(sorted(known)))) if 0 < len(known) <= 12 else None
