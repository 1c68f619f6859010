"""A book as a document that no form shows through: chapters of articles, and in them paragraphs, facts, figures, tables.

`composing` makes it of a book, `page` and `markdown` write it. Every text in it is plain, in the language spoken.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from conquian.pictures.rows import CardRows
from conquian.pictures.scene import Scene

Style = Literal["", "code", "strong", "deed", "legal", "illegal"]
Kind = Literal["", "sentence", "note", "before", "found", "none", "badge"]
Mark = Literal["", "same", "worded", "differs"]
"""How something compares on two sides."""


class Words(NamedTuple):
    """Words of a line; `to` is the id of what they lead to."""

    text: str
    style: Style = ""
    to: str = ""


Line = tuple[Words, ...]


class Paragraph(NamedTuple):
    """A line by itself; `mark` is that of a badge."""

    line: Line
    kind: Kind = ""
    mark: Mark = ""


class Formula(NamedTuple):
    """The body of a clause; `label` says whose it is."""

    text: str
    label: str


class Value(NamedTuple):
    """A line of a fact, with items under it."""

    line: Line
    items: tuple[Line, ...] = ()


class Fact(NamedTuple):
    label: str
    values: tuple[Value, ...]


class Facts(NamedTuple):
    facts: tuple[Fact, ...]


class Table(NamedTuple):
    """Rows of cells under a head; the first cell of each row names it. `left` are the columns that hold words."""

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    left: frozenset[int]


class Figure(NamedTuple):
    """A picture or a table, and what is to be said of it."""

    ident: str
    shows: Scene | CardRows | Table
    caption: tuple[Paragraph, ...]


class Listing(NamedTuple):
    items: tuple[Line, ...]


Plain = Paragraph | Formula | Facts | Figure | Listing


class Part(NamedTuple):
    """Blocks under a heading of their own; `parting` shows where two sides part."""

    head: str
    blocks: tuple[Plain, ...]
    parting: bool = False


class Columns(NamedTuple):
    """Parts beside each other, one for each side."""

    parts: tuple[Part, ...]


Block = Plain | Part | Columns


class Article(NamedTuple):
    """A clause or a reading."""

    ident: str
    head: str
    mark: Mark
    blocks: tuple[Block, ...]


class Chapter(NamedTuple):
    """Articles, or blocks, under a heading; `listed` says whether the contents name its articles."""

    ident: str
    head: str
    articles: tuple[Article, ...] = ()
    blocks: tuple[Block, ...] = ()
    listed: bool = True


class Document(NamedTuple):
    """A book. `facts` are those of each side, `differing` the clauses in which two sides differ, after `differ`."""

    title: str
    facts: tuple[Facts, ...]
    notes: tuple[Paragraph, ...]
    differ: str
    differing: Line
    chapters: tuple[Chapter, ...]
    cards: tuple[str, ...]
    """The cards of all packs, each once."""


def line(*parts: str | Words) -> Line:
    """Words one after the other, empty ones left out."""
    words = (Words(part) if isinstance(part, str) else part for part in parts)
    return tuple(one for one in words if one.text)


def listed(words: list[Words]) -> Line:
    """Words with commas between them."""
    return line(*(part for one in words for part in (one, ", ")))[:-1]
