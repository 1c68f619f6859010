"""`docs/notation.md` and `docs/stood.md` are true: transcripts are read, commands print what is shown."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from conquian.findings import Finding
from conquian.transcript.names import WORDS
from conquian.transcript.read import read
from conquian.transcript.sentence import EXAMPLES
from conquian.transcript.write import write_json, write_text
from conquian.verdict import Stood
from tests.language.examples import Block, blocks

ROOT = Path(__file__).parents[2]
PAGES = ("notation", "stood")
TEXTS = {name: (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8") for name in PAGES}
BLOCKS = {name: blocks(text) for name, text in TEXTS.items()}
CONSOLES = [(name, block) for name in PAGES for block in BLOCKS[name] if block.kind == "console"]
TRANSCRIPTS = [
    (name, block) for name in PAGES for block in BLOCKS[name] if block.kind.startswith("transcript ")
]


def shown(pair: object) -> str:
    return pair if isinstance(pair, str) else f"line-{pair.line}" if isinstance(pair, Block) else "x"


@pytest.mark.parametrize(("name", "block"), CONSOLES, ids=shown)
def test_every_command_prints_what_the_page_shows(tmp_path: Path, name: str, block: Block) -> None:
    for page, given in TRANSCRIPTS:
        if page == name:
            (tmp_path / given.kind.split()[1]).write_text(given.text, encoding="utf-8")
    command, wanted = block.text.split("\n", 1)
    arguments = shlex.split(command.removeprefix("$ conquian "))
    where = {**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1"}
    done = subprocess.run(
        [sys.executable, str(ROOT / "cli.py"), *arguments],
        cwd=tmp_path,
        env=where,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )
    assert done.stdout + done.stderr == wanted


@pytest.mark.parametrize(("name", "block"), TRANSCRIPTS, ids=shown)
def test_every_transcript_is_read_and_comes_back_the_same(name: str, block: Block) -> None:
    (sheet,) = read(block.text.encode(), f"{name}.cqn")
    no_errors: tuple[Finding, ...] = ()
    assert sheet.errors == no_errors and sheet.game is not None
    written = write_text(sheet.game, sheet.remarks)
    assert isinstance(written, str)
    (again,) = read(written.encode(), "again.cqn")
    (through,) = read(write_json(sheet.game).encode(), "again.json")
    assert sheet.game == again.game == through.game


def test_the_json_is_the_first_text() -> None:
    (text,) = [block.text for block in BLOCKS["notation"] if block.kind == "transcript club.cqn"]
    (document,) = [block.text for block in BLOCKS["notation"] if block.kind == "json club.json"]
    (one,), (other,) = read(text.encode(), "club.cqn"), read(document.encode(), "club.json")
    assert one.game == other.game


def test_every_event_of_the_table_is_read() -> None:
    found = re.findall(r"`(\[\"\w+\",.*?\])`", TEXTS["notation"])
    events = [json.loads(event) for event in found]
    assert {event[1] for event in events} == {
        *("turns", "discards", "melds", "arranges", "passes", "forces", "gives"),
        *("objects", "concedes", "agrees"),
    }
    game = {
        "format": "conquian/1",
        "rules": "swedish",
        "players": ["Ana", "Ben"],
        "deals": [{"events": events}],
    }
    (sheet,) = read(json.dumps(game).encode(), "events.json")
    assert not sheet.errors


def test_the_words_of_the_notation_are_those_of_the_page() -> None:
    listed = TEXTS["notation"].split("These are its words:")[1].split(".\n")[0]
    assert set(re.findall(r"`(\w+)`", listed)) == WORDS


def test_every_kind_of_sentence_stands_on_the_page() -> None:
    for kind in EXAMPLES:
        assert re.search(rf"`[^`]*\b{kind.removesuffix('s')}", TEXTS["notation"]), kind


def test_the_keys_of_the_json_are_those_of_the_page() -> None:
    (text,) = [block.text for block in BLOCKS["stood"] if block.kind == "json"]
    assert msgspec.convert(json.loads(text)["stood"], Stood).taken


def test_every_link_leads_somewhere() -> None:
    for name in PAGES:
        for target, anchor in re.findall(r"\]\(([^)#]*)(?:#([^)]+))?\)", TEXTS[name]):
            file = ROOT / "docs" / (target or f"{name}.md")
            assert file.exists(), target
            headings = {
                re.sub(r"[^a-z0-9 -]", "", line.lstrip("# ").lower()).replace(" ", "-")
                for line in file.read_text(encoding="utf-8").splitlines()
                if line.startswith("#")
            }
            assert not anchor or anchor in headings, anchor
