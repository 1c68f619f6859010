"""Typed rules by name or path, read once for all tests here."""

from __future__ import annotations

from functools import lru_cache

from conquian.language.build import load
from conquian.language.rules import RuleSet


@lru_cache(maxsize=64)
def typed_rules(name: str) -> RuleSet:
    return load(name)
