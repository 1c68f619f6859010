"""Clauses, examples and differences in words, and examples as scenes, for every form of the book."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple, cast

from conquian.book.contents import Book, Compared
from conquian.book.example import Example
from conquian.cards import Notation
from conquian.engine.play import Event
from conquian.language import names
from conquian.language.rules import RuleSet
from conquian.messages import Scene as MessageScene
from conquian.messages import message
from conquian.pictures.scene import Scene, scene_of
from conquian.pictures.words import deed_text, description
from conquian.transcript.model import Event as Recorded


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
    here, event = example.here, example.event
    plain = scene_of(here, notation=notation)
    scene, judged = plain, ""
    if event is not None and example.refusal is not None:
        text, _ = message(example.refusal, MessageScene(here.rules.engine, here.players, here.state, event))
        judged = f"not legal, {example.refusal.code}: {text}"
        scene = scene_of(here, notation=notation, wrong=example.refusal.cards, tried=_recorded(event))
    elif event is not None and example.after is not None:
        judged = "legal, and it wins the deal" if example.after.phase == "won" else "legal"
        if event[1] != "forces":
            scene = scene_of(example.after, notation=notation, before=here)
    notes = []
    if example.readings:
        chosen = " and ".join(f"{name}={choice}" for name, choice in example.readings)
        notes.append(f"So it is with {chosen}, which this book does not choose.")
    if event is None:
        notes.append("So it may lie on the table.")
    if example.decides:
        notes.append("With every rule but this one it would be judged otherwise.")
    by = "Found by Z3, judged" if example.found == "solver" else "Found and judged"
    notes.append(f"{by} by the engine.")
    return Told(
        description(plain) if event is not None and scene is not plain else "",
        "; ".join(deed(one, notation) for one in example.way),
        "" if event is None else deed(event, notation),
        judged,
        example.refusal is None,
        tuple(notes),
        scene,
    )


def deed(event: Event, notation: Notation) -> str:
    """Who does what."""
    said = deed_text(_recorded(event), notation).rstrip()
    return f"{event[0]} {said}" + (" his melds as they lie" if said == "arranges" else "")


def _recorded(event: Event) -> Recorded:
    """The event as a transcript would hold it."""
    return cast(Recorded, tuple(event))


# ---- sources


def sheets(cites: Sequence[str], typed: RuleSet) -> tuple[Sheet, ...]:
    """The passages that are cited, by the sheets that they are in."""
    found: dict[str, list[tuple[str, str]]] = {}
    for passage in cites:
        source = typed.source_of(passage)
        title = source.title if source is not None else "No sheet says it; the game needs it"
        words = _passages().get(passage, ("", ""))[1]
        found.setdefault(title, []).append((passage, words.replace("**", "")))
    return tuple(Sheet(title, tuple(passages)) for title, passages in found.items())


@cache
def _passages() -> dict[str, tuple[str, str]]:
    return names.passages()


def inherited(origin: str, typed: RuleSet) -> str:
    """Where a clause or reading comes from, if not from the rule set itself."""
    return "" if origin == typed.name else f"inherited from {origin}"


# ---- two sides


def difference_mark(book: Book, name: str) -> tuple[str, str]:
    """How a clause compares on two sides: a class and words."""
    having = [side.word for side in book.sides if name in side.entries]
    if len(having) == 1:
        return "differs", f"Only in {having[0]}"
    found = book.compared[name]
    if not found.same:
        return "differs", "They differ"
    if found.parted:
        return "differs", "The same rule, with other effects"
    return ("same", "The same in both") if found.alike else ("worded", "The same rule in other words")


def marked(book: Book) -> list[str]:
    """The clauses in which two sides differ, in the order of the book."""
    return [
        name
        for _, clauses in book.chapters
        for name in clauses
        if difference_mark(book, name)[0] == "differs"
    ]


def counted(clauses: Sequence[str]) -> str:
    """How many clauses these are."""
    return "no clause" if not clauses else f"{len(clauses)} clause{'' if len(clauses) == 1 else 's'}"


def reading_mark(book: Book, name: str) -> tuple[str, str]:
    """The same of a reading."""
    having = [side for side in book.sides if side.reading(name) is not None]
    if len(having) == 1:
        return "differs", f"Only in {having[0].word}"
    chosen = {side.named.rules.readings[name] for side in having}
    return ("same", "Read alike") if len(chosen) == 1 else ("differs", "Read differently")


def title(book: Book) -> str:
    """What the book is called."""
    if len(book.sides) == 1:
        return f"{book.sides[0].typed.title}: the rules"
    return " and ".join(side.typed.title for side in book.sides) + ": the rules side by side"


def unseen(compared: Compared) -> tuple[str, ...]:
    """What was found of a difference that no position shows, as sentences."""
    # The name of a rule set at the beginning stays as it is written.
    ours = ("no position", "what ")
    return tuple(f"{x[0].upper()}{x[1:]}." if x.startswith(ours) else f"{x}." for x in compared.says)
