"""Clause sentences: each shipped one in every language, found with and without a parser; others stay English."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from conquian.engine.engine import engine
from conquian.engine.sets import rule_sets
from conquian.engine.texts import rule_texts
from conquian.language.build import load
from conquian.language.fmt import format_rules
from conquian.sentences import sentence, translations
from conquian.tongue import LANGUAGES, Language, speaking
from tests.language.examples import problems_of

OTHERS: list[Language] = [language for language in LANGUAGES if language != "en"]
HOUSE = """ruleset mine "My game"
extends swedish
source club "Rules of the Thursday club" in "club.txt"

override clause goal "Nine cards in melds win."
  {translations}
  cite club.goal
  goal 9
"""


@pytest.mark.parametrize("name", rule_sets())
def test_every_shipped_sentence_and_question_has_every_language(name: str) -> None:
    rules = load(name)
    for clause in rules.clauses:
        found = dict(clause.translations)
        assert set(found) == set(OTHERS), clause.name
        assert all(text.endswith(".") and text != clause.sentence for text in found.values()), clause.name
        assert len({*found.values()}) == len(OTHERS), clause.name
    for reading in rules.readings:
        found = dict(reading.translations)
        assert set(found) == set(OTHERS) and all(text.endswith("?") for text in found.values()), reading.name
        assert found["es"].startswith("¿")


@pytest.mark.parametrize("name", rule_sets())
@pytest.mark.parametrize("language", OTHERS)
def test_the_texts_and_the_parser_give_the_same_translations(name: str, language: Language) -> None:
    rules, program = load(name), engine(name).program
    with speaking(language):
        for number, clause in enumerate(rules.clauses):
            assert sentence(program, number) == dict(clause.translations)[language] == clause.said
    for number, clause in enumerate(rules.clauses):
        assert sentence(program, number) == clause.sentence == clause.said


def test_the_same_sentence_is_said_the_same_in_every_file() -> None:
    said: dict[str, tuple[tuple[str, str], ...]] = {}
    for name in rule_sets():
        for clause in load(name).clauses:
            assert said.setdefault(clause.sentence, clause.translations) == clause.translations


def written(folder: Path, translations: str) -> str:
    path = folder / "mine.rules"
    path.write_text(HOUSE.replace("  {translations}\n", translations), encoding="utf-8")
    return str(path)


def goal_of(name: str, language: Language) -> str:
    program = engine(name).program
    with speaking(language):
        return sentence(program, program.setup["goal"])


def test_a_rule_file_without_translations_is_said_in_english_and_what_it_inherits_is_not(
    tmp_path: Path,
) -> None:
    path = written(tmp_path, "")
    assert goal_of(path, "de") == "Nine cards in melds win."
    program = engine(path).program
    with speaking("de"):
        assert sentence(program, program.setup["players"]) == "Es spielen zwei."


def test_a_rule_file_of_ones_own_is_said_in_the_languages_it_gives(tmp_path: Path) -> None:
    path = written(
        tmp_path, '  # to be checked\n  in de "Neun \\"Karten\\" gewinnen." # so\n  in fr "Neuf cartes."\n'
    )
    assert goal_of(path, "de") == 'Neun "Karten" gewinnen.'
    assert goal_of(path, "sv") == "Nine cards in melds win."
    clause = next(x for x in load(path).clauses if x.name == "goal")
    assert clause.translations == (("de", 'Neun "Karten" gewinnen.'), ("fr", "Neuf cartes."))


def test_a_language_given_twice_is_a_finding() -> None:
    text = HOUSE.replace("{translations}", 'in de "Neun."\n  in de "Neun Karten."')
    (problem,) = problems_of(text)
    assert (problem.code, problem.span.line, problem.span.column) == ("CQ204", 7, 6)


def test_translations_are_laid_out_a_line_each() -> None:
    text = 'clause goal "Nine." in de "Neun." in sv "Nio." cite club.goal goal 9\n'
    assert (
        format_rules(text)
        == 'clause goal "Nine."\n  in de "Neun."\n  in sv "Nio."\n  cite club.goal\n  goal 9\n'
    )


def test_translations_of_titles_and_reasons_are_laid_out_below_them() -> None:
    text = (
        'ruleset a "A" in de "B"\nextends swedish\nsource s "S" in "s.txt" in de "T" in sv "U"\n'
        'choose goal = at-least because "Why." in de "Warum." # so\n cite s.one\ndrop x because "No." in sv "Nej."\n'
    )
    once = format_rules(text)
    assert once == (
        'ruleset a "A"\n  in de "B"\n\nextends swedish\n\nsource s "S" in "s.txt"\n  in de "T"\n  in sv "U"\n\n'
        'choose goal = at-least\n  because "Why."\n    in de "Warum."  # so\n  cite s.one\n\n'
        'drop x\n  because "No."\n    in sv "Nej."\n'
    )
    assert format_rules(once) == once


def test_translations_are_found_through_comments_and_escapes() -> None:
    text = b'override clause a-b "One \\"x\\"." # in de "no"\n  in de "Eins \\"x\\"."\n\nclause c "Two."\n'
    assert translations([text], "de") == {("a-b", 'One "x".'): 'Eins "x".'}
    assert translations([text], "sv") == {}
    texts = rule_texts("swedish") or []
    clauses = sum(len(re.findall(rb"^(?:override )?clause ", text, re.MULTILINE)) for text in texts)
    assert len(translations(texts, "es")) == clauses > 30
