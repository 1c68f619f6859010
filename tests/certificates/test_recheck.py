"""`--certificate` and `recheck` as a person calls them: what is confirmed, what is found out, what cannot be used."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.cli.running import ROOT, Done, run

KH = ["--rules", "swedish", "--up", "Kh", "--table", "3c 3d 3h 3s, 6h 7h Jh Qh", "--hand", "Ah Ad"]
SEVEN = ["--up", "7h", "--table", "5s 6s 7s", "--hand", "4s 7d"]
MELD = ["--meld", "7s 7h 7d, 4s 5s 6s"]
HOUSE = ROOT / "tests" / "house_rules"
CLUB = str(ROOT / "examples" / "club-evening.cqn")
QUESTIONS: dict[str, list[str]] = {
    "force yes": ["force", *KH],
    "force no": ["force", *KH, "--reading", "force-timing=none"],
    "force no fit": ["force", "--rules", "coonking", "--up", "9c", "--table", "3c 3d 3h", "--declined"],
    "force unknown": ["force", "--rules", "swedish", "--up", "Kh"],
    "force proved": ["force", *KH, "--prove"],
    "force no, proved": ["force", *KH, "--reading", "force-timing=none", "--prove"],
    "force unknown, proved": ["force", "--rules", "swedish", "--up", "Kh", "--prove"],
    "force rearranged": [
        *["force", "--rules", "swedish", "--reading", "force-scope=rearrangement", "--up", "2c"],
        *["--table", "3c 3d 3h 3s, 4c 5c 6c"],
    ],
    "force without an answer": [
        *[
            "force",
            "--rules",
            "coonking",
            "--reading",
            "force-scope=rearrangement",
            "--up",
            "4c",
            "--declined",
        ],
        *["--table", "2d 3d 4d, 2h 3h 4h, 2s 3s 4s"],
    ],
    "force, packs with copies": ["force", "--rules", "paco", "--up", "5c", "--table", "5c 5d 5h"],
    "force, four players": ["force", "--rules", "partnership", "--up", "5c", "--table", "5c 5d 5h"],
    "legal": ["legal", "--rules", "classic", *SEVEN, *MELD],
    "legal not": ["legal", "--rules", "swedish", *SEVEN, *MELD],
    "legal not, why": ["legal", "--rules", "discard-then-meld", *SEVEN, *MELD, "--why"],
    "legal not, event": ["legal", "--rules", "swedish", *SEVEN, "--event", "me discards 4s", "--why"],
    "legal event": ["legal", "--rules", "swedish", *SEVEN, "--event", "me passes"],
    "legal demand": [
        "legal",
        "--rules",
        "swedish",
        *SEVEN,
        "--event",
        "opponent forces 7h onto 5s 6s 7s",
        "--why",
    ],
    "legal not, copies": [
        *["legal", "--rules", "paco", "--up", "7h", "--table", "5s 6s 7s, 7c 7d 7s", "--hand", "7h 4s"],
        *["--meld", "5s 6s 7s, 7h 7d 7h 4s", "--why"],
    ],
    "legal no meld": ["legal", "--rules", "swedish", *SEVEN, "--meld", "7h 4s 7d"],
    "legal not in hand": ["legal", "--rules", "swedish", *SEVEN, "--meld", "7h 7c 7d"],
    "legal with an unknown hand": ["legal", "--rules", "classic", "--up", "7h", "--meld", "7h 7c 7d"],
    "legal and wins": [
        *["legal", "--rules", "swedish", "--up", "Ac", "--table", "3c 3d 3h 3s, 6h 7h Jh Qh"],
        *["--hand", "Ah Ad", "--meld", "Ac Ad Ah"],
    ],
    "legal melds": ["legal", "--rules", "classic", *SEVEN],
    "legal melds counted": ["legal", "--rules", "classic", *SEVEN, "--count"],
    "legal melds, table left out": ["legal", "--rules", "classic", "--up", "7h", "--hand", "7c 7d"],
    "legal melds, copies": ["legal", "--rules", "paco", *SEVEN],
    "validate": ["validate", CLUB],
    "validate, several deals": ["validate", str(ROOT / "examples" / "session.cqn")],
    "validate, unrecorded hands": ["validate", str(ROOT / "examples" / "unrecorded-hands.cqn")],
    "validate, JSON": ["validate", str(ROOT / "examples" / "coon-king.json")],
    "validate, why": ["validate", "invalid.cqn", "--why"],
    "validate invalid": ["validate", "invalid.cqn"],
    "validate otherwise": ["validate", CLUB, "--reading", "new-meld=any", "--no-differs"],
}
INVALID = """rules: swedish
players: Ana, Ben

