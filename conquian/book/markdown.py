"""The book as Markdown, pictures drawn in characters: for places that show no inline SVG.

Guarantees: nothing that a rule file says becomes markup; the same book gives the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

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
from conquian.pictures.markup import plain
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
    return "\n\n".join(_Text(book, notation).blocks()) + "\n"


class _Text:
    def __init__(self, book: Book, notation: Notation) -> None:
        self.book = book
        self.notation: Notation = notation
        self.shown: dict[int, str] = {}
        """The examples that were drawn, with the clause that they stand by."""

    @property
    def two(self) -> bool:
        return len(self.book.sides) == 2

    def blocks(self) -> Iterator[str]:
        yield f"# {escaped(title(self.book))}"
        for side in self.book.sides:
            yield self._facts(side)
        if self.book.unasked:
            yield f"The two were not played: {escaped(self.book.unasked)}."
        if self.two:
            names = marked(self.book)
            yield f"They differ in {counted(names)}{': ' if names else ''}{', '.join(map(code, names))}."
        for about, clauses in self.book.chapters:
            yield f"## {about[0].upper()}{about[1:]}"
            for name in clauses:
                yield from self._clause(name)
        if self.book.readings:
            yield "## Readings"
        for name in self.book.readings:
            yield from self._reading(name)
        yield from self._claims()

    def _facts(self, side: Side) -> str:
        typed = side.typed
        lines = [f"- {escaped(typed.title)} ({code(side.word)})"]
        if len(typed.lineage) > 1:
            lines.append(f"  - extends {', '.join(map(code, reversed(typed.lineage[:-1])))}")
        other = [
            f"{reading.name}={side.named.rules.readings[reading.name]}"
            for reading in typed.readings
            if side.named.rules.readings[reading.name] != reading.default
        ]
        if other:
            lines.append(f"  - read with {', '.join(map(code, other))}")
        lines += [f"  - source: {escaped(x.title)} ({code(x.file)})" for x in typed.sources]
        return "\n".join(lines)

    # -- clauses

    def _clause(self, name: str) -> Iterator[str]:
        yield f"### {escaped(name)}"
        having = [side for side in self.book.sides if name in side.entries]
        if not self.two:
            yield from self._whole(having[0], having[0].entries[name])
            return
        how, words = difference_mark(self.book, name)
        found = self.book.compared[name]
        yield f"**{escaped(words)}.**"
        for side in self.book.sides:
            if name not in side.entries:
                yield f"#### {escaped(side.word)}"
                yield "Says nothing of it."
                continue
            if found.alike and side is not having[0]:
                yield f"In {code(side.word)} the same, by {self._cited(side, side.entries[name])}."
                continue
            yield f"#### {escaped(side.word)}"
            yield from self._whole(side, side.entries[name])
        for one in found.parted:
            yield "#### Where they part"
            yield f"{escaped(one.says.rstrip(':'))}."
            yield from self._figure(told(one.shown, self.notation), one.forbids)
        if how == "differs":
            yield from map(escaped, unseen(found))

    @staticmethod
    def _cited(side: Side, entry: Entry) -> str:
        return ", ".join(map(code, entry.clause.cites)) or f"no passage of {escaped(side.word)}"

    def _whole(self, side: Side, entry: Entry) -> Iterator[str]:
        clause = entry.clause
        yield f"**{escaped(clause.sentence)}**"
        if entry.silent:
            yield "Under the readings of this book it says nothing."
        yield fenced(laid_out(clause))
        lines = []
        if clause.code is not None:
            lines.append(f"- code of a violation: {code(clause.code)}")
        lines += _sources(clause.cites, clause.origin, side.typed)
        if entry.asks:
            chosen = side.named.rules.readings
            lines.append(f"- readings: {', '.join(code(f'{x}={chosen[x]}') for x in entry.asks)}")
        yield "\n".join(lines)
        if entry.example is None:
            yield escaped(entry.why_none)
        elif id(entry.example) in self.shown:
            yield f"The picture is that of {code(self.shown[id(entry.example)])}."
        else:
            self.shown[id(entry.example)] = clause.name
            yield from self._figure(told(entry.example, self.notation))

    def _figure(self, one: Told, by: str = "") -> Iterator[str]:
        if one.before:
            yield f"First: {escaped(one.before)}."
        if one.position:
            yield f"Position: {escaped(one.position)}"
        if one.deed:
            under = f"under {by}, " if by else ""
            yield f"**{escaped(one.deed)}** - {escaped(f'{under}{one.judged}')}"
        yield fenced("\n".join(terminal(one.scene)), "text")
        yield escaped(" ".join(one.notes))

    # -- readings, claims

    def _reading(self, name: str) -> Iterator[str]:
        having = [(side, x) for side in self.book.sides if (x := side.reading(name)) is not None]
        yield f"### {escaped(name)}"
        if self.two:
            yield f"**{escaped(reading_mark(self.book, name)[1])}.**"
        yield f"**{escaped(having[0][1].question)}**"
        for side, reading in having:
            chosen = side.named.rules.readings[name]
            said = (f"**{escaped(x)}** (chosen)" if x == chosen else escaped(x) for x in reading.choices)
            lines = [f"- choices{f' in {code(side.word)}' if self.two else ''}: {', '.join(said)}"]
            if reading.because:
                usual = "why" if chosen == reading.default else f"why it is {reading.default} unless chosen"
                lines.append(f"- {escaped(usual)}: {escaped(reading.because)}")
            lines += _sources(reading.cites, reading.origin, side.typed)
            asking = [entry.clause.name for entry in side.entries.values() if name in entry.asks]
            if asking:
                lines.append(f"- asked by {', '.join(map(code, asking))}")
            yield "\n".join(lines)

    def _claims(self) -> Iterator[str]:
        if not any(side.typed.obligations for side in self.book.sides):
            return
        yield "## What is to be proved of the rules"
        for side in self.book.sides:
            if self.two:
                yield f"### {escaped(side.word)}"
            yield "\n".join(
                f"- {code(one.name)}: {escaped(claim_words(one.claim))}" for one in side.typed.obligations
            )
        yield "`conquian spec check` proves or refutes each of them."


def _sources(cites: Sequence[str], origin: str, typed: RuleSet) -> list[str]:
    lines = []
    for sheet in sheets(cites, typed):
        lines.append(f"- source: {escaped(sheet.title)}")
        lines += [
            f"  - {code(passage)}{f': {escaped(words)}' if words else ''}"
            for passage, words in sheet.passages
        ]
    where = inherited(origin, typed)
    return [*lines, f"- {escaped(where)}"] if where else lines
