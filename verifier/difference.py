"""Where two rule sets part: for each clause that differs, and each direction, the smallest position that shows it.

First the question is asked of all positions at once: can one side allow what the other side's clause forbids? If
not, the clauses are proved equal in that direction. Otherwise the number of cards grows from one until there is such
a position: none with fewer cards exists. Every position is played in both engines; a solver that gives up leaves the
question undecided.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from conquian.language import clauses as c
from conquian.language import formula as f
from conquian.verifier.circuits import FALSE, TRUE, Circuit
from conquian.verifier.joint import Joint, Side
from conquian.verifier.limits import BUDGET, Undecided
from conquian.verifier.replay import Shown, shown
from conquian.verifier.solver import Solver, script
from conquian.verifier.worlds import SCENES, VERBS, Cards, Scene, Worlds

RETRIES = 200
"""How many models that play does not lead to are passed over before giving up."""

Name = Literal["a", "b"]
Status = Literal["position", "proved-equal", "none-up-to", "undecided"]


@dataclass(frozen=True, slots=True)
class Query:
    """A question to the solver, complete: whether all these can hold together. `scene` is the act it is about."""

    worlds: Worlds
    scene: Scene
    roots: tuple[Circuit, ...]

    def script(self) -> str:
        """The question as SMT-LIB 2, for any solver; unsatisfiable if no position separates the two sides."""
        circuits = self.worlds.circuits
        text = script(circuits, circuits.under(self.roots, set()), self.roots)
        return f"(set-logic QF_UF)\n{text}\n(check-sat)\n"


@dataclass(frozen=True, slots=True)
class Separation:
    """What was found of one clause in one direction.

    clause    its name in the rule files; the side that does not `allow` forbids by it
    cards     of the position; or the number up to which there is none
    smallest  no position with fewer cards separates the two by this clause
    budget    where the solver gave up
    queries   what was asked of all positions at once; all unsatisfiable where the status is `proved-equal`
    """

    clause: str
    allows: Name
    status: Status
    shown: Shown | None = None
    cards: int | None = None
    smallest: bool = False
    budget: int | None = None
    queries: tuple[Query, ...] = ()


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a side asks of an act. `clauses`: by which it can be broken; permissions are asked as one."""

    clauses: tuple[str, ...]
    circuit: Circuit
    permits: bool = False


