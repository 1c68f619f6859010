"""The second referee gives the published answers."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest

from .edits import mutants, one_edit_mutations
from .melds import laid_out
from .randomplay import random_game
from .referee import judge, states
from .search import forceable, legal_tables, onto, outs, winning_tables
from .settings import RULE_SETS, settings_for

SAMPLES = Path(__file__).parent.parent / "data" / "samples"


def read(name: str) -> list[dict[str, Any]]:
    with (SAMPLES / name).open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


@pytest.mark.parametrize("line", range(len(read("games.jsonl"))))
def test_the_sample_games_get_their_verdicts(line: int) -> None:
    sample = read("games.jsonl")[line]
    assert [ruling.expected_form() for ruling in judge(sample["game"])] == sample["expect"]


@pytest.mark.parametrize("sample", read("positions.jsonl"), ids=lambda sample: sample["id"])
def test_the_sample_positions_get_their_answers(sample: dict[str, Any]) -> None:
    case, expect = sample["case"], sample["expect"]
    settings = settings_for(case["rules"], case.get("readings"))
    table = laid_out(case["table"], settings)
    up, hand = case["up"], case["hand"]
    assert forceable(settings, table, up) == expect["forceable"]
    assert sorted(list(meld) for meld in onto(settings, table, up)) == sorted(expect["onto"])
    assert len(legal_tables(settings, table, up, hand)) == expect["melds"]
    assert bool(winning_tables(settings, table, up, hand)) == expect["wins"]
    assert sorted(outs(settings, table, hand)) == sorted(expect["outs"])


EXAMPLE: dict[str, Any] = {
    "rules": "swedish",
    "players": ["Ana", "Ben"],
    "dealer": "Ben",
    "deals": [
        {
            "number": 1,
            "hands": {"Ana": ["Jh", "Jd", "6c", "7c", "3d", "4d", "Ks", "As", "2h", "6s"], "Ben": []},
            "events": [
                ["Ana", "turns", "5c"],
                ["Ana", "melds", [["5c", "6c", "7c"]]],
                ["Ana", "discards", "Ks"],
                ["Ben", "passes"],
                ["Ben", "turns", "2d"],
                ["Ben", "passes"],
                ["Ana", "melds", [["2d", "3d", "4d"]]],
                ["Ana", "discards", "As"],
                ["Ben", "passes"],
                ["Ben", "turns", "Jc"],
                ["Ben", "passes"],
                ["Ben", "forces"],
                ["Ana", "melds", [["5c", "6c", "7c", "Jc"]]],
                ["Ana", "discards", "2h"],
            ],
        }
    ],
}


def first_code(
    events: list[list[Any]], readings: dict[str, str] | None = None, base: dict[str, Any] = EXAMPLE
) -> tuple[str | None, int | None]:
    game = deepcopy(base)
    game["deals"][0]["events"] = events
    ruling = judge(game, None, readings)[0]
    return ruling.code, ruling.event


def test_the_passer_demands_of_the_next_holder_where_demands_come_on_offer() -> None:
    events = EXAMPLE["deals"][0]["events"]
    assert judge(EXAMPLE)[0].verdict == "unfinished"
    assert first_code(events, {"force-timing": "on-decline"}) == ("no-force-due", 11)
    assert first_code(events, {"force-timing": "none"}) == ("no-force-due", 11)


def test_a_forced_player_may_do_nothing_but_meld() -> None:
    events = EXAMPLE["deals"][0]["events"][:12]
    assert first_code([*events, ["Ana", "passes"]]) == ("forced", 12)
    assert first_code([*events, ["Ana", "arranges", []]], {"arranging": "alone"}) == ("forced", 12)
    assert first_code([*events, ["Ben", "turns", "Kd"]]) == ("not-your-turn", 12)
    assert first_code([*events, ["Ben", "forces"]]) == ("no-force-due", 12)
    # Three jacks of which one was to extend the run: the demand is dodged.
    assert first_code([*events, ["Ana", "melds", [["Jc", "Jd", "Jh"]]]]) == ("forced", 12)
    anywhere = {"force-discharge": "anywhere"}
    assert first_code([*events, ["Ana", "melds", [["Jc", "Jd", "Jh"]]]], anywhere) == (None, None)


def test_a_named_demand_names_the_offer_and_a_meld_it_fits() -> None:
    events = EXAMPLE["deals"][0]["events"][:11]
    assert first_code([*events, ["Ben", "forces", "Jc", ["7c", "5c", "6c"]]]) == (None, None)
    assert first_code([*events, ["Ben", "forces", "Jc", ["2d", "3d", "4d"]]]) == ("no-force-due", 11)
    assert first_code([*events, ["Ben", "forces", "Jd", ["5c", "6c", "7c"]]]) == ("no-force-due", 11)


def test_an_unknown_card_is_refused_only_when_it_cannot_be() -> None:
    events = EXAMPLE["deals"][0]["events"][:4]
    assert first_code([*events, ["Ben", "turns", "Jh"]]) == ("card-elsewhere", 4)
    assert first_code([*events, ["Ben", "turns", "Ks"]]) == ("card-elsewhere", 4)
    turned = [*events, ["Ben", "turns", "Kd"]]
    assert first_code([*turned, ["Ben", "melds", [["Kc", "Kd", "Kh"]]]]) == (None, None)
    assert first_code([*turned, ["Ben", "melds", [["Ks", "Kd", "Kh"]]]]) == ("not-in-hand", 5)


def test_a_hidden_gift_is_any_card_that_fits() -> None:
    hands = {"Ana": ["Ac", "2c", "3c", "4c", "5c", "6c", "7c", "Jc"], "Ben": []}
    game = {**EXAMPLE, "rules": "mexican", "deals": [{"number": 1, "hands": hands}]}
    gifts = [["Ana", "gives", "?", "Ben"], ["Ben", "gives", "?", "Ana"], ["Ana", "turns", "Qc"]]
    melds = ["Ana", "melds", [["Jc", "Qc", "Kc"]]]
    assert first_code([*gifts, melds], base=game) == (None, None)
    assert first_code([*gifts, ["Ana", "melds", [["Qc", "Qd", "Qh"]]]], base=game) == ("not-in-hand", 3)
    # Ben got one of Ana's cards, but not two of them.
    passed = [*gifts, ["Ana", "passes"]]
    assert first_code([*passed, ["Ben", "melds", [["Jc", "Qc", "Kc"]]]], base=game) == (None, None)
    assert first_code([*passed, ["Ben", "melds", [["7c", "Jc", "Qc"]]]], base=game) == ("not-in-hand", 4)
    # If Ben melds with the jack, it was the gift: Ana cannot have it.
    then = [["Ben", "discards", "2d"], ["Ana", "passes"], ["Ana", "turns", "Qd"], ["Ana", "passes"]]
    then += [["Ben", "passes"], ["Ben", "turns", "Js"], ["Ben", "passes"]]
    both: list[list[Any]] = [
        *passed,
        ["Ben", "melds", [["Jc", "Qc", "Kc"]]],
        *then,
        ["Ana", "melds", [["Jc", "Jd", "Js"]]],
    ]
    assert first_code(both, base=game) == ("not-in-hand", 12)


def test_after_the_demand_of_the_worked_example_each_ace_kept_needs_another_card() -> None:
    table = [["3c", "3d", "3h", "3s"], ["6h", "7h", "Jh", "Qh", "Kh"]]
    for readings, with_hearts, with_diamonds in (({}, [], []), ({"new-meld": "any"}, ["2h"], ["2d"])):
        settings = settings_for("swedish", readings)
        assert outs(settings, laid_out(table, settings), ["Ah"]) == with_hearts
        assert outs(settings, laid_out(table, settings), ["Ad"]) == with_diamonds


def test_a_card_that_fits_only_by_rearranging() -> None:
    table = [["3c", "3d", "3h", "3s"], ["4c", "5c", "6c"]]
    wide = settings_for("classic", {"force-scope": "rearrangement"})
    assert not forceable(settings_for("classic"), laid_out(table, wide), "2c")
    assert forceable(wide, laid_out(table, wide), "2c")


@pytest.mark.parametrize("rules", sorted(RULE_SETS))
def test_random_games_are_legal_and_stay_so_with_hands_unrecorded(rules: str) -> None:
    for seed in range(2):
        game = random_game(rules, {}, seed)
        known = judge(game)
        assert all(ruling.code is None for ruling in known)
        for mutant in one_edit_mutations(game, Random(seed)):
            rulings = judge(mutant)
            if mutant["tags"]["edit"] in ("hand_cards_hidden", "hand_cards_left_out", "melds_listed_whole"):
                assert [r.expected_form() for r in rulings] == [r.expected_form() for r in known]
        for mutant in mutants(game, Random(seed), 3):
            assert judge(mutant)


@pytest.mark.parametrize("rules", sorted(RULE_SETS))
def test_every_card_is_in_one_place(rules: str) -> None:
    game = random_game(rules, {}, 7)
    pack = sorted(settings_for(rules).deck() * settings_for(rules).packs)
    for state in states(game):
        seats = range(len(state.players))
        cards = [card for seat in seats for card in state.hand(seat) or []]
        cards += [card for table in state.tables for meld in table for card in meld]
        cards += [*state.refused, *([state.card] if state.card else [])]
        assert len(cards) + state.stock_left() == len(pack)
        assert not set(cards) - set(pack)
        assert all(cards.count(card) <= pack.count(card) for card in set(cards))


@pytest.mark.parametrize("rules", sorted(RULE_SETS))
def test_the_committed_counts_still_hold(rules: str) -> None:
    settings = settings_for(rules)
    lines = (SAMPLES.parent / "perft" / f"{rules}.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 50
    for line in lines[::10]:
        wanted = json.loads(line)
        table = laid_out(wanted["table"], settings)
        assert len(legal_tables(settings, table, wanted["up"], wanted["hand"])) == wanted["melds"]
        assert outs(settings, table, wanted["hand"]) == wanted["outs"]
