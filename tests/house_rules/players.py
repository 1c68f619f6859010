"""Players who know the cards and play at random, to see that a rule set can be played from deal to end."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Any

from conquian.engine.deals import Setup, SetupRefusal, first_states
from conquian.engine.engine import Engine, engine_of
from conquian.engine.play import closed, demandable, play
from conquian.engine.program import compile_rules
from conquian.engine.search import legal_layouts, stuck
from conquian.engine.state import State
from conquian.language.build import compile_text

Event = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal that was played out: how it ended (`won`, `drawn`, `stuck`), its events, its last state."""

    end: str
    events: tuple[Event, ...]
    state: State


def engine_of_text(text: str) -> Engine:
    """The engine of a rule file that is given as text; AssertionError if it has errors."""
    rules, problems = compile_text(text, "test.rules")
    errors = [f"{p.code} {p.message}" for p in problems if p.severity == "error"]
    assert rules is not None and not errors, errors
    return engine_of(compile_rules(rules))


def dealt(engine: Engine, random: Random) -> State:
    """The first state of a shuffled and fully recorded deal."""
    program = engine.program
    cards = list(program.cards) * program.copies
    random.shuffle(cards)
    n, each = program.players, program.dealt
    hands = [cards[i * each : (i + 1) * each] for i in range(n)]
    rest = cards[n * each :]
    starter = rest.pop(0) if program.starter else None
    states = first_states(engine, Setup(n, hands, [None] * n, None, rest, starter, 0))
    assert not isinstance(states, SetupRefusal), states
    return states[0]


def play_out(engine: Engine, seed: int) -> Deal:
    """A whole deal by players who meld when they can, mostly, and do anything else at random."""
    random = Random(seed)
    seats = {f"P{i}": i for i in range(engine.seats)}
    state = dealt(engine, random)
    events: list[Event] = []
    while engine.flow.phase(state.at) is not None:
        if stuck(engine, state):
            return Deal("stuck", tuple(events), state)
        for event in _wishes(engine, state, random):
            if play(engine, state, [event], seats).legal:
                events.append(event)
                break
        else:
            assert not _waits(engine, state), "the rules leave no event"
            state.at = closed(engine, state, state.at)
    return Deal("won" if state.at == engine.flow.won else "drawn", tuple(events), state)


def _waits(engine: Engine, state: State) -> bool:
    return closed(engine, state, state.at) == state.at


def _wishes(engine: Engine, state: State, random: Random) -> list[Event]:
    """What the player whose turn it is would do, the dearest wish first."""
    seat = engine.flow.seat(state.at)
    if random.random() < 0.5 and demandable(engine, state, state.at, seat, state.up):
        by = next(s for s in range(engine.seats) if engine.team_of[s] != engine.team_of[seat])
        return [(f"P{by}", "forces")]
    at = closed(engine, state, state.at)
    phase = engine.flow.phase(at)
    if phase is None:
        return []
    me, names = f"P{engine.flow.seat(at)}", engine.pack.names
    wishes: list[Event] = []
    for verb in (line.verb for line in phase.lines if line.kind == "acts" and line.actor == "player"):
        match verb:
            case "turn" if state.stock:
                wishes.append((me, "turns", names(state.recorded[state.drawn_to])[0]))
            case "meld":
                found = list(islice(legal_layouts(engine, state), 30))
                random.shuffle(found)
                found.sort(key=lambda layout: not layout[1])
                tables = [[tuple(names(meld)) for meld in layout] for layout, _ in found[:3]]
                wishes.extend((me, "melds", table) for table in tables)
            case "pass":
                wishes.insert(0 if random.random() < 0.1 else len(wishes), (me, "passes"))
            case "discard":
                cards = names(state.hands[engine.flow.seat(at)])
                random.shuffle(cards)
                wishes.extend((me, "discards", card) for card in cards)
            case _:
                pass
    return wishes
