"""Exported questions put to a second solver, cvc5: it reads them as they are and finds the same answers.

CONQUIAN_FULL=1 in the environment asks some hundreds of questions of each kind; without it, of all kinds together.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from conquian.differing import named
from conquian.engine.engine import engine
from conquian.engine.sets import rule_sets
from conquian.position import Position, Rules, load
from conquian.verifier.claims import demand_script, event_script, layout_script, some_meld_script
from conquian.verifier.difference_asking import Comparison
from conquian.verifier.difference_scripts import Proof, answered, proofs
from conquian.verifier.difference_wanted import Query
from conquian.verifier.joint import joint
from conquian.verifier.proofs.report import answers
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
        # Where Z3 gave up nothing is claimed, and what the other one finds contradicts nothing.
        if script is not None and script.expected != "unknown":
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


PAIRS = [
    ("swedish", "swedish?force-scope=rearrangement"),
    ("classic", "classic-52"),
    ("coonking", "paco"),
    ("classic", "mexican"),
    ("swedish", "twice-around"),
    ("two-deck", "navajo-tens"),
    ("discard-then-meld", "mexican"),
    ("classic-52", "partnership"),
]


def test_where_two_rule_sets_part_in_any_position() -> None:
    """As they are, and of positions that play can make, so that solvers answer more than a hundred of each."""

    def scripts() -> Iterator[Script | None]:
        for one, other in PAIRS if TIMES > 1 else PAIRS[:1]:
            a, b = named(one), named(other)
            comparison = Comparison(joint(a.rules, b.rules, a.typed, b.typed))
            made = proofs(comparison)
            whole = [
                replace(x, questions=(pair,), queries=(asked,)) for x in made for pair, asked in _each(x)
            ]
            yield from answered(comparison, whole, set())
            if TIMES > 1:
                turned = [
                    replace(x, questions=(x.questions[0][::-1],), queries=(x.queries[0][::-1],))
                    for x in whole
                ]
                yield from answered(comparison, turned, set())

    same(scripts(), 4 if TIMES == 1 else 25)


def _each(proof: Proof) -> Iterator[tuple[tuple[Script, Script], tuple[Query, Query]]]:
    yield from zip(proof.questions, proof.queries, strict=True)


def test_what_rule_sets_claim_of_every_position() -> None:
    def scripts() -> Iterator[Script | None]:
        names = rule_sets() if TIMES > 1 else ["coonking"]
        for name in names:
            rules = load(name)
            for one, result in answers(typed_rules(name), rules.engine).results:
                for number, query in enumerate(result.queries):
                    if TIMES > 1 or number % 4 == 0:
                        yield Script(f"{name}, {one.name}: {query.name}", query.script, query.answer)

    same(scripts(), 6 if TIMES == 1 else 25)


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
