"""The book as one HTML page.

Guarantees: the page needs nothing but itself, runs no script and says so in its content policy; everything that rule
files say is escaped; the same book gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable

from conquian import __version__
from conquian.book.composing import document
from conquian.book.contents import Book
from conquian.book.document import (
    Article,
    Block,
    Chapter,
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
    Value,
    Words,
)
from conquian.cards import Notation
from conquian.pictures.markup import Markup, element, joined
from conquian.pictures.rows import CardRows, rows_svg
from conquian.pictures.svg import Shared, svg
from conquian.resources import content
from conquian.tongue import spoken, tell

POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def page(book: Book, notation: Notation = "french") -> str:
    """The page of a book."""
    text = document(book, notation)
    made = _Page(text, notation)
    chapters = [made.chapter(chapter) for chapter in text.chapters]
    by = tell(
        "Made by conquian {version} from the rule files. Every position was judged by the engine under the rules that "
        "it illustrates.",
        version=__version__,
    )
    body = element(
        "body",
        element("a", tell("Skip to the rules"), href="#rules", class_="skip"),
        Markup(made.shared.sheet()),
        made.header(),
        made.contents(),
        element("main", *chapters, id="rules"),
        element("footer", by),
    )
    head = element(
        "head",
        element("meta", charset="utf-8"),
        Markup(f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="generator", content=f"conquian {__version__}"),
        element("title", f"{text.title} - Conquian"),
        element("style", Markup(_style())),
    )
    return f'<!DOCTYPE html>\n<html lang="{spoken()}">{head}{body}</html>\n'


def _style() -> str:
    texts = (content("pictures", "page.css"), content("book", "book.css"))
    return "".join(text.decode("utf-8").replace("\r\n", "\n") for text in texts)


class _Page:
    def __init__(self, text: Document, notation: Notation) -> None:
        self.text = text
        self.shared = Shared(text.cards, notation)

    # -- head

    def header(self) -> Markup:
        sides = [_facts(facts, "facts") for facts in self.text.facts]
        facts = element("div", *sides, class_="sides") if len(sides) > 1 else sides[0]
        notes = [self.block(note) for note in self.text.notes]
        return element("header", element("h1", self.text.title), facts, *notes)

    def contents(self) -> Markup:
        items = []
        for chapter in self.text.chapters:
            if not chapter.articles:
                continue
            parts = [element("a", chapter.head, href=f"#{chapter.ident}")]
            if chapter.listed:
                links = (element("a", one.head, href=f"#{one.ident}") for one in chapter.articles)
                parts.append(element("ul", *(element("li", link) for link in links)))
            items.append(element("li", *parts))
        parts = [element("h2", tell("Contents"), id="contents"), element("ul", *items)]
        if self.text.differ:
            differing = [element("li", _word(word)) for word in self.text.differing if word.to]
            parts.append(element("h3", self.text.differ))
            parts.append(element("ul", *differing, class_="differing"))
        return element("nav", *parts, aria_labelledby="contents", class_="contents")

    # -- chapters

    def chapter(self, chapter: Chapter) -> Markup:
        parts = [element("h2", chapter.head, id=chapter.ident)]
        parts += [self.article(one) for one in chapter.articles]
        parts += [self.block(one, "h3") for one in chapter.blocks]
        return element("section", *parts, class_="chapter", aria_labelledby=chapter.ident)

    def article(self, one: Article) -> Markup:
        head = element("h3", one.head, id=f"{one.ident}-head")
        blocks = [self.block(block) for block in one.blocks]
        kind = f"clause {one.mark}".strip()
        return element(
            "article", head, *blocks, class_=kind, id=one.ident, aria_labelledby=f"{one.ident}-head"
        )

    def block(self, block: Block, head: str = "h4") -> Markup:
        """A block; `head` is what the heading of a part is."""
        match block:
            case Paragraph(words, "badge", mark):
                return element("p", element("span", *map(_word, words), class_=f"badge {mark}"))
            case Paragraph(words, kind):
                return element("p", *map(_word, words), class_=kind or None)
            case Formula(text, label):
                return element("pre", element("code", text), tabindex="0", aria_label=label)
            case Facts():
                return _facts(block, "about")
            case Listing(items):
                return element("ul", *(element("li", *map(_word, item)) for item in items))
            case Figure():
                return self.figure(block)
            case Columns(parts):
                return element("div", *(self.part(part, head, "side") for part in parts), class_="sides")
            case Part():
                return self.part(block, head, "parting" if block.parting else None)

    def part(self, part: Part, head: str, kind: str | None) -> Markup:
        blocks = [self.block(block) for block in part.blocks]
        return element("div", element(head, part.head), *blocks, class_=kind)

    def figure(self, figure: Figure) -> Markup:
        ident = f"{figure.ident}-picture"
        match figure.shows:
            case Table():
                picture = _table(figure.shows)
            case CardRows():
                picture = Markup(rows_svg(figure.shows, ident=ident, shared=self.shared))
            case scene:
                picture = Markup(svg(scene, ident=ident, shared=self.shared))
        said = [self.block(paragraph) for paragraph in figure.caption]
        caption = [element("figcaption", *said)] if said else []
        return element("figure", picture, *caption, id=figure.ident)


def _word(word: Words) -> Markup:
    match word.style:
        case "code":
            said = element("code", word.text)
        case "strong":
            said = element("strong", word.text)
        case "deed":
            said = element("b", word.text)
        case "legal" | "illegal":
            said = element("strong", word.text, class_=word.style)
        case "":
            said = joined(word.text)
    return element("a", said, href=f"#{word.to}") if word.to else said


def _line(words: Line) -> Markup:
    return joined(*map(_word, words))


def _facts(facts: Facts, kind: str) -> Markup:
    lines = (
        element("div", element("dt", label), element("dd", *_values(values))) for label, values in facts.facts
    )
    return element("dl", *lines, class_=kind)


def _values(values: tuple[Value, ...]) -> Iterable[Markup]:
    if len(values) == 1 and not values[0].items:
        return (_line(values[0].line),)
    return (
        joined(
            element("span", _line(value.line)),
            *([element("ul", *(element("li", _line(item)) for item in value.items))] if value.items else ()),
        )
        for value in values
    )


def _table(table: Table) -> Markup:
    def kind(column: int) -> str | None:
        return "words" if column in table.left else None

    head = (element("th", cell, scope="col", class_=kind(i)) for i, cell in enumerate(table.head))
    rows = (
        element(
            "tr",
            element("th", row[0], scope="row", class_=kind(0)),
            *(element("td", cell, class_=kind(i)) for i, cell in enumerate(row[1:], 1)),
        )
        for row in table.rows
    )
    made = element(
        "table",
        element("caption", table.caption),
        element("thead", element("tr", *head)),
        element("tbody", *rows),
    )
    return element("div", made, class_="table", tabindex="0", role="region", aria_label=table.caption)
