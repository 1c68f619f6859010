"""Every small change of a clause's body.

Guarantees: each mutant differs in one number, word, line or part of a condition; every kind of body has some.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from conquian.language import clauses as c
from conquian.language import tree as t

from . import conditions
from .wording import target

Body = c.Body[t.Expr]
Change = tuple[str, Body]
Line = c.Acts[t.Expr] | c.Otherwise[t.Expr] | c.AtOnce[t.Expr]
T = TypeVar("T")
VERBS: tuple[c.Verb, ...] = ("turn", "meld", "pass", "discard", "arrange", "force")
SEATS: tuple[c.Seat, ...] = ("player", "next", "first")
PAYERS: tuple[c.Payer, ...] = ("everyone", "loser", "winner")


@dataclass(frozen=True, slots=True)
class Words:
    """What a rule set has names for: phases, readings with their choices, definitions."""

    phases: tuple[str, ...]
    choices: dict[str, tuple[str, ...]]
    defines: frozenset[str]


def changes(body: Body, known: Words) -> Iterator[Change]:
    """Every mutant of a body."""
    match body:
        case c.Deck():
            yield from _deck(body)
        case c.Order(ranks, around):
            for said, other in [*_swapped(ranks), *_dropped(ranks, 2)]:
                yield said, replace(body, ranks=other)
            yield "around", replace(body, around=not around)
        case c.Players():
            yield from _players(body)
        case c.Dealing(size, packets):
            for said, number in _near(size):
                yield f"deal {said}", replace(body, size=number)
            for i, packet in enumerate(packets):
                for said, number in _near(packet):
                    yield f"packet {said}", replace(body, packets=(*packets[:i], number, *packets[i + 1 :]))
            for said, fewer in _dropped(packets, 1):
                yield f"packets {said}", replace(body, packets=fewer)
        case c.Starter(turned):
            yield "none <=> one", replace(body, turned=not turned)
        case c.Exchange(count, step):
            yield f"exchange {count} => {count + 1}", replace(body, count=count + 1)
            if count:
                yield f"exchange {count} => {count - 1}", replace(body, count=count - 1)
                yield "next <=> previous", replace(body, step=-step)
        case c.Goal(cards):
            for said, number in _near(cards):
                yield said, replace(body, cards=number)
        case c.Shape(_, _, when):
            for said, new in _conditions(when, known):
                yield said, replace(body, when=new)
        case c.Modal():
            yield from _modal(body, known)
        case c.Must(where):
            for said, new in _conditions(where, known):
                yield said, replace(body, where=new)
        case c.Phase():
            yield from _phase(body, known)
        case c.Opening(then):
            for said, goal in _targets(then, known):
                yield said, replace(body, then=goal)
        case c.Cut(lowest):
            yield "lowest <=> highest", replace(body, lowest=not lowest)
        case c.Wins(when) | c.DealerStays(when):
            for said, new in _conditions(when, known):
                yield said, replace(body, when=new)
        case c.Stakes(lines):
            for i, line in enumerate(lines):
                for said, new_line in _stake(line, known):
                    yield (
                        f"line {i + 1}: {said}",
                        replace(body, lines=(*lines[:i], new_line, *lines[i + 1 :])),
                    )
                yield f"line {i + 1} dropped", replace(body, lines=(*lines[:i], *lines[i + 1 :]))
        case c.Session(wins, units):
            for said, number in _near(wins):
                yield f"wins {said}", replace(body, wins=number)
            for said, number in _near(units):
                yield f"units {said}", replace(body, units=number)


def _deck(body: c.Deck) -> Iterator[Change]:
    for said, ranks in [*_swapped(body.ranks), *_dropped(body.ranks, 2)]:
        yield said, replace(body, ranks=ranks)
    for said, suits in _dropped(body.suits, 2):
        yield said, replace(body, suits=suits)
    for said, packs in _near(body.packs):
        yield f"packs {said}", replace(body, packs=packs)


def _players(body: c.Players) -> Iterator[Change]:
    for count in (body.count - 1, body.count + 1):
        yield f"players {body.count} => {count}", c.Players(count, tuple((i,) for i in range(count)))
    alone = tuple((i,) for i in range(body.count))
    if body.teams != alone:
        yield "every player alone", replace(body, teams=alone)
        half = body.count // 2
        yield (
            "neighbours together",
            replace(body, teams=(tuple(range(half)), tuple(range(half, body.count)))),
        )


def _modal(body: c.Modal[t.Expr], known: Words) -> Iterator[Change]:
    yield "may <=> may not", replace(body, allowed=not body.allowed)
    yield "player <=> opponent", replace(body, actor="opponent" if body.actor == "player" else "player")
    for said, verbs in _dropped(body.verbs, 1):
        yield said, replace(body, verbs=verbs)
    for said, phases in _dropped(body.phases, 0):
        yield f"in {said}", replace(body, phases=phases)
    for phase in known.phases:
        if phase not in body.phases:
            yield f"in {phase} added", replace(body, phases=(*body.phases, phase))
    for said, new in _maybe(body.when, known):
        yield said, replace(body, when=new)


def _phase(body: c.Phase[t.Expr], known: Words) -> Iterator[Change]:
    for i, line in enumerate(body.lines):
        rest = (*body.lines[:i], *body.lines[i + 1 :])
        if rest:
            yield f"line {i + 1} dropped", replace(body, lines=rest)
        for said, new in _line(line, known):
            yield f"line {i + 1}: {said}", replace(body, lines=(*body.lines[:i], new, *body.lines[i + 1 :]))


def _line(line: Line, known: Words) -> Iterator[tuple[str, Line]]:
    for said, then in _targets(line.then, known):
        yield said, replace(line, then=then)
    for said, when in _maybe(line.when, known):
        yield said, replace(line, when=when)
    if isinstance(line, c.Acts):
        yield "player <=> opponent", replace(line, actor="opponent" if line.actor == "player" else "player")
        for verb in VERBS:
            if verb not in (line.verb, "arrange"):
                yield f"{line.verb} => {verb}", replace(line, verb=verb)


def _targets(then: c.Target, known: Words) -> Iterator[tuple[str, c.Target]]:
    for phase in (*known.phases, "drawn"):
        if phase != then.phase:
            yield f"then {target(then)} => {phase}", replace(then, phase=phase)
    for seat in SEATS:
        if seat != then.seat:
            yield f"then {target(then)} => to {seat}", replace(then, seat=seat)
    origin: c.Origin = "given" if then.origin == "own" else "own"
    yield f"then {target(then)} => as {origin}", replace(then, origin=origin)
    if then.origin is not None:
        yield f"then {target(then)} => as before", replace(then, origin=None)


def _stake(line: c.Stake[t.Expr], known: Words) -> Iterator[tuple[str, c.Stake[t.Expr]]]:
    if line.units:
        for said, units in _near(line.units):
            yield f"units {said}", replace(line, units=units)
    for payer in PAYERS:
        if line.payer not in (None, payer):
            yield f"{line.payer} => {payer}", replace(line, payer=payer)
    if line.kind == "pays":
        yield "pot <=> winner", replace(line, payee="winner" if line.payee == "pot" else "pot")
    for said, when in _maybe(line.when, known):
        yield said, replace(line, when=when)


def _conditions(expr: t.Expr, known: Words) -> Iterator[tuple[str, t.Expr]]:
    yield from conditions.changes(expr, known.choices, known.defines)


def _maybe(expr: t.Expr | None, known: Words) -> Iterator[tuple[str, t.Expr | None]]:
    if expr is not None:
        yield "condition dropped", None
        yield from _conditions(expr, known)


def _near(number: int) -> Iterator[tuple[str, int]]:
    """One more and one less; a rule file's numbers begin with one."""
    yield f"{number} => {number + 1}", number + 1
    if number > 1:
        yield f"{number} => {number - 1}", number - 1


def _swapped(items: tuple[T, ...]) -> list[tuple[str, tuple[T, ...]]]:
    """Each two neighbours swapped."""
    return [
        (f"{items[i]} <=> {items[i + 1]}", (*items[:i], items[i + 1], items[i], *items[i + 2 :]))
        for i in range(len(items) - 1)
    ]


def _dropped(items: Sequence[T], least: int) -> list[tuple[str, tuple[T, ...]]]:
    """Each one left out, as long as enough are left."""
    if len(items) <= least:
        return []
    return [(f"{item} dropped", (*items[:i], *items[i + 1 :])) for i, item in enumerate(items)]
