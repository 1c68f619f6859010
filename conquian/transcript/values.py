"""Plain values of a JSON document, checked one by one.

Guarantees: every check either gives the value in its type or notes a fault at its path.
"""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

from conquian.findings import did_you_mean, shorten
from conquian.tongue import mark, tell
from conquian.transcript.places import Path

RULE_SET_NAME: Final = "[A-Za-z0-9_-]+"
"""A regular expression, in the words that Python and JSON Schema share."""
LARGEST: Final = 999_999_999
"""The largest number that a transcript may hold."""


class Fault(Struct, frozen=True):
    """One fault of shape. `deal` is the 0-based index of the deal that it costs; `fatal` if it costs the
    game.

    `key` tells that the fault is the key at `path`, not its value.
    """

    path: Path
    code: str
    message: str
    hint: str
    deal: int | None
    fatal: bool
    key: bool = False


SOMETHING: Final = mark("something else")
A_LIST: Final = mark("a list")
_KINDS: Final[dict[type, str]] = {
    dict: mark("an object"),
    list: mark("a list"),
    tuple: mark("a list"),
    str: mark("a string"),
    int: mark("a number"),
    float: mark("a number"),
    bool: mark("true or false"),
    type(None): "null",
}


def says_nothing(value: object) -> bool:
    """Null and an empty list say nothing, like an absent key."""
    return value is None or (isinstance(value, list | tuple) and not value)


def _kind(value: object) -> str:
    return tell(_KINDS.get(type(value), SOMETHING))


class Values:
    """Checks values and collects what is wrong with them."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []
        self.deal_index: int | None = None
        self.harmless = False
        self.players: frozenset[str] | None = None

    def fault(self, path: Path, code: str, message: str, hint: str, *, key: bool = False) -> None:
        fatal = self.deal_index is None and not self.harmless
        self.faults.append(Fault(path, code, message, hint, self.deal_index, fatal, key))

    # --- plain values

    def wrong(self, path: Path, value: object, wanted: str) -> None:
        """The value is of another kind than is wanted, which is told in the language spoken."""
        wanted = tell(wanted)
        name = next((part for part in reversed(path) if isinstance(part, str)), tell("the document"))
        self.fault(
            path,
            "wrong-type",
            tell("{name}: {wanted} is due, this is {value}", name=name, wanted=wanted, value=_kind(value)),
            tell("write {text}", text=wanted),
        )

    def string(self, path: Path, value: object) -> str | None:
        if isinstance(value, str):
            return value
        self.wrong(path, value, mark("a string"))
        return None

    def sequence(self, path: Path, value: object, what: str = A_LIST) -> list[object] | None:
        if isinstance(value, list | tuple):
            return list(value)
        self.wrong(path, value, what)
        return None

    def mapping(self, path: Path, value: object) -> dict[str, object] | None:
        if isinstance(value, dict):
            return value
        self.wrong(path, value, mark("an object"))
        return None

    def number(self, path: Path, value: object, least: int) -> int | None:
        if type(value) is int and least <= value <= LARGEST:
            return value
        if type(value) in (int, float):
            wanted = tell("a whole number from {least} to {largest}", least=least, largest=LARGEST)
            self.fault(
                path,
                "bad-number",
                tell("this is not {wanted}", wanted=wanted),
                tell("write {text}", text=wanted),
            )
        else:
            self.wrong(path, value, mark("a number"))
        return None

    def keys(self, path: Path, found: dict[str, object], known: tuple[str, ...]) -> None:
        for key in found:
            if key not in known:
                place = tell("a deal") if self.deal_index is not None else tell("a game")
                hint = did_you_mean(key, known)
                if not path:
                    hint = hint or tell("other header keys stand inside 'tags'")
                self.fault(
                    (*path, key),
                    "unknown-key",
                    tell(
                        "{key} is no key of {place}",
                        key=shorten(key),
                        place=place if len(path) != 3 else path[-1],
                    ),
                    hint or tell("the keys are {known}", known=", ".join(known)),
                    key=True,
                )

    def player(self, path: Path, value: object) -> str | None:
        name = self.string(path, value)
        if name is not None and self.players is not None and name not in self.players:
            hint = did_you_mean(name, self.players) or tell(
                "the players are {players}", players=", ".join(sorted(self.players))
            )
            self.fault(
                path, "unknown-player", tell("the header lists no player {name}", name=shorten(name)), hint
            )
            return None
        return name

    def player_key(self, path: Path, name: str) -> bool:
        if self.players is None or name in self.players:
            return True
        hint = did_you_mean(name, self.players) or tell(
            "the players are {players}", players=", ".join(sorted(self.players))
        )
        self.fault(
            path,
            "unknown-player",
            tell("the header lists no player {name}", name=shorten(name)),
            hint,
            key=True,
        )
        return False


def is_rule_set_name(name: str) -> bool:
    """Whether a text can be a rule set's name: letters, digits, `_` and `-`; no path, no file."""
    return re.fullmatch(RULE_SET_NAME, name) is not None
