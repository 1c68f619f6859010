"""Workflow commands of GitHub Actions: each line of output becomes a mark beside the line of the transcript.

An illegal event and an unreadable line is an `::error`, a limit that was hit a `::warning`, a note a `::notice`.
Guarantees: every line begins with one of these three commands; line ends, percent signs, and in properties colons and
commas are escaped as the runner wants them, so that a text cannot begin a command of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from conquian.formats.told import Told, remarks

if TYPE_CHECKING:
    from conquian.transcript.sheet import Sheet
    from conquian.verdict import FileVerdict

COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}


class Github:
    """Writes as it goes; nothing is kept."""

    def game(self, path: str, verdict: FileVerdict, sheet: Sheet | None, sentences: Sequence[str]) -> str:
        return "".join(command(told) for told in remarks(path, verdict, sheet, sentences))

    def undecided(self, path: str, message: str) -> str:
        return command(Told("warning", "undecided", path, 1, None, None, message, (), None))

    def end(self, status: int) -> str:
        return ""


def command(told: Told) -> str:
    """One remark as one line.

    >>> command(Told("note", "bom", "a,b.cqn", 1, None, None, "100% read", (), None))
    '::notice file=a%2Cb.cqn,line=1,title=bom::100%25 read\\n'
    """
    # The last column is counted in by GitHub, and given only together with a first one.
    properties = {
        "file": told.path,
        "line": str(told.line),
        "col": None if told.column is None else str(told.column),
        "endColumn": None if told.end_column is None else str(told.end_column - 1),
        "title": told.code,
    }
    shown = ",".join(f"{name}={_property(value)}" for name, value in properties.items() if value is not None)
    return f"::{COMMANDS[told.level]} {shown}::{_data(told.words)}\n"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
