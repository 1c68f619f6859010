"""`conquian force`: whether a card can be forced, and what follows."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from conquian.engine.sets import rule_sets
from tests.reference.search import forceable, legal_tables, onto, outs, winning_tables
from tests.reference.settings import settings_for

from .asking import document, melds, told

DATA = Path(__file__).parent.parent / "data"
HOUSE = Path(__file__).parent.parent / "house_rules"
TABLE = (("3c", "3d", "3h", "3s"), ("6h", "7h", "Jh", "Qh"))
FORCED = (TABLE[0], ("6h", "7h", "Jh", "Qh", "Kh"))
WORKED = ("--up", "Kh", "--table", melds(TABLE), "--hand", "Ah Ad")


def test_the_worked_example_in_full() -> None:
    assert document("force", "--rules", "swedish", *WORKED) == {
        "answer": "yes",
        "forceable": True,
        "onto": [["6h", "7h", "Jh", "Qh"]],
        "clause": "sw.board.4",
        "when": "on-offer",
        "by": "opponent",
        "witness": [["3c", "3d", "3h", "3s"], ["6h", "7h", "Jh", "Qh", "Kh"]],
        "why": "An opponent may demand a card that fits as soon as it is offered",
        "differs_under": [{"readings": {"force-timing": "none"}, "answer": "no"}],
        "consequence": {
            "wins": False,
            "discards": ["Ad", "Ah"],
            "winning_cards_unforced": ["Ac", "As"],
            "winning_cards_after": {"Ad": [], "Ah": []},
        },
    }


def test_under_the_other_reading_one_card_still_wins_after_the_demand() -> None:
    found = document("force", "--rules", "swedish", "--reading", "new-meld=any", *WORKED)
    assert found["consequence"]["winning_cards_after"] == {"Ad": ["2h"], "Ah": ["2d"]}


@pytest.mark.parametrize("reading", ["two-from-hand", "any"])
def test_the_consequence_is_what_trying_everything_finds(reading: str) -> None:
    settings = settings_for("swedish", {"new-meld": reading})
    found = document("force", "--rules", "swedish", "--reading", f"new-meld={reading}", *WORKED)[
        "consequence"
    ]
    assert legal_tables(settings, TABLE, "Kh", ["Ah", "Ad"], forced=True) == {FORCED}
    assert found["winning_cards_unforced"] == outs(settings, TABLE, ["Ah", "Ad"])
    for thrown, kept in (("Ah", "Ad"), ("Ad", "Ah")):
        assert found["winning_cards_after"][thrown] == [
            c for c in outs(settings, FORCED, [kept]) if c != thrown
        ]


def test_the_worked_example_for_people() -> None:
    assert told("force", "--rules", "swedish", *WORKED) == (
        0,
        "yes: Kh can be forced, as soon as it is offered\n"
        "Kh extends 6h 7h Jh Qh\n"
        "rule sw.board.4 (Swedish rule sheet): An opponent may demand a card that fits as soon as it is offered.\n"
        "obeyed for example by 3c 3d 3h 3s, 6h 7h Jh Qh Kh\n"
        "with force-timing=none: no\n"
        "if it is passed, Ac As would win at once\n"
        "melded on demand, with Ad thrown: no card would win at once\n"
        "melded on demand, with Ah thrown: no card would win at once\n",
    )


@pytest.mark.parametrize("rules", rule_sets())
def test_it_agrees_with_trying_everything_on_the_committed_positions(rules: str) -> None:
    from conquian.forcing import force
    from conquian.questions import question

    for line in (DATA / "perft" / f"{rules}.jsonl").read_text("utf-8").splitlines()[:15]:
        case: dict[str, Any] = json.loads(line)
        asked = question(
            rules=rules,
            readings={},
            up=case["up"],
            table=melds(case["table"]),
            hand=None,
            opponent_table="",
            stock=5,
            turned_by=case["turned_by"],
            declined=False,
            position=None,
            at=None,
            cards=None,
        )
        found = force(asked).document
        settings = settings_for(rules)
        table = tuple(tuple(meld) for meld in case["table"])
        assert found["forceable"] == case["forceable"], case
        assert sorted(found["onto"]) == sorted(list(m) for m in onto(settings, table, case["up"]))
        told_under = {next(iter(d["readings"].items())): d["answer"] for d in found["differs_under"]}
        for reading, choice in (("force-timing", "none"), ("force-scope", "rearrangement")):
            other = forceable(settings_for(rules, {reading: choice}), table, case["up"])
            expected = {True: "yes", False: "no"}[other]
            assert told_under.get((reading, choice), found["answer"]) == expected, case
        if found["witness"] is not None:
            laid = {tuple(map(tuple, t)) for t in [found["witness"]]}
            legal = legal_tables(settings, table, case["up"], [], forced=True)
            assert {tuple(sorted(t)) for t in laid} <= {tuple(sorted(t)) for t in legal}


def test_it_wins_for_the_forced_player_where_it_completes_the_goal() -> None:
    found = document(
        "force", "--rules", "swedish", "--up", "Kh", "--table", "3c 3d 3h 3s, 4h 5h 6h 7h Jh Qh", "--hand", ""
    )
    assert found["consequence"] == {
        "wins": True,
        "discards": [],
        "winning_cards_unforced": found["consequence"]["winning_cards_unforced"],
        "winning_cards_after": {},
    }


def test_where_no_discard_follows_the_cards_stand_under_no_card() -> None:
    found = document("force", "--rules", "twice-around", *WORKED)["consequence"]
    assert (found["discards"], list(found["winning_cards_after"])) == ([], [""])
    settings = settings_for("twice-around")
    assert found["winning_cards_after"][""] == outs(settings, FORCED, ["Ah", "Ad"])


def test_it_can_be_forced_by_laying_the_table_out_anew() -> None:
    table = ("--up", "2c", "--table", "3c 3d 3h 3s, 4c 5c 6c", "--rules", "classic")
    no, yes = document("force", *table), document("force", *table, "--reading", "force-scope=rearrangement")
    assert (no["answer"], no["onto"], no["witness"]) == ("no", [], None)
    assert {"readings": {"force-scope": "rearrangement"}, "answer": "yes"} in no["differs_under"]
    assert (yes["answer"], yes["onto"]) == ("yes", [])
    assert yes["witness"] == [["2c", "3c", "4c", "5c", "6c"], ["3d", "3h", "3s"]]


def test_a_demand_that_cannot_be_met_has_no_witness() -> None:
    table = "2d 3d 4d, 2h 3h 4h, 2s 3s 4s"
    found = document(
        "force",
        "--rules",
        "coonking",
        "--reading",
        "force-scope=rearrangement",
        "--up",
        "4c",
        "--table",
        table,
    )
    assert (found["answer"], found["witness"]) == ("yes", None)


def test_without_demands_the_card_still_says_what_it_extends() -> None:
    found = document("force", "--rules", "no-force", *WORKED)
    assert (found["answer"], found["when"], found["onto"]) == ("no", None, [["6h", "7h", "Jh", "Qh"]])
    assert found["clause"] == "cl.variants.4"
    assert found["consequence"]["winning_cards_after"] == {}


def test_when_it_depends_on_the_timing_and_on_what_has_happened() -> None:
    assert document("force", "--rules", "classic", *WORKED)["when"] == "on-decline"
    assert document("force", "--rules", "swedish", *WORKED, "--declined")["when"] == "on-decline"


def test_what_was_left_out_is_asked_for_only_where_it_matters() -> None:
    own = str(HOUSE / "own-card.rules")
    cards = ("--up", "Kh", "--table", melds(TABLE))
    assert document("force", "--rules", "swedish", *cards)["answer"] == "yes"
    unknown = document("force", "--rules", own, *cards)
    assert (unknown["answer"], unknown["forceable"], unknown["when"]) == ("unknown", None, None)
    assert unknown["depends_on"] == ["turned_by"]
    assert document("force", "--rules", own, *cards, "--turned-by", "opponent")["answer"] == "yes"
    mine = document("force", "--rules", own, *cards, "--turned-by", "me")
    assert (mine["answer"], mine["clause"]) == ("no", "club.own")
    table = document("force", "--rules", "swedish", "--up", "Kh")
    assert (table["answer"], table["depends_on"]) == ("unknown", ["table"])
    assert document("force", "--rules", "no-force", "--up", "Kh")["answer"] == "no"
    assert document("force", "--rules", "swedish", "--up", "Kh", "--table", "")["answer"] == "no"


def test_the_hand_changes_nothing_but_the_consequence() -> None:
    cards = ("force", "--rules", "swedish", "--up", "Kh", "--table", melds(TABLE))
    answers = [document(*cards), *(document(*cards, "--hand", h) for h in ("", "Ah Ad", "Ks Kd"))]
    for found in answers:
        found.pop("consequence")
        assert found == answers[0]


def test_a_house_rule_that_forces_by_itself_leaves_nothing_to_demand() -> None:
    found = document(
        "force", "--rules", str(HOUSE / "forced-at-once.rules"), "--up", "4c", "--table", "5c 6c 7c"
    )
    assert (found["answer"], found["onto"]) == ("no", [["5c", "6c", "7c"]])


def test_positions_of_a_transcript(tmp_path: Path) -> None:
    game = tmp_path / "game.cqn"
    game.write_text(
        "rules: swedish\nplayers: Ana, Ben\ndeal 1\nAna turns 5c; melds 5c 6c 7c; discards Ad\n"
        "Ben passes; turns 4c\nBen passes\nBen passes\nAna passes\n"
    )
    assert document("force", "--at", f"{game}:6")["answer"] == "no"
    late = game.read_text().replace(
        "Ben passes\nBen passes\nAna passes\n", "Ben passes\nAna passes\nBen forces\n"
    )
    game.write_text(late)
    offered, passed = document("force", "--at", f"{game}:7"), document("force", "--at", f"{game}:8")
    assert (offered["answer"], offered["when"], offered["onto"]) == ("yes", "on-offer", [["5c", "6c", "7c"]])
    assert (passed["answer"], passed["when"]) == ("yes", "on-decline")
    assert told("force", "--at", f"{game}:4")[0] == 2
    game.write_text(late + "Ana melds 4c 5c 6c 7c\n")
    demanded = document("force", "--at", f"{game}:9")
    assert (demanded["answer"], demanded["when"]) == ("yes", "on-decline")


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--rules", "swedish"],
        ["--rules", "swedis", "--up", "Kh"],
        ["--rules", "swedish", "--up", "9h"],
        ["--rules", "swedish", "--up", "Kh Qh"],
        ["--rules", "swedish", "--up", "xx"],
        ["--rules", "swedish", "--up", "Kh", "--table", "Kh Kd Ks"],
        ["--rules", "swedish", "--up", "Kh", "--table", "3h 4d 5c"],
        ["--rules", "swedish", "--up", "Kh", "--turned-by", "him"],
        ["--rules", "swedish", "--up", "Kh", "--stock", "-1"],
        ["--rules", "swedish", "--up", "Kh", "--reading", "new-meld=never"],
        ["--rules", "swedish", "--up", "Kh", "--position", "nowhere.json"],
        ["--position", "nowhere.json"],
        ["--at", "nowhere.cqn:3"],
        ["--at", "nowhere"],
        ["--rules", "swedish", "--up", "Kh", "--format", "xml"],
    ],
)
def test_what_cannot_be_asked_is_refused_with_status_2(arguments: list[str]) -> None:
    status, text = told("force", *arguments)
    assert status == 2 and text.strip() and "Traceback" not in text


def test_neither_lark_nor_z3_is_loaded() -> None:
    code = (
        "import sys; from conquian.cli import app; sys.argv[1:] = ['force', '--rules', 'swedish', '--up', 'Kh']\n"
        "try: app()\nexcept SystemExit: pass\n"
        "print([m for m in ('lark', 'z3') if m in sys.modules])"
    )
    told("force", "--rules", "swedish", "--up", "Kh")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_winning_tables_of_the_second_referee_are_those_of_the_example() -> None:
    assert winning_tables(settings_for("swedish"), TABLE, "Ac", ["Ah", "Ad"])
