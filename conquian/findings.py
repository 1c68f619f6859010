"""Findings about a text that people wrote: where, what, and what to do about it.

Guarantees: lines and columns count from 1 and count characters, not bytes; `end_column` is the column after
the last character. A finding drawn for people begins with a line `path:line:column: code message` that
programs can take apart, and its carets stand under the characters they mean, whatever tabs, wide or
combining characters come before them. No control character of a source line reaches the terminal.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from conquian.tongue import tell
from conquian.visible import visible

WINDOW = 120
"""How many characters of a long source line are shown."""


class Finding(Struct, frozen=True):
    """Something that cannot be read, and how to mend it.

    `deal` is the 0-based index of the deal that it costs, None if it is about the whole file.
    """

    code: str
    message: str
    line: int
    column: int
    hint: str
    end_column: int | None = None
    deal: int | None = None


class Note(Struct, frozen=True):
    """Something worth saying that is no fault. `event` is the 0-based event of its deal, None if there is
    none."""

    code: str
    line: int
    event: int | None
    message: str


def nearest(word: str, words: Iterable[str]) -> str | None:
    """The one of `words` that `word` was probably meant to be, or None; letter case does not count."""
    from difflib import get_close_matches

    by_small = {known.lower(): known for known in sorted(words, reverse=True)}
    # Comparing is quadratic: nobody misspells a word of a thousand letters.
    found = get_close_matches(word[:64].lower(), by_small, n=1, cutoff=0.6)
    return by_small[found[0]] if found else None


def did_you_mean(word: str, words: Iterable[str]) -> str | None:
    """`did you mean 'turns'?`, or None when no word is near."""
    found = nearest(word, words)
    return None if found is None else tell("did you mean {word}?", word=repr(found))


def shorten(text: str, most: int = 40) -> str:
    """A text for a message: quoted, on one line, at most `most` characters of it."""
    return repr(text if len(text) <= most else text[: most - 1] + "…")


def render(finding: Finding, name: str, lines: Sequence[str], first_line: int = 1) -> str:
    """A finding for people: the place and message, the source line with carets, the hint.

    `lines` are the source lines without their ends, beginning with line `first_line`; a place outside them is
    shown without source.
    """
    parts = [visible(f"{name}:{finding.line}:{finding.column}: {finding.code} {finding.message}")]
    index = finding.line - first_line
    if 0 <= index < len(lines):
        parts.extend(source_with_carets(lines[index], finding.column, finding.end_column))
    if finding.hint:
        parts.append(visible(tell("hint: {hint}", hint=finding.hint)))
    return "\n".join(parts)


def source_with_carets(source: str, column: int, end_column: int | None = None) -> tuple[str, str]:
    """A source line and the line of carets under columns `column` up to but not including `end_column`."""
    return source_with_marks(source, ((column, end_column),))


def source_with_marks(source: str, spans: Iterable[tuple[int, int | None]]) -> tuple[str, str]:
    """A source line and one line of carets under several spans of it, each from its column to its end
    column."""
    marks = [(max(0, column - 1), max(column, (end or column + 1) - 1)) for column, end in spans] or [(0, 1)]
    first = min(start for start, _ in marks)
    cut = 0 if len(source) <= WINDOW else max(0, min(first - WINDOW // 3, len(source) - WINDOW))
    shown = source[cut : cut + WINDOW]
    drawn, carets = ("    ", "    ") if cut == 0 else ("    …", "     ")
    for index, char in enumerate(shown + " " * 2, start=cut):
        inside = any(start <= index < end for start, end in marks)
        if index - cut >= len(shown) and not inside:
            break
        if char == "\t":
            drawn += char
            carets += "^" if inside else char
            continue
        width = _width(char)
        drawn += char if width >= 0 else _picture(char)
        carets += ("^" if inside else " ") * abs(width)
    if cut + WINDOW < len(source):
        drawn += "…"
    return drawn.rstrip(), carets.rstrip()


def _width(char: str) -> int:
    """Terminal cells that a character takes; -1 for one that must not be printed as it is (drawn in one
    cell)."""
    if " " <= char <= "~":
        return 1
    from unicodedata import category, combining, east_asian_width

    kind = category(char)
    if kind in ("Cc", "Cf", "Zl", "Zp", "Cs", "Co", "Cn"):
        return -1
    if combining(char) or kind in ("Mn", "Me"):
        return 0
    return 2 if east_asian_width(char) in "WF" else 1


def _picture(char: str) -> str:
    return chr(0x2400 + ord(char)) if ord(char) < 32 else "\N{REPLACEMENT CHARACTER}"
