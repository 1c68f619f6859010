"""`validate` for other programs: GitHub's workflow commands, SARIF, JUnit XML.

What has to be in them is taken from the JSON of the same run; GitHub's lines are taken apart as its runner does.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from conquian.engine.residues import TooManyHands
from conquian.language.pages import page
from tests.cli.running import ROOT, Done, run

from .conftest import EVERY, FILES

jsonschema = pytest.importorskip("jsonschema")
SCHEMA = json.loads(
    (ROOT / "tests" / "data" / "sarif" / "sarif-schema-2.1.0.json").read_text(encoding="utf-8")
)
Fault = tuple[str, int, int, str]
Note = tuple[str, int, str]


def told_in_json(*files: str) -> tuple[set[Fault], set[Note]]:
    """Every fault (file, line, column, code) and note (file, line, code) of the JSON of the same files."""
    faults: set[Fault] = set()
    notes: set[Note] = set()
    for game in run("validate", *files, "--format", "json").data:
        file = game["file"].split(".jsonl:")[0] + (".jsonl" if ".jsonl:" in game["file"] else "")
        for one in [*game.get("errors", []), *(v for deal in game["deals"] for v in deal["violations"])]:
            faults.add((file, one["line"], one["column"], one["code"]))
        for one in [*game.get("notes", []), *(n for deal in game["deals"] for n in deal["notes"])]:
            notes.add((file, one["line"], one["code"]))
    return faults, notes


def commands(text: str) -> list[tuple[str, dict[str, str], str]]:
    """Workflow commands as the runner reads them: name, properties, message."""
    found = []
    for line in text.splitlines():
        assert line.startswith("::")
        head, message = line[2:].split("::", 1)
        name, _, shown = head.partition(" ")
        properties = dict(pair.split("=", 1) for pair in shown.split(","))
        found.append((name, {key: unescaped(value) for key, value in properties.items()}, unescaped(message)))
    return found


def unescaped(text: str) -> str:
    for code, sign in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(code, sign)
    return text


def sarif(*files: str) -> dict[str, Any]:
    document: dict[str, Any] = run("validate", *files, "--format", "sarif").data
    jsonschema.validate(document, SCHEMA, jsonschema.Draft7Validator)
    (only,) = document["runs"]
    assert isinstance(only, dict)
    return only


def test_the_schema_of_sarif_is_one_that_can_refuse() -> None:
    for wrong in ({"version": "2.1.0"}, {"version": "2.0.0", "runs": []}, {"version": "2.1.0", "runs": [{}]}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, SCHEMA, jsonschema.Draft7Validator)


def test_github_marks_every_fault_and_every_note_where_it_stands() -> None:
    done = run("validate", *EVERY, "--format", "github")
    assert done.status == 2
    faults, notes = told_in_json(*EVERY)
    assert len(faults) == 9 and len(notes) == 1
    found = commands(done.out)
    assert len(found) == 10
    errors = {
        (p["file"], int(p["line"]), int(p["col"]), p["title"]) for name, p, _ in found if name == "error"
    }
    assert errors == faults
    assert {(p["file"], int(p["line"]), p["title"]) for name, p, _ in found if name == "notice"} == notes


def test_a_mark_of_github_spans_the_card_and_says_rule_and_readings() -> None:
    ((name, properties, message),) = commands(run("validate", "club.cqn", "--format", "github").out)
    assert name == "error"
    # "Ana melds 7c 7h 7d": the seven of hearts stands in columns 14 and 15.
    assert properties == {
        "file": "club.cqn",
        "line": "6",
        "col": "14",
        "endColumn": "15",
        "title": "new-meld",
    }
    assert message.splitlines()[0] == "too few hand cards in the new meld with 7h (deal 1, event 6)"
    assert "rule sw.turn.3 (Swedish rule sheet)" in message and "legal with new-meld=any" in message


def test_no_name_of_a_file_or_player_begins_a_command_or_breaks_a_property() -> None:
    out = run("validate", "a,b: 100%.cqn", "--format", "github").out
    assert out.startswith("::error file=a%2Cb%3A 100%25.cqn,line=6,") and out.count("\n") == 1
    stolen = (
        FILES["a,b: 100%.cqn"].replace("A%0A::error::x,:y", "A:: 100% B").replace("passes; turns", "melds")
    )
    out = run("validate", "-", "--format", "github", given=stolen).out
    assert all(line.startswith("::error file=-,") for line in out.splitlines()) and "100%25" not in stolen


def test_legal_deals_leave_no_mark_and_exit_status_0() -> None:
    done = run("validate", "won.cqn", "open.cqn", "--format", "github")
    assert (done.status, done.out, done.err) == (0, "", "")


def test_sarif_fits_the_published_schema_and_holds_every_fault_and_note() -> None:
    found = sarif(*EVERY)
    faults, notes = told_in_json(*EVERY)
    places = []
    for result in found["results"]:
        (location,) = result["locations"]
        file = location["physicalLocation"]["artifactLocation"]
        region = location["physicalLocation"]["region"]
        assert found["artifacts"][file["index"]]["location"]["uri"] == file["uri"]
        assert found["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        places.append((result["level"], unquote(file["uri"]), region, result["ruleId"]))
    assert len(places) == 10
    assert {
        (f, r["startLine"], r["startColumn"], code) for level, f, r, code in places if level == "error"
    } == faults
    assert {(f, r["startLine"], code) for level, f, r, code in places if level == "note"} == notes
    assert found["invocations"] == [{"executionSuccessful": True, "exitCode": 2}]
    assert [unquote(one["location"]["uri"]) for one in found["artifacts"]] == EVERY
    assert found["properties"]["deals"] == {"valid": 2, "unfinished": 2, "invalid": 4, "unreadable": 1}


def test_a_rule_of_sarif_is_a_code_with_its_page_as_help() -> None:
    found = sarif("club.cqn", "broken.cqn")
    rules = {rule["id"]: rule for rule in found["tool"]["driver"]["rules"]}
    assert list(rules) == sorted({"new-meld", "offer-open", "bad-card", "unknown-verb"})
    for code, rule in rules.items():
        text = page(code)
        assert text is not None and rule["help"]["markdown"] == text.strip()
        assert text.startswith(f"# {code}: {rule['shortDescription']['text']}\n")


def test_a_house_code_has_the_page_of_house_codes() -> None:
    house = str(ROOT / "examples" / "house-rules" / "thursday-club.rules")
    club = str(ROOT / "examples" / "club-evening.cqn")
    (only,) = run("validate", "--rules", house, club, "--format", "sarif").data["runs"]
    (rule,) = [one for one in only["tool"]["driver"]["rules"] if one["id"].startswith("house.")]
    assert rule["help"]["markdown"] == str(page("house")).strip()
    assert only["artifacts"][0]["location"]["uri"] == Path(club).as_uri()


def junit(*files: str) -> ElementTree.Element:
    text = run("validate", *files, "--format", "junit").out
    assert text.startswith('<?xml version="1.0" encoding="UTF-8"?>\n')
    return ElementTree.fromstring(text.encode())


def test_junit_has_one_case_for_each_deal_and_one_for_each_game_that_is_no_game() -> None:
    root = junit(*EVERY)
    games = run("validate", *EVERY, "--format", "json").data
    wanted = []
    for game in games:
        for deal in game["deals"]:
            kind = {"invalid": "failure", "unreadable": "error"}.get(deal["verdict"], "passed")
            wanted.append((game["file"], f"deal {deal['number']}", kind))
        if not game["deals"]:
            wanted.append((game["file"], "game", "error"))
    found = []
    for suite in root:
        for case in suite.iter("testcase"):
            kinds = [child.tag for child in case if child.tag in ("failure", "error", "skipped")]
            found.append((suite.attrib["name"], case.attrib["name"], kinds[0] if kinds else "passed"))
            assert len(kinds) <= 1 and case.attrib["classname"] == suite.attrib["name"]
    assert found == wanted and len(found) == 12
    for element in (root, *root):
        for tag, name in (("testcase", "tests"), ("failure", "failures"), ("error", "errors")):
            assert int(element.attrib[name]) == len(list(element.iter(tag)))


def test_a_failure_in_junit_says_what_and_where_and_notes_are_output() -> None:
    (failure,) = junit("club.cqn").iter("failure")
    assert failure.attrib == {"message": "too few hand cards in the new meld with 7h", "type": "new-meld"}
    assert str(failure.text).startswith("club.cqn:6:14: new-meld too few")
    (output,) = junit("noted.cqn").iter("system-out")
    assert "(bom; line 1)" in str(output.text) and "legal so far" in str(output.text)


def test_junit_is_well_formed_whatever_a_transcript_says(folder: Path) -> None:
    text = FILES["club.cqn"].replace("Ana", '"<A]]>&\x01\ufffe\U0001f0a1"')
    (folder / "odd.cqn").write_text(text, encoding="utf-8")
    told = ElementTree.tostring(junit("odd.cqn"), encoding="unicode")
    assert "\x01" not in told and "\ufffe" not in told


@pytest.mark.parametrize("form", ["github", "sarif", "junit"])
def test_the_same_files_give_the_same_bytes_without_times_or_machine(form: str, folder: Path) -> None:
    first = run("validate", *EVERY, "--format", form)
    assert first == run("validate", *EVERY, "--format", form)
    assert str(folder) not in first.out and first.out.endswith("\n")


@pytest.mark.parametrize("form", ["github", "sarif", "junit"])
def test_the_exit_status_is_that_of_text(form: str) -> None:
    for file in EVERY:
        wanted = run("validate", file).status
        assert run("validate", file, "--format", form).status == wanted


def undecided(monkeypatch: pytest.MonkeyPatch, form: str) -> Done:
    from conquian.batch import Batch

    def give_up(self: Batch, path: str) -> Any:
        raise TooManyHands
        yield

    monkeypatch.setattr(Batch, "file", give_up)
    return run("validate", "won.cqn", "--format", form)


def test_a_limit_is_said_in_every_form_and_never_as_a_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    done = undecided(monkeypatch, "github")
    assert done.status == 3 and done.out.startswith("::warning file=won.cqn,line=1,title=undecided::")
    (run_,) = undecided(monkeypatch, "sarif").data["runs"]
    assert run_["results"] == [] and run_["invocations"][0]["executionSuccessful"] is False
    jsonschema.validate({"version": "2.1.0", "runs": [run_]}, SCHEMA, jsonschema.Draft7Validator)
    (case,) = ElementTree.fromstring(undecided(monkeypatch, "junit").out.encode()).iter("testcase")
    assert [child.tag for child in case] == ["error"] and case[0].attrib["type"] == "undecided"


def test_what_a_form_has_no_place_for_is_refused() -> None:
    for option in ("--differs", "--example-deal"):
        done = run("validate", "won.cqn", "--format", "sarif", option)
        assert (done.status, done.out) == (2, "") and "has no place" in done.err


def test_the_forms_are_utf8_whatever_the_locale(folder: Path) -> None:
    (folder / "zoë.cqn").write_text(FILES["club.cqn"].replace("Ana", "Zoë"), encoding="utf-8")
    for form in ("github", "sarif", "junit"):
        done = subprocess.run(
            [sys.executable, str(ROOT / "cli.py"), "validate", "zoë.cqn", "--format", form],
            capture_output=True,
            env={**os.environ, "PYTHONIOENCODING": "ascii"},
            check=False,
        )
        assert done.returncode == 1 and done.stderr == b""
        assert ("zoë.cqn" in done.stdout.decode()) == (form != "sarif")  # a URI is percent-encoded


@pytest.mark.parametrize("form", ["text", "json", "jsonl", "github", "sarif", "junit"])
def test_a_name_that_is_not_utf8_is_no_traceback(form: str, folder: Path) -> None:
    name = os.fsdecode(b"bad\xff.cqn")
    try:
        (folder / name).write_text(FILES["club.cqn"], encoding="utf-8")
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    done = run("validate", name, "--format", form)
    assert done.status == 1
    assert ("bad%EF%BF%BD.cqn" if form == "sarif" else "bad\ufffd.cqn") in done.out
