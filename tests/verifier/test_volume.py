"""Agreement in volume: engine, solver and exhaustion on meld acts in random positions, all rule sets and readings.

    CONQUIAN_FULL=1 pytest tests/verifier/test_volume.py -s

judges acts in 20,000 positions, some minutes of work, and tells what it met; without the variable a fixed sample of
them is judged. Either way three acts in ten are legal at least, every code of meld acts comes up (a hundred times
in the full volume), and every choice of every reading that play asks for is used under every rule set that has it.
"""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from conquian.engine.engine import engine, with_choices
from conquian.engine.program import Program
from conquian.engine.sets import rule_sets
from conquian.language.build import load as typed_rules
from conquian.verifier.acts import act_of, question
from conquian.verifier.exhaustion import broken
from conquian.verifier.legal import legal_meld
from conquian.verifier.limits import Undecided

from .acts import some_acts, some_position, some_regroupings
from .test_legality import CODES, HOUSE

FULL = bool(os.environ.get("CONQUIAN_FULL"))
POSITIONS = 20_000 if FULL else 360
EACH_CODE = 100 if FULL else 2
SPECIAL = next(name for name in HOUSE if "first-meld" in name)
"""The house rule with a code of its own: it gets four shares of the positions."""
CASES = (*rule_sets(), *HOUSE, SPECIAL, SPECIAL, SPECIAL)


@dataclass
class Met:
    """What came up: codes of acts, positions, models of the solver that were replayed, choices of readings."""

    codes: Counter[str] = field(default_factory=Counter)
    positions: int = 0
    replayed: int = 0
    without: int = 0
    regrouped: Counter[bool] = field(default_factory=Counter)
    choices: set[tuple[str, str, str]] = field(default_factory=set)


def readings_in_turn(program: Program, number: int, random: Random) -> dict[str, str]:
    """Some readings chosen anew; one after the other every choice of each comes up for certain."""
    every = [
        (r.name, choice)
        for r in program.readings
        if r.in_play
        for i, choice in enumerate(r.choices)
        if i != r.default
    ]
    chosen = {
        r.name: random.choice(r.choices) for r in program.readings if r.in_play and random.random() < 0.25
    }
    wished = dict(every[(2 * number + i) % len(every)] for i in range(2))
    return {**chosen, **wished}


def judge(name: str, case: int, positions: int, met: Met) -> None:
    program, typed = engine(name).program, typed_rules(name)
    random = Random(f"volume/{case}/{Path(name).stem}")
    for number in range(positions):
        of = with_choices(engine(name), readings_in_turn(program, number, random))
        met.choices.update((program.name, r.name, of.readings[r.name]) for r in program.readings if r.in_play)
        here = some_position(of, random)
        met.positions += 1
        # A forced card laid elsewhere is rare, so of a forced player more is tried.
        forced = of.bound[here.state.at]
        for event in (*some_acts(here, random, 12 if forced else 2), *some_regroupings(here, random, 1)):
            act, refusal = act_of(here, event), here.check(event)
            if act is None:
                assert refusal is not None
                continue
            asked = question(here, act, typed)
            can = asked.solver.can([*asked.facts, *asked.asked])
            assert isinstance(can, bool)
            said = (name, of.changed, here.table("me"), here.hand("me"), here.up, here.phase, event, refusal)
            assert (can and asked.sound) == (refusal is None), said
            assert can == any(not way for way in broken(here, act)), said
            if event[1] == "melds":
                met.codes["legal" if refusal is None else refusal.code] += 1
            else:
                met.regrouped[refusal is None] += 1
        if number % 5 == 0:
            # The act is left open here: a model is an act, and `legal_meld` replays it in the engine.
            found = legal_meld(here, typed)
            assert not isinstance(found, Undecided)
            assert (found is not None) == bool(here.legal_melds()), (name, of.changed, here)
            assert found is None or here.can(found)
            met.replayed += found is not None
            met.without += found is None


def test_engine_and_solver_agree_on_meld_acts_in_volume() -> None:
    met, share = Met(), POSITIONS // len(CASES) + 1
    for case, name in enumerate(CASES):
        judge(name, case, share, met)
    if FULL:
        print(met.positions, "positions;", dict(met.codes.most_common()))
        print("regroupings:", dict(met.regrouped), "models replayed:", met.replayed, "without:", met.without)
    assert met.positions >= POSITIONS
    assert met.codes["legal"] >= 0.3 * met.codes.total(), met.codes
    assert all(met.codes[code] >= EACH_CODE for code in CODES), met.codes
    assert min(met.regrouped.values()) >= EACH_CODE, met.regrouped
    assert min(met.replayed, met.without) >= 5 * EACH_CODE, met
    for name in (*rule_sets(), *HOUSE):
        program = engine(name).program
        wanted = {
            (program.name, r.name, choice) for r in program.readings if r.in_play for choice in r.choices
        }
        assert wanted <= met.choices, wanted - met.choices
