"""The sessions of README.md: each `$ ` line of a `console` block is run, what follows it is its output.

`python -m tests.packaging.readme` runs them all and writes what they print into README.md.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
_BLOCK = re.compile(r"(?<=^```console\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)


def commands(text: str) -> list[tuple[str, str]]:
    """Every command line of every session, with the output that the page shows."""
    found: list[tuple[str, str]] = []
    for block in _BLOCK.findall(text):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            line, _, shown = part.partition("\n")
            found.append((line, shown.rstrip("\n")))
    return found


def output(line: str) -> str:
    """What a command line of the program prints, on both outputs, as on a terminal without colour."""
    program, *arguments = shlex.split(line)
    assert program == "conquian", line
    done = subprocess.run(
        [sys.executable, str(ROOT / "cli.py"), *arguments],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=os.environ | {"PYTHONIOENCODING": "utf-8", "PYTHONUTF8": "1"},
        check=False,
    )
    return done.stdout.decode().replace("\r\n", "\n").rstrip("\n")


def refreshed(text: str) -> str:
    """The page with the output that its commands print now."""

    def run(block: re.Match[str]) -> str:
        lines = re.findall(r"^\$ (.*)$", block[0], re.MULTILINE)
        return "".join(f"$ {line}\n{output(line)}".rstrip("\n") + "\n" for line in lines)

    return _BLOCK.sub(run, text)


if __name__ == "__main__":
    README.write_text(refreshed(README.read_text("utf-8")), "utf-8")
