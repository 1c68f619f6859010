"""Things worth saying of a deal that are no violations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from conquian.engine.engine import Engine
from conquian.engine.play import Played
from conquian.engine.state import State
from conquian.referee import Outcome
from conquian.tongue import mark, tell
from conquian.transcript.model import Deal
from conquian.verdict import DealNote

PASSED = mark("{player} passed a card that an opponent could have forced")
PAST = mark("{player} has more than {number} cards in melds and has not won")
OUT_OF_REACH = mark("{player} can no longer reach the goal of {number}")
AWAY = mark("before this regrouping the card on offer could have been demanded")
STUCK = mark("the rules leave no event; the deal cannot go on")


def deal_notes(
    line: Callable[[int | None], int],
    engine: Engine,
    players: Sequence[str],
    noticed: Played | Outcome,
    states: Sequence[State],
    unfinished: bool,
) -> list[DealNote]:
    """The notes of one deal, in the order of their kinds; `line` gives the line of an event, or of the deal."""
    notes: list[DealNote] = []

    def note(code: str, event: int | None, template: str, **values: object) -> None:
        notes.append(DealNote(code=code, line=line(event), event=event, message=tell(template, **values)))

    for event, seat in noticed.due:
        note("demand-not-made", event, PASSED, player=players[seat])
    for event, seat in noticed.past:
        goal = engine.program.goal
        note("past-goal", event, PAST, player=players[seat], number=goal)
        if _out_of_reach(engine, states[0], seat):
            note("goal-out-of-reach", event, OUT_OF_REACH, player=players[seat], number=goal)
    for event in noticed.away:
        note("arranged-away", event, AWAY)
    if unfinished:
        from conquian.engine.search import stuck

        if all(stuck(engine, state) for state in states):
            note("stuck", noticed.legal - 1 if noticed.legal else None, STUCK)
    return notes


def table_notes(
    line: Callable[[int | None], int],
    claim: int,
    engine: Engine,
    players: Sequence[str],
    deal: Deal,
    outcome: Outcome,
) -> Iterator[DealNote]:
    """What the players said that the rules do not know: what was taken back, and how they ended the deal.

    `claim` is the line of the recorder's claim.
    """
    if outcome.taken:
        from conquian.messages import Scene, message

        for one in outcome.taken:
            event, objection = deal.events[one.event], deal.events[one.objection]
            text, _ = message(one.refusal, Scene(engine, players, one.state, event))
            said = tell(
                "{player} objects to event {event}: {message} ({code}); it is taken back",
                player=objection[0],
                event=one.event,
                message=text,
                code=one.refusal.code,
            )
            at = one.objection
            yield DealNote(code="taken-back", line=line(at), event=at, message=said)
    if outcome.ended is not None:
        at_end = outcome.ended_at
        who = str(deal.events[at_end][0]) if at_end is not None else ""
        said = {
            "conceded": tell("{player} concedes the deal", player=who),
            "agreed": tell("the players agree a draw"),
            "broken-off": tell("the deal is broken off; nobody has won it"),
        }[outcome.ended]
        place = claim if at_end is None else line(at_end)
        yield DealNote(code=outcome.ended, line=place, event=at_end, message=said)


def _out_of_reach(engine: Engine, state: State, seat: int) -> bool:
    """Whether no table larger than the player's wins, whatever is laid."""
    now = engine.pack.count(sum(state.tables[seat]))
    return _no_win_beyond(engine, now)


@lru_cache(maxsize=1024)
def _no_win_beyond(engine: Engine, now: int) -> bool:
    for size in range(now + 1, engine.pack.size + 1):
        cards = (1 << size) - 1
        for hand in (0, 1):
            if engine.wins((), (cards,), 1, 0, False, False, hand, 1, 0):
                return False
    return True
