"""The sentence of a clause and the title of a rule set in the language spoken, from the texts of its rule file.

Guarantees: while English is spoken nothing is read; compiled programs hold no translations. Translations stand in the
rule files beside the sentences (`in de "…"`) and are found without a parser. What has none in a language, as in a rule
file of somebody's own, is said in English.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from conquian.tongue import ENGLISH, spoken

if TYPE_CHECKING:
    from conquian.engine.program import Program

_GAP = r"(?:\s|\#[^\n]*)*+"
_TEXT = r'"(?:\\.|[^"\\\n])*+"'
_CLAUSE = re.compile(
    rf"^[ \t]*(?:override\s+)?clause\s+([A-Za-z][\w-]*){_GAP}({_TEXT})((?:{_GAP}in\s+[A-Za-z][\w-]*{_GAP}{_TEXT})+)",
    re.MULTILINE,
)
_HEAD = re.compile(
    rf"^[ \t]*(?:ruleset|fragment)\s+[A-Za-z][\w-]*{_GAP}({_TEXT})((?:{_GAP}in\s+[A-Za-z][\w-]*{_GAP}{_TEXT})*)",
    re.MULTILINE,
)
_SOURCE = re.compile(
    rf"^[ \t]*source\s+[A-Za-z][\w-]*{_GAP}({_TEXT}){_GAP}in{_GAP}{_TEXT}"
    rf"((?:{_GAP}in\s+[A-Za-z][\w-]*{_GAP}{_TEXT})+)",
    re.MULTILINE,
)
_TRANSLATION = re.compile(rf"{_GAP}in\s+([A-Za-z][\w-]*){_GAP}({_TEXT})")


def sentence(program: Program, clause: int) -> str:
    """The words of a clause in the language spoken."""
    info = program.clauses[clause]
    language = spoken()
    if language == ENGLISH:
        return info.sentence
    from conquian.engine.program import loaded_by

    return _translated(loaded_by(program), language).get((info.name, info.sentence), info.sentence)


def title(program: Program) -> str:
    """The title of a rule set in the language spoken."""
    language = spoken()
    if language == ENGLISH:
        return program.title
    from conquian.engine.program import loaded_by

    return _entitled(loaded_by(program), language).get(program.title, program.title)


def titles() -> dict[str, str]:
    """Every playable shipped set with its title in the language spoken."""
    from conquian.engine.sets import titles

    language = spoken()
    if language == ENGLISH:
        return titles()
    return {name: _entitled(name, language).get(said, said) for name, said in titles().items()}


def sheet(title: str) -> str:
    """The title of a sheet in the language spoken, if a shipped rule set rests on it; any other as it is."""
    language = spoken()
    return title if language == ENGLISH else _sheets(language).get(title, title)


@lru_cache(maxsize=4)
def _sheets(language: str) -> dict[str, str]:
    """The sheets of the shipped rule sets in a language, by their English titles."""
    from conquian.engine.sets import rule_sets
    from conquian.engine.texts import rule_texts

    found: dict[str, str] = {}
    for name in rule_sets():
        for text in (rule_texts(name) or ())[:1]:
            for said, others in _SOURCE.findall(text.decode("utf-8", "replace")):
                words = {tongue: _plain(words) for tongue, words in _TRANSLATION.findall(others)}
                if language in words:
                    found[_plain(said)] = words[language]
    return found


@lru_cache(maxsize=64)
def _entitled(name: str, language: str) -> dict[str, str]:
    """The title of a rule set in a language, by the English one; nothing if its file gives none."""
    from conquian.engine.texts import rule_texts

    texts = rule_texts(name)
    head = _HEAD.search(texts[0].decode("utf-8", "replace")) if texts else None
    if head is None:
        return {}
    found = {tongue: _plain(words) for tongue, words in _TRANSLATION.findall(head[2])}
    return {_plain(head[1]): found[language]} if language in found else {}


@lru_cache(maxsize=64)
def _translated(name: str, language: str) -> dict[tuple[str, str], str]:
    from conquian.engine.texts import rule_texts

    return translations(rule_texts(name) or (), language)


def translations(texts: Iterable[bytes], language: str) -> dict[tuple[str, str], str]:
    """By name and English sentence of a clause: its words in a language. The first text that has one counts."""
    found: dict[tuple[str, str], str] = {}
    for text in texts:
        for name, said, others in _CLAUSE.findall(text.decode("utf-8", "replace")):
            for tongue, words in _TRANSLATION.findall(others):
                if tongue == language:
                    found.setdefault((name, _plain(said)), _plain(words))
    return found


def _plain(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text[1:-1])
