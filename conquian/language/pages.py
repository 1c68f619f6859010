"""The pages of the codes: what each means, with an example that gives it and one that does not.

Guarantees: every code of rule files, violations, transcripts and notes has a page. A test runs every example.
"""

from __future__ import annotations

from conquian.language.codes import EVENT_CODES, RULE_CODES, SETUP_CODES, TABLE_CODES
from conquian.resources import path as resource

NOTE_CODES = (
    "demand-not-made",
    "goal-out-of-reach",
    "past-goal",
    "arranged-away",
    "stuck",
    "after-session",
    "taken-back",
    "conceded",
    "agreed",
    "broken-off",
    "unknown-key",
    "bom",
    "rules-overridden",
)
"""Codes of notes on deals and files: those of the contract, and of what is said at the table."""
SCORE_CODES = ("not-counted", "as-played", "cut")
"""Codes of notes that only a ledger has."""
FILE_CODES = ("cannot-open", "no-rules", "unknown-rules", "unknown-reading")
"""Codes of errors of a file that are found beside reading it."""


def codes() -> list[str]:
    """Every code that has a page, sorted; `house` stands for all codes that rule sets add."""
    from conquian.transcript.codes import ERRORS, NOTES

    groups = (
        RULE_CODES,
        SETUP_CODES,
        EVENT_CODES,
        TABLE_CODES,
        ("wrong-result", "house"),
        NOTE_CODES,
        SCORE_CODES,
        FILE_CODES,
        ERRORS,
        NOTES,
    )
    return sorted({code for group in groups for code in group})


def page(code: str) -> str | None:
    """The page of a code as Markdown, None if there is no such code. Letter case does not count.

    >>> print(page("cq405").splitlines()[0])
    # CQ405: numbers that do not fit together
    """
    name = code.strip().lower()
    if name.startswith("house."):
        name = "house"
    for known in codes():
        if known.lower() == name:
            return resource("pages", f"{known}.md").read_text(encoding="utf-8")
    return None
