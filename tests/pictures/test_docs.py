"""`docs/pictures.md` is true: every example is run and prints what the page shows.

The examples of the book are those that the tests of the book look at; CONQUIAN_FULL=1 in the environment has them found
anew by the command.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from conquian.book import booking
from conquian.book.contents import Book
from conquian.differing import Named
from tests.docs.pages import Page, asked, at_line, printed, program_prints
from tests.language.examples import Block

PAGE = Page("pictures")
FULL = bool(os.environ.get("CONQUIAN_FULL"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return PAGE.unpacked(tmp_path)


def test_every_block_is_of_a_kind_that_is_run() -> None:
    kinds = r"transcript [a-z]+\.cqn|console|python|output"
    assert all(re.fullmatch(kinds, block.kind) for block in PAGE.blocks)


@pytest.mark.parametrize("block", PAGE.of("console"), ids=at_line)
def test_every_command_prints_what_the_page_shows(
    folder: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest, block: Block
) -> None:
    arguments, shown = asked(block)
    if arguments[0] == "book" and not FULL:
        made: Book = request.getfixturevalue("two")

        def the_same(sides: tuple[Named, ...], budget: int | None) -> Book:
            wanted = [(side.named.word, dict(side.named.rules.readings)) for side in made.sides]
            assert ([(side.word, dict(side.rules.readings)) for side in sides], budget) == (wanted, None)
            return made

        monkeypatch.setattr(booking, "book", the_same)
    assert printed(arguments, folder, monkeypatch) == shown
    for name in arguments:
        if name.endswith((".svg", ".html")):
            assert (folder / name).read_text(encoding="utf-8").startswith(("<svg ", "<!DOCTYPE html>"))


def test_the_python_example_prints_what_the_page_shows(folder: Path) -> None:
    assert program_prints(PAGE.the("python"), folder) == PAGE.the("output")


def test_every_link_leads_somewhere() -> None:
    assert PAGE.dead_links() == []
