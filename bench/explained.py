"""Answers of the solver: what an explanation costs, and what stands around it.

*Warm answers*: acts on positions of `tests/data/perft`, as many legal as not, each explained in full: the smallest
set of clauses, its cards, what would help, a second solver's word and the exhaustive search; and `force` of the same
positions: with the hand and what follows; with its proof, from public cards; and with both, where the engine looks
for every two cards that win one after the other, which has no bar. The *solver's part* is the time of all questions
of an answer; it stands beside the same questions put to the same Z3 solver bare, as a `check` of its Python package
with assumptions and nothing around it; the program asks through the C interface, which spares casting each
assumption. The single question "is it legal?" is put in four ways: to Z3 under assumptions, to one solver with push
and pop, and to a Z3 and a CP-SAT model made for it. All have to give the engine's answer.

*Whole commands*: `force` cold, as a process of its own; `settle` over all shipped sets and readings, once the modules
are imported; `diff` of pairs of shipped sets and `spec check` of each, as processes of their own.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from itertools import islice
from typing import Any

from bench import whole_commands
from bench.queries import perft
from bench.report import Section, Table, at_most, number, three
from bench.timing import in_turn, spread
from conquian import questions
from conquian.engine.play import Event
from conquian.forcing import force
from conquian.position import Position, load
from conquian.verifier.acts import act_of, question
from conquian.verifier.circuits import TRUE, Circuit, Circuits
from conquian.verifier.scripts import exported, script
from conquian.verifier.solver import Solver, literal_of
from conquian.verifier.why import why

z3: Any = import_module("z3")  # it has no types
WARM, OVERHEAD = 10.0, 1.2
"""The bars: milliseconds of an answer, times the bare check."""
Case = tuple[Position, Event]
Asked = tuple[Solver, tuple[Circuit, ...]]


def section(sets: tuple[str, ...], quick: bool) -> Section:
    found = Section("Answers of the solver", " ".join((__doc__ or "").split("\n\n", 1)[1].split()))
    rounds = 3 if quick else 9
    for rules in sets:
        warm(found, rules, 10 if quick else 30, rounds)
    single = [rules for rules in sets if load(rules).engine.pack.copies == 1]
    one_question(found, single[0], 10 if quick else 30, rounds)
    whole_commands.cold(found, 7 if quick else 25)
    whole_commands.settle(found, rounds)
    whole_commands.commands(found, quick)
    return found


# ---- warm answers


def cases(rules: str, count: int) -> tuple[list[Case], list[Case]]:
    """Acts that are legal and acts that are not; of these as many as there are have sound melds, the rest are legal
    ones with a card in the wrong meld."""
    legal: list[Case] = []
    illegal: list[Case] = []
    spoilt: list[Case] = []
    ruled = load(rules)
    for line in perft(ruled.engine, 10_000):
        asked = {key: line[key] for key in ("up", "table", "hand", "turned_by")}
        here = ruled.position(**asked)  # type: ignore[arg-type]
        names, state = ruled.engine.pack.names, here.state
        kept: set[bool] = set()
        for layout in islice(ruled.engine.melds.acts(sum(state.tables[0]), state.up, state.hands[0]), 200):
            melds = tuple(tuple(names(meld)) for meld in layout)
            event: Event = ("me", "melds", melds)
            can = here.can(event)
            if can not in kept:
                kept.add(can)
                (legal if can else illegal).append((here, event))
                if can and len(melds) > 1:
                    first, second, *others = melds
                    spoilt.append((here, ("me", "melds", (first[:-1], (*second, first[-1]), *others))))
    illegal += spoilt
    return legal[:count], [case for case in illegal[:count] if act_of(*case) is not None]


@contextmanager
def overheard() -> Iterator[list[tuple[Asked, float]]]:
    """The questions that solvers are asked meanwhile, each with its seconds."""
    heard: list[tuple[Asked, float]] = []
    ask = Solver.can

    def can(self: Solver, assumed: Sequence[Circuit]) -> Any:
        begun = time.process_time()
        answer = ask(self, assumed)
        heard.append(((self, tuple(assumed)), time.process_time() - begun))
        return answer

    Solver.can = can  # type: ignore[method-assign]
    try:
        yield heard
    finally:
        Solver.can = ask  # type: ignore[method-assign]


def warm(found: Section, rules: str, count: int, rounds: int) -> None:
    """Whole explanations, act by act, and what of them is the solver's."""
    legal, illegal = cases(rules, count)
    both = [(here, event) for here, event in legal + illegal]
    kinds: dict[str, tuple[list[Case], Callable[[Position, Event], object], bool]] = {
        "legal, a meld that is": (legal, lambda here, event: why(here.rules, here, event), True),
        "legal, a meld that is not": (illegal, lambda here, event: why(here.rules, here, event), True),
        "force, with what follows": (both, lambda here, _: forced(here, True, False), True),
        "force, proved": (both, lambda here, _: forced(here, False, True), True),
    }
    if load(rules).engine.pack.copies == 1:
        few = both[: count // 2]
        kinds["force, proved, and all that follows"] = (few, lambda here, _: forced(here, True, True), False)
    table = Table(
        (f"**{rules}**, milliseconds an answer", "least", "median", "most", "questions", "Z3 / bare check")
    )
    found.tables.append(table)
    for what, (asked, answer, barred) in kinds.items():
        for here, event in asked:
            answer(here, event)
        whole: list[float] = []
        heard: list[tuple[Asked, float]] = []
        ratios: list[float] = []
        for _ in range(rounds):
            for here, event in asked:
                with overheard() as questions:
                    begun = time.process_time()
                    answer(here, event)
                    whole.append((time.process_time() - begun) * 1e3)
                heard = questions or heard
                if questions:
                    again, bare = replayed([each for each, _ in questions])
                    ratios.append(again / bare)
        if not whole:
            continue
        each, ratio = spread(whole), spread(ratios or [1.0])
        table.rows.append((what, *three(each), str(len(heard)), number(ratio.median) if ratios else "-"))
        if barred:
            found.bars.append(at_most(f"{what}: whole answer, {rules}, warm", WARM, each, "ms"))
        if barred and ratios:
            found.bars.append(at_most(f"{what}: Z3 part, {rules}", OVERHEAD, ratio, "times the bare check"))


def forced(here: Position, hand: bool, prove: bool) -> object:
    """The answer of `conquian force`, from public cards or with the hand."""
    return force(questions.Question(here.rules, here, "me", "french", hand), prove).document


def replayed(questions: Sequence[Asked]) -> tuple[float, float]:
    """The seconds of questions as the program puts them, and of the bare checks, the better of three each."""
    bare = [
        (solver._solver.check, [literal_of(x)[0] for x in assumed if x != TRUE])
        for solver, assumed in questions
    ]
    best = [float("inf"), float("inf")]
    for _ in range(3):
        begun = time.process_time()
        for solver, assumed in questions:
            solver.can(assumed)
        between = time.process_time()
        for check, literals in bare:
            check(*literals)
        ended = time.process_time()
        best = [min(best[0], between - begun), min(best[1], ended - between)]
    return best[0], best[1]


# ---- one question in other ways


def one_question(found: Section, rules: str, count: int, rounds: int) -> None:
    """Is this act legal? By one solver under assumptions, and by the ways that are not taken."""
    legal, illegal = cases(rules, count)
    asked: list[tuple[Asked, bool]] = []
    for here, event in legal + illegal:
        act = act_of(here, event)
        assert act is not None
        made = question(here, act)
        asked.append(((made.solver, (*made.facts, *made.asked)), here.can(event)))
    pushed = Pushed(asked)
    ways: dict[str, Callable[[Asked], bool]] = {
        "one Z3 solver under assumptions": lambda each: each[0].can(each[1]) is True,
        "one Z3 solver with push and pop": pushed.can,
        "Z3, new model": new_z3,
        "CP-SAT, new model": new_cp,
    }
    for name, way in ways.items():
        for each, wanted in asked:
            if way(each) is not wanted:
                raise AssertionError(f"{name} says otherwise than the engine")
    tasks = {name: (_each(way, asked), float(len(asked))) for name, way in ways.items()}
    times = in_turn(tasks, rounds)
    first = next(iter(ways))
    table = Table(
        (f"Microseconds for one question, {rules}: is this act legal?", "least", "median", "most", "times")
    )
    for name, series in times.items():
        table.rows.append((name, *three(series.each), number(series.slower_than(times[first]).median)))
    found.tables.append(table)


def _each(way: Callable[[Asked], bool], asked: Sequence[tuple[Asked, bool]]) -> Callable[[], object]:
    return lambda: [way(each) for each, _ in asked]


class Pushed:
    """One Z3 solver that holds all conditions; the facts of a question are asserted and taken back."""

    def __init__(self, asked: Sequence[tuple[Asked, bool]]) -> None:
        self._solvers: dict[int, Any] = {}
        for (solver, _), _ in asked:
            if id(solver) not in self._solvers:
                made = z3.SolverFor("QF_FD")
                roots = tuple(x for (other, facts), _ in asked if other is solver for x in facts)
                nodes = solver.circuits.under(roots, set())
                made.from_string(script(solver.circuits, nodes))
                self._solvers[id(solver)] = made

    def can(self, each: Asked) -> bool:
        solver, facts = each
        held = self._solvers[id(solver)]
        held.push()
        for fact in facts:
            if fact != TRUE:
                held.add(literal_of(fact)[0])
        answer = held.check() == z3.sat
        held.pop()
        return bool(answer)


def new_z3(each: Asked) -> bool:
    solver = z3.SolverFor("QF_FD")
    solver.from_string(exported(each[0].circuits, each[1]).replace("(check-sat)", ""))
    return bool(solver.check() == z3.sat)


def new_cp(each: Asked) -> bool:
    from ortools.sat.python import cp_model

    circuits: Circuits = each[0].circuits
    model = cp_model.CpModel()
    nodes = circuits.under(each[1], set())
    truths = {node: model.new_bool_var("") for node in nodes}

    def literal(circuit: Circuit) -> Any:
        if abs(circuit) == 1:
            return model.new_constant(circuit == TRUE)
        return truths[circuit] if circuit > 0 else ~truths[-circuit]

    for node in nodes:
        parts = circuits.parts.get(node)
        if parts is not None:
            joined = [literal(x) for x in parts]
            model.add_bool_and(joined).only_enforce_if(truths[node])
            model.add_bool_or([~x for x in joined]).only_enforce_if(~truths[node])
    for fact in each[1]:
        model.add_bool_or([literal(fact)])
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    return solver.solve(model) in (cp_model.OPTIMAL, cp_model.FEASIBLE)
