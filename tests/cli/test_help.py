"""`--help` of every command ends with examples, on lines that can be copied, and each of them runs."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.main import get_command

from conquian.cli import app

from .running import ROOT, run


def commands() -> Iterator[tuple[str, ...]]:
    """The words of every command and group, the program itself as no word."""

    def below(command: object, words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        yield words
        for name, inner in getattr(command, "commands", {}).items():
            yield from below(inner, (*words, name))

    yield from below(get_command(app), ())


def shown(words: tuple[str, ...]) -> list[str]:
    """The lines of the examples at the end of a help text."""
    done = run(*words, "--help")
    assert done.status == 0
    _, head, examples = re.split(r"^ *(Examples?):\n", done.out, maxsplit=1, flags=re.MULTILINE)
    lines = [line.strip() for line in examples.rstrip().splitlines()]
    assert (head == "Examples") == (len(lines) > 1)
    return lines


ALL = list(commands())
WORDS = [" ".join(("conquian", *words)) for words in ALL]


def test_there_are_many_commands() -> None:
    assert {"conquian", "conquian validate", "conquian spec", "conquian spec fmt"} < set(WORDS) and len(
        ALL
    ) >= 16


@pytest.mark.parametrize("words", ALL, ids=WORDS)
def test_help_ends_with_examples_of_that_command_and_each_runs(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = shown(words)
    assert any(line.startswith(" ".join(("conquian", *words))) for line in lines)
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    for line in lines:
        program, *arguments = shlex.split(line)
        assert program == "conquian"
        done = run(*arguments)
        written = {"fmt", "--svg", "-o"} & set(arguments)
        assert done.status in (0, 1) and (done.out or written), line
        assert all(Path(arguments[arguments.index(o) + 1]).stat().st_size for o in written - {"fmt"}), line
