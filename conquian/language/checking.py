"""`spec check` and `spec fmt` over several files: documents, lines for people, exit status."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from conquian.language.build import compile_text, find_text
from conquian.language.problems import Problem, RulesError
from conquian.language.render import render_problem
from conquian.tongue import tell, tell_n

if TYPE_CHECKING:
    from conquian.verifier.proofs.report import Answers


NOT_UTF_8 = "CQ101"


class CheckedFile(NamedTuple):
    """One file: what is wrong with it, and what was proved; None where nothing was to be."""

    name: str
    problems: list[Problem]
    answers: Answers | None

    @property
    def document(self) -> dict[str, Any]:
        obligations = [] if self.answers is None else self.answers.documents
        return {
            "file": self.name,
            "errors": [_document(p) for p in self.problems],
            "obligations": obligations,
        }

    @property
    def lines(self) -> list[str]:
        errors = sum(p.severity == "error" for p in self.problems)
        warnings = len(self.problems) - errors
        count = tell("no problems")
        if self.problems:
            count = tell_n("{number} error", "{number} errors", errors)
        if warnings:
            warned = tell_n("{number} warning", "{number} warnings", warnings)
            count = f"{count}, {warned}"
        return [
            *map(render_problem, self.problems),
            f"{self.name}: {count}",
            *([] if self.answers is None else self.answers.lines),
        ]


class Checked(NamedTuple):
    """Files, an exit status; documents and lines for people are told when they are asked for, in the language then
    spoken."""

    files: list[CheckedFile]
    status: int

    @property
    def documents(self) -> list[dict[str, Any]]:
        return [file.document for file in self.files]

    @property
    def lines(self) -> list[str]:
        return [line for file in self.files for line in file.lines]

    @property
    def proved(self) -> list[tuple[str, Answers]]:
        """What was proved, by the name that the rules were loaded by."""
        return [(file.name, file.answers) for file in self.files if file.answers is not None]


def check_files(
    names: Sequence[str],
    readings: Mapping[str, str] | None = None,
    budget: int | None = None,
    proofs: bool = True,
) -> Checked:
    """Every problem of every file, and what becomes of its obligations.

    Status 0 with no finding, 1 with findings, 2 if a file cannot be read, 3 if an obligation stays undecided.
    UnknownReading for readings that a rule set lacks.
    """
    files: list[CheckedFile] = []
    status = 0
    for name in names:
        try:
            path, text, find = find_text(name)
        except RulesError as error:
            rules, found, status = None, list(error.problems), max(status, 2)
        else:
            rules, found = compile_text(text, path, find)
        answer: Answers | None = None
        if proofs and rules is not None and rules.playable and not any(p.severity == "error" for p in found):
            from conquian.position import load
            from conquian.verifier.proofs.report import answers

            answer = answers(rules, load(name, readings).engine, readings, budget)
            found = [*found, *answer.problems]
            status = max(status, answer.status)
        if found:
            status = max(status, 1)
        if any(p.code.startswith("CQ1") for p in found if p.severity == "error"):
            status = max(status, 2)  # a syntax error: the file could not be read as rules
        files.append(CheckedFile(name, found, answer))
    return Checked(files, status)


def _document(problem: Problem) -> dict[str, Any]:
    return {
        "code": problem.code,
        "severity": problem.severity,
        "message": problem.message,
        "line": problem.span.line,
        "column": problem.span.column,
        "hint": problem.hint,
    }


def format_files(files: Sequence[str], check: bool) -> tuple[list[str], int]:
    """Rewrites rule files in their canonical layout, whole or not at all; `check` only tells."""
    from conquian.language.fmt import format_rules

    lines: list[str] = []
    status = 0
    for name in files:
        text = ""
        try:
            data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
            text = data.decode("utf-8-sig")
            formatted = format_rules(text, name)
        except OSError as error:
            from conquian.opening import unreadable

            lines.append(f"{name}:1:1: {unreadable(error)}")
            status = 2
            continue
        except UnicodeDecodeError:
            lines.append(f"{name}:1:1: {NOT_UTF_8} " + tell("the file is not UTF-8"))
            status = 2
            continue
        except RulesError as error:
            lines.extend(render_problem(p, {p.span.path: text}) for p in error.problems)
            status = 2
            continue
        if name == "-" and not check:
            sys.stdout.write(formatted)
        elif formatted != text:
            if check:
                lines.append(tell("{name}: would be changed", name=name))
                status = max(status, 1)
            else:
                _replace(Path(name), formatted)
                lines.append(tell("{name}: changed", name=name))
    return lines, status


def _replace(path: Path, text: str) -> None:
    """Writes a file whole: beside it first, then in its place, with its mode kept."""
    path = path.resolve()
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        os.chmod(temporary, path.stat().st_mode & 0o7777)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
