"""Any event as a question: what the order of play, the clauses on it and the places of cards ask of it.

An event in order whose cards lie where it takes them from is asked about as `conquian.verifier.acts` and `demands`
have it. Of any other the order of play is one more thing that is asked (`conquian.verifier.flow`), and so is every
place where a card would have to be; its clauses are asked as if it were due. With each question comes the way to
decide it again without the solver, from the engine's own functions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from conquian.engine.facts import arguments, held
from conquian.engine.pack import Pack
from conquian.engine.play import Event
from conquian.engine.program import Verb
from conquian.engine.refusals import VERBS
from conquian.language import clauses as c
from conquian.language import formula as f
from conquian.language.rules import Clause, RuleSet
from conquian.position import Position
from conquian.verifier.acts import (
    Act,
    Copies,
    Question,
    act_of,
    act_out_of_order,
    known,
    left_by,
    question,
)
from conquian.verifier.circuits import FALSE, TRUE, Circuit
from conquian.verifier.deck import deck_of, required
from conquian.verifier.demands import demand_of, demand_out_of_order, demand_question
from conquian.verifier.exhaustion import broken
from conquian.verifier.flow import NOTHING, After, Escape, Place, order
from conquian.verifier.frame import Frame
from conquian.verifier.grounds import Again, Ground, Pair
from conquian.verifier.limits import Disagreement
from conquian.verifier.places import Places, named
from conquian.verifier.walking import escapes

Ways = tuple[frozenset[str], ...]
"""By way to read an event: the names of the clauses on it that it breaks."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, and what decides it again."""

    question: Question
    again: Again


def asked_of(position: Position, event: Event, typed: RuleSet) -> Asked:
    """An event as a question."""
    act = act_of(position, event)
    if act is not None:
        whole = not (act.unknown and position.rules.engine.program.asks_hand)
        ways = broken(position, act)
        return Asked(
            question(position, act, typed), Again(lambda dropped: any(w <= dropped for w in ways), whole)
        )
    return _Event(position, event, typed).asked()


def asked_out_of_order(position: Position, event: Event, typed: RuleSet) -> Asked:
    """The same for any event, with the order of play as one of the things that are asked."""
    return _Event(position, event, typed).asked()


