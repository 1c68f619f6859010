"""Letters and digits as strokes, so that pictures need no font.

Guarantees: a text is one SVG path, drawn from the baseline up in the size that is asked for; letters are capitals
but for those of a rank. What there is no letter for is not drawn wrongly: `letterable` tells.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

HEIGHT = 10.0
"""The height of a capital in the units of the strokes; y goes down, 0 is the top, 10 the baseline."""
GAP = 2.6

_ROUND = "M4 0A4 5 0 1 0 4 10A4 5 0 1 0 4 0Z"
_STROKES: dict[str, tuple[float, str]] = {
    " ": (2.6, ""),
    "A": (7, "M0 10L3.5 0L7 10M1.2 6.7H5.8"),
    "B": (6.2, "M0 0V10H3.6A2.6 2.6 0 0 0 3.6 4.8H0M0 0H3.2A2.4 2.4 0 0 1 3.2 4.8"),
    "C": (7.2, "M7.2 2A4 5 0 1 0 7.2 8"),
    "D": (7, "M0 0V10H2.8A4.2 5 0 0 0 2.8 0Z"),
    "E": (5.6, "M5.6 0H0V10H5.6M0 4.8H4.8"),
    "F": (5.4, "M5.4 0H0V10M0 4.8H4.6"),
    "G": (7.4, "M7.2 2A4 5 0 1 0 7.4 7.9V5.6H4.6"),
    "H": (6.6, "M0 0V10M6.6 0V10M0 4.8H6.6"),
    "I": (1, "M.5 0V10"),
    "J": (4.6, "M4.6 0V7.4A2.3 2.6 0 0 1 0 7.4"),
    "K": (6.6, "M0 0V10M6.2 0L0 6.2M2.2 4.2L6.6 10"),
    "L": (5.2, "M0 0V10H5.2"),
    "M": (8, "M0 10V0L4 6.6L8 0V10"),
    "N": (6.6, "M0 10V0L6.6 10V0"),
    "O": (8, _ROUND),
    "P": (6.1, "M0 10V0H3.4A2.7 2.7 0 0 1 3.4 5.4H0"),
    "Q": (8, _ROUND + "M5 7.2L8 10.8"),
    "R": (6.4, "M0 10V0H3.4A2.7 2.7 0 0 1 3.4 5.4H0M3.2 5.4L6.4 10"),
    "S": (
        6.3,
        "M6 1.9C5.5 .7 4.5 0 3.2 0C1.4 0 .3 1 .3 2.5C.3 4.2 1.6 4.6 3.2 5C5 5.5 6.3 6 6.3 7.5C6.3 9.1 5 10 3.2 10"
        "C1.6 10 .5 9.2 0 7.9",
    ),
    "T": (7, "M0 0H7M3.5 0V10"),
    "U": (6.4, "M0 0V6.7A3.2 3.3 0 0 0 6.4 6.7V0"),
    "V": (7, "M0 0L3.5 10L7 0"),
    "W": (10, "M0 0L2.5 10L5 1.5L7.5 10L10 0"),
    "X": (6.6, "M0 0L6.6 10M6.6 0L0 10"),
    "Y": (6.8, "M0 0L3.4 5L6.8 0M3.4 5V10"),
    "Z": (6.4, "M0 0H6.4L0 10H6.4"),
    "0": (6.2, "M3.1 0A3.1 5 0 1 0 3.1 10A3.1 5 0 1 0 3.1 0Z"),
    "1": (2.6, "M0 2.2L2.6 0V10"),
    "2": (6.2, "M.2 2.8A2.9 2.8 0 1 1 5.2 4.7L0 10H6.2"),
    "3": (6, "M.4 1.5A2.8 2.4 0 1 1 3 4.7H2.4M3 4.7A2.9 2.65 0 1 1 0 8"),
    "4": (6.4, "M4.6 10V0L0 6.8H6.4"),
    "5": (6.1, "M5.6 0H1L.5 4.6C1.2 4 2 3.7 3 3.7A3.1 3.15 0 1 1 0 7.9"),
    "6": (6.2, "M5 0C2 1.4 0 4 0 6.9A3.1 3.1 0 0 0 6.2 6.9A3.1 3.1 0 0 0 .2 6"),
    "7": (6.2, "M0 0H6.2L2.2 10"),
    "8": (
        6.2,
        "M3.1 0A2.5 2.35 0 1 0 3.1 4.7A2.5 2.35 0 1 0 3.1 0Z"
        "M3.1 4.7A3.1 2.65 0 1 0 3.1 10A3.1 2.65 0 1 0 3.1 4.7Z",
    ),
    "9": (6.2, "M1.2 10C4.2 8.6 6.2 6 6.2 3.1A3.1 3.1 0 0 0 0 3.1A3.1 3.1 0 0 0 6 4"),
    "n": (4.8, "M0 3.6V10M0 6A2.4 2.4 0 0 1 4.8 6V10"),
    "?": (5.2, "M0 2.4A2.6 2.5 0 1 1 2.7 5V6.8M2.7 9.6V10"),
    "!": (1, "M.5 0V6.8M.5 9.6V10"),
    ".": (1, "M.5 9.6V10"),
    ",": (1.2, "M1 9.4L.2 11.6"),
    "'": (1, "M.5 0V2.4"),
    "-": (3.6, "M0 5.6H3.6"),
    "_": (5, "M0 11H5"),
    "+": (5.6, "M2.8 2.8V8.4M0 5.6H5.6"),
    "/": (4.4, "M0 11L4.4 -1"),
    ":": (1, "M.5 4V4.4M.5 9.6V10"),
    "(": (2.4, "M2.4 -1C-.4 3 -.4 8 2.4 12"),
    ")": (2.4, "M0 -1C2.8 3 2.8 8 0 12"),
    "&": (7.4, "M7.2 10L1.6 3.6A2.1 2.1 0 1 1 4.8 3.2L1.6 5.4A2.7 2.7 0 1 0 5 9.4L7.2 6.2"),
}
# What stands over or under a capital whose middle is at x = 0.
_ACCENTS = {
    "\u0300": "M-1.6 -3.4L.6 -1.8",
    "\u0301": "M1.6 -3.4L-.6 -1.8",
    "\u0302": "M-2 -1.8L0 -3.4L2 -1.8",
    "\u0303": "M-2.2 -2C-1.2 -3.8 .6 -1.2 2.2 -3",
    "\u0304": "M-2 -2.4H2",
    "\u0306": "M-2 -3.4C-1.4 -1.4 1.4 -1.4 2 -3.4",
    "\u0307": "M0 -2.6V-2.4",
    "\u0308": "M-1.6 -2.6V-2.4M1.6 -2.6V-2.4",
    "\u030a": "M0 -3.8A1.2 1.2 0 1 0 0 -1.4A1.2 1.2 0 1 0 0 -3.8Z",
    "\u030b": "M0 -3.4L-1.2 -1.8M2.4 -3.4L1.2 -1.8",
    "\u030c": "M-2 -3.4L0 -1.8L2 -3.4",
    "\u0327": "M0 10V11.2C1.6 11.2 1.6 13 -.6 12.8",
    "\u0328": "M.8 10C-1 11.6 .2 13 1.6 12.4",
}
_SPELLED = str.maketrans(
    {"Ø": "O\u0338", "Ł": "L\u0338", "Đ": "D", "Æ": "AE", "Œ": "OE", "Þ": "TH", "\u2019": "'"}
)
_ACCENTS["\u0338"] = "M-3.4 10.6L3.4 -.6"
_PIECES = re.compile(r"[MLHVCAZ]|-?(?:\d+\.?\d*|\.\d+)")


@lru_cache(maxsize=1024)
def _letters(text: str) -> tuple[str, ...] | None:
    """A text as letters with the accents that stand on them; None if there is no stroke for one."""
    found: list[str] = []
    for char in unicodedata.normalize("NFD", text.translate(_SPELLED)):
        if char in _STROKES:
            found.append(char)
        elif char in _ACCENTS and found:
            found[-1] += char
        else:
            return None
    return tuple(found)


def capitals(text: str) -> str:
    """A text in capitals, as names are drawn."""
    return " ".join(text.upper().split())


def letterable(text: str) -> bool:
    """Whether every letter of a text can be drawn."""
    return bool(text) and _letters(text) is not None


def width_of(text: str, height: float) -> float:
    """How wide a text is when its capitals are so high."""
    letters = _letters(text) or ()
    wide = sum(_STROKES[letter[0]][0] for letter in letters) + GAP * max(len(letters) - 1, 0)
    return wide * height / HEIGHT


def path_of(text: str, x: float, y: float, height: float) -> str:
    """The path data of a text whose top left corner is at x, y; ValueError for what there is no letter for."""
    letters = _letters(text)
    if letters is None:
        raise ValueError(f"no strokes for {text!r}")
    scale, parts = height / HEIGHT, []
    for letter in letters:
        width, strokes = _STROKES[letter[0]]
        parts.append(_moved(strokes, x, y, scale))
        parts += [_moved(_ACCENTS[accent], x + width / 2 * scale, y, scale) for accent in letter[1:]]
        x += (width + GAP) * scale
    return "".join(parts)


def number(value: float) -> str:
    """A coordinate with at most two places and nothing superfluous."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


@lru_cache(maxsize=4096)
def _moved(path: str, x: float, y: float, scale: float) -> str:
    """Absolute path data moved and scaled."""
    found: list[str] = []
    pieces, i = _PIECES.findall(path), 0
    while i < len(pieces):
        command = pieces[i]
        i += 1
        if command == "Z":
            found.append("Z")
            continue
        count = {"H": 1, "V": 1, "C": 6, "A": 7}.get(command, 2)
        values = [float(piece) for piece in pieces[i : i + count]]
        i += count
        if command == "H":
            moved = [x + values[0] * scale]
        elif command == "V":
            moved = [y + values[0] * scale]
        elif command == "A":
            moved = [
                values[0] * scale,
                values[1] * scale,
                *values[2:5],
                x + values[5] * scale,
                y + values[6] * scale,
            ]
        else:
            moved = [(x, y)[n % 2] + value * scale for n, value in enumerate(values)]
        found.append(command + " ".join(map(number, moved)))
    return "".join(found)
