"""The guides are true: files and commands of each page are run in order and print what the page shows."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from .guides import GUIDES, KINDS, ROOT, kinds, refreshed

PAGES = [*GUIDES, *(ROOT / "docs" / f"{name}.md" for name in ("index", "commands", "codes", "api"))]


@pytest.mark.parametrize("page", GUIDES, ids=lambda page: page.stem)
def test_every_command_prints_what_the_page_shows(page: Path, tmp_path: Path) -> None:
    text = page.read_text("utf-8")
    assert [kind for kind in kinds(text) if not KINDS.fullmatch(kind)] == []
    assert refreshed(text, tmp_path) == text, (
        "python -m tests.docs.guides puts the present output into the pages"
    )


def test_the_python_examples_of_the_guides_give_what_they_show() -> None:
    found = 0
    for page in GUIDES:
        examples = doctest.DocTestParser().get_doctest(page.read_text("utf-8"), {}, page.name, str(page), 0)
        found += len(examples.examples)
        assert doctest.DocTestRunner().run(examples).failed == 0
    assert found > 10


def test_there_is_a_guide_for_each_reader() -> None:
    readers = {"tutorial", "referees", "rule-authors", "online-rooms", "continuous-integration"}
    assert {page.stem for page in GUIDES} == readers


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_link_leads_somewhere_in_the_checkout_too(page: Path) -> None:
    for aim in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
        assert (page.parent / aim).exists(), aim
