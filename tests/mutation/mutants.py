"""Every mutant of a rule file.

Guarantees: the list depends on the rule files alone; each mutant is one file with one item changed or left
out, and has a key (file, item, change) that no other mutant has and that stays when other items change.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from conquian.language import clauses as c
from conquian.language import tree as t
from conquian.language.codes import EVENT_CODES
from conquian.language.names import GENERAL_PASSAGES, passages

from . import bodies, conditions
from .bodies import Words


@dataclass(frozen=True, slots=True)
class Mutant:
    """A rule file with one small change."""

    name: str
    """The rule set whose file is changed."""
    item: str
    change: str
    file: t.File

    @property
    def key(self) -> str:
        return f"{self.name} / {self.item} / {self.change}"


def mutants_of(name: str, file: t.File, known: Words) -> list[Mutant]:
    """All mutants of one rule file, in its order; `known` are the names that it and its ancestors give."""
    found: dict[str, Mutant] = {}
    for place, item in enumerate(file.items):
        if isinstance(item, t.ProveItem) or (isinstance(item, t.DropItem) and item.proof):
            continue  # what is to be proved changes nothing in play, so no golden case can notice it
        for said, new in _of_item(item, known):
            items = (*file.items[:place], *(() if new is None else (new,)), *file.items[place + 1 :])
            mutant = Mutant(name, title(item), said, replace(file, items=items))
            number = 1
            while mutant.key in found:
                number += 1
                mutant = replace(mutant, change=f"{said} (no. {number})")
            found[mutant.key] = mutant
    return list(found.values())


def words_of(files: list[t.File]) -> Words:
    """The names that rule files give together."""
    items = [item for file in files for item in file.items]
    phases = [i.body.name for i in items if isinstance(i, t.ClauseItem) and isinstance(i.body, c.Phase)]
    readings = {i.name.text: tuple(w.text for w in i.choices) for i in items if isinstance(i, t.ReadingItem)}
    defines = frozenset(i.name.text for i in items if isinstance(i, t.DefineItem))
    return Words(tuple(dict.fromkeys(phases)), readings, defines)


def title(item: t.Item) -> str:
    """An item by its kind and name."""
    match item:
        case t.Head(_, name):
            return f"ruleset {name.text}"
        case t.Extends(name):
            return f"extends {name.text}"
        case t.SourceItem(prefix):
            return f"source {prefix.text}"
        case t.ClauseItem(_, name):
            return f"clause {name.text}"
        case t.DefineItem(_, name):
            return f"define {name.text}"
        case t.ReadingItem(_, name):
            return f"reading {name.text}"
        case t.ChooseItem(reading):
            return f"choose {reading.text}"
        case t.DropItem(name):
            return f"drop {name.text}"
        case t.GroundItem(name):
            return f"ground {name.text}"
        case t.ProveItem(_, name):
            return f"prove {name.text}"


def _of_item(item: t.Item, known: Words) -> Iterator[tuple[str, t.Item | None]]:
    if not isinstance(item, t.Head | t.Extends):
        yield "dropped", None
    match item:
        case t.ClauseItem():
            for said, body in bodies.changes(item.body, known):
                yield said, replace(item, body=body)
            yield from _codes(item)
        case t.DefineItem():
            for said, expr in conditions.changes(item.body, known.choices, known.defines):
                yield said, replace(item, body=expr)
        case t.ReadingItem():
            first, *others = item.choices
            for choice in others:
                order = (choice, *(w for w in item.choices if w != choice))
                yield f"default {first.text} => {choice.text}", replace(item, choices=order)
        case t.ChooseItem():
            for choice_name in known.choices[item.reading.text]:
                if choice_name != item.choice.text:
                    other = replace(item.choice, text=choice_name)
                    yield f"{item.choice.text} => {choice_name}", replace(item, choice=other)
        case _:
            pass
    if isinstance(item, t.ClauseItem | t.ReadingItem | t.ChooseItem | t.GroundItem) and item.cites:
        first_cite, *rest = item.cites
        other_cite = replace(first_cite, text=_next_passage(first_cite.text))
        yield f"cite {first_cite.text} => {other_cite.text}", replace(item, cites=(other_cite, *rest))


def _codes(item: t.ClauseItem) -> Iterator[tuple[str, t.ClauseItem]]:
    """The next code of the contract's table in place of the clause's, or none."""
    if item.code is None:
        return
    codes: list[str] = list(dict.fromkeys(EVENT_CODES))
    place = codes.index(item.code.text)
    for other in (codes[place - 1], codes[(place + 1) % len(codes)]):
        yield f"code {item.code.text} => {other}", replace(item, code=replace(item.code, text=other))
    yield "code dropped", replace(item, code=None)


def _next_passage(passage: str) -> str:
    """Another passage of the same sheet: the one after it, or before the last."""
    prefix = passage.split(".")[0]
    general = sorted(GENERAL_PASSAGES)
    listed = [pid for pid in passages() if pid.split(".")[0] == prefix] if prefix != "common" else general
    place = listed.index(passage)
    return listed[place + 1] if place + 1 < len(listed) else listed[place - 1]