@dataclass(slots=True)
class Comparison:
    """Two rule sets, one solver, and the questions asked of it. Deterministic: what is found depends on the two only."""

    joint: Joint
    budget: int = BUDGET
    worlds: Worlds = field(init=False)
    solver: Solver = field(init=False)
    _facts: dict[Scene, tuple[Circuit, ...]] = field(default_factory=dict)
    _asked: dict[tuple[Scene, str], tuple[_Asked, ...]] = field(default_factory=dict)
    _passed_over: set[Circuit] = field(default_factory=set)
    """Positions that play does not lead to."""

    def __post_init__(self) -> None:
        self.worlds = Worlds(self.joint)
        self.solver = Solver(self.worlds.circuits, self.budget)

    def side(self, name: Name) -> Side:
        return self.worlds.side(name)

    # -- what each side asks of an act

    def asked(self, scene: Scene, name: Name) -> tuple[_Asked, ...]:
        """The clauses of a side that speak of an act, and what each asks; where play has the moment."""
        key = (scene, name)
        if key not in self._asked:
            self._asked[key] = tuple(self._ask(scene, name))
        return self._asked[key]

    def _ask(self, scene: Scene, name: Name) -> Iterable[_Asked]:
        side, world = self.side(name), self.worlds.worlds[name]
        stand = side.stands[scene.moment]
        verb = VERBS[scene.verb]
        permitted: list[tuple[str, Circuit]] = []
        for clause, body in side.bodies.items():
            match body:
                case c.Modal(actor, False, verbs, phases, when):
                    if verb in verbs and (not phases or stand.phase in phases):
                        if (actor == "opponent") == (verb == "force"):
                            yield _Asked((clause,), -world.condition(when or f.Always(True)))
                case c.Modal(actor, True, verbs, phases, when):
                    if verb in verbs and stand.phase in phases:
                        permitted.append((clause, world.condition(when or f.Always(True))))
                case c.Must(where):
                    if verb == "meld" and stand.bound:
                        yield _Asked((clause,), world.condition(where))
                case _:
                    pass
        if verb in ("force", "arrange"):
            either = self.worlds.circuits.any(x for _, x in permitted)
            yield _Asked(tuple(clause for clause, _ in permitted), either, True)

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

    # -- positions

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

    def scenes(self) -> list[Scene]:
        """The acts at the moments that both sides have."""
        a, b = self.joint.a.stands, self.joint.b.stands
        return [x for x in SCENES if x.moment in a and x.moment in b]

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

    # -- answers

    def separate(self, clause: str, allows: Name, queries: Sequence[Query], broken: frozenset[str]) -> Separation:
        """The smallest position that answers one of some queries; `broken` are the clauses it then breaks."""
        whole = tuple(queries)
        alive: list[Query] = []
        for query in queries:
            found = self.solver.can(query.roots)
            if isinstance(found, Undecided):
                return Separation(clause, allows, "undecided", budget=found.budget, queries=whole)
            if found:
                alive.append(query)
        if not alive:
            return Separation(clause, allows, "proved-equal", queries=whole)
        given_up = False
        for count in range(1, self.joint.pack.size + 1):
            for query in alive:
                found = self._position(query, count, allows, broken)
                if isinstance(found, Shown):
                    return Separation(
                        clause, allows, "position", found, found.laid.cards, not given_up, queries=whole
                    )
                if isinstance(found, Undecided):
                    return Separation(clause, allows, "undecided", budget=found.budget, queries=whole)
                given_up = given_up or found == "unreached"
        if given_up:
            return Separation(clause, allows, "undecided", budget=self.budget, queries=whole)
        return Separation(clause, allows, "proved-equal", queries=whole)

    def _position(
        self, query: Query, count: int, allows: Name, broken: frozenset[str]
    ) -> Shown | Undecided | Literal["none", "unreached"]:
        """A position with so many cards, or fewer."""
        worlds, solver = self.worlds, self.solver
        roots = [*query.roots, -worlds.more_than(count)]
        forbids: Name = "b" if allows == "a" else "a"
        for attempt in range(RETRIES):
            found = solver.can(roots)
            if isinstance(found, Undecided):
                return found
            if not found:
                return "unreached" if attempt and self._blocked(roots) else "none"
            true = self._plainest(query, roots, forbids, broken)
            wrong = worlds.broken_promises(true)
            if wrong:
                solver.always(*wrong)
                continue
            cards = worlds.read(true)
            scene = query.scene
            clear = shown(
                self.joint.pack, scene, cards, self.side(allows).rules, self.side(forbids).rules, broken
            )
            if clear is not None:
                return clear
            roots.append(self._other_than(cards))
        return "unreached"

    def _blocked(self, roots: Sequence[Circuit]) -> bool:
        return any(x in self._passed_over for x in roots)

    def _plainest(
        self, query: Query, roots: Sequence[Circuit], forbids: Name, broken: frozenset[str]
    ) -> set[Circuit]:
        """The model of the last answer, or of a plainer one: no other clause broken, the card not one's own."""
        solver = self.solver
        true = solver.model(self.worlds.variables)
        rest = [x.circuit for x in self.asked(query.scene, forbids) if not broken & set(x.clauses)]
        kept = list(roots)
        for wish in (self.worlds.circuits.all(rest), -self.worlds.circuits.variable("own")):
            if wish != TRUE and solver.can([*kept, wish]) is True:
                kept.append(wish)
                true = solver.model(self.worlds.variables)
        return true

    def _other_than(self, cards: Cards) -> Circuit:
        """Another position than this one."""
        lies, truth = self.worlds.words.lies, self.worlds.words.truth
        same = [lies("before", m) for m in cards.before]
        same += [truth(word, x) for word, x in (("up", cards.up), ("passed", cards.passed)) if x]
        same += [truth("hand", x) for x in self.worlds.cards if x & cards.hand]
        blocked = -self.worlds.circuits.all(same)
        self._passed_over.add(blocked)
        return blocked


SIDES: tuple[Name, Name] = ("a", "b")
