"""The program in a process of its own: what it imports, colour, pipes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import CLUB, WON
from .running import ROOT
from .test_convert_generate import GAME


def call(*arguments: str, given: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(ROOT / "cli.py"), *arguments],
        input=given,
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, **environment},
        check=False,
    )


def test_python_cli_py_is_the_program() -> None:
    done = call("validate", "won.cqn", "--no-differs")
    assert (done.returncode, done.stdout, done.stderr) == (
        0,
        "won.cqn: valid (swedish)\n  deal 1: valid, Ana wins\n",
        "",
    )
    assert call("validate", "club.cqn").returncode == 1
    assert call("validate", "missing.cqn").returncode == 2
    assert call("validate").returncode == 2


PROBE = """
import sys
sys.argv = ["conquian", *sys.argv[1:]]
from conquian.cli import run
try:
    run()
except SystemExit:
    pass
print("imported:", *sorted(name for name in ("z3", "lark", "pydantic", "rich", "hypothesis") if name in sys.modules))
"""


def probe_of(folder: Path, *arguments: str) -> str:
    """The output of a command; the last line says what was imported."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(folder / "cache")}
    return subprocess.run(
        [sys.executable, "-c", PROBE, *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        env=environment,
        check=False,
    ).stdout


def probe(folder: Path, name: str) -> subprocess.CompletedProcess[str]:
    """`validate` of a file; the last line says what was imported."""
    return subprocess.run(
        [sys.executable, "-c", PROBE, "validate", name, "--no-differs"],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(folder / "cache")},
        check=False,
    )


@pytest.mark.parametrize("name", ["won.cqn", "club.cqn", "won.json", "won.jsonl"])
def test_validate_imports_neither_solver_nor_parser_when_the_rule_set_is_compiled(
    folder: Path, name: str
) -> None:
    (folder / "won.json").write_text(json.dumps(GAME, indent=1), encoding="utf-8")
    (folder / "won.jsonl").write_text(json.dumps(GAME) + "\n", encoding="utf-8")
    done = probe(folder, name)  # compiles and keeps what is not yet compiled
    assert done.stderr == ""
    done = probe(folder, name)
    assert done.stderr == ""
    assert done.stdout.splitlines()[-1] == "imported:"


@pytest.mark.parametrize("form", ["github", "sarif", "junit"])
def test_forms_for_other_programs_need_neither_solver_nor_parser(folder: Path, form: str) -> None:
    arguments = ("validate", "won.cqn", "club.cqn", "--format", form)
    probe_of(folder, *arguments)  # compiles and keeps what is not yet compiled
    assert probe_of(folder, *arguments).splitlines()[-1] == "imported:"


def on_a_terminal(*arguments: str, **environment: str) -> str:
    """The standard output of the program when that is a terminal."""
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    env = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    process = subprocess.Popen(
        [sys.executable, str(ROOT / "cli.py"), *arguments],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=subprocess.PIPE,
        env={**env, "TERM": "xterm", **environment},
    )
    os.close(theirs)
    found = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # how Linux says that the other end is closed
            break
        if not part:
            break
        found += part
    process.communicate(timeout=60)
    os.close(ours)
    return found.decode()


def test_colour_only_on_a_terminal_and_not_where_it_is_not_wanted() -> None:
    assert "\033[" in on_a_terminal("validate", "club.cqn", "--no-differs")
    assert "\033[" not in on_a_terminal("validate", "club.cqn", "--no-differs", NO_COLOR="1")
    assert "\033[" not in on_a_terminal("validate", "club.cqn", "--format", "json")
    assert "\033[" not in call("validate", "club.cqn").stdout


def test_a_closed_pipe_is_no_traceback(folder: Path) -> None:
    (folder / "many.jsonl").write_text((json.dumps(GAME) + "\n") * 5000, encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, str(ROOT / "cli.py"), "validate", "many.jsonl", "--format", "jsonl"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None and process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    said = process.stderr.read().decode()
    process.stderr.close()
    assert process.wait(timeout=60) in (0, 1, 2, 3)
    assert "Traceback" not in said and "Exception ignored" not in said


def test_standard_output_can_hold_any_name_whatever_the_locale() -> None:
    text = WON.replace("Ana", "Zoë")
    for encoding in ("utf-8", "ascii"):
        done = call("validate", "-", "--no-differs", given=text, PYTHONIOENCODING=encoding, PYTHONUTF8="0")
        assert "Traceback" not in done.stderr
        assert done.returncode in (0, 2)


def test_what_a_transcript_says_reaches_the_terminal_without_control_characters() -> None:
    text = CLUB.replace("Ana", '"A\033[31mna"')
    done = call("validate", "-", "--no-differs", given=text)
    assert "\033" not in done.stdout and "\033" not in done.stderr


# Names that JSON can hold: one begins a finding of its own, one has an escape of a single character and turns the line.
FORGED = "Ana\nx.cqn:1:1: forged all is well"
TURNED = "B\x9b31me\u202en\033[31m"


def named() -> str:
    """A game with a violation, whose message and hint speak of both names."""
    events = [[FORGED, "turns", "5c"], [TURNED, "passes"]]
    return json.dumps(
        {
            "format": "conquian/1",
            "rules": "swedish",
            "players": [FORGED, TURNED],
            "deals": [{"number": 1, "events": events}],
        }
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ("validate",),
        ("validate", "--as-played", "--why"),
        ("infer",),
        ("score",),
        ("settle", "--at", "named.json#1@1"),
        ("show", "--at", "named.json#1@1"),
        ("legal", "--at", "named.json#1@1"),
        ("force", "--at", "named.json#1@1"),
    ],
)
def test_no_name_moves_the_cursor_or_begins_a_line_of_its_own(
    folder: Path, arguments: tuple[str, ...]
) -> None:
    (folder / "named.json").write_text(named(), encoding="utf-8")
    done = call(*arguments, *(() if "--at" in arguments else ("named.json",)))
    assert "Traceback" not in done.stderr
    assert not set("\033\x9b\u202e") & set(done.stdout + done.stderr)
    lines = (done.stdout + done.stderr).splitlines()
    assert lines and not any(line.startswith("x.cqn:") for line in lines)


def test_nor_does_it_in_colour_on_a_terminal(folder: Path) -> None:
    (folder / "named.json").write_text(named(), encoding="utf-8")
    shown = on_a_terminal("validate", "named.json", "--no-differs")
    assert "\033[" in shown and "\x9b" not in shown and "\u202e" not in shown
    # Only the two verdicts are painted: the name that ends with an escape is not.
    assert shown.count("\033[") == 4 and "\\x1b[31m" in shown
    assert "\nx.cqn:" not in shown


def test_a_finding_of_a_transcript_keeps_its_lines_where_it_cannot_be_converted(folder: Path) -> None:
    (folder / "odd.cqn").write_text("rules: swedish\nplayers: Ana, Ben\n\nbogus line\n", encoding="utf-8")
    done = call("convert", "odd.cqn", "--to", "json")
    assert done.returncode == 2
    assert done.stderr.splitlines()[1:3] == ["    bogus line", "    ^^^^^"]
