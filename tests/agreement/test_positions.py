"""What a position allows, counted: against the committed counts and against the second referee's search."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from conquian import BadPosition, Position, load
from conquian.engine.sets import rule_sets

DATA = Path(__file__).parent.parent / "data"
Line = dict[str, Any]


def lines(path: Path) -> list[Line]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def position(case: Line, up: str) -> Position:
    rules = load(case["rules"], case.get("readings") or {})
    return rules.position(
        up=up,
        table=case["table"],
        hand=case["hand"],
        opponent_table=case.get("opponent_table") or (),
        turned_by=case.get("turned_by"),
    )


def forceable(case: Line) -> bool:
    """Whether an opponent may demand, at once or when the card is passed."""
    offered = position(case, case["up"])
    if offered.can(("opponent", "forces")):
        return True
    passed = offered.apply(("me", "passes"))
    return passed.can(("opponent", "forces"))


def onto(case: Line) -> list[list[str]]:
    """The melds that the card extends as they lie, under the demand that the readings allow."""
    of = load(case["rules"], {**(case.get("readings") or {}), "force-timing": "on-offer"})
    here = of.position(up=case["up"], table=case["table"], hand=case["hand"])
    return [m for m in case["table"] if here.can(("opponent", "forces", case["up"], tuple(m)))]


def outs(case: Line) -> list[str]:
    """Every card of which the deck has a copy left, that wins at once when it is put on offer."""
    found = []
    for card in load(case["rules"]).engine.pack.cards:
        try:
            here = position(case, card)
        except BadPosition:
            continue
        if here.winning_melds():
            found.append(card)
    return found


def check(case: Line, expect: Line) -> None:
    here = position(case, case["up"])
    assert len(here.legal_melds()) == expect["melds"]
    assert bool(here.winning_melds()) == expect["wins"]
    assert forceable(case) == expect["forceable"]
    assert sorted(onto(case)) == sorted(expect["onto"])
    assert sorted(outs(case)) == sorted(expect["outs"])


@pytest.mark.parametrize("sample", lines(DATA / "samples" / "positions.jsonl"), ids=lambda line: line["id"])
def test_the_sample_positions_get_their_answers(sample: Line) -> None:
    check(sample["case"], sample["expect"])


@pytest.mark.parametrize("rules", rule_sets())
def test_perft_every_committed_count_of_legal_melds_wins_outs_and_demands(rules: str) -> None:
    counted = lines(DATA / "perft" / f"{rules}.jsonl")
    assert len(counted) == 50
    for line in counted:
        check(line, line)


@pytest.mark.parametrize("rules", rule_sets())
def test_a_listed_meld_is_legal_and_leaves_the_table_that_was_listed(rules: str) -> None:
    for line in lines(DATA / "perft" / f"{rules}.jsonl")[:20]:
        here = position(line, line["up"])
        assert len(set(here.legal_melds())) == len(here.legal_melds())
        for table in here.legal_melds():
            after = here.apply(("me", "melds", table))
            assert after.table("me") == table
            assert cards_of(table) == cards_of(line["table"]) + cards_of([[line["up"]]]) + used(line, after)


def cards_of(melds: Sequence[Sequence[str]]) -> Counter[str]:
    return Counter(card for meld in melds for card in meld)


def used(line: Line, after: Position) -> Counter[str]:
    known, unknown = after.hand("me")
    assert unknown == 0
    hand: list[str] = line["hand"]
    return Counter(hand) - Counter(known)
