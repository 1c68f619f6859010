"""Questions that are put badly, and the moment after the last event of a deal."""

from __future__ import annotations

from pathlib import Path

import pytest

from .running import run

GAME = """rules: swedish
players: Ana, Ben

deal 1
Ana holds 4c 6c Kd Ah 2h 3h 5d 7d Js Qs
Ana turns 5c; melds 4c 5c 6c; discards Kd
Ben passes; turns 7c; passes
"""


@pytest.fixture(autouse=True)
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("game.cqn").write_text(GAME, encoding="utf-8")
    Path("bad.cqn").write_text(GAME + "Ana plays 7c\n", encoding="utf-8")


def test_a_key_that_comes_twice_in_a_position_is_an_error() -> None:
    done = run("force", "--position", "-", given='{"rules": "swedish", "up": "Kh", "up": "Qh"}')
    assert done.status == 2 and 'the key "up" comes twice' in done.err


def test_the_number_of_events_is_the_place_after_the_last_one() -> None:
    melds = run("legal", "--at", "game.cqn#1@6", "--meld", "4c 5c 6c 7c")
    assert melds.status == 1 and melds.out.startswith(
        "not legal: not-your-turn"
    )  # Ben has passed: his offer rests
    assert run("legal", "--at", "game.cqn#1@6", "--event", "Ana melds 4c 5c 6c 7c").out.startswith("legal")
    assert run("force", "--at", "game.cqn#1@6").status == 0
    assert "7♣" in run("show", "--at", "game.cqn#1@6").out
    infer = run("infer", "--at", "game.cqn#1@6")
    assert infer.status == 0 and "at the end" in infer.out
    assert run("settle", "--at", "game.cqn#1@6", "--event", "Ben forces").status == 0
    past = run("legal", "--at", "game.cqn#1@7", "--meld", "4c 5c 6c 7c")
    assert past.status == 2 and "no event stands there" in past.err


@pytest.mark.parametrize(
    "asked",
    [
        ["force", "--rules", "nosuch", "--up", "Kh"],
        ["diff", "nosuch", "swedish"],
        ["settle", "--rules", "nosuch", "--up", "Kh", "--event", "me passes"],
        ["settle", "--rules", ",", "--up", "Kh", "--event", "me passes"],
        ["settle", "--rules", "swedish,", "--up", "Kh", "--event", "me passes"],
        ["spec", "show", "nosuch"],
        ["validate", "game.cqn", "--rules", "nosuch"],
    ],
)
def test_rules_that_are_not_there_have_the_hint_where_to_look(asked: list[str]) -> None:
    done = run(*asked)
    assert (
        done.status == 2
        and "`conquian spec list` names them" in done.err
        and ":1:1: CQ205 there is no rule set ``" not in done.err
    )


@pytest.mark.parametrize("asked", [["infer", "bad.cqn"], ["legal", "--at", "bad.cqn:6", "--count"]])
def test_a_deal_that_cannot_be_read_is_named_with_line_and_cause(asked: list[str]) -> None:
    done = run(*asked)
    assert done.status == 2
    assert "bad.cqn:8:5: deal 1 cannot be read: 'plays' is nothing a player does" in done.err


def test_a_demand_that_nothing_obeys_says_that_the_player_is_stuck() -> None:
    cards = ("--up", "4c", "--declined", "--table", "2d 3d 4d, 2h 3h 4h, 2s 3s 4s", "--hand", "9c")
    asked = ("force", "--rules", "coonking", "--reading", "force-scope=rearrangement", *cards, "--prove")
    assert "leaves the player stuck: no event of his is legal" in run(*asked).out
    assert "stuck" not in run("force", "--rules", "coonking", "--up", "5d", *cards[2:]).out
