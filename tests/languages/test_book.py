"""Rule books, `spec list` and `spec show` in every language; every text of the shipped rule files has a translation."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from conquian.book.contents import Book
from conquian.book.markdown import markdown
from conquian.book.page import page
from conquian.cli import app
from conquian.engine.engine import engine
from conquian.engine.sets import rule_sets
from conquian.language import syntax
from conquian.language import tree as t
from conquian.language.build import load
from conquian.language.names import passage_text, passages, shipped, shipped_text
from conquian.language.problems import Problems
from conquian.language.show import CLAIMS
from conquian.language.wording import claim_words
from conquian.sentences import sheet, title, titles
from conquian.tongue import LANGUAGES, Language, speaking
from tests.language.examples import problems_of
from tests.pictures.books import two_readings
from tests.pictures.looking import Node, html

OTHERS: list[Language] = [language for language in LANGUAGES if language != "en"]
ENGLISH = re.compile(
    r"\b(the|and|of|is|with|deal|deals|card|cards|rule|rules|which|would|not|may|source|position|meld|melds)\b",
    re.IGNORECASE,
)
HOUSE = """ruleset mine "My game"
{title}
extends swedish

choose borrowing = afterwards
  because "So we play."
  {reason}
  cite club.one

source club "Our club" in "club.txt"
"""


# ---- rule files


def texts() -> Iterator[tuple[str, str, t.Translations]]:
    """Every title and every reason of the shipped rule files, with where it stands."""
    for name in shipped():
        file = syntax.read(shipped_text(name) or "", name, Problems())
        for item in file.items:
            if isinstance(item, t.Head | t.SourceItem):
                yield f"{name}: {item.title}", item.title, item.translations
            elif isinstance(item, t.ReadingItem | t.ChooseItem | t.DropItem) and item.because:
                yield f"{name}: {item.because}", item.because, item.reasons


TEXTS = list(texts())


@pytest.mark.parametrize(("said", "translations"), [x[1:] for x in TEXTS], ids=[x[0] for x in TEXTS])
def test_every_shipped_title_and_reason_has_every_language(said: str, translations: t.Translations) -> None:
    found = {language.text: text for language, text in translations}
    assert list(found) == OTHERS
    assert len({said, *found.values()}) == 1 + len(OTHERS)
    assert all(text.endswith(".") is said.endswith(".") for text in found.values())


def test_there_are_titles_and_reasons_in_every_shipped_file() -> None:
    assert {where.split(":")[0] for where, _, _ in TEXTS} == set(shipped())
    assert sum(said.endswith(".") for _, said, _ in TEXTS) > 25


def test_the_same_title_or_reason_is_said_the_same_in_every_file() -> None:
    by_words: dict[str, list[str]] = {}
    for _, said, translations in TEXTS:
        words = [text for _, text in translations]
        assert by_words.setdefault(said, words) == words


@pytest.mark.parametrize("language", OTHERS)
def test_every_passage_has_a_line_in_every_language(language: Language) -> None:
    said = {passage: passage_text(passage) for passage in passages()}
    with speaking(language):
        other = {passage: passage_text(passage) for passage in passages()}
        assert passage_text("club.one") == ""
    assert all(other.values())
    assert {passage for passage in said if said[passage] == other[passage]} <= {"cl.deck.2"}


@pytest.mark.parametrize("name", rule_sets())
@pytest.mark.parametrize("language", OTHERS)
def test_titles_are_found_without_a_parser(name: str, language: Language) -> None:
    rules, program = load(name), engine(name).program
    with speaking(language):
        assert title(program) == rules.called == titles()[name] == dict(rules.translations)[language]
    assert title(program) == rules.called == titles()[name] == rules.title


def test_a_rule_file_of_ones_own_has_its_title_and_reason_in_the_languages_it_gives(tmp_path: Path) -> None:
    file = tmp_path / "mine.rules"
    file.write_text(
        HOUSE.format(
            title='  # to be checked\n  in de "Mein \\"Spiel\\"" in sv "Mitt spel"',
            reason='  in de "So spielen wir."',
        ),
        encoding="utf-8",
    )
    rules, program = load(str(file)), engine(str(file)).program
    with speaking("de"):
        assert title(program) == rules.called == 'Mein "Spiel"'
        assert rules.reading("borrowing").reason == "So spielen wir."
        assert rules.reading("goal").reason == dict(load("swedish").reading("goal").reasons)["de"]
        assert rules.sources[-1].called == "Our club"
    with speaking("es"):
        assert title(program) == rules.called == "My game"
        assert rules.reading("borrowing").reason == "So we play."


@pytest.mark.parametrize(
    ("wrong", "line", "column"),
    [
        ({"title": '  in de "A" in de "B"'}, 2, 16),
        ({"reason": '  in sv "A"\n    in sv "B"'}, 8, 8),
    ],
)
def test_a_language_given_twice_is_a_finding(wrong: dict[str, str], line: int, column: int) -> None:
    (problem,) = problems_of(HOUSE.format(**{"title": "", "reason": "", **wrong}))
    assert (problem.code, problem.span.line, problem.span.column) == ("CQ204", line, column)


# ---- spec list, spec show


def told(*arguments: str) -> str:
    done = CliRunner().invoke(app, list(arguments))
    assert not done.exception or isinstance(done.exception, SystemExit), done.exception
    assert done.exit_code == 0, done.output
    return done.output


@pytest.mark.parametrize("language", OTHERS)
def test_the_list_of_rule_sets_speaks_the_language(language: Language) -> None:
    lines = told("spec", "list", "--lang", language).splitlines()
    assert [line.split()[0] for line in lines] == rule_sets()
    assert not [line for line in lines if ENGLISH.search(line.partition(" ")[2])]
    listed = json.loads(told("spec", "list", "--format", "json", "--lang", language))
    assert [x["name"] for x in listed] == rule_sets()
    assert all(x["title"] == dict(load(x["name"]).translations)[language] for x in listed)


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("name", ["twice-around", "common", "coonking"])
def test_a_shown_rule_set_is_in_the_language_but_for_its_formulas(name: str, language: Language) -> None:
    english = told("spec", "show", name)
    formulas = {line for line in english.splitlines() if line.startswith("    ")}
    other = told("spec", "show", name, "--lang", language)
    same = {line for line in other.splitlines() if line.strip()} & {*english.splitlines()} - formulas
    assert same == set()
    assert [line for line in other.splitlines() if line in formulas]
    sentences = [line for line in other.splitlines() if not line.startswith("    ")]
    names = re.compile(r"^  [a-z-]+:|\([^()]*\)")
    assert not [line for line in sentences if ENGLISH.search(names.sub("", line))]
    for reading in load(name).readings:
        assert " ".join(dict(reading.reasons)[language].split()) in " ".join(other.split())


def test_every_claim_of_a_rule_set_is_a_message() -> None:
    claims = {claim_words(one.claim) for name in shipped() for one in load(name).obligations}
    assert claims <= set(CLAIMS) and len(claims) == len(CLAIMS)


# ---- the book


@pytest.fixture(scope="module")
def two() -> Book:
    """A set beside itself under another reading, so that most examples and every mark are in it."""
    return two_readings()


def words(node: Node) -> Iterator[str]:
    """Every text of an element that is not code, style or the name of something."""
    for part in node.parts:
        if isinstance(part, str):
            yield part.strip()
        elif part.tag not in ("style", "pre", "code", "h3", "nav"):
            yield from words(part)


@pytest.mark.parametrize("language", OTHERS)
def test_a_book_is_wholly_in_its_language(two: Book, language: Language) -> None:
    english = page(two)
    with speaking(language):
        other = page(two)
    assert f'<html lang="{language}">' in other and '<html lang="en">' in english
    marks = [re.findall(r' (?:id|class|href|aria-labelledby)="[^"]*"', text) for text in (english, other)]
    letters = re.compile(r' (href|id)="#?cq-w\d+"')  # words that are drawn, numbered as they come
    assert [x for x in marks[0] if not letters.match(x)] == [x for x in marks[1] if not letters.match(x)]
    said = {text for text in words(html(other)) if re.search("[a-z]{3}", text)}
    assert len(said) > 250
    english_left = {text for text in said if ENGLISH.search(re.sub(r"[a-z]+-[a-z-]+(=[a-z-]+)?", "", text))}
    assert {x for x in english_left if not re.fullmatch(r"[\w-]+ (ist|är|es) \S+", x)} == set()
    codes = [re.findall(r"<code>.*?</code>", text, re.DOTALL) for text in (english, other)]
    assert codes[0] == codes[1]


@pytest.mark.parametrize("language", OTHERS)
def test_labels_of_a_book_for_those_who_do_not_see_it_are_in_its_language(
    two: Book, language: Language
) -> None:
    with speaking(language):
        root = html(page(two))
    labels = [node.attributes["aria-label"] for node in root.all() if "aria-label" in node.attributes]
    titles_ = [node.text for tag in ("title", "desc") for node in root.all(tag)]
    assert len(labels) > 30 and len(titles_) > 40
    assert not [x for x in (*labels, *titles_) if ENGLISH.search(re.sub(r"[a-z]+-[a-z-]+", "", x))]


@pytest.mark.parametrize("language", OTHERS)
def test_the_two_forms_of_a_book_say_the_same(two: Book, language: Language) -> None:
    with speaking(language):
        root, text = html(page(two)), markdown(two)
    bare = re.sub(r"\\(.)", r"\1", text).replace("**", "").replace("`", "")
    spaced = " ".join(bare.split())
    for tag in ("h1", "h2", "h4", "dt", "figcaption"):
        for node in root.one("body").all(tag):
            if node.attributes.get("id") == "contents":
                continue
            for part in node.all("p") if tag == "figcaption" else [node]:
                assert " ".join(part.text.split()) in spaced, (tag, part.text)


@pytest.mark.parametrize(("language", "said"), [("de", "Wo sie sich trennen"), ("es", "Donde se separan")])
def test_the_command_takes_the_language(
    language: Language, said: str, two: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("conquian.book.booking.book", lambda *_: two)
    assert said in told("book", "swedish", "swedish?new-meld=any", "--lang", language)


def test_players_have_names_in_the_book_whatever_positions_call_them(two: Book) -> None:
    said = [node.text for tag in ("figcaption", "title", "desc") for node in html(page(two)).all(tag)]
    assert len(said) > 80 and not [text for text in said if re.search(r"\b(me|opponent)\b", text)]
    assert any("Ana melds" in text for text in said) and any("Ben forces" in text for text in said)


@pytest.mark.parametrize("language", OTHERS)
def test_verdicts_call_shipped_sheets_as_the_book_does(language: Language) -> None:
    sources = {source.title: source for name in rule_sets() for source in load(name).sources}
    assert len(sources) == 3
    for said, source in sources.items():
        with speaking(language):
            assert sheet(said) == source.called != said
            assert sheet("Rules of the Thursday club") == "Rules of the Thursday club"
        assert sheet(said) == source.called == said
