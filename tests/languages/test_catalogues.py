"""Every message has a translation in every language, with the same placeholders; what is English only is listed."""

from __future__ import annotations

import ast
import gettext
import re
import string
from functools import cache
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from conquian.catalogue import compiled_catalogue, messages
from conquian.tongue import LANGUAGES
from tests.packaging.readme import ROOT

from .sources import Message, by_babel, by_tree, calls, modules

OTHERS = [language for language in LANGUAGES if language != "en"]

UNTRANSLATED: dict[Message, str] = {}
"""Messages that some catalogue lacks, each with the reason."""

ENGLISH_ONLY = {
    "cli.py": "the help text of the program",
    "conquian/__init__.py": "a fault of a caller, for programmers",
    "conquian/catalogue.py": "nothing of it is for people",
    "conquian/certificate.py": "certificates are in English, so that whoever has one can recheck it",
    "conquian/certifying.py": "certificates are in English",
    "conquian/certifying_everywhere.py": "certificates are in English",
    **dict.fromkeys(
        ("conquian/commands/listed.py", "conquian/commands/speaking.py"),
        "help texts of commands and options",
    ),
    "conquian/judging_again.py": "certificates are in English",
    "conquian/ledger.py": "faults of a caller, for programmers",
    "conquian/proving.py": "an exception for programmers; its lines for people are told",
    "conquian/quick.py": "a fault of a caller, for programmers",
    "conquian/snapshot.py": "certificates are in English",
    "conquian/witnessing.py": "certificates are in English",
    "conquian/formats": "forms of other programs: their keys, markup and names of cases",
    "conquian/pictures/strokes.py": "paths, and a fault of a caller",
    "conquian/pictures/drawing.py": "attributes of SVG",
    "conquian/pictures/faces.py": "attributes and paths of SVG",
    "conquian/pictures/writing.py": "a fault of a caller",
    "conquian/engine": "program text, and faults of a caller",
    "conquian/language/codes.py": "titles of the pages of rule files, which stand translated in the pages",
    "conquian/language/wording.py": "the words of the rule language",
    "conquian/rechecking": "certificates are in English",
    "conquian/transcript/codes.py": "what codes mean, for programmers; the pages say it to people",
    "conquian/transcript/events.py": "examples in the words of the notation",
    "conquian/transcript/header.py": "examples in the words of the notation",
    "conquian/transcript/schema.py": "the JSON Schema is in English",
    "conquian/transcript/sentence.py": "examples in the words of the notation",
    "conquian/transcript/tables.py": "a name in the cache",
    "conquian/transcript/write.py": "the words of the notation",
    "verifier/checker.py": "certificates are in English; else a contradiction of the two machines",
    **dict.fromkeys(
        ("verifier/difference_scripts.py", "verifier/difference_wanted.py"),
        "scripts for another solver, and their names",
    ),
    **dict.fromkeys(("verifier/scripts.py", "verifier/second.py"), "the form of scripts, for programmers"),
    **dict.fromkeys(
        ("verifier/exhaustion.py", "verifier/hands.py", "verifier/scenes.py", "verifier/events.py"),
        "names of variables and facts",
    ),
    **dict.fromkeys(
        (
            *("verifier/deck.py", "verifier/expressions.py", "verifier/joint.py", "verifier/layouts.py"),
            *("verifier/moment.py", "verifier/places.py", "verifier/plain.py"),
        ),
        "faults of a caller, for programmers",
    ),
    **dict.fromkeys(("verifier/small_scope.py", "verifier/worlds.py"), "the name of a moment"),
    "verifier/proofs": "names of questions to the solver, which stand in certificates",
    "verifier/witness.py": "certificates are in English",
}
"""Modules or folders with sentences that no catalogue has, and why."""

NOTATION = {
    *("  deck {}", "  stock {}", "  {} holds {}", "  starter {}", "  {} gives {} to {}"),
    *("to {}", "onto {}", "{}:1:1: several-games {}", "{}:1:1: {} {}", "conquian: {}"),
    *(
        "{} - Conquian",
        "Conquian, {}",
        "Conquian, {} {}",
        "conquian {}",
        "badge {}",
        "clause {}",
        "frame broken",
        "frame stands",
    ),
    *("width=device-width, initial-scale=1", "conquian spec check"),
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
}
"""Words of transcripts, of lines that programs take apart, of markup: the same in every language."""

RULES = {
    *("deck A 2 3 … of clubs …", "order A 2 3 …", "players 2", "deal 10 in packets of 1", "starter none"),
    *("exchange none", "goal 11", "opening turn to first", "player wins when …", "dealer stays when misdeal"),
    'clause {} ""\n{}\n',
    *("the deal", "the order of play", "the end and the stakes"),
}
"""Words of rule files, and what a clause is about in documents."""

ALIKE = {("es", "{number} error")}
"""Translations that happen to be the English words."""


def catalogue(language: str) -> Catalog:
    with (ROOT / "conquian" / "locale" / language / "LC_MESSAGES" / "conquian.po").open("rb") as file:
        return read_po(file, locale=language)


@cache
def wanted() -> set[Message]:
    return set().union(*map(by_tree, modules()))


def translations(language: str) -> dict[Message, tuple[str, ...]]:
    found: dict[Message, tuple[str, ...]] = {}
    for message in catalogue(language):
        if message.id and not message.fuzzy:
            said = message.string
            key = message.id if isinstance(message.id, str) else tuple(message.id)
            found[key] = tuple(said) if isinstance(said, tuple | list) else (str(said),)
    return found


