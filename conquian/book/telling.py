"""Clauses, examples and differences in words, and examples as scenes, for every form of the book.

Guarantees: in the language spoken. Players have the names of people, whatever positions call them: the position is
judged again under those names, so that messages speak of them too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, cast

from conquian.book.contents import Book, Compared, Parted
from conquian.book.document import Mark, Table
from conquian.book.example import Example
from conquian.book.matches import Deals, Drawn, Ended, Row, Whole
from conquian.cards import Notation
from conquian.differing import said_of
from conquian.engine.play import Event
from conquian.generate import NAMES
from conquian.language import names
from conquian.language.rules import RuleSet
from conquian.messages import Scene as MessageScene
from conquian.messages import message
from conquian.pictures.rows import CardRow, CardRows
from conquian.pictures.scene import Scene, scene_of
from conquian.pictures.words import card_text, deed_text, description
from conquian.position import Position
from conquian.standings import wins_in_words
from conquian.tongue import both, mark, tell, tell_n
from conquian.transcript.model import Event as Recorded
from conquian.verifier.limits import Disagreement


class Sheet(NamedTuple):
    """Passages of one rule sheet, each with what it says in our own words, if that is known."""

    title: str
    passages: tuple[tuple[str, str], ...]


class Told(NamedTuple):
    """An example in words: the position, the events before, what is done, the judgement, what else is to be said.

    `scene` is the picture: the position, or, after a legal act, the position that it leaves.
    """

    position: str
    before: str
    deed: str
    judged: str
    legal: bool
    notes: tuple[str, ...]
    scene: Scene


def told(example: Example, notation: Notation) -> Told:
    """What the book says of an example."""
    here = _peopled(example.here)
    event = None if example.event is None else _by(example.event, example.here, here)
    after = None if example.after is None else _peopled(example.after)
    refusal = None if event is None else here.check(event)
    if event is not None and (refusal is None) is not (example.refusal is None):
        raise Disagreement(f"{event} is judged by who plays it")
    # Nobody says how many cards a hand has in a position that was laid, whatever its players are called.
    laid = example.here.players[0] == "me"
    plain = scene_of(here, notation=notation, open_hands=laid)
    scene, judged = plain, ""
    if event is not None and refusal is not None:
        text, _ = message(refusal, MessageScene(here.rules.engine, here.players, here.state, event, notation))
        judged = tell("not legal, {code}: {message}", code=refusal.code, message=text)
        scene = scene_of(
            here, notation=notation, open_hands=laid, wrong=refusal.cards, tried=_recorded(event)
        )
    elif event is not None and after is not None:
        judged = tell("legal, and it wins the deal") if after.phase == "won" else tell("legal")
        if event[1] != "forces":
            scene = scene_of(after, notation=notation, open_hands=laid, before=here)
    notes = [*_unchosen(example.readings)]
    if event is None:
        lies = any(here.state.tables)
        notes.append(tell("So it may lie on the table.") if lies else tell("So a deal begins."))
    if example.decides:
        notes.append(tell("With every rule but this one it would be judged otherwise."))
    notes.append(
        tell("Found by Z3, judged by the engine.")
        if example.found == "solver"
        else tell("Found and judged by the engine.")
    )
    return Told(
        description(plain) if event is not None and scene is not plain else "",
        "; ".join(deed(_by(one, example.here, here), notation) for one in example.way),
        "" if event is None else deed(event, notation),
        judged,
        refusal is None,
        tuple(notes),
        scene,
    )


def _peopled(here: Position) -> Position:
    """The same position, its players called by names."""
    return Position(here.rules, here.state, NAMES[: len(here.players)])


def _by(event: Event, here: Position, named: Position) -> Event:
    """An event with the names of another position's players."""
    people = dict(zip(here.players, named.players, strict=True))
    actor, verb, *rest = event
    if verb == "gives":
        rest[-1] = people[rest[-1]]
    return cast(Event, (people[actor], verb, *rest))


def _unchosen(readings: Sequence[tuple[str, str]]) -> list[str]:
    if not readings:
        return []
    chosen = both([f"{name}={choice}" for name, choice in readings])
    return [tell("So it is with {readings}, which this book does not choose.", readings=chosen)]


def deed(event: Event, notation: Notation) -> str:
    """Who does what."""
    if event[1] == "arranges" and not event[2]:
        return tell("{player} leaves the melds as they lie", player=event[0])
    return f"{event[0]} {deed_text(_recorded(event), notation)}"


def _recorded(event: Event) -> Recorded:
    """The event as a transcript would hold it."""
    return cast(Recorded, tuple(event))


# ---- what no position shows


def pack_rows(whole: Whole, notation: Notation) -> CardRows:
    """The whole pack, a suit in each row."""
    note = ""
    if whole.copies > 1:
        note = tell("each card is there {number} times", number=whole.copies)
    rows = tuple(CardRow(cards) for cards in whole.suits)
    return CardRows(title=tell("The whole pack"), rows=rows, note=note, notation=notation)


def drawn_rows(drawn: Drawn, notation: Notation) -> CardRows:
    """The cards that were drawn, with who deals."""
    rows = tuple(
        CardRow((card,), NAMES[seat], tell("deals first") if seat == drawn.dealer else "")
        for seat, card in enumerate(drawn.cards)
    )
    return CardRows(title=tell("The cards drawn for the deal"), rows=rows, notation=notation)


