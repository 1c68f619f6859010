"""Elements of HTML and SVG, with everything that people wrote escaped.

Guarantees: a plain text never becomes markup; only `Markup` is taken as it stands. No character comes out that XML
forbids, and no lone surrogate.
"""

from __future__ import annotations

import re
from html import escape

_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_VOID = frozenset({"meta", "link", "br", "hr", "input", "img", "wbr"})


class Markup(str):
    """A text that is markup already."""

    __slots__ = ()


def plain(text: str) -> str:
    """A text without characters that no document can hold."""
    return _FORBIDDEN.sub("\ufffd", text)


def escaped(text: str) -> Markup:
    """A text as the content of an element or of a quoted attribute; Markup as it is."""
    return text if isinstance(text, Markup) else Markup(escape(plain(text), quote=True))


def joined(*parts: str) -> Markup:
    """Parts one after the other, plain texts escaped."""
    return Markup("".join(map(escaped, parts)))


def element(tag: str, /, *content: str, **attributes: str | int | bool | None) -> Markup:
    """An element; attributes that are None or False are left out. Of their names `_` at the end is dropped, else `-`."""
    said = [tag]
    for name, value in attributes.items():
        if value is None or value is False:
            continue
        name = name.rstrip("_").replace("_", "-")
        said.append(name if value is True else f'{name}="{escaped(str(value))}"')
    if tag in _VOID:
        return Markup(f"<{' '.join(said)}>")
    return Markup(f"<{' '.join(said)}>{joined(*content)}</{tag}>")


def name_of(player: str) -> Markup:
    """A player's name; what is written from right to left in it turns nothing around it."""
    return element("bdi", player)
