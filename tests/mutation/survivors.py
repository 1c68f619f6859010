"""The mutants that no golden case notices, as listed in `survivors.toml`, each with the reason.

Guarantees: `listed` reads the list; `amiss` says what of a run does not fit it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from .running import SAME, SURVIVOR, TWICE, Tried

LIST = Path(__file__).parent / "survivors.toml"
MOST = 1 / 20
"""The part of all mutants that may survive."""


@dataclass(frozen=True, slots=True)
class Survivor:
    """A mutant that changes nothing, and why."""

    key: str
    reason: str
    play: str
    """How play is compared: `flow` or `games`, see `proofs`."""


def listed() -> dict[str, Survivor]:
    """The survivors by key."""
    found = tomllib.loads(LIST.read_text(encoding="utf-8")).get("survivor", [])
    return {one["key"]: Survivor(one["key"], one["reason"], one.get("play", "flow")) for one in found}


def amiss(tried: Iterable[Tried], files: Iterable[str]) -> list[str]:
    """Survivors that are not listed, and listed ones of these files that do not survive or do not exist."""
    known, names = listed(), set(files)
    left = {one.mutant.key for one in tried if one.fate == SURVIVOR}
    found = [f"survives and is not listed: {key}" for key in sorted(left - known.keys())]
    for key in known:
        if key.split(" / ")[0] in names and key not in left:
            found.append(f"is listed and does not survive: {key}")
    return found


def too_many(tried: Sequence[Tried]) -> list[str]:
    """Whether more of all mutants survive than may."""
    left = sum(one.fate == SURVIVOR for one in tried)
    counted = sum(one.fate not in (SAME, TWICE) for one in tried)
    many = f"{left} of {counted} mutants survive: more than one in twenty"
    return [many] if left > MOST * counted else []