def drawn_deed(drawn: Drawn, notation: Notation) -> str:
    """Who draws what, and who deals."""
    draws = [
        tell("{player} draws {card}", player=name, card=card_text(card, notation))
        for name, card in zip(NAMES, drawn.cards, strict=False)
    ]
    return tell("{draws}: {player} deals first.", draws=", ".join(draws), player=NAMES[drawn.dealer])


_ENDED = {
    "won": mark("{player} wins"),
    "won-at-once": mark("{player} wins in a single act"),
    "drawn": mark("drawn"),
    "conceded": mark("{loser} concedes"),
    "agreed": mark("agreed a draw"),
    "broken-off": mark("broken off"),
    "misdeal": mark("misdeal"),
}


def deals_table(deals: Deals, seats: int) -> Table:
    """Deals in a row: who deals, how it ends, and, where they are played for stakes, what each receives."""
    names = NAMES[:seats]
    head = [tell("Deal"), tell("Dealer"), tell("Result")]
    if deals.stakes:
        head += [*names, tell("Pot")]
    rows = []
    for row in deals.rows:
        cells = [str(row.number), names[row.dealer], _result(row.ended, seats)]
        if deals.stakes:
            cells += [_paid(row, seat) for seat in range(seats)] + [str(row.pot)]
        rows.append(tuple(cells))
    caption = tell("What each player receives in each deal, in units") if deals.stakes else tell("Who deals")
    return Table(caption, tuple(head), tuple(rows), frozenset({1, 2}))


def _result(ended: Ended, seats: int) -> str:
    winner = ended.winner
    if winner is None:
        return tell(_ENDED[ended.how])
    return tell(_ENDED[ended.how], player=NAMES[winner], loser=NAMES[(winner + 1) % seats])


def _paid(row: Row, seat: int) -> str:
    if row.payments is None:
        return "-"
    units = row.payments[seat]
    return f"{units:+d}".replace("-", "\u2212") if units else "0"


def deals_notes(deals: Deals) -> tuple[str, ...]:
    """What is to be said of deals in a row."""
    notes = [*_unchosen(deals.readings)]
    if deals.over is not None:
        notes.append(tell("{wins}: the session is over.", wins=wins_in_words(deals.over)))
    elif not deals.stakes:
        notes.append(tell("{player} deals next.", player=NAMES[deals.next_dealer]))
    if any(row.payments is None for row in deals.rows) and deals.stakes:
        notes.append(tell("A deal with a dash does not count."))
    if deals.decides:
        notes.append(tell("With every rule but this one it would be counted otherwise."))
    by = tell("Worked out by the ledger.") if deals.stakes else tell("Worked out by the engine.")
    return (*notes, by)


# ---- sources


def sheets(cites: Sequence[str], typed: RuleSet) -> tuple[Sheet, ...]:
    """The passages that are cited, by the sheets that they are in."""
    found: dict[str, list[tuple[str, str]]] = {}
    for passage in cites:
        source = typed.source_of(passage)
        title = source.called if source is not None else tell("No sheet says it; the game needs it")
        found.setdefault(title, []).append((passage, names.passage_text(passage).replace("**", "")))
    return tuple(Sheet(title, tuple(passages)) for title, passages in found.items())


# ---- two sides


def difference_mark(book: Book, name: str) -> tuple[Mark, str]:
    """How a clause compares on two sides, as a mark and in words."""
    having = [side.word for side in book.sides if name in side.entries]
    if len(having) == 1:
        return "differs", tell("Only in {rules}", rules=having[0])
    found = book.compared[name]
    if not found.same:
        return "differs", tell("They differ")
    if found.parted:
        return "differs", tell("The same rule, with other effects")
    if found.alike:
        return "same", tell("The same in both")
    return "worded", tell("The same rule in other words")


def marked(book: Book) -> list[str]:
    """The clauses in which two sides differ, in the order of the book."""
    return [
        name
        for _, clauses in book.chapters
        for name in clauses
        if difference_mark(book, name)[0] == "differs"
    ]


def counted(clauses: Sequence[str]) -> str:
    """In how many clauses two sides differ."""
    if not clauses:
        return tell("They differ in no clause")
    return tell_n("They differ in {number} clause", "They differ in {number} clauses", len(clauses))


def reading_mark(book: Book, name: str) -> tuple[Mark, str]:
    """The same of a reading."""
    having = [side for side in book.sides if side.reading(name) is not None]
    if len(having) == 1:
        return "differs", tell("Only in {rules}", rules=having[0].word)
    chosen = {side.named.rules.readings[name] for side in having}
    return ("same", tell("Read alike")) if len(chosen) == 1 else ("differs", tell("Read differently"))


def title(book: Book) -> str:
    """What the book is called."""
    titles = [side.typed.called for side in book.sides]
    if len(titles) == 1:
        return tell("{title}: the rules", title=titles[0])
    return tell("{one} and {other}: the rules side by side", one=titles[0], other=titles[1])


def parting(book: Book, parted: Parted) -> str:
    """What a position in which two sides part shows, as a sentence."""
    return f"{said_of(parted.found, _sides(book)).rstrip(':')}."


def _sides(book: Book) -> dict[str, str]:
    return {name: side.word for name, side in zip("ab", book.sides, strict=True)}


def unseen(book: Book, compared: Compared) -> tuple[str, ...]:
    """What was found of a difference that no position shows, as sentences."""
    says = [said_of(one, _sides(book)) for one in compared.unseen]
    # The name of a rule set at the beginning stays as it is written.
    names = tuple(side.word for side in book.sides)
    return tuple(f"{x if x.startswith(names) else x[0].upper() + x[1:]}." for x in says)
