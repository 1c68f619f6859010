"""Where two rule sets part: for each clause that differs, and each direction, the smallest position that shows it.

First the question is asked of all positions at once: can one side allow what the other side's clause forbids? If
not, the clauses are proved equal in that direction. Otherwise the acts with few cards are looked through one by one,
and beyond those the solver is asked with one card more each time; so none with fewer cards exists. Every position is
found by solver and engines both, and played in both engines; a solver that gives up leaves the question undecided.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from conquian.engine.emit import established
from conquian.language import clauses as c
from conquian.verifier.circuits import TRUE, Circuit
from conquian.verifier.difference_asking import Comparison
from conquian.verifier.difference_clauses import asked_of, differs
from conquian.verifier.difference_wanted import Name, Query, Separation, Wanted, other
from conquian.verifier.limits import Disagreement, Undecided
from conquian.verifier.replay import Shown, shown
from conquian.verifier.small_scope import Parted, SmallScope
from conquian.verifier.solver import Solver
from conquian.verifier.why import why
from conquian.verifier.worlds import SCENES, Cards, Scene

SMALL = 9
"""Up to how many cards acts are looked through one by one: eight of one's own and the card on offer."""
SMALL_FIRST = 6
"""The same before anything is asked of all positions: where a small act shows a clause no proof is needed."""
SMALL_COPIES = 7
"""The same where cards have copies."""
LEMMAS = 12
"""How often the solver is told that cards can be laid out after all."""
MISSES = 12
"""How many acts that play does not lead to are passed over before giving up."""


def separations(comparison: Comparison) -> list[Separation]:
    """What is found of every clause that speaks of acts, of melds, or of winning."""
    a, b = comparison.joint.a, comparison.joint.b
    answers = Search(comparison).answers(asked_of(comparison))
    told = ("position", "undecided")
    return [x for x in answers if differs(a, b, x.clause) or x.status in told]


