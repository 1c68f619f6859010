"""Random positions with random acts, many of them nearly legal, for both machines to judge."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random

from conquian.engine.engine import Engine, engine_of, with_choices
from conquian.engine.pack import Pack
from conquian.engine.program import Program
from conquian.engine.state import State
from conquian.position import Position, Rules, offer_phase

Act = tuple[str, str, tuple[tuple[str, ...], ...]]


def some_readings(program: Program, random: Random) -> Engine:
    """The rules with some readings chosen anew."""
    base = engine_of(program)
    changes = {
        r.name: random.choice(r.choices) for r in program.readings if r.in_play and random.random() < 0.4
    }
    return with_choices(base, changes)


def some_position(engine: Engine, random: Random, *, demanded: bool = True) -> Position:
    """A table of up to three melds, a hand and a card on offer that often fits.

    `demanded`: at times an opponent has demanded that the card be melded, where he may.
    """
    pack = engine.pack
    free = pack.everything
    table: list[int] = []
    melds = sorted(engine.melds.packed)
    for _ in range(random.choice((0, 1, 1, 2, 2, 3))):
        meld = random.choice(melds)
        if pack.contains(free, meld) and pack.count(meld) <= 6:
            table.append(meld)
            free -= meld
    wished = [m for m in random.sample(melds, 12) if pack.count(m) <= 4 and pack.contains(free, m)]
    near = [c for m in table for c in _near(pack, m)]
    kinds = [k for k in range(len(pack.cards)) for _ in range(pack.copies)]
    random.shuffle(kinds)
    made = [kind for meld in wished[: random.choice((0, 1, 2))] for kind in pack.kinds(meld)]
    wanted = [*made, *random.sample(near, min(len(near), 5)), *kinds]
    taken: list[int] = []
    for kind in wanted:
        unit = 1 << (kind * pack.width)
        if len(taken) < 9 and pack.contains(free, unit):
            taken.append(unit)
            free -= unit
    offered = random.randrange(4)
    up = taken.pop(offered)
    hand = sum(taken)
    table.sort()
    seats = engine.seats
    origin = random.choice((0, 1, 2)) if engine.program.starter else random.choice((0, 1))
    tables = [tuple(table) if engine.team_of[s] == engine.team_of[0] else () for s in range(seats)]
    state = State(
        at=engine.flow.state(offer_phase(engine), 0, origin),
        up=up,
        hands=[hand, *[0] * (seats - 1)],
        unknown=[0] * seats,
        tables=tables,
        fit=[engine.fit(t) for t in tables],
        stock=random.choice((0, 1, 7)),
        recorded=(),
        seen=hand + up + sum(table),
        first=0,
        gifts=[0] * seats,
    )
    here = Position(Rules(engine), state, ("me", *(f"other{i}" for i in range(1, seats))))
    if demanded and random.random() < 0.6:
        for before in ((), (("me", "passes"),)):
            there = here
            for event in before:
                there = there.apply(event) if there.can(event) else there
            demand = ("other1", "forces")
            if there.can(demand):
                return there.apply(demand)
    return here


def _near(pack: Pack, meld: int) -> Iterator[int]:
    """Kinds of the suits and ranks next to those of a meld."""
    ranks = len(pack.cards) // 4
    for kind in pack.kinds(meld):
        yield from (
            x for x in (kind - 1, kind + 1, (kind + ranks) % len(pack.cards)) if 0 <= x < len(pack.cards)
        )


def some_regroupings(position: Position, random: Random, most: int) -> list[Act]:
    """Ways to lay out the player's own melds anew, and one that is spoilt."""
    engine, table = position.rules.engine, position.state.tables[0]
    layouts = list(islice(engine.melds.layouts(sum(table)), 50))
    found = [
        tuple(tuple(engine.pack.names(m)) for m in x) for x in random.sample(layouts, min(most, len(layouts)))
    ]
    if len(table) == 2:
        found.append((tuple(engine.pack.names(sum(table))),))
    return [("me", "arranges", melds) for melds in found if melds]


def some_acts(position: Position, random: Random, most: int) -> list[Act]:
    """Ways to lay out table, card on offer and hand cards by melds, whatever the clauses say; some are spoilt."""
    engine, state, pack = position.rules.engine, position.state, position.rules.engine.pack
    table, hand = state.tables[0], state.hands[0]
    layouts = list(islice(engine.melds.acts(sum(table), state.up, hand), 300))
    kept = [x for x in engine.melds.acts(0, state.up, hand) if pack.count(sum(x)) < 9]
    layouts += [tuple((*table, *x)) for x in kept[:20]]
    found: list[Act] = []
    for layout in random.sample(layouts, min(most, len(layouts))):
        melds = [pack.names(m) for m in layout]
        spoilt = random.random()
        if spoilt < 0.08:
            melds = [m for m in melds if pack.names(state.up)[0] not in m] or melds
        elif spoilt < 0.2:
            spare = pack.names(hand - pack.minus(sum(layout), sum(table) + state.up))
            if spare:
                random.choice(melds).append(random.choice(spare))
        found.append(("me", "melds", tuple(tuple(m) for m in melds)))
    if not layouts and table and random.random() < 0.3:
        names = [*pack.names(table[0]), *pack.names(state.up)]
        found.append(("me", "melds", (tuple(names),)))
    return found
