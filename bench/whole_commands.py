"""Whole commands that rest on the solver, or must do without it: `force`, `settle`, `diff`, `spec check`."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.cold import start, started
from bench.report import Bar, Section, Table, at_most, number, shown, three
from bench.timing import Spread, in_turn, spread
from conquian import questions, settling
from conquian.engine.sets import rule_sets

SETTLE, DIFF, CHECK = 1.0, 10.0, 60.0
"""The bars, in seconds."""
KH = ["--rules", "swedish", "--up", "Kh", "--table", "3c 3d 3h 3s, 6h 7h Jh Qh", "--hand", "Ah Ad"]


def program() -> str:
    return str(Path(sys.executable).with_name("conquian"))


def cold(found: Section, rounds: int) -> None:
    """`force` as a process of its own, beside `python -c pass`; and what it imports."""
    plain, asked = "python -c pass", "conquian force"
    with TemporaryDirectory() as folder:
        start([program(), "force", *KH], Path(folder, "cache"))
        runs = {plain: [sys.executable, "-c", "pass"], asked: [program(), "force", *KH]}
        on_clock, of_processor = started(runs, rounds, Path(folder, "cache"))
    table = Table(("Milliseconds, cold", "least", "median", "most", "times python", "by processor time"))
    for name in runs:
        ratio = on_clock[name].slower_than(on_clock[plain])
        by_processor = of_processor[name].slower_than(of_processor[plain])
        row = three(on_clock[name].each.times(1e-3))
        table.rows.append((f"`{name}`", *row, number(ratio.median), number(by_processor.median)))
    found.tables.append(table)
    probe = (
        "import sys\nfrom conquian.cli import run\n"
        f"sys.argv = {['conquian', 'force', *KH]!r}\n"
        "try:\n    run()\nexcept SystemExit:\n    pass\n"
        "sys.exit(any(name.split('.')[0] == 'z3' for name in sys.modules))"
    )
    loads = subprocess.run([sys.executable, "-c", probe], stdout=subprocess.DEVNULL, check=False).returncode
    met = loads == 0
    found.bars.append(
        Bar("cold `conquian force` without --prove", "no Z3", "no Z3" if met else "Z3 is loaded", met)
    )


DISPUTES = (
    {"up": "7h", "table": "5s 6s 7s", "hand": "4s 7d", "event": "Ana melds 7s 7h 7d, 4s 5s 6s"},
    {"up": "2h", "table": "2c 3c 4c, 5c 6c 7c", "hand": "2d", "event": "Ana melds 2c 2d 2h, 3c 4c 5c 6c 7c"},
    {"up": "Kh", "table": "3c 3d 3h 3s, 6h 7h Jh Qh", "hand": "Ah Ad", "event": "Ben forces"},
)


def settle(found: Section, rounds: int) -> None:
    """Each dispute over all shipped sets and all readings: the first one in a process, and later ones."""

    def settled() -> None:
        for dispute in DISPUTES:
            settle_one(dispute)

    first = (
        "import time\nfrom bench.whole_commands import DISPUTES, settle_one\n"
        "begun = time.perf_counter()\nsettle_one(DISPUTES[0])\nprint(time.perf_counter() - begun)"
    )
    runs = [
        float(
            subprocess.run([sys.executable, "-c", first], capture_output=True, text=True, check=True).stdout
        )
        for _ in range(rounds)
    ]
    times = in_turn({"warm": (settled, float(len(DISPUTES)))}, rounds, time.perf_counter)["warm"]
    table = Table(("Milliseconds for `settle`, all shipped sets and readings", "least", "median", "most"))
    table.rows.append(("the first of a process, after imports", *three(spread(runs).times(1e3))))
    table.rows.append(("later ones", *three(times.each.times(1e-3))))
    found.tables.append(table)
    found.bars.append(
        at_most("`settle` over all sets and readings, after imports", SETTLE, spread(runs), "s")
    )


def settle_one(dispute: Mapping[str, str]) -> None:
    """One dispute under every shipped set."""
    names = rule_sets()
    _, said, parts = questions.given(
        rules=names[0],
        readings={},
        up=dispute["up"],
        table=dispute["table"],
        hand=dispute["hand"],
        opponent_table=None,
        stock=None,
        turned_by=None,
        declined=False,
        position=None,
        cards=None,
    )
    settling.settle_given(parts, names, said, dispute["event"], None)


def commands(found: Section, quick: bool) -> None:
    """`diff` of pairs and `spec check` of every shipped set, each as a process of its own."""
    names = rule_sets()
    pairs = list(combinations(names, 2))
    table = Table(("Seconds, as a process", "least", "median", "most"))
    runs = [seconds(["diff", a, b]) for a, b in (pairs[::13] if quick else pairs)]
    table.rows.append((f"`conquian diff A B`, {len(runs)} pairs of shipped sets", *three(spread(runs))))
    found.bars.append(longest("`diff` of any two shipped sets", DIFF, runs))
    runs = [seconds(["spec", "check", name]) for name in (names[::4] if quick else names)]
    table.rows.append((f"`conquian spec check NAME`, {len(runs)} shipped sets", *three(spread(runs))))
    found.bars.append(longest("`spec check` of a shipped set", CHECK, runs))
    found.tables.append(table)


def seconds(arguments: Sequence[str]) -> float:
    """How long a command takes; it may find something, but must not fail."""
    begun = time.perf_counter()
    done = subprocess.run([program(), *arguments], capture_output=True, check=False)
    if done.returncode not in (0, 1, 3):
        raise AssertionError(f"{arguments} ended with {done.returncode}: {done.stderr.decode()}")
    return time.perf_counter() - begun


def longest(what: str, limit: float, runs: Sequence[float]) -> Bar:
    """A bar for the slowest of some runs."""
    told: Spread = spread(runs)
    return Bar(what, f"each at most {limit:g} s", f"most {shown(told, 's')}", told.most <= limit)
