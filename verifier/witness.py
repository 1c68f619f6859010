"""Re-decides a legal meld from its witness, and a demand, by the typed rules alone: no engine's search, no solver.

A witness lists every set that lies after the act, each card with where it comes from: `offer`, `hand`, or `table 2`
for the second of the melds that lay before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from conquian.engine.program import Program
from conquian.language import clauses as c
from conquian.language.rules import RuleSet
from conquian.verifier.checker import meld_table
from conquian.verifier.plain import Cards, Moment, names

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
    ends = {
        tuple(sorted(program.cards[k] for k in m)): tuple(program.cards[k] for k in e)
        for m, e in program.ends
    }
    places = {"hand": len(scene.hand) + scene.unknown, "stock": scene.stock, "goal": program.goal}
    words = {"up": up, "used": used, "hand": hand, "said": frozenset[tuple[str, str, int]](), "onto": Cards()}
    sides = {"before": tuple(before), "after": tuple(after)}
    return Moment(sides, words, scene.flags, places, readings, shapes, ends)


def meld_problems(
    scene: Scene, laid: Laid, wins: bool, rules: RuleSet, program: Program, readings: Mapping[str, str]
) -> list[str]:
    """What is wrong with the claim that a meld is legal, and that it wins or does not; nothing if it holds."""
    here = moment(scene, program, readings, laid)
    lying = Counter(x for meld in here.sides["after"] for x in meld)
    wanted = [*(x for meld in here.sides["before"] for x in meld), *here.words["up"], *here.words["used"]]
    if lying != Counter(wanted):
        return ["the witness does not lay the table, the card on offer and hand cards, each once"]
    guessed = Counter(names(here.words["used"])) - Counter(scene.hand)
    if guessed.total() > scene.unknown:
        return [f"{', '.join(sorted(guessed))} cannot come from the hand"]
    found = [
        f"{' '.join(names(m))} is no meld" for m in here.sides["after"] if names(m) not in here.shapes[None]
    ]
    found += [
        f"the clause `{name}` forbids it" for name in broken(rules, "meld", scene.phase, scene.bound, here)
    ]
    rest = len(scene.hand) + scene.unknown - len(here.words["used"])
    then = replace(here, places={**here.places, "hand": rest})
    if not found and wins != any(then.holds(body.when, {}) for _, body in rules.bodies(c.Wins)):
        found.append("it wins" if not wins else "it does not win")
    return found


def broken(rules: RuleSet, verb: str, phase: str, bound: bool, here: Moment) -> list[str]:
    """The clauses that a meld or a regrouping breaks; `bound`: the player has been forced."""
    found = []
    for clause in rules.clauses:
        match clause.body:
            case c.Modal("player", False, verbs, phases, when) if verb in verbs and (
                not phases or phase in phases
            ):
                found += [] if when and not here.holds(when, {}) else [clause.name]
            case c.Must(where) if verb == "meld" and bound:
                found += [] if here.holds(where, {}) else [clause.name]
            case _:
                pass
    return found


def due(rules: RuleSet, phase: str, here: Moment) -> bool:
    """Whether a demand is allowed in a phase that takes one: some permission holds and no prohibition does."""
    found = [False]
    for clause in rules.clauses:
        match clause.body:
            case c.Modal("opponent", allowed, ("force",), phases, when) if phase in phases or not (
                allowed or phases
            ):
                if not when or here.holds(when, {}):
                    found.append(allowed)
            case _:
                pass
    return any(found) and all(found[1:])
