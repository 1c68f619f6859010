"""What the program says of the examples of the pages, in each language.

`python -m tests.languages.page_messages` runs every example and puts what is said now into the pages.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from conquian.language.codes import RULE_CODES
from conquian.language.pages import codes, meanings
from conquian.language.problems import Problem
from conquian.tongue import LANGUAGES, Language, speaking
from tests.language.examples import problems_of, refuted, told
from tests.language.test_pages import EXAMPLES_ELSEWHERE, WORD, judged, one
from tests.packaging.readme import ROOT

OTHERS: list[Language] = [language for language in LANGUAGES if language != "en"]
SHOWN = [code for code in codes() if code not in EXAMPLES_ELSEWHERE]
"""The codes whose pages have examples."""


@cache
def findings(code: str) -> tuple[Problem, ...]:
    """What is found in the failing rules of a page: found once, told in any language."""
    text = one(code, "rules fail")
    return tuple(refuted(text, code) if code >= "CQ600" else problems_of(text))


def message(code: str, language: Language, folder: Path) -> str:
    """What is said of the failing example of a page."""
    if code in RULE_CODES:
        found, text = list(findings(code)), one(code, "rules fail")
        with speaking(language):
            return told(found, text) + "\n"
    text, wanted = one(code, "transcript fail"), WORD.get(code, code)
    with speaking(language):
        return "\n".join(line for c, line in judged(code, text, folder) if c == wanted) + "\n"


def write(folder: Path) -> None:
    """Puts the messages of today into the pages."""
    for language in OTHERS:
        parts = []
        for code in codes():
            part = re.sub(r"\n```message\n.*?^```\n", "", meanings(language)[code], flags=re.M | re.S)
            shown = f"\n```message\n{message(code, language, folder)}```\n" if code in SHOWN else ""
            parts.append(part + shown)
        path = ROOT / "conquian" / "locale" / language / "pages.md"
        path.write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as made:
        write(Path(made))
