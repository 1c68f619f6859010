"""Two rule sets side by side: what each asks of an act, and questions about all positions that both can come to.

Free of any solver: a question is only written down here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from conquian.language import clauses as c
from conquian.language import formula as f
from conquian.verifier.circuits import FALSE, TRUE, Circuit
from conquian.verifier.difference_wanted import SIDES, Asked, Name, Query
from conquian.verifier.joint import Joint, Side
from conquian.verifier.limits import BUDGET
from conquian.verifier.worlds import SCENES, VERBS, Scene, Worlds


@dataclass(slots=True)
class Comparison:
    """Two rule sets, and the questions that can be asked of both. `budget`: what a solver may spend on one."""

    joint: Joint
    budget: int = BUDGET
    worlds: Worlds = field(init=False)
    _facts: dict[Scene, tuple[Circuit, ...]] = field(default_factory=dict)
    _asked: dict[tuple[Scene, str], tuple[Asked, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.worlds = Worlds(self.joint)

    def side(self, name: Name) -> Side:
        return self.worlds.side(name)

    # -- what each side asks of an act

    def asked(self, scene: Scene, name: Name) -> tuple[Asked, ...]:
        """The clauses of a side that speak of an act, and what each asks; where play has the moment."""
        key = (scene, name)
        if key not in self._asked:
            self._asked[key] = tuple(self._ask(scene, name))
        return self._asked[key]

    def _ask(self, scene: Scene, name: Name) -> Iterable[Asked]:
        side, world = self.side(name), self.worlds.worlds[name]
        stand = side.stands[scene.moment]
        verb = VERBS[scene.verb]
        permitted: list[tuple[str, Circuit]] = []
        for clause, body in side.bodies.items():
            match body:
                case c.Modal(actor, False, verbs, phases, when):
                    speaks = verb in verbs and (not phases or stand.phase in phases)
                    if speaks and (actor == "opponent") == (verb == "force"):
                        yield Asked((clause,), -world.condition(when or f.Always(True)))
                case c.Modal(actor, True, verbs, phases, when):
                    if verb in verbs and stand.phase in phases:
                        permitted.append((clause, world.condition(when or f.Always(True))))
                case c.Must(where):
                    if verb == "meld" and stand.bound:
                        yield Asked((clause,), world.condition(where))
                case _:
                    pass
        if verb in ("force", "arrange"):
            either = self.worlds.circuits.any(x for _, x in permitted)
            yield Asked(tuple(clause for clause, _ in permitted), either, True)

    def permission(self, scene: Scene, name: Name, clause: str) -> Circuit:
        """What one permission of a side asks; FALSE if it is none of the act."""
        side, stand = self.side(name), self.side(name).stands[scene.moment]
        match side.bodies.get(clause):
            case c.Modal(_, True, verbs, phases, when):
                if VERBS[scene.verb] in verbs and stand.phase in phases:
                    return self.worlds.worlds[name].condition(when or f.Always(True))
            case _:
                pass
        return FALSE

    def sound(self, scene: Scene, name: Name) -> Circuit:
        """Every meld left on the table is one to a side."""
        if scene.verb not in ("melds", "arranges"):
            return TRUE
        return -self.worlds.invalid(name, self.worlds.frame.after)

    def allowed(self, scene: Scene, name: Name) -> list[Circuit]:
        return [self.sound(scene, name), *(x.circuit for x in self.asked(scene, name))]

    # -- questions

    def scenes(self) -> list[Scene]:
        """The acts at the moments that both sides have, as far as the order of play takes them on both."""
        sides = (self.joint.a.stands, self.joint.b.stands)

        def takes(scene: Scene) -> bool:
            verb = VERBS[scene.verb]
            return all(
                scene.moment in stands and (verb == "arrange" or verb in stands[scene.moment].verbs)
                for stands in sides
            )

        return [scene for scene in SCENES if takes(scene)]

    def facts(self, scene: Scene) -> tuple[Circuit, ...]:
        """What holds in every position of a scene, and that both sides let play come there."""
        if scene not in self._facts:
            found = self.worlds.facts(scene)
            for i, verb in enumerate(scene.way):
                moment = "declined" if verb == "forces" and "passes" in scene.way[:i] else "offer"
                if verb != "melds":
                    step = Scene(verb, moment)
                    found += [x for name in SIDES for x in self.allowed(step, name)]
            self._facts[scene] = tuple(found)
        return self._facts[scene]

    def query(self, scene: Scene, allows: Name, violated: Circuit) -> Query | None:
        """Whether one side can allow what the other forbids; None if that is plain."""
        if violated == FALSE:
            return None
        roots = [*self.facts(scene), *self.allowed(scene, allows), violated]
        if FALSE in roots:
            return None
        roots += [x for world in self.worlds.worlds.values() for x in world.layouts]
        roots += self.worlds.stock(roots)
        return Query(self.worlds, scene, tuple(dict.fromkeys(x for x in roots if x != TRUE)))

    def bounded(self, query: Query) -> Query:
        """The same of positions that are no larger than play can make them."""
        roots = dict.fromkeys((*query.roots, *self.worlds.limits(query.scene), query.limit))
        roots.pop(TRUE, None)
        return replace(query, roots=tuple(roots))
