"""What is said at the table, for the second referee: objections, concessions, agreed draws.

Objections are answered by striking out: the record is judged as it stands; if its first illegal event is objected to
in time, that event and all up to the objection are struck out, and what is left is judged from the beginning.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from .state import OVER, State, at_the_end

Record = Sequence[tuple[int, Sequence[Any]]]
"""Events with their places in the deal."""

SAID = ("objects", "concedes", "agrees")


def sides(state: State) -> set[int]:
    return {state.side(seat) for seat in range(len(state.players))}


def say(state: State, event: Sequence[Any]) -> tuple[str | None, State]:
    """The code of something said that may not be said, or the state it leaves."""
    if at_the_end(state).phase == OVER:
        return "game-over", state
    seat = state.players.index(event[0])
    if event[1] == "objects":
        return "no-objection-due", state
    over = replace(state, phase=OVER, card=None, passed=False, demanded=False)
    if event[1] == "concedes":
        if len(sides(state) - {state.side(seat)}) > 1:
            return "conceding", state
        winner = state.following(seat)
        while not state.opponents(seat, winner):
            winner = state.following(winner)
        return None, replace(over, winner=winner)
    agreed = {state.side(state.players.index(name)) for name in (event[0], *event[2:])}
    return ("not-agreed", state) if agreed != sides(state) else (None, replace(over, drawn=True))


def struck_out(state: State, record: Record, event: int) -> Record | None:
    """The record without the illegal event and what follows up to the objection; None if nobody objected in time."""
    (start,) = [place for place, (index, _) in enumerate(record) if index == event]
    culprit = state.side(state.players.index(record[start][1][0]))
    later = [
        place
        for place in range(start + 1, len(record))
        if state.side(state.players.index(record[place][1][0])) != culprit
    ]
    if not later or record[later[0]][1][1] != "objects":
        return None
    return [*record[:start], *record[later[0] + 1 :]]
