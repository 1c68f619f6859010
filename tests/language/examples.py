"""Fenced examples of Markdown pages, and what the program says of them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from conquian.language.build import compile_text
from conquian.language.problems import Problem
from conquian.language.render import render_problem
from conquian.referee import judge
from conquian.transcript.read import read

FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: the words after the fence, the text in it, the line of the fence."""

    kind: str
    text: str
    line: int


def blocks(markdown: str) -> list[Block]:
    return [
        Block(m.group(1).strip(), m.group(2), markdown.count("\n", 0, m.start()) + 1)
        for m in FENCE.finditer(markdown)
    ]


def problems_of(text: str, path: str = "mine.rules") -> list[Problem]:
    """Every problem of a rule file that is given as text."""
    return compile_text(text, path)[1]


def refuted(text: str, code: str, path: str = "mine.rules") -> list[Problem]:
    """The findings with that code when the obligations of a rule file are proved."""
    from conquian.engine.engine import engine_of
    from conquian.engine.program import compile_rules
    from conquian.verifier.proofs.report import answers

    rules, found = compile_text(text, path)
    assert rules is not None and not found
    return answers(rules, engine_of(compile_rules(rules)), code=code).problems


def told(problems: list[Problem], text: str, path: str = "mine.rules") -> str:
    """Problems of a rule file as they are printed."""
    return "\n".join(render_problem(p, {path: text}) for p in problems)


def said(text: str, rules: str | None = None) -> list[tuple[str, str]]:
    """Errors, violations and notes of a transcript: each code with the line that tells it."""
    found: list[tuple[str, str]] = []
    for sheet in read(text.encode(), "game.cqn"):
        verdict = judge(sheet, rules=rules, differs=False)
        for error in verdict.errors:
            found.append((error.code, f"game.cqn:{error.line}:{error.column}: {error.code} {error.message}"))
        for note in verdict.notes:
            found.append((note.code, f"game.cqn:{note.line}: {note.code} {note.message}"))
        for deal in verdict.deals:
            for v in deal.violations:
                found.append((v.code, f"game.cqn:{v.line}:{v.column}: {v.code} {v.message}"))
            for note_ in deal.notes:
                found.append((note_.code, f"game.cqn:{note_.line}: {note_.code} {note_.message}"))
    return found
