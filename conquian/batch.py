"""Many games: files one after the other, `.jsonl` line by line in constant memory.

Each game is judged the fast way first; only a game with something to be said is read again with its places.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING, BinaryIO

from conquian.engine.engine import Engine, UnknownReading, engine
from conquian.engine.sets import is_rule_set
from conquian.frames import Frame, cut, framed
from conquian.notes import deal_notes
from conquian.quick import Judged as QuickJudged
from conquian.quick import quick
from conquian.transcript.jsonform import quick_game
from conquian.verdict import DealNote, DealVerdict, FileVerdict, Verdict, worst

if TYPE_CHECKING:
    from conquian.cards import Notation
    from conquian.transcript.model import Head
    from conquian.transcript.sheet import Sheet

Judged = tuple[FileVerdict, "Sheet | None", tuple[str, ...]]
"""A verdict; the sheet, where it was read with its places; by deal the words of the deciding clause."""

FRAMES_LIMIT = 256
"""How many different frames of games are remembered."""


class Batch:
    """The settings of one run: rules and readings of the command line, whether to ask other readings, and the
    solver's budget for why what is illegal is so (None: not asked)."""

    def __init__(
        self,
        rules: str | None,
        readings: Mapping[str, str],
        differs: bool,
        why: int | None = None,
        closely: bool = False,
        as_played: bool = False,
        cards: Notation | None = None,
    ) -> None:
        self.rules, self.readings, self.differs, self.why = rules, dict(readings), differs, why
        self.as_played = as_played
        self.cards: Notation | None = cards
        """How the words of a verdict write cards; None: as the transcript does."""
        self.closely = differs or closely or why is not None
        """Every game is read with its places."""
        self._frames: dict[bytes, Frame] = {}
        self._plain: dict[str, Engine] = {}
        self._engines: dict[tuple[str, tuple[tuple[str, str], ...]], Engine] = {}

    def lines(self, file: Iterable[bytes], name: str) -> Iterator[Judged]:
        """The verdicts of a stream of games, one a line, in order; blank lines are passed over."""
        from conquian.transcript.jsonform import read_json

        found = False
        for number, line in enumerate(file, 1):
            judged = self.quickly(line, f"{name}:{number}", number)
            if judged is not None:
                found = True
                yield judged
                continue
            if not line.strip():
                continue
            found = True
            sheet = read_json(line.rstrip(b"\r\n"), f"{name}:{number}", name, number)
            yield self.judge(sheet)
        if not found:
            from conquian.transcript.read import read_lines

            for sheet in read_lines(iter(()), name):
                yield self.judge(sheet)

    def quickly(self, line: bytes, name: str, number: int) -> Judged | None:
        """The verdict on a game with nothing to be said about it; None if it needs a closer look."""
        if self.closely:
            return None
        parts = cut(line)
        frame = self._frames.get(parts[0]) if parts is not None else None
        if frame is not None and parts is not None:
            how = frame.judged(parts)
            if how is not None:
                deal = _plain(frame.players, frame.engine, frame.number, how, number)
                return _verdict(name, frame.engine, how.kind, (deal,)), None, ()
        game = quick_game(line)
        engine_ = None if game is None else self.engine(game)
        if game is None or engine_ is None:
            return None
        judged = quick(engine_, game)
        if not judged:
            return None
        if parts is not None and frame is None:
            self._remember(framed(engine_, game, line, parts), parts[0])
        deals = tuple(
            _plain(game.players, engine_, deal.number, how, number)
            for deal, how in zip(game.deals, judged, strict=True)
        )
        return _verdict(name, engine_, worst([how.kind for how in judged]), deals), None, ()

    def _remember(self, frame: Frame | None, text: bytes) -> None:
        if frame is not None:
            if len(self._frames) >= FRAMES_LIMIT:
                self._frames.clear()
            self._frames[text] = frame

    def engine(self, game: Head) -> Engine | None:
        """The engine for a game, None if its header needs a closer look."""
        if not game.readings and game.rules is not None:
            plain = self._plain.get(game.rules)
            if plain is not None:
                return plain
        found = self._engine(game)
        if found is not None and not game.readings and game.rules is not None:
            self._plain[game.rules] = found
        return found

    def _engine(self, game: Head) -> Engine | None:
        name = self.rules or game.rules
        header = game.readings or {}
        if self.rules is not None and game.rules not in (None, self.rules):
            return None
        if any(header.get(reading, choice) != choice for reading, choice in self.readings.items()):
            return None
        if name is None or (self.rules is None and not is_rule_set(name)):
            return None
        key = (name, tuple(sorted(header.items())) if header else ())
        found = self._engines.get(key)
        if found is None:
            try:
                found = engine(name, {**header, **self.readings})
            except UnknownReading:
                return None
            if len(self._engines) > 500:
                self._engines.clear()
            self._engines[key] = found
        return found

    def judge(self, sheet: Sheet) -> Judged:
        """The verdict on a sheet, the slow way."""
        from conquian.judgement import file_verdict

        if self.cards is not None:
            sheet = sheet.shown_in(self.cards)
        verdict, sentences = file_verdict(
            sheet, self.rules, self.readings, self.differs, self.why, self.as_played
        )
        return verdict, sheet, sentences

    def file(self, path: str) -> Iterator[Judged]:
        """The verdicts on the games of one file, `-` for standard input. OSError if it cannot be opened."""
        from conquian.transcript.read import read

        if path == "-":
            yield from self._recognised(sys.stdin.buffer, "-")
        elif path.lower().endswith(".jsonl"):
            with open(path, "rb") as file:
                yield from self.lines(file, shown(path))
        else:
            with open(path, "rb") as file:
                data = file.read()
            for sheet in read(data, shown(path)):
                yield self.judge(sheet)

    def _recognised(self, file: BinaryIO, name: str) -> Iterator[Judged]:
        """The same for a file of unknown form; games one a line are not held in memory."""
        from conquian.transcript.read import read, recognise

        head = file.readline()
        head += file.readline()
        if head.count(b"\n") == 2 and recognise(head) == "jsonl":
            yield from self.lines(chain(head.splitlines(keepends=True), file), name)
            return
        data = head + file.read()
        if recognise(data) == "jsonl":
            yield from self.lines(data.splitlines(keepends=True), name)
            return
        for sheet in read(data, name):
            yield self.judge(sheet)


def shown(path: str) -> str:
    """A file's name as it can be printed: bytes that are not UTF-8 are replaced."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _verdict(name: str, engine: Engine, kind: Verdict, deals: tuple[DealVerdict, ...]) -> FileVerdict:
    return FileVerdict(
        file=name, rules=engine.program.name, verdict=kind, deals=deals, readings=engine.changed
    )


def _plain(players: tuple[str, ...], engine: Engine, number: int, how: QuickJudged, line: int) -> DealVerdict:
    """The verdict on a deal without violation that stands on one line of a stream."""
    result: dict[str, object] | None = None
    if how.winner is not None:
        result = {"winner": players[how.winner]}
    elif how.drawn:
        result = {"drawn": True}
    notes: tuple[DealNote, ...] = ()
    played, unfinished = how.played, how.kind == "unfinished"
    if played.due or played.past or played.away or unfinished:
        notes = tuple(deal_notes(lambda event: line, engine, players, played, (how.state,), unfinished))
    return DealVerdict(number=number, verdict=how.kind, result=result, notes=notes)
