"""Typed conditions to circuits: the twin of `conquian.engine.expressions`, function by function.

The cards of a moment are sets of which some cards are in under a condition; a quantifier becomes one term for each
candidate of the frame. Whatever a candidate alone decides is folded away, so a condition on pairs of melds costs
only the pairs that matter.

What of a hand is not recorded is left open: a condition may hold as some cards would make it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from conquian.language import formula as f
from conquian.verifier.cards import CardSet, both, equal, minus, union
from conquian.verifier.circuits import FALSE, TRUE, Circuit
from conquian.verifier.counts import Count, compare, number
from conquian.verifier.moment import FEW_TRUTHS, LAYOUTS_LIMIT, Moment, TooLarge
from conquian.verifier.touching import touched

__all__ = ["LAYOUTS_LIMIT", "Encoder", "TooLarge"]

Env = Mapping[str, CardSet]


@dataclass(slots=True)
class Encoder(Moment):
    """The conditions of one rule set over one frame."""

    _conditions: dict[f.Formula, Circuit] = field(default_factory=dict)
    _kept: dict[tuple[int, ...], Circuit] = field(default_factory=dict)
    _names: dict[int, tuple[str, ...]] = field(default_factory=dict)
    _nodes: list[f.Formula] = field(default_factory=list)
    """Every node that is known by its id, so that the id stays its own."""

    def condition(self, node: f.Formula) -> Circuit:
        """The condition of a clause; built once."""
        found = self._conditions.get(node)
        if found is None:
            found = self._conditions[node] = self.formula(node, {})
        return found

    def formula(self, node: f.Formula, env: Env) -> Circuit:
        """A circuit that is true when the condition holds. Kept, for pairs of melds ask the same of one of them."""
        if isinstance(node, f.Not):
            return -self.formula(node.operand, env)
        key = (id(node), *[env[name].known for name in self._asked(node) if name in env])
        found = self._kept.get(key)
        if found is None:
            found = self._kept[key] = self._plain(node, env)
        return found

    def _plain(self, node: f.Formula, env: Env) -> Circuit:
        circuits = self.circuits
        match node:
            case f.Always(value):
                return TRUE if value else FALSE
            case f.Not(x):
                return -self.formula(x, env)
            case f.All(xs):
                return self._all(xs, env, False)
            case f.Any_(xs):
                return -self._all(xs, env, True)
            case f.Some():
                return self.some(node, env)
            case f.ReadingIs(reading, choice):
                return circuits.variable(f"{reading}={choice}")
            case f.Flag(name):
                return circuits.variable(name)
            case f.NextIsFirst():
                return circuits.variable("next-is-first")
            case f.Compare(operator, left, right):
                return compare(circuits, operator, self.quantity(left, env), self.quantity(right, env))
            case f.Within(left, right):
                one = self.cards(left, env)
                inside = ((one.has(card), self.has(right, card, env)) for card in one.cards())
                if isinstance(left, f.CardsVar) and left.name in ("up", "thrown"):
                    return circuits.any(circuits.all(pair) for pair in inside)
                return circuits.all(circuits.any((-a, b)) for a, b in inside)
            case f.Meets(left, right):
                found = both(circuits, self.cards(left, env), self.cards(right, env))
                return TRUE if found.known else circuits.any(found.open.values())
            case f.Same(left, right):
                return equal(circuits, self.cards(left, env), self.cards(right, env))
            case f.IsMeldOf(cards, melds):
                wanted = self.cards(cards, env)
                return circuits.any(
                    circuits.all((present, equal(circuits, wanted, CardSet(meld))))
                    for meld, present in self.lying(melds)
                    if not wanted.known & ~meld
                )
            case f.NoCards(f.CardsVar("hand")):
                return -self.words.at_least("held", 1)
            case f.NoCards(cards):
                found = self.cards(cards, env)
                return FALSE if found.known else -circuits.any(found.open.values())
            case f.Valid(cards, shape):
                return circuits.any(
                    circuits.all((case, self.valid(meld, shape)))
                    for case, meld in self.cases(self.cards(cards, env))
                )
            case f.Possible(cards):
                return self._divided(node, cards, env)
            case f.Has():
                raise NotImplementedError("traits describe shapes only")

    def some(self, node: f.Some, env: Env) -> Circuit:
        domain = node.domain
        if isinstance(domain, f.Melds):
            over = self.lying(domain)
            for name in touched(node.body, node.var):
                if name in env:
                    over = [(meld, present) for meld, present in over if meld & env[name].known]
        else:
            found = self.cards(domain, env)
            over = [(card, found.has(card)) for card in found.cards()]
        return self.circuits.any(
            self.circuits.all((present, self.formula(node.body, {**env, node.var: CardSet(member)})))
            for member, present in over
        )

    def cards(self, node: f.Cards, env: Env) -> CardSet:
        circuits = self.circuits
        match node:
            case f.CardsVar(name):
                return env[name] if name in env else self.word(name)
            case f.Union(left, right):
                return union(circuits, self.cards(left, env), self.cards(right, env))
            case f.Both(left, right):
                return both(circuits, self.cards(left, env), self.cards(right, env))
            case f.Minus(left, right):
                return minus(circuits, self.cards(left, env), self.cards(right, env))
            case f.CardsOf(melds):
                return self.joined(melds)
            case f.Ends(cards):
                return self.ends(self.cards(cards, env))

    def has(self, node: f.Cards, card: int, env: Env) -> Circuit:
        """Whether a set has a card, without making the whole set."""
        match node:
            case f.Union(left, right):
                return self.circuits.any((self.has(left, card, env), self.has(right, card, env)))
            case f.Both(left, right):
                return self.circuits.all((self.has(left, card, env), self.has(right, card, env)))
            case f.Minus(left, right):
                return self.circuits.all((self.has(left, card, env), -self.has(right, card, env)))
            case _:
                return self.cards(node, env).has(card)

    def quantity(self, node: f.Quantity, env: Env) -> Count:
        match node:
            case f.Number(value):
                return number(value)
            case f.GoalSize():
                return number(self.goal)
            case f.Size(f.CardsVar("hand")):
                return self.place("held")
            case f.Size(cards):
                found = self.cards(cards, env)
                sure, rest = found.known.bit_count(), list(found.open.values())
                if not rest:
                    return number(sure)
                if found.single:
                    return Count(lambda k: TRUE if k <= sure else self.one(rest, k - sure), sure + 1)
                return Count(lambda k: self.circuits.at_least(rest, k - sure), sure + len(rest))
            case f.PlaceSize(place):
                return self.place(place)

    # -- what the functions above rest on

    def _divided(self, node: f.Possible, cards: f.Cards, env: Env) -> Circuit:
        """`possible`; where few melds can lie before, for each card on offer by itself, so that few truths are left."""
        if len(self.frame.before) > FEW_TRUTHS or "up" in env or "up" not in self._asked(node):
            return self.possible(self.cards(cards, env))
        offers = [(CardSet(card), self.word("up").has(card)) for card in self.word("up").cards()]
        offers.append((CardSet(0), -self.circuits.any(case for _, case in offers)))
        return self.circuits.any(
            self.circuits.all((case, self.possible(self.cards(cards, {**env, "up": up}))))
            for up, case in offers
        )

    def _all(self, xs: Sequence[f.Formula], env: Env, negative: bool) -> Circuit:
        """The conjunction of conditions (or of their opposites), with an end at the first that is false."""
        found = []
        for x in sorted(xs, key=lambda x: self._open(x, env)):
            circuit = self.formula(x, env)
            circuit = -circuit if negative else circuit
            if circuit == FALSE:
                return FALSE
            found.append(circuit)
        return self.circuits.all(found)

    def _asked(self, node: f.Formula) -> tuple[str, ...]:
        """The names that a condition speaks of, its own variables included."""
        found = self._names.get(id(node))
        if found is None:
            self._nodes.append(node)
            found = self._names[id(node)] = tuple(sorted(_names(node)))
        return found

    def _open(self, node: f.Formula, env: Env) -> bool:
        """Whether a condition asks for more than concrete cards."""
        return any(name not in env for name in self._asked(node))


def _names(node: f.Formula | f.Cards | f.Melds | f.Quantity) -> frozenset[str]:
    """Variables and words of a condition, and a name for all else that a position decides."""
    match node:
        case f.CardsVar(name):
            return frozenset({name})
        case f.Melds() | f.Flag() | f.PlaceSize() | f.ReadingIs() | f.NextIsFirst():
            return frozenset({"position"})
        case _:
            return frozenset().union(*(_names(x) for x in f.parts(node)))
