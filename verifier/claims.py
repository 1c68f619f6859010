"""The questions of certificates as scripts, each put to the solver before it is written down.

Every script is built from an empty deck, so that its text does not depend on what was asked before. With `ask`
False nothing is put to the solver, which then is not even loaded: so a script is made again to compare it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from conquian.engine.play import Event
from conquian.language.rules import RuleSet
from conquian.position import Position
from conquian.verifier.acts import Question, act_of, question
from conquian.verifier.circuits import FALSE, Circuit
from conquian.verifier.deck import deck_of
from conquian.verifier.demands import demand_of, demand_question
from conquian.verifier.layouts import layouts_of
from conquian.verifier.legal import some_meld
from conquian.verifier.limits import Disagreement, Undecided
from conquian.verifier.scripts import Found, Script, exported
from conquian.verifier.solver import Solver


def act_script(
    name: str, position: Position, event: Event, legal: bool, typed: RuleSet, *, ask: bool = True
) -> Script | None:
    """Whether no clause forbids a meld or a regrouping; None for events that the order of play decides alone."""
    deck_of(position.rules.engine).start_over()
    act = act_of(position, event)
    return None if act is None else _clauses(name, question(position, act, typed), legal, ask)


def demand_script(
    name: str, position: Position, event: Event, legal: bool, typed: RuleSet, *, ask: bool = True
) -> Script | None:
    """Whether a demand is due; None where the order of play takes none."""
    deck_of(position.rules.engine).start_over()
    act = demand_of(position, event)
    return None if act is None else _clauses(name, demand_question(position, act, typed), legal, ask)


def some_meld_script(
    name: str, position: Position, exists: bool, typed: RuleSet, *, ask: bool = True
) -> Script | None:
    """Whether the card on offer can be melded at all; None where no meld is taken, or the hand is not recorded."""
    holder = position.holder
    if holder is None or position.hand(holder)[1]:
        return None
    deck_of(position.rules.engine).start_over()
    asked = some_meld(position, typed)
    return None if asked is None else _script(name, asked.solver, asked.facts, exists, {}, ask)


def layout_script(
    name: str, position: Position, cards: Sequence[str], exists: bool, *, ask: bool = True
) -> Script:
    """Whether cards can be divided into melds."""
    engine = position.rules.engine
    packed = engine.pack.packed(cards)
    layouts = layouts_of(engine, packed)
    return _script(name, layouts.solver, layouts.facts(packed), exists, {}, ask)


def _clauses(name: str, asked: Question, legal: bool, ask: bool) -> Script:
    notes = {circuit: f"clause {clause.name}" for clause, circuit in asked.clauses}
    shape = () if asked.sound else (FALSE,)
    return _script(name, asked.solver, (*asked.facts, *asked.asked, *shape), legal, notes, ask)


def _script(
    name: str,
    solver: Solver,
    facts: Sequence[Circuit],
    claimed: bool,
    notes: Mapping[Circuit, str],
    ask: bool,
) -> Script:
    expected: Found = "sat" if claimed else "unsat"
    text = exported(solver.circuits, (*solver.constant, *facts), notes)
    if ask:
        found = solver.can(facts)
        if isinstance(found, Undecided):
            expected = "unknown"
        elif found != claimed:
            raise Disagreement(f"{name}: the engine says {claimed}, the solver {found}")
    return Script(name, text, expected)
