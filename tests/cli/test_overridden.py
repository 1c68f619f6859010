"""Where the command line names other rules or readings than a transcript's header, it wins, with a note."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.main import get_command

from conquian.cli import app
from conquian.commands.listed import Program, whole

from .running import run

GAME = """rules: {rules}
readings: new-meld={choice}
players: Ana, Ben
Ana holds 6h 7h Ad 2d 3d Kc Qc Jc 2s 4s
Ana turns 5h
Ana melds 5h 6h 7h; discards 4s
"""
COMMANDS = ["legal", "force", "outs", "infer", "show", "settle"]
OTHER = ("--rules", "swedish-packets", "--reading", "new-meld=two-from-hand")
BY_RULES = (
    "note: judged by `swedish-packets` from the command line; the header says `swedish`"
    " (rules-overridden; line 1)\n"
)
BY_READING = (
    "note: `new-meld=two-from-hand` from the command line; the header says `any` (rules-overridden; line 2)\n"
)


@pytest.fixture(autouse=True)
def game(folder: Path) -> Path:
    return written(folder / "game.cqn", "swedish", "any")


def written(path: Path, rules: str, choice: str) -> Path:
    path.write_text(GAME.format(rules=rules, choice=choice), encoding="utf-8")
    return path


def test_these_are_all_commands_that_take_a_place_in_a_transcript() -> None:
    program = get_command(app)
    assert isinstance(program, Program)
    made = program.commands.items()
    taking = [name for name, command in made if any(p.name == "at" for p in whole(command).params)]
    assert sorted(taking) == sorted(COMMANDS)


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize("command", COMMANDS)
def test_each_override_is_noted_once_on_standard_error_as_validate_words_it(command: str, form: str) -> None:
    done = run(command, "--at", "game.cqn:6", *OTHER, "--format", form)
    assert (done.status, done.err) == (0, BY_RULES + BY_READING)
    validated = run("validate", "game.cqn", *OTHER).out
    assert all(f"    {line}\n" in validated for line in done.err.splitlines())


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize("command", [c for c in COMMANDS if c != "settle"])
def test_standard_output_is_that_of_a_transcript_whose_header_says_the_same(
    game: Path, command: str, form: str
) -> None:
    overridden = run(command, "--at", "game.cqn:6", *OTHER, "--format", form)
    written(game, "swedish-packets", "two-from-hand")
    plain = run(command, "--at", "game.cqn:6", "--format", form)
    assert (overridden.out, overridden.status) == (plain.out, plain.status)
    assert overridden.out
    assert plain.err == ""


@pytest.mark.parametrize(
    "options", [(), ("--rules", "swedish"), ("--rules", "swedish", "--reading", "new-meld=any")]
)
@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_is_noted_where_nothing_is_overridden(command: str, options: tuple[str, ...]) -> None:
    done = run(command, "--at", "game.cqn:6", *options)
    assert (done.status, done.err) == (0, "")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_header_that_names_neither_is_not_overridden(game: Path, command: str) -> None:
    game.write_text(GAME.split("\n", 2)[2], encoding="utf-8")
    done = run(command, "--at", "game.cqn:4", *OTHER)
    assert (done.status, done.err) == (0, "")


@pytest.mark.parametrize("command", COMMANDS)
def test_the_note_is_in_the_language_of_the_command(command: str) -> None:
    done = run(command, "--at", "game.cqn:6", "--rules", "swedish-packets", "--lang", "de")
    assert done.err.startswith("Anmerkung: nach `swedish-packets` ")
    assert done.err.endswith(" `swedish` (rules-overridden; Zeile 1)\n")
    assert f"    {done.err}" in run("validate", "game.cqn", *OTHER[:2], "--lang", "de").out


def test_rule_sets_to_compare_override_the_header_if_its_own_is_not_among_them() -> None:
    place = ("settle", "--at", "game.cqn:6", "--rules")
    assert run(*place, "swedish-packets,swedish").err == ""
    assert run(*place, "swedish-packets,no-force").err == BY_RULES.replace(
        "swedish-packets", "swedish-packets, no-force"
    )


def test_a_record_without_a_place_is_noted_too() -> None:
    assert run("infer", "game.cqn", *OTHER).err == BY_RULES + BY_READING


def test_the_note_stands_before_what_makes_the_question_impossible() -> None:
    done = run("legal", "--at", "game.cqn:6", "--rules", "coonking")
    first, second, *_ = done.err.splitlines()
    assert first == BY_RULES.rstrip("\n").replace("swedish-packets", "coonking")
    assert second.startswith("conquian: game.cqn: ")
    assert (done.status, done.out) == (2, "")


def test_a_certificate_does_not_repeat_the_note(folder: Path) -> None:
    done = run("force", "--at", "game.cqn:6", *OTHER, "--certificate", "answer.json", "--lang", "sv")
    assert [line.count("rules-overridden") for line in done.err.splitlines()] == [1, 1]
    assert (folder / "answer.json").exists()
