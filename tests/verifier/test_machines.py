"""What holds of the second machine as a machine: twins, budgets, answers that do not depend on what went before."""

from __future__ import annotations

import inspect
import subprocess
import sys
from contextlib import nullcontext
from itertools import islice, product
from random import Random

import pytest

from conquian import load
from conquian.engine.expressions import Emitter
from conquian.verifier.circuits import FALSE, TRUE, Circuit, Circuits
from conquian.verifier.deck import Deck, deck_of
from conquian.verifier.expressions import Encoder
from conquian.verifier.limits import Disagreement, Undecided
from conquian.verifier.solver import Solver, by_trial, script
from conquian.verifier.why import Reason, Why, why


def functions(kind: type) -> list[str]:
    return [name for name, _ in vars(kind).items() if inspect.isfunction(vars(kind)[name])]


def test_the_two_machines_name_their_functions_alike_in_the_same_order() -> None:
    engine = [name for name in functions(Emitter) if not name.startswith("__")]
    verifier = [name for name in functions(Encoder) if name in engine]
    assert verifier == engine == ["formula", "_plain", "some", "cards", "quantity"]


def test_circuits_fold_what_is_certain_and_keep_one_node_for_equal_conditions() -> None:
    c = Circuits()
    a, b = c.variable("a"), c.variable("b")
    assert c.all((a, TRUE, b)) == c.all((b, a)) and c.all((a, -a)) == FALSE
    assert c.any((a, TRUE)) == TRUE and c.any(()) == FALSE and c.all((a,)) == a
    assert c.same(a, a) == TRUE and c.same(a, -a) == FALSE


def test_a_ladder_counts_and_evaluation_agrees_with_the_solver() -> None:
    c = Circuits()
    xs = [c.variable(f"x{i}") for i in range(5)]
    solver = Solver(c)
    for k, values in product(range(7), product((False, True), repeat=5)):
        circuit: Circuit = c.at_least(xs, k)
        true = {x for x, value in zip(xs, values, strict=True) if value}
        assert c.value(circuit, true) == (sum(values) >= k)
        assert solver.can([circuit, *(x if x in true else -x for x in xs)]) == (sum(values) >= k)


def test_ladders_that_go_on_from_each_other_are_the_nodes_of_single_ones_in_their_order() -> None:
    for n in range(6):
        single, going_on = Circuits(), Circuits()
        xs = [single.variable(f"x{i}") for i in range(n)]
        ys = [going_on.variable(f"x{i}") for i in range(n)]
        counts = [single.at_least(xs, k) for k in range(8)]
        assert list(islice(going_on.rungs(ys), 8)) == counts
        assert going_on.parts == single.parts


@pytest.mark.parametrize("decided", ["by Z3", "by trial"])
def test_a_core_is_of_what_was_asked_and_contradicts_itself(decided: str) -> None:
    c = Circuits()
    a, b, x = (c.variable(name) for name in "abx")
    either = c.any((a, b))
    with by_trial() if decided == "by trial" else nullcontext():
        solver = Solver(c)
        for asked in ([x, -a, either, -b], [x, a, -a], [b, FALSE, -x]):
            assert solver.can([x, a]) is True and solver.can(asked) is False
            core = solver.core()
            assert core <= set(asked)
            assert Solver(c).can([y for y in asked if y in core]) is False


def pigeons(c: Circuits, n: int) -> list[Circuit]:
    """Each of n pigeons has one of n - 1 holes of its own: impossible, and hard to see."""
    sits = [[c.variable(f"{p} in {h}") for h in range(n - 1)] for p in range(n)]
    apart = [-c.all((sits[p][h], sits[q][h])) for h in range(n - 1) for p in range(n) for q in range(p)]
    return [*(c.any(row) for row in sits), *apart]


def test_a_solver_that_gives_up_says_undecided_with_its_budget_and_not_no() -> None:
    c = Circuits()
    assert Solver(c).can(pigeons(c, 4)) is False
    assert Solver(c, budget=2_000).can(pigeons(c, 12)) == Undecided(2_000)


def test_the_script_of_a_question_is_complete_and_has_the_same_answer() -> None:
    import z3  # type: ignore[import-untyped]

    c = Circuits()
    for n, facts in ((3, pigeons(c, 3)), (0, [c.variable("a"), -c.variable("b")])):
        text = script(c, c.under(facts, set()), facts)
        alone = z3.Solver()
        alone.from_string(text)
        assert (alone.check() == z3.sat) == (n == 0)


