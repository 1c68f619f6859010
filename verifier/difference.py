"""Where two rule sets part: for each clause that differs, and each direction, the smallest position that shows it.

First the question is asked of all positions at once: can one side allow what the other side's clause forbids? If
not, the clauses are proved equal in that direction. Otherwise the acts with few cards are looked through one by one,
and beyond those the solver is asked with one card more each time; so none with fewer cards exists. Every position is
found by solver and engines both, and played in both engines; a solver that gives up leaves the question undecided.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from conquian.engine.emit import established
from conquian.language import clauses as c
from conquian.language import formula as f
from conquian.verifier.circuits import FALSE, TRUE, Circuit
from conquian.verifier.joint import Joint, Side
from conquian.verifier.limits import BUDGET, Disagreement, Undecided
from conquian.verifier.replay import Shown, shown
from conquian.verifier.small_scope import Parted, SmallScope
from conquian.verifier.solver import Solver, script
from conquian.verifier.why import why
from conquian.verifier.worlds import SCENES, VERBS, Cards, Scene, Worlds

SMALL = 9
"""Up to how many cards acts are looked through one by one: eight of one's own and the card on offer."""
SMALL_COPIES = 7
"""The same where cards have copies."""
LEMMAS = 12
"""How often the solver is told that cards can be laid out after all."""
MISSES = 12
"""How many acts that play does not lead to are passed over before giving up."""

Name = Literal["a", "b"]
SIDES: tuple[Name, Name] = ("a", "b")
Status = Literal["position", "proved-equal", "none-up-to", "undecided"]


@dataclass(frozen=True, slots=True)
class Query:
    """A question to the solver, complete: whether all these can hold together.

    `scene` is the act it is about. `hidden`: no hand card is asked about, and the hand may hold more.
    """

    worlds: Worlds
    scene: Scene
    roots: tuple[Circuit, ...]
    hidden: bool = False

    def script(self) -> str:
        """The question as SMT-LIB 2, for any solver; unsatisfiable if no position separates the two sides."""
        circuits, facts = self.worlds.circuits, (*self.roots, *self.worlds.lemmas)
        text = script(circuits, circuits.under(facts, set()), facts)
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


@dataclass(frozen=True, slots=True)
class Wanted:
    """A clause in a direction, as questions.

    broken     the prohibitions or duties that are then broken
    foreign    the melds of which one is then laid, which the other side does not know
    permission the other side does not permit the act
    plays_on   the act is legal on both sides and ends the deal on one: it is about the event after it
    when_bound it can matter to a forced player in another way
    laying     acts that are about `copies` only
    copies     `foreign` where the shared pack has its cards several times
    least      no position with fewer cards shows it, however many copies there are
    never      no position at all does, however many copies there are
    elsewhere  the clause also speaks of moments that no question is about, so that nothing is proved of it
    indirect   the clause reads alike on both sides, and can part them only for melds or a goal that differ
    """

    clause: str
    allows: Name
    queries: tuple[Query, ...]
    broken: frozenset[str] = frozenset()
    foreign: frozenset[int] = frozenset()
    permission: bool = False
    plays_on: bool = False
    when_bound: bool = False
    copies: frozenset[int] = frozenset()
    laying: tuple[Scene, ...] = ()
    least: int = 0
    never: bool = False
    indirect: bool = False
    elsewhere: bool = False

    @property
    def scenes(self) -> tuple[Scene, ...]:
        """The acts it is about."""
        return tuple(dict.fromkeys((*(x.scene for x in self.queries), *self.laying)))

    @property
    def listable(self) -> bool:
        """Whether every act it is about can be looked through one by one."""
        return not self.plays_on and all(x.verb in ("melds", "arranges", "forces") for x in self.scenes)

    def fits(self, parted: Parted) -> bool:
        if parted.allows != self.allows or parted.scene not in self.scenes:
            return False
        if self.foreign:
            return bool(self.foreign.intersection(parted.foreign))
        if self.permission:
            return parted.ungranted
        return bool(self.broken & parted.broken) and not parted.foreign

    def alone(self, parted: Parted) -> bool:
        """Whether nothing else speaks against the act."""
        return (
            parted.broken <= self.broken
            and parted.ungranted is self.permission
            and bool(parted.foreign) is bool(self.foreign)
        )


