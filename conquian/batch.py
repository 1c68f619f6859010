"""Many games: files one after the other, `.jsonl` line by line in constant memory.

Each game is judged the fast way first; only a game with something to be said is read again with its places.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, BinaryIO

from conquian.engine.engine import Engine, UnknownReading, engine
from conquian.engine.sets import is_rule_set
from conquian.referee import Outcome, quick
from conquian.transcript.jsonform import quick_game
from conquian.verdict import DealNote, DealVerdict, FileVerdict, worst

if TYPE_CHECKING:
    from conquian.transcript.model import Head, Record
    from conquian.transcript.sheet import Sheet

Judged = tuple[FileVerdict, "Sheet | None", tuple[str, ...]]
"""A verdict; the sheet, where it was read with its places; by deal the words of the deciding clause."""


class Batch:
    """The settings of one run: rules and readings of the command line, and whether to ask other readings."""

    def __init__(self, rules: str | None, readings: Mapping[str, str], differs: bool) -> None:
        self.rules, self.readings, self.differs = rules, dict(readings), differs
        self._plain: dict[str, Engine] = {}
        self._engines: dict[tuple[str, tuple[tuple[str, str], ...]], Engine] = {}

    def lines(self, file: BinaryIO, name: str) -> Iterator[Judged]:
        """The verdicts of a stream of games, one a line, in order; blank lines are passed over."""
        from conquian.transcript.jsonform import read_json

        found = False
        for number, line in enumerate(iter(file.readline, b""), 1):
            if number == 1 and line.startswith(b"\xef\xbb\xbf"):
                judged: Judged | None = None
            elif line in (b"\n", b"\r\n") or not line.strip():
                continue
            else:
                judged = self.quickly(line, f"{name}:{number}", number)
            found = True
            if judged is not None:
                yield judged
                continue
            sheet = read_json(line.rstrip(b"\r\n"), f"{name}:{number}", name, number)
            yield self.judge(sheet)
        if not found:
            from conquian.transcript.read import read_lines

            for sheet in read_lines(iter(()), name):
                yield self.judge(sheet)

    def quickly(self, line: bytes, name: str, number: int) -> Judged | None:
        """The verdict on a game with nothing to be said about it; None if it needs a closer look."""
        if self.differs:
            return None
        game = quick_game(line)
        if game is None:
            return None
        engine_ = self.engine(game)
        if engine_ is None:
            return None
        outcomes = quick(engine_, game)
        if not outcomes:
            return None
        deals = [
            _plain(game, engine_, deal, outcome, number)
            for deal, outcome in zip(game.deals, outcomes, strict=True)
        ]
        kind = deals[0].verdict if len(deals) == 1 else worst([deal.verdict for deal in deals])
        verdict = FileVerdict(
            file=name,
            rules=engine_.program.name,
            verdict=kind,
            deals=tuple(deals),
            readings=engine_.changed,
        )
        return verdict, None, ()

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

        verdict, sentences = file_verdict(sheet, self.rules, self.readings, self.differs)
        return verdict, sheet, sentences

    def file(self, path: str) -> Iterator[Judged]:
        """The verdicts on the games of one file, `-` for standard input. OSError if it cannot be opened."""
        from conquian.transcript.read import read

        if path == "-":
            head = sys.stdin.buffer
            yield from self._recognised(head.read(), "-")
        elif path.lower().endswith(".jsonl"):
            with open(path, "rb") as file:
                yield from self.lines(file, path)
        else:
            with open(path, "rb") as file:
                data = file.read()
            for sheet in read(data, path):
                yield self.judge(sheet)

    def _recognised(self, data: bytes, name: str) -> Iterator[Judged]:
        import io

        from conquian.transcript.read import read, recognise

        if recognise(data) == "jsonl":
            yield from self.lines(io.BytesIO(data), name)
            return
        for sheet in read(data, name):
            yield self.judge(sheet)


def _plain(game: Head, engine: Engine, deal: Record, outcome: Outcome, line: int) -> DealVerdict:
    """The verdict on a deal without violation that stands on one line of a stream."""
    result: dict[str, object] | None = None
    if outcome.winner is not None:
        result = {"winner": game.players[outcome.winner]}
    elif outcome.drawn:
        result = {"drawn": True}
    notes: tuple[DealNote, ...] = ()
    if outcome.due or outcome.past or outcome.away or outcome.kind == "unfinished":
        from conquian.notes import deal_notes

        notes = tuple(deal_notes(lambda event: line, engine, game.players, outcome))
    return DealVerdict(
        number=deal.number,
        verdict=outcome.kind,
        result=result,
        notes=notes,
    )
