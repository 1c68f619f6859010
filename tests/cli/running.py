"""The program run in this process: what goes in, what comes out."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from conquian.cli import app

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Done:
    """Exit status, standard output, standard error."""

    status: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        """Standard output as one JSON document."""
        return json.loads(self.out)


def run(*arguments: str, given: str | bytes | None = None) -> Done:
    """One call of the program; an exception that it does not handle fails the test."""
    result = CliRunner().invoke(app, list(arguments), input=given, catch_exceptions=False)
    return Done(result.exit_code, result.stdout, result.stderr)
