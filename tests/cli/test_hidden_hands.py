"""`validate --example-deal` and `validate --why` where not everything was recorded."""

from __future__ import annotations

from pathlib import Path

import pytest

from .running import ROOT, run
from .test_process import probe_of

TWICE = """rules: swedish
players: Ana, Ben

Ana turns 5c; melds 4c 5c 6c 7c; discards Kd
Ben passes; turns 7h; passes
Ana passes; turns 2d; passes
Ben melds Ad 2d 3d; discards 4c
"""
GIFT = """rules: mexican
players: Ana, Ben

Ana holds Ac 2c 3c 4d 5d 6d 7h Jh
Ana gives ? to Ben; turns 5c; passes
"""


@pytest.fixture(autouse=True)
def hidden(folder: Path) -> None:
    (folder / "twice.cqn").write_text(TWICE, encoding="utf-8")


def test_example_deal_is_one_complete_deal_that_fits() -> None:
    done = run("validate", "won.cqn", "--no-differs", "--example-deal")
    assert done.out.startswith("won.cqn: valid (swedish)\n  deal 1: valid, Ana wins\n")
    assert done.out.splitlines()[2] == "  deal 1: a deal that fits the record:"
    lines = [line.strip() for line in done.out.splitlines()[3:]]
    assert [line.split()[0] for line in lines] == ["stock", "Ana", "Ben"]
    ana = lines[1].split()[2:]
    # Laid or thrown by Ana: 4c 6c 7c, Kd, then 3d 4d 5d and Ah 2h 3h.
    assert {"4c", "6c", "7c", "Kd", "3d", "4d", "5d", "Ah", "2h", "3h"} == set(ana)
    assert lines[0].split()[1:3] == ["5c", "2d"]
    assert len(set(lines[0].split()[1:] + ana + lines[2].split()[2:])) == 40


def test_the_lines_of_an_example_deal_make_the_record_complete(folder: Path) -> None:
    lines = run("validate", "won.cqn", "--no-differs", "--example-deal").out.splitlines()[3:]
    text = (folder / "won.cqn").read_text(encoding="utf-8")
    head, events = text.split("\n\n")
    (folder / "whole.cqn").write_text(head + "\n\n" + "\n".join(lines) + "\n" + events, encoding="utf-8")
    assert run("validate", "whole.cqn", "--no-differs").out.endswith("deal 1: valid, Ana wins\n")


def test_example_deal_in_json_names_hands_starter_stock_and_gifts(folder: Path) -> None:
    (folder / "gift.cqn").write_text(
        GIFT.replace("; turns 5c; passes", "\nBen gives 2h to Ana"), encoding="utf-8"
    )
    done = run("validate", "gift.cqn", "--format", "json", "--no-differs", "--example-deal")
    example = done.data[0]["deals"][0]["example_deal"]
    assert list(example) == ["hands", "starter", "stock", "gifts"]
    assert example["hands"]["Ana"] == ["Ac", "2c", "3c", "4d", "5d", "6d", "7h", "Jh"]
    assert "2h" in example["hands"]["Ben"]
    ((giver, verb, card, receiver),) = example["gifts"]
    assert (giver, verb, receiver) == ("Ana", "gives", "Ben")
    assert card in example["hands"]["Ana"]
    assert (example["starter"], len(example["stock"])) == (None, 24)


def test_an_illegal_record_has_no_example_deal() -> None:
    done = run("validate", "twice.cqn", "--no-differs", "--example-deal")
    assert (done.status, done.out.splitlines()[-1]) == (1, "  deal 1: no deal fits the record")
    done = run("validate", "twice.cqn", "--format", "json", "--example-deal")
    assert done.data[0]["deals"][0]["example_deal"] is None


def test_why_names_the_fewest_events_that_contradict_each_other() -> None:
    done = run("validate", "twice.cqn", "--no-differs", "--why")
    assert done.status == 1
    assert done.out.splitlines()[-3:] == [
        "  deal 1: why: no deal fits all of these, and one fits if any of them is left out:",
        "    twice.cqn:4:15: 4c came from the hand of Ana (event 1)",
        "    twice.cqn:7:21: 4c came from the hand of Ben (event 10)",
    ]
    done = run("validate", "twice.cqn", "--format", "json", "--why")
    assert done.data[0]["deals"][0]["contradiction"] == {
        "events": [1, 10],
        "cards": ["4c"],
        "smallest": True,
        "checked": True,
        "parts": [
            {"event": 1, "line": 4, "column": 15, "says": "4c came from the hand of Ana"},
            {"event": 10, "line": 7, "column": 21, "says": "4c came from the hand of Ben"},
        ],
    }


