"""Honest limits: wherever the solver gives up, the answer is undecided, and never a no; seed and budget in one place."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner

from conquian import load
from conquian.cli import app
from conquian.engine.play import Event, play
from conquian.language.build import load as typed_rules
from conquian.verifier.deck import deck_of
from conquian.verifier.forced import Forceable, Moment, prove_forceable, prove_not_forceable
from conquian.verifier.layouts import laid_out
from conquian.verifier.limits import BUDGET, Undecided
from conquian.verifier.moment import Moment as Moment_
from conquian.verifier.moment import TooLarge
from conquian.verifier.solver import Solver
from conquian.verifier.why import Why, why

SWEDISH = load("swedish")
HERE = SWEDISH.position(up="7h", table=[["5s", "6s", "7s"]], hand=["4s", "7d"])
FITS = SWEDISH.position(
    up="Kh", table=[["3c", "3d", "3h", "3s"], ["6h", "7h", "Jh", "Qh"]], hand=["Ah", "Ad"]
)

EVENTS: tuple[Event, ...] = (
    ("me", "melds", (("7s", "7h", "7d"), ("4s", "5s", "6s"))),
    ("me", "melds", (("7s", "7h", "7c"),)),
    ("me", "discards", "7d"),
    ("opponent", "forces"),
    ("opponent", "passes"),
)


def answers(ask: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What is answered when the first query is given up, when the second one is, … until none is."""
    plain, found = Solver.can, list[object]()
    while True:
        left = [len(found)]

        def can(self: Solver, assumed: Sequence[int], left: list[int] = left) -> bool | Undecided:
            left[0] -= 1
            return Undecided(self.budget) if left[0] == -1 else plain(self, assumed)

        with monkeypatch.context() as patched:
            patched.setattr(Solver, "can", can)
            answer = ask()
        if left[0] >= 0:
            return [*found, answer]
        found.append(answer)
        assert len(found) < 500


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: f"{event[0]} {event[1]}")
def test_whichever_query_is_given_up_the_why_is_undecided(
    event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = answers(lambda: why(SWEDISH, HERE, event), monkeypatch)
    assert len(found) > 3
    assert found[:-1] == [Undecided(BUDGET)] * (len(found) - 1)
    assert isinstance(found[-1], Why)


def test_whichever_query_is_given_up_the_proof_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    typed, players = typed_rules("swedish"), HERE.players
    passed = HERE.state.copy()
    assert play(SWEDISH.engine, passed, [("me", "passes")], {"me": 0}).all
    moments = [Moment(HERE.state), Moment(passed)]
    no = answers(lambda: prove_not_forceable(SWEDISH, players, moments, 0, typed), monkeypatch)
    yes = answers(lambda: prove_forceable(SWEDISH, players, FITS.state, 0, typed), monkeypatch)
    for found, kind in ((no, Why), (yes, Forceable)):
        assert len(found) > 2
        assert found[:-1] == [Undecided(BUDGET)] * (len(found) - 1)
        assert isinstance(found[-1], kind)


def test_a_small_budget_is_said_and_lasts_for_one_question() -> None:
    event = EVENTS[0]
    assert why(SWEDISH, HERE, event, budget=1) == Undecided(1)
    assert isinstance(why(SWEDISH, HERE, event), Why)
    cards = ["2d", "3d", "4d", "2h", "3h", "4h", "2s", "3s", "4s", "4c"]
    assert laid_out(SWEDISH, cards, budget=1) == Undecided(1)
    assert not isinstance(laid_out(SWEDISH, cards), Undecided)


def test_a_condition_over_more_cards_than_can_be_listed_is_undecided_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def too_large(*_: object) -> int:
        raise TooLarge

    deck_of(SWEDISH.engine).start_over()
    asking = (
        "force",
        "--rules",
        "swedish",
        "--up",
        "7h",
        "--table",
        "5s 6s 7s",
        "--prove",
        "--format",
        "json",
    )
    with monkeypatch.context() as patched:
        patched.setattr(Moment_, "possible", too_large)
        assert why(SWEDISH, HERE, ("opponent", "forces")) == Undecided(BUDGET)
        done = CliRunner().invoke(app, asking)
    assert done.exit_code == 3
    assert json.loads(done.output) | {
        "answer": "no",
        "proof": None,
        "undecided": {"budget": BUDGET},
    } == json.loads(done.output)
    deck_of(SWEDISH.engine).start_over()
    assert isinstance(why(SWEDISH, HERE, ("opponent", "forces")), Why)


def test_seed_and_budget_are_fixed_in_one_place() -> None:
    root = Path(__file__).parents[2]
    setting = [
        path.name
        for folder in ("verifier", "conquian")
        for path in sorted((root / folder).rglob("*.py"))
        if "conquian/verifier" not in path.as_posix() and "import z3" in path.read_text(encoding="utf-8")
    ]
    assert setting == ["solver.py"]
    text = (root / "verifier" / "solver.py").read_text(encoding="utf-8")
    assert 'set("random_seed", SEED)' in text and 'set("rlimit", budget)' in text
