"""Standard streams that are closed, or take no more: one sentence and exit status 2, never a traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FULL = Path("/dev/full")
SESSION, EVENING = "examples/session.cqn", "examples/evening.jsonl"
WRITING = [
    ["validate", SESSION],
    ["validate", "--format", "json", SESSION],
    ["validate", "--format", "jsonl", EVENING],
    ["validate", "--format", "junit", SESSION],
    ["score", SESSION],
    ["convert", SESSION, "--to", "json"],
    ["generate", "--rules", "classic"],
    ["report", SESSION],
    ["spec", "list"],
    ["explain", "new-meld"],
    ["--help"],
]
READING = [["validate"], ["score"], ["convert"], ["report"], ["infer"], ["recheck"], ["force", "--position"]]


def run(arguments: list[str], redirected: str) -> subprocess.CompletedProcess[str]:
    """The program with a shell's redirection, `>&-` or `</dev/null`."""
    command = ["sh", "-c", f'"$@" {redirected}', "sh", sys.executable, "cli.py", *arguments]
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.skipif(not FULL.exists(), reason="this system has no full device")
@pytest.mark.parametrize("arguments", WRITING, ids=" ".join)
def test_a_full_device_is_named_and_no_file_is_blamed(arguments: list[str]) -> None:
    ended = run(arguments, f">{FULL}")
    assert (ended.returncode, ended.stderr) == (2, "conquian: -: No space left on device\n")


@pytest.mark.skipif(os.name != "posix", reason="closes streams with a shell")
@pytest.mark.parametrize("arguments", WRITING, ids=" ".join)
def test_what_is_written_to_a_closed_output_is_lost_and_the_verdict_stands(arguments: list[str]) -> None:
    ended = run(arguments, ">&-")
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.skipif(os.name != "posix", reason="closes streams with a shell")
@pytest.mark.parametrize("arguments", READING, ids=" ".join)
def test_a_closed_input_is_an_empty_one(arguments: list[str]) -> None:
    closed, empty = run([*arguments, "-"], "<&-"), run([*arguments, "-"], "</dev/null")
    assert closed.returncode == empty.returncode == 2
    assert (closed.stdout, closed.stderr) == (empty.stdout, empty.stderr)
    assert "Traceback" not in closed.stderr and "\\n" not in closed.stderr


@pytest.mark.skipif(os.name != "posix", reason="closes streams with a shell")
def test_messages_to_a_closed_stream_do_not_come_out_as_answers() -> None:
    ended = run(["validate", "--format", "json", "nowhere.cqn"], "2>&-")
    assert ended.returncode == 2 and ended.stdout.startswith("[") and ended.stderr == ""
