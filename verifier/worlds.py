"""Every position of a pack at once: where each card may be, what an act may do with it, and how many cards there are.

A world is the whole of the shared pack: any melds that both sides know may lie on the table, any cards be held, one
be on offer. What holds in every such position are facts; so a question that has no answer here has none in any
position. A model is read back as the cards of one position and one act.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from conquian.engine.pack import bits
from conquian.language import clauses as c
from conquian.language import formula as f
from conquian.language.settled import before_the_act, uses
from conquian.verifier.cards import CardSet, equal
from conquian.verifier.circuits import FALSE, TRUE, Circuit, Circuits
from conquian.verifier.counts import Count
from conquian.verifier.expressions import Encoder, Env
from conquian.verifier.frame import Frame, Words
from conquian.verifier.joint import Joint, Side

MOST_STOCK = 60
"""More cards than a clause asks a stock to have."""


@dataclass(frozen=True, slots=True)
class Scene:
    """An act at a moment of play (a key of `Side.stands`), and the events that lead there from an offer.

    `names` is a demand that names a card and a meld.
    """

    verb: str
    moment: str
    way: tuple[str, ...] = ()


SCENES = (
    Scene("melds", "offer"),
    Scene("forces", "offer"),
    Scene("passes", "offer"),
    Scene("arranges", "offer"),
    Scene("names", "offer"),
    Scene("forces", "declined", ("passes",)),
    Scene("names", "declined", ("passes",)),
    Scene("melds", "forced at once", ("forces",)),
    Scene("melds", "forced", ("passes", "forces")),
    Scene("turns", "turn", ("passes",)),
    Scene("arranges", "turn", ("passes",)),
    Scene("discards", "laid", ("melds",)),
    Scene("arranges", "laid", ("melds",)),
)
VERBS: Mapping[str, c.Verb] = {
    "melds": "meld",
    "forces": "force",
    "names": "force",
    "arranges": "arrange",
    "passes": "pass",
    "turns": "turn",
    "discards": "discard",
}


@dataclass(frozen=True, slots=True)
class Cards:
    """The cards of a model, as packed sets of the shared pack. `used`: hand cards laid; `own`: one's own offer."""

    before: tuple[int, ...]
    after: tuple[int, ...]
    up: int
    hand: int
    used: int
    passed: int
    thrown: int
    said: int
    onto: int
    own: bool
    stock: int | None


@dataclass(slots=True)
class World(Encoder):
    """The conditions of one side over every position: an `Encoder` over the whole of the shared pack.

    Cards in the hand are counted, the stock is a ladder of truths, and `possible` is a truth with a layout that it
    promises; its opposite promises nothing.
    """

    label: str = ""
    held: Sequence[Circuit] = ()
    layouts: list[Circuit] = field(default_factory=list)
    """Facts: what each truth of `possible` promises."""
    promised: list[tuple[Circuit, CardSet]] = field(default_factory=list)

    def _plain(self, node: f.Formula, env: Env) -> Circuit:
        if node == f.NoCards(f.CardsVar("hand")):
            return -self.circuits.any(self.held)
        return Encoder._plain(self, node, env)

    def place(self, place: str) -> Count:
        if place == "stock":
            return Count(lambda k: TRUE if k <= 0 else self.words.at_least("stock", k), MOST_STOCK)
        return Count(lambda k: self.circuits.at_least(self.held, k), len(self.held))

    def possible(self, found: CardSet) -> Circuit:
        circuits, number = self.circuits, len(self.promised)
        truth = circuits.variable(f"{self.label}:possible:{number}")
        laid = {m: circuits.variable(f"{self.label}:lay:{number}:{m}") for m in self.melds()}
        for card in bits(self.frame.cards):
            over = [x for m, x in laid.items() if m & card]
            self.layouts.append(circuits.any((-truth, circuits.same(found.has(card), circuits.any(over)))))
            self.layouts.append(circuits.any((-truth, -circuits.at_least(over, 2))))
        self.promised.append((truth, found))
        return truth