class _Event:
    def __init__(self, position: Position, event: Event, typed: RuleSet) -> None:
        self.position, self.event, self.typed = position, event, typed
        self.engine, self.state = position.rules.engine, position.state
        self.pack: Pack = self.engine.pack
        self.seat = position.players.index(event[0])
        self.verb: Verb | None = VERBS.get(event[1])
        self.clauses = {clause.name: clause for clause in typed.clauses}
        self.foreign = [card for card in named(event) if card not in self.pack.unit]
        self.places = Places(position, event)
        self.twice = self.places.twice()

    def asked(self) -> Asked:
        facts = [*self.places.nowhere(), *([] if self.foreign else self.places.facts())]
        if self.verb is None:
            pairs = [*self._structure(), *((fact, FALSE) for fact in facts)]
            return self._joined(None, pairs, (frozenset(),), frozenset({NOTHING}), True)
        after = self._after()
        due = order(self.position, self.verb, self.seat, after, self.typed)
        walked = escapes(self.position, self.verb, self.seat, after)
        if walked != due.escapes:
            raise Disagreement(
                f"{self.event}: the order of play takes it without {_sets(due.escapes)} by the clauses, "
                f"without {_sets(walked)} by the engine"
            )
        pairs = [*self._structure(), *((fact, FALSE) for fact in facts)]
        found: Question | None = None
        ways: Ways = (frozenset(),)
        whole = True
        if not self.foreign and due.place is not None:
            found, ways, whole = self._clauses(due.place)
        return self._joined(found, pairs, ways, due.escapes, whole)

    def _joined(
        self,
        found: Question | None,
        pairs: Sequence[Pair],
        ways: Ways,
        order: frozenset[Escape],
        whole: bool,
    ) -> Asked:
        """Everything that is asked, as one question; what one ground asks twice is one thing."""
        if found is None:
            deck = deck_of(self.engine)
            found = Question(deck.solver, deck.words, Frame(0, (), ()), (), (), True)
        circuits = found.words.circuits
        grounds: dict[str, Ground] = {}
        asks: dict[str, list[Circuit]] = {}
        for ground, circuit in (*found.clauses, *pairs):
            grounds.setdefault(ground.name, ground)
            asks.setdefault(ground.name, []).append(circuit)
        hard: tuple[Circuit, ...] = ()
        if NOTHING not in order:
            names = sorted(frozenset().union(*order))
            for name in names:
                grounds.setdefault(name, self.clauses[name])
                asks.setdefault(name, []).append(circuits.variable(f"keep:{name}"))
            hard = (
                circuits.any(
                    circuits.all(-circuits.variable(f"keep:{name}") for name in escape) for escape in order
                ),
            )
        clauses = tuple((grounds[name], circuits.all(asks[name])) for name in grounds)
        asked = Question(found.solver, found.words, found.frame, (*found.facts, *hard), clauses, found.sound)
        refused = frozenset(ground.name for ground, circuit in pairs if circuit == FALSE)

        def legal(dropped: frozenset[str]) -> bool:
            taken = any(escape <= dropped for escape in order)
            return taken and refused <= dropped and any(way <= dropped for way in ways)

        return Asked(asked, Again(legal, whole))

    # -- what the order of play may ask for

    def _after(self) -> After:
        state, left = self.state, held(self.engine, self.state, self.seat)
        match self.verb:
            case "discard":
                return After(left - 1, up=0 if self.foreign else self.pack.unit[self.event[2]])
            case "turn":
                return After(left, up=0 if self.foreign else self.pack.unit[self.event[2]])
            case "meld" if not self.foreign:
                table = left_by(self.pack, "meld", state.tables[self.seat], self.event[2])
                new = max(self.pack.count(sum(table)) - self.pack.count(sum(state.tables[self.seat])) - 1, 0)
                return After(max(left - new, 0), table)
            case _:
                return After(left)

    # -- what an event needs before it can be asked about

    def _structure(self) -> Iterator[Pair]:
        """Clauses that an event breaks by what it lists, wherever cards lie and whoever is due."""
        setup, program = self.engine.program.setup, self.engine.program
        if (self.foreign or self.twice) and "pack" in setup:
            yield self.clauses[program.clauses[setup["pack"]].name], FALSE
        if self.foreign:
            return
        if self.event[1] == "gives":
            if self._gift_refused():
                yield self.clauses[program.clauses[setup["exchange"]].name], FALSE
            return
        if self.verb not in ("meld", "arrange") or self.twice:
            return
        table, listed = self.state.tables[self.seat], self.event[2]
        after = left_by(self.pack, self.verb, table, listed)
        if not all(listed) or not self.pack.contains(sum(after), sum(table)):
            found = next((x for x in self.typed.clauses if x.code == "invalid-meld"), None)
            if found is not None:
                yield found, FALSE
        elif self.verb == "arrange" and self.pack.minus(sum(after), sum(table)):
            for clause, body in self.typed.bodies(c.Modal):
                if body.allowed and "arrange" in body.verbs:
                    yield clause, FALSE
                    return

    def _gift_refused(self) -> bool:
        state, program, flow = self.state, self.engine.program, self.engine.flow
        receiver = (self.seat + program.exchange[1]) % self.engine.seats
        due = state.at == flow.unstarted and bool(state.gifts[self.seat])
        return not due or self.position.players[receiver] != self.event[3]

    # -- the clauses that speak of the event

    def _clauses(self, place: Place) -> tuple[Question | None, Ways, bool]:
        engine, position = self.engine, self.position
        number = next(i for i, phase in enumerate(engine.program.phases) if phase.name == place.phase)
        at = engine.flow.state(number, place.seat, place.origin)
        nothing: Ways = (frozenset(),)
        match self.verb:
            case "meld" | "arrange":
                act = act_of(position, self.event) or act_out_of_order(position, self.event, at)
                if act is None:
                    return None, nothing, True
                whole = not (act.unknown and engine.program.asks_hand)
                return question(position, act, self.typed), broken(position, act), whole
            case "force":
                act = demand_of(position, self.event) or demand_out_of_order(position, self.event, at)
                asked = demand_question(position, act, self.typed)
                return asked, (broken_by_demand(position, act, asked),), True
            case "turn" | "pass" | "discard":
                return self._plain(self.verb, place, at, number)
            case _:
                return None, nothing, True

    def _plain(self, verb: Verb, place: Place, at: int, number: int) -> tuple[Question | None, Ways, bool]:
        """A turn, a pass or a discard: what is forbidden of it in the phase."""
        engine, state = self.engine, self.state
        card = self.pack.unit[self.event[2]] if verb == "discard" else state.up
        args = arguments(engine, state, verb, self.seat, at, card)
        against = frozenset(
            engine.program.clauses[rule.clause].name for rule in engine.forbidding(verb, number, args)
        )
        wanted = [(clause, required(clause, verb, place.phase, False)) for clause in self.typed.clauses]
        asks = [(clause, node) for clause, node in wanted if node is not None]
        if not asks:
            return None, (against,), True
        act = plain_act(self.position, verb, self.seat, at, place.phase, card)
        deck = deck_of(engine)
        cards = sum(act.before) | act.up | act.hand | act.thrown
        encoder = deck.encoder(engine.program, Frame(cards, act.before, ()))
        pairs: list[Pair] = []
        whole = True
        for clause, node in asks:
            if act.unknown and _asks_hand(node):
                # What unrecorded cards could change is the engine's to say: it refuses only what is wrong in any case.
                whole = False
                pairs.append((clause, FALSE if clause.name in against else TRUE))
            else:
                pairs.append((clause, encoder.condition(node)))
        roots = tuple(circuit for _, circuit in pairs)
        facts = known(deck, act, roots, engine.readings, ())
        asked = Question(deck.solver, deck.words, encoder.frame, facts, tuple(pairs), True)
        return asked, (against,), whole


