"""A folder with one file of each kind: legal, illegal, unfinished, unreadable, with notes, a stream, hostile."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import BROKEN, CLUB, OPEN, WON
from tests.cli.test_convert_generate import GAME

HOSTILE = """rules: swedish
players: "A%0A::error::x,:y", "<&]]>"

"A%0A::error::x,:y" turns 5c; melds 4c 5c 6c 7c; discards Kd
"<&]]>" passes; turns 7h; passes
"A%0A::error::x,:y" melds 7c 7h 7d
"""
NOTED = "\ufeffrules: swedish\nplayers: Ana, Ben\n\nAna turns 5c\n"
FILES = {
    "won.cqn": WON,
    "club.cqn": CLUB,
    "open.cqn": OPEN,
    "broken.cqn": BROKEN,
    "noted.cqn": NOTED,
    "empty.cqn": "",
    "a,b: 100%.cqn": HOSTILE,
}
EVERY = [*FILES, "games.jsonl", "missing.cqn"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder; relative names on the command line are in it."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    illegal = {**GAME, "deals": [{**GAME["deals"][0], "events": [["Ana", "passes"], ["Ana", "passes"]]}]}
    lines = [json.dumps(GAME), json.dumps(illegal), "{"]
    (tmp_path / "games.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path
