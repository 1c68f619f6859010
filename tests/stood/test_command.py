"""`conquian validate --as-played` and the positions of deals in which something was taken back."""

from __future__ import annotations

from pathlib import Path

import pytest

from conquian import load, replay
from tests.cli.running import run

from .telling import ANA, sheet_of

CLUB = f"""rules: swedish
players: Ana, Ben

{ANA}Ana turns 5c; melds 5c 6c; discards Ks
Ben passes; discards 3h
Ana passes
"""


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("club.cqn").write_text(CLUB, encoding="utf-8")
    return "club.cqn"


def test_json_marks_each_later_finding_and_says_who_could_have_objected_until_when(club: str) -> None:
    done = run("validate", club, "--as-played", "--format", "json", "--no-differs")
    assert done.status == 1
    (deal,) = done.data[0]["deals"]
    first, second = deal["violations"]
    assert (first["code"], first["after_irregularity"]) == ("invalid-meld", False)
    assert (second["code"], second["after_irregularity"]) == ("no-discard-due", True)
    assert first["stood"] == {
        "taken": True,
        "why": None,
        "objectors": ["Ben"],
        "until": 3,
        "rule": "Every meld on the table, and what is left of one, is a group or a run.",
    }
    assert second["stood"]["objectors"] == ["Ana"]
    assert deal["as_played"] == {"result": None, "judged": 6}
    assert deal["verdict"] == "invalid"


def test_without_the_option_the_json_is_as_it_was(club: str) -> None:
    (deal,) = run("validate", club, "--format", "json", "--no-differs").data[0]["deals"]
    assert "as_played" not in deal
    (violation,) = deal["violations"]
    assert not {"stood", "after_irregularity"} & violation.keys()


def test_text_says_it_in_words(club: str) -> None:
    done = run("validate", club, "--as-played", "--no-differs")
    assert done.status == 1
    lines = done.out.splitlines()
    assert "  deal 1: invalid" in lines
    assert "    Ben could have objected until event 3 (line 6)" in lines
    assert lines.count("    nobody objected: taken as played") == 2
    place = lines.index("    after an irregularity:")
    assert lines[place + 1].startswith("club.cqn:6:13: no-discard-due ")
    # The clause of each finding is its own.
    rules = [line for line in lines if line.startswith("    rule ")]
    assert len(set(rules)) == 2


def test_text_says_how_the_deal_ended_as_it_was_played() -> None:
    text = CLUB.replace("Ana passes\n", "Ana concedes\n")
    lines = run("validate", "-", "--as-played", "--no-differs", given=text).out.splitlines()
    assert "    as played, Ben wins" in lines
    assert "    Ana could have objected until event 5 (line 7)" in lines


def test_text_says_where_judging_stops_and_why() -> None:
    text = CLUB.replace("discards 3h", "discards 2h")
    done = run("validate", "-", "--as-played", "--no-differs", given=text)
    assert done.status == 1
    assert "    cannot be taken as played: 2h is in Ana's hand" in done.out.splitlines()
    assert "5 of 6 events judged, 1 not judged" in done.out


def test_a_deal_in_which_everything_was_taken_back_has_status_0() -> None:
    text = CLUB.replace("Ben passes; discards 3h\n", "Ben objects\n")
    for more in ((), ("--as-played",)):
        done = run("validate", "-", "--no-differs", *more, given=text)
        assert done.status == 0
        assert "taken back (taken-back; line 6, event 3)" in done.out


def test_positions_are_those_of_the_deal_as_it_stands() -> None:
    sheet = sheet_of("swedish", f"{ANA}Ana turns 5c; melds 5c 6c; discards Ks\nBen objects\nAna passes")
    assert sheet.game is not None
    found = list(replay(load("swedish"), ("Ana", "Ben"), sheet.game.deals[0]))
    assert [event for _, event in found] == [*sheet.game.deals[0].events, None]
    # From the turn on till the pass 5c is on offer to Ana and her table is empty.
    for position, _ in found[1:5]:
        assert position.up == "5c"
        assert position.table("Ana") == ()


def test_a_question_can_be_asked_about_a_place_after_something_was_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = CLUB.replace("Ben passes; discards 3h\nAna passes", "Ben objects\nAna melds 5c 6c 7c")
    Path("back.cqn").write_text(text, encoding="utf-8")
    done = run("legal", "--at", "back.cqn:7", "--meld", "5c 6c 7c", "--format", "json")
    assert done.data["legal"] is True


def test_what_was_taken_back_did_not_lead_to_a_later_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = CLUB.replace("Ben passes; discards 3h\nAna passes", "Ben objects\nAna melds 5c 6c 7c; discards Ks")
    Path("back.cqn").write_text(f"{text}Ben concedes\n", encoding="utf-8")
    done = run("settle", "--at", "back.cqn:7", "--rules", "swedish", "--format", "json")
    assert done.status == 0
    assert {row["legal"] for row in done.data["rows"]} == {True}
    # What is said is no event that rules allow or forbid.
    for line in (6, 8):
        done = run("settle", "--at", f"back.cqn:{line}")
        assert done.status == 2
        assert "is no event that rules allow or forbid" in done.err
    for command in ("legal", "outs"):
        assert run(command, "--at", "back.cqn:6").status == 0


def test_the_readings_under_which_a_later_event_is_legal_are_found_past_what_was_taken_back() -> None:
    record = (
        f"{ANA}Ana turns 5c; turns 6c\nBen objects\nAna passes\nBen passes; turns 2s; melds 2s 3s 4s; passes"
    )
    done = run(
        "validate",
        "-",
        "--format",
        "json",
        "--differs",
        given=f"rules: swedish\nplayers: Ana, Ben\n\n{record}\n",
    )
    (deal,) = done.data[0]["deals"]
    (wrong,) = deal["violations"]
    assert (wrong["code"], wrong["event"]) == ("no-offer", 7)
