"""The commands as a person calls them: what they print, and their exit status."""

from __future__ import annotations

import json
from typing import Any

from typer.testing import CliRunner

from conquian.cli import app


def told(*arguments: str) -> tuple[int, str]:
    """The exit status and everything that is printed."""
    done = CliRunner().invoke(app, list(arguments))
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output


def document(*arguments: str) -> Any:
    """The one JSON document of an answered question."""
    status, text = told(*arguments, "--format", "json")
    assert status == 0, text
    return json.loads(text)


def melds(table: Any) -> str:
    """A table as the options take it."""
    return ", ".join(" ".join(meld) for meld in table)
