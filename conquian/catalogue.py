"""Catalogues of messages: `locale/LANGUAGE/LC_MESSAGES/conquian.po`, read as they stand.

Guarantees: the `.po` files are the only form that is shipped, so that a checkout, an editable install and a wheel
speak alike and nothing has to be built; what is read is compiled to the form of `gettext` in memory and kept in the
user's cache. Messages that are marked `fuzzy` or have no translation are left out.
"""

from __future__ import annotations

import re
import struct
from ast import literal_eval
from collections.abc import Iterator
from gettext import GNUTranslations, NullTranslations
from io import BytesIO

from conquian.cache import cached
from conquian.resources import content

DOMAIN = "conquian"
_LINE = re.compile(r'(?:(msgid_plural|msgid|msgstr)(?:\[(\d+)\])?\s+)?("(?:[^"\\]|\\.)*")\s*')


def catalogue(language: str) -> NullTranslations:
    """The catalogue of a language; an empty one where there is none."""
    try:
        text = content("locale", language, "LC_MESSAGES", f"{DOMAIN}.po")
    except OSError:
        return NullTranslations()
    compiled = cached("catalogue 1", [text], lambda: compiled_catalogue(text.decode("utf-8")))
    return GNUTranslations(BytesIO(compiled))


def compiled_catalogue(text: str) -> bytes:
    """The `.mo` form of a `.po` text."""
    found = sorted((key.encode(), value.encode()) for key, value in messages(text))
    head = struct.calcsize("<7I")
    strings = b""
    tables: list[list[tuple[int, int]]] = [[], []]
    for side in (0, 1):
        for pair in found:
            tables[side].append((len(pair[side]), head + 16 * len(found) + len(strings)))
            strings += pair[side] + b"\0"
    words = [0x950412DE, 0, len(found), head, head + 8 * len(found), 0, 0]
    words += [number for table in tables for place in table for number in place]
    return struct.pack(f"<{len(words)}I", *words) + strings


def messages(text: str) -> Iterator[tuple[str, str]]:
    """Each message with its translation, as `.mo` files hold them: plural forms are parted by NUL."""
    for block in re.split(r"\n[ \t]*\n", text.replace("\r\n", "\n")):
        parts: dict[tuple[str, int], str] = {}
        key = ("", 0)
        fuzzy = False
        for line in block.split("\n"):
            fuzzy = fuzzy or (line.startswith("#,") and "fuzzy" in line)
            read = _LINE.fullmatch(line)
            if read is None:
                continue
            if read[1] is not None:
                key = (read[1], int(read[2] or 0))
            parts[key] = parts.get(key, "") + str(literal_eval(read[3]))
        said = [parts[name, i] for name, i in sorted(parts) if name == "msgstr"]
        if fuzzy or ("msgid", 0) not in parts or not said or not all(said):
            continue
        asked = parts["msgid", 0]
        if ("msgid_plural", 0) in parts:
            asked += "\0" + parts["msgid_plural", 0]
        yield asked, "\0".join(said)
