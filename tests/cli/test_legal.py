"""`legal`: is this meld legal, and all that are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .running import run

BOARD = ("--rules", "swedish", "--up", "Kh", "--table", "3c 3d 3h 3s, 6h 7h Jh Qh", "--hand", "Ah Ad")
SEVEN = ("--rules", "swedish", "--up", "7h", "--table", "5s 6s 7s", "--hand", "4s 7d")
SEVENS = "7s 7h 7d, 4s 5s 6s"
FIVE = ("--rules", "swedish", "--up", "4d", "--table", "5d 6d 7d", "--hand", "3d Kc")


def test_every_legal_meld_of_the_position() -> None:
    done = run("legal", *FIVE)
    assert done.out == "3d 4d 5d 6d 7d\n4d 5d 6d 7d\n"
    assert (done.status, done.err) == (0, "")
    assert run("legal", *FIVE, "--format", "json").data == {
        "count": 2,
        "melds": [[["3d", "4d", "5d", "6d", "7d"]], [["4d", "5d", "6d", "7d"]]],
    }
    assert run("legal", *BOARD).out == "3c 3d 3h 3s, 6h 7h Jh Qh Kh\n"


def test_count_and_limit() -> None:
    assert run("legal", *FIVE, "--count").out == "2\n"
    assert run("legal", *FIVE, "--count", "--format", "json").data == {"count": 2}
    assert run("legal", *FIVE, "--limit", "1").out == "3d 4d 5d 6d 7d\n… 1 more\n"
    assert run("legal", *FIVE, "--limit", "1", "--format", "json").data == {
        "count": 2,
        "melds": [[["3d", "4d", "5d", "6d", "7d"]]],
    }
    assert run("legal", *FIVE, "--limit", "-1").status == 2


def test_no_legal_meld_is_an_answer() -> None:
    done = run("legal", "--rules", "swedish", "--up", "Kh", "--table", "", "--hand", "2c 3d")
    assert (done.status, done.out) == (0, "no meld of the card on offer is legal\n")
    done = run("legal", "--rules", "swedish", "--up", "Kh", "--table", "")
    assert done.status == 0
    assert done.out.splitlines() == [
        "no meld without hand cards is legal; the hand is not known",
        "it depends on hand, which the position leaves out",
    ]


def test_a_legal_meld() -> None:
    done = run("legal", *FIVE, "--meld", "3d 4d 5d 6d 7d")
    assert (done.status, done.out) == (0, "legal; the table is then 3d 4d 5d 6d 7d\n")
    assert run("legal", *FIVE, "--meld", "3d 4d 5d 6d 7d", "--format", "json").data == {
        "legal": True,
        "code": None,
        "clause": None,
        "why": None,
        "core": [],
        "instead": [],
        "legal_under": [],
    }


def test_a_winning_meld_says_so() -> None:
    table = "Ah 2h 3h 4h, Jc Jd Jh Js"
    done = run(
        "legal",
        "--rules",
        "swedish",
        "--up",
        "5h",
        "--table",
        table,
        "--hand",
        "6h 7h",
        "--meld",
        "Ah 2h 3h 4h 5h 6h 7h",
    )
    assert done.out == "legal, and wins; the table is then Ah 2h 3h 4h 5h 6h 7h, Jc Jd Jh Js\n"


def test_an_illegal_meld_with_its_clause_and_the_readings_that_would_allow_it() -> None:
    done = run("legal", *SEVEN, "--meld", SEVENS)
    assert done.status == 1
    assert (
        done.out
        == """\
