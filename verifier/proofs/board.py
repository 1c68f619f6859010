"""A table, a hand and a card on offer that are left open: every one of the pack at once.

Truths say which melds lie before an act and after it, and where each card is. In a pack with copies only the first
copy of each card is looked at; what holds there need not hold for all of them, what can be there can be.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from conquian.language import clauses as c
from conquian.language import formula as f
from conquian.language.rules import Clause
from conquian.verifier.circuits import TRUE, Circuit
from conquian.verifier.deck import required
from conquian.verifier.frame import Frame
from conquian.verifier.proofs.game import Game
from conquian.verifier.proofs.result import Questions
from conquian.verifier.proofs.standing import Standings
from conquian.verifier.proofs.under import guessed, settled

RANKS = 6
"""How many ranks a board of few cards has: enough for most of what can be there, and soon asked."""


class Board:
    """The truths of a table before and after an act, and what holds of them whatever the rules say."""

    def __init__(self, game: Game, others: Sequence[int] = (), few: bool = False) -> None:
        """`others`: sets of cards, not melds, that may lie after the act too; `few`: cards of six ranks alone."""
        self.game, self.pack = game, game.engine.pack
        pack = self.pack
        ranks = game.rules.only(c.Order).ranks[: RANKS if few else None]
        kinds = [k for k, card in enumerate(pack.cards) if not few or card[:-1] in ranks]
        self.cards = [pack.physical(kind, 0) for kind in kinds]
        one_each = sum(1 << (kind * pack.width) for kind in kinds)
        inside = [meld for meld in sorted(game.engine.melds.packed) if pack.contains(one_each, meld)]
        self.melds = tuple(sum(pack.physical(kind, 0) for kind in pack.kinds(meld)) for meld in inside)
        self.sets = (*self.melds, *others)
        self.deck = game.deck()
        self.circuits, self.words = self.deck.circuits, self.deck.words
        self.encoder = self.deck.encoder(game.engine.program, Frame(sum(self.cards), self.melds, self.sets))
        self.asked = Questions(self.deck.solver)
        self.whole = pack.copies == 1 and not few
        """Whether nothing of the pack is left out."""

    # -- truths

    def old(self, meld: int) -> Circuit:
        return self.words.lies("before", meld)

    def new(self, meld: int) -> Circuit:
        return self.words.lies("after", meld)

    def on_table(self, card: int) -> Circuit:
        return self.circuits.any(self.old(meld) for meld in self.melds if meld & card)

    def laid(self, card: int) -> Circuit:
        return self.circuits.any(self.new(meld) for meld in self.sets if meld & card)

    def up(self, card: int) -> Circuit:
        return self.words.truth("up", card)

    def used(self, card: int) -> Circuit:
        return self.words.truth("used", card)

    def hand(self, card: int) -> Circuit:
        return self.words.truth("hand", card)

    # -- facts

    def lying(self, offer: bool = True) -> list[Circuit]:
        """The melds of the table share no card; the card on offer is one that is neither there nor in the hand.

        `offer` False: no card is on offer.
        """
        circuits, found = self.circuits, []
        for card in self.cards:
            found.append(-circuits.at_least([self.old(m) for m in self.melds if m & card], 2))
            found.append(-circuits.all((self.on_table(card), self.up(card))))
            found.append(-circuits.all((circuits.any((self.on_table(card), self.up(card))), self.hand(card))))
        ups = [self.up(card) for card in self.cards]
        found += [circuits.any(ups), -circuits.at_least(ups, 2)] if offer else [-up for up in ups]
        return found

    def laying(self, offer: bool = True) -> list[Circuit]:
        """An act: what lay stays, and what is new is the card on offer and cards of the hand."""
        circuits, found = self.circuits, []
        for card in self.cards:
            laid, up, used = self.laid(card), self.up(card), self.used(card)
            found.append(-circuits.at_least([self.new(m) for m in self.sets if m & card], 2))
            found.append(circuits.any((-self.on_table(card), laid)))
            own = (self.on_table(card), used, up) if offer else (self.on_table(card), used)
            found.append(circuits.any((-laid, *own)))
            found.append(circuits.any((-used, circuits.all((self.hand(card), laid)))))
        return found

    def few(self, hand: int, own: int | None) -> list[Circuit]:
        """At most so many cards in the hand, and in the hand, on the table and on offer together (None: any)."""
        at_least, any_ = self.circuits.at_least, self.circuits.any
        held = [self.hand(card) for card in self.cards]
        if own is None:
            return [-at_least(held, hand + 1)]
        mine = [any_((self.hand(c), self.on_table(c), self.up(c))) for c in self.cards]
        return [-at_least(held, hand + 1), -at_least(mine, own + 1)]

    def under(self, readings: Iterable[tuple[str, str]]) -> list[Circuit]:
        """These choices of readings and no other of the same."""
        chosen = dict(readings)
        found = []
        for reading in self.game.rules.readings:
            truths = {x: self.circuits.variable(f"{reading.name}={x}") for x in reading.choices}
            if reading.name in chosen:
                found += [truth if x == chosen[reading.name] else -truth for x, truth in truths.items()]
            else:
                found.append(self.circuits.any(truths.values()))
                found.append(-self.circuits.at_least(list(truths.values()), 2))
        return found

    def standing(self, standings: Standings, phase: str) -> Circuit:
        """That hand and table have numbers of cards that some deal comes to in a phase."""
        held = [self.hand(card) for card in self.cards]
        return standings.fact(self.circuits, phase, held, [self.on_table(card) for card in self.cards])

    def moment(self, sized: bool = True) -> list[Circuit]:
        """A card is not the player's own and the starter at once; numbers of cards follow one another, and the stock
        has no more than it begins with.

        `sized`: numbers of hand cards are those of the hand before the act.
        """
        circuits = self.circuits
        found = [-circuits.all((circuits.variable("own"), circuits.variable("starter")))]
        held = [self.hand(card) for card in self.cards]
        for name in list(circuits.names.values()):
            place, sign, count = name.partition(">=")
            if not sign:
                continue
            truth = circuits.variable(name)
            if place == "stock" and int(count) > self.game.left:
                found.append(-truth)
            elif place == "stock" and int(count) == self.game.left:
                found.append(-circuits.all((truth, circuits.variable("own"))))
            if place in ("held", "hand") and sized:
                found.append(circuits.same(truth, circuits.at_least(held, int(count))))
            for other in list(circuits.names.values()):
                another, _, less = other.partition(">=")
                if another == place and less and int(less) < int(count):
                    found.append(circuits.any((-truth, circuits.variable(other))))
        return [x for x in found if x != TRUE]

    # -- clauses

    def condition(self, node: f.Formula, readings: dict[str, str]) -> Circuit:
        return self.encoder.condition(guessed(settled(node, readings)))

    def requirements(
        self, verb: str, phase: str, bound: bool, readings: dict[str, str]
    ) -> list[tuple[Clause, Circuit]]:
        """What each clause asks of an act in a phase, under readings."""
        found = []
        for clause in self.game.rules.clauses:
            node = required(clause, verb, phase, bound)
            if node is not None:
                circuit = self.condition(node, readings)
                if circuit != TRUE:
                    found.append((clause, circuit))
        return found

    @property
    def guessing(self) -> bool:
        """Whether something was left to be true or false that an act decides."""
        return "possible=guessed" in self.circuits.names.values()

    # -- models

    def true(self, truths: Iterable[Circuit]) -> set[Circuit]:
        return self.deck.solver.model(truths)

    def sets_of(self, side: str) -> tuple[int, ...]:
        """The sets that the last answer has lie before or after."""
        sets = self.melds if side == "before" else self.sets
        truths = {meld: self.words.lies(side, meld) for meld in sets}
        found = self.true(truths.values())
        return tuple(meld for meld, truth in truths.items() if truth in found)

    def cards_of(self, word: str) -> int:
        truths = {card: self.words.truth(word, card) for card in self.cards}
        found = self.true(truths.values())
        return sum(card for card, truth in truths.items() if truth in found)

    def names(self, cards: int) -> list[str]:
        return self.pack.names(self.pack.packed_of(cards))
