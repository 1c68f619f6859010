"""Documents to be laid out: words, places where a line may end, groups that stay on one line if they fit.

Guarantees: `laid_out` writes every leaf and every comment, in order. A comment that stood at the end of a
line ends one again; a comment on a line of its own gets one again.
"""

from __future__ import annotations

from dataclasses import dataclass

WIDTH = 100
"""Characters that a line may take before a group is broken; texts in quotes are never parted."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """A word of the file, with the comments on lines above it and the one that ends its line."""

    text: str
    above: tuple[str, ...] = ()
    beside: str | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """A place where the line ends if its group is broken, a space or nothing otherwise; `hard`: always."""

    hard: bool = False
    flat: str = " "


@dataclass(frozen=True, slots=True)
class Group:
    """Parts that stand on one line if they fit there."""

    parts: tuple[Doc, ...]


@dataclass(frozen=True, slots=True)
class Nest:
    """Parts that are indented by so many columns where they begin a line."""

    columns: int
    parts: tuple[Doc, ...]


Doc = Leaf | Line | Group | Nest | str
"""A string is spacing or punctuation that is no word of the file."""


def group(*parts: Doc) -> Group:
    return Group(parts)


def nest(columns: int, *parts: Doc) -> Nest:
    return Nest(columns, parts)


def laid_out(doc: Doc) -> str:
    """The text of a document, without an end of line after the last one."""
    page = _Page()
    page.write(doc, 0, flat=False)
    return "".join(page.out)


def _width(doc: Doc) -> int | None:
    """Characters on one line, None if the document cannot stand on one."""
    match doc:
        case str():
            return len(doc)
        case Leaf(text, above, beside):
            return None if above or beside is not None else len(text)
        case Line(hard, flat):
            return None if hard else len(flat)
        case Group(parts) | Nest(_, parts):
            widths = [_width(part) for part in parts]
            return None if None in widths else sum(width for width in widths if width is not None)


class _Page:
    def __init__(self) -> None:
        self.out: list[str] = []
        self.column = 0
        self.closed = False
        """A comment stands on the line, so that nothing else may."""

    def put(self, text: str, indent: int) -> None:
        if self.closed:
            self.newline(indent)
            text = text.lstrip(" ")
        self.out.append(text)
        self.column += len(text)

    def newline(self, indent: int) -> None:
        while self.out and not self.out[-1].strip(" "):
            self.out.pop()
        if self.out:
            self.out[-1] = self.out[-1].rstrip(" ")
        self.out.append("\n" + " " * indent)
        self.column = indent
        self.closed = False

    def write(self, doc: Doc, indent: int, flat: bool) -> None:
        match doc:
            case str():
                if doc.strip(" ") or not self.closed:
                    self.put(doc, indent)
            case Leaf(text, above, beside):
                for comment in above:
                    if self.closed or self.column > indent:
                        self.newline(indent)
                    self.put(comment, indent)
                    self.closed = True
                self.put(text, indent)
                if beside is not None:
                    self.put("  " + beside, indent)
                    self.closed = True
            case Line(hard, space):
                if flat and not hard:
                    self.write(space, indent, flat)
                else:
                    self.newline(indent)
            case Nest(columns, parts):
                for part in parts:
                    self.write(part, indent + columns, flat)
            case Group(parts):
                width = _width(doc)
                fits = width is not None and self.column + width <= WIDTH
                for part in parts:
                    self.write(part, indent, flat or fits)