Ana turns 5c; melds 4c 5c 6c 7c; discards Kd
Ben passes; turns 7h; passes
Ana melds 7c 7h 7d
"""


@pytest.fixture(autouse=True)
def folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder that relative names on the command line are in."""
    here = tmp_path_factory.mktemp("here")
    (here / "invalid.cqn").write_text(INVALID, encoding="utf-8")
    monkeypatch.chdir(here)


def certified(folder: Path, *arguments: str) -> Path:
    """A certificate of an answer."""
    path = folder / "certificate.json"
    done = run(*arguments, "--certificate", str(path))
    assert done.status in (0, 1) and path.exists(), done.err
    return path


def rechecked(path: Path) -> Any:
    """The document of a recheck, whose status is that of its verdict."""
    done = run("recheck", str(path), "--format", "json")
    assert done.status in (0, 1, 3), done.err
    assert done.status == {"confirmed": 0, "refuted": 1, "partly": 3}[done.data["verdict"]]
    return done.data


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_certificate_of_an_answer_is_confirmed_and_its_bytes_are_the_same_each_time(
    question: str, tmp_path: Path
) -> None:
    first = certified(tmp_path, *QUESTIONS[question]).read_bytes()
    path = certified(tmp_path, *QUESTIONS[question])
    assert path.read_bytes() == first
    assert sorted(os.listdir(tmp_path)) == ["certificate.json"]
    found = rechecked(path)
    assert found["verdict"] == "confirmed", found
    assert found["question"] == QUESTIONS[question][0]
    by = {part["by"] for part in found["parts"]}
    assert by & {"checker", "exhaustion", "engine"} and "SHA-256" in by


def test_the_answer_is_printed_as_without_a_certificate(tmp_path: Path) -> None:
    for question in ("force yes", "legal not", "legal melds", "validate"):
        arguments = QUESTIONS[question]
        told = run(*arguments, "--format", "json")
        both = run(*arguments, "--format", "json", "--certificate", str(tmp_path / "c.json"))
        assert (both.status, both.out) == (told.status, told.out)
        assert json.loads((tmp_path / "c.json").read_text(encoding="utf-8"))["answer"] == (
            told.data[0] if question == "validate" else told.data
        )


def test_a_house_rule_and_a_place_in_a_transcript_can_be_certified(tmp_path: Path) -> None:
    path = next(p for p in HOUSE.glob("*.rules") if "house.first-meld" in p.read_text(encoding="utf-8"))
    act = ["--up", "7h", "--table", "", "--hand", "7c 7d 2s", "--meld", "7c 7d 7h"]
    found = rechecked(certified(tmp_path, "legal", "--rules", str(path), *act))
    assert found["verdict"] == "confirmed"
    assert {"part": "core", "by": "exhaustion", "outcome": "confirmed", "detail": ""} in found["parts"]
    for event in range(4, 10):
        asked = ["legal", "--at", f"{CLUB}#1@{event}", "--meld", "3c 3d 3h"]
        assert rechecked(certified(tmp_path, *asked))["verdict"] == "confirmed"


# ---- what is found out

Change = Callable[[Any], None]


def _set(*keys: str | int, to: Any) -> Change:
    def change(document: Any) -> None:
        for key in keys[:-1]:
            document = document[key]
        assert document[keys[-1]] != to
        document[keys[-1]] = to

    return change


