"""Is there a legal meld of the card on offer? The act is left open; a model is an act, replayed before it is shown."""

from __future__ import annotations

from typing import NamedTuple

from conquian.engine.pack import bits
from conquian.engine.play import Event
from conquian.language.rules import RuleSet
from conquian.position import Position
from conquian.verifier.acts import Act, act_of, known
from conquian.verifier.circuits import Circuit
from conquian.verifier.deck import deck_of, required, typed_rules
from conquian.verifier.frame import Frame
from conquian.verifier.limits import Disagreement, Undecided
from conquian.verifier.solver import Solver


class SomeMeld(NamedTuple):
    """What holds together exactly if some meld of the card on offer is legal; by set that may lie: its truth."""

    solver: Solver
    facts: tuple[Circuit, ...]
    lies: dict[int, Circuit]


def legal_meld(position: Position, typed: RuleSet | None = None) -> Event | Undecided | None:
    """Some meld of the card on offer that is legal in a position with a recorded hand; None if there is none.

    Which of several it is can depend on what was asked before. Disagreement if the engine refuses it.
    """
    asked = some_meld(position, typed)
    if asked is None:
        return None
    found = asked.solver.can(asked.facts)
    if isinstance(found, Undecided):
        return found
    if not found:
        return None
    pack = position.rules.engine.pack
    new = asked.solver.model(asked.lies.values())
    melds = tuple(
        sorted(tuple(pack.names(pack.packed_of(meld))) for meld, truth in asked.lies.items() if truth in new)
    )
    event: Event = (position.holder, "melds", melds)
    if not position.can(event):
        raise Disagreement(f"the solver finds {event} legal, the engine does not")
    return event


def some_meld(position: Position, typed: RuleSet | None = None) -> SomeMeld | None:
    """The question whether some meld of the card on offer is legal; None where the order of play takes no meld."""
    act = _offer(position)
    if act is None:
        return None
    engine = position.rules.engine
    deck = deck_of(engine)
    cards = sum(act.before) | act.up | act.hand
    bare = deck.encoder(engine.program, Frame(cards, act.before, ()))
    candidates = tuple(bare.melds())
    encoder = deck.encoder(engine.program, Frame(cards, act.before, candidates))
    asked = [
        required(clause, act.verb, act.phase, act.bound)
        for clause in typed_rules(engine.program, typed).clauses
    ]
    clauses = [encoder.condition(node) for node in asked if node is not None]
    circuits, words, solver = encoder.circuits, encoder.words, deck.solver
    lies = {meld: words.lies("after", meld) for meld in candidates}
    layout: list[Circuit] = [circuits.any((-lies[meld], encoder.valid(meld))) for meld in candidates]
    for card in bits(cards):
        with_card = [truth for meld, truth in lies.items() if meld & card]
        laid = circuits.any(with_card)
        layout.append(-circuits.at_least(with_card, 2))
        layout.append(circuits.same(words.truth("used", card), laid) if card & act.hand else laid)
    facts = known(deck, act, (*clauses, *layout), engine.readings, ("used", "new"))
    elsewhere = cards & ~act.hand
    facts += tuple(-words.truth("used", card) for card in bits(elsewhere))
    return SomeMeld(solver, (*facts, *layout, *clauses), lies)


def _offer(position: Position) -> Act | None:
    """The moment of a meld: the table as it lies, the card on offer beside it."""
    holder, up = position.holder, position.up
    if holder is None or up is None:
        return None
    return act_of(position, (holder, "melds", (*position.table(holder), (up,))))
