"""`conquian settle`: one event under many rules, and what the players have to agree on."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest

from conquian import load
from conquian.engine.sets import rule_sets
from conquian.position import BadPosition

from .asking import document, told

POSITION = ("--up", "7h", "--table", "5s 6s 7s", "--hand", "4s 7d")
EVENT = ("--event", "Ana melds 7s 7h 7d, 4s 5s 6s")
SETS = ("--rules", "swedish,classic,discard-then-meld,coonking")


def rows(found: Any) -> dict[tuple[str, str], tuple[bool | None, str | None, str | None, str | None]]:
    return {
        (row["rules"], ",".join(f"{n}={c}" for n, c in row["readings"].items())): (
            row["legal"],
            row["code"],
            row["clause"],
            row["source"],
        )
        for row in found["rows"]
    }


def test_the_example_gives_its_rows() -> None:
    found = document("settle", *SETS, *POSITION, *EVENT)
    assert found["position"] == {"up": "7h", "table": [["5s", "6s", "7s"]], "hand": ["4s", "7d"]}
    assert found["event"] == ["Ana", "melds", [["7s", "7h", "7d"], ["4s", "5s", "6s"]]]
    told_rows = rows(found)
    assert told_rows["swedish", ""] == (False, "new-meld", "sw.turn.3", "Swedish rule sheet")
    assert told_rows["swedish", "new-meld=any"] == (True, None, None, None)
    assert told_rows["classic", ""] == (True, None, None, None)
    assert told_rows["discard-then-meld", ""] == (False, "borrowing", "cl.variants.5", "Classic rule sheet")
    assert told_rows["coonking", ""] == (True, None, None, None)
    assert found["agree_on"] == ["new-meld", "borrowing"]
    for name in ("swedish", "classic", "discard-then-meld", "coonking"):
        mine = [row for row in found["rows"] if row["rules"] == name]
        assert mine[0]["readings"] == {}
        usual = (mine[0]["legal"], mine[0]["code"])
        assert all((row["legal"], row["code"]) != usual for row in mine[1:])


def test_a_person_sees_it_at_a_glance() -> None:
    status, text = told("settle", *SETS, *POSITION, *EVENT)
    assert (status, text) == (
        0,
        "Ana melds 7s 7h 7d, 4s 5s 6s\n"
        "legal under classic, coonking\n"
        "    illegal with new-meld=two-from-hand: new-meld\n"
        "    illegal with borrowing=afterwards: borrowing\n"
        "illegal under swedish\n"
        "    new-meld, rule sw.turn.3 (Swedish rule sheet)\n"
        "    legal with new-meld=any\n"
        "    illegal with borrowing=afterwards: borrowing\n"
        "illegal under discard-then-meld\n"
        "    borrowing, rule cl.variants.5 (Classic rule sheet)\n"
        "    legal with borrowing=free\n"
        "    legal with borrowing=never-from-three\n"
        "The players have to agree on new-meld and borrowing.\n",
    )


def test_without_names_every_set_is_asked_and_a_meld_is_the_holders() -> None:
    found = document("settle", *POSITION, "--meld", "7s 7h 7d, 4s 5s 6s")
    assert list(dict.fromkeys(row["rules"] for row in found["rows"])) == rule_sets()
    assert found["event"][0] == "me"
    # Sets with several packs want every meld listed; the table is completed for them.
    found = document("settle", "--up", "7h", "--table", "5s 6s 7s", "--hand", "7d 7c", "--meld", "7h 7d 7c")
    assert {row["rules"] for row in found["rows"] if row["legal"]} == set(rule_sets())
    assert found["agree_on"] == []


def test_a_set_that_cannot_hold_the_position_says_only_that() -> None:
    found = document("settle", "--rules", "coonking,swedish", "--up", "Kh", "--meld", "Kh Kd Kc")
    assert rows(found)["coonking", ""] == (None, "not-in-deck", "ck.3", "Coon King rule sheet")
    assert rows(found)["swedish", ""][0] is True
    assert told("settle", "--rules", "coonking", "--up", "Kh", "--meld", "Kh Kd Kc")[1].endswith(
        "None of these rules has these cards and melds, so there is nothing to settle.\n"
    )


def test_a_demand_is_made_by_the_opponent() -> None:
    cards = ("--up", "Kh", "--table", "6h 7h Jh Qh", "--rules", "swedish,classic")
    found = document("settle", *cards, "--event", "Ben forces")
    assert rows(found)["swedish", ""][0] is True
    assert rows(found)["classic", ""][:3] == (False, "no-force-due", "cl.flow.4")
    assert found["agree_on"] == ["force-timing"]
    passed = document("settle", *cards, "--declined", "--event", "Ben forces Kh onto 6h 7h Jh Qh")
    assert rows(passed)["classic", ""][0] is True and passed["position"]["declined"] is True


def test_a_clause_that_no_reading_does_away_with_has_to_be_agreed_on() -> None:
    up = ("--up", "2h", "--table", "3h 4h 5h 6h 7h Jh Qh Kh", "--rules", "swedish,classic")
    found = document("settle", *up, "--meld", "2h 3h 4h 5h 6h 7h Jh Qh Kh")
    assert found["agree_on"] == ["sw.board.1"]
    assert told("settle", *up, "--meld", "2h 3h 4h 5h 6h 7h Jh Qh Kh")[1].endswith(
        "agree on rule sw.board.1.\n"
    )


def test_where_all_say_the_same_nothing_has_to_be_agreed_on() -> None:
    all_no = told("settle", "--rules", "swedish,classic", "--up", "2h", "--meld", "2h 3d 4c")[1]
    assert all_no.endswith("There is nothing to agree on: all rules that can hold the position forbid it.\n")
    all_yes = told("settle", "--rules", "swedish,classic", "--up", "2h", "--event", "passes")[1]
    assert all_yes.endswith("There is nothing to agree on: all rules that can hold the position allow it.\n")


def test_readings_of_the_command_line_are_those_of_the_first_row() -> None:
    found = document("settle", "--rules", "swedish", "--reading", "new-meld=any", *POSITION, *EVENT)
    assert found["rows"][0]["readings"] == {"new-meld": "any"} and found["rows"][0]["legal"] is True
    assert rows(found)["swedish", "new-meld=two-from-hand"][0] is False


DISPUTES: tuple[tuple[dict[str, Any], tuple[str, ...]], ...] = (
    ({"up": "5h", "table": "5c 6c 7c Jc, 5d 6d 7d Jd"}, ("Ben", "forces")),
    ({"up": "Kh", "table": "6h 7h Jh Qh"}, ("Ben", "forces")),
    ({"up": "Kh", "table": "6h 7h Jh Qh", "declined": True}, ("Ben", "forces")),
    ({"up": "7h", "table": "5s 6s 7s", "hand": "4s 7d"}, ("me", "melds", "7s 7h 7d, 4s 5s 6s")),
    ({"up": "7h", "table": "5s 6s 7s", "hand": "4s 7d"}, ("me", "melds", "7h 7d 7s, 4s 5s 6s, 4s 5s 6s")),
    ({"up": "2h", "table": "3h 4h 5h 6h 7h Jh Qh Kh"}, ("me", "melds", "2h 3h 4h 5h 6h 7h Jh Qh Kh")),
    ({"up": "4s", "hand": "4s 4s"}, ("me", "melds", "4s 4s 4s")),
    ({"up": "4s", "hand": "4c 4d 5c 5d 5h"}, ("me", "melds", "4s 4c 4d, 5c 5d 5h")),
    ({"up": "4s", "table": "4c 4d 4h, 5c 5d 5h", "hand": "6c"}, ("me", "arranges", "4c 4d 4h")),
    ({"up": "4s", "table": "As 2s 3s, 5s 6s 7s"}, ("me", "melds", "As 2s 3s 4s 5s 6s 7s")),
)


@pytest.mark.parametrize("parts, event", DISPUTES)
def test_once_the_named_readings_are_agreed_on_all_sets_give_the_same_answer(
    parts: dict[str, Any], event: tuple[str, ...]
) -> None:
    options = [word for name, value in parts.items() for word in ("--" + name, value) if word is not True]
    found = document("settle", *options, "--event", " ".join(event))
    holding = list(dict.fromkeys(row["rules"] for row in found["rows"] if row["legal"] is not None))
    readings = [name for name in found["agree_on"] if "." not in name]
    every = {r.name: r.choices for r in load("swedish").engine.program.readings}
    place = {
        **parts,
        "table": [meld.split() for meld in parts.get("table", "").split(",") if meld],
        "hand": parts["hand"].split() if "hand" in parts else None,
    }
    verb, text = event[1], "".join(event[2:])
    melds = [meld.split() for meld in text.split(",") if meld]
    alike = True
    for choices in product(*(every[name] for name in readings)):
        said = set()
        for name in holding:
            rules = load(name, dict(zip(readings, choices, strict=True)))
            try:
                here = rules.position(**place)
            except BadPosition:
                continue
            players = "opponent" if verb == "forces" else "me"
            laid = melds
            if rules.engine.pack.copies > 1:
                gone = {card for meld in melds for card in meld}
                laid = melds + [m for m in place["table"] if not gone & set(m)]
            said.add(here.can((players, verb, laid) if melds else (players, verb)))
        alike = alike and len(said) < 2
    assert alike == (readings == found["agree_on"])


def test_a_choice_that_only_the_rule_set_settles_is_told_without_a_list_of_passages() -> None:
    text = told(
        "settle", "--up", "2h", "--table", "3h 4h 5h 6h 7h Jh Qh Kh", "--meld", "2h 3h 4h 5h 6h 7h Jh Qh Kh"
    )
    assert text[1].splitlines()[-1].startswith("Only the choice of the rule set settles it: ")


@pytest.fixture
def game(tmp_path: Path) -> Path:
    file = tmp_path / "game.cqn"
    file.write_text(
        "rules: swedish\nplayers: Ana, Ben\n\ndeal 1\nAna holds 3c 3d 3h Ah Kd 7c Qs Js 5d 6s\n"
        "Ana turns 3s\nAna melds 3c 3d 3h 3s\nAna discards Kd\nBen passes; turns 2h; passes\nAna melds Ah 2h 3h\n"
    )
    return file


def test_an_event_of_a_transcript_in_the_position_before_it(game: Path) -> None:
    found = document("settle", "--at", f"{game}:10", "--rules", "swedish,classic,coonking,two-deck")
    assert found["position"] == {
        "up": "2h",
        "table": [["3c", "3d", "3h", "3s"]],
        "hand": ["Ah", "5d", "6s", "7c", "Js", "Qs"],
    }
    assert found["event"] == ["Ana", "melds", [["Ah", "2h", "3h"]]]
    told_rows = rows(found)
    assert told_rows["swedish", ""][:3] == (False, "new-meld", "sw.turn.3")
    assert told_rows["swedish", "new-meld=any"][0] is True
    assert told_rows["classic", ""][0] is True and told_rows["two-deck", ""][0] is True
    assert told_rows["coonking", ""][:2] == (None, "not-in-deck")


def test_readings_that_change_what_is_due_are_played_from_a_little_before(game: Path) -> None:
    found = rows(document("settle", "--at", f"{game}:8", "--rules", "swedish,twice-around"))
    assert found["swedish", ""][0] is True
    assert found["swedish", "discard-after-meld=no"][:2] == (False, "not-your-turn")
    assert found["twice-around", ""][:2] == (False, "not-your-turn")
    assert found["twice-around", "discard-after-meld=yes"][0] is True


def test_another_event_can_be_put_in_its_place(game: Path) -> None:
    found = document(
        "settle", "--at", f"{game}:10", "--rules", "swedish,partnership", "--event", "Ana passes"
    )
    assert all(row["legal"] for row in found["rows"]) and found["event"] == ["Ana", "passes"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["--up", "7h"],
        ["--up", "7h", "--meld", ""],
        ["--up", "7h", "--meld", "7h 7d 7c", "--event", "Ana passes"],
        ["--up", "7h", "--event", "Ana sings"],
        ["--up", "7h", "--event", "Ana wins"],
        ["--up", "7h", "--event", ""],
        ["--up", "7h", "--event", "Ana melds 7h 7x 7c"],
        ["--up", "7h", "--event", "Ana gives 7d to Zoe"],
        ["--meld", "7h 7d 7c"],
        ["--up", "7h", "--meld", "7h 7d 7c", "--rules", "swedish,nobody"],
        ["--up", "7h", "--meld", "7h 7d 7c", "--rules", ","],
        ["--up", "7h", "--meld", "7h 7d 7c", "--reading", "colour=red"],
        ["--up", "7h", "--meld", "7h 7d 7c", "--at", "nowhere.cqn:3"],
        ["--at", "nowhere.cqn:3"],
    ],
)
def test_what_cannot_be_asked_is_refused_with_status_2(arguments: list[str]) -> None:
    status, text = told("settle", *arguments)
    assert status == 2 and text.strip() and "Traceback" not in text


def test_a_stranger_does_not_act_in_a_transcript(game: Path) -> None:
    assert told("settle", "--at", f"{game}:10", "--event", "Zoe passes")[0] == 2
