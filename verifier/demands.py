"""A demand as a question: what the clauses on demands ask of the table and the card on offer.

A demand is legal if some permission that names the phase holds and no prohibition does. The permissions are one
condition, cited by the one that a verdict would name.
"""

from __future__ import annotations

from conquian.engine.demands import permission
from conquian.engine.facts import closed_once
from conquian.engine.play import Event
from conquian.language import clauses as c
from conquian.language import formula as f
from conquian.language.rules import Clause, RuleSet
from conquian.position import Position
from conquian.verifier.acts import Act, Copies, Question, known
from conquian.verifier.circuits import FALSE, Circuit
from conquian.verifier.deck import deck_of, typed_rules
from conquian.verifier.frame import Frame
from conquian.verifier.grounds import Pair


def demand_of(position: Position, event: Event) -> Act | None:
    """The moment that a demand is about; None where the order of play takes no demand of this player."""
    engine, state = position.rules.engine, position.state
    by, at = position.players.index(event[0]), position.state.at
    while True:
        phase = engine.flow.phase(at)
        if phase is None:
            return None
        seat = engine.flow.seat(at)
        takes = any(line.verb == "force" and line.kind == "acts" for line in phase.lines)
        if takes and engine.team_of[by] != engine.team_of[seat]:
            break
        if not phase.rests:
            return None
        at = closed_once(engine, state, at)
    return demand_out_of_order(position, event, at)


def demand_out_of_order(position: Position, event: Event, at: int) -> Act:
    """The same as if the demand were on the player of a state of the order of play."""
    engine, state, pack = position.rules.engine, position.state, position.rules.engine.pack
    seat = engine.flow.seat(at)
    name = engine.program.phases[at // 3 // engine.seats].name
    copies = Copies(pack)
    table = state.tables[seat]
    before = tuple(copies.take(meld) for meld in table)
    up = copies.take(state.up)
    named = len(event) > 2
    said = up if named and pack.unit[event[2]] == state.up else 0
    onto = pack.packed(event[3]) if named else 0
    return Act(
        verb="force",
        phase=name,
        bound=False,
        own=at % 3 == 0,
        starter=at % 3 == 2,
        before=before,
        after=(),
        up=up,
        used=0,
        hand=0,
        held=0,
        unknown=0,
        stock=state.stock,
        named=named,
        said=said,
        onto=before[table.index(onto)] if onto in table else 0,
        seat=seat,
    )


def demand_question(position: Position, act: Act, typed: RuleSet | None = None) -> Question:
    """Whether a demand is due: facts, the permissions as one clause, and each prohibition."""
    engine = position.rules.engine
    deck = deck_of(engine)
    frame = Frame(sum(act.before) | act.up, act.before, ())
    encoder = deck.encoder(engine.program, frame)
    allowing: list[tuple[Clause, Circuit]] = []
    against: list[Pair] = []
    permits: list[Clause] = []
    for clause in typed_rules(engine.program, typed).clauses:
        match clause.body:
            case c.Modal("opponent", allowed, ("force",), phases, when):
                circuit = encoder.condition(when or f.Always(True))
                if allowed:
                    permits.append(clause)
                if allowed and act.phase in phases:
                    allowing.append((clause, circuit))
                elif not allowed and (not phases or act.phase in phases):
                    against.append((clause, -circuit))
            case _:
                pass
    granted: list[Pair] = []
    if permits:
        named = _named(position, act, permits, [one for one, _ in allowing if isinstance(one, Clause)])
        granted = [(named, deck.circuits.any(x for _, x in allowing) if allowing else FALSE)]
    clauses = (*granted, *against)
    facts = known(deck, act, tuple(circuit for _, circuit in clauses), engine.readings, ())
    return Question(deck.solver, deck.words, frame, facts, clauses, bool(allowing))


def _named(position: Position, act: Act, permits: list[Clause], here: list[Clause]) -> Clause:
    """The permission that stands for all: the one of the phase where it holds, else the one that a verdict names."""
    engine = position.rules.engine
    number = next(i for i, phase in enumerate(engine.program.phases) if phase.name == act.phase)
    args = (act.before, act.up, act.own, act.starter, act.named, act.said, act.onto, act.stock)
    if here and engine.allowed("force", number, args):
        return here[0]
    at = engine.flow.state(number, act.seat, 0 if act.own else 2 if act.starter else 1)
    index = permission(engine, position.state, at)
    name = None if index is None else engine.program.clauses[index].name
    return next((clause for clause in permits if clause.name == name), (here or permits)[0])
