"""`--why`, `--prove` and `--budget` on the command line: what documents and lines say, and what a budget leaves open."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from .running import ROOT, run

FAULTY = """rules: swedish
players: Ana, Ben

deal 1
Ana turns 5c; melds 4c 5c 6c 7c; discards Kd
Ben passes; turns 7h; passes
Ana melds 7c 7h 7d
deal 2
Ben turns 5c; turns 6c
deal 3
Ana holds Ac 2c 3c 4c 5c 6c 7c Jc Qc Kc Ad
Ana turns 5c
deal 4
Ana turns 5c
Ben wins
"""


@pytest.fixture
def faulty(folder: Path) -> str:
    (folder / "faulty.cqn").write_text(FAULTY, encoding="utf-8")
    return "faulty.cqn"


def test_each_first_violation_has_its_smallest_set(faulty: str) -> None:
    done = run("validate", faulty, "--why", "--no-differs", "--format", "json")
    assert done.status == 1
    found = [deal["violations"][0] for deal in done.data[0]["deals"]]
    assert [v["code"] for v in found] == ["new-meld", "offer-open", "misdeal", "wrong-result"]
    assert [v["core"] for v in found] == [["sw.turn.3"], ["sw.intro.1"], ["sw.deal.2"], ["sw.end.1"]]
    assert [v["but_for"] for v in found] == [["sw.turn.3"], ["sw.intro.1"], ["sw.deal.2"], []]
    assert found[0]["clauses"] == [
        {
            "name": "new-meld",
            "passage": "sw.turn.3",
            "sentence": "A new combination takes at least two cards from the hand.",
            "but_for": True,
        }
    ]
    assert [fact["message"] for fact in found[2]["facts"]] == ["Ana was dealt 11 cards, not 10"]
    assert [fact["message"] for fact in found[3]["facts"]] == [
        "the record says `Ben wins`, the deal is not ended",
        "Ben has 0 cards in melds",
    ]
    assert all(v["checked"] for v in found)


def test_without_why_a_violation_has_no_such_keys(faulty: str) -> None:
    for violation in run("validate", faulty, "--no-differs", "--format", "json").data[0]["deals"][0][
        "violations"
    ]:
        assert not {"core", "clauses", "facts", "needs", "but_for", "checked", "undecided"} & violation.keys()


def test_why_for_people_stands_under_the_violation(faulty: str) -> None:
    out = run("validate", faulty, "--why", "--no-differs").out
    assert (
        "    forbidden by sw.intro.1: The card on offer is melded or passed, and never enters a hand.\n"
        "    because of 5c\n"
        "    legal but for the clause `offering`\n"
    ) in out
    assert "    because Ana was dealt 11 cards, not 10\n" in out


def test_a_stream_is_explained_line_by_line(folder: Path) -> None:
    written = run("convert", "club.cqn", "--to", "jsonl").out
    (folder / "club.jsonl").write_text(written * 2, encoding="utf-8")
    done = run("validate", "club.jsonl", "--why", "--format", "jsonl")
    assert done.status == 1
    assert done.out.count('"core":["sw.turn.3"]') == 2


def test_a_budget_that_is_used_up_leaves_the_why_undecided_with_status_3_and_the_verdict_as_it_is(
    faulty: str,
) -> None:
    done = run("validate", faulty, "--why", "--budget", "1", "--no-differs", "--format", "json")
    assert done.status == 3
    first = done.data[0]["deals"][0]["violations"][0]
    assert (first["core"], first["undecided"]) == (None, {"budget": 1})
    assert first["code"] == "new-meld" and done.data[0]["verdict"] == "invalid"
    assert run("validate", faulty, "--budget", "1", "--no-differs").status == 1, (
        "nothing is asked of the solver"
    )


SEVENS = ("--rules", "swedish", "--up", "7h", "--table", "5s 6s 7s", "--hand", "4s 7d")


def test_legal_is_undecided_only_in_its_why() -> None:
    ask = ("legal", *SEVENS, "--meld", "7s 7h 7d, 4s 5s 6s", "--why", "--budget", "1")
    done = run(*ask, "--format", "json")
    assert done.status == 3
    assert (done.data["legal"], done.data["core"], done.data["undecided"]) == (False, None, {"budget": 1})
    assert run(*ask).out.endswith("why: undecided within a budget of 1\n")
    allowed = run(
        "legal",
        *SEVENS,
        "--meld",
        "7s 7h 7d, 4s 5s 6s",
        "--why",
        "--budget",
        "1",
        "--reading",
        "new-meld=any",
    )
    assert allowed.status == 0, "what is legal needs no reason"


@pytest.mark.parametrize("budget", ["0", "-1", "4294967296"])
def test_what_is_no_number_of_steps_is_refused(budget: str) -> None:
    assert run("legal", *SEVENS, "--meld", "7s 7h 7d", "--why", "--budget", budget).status == 2


def test_any_event_can_be_asked_about(faulty: str) -> None:
    done = run("legal", *SEVENS, "--event", "me discards 7d", "--why", "--format", "json")
    assert done.status == 1
    assert (done.data["code"], done.data["core"], done.data["instead"]) == (
        "no-discard-due",
        ["sw.intro.1"],
        [],
    )
    assert run("legal", *SEVENS, "--event", "me passes").out == "legal\n"
    assert run("legal", *SEVENS, "--event", "Zoe passes").status == 2
    assert run("legal", *SEVENS, "--event", "me passes", "--meld", "7s 7h 7d").status == 2
    there = run("legal", "--at", f"{faulty}:7", "--why", "--format", "json")
    assert (there.data["code"], there.data["core"]) == ("new-meld", ["sw.turn.3"])


def test_a_card_that_is_not_held_is_a_fact_beside_no_clause() -> None:
    done = run("legal", *SEVENS, "--event", "me melds 7s 7h 7c", "--why", "--format", "json")
    assert (done.data["code"], done.data["core"]) == ("not-in-hand", [])
    assert done.data["facts"] == [
        {"code": "not-in-hand", "message": "7c is not in me's hand", "cards": ["7c"], "but_for": False}
    ], "with 7c in hand it would be a new combination of one hand card all the same"


COMMANDS = (
    ("validate", "faulty.cqn", "--why", "--format", "json"),
    ("legal", *SEVENS, "--meld", "7s 7h 7d, 4s 5s 6s", "--why", "--format", "json"),
    ("force", *SEVENS, "--prove", "--format", "json"),
    ("force", "--rules", "two-deck", "--up", "2c", "--table", "5c 6c 7c, 5c 6c 7c", "--prove"),
)


def test_the_same_input_gives_the_same_bytes_on_every_run(faulty: str) -> None:
    def bytes_of(arguments: tuple[str, ...], seed: str) -> tuple[int, bytes]:
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, str(ROOT / "cli.py"), *arguments]
        done = subprocess.run(command, capture_output=True, env=environment, timeout=60, check=False)
        assert done.stdout
        return done.returncode, done.stdout

    for arguments in COMMANDS:
        assert bytes_of(arguments, "1") == bytes_of(arguments, "2"), arguments


def test_the_example_of_the_page_on_reasons_is_what_the_program_says() -> None:
    text = (ROOT / "docs" / "why.md").read_text(encoding="utf-8")
    command, _, expected = text.split("```\n$ conquian ", 1)[1].split("```", 1)[0].partition("\n")
    done = run(*shlex.split(command))
    assert (done.status, done.out) == (1, expected)


PROBE = """
import sys
sys.argv = ["conquian", *sys.argv[1:]]
from conquian.cli import run
try:
    run()
except SystemExit:
    pass
print("imported:", *sorted(name for name in ("z3", "lark") if name in sys.modules))
"""


@pytest.mark.parametrize(("more", "solver"), [((), False), (("--prove",), True)])
def test_force_imports_the_solver_only_to_prove(more: tuple[str, ...], solver: bool) -> None:
    command = [sys.executable, "-c", PROBE, "force", *SEVENS, *more]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True, cwd=ROOT)
    assert ("z3" in done.stdout.splitlines()[-1]) == solver
