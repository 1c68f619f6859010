"""The pages of codes in every language: what each says is translated, its examples and words of programs are not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from conquian.cli import app
from conquian.formats.sarif import rule
from conquian.language.pages import codes, meanings, page
from conquian.tongue import Language, speaking
from tests.language.examples import blocks
from tests.language.test_pages import one, places_left_out

from .page_messages import OTHERS, SHOWN, message

SPAN = re.compile(r"`[^`]+`|``.+?``")


def shown(code: str, language: Language) -> str:
    with speaking(language):
        found = page(code)
    assert found is not None
    return found


def said(text: str) -> str:
    """A page without its examples, on one line."""
    return " ".join(re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL).split())


@pytest.mark.parametrize("language", OTHERS)
def test_every_code_has_its_words_in_every_language_and_nothing_else_does(language: Language) -> None:
    assert sorted(meanings(language)) == codes()


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("code", codes())
def test_a_page_keeps_its_code_examples_words_of_programs_and_links(code: str, language: Language) -> None:
    english, other = shown(code, "en"), shown(code, language)
    lines = other.splitlines()
    assert re.fullmatch(rf"# {re.escape(code)}: \S.*", lines[0])
    assert lines[1] == "" and len(lines[2]) > 10
    assert [x.kind for x in blocks(other)] == [x.kind for x in blocks(english)]
    assert [x.text for x in blocks(other) if x.kind != "message"] == [
        x.text for x in blocks(english) if x.kind != "message"
    ]
    mine, theirs = said(english), said(other)
    assert set(SPAN.findall(mine)) == set(SPAN.findall(theirs))
    assert re.findall(r"\]\(.*?\)", mine) == re.findall(r"\]\(.*?\)", theirs)


@pytest.mark.parametrize("code", SHOWN)
def test_the_message_of_a_page_is_what_the_program_says(code: str, tmp_path: Path) -> None:
    for language in OTHERS:
        (block,) = (x for x in blocks(shown(code, language)) if x.kind == "message")
        assert places_left_out(block.text) == places_left_out(message(code, language, tmp_path)), (
            "python -m tests.languages.page_messages puts the present messages into the pages"
        )
        places = re.compile(
            rf"^\S+:\d+:(?:\d+:)? (?:{code if code != 'house' else r'house[.]first-meld'})\b", re.M
        )
        english = one(code, "message")
        assert places.findall(places_left_out(block.text)) == places.findall(places_left_out(english))
        if code != "house":  # its clause has one sentence
            assert block.text != english


@pytest.mark.parametrize("language", OTHERS)
def test_no_english_is_left_on_a_page(language: Language) -> None:
    words = re.compile(r"\b(the|and|of|is|with|deal|cards|rule|player|this|does|not|gives)\b")
    for code in codes():
        text = SPAN.sub("", said(shown(code, language))).removeprefix(f"# {code}")
        assert not words.findall(re.sub(r"\[[a-z-]+\]\(.*?\)|name=choice", "", text)), code
        assert text != SPAN.sub("", said(shown(code, "en"))).removeprefix(f"# {code}"), code


def test_explain_speaks_the_language_asked_for_and_sarif_too() -> None:
    done = CliRunner().invoke(app, ["explain", "offer-open", "--lang", "de"])
    assert done.output.splitlines()[:3] == [
        "# offer-open: eine Karte aufgedeckt, während eine angeboten ist",
        "",
        "Die angebotene Karte wird ausgelegt oder gepasst, bevor eine weitere aufgedeckt wird.",
    ]
    with speaking("sv"):
        made = rule("offer-open", "error")
    assert made["shortDescription"] == {"text": "ett kort vänt medan ett annat erbjuds"}
    assert CliRunner().invoke(app, ["explain", "offer-open"]).output.startswith("# offer-open: a card turned")
