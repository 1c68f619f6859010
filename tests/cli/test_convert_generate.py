"""`convert` and `generate`: transcripts in, transcripts out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from conquian.engine.sets import rule_sets

from .conftest import CLUB, WON
from .running import run

GAME: dict[str, Any] = {
    "format": "conquian/1",
    "rules": "swedish",
    "readings": {},
    "players": ["Ana", "Ben"],
    "dealer": None,
    "match": None,
    "cards": "french",
    "tags": {},
    "deals": [
        {
            "number": 1,
            "events": [
                ["Ana", "turns", "5c"],
                ["Ana", "melds", [["4c", "5c", "6c", "7c"]]],
                ["Ana", "discards", "Kd"],
                ["Ben", "passes"],
                ["Ben", "turns", "2d"],
                ["Ben", "passes"],
                ["Ana", "melds", [["2d", "3d", "4d", "5d"], ["Ah", "2h", "3h"]]],
            ],
            "comments": [],
            "claim": {"winner": "Ana"},
        }
    ],
}


def test_text_to_json_and_back_loses_nothing_but_layout(folder: Path) -> None:
    done = run("convert", "won.cqn", "--to", "json")
    assert (done.status, done.data) == (0, GAME)
    assert run("convert", "-", "--to", "text", given=done.out).out == WON.replace(
        "\n\nAna", "\n\ndeal 1\nAna"
    )
    (line,) = run("convert", "won.cqn", "--to", "jsonl").out.splitlines()
    assert json.loads(line) == GAME


def test_comments_and_tags_are_kept() -> None:
    text = CLUB.replace(
        "\n\nAna", '\nevent: "a; b # c"\nhouse: two cats\n\ndeal 1  # first\nAna holds ?\nAna', 1
    )
    text = text.replace("\nBen passes", "  # thrown away\nBen passes", 1)
    once = run("convert", "-", "--to", "text", given=text).out
    assert run("convert", "-", "--to", "text", given=once).out == once
    document = json.loads(run("convert", "-", "--to", "json", given=text).out)
    assert document["tags"] == {"event": "a; b # c", "house": "two cats"}
    assert [comment for _, comment in document["deals"][0]["comments"]] == ["first", "thrown away"]
    again = run("convert", "-", "--to", "json", given=once)
    assert again.data == document


@pytest.mark.parametrize(
    ("cards", "line"),
    [
        ("spanish", "Ana melds 2o 3o 4o 5o, 1c 2c 3c"),
        ("german", "Ana melds 2ka 3ka 4ka 5ka, Ahe 2he 3he"),
        ("swedish", "Ana melds 2ru 3ru 4ru 5ru, Ehj 2hj 3hj"),
    ],
)
def test_between_card_notations_and_back(cards: str, line: str) -> None:
    done = run("convert", "won.cqn", "--cards", cards)
    assert line in done.out.splitlines() and f"cards: {cards}" in done.out.splitlines()
    back = run("convert", "-", "--cards", "french", given=done.out)
    assert back.out == run("convert", "won.cqn", "--cards", "french").out
    assert (
        run("validate", "-", "--no-differs", given=done.out).out
        == "-: valid (swedish)\n  deal 1: valid, Ana wins\n"
    )


def test_a_ten_has_no_spanish_form_and_the_refusal_says_so() -> None:
    text = "rules: coonking\nplayers: Ana, Ben\n\nAna turns 10c\n"
    done = run("convert", "-", "--cards", "spanish", given=text)
    assert (done.status, done.out) == (2, "")
    assert "no-form" in done.err and "10c" in done.err


def test_what_cannot_be_read_is_not_converted() -> None:
    done = run("convert", "broken.cqn", "--to", "json")
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("broken.cqn:5:11: bad-card ")
    assert "broken.cqn:6:5: unknown-verb " in done.err


def test_a_stream_is_converted_line_by_line(folder: Path) -> None:
    line = json.dumps(GAME)
    (folder / "two.jsonl").write_text(f"{line}\n{line}\n", encoding="utf-8")
    assert len(run("convert", "two.jsonl", "--to", "jsonl").out.splitlines()) == 2
    assert run("convert", "two.jsonl", "--to", "text").status == 2


# ---- generate


@pytest.mark.parametrize("rules", rule_sets())
def test_same_rules_readings_and_seed_give_the_same_games_and_all_are_valid(rules: str) -> None:
    asked = ("generate", "--rules", rules, "--games", "3", "--to", "jsonl", "--seed")
    one, again, other = run(*asked, "5"), run(*asked, "5"), run(*asked, "6")
    assert one.out == again.out != other.out
    assert len(one.out.splitlines()) == 3 and one.status == 0
    verdicts = [
        json.loads(line) for line in run("validate", "-", "--format", "jsonl", given=one.out).out.splitlines()
    ]
    assert [verdict["verdict"] for verdict in verdicts] == ["valid"] * 3
    assert all(verdict["rules"] == rules for verdict in verdicts)


def test_a_generated_game_in_each_form_is_the_same_game() -> None:
    text = run("generate", "--rules", "swedish", "--seed", "4").out
    assert text == run("generate", "--rules", "swedish", "--seed", "4", "--to", "text").out
    assert text == run("generate", "--rules", "swedish", "--seed", "4", "--format", "cqn").out
    as_json = run("generate", "--rules", "swedish", "--seed", "4", "--to", "json").data
    assert run("convert", "-", "--to", "json", given=text).data == as_json
    assert json.loads(run("generate", "--rules", "swedish", "--seed", "4", "--to", "jsonl").out) == as_json


def test_a_generated_game_names_the_readings_it_was_played_by() -> None:
    game = run("generate", "--rules", "swedish", "--reading", "new-meld=any", "--to", "json").data
    assert game["readings"] == {"new-meld": "any"}


def test_generated_games_can_be_written_in_another_notation() -> None:
    game = run("generate", "--rules", "swedish", "--cards", "swedish").out
    assert "cards: swedish" in game
    assert run("generate", "--rules", "coonking", "--cards", "spanish").status == 2


def test_no_games_at_all() -> None:
    done = run("generate", "--rules", "swedish", "--games", "0", "--to", "jsonl")
    assert (done.status, done.out) == (0, "")


@pytest.mark.parametrize("language", ["en", "de", "sv", "es"])
def test_a_game_that_the_text_form_cannot_hold_is_not_written(folder: Path, language: str) -> None:
    # JSON takes a name of any length; no sentence of a text is longer than 20,000 characters.
    long = "A" * 20_000
    game = {**GAME, "players": [long, "Ben"], "deals": [{"number": 1, "events": [[long, "turns", "5c"]]}]}
    done = run("convert", "-", "--to", "text", "--lang", language, given=json.dumps(game))
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("-:1:1: no-place ") and "too-long" in done.err
    # JSON holds it, and so does a text with a shorter name.
    assert run("convert", "-", "--to", "json", given=json.dumps(game)).status == 0
    short = json.dumps(game).replace(long, long[:19_000])
    done = run("convert", "-", "--to", "text", given=short)
    assert done.status == 0
    back = run("convert", "-", "--to", "json", given=done.out).data
    assert back["players"] == [long[:19_000], "Ben"] and back["deals"][0]["events"][0][1:] == ["turns", "5c"]


@pytest.mark.parametrize("to", ["text", "json", "jsonl"])
def test_a_comment_that_becomes_several_is_said(folder: Path, to: str) -> None:
    (deal,) = GAME["deals"]
    comments = [[0, "x\ny"], [1, "one"], [3, "blank "]]
    game = {**GAME, "deals": [{**deal, "comments": comments}]}
    done = run("convert", "-", "--to", to, given=json.dumps(game))
    assert done.status == 0
    said = "2 comments have line ends or outer blanks; each line is a comment now"
    assert done.err == f"-: note: {said}\n"
    again = run("convert", "-", "--to", "json", given=done.out)
    assert again.data["deals"][0]["comments"] == [[0, "x"], [0, "y"], [1, "one"], [3, "blank"]]
    # Once each is a line, nothing changes any more.
    assert (again.status, again.err) == (0, "")
