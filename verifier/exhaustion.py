"""The same questions without a solver: every way to read an act, and the clauses that each way breaks.

Uses the engine's compiled clauses only, so that it shares nothing with the constraints that it checks.
"""

from __future__ import annotations

from collections.abc import Iterable

from conquian.engine.copies import in_hand, ways
from conquian.position import Position
from conquian.verifier.acts import Act

Broken = tuple[frozenset[str], ...]
"""By way: the names of the clauses that it breaks."""


def broken(position: Position, act: Act) -> Broken:
    """What each way to read an act breaks, by the engine."""
    engine, pack = position.rules.engine, position.rules.engine.pack
    number = next(i for i, phase in enumerate(engine.program.phases) if phase.name == act.phase)
    packed = pack.packed_of
    laid = packed(sum(act.before)) + packed(act.used)
    up = packed(act.up) if act.up and sum(act.after) != laid else 0
    loose = 0
    if act.up and not up:
        # The last copy: the act and the rest of the hand take the first ones, and leave one for the card on offer.
        loose = pack.physical((act.up.bit_length() - 1) // pack.copies, pack.copies - 1)
    found = []
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
        found.append(frozenset(engine.program.clauses[i].name for i in against))
    return tuple(found)


def forbidden_by(found: Broken, clauses: Iterable[str]) -> bool:
    """Whether every way breaks one of the clauses."""
    named = frozenset(clauses)
    return all(way & named for way in found)


def legal_without(found: Broken, clause: str) -> bool:
    """Whether some way breaks nothing but this clause."""
    return any(way <= {clause} for way in found)
