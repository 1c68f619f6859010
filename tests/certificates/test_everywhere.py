"""Certificates about all positions, as `diff` and `spec check` write them: positions are played, scripts run again."""

from __future__ import annotations

import json
import os
from functools import cache
from importlib import util
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from conquian import differing
from conquian.certificate import Certificate, Query, certificate, encoded, save
from conquian.certifying_everywhere import diff_certificate, spec_certificate
from conquian.cli import app
from conquian.language.checking import check_files
from conquian.position import load
from conquian.rechecking import everywhere
from conquian.rechecking import recheck as answer
from conquian.verifier.scripts import Script
from conquian.verifier.second import Second, second_solver

ANY = {"new-meld": "any"}
FULL = bool(os.environ.get("CONQUIAN_FULL"))
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


def diff(
    *differences: dict[str, Any],
    scripts: tuple[Script, ...] = (),
    equal: bool = False,
    names: tuple[str, ...] | None = None,
    b: str = "swedish?new-meld=any",
) -> Certificate:
    said = {"a": "swedish", "b": b, "equal": equal, "differences": list(differences)}
    clauses = ["new-meld"] * len(differences) if names is None else list(names)
    asked = {"clauses": clauses, "budget": 1}
    rules = [RULES[0], ("swedish", load("swedish", dict([b.partition("?")[2].split("=")])))]
    return certificate("diff", rules, said, asked=asked, scripts=scripts)


@cache
def compared(a: str, b: str) -> Certificate:
    found, told = differing.diff(a, b)
    return diff_certificate(found, None, told)


def changed(made: Certificate, **parts: Any) -> Certificate:
    return replace(made, **parts)


def document(made: Certificate) -> dict[str, Any]:
    """The answer of `diff`, or of `spec check` on the one rule set."""
    return dict(made.answer[0] if isinstance(made.answer, list) else made.answer)


