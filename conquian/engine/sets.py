"""The names of the shipped rule sets, found without a parser."""

from __future__ import annotations

import re
from functools import lru_cache

from conquian.resources import path as resource


@lru_cache(maxsize=1)
def _listed() -> tuple[tuple[str, str, bool], ...]:
    found = []
    for path in sorted(resource("spec").iterdir(), key=lambda p: p.name):
        if path.name.endswith(".rules"):
            text = path.read_text(encoding="utf-8")
            head = re.search(r'^(ruleset|fragment)\s+([A-Za-z0-9_-]+)\s+"([^"\n]*)"', text, re.MULTILINE)
            if head is not None:
                found.append((head[2], head[3], head[1] == "ruleset"))
    return tuple(found)


def rule_sets() -> list[str]:
    """The names of the playable shipped sets, sorted."""
    return [name for name, _, playable in _listed() if playable]


def titles() -> dict[str, str]:
    """Every playable shipped set with its title."""
    return {name: title for name, title, playable in _listed() if playable}
