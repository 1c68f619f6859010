"""Problems of rule files for people: place, code, message, source line with carets, other places, hint."""

from __future__ import annotations

from pathlib import Path

from conquian.findings import source_with_marks
from conquian.language.names import shipped_text
from conquian.language.problems import Problem
from conquian.language.tree import Span
from conquian.tongue import tell


def render_problem(problem: Problem, texts: dict[str, str] | None = None) -> str:
    """A problem as it is printed; `texts` gives the files' texts by path where they are at hand."""
    span = problem.span
    message = problem.message
    if problem.severity == "warning":
        message = tell("warning: {message}", message=message)
    lines = [f"{span.path}:{span.line}:{span.column}: {problem.code} {message}"]
    lines.extend(_marked(span, texts or {}))
    for other, what in problem.others:
        lines.append(f"  {other.path}:{other.line}:{other.column}: {what}")
    if problem.hint:
        lines.append(tell("hint: {hint}", hint=problem.hint))
    return "\n".join(lines)


def _marked(span: Span, texts: dict[str, str]) -> list[str]:
    text = texts.get(span.path)
    if text is None:
        text = _text(span.path)
    source = text.splitlines() if text is not None else []
    if not 0 < span.line <= len(source):
        return []
    line = source[span.line - 1]
    end = span.end_column if span.end_line == span.line else len(line) + 1
    return list(source_with_marks(line, [(span.column, end)]))


def _text(path: str) -> str | None:
    if path.startswith("spec/") and path.endswith(".rules"):
        return shipped_text(path.removeprefix("spec/").removesuffix(".rules"))
    try:
        return Path(path).read_text(encoding="utf-8-sig", errors="replace")
    except (OSError, ValueError):
        return None
