"""What commands say in each language: codes, keys and card names stay, words do not; English is the default."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from conquian.cli import app
from conquian.tongue import LANGUAGES, Language, language_of, of_locale, speaking, spoken, tell, tell_n
from tests.packaging.readme import ROOT

OTHERS: list[Language] = [language for language in LANGUAGES if language != "en"]
GAME = """rules: swedish
players: Ana, Ben
cards: {cards}
Ana turns {a}
Ana melds {a} {b} {c}
"""
BROKEN = "rules: swedish\nplayers: Ana, Ben\nAna turns 5c\nBen eats 5c\n"
DISPUTED = ("--up", "7h", "--table", "5s 6s 7s", "--hand", "4s 7d")
COMMANDS: dict[str, tuple[str, ...]] = {
    "validate": ("validate", "wrong.cqn"),
    "validate-why": ("validate", "wrong.cqn", "--why", "--no-differs"),
    "unreadable": ("validate", "broken.cqn"),
    "legal": ("legal", "--rules", "swedish", *DISPUTED, "--meld", "7s 7h 7d, 4s 5s 6s"),
    "settle": ("settle", "--rules", "swedish,classic", *DISPUTED, "--meld", "7s 7h 7d, 4s 5s 6s"),
    "force": ("force", "--rules", "swedish", "--up", "Kh", "--table", "6h 7h Jh Qh", "--hand", "Ah Ad"),
    "outs": ("outs", "--rules", "swedish", "--table", "3c 3d 3h 3s, 6h 7h Jh Qh", "--hand", "Ah Ad"),
    "infer": ("infer", "wrong.cqn", "--so-far"),
    "score": ("score", "wrong.cqn"),
    "show": ("spec", "show", "swedish"),
    "refused": ("legal", "--rules", "swedish"),
}


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wrong.cqn").write_text(GAME.format(cards="french", a="5c", b="6c", c="Jc"), encoding="utf-8")
    (tmp_path / "broken.cqn").write_text(BROKEN, encoding="utf-8")


def told(*arguments: str, **environment: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, list(arguments), env=environment)
    assert not done.exception or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_speaks_each_language_and_returns_the_same_status(command: str) -> None:
    said = {language: told(*COMMANDS[command], "--lang", language) for language in LANGUAGES}
    assert len({status for status, _ in said.values()}) == 1
    assert len({text for _, text in said.values()}) == len(LANGUAGES), said
    assert said["en"] == told(*COMMANDS[command])
    assert spoken() == "en"


WORDS = re.compile(r"\b(the|and|of|is|with|deal|card|cards|rule|hint|legal|valid|not|would|may)\b")
ENGLISH_WORDS = re.compile(r"[a-z]+-[a-z-]+|turned_by")
"""Names of readings and codes."""


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("command", [c for c in COMMANDS if c not in ("show", "unreadable", "validate-why")])
def test_no_english_is_left_in_what_people_read(command: str, language: str) -> None:
    text = ENGLISH_WORDS.sub("", told(*COMMANDS[command], "--lang", language)[1])
    assert language == "es" or not WORDS.findall(text), text
    assert not [word for word in WORDS.findall(text) if word != "legal"], text


def shape(document: Any) -> Any:
    """A document without the texts that are for people."""
    if isinstance(document, dict):
        words = ("message", "hint", "why", "sentence", "question", "title", "because")
        return {key: shape(value) for key, value in document.items() if key not in words}
    return [shape(x) for x in document] if isinstance(document, list) else document


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("command", [c for c in COMMANDS if c not in ("refused",)])
def test_json_has_the_same_keys_codes_and_cards(command: str, language: str) -> None:
    english = json.loads(told(*COMMANDS[command], "--format", "json")[1])
    other = json.loads(told(*COMMANDS[command], "--format", "json", "--lang", language)[1])
    assert shape(english) == shape(other)
    texts = [json.dumps(document) for document in (english, other)]
    if command in ("validate", "validate-why", "unreadable", "legal", "force", "score", "show"):
        assert texts[0] != texts[1]


def test_a_verdict_in_german() -> None:
    assert told("validate", "wrong.cqn", "--no-differs", "--lang", "de")[1].splitlines() == [
        "wrong.cqn: ungültig (swedish)",
        "  Spiel 1: ungültig",
        "wrong.cqn:5:11: invalid-meld 5c 6c Jc ist keine gültige Figur (Spiel 1, Ereignis 1)",
        "    Ana melds 5c 6c Jc",
        "              ^^ ^^ ^^",
        "    Regel sw.board.1 (Schwedisches Regelblatt): Jede Figur auf dem Tisch, und was von einer übrig bleibt, "
        "ist ein Satz oder eine Folge.",
        "    Hinweis: mit den bekannten Karten ist kein Auslegen der angebotenen Karte erlaubt",
    ]


# ---- which language


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "C"}, "en"),
        ({"LANG": "POSIX", "LANGUAGE": "de"}, "en"),
        ({"LC_ALL": "C", "LANG": "de_DE.UTF-8", "LANGUAGE": "sv"}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "de_AT.UTF-8"}, "de"),
        ({"LANG": "de_DE", "LC_MESSAGES": "sv_SE"}, "sv"),
        ({"LANG": "de_DE", "LC_MESSAGES": "sv_SE", "LC_ALL": "es_MX.UTF-8"}, "es"),
        ({"LANG": "de_DE", "LC_ALL": ""}, "de"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({"LANG": "fr_FR.UTF-8", "LANGUAGE": "it:sv:de"}, "sv"),
        ({"LANGUAGE": "es"}, "es"),
        ({"LANG": "de_DE@euro"}, "de"),
        ({"LANG": "desperate"}, "en"),
    ],
)
def test_the_locale_names_the_language(environment: dict[str, str], language: str) -> None:
    assert of_locale(environment) == language


def test_the_option_wins_over_the_locale_and_unknown_languages_are_refused() -> None:
    german = {"LC_ALL": "de_DE.UTF-8"}
    assert told("validate", "wrong.cqn", **german) == told("validate", "wrong.cqn", "--lang", "de")
    assert told("validate", "wrong.cqn", "--lang", "en", **german) == told("validate", "wrong.cqn")
    assert told("validate", "wrong.cqn", "--lang", "sv_SE") == told("validate", "wrong.cqn", "--lang", "sv")
    assert told("validate", "wrong.cqn", "--lang", "xx") == (
        2,
        "conquian: --lang xx is not known\nhint: known: en, de, sv, es\n",
    )
    assert language_of("") is None


def test_the_library_speaks_english_whatever_the_locale_until_it_is_told() -> None:
    code = "from conquian.tongue import tell; print(tell('pass'))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "LC_ALL": "de_DE.UTF-8", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "pass\n"
    with speaking("de"):
        assert tell("pass") == "passen"
        with speaking("es"):
            assert tell("pass") == "pasar"
            assert [tell_n("{number} card", "{number} cards", n) for n in (1, 2)] == ["1 carta", "2 cartas"]
        assert tell("a text that nobody translated") == "a text that nobody translated"
        assert tell("{player} wins", player="{0} {x}") == "{0} {x} gewinnt"
    assert tell("pass") == "pass"


PROBE = """
import sys
sys.argv = ["conquian", *sys.argv[1:]]
from conquian.cli import run
try:
    run()
