"""The order of play as the typed clauses have it, for all cards at once.

What a line asks of cards is not known here: such a line may hold or not, and both are followed. So every way that
play can go on is among those given; the engine's own table is one of them (a test compares the two).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from conquian.engine.shapes import compared
from conquian.language import clauses as c
from conquian.language import formula as f
from conquian.language.rules import Clause, RuleSet
from conquian.tongue import Saying
from conquian.verifier.proofs.under import Truth, known, settled, within

Line = c.Acts[f.Formula] | c.Otherwise[f.Formula] | c.AtOnce[f.Formula]


class TooMany(ValueError):
    """More moments of a deal than can be looked at; `said` tells of what."""

    def __init__(self, said: Saying) -> None:
        self.said = said
        super().__init__(said)


class Moment(NamedTuple):
    """A phase of play, whose it is and how the card came on offer; `drawn` and `won` are phases without lines."""

    phase: str
    seat: int
    origin: Literal["own", "given", "starter"]


WON = Moment("won", 0, "given")
DRAWN = Moment("drawn", 0, "given")


class Counts(NamedTuple):
    """Cards in the stock, and in the hand of one seat; None: not known."""

    stock: int | None
    seat: int = 0
    hand: int | None = None


class Move(NamedTuple):
    """An event that may be legal: who makes it, in which moment, where it leads before `at once` lines.

    `sure`: the order of play allows it whatever the cards are.
    """

    verb: c.Verb
    by_player: bool
    at: Moment
    then: Moment
    sure: bool
    clause: Clause


@dataclass(frozen=True, slots=True)
class _Phase:
    lines: tuple[tuple[Clause, Line], ...]
    acts: bool
    rests: bool
    passes: bool


class Flow:
    """The phases of one rule set under one choice of readings."""

    def __init__(self, rules: RuleSet, readings: Mapping[str, str]) -> None:
        players = rules.only(c.Players)
        self.seats = players.count
        self.team_of = [
            next(i for i, team in enumerate(players.teams) if s in team) for s in range(self.seats)
        ]
        waits = {name for _, body in rules.bodies(c.Modal) if body.allowed for name in body.phases}
        found: dict[str, list[tuple[Clause, Line]]] = {}
        for clause, body in rules.bodies(c.Phase):
            found.setdefault(body.name, []).extend((clause, _under(line, readings)) for line in body.lines)
        self.phases = {
            name: _Phase(
                tuple(lines),
                acts := any(isinstance(line, c.Acts) for _, line in lines),
                (ends := any(isinstance(line, c.Otherwise) for _, line in lines)) and (acts or name in waits),
                ends and not acts and name not in waits,
            )
            for name, lines in found.items()
        }
        opening = rules.only(c.Opening).then
        self.opening = Moment(
            opening.phase, 1 % self.seats if opening.seat == "next" else 0, opening.origin or "given"
        )
        self.bound = {name for name, phase in self.phases.items() if any(x.code for x, _ in phase.lines)}
        self.demands = {
            phase
            for _, body in rules.bodies(c.Modal)
            if body.allowed and "force" in body.verbs
            if settled(body.when or f.Always(True), readings) != f.Always(False)
            for phase in body.phases
        }
        """The phases in which some clause permits a demand under the readings."""
        self.fired: set[tuple[str, int]] = set()
        """Lines that were followed so far: the name of the clause, the number of the line in it."""
        self._number = {
            id(line): (clause.name, i)
            for phase in self.phases.values()
            for i, (clause, line) in enumerate(phase.lines)
        }

    @property
    def stock_asked(self) -> int:
        """The largest number that lines compare the stock with."""
        sizes = [0]
        for phase in self.phases.values():
            for _, line in phase.lines:
                for node in within(line.when or f.Always(True)):
                    match node:
                        case f.Compare(_, f.PlaceSize("stock"), f.Number(n)):
                            sizes.append(n)
                        case f.Compare(_, f.Number(n), f.PlaceSize("stock")):
                            sizes.append(n)
                        case _:
                            pass
        return max(sizes)

    @property
    def asks_hand(self) -> bool:
        """Whether some line asks how many cards a hand has."""
        return any(
            isinstance(node, f.PlaceSize) and node.place == "hand"
            for phase in self.phases.values()
            for _, line in phase.lines
            for node in within(line.when or f.Always(True))
        )

    def start(self, counts: Counts) -> set[Moment]:
        return self.enter(self.opening, counts)

    def enter(self, at: Moment, counts: Counts) -> set[Moment]:
        """Where play can stand the moment it comes there: `at once` lines followed, and phases that lead on."""
        found: set[Moment] = set()
        waiting, seen = [at], set()
        while waiting:
            here = waiting.pop()
            if here in seen:
                continue
            seen.add(here)
            phase = self.phases.get(here.phase)
            if phase is None:
                found.add(here)
                continue
            stays = True
            for _, line in phase.lines:
                if isinstance(line, c.AtOnce):
                    truth = self.truth(line.when, here, counts)
                    if truth is not False:
                        self.fired.add(self._number[id(line)])
                        waiting.append(self.target(line.then, here))
                    if truth:
                        stays = False
                        break
            if stays and phase.passes:
                waiting.extend(self._left(phase, here, counts))
            elif stays:
                found.add(here)
        return found

    def _left(self, phase: _Phase, here: Moment, counts: Counts) -> list[Moment]:
        found = []
        for _, line in phase.lines:
            if isinstance(line, c.Otherwise) and self.truth(line.when, here, counts) is not False:
                self.fired.add(self._number[id(line)])
                found.append(self.target(line.then, here))
        return found

    def closed(self, here: Moment, counts: Counts) -> list[Moment]:
        """Where a phase that rests gives way to, sorted."""
        phase = self.phases.get(here.phase)
        if phase is None or not phase.rests:
            return []
        return sorted({then for left in self._left(phase, here, counts) for then in self.enter(left, counts)})

    def moves(self, here: Moment, counts: Counts) -> list[Move]:
        """Every event that can be legal here, those of the phases included that this one gives way to."""
        found: list[Move] = []
        waiting, seen = [here], {here}
        while waiting:
            at = waiting.pop()
            phase = self.phases.get(at.phase)
            if phase is None:
                continue
            for clause, line in phase.lines:
                if not isinstance(line, c.Acts):
                    continue
                truth = self.truth(line.when, at, counts)
                if truth is not False and (line.verb != "force" or at.phase in self.demands):
                    self.fired.add(self._number[id(line)])
                    then = self.target(line.then, at)
                    sure = truth is True and len(seen) == 1
                    found.append(Move(line.verb, line.actor == "player", at, then, sure, clause))
            for then in self.closed(at, counts):
                if then not in seen:
                    seen.add(then)
                    waiting.append(then)
        return found

    def target(self, then: c.Target, here: Moment) -> Moment:
        if then.phase == "drawn":
            return DRAWN
        seat = {"player": here.seat, "next": (here.seat + 1) % self.seats, "first": 0}[then.seat]
        origin = then.origin or (here.origin if then.seat == "player" else "given")
        return Moment(then.phase, seat, origin)

    def truth(self, when: f.Formula | None, here: Moment, counts: Counts) -> Truth:
        def fact(node: f.Formula) -> Truth:
            match node:
                case f.Flag("own"):
                    return here.origin == "own"
                case f.Flag("starter"):
                    return here.origin == "starter"
                case f.NextIsFirst():
                    return (here.seat + 1) % self.seats == 0
                case f.Compare(operator, f.PlaceSize(place), f.Number(n)):
                    hand = counts.hand if counts.seat == here.seat else None
                    size = counts.stock if place == "stock" else hand
                    return None if size is None else compared(operator, size, n)
                case _:
                    return None

        return True if when is None else known(when, fact)


def _under(line: Line, readings: Mapping[str, str]) -> Line:
    return c.with_condition(line, settled(line.when or f.Always(True), readings))
