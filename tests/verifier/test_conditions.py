"""Random conditions of every kind, on random acts: what the engine's text says is what the circuit says.

Rule files use few of the conditions that the language has; here each kind of node meets every other.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Literal

from conquian.engine.engine import Engine, engine
from conquian.engine.expressions import Emitter
from conquian.engine.pack import bits
from conquian.language import formula as f
from conquian.verifier.acts import Act, act_of, known
from conquian.verifier.deck import deck_of
from conquian.verifier.frame import Frame

from .acts import some_acts, some_position, some_readings
from .test_legality import LONG

Operator = Literal["=", "!=", "<", "<=", ">", ">="]
OPERATORS: tuple[Operator, ...] = ("=", "!=", "<", "<=", ">", ">=")
SIDES = f.Melds("before"), f.Melds("after")


class Conditions:
    """Makes conditions on an act; the variables in sight are melds and single cards."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.count = 0

    def cards(self, depth: int, seen: Sequence[str]) -> f.Cards:
        if depth <= 0 or self.random.random() < 0.4:
            return f.CardsVar(self.random.choice([*seen, *seen, "up", "used", "hand"]))
        left, right = self.cards(depth - 1, seen), self.cards(depth - 1, seen)
        kinds: list[f.Cards] = [
            f.Union(left, right),
            f.Both(left, right),
            f.Minus(left, right),
            f.CardsOf(self.random.choice(SIDES)),
            f.Ends(left),
        ]
        return self.random.choice(kinds)

    def quantity(self, seen: Sequence[str]) -> f.Quantity:
        kinds: list[f.Quantity] = [
            f.Number(self.random.randrange(5)),
            f.Size(self.cards(1, seen)),
            f.PlaceSize("stock"),
        ]
        return self.random.choice(kinds)

    def formula(self, depth: int, seen: Sequence[str] = ()) -> f.Formula:
        pick, cards = self.random.choice, self.cards
        if depth > 0 and self.random.random() < 0.75:
            self.count += 1
            var = f"v-{self.count}"
            inside, other = self.formula(depth - 1, (*seen, var)), self.formula(depth - 1, seen)
            third = self.formula(depth - 1, seen)
            domain = pick([*SIDES, cards(1, seen)])
            kinds: list[f.Formula] = [
                f.Some(var, domain, inside),
                f.All((other, third)),
                f.Any_((other, third)),
                f.Not(other),
            ]
            return pick([*kinds, f.Some(var, domain, inside)])
        plain: list[f.Formula] = [
            f.Always(self.random.random() < 0.5),
            f.Flag(pick(["own", "starter"])),
            f.ReadingIs("borrowing", pick(["free", "afterwards"])),
            f.Compare(pick(OPERATORS), self.quantity(seen), self.quantity(seen)),
            f.Within(cards(1, seen), cards(1, seen)),
            f.Meets(cards(1, seen), cards(1, seen)),
            f.Same(cards(1, seen), cards(1, seen)),
            f.IsMeldOf(cards(1, seen), pick(SIDES)),
            f.NoCards(cards(1, seen)),
            f.Valid(cards(1, seen), pick([None, "run", "group"])),
            f.Possible(cards(1, seen)),
        ]
        return pick(plain)


def by_engine(of: Engine, node: f.Formula, act: Act) -> bool:
    emitter = Emitter([(r.name, r.choices) for r in of.program.readings])
    text = emitter.formula(node)
    helpers = "".join(f"def some{i}{body}" for i, body in enumerate(emitter.helpers))
    space: dict[str, Any] = {f"r{i}": choice for i, choice in enumerate(of.choices)}
    space |= {
        "VALID": of.melds.valid,
        "SHAPES": of.melds.shapes,
        "ENDS": of.melds.ends,
        "LAYABLE": of.layable,
    }
    space |= {"bits": bits, "before": act.before, "after": act.after, "up": act.up}
    space |= {"used": act.used, "hand": act.hand, "unknown": 0, "own": act.own, "starter": act.starter}
    space["n_stock"] = act.stock
    exec(f"{helpers}answer = {text}", space)
    return bool(space["answer"])


def by_circuit(of: Engine, node: f.Formula, act: Act) -> bool:
    deck = deck_of(of)
    cards = sum(act.before) | act.up | act.hand
    circuit = deck.encoder(of.program, Frame(cards, act.before, act.after)).condition(node)
    facts = known(deck, act, (circuit,), of.readings, ())
    return deck.circuits.value(circuit, {x for x in facts if x > 0})


def test_every_kind_of_condition_means_the_same_to_both_machines() -> None:
    random = Random(17)
    conditions = Conditions(random)
    said = {True: 0, False: 0}
    for _ in range(30 * LONG):
        of = some_readings(engine(random.choice(["swedish", "coonking"])).program, random)
        here = some_position(of, random)
        for event in some_acts(here, random, 2):
            act = act_of(here, event)
            if act is None or len(set(act.after)) < len(act.after):
                continue
            for _ in range(6):
                node = conditions.formula(3)
                expected = by_engine(of, node, act)
                assert by_circuit(of, node, act) == expected, (node, act)
                said[expected] += 1
    assert min(said.values()) > 100
