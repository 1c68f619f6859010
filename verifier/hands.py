"""Unrecorded hands as constraints: a truth for each card and hand, and each recorded place of the stock.

The second witness to the engine's counting. Hands only shrink, so what is unknown is the deal, how the pack was
dealt, and the gifts before play; lines and events of a record are assumptions that say something of them. One
solver a record answers whether some of them can be true together, which of them already contradict each other,
what a hand holds for certain or can hold at any moment, and gives a deal that fits.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from conquian.engine.deals import dealt_places
from conquian.engine.hands import Held
from conquian.recorded import Fact, Item, Records
from conquian.verifier.circuits import FALSE, Circuit, Circuits
from conquian.verifier.limits import BUDGET, Undecided
from conquian.verifier.solver import Solver


@dataclass(frozen=True, slots=True)
class Dealt:
    """A deal that fits: kinds of card by seat, of the starter, by place of the stock where recorded; gifts in order."""

    hands: tuple[tuple[int, ...], ...]
    starter: int | None
    stock: dict[int, int]
    gifts: tuple[int, ...]


class Hands:
    """The deals that fit a record."""

    def __init__(self, records: Records, budget: int = BUDGET) -> None:
        self.records = records
        self.circuits = Circuits()
        self.solver = Solver(self.circuits, budget)
        engine = records.engine
        self._kinds = range(len(engine.pack.cards))
        self._seats = range(engine.seats)
        self._copies = range(1, engine.pack.copies + 1)
        variable = self.circuits.variable
        self.item = {item: variable(f"told {item}") for item in records.items}
        self.dealt = [
            [[variable(f"hand {s} {k} {n}") for n in self._copies] for k in self._kinds] for s in self._seats
        ]
        """By seat, kind and number: whether so many copies or more were dealt to the seat."""
        self._gifts = [f for f in records.facts if f.kind == "given"]
        self.gift = [[variable(f"gift {i} {k}") for k in self._kinds] for i in range(len(self._gifts))]
        self.starter = [variable(f"starter {k}") for k in self._kinds] if engine.program.starter else []
        self.packet = {p: variable(f"packet {p}") for p in records.packets()}
        self.stock: dict[int, list[Circuit]] = {}
        told = [circuit for fact in records.facts for circuit in self._fact(fact)]
        told.extend(self._deck())
        self.solver.always(*self._deal(), *told)
        self.full = self.circuits.all(self._full())

    # -- what always holds

    def _deal(self) -> Iterable[Circuit]:
        circuits, engine = self.circuits, self.records.engine
        for seat in self._seats:
            for ladder in self.dealt[seat]:
                for fewer, more in pairwise(ladder):
                    yield circuits.any((fewer, -more))
            yield -circuits.at_least(self._every(seat), engine.program.dealt + 1)
        for one in (*self.gift, list(self.packet.values())):
            yield circuits.at_least(one, 1)
        for one in (*self.gift, *self.stock.values(), self.starter, list(self.packet.values())):
            yield -circuits.at_least(one, 2)
        for kind in self._kinds:
            somewhere = [x for seat in self._seats for x in self.dealt[seat][kind]]
            somewhere += [one[kind] for one in (*self.stock.values(), self.starter) if one]
            yield -circuits.at_least(somewhere, engine.pack.copies + 1)
            for seat in self._seats:
                given = self._given(seat, kind)
                has = self.dealt[seat][kind]
                yield self._reaches(has, given, 0)
                yield self._reaches([*has, *self._received(seat, kind)], [*given, *self._used(seat, kind)], 0)

    def _every(self, seat: int) -> list[Circuit]:
        return [x for ladder in self.dealt[seat] for x in ladder]

    def _full(self) -> Iterable[Circuit]:
        """That no hand has an empty place. What cannot be with empty places cannot be without, and is found out
        sooner; places of the stock of which nothing is told take what is left over."""
        for seat in self._seats:
            yield self.circuits.at_least(self._every(seat), self.records.engine.program.dealt)
        if self.starter:
            yield self.circuits.at_least(self.starter, 1)

    def _reaches(self, left: Sequence[Circuit], right: Sequence[Circuit], more: int) -> Circuit:
        """Whether as many of the left hold as of the right, and so many more."""
        circuits = self.circuits
        return circuits.all(
            circuits.any((-circuits.at_least(right, n), circuits.at_least(left, n + more)))
            for n in range(len(right) + 1)
        )

    def _given(self, seat: int, kind: int, before: int | None = None) -> list[Circuit]:
        return [
            self.gift[i][kind]
            for i, gift in enumerate(self._gifts)
            if gift.seat == seat and (before is None or _number(gift) < before)
        ]

    def _received(self, seat: int, kind: int) -> list[Circuit]:
        step = self.records.engine.program.exchange[1]
        return self._given((seat - step) % len(self._seats), kind)

    def _used(self, seat: int, kind: int, before: int | None = None) -> list[Circuit]:
        """The assumption of each event once a copy that it takes out of the hand."""
        return [
            self.item[fact.item]
            for fact in self.records.facts
            if fact.kind == "used" and fact.seat == seat and (before is None or _number(fact) < before)
            for card in fact.cards
            if card == kind
        ]

    # -- what lines and events say

    def _fact(self, fact: Fact) -> Iterable[Circuit]:
        if not fact.cards:
            return
        told = self.item[fact.item]
        match fact.kind:
            case "dealt":
                yield from (self._when(told, x) for x in self._has(fact.seat, fact.cards))
            case "starter":
                yield self._when(told, self._opened(fact.cards[0]))
            case "stock":
                yield self._when(told, self._at(fact.place, fact.cards[0]))
            case "given":
                yield self._when(told, self.gift[self._gifts.index(fact)][fact.cards[0]])
            case "used" | "deck":
                # What was used is counted in `_deal`; a pack says what it says all at once.
                pass

    def _deck(self) -> Iterable[Circuit]:
        """What the recorded pack says, in whatever packets it was dealt."""
        told = self.item.get(("deck", 0))
        for packet, dealt_so in self.packet.items():
            if told is not None:
                this_way = self.circuits.all((told, dealt_so))
                yield from (self._when(this_way, x) for x in self._in_deck(packet))

    def _in_deck(self, packet: int) -> Iterable[Circuit]:
        hands, starter, stock = dealt_places(self.records.engine, self.records.first, packet)
        deck = {f.place: f.cards[0] for f in self.records.facts if f.kind == "deck"}
        for seat, places in enumerate(hands):
            yield from self._has(seat, tuple(deck[i] for i in places if i in deck))
        if starter in deck and starter is not None:
            yield self._opened(deck[starter])
        for place, i in enumerate(stock):
            if i in deck:
                yield self._at(place, deck[i])

    def _when(self, told: Circuit, then: Circuit) -> Circuit:
        return self.circuits.any((-told, then))

    def _has(self, seat: int, cards: Sequence[int]) -> Iterable[Circuit]:
        for kind in dict.fromkeys(cards):
            yield self._dealt(seat, kind, cards.count(kind))

    def _opened(self, kind: int) -> Circuit:
        return self.starter[kind] if self.starter else FALSE

    def _at(self, place: int, kind: int) -> Circuit:
        """Whether a card has a place of the stock; places that nothing is told of need no truths."""
        if place not in self.stock:
            self.stock[place] = [self.circuits.variable(f"stock {place} {k}") for k in self._kinds]
        return self.stock[place][kind]

    # -- questions

    def possible(self, items: Collection[Item] | None = None) -> bool | Undecided:
        """Whether some deal fits what these lines and events say; None: all of them."""
        chosen = self.records.items if items is None else items
        silent = [-self.item[item] for item in self.records.items if item not in chosen]
        asked = [*(self.item[item] for item in chosen), *silent]
        answer = self.solver.can(asked)
        return self.solver.can([*asked, self.full]) if answer is True else answer

    def contradicting(self) -> tuple[Item, ...] | Undecided | None:
        """Lines and events that cannot be true together, none of which can be left out; None if all can be true."""
        answer = self.possible()
        if answer is not False:
            return answer if isinstance(answer, Undecided) else None
        core = self.solver.core()
        kept = [item for item in self.records.items if self.item[item] in core]
        for item in list(kept):
            fewer = [x for x in kept if x != item]
            answer = self.possible(fewer)
            if isinstance(answer, Undecided):
                return answer
            if not answer:
                kept = fewer
        return tuple(kept)

    def bounds(self, seat: int, event: int, kinds: Iterable[int] | None = None) -> Held | Undecided:
        """What a seat certainly and possibly held just before an event, by everything that is recorded.

        `kinds`: only of these kinds of card.
        """
        engine = self.records.engine
        pack = engine.pack
        done = len(self._gifts) == engine.program.exchange[0] * engine.seats and all(
            _number(gift) < event for gift in self._gifts
        )
        enough: dict[Circuit, int] = {}
        certain = possible = 0
        for kind in self._kinds if kinds is None else kinds:
            has = [*self.dealt[seat][kind], *(self._received(seat, kind) if done else ())]
            gone = [*self._given(seat, kind, event), *self._used(seat, kind, event)]
            unit = 1 << (kind * pack.width)
            for n in self._copies:
                circuit = (
                    self._reaches(has, gone, n) if self._gifts else self._dealt(seat, kind, n + len(gone))
                )
                enough[circuit] = enough.get(circuit, 0) + unit
        sometimes: set[Circuit] = set()
        for wanted in (*enough, *(-x for x in enough)):
            if wanted in sometimes:
                continue
            answer = self._can(wanted)
            if isinstance(answer, Undecided):
                return answer
            if answer:
                # One deal answers for every other card too.
                sometimes.add(wanted)
                told = [x for x in enough if x in self.circuits.names]
                true = self.solver.model(told)
                sometimes.update(x if x in true else -x for x in told)
        for circuit, unit in enough.items():
            possible += unit if circuit in sometimes else 0
            certain += 0 if -circuit in sometimes else unit
        return Held(certain, possible)

    def _dealt(self, seat: int, kind: int, count: int) -> Circuit:
        ladder = self.dealt[seat][kind]
        return ladder[count - 1] if count <= len(ladder) else FALSE

    def _can(self, circuit: Circuit) -> bool | Undecided:
        return self.solver.can([*self.item.values(), self.full, circuit])

    def example(self) -> Dealt | Undecided | None:
        """A deal that fits everything recorded; None if there is none."""
        answer = self.possible()
        if answer is not True:
            return answer if isinstance(answer, Undecided) else None
        true = self.solver.model(self.circuits.names)
        hands = [
            tuple(k for k in self._kinds for x in self.dealt[seat][k] if x in true) for seat in self._seats
        ]
        stock = {place: self._one(kinds, true) for place, kinds in sorted(self.stock.items())}
        starter = self._one(self.starter, true) if self.starter else None
        return Dealt(tuple(hands), starter, stock, tuple(self._one(kinds, true) for kinds in self.gift))

    def _one(self, kinds: Sequence[Circuit], true: set[Circuit]) -> int:
        return next(k for k in self._kinds if kinds[k] in true)


def _number(fact: Fact) -> int:
    """The number of the event that a fact is of."""
    assert isinstance(fact.item, int)
    return fact.item
