"""The same questions without a solver: every way to read an act, and the clauses that each way breaks.

Uses the engine's compiled clauses only, so that it shares nothing with the constraints that it checks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import product
from math import prod

from conquian.engine.copies import Way, in_hand, ways
from conquian.engine.pack import bits
from conquian.position import Position
from conquian.verifier.acts import Act, act_of
from conquian.verifier.checker import meld_table

Layout = tuple[tuple[str, ...], ...]
Broken = tuple[frozenset[str], ...]
"""By way: the names of the clauses that it breaks."""


def broken(position: Position, act: Act) -> Broken:
    """What each way to read an act breaks, by the engine."""
    return tuple(against for _, against in read(position, act))


def read(position: Position, act: Act) -> Iterator[tuple[Way, frozenset[str]]]:
    """Every way to read an act, with the clauses that it breaks by the engine."""
    engine, pack = position.rules.engine, position.rules.engine.pack
    number = next(i for i, phase in enumerate(engine.program.phases) if phase.name == act.phase)
    packed = pack.packed_of
    laid = packed(sum(act.before)) + packed(act.used)
    up = packed(act.up) if act.up and sum(act.after) != laid else 0
    loose = 0
    if act.up and not up:
        # The last copy: the act and the rest of the hand take the first ones, and leave one for the card on offer.
        loose = pack.physical((act.up.bit_length() - 1) // pack.copies, pack.copies - 1)
    for way in ways(pack, [packed(m) for m in act.before], act.after, up, packed(act.used)):
        hand = in_hand(pack, way, packed(act.hand))
        args = (
            way.before,
            way.after,
            way.up or loose,
            way.used,
            hand,
            act.unknown,
            act.own,
            act.starter,
            act.stock,
        )
        against = [
            rule.clause
            for rule in engine.forbidding("meld" if act.verb == "meld" else "arrange", number, args)
        ]
        if act.verb == "meld" and act.bound:
            against += [
                r.clause for r in engine.program.must if not engine.functions[r.function](*args, number)
            ]
        yield way, frozenset(engine.program.clauses[i].name for i in against)


def told(position: Position, way: Way) -> tuple[tuple[tuple[str, str], ...], ...]:
    """The sets that a way lays, each card with where it comes from: `offer`, `hand`, or `table 2` (the second meld)."""
    pack = position.rules.engine.pack

    def origin(card: int) -> str:
        if card & way.up:
            return "offer"
        return next((f"table {i}" for i, meld in enumerate(way.before, 1) if card & meld), "hand")

    laid = [[(pack.cards[pack.kinds(pack.packed_of(x))[0]], origin(x)) for x in bits(m)] for m in way.after]
    return tuple(sorted(tuple(meld) for meld in laid))


def forbidden_by(found: Broken, clauses: Iterable[str]) -> bool:
    """Whether every way breaks one of the clauses."""
    named = frozenset(clauses)
    return all(way & named for way in found)


def legal_without(found: Broken, clause: str) -> bool:
    """Whether some way breaks nothing but this clause."""
    return any(way <= {clause} for way in found)


SETS_LIMIT = 5_000
"""How many sets of hand cards are tried before an exhaustive search for melds is given up."""


def every_meld(position: Position) -> set[Layout] | None:
    """Every table that a legal meld of the card on offer leaves, as sorted names; None if there is too much to try.

    Tries each set of the recorded hand cards beside table and offer, and each division of these cards into melds,
    with no help from the engine's search.
    """
    engine, holder, up = position.rules.engine, position.holder, position.up
    if holder is None or up is None:
        return set()
    table = [card for meld in position.table(holder) for card in meld]
    hand = Counter(position.hand(holder)[0])
    if prod(count + 1 for count in hand.values()) > SETS_LIMIT:
        return None
    melds = [Counter(meld) for meld in meld_table(engine.program, engine.readings)]
    found: set[Layout] = set()
    for counts in product(*(range(count + 1) for count in hand.values())):
        used = [card for card, count in zip(hand, counts, strict=True) for _ in range(count)]
        cards = Counter([*table, up, *used])
        for layout in set(divisions(cards, [meld for meld in melds if meld <= cards])):
            act = act_of(position, (holder, "melds", layout))
            if act is not None and any(not against for _, against in read(position, act)):
                found.add(layout)
    return found


def divisions(cards: Counter[str], melds: list[Counter[str]]) -> Iterator[Layout]:
    """Every way to divide cards into melds of a list, as sorted names."""
    if not cards:
        yield ()
        return
    card = min(cards)
    for meld in melds:
        if card in meld:
            rest = cards - meld
            for others in divisions(rest, [m for m in melds if m <= rest]):
                yield tuple(sorted((tuple(sorted(meld.elements())), *others)))
