"""Findings about rule files and proofs: made once, told in each language; codes, places and keys stay."""

from __future__ import annotations

import json
import pickle
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from conquian.cli import app
from conquian.language.build import load
from conquian.language.checking import Checked, check_files, format_files
from conquian.language.codes import RULE_CODES
from conquian.language.problems import RulesError
from conquian.language.show import as_data, show
from conquian.language.words import MOMENTS, WORDS_OF_MOMENT
from conquian.tongue import LANGUAGES, Both, Language, Saying, later, later_n, speaking
from tests.language.examples import told

from .page_messages import OTHERS, findings

ENGLISH = re.compile(
    r"\b(the|and|of|is|are|with|without|has|no|not|deal|cards|rule|clause|error|warning|refuted|proved|hint|write|"
    r"nothing|choose|change|reading|every|some|play|known|expected|here|give|add|table)\b"
)
SPANISH_TOO = {"no", "error"}
QUOTED = re.compile(r"`[^`]*`")
CHECK = ("spec", "check", "twice-around", "--reading", "discard-after-meld=yes")


def run(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, list(arguments))
    assert not done.exception or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output


def english_in(text: str, language: Language) -> list[str]:
    found = ENGLISH.findall(QUOTED.sub("", text))
    return [word for word in found if language != "es" or word not in SPANISH_TOO]


@pytest.mark.parametrize("code", [code for code in RULE_CODES if code < "CQ600"])
def test_a_finding_is_told_in_the_language_that_is_spoken_when_it_is_read(code: str) -> None:
    found = findings(code)
    english = [(p.message, p.hint, p.others) for p in found]
    for language in OTHERS:
        with speaking(language):
            for problem, (message, hint, _) in zip(found, english, strict=True):
                assert problem.message != message
                assert problem.hint is not None and problem.hint != hint
                texts = [problem.message, problem.hint, *(what for _, what in problem.others)]
                assert [x for text in texts for x in english_in(text, language)] == [], texts
    assert [(p.message, p.hint, p.others) for p in found] == english


def test_findings_are_equal_whatever_is_spoken_and_hold_no_language() -> None:
    with speaking("sv"):
        one = findings.__wrapped__("CQ204")
    assert one == findings.__wrapped__("CQ204")
    assert told(list(one), "") == told(list(findings("CQ204")), "")


def test_rules_that_cannot_be_used_tell_it_when_they_are_asked(tmp_path: Path) -> None:
    with speaking("de"), pytest.raises(RulesError) as raised:
        load("clasic")
    error = pickle.loads(pickle.dumps(raised.value))
    for one in (raised.value, error):
        assert str(one) == "clasic:1:1: CQ205 there is no rule set `clasic`"
        with speaking("sv"):
            assert str(one) == "clasic:1:1: CQ205 det finns inget regelverk `clasic`"
            assert one.problems[0].hint == "menades `classic`?"


def test_only_words_of_the_file_are_shortened_and_not_what_stands_between_two() -> None:
    from conquian.language.problems import Problem
    from conquian.language.tree import Span

    span, long = Span("x.rules", 1, 1, 1, 1), "w" * 60
    said = later(
        "`{word}` stands here, and after many other words of the message `{other}`", word=long, other="b"
    )
    message = Problem("CQ101", said, span).message
    assert message == f"`{'w' * 50}…` stands here, and after many other words of the message `b`"


def test_sayings_in_sayings_are_told_together() -> None:
    said = later_n(
        "{clauses} forbids {what}, whatever the cards",
        "{clauses} together forbid {what}, whatever the cards",
        2,
        clauses=Both(("`a`", "`b`")),
        what=later("the {event} that the phase `{phase}` names", event=later("turn"), phase="p"),
    )
    assert str(said) == "`a` and `b` together forbid the turn that the phase `p` names, whatever the cards"
    with speaking("de"):
        assert (
            str(said)
            == "`a` und `b` verbieten zusammen bei allen Karten: aufdecken, wie es die Phase `p` nennt"
        )


