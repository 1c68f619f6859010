"""The checker that needs neither engine nor solver says what the engine says, and stays small enough to be read."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from conquian.engine.engine import engine
from conquian.engine.sets import rule_sets
from conquian.position import load
from conquian.verifier.acts import act_of
from conquian.verifier.exhaustion import every_meld, read, told
from conquian.verifier.scenes import moment
from conquian.verifier.witness import broken
from conquian.witnessing import demand_due, meld_faults, meld_witness, scene
from tests.certificates.sets import typed_rules
from tests.cli.running import ROOT
from tests.verifier.acts import some_acts, some_position, some_readings, some_regroupings
from tests.verifier.test_conditions import Conditions, by_engine
from tests.verifier.test_legality import HOUSE, LONG


def test_the_checker_breaks_the_clauses_that_the_engine_breaks_whatever_way_an_act_is_read() -> None:
    counted: Counter[str] = Counter()
    for name in (*rule_sets(), *HOUSE):
        program, typed = engine(name).program, typed_rules(name)
        random = Random(f"checker/{Path(name).stem}")
        for _ in range(6 * LONG):
            here = some_position(some_readings(program, random), random)
            for event in (*some_acts(here, random, 3), *some_regroupings(here, random, 1)):
                act = act_of(here, event)
                if act is None:
                    continue
                seen = scene(here, act, here.players.index(event[0]))
                for way, against in read(here, act):
                    laid = told(here, way)
                    then = moment(seen, program, here.rules.readings, laid)
                    found = broken(typed, act.verb, act.phase, act.bound, then)
                    assert frozenset(found) == against, (name, here.rules.engine.changed, here, event, laid)
                    counted.update(found or ["none"])
    assert counted["none"] > 100, counted
    assert min(counted[name] for name in ("whole-melds", "use-offer", "new-meld", "hand-only")) > 10, counted
    assert counted["lay-then-borrow"] and counted["borrowing"] and counted["discharge"], counted


def test_random_conditions_of_every_kind_hold_for_the_checker_where_they_hold_for_the_engine() -> None:
    counted: Counter[bool] = Counter()
    random = Random("third")
    conditions = Conditions(random)
    for name in ("swedish", "coonking", "classic-52") * (4 * LONG):
        here = some_position(some_readings(engine(name).program, random), random)
        for event in some_acts(here, random, 2):
            act = act_of(here, event)
            if act is None or not act.up & sum(act.after):
                continue
            ((way, _),) = read(here, act)
            then = moment(
                scene(here, act, 0), here.rules.engine.program, here.rules.readings, told(here, way)
            )
            for _ in range(6):
                node = conditions.formula(3)
                assert then.holds(node, {}) == by_engine(here.rules.engine, node, act), (node, act)
                counted[then.holds(node, {})] += 1
    assert min(counted.values()) > 30, counted


def test_a_demand_is_due_for_the_checker_exactly_where_the_engine_takes_it() -> None:
    counted: Counter[bool] = Counter()
    for name in (*rule_sets(), *HOUSE):
        program, typed = engine(name).program, typed_rules(name)
        random = Random(f"due/{Path(name).stem}")
        for _ in range(12 * LONG):
            here = some_position(some_readings(program, random), random, demanded=False)
            pass_ = ("me", "passes")
            for there in (here, *([here.apply(pass_)] if here.can(pass_) else [])):
                by = there.rules.engine.opponents[0]
                legal = there.can((there.players[by], "forces"))
                assert demand_due(there, 0, typed) == legal, (name, there.rules.engine.changed, there)
                counted[legal] += 1
    assert min(counted.values()) > 15, counted


def test_no_legal_meld_is_refused_by_the_checker_and_no_witness_passes_for_an_illegal_one() -> None:
    counted: Counter[bool] = Counter()
    for name in (*rule_sets(), *HOUSE):
        program, typed = engine(name).program, typed_rules(name)
        random = Random(f"faults/{Path(name).stem}")
        for _ in range(6 * LONG):
            here = some_position(some_readings(program, random), random)
            for event in some_acts(here, random, 3):
                witness = meld_witness(here, event)
                assert (witness is not None) == here.can(event)
                counted[witness is not None] += 1
                if witness is not None:
                    assert meld_faults(here, event, witness, typed) == []
                    other = type(witness)(witness.laid, not witness.wins)
                    assert meld_faults(here, event, other, typed) != []
                    less = type(witness)(witness.laid[:-1], witness.wins)
                    assert meld_faults(here, event, less, typed) != []
    assert min(counted.values()) > 50, counted


@pytest.mark.parametrize("name", rule_sets())
def test_trying_every_division_finds_the_legal_melds_that_the_search_finds(name: str) -> None:
    random = Random(f"every/{name}")
    program = engine(name).program
    found = 0
    for _ in range(4 * LONG):
        here = some_position(some_readings(program, random), random)
        every = every_meld(here)
        assert every is not None
        assert every == {tuple(sorted(tuple(sorted(m)) for m in table)) for table in here.legal_melds()}
        found += len(every)
    assert found or LONG < 5


def test_nothing_is_listed_where_there_is_too_much_to_try() -> None:
    hand = ["Ac", "2c", "3c", "4c", "5c", "6c", "7c", "Jc", "Qc", "Kc", "Ad", "2d", "3d"]
    assert every_meld(load("swedish").position(up="4d", hand=hand)) is None


@pytest.mark.parametrize("name", ["checker", "plain", "scenes", "witness"])
def test_each_part_of_the_checker_has_under_eighty_lines_of_code(name: str) -> None:
    text = (ROOT / "verifier" / f"{name}.py").read_text(encoding="utf-8")
    tree = ast.parse(text)
    aside: set[int] = set()
    for node in ast.walk(tree):
        told = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if isinstance(node, ast.stmt) and (told or isinstance(node, ast.Import | ast.ImportFrom)):
            aside |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    lines = text.splitlines()
    code = [n for n, line in enumerate(lines, 1) if line.strip() and n not in aside]
    assert len(code) < 80, len(code)


def test_the_checker_loads_no_engine_and_no_solver() -> None:
    check = (
        "import sys, conquian.verifier.witness\n"
        "print(sorted(m for m in sys.modules if m.startswith(('z3', 'conquian.engine', 'conquian.verifier.'))))"
    )
    done = subprocess.run(
        [sys.executable, "-c", check], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.strip() == str(
        [
            "conquian.engine",
            "conquian.engine.program",
            "conquian.verifier.checker",
            "conquian.verifier.plain",
            "conquian.verifier.scenes",
            "conquian.verifier.witness",
        ]
    )
