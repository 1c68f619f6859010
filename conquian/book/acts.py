"""Acts that one clause alone forbids, permits or demands: the smallest that the solver finds, judged by the engine.

Guarantees: an example stands in a position that can be laid, and the engine gives the clause as the reason, or judges
otherwise once the clause is left out. What the solver gives up is no example, and never said not to exist.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from conquian.book.example import Example, chosen, deciding, judged, under, without
from conquian.engine.play import Event
from conquian.language import clauses as c
from conquian.language.rules import Clause, RuleSet
from conquian.position import BadPosition, Position, Rules, Table
from conquian.verifier.limits import Undecided
from conquian.verifier.proofs.cases import Case, Cases
from conquian.verifier.proofs.game import Game
from conquian.verifier.proofs.matter import deciding_case, questions
from conquian.verifier.proofs.under import choices

SIZES = (4, 5, 6, 7, 8, 10, 12)
"""How many cards of the player, the one on offer among them, one search after the other may use."""
MOST = SIZES[-1]
HURRY = 40
"""Which part of the budget the searches for a small table may spend each."""
CHOICES = 12
"""How many choices of readings are tried for one clause."""


class Acts:
    """Looks for acts under one rule set."""

    def __init__(self, typed: RuleSet, rules: Rules, budget: int) -> None:
        self.typed, self.rules = typed, rules
        self.game = Game(typed, rules.engine, budget)
        self.cases = Cases(self.game, few=True)

    def of(self, clause: Clause) -> Example | None:
        """An act that this clause decides, under the readings of the book if there is one, else under others."""
        asked = frozenset[str]().union(*(x for _, _, x in questions(self.game, clause)))
        options = choices(asked, self.typed.readings, self.rules.readings, CHOICES)
        whole = [{**self.rules.readings, **readings} for readings in options]
        # Left open at last: another clause may speak of every such act unless its own readings are chosen otherwise.
        for readings in (*whole, *options):
            second: Example | None = None
            for case in self._smallest(clause, readings):
                found = self._judged(clause, case)
                if found is not None and found.decides:
                    return found
                second = second or found
            if second is not None:
                return second
        return None

    def _judged(self, clause: Clause, case: Case) -> Example | None:
        """The case in a position that can be laid, under the readings of the book if the clause speaks there too."""
        second: Example | None = None
        for readings in (self.rules.readings, case.readings):
            rules = chosen(self.rules, readings)
            less = without(self.typed, rules, clause.name)
            for example in _laid(case, rules, less):
                if _speaks(clause, example, rules):
                    told = under(example, readings, self.rules.readings)
                    if example.decides:
                        return told
                    second = second or told
        return second

    def _smallest(self, clause: Clause, readings: dict[str, str]) -> Iterator[Case]:
        """A case of each kind of act and phase, those with few cards first."""
        open_ = []
        self.cases.most_own = MOST
        for verb, phases, _ in questions(self.game, clause):
            for phase in phases:
                if isinstance(self._case(clause, verb, phase, readings), Case):
                    open_.append((verb, phase))
        for most in SIZES:
            # A small table is a kindness to the reader; none is worth a long search.
            with self.cases.board.deck.solver.within(self.game.budget // (1 if most == MOST else HURRY)):
                self.cases.most_own = most
                found = [((verb, phase), self._case(clause, verb, phase, readings)) for verb, phase in open_]
            for one, case in found:
                if isinstance(case, Case):
                    open_.remove(one)
                    yield case

    def _case(
        self, clause: Clause, verb: c.Verb, phase: str, readings: dict[str, str]
    ) -> Case | Undecided | None:
        board, circuits = self.cases.board, self.cases.board.circuits
        more = []
        if verb in ("meld", "arrange"):
            # An act that lays nothing anew shows nothing.
            more = [circuits.any(circuits.all((board.new(m), -board.old(m))) for m in board.melds)]
        return deciding_case(self.cases, clause, verb, phase, readings, more)


def _speaks(clause: Clause, example: Example, rules: Rules) -> bool:
    """Whether the clause is what the engine judges by."""
    permits = isinstance(clause.body, c.Modal) and clause.body.allowed
    if permits:
        return example.refusal is None and example.decides
    return example.refusal is not None and (
        example.decides or deciding(rules, example.refusal) == clause.name
    )


# ---- a case as a position


def _laid(case: Case, rules: Rules, less: Rules | None) -> Iterator[Example]:
    """The case in positions that can be laid, with its event judged there."""
    pack = rules.engine.pack

    def names(cards: int) -> tuple[str, ...]:
        return tuple(pack.names(pack.packed_of(cards)))

    words = case.words
    table = tuple(sorted(names(meld) for meld in words["before"]))
    after = tuple(sorted(names(meld) for meld in words["after"]))
    hand, up = names(words["hand"]), "".join(names(words["up"])[:1])
    free = [card for card in pack.cards if card not in {up, *hand, *(x for meld in table for x in meld)}]
    event: Event
    match case.verb:
        case "meld":
            event = ("me", "melds", after)
        case "arrange":
            event = ("me", "arranges", () if after == table else after)
        case "discard":
            event = ("me", "discards", names(words["thrown"])[0])
        case "turn":
            event = ("me", "turns", free[0])
        case "pass":
            event = ("me", "passes")
        case "force":
            event = ("opponent", "forces")
            if words["named"]:
                event = (*event, free[0], table[0] if table else tuple(free[-3:]))
    for start, way in _ways(table, hand, up, free):
        for own in dict.fromkeys((bool(words["own"]), False, True)):
            here = start.played(rules, own, way)
            if here is not None:
                other = None if less is None else start.played(less, own, way)
                yield judged(here, event, "solver", way, other)


@dataclass(frozen=True, slots=True)
class _Start:
    """Cards that are laid: a table, a hand, and a card on offer."""

    up: str
    table: Table
    hand: tuple[str, ...]

    def played(self, rules: Rules, own: bool, way: Sequence[Event]) -> Position | None:
        """The position after some events; None where it cannot be laid or one of them is not legal."""
        try:
            here = rules.position(
                up=self.up, table=self.table, hand=self.hand, turned_by="me" if own else None
            )
        except BadPosition:
            return None
        for event in way:
            if not here.can(event):
                return None
            here = here.apply(event)
        return here


def _ways(
    table: Table, hand: tuple[str, ...], up: str, free: Sequence[str]
) -> Iterator[tuple[_Start, tuple[Event, ...]]]:
    """Positions from which play may come to an act with this table and hand, and how."""
    demand: Event = ("opponent", "forces")
    passed: Event = ("me", "passes")
    for offered in [up] if up else list(free[:1]):
        for way in ((), (demand,), (passed,), (passed, demand)):
            yield _Start(offered, table, hand), way
    for meld in table if not up else ():
        rest = tuple(x for x in table if x is not meld)
        yield _Start(meld[0], rest, (*hand, *meld[1:])), (("me", "melds", table),)
