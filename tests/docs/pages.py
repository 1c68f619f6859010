"""Pages of the documentation with examples: the files that a page gives, the commands that it runs, its links.

Commands run in this process, in a folder that has the transcripts of the page; programs in Python run in one of their
own.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pytest

from tests.cli.running import ROOT, run
from tests.language.examples import Block, blocks


@dataclass(frozen=True)
class Page:
    """A page of `docs` by its name."""

    name: str

    @property
    def path(self) -> Path:
        return ROOT / "docs" / f"{self.name}.md"

    @cached_property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def blocks(self) -> list[Block]:
        return blocks(self.text)

    def of(self, kind: str) -> list[Block]:
        """The blocks of a kind; `transcript` are all transcripts, whatever their names."""
        return [block for block in self.blocks if block.kind == kind or block.kind.startswith(f"{kind} ")]

    def the(self, kind: str) -> str:
        """The text of the only block of a kind."""
        (block,) = self.of(kind)
        return block.text

    def unpacked(self, folder: Path) -> Path:
        """The folder, with the transcripts of the page in it."""
        for block in self.of("transcript"):
            (folder / block.kind.split()[1]).write_text(block.text, encoding="utf-8")
        return folder

    def dead_links(self) -> list[str]:
        """Links to a page that is not there, or to a heading that the page does not have."""
        found = []
        for target, anchor in re.findall(r"\]\(([^)#:]*)(?:#([^)]+))?\)", self.text):
            file = self.path.parent / (target or self.path.name)
            if not file.exists() or (anchor and file.suffix == ".md" and anchor not in headings(file)):
                found.append(f"{target}#{anchor}")
        return found


def headings(file: Path) -> set[str]:
    """The anchors of the headings of a page."""
    return {
        re.sub(r"[^a-z0-9 -]", "", line.lstrip("# ").lower()).replace(" ", "-")
        for line in file.read_text(encoding="utf-8").splitlines()
        if line.startswith("#")
    }


def at_line(block: object) -> str:
    """How a test of a block is called."""
    return f"line-{block.line}" if isinstance(block, Block) else str(block)


def asked(block: Block) -> tuple[list[str], str]:
    """The arguments of the command of a console block, and what it prints."""
    command, shown = block.text.split("\n", 1)
    assert command.startswith("$ conquian ")
    return shlex.split(command.removeprefix("$ conquian ")), shown


def printed(arguments: list[str], folder: Path, patched: pytest.MonkeyPatch) -> str:
    """What a command prints in a folder: standard output, then standard error."""
    patched.chdir(folder)
    done = run(*arguments)
    return done.out + done.err


def program_prints(code: str, folder: Path) -> str:
    """What a program in Python prints."""
    where = {**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, env=where, capture_output=True, encoding="utf-8", timeout=60
    )
    return done.stdout + done.stderr
