"""Takes the measurements and writes them down: `python -m bench`, in an environment with the extra `bench`.

A whole run replaces bench/RESULTS.md. A quick one, or one of some sections, is written to the terminal,
unless `--output` names a file. Exit status 1 if a bar is missed.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from bench.report import Section, document

RESULTS = Path(__file__).with_name("RESULTS.md")
SECTIONS = ("throughput", "cold", "queries", "explained", "memory")


def arguments() -> argparse.Namespace:
    from bench.games import USUAL

    parser = argparse.ArgumentParser(
        prog="bench/run", description="Measurements beside others, with their bars."
    )
    parser.add_argument("--quick", action="store_true", help="fewer rounds and smaller files")
    parser.add_argument("--section", action="append", choices=SECTIONS, help="only this; can be repeated")
    parser.add_argument("--sets", default=",".join(USUAL), help="rule sets with commas, or `all`")
    parser.add_argument("--memory-gb", type=float, help="size of the large file (1; with --quick 0.1)")
    parser.add_argument("--output", type=Path, help="where to write the results")
    return parser.parse_args()


def measured(asked: argparse.Namespace) -> list[Section]:
    from bench import cold, explained, games, memory, queries, throughput

    sets = games.sets_named(asked.sets)
    quick = bool(asked.quick)
    gigabytes = asked.memory_gb or (0.1 if quick else 1.0)
    run: dict[str, Callable[[], Section]] = {
        "throughput": lambda: throughput.section(sets, quick),
        "cold": lambda: cold.section(quick),
        "queries": lambda: queries.section(sets, quick),
        "explained": lambda: explained.section(sets, quick),
        "memory": lambda: memory.section(sets, quick, gigabytes),
    }
    found = []
    for name in asked.section or SECTIONS:
        begun = time.perf_counter()
        print(f"bench: {name} ...", end=" ", file=sys.stderr, flush=True)
        found.append(run[name]())
        print(f"{time.perf_counter() - begun:.0f} s", file=sys.stderr)
    return found


def main() -> int:
    asked = arguments()
    with tempfile.TemporaryDirectory(prefix="conquian-bench-") as cache:
        os.environ["CONQUIAN_CACHE"] = str(Path(cache, "cache"))
        sections = measured(asked)
    settings = "A quick run: fewer rounds, smaller files." if asked.quick else "A whole run."
    text = document(sections, settings)
    output = asked.output
    if output is None and not asked.quick and asked.section is None:
        output = RESULTS
    if output is not None:
        output.write_text(text, encoding="utf-8")
        print(f"bench: written to {output}", file=sys.stderr)
    else:
        print(text, end="")
    return 0 if all(bar.met for section in sections for bar in section.bars) else 1


if __name__ == "__main__":
    sys.exit(main())
