"""Typed conditions to circuits: the twin of `conquian.engine.expressions`, function by function.

The cards of a moment are sets of which some cards are in under a condition; a quantifier becomes one term for each
candidate of the frame. Whatever a candidate alone decides is folded away, so a condition on pairs of melds costs
only the pairs that matter.

What of a hand is not recorded is left open: a condition may hold as some cards would make it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from conquian.engine.melds import Melds
from conquian.engine.pack import bits
from conquian.language import formula as f
from conquian.verifier.cards import CardSet, both, equal, minus, union
from conquian.verifier.circuits import FALSE, TRUE, Circuit, Circuits
from conquian.verifier.counts import Count, compare, number
from conquian.verifier.frame import Frame, Words, versions
from conquian.verifier.touching import touched

LAYOUTS_LIMIT = 50_000
"""How many sets of melds are looked through for `possible` before giving up."""

Env = Mapping[str, CardSet]


class TooLarge(ValueError):
    """A condition with `possible` over more cards than can be listed."""


@dataclass(slots=True)
class Encoder:
    """The conditions of one rule set over one frame."""

    circuits: Circuits
    words: Words
    frame: Frame
    goal: int
    tables: Sequence[tuple[Circuit, Melds]]
    """The rule set's tables of melds, each with the readings under which it holds."""
    _moment: dict[str, CardSet] = field(default_factory=dict)
    _sides: dict[str, list[tuple[int, Circuit]]] = field(default_factory=dict)
    _known: dict[tuple[int, str | None], Circuit] = field(default_factory=dict)
    _melds: list[int] | None = None
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
                    for meld, present in self._lying(melds)
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
                    for case, meld in self._cases(self.cards(cards, env))
                )
            case f.Possible(cards):
                return self._possible(self.cards(cards, env))
            case f.Has():
                raise NotImplementedError("traits describe shapes only")

    def some(self, node: f.Some, env: Env) -> Circuit:
        domain = node.domain
        if isinstance(domain, f.Melds):
            over = self._lying(domain)
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
                return env[name] if name in env else self._word(name)
            case f.Union(left, right):
                return union(circuits, self.cards(left, env), self.cards(right, env))
            case f.Both(left, right):
                return both(circuits, self.cards(left, env), self.cards(right, env))
            case f.Minus(left, right):
                return minus(circuits, self.cards(left, env), self.cards(right, env))
            case f.CardsOf(melds):
                return self._joined(melds)
            case f.Ends(cards):
                return self._ends(self.cards(cards, env))

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
                return self._place("held")
            case f.Size(cards):
                found = self.cards(cards, env)
                sure, rest = found.known.bit_count(), list(found.open.values())
                if not rest:
                    return number(sure)
                if found.single:
                    return Count(lambda k: TRUE if k <= sure else self._one(rest, k - sure), sure + 1)
                return Count(lambda k: self.circuits.at_least(rest, k - sure), sure + len(rest))
            case f.PlaceSize(place):
                return self._place(place)

    # -- what the functions above rest on

    def valid(self, meld: int, shape: str | None = None) -> Circuit:
        """Under which readings concrete cards are a meld."""
        key = (meld, shape)
        if key not in self._known:
            self._known[key] = self.circuits.any(
                when
                for when, melds in self.tables
                if meld and meld in (melds.valid if shape is None else melds.shapes[shape])
            )
        return self._known[key]

    def melds(self) -> list[int]:
        """Every set of the frame's cards that is a meld under some reading."""
        if self._melds is None:
            pack = self.words.pack
            packed = sorted(frozenset().union(*(melds.packed for _, melds in self.tables)))
            have = pack.packed_of(self.frame.cards)
            self._melds = [
                meld
                for kinds in packed
                if pack.contains(have, kinds)
                for meld in versions(pack.kinds(kinds), pack, self.frame.cards)
            ]
        return self._melds

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

    def _one(self, rest: Sequence[Circuit], count: int) -> Circuit:
        return self.circuits.any(rest) if count == 1 else FALSE

    def _word(self, name: str) -> CardSet:
        if name not in self._moment:
            self._moment[name] = self.words.word(name, self.frame.cards)
        return self._moment[name]

    def _lying(self, melds: f.Melds) -> list[tuple[int, Circuit]]:
        found = self._sides.get(melds.name)
        if found is None:
            candidates = self.frame.before if melds.name == "before" else self.frame.after
            found = [(meld, self.words.lies(melds.name, meld)) for meld in candidates]
            self._sides[melds.name] = found
        return found

    def _joined(self, melds: f.Melds) -> CardSet:
        lying = self._lying(melds)
        found = {
            card: self.circuits.any(p for meld, p in lying if meld & card) for card in bits(self.frame.cards)
        }
        return CardSet(0, {card: circuit for card, circuit in found.items() if circuit != FALSE})

    def _cases(self, found: CardSet) -> Iterator[tuple[Circuit, int]]:
        """Conditions with the cards that a set then is, as far as these are a meld."""
        circuits = self.circuits
        if not found.open:
            yield TRUE, found.known
        elif found.single:
            if self.valid(found.known) != FALSE:
                yield -circuits.any(found.open.values()), found.known
            for card, circuit in found.open.items():
                if self.valid(found.known | card) != FALSE:
                    yield circuit, found.known | card
        else:
            whole = sum(found.cards())
            for meld in self.melds():
                if not found.known & ~meld and not meld & ~whole:
                    yield equal(circuits, found, CardSet(meld)), meld

    def _ends(self, found: CardSet) -> CardSet:
        circuits = self.circuits
        terms: dict[int, list[Circuit]] = {}
        for case, meld in self._cases(found):
            for when, melds in self.tables:
                for card in bits(melds.ends(meld)):
                    terms.setdefault(card, []).append(circuits.all((case, when)))
        ends = {card: circuits.any(either) for card, either in terms.items()}
        known = sum(card for card, circuit in ends.items() if circuit == TRUE)
        return CardSet(known, {c: x for c, x in ends.items() if x not in (TRUE, FALSE)})

    def _possible(self, found: CardSet) -> Circuit:
        """Listed: each union of melds of the frame that the set can be. No set of a large frame can be so asked."""
        whole = sum(found.cards())
        unions: dict[int, dict[int, Circuit]] = {}
        circuits = self.circuits
        for when, melds in self.tables:
            inside = [m for m in self.melds() if not m & ~whole and m in melds.valid]
            made = {0}
            for meld in inside:
                made |= {x | meld for x in made if not x & meld}
                if len(made) > LAYOUTS_LIMIT:
                    raise TooLarge(f"{len(inside)} melds can be laid out in too many ways")
            for x in made:
                if not found.known & ~x:
                    unions.setdefault(x, {})[id(melds)] = when
        return circuits.any(
            circuits.all((equal(circuits, found, CardSet(x)), circuits.any(unions[x].values())))
            for x in sorted(unions)
        )

    def _place(self, place: str) -> Count:
        most = self.words.pack.size
        return Count(lambda k: TRUE if k <= 0 else self.words.at_least(place, k), most)


def _names(node: f.Formula | f.Cards | f.Melds | f.Quantity) -> frozenset[str]:
    """Variables and words of a condition, and a name for all else that a position decides."""
    match node:
        case f.CardsVar(name):
            return frozenset({name})
        case f.Melds() | f.Flag() | f.PlaceSize() | f.ReadingIs() | f.NextIsFirst():
            return frozenset({"position"})
        case _:
            return frozenset().union(*(_names(x) for x in f.parts(node)))
