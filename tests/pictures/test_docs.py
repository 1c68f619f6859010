"""`docs/pictures.md` is true: every example is run and prints what the page shows."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.language.examples import Block, blocks

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "pictures.md"
TEXT = PAGE.read_text(encoding="utf-8")
BLOCKS = blocks(TEXT)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the transcripts of the page."""
    for block in BLOCKS:
        if block.kind.startswith("transcript "):
            (tmp_path / block.kind.split()[1]).write_text(block.text, encoding="utf-8")
    return tmp_path


def output(folder: Path, *command: str) -> str:
    where = {**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(command, cwd=folder, env=where, capture_output=True, encoding="utf-8", timeout=60)
    return done.stdout + done.stderr


def test_every_block_is_of_a_kind_that_is_run() -> None:
    kinds = r"transcript [a-z]+\.cqn|console|python|output"
    assert all(re.fullmatch(kinds, block.kind) for block in BLOCKS)


@pytest.mark.parametrize(
    "block", [b for b in BLOCKS if b.kind == "console"], ids=lambda block: f"line-{block.line}"
)
def test_every_command_prints_what_the_page_shows(folder: Path, block: Block) -> None:
    command, shown = block.text.split("\n", 1)
    assert command.startswith("$ conquian ")
    arguments = shlex.split(command.removeprefix("$ conquian "))
    assert output(folder, sys.executable, str(ROOT / "cli.py"), *arguments) == shown
    for name in arguments:
        if name.endswith((".svg", ".html")):
            assert (folder / name).read_text(encoding="utf-8").startswith(("<svg ", "<!DOCTYPE html>"))


def test_the_python_example_prints_what_the_page_shows(folder: Path) -> None:
    (code,) = [block.text for block in BLOCKS if block.kind == "python"]
    (shown,) = [block.text for block in BLOCKS if block.kind == "output"]
    assert output(folder, sys.executable, "-c", code) == shown


def test_every_link_leads_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)", TEXT):
        assert (PAGE.parent / target).exists(), target
    headings = {
        re.sub(r"[^a-z0-9 -]", "", line.lstrip("# ").lower()).replace(" ", "-")
        for line in TEXT.splitlines()
        if line.startswith("#")
    }
    assert set(re.findall(r"\]\(#([^)]+)\)", TEXT)) <= headings
