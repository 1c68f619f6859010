"""Whether a card can be forced, proved: a layout that shows the fit, or the fewest clauses that rule a demand out.

An offer has moments at which a demand could be made. It can be forced if a demand is due at one of them; it cannot
if one set of clauses forbids a demand at each of them. Every answer is held against the engine and decided again:
a layout by the checker, a set of clauses by a fresh solver, by exhaustion, and by trying every demand there is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from conquian.engine.demands import demand, demands
from conquian.engine.engine import Engine
from conquian.engine.flow import REFUSED
from conquian.engine.state import State
from conquian.language.rules import Clause, RuleSet
from conquian.position import Position, Rules
from conquian.tongue import tell
from conquian.verifier.checker import LayoutCertificate
from conquian.verifier.circuits import FALSE
from conquian.verifier.events import Asked, asked_out_of_order, permits
from conquian.verifier.grounds import Again, Fact, Ground, in_order
from conquian.verifier.layouts import laid_out
from conquian.verifier.limits import BUDGET, Disagreement, Undecided
from conquian.verifier.solver import Solver
from conquian.verifier.why import Reason, Why, needed, reason


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment of an offer: the state that a demand on the seat would be made in; `given` as the position says."""

    state: State
    given: bool = True


@dataclass(frozen=True, slots=True)
class Forceable:
    """A demand that is due: the clause that permits it, and a layout of the table with the card, where one shows it."""

    permission: Reason | None
    layout: tuple[tuple[str, ...], ...] | None


def prove_forceable(
    rules: Rules, players: Sequence[str], moment: State, seat: int, typed: RuleSet, budget: int = BUDGET
) -> Forceable | Undecided:
    """That a demand is due at a moment, with a layout; Disagreement if one of the machines says otherwise."""
    engine = rules.engine
    here = Position(rules, moment, tuple(players))
    by = players[engine.opponents[seat]]
    asked = asked_out_of_order(here, (by, "forces"), typed)
    with asked.question.solver.within(budget):
        due = asked.question.solver.can([*asked.question.facts, *asked.question.asked])
    if isinstance(due, Undecided):
        return due
    if not due or not asked.again.legal(frozenset()) or not here.can((by, "forces")):
        raise Disagreement(f"{by} may demand {here.up} by one machine, and not by another")
    clauses = (ground for ground, _ in asked.question.clauses if isinstance(ground, Clause))
    permission = next((reason(clause) for clause in clauses if permits(clause)), None)
    layout = _layout(rules, moment, seat, budget)
    return layout if isinstance(layout, Undecided) else Forceable(permission, layout)


def _layout(
    rules: Rules, state: State, seat: int, budget: int
) -> tuple[tuple[str, ...], ...] | Undecided | None:
    """The table with the card: as it lies, with the card on a meld that it extends, or else laid out anew."""
    engine = rules.engine
    names, table = engine.pack.names, state.tables[seat]
    cards = [*(card for meld in table for card in names(meld)), *names(state.up)]
    onto = next((meld for meld in table if engine.fit((meld,)) & state.up), None)
    lying = (
        [meld + state.up if i == table.index(onto) else meld for i, meld in enumerate(table)] if onto else []
    )
    found = laid_out(rules, cards, [names(meld) for meld in lying], budget)
    if isinstance(found, LayoutCertificate):
        if found.melds is not None and any(
            engine.pack.packed(meld) not in engine.melds.packed for meld in found.melds
        ):
            raise Disagreement("the layout that shows the fit is none to the engine")
        return found.melds
    return found


def prove_not_forceable(
    rules: Rules,
    players: Sequence[str],
    moments: Sequence[Moment],
    seat: int,
    typed: RuleSet,
    budget: int = BUDGET,
) -> Why | Undecided:
    """The fewest clauses that forbid a demand on the seat at every moment, found, minimised and decided again."""
    engine = rules.engine
    for moment in moments:
        _try_every_demand(engine, moment.state, seat)
    asked = [_asked(rules, players, moment.state, seat, typed) for moment in moments]
    grounds: dict[str, Ground] = {}
    for one in asked:
        for ground, _ in one.question.clauses:
            grounds.setdefault(ground.name, ground)
    ordered = [ground.name for ground, _ in in_order(engine, [(g, FALSE) for g in grounds.values()])]
    fewest = _fewest(asked, ordered, budget)
    if isinstance(fewest, Undecided):
        return fewest
    graphs = {id(graph): graph for graph in (one.question.solver.circuits for one in asked)}
    fresh = {key: Solver(graph, budget) for key, graph in graphs.items()}
    for one in asked:
        second = _forbids(one, fewest, budget, fresh[id(one.question.solver.circuits)])
        if isinstance(second, Undecided):
            return second
        if not second:
            raise Disagreement(f"a second solver finds that {', '.join(fewest)} do not rule the demand out")
    without = tuple(name for name in fewest if any(one.again.legal(frozenset({name})) for one in asked))
    _confirm(asked, ordered, fewest)
    needs: set[str] = set()
    for moment, one in zip(moments, asked, strict=True):
        if moment.given:
            pairs = [pair for pair in one.question.clauses if pair[0].name in fewest]
            small = fresh[id(one.question.solver.circuits)]
            cards = needed(one.question, pairs, engine.pack.cards, small)
            if isinstance(cards, Undecided):
                return cards
            needs.update(cards)
    chosen = [grounds[name] for name in fewest]
    return Why(
        legal=False,
        code="no-force-due",
        reasons=tuple(reason(ground) for ground in chosen if isinstance(ground, Clause)),
        cards=tuple(card for card in engine.pack.cards if card in needs),
        legal_but_for=without,
        checked=True,
        facts=tuple(ground for ground in chosen if isinstance(ground, Fact)),
    )


