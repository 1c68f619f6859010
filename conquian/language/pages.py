"""The pages of the codes: what each means, with an example that gives it and one that does not.

Guarantees: every code of rule files, violations, transcripts and notes has a page, in every language. A test runs
every example. What a page means to say stands translated in `locale/LANGUAGE/pages.md`, with what the program says of
its example; the examples themselves are those of the English page.
"""

from __future__ import annotations

import re
from functools import cache

from conquian.language.codes import EVENT_CODES, RULE_CODES, SETUP_CODES, TABLE_CODES
from conquian.resources import path as resource
from conquian.tongue import ENGLISH, Language, mark, spoken, tell

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
    """The page of a code as Markdown in the language spoken, None if there is no such code. Letter case does not count.

    >>> print(page("cq405").splitlines()[0])
    # CQ405: numbers that do not fit together
    """
    name = code.strip().lower()
    if name.startswith("house."):
        name = "house"
    for known in codes():
        if known.lower() == name:
            text = resource("pages", f"{known}.md").read_text(encoding="utf-8")
            return text if spoken() == ENGLISH else _translated(text, known)
    return None


LEADS = (mark("This gives it:"), mark("This does not:"), mark("These rules:"))
"""The lines above the examples."""
_LEAD = re.compile(rf"^(?:{'|'.join(map(re.escape, LEADS))})$", re.MULTILINE)
_MESSAGE = re.compile(r"^```message\n.*?^```\n", re.MULTILINE | re.DOTALL)


def _translated(text: str, code: str) -> str:
    """The page with its title, its words, the lines above the examples and the message in the language spoken."""
    meaning = meanings(spoken()).get(code)
    if meaning is None:
        return text
    lead, said = _LEAD.search(text), _MESSAGE.search(meaning)
    if lead is None:
        return meaning
    examples = _LEAD.sub(lambda found: tell(found.group()), text[lead.start() :])
    if said is None:
        return f"{meaning}\n{examples}"
    return meaning[: said.start()] + _MESSAGE.sub(lambda _: said.group(), examples)


@cache
def meanings(language: Language) -> dict[str, str]:
    """By code, the title, the words and the message of its page in a language other than English."""
    text = resource("locale", language, "pages.md").read_text(encoding="utf-8")
    parts = re.split(r"^(?=# )", text, flags=re.MULTILINE)
    return {part[2 : part.index(":")]: part.rstrip() + "\n" for part in parts if part.startswith("# ")}