@dataclass(slots=True)
class Search:
    """One solver for all questions of a comparison. Deterministic: what is found depends on the two rule sets only."""

    comparison: Comparison
    solver: Solver = field(init=False)
    _unreached: set[tuple[str, Name]] = field(default_factory=set)
    """Clauses and directions whose small acts are such that play does not lead to them."""

    def __post_init__(self) -> None:
        self.solver = Solver(self.comparison.worlds.circuits, self.comparison.budget)

    def answers(self, wanted: Sequence[Wanted]) -> list[Separation]:
        """What is found of some clauses and directions, in their order."""
        found: dict[Wanted, Separation] = {}
        open_: dict[Wanted, Wanted] = {}
        small = SmallScope(self.comparison.joint)
        asked = {one: one for one in wanted if one.queries and one.listable and not one.indirect}
        self._exhausted(small, asked, found, dict.fromkeys(asked, SMALL_FIRST))
        for one in wanted:
            if one in found:
                continue
            alive = tuple(query for query in one.queries if self.solver.can(query.roots) is not False)
            if one.indirect:
                alive = tuple(
                    x for x in alive if self.solver.can(self.comparison.bounded(x).roots) is not False
                )
            if alive:
                open_[one] = replace(one, queries=alive)
            else:
                found[one] = Separation(one.clause, one.allows, "proved-equal", queries=one.queries)
        listable = {
            one: left
            for one, left in open_.items()
            if left.listable and (one.clause, one.allows) not in self._unreached
        }
        for begun, done in ((True, SMALL_FIRST), (False, 0)):
            rest = {one: left for one, left in listable.items() if (one in asked) is begun}
            self._exhausted(small, rest, found, dict.fromkeys(rest, SMALL), done)
        for one, left in open_.items():
            if one not in found:
                found[one] = self.grown(left, SMALL if small.complete and left.listable else 0)
        if self.comparison.joint.copies > 1:
            found = self._with_copies(found)
        for one, known in found.items():
            if one.elsewhere and known.status in ("proved-equal", "none-up-to"):
                found[one] = replace(known, status="undecided", cards=None, budget=self.comparison.budget)
            if one.wins and not one.never and known.status == "proved-equal" and self._ends(one):
                # The deal ends on one side only; the other has nothing to do after it that would show it.
                found[one] = replace(known, status="none-up-to", cards=self.comparison.joint.pack.size)
        return [found[one] for one in wanted]

    def _ends(self, one: Wanted) -> bool:
        """Whether the act can end the deal on one side; true where the solver gives up."""
        return any(self.solver.can(self.comparison.bounded(x).roots) is not False for x in one.wins)

    def _with_copies(self, found: dict[Wanted, Separation]) -> dict[Wanted, Separation]:
        """What was found of a pack with one copy of each card, for a pack that has more.

        A position stays one. That there is none, or no smaller one, is looked through again with the copies.
        """
        scope = SmallScope(self.comparison.joint, self.comparison.joint.copies)
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
                made[one] = replace(known, status="undecided", budget=self.comparison.budget)
        return made

    def _exhausted(
        self,
        small: SmallScope,
        wanted: dict[Wanted, Wanted],
        found: dict[Wanted, Separation],
        bounds: Mapping[Wanted, int],
        done: int = 0,
    ) -> None:
        """Looks through all acts with few cards, for each clause up to its bound, and adds the smallest.

        `done`: those with so many cards or fewer have been looked through.
        """
        count = done
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
        exact = self.comparison.worlds.exactly(parted.cards)
        answers = [self.solver.can([*query.roots, *exact]) for query in queries]
        if all(answer is False for answer in answers):
            if one.permission:
                return None  # Another permission is what the other side lacks.
            raise Disagreement(f"the engines part at {parted}, the solver does not")
        return self._shown(one, parted.scene, parted.cards)

    def _phases(self, one: Wanted, scene: Scene) -> tuple[str, str]:
        allows, forbids = self.comparison.side(one.allows), self.comparison.side(other(one.allows))
        return allows.stands[scene.moment].phase, forbids.stands[scene.moment].phase

    def _explained(self, one: Wanted, parted: Parted, small: SmallScope) -> Shown | None:
        """The same with copies, where the solver is asked about this one act under each rule set."""
        names: tuple[Name, Name] = (one.allows, other(one.allows))
        allowing, forbidding = (self.comparison.side(name) for name in names)
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
            self.comparison.joint.pack,
            scene,
            cards,
            self.comparison.side(one.allows).rules,
            self.comparison.side(forbids).rules,
            one.broken,
            self._phases(one, scene),
            one.plays_on,
            hidden,
        )

    def grown(self, one: Wanted, done: int) -> Separation:
        """The number of cards grows beyond what was looked through until there is a position."""
        whole = tuple(self.comparison.bounded(query) for query in one.queries)
        alive: list[Query] = []
        for query in whole:
            can = self.solver.can(query.roots)
            if can is not False:
                alive.append(query)
        if not alive:
            return Separation(one.clause, one.allows, "proved-equal", queries=whole)
        if (one.clause, one.allows) in self._unreached:
            return Separation(
                one.clause, one.allows, "undecided", budget=self.comparison.budget, queries=whole
            )
        for count in range(done + 1, self.comparison.joint.pack.size + 1):
            for query in alive:
                found = self._position(query, count, one)
                if isinstance(found, Shown):
                    return Separation(
                        one.clause, one.allows, "position", found, found.laid.cards, True, queries=whole
                    )
                if isinstance(found, Undecided):
                    return self._some(one, alive, whole, done, found)
                if found == "unreached":
                    return Separation(
                        one.clause, one.allows, "undecided", budget=self.comparison.budget, queries=whole
                    )
        return Separation(one.clause, one.allows, "proved-equal")

    def _some(
        self, one: Wanted, alive: Sequence[Query], whole: tuple[Query, ...], done: int, up: Undecided
    ) -> Separation:
        """Any position, where the smallest is beyond the budget; else the number up to which there is none."""
        for query in alive:
            found = self._position(query, self.comparison.joint.pack.size, one)
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
        worlds, solver = self.comparison.worlds, self.solver
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
        true = solver.model(self.comparison.worlds.variables)
        asked = self.comparison.asked(query.scene, other(one.allows))
        bodies = self.comparison.side(other(one.allows)).bodies
        form = {n for n, body in bodies.items() if isinstance(body, c.Modal) and established(body)}
        rest = [x.circuit for x in asked if not (one.broken | form) & set(x.clauses)]
        kept = list(roots)
        for wish in (
            self.comparison.worlds.circuits.all(rest),
            -self.comparison.worlds.circuits.variable("own"),
        ):
            if wish != TRUE and solver.can([*kept, wish]) is True:
                kept.append(wish)
                true = solver.model(self.comparison.worlds.variables)
        return true

    def _other_than(self, cards: Cards) -> Circuit:
        """Another position than this one."""
        lies, truth = self.comparison.worlds.words.lies, self.comparison.worlds.words.truth
        same = [lies("before", m) for m in cards.before]
        same += [truth(word, x) for word, x in (("up", cards.up), ("passed", cards.passed)) if x]
        same += [truth("hand", x) for x in self.comparison.worlds.cards if x & cards.hand]
        return -self.comparison.worlds.circuits.all(same)
