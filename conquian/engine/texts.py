"""Which texts a rule set is made of, found without a parser, to key the cache of compiled rule sets."""

from __future__ import annotations

import re
from pathlib import Path

from conquian.resources import path as resource

_EXTENDS = re.compile(r"^[ \t]*extends[ \t]+([A-Za-z0-9_-]+)", re.MULTILINE)
_COMPILER = [
    *(
        f"language/{name}.py"
        for name in ("syntax", "builder", "names", "words", "values", "types", "build", "check", "phases")
    ),
    *(f"engine/{name}.py" for name in ("shapes", "expressions", "emit", "program")),
]


def texts_of(name: str) -> list[bytes] | None:
    """The rule file and its ancestors, then sources, grammar and compiler; None if a text cannot be had."""
    texts: list[bytes] = []
    beside: Path | None = None
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
        parents = _EXTENDS.findall(text.decode("utf-8", "replace"))
        current = parents[0] if parents else None
    texts.append(resource("spec", "sources.md").read_bytes())
    texts.append(resource("grammar", "rules.lark").read_bytes())
    texts.extend(resource(path).read_bytes() for path in _COMPILER)
    return texts


def _text(name: str, beside: Path | None, first: bool) -> tuple[bytes, Path | None] | None:
    if re.fullmatch(r"[A-Za-z0-9_-]+", name):
        shipped = resource("spec", f"{name}.rules")
        if shipped.is_file():
            return shipped.read_bytes(), None
        if beside is not None and (beside / f"{name}.rules").is_file():
            return (beside / f"{name}.rules").read_bytes(), beside
        return None
    if not first:
        return None
    try:
        return Path(name).read_bytes(), Path(name).parent
    except OSError:
        return None
