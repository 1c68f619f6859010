"""The tables that a card can leave, found with what other searches remember: against the plain search, and by hand."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from conquian import load
from conquian.engine import reach as reaching
from conquian.engine.melds import Layout, Melds
from conquian.engine.reach import NEVER, Reach
from conquian.engine.sets import rule_sets
from conquian.language.build import compile_text
from conquian.language.clauses import Wins
from conquian.language.settled import size_alone
from conquian.outs import Budget, cards_that_win, winning_cards, winning_pairs
from conquian.position import Position
from tests.house_rules.players import engine_of_text

PERFT = Path(__file__).parent.parent / "data" / "perft"
HOUSE_RULES = Path(__file__).parent.parent / "house_rules"


def positions(rules: str, count: int) -> Iterator[Position]:
    loaded = load(rules)
    for text in (PERFT / f"{rules}.jsonl").read_text("utf-8").splitlines()[:count]:
        line: Any = json.loads(text)
        yield loaded.position(up=line["up"], table=line["table"], hand=line["hand"])


def plainly(melds: Melds, table: int, offer: int, hand: int) -> list[Layout]:
    return list(islice(melds.acts(table, offer, hand), 2_000))


@pytest.mark.parametrize("rules", rule_sets())
def test_layouts_are_those_of_the_plain_search_that_are_large_enough(rules: str) -> None:
    engine = load(rules).engine
    pack, goal, reach = engine.pack, engine.program.goal, Reach(engine.melds)
    met = 0
    for here in positions(rules, 25):
        table, hand = sum(here.state.tables[0]), here.state.hands[0]
        free = (card for card in pack.unit.values() if pack.contains(pack.everything - table - hand, card))
        for offer in islice(free, 0, None, 3):
            found = plainly(engine.melds, table, offer, hand)
            sizes = [pack.count(sum(layout)) for layout in found]
            for least in (0, goal):
                wanted = sorted(x for x, size in zip(found, sizes, strict=True) if size >= least)
                assert list(reach.layouts(table, offer, hand, least)) == wanted
                assert reach.completed(table, offer, hand, least) == bool(wanted)
            assert reach.most(table + offer, hand) == max(sizes, default=NEVER)
            met += len(found)
    assert reach.ordered
    assert met >= 25


def test_a_run_reaches_as_far_as_its_cards() -> None:
    engine = load("swedish").engine
    packed, reach = engine.pack.packed, Reach(engine.melds)
    table, hand = packed(["5h", "6h", "7h"]), packed(["Jh", "Kh", "2c"])
    assert reach.most(table, hand) == 4
    assert reach.most(table + packed(["Qh"]), hand) == 6
    assert reach.most(table + packed(["2d"]), hand) == NEVER
    whole, halves = ["5h 6h 7h Jh Qh Kh"], ["5h 6h 7h", "Jh Qh Kh"]
    for least, wanted in ((5, [["5h 6h 7h Jh Qh"], whole, halves]), (6, [whole, halves]), (7, [])):
        found = reach.layouts(table, packed(["Qh"]), hand, least)
        named = [sorted(" ".join(engine.pack.names(meld)) for meld in layout) for layout in found]
        assert sorted(named) == sorted(wanted)


@pytest.mark.parametrize("rules", ["swedish", "paco"])
def test_too_many_layouts_to_sort_change_no_answer(rules: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def answers() -> list[object]:
        return [
            (winning_cards(here.rules.engine, here.state, 0, Budget()), pairs(here))
            for here in positions(rules, 8)
        ]

    def pairs(here: Position) -> object:
        return list(islice(winning_pairs(here.rules.engine, here.state, 0, Budget()), 10))

    wanted = answers()
    monkeypatch.setattr(reaching, "MANY", 0)
    assert answers() == wanted
    monkeypatch.setattr(reaching, "KEPT", 0)
    monkeypatch.setattr(reaching, "MANY", 1_000)
    assert answers() == wanted
    monkeypatch.setattr(reaching, "LIMIT", 0)
    assert answers() == wanted


@pytest.mark.parametrize("rules", rule_sets())
def test_yes_or_no_is_the_answer_that_the_tables_give(rules: str) -> None:
    won = 0
    for here in positions(rules, 50):
        engine, state = here.rules.engine, here.state
        found = winning_cards(engine, state, 0, Budget())
        assert list(cards_that_win(engine, state, 0, Budget())) == list(found)
        but = set(list(found)[:1])
        assert set(cards_that_win(engine, state, 0, Budget(), but=but)) == found.keys() - but
        won += len(found)
    assert won


@pytest.mark.parametrize("rules", rule_sets())
def test_no_meld_wins_with_fewer_cards_than_the_goal(rules: str) -> None:
    program = load(rules).engine.program
    assert program.least_to_win == program.goal


HEAD = 'ruleset club "A club"\nextends classic\nsource club "A club" in "club.txt"\n'


@pytest.mark.parametrize(
    ("when", "least"),
    [
        ("hand is empty and size(cards(after)) >= goal", 11),
        ("hand is empty", 0),
        ("size(cards(after)) > 8 or hand is empty and size(cards(after)) = 7", 7),
        ("not size(cards(after)) < 9 and size(cards(after)) != 9", 10),
    ],
)
def test_the_fewest_cards_that_can_win_are_read_off_the_clause(when: str, least: int) -> None:
    text = f'{HEAD} override clause winning "It wins." cite club.1 player wins when {when}'
    assert engine_of_text(text).program.least_to_win == least


def test_a_condition_that_asks_for_more_is_decided_where_the_size_alone_does() -> None:
    text = (HOUSE_RULES / "empty-hand.rules").read_text("utf-8")
    rules, _ = compile_text(text, "empty-hand.rules")
    assert rules is not None
    wins = rules.only(Wins).when
    assert [size_alone(wins, size, 9) for size in (8, 9, 10)] == [False, None, None]
