"""Typed conditions to Python source on card masks.

Sets of cards are ints with a bit a physical card, melds are tuples of such ints. Readings become the closure
variables `r0, r1, …` (index of the choice), so one text serves every choice of readings.

A player's hand can be partly unknown: `hand` is what is known of it, `unknown` how many cards are not. A
condition is compiled in one of two strengths: *certain* (true only if it holds whatever the unknown cards are)
or possible (false only if it fails whatever they are).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from conquian.language import formula as f

ARGUMENTS = {
    "act": ["before", "after", "up", "used", "hand", "unknown", "own", "starter", "n_stock", "phase"],
    "win": ["before", "after", "up", "used", "own", "starter", "n_hand", "n_stock", "phase"],
    "judged": ["before", "after", "up", "used", "hand", "unknown", "at", "n_hand", "n_stock"],
    "force": ["before", "up", "own", "starter", "named", "said", "onto", "n_stock", "phase"],
    "discard": ["before", "thrown", "hand", "unknown", "n_stock", "phase"],
    "pass": ["before", "up", "own", "starter", "n_hand", "n_stock", "phase"],
    "turn": ["before", "n_hand", "n_stock", "phase"],
    "flow": ["before", "up", "own", "starter", "next_is_first", "n_hand", "n_stock", "phase"],
    "stakes": ["before", "after", "drawn", "drawn_before", "conceded", "agreed", "broken_off"],
}
"""What a compiled condition is called with, by moment."""

OPERATORS = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}


@dataclass(slots=True)
class Emitter:
    """Collects the helper functions that quantifiers become."""

    readings: Sequence[tuple[str, Sequence[str]]]
    helpers: list[str] = field(default_factory=list)
    """Parameters and bodies of the functions `some0`, `some1`, …"""

    def formula(self, node: f.Formula, certain: bool = True) -> str:
        """A Python expression that is true when the condition certainly (or possibly) holds."""
        if isinstance(node, f.Not | f.All | f.Any_) or not _asks_hand(node):
            return self._plain(node, certain)
        text = self._plain(node, certain)
        if not certain:
            return f"(unknown > 0 or {text})"
        return text if _rises(node) else f"(unknown == 0 and {text})"

    def _plain(self, node: f.Formula, certain: bool) -> str:
        match node:
            case f.Always(value):
                return str(value)
            case f.Not(x):
                return f"not {self.formula(x, not certain)}"
            case f.All(xs):
                return "(" + " and ".join(self.formula(x, certain) for x in xs) + ")"
            case f.Any_(xs):
                return "(" + " or ".join(self.formula(x, certain) for x in xs) + ")"
            case f.Some():
                return self.some(node, certain)
            case f.ReadingIs(reading, choice):
                index = next(i for i, (name, _) in enumerate(self.readings) if name == reading)
                return f"r{index} == {list(self.readings[index][1]).index(choice)}"
            case f.Flag(name):
                return name.replace("-", "_")
            case f.NextIsFirst():
                return "next_is_first"
            case f.Compare(operator, left, right):
                return f"({self.quantity(left)} {OPERATORS[operator]} {self.quantity(right)})"
            case f.Within(left, right):
                if isinstance(left, f.CardsVar) and left.name in ("up", "thrown"):
                    return f"({self.cards(left)} & {self.cards(right)} != 0)"
                return f"({self.cards(left)} & ~{self.cards(right)} == 0)"
            case f.Meets(left, right):
                return f"({self.cards(left)} & {self.cards(right)} != 0)"
            case f.Same(left, right):
                return f"({self.cards(left)} == {self.cards(right)})"
            case f.IsMeldOf(cards, melds):
                return f"({self.cards(cards)} in {melds.name})"
            case f.NoCards(f.CardsVar("hand")):
                return "(hand == 0 and unknown == 0)"
            case f.NoCards(cards):
                return f"({self.cards(cards)} == 0)"
            case f.Valid(cards, None):
                return f"({self.cards(cards)} in VALID)"
            case f.Valid(cards, shape):
                return f"({self.cards(cards)} in SHAPES[{shape!r}])"
            case f.Possible(cards):
                return f"LAYABLE({self.cards(cards)})"
            case f.Has():
                raise NotImplementedError("traits describe shapes only")

    def some(self, node: f.Some, certain: bool) -> str:
        var = python_name(node.var)
        body = self.formula(node.body, certain)
        known = [a for a in sorted(free_names(node.body) | free_names(node.domain)) if a != var]
        domain = node.domain
        over = domain.name if isinstance(domain, f.Melds) else f"bits({self.cards(domain)})"
        return quantified(self.helpers, var, over, body, known)

    def cards(self, node: f.Cards) -> str:
        match node:
            case f.CardsVar(name):
                return python_name(name)
            case f.Union(left, right):
                return f"({self.cards(left)} | {self.cards(right)})"
            case f.Both(left, right):
                return f"({self.cards(left)} & {self.cards(right)})"
            case f.Minus(left, right):
                return f"({self.cards(left)} & ~{self.cards(right)})"
            case f.CardsOf(melds):
                return f"sum({melds.name})"
            case f.Ends(cards):
                return f"ENDS({self.cards(cards)})"

    def quantity(self, node: f.Quantity) -> str:
        match node:
            case f.Number(value):
                return str(value)
            case f.GoalSize():
                return "GOAL"
            case f.Size(f.CardsVar("hand")):
                return "(hand.bit_count() + unknown)"
            case f.Size(cards):
                return f"{self.cards(cards)}.bit_count()"
            case f.PlaceSize(place):
                return f"n_{place}"


def quantified(helpers: list[str], var: str, over: str, body: str, known: Sequence[str]) -> str:
    """A call of the helper that says whether the body is true for some `var` of a domain, added if there is none.

    `known` are the other names that domain and body ask for.
    """
    text = (
        f"({', '.join(known)}):\n"
        f"    for {var} in {over}:\n"
        f"        if {body}:\n"
        f"            return True\n"
        f"    return False\n"
    )
    if text not in helpers:
        helpers.append(text)
    return f"some{helpers.index(text)}({', '.join(known)})"


_WORDS = frozenset({"up", "used", "hand", "thrown", "said", "onto"})


def python_name(name: str) -> str:
    """A set of cards as a Python name: a word of the moment, or a variable, whose name may hold a hyphen."""
    return name if name in _WORDS else "v_" + name.replace("_", "_u").replace("-", "_h")


def _asks_hand(node: f.Formula | f.Cards | f.Melds | f.Quantity) -> bool:
    """Whether an atom depends on which cards are in the hand; how many there are is known."""
    match node:
        case f.CardsVar(name):
            return name == "hand"
        case f.Size(f.CardsVar("hand")) | f.NoCards(f.CardsVar("hand")):
            return False
        case f.Some(_, domain, _):
            return _asks_hand(domain)
        case _:
            return any(_asks_hand(part) for part in f.parts(node))


def _grows(node: f.Cards | f.Melds | f.Quantity) -> bool:
    """Whether more cards in the hand can only add to the set."""
    match node:
        case f.Union(left, right) | f.Both(left, right):
            return _grows(left) and _grows(right)
        case f.Minus(left, right):
            return _grows(left) and not _asks_hand(right)
        case f.Size(cards):
            return _grows(cards)
        case f.CardsVar():
            return True
        case _:
            return not _asks_hand(node)


def _rises(node: f.Formula) -> bool:
    """Whether an atom that holds for the known cards of a hand holds for more cards too."""
    match node:
        case f.Some(_, domain, _):
            return _grows(domain)
        case f.Meets(left, right):
            return _grows(left) and _grows(right)
        case f.Within(left, right):
            return not _asks_hand(left) and _grows(right)
        case f.Compare(">" | ">=", left, right):
            return _grows(left) and not _asks_hand(right)
        case f.Compare("<" | "<=", left, right):
            return not _asks_hand(left) and _grows(right)
        case _:
            return False


def free_names(node: f.Formula | f.Cards | f.Melds | f.Quantity) -> frozenset[str]:
    """The arguments that a compiled condition needs."""
    match node:
        case f.CardsVar("hand"):
            return frozenset({"hand", "unknown"})
        case f.CardsVar(name):
            return frozenset({python_name(name)})
        case f.Melds(name) | f.Flag(name):
            return frozenset({name.replace("-", "_")})
        case f.PlaceSize(place):
            return frozenset({f"n_{place}"})
        case f.NextIsFirst():
            return frozenset({"next_is_first"})
        case f.Some(var, domain, body):
            return (free_names(body) - {python_name(var)}) | free_names(domain)
        case _:
            return frozenset().union(*(free_names(x) for x in f.parts(node)))


def fit_term(node: f.Formula) -> f.Some | None:
    """The first condition `some m in before: …` that asks for nothing but the meld and the card on offer.

    Such a condition can be tabulated: for each meld the set of cards on offer for which it holds.
    """
    match node:
        case f.Some(var, f.Melds("before"), body) if free_names(body) <= {python_name(var), "up"}:
            return node
        case _:
            for part in f.parts(node):
                if isinstance(part, f.Formula):
                    found = fit_term(part)
                    if found is not None:
                        return found
    return None


def possible_without(node: f.Formula, term: f.Formula, negative: bool = False) -> f.Formula:
    """What readings must say for the condition to hold although the term does not: an over-estimate.

    Only readings remain; every other fact is taken to be as the condition wants it.
    """
    if node == term:
        return f.Always(False)
    match node:
        case f.Always() | f.ReadingIs():
            return node
        case f.Not(x):
            return f.negated(possible_without(x, term, not negative))
        case f.All(xs):
            return f.All(tuple(possible_without(x, term, negative) for x in xs))
        case f.Any_(xs):
            return f.Any_(tuple(possible_without(x, term, negative) for x in xs))
        case _:
            return f.Always(not negative)


def assumed(node: f.Formula, term: f.Formula) -> f.Formula:
    """A condition on a demand that names no meld, when the term holds: simplified by these two facts."""
    if node == term:
        return f.Always(True)
    match node:
        case f.Flag("named"):
            return f.Always(False)
        case f.Not(x):
            return f.negated(assumed(x, term))
        case f.All(xs):
            parts = [assumed(x, term) for x in xs]
            if f.Always(False) in parts:
                return f.Always(False)
            return _joined(f.All, [x for x in parts if x != f.Always(True)], True)
        case f.Any_(xs):
            parts = [assumed(x, term) for x in xs]
            if f.Always(True) in parts:
                return f.Always(True)
            return _joined(f.Any_, [x for x in parts if x != f.Always(False)], False)
        case _:
            return node


def _joined(kind: type[f.All] | type[f.Any_], parts: list[f.Formula], empty: bool) -> f.Formula:
    if not parts:
        return f.Always(empty)
    return parts[0] if len(parts) == 1 else kind(tuple(parts))
