"""Acts and clauses once more, on plain sets of card names, for small questions: no engine and no solver.

Written from the description of the rules: what a meld is, and three of the clauses on melds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

Meld = frozenset[str]
Table = tuple[Meld, ...]
Clause = Callable[[Table, Table, str, Meld], bool]
"""(melds before, melds after, card on offer, hand cards laid): whether the act is allowed."""

RANKS = ["A", "2", "3", "4", "5", "6", "7", "J", "Q", "K"]
CARDS = [rank + suit for suit in "cdhs" for rank in RANKS]


def melds(longest: int = 10) -> list[Meld]:
    """Groups of three and four, runs of three to so many."""
    found = [frozenset(rank + suit for suit in suits) for rank in RANKS for suits in combinations("cdhs", 3)]
    found += [frozenset(rank + suit for suit in "cdhs") for rank in RANKS]
    for suit in "cdhs":
        for low in range(len(RANKS)):
            for high in range(low + 3, min(low + longest, len(RANKS)) + 1):
                found.append(frozenset(rank + suit for rank in RANKS[low:high]))
    return found


MELDS = melds()
VALID = frozenset(MELDS)


def families(count: int, known: list[Meld], taken: Meld = frozenset(), least: int = 0) -> Iterator[Table]:
    """Every way to lay melds that have so many cards together."""
    if count == 0:
        yield ()
        return
    for i in range(least, len(known)):
        meld = known[i]
        if len(meld) <= count and (len(meld) == count or count - len(meld) >= 3) and not meld & taken:
            for rest in families(count - len(meld), known, taken | meld, i + 1):
                yield (meld, *rest)


def inside(cards: Meld) -> Iterator[Table]:
    """Every family of melds of some cards, the empty one included."""
    known = [meld for meld in MELDS if meld <= cards]
    for count in range(len(known) + 1):
        for chosen in combinations(known, count):
            if sum(map(len, chosen)) == len(frozenset().union(*chosen)):
                yield chosen


def acts(count: int) -> Iterator[tuple[Table, Table, str, Meld]]:
    """Every meld act with so many cards on table, in hand and on offer, all of them laid."""
    for after in families(count, MELDS):
        cards = frozenset().union(*after)
        for before in inside(cards):
            loose = cards.difference(*before)
            for up in loose:
                yield before, after, up, loose - {up}


def anything(before: Table, after: Table, up: str, used: Meld) -> bool:
    return True


def never_from_three(before: Table, after: Table, up: str, used: Meld) -> bool:
    """Every old meld lives on: inside a new one, or first added to by newly laid cards and then borrowed from."""
    laid = used | {up}
    return all(
        any(old <= new or (old & new and new <= old | laid and old | new in VALID) for new in after)
        for old in before
    )


def two_from_hand(before: Table, after: Table, up: str, used: Meld) -> bool:
    """The meld with the offer has two hand cards, or holds an old meld, or extends one of which it has two cards."""
    new = next(meld for meld in after if up in meld)
    return (
        len(new & used) >= 2
        or any(old <= new for old in before)
        or any(len(old & new) >= 2 and old | {up} in VALID for old in before)
    )


def parts(count: int, one: Clause, other: Clause) -> bool:
    """Whether some act with so many cards is allowed by one clause and not by the other."""
    return any(one(*act) and not other(*act) for act in acts(count))


def divides(cards: Meld) -> bool:
    """Whether cards can be laid out in melds."""
    if not cards:
        return True
    first = min(cards)
    return any(first in meld and meld <= cards and divides(cards - meld) for meld in MELDS)
