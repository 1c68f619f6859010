"""`conquian spec check` as it is called: findings, obligations, exit status."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from conquian.engine.engine import engine_of
from conquian.engine.program import compile_rules
from conquian.language.build import load
from conquian.verifier.proofs.report import answers

from .running import ROOT, run

YES = ("twice-around", "--reading", "discard-after-meld=yes")


def test_a_refuted_claim_is_a_finding_with_a_position() -> None:
    done = run("spec", "check", *YES, "--format", "json")
    assert done.status == 1
    (found,) = done.data
    text = (ROOT / "spec" / "twice-around.rules").read_text(encoding="utf-8").splitlines()
    (goal,), (choice,) = (
        [number for number, line in enumerate(text, 1) if line.startswith(item)]
        for item in ("override clause goal ", "choose discard-after-meld ")
    )
    assert [(e["code"], e["line"], e["severity"]) for e in found["errors"]] == [
        ("CQ601", choice, "warning"),
        ("CQ603", goal, "warning"),
    ]
    by_name = {one["name"]: one for one in found["obligations"]}
    assert list(by_name) == ["kept", "going-on", "answer", "goal", "mattering", "agreeing", "ending"]
    for one in by_name.values():
        assert set(one) == {"name", "claim", "clause", "status", "bound", "position", "says", "ms"}
        assert type(one["ms"]) is int
    goal = by_name["goal"]
    assert goal["status"] == "refuted" and goal["clause"] == "cl.variants.2"
    assert sum(map(len, goal["position"]["table"])) + len(goal["position"]["hand"]) == 13
    assert by_name["ending"]["status"] == "proved" and by_name["ending"]["bound"] == 147


def test_text_gives_each_claim_a_line_and_a_refutation_its_position() -> None:
    done = run("spec", "check", *YES)
    assert done.status == 1
    assert (
        "\n  goal: refuted - some play reaches the goal: a table never holds more than 14 cards" in done.out
    )
    assert "\n    position: on the table " in done.out
    assert "\n  kept: proved - every card is in one place" in done.out


def test_a_finding_points_at_the_choice_that_brings_it(tmp_path: Path) -> None:
    mine = tmp_path / "mine.rules"
    head = 'ruleset mine "Mine"\nextends twice-around\nsource club "Club" in "club.txt"\n\n'
    choice = 'choose discard-after-meld = yes\n  because "So we play."\n  cite club.discards\n'
    keep = "".join(f"drop proof {name}\n" for name in ("answer", "mattering", "agreeing"))
    mine.write_text(f"{head}{choice}\n{keep}", encoding="utf-8")
    done = run("spec", "check", str(mine), "--format", "json")
    assert [(e["code"], e["line"], e["column"]) for e in done.data[0]["errors"]] == [
        ("CQ601", 5, 1),
        ("CQ603", 5, 1),
    ]


def test_every_run_gives_the_same_bytes(tmp_path: Path) -> None:
    mine = tmp_path / "mine.rules"
    keep = "".join(f"drop proof {name}\n" for name in ("answer", "mattering"))
    text = f'ruleset mine "Mine"\nextends twice-around\n\nchoose discard-after-meld = yes\n  because "So."\n\n{keep}'
    mine.write_text(text, encoding="utf-8")
    program = [sys.executable, str(ROOT / "cli.py"), "spec", "check", str(mine), "--format", "json"]
    found = {
        subprocess.run(
            program,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": seed},
            capture_output=True,
            timeout=120,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1 and b"refuted" in found.pop()


def test_no_proofs_leaves_the_claims_out() -> None:
    done = run("spec", "check", *YES, "--no-proofs", "--format", "json")
    assert done.status == 0 and done.data[0]["obligations"] == []


@pytest.mark.parametrize("reading", ["discard-after-meld=never", "colour=red", "discard-after-meld"])
def test_a_reading_that_the_rules_lack_cannot_be_asked_about(reading: str) -> None:
    done = run("spec", "check", "twice-around", "--reading", reading)
    assert done.status == 2 and done.err.startswith("conquian: ")


def test_an_undecided_claim_is_neither_yes_nor_no() -> None:
    rules = load("twice-around")
    found = answers(rules, engine_of(compile_rules(rules)), budget=1, code="CQ606")
    assert found.status == 3 and found.problems == []
    assert found.documents[0]["status"] == "undecided" and found.documents[0]["bound"] == 14
