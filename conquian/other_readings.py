"""What would be otherwise under other readings: an event as it stands, or a whole deal."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations

from conquian.engine.deals import first_states, seats_of
from conquian.engine.engine import Engine, with_choices
from conquian.engine.play import Event, play
from conquian.engine.residues import Trail, asks, follows
from conquian.engine.state import State
from conquian.quick import setup_of
from conquian.referee import Outcome, judge_deal
from conquian.transcript.model import SAID, Deal
from conquian.verdict import Differs


def single_changes(engine: Engine) -> list[dict[str, str]]:
    """Every change of one reading to another choice, of those that play asks for."""
    return [
        {reading.name: choice}
        for reading in engine.program.readings
        if reading.in_play
        for choice in reading.choices
        if choice != engine.readings[reading.name]
    ]


def differs_under(
    engine: Engine, players: Sequence[str], deal: Deal, first: int, outcome: Outcome
) -> tuple[Differs, ...]:
    """The single changes of a reading under which the whole deal is judged otherwise."""
    found = []
    here = (outcome.kind, outcome.event, outcome.code)
    for change in single_changes(engine):
        other = judge_deal(with_choices(engine, change), players, deal, first)
        if (other.kind, other.event, other.code) != here:
            found.append(Differs(readings=change, verdict=other.kind, event=other.event, code=other.code))
    return tuple(found)


def legal_under(
    engine: Engine, players: Sequence[str], deal: Deal, first: int, outcome: Outcome
) -> tuple[dict[str, str], ...]:
    """The single changes of one reading, else the pairs, under which the refused event is legal as it stands."""
    seats = seats_of(players)
    if outcome.ended is not None or deal.events[outcome.legal][1] in SAID:
        return ()
    stands = moments(engine, players, deal, first, [event for _, event in outcome.standing(deal.events)])
    event = deal.events[outcome.legal]
    return legal_changes(
        engine, lambda change: legal_as_it_stands(with_choices(engine, change), stands, event, seats)
    )


def legal_changes(engine: Engine, legal: Callable[[dict[str, str]], bool]) -> tuple[dict[str, str], ...]:
    """The single changes of a reading under which `legal` holds; the pairs only if no single one does."""
    singles = single_changes(engine)
    found = [change for change in singles if legal(change)]
    if found:
        return tuple(found)
    pairs = ({**one, **two} for one, two in combinations(singles, 2) if one.keys() != two.keys())
    return tuple(pair for pair in pairs if legal(pair))


Moment = tuple[State, tuple[Event, ...]]


def moments(
    engine: Engine, players: Sequence[str], deal: Deal, first: int, events: Sequence[Event]
) -> list[Moment]:
    """States shortly after some legal events of a deal, each with the events that lead from it to their end."""
    states = first_states(engine, setup_of(players, deal, first))
    assert isinstance(states, list)
    seats = seats_of(players)
    at = len(events)
    found: list[Moment] = []
    for state in states:
        for back in (0, 1, 2):
            if at - back >= 0:
                trial = state.copy()
                if play(engine, trial, events[: at - back], seats).legal == at - back:
                    found.append((trial, tuple(events[at - back : at])))
    return found


def legal_as_it_stands(
    engine: Engine, moments: Sequence[Moment], event: Event, seats: Mapping[str, int]
) -> bool:
    """Whether an event is legal under other readings, the cards lying as they lie.

    What is due then can follow from the last events: they are taken up again under the readings asked about.
    """
    for state, events in moments:
        trial = state.copy()
        trial.fit = [engine.fit(table) for table in trial.tables]
        if asks(engine, (trial,)):
            if follows(engine, Trail(trial), (*events, event), seats):
                return True
        elif play(engine, trial, (*events, event), seats).legal == len(events) + 1:
            return True
    return False
