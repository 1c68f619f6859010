"""What a shell can complete: names of rule sets, readings with their choices, codes.

Guarantees: only the heads and `reading` lines of rule files are looked at, so that neither a parser, the solver nor the
engine is imported for a key press. A file that cannot be read offers nothing.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, MutableMapping

from conquian.resources import place

Offered = list[tuple[str, str]]
"""Each word that can stand there, with what it means."""

_READING = re.compile(r'^reading ([A-Za-z][\w-]*):([^"\n]*)\n\s+"([^"\n]*)"', re.MULTILINE)
_TITLE = re.compile(r"# [^:\n]+: ([^\n]*)")


def words(known: Iterable[str], incomplete: str) -> list[str]:
    """Those of some words that begin so."""
    return [word for word in known if word.startswith(incomplete)]


def rule_sets(incomplete: str) -> Offered:
    """The shipped rule sets with their titles."""
    from conquian.engine.sets import titles

    return [(name, title) for name, title in titles().items() if name.startswith(incomplete)]


def listed_rule_sets(incomplete: str) -> Offered:
    """The same for the last name of a list `A,B,C`; names that stand there already are left out."""
    given, comma, last = incomplete.rpartition(",")
    named = given.split(",")
    return [(f"{given}{comma}{name}", title) for name, title in rule_sets(last) if name not in named]


def readings(rules: str | None, incomplete: str) -> Offered:
    """`NAME=CHOICE` for every choice of every reading of the shipped rule files, and of the file `rules`."""
    found: dict[str, str] = {}
    for text in _texts(rules):
        for name, choices, question in _READING.findall(text):
            for choice in choices.split("|"):
                found.setdefault(f"{name}={choice.strip()}", question)
    return [(pair, question) for pair, question in sorted(found.items()) if pair.startswith(incomplete)]


def compared(incomplete: str) -> Offered:
    """A rule set, or one with readings, as `diff` takes them: `NAME?READING=CHOICE&READING=CHOICE`."""
    name, asked, rest = incomplete.partition("?")
    if not asked:
        return rule_sets(name)
    given, sign, last = rest.rpartition("&")
    return [(f"{name}?{given}{sign}{pair}", meaning) for pair, meaning in readings(name, last)]


def _texts(rules: str | None) -> Iterator[str]:
    folder = place("spec")
    paths = [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(".rules")]
    if rules is not None and rules.endswith(".rules"):
        paths.append(rules)
    for path in paths:
        try:
            with open(path, encoding="utf-8") as file:
                yield file.read()
        except (OSError, ValueError):
            continue


def codes(incomplete: str) -> Offered:
    """The codes that `conquian explain` knows, with the titles of their pages; letter case does not count."""
    from conquian.language.pages import codes, page

    offered: Offered = []
    for code in codes():
        if code.lower().startswith(incomplete.lower()):
            title = _TITLE.match(page(code) or "")
            # A shell wants what it puts there to begin with what stands there.
            offered.append((incomplete + code[len(incomplete) :], title[1] if title else ""))
    return offered


def split_reading(environment: MutableMapping[str, str]) -> None:
    """Mends the words of Bash, which takes `NAME=CHOICE` for three and puts back only what stands behind the `=`.

    What stands before it is taken out of the words and kept in `CONQUIAN_COMPLETES`.
    """
    if environment.get("_CONQUIAN_COMPLETE") != "complete_bash":
        return
    given = environment.get("COMP_WORDS", "").split("\n")
    at = int(environment.get("COMP_CWORD", "0"))
    # Where the cursor is right behind the sign, the sign is the word.
    sign = next((place for place in (at, at - 1) if 2 <= place < len(given) and given[place] == "="), None)
    if sign is None:
        return
    choice = given[at] if at > sign and at < len(given) else ""
    environment["COMP_WORDS"] = "\n".join([*given[: sign - 1], choice])
    environment["COMP_CWORD"] = str(sign - 1)
    environment["CONQUIAN_COMPLETES"] = f"{given[sign - 1]}="


def readings_in_shell(rules: str | None, incomplete: str, environment: Mapping[str, str]) -> Offered:
    """The same as `readings`; of what `split_reading` has split, the part behind the sign."""
    kept = environment.get("CONQUIAN_COMPLETES", "")
    return [(pair.removeprefix(kept), meaning) for pair, meaning in readings(rules, kept + incomplete)]
