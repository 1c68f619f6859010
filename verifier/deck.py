"""One long-lived solver for each deck, shared by all rule sets that are played with it.

Conditions are built once for each rule set and frame. Rule set, readings and position come in as assumptions, so
nothing is built anew when they change. Frames of acts are small and many, and what the solver holds it has to settle
in every answer; so after `FRAMES` of them a deck starts over with an empty solver, which changes no answer.
"""

from __future__ import annotations

from functools import lru_cache
from typing import assert_never

from conquian.engine.engine import Engine
from conquian.engine.melds import Melds
from conquian.engine.pack import Pack
from conquian.engine.program import Program
from conquian.language import clauses as c
from conquian.language import formula as f
from conquian.language.rules import Clause, RuleSet
from conquian.verifier.circuits import Circuit, Circuits
from conquian.verifier.expressions import Encoder
from conquian.verifier.frame import Frame, Words
from conquian.verifier.limits import BUDGET
from conquian.verifier.solver import Solver

FRAMES = 40
"""How many frames a deck keeps."""


class Deck:
    """The cards of a rule set with the solver that reasons about them."""

    def __init__(self, pack: Pack) -> None:
        self.pack = pack
        self.start_over()

    def start_over(self) -> None:
        self.circuits = Circuits()
        self.words = Words(self.circuits, self.pack)
        self.solver = Solver(self.circuits, BUDGET)
        self._encoders: dict[tuple[str, str, Frame], Encoder] = {}
        self._variables: dict[tuple[Circuit, ...], tuple[int, ...]] = {}

    def encoder(self, program: Program, frame: Frame) -> Encoder:
        """The conditions of a rule set over a frame."""
        key = (program.name, program.digest, frame)
        found = self._encoders.get(key)
        if found is None:
            if len(self._encoders) >= FRAMES:
                self.start_over()
            tables = [(self._under(key), melds) for key, melds in _tables(program).tables]
            found = Encoder(self.circuits, self.words, frame, program.goal, tables)
            self._encoders[key] = found
        return found

    def variables(self, roots: tuple[Circuit, ...]) -> tuple[int, ...]:
        """The truths that some circuits rest on."""
        found = self._variables.get(roots)
        if found is None:
            names = self.circuits.names
            found = self._variables[roots] = tuple(x for x in self.circuits.under(roots, set()) if x in names)
        return found

    def _under(self, key: str) -> Circuit:
        return self.circuits.all(self.circuits.variable(part) for part in key.split(",") if part)


@lru_cache(maxsize=64)
def _deck(cards: tuple[str, ...], copies: int) -> Deck:
    return Deck(Pack(cards, copies))


def deck_of(engine: Engine) -> Deck:
    """The deck that a rule set is played with."""
    return _deck(engine.program.cards, engine.program.copies)


class _Tables:
    """The tables of melds of a rule set, by the readings under which they hold, and the frame with all of them."""

    def __init__(self, program: Program) -> None:
        self.program = program
        pack = _deck(program.cards, program.copies).pack
        self.tables = [(key, Melds(pack, shapes, program.ends)) for key, shapes in program.melds.items()]
        melds = tuple(sorted(frozenset().union(*(melds.packed for _, melds in self.tables))))
        self.whole = Frame(pack.everything, melds, melds)


_TABLES: dict[int, _Tables] = {}


def _tables(program: Program) -> _Tables:
    found = _TABLES.get(id(program))
    if found is None or found.program is not program:
        found = _TABLES[id(program)] = _Tables(program)
    return found


def whole(program: Program) -> Frame:
    """The frame of a deck without copies: every meld may lie before and after."""
    return _tables(program).whole


def required(clause: Clause, verb: str, phase: str, bound: bool) -> f.Formula | None:
    """What a clause asks of an event of the player to act in a phase of play; None if it does not speak of it.

    `bound`: the player has to meld the card on offer. Other modules read the kinds of clause that are passed over:
    `flow` the phases, `demands` what opponents may, `set_up` pack, players, dealing and winning; shapes, goal and
    order are in the tables of melds. Stakes, sessions and dealers are about the time between deals.
    """
    match clause.body:
        case c.Modal("player", False, verbs, phases, when):
            if verb in verbs and (not phases or phase in phases):
                return f.negated(when or f.Always(True))
        case c.Must(where):
            if verb == "meld" and bound:
                return where
        case c.Modal() | c.Phase() | c.Opening() | c.Exchange():
            pass
        case c.Players() | c.Deck() | c.Dealing() | c.Starter() | c.Wins():
            pass
        case c.Shape() | c.Order() | c.Goal():
            pass
        case c.DealerStays() | c.Cut() | c.Stakes() | c.Session():
            pass
        case _:
            assert_never(clause.body)
    return None


def typed_rules(program: Program, typed: RuleSet | None) -> RuleSet:
    """The typed rules of a program: as given, or those of the shipped set of that name."""
    if typed is None:
        typed = _shipped(program.name)
    if [x.name for x in typed.clauses] != [x.name for x in program.clauses]:
        raise ValueError(f"these are not the rules of {program.name}")
    return typed


@lru_cache(maxsize=32)
def _shipped(name: str) -> RuleSet:
    from conquian.language.build import load

    return load(name)