def _scripts_of(other: str) -> Change:
    def change(document: Any) -> None:
        text = document["queries"][0]["smt2"]
        assert text != text.replace("(check-sat)", other)
        document["queries"][0]["smt2"] = text.replace("(check-sat)", other)

    return change


TAMPERED: list[tuple[str, str, Change]] = [
    ("force yes", "answer", _set("answer", "answer", to="no")),
    ("force yes", "answer", _set("answer", "when", to="on-decline")),
    ("force yes", "answer", _set("answer", "consequence", "winning_cards_unforced", to=["Ac"])),
    ("force yes", "answer", _set("answer", "witness", 1, to=["6h", "7h", "Jh", "Kh"])),
    ("force yes", "when a demand is due", _set("witness", "due", 0, "on-offer", to=False)),
    ("force yes", "meld that obeys", _set("witness", "obeyed", "laid", 0, 0, 1, to="hand")),
    ("force yes", "meld that obeys", _set("witness", "obeyed", "laid", 1, 4, 0, to="Kc")),
    ("force yes", "meld that obeys", _set("witness", "obeyed", "wins", to=True)),
    ("force yes", "meld that obeys", _set("witness", "obeyed", to=None)),
    ("force no fit", "clauses that refuse a demand", _set("core", to={})),
    ("force no", "answer", _set("answer", "answer", to="yes")),
    ("legal", "answer", _set("answer", "legal", to=False)),
    ("legal", "witness", _set("witness", "laid", 0, 0, 1, to="table 2")),
    (
        "legal",
        "witness",
        _set("witness", "laid", to=[[["5s", "table 1"], ["6s", "table 1"], ["7s", "table 1"]]]),
    ),
    ("legal not", "answer", _set("answer", "code", to="borrowing")),
    ("legal not", "answer", _set("answer", "legal", to=True)),
    ("legal not", "core", _set("core", to=["borrowing"])),
    ("legal not", "core", _set("core", to=["new-meld", "borrowing"])),
    ("legal not", "core", _set("core", to=[])),
    ("legal not, why", "answer", _set("answer", "core", to=["cl.flow.1"])),
    ("legal not, why", "answer", _set("answer", "needs", to=["7h"])),
    ("legal not, event", "core", _set("core", to=["pass"])),
    ("legal event", "answer", _set("asked", "event", to=["opponent", "passes"])),
    ("force proved", "answer", _set("answer", "proof", "layout", to=[])),
    ("force no, proved", "answer", _set("answer", "proof", "core", to=[])),
    ("validate, why", "answer", _set("answer", "deals", 0, "violations", 0, "core", to=[])),
    ("legal no meld", "core", _set("core", to=["new-meld"])),
    ("legal melds", "answer", _set("answer", "count", to=2)),
    ("legal melds", "core", _set("core", to=[])),
    ("legal not", "witness", _set("witness", to=[])),
    ("legal", "core", _set("core", to=["new-meld"])),
    ("legal melds", "no other meld", _set("witness", to=[])),
    (
        "legal melds",
        "meld 1",
        _set("witness", 0, "laid", 0, to=[["Ac", "hand"], ["Ad", "hand"], ["Ah", "hand"]]),
    ),
    ("validate", "answer", _set("answer", "verdict", to="invalid")),
    ("validate", "answer", _set("asked", "differs", to=False)),
    ("validate", "deal 1, event 4: witness", _set("witness", to={})),
    ("validate invalid", "answer", _set("answer", "deals", 0, "violations", 0, "code", to="borrowing")),
    ("validate invalid", "deal 1, event 6: core", _set("core", "deal 1, event 6", to=["borrowing"])),
    ("validate", "witnesses", _set("core", to={"deal 9, event 1": ["new-meld"]})),
    ("legal not", "scripts", _set("queries", to=[])),
    ("legal not", "script `is this event legal`", _set("queries", 0, "expected", to="sat")),
    ("legal not", "script `is this event legal`", _scripts_of("(assert n2)\n(check-sat)")),
    ("legal not", "rule texts", _set("rules", 0, "texts", 0, "sha256", to="0" * 64)),
    ("legal not", "rule texts", _set("rules", 0, "texts", to=[])),
    ("legal not", "answer", _set("rules", 0, "readings", "new-meld", to="any")),
    ("legal not", "answer", _set("position", "seats", 0, "hand", to=["4s"])),
]


