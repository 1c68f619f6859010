"""What a meld is: groups and runs, and every meld a deck can make."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement

from .settings import Settings

Card = str
Meld = tuple[str, ...]  # cards in rank order, then suit order
Table = tuple[Meld, ...]  # melds in order


def rank(card: Card) -> str:
    return card[:-1]


def suit(card: Card) -> str:
    return card[-1]


@lru_cache(maxsize=64)
def _places(ranks: tuple[str, ...], suits: str) -> dict[Card, int]:
    return {r + s: i * len(suits) + j for i, r in enumerate(ranks) for j, s in enumerate(suits)}


def in_order(cards: Iterable[Card], settings: Settings) -> Meld:
    """The cards sorted by rank, then suit; cards foreign to the deck go last."""
    places = _places(settings.ranks, settings.suits)
    return tuple(sorted(cards, key=lambda card: (places.get(card, 999), card)))


def laid_out(melds: Iterable[Iterable[Card]], settings: Settings) -> Table:
    """A table in canonical form."""
    places = _places(settings.ranks, settings.suits)
    tidy = [in_order(meld, settings) for meld in melds]
    return tuple(sorted(tidy, key=lambda meld: [places.get(card, 999) for card in meld]))


@lru_cache(maxsize=64)
def run_rank_sets(settings: Settings) -> frozenset[frozenset[str]]:
    """Every set of ranks that one suit can run through."""
    count = len(settings.ranks)
    lines: list[tuple[str, ...]] = [settings.ranks]
    if settings.runs_turn_the_corner:
        lines = [settings.ranks[start:] + settings.ranks[:start] for start in range(count)]
    elif settings.ace_also_high:
        lines.append(settings.ranks[1:] + settings.ranks[:1])
    longest = min(settings.longest_run, count)
    return frozenset(
        frozenset(line[start : start + size])
        for line in lines
        for size in range(settings.shortest_run, longest + 1)
        for start in range(len(line) - size + 1)
    )


def is_group(cards: Sequence[Card], settings: Settings) -> bool:
    if len(cards) not in settings.group_sizes or len({rank(card) for card in cards}) != 1:
        return False
    return settings.group_suits == "any" or len(set(cards)) == len(cards)


def is_run(cards: Sequence[Card], settings: Settings) -> bool:
    if len({suit(card) for card in cards}) != 1 or len(set(cards)) != len(cards):
        return False
    return frozenset(rank(card) for card in cards) in run_rank_sets(settings)


def is_meld(cards: Sequence[Card], settings: Settings) -> bool:
    return is_group(cards, settings) or is_run(cards, settings)


@lru_cache(maxsize=64)
def every_meld(settings: Settings) -> tuple[Meld, ...]:
    """All melds that the deck can make, each once by its names."""
    found: set[Meld] = set()
    for ranks in run_rank_sets(settings):
        for one_suit in settings.suits:
            found.add(in_order([r + one_suit for r in ranks], settings))
    for r in settings.ranks:
        for size in settings.group_sizes:
            for suits in combinations_with_replacement(settings.suits, size):
                group = in_order([r + s for s in suits], settings)
                if max(Counter(group).values()) <= settings.packs and is_group(group, settings):
                    found.add(group)
    return tuple(sorted(found))


def melds_within(cards: Counter[Card], settings: Settings) -> list[Meld]:
    """The melds that can be made of these cards."""
    return [meld for meld in every_meld(settings) if all(cards[card] >= meld.count(card) for card in meld)]


def fits_onto(card: Card, table: Iterable[Meld], settings: Settings) -> list[Meld]:
    """The melds of the table that the card extends as they lie."""
    return [meld for meld in table if is_meld((*meld, card), settings)]
