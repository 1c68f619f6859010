"""What is known of the hidden cards, and whether it can all be true at once.

Hands only shrink, so the unknown is the deal itself, and the gifts where the rules have an exchange. A
set of facts fits when, for one way of dealing the pack and one choice of the unrecorded gifts, no card is
needed more often than the deck has it and no hand needs more cards than were dealt: what is left over
then fills the gaps.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from .melds import Card
from .settings import Settings

UNKNOWN = "?"


@dataclass(frozen=True)
class Known:
    """All facts of a deal so far. `dealt` has the dealt hands, once for each way the pack may be dealt."""

    settings: Settings
    dealt: tuple[tuple[tuple[Card, ...], ...], ...]
    starter: Card | None
    stock: tuple[Card, ...]  # in draw order, UNKNOWN where nothing is recorded
    gifts: tuple[Card | None, ...]  # by seat; None before it is given, UNKNOWN if unrecorded
    used: tuple[tuple[Card, ...], ...]  # by seat, what has left the hand in play

    def seats(self) -> range:
        return range(len(self.gifts))

    def with_gift(self, seat: int, card: Card) -> Known:
        return replace(self, gifts=(*self.gifts[:seat], card, *self.gifts[seat + 1 :]))

    def with_used(self, seat: int, cards: Iterable[Card]) -> Known:
        gone = (*self.used[seat], *cards)
        return replace(self, used=(*self.used[:seat], gone, *self.used[seat + 1 :]))

    def with_turned(self, place: int, card: Card) -> Known:
        return replace(self, stock=(*self.stock[:place], card, *self.stock[place + 1 :]))

    def hand(self, seat: int) -> list[Card] | None:
        """The player's hand now, sorted by name, if every card of it is recorded, else None."""
        giver = (seat - 1) % len(self.gifts)
        if UNKNOWN in (self.gifts[seat], self.gifts[giver]):
            return None
        full = [way[seat] for way in self.dealt if len(way[seat]) == self.settings.deal]
        if len(full) != len(self.dealt) or len({tuple(sorted(way)) for way in full}) != 1:
            return None
        held = Counter(full[0])
        held.subtract(card for card in (self.gifts[seat],) if card)
        held.update(card for card in (self.gifts[giver],) if card)
        held.subtract(self.used[seat])
        return sorted(held.elements())


def _with_gifts(known: Known, way: Sequence[Sequence[Card]], gifts: Sequence[Card | None]) -> bool:
    total: Counter[Card] = Counter(card for card in known.stock if card != UNKNOWN)
    if known.starter:
        total[known.starter] += 1
    for seat in known.seats():
        given, received = gifts[seat], gifts[seat - 1]
        played = Counter(known.used[seat])
        if received:
            played -= Counter([received])
        if given:
            played[given] += 1
        need = Counter(way[seat]) | played
        if need.total() > known.settings.deal:
            return False
        total += need
    return all(count <= known.settings.packs for count in total.values())


def _possible_gifts(known: Known, way: Sequence[Sequence[Card]]) -> Iterator[tuple[Card | None, ...]]:
    choices: list[list[Card | None]] = []
    for seat, gift in enumerate(known.gifts):
        if gift != UNKNOWN:
            choices.append([gift])
        elif len(way[seat]) == known.settings.deal:
            choices.append([*sorted(set(way[seat]))])
        else:
            choices.append([*known.settings.deck()])
    yield from product(*choices)


def can_be_true(known: Known) -> bool:
    """Whether some completion of the unknown fits every fact."""
    return any(_with_gifts(known, way, gifts) for way in known.dealt for gifts in _possible_gifts(known, way))


# -- the facts of a deal's set-up --


def positions(settings: Settings, players: int, first: int, packet: int) -> list[int]:
    """The seat that each dealt card of the pack goes to, top first."""
    left = [settings.deal] * players
    order: list[int] = []
    seat = first
    while any(left):
        size = min(packet, left[seat])
        order += [seat] * size
        left[seat] -= size
        seat = (seat + 1) % players
    return order


def recorded_cards(entries: Iterable[Card] | None) -> list[Card]:
    return [card for card in entries or () if card != UNKNOWN]


def recorded_hands(deal: Mapping[str, Any], players: Sequence[str]) -> list[list[Card]]:
    """The named cards of every dealt hand, by seat."""
    hands = deal.get("hands") or {}
    return [recorded_cards(hands.get(player)) for player in players]


def facts_of_deal(
    settings: Settings, deal: Mapping[str, Any], players: Sequence[str], dealer: int
) -> Known | None:
    """What hands, starter, stock and deck say together, or None if stock or deck contradict the rest."""
    hands = recorded_hands(deal, players)
    starter: Card | None = deal.get("starter")
    stock: list[Card] = list(deal.get("stock") or ())
    deck: list[Card] = list(deal.get("deck") or ())
    dealt_cards = settings.deal * len(players)
    stock_from = dealt_cards + int(settings.starter)
    stock_size = settings.pack_size() - stock_from
    if len(deck) > settings.pack_size() or len(stock) > stock_size:
        return None
    whole = deck + [UNKNOWN] * (settings.pack_size() - len(deck))
    drawn = stock + [UNKNOWN] * (stock_size - len(stock))
    for place, card in enumerate(whole[stock_from:]):
        if UNKNOWN not in (card, drawn[place]) and card != drawn[place]:
            return None
        drawn[place] = drawn[place] if card == UNKNOWN else card
    open_card = starter
    if settings.starter and whole[dealt_cards] != UNKNOWN:
        if starter and whole[dealt_cards] != starter:
            return None
        open_card = whole[dealt_cards]
    named = set(recorded_cards(stock)) | set(recorded_cards(deck))
    ways = []
    for packet in settings.packets if deck else settings.packets[:1]:
        order = positions(settings, len(players), (dealer + 1) % len(players), packet)
        given: list[Counter[Card]] = [Counter() for _ in players]
        for seat, card in zip(order, whole, strict=False):
            if card != UNKNOWN:
                given[seat][card] += 1
        merged = [Counter(hand) | more for hand, more in zip(hands, given, strict=True)]
        total = sum(merged, Counter(recorded_cards(drawn)) + Counter([open_card] if open_card else []))
        if all(hand.total() <= settings.deal for hand in merged) and all(
            total[card] <= settings.packs for card in named
        ):
            ways.append(tuple(tuple(sorted(hand.elements())) for hand in merged))
    if not ways:
        return None
    nothing: tuple[tuple[Card, ...], ...] = tuple(() for _ in players)
    return Known(settings, tuple(ways), open_card, tuple(drawn), tuple(None for _ in players), nothing)