not legal: new-meld - too few hand cards in the new meld with 7h
rule sw.turn.3 (Swedish rule sheet): A new combination takes at least two cards from the hand.
hint: no meld of the card on offer is legal with the cards that are known
legal with new-meld=any
"""
    )
    assert run("legal", *SEVEN, "--meld", SEVENS, "--format", "json").data == {
        "legal": False,
        "code": "new-meld",
        "clause": "sw.turn.3",
        "why": "too few hand cards in the new meld with 7h",
        "core": ["sw.turn.3"],
        "instead": [],
        "legal_under": [{"new-meld": "any"}],
    }


def test_what_would_be_legal_instead_is_listed() -> None:
    # Without the demand the king could only go to the run; a new meld with one ace is none.
    found = run("legal", *BOARD, "--meld", "Kh Ah Ad", "--format", "json").data
    assert (found["code"], found["instead"]) == ("invalid-meld", [[["6h", "7h", "Jh", "Qh", "Kh"]]])


@pytest.mark.parametrize(
    ("rules", "readings", "code"),
    [
        ("swedish", [], "new-meld"),
        ("swedish", ["new-meld=any"], None),
        ("classic", [], None),
        ("discard-then-meld", [], "borrowing"),
        ("coonking", [], None),
    ],
)
def test_the_same_act_under_five_rule_sets(rules: str, readings: list[str], code: str | None) -> None:
    """Seven of 5-6-7 for three sevens, the run mended with the four: the case that the contract settles."""
    chosen = [part for reading in readings for part in ("--reading", reading)]
    done = run("legal", "--rules", rules, *SEVEN[2:], *chosen, "--meld", SEVENS, "--format", "json")
    assert (done.data["code"], done.status) == (code, 0 if code is None else 1)


def test_a_position_as_json_from_a_file_and_from_standard_input(folder: Path) -> None:
    position = {
        "rules": "swedish",
        "readings": {"new-meld": "any"},
        "up": "7h",
        "table": [["5s", "6s", "7s"]],
        "hand": ["4s", "7d"],
        "opponent_table": [["Kc", "Kd", "Kh"]],
        "stock": 7,
        "turned_by": "me",
        "declined": False,
    }
    text = json.dumps(position)
    (folder / "position.json").write_text(text, encoding="utf-8")
    for done in (
        run("legal", "--position", "position.json", "--meld", SEVENS),
        run("legal", "--position", "-", "--meld", SEVENS, given=text),
    ):
        assert (done.status, done.out) == (0, "legal; the table is then 4s 5s 6s, 7d 7h 7s\n")
    # The command line wins over the document.
    strict = ("--reading", "new-meld=two-from-hand")
    assert run("legal", "--position", "position.json", *strict, "--meld", SEVENS).status == 1
    other = run(
        "legal",
        "--position",
        "position.json",
        "--rules",
        "discard-then-meld",
        "--meld",
        SEVENS,
        "--format",
        "json",
    )
    assert other.data["code"] == "borrowing"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{",
        "null",
        '{"rules": "swedish"}',
        '{"rules": "swedish", "up": "Th"}',
        '{"rules": "swedish", "up": "5c", "hands": []}',
        '{"rules": "swedish", "up": "5c", "hand": "6c"}',
        '{"rules": "swedish", "up": "5c", "table": [["6c"]]}',
        '{"rules": "swedish", "up": "5c", "stock": true}',
        '{"rules": "swedish", "up": "5c", "stock": -1}',
        '{"rules": "../swedish", "up": "5c"}',
        '{"rules": "swedish", "up": "5c", "readings": ["a"]}',
        '{"rules": "swedish", "up": "5c", "readings": {"new-meld": "al"}}',
        '{"rules": "swedish", "up": "5c", "declined": 1}',
        '{"rules": 5, "up": "5c"}',
        "[" * 3000,
    ],
)
def test_a_position_that_cannot_be_used_is_status_2(text: str) -> None:
    done = run("legal", "--position", "-", given=text)
    assert (done.status, done.out) == (2, "")
    assert done.err


PLAYED = """rules: swedish
players: Ana, Ben

