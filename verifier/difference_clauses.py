"""Clause by clause: what each clause that differs keeps one side from, put as questions about acts.

A clause is asked about in a direction only if the side that would forbid by it says anything there. Clauses that
read alike on both sides can still part where they speak of melds or of the goal and these differ; they are named
only if they do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from conquian.engine.pack import Pack
from conquian.language import clauses as c
from conquian.language import formula as f
from conquian.language.settled import Settled, size_alone, uses
from conquian.verifier.circuits import FALSE, Circuit
from conquian.verifier.difference_asking import Comparison
from conquian.verifier.difference_wanted import SIDES, Name, Query, Wanted, other
from conquian.verifier.joint import Side, shared_shapes
from conquian.verifier.worlds import VERBS, Scene


def clauses_of(a: Side, b: Side) -> list[str]:
    """The clauses of both, those of the first in its order, then what only the second has."""
    return list(dict.fromkeys((*a.clauses, *b.clauses)))


def differs(a: Side, b: Side, clause: str) -> bool:
    """Whether a clause says something else on the two sides, under their readings."""
    return a.bodies.get(clause) != b.bodies.get(clause)


def asked_of(comparison: Comparison) -> list[Wanted]:
    """Every clause that speaks of acts, of melds, or of winning, in each direction, as questions."""
    a, b = comparison.joint.a, comparison.joint.b
    found = []
    for clause in clauses_of(a, b):
        for allows in SIDES:
            one = wanted(comparison, clause, allows)
            if one is not None and (_elsewhere(a, clause) or _elsewhere(b, clause)):
                one = replace(one, elsewhere=True)
            if one is not None:
                found.append(one if differs(a, b, clause) else _indirectly(comparison, one))
    return found


def _elsewhere(side: Side, clause: str) -> bool:
    """Whether a clause speaks of the starter, or of a phase of play that no scene is about.

    Where the order of play asks for cards, no scene is sure to be all there is.
    """
    if side.engine.live:
        return isinstance(side.bodies.get(clause), c.Modal | c.Must)
    match side.bodies.get(clause):
        case c.Modal(phases=phases, when=when):
            named = when is not None and (uses(when, f.NextIsFirst) or _of_starter(when))
            return named or not side.others.isdisjoint(phases)
        case c.Must(where):
            return uses(where, f.NextIsFirst) or _of_starter(where)
        case _:
            return False


def _of_starter(node: f.Formula | f.Cards | f.Melds | f.Quantity) -> bool:
    return node == f.Flag("starter") or any(map(_of_starter, f.parts(node)))


def _indirectly(comparison: Comparison, one: Wanted) -> Wanted:
    """The same of a clause that reads alike on both sides: smaller melds than those that differ cannot part them."""
    joint = comparison.joint
    least = 0
    body = joint.a.bodies.get(one.clause)
    when = body.where if isinstance(body, c.Must) else body.when if isinstance(body, c.Modal) else None
    if when is not None and not uses(when, f.GoalSize):
        pack = Pack(joint.pack.cards, joint.copies)
        a, b = (frozenset().union(*shared_shapes(x.engine, pack).values()) for x in (joint.a, joint.b))
        least = min((pack.count(meld) for meld in a ^ b), default=0)
    return replace(one, indirect=True, least=least)


def wanted(comparison: Comparison, clause: str, allows: Name) -> Wanted | None:
    """One clause in one direction; None where it says nothing that could part the two sides."""
    forbids = other(allows)
    one, two = comparison.side(allows), comparison.side(forbids)
    granting, body = one.bodies.get(clause), two.bodies.get(clause)
    if granting == body and not _indirect(comparison, body):
        return None
    circuits = comparison.worlds.circuits
    queries: list[Query | None] = []
    if isinstance(body, c.Must) or (isinstance(body, c.Modal) and not body.allowed):
        for scene in comparison.scenes():
            against = [x.circuit for x in comparison.asked(scene, forbids) if x.clauses == (clause,)]
            if against and not (scene.verb == "names" and not _named(body)):
                violated = circuits.all((comparison.sound(scene, forbids), -circuits.all(against)))
                queries.append(comparison.query(scene, allows, violated))
        bound = isinstance(body, c.Must) or _by_phase(one) or _by_phase(two)
        return _wanted(clause, allows, queries, broken=frozenset({clause}), when_bound=bound)
    if isinstance(granting, c.Modal) and granting.allowed:
        for scene in comparison.scenes():
            if scene.verb != "names" and VERBS[scene.verb] in granting.verbs:
                queries.append(comparison.query(scene, allows, _ungranted(comparison, scene, allows, clause)))
        return _wanted(clause, allows, queries, permission=True)
    if isinstance(body, c.Wins) or (isinstance(body, c.Goal) and granting != body):
        won = tuple(_won(comparison, allows))
        sizes = _winning_sizes(comparison, allows)
        least = 0 if sizes is None else min(sizes, default=0)
        wins = tuple(_win(comparison, allows))
        return Wanted(clause, allows, won, plays_on=True, least=least, never=sizes == [], wins=wins)
    kinds = (c.Shape, c.Order, c.Deck)
    if isinstance(granting, kinds) or isinstance(body, kinds):
        melds, copies = _foreign(comparison, clause, allows, 1), frozenset[int]()
        if comparison.joint.copies > 1:
            copies = _foreign(comparison, clause, allows, comparison.joint.copies)
        if not melds and not copies and not isinstance(body, c.Shape):
            return None
        laying = [x for x in comparison.scenes() if x.verb in ("melds", "arranges")]
        for scene in laying:
            violated = comparison.worlds.invalid(forbids, melds)
            queries.append(comparison.query(scene, allows, violated))
        pack = Pack(comparison.joint.pack.cards, comparison.joint.copies)
        least = min((pack.count(meld) for meld in copies), default=0)
        made = replace(_wanted(clause, allows, queries, foreign=melds), least=least)
        return replace(made, copies=copies, laying=tuple(laying)) if copies else made
    return None


def _wanted(
    clause: str,
    allows: Name,
    queries: Sequence[Query | None],
    *,
    broken: frozenset[str] = frozenset(),
    foreign: frozenset[int] = frozenset(),
    permission: bool = False,
    plays_on: bool = False,
    when_bound: bool = False,
) -> Wanted:
    asked = tuple(query for query in queries if query is not None)
    return Wanted(clause, allows, asked, broken, foreign, permission, plays_on, when_bound)


def _by_phase(side: Side) -> bool:
    """Whether some melds are forbidden in some phases only, so that a forced player's are judged otherwise."""
    return any(
        isinstance(x, c.Modal) and not x.allowed and "meld" in x.verbs and x.phases
        for x in side.bodies.values()
    )


