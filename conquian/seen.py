"""A moment of a transcript as the parts of a position: seen by the one who has the card on offer, or has passed it.

Of a demand that is the player whom it is on, of other events the player whose they are. What `--position` cannot say
(a demand already made, a discard that is due, cards that nobody sees any more) is left out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from conquian.engine.facts import closed_once
from conquian.engine.play import Event
from conquian.questions import Given, Question


def seen_parts(asked: Question, event: Event) -> Given:
    """Every part of the position that the event is about, as far as it is known."""
    here, engine, state = asked.position, asked.rules.engine, asked.position.state
    by, demand = here.players.index(event[0]), event[1] == "forces"
    team, flow, at = engine.team_of, engine.flow, asked.position.state.at
    seat, turned_by, declined = by, None, False
    while (phase := flow.phase(at)) is not None:
        holder = flow.seat(at)
        takes = any(line.verb == "force" for line in phase.lines)
        if (phase.offers or takes) and (team[holder] != team[by] if demand else holder == by):
            seat, declined = holder, not phase.offers
            turned_by = {0: "me", 1: "opponent"}.get(at % 3)
            break
        if not phase.rests:
            break
        at = closed_once(engine, state, at)
    name = here.players[seat]
    known, hidden = here.hand(name)
    others = next(n for s, n in enumerate(here.players) if team[s] != team[seat])
    return Given(
        notation=asked.notation,
        up=here.up,
        table=[list(meld) for meld in here.table(name)],
        hand=None if hidden else list(known),
        opponent_table=[list(meld) for meld in here.table(others)] or None,
        stock=state.stock,
        turned_by=turned_by,
        declined=declined,
    )


def needed_parts(parts: Given, score: Callable[[Given], int]) -> Given:
    """The parts without those that alter no answer; `score` says how many answers are as they ought to be."""
    best = score(parts)
    for smaller in (replace(parts, stock=None, turned_by=None), replace(parts, stock=None)):
        if score(smaller) >= best:
            return smaller
    smaller = replace(parts, turned_by=None)
    return smaller if score(smaller) >= best else parts
