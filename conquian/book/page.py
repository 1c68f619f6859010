"""The book as one HTML page.

Guarantees: the page needs nothing but itself, runs no script and says so in its content policy; everything that rule
files say is escaped; the same book gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from conquian import __version__
from conquian.book.contents import Book, Entry, Side
from conquian.book.telling import (
    Told,
    counted,
    difference_mark,
    inherited,
    marked,
    reading_mark,
    sheets,
    title,
    told,
    unseen,
)
from conquian.cards import Notation
from conquian.language.rules import RuleSet
from conquian.language.show import laid_out
from conquian.language.wording import claim_words
from conquian.pictures.markup import Markup, element, joined
from conquian.pictures.svg import Shared, svg
from conquian.resources import content

POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def page(book: Book, notation: Notation = "french") -> str:
    """The page of a book."""
    made = _Page(book, notation)
    chapters = [made.chapter(about, names) for about, names in book.chapters]
    body = element(
        "body",
        element("a", "Skip to the rules", href="#rules", class_="skip"),
        Markup(made.shared.sheet()),
        made.header(),
        made.contents(),
        element("main", *chapters, *made.readings(), *made.claims(), id="rules"),
        element(
            "footer",
            f"Made by conquian {__version__} from the rule files. Every position was judged by the engine under the "
            "rules that it illustrates.",
        ),
    )
    head = element(
        "head",
        element("meta", charset="utf-8"),
        Markup(f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="generator", content=f"conquian {__version__}"),
        element("title", f"{title(book)} - Conquian"),
        element("style", Markup(_style())),
    )
    return f'<!DOCTYPE html>\n<html lang="en">{head}{body}</html>\n'


def _style() -> str:
    texts = (content("pictures", "page.css"), content("book", "book.css"))
    return "".join(text.decode("utf-8").replace("\r\n", "\n") for text in texts)


class _Page:
    def __init__(self, book: Book, notation: Notation) -> None:
        self.book = book
        self.notation: Notation = notation
        cards = (card for side in book.sides for card in side.named.rules.engine.pack.cards)
        self.shared = Shared(dict.fromkeys(cards), notation)
        self.shown: dict[int, tuple[str, str]] = {}
        """The examples that have a picture: its id and the clause that it stands by."""

    @property
    def two(self) -> bool:
        return len(self.book.sides) == 2

    # -- head

    def header(self) -> Markup:
        parts = [element("h1", title(self.book))]
        sides = [self._facts(side) for side in self.book.sides]
        parts.append(element("div", *sides, class_="sides") if self.two else sides[0])
        if self.book.unasked:
            parts.append(element("p", f"The two were not played: {self.book.unasked}.", class_="note"))
        return element("header", *parts)

    def _facts(self, side: Side) -> Markup:
        typed = side.typed
        facts = [("Rule set", f"{typed.title} ({side.word})")]
        if len(typed.lineage) > 1:
            facts.append(("Extends", ", ".join(reversed(typed.lineage[:-1]))))
        other = [
            f"{reading.name}={side.named.rules.readings[reading.name]}"
            for reading in typed.readings
            if side.named.rules.readings[reading.name] != reading.default
        ]
        if other:
            facts.append(("Read with", ", ".join(other)))
        facts += [("Source", f"{source.title} ({source.file})") for source in typed.sources]
        lines = [element("div", element("dt", key), element("dd", value)) for key, value in facts]
        return element("dl", *lines, class_="facts")

    def contents(self) -> Markup:
        items = []
        for about, names in self.book.chapters:
            links = [self._link(name) for name in names]
            items.append(
                element(
                    "li",
                    element("a", _capital(about), href=f"#{_ident(about)}"),
                    element("ul", *(element("li", link) for link in links)),
                )
            )
        items.append(element("li", element("a", "Readings", href="#readings")))
        parts = [element("h2", "Contents", id="contents"), element("ul", *items)]
        if self.two:
            parting = marked(self.book)
            differing = [element("li", self._link(name)) for name in parting]
            parts.append(element("h3", f"Where they differ: {counted(parting)}"))
            parts.append(element("ul", *differing, class_="differing"))
        return element("nav", *parts, aria_labelledby="contents", class_="contents")

    def _link(self, name: str) -> Markup:
        return element("a", name, href=f"#{_clause_ident(name)}")

    # -- clauses

    def chapter(self, about: str, names: Sequence[str]) -> Markup:
        clauses = [self.clause(name) for name in names]
        return element(
            "section",
            element("h2", _capital(about), id=_ident(about)),
            *clauses,
            class_="chapter",
            aria_labelledby=_ident(about),
        )

    def clause(self, name: str) -> Markup:
        ident = _clause_ident(name)
        head = [element("h3", name, id=f"{ident}-head")]
        having = [side for side in self.book.sides if name in side.entries]
        if not self.two:
            parts = [*head, *self._whole(having[0], having[0].entries[name], ident)]
            return element("article", *parts, class_="clause", id=ident, aria_labelledby=f"{ident}-head")
        how, words = difference_mark(self.book, name)
        head.append(element("p", element("span", words, class_=f"badge {how}")))
        found = self.book.compared[name]
        if found.alike:
            parts = [*head, *self._whole(having[0], having[0].entries[name], ident, having[1:])]
        else:
            columns = [
                self._column(side, name, f"{ident}-{place}") for place, side in enumerate(self.book.sides)
            ]
            parts = [*head, element("div", *columns, class_="sides")]
        for place, one in enumerate(found.parted):
            shown = self._figure(told(one.shown, self.notation), f"{ident}-parts-{place}", one.forbids)
            parts.append(
                element(
                    "div",
                    element("h4", "Where they part"),
                    element("p", f"{one.says.rstrip(':')}."),
                    shown,
                    class_="parting",
                )
            )
        if how == "differs":
            parts += [element("p", line, class_="note") for line in unseen(found)]
        return element("article", *parts, class_=f"clause {how}", id=ident, aria_labelledby=f"{ident}-head")

    def _column(self, side: Side, name: str, ident: str) -> Markup:
        entry = side.entries.get(name)
        head = element("h4", side.word)
        if entry is None:
            return element("div", head, element("p", "Says nothing of it."), class_="side")
        return element("div", head, *self._whole(side, entry, ident), class_="side")

    def _whole(self, side: Side, entry: Entry, ident: str, others: Sequence[Side] = ()) -> Iterator[Markup]:
        """Everything of a clause on one side; `others` say the same, by other passages."""
        clause = entry.clause
        yield element("p", clause.sentence, class_="sentence")
        if entry.silent:
            yield element("p", "Under the readings of this book it says nothing.", class_="note")
        yield element(
            "pre", element("code", laid_out(clause)), tabindex="0", aria_label=f"Formula of {clause.name}"
        )
        facts: list[tuple[str, str]] = []
        if clause.code is not None:
            facts.append(("Code of a violation", element("code", clause.code)))
        facts.append(("Source", _sources(clause.cites, clause.origin, side.typed)))
        for one in others:
            theirs = one.entries[clause.name].clause
            facts.append((f"Source in {one.word}", _sources(theirs.cites, theirs.origin, one.typed)))
        if entry.asks:
            facts.append(("Readings", self._asked(side, entry.asks)))
        yield element(
            "dl",
            *(element("div", element("dt", key), element("dd", value)) for key, value in facts),
            class_="about",
        )
        yield self._example(entry, f"{ident}-example")

    def _asked(self, side: Side, asked: Sequence[str]) -> Markup:
        said: list[str] = []
        for name in asked:
            said += [
                element("a", name, href=f"#reading-{name}"),
                f" is {side.named.rules.readings[name]}",
                ", ",
            ]
        return joined(*said[:-1])

    def _example(self, entry: Entry, ident: str) -> Markup:
        if entry.example is None:
            return element("p", entry.why_none, class_="none")
        known = self.shown.get(id(entry.example))
        if known is not None:
            return element(
                "p",
                "The picture is that of ",
                element("a", known[1], href=f"#{known[0]}"),
                ".",
                class_="none",
            )
        self.shown[id(entry.example)] = (ident, entry.clause.name)
        return self._figure(told(entry.example, self.notation), ident)

    def _figure(self, one: Told, ident: str, by: str = "") -> Markup:
        said = []
        if one.before:
            said.append(element("p", "First: ", one.before, "."))
        if one.position:
            said.append(element("p", "Position: ", one.position, class_="before"))
        if one.deed:
            how = element("strong", one.judged, class_="legal" if one.legal else "illegal")
            said.append(element("p", element("b", one.deed), f" - {'under ' + by + ', ' if by else ''}", how))
        said.append(element("p", " ".join(one.notes), class_="found"))
        picture = Markup(svg(one.scene, ident=f"{ident}-picture", shared=self.shared))
        return element("figure", picture, element("figcaption", *said), id=ident)

    # -- readings, claims

    def readings(self) -> Iterator[Markup]:
        if not self.book.readings:
            return
        parts = [element("h2", "Readings", id="readings")]
        parts += [self._reading(name) for name in self.book.readings]
        yield element("section", *parts, class_="chapter", aria_labelledby="readings")

    def _reading(self, name: str) -> Markup:
        having = [(side, x) for side in self.book.sides if (x := side.reading(name)) is not None]
        ident = f"reading-{name}"
        parts = [element("h3", name, id=f"{ident}-head")]
        how = ""
        if self.two:
            how, words = reading_mark(self.book, name)
            parts.append(element("p", element("span", words, class_=f"badge {how}")))
        parts.append(element("p", having[0][1].question, class_="sentence"))
        for side, reading in having:
            chosen = side.named.rules.readings[name]
            choices: list[str] = []
            for choice in reading.choices:
                choices += [element("strong", choice, " (chosen)") if choice == chosen else choice, ", "]
            facts = [("Choices", joined(*choices[:-1]))]
            if reading.because:
                usual = "Why" if chosen == reading.default else f"Why it is {reading.default} unless chosen"
                facts.append((usual, joined(reading.because)))
            facts.append(("Source", _sources(reading.cites, reading.origin, side.typed)))
            asking = [entry.clause.name for entry in side.entries.values() if name in entry.asks]
            if asking:
                links = [part for x in asking for part in (self._link(x), Markup(", "))][:-1]
                facts.append(("Asked by", joined(*links)))
            if self.two:
                parts.append(element("h4", side.word))
            parts.append(
                element(
                    "dl",
                    *(element("div", element("dt", key), element("dd", value)) for key, value in facts),
                    class_="about",
                )
            )
        return element(
            "article", *parts, class_=f"clause {how}".strip(), id=ident, aria_labelledby=f"{ident}-head"
        )

    def claims(self) -> Iterator[Markup]:
        if not any(side.typed.obligations for side in self.book.sides):
            return
        parts = [element("h2", "What is to be proved of the rules", id="claims")]
        for side in self.book.sides:
            if self.two:
                parts.append(element("h3", side.word))
            lines = [
                element("li", element("code", one.name), f": {claim_words(one.claim)}")
                for one in side.typed.obligations
            ]
            parts.append(element("ul", *lines))
        parts.append(element("p", element("code", "conquian spec check"), " proves or refutes each of them."))
        yield element("section", *parts, class_="chapter", aria_labelledby="claims")


def _sources(cites: Sequence[str], origin: str, typed: RuleSet) -> Markup:
    parts: list[str] = []
    for sheet in sheets(cites, typed):
        lines = [
            element("li", element("code", passage), f": {words}" if words else "")
            for passage, words in sheet.passages
        ]
        parts += [element("span", sheet.title), element("ul", *lines)]
    where = inherited(origin, typed)
    if where:
        parts.append(element("span", f"{_capital(where)}."))
    return joined(*parts)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _ident(about: str) -> str:
    return about.replace(" ", "-")


def _clause_ident(name: str) -> str:
    return f"clause-{name}"
