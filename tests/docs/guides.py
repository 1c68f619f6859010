"""The guides: files that a page writes, commands that it runs, what they print.

`python -m tests.docs.guides` runs them all and writes what they print now into the pages.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GUIDES = sorted((ROOT / "docs" / "guides").glob("*.md"))
FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
KINDS = re.compile(r"(transcript|rules|json) [a-z-]+\.(cqn|rules|json)|console|pycon|sh|yaml")


def kinds(text: str) -> list[str]:
    """The words behind each fence of a page."""
    return [found[1] for found in FENCE.finditer(text)]


def refreshed(text: str, folder: Path) -> str:
    """A page with the output that its commands print now, run in an empty folder that has the examples."""
    shutil.copytree(ROOT / "examples", folder / "examples")

    def block(found: re.Match[str]) -> str:
        kind, text = found[1], found[2]
        if kind == "console":
            lines = re.findall(r"^\$ (.*)$", text, re.MULTILINE)
            text = "".join(f"$ {line}\n{output(line, folder)}".rstrip("\n") + "\n" for line in lines)
        elif " " in kind:
            (folder / kind.split()[1]).write_text(text, encoding="utf-8")
        return f"```{kind}\n{text}```"

    return FENCE.sub(block, text)


def output(line: str, folder: Path) -> str:
    """What a command line of the program prints, on both outputs, as on a terminal without colour."""
    program, *arguments = shlex.split(line)
    assert program == "conquian", line
    done = subprocess.run(
        [sys.executable, str(ROOT / "cli.py"), *arguments],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8", "PYTHONUTF8": "1"},
        check=False,
    )
    return done.stdout.decode().replace("\r\n", "\n").rstrip("\n")


if __name__ == "__main__":
    for page in GUIDES:
        with tempfile.TemporaryDirectory() as folder:
            page.write_text(refreshed(page.read_text("utf-8"), Path(folder)), "utf-8")
