"""The cards that a refusal needs, and what of a demand holds as it stands: the quick ways say what the plain ones do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from conquian.engine.engine import engine
from conquian.engine.pack import bits
from conquian.engine.play import Event
from conquian.engine.sets import rule_sets
from conquian.language.build import load as typed_rules
from conquian.verifier import forced
from conquian.verifier.events import Asked, asked_out_of_order
from conquian.verifier.grounds import Fact, Pair
from conquian.verifier.limits import BUDGET
from conquian.verifier.solver import Solver
from conquian.verifier.why import needed

from .acts import some_acts, some_position, some_readings
from .test_legality import HOUSE


def questions(what: str, count: int) -> Iterator[tuple[Asked, tuple[str, ...]]]:
    """Events in random positions of every rule set as questions, with the cards of the pack."""
    for name in (*rule_sets(), *HOUSE):
        program, typed = engine(name).program, typed_rules(name)
        random = Random(f"{what}/{Path(name).stem}")
        for _ in range(count):
            here = some_position(some_readings(program, random), random, demanded=False)
            passed = ("me", "passes")
            there = here.apply(passed) if random.random() < 0.5 and here.can(passed) else here
            events: list[Event] = [("other1", "forces"), ("me", "discards", random.choice(program.cards))]
            for event in (*events, *some_acts(here, random, 1)):
                yield asked_out_of_order(there, event, typed), here.rules.engine.pack.cards


def plainly_needed(asked: Asked, chosen: Sequence[Pair], cards: Sequence[str]) -> tuple[str, ...]:
    """Each fact left out in turn, a question for each; the facts come in the order in which `needed` says they do."""
    question = asked.question
    solver, lying, names = question.solver, question.words.lying, question.words.circuits.names
    clauses = [circuit for _, circuit in chosen]
    kept = list(question.facts)
    for fact in sorted(kept, key=lambda x: (x > 0, abs(x) not in lying, names.get(abs(x), ""))):
        rest = [x for x in kept if x != fact]
        if solver.can([*rest, *clauses]) is False:
            kept = rest
    kinds = {
        (card.bit_length() - 1) // question.words.pack.copies
        for x in kept
        if x in lying
        for card in bits(lying[x][1])
    }
    listed = [
        cards.index(c) for ground, _ in chosen if isinstance(ground, Fact) for c in ground.cards if c in cards
    ]
    return tuple(cards[kind] for kind in sorted([*kinds, *listed]))


def test_the_cards_found_with_cores_are_those_found_by_leaving_out_each_fact() -> None:
    compared, some = 0, 0
    for asked, cards in questions("needed", 2):
        question = asked.question
        for size in (1, 2):
            chosen = next(
                (
                    pairs
                    for pairs in combinations(question.clauses, size)
                    if question.solver.can([*question.facts, *(x for _, x in pairs)]) is False
                ),
                None,
            )
            if chosen is None:
                continue
            found = needed(question, chosen, cards)
            assert found == plainly_needed(asked, chosen, cards), [ground.name for ground, _ in chosen]
            compared, some = compared + 1, some + bool(found)
            break
    assert compared > 60 and some > 30, (compared, some)


def test_the_cards_are_found_with_fewer_questions_than_there_are_facts() -> None:
    before, after = 0, 0
    for asked, cards in questions("fewer", 1):
        question, facts = asked.question, asked.question.facts
        forbidding = [pair for pair in question.clauses if question.solver.can([*facts, pair[1]]) is False]
        if forbidding:
            small = Solver(question.solver.circuits)
            needed(question, forbidding[:1], cards, small)
            before, after = before + len(facts), after + small.asked
    assert 0 < after < before / 2, (before, after)


def test_what_stands_against_a_demand_leaves_out_nothing_that_the_solver_finds() -> None:
    met: Counter[str] = Counter()
    for asked, _ in questions("standing", 2):
        question, failing = asked.question, forced._standing(asked)
        if failing is None:
            met["not as the facts say"] += 1
            continue
        for size in range(3):
            for pairs in combinations(question.clauses, size):
                if failing.isdisjoint(ground.name for ground, _ in pairs):
                    assert question.solver.can([*question.facts, *(x for _, x in pairs)]) is True
                    met["shown"] += 1
    assert met["shown"] > 300, met


def test_a_demand_that_facts_alone_rule_out_is_asked_of_the_solver_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without a model at hand the smallest sets are asked about one by one, and the answer is the same."""
    for asked, _ in questions("alike", 1):
        names = [ground.name for ground, _ in asked.question.clauses]
        if asked.again.legal(frozenset()):
            continue
        quick = forced._fewest([asked], names, BUDGET)
        with monkeypatch.context() as patched:
            patched.setattr(forced, "_standing", lambda _: None)
            assert forced._fewest([asked], names, BUDGET) == quick
