"""Rule files to programs in process: read once, compiled as often as something in them changes.

Guarantees: a compiled rule set is what the program makes of the same texts; no parser runs after `Files`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import PurePosixPath
from unittest.mock import patch

from conquian.engine.program import Program, compile_rules
from conquian.language import syntax
from conquian.language import tree as t
from conquian.language.build import compile_text
from conquian.language.names import shipped, shipped_text
from conquian.language.problems import Problem, Problems
from conquian.language.rules import RuleSet


class Files:
    """The shipped rule files, parsed."""

    def __init__(self) -> None:
        self.files: dict[str, t.File] = {}
        for name in shipped():
            text = shipped_text(name)
            problems = Problems()
            assert text is not None
            self.files[name] = syntax.read(text, f"spec/{name}.rules", problems)
            assert not problems.found, problems.found

    def lineage(self, name: str) -> list[str]:
        """A rule set and its ancestors, the oldest first."""
        parents = [item.name.text for item in self.files[name].items if isinstance(item, t.Extends)]
        return [*(self.lineage(parents[0]) if parents else ()), name]

    def rules(
        self, name: str, changed: Mapping[str, t.File] | None = None
    ) -> tuple[RuleSet | None, list[Problem]]:
        """The typed rules of a set, some files replaced, and every problem found."""
        files = {**self.files, **(changed or {})}

        def read(text: str, path: str, problems: Problems) -> t.File:
            return files[PurePosixPath(path).stem]

        with patch.object(syntax, "read", read):
            rules, found = compile_text("", f"spec/{name}.rules")
        return rules, found

    def program(self, name: str) -> Program:
        """The program of a set as it is shipped."""
        rules, found = self.rules(name)
        assert rules is not None and not found, found
        return compile_rules(rules)


def errors(found: list[Problem]) -> list[Problem]:
    return [problem for problem in found if problem.severity == "error"]


def bare(value: object) -> object:
    """A value without the places it stands at, to compare what two rule sets say."""
    if isinstance(value, t.Span):
        return None
    if is_dataclass(value) and not isinstance(value, type):
        return (type(value).__name__, *(bare(getattr(value, field.name)) for field in fields(value)))
    if isinstance(value, tuple):
        return tuple(bare(x) for x in value)
    return value
