"""The position that `settle --at` tells, given back with `--position`."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from conquian import load
from conquian.generate import games, written
from conquian.moments import before_event
from conquian.questions import Question, given
from conquian.settling import settle_given, settle_recorded

from .asking import document

EVENING = """rules: swedish
players: Ana, Ben
dealer: Ben

deal 1
Ana holds Jh Jd 6c 7c 3d 4d Ks As 2h 6s
Ben holds ?
Ana turns 5c; melds 5c 6c 7c; discards Ks
Ben passes; turns 2d; passes
Ana melds 2d 3d 4d; discards As
Ben passes; turns Jc; passes
Ben forces
Ana melds 5c 6c 7c Jc; discards 2h
"""


def test_a_demand_is_seen_by_the_player_whom_the_card_is_on_offer_to(tmp_path: Path) -> None:
    file = tmp_path / "evening.cqn"
    file.write_text(EVENING)
    found = document("settle", "--at", f"{file}:12")["position"]
    assert found == {
        "up": "Jc",
        "table": [["2d", "3d", "4d"], ["5c", "6c", "7c"]],
        "hand": ["2h", "6s", "Jd", "Jh"],
    }


def test_a_demand_on_the_one_who_passed_tells_that_he_has(tmp_path: Path) -> None:
    file = tmp_path / "passed.cqn"
    file.write_text(EVENING.replace("rules: swedish", "rules: swedish\nreadings: force-timing=on-decline"))
    text = ("settle", "--rules", "swedish", "--event", "Ana forces")
    found = document(*text, "--at", f"{file}:13")["position"]
    assert found["up"] == "Jc" and found["declined"] is True and found["table"] == []


def answers(asked: Question, rules: str, event: str, file: Path) -> list[tuple[object, ...]]:
    """What the rules say of an event in a transcript, and in the position that is told of it; nothing if none can be."""
    there = settle_recorded(asked, [rules], {}, event, None).document
    if "up" not in there["position"]:
        return []
    file.write_text(json.dumps(there["position"]))
    options = dict.fromkeys(("up", "table", "hand", "opponent_table", "stock", "turned_by", "cards"))
    _, said, parts = given(rules=rules, readings={}, declined=False, position=str(file), **options)  # type: ignore[arg-type]
    here = settle_given(parts, [rules], said, event, None).document
    return [(x["rows"][0]["legal"], x["rows"][0]["code"]) for x in (there, here)]


@pytest.mark.parametrize("rules", ["classic", "swedish", "coonking", "partnership", "two-deck"])
def test_the_position_that_is_told_given_back_has_the_same_answer(rules: str, tmp_path: Path) -> None:
    file, place, tried = tmp_path / "game.cqn", tmp_path / "position.json", 0
    random = Random(f"seen/{rules}")
    for game in games(load(rules).engine, 2, 3):
        text = written(game, "text", None)
        assert text is not None
        file.write_text(text)
        for deal in game.deals[:1]:
            for number in random.sample(range(len(deal.events)), min(14, len(deal.events))):
                asked = before_event(f"{file}#{deal.number}@{number}", None, {}, None)
                if asked.before and asked.before[-1][1][1] == "forces":
                    continue  # a position cannot say that a demand has been made
                event = deal.events[number]
                told = [f"{name} forces" for name in game.players]
                if event[1] in ("passes", "melds"):
                    melds = ", ".join(" ".join(meld) for meld in event[2]) if len(event) > 2 else ""
                    player, verb, *_ = map(str, event)
                    told.append(f"{player} {verb} {melds}".strip())
                for one in told:
                    both = answers(asked, rules, one, place)
                    tried += len(both) // 2
                    assert both[:1] == both[1:], (number, one, text)
    assert tried > 20
