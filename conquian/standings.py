"""What a ledger says, as data; the JSON of `conquian score` is `Score` written out.

`payments` are units received less units paid. Deals are named by their numbers, lines count from 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from msgspec import Struct

from conquian.tongue import tell, tell_n
from conquian.transcript.model import Match
from conquian.verdict import Error, Verdict

Kind = Literal["wins", "units"]


class Goal(Struct, frozen=True):
    """What the command line says that a match is played to; without a number, the one that the rules name."""

    kind: Kind
    number: int | None = None


class Standing(Struct, frozen=True):
    """What a player has: units received less units paid, and wins."""

    units: int
    wins: int


class DealScore(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A deal of the ledger. `winner` is who made the winning meld; `payments` say what each player received.

    `as_played`: the deal breaks a rule, and counts as it was played; else the key is left out.
    """

    number: int
    winner: str | None
    payments: dict[str, int]
    as_played: bool = False


class ScoreNote(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something worth saying of a ledger; `deal` is the number of the deal, None for the match."""

    code: str
    line: int
    message: str
    deal: int | None = None


class Score(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The ledger of one match, as its JSON. `file` is left out where there is only one match."""

    players: dict[str, Standing]
    pot: int
    dealer_next: str | None
    over: bool
    deals: tuple[DealScore, ...]
    notes: tuple[ScoreNote, ...] = ()
    errors: tuple[Error, ...] = ()
    file: str | None = None


class Row(Struct, frozen=True, kw_only=True):
    """A deal of the ledger for people: by player what stood after it; `result` in a word or two."""

    number: int
    dealer: str
    result: str
    payments: tuple[int, ...]
    units: tuple[int, ...]
    wins: tuple[int, ...]
    pot: int
    counted: bool
    as_played: bool = False


class Scored(Struct, frozen=True, kw_only=True):
    """A match with everything that the three forms of output need. `rules` is None if none could be used."""

    file: str
    rules: str | None
    readings: Mapping[str, str]
    players: tuple[str, ...]
    match: Match | None
    verdict: Verdict
    illegal: bool
    """Some deal is judged invalid."""
    rows: tuple[Row, ...]
    score: Score
    path: str
    """The file without the line that a game of a stream has in it."""

    @property
    def status(self) -> int:
        """The exit status: 2 for what cannot be read, 1 for something illegal, else 0."""
        return 2 if self.verdict == "unreadable" else int(self.illegal)

    @property
    def complaints(self) -> Iterator[str]:
        """What cannot be read, for people."""
        for error in self.score.errors:
            yield f"{self.path}:{error.line}:{error.column}: {error.code} {error.message}"
            if error.hint:
                yield tell("hint: {hint}", hint=error.hint)


def words(match: Match | None) -> str:
    """What a match is played to, in words."""
    if match is None:
        return tell("no goal")
    if match.wins is not None:
        return wins_in_words(match.wins)
    return units_in_words(match.units or 0)


def wins_in_words(count: int) -> str:
    return tell_n("{number} win", "{number} wins", count)


def units_in_words(count: int) -> str:
    return tell_n("{number} unit", "{number} units", count)


def parsed_goal(text: str) -> Goal | None:
    """`wins`, `units`, `wins=10`, `units=100`; None for anything else."""
    word, sign, number = text.partition("=")
    if word not in ("wins", "units"):
        return None
    kind: Kind = "wins" if word == "wins" else "units"
    if not sign:
        return Goal(kind)
    if not (number.isascii() and number.isdigit()) or len(number) > 9 or int(number) == 0:
        return None
    return Goal(kind, int(number))
