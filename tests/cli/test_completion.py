"""Shell completion: what is offered, in a real Bash too, and that nothing heavy is imported for it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from conquian.engine.sets import rule_sets
from conquian.language.pages import codes
from conquian.position import load

from .running import ROOT, run

PROGRAM = """
import sys
sys.argv[0] = "conquian"
from conquian.cli import run
try:
    run()
finally:
    heavy = ("z3", "lark", "pydantic", "msgspec", "conquian.engine.engine")
    print(*sorted(name for name in heavy if name in sys.modules), file=sys.stderr)
"""


def offered(line: str) -> list[str]:
    """What Bash is given to choose from, the cursor at the end of a line of the program's words."""
    words = line.split(" ")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "_CONQUIAN_COMPLETE": "complete_bash",
            "COMP_WORDS": "\n".join(words),
            "COMP_CWORD": str(len(words) - 1),
        },
    )
    assert done.returncode == 0
    assert done.stderr == "\n", "a key press imports neither solver nor parser nor engine"
    return done.stdout.split()


def test_commands_and_rule_sets_are_offered() -> None:
    assert offered("conquian va") == ["validate"]
    assert offered("conquian spec f") == ["fmt"]
    assert offered("conquian legal --rules ") == rule_sets()
    assert offered("conquian generate --rules sw") == ["swedish", "swedish-packets"]
    assert offered("conquian spec show mex") == ["mexican"]
    assert offered("conquian spec check mexican pa") == ["paco", "partnership"]


def test_a_list_of_rule_sets_is_continued_without_those_it_has() -> None:
    assert offered("conquian settle --rules swedish,cl") == ["swedish,classic", "swedish,classic-52"]
    assert offered("conquian settle --rules classic,classic") == ["classic,classic-52"]


def test_sides_of_a_comparison_are_offered_with_their_readings() -> None:
    assert offered("conquian diff swedish swedish-p") == ["swedish-packets"]
    assert offered("conquian diff classic?new-meld=a") == ["classic?new-meld=any"]
    assert offered("conquian diff paco?new-meld=any&goal=") == [
        "paco?new-meld=any&goal=at-least",
        "paco?new-meld=any&goal=exactly",
    ]


def test_every_choice_of_every_reading_is_offered() -> None:
    shown = offered("conquian validate --reading ")
    wanted = set()
    for name in rule_sets():
        for reading in load(name).engine.program.readings:
            wanted |= {f"{reading.name}={choice}" for choice in reading.choices}
    assert set(shown) == wanted and len(shown) == len(wanted) > 20


def test_readings_of_a_house_rule_are_offered_with_it(folder: Path) -> None:
    text = 'ruleset mine "Mine"\nextends classic\nreading late-cut: yes | no\n  "Is there a second cut?"\n'
    (folder / "mine.rules").write_text(text, encoding="utf-8")
    assert offered("conquian legal --rules mine.rules --reading late") == ["late-cut=no", "late-cut=yes"]
    (folder / "bad.rules").write_bytes(b"\xff\xfe")
    assert offered("conquian legal --rules bad.rules --reading late") == []


def test_bash_gets_only_what_stands_behind_the_sign() -> None:
    assert offered("conquian validate --reading new-meld =") == ["any", "two-from-hand"]
    assert offered("conquian validate --reading new-meld = t") == ["two-from-hand"]


def test_codes_forms_and_cards_are_offered() -> None:
    assert offered("conquian explain ") == codes()
    assert offered("conquian explain cq40") == [c.lower() for c in codes() if c.startswith("CQ40")]
    forms = ["text", "json", "jsonl", "github", "sarif", "junit"]
    assert offered("conquian validate --format ") == forms
    assert offered("conquian legal --format j") == ["json"]
    assert offered("conquian legal --cards s") == ["spanish", "swedish"]
    for form in forms:
        assert run("validate", "won.cqn", "--format", form).status == 0


def test_the_script_works_in_bash(folder: Path) -> None:
    if os.name != "posix" or shutil.which("bash") is None:
        pytest.skip("there is no Bash here")
    program = folder / "conquian"
    program.write_text(f"#!/bin/sh\nexec '{sys.executable}' -c '{PROGRAM}' \"$@\"\n", encoding="utf-8")
    program.chmod(0o755)
    script = """
    eval "$(conquian --show-completion bash)"
    COMP_WORDS=(conquian validate --reading new-meld = two); COMP_CWORD=5
    _conquian_completion conquian
    printf '%s\\n' "${COMPREPLY[@]}"
    COMP_WORDS=(conquian explain CQ10); COMP_CWORD=2
    _conquian_completion conquian
    printf '%s\\n' "${COMPREPLY[@]}"
    """
    done = subprocess.run(
        ["bash", "--norc", "--noprofile", "-c", script],
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": str(ROOT), "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"},
        timeout=60,
        check=False,
    )
    assert done.stdout.split() == ["two-from-hand", *(f"CQ10{n}" for n in range(1, 7))]


def test_installing_it_keeps_to_no_color(folder: Path) -> None:
    from .test_process import on_a_terminal

    home = {"HOME": str(folder), "USERPROFILE": str(folder), "SHELL": "/bin/bash"}
    shown = on_a_terminal("--install-completion", "bash", NO_COLOR="1", **home)
    assert "installed in" in shown and "\033" not in shown
    assert (folder / ".bash_completions" / "cli.py.sh").is_file()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_every_shell_has_a_script(shell: str) -> None:
    done = run("--show-completion", shell)
    assert done.status == 0 and "conquian" in done.out
