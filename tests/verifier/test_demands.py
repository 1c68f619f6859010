"""Engine and solver agree on demands, named and unnamed, under all rule sets and the house rules on demands."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

from conquian.engine.demands import demand, demands
from conquian.engine.engine import engine
from conquian.engine.flow import REFUSED
from conquian.engine.sets import rule_sets
from conquian.language.build import load as typed_rules
from conquian.verifier.demands import demand_of, demand_question

from .acts import some_position, some_readings
from .test_legality import HOUSE, LONG


def test_engine_and_solver_agree_on_demands() -> None:
    counted: Counter[bool] = Counter()
    for name in (*rule_sets(), *HOUSE):
        program, typed = engine(name).program, typed_rules(name)
        random = Random(f"demands/{Path(name).stem}")
        for _ in range(12 * LONG):
            here = some_position(some_readings(program, random), random, demanded=False)
            pass_ = ("me", "passes")
            for there in (here, *([here.apply(pass_)] if here.can(pass_) else [])):
                onto = [random.choice(there.table("me"))] if there.table("me") else []
                for event in (("other1", "forces"), *(("other1", "forces", there.up, meld) for meld in onto)):
                    act = demand_of(there, event)
                    legal = there.can(event)
                    if act is None:
                        assert not legal
                        continue
                    asked = demand_question(there, act, typed)
                    can = asked.solver.can([*asked.facts, *asked.asked])
                    assert (can and asked.sound) == legal, (name, there.rules.engine.changed, there, event)
                    counted[legal] += 1
    assert min(counted.values()) > 30, counted


def test_many_demands_of_one_player_are_what_each_is_by_itself() -> None:
    counted: Counter[bool] = Counter()
    for name in (*rule_sets(), *HOUSE):
        program = engine(name).program
        random = Random(f"each/{Path(name).stem}")
        for _ in range(20):
            here = some_position(some_readings(program, random), random, demanded=False)
            pass_ = ("me", "passes")
            for there in (here, *([here.apply(pass_)] if here.can(pass_) else [])):
                of, state = there.rules.engine, there.state
                named: list[tuple[int | None, int | None]] = [(None, None)]
                named += [(card, meld) for card in of.pack.unit.values() for meld in (*state.tables[0], 0)]
                for by in range(of.seats):
                    each = [demand(of, state, by, said, onto) for said, onto in named]
                    assert list(demands(of, state, by, named)) == each
                    counted.update(after == REFUSED for after, _, _ in each)
    assert min(counted.values()) > 30, counted
