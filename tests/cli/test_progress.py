"""The line that says how far a long run is: on the terminal of somebody who waits, and nowhere else."""

from __future__ import annotations

import doctest
import io
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from conquian import progress

from .conftest import WON
from .running import ROOT
from .test_convert_generate import GAME

PROGRAM = """
import sys
from conquian import progress
progress.AFTER = progress.EVERY = 0.0
sys.argv[0] = "conquian"
from conquian.cli import run
run()
"""
"""The program, that draws the line at every step instead of after half a second."""


def seen(*arguments: str, out: str | None = None, **environment: str) -> tuple[bytes, bytes]:
    """What the terminal on standard error shows, and what standard output gets: `out` is a file, `|` a pipe, None the
    same terminal."""
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    given = {None: theirs, "|": subprocess.PIPE}.get(out)
    file = open(out, "wb") if out not in (None, "|") else None  # noqa: SIM115
    env = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "COLUMNS")}
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=file or given,
        stderr=theirs,
        env={**env, "TERM": "xterm", "PYTHONPATH": str(ROOT), **environment},
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # how Linux says that the other end is closed
            break
        if not part:
            break
        shown += part
    piped, _ = process.communicate(timeout=60)
    os.close(ours)
    if file is not None:
        file.close()
        return shown, Path(file.name).read_bytes()
    return shown, piped or b""