def _asked(rules: Rules, players: Sequence[str], state: State, seat: int, typed: RuleSet) -> Asked:
    engine = rules.engine
    by = engine.opponents[seat]
    here = Position(rules, state, tuple(players))
    found = asked_out_of_order(here, (players[by], "forces"), typed)
    after, bound, _ = demand(engine, state, by, None, None)
    if after == REFUSED or bound == seat:
        return found
    # The demand would be on another player: of this one nothing can be demanded any more.
    fact = Fact("no-force-due", tell("a demand would be on {player}", player=players[bound]))
    question = found.question
    again = found.again.legal
    return Asked(
        type(question)(
            question.solver,
            question.words,
            question.frame,
            question.facts,
            (*question.clauses, (fact, FALSE)),
            question.sound,
        ),
        Again(lambda dropped: fact.name in dropped and again(dropped), found.again.whole),
    )


def _try_every_demand(engine: Engine, state: State, seat: int) -> None:
    """Every opponent, every card of the pack and every meld on the table: no demand on the seat is due."""
    opponents = [by for by in range(engine.seats) if engine.team_of[by] != engine.team_of[seat]]
    named: list[tuple[int | None, int | None]] = [(None, None)]
    named += [(engine.pack.unit[card], meld) for card in engine.pack.cards for meld in state.tables[seat]]
    for by in opponents:
        for after, bound, _ in demands(engine, state, by, named):
            if after != REFUSED and bound == seat:
                raise Disagreement("a demand that the clauses rule out is due by the engine")


def _forbids(one: Asked, kept: Sequence[str], budget: int, solver: Solver | None = None) -> bool | Undecided:
    """Whether some grounds forbid the demand that is asked about."""
    question = one.question
    circuits = [circuit for ground, circuit in question.clauses if ground.name in kept]
    asking = solver or question.solver
    with asking.within(budget):
        found = asking.can([*question.facts, *circuits])
    return found if isinstance(found, Undecided) else not found


def _fewest(asked: Sequence[Asked], ordered: Sequence[str], budget: int) -> tuple[str, ...] | Undecided:
    """The first of the smallest sets of grounds, ordinary ones first, that forbid the demand at every moment.

    Grounds that hold together with the facts of a moment, as it stands, do not forbid the demand there: that is a
    model, and needs no solver.
    """
    standing = [_standing(one) for one in asked]
    for size in range(len(ordered) + 1):
        for chosen in combinations(ordered, size):
            for one, failing in zip(asked, standing, strict=True):
                shown = failing is not None and failing.isdisjoint(chosen)
                found = not shown and _forbids(one, chosen, budget)
                if isinstance(found, Undecided):
                    return found
                if not found:
                    break
            else:
                return chosen
    raise Disagreement("no clause rules out a demand that the engine refuses")


def _standing(one: Asked) -> frozenset[str] | None:
    """The grounds that do not hold when nothing is true but what the facts say; None if then the facts do not."""
    question = one.question
    true = {fact for fact in question.facts if fact > 0}
    holding = question.solver.circuits.holding((*question.facts, *question.asked), true)
    if not holding.issuperset(question.facts):
        return None
    return frozenset(ground.name for ground, asks in question.clauses if asks not in holding)


def _confirm(asked: Sequence[Asked], ordered: Sequence[str], fewest: Sequence[str]) -> None:
    """By exhaustion: these grounds rule it out, and no fewer do."""
    every = frozenset(ordered)

    def ruled_out(kept: Sequence[str]) -> bool:
        return not any(one.again.legal(every - frozenset(kept)) for one in asked)

    if not ruled_out(fewest) or (
        fewest and any(ruled_out(fewer) for fewer in combinations(ordered, len(fewest) - 1))
    ):
        raise Disagreement(f"exhaustion does not confirm that {', '.join(fewest)} rule the demand out")
