"""Why an event is refused: the fewest clauses that forbid it, the cards these need, what would help.

Of several smallest sets the one that holds the clause of the verdict is named, then the one with the most ordinary
clauses: those whose codes stand early in the contract's table; clauses of house rules come last. Where no clause
but the place of a card stands against the event, that fact is named. Every answer is asked again of a fresh solver,
and decided by exhaustive search with the engine's own functions; Disagreement if one of them says otherwise. The
answer does not depend on what was asked before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from conquian.engine.pack import bits
from conquian.engine.play import Event
from conquian.engine.refusals import Refusal
from conquian.language.rules import Clause, RuleSet
from conquian.position import Position, Rules
from conquian.verifier.acts import Question
from conquian.verifier.circuits import Circuit
from conquian.verifier.deck import typed_rules
from conquian.verifier.events import Asked, asked_of, asked_out_of_order
from conquian.verifier.expressions import TooLarge
from conquian.verifier.grounds import Again, Fact, Pair, in_order
from conquian.verifier.limits import BUDGET, Disagreement, Undecided
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
    reasons        the clauses of the smallest set that forbids it
    cards          the cards that this set needs to forbid it, in the order of the pack
    legal_but_for  the clauses of the rules, and facts, without any one of which it would be legal, by name
    checked        found by the solver, asked again, and confirmed by exhaustion; False where unrecorded hand cards
                   matter
    facts          the facts of the smallest set: places of cards
    """

    legal: bool
    code: str | None = None
    reasons: tuple[Reason, ...] = ()
    cards: tuple[str, ...] = ()
    legal_but_for: tuple[str, ...] = ()
    checked: bool = False
    facts: tuple[Fact, ...] = ()


def why(
    rules: Rules, position: Position, event: Event, typed: RuleSet | None = None, budget: int = BUDGET
) -> Why | Undecided:
    """Why an event is not legal in a position under these rules.

    `typed` are the rules in typed form where they are not a shipped set; `budget` is in steps of the solver.
    """
    here = Position(rules, position.state, position.players)
    refusal = here.check(event)
    program = rules.engine.program
    rule_set = typed_rules(program, typed)
    try:
        asked = asked_of(here, event, rule_set)
        answer = explained(here, asked, _deciding(here, refusal), budget)
        if answer is None and refusal is not None:
            asked = asked_out_of_order(here, event, rule_set)
            answer = explained(here, asked, _deciding(here, refusal), budget)
    except TooLarge:
        return Undecided(budget)
    if isinstance(answer, Undecided):
        return answer
    if answer is None:
        if asked.question.sound and refusal is not None:
            raise Disagreement(f"{event}: no clause forbids it, the engine says {refusal.code}")
        return (
            Why(True, checked=asked.again.whole)
            if refusal is None
            else Why(False, refusal.code, cards=refusal.cards)
        )
    if refusal is None:
        raise Disagreement(
            f"{event}: {', '.join(g.name for g, _ in answer.fewest)} forbid what the engine allows"
        )
    cards = answer.cards or refusal.cards
    grounds = [ground for ground, _ in answer.fewest]
    reasons = tuple(reason(ground) for ground in grounds if isinstance(ground, Clause))
    facts = tuple(ground for ground in grounds if isinstance(ground, Fact))
    return Why(False, refusal.code, reasons, cards, answer.without, answer.checked, facts)


@dataclass(frozen=True, slots=True)
class Explained:
    """The smallest set, the cards it needs, the grounds of it without which nothing forbids, and whether it is
    confirmed."""

    fewest: tuple[Pair, ...]
    cards: tuple[str, ...]
    without: tuple[str, ...]
    checked: bool


def reason(clause: Clause) -> Reason:
    return Reason(clause.name, clause.said, clause.cites, clause.code)


def _deciding(position: Position, refusal: Refusal | None) -> str | None:
    """The name of the clause, or fact, that the verdict names."""
    if refusal is None:
        return None
    if refusal.code in ("not-in-hand", "card-elsewhere", "stock-mismatch"):
        return f"fact:{refusal.code}"
    program = position.rules.engine.program
    return None if refusal.clause is None else program.clauses[refusal.clause].name


def explained(
    position: Position, asked: Asked, deciding: str | None = None, budget: int = BUDGET
) -> Explained | Undecided | None:
    """The smallest set of grounds that forbids what is asked about; None if nothing does."""
    question, again = asked.question, asked.again
    with question.solver.within(budget):
        return _explained(position, question, again, deciding, budget)


