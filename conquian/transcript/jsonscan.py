"""A JSON reader that remembers where everything stands.

Guarantees: `scan` never raises; it takes a text for JSON exactly if RFC 8259 does (and no string holds half
a surrogate pair, and nothing is nested deeper than `DEEPEST`), and keeps the place of every value and key.
A key that comes twice in one object is a fault; so is anything after the document.

This is slow (a few megabytes a second) and serves messages; documents without faults are decoded by msgspec.
"""

from __future__ import annotations

import re
from typing import Final

import msgspec
from msgspec import Struct

from conquian.findings import shorten
from conquian.tongue import mark, tell
from conquian.transcript.places import Path

DEEPEST: Final = 64

_BLANK: Final = re.compile(r"[ \t\n\r]*")
_STRING: Final = re.compile(r'"[^"\\\x00-\x1f]*(?:\\.[^"\\\x00-\x1f]*)*"')
_OPEN_STRING: Final = re.compile(r'"[^"\\\x00-\x1f]*(?:\\.[^"\\\x00-\x1f]*)*')
_ESCAPES: Final = mark(
    "after '\\' stands one of \\\" \\\\ / b f n r t, or u and four digits; no half of a surrogate pair"
)
_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_WORD: Final = re.compile(r"[^\s,:\[\]{}\"]+")
_CONSTANTS: Final[dict[str, object]] = {"true": True, "false": False, "null": None}


class Fault(Struct, frozen=True):
    """Something wrong in the text, at offsets `start` to `end`. `path` is what it is in (a double key: its
    own)."""

    code: str
    message: str
    hint: str
    start: int
    end: int
    path: Path


class Scan(Struct, frozen=True):
    """What a text holds: its value (None if it cannot be read), the place of every value by path, and the
    faults.

    `end` is the offset behind the document. Integers with more than 18 digits come as floats.
    """

    value: object
    spots: dict[Path, tuple[int, int]]
    keys: dict[Path, tuple[int, int]]
    faults: tuple[Fault, ...]
    readable: bool
    end: int


class _Broken(Exception):
    """The text stops being JSON here."""

    def __init__(self, message: str, hint: str, start: int, end: int | None = None) -> None:
        self.message, self.hint, self.start, self.end = message, hint, start, end or start + 1


