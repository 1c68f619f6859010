"""Small tables looked through one by one for a demand that cannot be met, each put to the engine.

Of tables that differ in suits alone one is looked at, for no clause can tell suits apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import permutations
from typing import Literal

from conquian.engine.pack import Pack
from conquian.engine.play import Event
from conquian.engine.search import legal_layouts
from conquian.position import Position, Rules
from conquian.verifier.limits import BUDGET
from conquian.verifier.proofs.game import Game

LOOKS = 120_000
"""How many tables, and offers on them, are looked at for a demand that cannot be met; one pack of 40 needs fewer."""
SHORTS = 4
"""After how many tables of one size with no hand that has enough cards the rest of that size is left out."""
DEMAND: Event = ("opponent", "forces")
OWN_CARDS = 11
"""Up to how many own cards, the one on offer included, small tables are tried."""


@lru_cache(maxsize=8)
def suit_changes(pack: Pack) -> list[tuple[int, ...]]:
    """Each way to change suits for one another, as the kind that each kind becomes."""
    suits = sorted({card[-1] for card in pack.cards})
    place = {card: i for i, card in enumerate(pack.cards)}
    changes = [dict(zip(suits, by, strict=True)) for by in permutations(suits)]
    return [tuple(place[card[:-1] + by[card[-1]]] for card in pack.cards) for by in changes]


def turned(pack: Pack, packed: int, by: tuple[int, ...]) -> int:
    """A packed set with its suits changed."""
    return sum(1 << (by[kind] * pack.width) for kind in pack.kinds(packed))


def search(game: Game) -> tuple[dict[str, object] | None, int, int]:
    """A position in which a demand is due that cannot be met, looks taken, own cards up to which all were tried."""
    rules = Rules(game.engine)
    pack, engine = game.engine.pack, game.engine
    looked = 0
    most = max(1, min(LOOKS, LOOKS * game.budget // BUDGET))
    short = OWN_CARDS
    for size in range(3, OWN_CARDS):
        shorts = 0
        for table in _tables(game, size):
            if shorts == SHORTS:
                break
            looked += 1
            if looked > most:
                return None, looked, min(size, short)
            total = sum(table)
            fit = engine.fit(table)
            for kind in range(len(pack.cards)):
                unit = 1 << (kind * pack.width)
                if not pack.contains(pack.everything - total, unit):
                    continue
                if not fit & unit and not (engine.demand_without_fit and engine.melds.layable(total + unit)):
                    continue
                looked += 1
                found = _unanswered(game, rules, table, unit)
                if found == "short":
                    short, shorts = min(short, size), shorts + 1
                elif found is not None:
                    return found, looked, size
    return None, looked, short


def _tables(game: Game, size: int) -> Iterator[tuple[int, ...]]:
    """Every table of so many cards, one for many that differ in suits alone."""
    pack = game.engine.pack
    order: dict[int, tuple[int, bool]] = {}
    melds: list[tuple[int, int]] = []
    for meld in sorted(game.engine.melds.packed):
        if meld in order:
            continue
        number = len(order)
        for alike in {turned(pack, meld, by) for by in suit_changes(pack)}:
            order[alike] = (number, alike == meld)
    melds = sorted((order[meld][0], meld) for meld in game.engine.melds.packed)
    ordered = [meld for _, meld in melds]
    counts = [pack.count(meld) for meld in ordered]

    def more(start: int, left: int, free: int, table: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if left == 0:
            yield table
            return
        for i in range(start, len(ordered)):
            # INVARIANT: the first meld stands for all that are alike, so every table has one like it here.
            if counts[i] <= left and pack.contains(free, ordered[i]) and (table or order[ordered[i]][1]):
                yield from more(i, left - counts[i], free - ordered[i], (*table, ordered[i]))

    yield from more(0, size, pack.everything, ())


def _unanswered(
    game: Game, rules: Rules, table: tuple[int, ...], unit: int
) -> dict[str, object] | Literal["short"] | None:
    """The position, if a demand is due in it and the player, his hand as unhelpful as can be, cannot meet it.

    `short`: so it is with fewer hand cards than the player has in any deal, and no hand of enough was found.
    """
    pack, engine = game.engine.pack, game.engine
    names = [pack.names(meld) for meld in table]
    (up,) = pack.names(unit)
    if _answered(rules, up, names, []) is not False:
        return None
    hand: list[str] = []
    free = pack.everything - sum(table) - unit
    laid = sum(map(len, names))
    held = [n for n in range(engine.program.dealt + 1) if game.on_offer(n, laid)]
    if not held:
        return None
    for card in reversed(pack.names(free)):
        if len(hand) >= held[-1]:
            break
        if _answered(rules, up, names, [*hand, card]) is False:
            hand.append(card)
    while hand and len(hand) not in held:
        hand.pop()
    if len(hand) not in held or _answered(rules, up, names, hand) is not False:
        return "short"
    found: dict[str, object] = {"up": up, "table": names, "hand": hand, "turned_by": "me"}
    if not _offered(rules, up, names, hand).can(DEMAND):
        found["declined"] = True
    return {**found, "event": list(DEMAND)}


def _offered(
    rules: Rules, up: str, table: list[list[str]], hand: list[str], declined: bool = False
) -> Position:
    return rules.position(up=up, table=table, hand=hand, turned_by="me", declined=declined)


def _answered(rules: Rules, up: str, table: list[list[str]], hand: list[str]) -> bool | None:
    """Whether a demand, on the offer or after a pass, can be met with this hand; None if none is due."""
    for declined in (False, True):
        here = _offered(rules, up, table, hand, declined)
        if here.can(DEMAND):
            return any(True for _ in legal_layouts(rules.engine, here.apply(DEMAND).state))
    return None
