"""`conquian force --prove`: what shows a yes, what rules a demand out, what is missing."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from conquian.engine.engine import engine
from conquian.engine.sets import rule_sets
from conquian.forcing import force
from conquian.questions import Question, question
from conquian.verifier.checker import LayoutCertificate, problems
from tests.reference.search import legal_tables, winning_tables
from tests.reference.settings import settings_for
from tests.verifier.acts import some_position, some_readings

from .asking import document, melds, told

HOUSE = Path(__file__).parent.parent / "house_rules"
TABLE = (("3c", "3d", "3h", "3s"), ("6h", "7h", "Jh", "Qh"))
FORCED = (TABLE[0], ("6h", "7h", "Jh", "Qh", "Kh"))
WORKED = ("--rules", "swedish", "--up", "Kh", "--table", melds(TABLE), "--hand", "Ah Ad", "--prove")


def pairs_by_trying_everything(reading: str, kept: str, thrown: str) -> set[tuple[str, str]]:
    """The second referee's players: pairs of cards that win in turn, the first one not winning by itself."""
    settings = settings_for("swedish", {"new-meld": reading})
    out = {kept, thrown, "Kh", *TABLE[0], *TABLE[1]}
    cards = [r + s for r in ("A", "2", "3", "4", "5", "6", "7", "J", "Q", "K") for s in "cdhs"]
    found = set()
    for first in (c for c in cards if c not in out):
        if winning_tables(settings, FORCED, first, [kept]):
            continue
        for table in legal_tables(settings, FORCED, first, [kept]):
            laid = {card for meld in table for card in meld}
            hand = [c for c in [kept] if c not in laid]
            for gone in hand:
                left = [c for c in hand if c != gone]
                for then in (c for c in cards if c not in out | laid | {first}):
                    if winning_tables(settings, table, then, left):
                        found.add((first, then))
    return found


def test_only_the_five_of_hearts_then_the_four_of_hearts_lead_to_a_win() -> None:
    """`sw.board.5`: confirmed where a new combination takes two hand cards, else refuted with a position."""
    proof = document("force", *WORKED)["proof"]
    assert proof["answer"] == "yes" and proof["checked"] == ["solver", "engine", "checker"]
    assert proof["layout"] == [list(meld) for meld in FORCED]
    assert [(row["thrown"], row["wins"]) for row in proof["follows"]] == [("Ad", []), ("Ah", [])]
    for row, kept in zip(proof["follows"], ("Ah", "Ad"), strict=True):
        assert [pair["cards"] for pair in row["pairs"]] == [["5h", "4h"]]
        assert pairs_by_trying_everything("two-from-hand", kept, row["thrown"]) == {("5h", "4h")}
    other = document("force", *WORKED, "--reading", "new-meld=any")["proof"]["follows"]
    assert {row["thrown"]: row["wins"] for row in other} == {
        "Ad": [
            {"card": "2h", "layout": [["Ah", "2h", "3h"], ["3c", "3d", "3s"], ["6h", "7h", "Jh", "Qh", "Kh"]]}
        ],
        "Ah": [
            {"card": "2d", "layout": [["Ad", "2d", "3d"], ["3c", "3h", "3s"], ["6h", "7h", "Jh", "Qh", "Kh"]]}
        ],
    }


def test_the_proof_for_people() -> None:
    status, text = told("force", *WORKED)
    assert status == 0
    assert text.endswith(
        "proved: An opponent may demand a card that fits as soon as it is offered.\n"
        "proved: the table can be 3c 3d 3h 3s, 6h 7h Jh Qh Kh\n"
        "melded on demand, with Ad thrown: 5h, then 4h wins with 3c 3d 3h 3s, 4h 5h 6h, 7h Jh Qh Kh\n"
        "melded on demand, with Ah thrown: 5h, then 4h wins with 3c 3d 3h 3s, 4h 5h 6h, 7h Jh Qh Kh\n"
    )


SEVEN = ("--up", "2c", "--table", "3c 3d 3h 3s, 4c 5c 6c", "--prove")


def test_a_card_that_fits_nowhere_is_ruled_out_by_the_two_permissions_to_demand() -> None:
    proof = document("force", "--rules", "swedish", *SEVEN)["proof"]
    assert proof["answer"] == "no"
    assert {clause["name"] for clause in proof["clauses"]} == {"demand", "demand-at-once"}
    assert proof["core"] == ["sw.board.4"] == proof["but_for"]
    assert proof["needs"] == ["2c"]
    assert proof["checked"] == ["solver", "second solver", "exhaustion"]


def test_the_two_scopes_part_on_seven_table_cards_and_each_side_is_proved() -> None:
    found = document("force", "--rules", "swedish", "--reading", "force-scope=rearrangement", *SEVEN)
    assert found["onto"] == [] and found["answer"] == "yes"
    assert found["proof"]["layout"] == [["2c", "3c", "4c", "5c", "6c"], ["3d", "3h", "3s"]]


