"""`python -m tests.mutation`: tries every mutant of the rule files and prints what became of them.

Exit status 1 if a mutant survives that `survivors.toml` does not list, or a listed one is noticed; 2 if the
rule files themselves fail a golden case.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from random import Random

from .running import CASES, CHECKER, FACTS, SAME, SURVIVOR, TWICE, Bench, Tried
from .survivors import amiss, too_many


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("--sets", help="the rule files whose mutants are tried, by comma; all if left out")
    parser.add_argument("--list-survivors", action="store_true", help="print the mutants that survive")
    parser.add_argument("--sample", type=int, help="try only so many mutants, drawn from all files")
    parser.add_argument("--seed", type=int, default=1, help="which sample")
    chosen = parser.parse_args(arguments)
    bench = Bench()
    unsound = bench.unsound()
    if unsound is not None:
        print(f"the rule files themselves fail: {unsound}")
        return 2
    names = chosen.sets.split(",") if chosen.sets else list(bench.files.files)
    tried = run(bench, names, chosen.sample, chosen.seed)
    left = [one.mutant.key for one in tried if one.fate == SURVIVOR]
    if chosen.list_survivors:
        print("\n".join(left))
    whole = chosen.sample is None
    wrong = amiss(tried, names if whole else ())
    if whole and chosen.sets is None:
        wrong += too_many(tried)
    print("\n".join(wrong) if wrong else "every survivor is listed")
    return 1 if wrong else 0


def run(bench: Bench, names: list[str], sample: int | None, seed: int) -> list[Tried]:
    """Tries the mutants of some files, or a sample of them all, printing a line a file."""
    print(f"{'file':20}{'mutants':>9}{'checker':>9}{'facts':>9}{'cases':>9}{'survive':>9}{'seconds':>9}")
    mutants = {name: bench.mutants(name) for name in names}
    if sample is not None:
        every = [mutant for name in names for mutant in mutants[name]]
        drawn = {id(m) for m in Random(seed).sample(every, min(sample, len(every)))}
        mutants = {name: [m for m in mutants[name] if id(m) in drawn] for name in names}
    tried: list[Tried] = []
    total: Counter[str] = Counter()
    for name in names:
        start = time.perf_counter()
        here = list(bench.run(name, mutants[name]))
        tried += here
        fates = Counter(one.fate for one in here)
        total += fates
        print(_line(name, fates, time.perf_counter() - start), flush=True)
    print(_line("all", total, None))
    print(
        f"left out: {total[SAME]} that say what the file says, {total[TWICE]} that say what another mutant says"
    )
    return tried


def _line(name: str, fates: Counter[str], seconds: float | None) -> str:
    columns = [fates[CHECKER], fates[FACTS], fates[CASES], fates[SURVIVOR]]
    numbers = "".join(f"{number:>9}" for number in (sum(columns), *columns))
    return f"{name:20}{numbers}" + ("" if seconds is None else f"{seconds:>9.1f}")


if __name__ == "__main__":
    sys.exit(main())