@pytest.mark.parametrize(
    ("setup", "code", "parts"),
    [
        # A hand told whole, and a card from it that is not one of the ten.
        (
            "Ben holds Ad 3d 5s 5h 6s 6h 7s Jc Jd Jh",
            "not-in-hand",
            ["Ben was dealt Ad 3d 5s 5h 6s 6h 7s Jc Jd Jh", "4c came from the hand of Ben"],
        ),
        ("stock 5c 7h Qs", "stock-mismatch", ["Qs was card 3 of the stock", "2d was card 3 of the stock"]),
        ("Ana holds 2d ?", "card-elsewhere", ["Ana was dealt 2d", "2d was card 3 of the stock"]),
    ],
)
def test_lines_of_the_set_up_can_be_part_of_a_contradiction(
    folder: Path, setup: str, code: str, parts: list[str]
) -> None:
    # Without 4c in Ana's meld, so that nothing but the set-up speaks against the record.
    text = TWICE.replace("4c 5c 6c 7c", "5c 6c 7c").replace("\n\n", f"\n\n{setup}\n")
    (folder / "setup.cqn").write_text(text, encoding="utf-8")
    deal = run("validate", "setup.cqn", "--format", "json", "--why").data[0]["deals"][0]
    assert deal["violations"][0]["code"] == code
    assert [part["says"] for part in deal["contradiction"]["parts"]] == parts
    assert deal["contradiction"]["parts"][0]["event"] is None
    assert deal["contradiction"]["parts"][0]["line"] == 4


def test_an_event_that_breaks_other_rules_besides_is_explained_by_its_cards(folder: Path) -> None:
    # Js makes no meld of the three, but the code says that it is not in the hand, and why not is asked.
    text = TWICE.replace("Ad 2d 3d; discards 4c", "Ad 2d 3d Js").replace("\n\n", "\n\nAna holds Js Qs\n")
    (folder / "more.cqn").write_text(text, encoding="utf-8")
    deal = run("validate", "more.cqn", "--format", "json", "--why").data[0]["deals"][0]
    assert deal["violations"][0]["code"] == "not-in-hand"
    assert deal["contradiction"]["cards"] == ["Js"]
    assert [part["says"] for part in deal["contradiction"]["parts"]] == [
        "Ana was dealt Js",
        "Js came from the hand of Ben",
    ]


def test_a_set_up_that_contradicts_itself_is_named_too(folder: Path) -> None:
    text = "rules: swedish\nplayers: Ana, Ben\n\nAna holds 4c 5c\nBen holds 5c\nAna turns 6c\n"
    (folder / "setup.cqn").write_text(text, encoding="utf-8")
    deal = run("validate", "setup.cqn", "--format", "json", "--why").data[0]["deals"][0]
    assert deal["violations"][0]["code"] == "card-elsewhere"
    assert [part["says"] for part in deal["contradiction"]["parts"]] == [
        "Ana was dealt 5c",
        "Ben was dealt 5c",
    ]


def test_a_violation_that_is_not_about_where_cards_are_has_no_contradiction() -> None:
    deal = run("validate", "club.cqn", "--format", "json", "--why").data[0]["deals"][0]
    assert deal["violations"][0]["code"] == "new-meld"
    assert "contradiction" not in deal


FITTING = """players: Ana, Ben

starter 2c
Ana passes
Ben passes
Ana turns Jd; melds 5d 6d 7d Jd; discards Kc
Ben passes; turns Qd; passes
Ana melds 5d 6d 7d Jd Qd; discards {thrown}
"""
CLUB_RULES = ("--rules", str(ROOT / "tests" / "house_rules" / "fitting-discard.rules"), "--no-differs")


def test_a_clause_on_hands_is_held_against_one_that_nobody_recorded_when_no_hand_obeys(folder: Path) -> None:
    # To throw 4d, which fits the run, the five cards left would all have to fit it: only Kd would.
    for thrown, code in (("4d", "house.fitting-discard"), ("4c", None)):
        (folder / "fitting.cqn").write_text(FITTING.format(thrown=thrown), encoding="utf-8")
        done = run("validate", "fitting.cqn", *CLUB_RULES, "--format", "json", "--example-deal")
        deal = done.data[0]["deals"][0]
        assert [v["code"] for v in deal["violations"]] == [code] * (code is not None)
        assert (deal["example_deal"] is None) == (code is not None)


def test_a_search_for_hands_that_is_given_up_is_undecided(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("conquian.engine.residues.BUDGET", 3)
    (folder / "fitting.cqn").write_text(FITTING.format(thrown="4c"), encoding="utf-8")
    for done in (
        run("validate", "fitting.cqn", *CLUB_RULES),
        run("legal", "--at", "fitting.cqn:8:32", *CLUB_RULES[:2]),
    ):
        assert (done.status, "undecided" in done.err) == (3, True)
    done = run("infer", "fitting.cqn", *CLUB_RULES[:2], "--format", "json")
    assert (done.status, done.data["undecided"]) == (3, 3)


def test_streams_give_the_same_documents(folder: Path) -> None:
    run_of = run("convert", "twice.cqn", "--to", "jsonl").out
    (folder / "games.jsonl").write_text(run_of + run_of, encoding="utf-8")
    done = run("validate", "games.jsonl", "--format", "jsonl", "--why", "--example-deal")
    lines = done.out.splitlines()
    assert len(lines) == 2 and all('"contradiction":{"events":[1,10]' in line for line in lines)


def test_an_example_deal_needs_no_solver(folder: Path) -> None:
    assert "z3" not in probe_of(folder, "validate", "won.cqn", "--example-deal").splitlines()[-1]
