"""`conquian score` on the command line: forms, exit statuses, bad input."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.cli.running import ROOT, Done, run

from .telling import told

EVENING = told("classic", "first drawn second", head="match: wins=2")
# Deal 1: Ana, first, +1. Deal 2 is drawn. Deal 3: Ben is second; he pays 1 and takes 4.
LEDGER = {
    "players": {"Ana": {"units": -1, "wins": 1}, "Ben": {"units": 1, "wins": 1}},
    "pot": 0,
    "dealer_next": "Ana",
    "over": False,
    "deals": [
        {"number": 1, "winner": "Ana", "payments": {"Ana": 1, "Ben": -1}},
        {"number": 2, "winner": None, "payments": {"Ana": -1, "Ben": -1}},
        {"number": 3, "winner": "Ben", "payments": {"Ana": -1, "Ben": 3}},
    ],
}
GAME = {
    "format": "conquian/1",
    "rules": "swedish",
    "players": ["Ana", "Ben"],
    "deals": [
        {
            "number": 1,
            "hands": {"Ana": ["3c", "3d", "3h", "6h", "7h", "Jh", "Qh", "5s", "6s", "7s"]},
            "events": [
                ["Ana", "turns", "3s"],
                ["Ana", "melds", [["3c", "3d", "3h", "3s"], ["6h", "7h", "Jh", "Qh"], ["5s", "6s", "7s"]]],
            ],
        }
    ],
}
WON = {
    "players": {"Ana": {"units": 1, "wins": 1}, "Ben": {"units": -1, "wins": 0}},
    "pot": 0,
    "dealer_next": "Ana",
    "over": False,
    "deals": [{"number": 1, "winner": "Ana", "payments": {"Ana": 1, "Ben": -1}}],
}
KEYS = ["players", "pot", "dealer_next", "over", "deals"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "evening.cqn").write_text(EVENING, encoding="utf-8")
    (tmp_path / "open.cqn").write_text(told("swedish", "first open"), encoding="utf-8")
    (tmp_path / "wrong.cqn").write_text(told("swedish", "first wrong"), encoding="utf-8")
    (tmp_path / "broken.cqn").write_text(
        f"{told('swedish', 'first')}\ndeal 2\nAna turns 5x\n", encoding="utf-8"
    )
    (tmp_path / "games.jsonl").write_text((json.dumps(GAME) + "\n") * 3, encoding="utf-8")
    (tmp_path / "one.json").write_text(json.dumps(GAME), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_one_game_gives_exactly_the_keys_of_the_contract() -> None:
    done = run("score", "evening.cqn", "--format", "json")
    assert (done.status, done.data, done.err) == (0, LEDGER, "")
    assert list(done.data) == KEYS
    assert list(done.data["deals"][0]) == ["number", "winner", "payments"]


def test_json_and_standard_input_give_the_same() -> None:
    assert run("score", "one.json", "--format", "json").data == WON
    assert run("score", "-", "--format", "json", given=json.dumps(GAME)).data == WON
    assert run("score", "-", "--format", "json", given=EVENING).data == LEDGER


def test_of_several_games_each_is_a_match_of_its_own_and_says_its_file() -> None:
    found = run("score", "games.jsonl", "evening.cqn", "--format", "json").data
    files = ["games.jsonl:1", "games.jsonl:2", "games.jsonl:3", "evening.cqn"]
    assert found == [{**what, "file": file} for what, file in zip([WON] * 3 + [LEDGER], files, strict=True)]


def test_jsonl_gives_a_line_for_each_game_also_from_standard_input() -> None:
    stream = (json.dumps(GAME) + "\n") * 3
    for done, name in (
        (run("score", "games.jsonl", "--format", "jsonl"), "games.jsonl"),
        (run("score", "-", "--format", "jsonl", given=stream), "-"),
    ):
        lines = [json.loads(line) for line in done.out.splitlines()]
        assert lines == [{**WON, "file": f"{name}:{number}"} for number in (1, 2, 3)]


def test_a_stream_is_scored_game_by_game() -> None:
    from conquian.scoring import scored_files

    Path("endless.jsonl").write_text((json.dumps(GAME) + "\n") * 3 + "{broken\n", encoding="utf-8")
    found = scored_files(["endless.jsonl"], None, {}, None)
    first = next(found)
    assert (first.file, first.status) == ("endless.jsonl:1", 0)
    assert [one.status for one in found] == [0, 0, 2]


def test_csv_has_a_row_for_each_player_of_each_deal() -> None:
    rows = list(csv.DictReader(io.StringIO(run("score", "evening.cqn", "--format", "csv").out)))
    kept = [
        (r["deal"], r["result"], r["player"], r["payment"], r["units"], r["wins"], r["pot"]) for r in rows
    ]
    assert kept == [
        ("1", "Ana wins", "Ana", "1", "1", "1", "0"),
        ("1", "Ana wins", "Ben", "-1", "-1", "0", "0"),
        ("2", "drawn", "Ana", "-1", "0", "1", "2"),
        ("2", "drawn", "Ben", "-1", "-2", "0", "2"),
        ("3", "Ben wins", "Ana", "-1", "-1", "1", "0"),
        ("3", "Ben wins", "Ben", "3", "1", "1", "0"),
    ]


def test_names_are_quoted_where_csv_needs_it() -> None:
    game = json.loads(json.dumps(GAME).replace('"Ana"', '"A, \\"B\\""'))
    rows = list(csv.DictReader(io.StringIO(run("score", "-", "--format", "csv", given=json.dumps(game)).out)))
    assert [row["player"] for row in rows] == ['A, "B"', "Ben"]


def test_the_text_is_a_table() -> None:
    assert run("score", "evening.cqn").out == (
        "evening.cqn: classic, to 2 wins\n"
        "  deal  dealer  result    Ana  Ben  pot\n"
        "     1  Ben     Ana wins   +1   -1    0\n"
        "     2  Ana     drawn      -1   -1    2\n"
        "     3  Ben     Ben wins   -1   +3    0\n"
        "                units      -1   +1    0\n"
        "                wins        1    1\n"
        "The match goes on to 2 wins.\n"
        "Next to deal: Ana.\n"
    )


def test_columns_are_as_wide_as_names_and_nothing_in_a_name_moves_the_cursor() -> None:
    game = json.dumps(GAME).replace('"Ana"', '"A\\u001b[2J\\n"').replace('"Ben"', '"\\u6f22\\u5b57"')
    lines = run("score", "-", given=game).out.splitlines()
    # `漢字` takes four columns, `A\\x1b[2J\\n` ten.
    assert lines[1:3] == [
        r"  deal  dealer  result           A\x1b[2J\n  漢字  pot",
        r"     1  漢字    A\x1b[2J\n wins          +1    -1    0",
    ]
    assert lines[-1] == r"Next to deal: A\x1b[2J\n."


@pytest.mark.parametrize(
    ("files", "status"),
    [
        (["evening.cqn"], 0),
        (["open.cqn"], 0),
        (["wrong.cqn"], 1),
        (["evening.cqn", "wrong.cqn", "open.cqn"], 1),
        (["broken.cqn"], 2),
        (["missing.cqn"], 2),
        (["wrong.cqn", "missing.cqn"], 2),
        (["."], 2),
        (["games.jsonl"], 0),
    ],
)
@pytest.mark.parametrize("form", ["text", "json", "jsonl", "csv"])
def test_of_several_files_the_largest_status_counts(files: list[str], status: int, form: str) -> None:
    assert run("score", *files, "--format", form).status == status


def test_deals_that_can_be_read_are_scored_beside_one_that_cannot() -> None:
    done = run("score", "broken.cqn", "--format", "json")
    # In swedish a game is one unit; Ana is first in deal 1.
    assert done.data["players"] == {"Ana": {"units": 1, "wins": 1}, "Ben": {"units": -1, "wins": 0}}
    assert done.data["notes"][0] == {
        "code": "not-counted", "line": 12, "message": "the deal cannot be read; it does not count", "deal": 2,
    }  # fmt: skip
    assert done.data["errors"][0]["code"] == "bad-card"
    assert done.err.startswith("broken.cqn:13:11: bad-card ")
    assert "hint: " in done.err


def test_a_file_that_cannot_be_opened_is_named_and_the_others_are_scored() -> None:
    done = run("score", "missing.cqn", "one.json", "--format", "json")
    assert (
        done.err
        == "missing.cqn:1:1: cannot-open No such file or directory\nhint: check the name of the file\n"
    )
    first, second = done.data
    assert first["errors"][0]["code"] == "cannot-open" and first["dealer_next"] is None
    assert second == {**WON, "file": "one.json"}


@pytest.mark.parametrize(
    "goal", ["wins=0", "wins=", "points=3", "wins=-1", "wins=1.5", "=3", "units=²", "wins=" + "9" * 99]
)
def test_a_goal_that_is_none_is_refused(goal: str) -> None:
    done = run("score", "evening.cqn", "--match", goal)
    assert done.status == 2 and "is no goal of a match" in done.err and done.out == ""


def test_the_goal_of_the_command_line_wins_over_the_header_with_a_note() -> None:
    done = run("score", "evening.cqn", "--match", "wins=1", "--format", "json")
    assert done.data["over"] is True
    assert [deal["payments"]["Ana"] for deal in done.data["deals"]] == [1, 0, 0]
    note = done.data["notes"][0]
    assert (note["code"], note["line"]) == ("rules-overridden", 3)
    assert note["message"] == "scored to 1 win, as the command line says; the header says 2 wins"
    assert "notes" not in run("score", "evening.cqn", "--match", "wins=2", "--format", "json").data


def test_a_goal_without_a_number_is_the_one_that_the_rules_name() -> None:
    done = run("score", "-", "--match", "wins", given=told("classic", "first"))
    assert "classic, to 10 wins" in done.out
    assert (
        "classic, to 100 units" in run("score", "-", "--match", "units", given=told("classic", "first")).out
    )


def test_a_header_that_names_no_rules_is_an_error_of_the_file() -> None:
    for text, code in (
        ("rules: clasic\nplayers: Ana, Ben\n\nstarter 5c\n", "unknown-rules"),
        ("players: Ana, Ben\n\nstarter 5c\n", "no-rules"),
        (
            "rules: classic\nreadings: draw-settlement=split\nplayers: Ana, Ben\n\nstarter 5c\n",
            "unknown-reading",
        ),
    ):
        done = run("score", "-", "--format", "json", given=text)
        assert (done.status, done.data["errors"][0]["code"]) == (2, code)
        assert done.data["players"] == {name: {"units": 0, "wins": 0} for name in ("Ana", "Ben")}
        assert run("score", "-", given=text).out == "-: unreadable\n"


def test_a_number_of_players_that_the_rules_do_not_allow_is_illegal_and_moves_nothing() -> None:
    text = "rules: classic\nplayers: Ana, Ben, Cleo\n\ncut Ana 5c, Ben 2c, Cleo 3c\nstarter 5c\n"
    done = run("score", "-", "--format", "json", given=text)
    assert (done.status, done.data["pot"], done.data["deals"][0]["winner"]) == (1, 0, None)


def test_scoring_imports_neither_solver_nor_parser_when_the_rule_set_is_compiled() -> None:
    probe = (
        "import sys; sys.argv = ['conquian', 'score', 'evening.cqn']\n"
        "from conquian.cli import run\n"
        "try: run()\nexcept SystemExit: pass\n"
        "print(*(name for name in ('z3', 'lark', 'pydantic', 'rich') if name in sys.modules))"
    )
    where = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": os.path.abspath("cache")}
    for last in (False, True):  # the first call compiles the rule set
        done = subprocess.run(
            [sys.executable, "-c", probe], capture_output=True, text=True, timeout=60, env=where, check=True
        )
        assert done.stderr == ""
        assert not last or done.stdout.splitlines()[-1] == ""


def test_settlements_are_options() -> None:
    done = run("score", "evening.cqn", "--reading", "draw-settlement=point-each", "--format", "json")
    # The draw gives both their ante back; Ben then takes a pot of two.
    assert [deal["payments"] for deal in done.data["deals"]] == [
        {"Ana": 1, "Ben": -1}, {"Ana": 0, "Ben": 0}, {"Ana": -1, "Ben": 1},
    ]  # fmt: skip


def test_rules_of_the_command_line_win_with_a_note() -> None:
    done = run("score", "one.json", "--rules", "navajo-tens", "--format", "json")
    assert done.data["notes"][0]["code"] == "rules-overridden"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--format", "xml"], "known: text, json, jsonl, csv"),
        (["--reading", "draw-settlement"], "is not NAME=CHOICE"),
        (["--reading", "draw-settlement=split"], "no choice of `draw-settlement`"),
        (["--reading", "draw=pot"], "is no reading"),
        (["--rules", "clasic"], "did you mean `classic`"),
    ],
)
def test_what_cannot_be_used_is_refused(arguments: list[str], said: str) -> None:
    done = run("score", "evening.cqn", *arguments)
    assert (done.status, done.out) == (2, "") and said in done.err, done.err


def score_of(data: bytes) -> Done:
    return run("score", "-", "--format", "json", given=data)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.binary(max_size=200), st.integers(0, len(EVENING)))
def test_any_bytes_give_an_answer_and_no_traceback(data: bytes, place: int) -> None:
    spoilt = EVENING.encode()[:place] + data + EVENING.encode()[place:]
    for given_ in (data, spoilt):
        done = score_of(given_)
        assert done.status in (0, 1, 2)
        found: Any = done.data
        for one in found if isinstance(found, list) else [found]:
            assert set(KEYS) <= set(one)
            assert sum(player["units"] for player in one["players"].values()) + one["pot"] == 0


def test_the_help_has_an_example() -> None:
    assert "Example:\n    conquian score" in run("score", "--help").out