def test_one_clause_of_a_house_rule_rules_a_demand_out_at_every_moment() -> None:
    rules = str(HOUSE / "ten-down.rules")
    table = "3c 3d 3h, 6h 7h Jh Qh, 5c 6c 7c"
    proof = document("force", "--rules", rules, "--up", "Kh", "--table", table, "--prove")["proof"]
    assert proof["answer"] == "no"
    assert [clause["name"] for clause in proof["clauses"]] == ["ten-down"]
    assert proof["core"] == ["club.ten"] == proof["but_for"]
    nine = table.removesuffix(", 5c 6c 7c")
    assert document("force", "--rules", rules, "--up", "Kh", "--table", nine, "--prove")["answer"] == "yes"


def test_an_answer_that_depends_on_what_is_left_out_says_what_is_missing() -> None:
    proof = document("force", "--rules", "classic", "--up", "2h", "--prove")["proof"]
    assert [part["part"] for part in proof["missing"]] == ["table"]
    (part,) = proof["missing"]
    for answer in ("yes", "no"):
        case = part[answer]
        again = (
            "--rules",
            "classic",
            "--up",
            "2h",
            "--table",
            melds(case["table"]),
            "--stock",
            str(case["stock"]),
        )
        turned = () if case["turned_by"] == "starter" else ("--turned-by", case["turned_by"])
        assert document("force", *again, *turned)["answer"] == answer


def test_without_prove_there_is_no_proof_and_the_answer_is_the_same() -> None:
    plain = document("force", *WORKED[:-1])
    proved = document("force", *WORKED)
    assert "proof" not in plain
    assert {key: value for key, value in proved.items() if key != "proof"} == plain


@pytest.mark.parametrize("budget", ["1", "500"])
def test_a_budget_that_is_used_up_is_undecided_and_status_3_and_never_a_no(budget: str) -> None:
    status, text = told("force", *WORKED, "--budget", budget, "--format", "json")
    found = json.loads(text)
    assert status == 3
    assert found["undecided"] == {"budget": int(budget)}
    assert found["answer"] == "yes", "the answer itself needs no search"
    assert found["proof"] is None and found["consequence"] is None
    status, text = told("force", *WORKED, "--budget", budget)
    assert status == 3 and f"the proof is undecided within a budget of {budget}" in text


@pytest.mark.parametrize("budget", ["0", "-3", "99999999999999999999"])
def test_a_budget_is_a_number_of_steps(budget: str) -> None:
    assert told("force", *WORKED, "--budget", budget)[0] == 2


def asked_about(rules: str, position: Any, random: Random) -> Question:
    """The position from public cards alone, often with a card that fits."""
    of, state = position.rules.engine, position.state
    table = [card for meld in position.table("me") for card in meld]
    fitting = [card for card in of.pack.names(state.fit[0]) if table.count(card) < of.pack.copies]
    return question(
        rules=rules,
        readings=dict(of.changed),
        up=random.choice(fitting) if fitting and random.random() < 0.6 else position.up,
        table=melds(position.table("me")),
        hand=None,
        opponent_table="",
        stock=state.stock,
        turned_by={0: "me", 1: "opponent", 2: None}[state.at % 3],
        declined=False,
        position=None,
        at=None,
        cards=None,
    )


def test_every_answer_in_random_positions_is_proved_and_layouts_are_accepted() -> None:
    """A proof that a machine does not confirm raises `Disagreement`; this looks at what is said besides."""
    met: Counter[str] = Counter()
    houses = [HOUSE / f"{name}.rules" for name in ("ten-down", "own-card", "forced-at-once", "three-players")]
    for name in (*rule_sets(), *map(str, houses)):
        random = Random(f"prove/{Path(name).stem}")
        program = engine(name).program
        for _ in range(3):
            of = some_readings(program, random)
            here = some_position(of, random, demanded=False)
            asked = asked_about(name, here, random)
            found = force(asked, True, rules=name).document
            proof = found["proof"]
            assert proof is not None and proof["answer"] == found["answer"]
            met[found["answer"]] += 1
            if found["answer"] == "yes" and proof["layout"] is not None:
                cards = tuple(card for meld in proof["layout"] for card in meld)
                laid = tuple(map(tuple, proof["layout"]))
                readings = tuple(of.readings.items())
                assert (
                    problems(LayoutCertificate(program.name, program.digest, readings, cards, laid), program)
                    == []
                )
                assert sorted(cards) == sorted(
                    [*(c for meld in here.table("me") for c in meld), asked.position.up or ""]
                )
            if found["answer"] == "no":
                assert proof["core"] and proof["clauses"]
    assert min(met["yes"], met["no"]) > 8, met
