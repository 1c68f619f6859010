"""`--help` of every command ends with examples, on lines that can be copied, and each of them runs."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

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
EXAMPLES = sorted({line for words in ALL for line in shown(words)})


def test_there_are_many_commands() -> None:
    assert {(), ("validate",), ("spec",), ("spec", "fmt"), ("score",)} < set(ALL) and len(ALL) >= 16


@pytest.mark.parametrize("words", ALL, ids=lambda words: " ".join(words) or "conquian")
def test_help_ends_with_an_example_of_that_command(words: tuple[str, ...]) -> None:
    lines = shown(words)
    assert lines
    for line in lines:
        assert line.startswith(" ".join(("conquian", *words))), line


@pytest.mark.parametrize("line", EXAMPLES)
def test_every_example_runs(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    program, *arguments = shlex.split(line)
    assert program == "conquian"
    done = run(*arguments)
    assert done.status in (0, 1) and (done.out or "fmt" in arguments)


def test_no_example_changes_a_file_of_the_project() -> None:
    assert [line for line in EXAMPLES if "spec fmt" in line and "--check" not in line] == []
