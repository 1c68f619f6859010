"""Names, words and quotes of the text form (contract: notation, section 2).

Guarantees: what `write_name` and `quote` write, `read_name` and `unquote` read back unchanged, whatever
characters it holds. In quotes, a backslash stands only before `"`, `\\`, `n`, `r`, `t` or `u` and four
hexadecimal digits (the last four so that a name or a tag from JSON survives in one line of text).
"""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

from conquian.tongue import tell

WORDS: Final = frozenset(
    (
        *("deal", "cut", "deck", "stock", "holds", "starter", "gives", "to", "turns", "melds", "arranges"),
        *("passes", "discards", "forces", "onto", "wins", "drawn"),
    )
)
"""The words of the notation; a player with such a name is written in quotes."""

QUOTED: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"')
_MOVE: Final = re.compile(r"[0-9]+\.")
_ESCAPE: Final = re.compile(r'\\(?:(["\\nrt])|u([0-9A-Fa-f]{4})|(.|$))', re.DOTALL)
_MEANING: Final = {'"': '"', "\\": "\\", "n": "\n", "r": "\r", "t": "\t"}
_MUST_ESCAPE: Final = re.compile(r'["\\\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]')
_SHORT: Final = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


class Misspelt(Struct, frozen=True):
    """What is wrong with a name or a quoted text. `start` and `end` are characters from the beginning of
    it."""

    code: str
    message: str
    hint: str
    start: int
    end: int


def unquote(text: str) -> str | Misspelt:
    """What a text in double quotes means. `text` includes its quotes and matches `QUOTED`."""
    inner = text[1:-1]
    if "\\" not in inner:
        return inner
    pieces: list[str] = []
    done = 0
    for found in _ESCAPE.finditer(inner):
        letter, digits, _ = found.groups()
        char = _MEANING[letter] if letter else chr(int(digits, 16)) if digits else ""
        if not char or "\ud800" <= char <= "\udfff":
            return Misspelt(
                "bad-escape",
                tell("{found} means nothing inside quotes", found=found.group()),
                tell('inside quotes write \\\\ for a backslash and \\" for a quote'),
                found.start() + 1,
                found.end() + 1,
            )
        pieces += (inner[done : found.start()], char)
        done = found.end()
    return "".join((*pieces, inner[done:]))


def quote(text: str) -> str:
    """A text in double quotes, on one line."""
    escaped = _MUST_ESCAPE.sub(lambda found: _SHORT.get(found.group(), f"\\u{ord(found.group()):04x}"), text)
    return f'"{escaped}"'


def is_plain(name: str) -> bool:
    """Whether a name can stand without quotes: letters, digits and `_ - . '`, no word of the notation, no
    `12.`."""
    return (
        bool(name) and all(map(_may_stand, name)) and name.lower() not in WORDS and not _MOVE.fullmatch(name)
    )


def _may_stand(char: str) -> bool:
    if char.isalnum() or char in "_-.'":
        return True
    if char.isascii():
        return False
    from unicodedata import category

    return category(char) in ("Mn", "Mc")  # the accents of a letter written in two parts


def write_name(name: str) -> str:
    """A player's name as the text form writes it."""
    return name if is_plain(name) else quote(name)


def read_name(text: str) -> str | Misspelt:
    """The name that a word or a quoted text means, or what is wrong with it."""
    if text.startswith('"'):
        name = unquote(text)
        if name == "":
            return Misspelt(
                "bad-name", tell("a name cannot be empty"), tell("write the player's name"), 0, len(text)
            )
        return name
    if is_plain(text):
        return text
    end = len(text)
    if text.lower() in WORDS:
        message = tell("{text} is a word of the notation", text=repr(text))
    elif _MOVE.fullmatch(text):
        message = tell("{text} is a move number", text=repr(text))
    else:
        odd = next((char for char in text if not _may_stand(char)), "")
        shown = odd if odd.isprintable() else f"U+{ord(odd):04X}"
        message = (
            tell("a name without quotes cannot hold {shown}", shown=repr(shown))
            if odd
            else tell("a name is missing")
        )
    return Misspelt(
        "bad-name", message, tell("if it is a player's name, write {text}", text=quote(text[:60])), 0, end
    )
