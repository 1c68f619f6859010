"""Commands are read when they are called: what is listed of them agrees with what they are, and no more is imported."""

from __future__ import annotations

import importlib
import inspect
import os
import subprocess
import sys

import pytest
from typer.core import TyperGroup
from typer.main import get_command

from conquian.cli import app
from conquian.commands.described import Described
from conquian.commands.listed import COMMANDS, SPEC, whole

from .running import ROOT, run

EVERY = {
    **{f"{name}": (name, name, line) for name, line in COMMANDS.items()},
    **{f"spec {name}": ("spec", f"spec_{name}", line) for name, line in SPEC.items()},
}

PROBE = """
import sys
sys.argv = ["conquian", *sys.argv[1:]]
from conquian.cli import run
try:
    run()
except SystemExit:
    pass
print(*sorted(name[18:] for name in sys.modules if name.startswith("conquian.commands.")))
"""

SHARED = {"described", "given", "listed", "options", "speaking", "writing"}
"""What commands have in common."""


def imported(*arguments: str, **environment: str) -> list[str]:
    """The modules of `conquian.commands` that a call of the program imports."""
    done = subprocess.run(
        [sys.executable, "-c", PROBE, *arguments],
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        check=True,
    )
    return done.stdout.splitlines()[-1].split()


@pytest.mark.parametrize("name", EVERY)
def test_the_line_of_a_command_is_the_first_of_its_own_words(name: str) -> None:
    module, function, line = EVERY[name]
    does = getattr(importlib.import_module(f"conquian.commands.{module}"), function)
    assert (inspect.getdoc(does) or "").split("\n")[0] == line
    assert run(*name.split(), "--help").out.split("\n\n")[1].split() == line.split()


def test_every_command_that_is_written_is_listed() -> None:
    folder = ROOT / "conquian" / "commands"
    assert {path.stem for path in folder.glob("*.py")} - SHARED == {"__init__", *COMMANDS, "spec"}
    spec = importlib.import_module("conquian.commands.spec")
    assert {name for name in vars(spec) if name.startswith("spec_")} == {f"spec_{name}" for name in SPEC}


def test_help_of_the_program_reads_no_command() -> None:
    assert imported("--help") == ["listed"]
    assert imported() == ["listed"]
    assert imported("--version") == ["listed"]
    assert imported("spec", "--help") == ["listed"]
    assert imported("valdiate") == ["listed"]
    words = {"COMP_WORDS": "conquian\nv", "COMP_CWORD": "1"}
    assert imported(_CONQUIAN_COMPLETE="complete_bash", **words) == ["listed"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("validate", "nothing.cqn"),
        ("validate", "--help"),
        ("force", "--help"),
        ("spec", "list"),
        ("explain", "CQ305"),
    ],
)
def test_a_command_reads_its_own_module_and_no_other(arguments: tuple[str, ...]) -> None:
    found = set(imported(*arguments))
    assert found - SHARED == {arguments[0]}
    assert ("described" in found) == (arguments[0] == "force")


@pytest.mark.parametrize("name", ["force", "legal", "outs", "settle", "show"])
def test_a_position_is_described_by_the_same_options_everywhere(name: str) -> None:
    program = get_command(app)
    assert isinstance(program, TyperGroup)

    def options(command: str) -> dict[str, str]:
        params = whole(program.commands[command]).params
        return {p.name: f"{p.opts} {p.help}" for p in params if p.name in Described._fields}

    missing = {"declined"} if name == "outs" else set()
    assert list(options(name)) == [field for field in Described._fields if field not in missing]
    assert options(name).items() <= options("force").items()


def test_a_wrong_name_is_told_with_those_that_are_meant() -> None:
    done = run("valdiate")
    assert done.status == 2 and "No such command 'valdiate'. Did you mean 'validate'?" in done.err
    done = run("spec", "shwo")
    assert done.status == 2 and "No such command 'shwo'. Did you mean 'show'?" in done.err
