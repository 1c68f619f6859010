"""A program asked golden cases.

Guarantees: `holds` answers for any program, also one that raises or never ends: such a one fails the case.
Nothing here knows a rule.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from conquian.engine.engine import Engine, choices_of
from conquian.engine.program import Program
from conquian.engine.search import legal_layouts, regroupings
from conquian.position import Position, Rules
from conquian.referee import judge
from conquian.transcript.model import Game
from conquian.transcript.places import nowhere
from conquian.transcript.sheet import Sheet

from .cases import NOTES, Case, DealAnswer, GameCase, PackCase, PositionCase, expected, open_end

LONGEST = 10.0
"""Seconds after which a program is taken not to end; a sound one takes a few milliseconds a case."""
MOST_LAYOUTS = 20_000
"""Legal melds of one position after which a program is taken not to end; no case has a tenth of it."""


class Asked:
    """A program in place of the shipped one, with an engine for each choice of readings that is asked for."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.engines: dict[tuple[int, ...], Engine] = {}

    def engine(self, readings: Mapping[str, str] | None) -> Engine:
        choices = choices_of(self.program, readings or {})
        if choices not in self.engines:
            self.engines[choices] = Engine(self.program, choices)
        return self.engines[choices]


def holds(asked: Asked, case: Case) -> bool:
    """Whether a program answers as the case expects; False if it fails or does not end."""
    return judged(asked, case) is True


def judged(asked: Asked, case: Case) -> bool | None:
    """Whether a program answers as the case expects; None if it fails or does not end."""
    try:
        with _limit(LONGEST):
            return answer(asked, case) == expected(case)
    except Exception:
        return None


def answer(asked: Asked, case: Case) -> tuple[Any, ...]:
    """What a program says to a case, in the form of `expected`."""
    match case:
        case GameCase(game=game):
            return tuple(_deals(asked.program, game, case.expect))
        case PositionCase():
            return _position(asked.engine(case.readings), case)
        case PackCase():
            engine = asked.engine(case.readings)
            return _shown(engine), engine.pack.copies, len(engine.melds.packed)


def _shown(engine: Engine) -> tuple[str, ...]:
    names = engine.pack.names(engine.pack.everything)
    return tuple(names[:: engine.pack.copies])


def _deals(program: Program, game: Game, expect: tuple[DealAnswer, ...]) -> Iterator[DealAnswer]:
    sheet = Sheet(name="case", path="case", game=game, where=nowhere(), source="")
    with (
        patch("conquian.engine.engine._program", lambda name: program),
        patch("conquian.violations.legal_under", lambda *_: ()),
    ):
        verdict = judge(sheet, differs=False)
    for deal, record, wanted in zip(verdict.deals, game.deals, expect, strict=True):
        wrong = deal.violations[0] if deal.violations else None
        result = deal.result or {}
        said = {(n.code, n.event) for n in deal.notes if n.code in NOTES}
        legal = len(record.events) if wrong is None or wrong.event is None else wrong.event
        yield DealAnswer(
            verdict=deal.verdict,
            event=None if wrong is None else wrong.event,
            code=None if wrong is None else wrong.code,
            winner=result.get("winner"),
            drawn=bool(result.get("drawn")),
            passage=None if wrong is None or wanted.passage is None else wrong.clause,
            notes=tuple(sorted((n for n in said if not open_end(*n, legal, deal.verdict)), key=str)),
        )


def _position(engine: Engine, case: PositionCase) -> tuple[int, int, int, int]:
    rules = Rules(engine)
    here = rules.position(
        up=case.up, table=case.table, hand=case.hand, turned_by="me" if case.own else "opponent"
    )
    melds = wins = 0
    for _, won in _counted(here):
        melds += 1
        wins += won
    state = here.state.copy()
    bound = next(i for i, phase in enumerate(engine.program.phases) if phase.bound is not None)
    state.at = engine.flow.state(bound, 0, state.at % 3)
    forced = sum(1 for _ in _counted(Position(rules, state, here.players)))
    return melds, wins, forced, sum(1 for _ in regroupings(engine, here.state, 0))


def _counted(here: Position) -> Iterator[tuple[object, bool]]:
    for number, found in enumerate(legal_layouts(here.rules.engine, here.state)):
        if number > MOST_LAYOUTS:
            raise TimeoutError
        yield found


@contextmanager
def _limit(seconds: float) -> Iterator[None]:
    """Raises TimeoutError when the time is up; without alarms (not in the main thread) there is no limit."""

    def stop(*_: object) -> None:
        raise TimeoutError

    try:
        before = signal.signal(signal.SIGALRM, stop)
    except (ValueError, AttributeError):
        yield
        return
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
