"""Deciding by trial says what Z3 says, of the questions that certificates hold and of layouts; and gives up honestly."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

from conquian.engine.engine import engine
from conquian.engine.sets import rule_sets
from conquian.verifier.circuits import FALSE, TRUE, Circuits
from conquian.verifier.claims import forbidding
from conquian.verifier.layouts import layouts_of
from conquian.verifier.limits import Undecided
from conquian.verifier.solver import Solver, by_trial
from conquian.verifier.trial import Trial
from tests.certificates.sets import typed_rules
from tests.verifier.acts import some_acts, some_position, some_readings
from tests.verifier.test_legality import HOUSE, LONG


def test_random_conjunctions_hold_by_trial_where_they_hold_by_z3() -> None:
    random, counted = Random("trial"), Counter[bool]()
    for _ in range(60 * LONG):
        circuits = Circuits()
        nodes = [circuits.variable(f"x{i}") for i in range(random.randrange(2, 8))]
        for _ in range(random.randrange(2, 12)):
            picked = random.sample(nodes, min(len(nodes), random.choice((2, 2, 3))))
            nodes.append(circuits.all(x * random.choice((1, -1)) for x in picked))
        asked = [x * random.choice((1, -1)) for x in random.sample(nodes, 2)]
        found = Trial(circuits, asked)
        assert found.answer is Solver(circuits).can(asked), (circuits.parts, asked)
        if found.answer is True:
            assert all(circuits.value(x, found.true) for x in asked)
        counted[found.answer is True] += 1
    assert min(counted.values()) >= 5, counted


def test_explanations_are_answered_by_trial_as_by_z3() -> None:
    counted: Counter[bool] = Counter()
    for name in (*rule_sets(), *HOUSE):
        random = Random(f"trial/{Path(name).stem}")
        for _ in range(2 * LONG):
            here = some_position(some_readings(engine(name).program, random), random)
            for event in some_acts(here, random, 2):
                asked = forbidding(here, event, typed_rules(name)).question
                facts = [*asked.facts, *asked.asked]
                can = asked.solver.can(facts)
                with by_trial():
                    assert asked.solver.can(facts) is can, (name, event)
                counted[can is True] += 1
    assert min(counted.values()) > 20, counted


def test_layouts_are_found_by_trial_where_there_are_some() -> None:
    counted: Counter[bool] = Counter()
    for name in ("swedish", "classic-52", "two-deck"):
        of, random = engine(name), Random(f"layouts/{name}")
        pack, melds = of.pack, sorted(of.melds.packed)
        for _ in range(8 * LONG):
            cards = 0
            for meld in random.sample(melds, 3):
                cards += meld if pack.contains(pack.minus(pack.everything, cards), meld) else 0
            if random.random() < 0.5:
                cards -= pack.unit[random.choice(pack.names(cards))]
            with by_trial():
                found = layouts_of(of, cards).layout(cards)
            assert (found is not None) == of.melds.layable(cards)
            assert found is None or (not isinstance(found, Undecided) and sum(found) == cards)
            counted[found is not None] += 1
    assert min(counted.values()) > 3, counted


def test_a_trial_that_is_too_long_is_undecided() -> None:
    circuits = Circuits()
    x, y = circuits.variable("x"), circuits.variable("y")
    assert Trial(circuits, [x, y], steps=1).answer == Undecided(1)
    assert Trial(circuits, [x, -x]).answer is False
    assert Trial(circuits, [TRUE]).answer is True
    assert Trial(circuits, [FALSE]).answer is False
