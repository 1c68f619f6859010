"""All that a position allows, found by trying: legal melds, regroupings, forcing, outs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from .layout import code_of_act, code_of_arranging
from .melds import Card, Meld, Table, fits_onto, laid_out, melds_within
from .settings import Settings


def covers(
    must: Counter[Card],
    may: Counter[Card],
    settings: Settings,
    hand_melds: bool = True,
    most: int = 99,
) -> Iterator[tuple[Meld, ...]]:
    """Every way to lay all of `must` and any of `may` out in valid melds (some found more than once).

    Without `hand_melds`, every meld holds one card of `must` at least; `most` cards of `may` are used.
    """
    usable = melds_within(must + may, settings)
    optional = [meld for meld in usable if not Counter(meld) - may] if hand_melds else []
    yield from _cover(must, may, usable, optional, most)


def _cover(
    must: Counter[Card],
    may: Counter[Card],
    usable: Sequence[Meld],
    optional: Sequence[Meld],
    most: int,
    last: tuple[Card, int] = ("", 0),
) -> Iterator[tuple[Meld, ...]]:
    if not must:
        yield from _extra_melds(may, optional)
        return
    first = min(must)
    have = must + may
    # A second copy of the same card looks no further back: equal sets are found once, not in each order.
    start = last[1] if last[0] == first else 0
    for place in range(start, len(usable)):
        need = Counter(usable[place])
        if first in need and need <= have:
            left, from_hand = must - need, need - must
            if from_hand.total() > most:
                continue
            fewer = most - from_hand.total()
            for rest in _cover(left, may - from_hand, usable, optional, fewer, (first, place)):
                yield (usable[place], *rest)


def _extra_melds(may: Counter[Card], optional: Sequence[Meld]) -> Iterator[tuple[Meld, ...]]:
    yield ()
    for place, meld in enumerate(optional):
        need = Counter(meld)
        if need <= may:
            for rest in _extra_melds(may - need, optional[place:]):
                yield (meld, *rest)


def all_cards(table: Sequence[Meld]) -> Counter[Card]:
    return Counter(card for meld in table for card in meld)


def legal_tables(
    settings: Settings, table: Sequence[Meld], up: Card, hand: Sequence[Card], forced: bool = False
) -> set[Table]:
    """Every table that a legal meld of the card on offer can leave."""
    must = all_cards(table) + Counter([up])
    found = {laid_out(cover, settings) for cover in covers(must, Counter(hand), settings)}
    return {after for after in found if code_of_act(settings, table, after, up, forced) is None}


def some_legal_meld(
    settings: Settings,
    table: Sequence[Meld],
    up: Card,
    hand: Sequence[Card],
    forced: bool,
    most: int,
    possible: Callable[[Counter[Card]], bool] = lambda used: True,
) -> bool:
    """Whether any legal meld exists with `most` hand cards or fewer.

    `possible` says whether the player can hold the hand cards it takes.

    Melds of hand cards alone never make an act legal that is not so without them, so they are left out.
    """
    must = all_cards(table) + Counter([up])
    may = Counter(hand)
    beside = ((*table, *cover) for cover in covers(Counter([up]), may, settings, False, most))
    anyhow = covers(must, may, settings, False, most)
    for cover in chain(beside, anyhow):  # beside the table first: that is soon tried, and mostly enough
        if possible(all_cards(cover) - must) and code_of_act(settings, table, cover, up, forced) is None:
            return True
    return False


def regroupings(settings: Settings, table: Sequence[Meld]) -> set[Table]:
    """Every table that arranging can leave, the present one included."""
    found = {laid_out(cover, settings) for cover in covers(all_cards(table), Counter(), settings)}
    return {after for after in found if code_of_arranging(settings, table, after) is None}


def onto(settings: Settings, table: Sequence[Meld], up: Card) -> list[Meld]:
    """The melds that the card extends as they lie, in order."""
    return list(laid_out(fits_onto(up, table, settings), settings))


def fits(settings: Settings, table: Sequence[Meld], up: Card) -> bool:
    """Whether the card fits the table in the sense of `force-scope`."""
    if fits_onto(up, table, settings):
        return True
    if settings.force_scope == "extension":
        return False
    return any(True for _ in covers(all_cards(table) + Counter([up]), Counter(), settings))


def forceable(settings: Settings, table: Sequence[Meld], up: Card, own: bool | None = None) -> bool:
    """Whether a demand can be made at some moment of this offer."""
    if settings.force_timing == "none" or (own and settings.no_demand_on_own_card):
        return False
    if sum(len(meld) for meld in table) >= settings.no_demand_from_table_of:
        return False
    return fits(settings, table, up)


def wins(settings: Settings, table: Sequence[Meld], cards_left: int) -> bool:
    """Whether a table just left by a meld wins; `cards_left` are those in the melder's hand."""
    count = sum(len(meld) for meld in table)
    if settings.win_needs_empty_hand and cards_left:
        return False
    return count == settings.goal or (settings.goal_reading == "at-least" and count > settings.goal)


def winning_tables(settings: Settings, table: Sequence[Meld], up: Card, hand: Sequence[Card]) -> set[Table]:
    held = sum(len(meld) for meld in table) + 1 + len(hand)
    return {
        after
        for after in legal_tables(settings, table, up, hand)
        if wins(settings, after, held - sum(len(meld) for meld in after))
    }


def outs(
    settings: Settings, table: Sequence[Meld], hand: Sequence[Card], opponent_table: Sequence[Meld] = ()
) -> list[Card]:
    """The cards that would win at once if offered, in deck order."""
    seen = all_cards(table) + Counter(hand) + all_cards(opponent_table)
    return [
        card
        for card in settings.deck()
        if seen[card] < settings.packs and winning_tables(settings, table, card, hand)
    ]
