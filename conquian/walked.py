"""Two orders of play walked through together: every pair of states that the same events lead to.

Guarantees: where one side is said to allow no more, there is no event that its order of play allows and the other
refuses, in a position of any size and after any number of events. An order of play that asks for no cards sees of a
position only whether a hand is empty and how much of the stock is left; what the cards allow is left out, so the walk
sees too much, never too little.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import NamedTuple

from conquian.engine.engine import engine_of
from conquian.engine.flow import ORIGINS, REFUSED, Facts, Flow
from conquian.engine.program import Verb, compile_rules
from conquian.language.rules import Clause, RuleSet
from conquian.language.settled import settled_body
from conquian.position import Rules, offer_phase

PLENTY, LAST, NONE = 2, 1, 0
"""The stock: more than one card, one, none. No order of play that is tabulated asks for more."""


def forbids_nothing(clause: str, allowing: tuple[Rules, RuleSet], forbidding: tuple[Rules, RuleSet]) -> bool:
    """Whether no event that one rule set allows is forbidden by the other's clause on the order of play.

    That is, the other allows nothing more with the first one's clause in its place. False says nothing.
    """
    rules, typed = forbidding
    with_theirs = exchanged(rules, typed, *allowing, clause)
    return with_theirs is not None and not allows_more(with_theirs, rules)


def exchanged(rules: Rules, typed: RuleSet, other: Rules, other_typed: RuleSet, name: str) -> Rules | None:
    """One rule set with a clause as the other has it; None if the two do not go together."""
    theirs = next((x for x in other_typed.clauses if x.name == name), None)
    body = None if theirs is None else settled_body(theirs.body, other.engine.readings)
    clauses: list[Clause] = []
    for clause in typed.clauses:
        if clause.name != name:
            clauses.append(clause)
        elif body is not None:
            clauses.append(replace(clause, body=body))
    if theirs is not None and body is not None and all(x.name != name for x in typed.clauses):
        clauses.append(replace(theirs, body=body))
    try:
        program = compile_rules(replace(typed, clauses=tuple(clauses)))
        return Rules(engine_of(program, rules.engine.readings))
    except (AssertionError, KeyError, ValueError):
        return None


class _Both(NamedTuple):
    """A state of either side, the stock, and by seat whether a hand has cards."""

    a: int
    b: int
    stock: int
    hands: tuple[bool, ...]


def allows_more(a: Rules, b: Rules) -> bool:
    """Whether `a` may allow an event by its order of play that `b`, with as many players, refuses.

    True also where one of them asks for cards, so that no walk is all there is. Where a deal has ended on one side,
    the goal parts the two and not the order of play.
    """
    one, two = a.engine.flow, b.engine.flow
    if a.engine.live or b.engine.live or one.seats != two.seats:
        return True
    return any(_parts(one, two, _beginnings(a, b, first), first) for first in range(one.seats))


def _beginnings(a: Rules, b: Rules, first: int) -> list[_Both]:
    """An offer in every way, and the beginning of a deal."""
    one, two = a.engine.flow, b.engine.flow
    at_a, at_b = offer_phase(a.engine), offer_phase(b.engine)
    states = {(one.state(at_a, 0, x), two.state(at_b, 0, x)) for x in range(len(ORIGINS))}
    begun = Facts(PLENTY, PLENTY, 1)
    states.add((one.start(first, begun), two.start(first, begun)))
    hands = list(product((False, True), repeat=one.seats))
    return [
        _Both(*at, stock, held) for at in sorted(states) for stock in (PLENTY, LAST, NONE) for held in hands
    ]


def _parts(one: Flow, two: Flow, left: list[_Both], first: int) -> bool:
    lines = [x for flow in (one, two) for phase in flow.phases for x in phase.lines if x.kind == "acts"]
    named: list[Verb] = [x.verb for x in lines if x.verb is not None]
    named = list(dict.fromkeys(named))
    seen = set(left)
    while left:
        here = left.pop()
        if here.a >= one.won or here.b >= two.won:
            continue
        for verb, seat, facts in _events(named, here):
            after = one.take(here.a, verb, seat, first, facts)
            if after == REFUSED:
                continue
            other = two.take(here.b, verb, seat, first, facts)
            if other == REFUSED:
                return True
            hands = (*here.hands[:seat], facts.hand > 0, *here.hands[seat + 1 :])
            then = _Both(after, other, facts.stock_after, hands)
            if then not in seen:
                seen.add(then)
                left.append(then)
    return False


def _events(verbs: list[Verb], here: _Both) -> Iterator[tuple[Verb, int, Facts]]:
    """Every kind of event by each player, with what it can leave of stock and hand."""
    turned = (PLENTY, LAST) if here.stock == PLENTY else (NONE,)
    for verb in verbs:
        for seat, held in enumerate(here.hands):
            if verb == "discard" and not held:
                continue  # There is nothing to throw.
            hands = (False, True) if held and verb in ("meld", "discard") else (held,)
            for stock, hand in product(turned if verb == "turn" else (here.stock,), hands):
                yield verb, seat, Facts(here.stock, stock, int(hand))
