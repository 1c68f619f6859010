"""Why an act on the table is refused: the fewest clauses that forbid it, the cards these need, what would help.

Of several smallest sets the one with the most ordinary clauses is named: those whose codes stand early in the
contract's table; clauses of house rules come last. Every answer is asked again of a fresh solver, and decided
by exhaustive search with the engine's own clauses; Disagreement if one of them says otherwise. The answer does not
depend on what was asked before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from conquian.engine.pack import bits
from conquian.engine.play import Event
from conquian.engine.refusals import clause_rank
from conquian.language.rules import Clause, RuleSet
from conquian.position import Position, Rules
from conquian.verifier.acts import Act, Question, act_of, question
from conquian.verifier.circuits import Circuit
from conquian.verifier.deck import typed_rules
from conquian.verifier.exhaustion import broken, forbidden_by, legal_without
from conquian.verifier.limits import Disagreement, Undecided
from conquian.verifier.solver import Solver


@dataclass(frozen=True, slots=True)
class Reason:
    """A clause that forbids: its name, sentence, passages (the deciding one first), and code."""

    clause: str
    sentence: str
    passages: tuple[str, ...]
    code: str | None


@dataclass(frozen=True, slots=True)
class Why:
    """An answer about one event.

    legal          nothing forbids it; everything else is empty then
    code           what a verdict reports
    reasons        the smallest set of clauses that forbids it
    cards          the cards that these clauses need to forbid it, in the order of the pack
    legal_but_for  the clauses without any one of which it would be legal
    checked        found by the solver, asked again, and confirmed by exhaustion; False for events that the order of
                   play refuses before any such clause is asked, and where unrecorded hand cards matter
    """

    legal: bool
    code: str | None = None
    reasons: tuple[Reason, ...] = ()
    cards: tuple[str, ...] = ()
    legal_but_for: tuple[str, ...] = ()
    checked: bool = False


def why(rules: Rules, position: Position, event: Event, typed: RuleSet | None = None) -> Why | Undecided:
    """Why an event is not legal in a position under these rules.

    `typed` are the rules in typed form where they are not a shipped set.
    """
    here = Position(rules, position.state, position.players)
    refusal = here.check(event)
    act = act_of(here, event)
    program = rules.engine.program
    clauses = {clause.name: clause for clause in typed_rules(program, typed).clauses}
    if act is None:
        if refusal is None:
            return Why(True)
        named = [] if refusal.clause is None else [clauses[program.clauses[refusal.clause].name]]
        return Why(False, refusal.code, tuple(map(_reason, named)), refusal.cards)
    asked = question(here, act, typed)
    answer = _answer(here, act, asked)
    if isinstance(answer, Undecided):
        return answer
    if answer is None:
        if asked.sound and refusal is not None:
            raise Disagreement(f"{event}: no clause forbids it, the engine says {refusal.code}")
        return Why(True, checked=True) if refusal is None else Why(False, refusal.code, cards=refusal.cards)
    if refusal is None:
        raise Disagreement(
            f"{event}: {', '.join(c.name for c, _ in answer.fewest)} forbid what the engine allows"
        )
    cards = answer.cards or refusal.cards
    reasons = tuple(_reason(clause) for clause, _ in answer.fewest)
    return Why(False, refusal.code, reasons, cards, answer.without, answer.checked)


Asked = tuple[Clause, Circuit]


@dataclass(frozen=True, slots=True)
class _Answer:
    fewest: tuple[Asked, ...]
    cards: tuple[str, ...]
    without: tuple[str, ...]
    checked: bool


def _reason(clause: Clause) -> Reason:
    return Reason(clause.name, clause.sentence, clause.cites, clause.code)


def _answer(position: Position, act: Act, asked: Question) -> _Answer | Undecided | None:
    """None if no clause forbids the act."""
    engine, solver, facts = position.rules.engine, asked.solver, asked.facts
    possible = solver.can([*facts, *asked.asked])
    if possible is True:
        return _checked(position, act, None)
    if isinstance(possible, Undecided):
        return possible
    place = {clause.name: i for i, clause in enumerate(engine.program.clauses)}
    ordinary = sorted(
        asked.clauses, key=lambda pair: (clause_rank(engine, place[pair[0].name]), place[pair[0].name])
    )
    fewest = _fewest(solver, facts, ordinary)
    if isinstance(fewest, Undecided):
        return fewest
    without: list[str] = []
    for clause, _ in fewest:
        legal = solver.can([*facts, *(x for other, x in asked.clauses if other is not clause)])
        if isinstance(legal, Undecided):
            return legal
        if legal:
            without.append(clause.name)
    second = Solver(solver.circuits)
    again = second.can([*facts, *(x for _, x in fewest)])
    if again is True:
        raise Disagreement(
            f"a second solver finds that {', '.join(c.name for c, _ in fewest)} forbid nothing"
        )
    cards = _needed(second, asked, [x for _, x in fewest], engine.pack.cards)
    if isinstance(again, Undecided):
        return again
    if isinstance(cards, Undecided):
        return cards
    return _checked(position, act, _Answer(fewest, cards, tuple(without), False))


def _fewest(
    solver: Solver, facts: Sequence[Circuit], ordinary: Sequence[Asked]
) -> tuple[Asked, ...] | Undecided:
    """The first of the smallest sets of clauses that contradict the facts."""
    for size in range(len(ordinary) + 1):
        for chosen in combinations(ordinary, size):
            found = solver.can([*facts, *(x for _, x in chosen)])
            if isinstance(found, Undecided):
                return found
            if not found:
                return chosen
    raise AssertionError("all clauses together forbid the act")


def _needed(
    solver: Solver, asked: Question, clauses: Sequence[Circuit], order: Sequence[str]
) -> tuple[str, ...] | Undecided:
    """The cards of the facts without which the clauses would not forbid the act; a fact that something does not lie
    goes first, for it names no card. Asked of a solver that knows of nothing else, which is much quicker."""
    lying, pack = asked.words.lying, asked.words.pack
    under = set(solver.circuits.under(clauses, set()))
    kept = [x for x in asked.facts if abs(x) in under or abs(x) in solver.circuits.parts]
    for fact in sorted(
        kept, key=lambda x: (x > 0, abs(x) not in lying, asked.solver.circuits.names.get(abs(x), ""))
    ):
        rest = [x for x in kept if x != fact]
        found = solver.can([*rest, *clauses])
        if isinstance(found, Undecided):
            return found
        if not found:
            kept = rest
    cards = {card for x in kept if x > 0 and x in lying for card in bits(lying[x][1])}
    return tuple(order[kind] for kind in sorted((card.bit_length() - 1) // pack.copies for card in cards))


def _checked(position: Position, act: Act, answer: _Answer | None) -> _Answer | None:
    """The same answer, confirmed by exhaustion where the hand is recorded or not asked for."""
    if act.unknown and position.rules.engine.program.asks_hand:
        return answer
    ways = broken(position, act)
    if answer is None:
        if all(ways):
            raise Disagreement(f"every way to read {act} breaks a clause, and the solver finds none")
        return None
    names = [clause.name for clause, _ in answer.fewest]
    smaller = any(forbidden_by(ways, some) for some in combinations(set().union(*ways), len(names) - 1))
    without = tuple(name for name in names if legal_without(ways, name))
    if not forbidden_by(ways, names) or smaller or without != answer.without:
        raise Disagreement(f"exhaustion does not confirm {names} and {answer.without} for {act}")
    return _Answer(answer.fewest, answer.cards, answer.without, True)
