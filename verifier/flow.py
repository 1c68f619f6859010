"""The order of play from typed clauses: what of it an event goes against. The twin of `conquian.engine.flow`.

Play stands in a phase, gives way to others, or is over. In a phase nothing happens but what its lines name; that is
what the clause of the phase asks. A phase that play comes to only because another gave way counts with it. An
*escape* is a set of clauses without which the order of play would take the event; one that is empty says that it
does. Conditions of lines are evaluated as circuits, without a solver.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from conquian.engine.facts import held
from conquian.engine.refusals import draw_clause
from conquian.language import clauses as c
from conquian.language import formula as f
from conquian.language.rules import Clause, RuleSet
from conquian.language.settled import uses
from conquian.position import Position
from conquian.verifier.acts import Act, Copies, known
from conquian.verifier.deck import Deck, deck_of
from conquian.verifier.frame import Frame

Line = c.Acts[f.Formula] | c.Otherwise[f.Formula] | c.AtOnce[f.Formula]
Escape = frozenset[str]
NOTHING: Escape = frozenset()
ORIGINS = ("own", "given", "starter")


@dataclass(frozen=True, slots=True)
class Place:
    """Where play stands: a phase, whose it is, and how the card came on offer."""

    phase: str
    seat: int
    origin: int


@dataclass(frozen=True, slots=True)
class Order:
    """How the order of play takes an event: the escapes, and the place whose clauses speak of the event.

    `place` is the one that takes it, else the last that play gives way to; None when the deal is over or not begun.
    """

    escapes: frozenset[Escape]
    place: Place | None


@dataclass(frozen=True, slots=True)
class After:
    """What the event leaves, where a line asks: cards in the player's hand, his melds, the card on offer."""

    hand: int
    table: tuple[int, ...] | None = None
    up: int | None = None


def order(position: Position, verb: c.Verb, seat: int, after: After, typed: RuleSet) -> Order:
    """What of the order of play an event goes against."""
    return _Reader(position, verb, seat, after, typed).read()


