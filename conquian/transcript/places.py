"""Where the parts of a transcript stand in its source, for messages; never needed to judge a game.

Guarantees: every part of a game has a place: its own if the source writes it, else that of the nearest thing
around it. Lines and columns count from 1 and count characters; a line ends with LF, CRLF or CR.

A path leads to a part as in the JSON form: `("deals", 0, "events", 17, 2, 0, 1)` is the second card of the
first meld of event 17 of the first deal; `("deals", 0, "hands", "Ana", 3)`, `("players", 1)`, `("tags",
"date")`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping
from functools import cached_property

from msgspec import Struct

Path = tuple[str | int, ...]


class Span(Struct, frozen=True):
    """A stretch of one line: columns `column` up to but not including `end_column`, both from 1."""

    line: int
    column: int
    end_column: int


class Where:
    """The place of each part of a game. `find` gives a path's own place or None."""

    def __init__(self, find: Callable[[Path], Span | None], first_line: int = 1) -> None:
        self._find = find
        self._start = Span(first_line, 1, 2)

    def at(self, path: Path) -> Span:
        """The place of a path, or of the nearest thing around it."""
        for length in range(len(path), 0, -1):
            found = self._find(path[:length])
            if found is not None:
                return found
        return self._start

    def event(self, deal: int, event: int) -> Span:
        """The place of an event; behind the last one, that of the deal."""
        return self.at(("deals", deal, "events", event))

    def part(self, deal: int, event: int, *path: int) -> Span:
        """The place of a part of an event: `(0,)` the player, `(1,)` the verb, `(2, 0, 1)` a card of a
        meld."""
        return self.at(("deals", deal, "events", event, *path))

    def setup(self, deal: int, key: str, *path: str | int) -> Span:
        """The place of a line before play: `setup(0, "hands", "Ana", 3)` is the fourth card of Ana's hand."""
        return self.at(("deals", deal, key, *path))

    def deal(self, deal: int) -> Span:
        """The place where a deal begins."""
        return self.at(("deals", deal))

    def claim(self, deal: int) -> Span:
        """The place of the recorder's claim of a deal's result."""
        return self.at(("deals", deal, "claim"))

    def header(self, key: str, *path: str | int) -> Span:
        """The place of a header key's value: `header("rules")`, `header("players", 1)`."""
        found = self._find((key, *path)) or self._find((key,)) or self._find(("tags", key))
        return found or self._start


class Lines:
    """The lines of a text: where each begins, so that an offset has a line and column."""

    def __init__(self, text: str, first_line: int = 1) -> None:
        self.text = text
        self.first_line = first_line

    @cached_property
    def _starts(self) -> list[int]:
        import re

        return [0, *(end.end() for end in re.finditer(r"\r\n?|\n", self.text))]

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of a character, counted from `first_line` and 1."""
        line = bisect_right(self._starts, offset) - 1
        return line + self.first_line, offset - self._starts[line] + 1

    def span(self, start: int, end: int) -> Span:
        """The place of a stretch; of one that goes over several lines, the part on its first line."""
        line, column = self.place(start)
        index = line - self.first_line + 1
        stop = self._starts[index] if index < len(self._starts) else len(self.text) + 1
        return Span(line, column, max(column + 1, column + min(end, stop - 1) - start))


def split_lines(text: str) -> list[str]:
    """The lines of a text without their ends: LF, CRLF or CR, mixed as they may be."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def nowhere(first_line: int = 1) -> Where:
    """Places for a source of which nothing is known."""
    return Where(lambda path: None, first_line)


def from_table(table: Mapping[Path, Span], first_line: int = 1) -> Where:
    """Places that are all known beforehand."""
    return Where(table.get, first_line)


def from_json(text: str, first_line: int = 1) -> Where:
    """The places in a JSON text. The text is looked through only when a place is asked for."""
    scanned: list[Mapping[Path, tuple[int, int]]] = []
    lines = Lines(text, first_line)

    def find(path: Path) -> Span | None:
        if not scanned:
            from conquian.transcript.jsonscan import scan

            scanned.append(scan(text).spots)
        spot = scanned[0].get(path)
        return None if spot is None else lines.span(*spot)

    return Where(find, first_line)