def _explained(
    position: Position, asked: Question, again: Again, deciding: str | None, budget: int
) -> Explained | Undecided | None:
    engine, solver, facts = position.rules.engine, asked.solver, asked.facts
    possible = solver.can([*facts, *asked.asked])
    if isinstance(possible, Undecided):
        return possible
    if possible:
        if again.whole and not again.legal(frozenset()):
            raise Disagreement("every way to read the event breaks a clause, and the solver finds none")
        return None
    pool = in_order(engine, asked.clauses, deciding)
    if pool and not isinstance(pool[0][0], Fact):
        # A fact is named where the verdict names it, or where clauses alone do not forbid the event.
        only = [pair for pair in pool if isinstance(pair[0], Clause)]
        alone = solver.can([*facts, *(circuit for _, circuit in only)])
        if isinstance(alone, Undecided):
            return alone
        pool = pool if alone else only
    fewest = _fewest(solver, facts, pool)
    if isinstance(fewest, Undecided):
        return fewest
    without: list[str] = []
    for ground, _ in fewest:
        legal = solver.can([*facts, *(x for other, x in asked.clauses if other is not ground)])
        if isinstance(legal, Undecided):
            return legal
        if legal:
            without.append(ground.name)
    small = Solver(solver.circuits, budget)
    second = small.can([*facts, *(x for _, x in fewest)])
    if second is True:
        raise Disagreement(
            f"a second solver finds that {', '.join(g.name for g, _ in fewest)} forbid nothing"
        )
    cards = needed(asked, fewest, engine.pack.cards, small)
    if isinstance(second, Undecided):
        return second
    if isinstance(cards, Undecided):
        return cards
    answer = Explained(fewest, cards, tuple(without), False)
    return _checked(asked, again, answer, [ground.name for ground, _ in pool])


def _fewest(
    solver: Solver, facts: Sequence[Circuit], ordinary: Sequence[Pair]
) -> tuple[Pair, ...] | Undecided:
    """The first of the smallest sets of grounds that contradict the facts."""
    for size in range(len(ordinary) + 1):
        for chosen in combinations(ordinary, size):
            found = solver.can([*facts, *(x for _, x in chosen)])
            if isinstance(found, Undecided):
                return found
            if not found:
                return chosen
    raise AssertionError("all grounds together forbid the event")


def needed(
    asked: Question, fewest: Sequence[Pair], order: Sequence[str], small: Solver | None = None
) -> tuple[str, ...] | Undecided:
    """The cards of the facts without which the clauses would not forbid the event; a fact that something does not
    lie goes first, for it names no card. Asked of a solver that knows of little else, which is much quicker, and only
    of facts in the core of its last no."""
    solver = small or Solver(asked.solver.circuits, asked.solver.budget)
    lying, pack = asked.words.lying, asked.words.pack
    clauses = [x for _, x in fewest]
    under = set(solver.circuits.under(clauses, set()))
    kept = [x for x in asked.facts if abs(x) in under or abs(x) in solver.circuits.parts]
    core = {*kept, *clauses}
    for fact in sorted(
        kept, key=lambda x: (x > 0, abs(x) not in lying, asked.solver.circuits.names.get(abs(x), ""))
    ):
        rest = [x for x in kept if x != fact]
        if fact in core:
            found = solver.can([*rest, *clauses])
            if isinstance(found, Undecided):
                return found
            if found:
                continue
            core = solver.core()
        # INVARIANT: the core is of what is kept, so a fact outside it goes without a question, as it would with one.
        kept = rest
    cards = {card for x in kept if x > 0 and x in lying for card in bits(lying[x][1])}
    kinds = [(card.bit_length() - 1) // pack.copies for card in cards]
    for ground, _ in fewest:
        if isinstance(ground, Fact):
            kinds += [order.index(card) for card in ground.cards if card in order]
    return tuple(order[kind] for kind in sorted(kinds))


def _checked(asked: Question, again: Again, answer: Explained, pool: Sequence[str]) -> Explained:
    """The same answer, confirmed by exhaustion where the hand is recorded or not asked for: nothing smaller out of
    the pool of grounds forbids the event."""
    if not again.whole:
        return answer
    every = frozenset(ground.name for ground, _ in asked.clauses)
    ordered = [ground.name for ground, _ in answer.fewest]

    def forbidden_by(kept: Sequence[str]) -> bool:
        return not again.legal(every - frozenset(kept))

    smaller = any(forbidden_by(some) for some in combinations(pool, max(len(ordered) - 1, 0)))
    without = tuple(name for name in ordered if again.legal(frozenset({name})))
    if not forbidden_by(ordered) or smaller or without != answer.without:
        raise Disagreement(f"exhaustion does not confirm {ordered} and {answer.without}")
    return Explained(answer.fewest, answer.cards, answer.without, True)