@pytest.mark.parametrize(("question", "part", "change"), TAMPERED)
def test_whatever_is_changed_in_a_certificate_is_found_out(
    question: str, part: str, change: Change, tmp_path: Path
) -> None:
    path = certified(tmp_path, *QUESTIONS[question])
    document = json.loads(path.read_text(encoding="utf-8"))
    change(document)
    path.write_text(json.dumps(document), encoding="utf-8")
    found = rechecked(path)
    assert found["verdict"] == "refuted"
    assert part in [p["part"] for p in found["parts"] if p["outcome"] == "refuted"], found


def test_rules_that_have_changed_since_are_named(tmp_path: Path) -> None:
    rules = tmp_path / "mine.rules"
    rules.write_text('ruleset mine "Mine"\n  extends swedish\n', encoding="utf-8")
    path = certified(tmp_path, "legal", "--rules", str(rules), *SEVEN, *MELD)
    assert rechecked(path)["verdict"] == "confirmed"
    rules.write_text('ruleset mine "Mine"\n  extends swedish\n  choose new-meld any\n', encoding="utf-8")
    done = run("recheck", str(path))
    assert done.status == 1
    assert f"rule texts: refuted by SHA-256: `mine` is not the text that {rules} was made of" in done.out
    assert "answer: not re-decided" in done.out
    rules.unlink()
    assert run("recheck", str(path)).status == 2


def test_scripts_of_another_version_are_not_re_decided(tmp_path: Path) -> None:
    path = certified(tmp_path, *QUESTIONS["legal not"])
    document = json.loads(path.read_text(encoding="utf-8"))
    document["program"], document["queries"][0]["smt2"] = "0.0.9", "(check-sat)"
    path.write_text(json.dumps(document), encoding="utf-8")
    found = rechecked(path)
    assert found["verdict"] == "partly"
    assert [p["part"] for p in found["parts"] if p["outcome"] == "not re-decided"] == ["scripts"]


# ---- what cannot be used


def told(path: Path) -> Done:
    done = run("recheck", str(path))
    assert done.status == 2 and done.err.startswith("conquian: "), (done.status, done.out, done.err)
    assert done.out == ""
    return done


def test_a_certificate_without_one_of_its_keys_cannot_be_used(tmp_path: Path) -> None:
    path = certified(tmp_path, *QUESTIONS["legal"])
    document = json.loads(path.read_text(encoding="utf-8"))
    for key in document:
        path.write_text(json.dumps({k: v for k, v in document.items() if k != key}), encoding="utf-8")
        assert f"`{key}`" in told(path).err
    for key, value in (("conquian_certificate", 2), ("more", 1), ("rules", []), ("position", None)):
        path.write_text(json.dumps({**document, key: value}), encoding="utf-8")
        assert "no certificate" in told(path).err
    for name in ("nowhere.rules", "no\0name", "common", "/"):
        changed = json.loads(json.dumps(document))
        changed["rules"][0]["name"] = name
        path.write_text(json.dumps(changed), encoding="utf-8")
        assert run("recheck", str(path)).status in (1, 2)


