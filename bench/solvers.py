"""The questions about melds put to solvers: CP-SAT of OR-tools, and Z3, with a new model each time.

Both models are the plain one: a Boolean for each meld that can be laid with the cards there are, true if it
is laid; each card that has to be laid is in exactly one such meld, each other card in at most one. Single
packs only. Cards and melds are ints with one bit a card, as in the engine. Of several ways to say the same
to a solver the quickest was taken: for Z3 the solver for finite domains with pseudo-Boolean sums; for CP-SAT
one worker, and for single answers no presolve.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from typing import Any

from conquian.engine.pack import bits

z3: Any = import_module("z3")  # it has no types

Layout = tuple[int, ...]


def inside(melds: Iterable[int], cards: int) -> list[int]:
    return [meld for meld in melds if not meld & ~cards]


def cp_layable(melds: Sequence[int], cards: int) -> bool:
    """Whether CP-SAT divides the cards into melds."""
    from ortools.sat.python import cp_model

    model, _ = _cp_model(melds, cards, 0)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.cp_model_presolve = False
    return solver.solve(model) in (cp_model.OPTIMAL, cp_model.FEASIBLE)


def cp_layouts(melds: Sequence[int], needed: int, spare: int) -> Iterator[Layout]:
    """Every layout of all needed and any spare cards by CP-SAT, as a search for all solutions."""
    from ortools.sat.python import cp_model

    model, laid = _cp_model(melds, needed, spare)
    found: list[Layout] = []

    class Each(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            found.append(tuple(sorted(meld for meld, lies in laid.items() if self.boolean_value(lies))))

    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.enumerate_all_solutions = True
    solver.solve(model, Each())
    return iter(found)


def _cp_model(melds: Sequence[int], needed: int, spare: int) -> tuple[Any, dict[int, Any]]:
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    laid = {meld: model.new_bool_var("") for meld in inside(melds, needed | spare)}
    for card in bits(needed | spare):
        over = [lies for meld, lies in laid.items() if meld & card]
        if card & needed:
            model.add_exactly_one(over)
        elif len(over) > 1:
            model.add_at_most_one(over)
    return model, laid


def z3_layable(melds: Sequence[int], cards: int) -> bool:
    """Whether Z3 divides the cards into melds."""
    solver, _ = _z3_model(melds, cards, 0)
    return bool(solver.check() == z3.sat)


def z3_layouts(melds: Sequence[int], needed: int, spare: int) -> Iterator[Layout]:
    """Every layout of all needed and any spare cards by Z3: each one found is forbidden from then on."""
    solver, laid = _z3_model(melds, needed, spare)
    while solver.check() == z3.sat:
        model = solver.model()
        lying = {meld: z3.is_true(model.eval(lies, model_completion=True)) for meld, lies in laid.items()}
        yield tuple(sorted(meld for meld, lies in lying.items() if lies))
        solver.add(z3.Or([z3.Not(laid[m]) if lies else laid[m] for m, lies in lying.items()]))


def _z3_model(melds: Sequence[int], needed: int, spare: int) -> tuple[Any, dict[int, Any]]:
    solver = z3.SolverFor("QF_FD")
    laid = {meld: z3.Bool(f"m{meld}") for meld in inside(melds, needed | spare)}
    for card in bits(needed | spare):
        over = [(lies, 1) for meld, lies in laid.items() if meld & card]
        if card & needed:
            solver.add(z3.PbEq(over, 1) if over else z3.BoolVal(False))
        elif len(over) > 1:
            solver.add(z3.PbLe(over, 1))
    return solver, laid