class _Reader:
    def __init__(self, position: Position, verb: c.Verb, seat: int, after: After, typed: RuleSet) -> None:
        self.position, self.verb, self.actor, self.after, self.typed = position, verb, seat, after, typed
        self.engine, self.state = position.rules.engine, position.state
        self.deck: Deck = deck_of(self.engine)
        self.lines: dict[str, list[tuple[Clause, Line]]] = {}
        for clause, phase in typed.bodies(c.Phase):
            self.lines.setdefault(phase.name, []).extend((clause, line) for line in phase.lines)
        allowing = [(clause, body) for clause, body in typed.bodies(c.Modal) if body.allowed]
        self.waits = {name for _, body in allowing for name in body.phases}
        self.regroups = [(clause, body) for clause, body in allowing if "arrange" in body.verbs]
        self.taken: Place | None = None
        self.last: Place | None = None

    def read(self) -> Order:
        engine, state = self.engine, self.state
        flow, program = engine.flow, engine.program
        info = flow.phase(state.at)
        if info is None:
            over = {flow.won: program.wins, flow.drawn: draw_clause(engine)}
            number = over.get(state.at, program.setup.get("exchange"))
            holding = NOTHING if number is None else frozenset({program.clauses[number].name})
            return Order(frozenset({holding} if holding else ()), None)
        here = Place(info.name, flow.seat(state.at), state.at % 3)
        found = frozenset(self._allows(here))
        if self.verb == "arrange":
            found = self._may_regroup(here, found)
        least = frozenset(x for x in found if not any(y < x for y in found))
        return Order(least, self.taken or self.last)

    # -- steps

    def _allows(self, here: Place) -> Iterator[Escape]:
        """The escapes of a phase that play is in, and of those it gives way to."""
        lines = self.lines[here.phase]
        self.last = here
        for _, line in lines:
            mine = isinstance(line, c.Acts) and line.verb == self.verb and self._is(line, here)
            if mine and self._holds(line.when, here, self.after):
                self.taken = self.taken or here
                yield NOTHING
        yield frozenset({lines[0][0].name})
        for _, line in lines:
            if isinstance(line, c.Otherwise) and self._holds(line.when, here):
                yield from self._enters(self._target(line.then, here))
                return

    def _enters(self, here: Place | None) -> Iterator[Escape]:
        if here is None:
            return
        lines = self.lines[here.phase]
        for clause, line in lines:
            if isinstance(line, c.AtOnce) and self._holds(line.when, here):
                yield from self._enters(self._target(line.then, here))
                last, taken = self.last, self.taken
                yield from (x | {clause.name} for x in self._stays(here))
                self.last, self.taken = last or here, taken
                return
        yield from self._stays(here)

    def _stays(self, here: Place) -> Iterator[Escape]:
        lines = self.lines[here.phase]
        waits = here.phase in self.waits or any(isinstance(line, c.Acts) for _, line in lines)
        if waits:
            yield from self._allows(here)
            return
        for _, line in lines:
            if isinstance(line, c.Otherwise) and self._holds(line.when, here):
                yield from self._enters(self._target(line.then, here))
                return

    def _may_regroup(self, here: Place, found: frozenset[Escape]) -> frozenset[Escape]:
        """The escapes of a regrouping: no line of a phase names it, a permission does."""
        mine = [place for place in self._rests(here) if place.seat == self.actor]
        if not mine:
            return found
        granting = frozenset({self.regroups[0][0].name}) if self.regroups else NOTHING
        escapes: set[Escape] = set()
        for place in mine:
            granted = any(
                place.phase in body.phases and self._holds(body.when, place) for _, body in self.regroups
            )
            bound = [clause.name for clause, _ in self.lines[place.phase] if clause.code is not None]
            if granted or granting:
                escapes.add((NOTHING if granted else granting) | frozenset(bound[:1]))
            if granted:
                self.taken = place
        return frozenset(escapes) or found

    def _rests(self, here: Place | None) -> Iterator[Place]:
        """The phases that play is in and gives way to, as the rules are."""
        while here is not None:
            lines = self.lines[here.phase]
            if here.phase in self.waits or any(isinstance(line, c.Acts) for _, line in lines):
                yield here
            then = next(
                (x.then for _, x in lines if isinstance(x, c.Otherwise) and self._holds(x.when, here)), None
            )
            here = None if then is None else self._settled(self._target(then, here))

    def _settled(self, here: Place | None) -> Place | None:
        while here is not None:
            at_once = [x for _, x in self.lines[here.phase] if isinstance(x, c.AtOnce)]
            then = next((x.then for x in at_once if self._holds(x.when, here)), None)
            if then is None:
                return here
            here = self._target(then, here)
        return None

    def _is(self, line: c.Acts[f.Formula], here: Place) -> bool:
        if line.actor == "player":
            return self.actor == here.seat
        return self.engine.team_of[self.actor] != self.engine.team_of[here.seat]

    def _target(self, target: c.Target, here: Place) -> Place | None:
        if target.phase not in self.lines:
            return None
        seats = {"player": here.seat, "next": (here.seat + 1) % self.engine.seats, "first": self.state.first}
        given = target.origin or (None if target.seat == "player" else "given")
        return Place(target.phase, seats[target.seat], here.origin if given is None else ORIGINS.index(given))

    # -- conditions

    def _holds(self, when: f.Formula | None, here: Place, after: After | None = None) -> bool:
        if when is None:
            return True
        act = self._moment(here, after) if uses(when, f.CardsVar, f.Melds) else self._bare(here, after)
        frame = Frame(sum(act.before) | act.up, act.before, ())
        circuit = self.deck.encoder(self.engine.program, frame).condition(when)
        facts = known(self.deck, act, (circuit,), self.engine.readings, ())
        return self.deck.circuits.value(circuit, {x for x in facts if x > 0})

    def _bare(self, here: Place, after: After | None) -> Act:
        left = held(self.engine, self.state, here.seat)
        if after is not None and here.seat == self.actor:
            left = after.hand
        return Act(
            verb="flow",
            phase=here.phase,
            bound=False,
            own=here.origin == 0,
            starter=here.origin == 2,
            before=(),
            after=(),
            up=0,
            used=0,
            hand=0,
            held=left,
            unknown=0,
            stock=self.state.stock,
            next_is_first=(here.seat + 1) % self.engine.seats == self.state.first,
        )

    def _moment(self, here: Place, after: After | None) -> Act:
        table, up = self.state.tables[here.seat], self.state.up
        if after is not None:
            mates = self.engine.team_of[here.seat] == self.engine.team_of[self.actor]
            table = after.table if after.table is not None and mates else table
            up = up if after.up is None else after.up
        copies = Copies(self.engine.pack)
        before = tuple(copies.take(meld) for meld in table)
        return replace(self._bare(here, after), before=before, up=copies.spare(up))
