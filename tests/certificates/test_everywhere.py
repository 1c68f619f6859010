"""Certificates about all positions, as `diff` and `spec check` write them: positions are judged anew, scripts re-run."""

from __future__ import annotations

import json
import os
from importlib import util
from pathlib import Path
from typing import Any

import pytest

from conquian.certificate import Certificate, certificate, save
from conquian.position import load
from conquian.rechecking import everywhere
from conquian.rechecking import recheck as answer
from conquian.verifier.scripts import Script
from conquian.verifier.second import Second, second_solver

ANY = {"new-meld": "any"}
RULES = [("swedish", load("swedish")), ("swedish", load("swedish", ANY))]
SHOWN: dict[str, Any] = {
    "clause": "sw.turn.3",
    "allows": "b",
    "status": "position",
    "position": {"up": "2h", "table": [["3c", "3d", "3h", "3s"]], "hand": ["Ah"]},
    "event": ["me", "melds", [["Ah", "2h", "3h"], ["3c", "3d", "3s"]]],
    "cards": 6,
    "smallest": False,
}
"""The two readings of `new-meld` differ there: one hand card and a borrowed three."""
HEAD = "(set-logic QF_UF)\n(declare-const a Bool)\n(assert a)\n"
NEVER = Script("b allows what a forbids", f"{HEAD}(assert (not a))\n(check-sat)\n", "unsat")
SOME = Script("a allows something", f"{HEAD}(check-sat)\n", "sat")


def found(tmp_path: Path, made: Certificate) -> tuple[int, dict[str, tuple[str | None, str]]]:
    """The exit status, and by part who re-decided it and what came out."""
    path = tmp_path / "c.json"
    save(made, str(path))
    told = answer(str(path))
    return told.status, {p["part"]: (p["by"], p["outcome"]) for p in told.document["parts"]}


def diff(*differences: dict[str, Any], scripts: tuple[Script, ...] = (), equal: bool = False) -> Certificate:
    said = {"a": "swedish", "b": "swedish?new-meld=any", "equal": equal, "differences": list(differences)}
    return certificate("diff", RULES, said, scripts=scripts)


def test_a_position_that_separates_two_rule_sets_is_judged_under_both(tmp_path: Path) -> None:
    status, parts = found(tmp_path, diff(SHOWN))
    assert status == 0
    assert parts == {
        "rule texts": ("SHA-256", "confirmed"),
        "difference 1": ("engine", "confirmed"),
        "difference 1: allowed": ("checker", "confirmed"),
        "difference 1: forbidden": ("exhaustion", "confirmed"),
    }


@pytest.mark.parametrize(
    "change",
    [
        {"allows": "a"},
        {"allows": "c"},
        {"cards": 7},
        {"event": ["me", "melds", [["Ah", "2h", "3h"]]], "position": {**SHOWN["position"], "hand": ["As"]}},
        {"event": ["you", "melds", [["Ah", "2h", "3h"]]]},
        {"event": ["me", "melds", "Ah"]},
        {"event": ["me", "melds", [["Ah", "Zz"]]]},
        {"event": ["me"]},
        {"event": ["me", "forces", "Ah"]},
        {"position": {**SHOWN["position"], "up": "8h"}},
    ],
)
def test_a_position_that_does_not_separate_them_is_found_out(change: dict[str, Any], tmp_path: Path) -> None:
    status, parts = found(tmp_path, diff({**SHOWN, **change}))
    assert status == 1
    assert any(
        outcome == "refuted" for part, (_, outcome) in parts.items() if part.startswith("difference 1")
    )


def test_what_only_a_search_can_give_is_told_and_not_confirmed(tmp_path: Path) -> None:
    bounded = {"clause": "sw.turn.3", "allows": "a", "status": "none-up-to", "cards": 8}
    status, parts = found(tmp_path, diff({**SHOWN, "smallest": True}, bounded))
    assert status == 3
    assert parts["difference 1: smallest"] == (None, "not re-decided")
    assert parts["difference 2"] == (None, "not re-decided")
    equal = {"clause": "sw.turn.3", "allows": "a", "status": "proved-equal"}
    assert found(tmp_path, diff(equal))[0] == 3
    assert found(tmp_path, diff(bounded, equal=True))[0] == 1


def test_scripts_are_run_by_the_second_solver(tmp_path: Path) -> None:
    equal = {"clause": "sw.turn.3", "allows": "a", "status": "proved-equal"}
    status, parts = found(tmp_path, diff(equal, scripts=(NEVER, SOME)))
    assert status == 0 and parts[f"script `{NEVER.name}`"] == ("cvc5", "confirmed")
    for text, expected in ((NEVER.text, "sat"), (SOME.text, "unsat"), ("(check-sat)", "unsat")):
        wrong = Script(NEVER.name, text, "sat" if expected == "sat" else "unsat")
        status, parts = found(tmp_path, diff(equal, scripts=(wrong,)))
        assert status == 1 and parts[f"script `{NEVER.name}`"] == ("cvc5", "refuted")
    status, parts = found(tmp_path, diff(equal, scripts=(Script(NEVER.name, NEVER.text, "unknown"),)))
    assert status == 3 and parts[f"script `{NEVER.name}`"] == ("cvc5", "not re-decided")


def test_without_a_second_solver_scripts_are_not_re_decided(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(everywhere, "second_solver", lambda: None)
    status, parts = found(tmp_path, diff(scripts=(NEVER,)))
    assert status == 3 and parts[f"script `{NEVER.name}`"] == (None, "not re-decided")


@pytest.mark.skipif(os.name != "posix", reason="a program as a shell script")
def test_the_program_cvc5_is_used_where_the_package_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "cvc5"
    program.write_text("#!/bin/sh\ngrep -q '(assert (not a))' && echo unsat || echo sat\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(util, "find_spec", lambda name: None)
    solver = second_solver()
    assert isinstance(solver, Second)
    assert (solver.answer(NEVER.text), solver.answer(SOME.text)) == ("unsat", "sat")
    monkeypatch.setenv("PATH", "")
    assert second_solver() is None


def test_proofs_are_re_run_and_refutations_looked_at(tmp_path: Path) -> None:
    def checked(*obligations: dict[str, Any], scripts: tuple[Script, ...] = ()) -> tuple[int, Any]:
        said = [{"file": "spec/swedish.rules", "errors": [], "obligations": list(obligations)}]
        return found(tmp_path, certificate("spec check", RULES[:1], said, scripts=scripts))

    proved = {"name": "kept", "clause": "sw.kept", "status": "proved", "bound": None, "position": None}
    assert checked(proved, scripts=(NEVER,))[0] == 0
    assert checked(proved)[0] == 3
    open_ = {**proved, "status": "undecided", "bound": 11}
    status, parts = checked(open_)
    assert status == 3 and parts["obligation `kept`"] == (None, "not re-decided")
    refuted = {**proved, "status": "refuted", "position": {"up": "4c", "table": [["2d", "3d", "4d"]]}}
    assert checked(refuted)[0] == 3
    status, parts = checked({**refuted, "position": {"up": "9c"}})
    assert status == 1 and parts["obligation `kept`"] == ("engine", "refuted")


def test_two_rule_sets_are_wanted_for_a_difference(tmp_path: Path) -> None:
    from conquian.questions import CannotAsk

    path = tmp_path / "c.json"
    save(certificate("diff", RULES[:1], {"differences": []}), str(path))
    with pytest.raises(CannotAsk, match="too few rules"):
        answer(str(path))
    document = json.loads(path.read_text(encoding="utf-8"))
    assert list(document)[:3] == ["conquian_certificate", "program", "question"]
