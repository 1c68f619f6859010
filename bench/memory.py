"""Peak memory of `conquian validate --format jsonl` on a large JSONL file and on one of 10 MB.

The files hold generated games of every measured rule set, shuffled, so that all their engines and tables are
in memory at once; then the same with the suits in every other order, so that few games come twice and what
is remembered of melds fills up. One more run has games of one rule set only. A process of its own reads each
file by name, and again on standard input, and throws its verdicts away; what counts is the most memory it
ever held, from the kernel. The large file is written for the run and removed after it.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence
from itertools import cycle
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from bench.games import SEED, Games, games_of, other_suits
from bench.report import Bar, Section, Table, number

MOST, GROWTH = 60.0, 5.0
"""The bars: megabytes for the large file, and how much more than for the small one."""
SMALL = 10_000_000
MOST_VARIED = 16_000_000
"""Bytes of games that are written with the suits in every order."""


def section(sets: tuple[str, ...], quick: bool, gigabytes: float) -> Section:
    found = Section("Memory", " ".join((__doc__ or "").split("\n\n", 1)[1].split()))
    table = Table(("Games", "read from", "bytes", "seconds", "peak MB"))
    found.tables.append(table)
    every = [games_of(rules, quick) for rules in sets]
    runs = [(every, False), (every, True)]
    if len(every) > 1:
        runs.append((every[:1], False))
    with TemporaryDirectory(prefix="conquian-bench-") as folder:
        for games, stdin in runs:
            name = games[0].rules if len(games) == 1 else f"{len(games)} rule sets"
            source = "standard input" if stdin else "a file"
            peaks = []
            blocks = blocks_of(games)
            for size in (SMALL, int(gigabytes * 1e9)):
                path = Path(folder, "games.jsonl")
                write(path, blocks, size)
                megabytes, seconds = peak_of(path, stdin, Path(folder))
                peaks.append(megabytes)
                bytes_ = f"{path.stat().st_size:,}"
                table.rows.append((name, source, bytes_, f"{seconds:.1f}", f"{megabytes:.1f}"))
            found.bars += bars(f"{gigabytes:g} GB of JSONL, {name}, {source}", *peaks)
    return found


def bars(what: str, small: float, large: float) -> list[Bar]:
    growth = large - small
    return [
        Bar(f"Peak memory, {what}", f"under {MOST:g} MB", f"{number(large)} MB", large < MOST),
        Bar(
            f"Growth from 10 MB, {what}",
            f"at most {GROWTH:g} MB",
            f"{growth:.2f} MB",
            growth <= GROWTH,
        ),
    ]


def blocks_of(of: Sequence[Games]) -> list[bytes]:
    """Games of the files, shuffled, and the same games with the suits in every other order."""
    lines = [line for games in of for line in games.path.read_bytes().splitlines(keepends=True)]
    Random(SEED).shuffle(lines)
    size, kept = 0, []
    for line in lines:
        size += len(line)
        if size > MOST_VARIED:
            break
        kept.append(line)
    return list(other_suits(b"".join(kept)))


def write(path: Path, blocks: Sequence[bytes], size: int) -> None:
    """Whole games, the blocks one after the other, over and over, up to a size."""
    with path.open("wb") as file:
        left = size
        for block in cycle(blocks):
            end = len(block) if len(block) <= left else block.rfind(b"\n", 0, left) + 1
            left -= file.write(block[:end])
            if end < len(block):
                return


def peak_of(path: Path, stdin: bool, folder: Path) -> tuple[float, float]:
    """Megabytes (10^6 bytes) at the most, and seconds."""
    to = folder / "peak"
    arguments = ["validate", "-" if stdin else str(path), "--format", "jsonl"]
    command = [sys.executable, str(Path(__file__).with_name("peak.py")), str(to), *arguments]
    begun = time.perf_counter()
    with path.open("rb") as file:
        status = subprocess.run(
            command, stdin=file if stdin else subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=False
        ).returncode
    if status:
        raise AssertionError(f"conquian {' '.join(arguments)} ended with {status}")
    return int(to.read_text(encoding="ascii")) * 1024 / 1e6, time.perf_counter() - begun
