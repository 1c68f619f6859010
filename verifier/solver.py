"""The one door to Z3: a long-lived solver over a graph of circuits, asked under assumptions.

Only what a question needs is asserted, once, as SMT-LIB text; the same text can be exported. Nothing that
depends on a position, a rule set or a reading is ever asserted: these are assumptions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import z3  # type: ignore[import-untyped]

from conquian.verifier.circuits import FALSE, TRUE, Circuit, Circuits
from conquian.verifier.limits import BUDGET, SEED, Undecided


def _smt(circuit: Circuit) -> str:
    if abs(circuit) == 1:
        return "true" if circuit == TRUE else "false"
    return f"n{circuit}" if circuit > 0 else f"(not n{-circuit})"


class Solver:
    """Answers whether some circuits can hold together."""

    def __init__(self, circuits: Circuits, budget: int = BUDGET) -> None:
        self.circuits, self.budget = circuits, budget
        self._solver: Any = z3.SolverFor("QF_FD")
        self._solver.set("random_seed", SEED)
        self._solver.set("rlimit", budget)
        self._known: set[int] = set()
        self._bools: dict[int, Any] = {}
        self.asked = 0

    @contextmanager
    def within(self, budget: int) -> Iterator[None]:
        """Another budget for the questions that are asked inside."""
        before = self.budget
        self._allow(budget)
        try:
            yield
        finally:
            self._allow(before)

    def _allow(self, budget: int) -> None:
        if budget != self.budget:
            self.budget = budget
            self._solver.set("rlimit", budget)

    def _assert(self, roots: Iterable[Circuit], *facts: Circuit) -> None:
        """Gives the solver the nodes below some roots, and facts that always hold."""
        fresh = self.circuits.under((*roots, *facts), self._known)
        if fresh or facts:
            self._solver.from_string(script(self.circuits, fresh, facts))
            self._known.update(fresh)

    def always(self, *facts: Circuit) -> None:
        """Adds what holds in every question."""
        facts = tuple(x for x in facts if x != TRUE)
        if facts:
            self._assert((), *facts)

    def can(self, assumed: Sequence[Circuit]) -> bool | Undecided:
        """Whether the assumptions can hold together."""
        self.asked += 1
        if FALSE in assumed:
            return False
        self._assert(assumed)
        answer = self._solver.check(*(self._bool(x) for x in assumed if x != TRUE))
        if answer == z3.sat:
            return True
        return False if answer == z3.unsat else Undecided(self.budget)

    def core(self) -> set[Circuit]:
        """Assumptions of the last question that already contradict each other; not the fewest."""
        return {_circuit(x) for x in self._solver.unsat_core()}

    def model(self, variables: Iterable[Circuit]) -> set[Circuit]:
        """Those of the variables that the last answer makes true."""
        model = self._solver.model()
        return {x for x in variables if x in self._known and z3.is_true(model.eval(self._bool(x)))}

    def _bool(self, circuit: Circuit) -> Any:
        found = self._bools.get(circuit)
        if found is None:
            positive = z3.Bool(f"n{abs(circuit)}")
            found = self._bools[circuit] = positive if circuit > 0 else z3.Not(positive)
        return found


def _circuit(literal: Any) -> Circuit:
    if z3.is_not(literal):
        return -int(literal.arg(0).decl().name()[1:])
    return int(literal.decl().name()[1:])


def script(circuits: Circuits, nodes: Sequence[int], facts: Sequence[Circuit] = ()) -> str:
    """Nodes, parts before wholes, and facts as SMT-LIB 2: a conjunction is a constant that equals that of its parts.

    Complete, and so a question for any solver, when `nodes` are all that are under the facts.
    """
    lines = []
    for node in nodes:
        lines.append(f"(declare-const n{node} Bool)")
        parts = circuits.parts.get(node)
        if parts is not None:
            lines.append(f"(assert (= n{node} (and {' '.join(map(_smt, parts))})))")
    lines.extend(f"(assert {_smt(x)})" for x in facts)
    return "\n".join(lines)