Ana holds 6c 7c Kd 2d 3d 4h 5h Js Qs As
Ana turns 5c; melds 5c 6c 7c; discards Kd
Ben passes; turns 4d; passes
Ana melds 2d 3d 4d
"""


def test_a_place_in_a_transcript_asks_about_the_position_just_before_it(folder: Path) -> None:
    (folder / "played.cqn").write_text(PLAYED, encoding="utf-8")
    for place in ("played.cqn:7", "played.cqn:7:1", "played.cqn:7:9", "played.cqn#1@6"):
        assert run("legal", "--at", place).out == "2d 3d 4d, 5c 6c 7c\n"
    # The first event of a line without a column, the last one that begins before it with one.
    assert run("legal", "--at", "played.cqn:5").out == "no card is on offer to Ana\n"
    assert run("legal", "--at", "played.cqn:5:15").out == "5c 6c 7c\n"
    assert run("legal", "--at", "played.cqn:5:20").out == "5c 6c 7c\n"
    assert run("legal", "--at", "played.cqn#1@1").out == "5c 6c 7c\n"
    assert run("legal", "--at", "played.cqn:7", "--meld", "4d 4h 4s").status == 1
    done = run("legal", "--at", "played.cqn:7", "--meld", "2d 3d 4d", "--rules", "mexican")
    assert done.status == 2  # ten cards are too many there


def test_a_place_after_the_first_violation_is_no_position(folder: Path) -> None:
    (folder / "played.cqn").write_text(
        PLAYED.replace("Ben passes; turns 4d", "Ben turns 4d"), encoding="utf-8"
    )
    done = run("legal", "--at", "played.cqn:7")
    assert done.status == 2 and "play stops being legal" in done.err


@pytest.mark.parametrize(
    ("cards", "up", "hand", "answer"),
    [
        ("spanish", "11e", "10e 12e", "10e 11e 12e"),
        ("german", "Dpi", "Bpi Kpi", "Bpi Dpi Kpi"),
        ("swedish", "Dsp", "Knsp Ksp", "Knsp Dsp Ksp"),
        ("french", "Q♠", "J♠ K♠", "Js Qs Ks"),
    ],
)
def test_cards_are_read_and_written_in_the_notation_asked_for(
    cards: str, up: str, hand: str, answer: str
) -> None:
    position = ("--rules", "swedish", "--cards", cards, "--up", up, "--table", "", "--hand", hand)
    done = run("legal", *position)
    assert done.out == answer + "\n"
    # Documents for programs always have the French form.
    done = run("legal", *position, "--format", "json")
    assert done.data["melds"] == [[["Js", "Qs", "Ks"]]]


def test_declined_asks_about_the_player_who_holds_the_card_next() -> None:
    # The holder has passed a card that was not his own: it is refused, and nothing can be melded.
    assert run("legal", *FIVE, "--turned-by", "opponent", "--declined").status == 0
    assert run("legal", *FIVE, "--turned-by", "opponent", "--declined", "--count").out == "0\n"


FACED = ("--rules", "classic", "--up", "7h")
ON_TABLE = (*FACED, "--table", "5s 6s 7s")


def test_the_list_depends_on_a_hand_that_is_left_out() -> None:
    # Two more sevens in the hand would do, or a six and an eight; none is known.
    listed = {"count": 0, "melds": [], "depends_on": ["hand"]}
    assert run("legal", *ON_TABLE, "--format", "json").data == listed
    counted = run("legal", *ON_TABLE, "--count")
    assert counted.out == "0\nit depends on hand, which the position leaves out\n"
    assert run("legal", *ON_TABLE, "--count", "--format", "json").data == {"count": 0, "depends_on": ["hand"]}


def test_the_list_depends_on_a_table_that_is_left_out() -> None:
    found = run("legal", *FACED, "--hand", "7c 7d", "--format", "json").data
    assert found == {"count": 1, "melds": [[["7c", "7d", "7h"]]], "depends_on": ["table"]}
    done = run("legal", *FACED, "--hand", "7c 7d")
    assert done.out == "7c 7d 7h\nit depends on table, which the position leaves out\n"


def test_whether_a_meld_is_legal_depends_on_what_is_left_out() -> None:
    done = run("legal", *FACED, "--meld", "7h 7c 7d")
    assert done.status == 0
    assert done.out.splitlines()[-1] == "it depends on table and hand, which the position leaves out"
    found = run("legal", *FACED, "--meld", "7h 7c 7d", "--format", "json").data
    assert list(found)[-2:] == ["legal_under", "depends_on"]
    assert found["depends_on"] == ["table", "hand"]
    # A known hand lacks the seven of diamonds, which may lie on the table.
    found = run("legal", *FACED, "--hand", "7c", "--meld", "7h 7c 7d", "--format", "json").data
    assert (found["code"], found["depends_on"]) == ("not-in-hand", ["table"])


@pytest.mark.parametrize(
    ("given", "meld"),
    [
        # The table and the card on offer are all that is needed.
        (("--rules", "swedish", "--up", "7h", "--table", "4h 5h 6h"), "4h 5h 6h 7h"),
        # No hand makes these legal: not a meld; a card that the pack lacks; too few cards from the hand.
        (FACED, "7h 7c 6d"),
        (FACED, "7h 7c 8d"),
        (("--rules", "swedish", "--up", "7h", "--table", "5s 6s 7s"), SEVENS),
    ],
)
def test_an_answer_that_nothing_left_out_can_change_does_not_mention_it(
    given: tuple[str, ...], meld: str
) -> None:
    assert "depends_on" not in run("legal", *given, "--meld", meld, "--format", "json").data
    assert "depends" not in run("legal", *given, "--meld", meld).out


def test_other_events_depend_on_what_changes_them() -> None:
    # A demand may be made at once there, if the card fits a meld in front of the holder.
    found = run("legal", *BOARD[:4], "--event", "opponent forces", "--format", "json").data
    assert (found["legal"], found["depends_on"]) == (False, ["table"])
    assert "depends_on" not in run("legal", *BOARD, "--event", "opponent forces", "--format", "json").data
    assert "depends_on" not in run("legal", *FACED, "--event", "me passes", "--format", "json").data


def test_stock_and_turner_are_named_where_a_rule_of_melds_asks_for_them(folder: Path) -> None:
    (folder / "late.rules").write_text(
        """ruleset late "Late melds"