def _named(body: Settled) -> bool:
    """Whether a prohibition asks if a demand names a meld; others show without a name."""
    return isinstance(body, c.Modal) and body.when is not None and uses(body.when, f.Flag)


def _indirect(comparison: Comparison, body: Settled | None) -> bool:
    """Whether the same words can mean something else on the two sides."""
    joint = comparison.joint
    match body:
        case c.Modal(when=when) | c.Must(when):
            pass
        case _:
            return False
    if when is None:
        return False
    goals = joint.a.engine.program.goal != joint.b.engine.program.goal
    return (not joint.same_melds and uses(when, f.Valid, f.Possible, f.Ends)) or (
        goals and uses(when, f.GoalSize)
    )


def _ungranted(comparison: Comparison, scene: Scene, allows: Name, clause: str) -> Circuit:
    """A permission of one side holds and none of the other's does."""
    refused = [-x.circuit for x in comparison.asked(scene, other(allows)) if x.permits]
    granted = comparison.permission(scene, allows, clause)
    return comparison.worlds.circuits.all((*refused, granted)) if granted != FALSE else FALSE


def _won(comparison: Comparison, plays_on: Name) -> list[Query]:
    """A meld that is legal on both sides, wins on one, and leaves the other something to do.

    Where a discard has to follow, a card has to be left; the rules that deal more may leave one where the others cannot.
    """
    scene = Scene("melds", "offer")
    if scene not in comparison.scenes():
        return []
    worlds, circuits = comparison.worlds, comparison.worlds.circuits

    won = _won_by_meld(comparison, scene, plays_on)
    side = comparison.side(plays_on)
    if side.own is None or _regroups(comparison, plays_on):
        queries = [comparison.query(scene, plays_on, won)]
    else:
        left = circuits.any(worlds.after["a"].held)
        queries = [comparison.query(scene, plays_on, circuits.all((won, left)))]
        bare = comparison.query(scene, plays_on, circuits.all((won, *(-x for x in worlds.hand))))
        spare = -circuits.at_least(worlds.own(), side.own)
        queries.append(None if bare is None else replace(bare, hidden=True, limit=spare))
    return [query for query in queries if query is not None]