def scan(text: str) -> Scan:
    """Read one JSON document."""
    scanner = _Scanner(text)
    try:
        value, end = scanner.value(scanner.blank(0), (), 0)
        rest = scanner.blank(end)
        if rest < len(text):
            raise _Broken(
                tell("there is more after the end of the document"),
                tell("several games stand one a line, each document on a line of its own"),
                rest,
            )
    except _Broken as broken:
        fault = Fault("json", broken.message, broken.hint, broken.start, broken.end, ())
        return Scan(None, scanner.spots, scanner.keys, (*scanner.faults, fault), False, broken.start)
    return Scan(value, scanner.spots, scanner.keys, tuple(scanner.faults), True, end)


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text
        self.spots: dict[Path, tuple[int, int]] = {}
        self.keys: dict[Path, tuple[int, int]] = {}
        self.faults: list[Fault] = []

    def blank(self, place: int) -> int:
        found = _BLANK.match(self.text, place)
        return found.end() if found else place

    def value(self, place: int, path: Path, depth: int) -> tuple[object, int]:
        first = self.text[place : place + 1]
        if first == "{":
            value, end = self.mapping(place, path, depth)
        elif first == "[":
            value, end = self.sequence(place, path, depth)
        elif first == '"':
            value, end = self.string(place)
        else:
            value, end = self.plain(place)
        self.spots[path] = (place, end)
        return value, end

    def mapping(self, start: int, path: Path, depth: int) -> tuple[object, int]:
        self.deep(start, depth)
        found: dict[str, object] = {}
        place = self.blank(start + 1)
        if self.text[place : place + 1] == "}":
            return found, place + 1
        while True:
            if self.text[place : place + 1] != '"':
                raise self.odd(place, tell("a key in double quotes"), start)
            key, end = self.string(place)
            here = (*path, key)
            if key in found:
                message = tell("the key {key} comes twice", key=shorten(key))
                self.faults.append(
                    Fault(
                        "duplicate-key",
                        message,
                        tell("keep one of the two; which one counts cannot be guessed"),
                        place,
                        end,
                        here,
                    )
                )
            else:
                self.keys[here] = (place, end)
            place = self.blank(end)
            if self.text[place : place + 1] != ":":
                raise self.odd(place, tell("':' after the key"), start)
            # Of a double key the first value keeps its place; the document is not used anyway.
            value, end = self.value(self.blank(place + 1), here, depth + 1)
            found.setdefault(key, value)
            place = self.blank(end)
            mark = self.text[place : place + 1]
            if mark == "}":
                return found, place + 1
            if mark != ",":
                raise self.odd(place, tell("',' or '}}'"), start)
            comma, place = place, self.blank(place + 1)
            if self.text[place : place + 1] == "}":
                raise _Broken(tell("there is a ',' before the '}}'"), tell("take the ',' out"), comma)

    def sequence(self, start: int, path: Path, depth: int) -> tuple[object, int]:
        self.deep(start, depth)
        found: list[object] = []
        place = self.blank(start + 1)
        if self.text[place : place + 1] == "]":
            return found, place + 1
        while True:
            value, end = self.value(place, (*path, len(found)), depth + 1)
            found.append(value)
            place = self.blank(end)
            mark = self.text[place : place + 1]
            if mark == "]":
                return found, place + 1
            if mark != ",":
                raise self.odd(place, tell("',' or ']'"), start)
            comma, place = place, self.blank(place + 1)
            if self.text[place : place + 1] == "]":
                raise _Broken(tell("there is a ',' before the ']'"), tell("take the ',' out"), comma)

    def deep(self, place: int, depth: int) -> None:
        if depth >= DEEPEST:
            raise _Broken(
                tell("nested deeper than {deepest} levels", deepest=DEEPEST),
                tell("no transcript is nested so deeply"),
                place,
            )

    def string(self, start: int) -> tuple[str, int]:
        found = _STRING.match(self.text, start)
        if found is None:
            raise self.bad_string(start)
        raw = found.group()
        if "\\" not in raw and raw.isascii():
            return raw[1:-1], found.end()
        try:
            return msgspec.json.decode(raw.encode(), type=str), found.end()
        except (msgspec.DecodeError, UnicodeEncodeError):
            raise self.bad_string(start, found.end()) from None

    def bad_string(self, start: int, end: int | None = None) -> _Broken:
        if end is not None:
            return _Broken(tell("this string cannot be read"), tell(_ESCAPES), start, end)
        found = _OPEN_STRING.match(self.text, start)
        stop = found.end() if found else start + 1
        if stop < len(self.text) and self.text[stop] < " ":
            if self.text[stop] in "\r\n":
                return _Broken(
                    tell("this string is not closed on its line"),
                    tell("close it with a double quote"),
                    start,
                    stop,
                )
            code = ord(self.text[stop])
            character, written = f"U+{code:04X}", f"\\u{code:04x}"
            said = tell("a string cannot hold {character} as it is", character=character)
            return _Broken(said, tell("write {text}", text=written), stop)
        return _Broken(tell("this string is not closed"), tell("close it with a double quote"), start)

    def plain(self, place: int) -> tuple[object, int]:
        word = _WORD.match(self.text, place)
        if word is None:
            raise self.odd(place, tell("a value"), None)
        text = word.group()
        if text in _CONSTANTS:
            return _CONSTANTS[text], word.end()
        number = _NUMBER.fullmatch(text)
        if number is None:
            small = text.lower()
            if text.startswith(("'", "\u201c", "\u2019", "\u2018")):
                hint = tell('strings stand in straight double quotes: "…"')
            elif small in _CONSTANTS:
                hint = tell("write {text}", text=small)
            elif text.startswith(("//", "/*", "#")):
                hint = tell("JSON has no comments; a transcript keeps them in 'comments'")
            else:
                hint = tell("strings stand in double quotes; a number is written like 12")
            raise _Broken(tell("{text} is no JSON value", text=shorten(text)), hint, place, word.end())
        if number.group(1) is None and number.group(2) is None and len(text) <= 18:
            return int(text), word.end()
        return float(text), word.end()

    def odd(self, place: int, wanted: str, start: int | None) -> _Broken:
        if place >= len(self.text):
            where = self.blank_end()
            if start is None:
                return _Broken(
                    tell("the document ends too early"), tell("{wanted} is missing", wanted=wanted), where
                )
            mark = self.text[start]
            return _Broken(
                tell("the document ends before this {mark} is closed", mark=repr(mark)),
                tell("is the file whole?"),
                start,
            )
        word = _WORD.match(self.text, place)
        text = word.group() if word else self.text[place]
        return _Broken(
            tell("{text} where {wanted} is due", text=shorten(text), wanted=wanted),
            tell("write {text}", text=wanted),
            place,
            word.end() if word else None,
        )

    def blank_end(self) -> int:
        return max(0, len(self.text.rstrip()) - 1)