def plain_act(position: Position, verb: Verb, seat: int, at: int, phase: str, card: int) -> Act:
    """A turn, a pass or a discard with the cards that its clauses can ask for."""
    engine, state, pack = position.rules.engine, position.state, position.rules.engine.pack
    copies = Copies(pack)
    before = tuple(copies.take(meld) for meld in state.tables[seat])
    up = copies.spare(state.up) if verb == "pass" else 0
    thrown = copies.spare(card) if verb == "discard" else 0
    hand = copies.take(state.hands[seat])
    return Act(
        verb=verb,
        phase=phase,
        bound=False,
        own=at % 3 == 0,
        starter=at % 3 == 2,
        before=before,
        after=(),
        up=up,
        used=0,
        hand=hand,
        held=held(engine, state, seat),
        unknown=state.unknown[seat],
        stock=state.stock,
        thrown=thrown,
    )


def broken_by_demand(position: Position, act: Act, asked: Question) -> frozenset[str]:
    """The clauses on demands that a demand breaks, by the engine; the permissions go by the name of one."""
    engine = position.rules.engine
    number = next(i for i, phase in enumerate(engine.program.phases) if phase.name == act.phase)
    args = (act.before, act.up, act.own, act.starter, act.named, act.said, act.onto, act.stock)
    against = {engine.program.clauses[r.clause].name for r in engine.forbidding("force", number, args)}
    if not engine.allowed("force", number, args):
        against |= {g.name for g, _ in asked.clauses if isinstance(g, Clause) and permits(g)}
    return frozenset(against)


def permits(clause: Clause) -> bool:
    """Whether a clause says what may be done that no phase grants by itself."""
    return isinstance(clause.body, c.Modal) and clause.body.allowed


def _asks_hand(node: f.Formula | f.Cards | f.Melds | f.Quantity) -> bool:
    return (isinstance(node, f.CardsVar) and node.name == "hand") or any(_asks_hand(x) for x in f.parts(node))


def _sets(found: frozenset[Escape]) -> str:
    return " or ".join(sorted("{" + ", ".join(sorted(x)) + "}" for x in found)) or "nothing"