def test_a_position_that_separates_two_rule_sets_is_judged_under_both(tmp_path: Path) -> None:
    status, parts = found(tmp_path, diff(SHOWN))
    assert status == 0
    assert parts == {
        "rule texts": ("SHA-256", "confirmed"),
        "rule sets": ("engine", "confirmed"),
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
    assert found(tmp_path, diff(bounded, equal=True))[0] == 1


# ---- what `conquian diff --certificate` writes

SCOPES = ("swedish", "swedish?force-scope=rearrangement")


def test_a_comparison_is_re_decided_with_a_second_solver(tmp_path: Path) -> None:
    made = compared(*SCOPES)
    status, parts = found(tmp_path, made)
    assert {outcome for _, outcome in parts.values()} == {"confirmed", "not re-decided"}
    assert status == 3  # That seven table cards are the fewest is a search.
    assert [part for part, (by, _) in parts.items() if by is None] == [
        "difference 2: smallest",
        "difference 4: smallest",
    ]
    assert parts["scripts"] == ("engine", "confirmed")
    assert parts["difference 1"] == parts["difference 3"] == ("cvc5", "confirmed")
    assert {query.expected for query in made.queries} == {"sat", "unsat"}


@pytest.mark.skipif(not FULL, reason="it takes seconds; set CONQUIAN_FULL=1")
def test_two_readings_that_are_proved_equal_are_confirmed_whole(tmp_path: Path) -> None:
    made = compared("swedish", "swedish?goal=at-least")
    assert {query.expected for query in made.queries} == {"unsat"}
    status, parts = found(tmp_path, made)
    assert status == 0 and parts["equal"] == ("engine", "confirmed")


def test_a_play_that_leads_to_the_difference_is_played_under_both(tmp_path: Path) -> None:
    made = compared("classic", "classic?discard-after-meld=no")
    status, parts = found(tmp_path, made)
    assert status == 3 and all(parts[f"difference {n}"] == ("engine", "confirmed") for n in (1, 2))
    first, *rest = document(made)["differences"]
    wrong = {**first, "after": [["opponent", "passes"]]}
    spoilt = changed(made, answer={**document(made), "differences": [wrong, *rest]})
    status, parts = found(tmp_path, spoilt)
    assert status == 1 and parts["difference 1"] == ("engine", "refuted")


def test_without_a_second_solver_what_is_said_of_all_positions_is_not_re_decided(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(everywhere, "second_solver", lambda: None)
    made = compared(*SCOPES)
    status, parts = found(tmp_path, made)
    assert status == 3
    assert parts["difference 1"] == (None, "not re-decided")
    assert all(parts[f"script {query.name}"] == (None, "not re-decided") for query in made.queries)


def test_a_script_that_is_not_the_question_is_found_out(tmp_path: Path) -> None:
    made = compared(*SCOPES)
    first = made.queries[0]
    for query in (
        Query(first.name, NEVER.text, "unsat"),
        Query(first.name, first.smt2.replace("(check-sat)", "(assert false)(check-sat)"), "unsat"),
        Query("something else", first.smt2, first.expected),
    ):
        status, parts = found(tmp_path, changed(made, queries=(query,)))
        assert status == 1 and parts["scripts"] == ("engine", "refuted")


def test_an_answer_that_the_second_solver_does_not_give_is_found_out(tmp_path: Path) -> None:
    made = compared(*SCOPES)
    for claimed in ("sat", "unknown"):
        queries = tuple(Query(query.name, query.smt2, claimed) for query in made.queries[:1])
        status, parts = found(tmp_path, changed(made, queries=queries))
        assert status == (3 if claimed == "unknown" else 1)
        assert parts["difference 1"] == (None, "not re-decided")


def test_a_proof_without_its_scripts_is_none(tmp_path: Path) -> None:
    made = compared(*SCOPES)
    status, parts = found(tmp_path, changed(made, queries=()))
    assert status == 3 and parts["difference 1"] == (None, "not re-decided")


def test_what_is_shown_to_differ_cannot_be_called_equal(tmp_path: Path) -> None:
    made = compared(*SCOPES)
    answer = document(made)
    first, second, *_ = answer["differences"]
    equal = {"clause": second["clause"], "allows": second["allows"], "status": "proved-equal"}
    claimed = tuple(Query(q.name, q.smt2, "unsat") for q in made.queries[:2])
    told = {**answer, "equal": True, "differences": [first, equal]}
    asked = {"clauses": ["demand", "demand"], "budget": 1}
    status, parts = found(tmp_path, changed(made, answer=told, asked=asked, queries=claimed))
    assert status == 1 and parts["difference 2"] == (None, "not re-decided")
    assert parts["equal"] == ("engine", "refuted")  # `demand-at-once` differs too.
    assert parts[f"script {claimed[1].name}"] == ("cvc5", "refuted")
    for names in (["no-clause", "demand"], ["demand"]):
        spoilt = changed(made, answer=told, asked={"clauses": names, "budget": 1}, queries=())
        assert found(tmp_path, spoilt)[0] == 1


def test_a_difference_that_is_left_out_is_missed(tmp_path: Path) -> None:
    status, parts = found(tmp_path, diff(equal=True))
    assert status == 1 and parts["equal"] == ("engine", "refuted")


def test_an_answer_about_other_rules_is_refuted(tmp_path: Path) -> None:
    made = diff(SHOWN)
    for word in ("swedish", "classic?goal=at-least", "nothing", "swedish?goal", 7):
        spoilt = changed(made, answer={**document(made), "b": word})
        status, parts = found(tmp_path, spoilt)
        assert status == 1 and parts["rule sets"] == ("engine", "refuted")


# ---- a second solver


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


# ---- what `conquian spec check --certificate` writes


@cache
def checked(name: str, **readings: str) -> Certificate:
    chosen = {key.replace("_", "-"): choice for key, choice in readings.items()}
    return spec_certificate([name], chosen, None, check_files([name], chosen))


def quick(made: Certificate, *of: str) -> Certificate:
    """A certificate with the scripts of some claims alone, so that a second solver has less to do."""
    kept = [query for query in made.queries if query.name.partition(": ")[0] in of]
    return made if FULL else changed(made, queries=tuple(kept))


def claim(made: Certificate, which: str, **parts: Any) -> Certificate:
    """A certificate with a claim told otherwise."""
    answered = document(made)
    said = [{**x, **parts} if x["name"] == which else x for x in answered["obligations"]]
    return changed(made, answer=[{**answered, "obligations": said}])


def test_proofs_are_confirmed_with_a_second_solver_and_by_counting(tmp_path: Path) -> None:
    status, parts = found(tmp_path, quick(checked("no-force"), "kept"))
    assert status == (0 if FULL else 3)
    assert parts["obligation `kept`"] == ("cvc5", "confirmed")
    assert parts["obligation `ending`"] == ("counting", "confirmed")
    assert parts["obligation `goal`: position"] == ("engine", "confirmed")


def test_without_a_second_solver_proofs_by_scripts_are_not_re_decided(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(everywhere, "second_solver", lambda: None)
    status, parts = found(tmp_path, checked("no-force"))
    assert status == 3
    assert parts["obligation `mattering`"] == (None, "not re-decided")
    assert parts["obligation `ending`"] == ("counting", "confirmed")


def test_refutations_are_played(tmp_path: Path) -> None:
    made = quick(checked("twice-around", discard_after_meld="yes"))
    status, parts = found(tmp_path, made)
    assert status == (0 if FULL else 3)
    assert parts["obligation `going-on`: position"] == ("engine", "confirmed")
    made = changed(made, queries=())
    answered = document(made)
    shown = next(x for x in answered["obligations"] if x["name"] == "going-on")["position"]
    for position in (
        {**shown, "hand": ["2d", "3d", "4d", "5h"]},  # A card is left to discard.
        {**shown, "event": ["me", "sings"]},
        *([{**shown, "hand": ["2d", "3d"]}, {**shown, "up": "9c"}] if FULL else []),
    ):
        status, parts = found(tmp_path, claim(made, "going-on", position=position))
        assert status == 1 and parts["obligation `going-on`: position"][1] == "refuted"


@pytest.mark.skipif(not FULL, reason="it takes seconds; set CONQUIAN_FULL=1")
def test_a_goal_that_is_passed_is_played_too(tmp_path: Path) -> None:
    made = checked("swedish", discard_after_meld="no")
    status, parts = found(tmp_path, made)
    assert status == 0 and parts["obligation `never-passed`: position"] == (
        "engine",
        "confirmed",
    )


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("ending", {"bound": 7}),
        ("ending", {"status": "refuted"}),
        ("goal", {"status": "refuted"}),
        ("kept", {"claim": "every card is red"}),
        ("kept", {"name": "lost"}),
    ],
)
def test_claims_that_are_told_otherwise_are_found_out(
    name: str, parts: dict[str, Any], tmp_path: Path
) -> None:
    made = changed(checked("no-force"), queries=())
    assert found(tmp_path, made)[0] == 3
    assert found(tmp_path, claim(made, name, **parts))[0] == 1


def test_proofs_are_of_the_rule_set_they_name_and_answered_as_they_say(tmp_path: Path) -> None:
    made = quick(checked("no-force"), "kept")
    answered = document(made)
    other = changed(made, answer=[{**answered, "file": "classic"}])
    assert found(tmp_path, other)[0] == 1
    queries = tuple(
        Query(query.name, query.smt2, "sat") if query.name.startswith("kept: ") else query
        for query in made.queries
    )
    status, parts = found(tmp_path, changed(made, queries=queries))
    assert status == 1 and parts["obligation `kept`"] == (None, "not re-decided")
    status, parts = found(tmp_path, claim(made, "mattering", status="undecided"))
    assert status == 3 and parts["obligation `mattering`"] == (None, "not re-decided")


def test_commands_write_certificates_that_can_be_rechecked(tmp_path: Path) -> None:
    run, path = CliRunner().invoke, tmp_path / "c.json"
    words = ["diff", "swedish-packets", "swedish"]
    assert run(app, [*words, "--certificate", str(path)]).stdout == run(app, words).stdout
    assert run(app, ["recheck", str(path)]).exit_code == 3
    told = run(app, ["spec", "check", "no-force", "--certificate", str(path)])
    assert told.exit_code == 0 and told.stdout.startswith("no-force: no problems\n")
    once = path.read_bytes()
    assert once == encoded(checked("no-force"))
    for wrong in (
        ["no-force", "classic", "--no-proofs"],
        ["no-force", "--no-proofs"],
        [str(tmp_path / "none.rules")],
    ):
        told = run(app, ["spec", "check", *wrong, "--certificate", str(path)])
        assert told.exit_code == 2 and "ertificate" in told.stderr
    assert path.read_bytes() == once


def test_two_rule_sets_are_wanted_for_a_difference(tmp_path: Path) -> None:
    from conquian.questions import CannotAsk

    path = tmp_path / "c.json"
    save(certificate("diff", RULES[:1], {"differences": []}, asked={"clauses": [], "budget": 1}), str(path))
    with pytest.raises(CannotAsk, match="too few rules"):
        answer(str(path))
    document = json.loads(path.read_text(encoding="utf-8"))
    assert list(document)[:3] == ["conquian_certificate", "program", "question"]
