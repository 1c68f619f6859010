"""The same questions without a solver: every way to read an act, and the clauses that each way breaks.

Uses the engine's compiled clauses only, so that it shares nothing with the constraints that it checks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from conquian.engine.copies import Way, in_hand, ways
from conquian.engine.pack import bits
from conquian.position import Position
from conquian.verifier.acts import Act

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
        kind = (act.up.bit_length() - 1) // pack.copies
        loose = act.up if pack.copies == 1 else 1 << (len(pack.cards) * pack.copies + kind)
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
