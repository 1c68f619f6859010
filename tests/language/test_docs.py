"""`docs/language.md` is true: every example is run, every construct named, the tables are the program's."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from conquian.language import syntax
from conquian.language.codes import RULE_CODES
from conquian.language.fmt import format_rules
from conquian.language.formula import Moment
from conquian.language.words import (
    CARDS_AT,
    FLAGS_AT,
    FUNCTIONS,
    MELDS_AT,
    MOMENTS,
    PLACES_AT,
    WORDS_OF_MOMENT,
)

from .examples import Block, blocks, problems_of

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "language.md").read_text(encoding="utf-8")
BLOCKS = blocks(TEXT)
HEAD = 'ruleset mine "My game"\nextends classic\nsource club "Rules of the Thursday club" in "club.txt"\n\n'
RULES = [block for block in BLOCKS if block.kind.startswith("rules")]


def test_every_block_is_of_a_kind_that_is_run() -> None:
    assert all(re.fullmatch(r"rules (item|[a-z-]+\.rules)( CQ\d+)?|console", block.kind) for block in BLOCKS)
    assert len(RULES) > 25


@pytest.mark.parametrize("block", RULES, ids=lambda block: f"line-{block.line}")
def test_rules_are_as_the_page_says(block: Block) -> None:
    words = block.kind.split()
    text = HEAD + block.text if words[1] == "item" else block.text
    wanted = set(words[2:])
    assert {problem.code for problem in problems_of(text)} == wanted
    assert format_rules(text) == text


def test_the_tutorial_prints_what_it_says(tmp_path: Path) -> None:
    where = {**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1", "COLUMNS": "200"}
    for block in BLOCKS:
        words = block.kind.split()
        if words[0] == "rules" and words[1] != "item":
            (tmp_path / words[1]).write_text(block.text, encoding="utf-8")
        elif words[0] == "console":
            command, output = block.text.split("\n", 1)
            assert command.startswith("$ conquian ")
            arguments = shlex.split(command.removeprefix("$ conquian "))
            program = [sys.executable, str(ROOT / "cli.py"), *arguments]
            done = subprocess.run(
                program, cwd=tmp_path, env=where, capture_output=True, encoding="utf-8", timeout=60
            )
            assert done.stdout + done.stderr == output, command


def named(word: str) -> bool:
    """Whether the page shows a word as code, alone or in a phrase."""
    return any(
        word in re.findall(r"[A-Za-z_][A-Za-z_-]*", phrase) for phrase in re.findall(r"`([^`\n]+)`", TEXT)
    )


def test_every_keyword_and_function_is_named() -> None:
    keywords = {
        terminal.pattern.value.split("(")[0]
        for terminal in syntax.parser().terminals
        if terminal.pattern.value[:1].isalpha() and terminal.name not in ("NAME", "PASSAGE", "INT")
    }
    assert len(keywords) > 60
    assert [word for word in sorted(keywords | set(FUNCTIONS)) if not named(word)] == []


def test_every_code_is_named_and_every_link_leads_somewhere() -> None:
    assert [code for code in RULE_CODES if f"[{code}]" not in TEXT] == []
    for target in re.findall(r"\]\(([^)#]+)\)", TEXT):
        assert (ROOT / "docs" / target).exists(), target
    headings = {
        re.sub(r"[^a-z0-9 -]", "", line.lstrip("# ").lower()).replace(" ", "-")
        for line in TEXT.splitlines()
        if line.startswith("#")
    }
    assert set(re.findall(r"\]\(#([^)]+)\)", TEXT)) <= headings


def test_the_table_of_words_is_the_program_s() -> None:
    table = TEXT.split("<!-- words:")[1].split("\n\n")[0].splitlines()[3:]
    moments: list[Moment] = [moment for moment in MOMENTS if moment != "shape"]
    assert len(table) == len(moments)
    for line, moment in zip(table, moments, strict=True):
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        assert cells[0].startswith(WORDS_OF_MOMENT[moment])
        for cell, words in zip(cells[1:], (CARDS_AT, MELDS_AT, FLAGS_AT, PLACES_AT), strict=True):
            assert re.findall(r"`([^`]+)`", cell) == list(words.get(moment, ()))
    explained = "\n".join(line for line in TEXT.splitlines() if line.startswith("| `"))
    for words in (CARDS_AT, MELDS_AT, FLAGS_AT, PLACES_AT):
        assert all(f"`{word}`" in explained for moment in moments for word in words.get(moment, ()))
