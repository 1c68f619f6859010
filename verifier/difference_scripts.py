"""What a comparison asks of all positions, as scripts that are made the same way again, without any solver.

A clause in a direction is proved equal where each of its questions has the answer no: as it is, or only of positions
that are no larger than play can make them. Questions with the answer yes prove nothing; a position shows that.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from conquian.verifier.circuits import TRUE
from conquian.verifier.difference_asking import Comparison
from conquian.verifier.difference_clauses import asked_of
from conquian.verifier.difference_wanted import Query, Wanted
from conquian.verifier.limits import Undecided
from conquian.verifier.scripts import Found, Script, exported
from conquian.verifier.solver import Solver

OPEN: Found = "unknown"


@dataclass(frozen=True, slots=True)
class Proof:
    """The questions of one clause in one direction, and whether their answers are all there is to prove.

    `counted`: that no table is one on which the two sides differ was counted, not asked.
    `questions` are pairs of a question and the same of positions that play can make, with their queries.
    """

    clause: str
    allows: str
    questions: tuple[tuple[Script, Script], ...]
    queries: tuple[tuple[Query, Query], ...]
    counted: bool
    whole: bool


def proofs(comparison: Comparison) -> list[Proof]:
    """Every clause and direction that is asked about; no question is answered yet.

    INVARIANT: the comparison is fresh, for the text of a script follows the order in which its parts were made.
    """
    found = []
    copies = comparison.joint.copies > 1
    for one in asked_of(comparison):
        queries = tuple((query, comparison.bounded(query)) for query in one.queries)
        whole = not one.elsewhere and not (copies and (one.queries or one.copies))
        made = tuple(_scripts(one, query, bounded) for query, bounded in queries)
        found.append(Proof(one.clause, one.allows, made, queries, one.never, whole or one.never))
    return found


def _scripts(one: Wanted, query: Query, bounded: Query) -> tuple[Script, Script]:
    way = "".join(f"{verb}, then " for verb in query.scene.way)
    hand = ", the hand not recorded" if query.hidden else ""
    name = f"`{one.clause}`, {one.allows} allows: {way}{query.scene.verb} ({query.scene.moment}){hand}"
    return _script(name, query), _script(f"{name}, as play can make it", bounded)


def _script(name: str, query: Query) -> Script:
    roots = [x for x in query.roots if x != TRUE]
    return Script(name, exported(query.worlds.circuits, roots), OPEN)


def answered(comparison: Comparison, found: list[Proof], equal: set[tuple[str, str]]) -> Iterator[Script]:
    """The scripts with the solver's answers. Of what is `equal`, the form that proves it.

    Promises that the search was told on its way are left out: what they were needed for stays open.
    """
    solver = Solver(comparison.worlds.circuits, comparison.budget)

    def answer(query: Query) -> Found:
        said = solver.can(query.roots)
        return OPEN if isinstance(said, Undecided) else "sat" if said else "unsat"

    for proof in found:
        proved = (proof.clause, proof.allows) in equal
        for scripts, queries in zip(proof.questions, proof.queries, strict=True):
            said = answer(queries[0])
            if proved and said != "unsat":
                yield scripts[1]._replace(expected=answer(queries[1]))
            else:
                yield scripts[0]._replace(expected=said)
