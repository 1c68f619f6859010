"""Golden cases: what is asked of a rule set, and the answer that it has to give.

Guarantees: a case is plain data and reads back as it was written; expected answers are part of it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from conquian.transcript.model import Game

FOLDER = Path(__file__).parent.parent / "data" / "goldens"
NOTES = ("demand-not-made", "past-goal", "arranged-away", "stuck")
"""The notes that cases expect; others need more than the deal."""


class DealAnswer(Struct, frozen=True, array_like=True):
    """The verdict on one deal. `passage` None: the case does not say what is cited."""

    verdict: str
    event: int | None
    code: str | None
    winner: str | None
    drawn: bool
    passage: str | None
    notes: tuple[tuple[str, int | None], ...]


class GameCase(Struct, frozen=True, tag="game", kw_only=True):
    """A game and the verdict on each of its deals."""

    game: Game
    expect: tuple[DealAnswer, ...]


class PositionCase(Struct, frozen=True, tag="position", kw_only=True):
    """A position: how many legal melds there are, how many win, how many obey a demand, how many regroupings."""

    rules: str
    readings: dict[str, str]
    up: str
    table: tuple[tuple[str, ...], ...]
    hand: tuple[str, ...]
    own: bool
    melds: int
    wins: int
    forced: int
    regroupings: int


class PackCase(Struct, frozen=True, tag="pack", kw_only=True):
    """The pack of a rule set as it is shown, its copies, and how many melds it makes under some readings."""

    rules: str
    readings: dict[str, str]
    cards: tuple[str, ...]
    copies: int
    melds: int


Case = GameCase | PositionCase | PackCase
DECODER = msgspec.json.Decoder(Case)


def read(name: str) -> list[Case]:
    """The golden cases of a rule set."""
    path = FOLDER / f"{name}.jsonl"
    return [DECODER.decode(line) for line in path.read_text(encoding="utf-8").splitlines()]


def expected(case: Case) -> tuple[Any, ...]:
    match case:
        case GameCase():
            return case.expect
        case PositionCase():
            return case.melds, case.wins, case.forced, case.regroupings
        case PackCase():
            return case.cards, case.copies, case.melds


def open_end(note: str, event: int | None, legal: int, verdict: str) -> bool:
    """Whether a note speaks of the end of the events where that is none, so that it may be left out.

    Nobody demanded after the last event, but more could come; nothing can follow, but the claim is judged.
    """
    if note == "stuck":
        return verdict != "unfinished"
    return note == "demand-not-made" and event == legal - 1 and verdict != "valid"
