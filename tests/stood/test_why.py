"""`validate --why` on what is said at the table, alone and with `--as-played`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import ROOT, run

HEAD = "rules: swedish\nplayers: Ana, Ben\n\ndeal 1\nAna turns 5c; passes\n"
FOUR = "rules: partnership\nplayers: A, B, C, D\n\ndeal 1\nstarter 5c\nA passes\n"
THREE = "players: A, B, C\n\ndeal 1\nstarter 5c\n"
THREE_PLAY = ["--rules", str(ROOT / "tests" / "house_rules" / "three-players.rules")]
SAID = {
    "no-objection-due": HEAD + "Ben objects\n",
    "no-objection-due, later": HEAD + "Ana objects\nBen passes\n",
    "not-agreed": FOUR + "A and C agree a draw\n",
    "conceding": THREE + "A concedes\n",
    "game-over": HEAD + "Ana concedes\nBen passes\n",
    "game-over, agreed": HEAD + "Ana and Ben agree a draw\nBen turns 6c\n",
    "game-over, said": HEAD + "Ana concedes\nBen objects\n",
}


@pytest.mark.parametrize("case", SAID)
def test_what_is_said_at_the_table_is_refused_by_a_fact_and_no_clause(case: str, tmp_path: Path) -> None:
    code, file = case.split(",")[0], tmp_path / "said.cqn"
    file.write_text(SAID[case], encoding="utf-8")
    rules = THREE_PLAY if case == "conceding" else []
    text = run("validate", str(file), "--why", *rules)
    assert text.status == 1 and "because " in text.out and "forbidden by" not in text.out
    (game,) = run("validate", str(file), "--why", *rules, "--format", "json").data
    (violation,) = game["deals"][0]["violations"]
    assert violation["code"] == code and violation["core"] == violation["but_for"] == []
    assert [(fact["code"], fact["message"]) for fact in violation["facts"]] == [(code, violation["message"])]


@pytest.mark.parametrize("case", SAID)
@pytest.mark.parametrize("form", ["text", "json", "jsonl"])
def test_acts_taken_as_they_were_played_have_their_why_too(case: str, form: str, tmp_path: Path) -> None:
    file = tmp_path / "said.cqn"
    file.write_text(SAID[case], encoding="utf-8")
    rules = THREE_PLAY if case == "conceding" else []
    done = run("validate", str(file), "--as-played", "--why", *rules, "--format", form)
    assert done.status in (0, 1) and done.out and not done.err
