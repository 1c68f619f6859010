"""The names of the shipped rule sets, found without a parser."""

from __future__ import annotations

import os
import re
from functools import lru_cache

from conquian.resources import place

_HEAD = re.compile(r'^(ruleset|fragment)\s+([A-Za-z0-9_-]+)\s+"([^"\n]*)"', re.MULTILINE)
_NAME = re.compile(r"[A-Za-z0-9_-]+")


@lru_cache(maxsize=64)
def _head(name: str) -> tuple[str, str, bool] | None:
    """The name and title of a shipped rule file, and whether it can be played; None if there is none."""
    if not _NAME.fullmatch(name):
        return None
    try:
        with open(place("spec", f"{name}.rules"), encoding="utf-8") as file:
            head = _HEAD.search(file.read())
    except OSError:
        return None
    return None if head is None else (head[2], head[3], head[1] == "ruleset")


@lru_cache(maxsize=1)
def _listed() -> tuple[tuple[str, str, bool], ...]:
    names = sorted(
        name.removesuffix(".rules") for name in os.listdir(place("spec")) if name.endswith(".rules")
    )
    return tuple(head for name in names if (head := _head(name)) is not None)


def rule_sets() -> list[str]:
    """The names of the playable shipped sets, sorted."""
    return [name for name, _, playable in _listed() if playable]


def is_rule_set(name: str) -> bool:
    """Whether there is a playable shipped set of that name."""
    head = _head(name)
    return head is not None and head[2]


def titles() -> dict[str, str]:
    """Every playable shipped set with its title."""
    return {name: title for name, title, playable in _listed() if playable}
