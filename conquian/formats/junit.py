"""JUnit XML, the form of test reports: a suite for each game, a case for each deal.

An invalid deal is a `failure`, an unreadable one an `error`; legal but unfinished deals pass. What is wrong with a whole
game, and a file that a limit left open, is an `error` of a case named `game`. Notes stand in `system-out`.
Guarantees: well-formed XML 1.0 whatever stands in the transcripts; no times, so that the same games give the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple
from xml.sax.saxutils import escape, quoteattr

from conquian.formats.told import Told, remarks

if TYPE_CHECKING:
    from conquian.transcript.sheet import Sheet
    from conquian.verdict import FileVerdict

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
Outcome = Literal["passed", "failure", "error"]


class _Case(NamedTuple):
    name: str
    verdict: str
    told: list[Told]

    @property
    def faults(self) -> list[Told]:
        return [told for told in self.told if told.level != "note"]

    @property
    def outcome(self) -> Outcome:
        if not self.faults:
            return "error" if self.verdict == "unreadable" else "passed"
        return "failure" if self.verdict == "invalid" else "error"


class Junit:
    """Keeps the text of each suite and the counts, which stand before them."""

    def __init__(self) -> None:
        self._suites: list[str] = []
        self._counts: dict[Outcome, int] = {"passed": 0, "failure": 0, "error": 0}

    def game(self, path: str, verdict: FileVerdict, sheet: Sheet | None, sentences: Sequence[str]) -> str:
        told = list(remarks(path, verdict, sheet, sentences))
        numbers = {deal.number for deal in verdict.deals}
        whole = [one for one in told if one.deal not in numbers]
        cases = []
        if not verdict.deals or any(one.level == "error" for one in whole):
            cases.append(_Case("game", verdict.verdict if whole else "unfinished", whole))
            whole = []
        for deal in verdict.deals:
            about = [one for one in told if one.deal == deal.number]
            cases.append(_Case(f"deal {deal.number}", deal.verdict, whole + about))
            whole = []
        self._add(verdict.file, path, verdict.rules, cases)
        return ""

    def undecided(self, path: str, message: str) -> str:
        told = Told("warning", "undecided", path, 1, None, None, message, (), None)
        self._add(path, path, None, [_Case("game", "undecided", [told])])
        return ""

    def end(self, status: int) -> str:
        head = f"<testsuites name={_attribute('conquian')}{_counted(self._counts)}>\n"
        return f'<?xml version="1.0" encoding="UTF-8"?>\n{head}{"".join(self._suites)}</testsuites>\n'

    def _add(self, name: str, path: str, rules: str | None, cases: list[_Case]) -> None:
        counts: dict[Outcome, int] = {"passed": 0, "failure": 0, "error": 0}
        for case in cases:
            counts[case.outcome] += 1
            self._counts[case.outcome] += 1
        lines = [f"  <testsuite name={_attribute(name)}{_counted(counts)}>\n"]
        if rules is not None:
            lines.append(
                f'    <properties>\n      <property name="rules" value={_attribute(rules)}/>\n    </properties>\n'
            )
        lines.extend(_case(case, name, path) for case in cases)
        lines.append("  </testsuite>\n")
        self._suites.append("".join(lines))


def _case(case: _Case, name: str, path: str) -> str:
    line = f" line={_attribute(str(case.told[0].line))}" if case.told else ""
    head = f"    <testcase name={_attribute(case.name)} classname={_attribute(name)} file={_attribute(path)}{line}"
    inside = ""
    if case.outcome != "passed":
        said = case.faults
        message = said[0].message if said else "the deal holds a line that cannot be read"
        code = said[0].code if said else "unreadable"
        text = "\n".join(_placed(one) for one in said)
        inside += (
            f"      <{case.outcome} message={_attribute(message)} type={_attribute(code)}>"
            f"{escape(_clean(text))}</{case.outcome}>\n"
        )
    notes = [
        f"note: {one.headline} ({one.code}; line {one.line})" for one in case.told if one.level == "note"
    ]
    if case.verdict == "unfinished":
        notes.insert(0, "legal so far, not played to its end")
    if notes:
        text = "\n".join(notes)
        inside += f"      <system-out>{escape(_clean(text))}</system-out>\n"
    return f"{head}>\n{inside}    </testcase>\n" if inside else f"{head}/>\n"


def _placed(told: Told) -> str:
    column = "" if told.column is None else f":{told.column}"
    return f"{told.path}:{told.line}{column}: {told.code} {told.words}"


def _counted(counts: dict[Outcome, int]) -> str:
    total = sum(counts.values())
    return f' tests="{total}" failures="{counts["failure"]}" errors="{counts["error"]}" skipped="0"'


def _attribute(text: str) -> str:
    return quoteattr(_clean(text))


def _clean(text: str) -> str:
    """A text without the characters that XML 1.0 cannot hold, not even escaped."""
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)