@pytest.mark.parametrize(
    "data", [b"", b"\xff\xfe", b"[]", b"{", b"null", b"[" * 100_000, b'{"a": "\xff"}', b"1e999"]
)
def test_any_bytes_get_a_clear_error(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    path.write_bytes(data)
    assert str(path) in told(path).err
    assert run("recheck", "-", given=data).status == 2
    assert run("recheck", str(tmp_path / "none.json")).status == 2


def test_certificates_with_anything_in_any_place_never_end_in_a_traceback(tmp_path: Path) -> None:
    anything: list[Any] = [
        None,
        True,
        -1,
        10**30,
        "",
        "Kh",
        "me",
        "\0",
        [],
        [[]],
        {},
        [["Kh"]],
        {"a": 1},
        1.5,
    ]
    random = Random("anything")
    refused = 0
    for question in ("force yes", "legal not", "legal", "legal melds", "validate otherwise"):
        path = certified(tmp_path, *QUESTIONS[question])
        text = path.read_text(encoding="utf-8")
        for _ in range(60 if os.environ.get("CONQUIAN_FULL") else 12):
            document = json.loads(text)
            places = [(document, key) for key in document]
            for holder, key in places:
                inside = holder[key]
                if isinstance(inside, dict):
                    places += [(inside, k) for k in inside]
                elif isinstance(inside, list):
                    places += [(inside, i) for i in range(len(inside))]
            holder, key = random.choice(places)
            holder[key] = random.choice(anything)
            path.write_text(json.dumps(document), encoding="utf-8")
            done = run("recheck", str(path))
            assert done.status in (0, 1, 2, 3)
            refused += done.status != 0
    assert refused > 40


def test_a_certificate_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    asked = QUESTIONS["legal"]
    for name in (str(tmp_path / "none" / "c.json"), str(tmp_path), "/dev/null", "bad\0name"):
        done = run(*asked, "--certificate", name)
        assert done.status == 2 and "conquian: " in done.err and done.out == ""
    assert os.listdir(tmp_path) == []
    for files in ([CLUB, CLUB], ["-"]):
        done = run("validate", *files, "--certificate", str(tmp_path / "c.json"), given="")
        assert done.status == 2
    assert os.listdir(tmp_path) == []


def test_recheck_never_loads_the_solver(tmp_path: Path) -> None:
    for question in ("force yes", "legal not, why", "legal melds", "validate"):
        path = certified(tmp_path, *QUESTIONS[question])
        probe = (
            "import sys\nfrom conquian.rechecking import recheck\n"
            f"answer = recheck({str(path)!r})\n"
            "print(answer.document['verdict'], [m for m in sys.modules if m.split('.')[0] == 'z3'])"
        )
        done = subprocess.run(
            [sys.executable, "-c", probe],
            capture_output=True,
            text=True,
            timeout=60,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            check=False,
        )
        assert done.stdout == "confirmed []\n", done.stderr


@pytest.mark.parametrize(
    "place, value, said",
    [
        (("position", "seats", 0, "gifts"), 1, "no exchange of cards is going on"),
        (("position", "seats", 0, "received"), [[], 1], "no exchange of cards is going on"),
        (("position", "seats", 1, "unknown"), 11, "never has more than 10 cards"),
        (("position", "drawn"), 1, "are 20 together"),
        (("position", "recorded"), [None] * 21, "the stock has 20 cards"),
        (("asked", "left_out"), ["opponent_tablex"], "is no part of a position"),
    ],
)
def test_a_position_that_no_deal_has_is_refused(
    tmp_path: Path, place: tuple[str | int, ...], value: object, said: str
) -> None:
    path = certified(tmp_path, *QUESTIONS["force yes"])
    found: Any = json.loads(path.read_text())
    inner = found
    for step in place[:-1]:
        inner = inner[step]
    inner[place[-1]] = value
    path.write_text(json.dumps(found))
    done = run("recheck", str(path))
    assert done.status == 2 and said in done.err


def test_a_certificate_of_another_version_of_the_program_says_so_and_is_not_wholly_confirmed(
    tmp_path: Path,
) -> None:
    path = certified(tmp_path, *QUESTIONS["force yes"])
    found: Any = json.loads(path.read_text())
    found["program"] = "0.0.1"
    path.write_text(json.dumps(found))
    done = run("recheck", str(path))
    assert done.status == 3 and "conquian 0.0.1 wrote them, and this is " in done.out


@pytest.mark.parametrize("question", ["force yes", "legal", "validate"])
def test_a_certificate_does_not_go_to_standard_output_where_the_answer_is(question: str) -> None:
    done = run(*QUESTIONS[question], "--certificate", "-")
    assert done.status == 2 and "standard output" in done.err and not Path("-").exists()
