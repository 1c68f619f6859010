"""The book as Markdown, pictures drawn in characters: for places that show no inline SVG.

Guarantees: nothing that a rule file says becomes markup; the same book gives the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from conquian.book.composing import document
from conquian.book.contents import Book
from conquian.book.document import (
    Block,
    Columns,
    Document,
    Facts,
    Figure,
    Formula,
    Line,
    Listing,
    Paragraph,
    Part,
    Table,
    Words,
)
from conquian.cards import Notation
from conquian.pictures.markup import plain
from conquian.pictures.rows import CardRows, rows_lines
from conquian.pictures.scene import Scene
from conquian.pictures.terminal import terminal

_SIGNS = re.compile(r"([\\`*_{}\[\]<>#|~!&])")
_STARTS = re.compile(r"^(\s*)([-+=]|\d+[.)])", re.MULTILINE)


def escaped(text: str) -> str:
    """A text as one line in which no sign means anything."""
    line = " ".join(plain(text).split())
    return _STARTS.sub(lambda m: f"{m[1]}{m[2][:-1]}\\{m[2][-1]}", _SIGNS.sub(r"\\\1", line))


def fenced(text: str, language: str = "") -> str:
    """A text as a block of code, in a fence that it cannot close."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{plain(text)}\n{fence}"


def code(text: str) -> str:
    """A text as code within a line."""
    line = " ".join(plain(text).split())
    longest = max((len(run) for run in re.findall("`+", line)), default=0)
    ticks = "`" * (longest + 1)
    space = " " if "`" in line else ""
    return f"{ticks}{space}{line}{space}{ticks}"


def markdown(book: Book, notation: Notation = "french") -> str:
    """The text of a book."""
    return "\n\n".join(_blocks(document(book, notation))) + "\n"


def _blocks(text: Document) -> Iterator[str]:
    yield f"# {escaped(text.title)}"
    for facts in text.facts:
        yield _facts(facts)
    for note in text.notes:
        yield from _block(note)
    if text.differ:
        names = f": {_line(text.differing)}" if text.differing else ""
        yield f"{escaped(text.differ)}{names}."
    for chapter in text.chapters:
        yield f"## {escaped(chapter.head)}"
        for article in chapter.articles:
            yield f"### {escaped(article.head)}"
            for block in article.blocks:
                yield from _block(block)
        for block in chapter.blocks:
            yield from _block(block, "###")


def _block(block: Block, head: str = "####") -> Iterator[str]:
    """A block; `head` is what the heading of a part begins with."""
    match block:
        case Paragraph(words, "badge"):
            yield f"**{_bare(words)}.**"
        case Paragraph(words, "sentence"):
            yield f"**{_bare(words)}**"
        case Paragraph(words):
            yield _line(words)
        case Formula(text):
            yield fenced(text)
        case Facts():
            yield _facts(block)
        case Listing(items):
            yield "\n".join(f"- {_line(item)}" for item in items)
        case Figure(_, shows, caption):
            yield _table(shows) if isinstance(shows, Table) else fenced("\n".join(_picture(shows)), "text")
            for paragraph in caption:
                yield from _block(paragraph)
        case Columns(parts):
            for part in parts:
                yield from _block(part, head)
        case Part(title, blocks):
            yield f"{head} {escaped(title)}"
            for one in blocks:
                yield from _block(one)


def _picture(shows: Scene | CardRows) -> Iterator[str]:
    return rows_lines(shows) if isinstance(shows, CardRows) else terminal(shows)


def _line(words: Line) -> str:
    """Words of a line. Links are left out: no two places make the same of a heading."""
    return "".join(map(_word, words))


def _word(word: Words) -> str:
    # The spaces at the edges of a text belong to the line.
    bare = word.text.strip()
    at = word.text.index(bare)
    said = {"code": code(bare), "strong": f"**{escaped(bare)}**", "deed": f"**{escaped(bare)}**"}
    return word.text[:at] + said.get(word.style, escaped(bare)) + word.text[at + len(bare) :]


def _bare(words: Line) -> str:
    return escaped("".join(word.text for word in words))


def _facts(facts: Facts) -> str:
    lines = []
    for label, values in facts.facts:
        if len(values) == 1 and not values[0].items:
            lines.append(f"- {escaped(label)}: {_line(values[0].line)}")
            continue
        for value in values:
            lines.append(f"- {escaped(label)}: {_line(value.line)}")
            lines += [f"  - {_line(item)}" for item in value.items]
    return "\n".join(lines)


def _table(table: Table) -> str:
    rule = (":---" if column in table.left else "---:" for column in range(len(table.head)))
    rows = [map(escaped, table.head), rule, *(map(escaped, row) for row in table.rows)]
    return "\n".join([f"{escaped(table.caption)}:", "", *(f"| {' | '.join(row)} |" for row in rows)])
