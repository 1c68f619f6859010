"""One complete deal that fits everything recorded of a deal: hands, starter, stock, and gifts that nobody saw.

INVARIANT: the example has been judged again, as a record in which nothing is open, and was judged as the record
itself was; a difference is a Disagreement.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from conquian.engine.coded import Event
from conquian.engine.deals import UNKNOWN, dealt_places, seats_of
from conquian.engine.engine import Engine
from conquian.engine.hands import unseen
from conquian.engine.residues import completion
from conquian.referee import Outcome, judge_deal
from conquian.transcript.model import Deal
from conquian.verifier.limits import Disagreement
from conquian.worlds import World, worlds


@dataclass(frozen=True, slots=True)
class ExampleDeal:
    """A deal with nothing left open. `gifts` are those that the record leaves open, as complete events."""

    hands: dict[str, tuple[str, ...]]
    starter: str | None
    stock: tuple[str, ...]
    deck: tuple[str, ...] | None
    gifts: tuple[Event, ...]

    @property
    def document(self) -> dict[str, Any]:
        found: dict[str, Any] = {"hands": self.hands, "starter": self.starter, "stock": self.stock}
        if self.deck is not None:
            found["deck"] = self.deck
        if self.gifts:
            found["gifts"] = self.gifts
        return found


def example_deal(
    engine: Engine, players: Sequence[str], deal: Deal, first: int, outcome: Outcome
) -> ExampleDeal | None:
    """A deal that fits a record that is not illegal; None for one that is. TooManyHands if none was found in time."""
    if outcome.kind == "invalid":
        return None
    for world in worlds(engine, players, deal, first, 0, len(deal.events)):
        for whole in _whole(engine, players, deal, first, world):
            again = judge_deal(engine, players, whole, first)
            same = (again.kind, again.legal, again.winner, again.drawn) == (
                outcome.kind,
                outcome.legal,
                outcome.winner,
                outcome.drawn,
            )
            if not same:
                raise Disagreement(f"a deal that should fit the record is {again.kind} ({again.code})")
            return ExampleDeal(
                {name: tuple(cards or ()) for name, cards in (whole.hands or {}).items()},
                whole.starter,
                tuple(whole.stock or ()),
                whole.deck,
                tuple(whole.events[i] for i, _ in world.gifts),
            )
    raise Disagreement("the record is legal and no deal fits it")


def _whole(engine: Engine, players: Sequence[str], deal: Deal, first: int, world: World) -> Iterator[Deal]:
    """The record with every gap filled, once for each way in which its pack may have been dealt."""
    pack, state, seats = engine.pack, world.trail.state, seats_of(players)
    asked = completion(engine, world.trail, seats) if world.trail.asked else None
    free = Counter(pack.names(unseen(pack, state)))
    hands: list[Counter[str]] = []
    filled: list[list[str]] = []
    for seat in range(engine.seats):
        cards = pack.names(asked[seat]) if asked is not None else []
        free -= Counter(cards)
        filled.append(cards)
    for seat, cards in enumerate(filled):
        fillers = free.elements()
        cards.extend(next(fillers) for _ in range(world.places(engine, seat) - len(cards)))
        free = Counter(pack.names(unseen(pack, state)))
        for taken in filled:
            free -= Counter(taken)
        hands.append(Counter(pack.names(world.known[seat])) + Counter(cards))
    events = _given(deal, world, seats, [list(cards) for cards in filled])
    rest = free.elements()
    turned = [event[2] for event in events if event[1] == "turns"]
    stock = [pack.names(entry)[0] if entry else UNKNOWN for entry in state.recorded]
    stock += [UNKNOWN] * (state.stock + state.drawn_to - len(stock))
    stock = [*turned, *stock[len(turned) :]]
    stock = [next(rest) if card == UNKNOWN else card for card in stock]
    whole = msgspec.structs.replace(
        deal,
        hands={name: tuple(_sorted(engine, hands[seat])) for seat, name in enumerate(players)},
        hand_sizes=None,
        stock=tuple(stock),
        events=tuple(events),
    )
    if deal.deck is None:
        yield whole
        return
    for packet in engine.program.packets:
        deck = _deck(engine, first, packet, deal.deck, hands, deal.starter, stock)
        if deck is not None:
            yield msgspec.structs.replace(whole, deck=deck)


def _sorted(engine: Engine, cards: Counter[str]) -> list[str]:
    return engine.pack.names(engine.pack.packed(cards.elements()))


def _given(deal: Deal, world: World, seats: dict[str, int] | Any, fillers: list[list[str]]) -> list[Event]:
    """The events with a card for each gift that nobody saw."""
    events: list[Event] = list(deal.events)
    for number, card in world.gifts:
        event = events[number]
        if card == UNKNOWN:
            # A card that is never shown: one of those that fill the giver's hand.
            card = fillers[seats[event[0]]].pop()
        events[number] = (*event[:2], card, *event[3:])
    return events


def _deck(
    engine: Engine,
    first: int,
    packet: int,
    said: Sequence[str],
    hands: Sequence[Counter[str]],
    starter: str | None,
    stock: Sequence[str],
) -> tuple[str, ...] | None:
    """The pack before it was dealt so, None if what is recorded of it does not fit."""
    places, open_card, rest = dealt_places(engine, first, packet)
    deck = [*said, *[UNKNOWN] * (engine.pack.size - len(said))]
    for hand, at in zip(hands, places, strict=True):
        fixed = Counter(deck[i] for i in at if deck[i] != UNKNOWN)
        if fixed - hand:
            return None
        left = iter(_sorted(engine, hand - fixed))
        for i in at:
            if deck[i] == UNKNOWN:
                deck[i] = next(left)
    order = list(zip(rest, stock, strict=True))
    if open_card is not None and starter is not None:
        order.append((open_card, starter))
    for i, card in order:
        if deck[i] not in (UNKNOWN, card):
            return None
        deck[i] = card
    return tuple(deck)