def _won_by_meld(comparison: Comparison, scene: Scene, plays_on: Name) -> Circuit:
    worlds, circuits = comparison.worlds, comparison.worlds.circuits

    def wins(name: Name) -> Circuit:
        bodies = comparison.side(name).bodies.values()
        return circuits.any(worlds.after[name].condition(x.when) for x in bodies if isinstance(x, c.Wins))

    return circuits.all((*comparison.allowed(scene, other(plays_on)), wins(other(plays_on)), -wins(plays_on)))


def _regroups(comparison: Comparison, name: Name) -> bool:
    """Whether a side permits a regrouping after a meld."""
    after = [scene for scene in comparison.scenes() if (scene.verb, scene.moment) == ("arranges", "laid")]
    permits = [x for scene in after for x in comparison.asked(scene, name) if x.permits]
    return any(x.circuit != FALSE for x in permits)


def _win(comparison: Comparison, plays_on: Name) -> list[Query]:
    """A meld that is legal on both sides and wins on one only, whatever is left to do on the other."""
    scene = Scene("melds", "offer")
    if scene not in comparison.scenes():
        return []
    query = comparison.query(scene, plays_on, _won_by_meld(comparison, scene, plays_on))
    return [] if query is None else [query]


def _winning_sizes(comparison: Comparison, plays_on: Name) -> list[int] | None:
    """How many cards a table can have that wins on one side only; None if winning asks for more than its size."""
    bodies = {
        name: [x.when for x in comparison.side(name).bodies.values() if isinstance(x, c.Wins)]
        for name in SIDES
    }
    goals = {name: comparison.side(name).engine.program.goal for name in SIDES}
    bounds = [side.own + 1 for side in (comparison.joint.a, comparison.joint.b) if side.own is not None]
    most = min([comparison.joint.pack.size * comparison.joint.copies, *bounds])
    found = []
    for size in range(most + 1):
        won = {
            name: [size_alone(when, size, goals[name]) for when in conditions]
            for name, conditions in bodies.items()
        }
        if None in (*won["a"], *won["b"]):
            return None
        if any(won[other(plays_on)]) and not any(won[plays_on]):
            found.append(size)
    return found


def _foreign(comparison: Comparison, clause: str, allows: Name, copies: int) -> frozenset[int]:
    """The melds of one side that are none to the other because of a clause on shapes, the order or the pack.

    A shape that reads otherwise, or that one side lacks, is why its melds are none; else the order of the ranks is.
    """
    one, two = comparison.side(allows), comparison.side(other(allows))
    shape_clauses = {
        name: body for side in (one, two) for name, body in side.bodies.items() if isinstance(body, c.Shape)
    }
    changed = {x.name: name for name, x in shape_clauses.items() if differs(one, two, name)}
    orders = [n for n in clauses_of(one, two) if _is(one, two, n, c.Order) and differs(one, two, n)]
    decks = [n for n in clauses_of(one, two) if _is(one, two, n, c.Deck)]
    rest = (orders or decks)[0]
    pack = Pack(comparison.joint.pack.cards, copies)
    known = frozenset().union(*shared_shapes(two.engine, pack).values())
    shapes = shared_shapes(one.engine, pack).items()
    return frozenset().union(
        *(melds - known for shape, melds in shapes if changed.get(shape, rest) == clause)
    )


def _is(one: Side, two: Side, clause: str, kind: type[object]) -> bool:
    return any(isinstance(side.bodies.get(clause), kind) for side in (one, two))
