"""What a proof gives: the answer, in words, as a position, and the questions that were put to the solver.

Guarantees: a refutation has been replayed in the engine before it is made; a proof that gave up is `undecided`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from conquian.language.rules import Clause
from conquian.tongue import Saying
from conquian.verifier.circuits import Circuit, Circuits
from conquian.verifier.limits import Undecided
from conquian.verifier.solver import Solver, script

Status = Literal["proved", "refuted", "undecided"]


@dataclass(frozen=True, slots=True)
class Query:
    """One question to the solver with its answer: can these facts hold together?"""

    name: str
    circuits: Circuits
    facts: tuple[Circuit, ...]
    answer: Literal["sat", "unsat", "unknown"]

    @property
    def script(self) -> str:
        """The question as SMT-LIB 2, complete, for any solver."""
        body = script(self.circuits, self.circuits.under(self.facts, set()), self.facts)
        return f"(set-logic QF_UF)\n{body}\n(check-sat)\n"


@dataclass(frozen=True, slots=True)
class Result:
    """An obligation's answer.

    said      the answer in words, told as `says` in the language that is spoken when it is read
    bound     of `undecided`, the own cards up to which it holds; of a proof that play ends, the events
    position  of `refuted`: what to lay on the table, as `--position` takes it, and the event that shows it
    clauses   the clauses at fault, the deciding one first
    work      cases tried and truths asked about: what the answer cost, the same on every run
    """

    status: Status
    said: Saying | str
    bound: int | None = None
    position: dict[str, Any] | None = None
    clauses: tuple[Clause, ...] = ()
    queries: tuple[Query, ...] = ()
    work: int = 0

    @property
    def says(self) -> str:
        return str(self.said)


@dataclass(slots=True)
class Questions:
    """Puts questions to one solver and keeps them."""

    solver: Solver
    asked: list[Query] = field(default_factory=list)

    def can(self, name: str, facts: tuple[Circuit, ...]) -> bool | Undecided:
        found = self.solver.can(facts)
        answer: Literal["sat", "unsat", "unknown"]
        answer = "unknown" if isinstance(found, Undecided) else "sat" if found else "unsat"
        self.asked.append(Query(name, self.solver.circuits, facts, answer))
        return found

    @property
    def work(self) -> int:
        return sum(len(query.facts) for query in self.asked) + len(self.solver.circuits.parts)
