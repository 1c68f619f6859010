"""Which cards can be laid out: all eleven-card sets of the forty-card pack, counted in two ways."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from random import Random

import pytest

from conquian import load

RANKS, SUITS = 10, 4
ELEVEN = 11


def place(rank: int, suit: int) -> int:
    """The bit of a card in a deck of this module's own, rank by rank."""
    return 1 << (rank * SUITS + suit)


def all_melds(longest: int) -> list[int]:
    """Groups of three and four, runs from three cards to the longest, of ten ranks in four suits."""
    groups = [
        sum(place(rank, suit) for suit in suits)
        for rank in range(RANKS)
        for size in (3, 4)
        for suits in combinations(range(SUITS), size)
    ]
    runs = [
        sum(place(rank, suit) for rank in range(low, low + size))
        for suit in range(SUITS)
        for size in range(3, longest + 1)
        for low in range(RANKS - size + 1)
    ]
    return groups + runs


@lru_cache
def layable_sets(longest: int) -> frozenset[int]:
    """Every eleven-card set that is a union of disjoint melds, made by putting melds together.

    Runs longer than five are unions of shorter ones, so with runs of three to five nothing may be lost.
    """
    melds = sorted(all_melds(longest))
    found: set[int] = set()

    def join(laid: int, left: int, start: int) -> None:
        if not left:
            found.add(laid)
            return
        for i in range(start, len(melds)):
            meld = melds[i]
            size = meld.bit_count()
            if not meld & laid and (size == left or left - size >= 3):
                join(laid | meld, left - size, i + 1)

    join(0, ELEVEN, 0)
    return frozenset(found)


def names(cards: int, rules: str) -> list[str]:
    ranks = list(dict.fromkeys(card[:-1] for card in load(rules).engine.pack.cards))
    return [
        ranks[rank] + "cdhs"[suit]
        for rank in range(RANKS)
        for suit in range(SUITS)
        if cards & place(rank, suit)
    ]


def test_p03_43344_eleven_card_sets_can_be_laid_out() -> None:
    assert len(layable_sets(10)) == 43_344


def test_p03_the_table_of_runs_loses_no_answer() -> None:
    """Runs of three to five make every longer run: six is 3 + 3, seven 3 + 4, up to ten as 5 + 5."""
    assert layable_sets(5) == layable_sets(10) == layable_sets(8)


@pytest.mark.parametrize("rules", ["classic", "coonking", "swedish"])
def test_each_of_them_is_found_to_be_layable(rules: str) -> None:
    engine = load(rules).engine
    assert all(engine.melds.layable(engine.pack.packed(names(cards, rules))) for cards in layable_sets(10))


@pytest.mark.parametrize("rules", ["classic", "swedish"])
def test_none_of_a_hundred_thousand_others_is_found_to_be_layable(rules: str) -> None:
    """Sets next to layable ones: one card exchanged for another; and sets drawn at random."""
    engine = load(rules).engine
    random = Random(11)
    bits = {1 << i: engine.pack.packed(names(1 << i, rules)) for i in range(RANKS * SUITS)}
    layable = sorted(layable_sets(10))
    deck = [1 << i for i in range(RANKS * SUITS)]
    tried = 0
    while tried < 100_000:
        cards = random.choice(layable) if tried % 2 else sum(random.sample(deck, ELEVEN))
        if tried % 2:
            inside = random.choice([card for card in deck if cards & card])
            outside = random.choice([card for card in deck if not cards & card])
            cards = cards - inside + outside
        if cards in layable_sets(10):
            continue
        tried += 1
        assert not engine.melds.layable(sum(packed for card, packed in bits.items() if card & cards))