class Worlds:
    """Both sides of a comparison over one set of truths."""

    def __init__(self, joint: Joint) -> None:
        self.joint = joint
        self.circuits = Circuits()
        self.words = Words(self.circuits, joint.pack)
        both = joint.a.melds.packed & joint.b.melds.packed
        every = joint.a.melds.packed | joint.b.melds.packed
        self.frame = Frame(joint.pack.everything, tuple(sorted(both)), tuple(sorted(every)))
        self.cards = bits(joint.pack.everything)
        truth = self.words.truth
        self.hand = [truth("hand", card) for card in self.cards]
        left = [self.circuits.all((truth("hand", x), -truth("used", x))) for x in self.cards]
        self.worlds = {"a": self._world("a", joint.a, self.hand), "b": self._world("b", joint.b, self.hand)}
        self.after = {"a": self._world("a'", joint.a, left), "b": self._world("b'", joint.b, left)}
        """The same when the hand is what a meld leaves of it."""
        self.lemmas: list[Circuit] = []
        """Facts found on the way: that some cards can be laid out."""
        self._old = {m: self.words.lies("before", m) for m in self.frame.before}
        self._new = {m: self.words.lies("after", m) for m in self.frame.after}

    def _world(self, label: str, side: Side, held: Sequence[Circuit]) -> World:
        return World(
            self.circuits,
            self.words,
            self.frame,
            side.engine.program.goal,
            [(TRUE, side.melds)],
            label=label,
            held=held,
        )

    def side(self, name: str) -> Side:
        return self.joint.a if name == "a" else self.joint.b

    def invalid(self, name: str, melds: Iterable[int]) -> Circuit:
        """Whether some of these melds is laid that is none for a side."""
        known = self.side(name).melds.packed
        return self.circuits.any(self._new[m] for m in melds if m not in known)

    # -- what holds in every position

    def facts(self, scene: Scene) -> list[Circuit]:
        """Where cards can be in a scene, and what an act can do with them; hands and tables of any size."""
        circuits, truth, laid = self.circuits, self.words.truth, self.words.lies
        verb, moment = scene.verb, scene.moment
        offered = moment not in ("turn", "laid")
        found = [-circuits.variable(name) for name in ("starter", "next-is-first")]
        found.append(circuits.variable("named") if verb == "names" else -circuits.variable("named"))
        if moment == "turn":
            found.append(-circuits.variable("own"))
        for card in self.cards:
            old = [laid("before", m) for m in self.frame.before if m & card]
            new = [laid("after", m) for m in self.frame.after if m & card]
            up, held, used = truth("up", card), truth("hand", card), truth("used", card)
            found.append(-circuits.at_least([*old, up, held, truth("passed", card)], 2))
            found.append(circuits.any((-used, held)))
            if verb in ("melds", "arranges"):
                found.append(-circuits.at_least(new, 2))
                lies = circuits.any(old) if verb == "arranges" else circuits.any([*old, up, used])
                found.append(circuits.same(circuits.any(new), lies))
            if verb != "melds":
                found.append(-used)
            found.append(circuits.any((-truth("thrown", card), held)))
            if verb == "names":
                found.append(circuits.any((-truth("said", card), up)))
        found += self._one("up", offered) + self._one("passed", moment == "turn")
        found += self._one("thrown", verb == "discards")
        if verb == "names":
            onto = self.words.word("onto", self.joint.pack.everything)
            none = circuits.all(-x for x in onto.open.values())
            named = (circuits.all((x, equal(circuits, onto, CardSet(m)))) for m, x in self._old.items())
            found.append(circuits.any((none, *named)))
        if moment == "laid":
            found.append(circuits.any(self._old.values()))
        return [x for x in found if x != TRUE]

    def limits(self, scene: Scene) -> list[Circuit]:
        """No hand, and no hand with its table, is larger than play can make it; the table has not won already."""
        found = [*self._limits(scene.moment), *self._unwon(), *self._counted(scene)]
        return [x for x in found if x != TRUE]

    def _counted(self, scene: Scene) -> list[Circuit]:
        """Sizes of sets that hold each other, told to the solver, which is slow to find that out by itself."""
        own, there = self._ladder(self.own()), self._ladder(self._there())
        steps = range(1, len(self.cards))
        more = 0 if scene.moment == "laid" else 1
        found = [self.circuits.any((-own[k], there[k + more])) for k in steps]
        hand, lying = self._ladder(self.hand), self._ladder(self._lying())
        found += [
            self.circuits.any((-hand[i], -lying[k - i], own[k]))
            for k in range(len(own))
            for i in range(k + 1)
        ]
        if scene.verb == "melds":
            laid = self.worlds["a"].cards(f.CardsOf(f.Melds("after")), {})
            after = self._ladder(list(laid.open.values()))
            found += [self.circuits.any((-after[k], there[k])) for k in range(len(after))]
            found += [self.circuits.any((-after[k], own[k - 1])) for k in range(1, len(after))]
            left = self.circuits.any(self.after["a"].held)
            found += [self.circuits.any((-after[k], -left, own[k])) for k in range(1, len(after))]
        return found

    def _ladder(self, operands: Sequence[Circuit]) -> list[Circuit]:
        """By number: whether so many of the operands hold; the same circuits as `at_least` has."""
        row = [TRUE] + [FALSE] * len(operands)
        for x in operands:
            for k in range(len(operands), 0, -1):
                row[k] = self.circuits.any((row[k], self.circuits.all((x, row[k - 1]))))
        return row

    def _one(self, word: str, there: bool) -> list[Circuit]:
        """Exactly one card, or none."""
        cards = [self.words.truth(word, card) for card in self.cards]
        if there:
            return [self.circuits.any(cards), -self.circuits.at_least(cards, 2)]
        return [-x for x in cards]

    def _limits(self, moment: str) -> list[Circuit]:
        """No hand, and no hand with its table, is larger than play can make it."""
        a, b = self.joint.a, self.joint.b
        found = [-self.circuits.at_least(self.hand, min(a.hand, b.hand) + 1)]
        bounds = [x.own for x in (a, b) if x.own is not None]
        if bounds:
            most = min(bounds) + (1 if moment == "laid" else 0)
            found.append(-self.circuits.at_least(self.own(), most + 1))
        return found

    def _unwon(self) -> list[Circuit]:
        """The deal has not been won by the table as it lies."""
        found = []
        for name, world in self.worlds.items():
            for body in self.side(name).bodies.values():
                if isinstance(body, c.Wins) and not uses(body.when, f.CardsVar):
                    found.append(-world.condition(before_the_act(body.when)))
        return found

    def own(self) -> list[Circuit]:
        """By card: whether it is in the hand or on the table."""
        return [
            self.circuits.any(
                (self.words.truth("hand", card), *(x for m, x in self._old.items() if m & card))
            )
            for card in self.cards
        ]

    def _lying(self) -> list[Circuit]:
        """By card: whether it is on the table before the act."""
        table = self.worlds["a"].cards(f.CardsOf(f.Melds("before")), {})
        return [table.has(card) for card in self.cards]

    def stock(self, roots: Sequence[Circuit]) -> list[Circuit]:
        """A stock that has so many cards has fewer too."""
        names = self.circuits.names
        under = self.circuits.under(roots, set())
        counts = sorted(int(names[x][7:]) for x in under if names.get(x, "").startswith("stock>="))
        at_least = self.words.at_least
        return [
            self.circuits.any((-at_least("stock", more), at_least("stock", k)))
            for k, more in pairwise(counts)
        ]

    def more_than(self, count: int) -> Circuit:
        """Whether table, hand and offer have more cards than so many."""
        return self.circuits.at_least(self._there(), count + 1)

    def _there(self) -> list[Circuit]:
        """By card: whether it is in the position at all."""
        truth = self.words.truth
        return [
            self.circuits.any((mine, truth("up", card), truth("passed", card)))
            for mine, card in zip(self.own(), self.cards, strict=True)
        ]

    def exactly(self, cards: Cards) -> list[Circuit]:
        """A position and an act, card by card."""
        truth = self.words.truth
        found = [x if m in cards.before else -x for m, x in self._old.items()]
        found += [x if m in cards.after else -x for m, x in self._new.items()]
        words = ("up", "hand", "used", "passed", "thrown")
        for word in words:
            there: int = getattr(cards, word)
            found += [truth(word, x) if x & there else -truth(word, x) for x in self.cards]
        return found

    # -- models

    @property
    def variables(self) -> list[int]:
        return list(self.circuits.names)

    def read(self, true: set[int]) -> Cards:
        """The position and the act of a model."""
        lying = self.words.lying
        sets: dict[str, int] = {}
        old: list[int] = []
        new: list[int] = []
        for x in true:
            word, cards = lying.get(x, ("", 0))
            if word == "old":
                old.append(cards)
            elif word == "new":
                new.append(cards)
            elif word:
                sets[word] = sets.get(word, 0) | cards
        names = self.circuits.names
        asked = [int(n[7:]) for n in names.values() if n.startswith("stock>=")]
        reached = [int(names[x][7:]) for x in true if names[x].startswith("stock>=")]
        return Cards(
            before=tuple(sorted(old)),
            after=tuple(sorted(new)),
            up=sets.get("up", 0),
            hand=sets.get("hand", 0),
            used=sets.get("used", 0),
            passed=sets.get("passed", 0),
            thrown=sets.get("thrown", 0),
            said=sets.get("said", 0),
            onto=sets.get("onto", 0),
            own=self.circuits.variable("own") in true,
            stock=max(reached, default=0) if asked else None,
        )

    def broken_promises(self, true: set[int]) -> list[Circuit]:
        """What a model got wrong of `possible`: facts that keep it from doing so again."""
        found = []
        for name in ("a", "b"):
            for world in (self.worlds[name], self.after[name]):
                for truth, cards in world.promised:
                    if truth in true:
                        continue
                    there = sum(card for card in cards.cards() if self._has(cards, card, true))
                    if self.side(name).melds.layable(there):
                        found.append(self.circuits.any((truth, -equal(self.circuits, cards, CardSet(there)))))
        return [x for x in found if x not in (TRUE, FALSE)]

    def _has(self, cards: CardSet, card: int, true: set[int]) -> bool:
        return self.circuits.value(cards.has(card), true)
