"""`conquian outs`: the cards that win at once, and the pairs that win in turn."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from conquian import load
from conquian.engine.sets import rule_sets
from conquian.outs import Budget, Undecided, winning_cards, winning_pairs
from tests.reference.search import all_cards, legal_tables, winning_tables
from tests.reference.settings import Settings, settings_for

from .asking import document, melds, told

DATA = Path(__file__).parent.parent / "data"
TABLE = (("3c", "3d", "3h", "3s"), ("6h", "7h", "Jh", "Qh"))
FORCED = (TABLE[0], ("6h", "7h", "Jh", "Qh", "Kh"))


def lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_each_card_that_wins_at_once_has_a_layout() -> None:
    asked = ("outs", "--rules", "swedish", "--table", melds(TABLE), "--hand", "Ah Ad")
    assert document(*asked) == {
        "outs": [
            {
                "card": "Ac",
                "layout": [["Ac", "Ad", "Ah"], ["3c", "3d", "3h", "3s"], ["6h", "7h", "Jh", "Qh"]],
            },
            {
                "card": "As",
                "layout": [["Ad", "Ah", "As"], ["3c", "3d", "3h", "3s"], ["6h", "7h", "Jh", "Qh"]],
            },
        ]
    }
    assert told(*asked) == (
        0,
        "Ac wins: Ac Ad Ah, 3c 3d 3h 3s, 6h 7h Jh Qh\nAs wins: Ad Ah As, 3c 3d 3h 3s, 6h 7h Jh Qh\n",
    )


def test_a_card_on_offer_is_tried_like_any_other() -> None:
    asked = ("outs", "--rules", "swedish", "--table", melds(TABLE), "--hand", "Ah Ad")
    assert document(*asked, "--up", "As") == document(*asked, "--up", "Kh") == document(*asked)


@pytest.mark.parametrize("rules", rule_sets())
def test_it_finds_what_trying_everything_finds(rules: str) -> None:
    for line in lines(DATA / "perft" / f"{rules}.jsonl")[:25]:
        here = load(rules).position(table=line["table"], hand=line["hand"])
        found = winning_cards(here.rules.engine, here.state, 0, Budget())
        assert list(found) == line["outs"]


@pytest.mark.parametrize("sample", lines(DATA / "samples" / "positions.jsonl"), ids=lambda line: line["id"])
def test_the_sample_positions(sample: Any) -> None:
    case = sample["case"]
    here = load(case["rules"], case.get("readings")).position(
        table=case["table"], hand=case["hand"], opponent_table=case.get("opponent_table") or ()
    )
    assert sorted(winning_cards(here.rules.engine, here.state, 0, Budget())) == sorted(
        sample["expect"]["outs"]
    )


def test_in_the_worked_example_only_the_five_and_then_the_four_win_after_the_demand() -> None:
    for kept in ("Ah", "Ad"):
        asked = ("outs", "--rules", "swedish", "--table", melds(FORCED), "--hand", kept, "--depth", "2")
        (pair,) = document(*asked)["pairs"]
        assert (pair["first"], pair["then"], pair["discard"]) == ("5h", "4h", kept)
        assert [sum(map(len, layout)) for layout in pair["layouts"]] == [10, 11]
        assert document(*asked[:-2])["outs"] == []
        other = document("outs", "--rules", "swedish", "--reading", "new-meld=any", *asked[3:-2])["outs"]
        assert [out["card"] for out in other] == [{"Ah": "2h", "Ad": "2d"}[kept]]


def tried(settings: Settings, table: Any, hand: list[str]) -> set[tuple[str, str]]:
    """The pairs by brute force: every first card, every table, every discard, every second card."""
    found = set()
    seen = all_cards(table) + all_cards([tuple(hand)])
    for first in settings.deck():
        if seen[first] >= settings.packs or winning_tables(settings, table, first, hand):
            continue
        for after in legal_tables(settings, table, first, hand):
            left = list(
                (
                    all_cards([tuple(hand)]) + all_cards(table) + all_cards([(first,)]) - all_cards(after)
                ).elements()
            )
            throws = [None] if settings.discard_after_meld == "no" else sorted(set(left))
            for thrown in throws:
                kept = list(left)
                if thrown is not None:
                    kept.remove(thrown)
                known = all_cards(after) + all_cards([tuple(left)])
                for second in settings.deck():
                    if known[second] < settings.packs and winning_tables(settings, after, second, kept):
                        found.add((first, second))
    return found


@pytest.mark.parametrize(
    "rules", ["swedish", "classic", "coonking", "discard-then-meld", "mexican", "twice-around"]
)
def test_the_pairs_are_those_that_brute_force_finds(rules: str) -> None:
    settings = settings_for(rules)
    several = 0
    chosen = [line for line in lines(DATA / "perft" / f"{rules}.jsonl") if len(line["hand"]) <= 3][:3]
    for line in chosen:
        here = load(rules).position(table=line["table"], hand=line["hand"])
        pairs = list(winning_pairs(here.rules.engine, here.state, 0, Budget()))
        found = {(pair.first, pair.then) for pair in pairs}
        assert len(found) == len(pairs)
        table = tuple(tuple(meld) for meld in line["table"])
        assert found == tried(settings, table, line["hand"]), line
        several += len(found)
    assert chosen


def test_a_pair_can_be_played_as_it_is_told() -> None:
    swedish = load("swedish")
    for line in lines(DATA / "perft" / "swedish.jsonl")[:6]:
        here = swedish.position(table=line["table"], hand=line["hand"])
        names = swedish.engine.pack.names
        for pair in winning_pairs(swedish.engine, here.state, 0, Budget()):
            first = swedish.position(up=pair.first, table=line["table"], hand=line["hand"])
            one, two = ([tuple(names(meld)) for meld in layout] for layout in pair.layouts)
            melded = first.apply(("me", "melds", one)).apply(("me", "discards", pair.discard))
            again = swedish.position(up=pair.then, table=one, hand=melded.hand("me")[0])
            assert again.apply(("me", "melds", two)).phase == "won"


def test_what_is_not_given_is_said() -> None:
    assert document("outs", "--rules", "swedish") == {"outs": [], "depends_on": ["table", "hand"]}
    status, text = told("outs", "--rules", "swedish", "--hand", "Ah Ad")
    assert (status, text) == (0, "no card wins at once\nnot given, and taken as empty: table\n")


def test_a_limit_is_reported_and_never_an_answer() -> None:
    asked = ("outs", "--rules", "swedish", "--table", melds(TABLE), "--hand", "Ah Ad", "--depth", "2")
    status, text = told(*asked, "--budget", "10")
    assert (status, text) == (
        3,
        "undecided: more than 10 tables to look at\nhint: a larger --budget looks at more\n",
    )
    with pytest.raises(Undecided):
        Budget(0).spend()


def test_a_place_in_a_transcript(tmp_path: Path) -> None:
    game = tmp_path / "game.cqn"
    game.write_text(
        "rules: mexican\nplayers: Ana, Ben\ndeal 1\nAna holds 5c 6c 7c Jc Qc Kc 2d 2h\n"
        "Ana gives 2d to Ben\nBen gives Ac to Ana\nAna turns 4c\nAna melds 4c 5c 6c 7c Jc Qc Kc\n"
    )
    assert document("outs", "--at", f"{game}:7")["outs"] == []
    game.write_text(game.read_text().replace("Ac to", "3c to"))
    found = document("outs", "--at", f"{game}:7")["outs"]
    assert [out["card"] for out in found] == []


@pytest.mark.parametrize("arguments", [[], ["--rules", "nobody"], ["--rules", "swedish", "--depth", "3"]])
def test_what_cannot_be_asked_is_refused_with_status_2(arguments: list[str]) -> None:
    status, text = told("outs", *arguments)
    assert status == 2 and text.strip() and "Traceback" not in text
    assert told("outs", "--rules", "swedish", "--budget", "0")[0] == 2
