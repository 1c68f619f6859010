"""What the checker is told of a moment, made into plain sets of cards. No engine, no solver.

A witness lists every set that lies after an act, each card with where it comes from.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from conquian.engine.program import Program
from conquian.verifier.checker import meld_table
from conquian.verifier.plain import Cards, Moment

Laid = Sequence[Sequence[Sequence[str]]]


@dataclass(frozen=True, slots=True)
class Scene:
    """What is known before the act: `table` sorted, `hand` what is recorded of it, `unknown` how many more."""

    phase: str
    bound: bool
    flags: Mapping[str, bool]
    up: str | None
    table: tuple[tuple[str, ...], ...]
    hand: tuple[str, ...]
    unknown: int
    stock: int


def numbered(cards: Sequence[tuple[str, str]], given: Counter[tuple[str, str]]) -> Cards:
    """Cards with where they come from, told apart where they are alike."""
    found = []
    for name, origin in cards:
        given[name, origin] += 1
        found.append((name, origin, given[name, origin]))
    return frozenset(found)


def moment(scene: Scene, program: Program, readings: Mapping[str, str], laid: Laid = ()) -> Moment:
    """What conditions ask for, with the sets that a witness lays."""
    before = [numbered([(x, f"table {i}") for x in m], Counter()) for i, m in enumerate(scene.table, 1)]
    up = numbered([(scene.up, "offer")] if scene.up else [], Counter())
    given: Counter[tuple[str, str]] = Counter()
    after = [numbered([(x, origin) for x, origin in meld], given) for meld in laid]
    used = frozenset(x for meld in after for x in meld if x[1] == "hand")
    hand = numbered([(x, "hand") for x in scene.hand], Counter()) | used
    table = meld_table(program, readings)
    shapes: dict[str | None, frozenset[tuple[str, ...]]] = {None: table}
    for key, by_shape in program.melds.items():
        if all(readings[n] == x for n, x in (part.split("=") for part in key.split(",") if part)):
            named = {
                s: [tuple(sorted(program.cards[k] for k in m)) for m in ms] for s, ms in by_shape.items()
            }
            shapes |= {shape: frozenset(melds) for shape, melds in named.items()}
    every = {
        tuple(sorted(program.cards[k] for k in m)): [program.cards[k] for k in e] for m, e in program.ends
    }
    ends = {meld: tuple(outer) for meld, outer in every.items() if meld in table}
    places = {"hand": len(scene.hand) + scene.unknown, "stock": scene.stock, "goal": program.goal}
    words = {"up": up, "used": used, "hand": hand, "said": frozenset[tuple[str, str, int]](), "onto": Cards()}
    sides = {"before": tuple(before), "after": tuple(after)}
    return Moment(sides, words, scene.flags, places, readings, shapes, ends)
