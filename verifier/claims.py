"""The questions of certificates as scripts, each put to the solver before it is written down.

Every script is built from an empty deck, so that its text does not depend on what was asked before. Inside
`by_trial` it is answered by trying instead: so a script is made again, and decided again, without the solver.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from conquian.engine.play import Event
from conquian.language.rules import RuleSet
from conquian.position import Position
from conquian.verifier.acts import Question
from conquian.verifier.circuits import FALSE, Circuit
from conquian.verifier.deck import deck_of
from conquian.verifier.demands import demand_of, demand_question
from conquian.verifier.events import Asked, asked_of, asked_out_of_order
from conquian.verifier.expressions import TooLarge
from conquian.verifier.grounds import Fact, Ground
from conquian.verifier.layouts import layouts_of
from conquian.verifier.legal import some_meld
from conquian.verifier.limits import Disagreement, Undecided
from conquian.verifier.scripts import Found, Script, exported
from conquian.verifier.solver import Solver


def event_script(name: str, position: Position, event: Event, legal: bool, typed: RuleSet) -> Script | None:
    """Whether nothing forbids an event; None where unrecorded cards matter, or there is too much to write down."""
    deck_of(position.rules.engine).start_over()
    try:
        asked = forbidding(position, event, typed)
    except TooLarge:
        return None
    return _clauses(name, asked.question, legal) if asked.again.whole else None


def forbidding(position: Position, event: Event, typed: RuleSet) -> Asked:
    """An event as the question that `why` asks of it: with the order of play where the clauses on acts allow it."""
    asked = asked_of(position, event, typed)
    if asked.again.legal(frozenset()) and not position.can(event):
        return asked_out_of_order(position, event, typed)
    return asked


def demand_script(name: str, position: Position, event: Event, legal: bool, typed: RuleSet) -> Script | None:
    """Whether a demand is due; None where the order of play takes none."""
    deck_of(position.rules.engine).start_over()
    act = demand_of(position, event)
    try:
        return None if act is None else _clauses(name, demand_question(position, act, typed), legal)
    except TooLarge:
        return None


def some_meld_script(name: str, position: Position, exists: bool, typed: RuleSet) -> Script | None:
    """Whether the card on offer can be melded at all; None where no meld is taken, or the hand is not recorded."""
    holder = position.holder
    if holder is None or position.hand(holder)[1]:
        return None
    deck_of(position.rules.engine).start_over()
    try:
        asked = some_meld(position, typed)
    except TooLarge:
        return None
    return None if asked is None else _script(name, asked.solver, asked.facts, exists, {})


def layout_script(name: str, position: Position, cards: Sequence[str], exists: bool) -> Script:
    """Whether cards can be divided into melds."""
    engine = position.rules.engine
    packed = engine.pack.packed(cards)
    layouts = layouts_of(engine, packed)
    return _script(name, layouts.solver, layouts.facts(packed), exists, {})


def _clauses(name: str, asked: Question, legal: bool) -> Script:
    notes = {circuit: _told(ground) for ground, circuit in asked.clauses}
    shape = () if asked.sound else (FALSE,)
    return _script(name, asked.solver, (*asked.facts, *asked.asked, *shape), legal, notes)


def _told(ground: Ground) -> str:
    return ground.words if isinstance(ground, Fact) else f"clause {ground.name}"


def _script(
    name: str,
    solver: Solver,
    facts: Sequence[Circuit],
    claimed: bool,
    notes: Mapping[Circuit, str],
) -> Script:
    expected: Found = "sat" if claimed else "unsat"
    text = exported(solver.circuits, (*solver.constant, *facts), notes)
    found = solver.can(facts)
    if isinstance(found, Undecided):
        expected = "unknown"
    elif found != claimed:
        raise Disagreement(f"{name}: the engine says {claimed}, the solver {found}")
    return Script(name, text, expected)
