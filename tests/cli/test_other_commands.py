"""`schema`, `explain` and the commands on rule sets."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from conquian.engine.sets import rule_sets

from .running import run
from .test_convert_generate import GAME

jsonschema = pytest.importorskip("jsonschema")


def test_schema_is_a_json_schema_that_takes_transcripts() -> None:
    done = run("schema")
    validator = jsonschema.Draft202012Validator(done.data)
    validator.check_schema(done.data)
    assert validator.is_valid(GAME)
    assert not validator.is_valid({**GAME, "colour": "blue"})
    assert not validator.is_valid({**GAME, "format": "conquian/2"})


@pytest.mark.parametrize(
    "code",
    [
        "misdeal",
        "not-in-deck",
        "forced",
        "no-force-due",
        "new-meld",
        "borrowing",
        "wrong-result",
        "stuck",
        "bom",
        "demand-not-made",
        "CQ101",
    ],
)
def test_explain_prints_the_page_of_a_code(code: str) -> None:
    done = run("explain", code)
    assert (done.status, done.err) == (0, "")
    assert code in done.out.splitlines()[0]
    assert len(done.out.splitlines()) > 4


def test_every_code_of_a_violation_and_of_a_note_has_a_page() -> None:
    table = """players not-in-deck misdeal no-starter card-elsewhere game-over exchange no-force-due not-your-turn
    forced offer-open wrong-action stock-mismatch no-offer no-discard-due arranging card-twice table-card-missing
    offer-not-used not-in-hand invalid-meld hand-only-melds borrowing new-meld wrong-result
    demand-not-made goal-out-of-reach past-goal arranged-away stuck after-session unknown-key bom rules-overridden"""
    for code in table.split():
        assert run("explain", code).status == 0, code


def test_spec_list_names_the_shipped_rule_sets() -> None:
    lines = run("spec", "list").out.splitlines()
    assert [line.split()[0] for line in lines] == rule_sets()
    found = run("spec", "list", "--format", "json").data
    assert [one["name"] for one in found] == rule_sets()


@pytest.mark.parametrize("rules", rule_sets())
def test_spec_show_tells_the_rules_of_a_set(rules: str) -> None:
    done = run("spec", "show", rules)
    assert done.status == 0 and rules in done.out.splitlines()[0]
    assert json.loads(run("spec", "show", rules, "--format", "json").out)


def test_spec_check_finds_nothing_wrong_with_a_file_that_extends_a_set(folder: Path) -> None:
    mine = folder / "mine.rules"
    mine.write_text(
        'ruleset mine "Mine"\nextends swedish\n\nchoose new-meld = any\n  because "agreed"\n  cite sw.turn.3\n',
        encoding="utf-8",
    )
    assert run("spec", "check", "mine.rules").status == 0
    mine.write_text('ruleset mine "Mine"\nextends swedsh\n', encoding="utf-8")
    done = run("spec", "check", "mine.rules", "--format", "json")
    assert done.status == 1
    (found,) = done.data
    assert found["errors"] and set(found["errors"][0]) >= {"code", "message", "line", "column", "hint"}


def test_spec_fmt_names_the_file_that_it_cannot_read(folder: Path) -> None:
    (folder / "bad.rules").write_text('ruleset bad "x\nextends swedish\nclause\n', encoding="utf-8")
    for more in ((), ("--check",)):
        done = run("spec", "fmt", *more, "bad.rules")
        found = [line.split(" ")[:2] for line in done.err.splitlines() if "CQ1" in line]
        assert done.status == 2
        assert found == [["bad.rules:1:13:", "CQ102"], ["bad.rules:3:7:", "CQ101"]]
        assert done.err.splitlines()[1:3] == ['    ruleset bad "x', "                ^"]


def test_spec_fmt_is_idempotent(folder: Path) -> None:
    mine = folder / "mine.rules"
    mine.write_text(
        'ruleset   mine "Mine"\nextends swedish\nchoose new-meld=any\n because "agreed"\n cite sw.turn.3\n',
        encoding="utf-8",
    )
    assert run("spec", "fmt", "--check", "mine.rules").status == 1
    assert run("spec", "fmt", "mine.rules").status == 0
    once = mine.read_text(encoding="utf-8")
    assert run("spec", "fmt", "--check", "mine.rules").status == 0
    assert run("spec", "fmt", "mine.rules").status == 0
    assert mine.read_text(encoding="utf-8") == once


def test_version_and_help() -> None:
    assert run("--version").out.startswith("conquian ")
    help_ = run("--help").out
    for command in ("validate", "legal", "convert", "generate", "schema", "explain", "spec"):
        assert command in help_
