"""Every test of the command line works in a folder of its own, with these transcripts in it."""

from __future__ import annotations

from pathlib import Path

import pytest

CLUB = """rules: swedish
players: Ana, Ben

Ana turns 5c; melds 4c 5c 6c 7c; discards Kd
Ben passes; turns 7h; passes
Ana melds 7c 7h 7d
"""
WON = """rules: swedish
players: Ana, Ben

Ana turns 5c; melds 4c 5c 6c 7c; discards Kd
Ben passes; turns 2d; passes
Ana melds 2d 3d 4d 5d, Ah 2h 3h
Ana wins
"""
OPEN = """rules: swedish
players: Ana, Ben

Ana turns 5c
"""
BROKEN = """rules: swedish
players: Ana, Ben

deal 1
Ana turns 5x
Ana plays 5c
deal 2
Ben turns 5c; turns 6c; passes
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder; relative names on the command line are in it."""
    for name, text in (("club", CLUB), ("won", WON), ("open", OPEN), ("broken", BROKEN)):
        (tmp_path / f"{name}.cqn").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path
