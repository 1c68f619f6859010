"""Cold starts: what a person waits for at the prompt, as a multiple of `python -c pass` in the same rounds.

Each round starts every command once, in turn, as a process of its own, with the output thrown away. Modules
come compiled, as `pip install` leaves them, and rule sets from the cache, as for every user but on the first
day; the very first run, which compiles the rules, is told apart. The bars hold for the time on the clock;
the processor time of the same processes stands beside it, for it is disturbed less.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory

from bench.report import Section, Table, at_most, number, shown, three
from bench.timing import Series, in_turn
from conquian.engine.engine import engine
from conquian.generate import game, written

HELP, VALIDATE = 8.0, 10.0
"""The bars, in times of `python -c pass`."""
EXAMPLE = Path(__file__).parent.parent / "examples" / "club-evening.cqn"


def section(quick: bool) -> Section:
    rounds = 9 if quick else 25
    found = Section("Cold starts", " ".join((__doc__ or "").split("\n\n", 1)[1].split()))
    with TemporaryDirectory() as folder:
        text, json = Path(folder, "small.cqn"), Path(folder, "small.json")
        made = game(engine("swedish"), Random(7))
        text.write_text(written(made, "text", None) or "", encoding="utf-8")
        json.write_text(written(made, "json", None) or "", encoding="utf-8")
        program = str(Path(sys.executable).with_name("conquian"))
        validate = [program, "validate"]
        commands: dict[str, tuple[list[str], float | None]] = {
            "python -c pass": ([sys.executable, "-c", "pass"], None),
            "conquian --help": ([program, "--help"], HELP),
            "conquian validate small.cqn": ([*validate, str(text)], VALIDATE),
            "conquian validate --no-differs small.cqn": ([*validate, "--no-differs", str(text)], VALIDATE),
            "conquian validate small.json": ([*validate, str(json)], VALIDATE),
            "conquian validate --format json small.cqn": (
                [*validate, "--format", "json", str(text)],
                VALIDATE,
            ),
            "conquian validate --format jsonl small.json": (
                [*validate, "--format", "jsonl", str(json)],
                VALIDATE,
            ),
            f"conquian validate {EXAMPLE.name}": ([*validate, str(EXAMPLE)], VALIDATE),
        }
        first = first_run(validate, text, folder)
        cache = Path(folder, "cache")
        on_clock, of_processor = started({name: c for name, (c, _) in commands.items()}, rounds, cache)
    plain = "python -c pass"
    table = Table(("Milliseconds", "least", "median", "most", "times python", "by processor time"))
    for name, (_, bar) in commands.items():
        ratio = on_clock[name].slower_than(on_clock[plain])
        by_processor = of_processor[name].slower_than(of_processor[plain])
        each = on_clock[name].each.times(1e-3)
        table.rows.append((f"`{name}`", *three(each), number(ratio.median), number(by_processor.median)))
        if bar is not None:
            found.bars.append(at_most(f"`{name}`, cold", bar, ratio, "times python -c pass"))
    found.tables.append(table)
    size = len((written(made, "text", None) or "").splitlines())
    found.remarks.append(f"small.cqn is one generated `swedish` deal of {size} lines, small.json the same.")
    found.remarks.append(
        f"The very first `conquian validate small.cqn`, with an empty cache: {number(first * 1e3)} ms."
    )
    median = shown(on_clock[plain].each.times(1e-3), "ms")
    found.remarks.append(f"`{plain}` takes {median}.")
    return found


def started(
    commands: Mapping[str, Sequence[str]], rounds: int, cache: Path
) -> tuple[dict[str, Series], dict[str, Series]]:
    """The commands' times on the clock, and their processor times."""
    spent: dict[str, list[float]] = {name: [] for name in commands}

    def task(name: str) -> Callable[[], None]:
        def run() -> None:
            before = getrusage(RUSAGE_CHILDREN)
            start(commands[name], cache)
            after = getrusage(RUSAGE_CHILDREN)
            spent[name].append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)

        return run

    tasks = {name: (task(name), 1.0) for name in commands}
    on_clock = in_turn(tasks, rounds, time.perf_counter)
    of_processor = {name: Series(tuple(spent[name][1:]), 1.0) for name in commands}
    return on_clock, of_processor


def start(command: Sequence[str], cache: Path) -> None:
    """Runs a command to its end; its exit status may tell a finding, but not that it could not be used."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment["CONQUIAN_CACHE"] = str(cache)
    status = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, env=environment, check=False
    ).returncode
    if status not in (0, 1):
        raise AssertionError(f"{command} ended with {status}")


def first_run(validate: Sequence[str], text: Path, folder: str) -> float:
    """The seconds of a run that finds no cache but its modules compiled."""
    start([*validate, str(text)], Path(folder, "other-cache"))
    begun = time.perf_counter()
    start([*validate, str(text)], Path(folder, "empty-cache"))
    return time.perf_counter() - begun
