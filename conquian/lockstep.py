"""Two rule sets played side by side from a few small positions, until an event is legal under one only.

For what parts rule sets besides acts on the table: the order of play, what follows a meld, a stock that runs out, cards
that one pack lacks. The positions are the smallest that can come to each turn of play; but for copies none has more
than four cards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from conquian.engine.play import Event
from conquian.engine.refusals import Refusal
from conquian.position import BadPosition, Position, Rules

DEPTH = 4
"""How many events are played at most."""


@dataclass(frozen=True, slots=True)
class Start:
    """A position by its parts."""

    up: str
    table: tuple[tuple[str, ...], ...]
    hand: tuple[str, ...]
    own: bool
    stock: int | None

    @property
    def cards(self) -> int:
        return 1 + len(self.hand) + sum(map(len, self.table))

    def position(self, rules: Rules) -> Position | None:
        try:
            return rules.position(
                up=self.up,
                table=self.table,
                hand=self.hand,
                turned_by="me" if self.own else None,
                stock=self.stock,
            )
        except BadPosition:
            return None


@dataclass(frozen=True, slots=True)
class Parting:
    """An event that one side allows and the other refuses, after the same legal events from the same position."""

    start: Start
    way: tuple[Event, ...]
    event: Event
    allows: str
    refusal: Refusal
    """Of the side that forbids it."""


def starts(a: Rules, b: Rules) -> list[Start]:
    """Positions that both can hold, the smallest first: an offer; with a meld of it in the hand; with a card more;
    with a meld that it fits on the table. Where one pack has a card more often, also every copy that the other has.
    """
    shared = [card for card in a.engine.pack.cards if card in b.engine.pack.unit]
    known = set(_melds(b))
    melds = [meld for meld in _melds(a) if meld in known]
    found: list[tuple[str, tuple[tuple[str, ...], ...], tuple[str, ...]]] = [(shared[0], (), ())]
    copies = min(a.engine.pack.copies, b.engine.pack.copies)
    if copies > 1 and a.engine.pack.copies != b.engine.pack.copies:
        found.append((shared[0], (), (shared[0],) * (copies - 1)))
    if melds:
        first = min(melds, key=len)
        spare = next(card for card in shared if card not in first)
        found += [(first[0], (), first[1:]), (first[0], (), (*first[1:], spare))]
        found += [(card, (meld,), ()) for card, meld in _fitting(a, b, shared, melds)[:1]]
    ways = [(stock, own) for stock in (None, 1, 0) for own in (False, True)]
    made = [Start(up, table, hand, own, stock) for up, table, hand in found for stock, own in ways]
    return sorted(made, key=lambda start: (start.cards, start.stock is not None))


def _fitting(
    a: Rules, b: Rules, shared: Sequence[str], melds: Sequence[tuple[str, ...]]
) -> list[tuple[str, tuple[str, ...]]]:
    """Cards with a meld that they make longer."""
    packs = [(rules.engine.pack, rules.engine.melds.packed) for rules in (a, b)]
    return [
        (card, meld)
        for meld in melds
        for card in shared
        if card not in meld and all(pack.packed((*meld, card)) in known for pack, known in packs)
    ]


def _melds(rules: Rules) -> list[tuple[str, ...]]:
    pack = rules.engine.pack
    found = [tuple(pack.names(meld)) for meld in rules.engine.melds.packed if pack.count(meld) == 3]
    return sorted(meld for meld in found if len(set(meld)) == 3)


def partings(a: Rules, b: Rules) -> Iterator[Parting]:
    """Where the two part, from each of the positions. A card that only one pack has, or has again, is turned too."""
    one, two = a.engine.pack, b.engine.pack
    foreign = [next((x for x in p.cards if x not in q.unit), "") for p, q in ((one, two), (two, one))]
    for start in starts(a, b):
        in_a, in_b = start.position(a), start.position(b)
        again = [start.up] if one.copies != two.copies else []
        if in_a is not None and in_b is not None:
            yield from _from(start, in_a, in_b, (), [*filter(None, foreign), *again])


def _from(
    start: Start, a: Position, b: Position, way: tuple[Event, ...], foreign: Sequence[str]
) -> Iterator[Parting]:
    onward: list[Event] = []
    for event in _events(start, a, way, foreign):
        in_a, in_b = a.check(event), b.check(event)
        if in_a is None and in_b is None:
            onward.append(event)
        elif in_a is None and in_b is not None:
            yield Parting(start, way, event, "a", in_b)
        elif in_b is None and in_a is not None:
            yield Parting(start, way, event, "b", in_a)
    if len(way) + 1 < DEPTH:
        for event in onward:
            yield from _from(start, a.apply(event), b.apply(event), (*way, event), foreign)


def _events(start: Start, here: Position, way: tuple[Event, ...], foreign: Sequence[str]) -> list[Event]:
    """What the two players can try; cards that nobody has seen are turned."""
    pack = here.rules.engine.pack
    seen = {start.up, *start.hand, *(event[2] for event in way if event[1] == "turns")}
    fresh = next((card for card in pack.cards if card not in seen), None)
    found: list[Event] = []
    for player in ("me", "opponent"):
        found.append((player, "passes"))
        if fresh is not None:
            found.append((player, "turns", fresh))
    found += [("me", "discards", card) for card in start.hand[-1:]]
    if len({start.up, *start.hand}) >= 3:
        meld = tuple(sorted((start.up, *start.hand[:2])))
        found.append(("me", "melds", (meld,)))
    found += [("opponent", "turns", card) for card in foreign]
    found += [("me", "turns", card) for card in foreign]
    return found