extends swedish
source us "Us" in "us.txt"

clause late "Nobody melds a card that he turned himself while the stock is empty."
  cite us.1
  code house.late
  player may not meld when own and stock is empty
""",
        encoding="utf-8",
    )
    position = ("--rules", "late.rules", "--up", "7h", "--table", "", "--hand", "7c 7d")
    # By default the opponent turned it, and the stock is full: legal.
    for event in ((), ("--meld", "7c 7d 7h")):
        assert run("legal", *position, *event, "--format", "json").data["depends_on"] == [
            "turned_by",
            "stock",
        ]
        by = (*position, *event, "--turned-by", "opponent", "--format", "json")
        assert "depends_on" not in run("legal", *by).data
        empty = (*position, *event, "--stock", "0", "--format", "json")
        assert run("legal", *empty).data["depends_on"] == ["turned_by"]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("de", "es hängt von hand ab, was die Stellung offen lässt"),
        ("sv", "det beror på hand, som ställningen utelämnar"),
        ("es", "depende de hand, que la posición no indica"),
    ],
)
def test_what_is_missing_is_said_in_every_language(language: str, said: str) -> None:
    assert run("legal", *ON_TABLE, "--count", "--lang", language).out == f"0\n{said}\n"


GAPS = """rules: swedish
players: Ana, Ben

deal 1
Ana holds 5h Qd ? ? ? ? ? ? ? ?
Ana turns 7d; passes
Ben passes
"""


def test_where_nothing_is_on_offer_the_list_says_so(folder: Path) -> None:
    (folder / "gaps.cqn").write_text(GAPS, encoding="utf-8")
    done = run("legal", "--at", "gaps.cqn:6:1")
    assert (done.status, done.out) == (0, "no card is on offer to Ana\n")
    assert run("legal", "--at", "gaps.cqn:6:1", "--format", "json").data == {"count": 0, "melds": []}
    # The turned card is on offer to her; eight of her cards nobody saw.
    done = run("legal", "--at", "gaps.cqn:6:15")
    assert done.out.splitlines() == [
        "no meld without hand cards is legal; the hand is not known",
        "it depends on hand, which the position leaves out",
    ]
