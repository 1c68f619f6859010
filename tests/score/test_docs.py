"""`docs/scoring.md` is true: every example is run and prints what the page shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.pages import Page, asked, at_line, printed, program_prints
from tests.language.examples import Block

PAGE = Page("scoring")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return PAGE.unpacked(tmp_path)


def test_every_block_is_of_a_kind_that_is_run() -> None:
    assert all(re.fullmatch(r"transcript [a-z]+\.cqn|console|python", block.kind) for block in PAGE.blocks)


@pytest.mark.parametrize("block", PAGE.of("console"), ids=at_line)
def test_every_command_prints_what_the_page_shows(
    folder: Path, monkeypatch: pytest.MonkeyPatch, block: Block
) -> None:
    arguments, shown = asked(block)
    assert printed(arguments, folder, monkeypatch) == shown


def test_the_python_examples_print_what_they_should(folder: Path) -> None:
    outputs = [program_prints(block.text, folder) for block in PAGE.of("python")]
    assert outputs == ["1\n", "=1+1\n"]


def test_every_link_leads_somewhere() -> None:
    assert PAGE.dead_links() == []
