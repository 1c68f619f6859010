"""The events of a transcript that a certificate is about, each with the position it was made in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from conquian.engine.play import Event
from conquian.position import Position, Rules
from conquian.transcript.sheet import Sheet
from conquian.verdict import FileVerdict


class Transcript(Protocol):
    """A transcript as text, and what the command line said of its rules."""

    @property
    def file(self) -> str: ...
    @property
    def transcript(self) -> str: ...
    @property
    def rules(self) -> str | None: ...
    @property
    def readings(self) -> dict[str, str]: ...
    @property
    def differs(self) -> bool: ...
    @property
    def why(self) -> bool: ...
    @property
    def budget(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Acts:
    """The rules that a game is judged by, what they were loaded by, and its melds, regroupings and first violations.

    Of each: `deal 1, event 3`, the position before it, the event, whether it is legal there.
    """

    loaded: str
    rules: Rules
    events: tuple[tuple[str, Position, Event, bool], ...]


def verdicts(asked: Transcript) -> list[FileVerdict]:
    """The verdict on each game of a transcript."""
    from conquian.batch import Batch
    from conquian.transcript.read import read

    batch = Batch(asked.rules, asked.readings, asked.differs, asked.budget if asked.why else None)
    return [batch.judge(sheet)[0] for sheet in read(asked.transcript.encode(), asked.file)]


def judged_acts(asked: Transcript) -> Acts | None:
    """The acts of the one game of a transcript up to the first violation of each deal; None if it cannot be judged."""
    from conquian.judgement import file_engine
    from conquian.transcript.read import read

    sheets = list(read(asked.transcript.encode(), asked.file))
    if len(sheets) != 1 or sheets[0].game is None:
        return None
    sheet, game = sheets[0], sheets[0].game
    name = asked.rules or game.rules
    if name is None:
        return None
    try:
        rules = Rules(file_engine(sheet, asked.rules, asked.readings))
    except ValueError:
        return None
    found: list[tuple[str, Position, Event, bool]] = []
    for index, deal in enumerate(game.deals):
        if index not in sheet.unreadable:
            found += _acts(rules, sheet, index, f"deal {deal.number}")
    return Acts(name, rules, tuple(found))


def _acts(rules: Rules, sheet: Sheet, index: int, title: str) -> Iterator[tuple[str, Position, Event, bool]]:
    from conquian.match import dealer_of
    from conquian.referee import IllegalDeal, replay
    from conquian.transcript.model import SAID

    game = sheet.game
    assert game is not None
    deal, dealer = game.deals[index], dealer_of(rules.engine, game, index, sheet.unreadable)
    try:
        played = list(replay(rules, game.players, deal, dealer))
    except IllegalDeal:
        return
    for number, (position, event) in enumerate(played):
        made: Event | None = event
        if event is None and number < len(deal.events):
            made = deal.events[number]
        if made is not None and any(e[1] in SAID for e in (made, *deal.events[max(number - 1, 0) : number])):
            continue  # what is said at the table, and what follows the end that it brings, is no clause's to refuse
        if made is not None and (event is None or made[1] in ("melds", "arranges")):
            yield f"{title}, event {number}", position, made, event is not None
