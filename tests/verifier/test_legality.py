"""Engine and solver agree on the legality of meld acts: all rule sets, random readings, the house rules.

CONQUIAN_LONG=20 in the environment judges twenty times as many acts; then each code has to come up a hundred times.
"""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from random import Random

from conquian.engine.engine import engine
from conquian.engine.sets import rule_sets
from conquian.language.build import load as typed_rules
from conquian.verifier.acts import act_of, question
from conquian.verifier.exhaustion import broken
from conquian.verifier.legal import legal_meld
from conquian.verifier.limits import Undecided
from conquian.verifier.why import Why, why

from .acts import some_acts, some_position, some_readings, some_regroupings

LONG = int(os.environ.get("CONQUIAN_LONG", "1"))
HOUSE = sorted(str(path) for path in (Path(__file__).parent.parent / "house_rules").glob("*.rules"))
CODES = (
    "offer-not-used",
    "invalid-meld",
    "hand-only-melds",
    "borrowing",
    "forced",
    "new-meld",
    "house.first-meld",
)


def judged(name: str, positions: int, counted: Counter[str], *, wide: bool = False) -> None:
    program, typed = engine(name).program, typed_rules(name)
    random = Random(f"legality/{Path(name).stem}")
    for _ in range(positions):
        of = some_readings(program, random)
        here = some_position(of, random)
        for event in (*some_acts(here, random, 4), *some_regroupings(here, random, 1)):
            act, refusal = act_of(here, event), here.check(event)
            if act is None:
                assert refusal is not None
                continue
            if wide and not all(meld in of.melds.packed for meld in act.after):
                continue
            asked = question(here, act, typed, wide=wide)
            can = asked.solver.can([*asked.facts, *asked.asked])
            assert isinstance(can, bool)
            said = (name, of.changed, here.table("me"), here.hand("me"), here.up, here.phase, event, refusal)
            assert (can and asked.sound) == (refusal is None), said
            assert can == any(not way for way in broken(here, act)), said
            counted["legal" if refusal is None else refusal.code] += event[1] == "melds"
            counted["regrouped"] += event[1] == "arranges"


def test_engine_and_solver_agree_on_meld_acts_under_all_rule_sets_and_house_rules() -> None:
    counted: Counter[str] = Counter()
    for name in (*rule_sets(), *HOUSE):
        judged(name, 12 * LONG, counted)
    judged(next(name for name in HOUSE if "first-meld" in name), 60 * LONG, counted)
    assert counted.pop("regrouped") > 20
    assert counted["legal"] >= 0.3 * counted.total(), counted
    for code in CODES:
        assert counted[code] >= (100 if LONG >= 20 else 1), counted


def test_the_frame_of_the_whole_deck_gives_the_same_answers() -> None:
    counted: Counter[str] = Counter()
    judged("swedish", 12 * LONG, counted, wide=True)
    assert counted.total() > 10


def test_every_refusal_of_random_acts_gets_a_reason_that_exhaustion_confirms() -> None:
    counted: Counter[int] = Counter()
    for name in (*rule_sets(), *HOUSE):
        program, typed = engine(name).program, typed_rules(name)
        random = Random(f"why/{Path(name).stem}")
        for _ in range(4 * LONG):
            here = some_position(some_readings(program, random), random)
            for event in some_acts(here, random, 2):
                found = why(here.rules, here, event, typed)
                assert isinstance(found, Why)
                assert found.legal == here.can(event)
                counted[len(found.reasons)] += 1
                if not found.legal:
                    assert found.code
                    assert found.reasons and all(reason.passages for reason in found.reasons)
    assert counted[1] > 20


def test_a_legal_meld_is_found_exactly_where_the_engine_finds_one_and_is_replayed() -> None:
    counted: Counter[bool] = Counter()
    for name in (*rule_sets(), *HOUSE):
        program, typed = engine(name).program, typed_rules(name)
        random = Random(f"some/{Path(name).stem}")
        for _ in range(4 * LONG):
            here = some_position(some_readings(program, random), random)
            found = legal_meld(here, typed)
            assert not isinstance(found, Undecided)
            assert (found is not None) == bool(here.legal_melds()), (name, here, found)
            counted[found is not None] += 1
    assert min(counted.values()) > 10
