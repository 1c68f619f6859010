"""`conquian diff`: two rule sets clause by clause, as a document and for people."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from conquian.position import load
from tests.verifier.comparing import by_words

from .asking import document, told

HOUSE = Path(__file__).parents[1] / "house_rules"
slow = pytest.mark.skipif(not os.environ.get("CONQUIAN_FULL"), reason="it takes seconds; set CONQUIAN_FULL=1")


@pytest.fixture(autouse=True)
def once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("conquian.differing.differences", by_words)


def test_one_reading_gives_one_difference_with_its_smallest_position() -> None:
    found = document("diff", "swedish", "swedish?new-meld=any")
    assert (found["a"], found["b"], found["equal"]) == ("swedish", "swedish?new-meld=any", False)
    (one,) = found["differences"]
    assert set(one) == {"clause", "allows", "status", "position", "event", "cards", "smallest"}
    assert (one["clause"], one["allows"], one["status"]) == ("sw.turn.3", "b", "position")
    assert (one["cards"], one["smallest"]) == (6, True)
    assert set(one["position"]) == {"up", "table", "hand"}
    cards = [
        one["position"]["up"],
        *one["position"]["hand"],
        *(x for meld in one["position"]["table"] for x in meld),
    ]
    assert len(cards) == len(set(cards)) == 6
    for choice, legal in (("two-from-hand", False), ("any", True)):
        here = load("swedish", {"new-meld": choice}).position(**one["position"])
        player, verb, melds = one["event"]
        assert here.can((player, verb, tuple(map(tuple, melds)))) is legal


def test_the_position_of_the_contract_separates_them_too() -> None:
    position = {"up": "2h", "table": [["3c", "3d", "3h", "3s"]], "hand": ["Ah"]}
    event = ("me", "melds", (("Ah", "2h", "3h"), ("3c", "3d", "3s")))
    for choice, legal in (("two-from-hand", False), ("any", True)):
        assert load("swedish", {"new-meld": choice}).position(**position).can(event) is legal  # type: ignore[arg-type]


def test_events_on_the_way_stand_between_position_and_event() -> None:
    found = document("diff", "classic", "classic?discard-after-meld=no")
    thrown = next(x for x in found["differences"] if x["allows"] == "a")
    assert [event[1] for event in thrown["after"]] == ["melds"]
    assert thrown["event"][:2] == ["me", "discards"]
    assert thrown["cards"] == 4


def test_what_no_position_shows_is_told_in_words() -> None:
    found = document("diff", "swedish", "swedish-packets")
    assert found["differences"] == [
        {
            "clause": "sw.deal.2",
            "allows": None,
            "status": "none-up-to",
            "cards": 40,
            "says": {
                "a": "Ten cards each, one at a time.",
                "b": "Ten cards each, in five packets of two.",
            },
        }
    ]


def test_a_person_can_lay_the_position_on_the_table() -> None:
    status, text = told("diff", "classic", "no-force")
    assert (status, text) == (
        0,
        "demand (cl.variants.4)\n"
        "    An opponent may demand that a card that fits be melded, once it has been passed.\n"
        "    classic allows what no-force forbids (no-force-due); 4 cards, no smaller position does:\n"
        "        on the table Ac 2c 3c; in the hand nothing that matters; on offer 4c; passed\n"
        "        opponent forces   <- only under classic\n"
        "classic and no-force part on 1 clause that a position shows.\n",
    )


def test_cards_are_written_as_the_player_knows_them() -> None:
    _, text = told("diff", "classic", "no-force", "--cards", "german")
    assert "Ac 2c 3c" not in text


@pytest.mark.parametrize(
    ("a", "b", "options", "status"),
    [
        ("swedish", "swedish", ("--exit-code",), 0),
        ("swedish", "swedish?goal=at-least", ("--exit-code",), 0),
        ("classic", "no-force", (), 0),
        ("classic", "no-force", ("--exit-code",), 1),
        ("swedish", "mexican", ("--budget", "1000"), 3),
        ("swedish", "mexican", ("--budget", "1000", "--exit-code"), 3),
    ],
)
def test_the_exit_status_tells_whether_they_differ_if_it_is_asked_to(
    a: str, b: str, options: tuple[str, ...], status: int
) -> None:
    assert told("diff", a, b, *options)[0] == status


def test_equal_rules_say_so() -> None:
    assert told("diff", "swedish", "swedish")[1] == "swedish and swedish say the same in every clause.\n"
    _, text = told("diff", "swedish", "swedish?goal=at-least")
    assert text.endswith("swedish and swedish?goal=at-least allow the same in every position.\n")


def test_a_gap_in_the_budget_names_the_budget() -> None:
    status, text = told("diff", "swedish", "mexican", "--budget", "1000", "--format", "json")
    undecided = [x for x in json.loads(text)["differences"] if x["status"] == "undecided"]
    assert status == 3
    assert undecided[0] == {
        "clause": "sw.forms.1",
        "allows": "a",
        "status": "undecided",
        "budget": 1000,
    }


@pytest.mark.parametrize(
    ("rules", "parent", "clause", "code"),
    [
        ("ace-high", "classic", "cl.deck.2", "invalid-meld"),
        pytest.param("first-meld", "swedish", "club.first", "house.first-meld", marks=slow),
        pytest.param("own-card", "swedish", "club.own", "no-force-due", marks=slow),
        ("fitting-discard", "classic", "club.discards", "house.fitting-discard"),
        ("five-of-a-kind", "navajo-tens", "sw.melds.1", "invalid-meld"),
        ("forced-at-once", "coonking", "club.at-once", "forced"),
    ],
)
def test_a_rule_file_is_compared_with_the_set_it_extends(
    rules: str, parent: str, clause: str, code: str
) -> None:
    _, text = told("diff", parent, str(HOUSE / f"{rules}.rules"))
    assert f"({code})" in text
    assert clause in text


@pytest.mark.parametrize(
    ("a", "complaint"),
    [
        ("swedsh", "did you mean `swedish`?"),
        ("swedish?x=y", "there is no reading `x`"),
        ("swedish?new-meld=foo", "`foo` is no choice of `new-meld`"),
        ("swedish?new-meld", "'new-meld' is not READING=CHOICE"),
        ("swedish?", "'' is not READING=CHOICE"),
        ("swedish?new-meld=any&new-meld=two-from-hand", "gives `new-meld` two choices"),
        ("common", "common is a fragment, not a game"),
        ("nowhere.rules", "cannot read the file"),
        ("a\0b", "a\\x00b"),
    ],
)
def test_what_cannot_be_compared_gets_a_complaint(a: str, complaint: str) -> None:
    status, text = told("diff", a, "swedish")
    assert status == 2
    assert complaint in text


def test_a_budget_is_a_number_above_nothing() -> None:
    assert told("diff", "swedish", "classic", "--budget", "0")[0] == 2


def test_a_position_that_may_not_be_the_smallest_says_so() -> None:
    status, text = told("diff", "classic", str(HOUSE / "forced-at-once.rules"))
    _, made = told("diff", "classic", str(HOUSE / "forced-at-once.rules"), "--format", "json")
    shown = [x["smallest"] for x in json.loads(made)["differences"] if x["status"] == "position"]
    # An order of play that asks for cards is not walked through.
    assert status == 3
    assert False in shown
    assert text.count("no smaller position does") == shown.count(True)
    assert text.count("whether a smaller one does was not decided") == shown.count(False)
