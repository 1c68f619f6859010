"""Which texts a rule set is made of, found without a parser, to key the cache of compiled rule sets."""

from __future__ import annotations

import os
import re

from conquian.resources import content, place

_EXTENDS = re.compile(rb"^[ \t]*extends[ \t]+([A-Za-z0-9_-]+)", re.MULTILINE)
_NAME = re.compile(r"[A-Za-z0-9_-]+")


def texts_of(name: str) -> list[bytes] | None:
    """The rule file and its ancestors, sources and grammar, and what tells one compiler from another.

    None if a text cannot be had.
    """
    texts = rule_texts(name)
    if texts is None:
        return None
    return [*texts, content("spec", "sources.md"), content("grammar", "rules.lark"), _compiler()]


def rule_texts(name: str) -> list[bytes] | None:
    """The rule file and its ancestors; None if one cannot be had."""
    texts: list[bytes] = []
    beside: str | None = None
    seen: set[str] = set()
    current: str | None = name
    while current is not None:
        if current in seen:
            return None
        seen.add(current)
        found = _text(current, beside, first=not texts)
        if found is None:
            return None
        text, folder = found
        beside = beside or folder
        texts.append(text)
        parents = _EXTENDS.findall(text)
        current = parents[0].decode() if parents else None
    return texts


def _compiler() -> bytes:
    """Name, size and time of every module that takes part in compiling."""
    told = []
    for folder in ("language", "engine"):
        with os.scandir(place(folder)) as entries:
            for entry in entries:
                if entry.name.endswith(".py"):
                    known = entry.stat()
                    told.append(f"{folder}/{entry.name} {known.st_size} {known.st_mtime_ns}")
    return "\n".join(sorted(told)).encode()


def _text(name: str, beside: str | None, first: bool) -> tuple[bytes, str | None] | None:
    if _NAME.fullmatch(name):
        shipped = place("spec", f"{name}.rules")
        if os.path.isfile(shipped):
            return _content(shipped, None)
        return None if beside is None else _content(os.path.join(beside, f"{name}.rules"), beside)
    return _content(name, os.path.dirname(name)) if first else None


def _content(path: str, folder: str | None) -> tuple[bytes, str | None] | None:
    try:
        with open(path, "rb") as file:
            return file.read(), folder
    except OSError:
        return None
