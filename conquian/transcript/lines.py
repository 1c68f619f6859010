"""Lines of a text transcript: bytes into lines, a line into sentences and a comment.

Guarantees: every byte of the file is in a line or in a line's end (LF, CRLF, CR, mixed). Places count
characters; a byte order mark is no character of the first line. Nothing in double quotes ends a sentence or
begins a comment.
"""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

from conquian.findings import Finding
from conquian.tongue import tell
from conquian.transcript.places import split_lines

BOM: Final = b"\xef\xbb\xbf"
_MARK: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|["#;]')


class Decoded(Struct, frozen=True):
    """A file's text. Where it was not UTF-8, the text has replacement characters, and `errors` say so."""

    text: str
    bom: bool
    errors: tuple[Finding, ...]
    foreign: bool = False
    """The file is in another encoding altogether."""


class Cut(Struct, frozen=True):
    """A line cut up. `parts` are the places of its sentences (from, to), `comment` its text without the `#`.

    `unclosed` is where a quote opens that is not closed; then the part it is in is the last.
    """

    parts: tuple[tuple[int, int], ...]
    comment: str | None
    unclosed: int | None
    end: int
    """Where the comment begins, or the line ends."""


def decode(data: bytes, first_line: int = 1) -> Decoded:
    """The text of a file, without its byte order mark."""
    bom = data.startswith(BOM)
    body = data[len(BOM) :] if bom else data
    try:
        return Decoded(body.decode("utf-8"), bom, ())
    except UnicodeDecodeError:
        text = body.decode("utf-8", "replace")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        error = Finding(
            "encoding",
            tell("the file is UTF-16, not UTF-8"),
            first_line,
            1,
            tell("save it as UTF-8 and try again"),
        )
        return Decoded(text, bom, (error,), foreign=True)
    return Decoded(text, bom, tuple(_faults(body, first_line)))


def _faults(body: bytes, first_line: int) -> list[Finding]:
    # Bytes of line ends are no part of any longer UTF-8 character, so lines can be looked at one by one.
    errors: list[Finding] = []
    for number, line in enumerate(
        body.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n"), first_line
    ):
        try:
            line.decode("utf-8")
        except UnicodeDecodeError as fault:
            column = len(line[: fault.start].decode("utf-8")) + 1
            shown = line[fault.start : fault.start + 1].hex().upper()
            message = tell("byte 0x{shown} is no character in UTF-8", shown=shown)
            hint = tell("save the file as UTF-8, or write the character anew")
            errors.append(Finding("encoding", message, number, column, hint, column + 1))
    return errors


def text_lines(text: str) -> list[str]:
    """The lines of a text."""
    return split_lines(text)


def cut(line: str, *, header: bool = False) -> Cut:
    """Cut a line into sentences and comment; a header line has one part, its semicolons are letters."""
    parts: list[tuple[int, int]] = []
    start = 0
    for found in _MARK.finditer(line):
        place, mark = found.start(), found.group()
        if mark == "#":
            parts.append((start, place))
            return Cut(tuple(parts), line[place + 1 :].strip(), None, place)
        if mark == '"':
            parts.append((start, len(line)))
            return Cut(tuple(parts), None, place, len(line))
        if mark == ";" and not header:
            parts.append((start, place))
            start = place + 1
    parts.append((start, len(line)))
    return Cut(tuple(parts), None, None, len(line))