@dataclass(slots=True)
class Comparison:
    """Two rule sets, one solver, and the questions asked of it. Deterministic: what is found depends on the two only."""

    joint: Joint
    budget: int = BUDGET
    worlds: Worlds = field(init=False)
    solver: Solver = field(init=False)
    _facts: dict[Scene, tuple[Circuit, ...]] = field(default_factory=dict)
    _asked: dict[tuple[Scene, str], tuple[_Asked, ...]] = field(default_factory=dict)
    _unreached: set[tuple[str, Name]] = field(default_factory=set)
    """Clauses and directions whose small acts are such that play does not lead to them."""

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
                    speaks = verb in verbs and (not phases or stand.phase in phases)
                    if speaks and (actor == "opponent") == (verb == "force"):
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
        roots = dict.fromkeys((*query.roots, *self.worlds.limits(query.scene)))
        return replace(query, roots=tuple(roots))

    # -- answers

    def answers(self, wanted: Sequence[Wanted]) -> list[Separation]:
        """What is found of some clauses and directions, in their order."""
        found: dict[Wanted, Separation] = {}
        open_: dict[Wanted, Wanted] = {}
        for one in wanted:
            alive = tuple(query for query in one.queries if self.solver.can(query.roots) is not False)
            if one.indirect:
                alive = tuple(x for x in alive if self.solver.can(self.bounded(x).roots) is not False)
            if alive:
                open_[one] = replace(one, queries=alive)
            else:
                found[one] = Separation(one.clause, one.allows, "proved-equal", queries=one.queries)
        small = SmallScope(self.joint)
        listable = {one: left for one, left in open_.items() if left.listable}
        self._exhausted(small, listable, found, dict.fromkeys(listable, SMALL))
        for one, left in open_.items():
            if one not in found:
                found[one] = self.grown(left, SMALL if small.complete and left.listable else 0)
        if self.joint.copies > 1:
            found = self._with_copies(found)
        for one, known in found.items():
            if one.elsewhere and known.status in ("proved-equal", "none-up-to"):
                found[one] = replace(known, status="undecided", cards=None, budget=self.budget)
        return [found[one] for one in wanted]

    def _with_copies(self, found: dict[Wanted, Separation]) -> dict[Wanted, Separation]:
        """What was found of a pack with one copy of each card, for a pack that has more.

        A position stays one. That there is none, or no smaller one, is looked through again with the copies.
        """
        scope = SmallScope(self.joint, self.joint.copies)
        left: dict[Wanted, Wanted] = {}
        bounds: dict[Wanted, int] = {}
        for one, known in found.items():
            count = known.cards or 0
            shown = known.status == "position" and count > max(one.least, 1)
            if shown or (known.status == "proved-equal" and not one.never and (one.queries or one.copies)):
                left[one] = replace(one, foreign=one.copies)
                bounds[one] = min(count - 1, SMALL_COPIES) if shown else SMALL_COPIES
        listable = {one: asked for one, asked in left.items() if one.listable}
        smaller: dict[Wanted, Separation] = {}
        self._exhausted(scope, listable, smaller, bounds)
        made = dict(found)
        for one in left:
            known = found[one]
            if one in smaller:
                made[one] = smaller[one]
            elif known.status == "position":
                sure = one.listable and scope.complete and known.cards == bounds[one] + 1
                made[one] = replace(known, smallest=known.smallest and sure)
            elif one.indirect and one.least > 1:
                made[one] = replace(known, status="none-up-to", cards=one.least - 1)
            elif one.listable and scope.complete:
                made[one] = replace(known, status="none-up-to", cards=bounds[one])
            else:
                made[one] = replace(known, status="undecided", budget=self.budget)
        return made

    def _exhausted(
        self,
        small: SmallScope,
        wanted: dict[Wanted, Wanted],
        found: dict[Wanted, Separation],
        bounds: Mapping[Wanted, int],
    ) -> None:
        """Looks through all acts with few cards, for each clause up to its bound, and adds the smallest."""
        count = 0
        left = dict(wanted)
        while left := {key: one for key, one in left.items() if bounds[key] > count}:
            count += 1
            active = {key: one for key, one in left.items() if one.least <= count}
            asked = {scene for one in active.values() for scene in one.scenes}
            bound = any(one.when_bound for one in active.values())
            scenes = [x for x in SCENES if x in asked and (bound or x.verb != "melds" or not x.way)]
            best: dict[Wanted, Shown] = {}
            missed: Counter[Wanted] = Counter()
            laying = [one for one in active.values() if any(x.verb != "forces" for x in one.scenes)]
            foreign = frozenset().union(*(one.foreign for one in laying))
            only = foreign if all(one.foreign for one in laying) else None
            for parted in small.parted(count, scenes, only):
                for key, one in active.items():
                    alone = one.alone(parted)
                    better = key not in best or (alone and not best[key].alone)
                    if better and one.fits(parted) and missed[key] < MISSES:
                        shown = self._confirmed(one, parted, small)
                        if shown is not None:
                            best[key] = replace(shown, alone=alone)
                        elif not one.permission:
                            missed[key] += 1
                if len(best) == len(active) and all(shown.alone for shown in best.values()):
                    break
            for key, shown in best.items():
                found[key] = Separation(
                    key.clause, key.allows, "position", shown, count, small.complete, queries=key.queries
                )
                del left[key]
            for key in [x for x in missed if missed[x] == MISSES and x not in best]:
                self._unreached.add((key.clause, key.allows))
                del left[key]

    def _confirmed(self, one: Wanted, parted: Parted, small: SmallScope) -> Shown | None:
        """An act found by exhaustion as a position. The solver finds it too, or gives up; it must not deny it."""
        if small.pack.copies > 1:
            return self._explained(one, parted, small)
        queries = [x for x in one.queries if x.scene == parted.scene]
        if not queries:
            return None
        exact = self.worlds.exactly(parted.cards)
        answers = [self.solver.can([*query.roots, *exact]) for query in queries]
        if all(answer is False for answer in answers):
            if one.permission:
                return None  # Another permission is what the other side lacks.
            raise Disagreement(f"the engines part at {parted}, the solver does not")
        return self._shown(one, parted.scene, parted.cards)

    def _phases(self, one: Wanted, scene: Scene) -> tuple[str, str]:
        allows, forbids = self.side(one.allows), self.side(other(one.allows))
        return allows.stands[scene.moment].phase, forbids.stands[scene.moment].phase

    def _explained(self, one: Wanted, parted: Parted, small: SmallScope) -> Shown | None:
        """The same with copies, where the solver is asked about this one act under each rule set."""
        names: tuple[Name, Name] = (one.allows, other(one.allows))
        allowing, forbidding = (self.side(name) for name in names)
        phases = self._phases(one, parted.scene)
        found = shown(
            small.pack, parted.scene, parted.cards, allowing.rules, forbidding.rules, one.broken, phases
        )
        if found is None:
            return None
        for side in (allowing, forbidding):
            here = found.laid.stand(side.rules)
            assert here is not None
            why(side.rules, here, found.laid.event, side.typed)
        return found

    def _shown(self, one: Wanted, scene: Scene, cards: Cards, hidden: bool = False) -> Shown | None:
        forbids = other(one.allows)
        return shown(
            self.joint.pack,
            scene,
            cards,
            self.side(one.allows).rules,
            self.side(forbids).rules,
            one.broken,
            self._phases(one, scene),
            one.plays_on,
            hidden,
        )

    def grown(self, one: Wanted, done: int) -> Separation:
        """The number of cards grows beyond what was looked through until there is a position."""
        whole = tuple(self.bounded(query) for query in one.queries)
        alive: list[Query] = []
        for query in whole:
            can = self.solver.can(query.roots)
            if can is not False:
                alive.append(query)
        if not alive:
            return Separation(one.clause, one.allows, "proved-equal", queries=whole)
        if (one.clause, one.allows) in self._unreached:
            return Separation(one.clause, one.allows, "undecided", budget=self.budget, queries=whole)
        for count in range(done + 1, self.joint.pack.size + 1):
            for query in alive:
                found = self._position(query, count, one)
                if isinstance(found, Shown):
                    return Separation(
                        one.clause, one.allows, "position", found, found.laid.cards, True, queries=whole
                    )
                if isinstance(found, Undecided):
                    return self._some(one, alive, whole, done, found)
                if found == "unreached":
                    return Separation(one.clause, one.allows, "undecided", budget=self.budget, queries=whole)
        return Separation(one.clause, one.allows, "proved-equal")

    def _some(
        self, one: Wanted, alive: Sequence[Query], whole: tuple[Query, ...], done: int, up: Undecided
    ) -> Separation:
        """Any position, where the smallest is beyond the budget; else the number up to which there is none."""
        for query in alive:
            found = self._position(query, self.joint.pack.size, one)
            if isinstance(found, Shown):
                return Separation(one.clause, one.allows, "position", found, found.laid.cards, queries=whole)
        if done:
            return Separation(
                one.clause, one.allows, "none-up-to", cards=done, budget=up.budget, queries=whole
            )
        return Separation(one.clause, one.allows, "undecided", budget=up.budget, queries=whole)

    def _position(
        self, query: Query, count: int, one: Wanted
    ) -> Shown | Undecided | Literal["none", "unreached"]:
        """A position with so many cards, or fewer."""
        worlds, solver = self.worlds, self.solver
        roots = [*query.roots, -worlds.more_than(count)]
        missed = 0
        for _ in range(LEMMAS):
            found = solver.can(roots)
            if isinstance(found, Undecided):
                return found
            if not found:
                return "unreached" if missed else "none"
            true = solver.model(worlds.variables)
            wrong = worlds.broken_promises(true)
            if not wrong:
                true = self._plainest(query, roots, one)
                wrong = worlds.broken_promises(true)
            if wrong:
                worlds.lemmas += wrong
                solver.always(*wrong)
                continue
            cards = worlds.read(true)
            clear = self._shown(one, query.scene, cards, query.hidden)
            if clear is not None:
                return clear
            missed += 1
            if missed == MISSES:
                break
            roots.append(self._other_than(cards))
        return "unreached"

    def _plainest(self, query: Query, roots: Sequence[Circuit], one: Wanted) -> set[Circuit]:
        """The model of the last answer, or of a plainer one: no other clause broken, the card not one's own."""
        solver = self.solver
        true = solver.model(self.worlds.variables)
        asked = self.asked(query.scene, other(one.allows))
        bodies = self.side(other(one.allows)).bodies
        form = {n for n, body in bodies.items() if isinstance(body, c.Modal) and established(body)}
        rest = [x.circuit for x in asked if not (one.broken | form) & set(x.clauses)]
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
        return -self.worlds.circuits.all(same)


def other(name: Name) -> Name:
    return "b" if name == "a" else "a"