def placeholders(text: str) -> set[tuple[str, str]]:
    return {(name, spec or "") for _, name, spec, _ in string.Formatter().parse(text) if name is not None}


def test_babel_and_the_syntax_tree_find_the_same_messages() -> None:
    for path in modules():
        assert by_babel(path) == by_tree(path), path
    assert len(wanted()) > 500


def test_every_template_is_a_plain_text_or_one_that_was_marked() -> None:
    for path in modules():
        if path.name == "tongue.py":
            continue
        for call, name in calls(path):
            plain = [
                isinstance(x, ast.Constant) for x in call.args[: 2 if name in ("tell_n", "later_n") else 1]
            ]
            assert all(plain) or (
                name == "tell" and not isinstance(call.args[0], ast.JoinedStr | ast.BinOp)
            ), path


@pytest.mark.parametrize("language", OTHERS)
def test_every_message_is_translated_and_no_catalogue_has_others(language: str) -> None:
    found = translations(language)
    missing = {message for message in wanted() if not all(found.get(message, ("",)))}
    assert missing == set(UNTRANSLATED)
    assert set(found) - wanted() == set()
    assert all(UNTRANSLATED.values())


@pytest.mark.parametrize("language", OTHERS)
def test_placeholders_options_and_edges_are_those_of_the_message(language: str) -> None:
    for message, said in translations(language).items():
        forms = message if isinstance(message, tuple) else (message,)
        every = set().union(*map(placeholders, forms))
        assert len(said) == len(forms)
        for form, text in zip(forms, said, strict=True):
            assert placeholders(form) <= placeholders(text) <= every, message
            assert sorted(re.findall(r"--[a-z-]+", text)) == sorted(re.findall(r"--[a-z-]+", form)), message
            assert text[: len(text) - len(text.lstrip())] == form[: len(form) - len(form.lstrip())], message
            assert text[len(text.rstrip()) :] == form[len(form.rstrip()) :], message
            assert text.format(**{name: "x" for name, _ in placeholders(text)})


@pytest.mark.parametrize("language", OTHERS)
def test_our_compiler_and_babels_make_catalogues_that_say_the_same(language: str) -> None:
    path = ROOT / "conquian" / "locale" / language / "LC_MESSAGES" / "conquian.po"
    ours = gettext.GNUTranslations(BytesIO(compiled_catalogue(path.read_text("utf-8"))))
    file = BytesIO()
    write_mo(file, catalogue(language))
    theirs = gettext.GNUTranslations(BytesIO(file.getvalue()))
    for message in wanted():
        if isinstance(message, str):
            assert ours.gettext(message) == theirs.gettext(message)
        else:
            one, many = message
            for number in (0, 1, 2, 5, 100, 1_000_000):
                said = ours.ngettext(one, many, number)
                assert said == theirs.ngettext(one, many, number)
                assert said not in message or (language, said) in ALIKE


def test_a_catalogue_is_read_as_gettext_writes_it() -> None:
    text = (
        'msgid ""\nmsgstr "Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n\n'
        '# a note\n#: a.py\nmsgid "one "\n"line"\nmsgstr "eine "\n"Zeile \\"x\\"\\n"\n\n'
        '#, fuzzy\nmsgid "guess"\nmsgstr "geraten"\n\nmsgid "none"\nmsgstr ""\n\n'
        'msgid "{number} card"\nmsgid_plural "{number} cards"\nmsgstr[0] "{number} Karte"\nmsgstr[1] "{number} Karten"\n'
    )
    assert dict(messages(text)) == {
        "": "Plural-Forms: nplurals=2; plural=(n != 1);\n",
        "one line": 'eine Zeile "x"\n',
        "{number} card\0{number} cards": "{number} Karte\0{number} Karten",
    }


ASIDE = {
    *(
        "tell",
        "mark",
        "tell_n",
        "later",
        "later_n",
        "cast",
        "ContextVar",
        "AssertionError",
        "Disagreement",
        "compile",
    ),
    "removeprefix",
    *("Argument", "Option"),
}
"""What is called with texts that are told, that are help, or that nobody reads."""


def loose(path: Path) -> set[str]:
    """Sentences of a module that no message holds: texts with two words, documentation and names of types aside."""
    tree = ast.parse(path.read_text("utf-8"))
    skipped: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            skipped.add(id(node.value))
        name = node.func if isinstance(node, ast.Call) else None
        called = (
            name.id if isinstance(name, ast.Name) else name.attr if isinstance(name, ast.Attribute) else ""
        )
        if called in ASIDE:
            skipped.update(map(id, ast.walk(node)))
        if isinstance(node, ast.AnnAssign):
            skipped.update(map(id, ast.walk(node.annotation)))
    found: set[str] = set()
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        text = ""
        if isinstance(node, ast.JoinedStr):
            text = "".join(str(v.value) if isinstance(v, ast.Constant) else "{}" for v in node.values)
            skipped.update(map(id, node.values))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
        if re.search(r"[A-Za-z]{2,}[^A-Za-z]* ", text) or re.search(r" [^A-Za-z]*[A-Za-z]{2,}", text):
            found.add(text)
    return found


def test_no_other_module_says_a_sentence_in_english_only() -> None:
    listed: set[str] = set()
    for path in modules():
        name = path.relative_to(ROOT).as_posix()
        reason = next((key for key in ENGLISH_ONLY if name == key or name.startswith(key + "/")), None)
        found = {text for text in loose(path) - NOTATION - RULES if " | " not in text and "<" not in text}
        if reason is None:
            assert found == set(), name
        elif found:
            listed.add(reason)
    assert listed == set(ENGLISH_ONLY), "a module of the list has nothing in English only any more"