def refused() -> tuple[Why | Undecided, Why | Undecided]:
    ruled = load("swedish", {"borrowing": "never-from-three", "hand-only-melds": "none"})
    here = ruled.position(
        up="Kh", table=[["2c", "3c", "4c"], ["5c", "6c", "7c"]], hand=["2d", "2h", "2s", "Kc", "Ks"]
    )
    borrows = ("me", "melds", (("2c", "2d", "2h"), ("Kc", "Kh", "Ks"), ("3c", "4c", "5c", "6c", "7c")))
    alone = ("me", "melds", (("2d", "2h", "2s"), ("Kc", "Kh", "Ks")))
    return why(ruled, here, borrows), why(ruled, here, alone)


def test_a_refusal_names_clause_passages_and_cards_and_what_it_would_be_legal_but_for() -> None:
    borrows, alone = refused()
    sentence = "No card may be taken from a meld of three; one may be added to and then borrowed from."
    reason = Reason("borrowing", sentence, ("sw.board.1", "common.meld"), "borrowing")
    assert borrows == Why(False, "borrowing", (reason,), ("2c", "3c", "4c"), ("borrowing",), True)
    assert isinstance(alone, Why)
    assert [r.clause for r in alone.reasons] == ["hand-only"] == list(alone.legal_but_for)
    assert alone.cards == ("2d", "2h", "2s")


def test_an_act_that_two_clauses_forbid_is_not_legal_but_for_either() -> None:
    ruled = load("swedish", {"hand-only-melds": "none"})
    here = ruled.position(up="4d", table=[["5d", "6d", "7d"]], hand=["3d", "Kc", "Kd", "Ks"])
    found = why(ruled, here, ("me", "melds", (("4d", "5d", "6d"), ("Kc", "Kd", "Ks"))))
    assert isinstance(found, Why) and found.checked
    assert [r.clause for r in found.reasons] == ["whole-melds"] and found.legal_but_for == ()


def test_the_same_question_gets_the_same_answer_whatever_was_asked_before() -> None:
    first = refused()
    deck = deck_of(load("swedish").engine)
    random = Random(3)
    for _ in range(60):
        here = load("swedish").position(
            up="4d", table=[["5d", "6d", "7d"]], hand=random.sample(["3d", "2d", "Ad"], 2)
        )
        why(here.rules, here, ("me", "melds", (("4d", "5d", "6d", "7d"),)))
    assert refused() == first
    deck.start_over()
    assert refused() == first


def test_events_that_the_order_of_play_refuses_get_the_clause_of_its_phase() -> None:
    ruled = load("swedish")
    here = ruled.position(up="4d", table=[], hand=["3d", "Kc"])
    found = why(ruled, here, ("me", "discards", "Kc"))
    assert isinstance(found, Why) and found.checked
    assert (found.code, [r.clause for r in found.reasons]) == ("no-discard-due", ["offering"])
    assert found.legal_but_for == ("offering",)


def test_a_machine_that_says_otherwise_is_an_internal_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Solver, "can", lambda *_: True)
    ruled = load("swedish")
    here = ruled.position(up="4d", table=[["5d", "6d", "7d"]], hand=["3d", "Kc"])
    with pytest.raises(Disagreement):
        why(ruled, here, ("me", "melds", (("3d", "4d", "5d"),)))
    assert isinstance(deck_of(ruled.engine), Deck)


def test_the_checker_and_the_constraints_need_no_solver() -> None:
    modules = "checker", "circuits", "expressions", "limits"
    loads = "; ".join(f"import conquian.verifier.{name}" for name in modules)
    check = "import sys; assert not [m for m in sys.modules if m.startswith('z3')]"
    subprocess.run([sys.executable, "-c", f"{loads}; {check}"], check=True)


def test_a_hand_that_nobody_recorded_may_hold_what_the_act_needs() -> None:
    ruled = load("swedish")
    here = ruled.position(up="4d", table=[["5d", "6d", "7d"]])
    legal = ("me", "melds", (("3d", "4d", "5d", "6d", "7d"),))
    assert why(ruled, here, legal) == Why(True, checked=True)
    found = why(ruled, here, ("me", "melds", (("4c", "4d", "5d"),)))
    assert isinstance(found, Why) and found.code == "invalid-meld" and found.checked
