"""The forms of `validate` that other programs read: GitHub's workflow commands, SARIF 2.1.0, JUnit XML.

Guarantees: every violation, every unreadable place, every note and every file that could not be judged is in the
output once, with its line and, where there is one, its column; the same verdicts give the same bytes; nothing that
stands in a transcript or a file name can break the form.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from conquian.transcript.sheet import Sheet
    from conquian.verdict import FileVerdict

FORMS = ("github", "sarif", "junit")


class Writer(Protocol):
    """Takes verdicts one after the other and gives the text that can be written by then."""

    def game(self, path: str, verdict: FileVerdict, sheet: Sheet | None, sentences: Sequence[str]) -> str:
        """One game of the file `path`; `sentences` are by deal the words of the deciding clause."""
        ...

    def undecided(self, path: str, message: str) -> str:
        """A file of which the rest was not judged, because a limit was hit."""
        ...

    def end(self, status: int) -> str:
        """What is left to write; `status` is the exit status of the run."""
        ...


def writer(form: str) -> Writer:
    """The writer of a form; KeyError for one that is none of `FORMS`."""
    if form == "github":
        from conquian.formats.github import Github

        return Github()
    if form == "sarif":
        from conquian.formats.sarif import Sarif

        return Sarif()
    if form == "junit":
        from conquian.formats.junit import Junit

        return Junit()
    raise KeyError(form)
