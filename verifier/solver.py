"""The one door to Z3: a long-lived solver over a graph of circuits, asked under assumptions.

Only what a question needs is asserted, once, as SMT-LIB text; the same text can be exported. Nothing that
depends on a position, a rule set or a reading is ever asserted: these are assumptions. Z3 is loaded with the first
question, so that whoever only builds or writes down questions does without it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cached_property, lru_cache
from typing import Any

from conquian.progress import tick
from conquian.verifier.circuits import FALSE, TRUE, Circuit, Circuits
from conquian.verifier.limits import BUDGET, SEED, Undecided
from conquian.verifier.scripts import script
from conquian.verifier.trial import Trial

__all__ = ["Solver", "by_trial", "literal_of", "script"]


_BY_TRIAL = ContextVar("by trial", default=False)


@contextmanager
def by_trial() -> Iterator[None]:
    """Every question that is asked inside is decided by trying, without Z3."""
    token = _BY_TRIAL.set(True)
    try:
        yield
    finally:
        _BY_TRIAL.reset(token)


@lru_cache(maxsize=1)
def _z3() -> Any:
    import z3  # type: ignore[import-untyped]

    return z3


@lru_cache(maxsize=20_000)
def literal_of(circuit: Circuit) -> tuple[Any, Any]:
    """A circuit as Z3 has it, in every solver alike: wrapped, and its address for calls of the C interface."""
    positive = _z3().Bool(f"n{abs(circuit)}")
    literal = positive if circuit > 0 else _z3().Not(positive)
    return literal, literal.as_ast()


class Solver:
    """Answers whether some circuits can hold together."""

    def __init__(self, circuits: Circuits, budget: int = BUDGET) -> None:
        self.circuits, self.budget = circuits, budget
        self._known: set[int] = {TRUE}
        self._held = 0
        self._trial: Trial | None = None
        self._last: Sequence[Circuit] = ()
        self.asked = 0
        self.constant: list[Circuit] = []
        """What holds in every question."""

    @cached_property
    def _solver(self) -> Any:
        made = _z3().SolverFor("QF_FD")
        made.set("random_seed", SEED)
        made.set("rlimit", self.budget)
        return made

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
            if "_solver" in vars(self):
                self._solver.set("rlimit", budget)

    def _assert(self, roots: Iterable[Circuit], *facts: Circuit) -> None:
        """Gives the solver the nodes below some roots, and facts that always hold."""
        if not facts and self._known.issuperset(map(abs, roots)):
            return
        fresh = self.circuits.under((*roots, *facts), self._known)
        if fresh or facts:
            self._solver.from_string(script(self.circuits, fresh, facts))
            self._known.update(fresh)

    def always(self, *facts: Circuit) -> None:
        """Adds what holds in every question."""
        facts = tuple(x for x in facts if x != TRUE)
        self.constant += facts

    def can(self, assumed: Sequence[Circuit]) -> bool | Undecided:
        """Whether the assumptions can hold together."""
        self.asked += 1
        tick("steps")
        self._last = assumed
        if FALSE in assumed:
            return False
        if _BY_TRIAL.get():
            self._trial = Trial(self.circuits, [*self.constant, *assumed])
            return self._trial.answer
        self._trial = None
        held = self.constant[self._held :]
        self._held += len(held)
        self._assert(assumed, *held)
        answer = self._check([literal_of(x)[1] for x in assumed if x != TRUE])
        if answer == _z3().Z3_L_TRUE:
            return True
        return False if answer == _z3().Z3_L_FALSE else Undecided(self.budget)

    def _check(self, literals: Sequence[Any]) -> int:
        """Z3's answer under some literals, by its C interface: casting each anew would cost more than the answer."""
        z3, solver, count = _z3(), self._solver, len(literals)
        under = (z3.Ast * count)(*literals)
        return int(z3.Z3_solver_check_assumptions(solver.ctx.ref(), solver.solver, count, under))

    def core(self) -> set[Circuit]:
        """Assumptions of the last question, answered no, that already contradict each other; not the fewest."""
        if FALSE in self._last:
            return {FALSE}
        if self._trial is not None:
            return set(self._last)
        z3, found = _z3(), self._solver.unsat_core()
        of = {literal_of(x)[1].value: x for x in self._last if x != TRUE}
        each = (z3.Z3_ast_vector_get(found.ctx.ref(), found.vector, i) for i in range(len(found)))
        return {of[literal.value] for literal in each}

    def model(self, variables: Iterable[Circuit]) -> set[Circuit]:
        """Those of the variables that the last answer makes true."""
        if self._trial is not None:
            return self._trial.true.intersection(variables)
        z3, model = _z3(), self._solver.model()
        context, value = model.ctx.ref(), (z3.Ast * 1)()
        found: set[Circuit] = set()
        for x in self._known.intersection(variables):
            told = z3.Z3_model_eval(context, model.model, literal_of(x)[1], False, value)
            if told and z3.Z3_get_bool_value(context, value[0]) == z3.Z3_L_TRUE:
                found.add(x)
        return found
