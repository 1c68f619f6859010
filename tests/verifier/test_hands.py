"""Counting and solver agree on what unrecorded hands can have been, in records with gaps of all rule sets.

With CONQUIAN_FULL=1 in the environment many more of them, and of every card.
"""

from __future__ import annotations

import os
from collections import Counter
from functools import cache
from random import Random

import msgspec
import pytest

from conquian.contradictions import contradiction
from conquian.engine.engine import engine
from conquian.engine.hands import Held
from conquian.engine.sets import rule_sets
from conquian.example_deals import example_deal
from conquian.referee import judge_deal
from conquian.verifier.hands import Dealt, Hands
from conquian.verifier.limits import Undecided
from conquian.watching import Watcher
from conquian.worlds import bounds, worlds

from .hiding import Case, cases

FULL = bool(os.environ.get("CONQUIAN_FULL"))
SEEDS = range(8 if FULL else 2)
EDITS = 12 if FULL else 2

met: Counter[str] = Counter()
"""What the tests below have come across."""


@cache
def some(rules: str) -> tuple[Case, ...]:
    """Records of a rule set, fewer of large packs, whose constraints are many."""
    size = engine(rules).pack.size
    seeds = range(max(1, len(SEEDS) * 40 // size))
    return tuple(cases(rules, seeds, max(1, EDITS * 52 // size)))


@pytest.mark.parametrize("rules", rule_sets())
def test_a_record_is_refused_exactly_where_no_deal_fits_it_any_more(rules: str) -> None:
    for case in some(rules):
        setup, legal = case.outcome.setup, case.outcome.legal
        if setup is not None:
            if setup.code == "card-elsewhere" or setup.detail in ("too-often", "contradiction"):
                assert not case.records().fit()
                assert Hands(case.records()).possible() is False
            continue
        # What the order of play and the melds allow is illegal from where the cards do not fit any more.
        found = case.records()
        fitting = next((i for i in range(found.told) if not found.until(i + 1).fit()), found.told)
        assert legal == fitting, case
        hands = Hands(found.until(legal + 1))
        assert hands.possible([x for x in hands.records.items if x != legal]) is True
        met["all"] += 1
        if fitting < found.told:
            assert_needed(case, hands)
            met["cards"] += 1
        elif case.outcome.code in ("not-in-hand", "card-elsewhere", "stock-mismatch"):
            # The event breaks other rules too: what it says of cards is contradictory all the same.
            conflict = contradiction(case.engine, case.players, case.deal, case.first, case.outcome)
            assert conflict is not None and legal in conflict.items, case
            assert Hands(conflict.records).possible(conflict.items) is False
            met["besides"] += 1


def assert_needed(case: Case, hands: Hands) -> None:
    """The named contradiction is one, each part is needed, and the solver knows no smaller one."""
    conflict = contradiction(case.engine, case.players, case.deal, case.first, case.outcome)
    assert conflict is not None, case
    assert hands.possible(conflict.items) is False
    for item in conflict.items:
        assert hands.possible([x for x in conflict.items if x != item]) is True
    by_solver = hands.contradicting()
    assert isinstance(by_solver, tuple)
    assert len(conflict.items) <= len(by_solver)


@pytest.mark.parametrize("rules", rule_sets())
def test_what_a_hand_held_is_the_same_by_counting_and_by_the_solver(rules: str) -> None:
    random = Random(rules)
    for case in some(rules)[:: 1 if FULL else 5]:
        if case.outcome.setup is not None:
            continue
        here = random.randrange(case.outcome.legal + 1)
        for upto in {here, case.outcome.legal}:
            found = list(worlds(case.engine, case.players, case.deal, case.first, here, upto))
            hands = Hands(case.records().until(upto))
            seat = random.randrange(case.engine.seats)
            pack = case.engine.pack
            kinds = range(len(pack.cards)) if FULL else random.sample(range(len(pack.cards)), 5)
            by_solver = hands.bounds(seat, here, kinds)
            assert not isinstance(by_solver, Undecided)
            asked = sum(pack.field_mask << (kind * pack.width) for kind in kinds)
            counted = bounds(case.engine, found, case.seats, seat)
            assert Held(counted.certain & asked, counted.possible & asked) == by_solver, (
                case,
                here,
                upto,
                seat,
            )
            met["moments"] += 1


@pytest.mark.parametrize("rules", rule_sets())
def test_a_watcher_knows_after_every_event_what_the_record_so_far_says(rules: str) -> None:
    for case in some(rules):
        if case.outcome.setup is not None:
            continue
        watcher = Watcher(case.engine, case.players, case.deal, case.first)
        for i, event in enumerate(case.deal.events):
            if i % 6 == case.first:
                ways = list(worlds(case.engine, case.players, case.deal, case.first, i, i))
                seats = range(case.engine.seats)
                assert watcher.hands() == [bounds(case.engine, ways, case.seats, seat) for seat in seats]
            assert watcher.see(event) == (i < case.outcome.legal)
            if i == case.outcome.legal:
                break


@pytest.mark.parametrize("rules", rule_sets())
def test_every_legal_record_has_an_example_deal_that_the_engine_judges_alike(rules: str) -> None:
    met["sets"] += 1
    for case in some(rules):
        found = example_deal(case.engine, case.players, case.deal, case.first, case.outcome)
        assert (found is None) == (case.outcome.kind == "invalid")
        if found is not None:
            met["examples"] += 1
            cards = [*found.stock, *([found.starter] if found.starter else [])]
            cards += [card for hand in found.hands.values() for card in hand]
            pack = case.engine.pack
            assert pack.packed(cards) == pack.everything
            assert_fits(case, found.hands, found.stock)


@pytest.mark.parametrize("rules", rule_sets())
def test_a_deal_that_the_solver_finds_is_judged_by_the_engine_as_the_record_is(rules: str) -> None:
    for case in some(rules)[:: 1 if FULL else 6]:
        if case.outcome.setup is not None or case.deal.deck:
            continue
        dealt = Hands(case.records().until(case.outcome.legal)).example()
        assert isinstance(dealt, Dealt)
        names = case.engine.pack.cards
        left = Counter(names * case.engine.pack.copies)
        left.subtract(names[k] for hand in (*dealt.hands, tuple(dealt.stock.values())) for k in hand)
        left.subtract([] if dealt.starter is None else [names[dealt.starter]])
        assert min(left.values()) >= 0
        rest = left.elements()
        size = left.total() + len(dealt.stock)
        gifts = iter(dealt.gifts)
        events = [list(e) for e in case.deal.events[: case.outcome.legal]]
        for event in events:
            if event[1] == "gives":
                event[2] = names[next(gifts)]
        whole = msgspec.structs.replace(
            case.deal,
            hands={
                p: tuple(names[k] for k in hand) for p, hand in zip(case.players, dealt.hands, strict=True)
            },
            starter=None if dealt.starter is None else names[dealt.starter],
            stock=tuple(names[dealt.stock[i]] if i in dealt.stock else next(rest) for i in range(size)),
            events=tuple(map(tuple, events)),
            claim=None,
        )
        again = judge_deal(case.engine, case.players, whole, case.first)
        assert (again.code, again.legal) == (None, case.outcome.legal), (case, whole)


def assert_fits(case: Case, hands: dict[str, tuple[str, ...]], stock: tuple[str, ...]) -> None:
    """The recorded cards are where the example deal has them."""
    for name, said in (case.deal.hands or {}).items():
        assert not Counter(str(c) for c in said or () if c != "?") - Counter(hands[name])
    for said_card, card in zip(case.deal.stock or (), stock, strict=False):
        assert said_card in ("?", card)


def test_the_records_above_are_of_every_kind() -> None:
    if met["sets"] < len(rule_sets()):
        pytest.skip("only some of the tests above were run")
    assert (
        met["all"] > 80
        and met["cards"] > 15
        and met["besides"]
        and met["examples"] > 30
        and met["moments"] > 20
    ), met