@pytest.fixture(autouse=True)
def stream(folder: Path) -> None:
    lines = [json.dumps({**GAME, "tags": {"n": str(n)}}) for n in range(40)]
    (folder / "many.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_a_stream_judged_into_a_file_shows_how_far_it_is_and_leaves_nothing_behind() -> None:
    shown, written = seen("validate", "many.jsonl", "--format", "jsonl", out="verdicts.jsonl")
    assert written.count(b'"verdict":"valid"') == 80  # game and deal
    parts = re.findall(rb"\r *(\d+)% \[([# ]{20})\] (\d+) of 40 games", shown)
    assert [int(done) for _, _, done in parts] == list(range(1, 41))
    assert all(int(part) == int(done) * 100 // 40 for part, _, done in parts)
    assert all(bar.count(b"#") == int(done) // 2 for _, bar, done in parts)
    assert re.search(rb"\r +\r$", shown), "the last thing written is the line's own blank"


def test_a_form_that_is_written_at_the_end_may_go_to_the_same_terminal() -> None:
    shown, _ = seen("validate", "many.jsonl", "--format", "sarif")
    assert b"40 of 40 games" in shown and shown.index(b"40 of 40") < shown.index(b'"runs"')


@pytest.mark.parametrize(
    ("form", "out"),
    [("text", None), ("jsonl", None), ("github", None), ("jsonl", "|"), ("json", "|"), ("sarif", "|")],
)
def test_there_is_none_where_lines_show_it_and_none_beside_a_pipe(form: str, out: str | None) -> None:
    shown, piped = seen("validate", "many.jsonl", "club.cqn", "--format", form, out=out)
    assert b"% [" not in shown + piped and b"new-meld" in shown + piped


def test_there_is_none_where_standard_error_is_no_terminal() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, "validate", "many.jsonl", "--format", "json"],
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=True,
    )
    assert done.stderr == b""


def test_there_is_none_on_a_terminal_that_cannot_go_back() -> None:
    shown, _ = seen("validate", "many.jsonl", "--format", "jsonl", out="verdicts.jsonl", TERM="dumb")
    assert shown == b""


def test_it_has_no_colour_with_or_without_no_color() -> None:
    for environment in ({}, {"NO_COLOR": "1"}):
        shown, _ = seen("validate", "many.jsonl", "--format", "jsonl", out="verdicts.jsonl", **environment)
        assert b"40 of 40" in shown and b"\033" not in shown


def test_generating_shows_it_too() -> None:
    arguments = ("generate", "--rules", "classic", "--games", "5", "--to", "jsonl")
    shown, written = seen(*arguments, out="games.jsonl")
    assert b"100% [" in shown and b"5 of 5 games" in shown and written.count(b"\n") == 5
    assert b" of 5 games" not in seen(*arguments, out="|")[0]


def test_an_error_message_finds_the_line_taken_away(folder: Path) -> None:
    (folder / "many.cqn").write_text(WON, encoding="utf-8")
    shown, _ = seen("validate", "many.jsonl", "missing.cqn", "many.cqn", "--format", "json", out="all.json")
    assert re.search(rb"\r +\rmissing\.cqn:1:1: cannot-open", shown) and b"42 games" in shown


def test_nothing_is_drawn_in_the_first_half_second(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(progress, "monotonic", lambda: now)
    err = io.StringIO()
    bar = progress.Progress("games", 10, err)
    now = 100.4
    bar.step()
    assert err.getvalue() == ""
    now = 100.55
    bar.step()
    first = err.getvalue()
    assert first.startswith("\r 20% [####")
    now = 100.6
    bar.step()
    assert err.getvalue() == first
    bar.clear()
    bar.clear()
    assert err.getvalue() == first + "\r" + " " * (len(first) - 1) + "\r"


def test_of_standard_input_only_the_count_is_known(folder: Path) -> None:
    assert progress.games_in(["many.jsonl", "won.cqn", "missing.jsonl"]) == 42
    assert progress.games_in(["many.jsonl", "-"]) is None
    assert doctest.testmod(progress).failed == 0 and doctest.testmod(progress).attempted == 2


def test_it_costs_little(monkeypatch: pytest.MonkeyPatch) -> None:
    bar = progress.Progress("games", None, io.StringIO())
    began = time.perf_counter()
    assert sum(1 for _ in bar.along(range(100_000))) == 100_000
    assert time.perf_counter() - began < 2  # 20 µs a game would still be less than judging it


def test_a_ledger_of_many_games_shows_it_too_and_names_what_is_wrong_on_a_clean_line() -> None:
    shown, written = seen("score", "many.jsonl", "missing.cqn", "--format", "csv", out="ledger.csv")
    assert written.count(b"many.jsonl:40,") == 2 and b"40 of 41 games" in shown
    assert re.search(rb"\r +\rmissing\.cqn:1:1: cannot-open", shown)
    for form in ("text", "csv"):
        assert b" of 40 games" not in seen("score", "many.jsonl", "--format", form)[0]
        assert b" of 40 games" not in seen("score", "many.jsonl", "--format", form, out="|")[0]


def test_a_comparison_counts_the_tables_looked_through_and_the_questions_asked() -> None:
    arguments = ("diff", "swedish", "swedish?new-meld=any")
    shown, _ = seen(*arguments)
    counts = [int(found.replace(b",", b"")) for found in re.findall(rb"\r([\d,]+) steps, ", shown)]
    assert len(counts) > 5 and counts == list(range(1, len(counts) + 1))
    last = shown.rindex(b" steps")
    assert re.search(rb"\r +\r", shown[last:]) and shown.index(b"new-meld") > last
    assert b" steps" not in seen(*arguments, out="|")[0]
    assert seen(*arguments, out="diff.txt", TERM="dumb")[0] == b""


def test_proofs_are_counted_of_those_that_a_rule_file_asks_for(folder: Path) -> None:
    text = 'ruleset mine "Mine"\nextends swedish\n'
    (folder / "mine.rules").write_text(text, encoding="utf-8")
    shown, written = seen("spec", "check", "mine.rules", "--format", "json", out="check.json")
    (document,) = json.loads(written)
    proved = len(document["obligations"])
    assert proved >= 5 and document["errors"] == []
    parts = re.findall(rb"\r *\d+% \[[# ]{20}\] (\d+) of (\d+) proofs", shown)
    steps = [int(done) for done, _ in parts]
    assert {int(total) for _, total in parts} == {proved}
    # Between two proofs the line is drawn again with each question.
    assert sorted(set(steps)) == list(range(proved + 1)) and steps == sorted(steps) and len(steps) > proved
    assert re.search(rb"\r +\r$", shown)
    assert b"proofs" not in seen("spec", "check", "--no-proofs", "mine.rules", out="check.txt")[0]
