"""How far a long run is, on the terminal of the person who waits.

Guarantees: nothing is written unless standard error is a terminal and standard output is none and no pipe: there the
lines themselves show how far it is, or another program reads them. A form that is written at the end (`late`) may go
to the terminal. Nothing is written in the first half second, nothing is left behind, and there is no colour; the line
is drawn with carriage returns alone, so that `NO_COLOR` has nothing to switch off.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import monotonic
from typing import TextIO, TypeVar

from conquian.tongue import mark, tell

Thing = TypeVar("Thing")

AFTER, EVERY = 0.5, 0.1
"""Seconds before the line is drawn for the first time, and between two times."""
BAR = 20
WHAT = {"games": mark("games")}
"""What is counted."""


def wanted(late: bool, err: TextIO | None = None, out: TextIO | None = None) -> bool:
    """Whether somebody is waiting who can see it; `late`: standard output is written at the end only."""
    there: TextIO | None = err or sys.stderr
    written: TextIO | None = out or sys.stdout
    if there is None or written is None:  # a program without a console
        return False
    try:
        if not there.isatty() or os.environ.get("TERM") == "dumb":
            return False
        if written.isatty():
            return late
        return not stat.S_ISFIFO(os.fstat(written.fileno()).st_mode)
    except (OSError, ValueError):  # no file, or a closed one
        return False


class Progress:
    """A line on standard error; `total` is how many steps there will be, None if that is not known."""

    def __init__(self, what: str, total: int | None, err: TextIO | None = None) -> None:
        self.what, self.total, self.err = what, total, err or sys.stderr
        self.done = 0
        self._began = monotonic()
        self._next = self._began + AFTER
        self._drawn = 0

    def along(self, things: Iterable[Thing]) -> Iterator[Thing]:
        """Things one after the other, a step for each; an exception finds the line taken away."""
        try:
            for thing in things:
                yield thing
                self.step()
        except BaseException:
            self.clear()
            raise

    def step(self) -> None:
        """One more is done."""
        self.done += 1
        self.beat()

    def beat(self) -> None:
        """Draws the line anew if it is time, with nothing more done."""
        now = monotonic()
        if now >= self._next:
            self._next = now + EVERY
            self._draw(line(self.what, self.done, self.total, now - self._began))

    def clear(self) -> None:
        """Takes the line away, so that something else can be written."""
        if self._drawn:
            self.err.write("\r" + " " * self._drawn + "\r")
            self.err.flush()
            self._drawn = 0

    def _draw(self, text: str) -> None:
        text = text[: max(1, _columns(self.err) - 1)]
        self.err.write("\r" + text.ljust(self._drawn))
        self.err.flush()
        self._drawn = len(text)


_COUNTING: ContextVar[Progress | None] = ContextVar("counting", default=None)


@contextmanager
def counting(bar: Progress | None) -> Iterator[None]:
    """What is ticked inside moves this line, which is taken away at the end; None: nobody watches."""
    token = _COUNTING.set(bar)
    try:
        yield
    finally:
        _COUNTING.reset(token)
        if bar is not None:
            bar.clear()


def tick(what: str) -> None:
    """One more of something is done: a step of the line that counts it; another one is drawn anew."""
    bar = _COUNTING.get()
    if bar is not None:
        if bar.what == what:
            bar.step()
        else:
            bar.beat()


def expect(what: str, number: int) -> None:
    """So many more of something are to come."""
    bar = _COUNTING.get()
    if bar is not None and bar.what == what:
        bar.total = (bar.total or 0) + number


def line(what: str, done: int, total: int | None, seconds: float) -> str:
    """What the line says after so many seconds.

    >>> line("games", 2500, 10000, 5.0)
    ' 25% [#####               ] 2,500 of 10,000 games, 500 a second, 15 s left'
    >>> line("games", 2500, None, 5.0)
    '2,500 games, 500 a second'
    """
    pace = done / seconds if seconds > 0 else 0.0
    number, many = f"{pace:,.0f}" if pace >= 10 else f"{pace:.1f}", f"{done:,}"
    shown, things = tell("{pace} a second", pace=number), tell(WHAT.get(what, what))
    if not total:
        return f"{many} {things}, {shown}"
    part, every = min(1.0, done / total), f"{total:,}"
    bar = "#" * int(part * BAR)
    said = tell("{done} of {total} {what}", done=many, total=every, what=things)
    if pace > 0:
        rest = f"{max(0, total - done) / pace:.0f}"
        left = tell("{seconds} s left", seconds=rest)
        shown = f"{shown}, {left}"
    return f"{int(part * 100):3d}% [{bar:<{BAR}}] {said}, {shown}"


def games_in(paths: list[str]) -> int | None:
    """About how many games some files hold: the lines of a stream, one for any other file; None if that is unknown."""
    total = 0
    for path in paths:
        if path == "-":
            return None
        if not path.lower().endswith(".jsonl"):
            total += 1
            continue
        try:
            if not stat.S_ISREG(os.stat(path).st_mode):
                return None
            with open(path, "rb") as file:
                while chunk := file.read(1 << 20):
                    total += chunk.count(b"\n")
        except OSError:
            total += 1
    return total


def _columns(err: TextIO) -> int:
    try:
        return os.get_terminal_size(err.fileno()).columns or 80
    except (OSError, ValueError):
        return 80
