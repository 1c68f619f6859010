"""Exported questions put to a second solver, cvc5: it reads them as they are and finds the same answers.

CONQUIAN_FULL=1 in the environment asks some hundreds of questions of each kind; without it, of all kinds together.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from conquian.engine.engine import engine
from conquian.engine.sets import rule_sets
from conquian.position import Position, Rules
from conquian.verifier.claims import demand_script, event_script, layout_script, some_meld_script
from conquian.verifier.scripts import Script
from conquian.verifier.second import BadScript, checked, commands, second_solver
from tests.certificates.sets import typed_rules
from tests.verifier.acts import some_acts, some_position, some_readings
from tests.verifier.test_legality import HOUSE

TIMES = 8 if os.environ.get("CONQUIAN_FULL") else 1
NAMES = (*rule_sets(), *HOUSE)


def positions(kind: str, each: int) -> Iterator[tuple[str, Position, Random]]:
    for name in NAMES:
        random = Random(f"second/{kind}/{Path(name).stem}")
        for _ in range(each * TIMES):
            of = some_readings(engine(name).program, random)
            yield name, some_position(of, random, demanded=kind == "legal"), random


def same(scripts: Iterator[Script | None], wanted: int) -> None:
    """The second solver finds what Z3 found and the engine claims."""
    second = second_solver()
    assert second is not None and second.name == "cvc5"
    counted: Counter[str] = Counter()
    for script in scripts:
        if script is not None:
            assert second.answer(script.text) == script.expected, script.name
            counted[script.expected] += 1
    assert counted.total() >= wanted * TIMES, counted
    assert set(counted) == {"sat", "unsat"} and min(counted.values()) >= counted.total() / 10, counted


def test_whether_a_meld_is_legal() -> None:
    def scripts() -> Iterator[Script | None]:
        for name, here, random in positions("legal", 2):
            for event in some_acts(here, random, 2):
                yield event_script("legal", here, event, here.can(event), typed_rules(name))

    same(scripts(), 60)


def test_whether_a_card_can_be_forced() -> None:
    def scripts() -> Iterator[Script | None]:
        for name, here, random in positions("force", 8):
            pass_ = ("me", "passes")
            for there in (here, *([here.apply(pass_)] if here.can(pass_) else [])):
                event = (there.players[there.rules.engine.opponents[0]], "forces")
                if not there.can(event) and random.random() < 0.8:  # most cards do not fit
                    continue
                yield demand_script("force", there, event, there.can(event), typed_rules(name))

    same(scripts(), 60)


def test_whether_any_meld_is_legal() -> None:
    def scripts() -> Iterator[Script | None]:
        for name, here, _ in positions("some", 1):
            if here.rules.engine.pack.copies == 1 or TIMES > 1:
                yield some_meld_script("melds", here, bool(here.legal_melds()), typed_rules(name))

    same(scripts(), 15)


def test_whether_cards_can_be_laid_out() -> None:
    def scripts() -> Iterator[Script | None]:
        for name in rule_sets():
            rules = Rules(engine(name))
            random, pack = Random(f"second/layout/{name}"), rules.engine.pack
            if TIMES == 1 and name not in ("swedish", "coonking", "classic-52", "two-deck"):
                continue
            melds = sorted(rules.engine.melds.packed)
            here = rules.position()
            for _ in range(10 * TIMES):
                cards = 0
                for meld in random.sample(melds, 3):
                    cards += meld if pack.contains(pack.minus(pack.everything, cards), meld) else 0
                if random.random() < 0.5:
                    cards -= pack.unit[random.choice(pack.names(cards))]
                yield layout_script("layout", here, pack.names(cards), rules.engine.melds.layable(cards))

    same(scripts(), 30)


# ---- what is no question


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "names its logic"),
        ("(set-logic QF_UF)", "`(check-sat)` once"),
        ("(set-logic QF_UF)(check-sat)(check-sat)", "`(check-sat)` once"),
        ('(set-logic QF_UF)(set-option :regular-output-channel "x")(check-sat)', "`set-option`"),
        ("(set-logic QF_UF)(get-model)(check-sat)", "`get-model`"),
        ("(set-logic QF_UF)(check-sat", "does not end"),
        ("(set-logic QF_UF) check-sat", "outside of any command"),
        ("(set-logic QF_UF)(check-sat))", "outside of any command"),
    ],
)
def test_a_script_that_does_more_than_ask_is_not_run(text: str, told: str) -> None:
    with pytest.raises(BadScript, match=told.replace("(", r"\(").replace(")", r"\)")):
        checked(text)


def test_a_script_that_the_second_solver_cannot_read_is_no_answer() -> None:
    second = second_solver()
    assert second is not None
    for text in (
        "(set-logic QF_UF)(assert x)(check-sat)",
        "(set-logic NO)(declare-const x Bool)(assert 1)(check-sat)",
    ):
        with pytest.raises(BadScript, match="cvc5"):
            second.answer(text)


def test_strings_and_comments_hide_no_command() -> None:
    assert list(commands('(set-info :a "(exit)") ; (exit)\n(assert |(exit)|)')) == ["set-info", "assert"]