@cache
def checked() -> Checked:
    return check_files(["twice-around"], {"discard-after-meld": "yes"})


def shape(document: Any) -> Any:
    """A document without the texts that are for people."""
    if isinstance(document, dict):
        return {k: shape(v) for k, v in document.items() if k not in ("message", "hint", "says")}
    return [shape(x) for x in document] if isinstance(document, list) else document


@pytest.mark.parametrize("language", OTHERS)
def test_proofs_are_told_again_in_another_language_without_being_made_again(language: Language) -> None:
    english, documents = "\n".join(checked().lines).split("\n"), checked().documents
    with speaking(language):
        lines, others = "\n".join(checked().lines).split("\n"), checked().documents
    assert len(lines) == len(english) and shape(others) == shape(documents)
    for line, before in zip(lines, english, strict=True):
        if line == before:  # a line of the rule file with its carets, or another place with a name in it
            assert re.match(r"    (?!position)|  spec/\S+: `", line), line
            continue
        bare = re.sub(r"^  [a-z-]+: |^\S+: ", "", line)
        assert english_in(bare, language) == [], line
    for one, before in zip(others[0]["obligations"], documents[0]["obligations"], strict=True):
        assert one["says"] != before["says"]
        assert english_in(one["says"], language) == []
    assert "\n".join(checked().lines).split("\n") == english


def test_a_certificate_of_proofs_is_in_english_while_the_answer_is_not(tmp_path: Path) -> None:
    paths = {language: str(tmp_path / f"{language}.json") for language in ("en", "de")}
    said = {
        language: run("spec", "check", "no-force", "--certificate", path, "--lang", language)
        for language, path in paths.items()
    }
    assert said["en"][0] == said["de"][0] == 0
    assert "\n  kept: proved - every card is in one place: " in said["en"][1]
    assert "\n  kept: bewiesen - jede Karte liegt an genau einem Ort: " in said["de"][1]
    one, other = (json.loads(Path(path).read_bytes()) for path in paths.values())
    assert one == other and "kept" in json.dumps(one)


def test_the_command_speaks_and_its_json_has_the_same_keys(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.rules"
    wrong.write_text('ruleset wrong "Wrong"\nextends clasic\n', encoding="utf-8")
    documents = {}
    for language, count, hint in (
        ("en", "1 error", "hint"),
        ("es", "1 error", "pista"),
        ("de", "1 Fehler", "Hinweis"),
    ):
        status, text = run("spec", "check", str(wrong), "--lang", language)
        assert status == 1 and text.endswith(f"{wrong}: {count}\n") and f"\n{hint}: " in text
        documents[language] = json.loads(
            run("spec", "check", str(wrong), "--lang", language, "--format", "json")[1]
        )
    assert shape(documents["en"]) == shape(documents["es"]) == shape(documents["de"])
    assert documents["es"][0]["errors"][0]["message"] == "no hay ningún reglamento `clasic` que ampliar"


def test_fmt_and_show_speak_and_documents_of_rule_sets_keep_their_words(tmp_path: Path) -> None:
    loose = tmp_path / "loose.rules"
    loose.write_text('ruleset   loose "Loose"\nextends classic\n', encoding="utf-8")
    with speaking("sv"):
        assert format_files([str(loose)], check=True) == ([f"{loose}: skulle ändras"], 1)
        rules = load("mexican")
        text, data = show(rules), as_data(rules)
    assert "\nbygger på swedish" in text and "\nSPELETS GÅNG\n" in text and "\nBEVIS\n" in text
    assert "ending: spelet tar slut" in " ".join(text.split())
    english = as_data(rules)
    for one, other in zip(data["clauses"], english["clauses"], strict=True):
        assert one["about"] == other["about"] and one["text"] == other["text"]
    assert data["obligations"] == english["obligations"]
    assert "\nTHE ORDER OF PLAY\n" in show(rules)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_moment_has_words_of_its_own(language: Language) -> None:
    with speaking(language):
        assert len({str(Saying(WORDS_OF_MOMENT[moment])) for moment in MOMENTS}) == len(MOMENTS)
