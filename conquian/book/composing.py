"""A book as a document: what stands in it, in which order, under which words, for every form.

Guarantees: every clause and every reading is an article of its own; an example that several clauses share is drawn
once, and the others lead to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from conquian.book.contents import Book, Entry, Parted, Side
from conquian.book.document import (
    Article,
    Block,
    Chapter,
    Columns,
    Document,
    Fact,
    Facts,
    Figure,
    Formula,
    Listing,
    Paragraph,
    Part,
    Plain,
    Value,
    Words,
    line,
    listed,
)
from conquian.book.matches import Deals, Drawn, Whole
from conquian.book.telling import (
    Told,
    counted,
    deals_notes,
    deals_table,
    difference_mark,
    drawn_deed,
    drawn_rows,
    marked,
    pack_rows,
    parting,
    reading_mark,
    sheets,
    title,
    told,
    unseen,
)
from conquian.cards import Notation
from conquian.language.rules import RuleSet
from conquian.language.show import claim_said, laid_out
from conquian.tongue import tell


def document(book: Book, notation: Notation = "french") -> Document:
    """The document of a book."""
    made = _Composer(book, notation)
    chapters = [made.chapter(about, names) for about, names in book.chapters]
    notes = []
    if book.unasked:
        said = tell("The two were not played: {reason}.", reason=book.unasked)
        notes.append(Paragraph(line(said), "note"))
    differing = marked(book) if made.two else []
    return Document(
        title(book),
        tuple(made.facts(side) for side in book.sides),
        tuple(notes),
        counted(differing) if made.two else "",
        listed([_to_clause(name) for name in differing]),
        (*chapters, *made.readings(), *made.claims()),
        tuple(dict.fromkeys(card for side in book.sides for card in side.named.rules.engine.pack.cards)),
    )


class _Composer:
    def __init__(self, book: Book, notation: Notation) -> None:
        self.book = book
        self.notation: Notation = notation
        self.drawn: dict[int, Words] = {}
        """The examples that have a figure, with the clause that it stands by."""

    @property
    def two(self) -> bool:
        return len(self.book.sides) == 2

    def facts(self, side: Side) -> Facts:
        """What a side is: its title, what it extends, how it is read, its sheets."""
        typed, chosen = side.typed, side.named.rules.readings
        found = [_fact(tell("Rule set"), Words(f"{typed.called} ("), Words(side.word, "code"), Words(")"))]
        if len(typed.lineage) > 1:
            above = [Words(name, "code") for name in reversed(typed.lineage[:-1])]
            found.append(_fact(tell("Extends"), *listed(above)))
        other = [
            Words(f"{reading.name}={chosen[reading.name]}", "code")
            for reading in typed.readings
            if chosen[reading.name] != reading.default
        ]
        if other:
            found.append(_fact(tell("Read with"), *listed(other)))
        found += [
            _fact(tell("Source"), Words(f"{source.called} ("), Words(source.file, "code"), Words(")"))
            for source in typed.sources
        ]
        return Facts(tuple(found))

    def chapter(self, about: str, names: Sequence[str]) -> Chapter:
        head = tell(about)
        articles = tuple(self.clause(name) for name in names)
        return Chapter(about.replace(" ", "-"), head[0].upper() + head[1:], articles)

    # -- clauses

    def clause(self, name: str) -> Article:
        ident = f"clause-{name}"
        having = [side for side in self.book.sides if name in side.entries]
        if not self.two:
            return Article(ident, name, "", tuple(self.whole(having[0], having[0].entries[name], ident)))
        mark, words = difference_mark(self.book, name)
        found = self.book.compared[name]
        blocks: list[Block] = [Paragraph(line(words), "badge", mark)]
        if found.alike:
            blocks += self.whole(having[0], having[0].entries[name], ident, having[1:])
        else:
            columns = (
                self.column(side, name, f"{ident}-{place}") for place, side in enumerate(self.book.sides)
            )
            blocks.append(Columns(tuple(columns)))
        blocks += [self.parting(one, f"{ident}-parts-{place}") for place, one in enumerate(found.parted)]
        if mark == "differs":
            blocks += [Paragraph(line(text), "note") for text in unseen(self.book, found)]
        return Article(ident, name, mark, tuple(blocks))

    def column(self, side: Side, name: str, ident: str) -> Part:
        entry = side.entries.get(name)
        if entry is None:
            return Part(side.word, (Paragraph(line(tell("Says nothing of it."))),))
        return Part(side.word, tuple(self.whole(side, entry, ident)))

    def parting(self, one: Parted, ident: str) -> Part:
        said = Paragraph(line(parting(self.book, one)))
        figure = self.figure(told(one.shown, self.notation), ident, one.forbids)
        return Part(tell("Where they part"), (said, figure), parting=True)

    def whole(self, side: Side, entry: Entry, ident: str, others: Sequence[Side] = ()) -> Iterator[Plain]:
        """Everything of a clause on one side; `others` say the same, by other passages."""
        clause, typed = entry.clause, side.typed
        yield Paragraph(line(clause.said), "sentence")
        if entry.silent:
            yield Paragraph(line(tell("Under the readings of this book it says nothing.")), "note")
        yield Formula(laid_out(clause), tell("Formula of {clause}", clause=clause.name))
        facts = []
        if clause.code is not None:
            facts.append(_fact(tell("Code of a violation"), Words(clause.code, "code")))
        facts += _sources(tell("Source"), clause.cites, clause.origin, typed)
        for other in others:
            theirs = other.entries[clause.name].clause
            label = tell("Source in {rules}", rules=other.word)
            # Where both inherit it from one rule set, once is enough.
            origin = other.typed.name if theirs.origin == clause.origin else theirs.origin
            facts += _sources(label, theirs.cites, origin, other.typed)
        if entry.asks:
            chosen = side.named.rules.readings
            asked = [
                Words(tell("{reading} is {choice}", reading=name, choice=chosen[name]), "", f"reading-{name}")
                for name in entry.asks
            ]
            facts.append(_fact(tell("Readings"), *listed(asked)))
        yield Facts(tuple(facts))
        if entry.example is not None or entry.shown is not None or entry.why_none:
            yield self.example(entry, side, f"{ident}-example")

    # -- examples

    def example(self, entry: Entry, side: Side, ident: str) -> Plain:
        if entry.shown is not None:
            return self.shown(entry, side, ident)
        if entry.example is None:
            return Paragraph(line(tell(entry.why_none)), "none")
        known = self.drawn.get(id(entry.example))
        if known is not None:
            before, after = tell("The picture is that of {clause}.", clause="\0").split("\0")
            return Paragraph(line(before, known, after), "none")
        self.drawn[id(entry.example)] = Words(entry.clause.name, "code", ident)
        return self.figure(told(entry.example, self.notation), ident)

    def figure(self, one: Told, ident: str, by: str = "") -> Figure:
        said = []
        if one.before:
            said.append(Paragraph(line(tell("First: {deeds}.", deeds=one.before))))
        if one.position:
            said.append(Paragraph(line(tell("Position: {position}", position=one.position)), "before"))
        if one.deed:
            under = tell("under {rules}, ", rules=by) if by else ""
            judged = Words(one.judged, "legal" if one.legal else "illegal")
            said.append(Paragraph(line(Words(one.deed, "deed"), f" - {under}", judged)))
        said.append(Paragraph(line(" ".join(one.notes)), "found"))
        return Figure(ident, one.scene, tuple(said))

    def shown(self, entry: Entry, side: Side, ident: str) -> Figure:
        """What shows a clause that no position shows."""
        match entry.shown:
            case Whole():
                return Figure(ident, pack_rows(entry.shown, self.notation), ())
            case Drawn():
                said = line(Words(drawn_deed(entry.shown, self.notation), "deed"))
                found = Paragraph(line(tell("Worked out by the engine.")), "found")
                return Figure(ident, drawn_rows(entry.shown, self.notation), (Paragraph(said), found))
            case Deals():
                table = deals_table(entry.shown, side.named.rules.engine.seats)
                notes = Paragraph(line(" ".join(deals_notes(entry.shown))), "found")
                return Figure(ident, table, (notes,))
            case None:
                raise AssertionError(entry.clause.name)

    # -- readings, claims

    def readings(self) -> Iterator[Chapter]:
        if self.book.readings:
            articles = tuple(self.reading(name) for name in self.book.readings)
            yield Chapter("readings", tell("Readings"), articles, listed=False)

    def reading(self, name: str) -> Article:
        having = [(side, x) for side in self.book.sides if (x := side.reading(name)) is not None]
        blocks: list[Block] = []
        mark, words = reading_mark(self.book, name) if self.two else ("", "")
        if self.two:
            blocks.append(Paragraph(line(words), "badge", mark))
        blocks.append(Paragraph(line(having[0][1].asked), "sentence"))
        is_chosen = tell("(chosen)")
        for side, reading in having:
            chosen = side.named.rules.readings[name]
            choices: list[Words] = []
            for choice in reading.choices:
                if choice == chosen:
                    choices += [Words(choice, "strong"), Words(f" {is_chosen}"), Words(", ")]
                else:
                    choices += [Words(choice), Words(", ")]
            facts = [_fact(tell("Choices"), *choices[:-1])]
            if reading.because:
                usual = (
                    tell("Why")
                    if chosen == reading.default
                    else tell("Why it is {choice} unless chosen", choice=reading.default)
                )
                facts.append(_fact(usual, Words(reading.reason)))
            facts += _sources(tell("Source"), reading.cites, reading.origin, side.typed)
            asking = [_to_clause(entry.clause.name) for entry in side.entries.values() if name in entry.asks]
            if asking:
                facts.append(_fact(tell("Asked by"), *listed(asking)))
            said = Facts(tuple(facts))
            blocks.append(Part(side.word, (said,)) if self.two else said)
        return Article(f"reading-{name}", name, mark, tuple(blocks))

    def claims(self) -> Iterator[Chapter]:
        if not any(side.typed.obligations for side in self.book.sides):
            return
        blocks: list[Block] = []
        for side in self.book.sides:
            items = Listing(
                tuple(
                    line(Words(one.name, "code"), f": {claim_said(one.claim)}")
                    for one in side.typed.obligations
                )
            )
            blocks.append(Part(side.word, (items,)) if self.two else items)
        before, after = tell("{command} proves or refutes each of them.", command="\0").split("\0")
        blocks.append(Paragraph(line(before, Words("conquian spec check", "code"), after)))
        yield Chapter("claims", tell("What is to be proved of the rules"), (), tuple(blocks), False)


def _fact(label: str, *words: Words) -> Fact:
    return Fact(label, (Value(line(*words)),))


def _to_clause(name: str) -> Words:
    return Words(name, "code", f"clause-{name}")


def _sources(label: str, cites: Sequence[str], origin: str, typed: RuleSet) -> list[Fact]:
    """The passages, by their sheets, and the rule set that a clause or reading comes from, if it is another."""
    values = [
        Value(
            line(sheet.title),
            tuple(
                line(Words(passage, "code"), f": {words}" if words else "")
                for passage, words in sheet.passages
            ),
        )
        for sheet in sheets(cites, typed)
    ]
    found = [Fact(label, tuple(values))] if values else []
    if origin != typed.name:
        found.append(_fact(tell("Inherited from"), Words(origin, "code")))
    return found