except SystemExit:
    pass
names = ("z3", "lark", "pydantic", "conquian.catalogue", "conquian.language.build")
print("imported:", *sorted(name for name in names if name in sys.modules))
"""


@pytest.mark.parametrize(("language", "imported"), [("en", ""), ("sv", " conquian.catalogue")])
def test_catalogues_are_read_only_for_other_languages_and_need_no_parser(
    tmp_path: Path, language: str, imported: str
) -> None:
    arguments = [sys.executable, "-c", PROBE, "validate", "wrong.cqn", "--no-differs", "--lang", language]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(tmp_path / "cache")}

    def again() -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            arguments, env=environment, capture_output=True, text=True, check=True, cwd=tmp_path
        )

    again()
    done = again()  # now the rule set is compiled
    assert done.stdout.splitlines()[-1] == f"imported:{imported}"
    assert done.stderr == ""


def test_certificates_are_in_english_and_can_be_rechecked_from_everywhere() -> None:
    for language in ("en", "de"):
        told("legal", *COMMANDS["legal"][1:], "--certificate", f"{language}.json", "--lang", language)
        told("validate", "wrong.cqn", "--certificate", f"v{language}.json", "--lang", language)
    assert Path("de.json").read_bytes() == Path("en.json").read_bytes()
    assert Path("vde.json").read_bytes() == Path("ven.json").read_bytes()
    for name in ("de.json", "vde.json"):
        assert told("recheck", name, "--lang", "sv") == told("recheck", name)
        assert told("recheck", name)[0] == 0


@pytest.mark.parametrize("language", OTHERS)
def test_a_report_is_in_the_language_and_says_so(tmp_path: Path, language: str) -> None:
    pages = {}
    for name in ("en", language):
        told("report", "wrong.cqn", "-o", f"{name}.html", "--lang", name)
        pages[name] = Path(f"{name}.html").read_text("utf-8")
    assert f'<html lang="{language}">' in pages[language] and '<html lang="en">' in pages["en"]
    texts = [
        set(re.findall(r">([^<>]*[A-Za-z]{3}[^<>]*)<", re.sub(r"<(style|script).*?</\1>", "", p, flags=re.S)))
        for p in pages.values()
    ]
    same = {text for text in texts[0] & texts[1]}
    assert all(WORDS.search(text) is None for text in same), same
    ids = [re.findall(r' (?:id|class|href)="[^"]*"', page) for page in pages.values()]
    assert ids[0] == ids[1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_that_is_drawn_in_letters_has_strokes(language: Language) -> None:
    from conquian.pictures.strokes import capitals, letterable

    drawing = (ROOT / "conquian" / "pictures" / "drawing.py").read_text("utf-8")
    book = (ROOT / "conquian" / "book" / "telling.py").read_text("utf-8")
    noted = re.findall(r'tell\("(deals first|each card [^"]*)"', book)
    assert len(noted) == 2
    words = (ROOT / "conquian" / "pictures" / "words.py").read_text("utf-8")
    offers = re.findall(r'tell\("((?:on offer|passed|demanded|face up|can be|has to)[^"]*)"', words)
    found = [*re.findall(r'(?:tell|mark)\("([^"]*)"', drawing), *offers, *noted]
    assert len(found) > 15
    with speaking(language):
        for text in found:
            assert letterable(capitals(tell(text, player="ANA", number=3))), text


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("de", "keine solche Datei und kein solcher Ordner"),
        ("sv", "filen eller mappen finns inte"),
        ("es", "no existe ese archivo ni esa carpeta"),
        ("en", "No such file or directory"),
    ],
)
@pytest.mark.parametrize(
    "command",
    [
        ("validate",),
        ("score",),
        ("report",),
        ("infer",),
        ("convert", "--to", "json"),
        ("spec", "fmt"),
        ("book",),
    ],
)
def test_a_file_that_is_not_there_is_said_so_in_the_language_spoken(
    command: tuple[str, ...], language: str, said: str, tmp_path: Path
) -> None:
    missing = str(tmp_path / "missing.rules")
    done = CliRunner().invoke(app, [*command, missing, "--lang", language])
    assert done.exit_code == 2 and said in done.output
