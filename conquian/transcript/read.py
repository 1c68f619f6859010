"""Reading transcripts in any form: the front door.

Guarantees: `read` and `read_stream` never raise on what a file holds; each gives at least one sheet, and a
file in which no game is recognised gives a sheet with the error `no-game`. `read_stream` holds one line at
a time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal, Protocol

import msgspec

from conquian.findings import Finding
from conquian.tongue import tell
from conquian.transcript.lines import BOM
from conquian.transcript.places import nowhere
from conquian.transcript.sheet import Sheet

Form = Literal["text", "json", "jsonl"]
FORMS: Final[tuple[Form, ...]] = ("text", "json", "jsonl")

_GAME_LINE: Final = re.compile(rb'[\r\n][ \t]*\{[^\r\n]*"format"[^\r\n]*\}[ \t]*(?=[\r\n]|$)')
_JSON: Final = re.compile(rb'\{|\[\s*[\[\]{"]')  # `[Event "…"]` is another game's notation, not JSON
_END: Final = re.compile(rb"\r\n?|\n")


class Source(Protocol):
    """A binary file: only `readline` is used."""

    def readline(self) -> bytes:
        """The next line with its end, empty at the end of the file."""
        ...


def recognise(data: bytes) -> Form:
    """The form of a file, by what it holds: JSON begins with `{` (or a list), games one a line are several
    documents."""
    body = data.removeprefix(BOM).lstrip()
    if not _JSON.match(body):
        return "text"
    first = _END.split(body, maxsplit=1)
    if len(first) == 1 or not first[1].strip():
        return "json"
    try:
        msgspec.json.decode(first[0])
    except (msgspec.MsgspecError, RecursionError):
        # The first line may be broken itself, or the document goes over several lines.
        return "jsonl" if _GAME_LINE.search(body) else "json"
    return "jsonl"


def read(data: bytes, name: str, form: Form | None = None) -> Iterator[Sheet]:
    """The games of a file. The form is recognised if it is not given; `name` is for messages.

    A file named `….jsonl` is read as games one a line.
    """
    if form is None:
        form = recognise(data)
        if form == "json" and name.lower().endswith(".jsonl"):
            form = "jsonl"
    if form == "text":
        from conquian.transcript.text import read_text

        yield read_text(data, name)
    elif form == "json":
        from conquian.transcript.jsonform import read_json

        yield read_json(data, name)
    else:
        yield from read_lines(_split(data), name)


def read_stream(file: Source, name: str) -> Iterator[Sheet]:
    """The games of a JSONL file, one at a time, in constant memory; lines end with LF or CRLF."""
    return read_lines(iter(file.readline, b""), name)


def read_lines(lines: Iterator[bytes], name: str) -> Iterator[Sheet]:
    """The games in lines of JSON; blank lines are passed over, but counted."""
    from conquian.transcript.jsonform import read_json

    found = False
    for number, line in enumerate(lines, 1):
        if line.removeprefix(BOM).strip():
            found = True
            yield read_json(line.rstrip(b"\r\n"), f"{name}:{number}", name, number)
    if not found:
        message = tell("0 games recognised: the file holds no text")
        hint = tell("a JSONL file holds one game a line")
        yield Sheet(
            name=name,
            path=name,
            game=None,
            errors=(Finding("no-game", message, 1, 1, hint),),
            where=nowhere(),
            source="",
        )


def _split(data: bytes) -> Iterator[bytes]:
    start = 0
    for end in _END.finditer(data):
        yield data[start : end.start()]
        start = end.end()
    if start < len(data):
        yield data[start:]
