"""Re-decides a legal meld from its witness, and a demand, by the typed rules alone: no engine's search, no solver.

A witness lists every set that lies after the act, each card with where it comes from: `offer`, `hand`, or `table 2`
for the second of the melds that lay before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from conquian.engine.program import Program
from conquian.language import clauses as c
from conquian.language.rules import RuleSet
from conquian.verifier.plain import Moment, names
from conquian.verifier.scenes import Laid, Scene, moment


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
