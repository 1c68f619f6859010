"""What was measured as Markdown: the bars first, then a section for each measurement with its tables."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version

from bench.timing import Spread

LIBRARIES = ("conquian", "msgspec", "lark", "typer", "z3-solver", "chess", "open-spiel", "ortools")


@dataclass(frozen=True, slots=True)
class Bar:
    """One promise: what, the limit in words, what was measured in words, whether it holds."""

    what: str
    limit: str
    measured: str
    met: bool


@dataclass(slots=True)
class Table:
    head: tuple[str, ...]
    rows: list[tuple[str, ...]] = field(default_factory=list)


@dataclass(slots=True)
class Section:
    """A measurement: what it is and how it was taken, tables, remarks, bars."""

    title: str
    how: str
    tables: list[Table] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    bars: list[Bar] = field(default_factory=list)


def number(figure: float) -> str:
    """Three digits that count, thousands apart."""
    if figure >= 100:
        return f"{figure:,.0f}"
    return f"{figure:.1f}" if figure >= 10 else f"{figure:.2f}" if figure >= 1 else f"{figure:.3f}"


def shown(figures: Spread, unit: str = "") -> str:
    """`median (least to most)`."""
    tail = f" {unit}" if unit else ""
    return f"{number(figures.median)}{tail} ({number(figures.least)} to {number(figures.most)})"


def three(figures: Spread) -> tuple[str, str, str]:
    return number(figures.least), number(figures.median), number(figures.most)


def at_least(what: str, limit: float, figures: Spread, unit: str) -> Bar:
    return Bar(what, f"at least {limit:g} {unit}", shown(figures), figures.median >= limit)


def at_most(what: str, limit: float, figures: Spread, unit: str) -> Bar:
    return Bar(what, f"at most {limit:g} {unit}", shown(figures), figures.median <= limit)


def versions() -> list[str]:
    found = [f"Python {platform.python_version()} ({platform.python_implementation()})"]
    for library in LIBRARIES:
        try:
            found.append(f"{library} {version(library)}")
        except PackageNotFoundError:
            found.append(f"{library} not installed")
    return found


def document(sections: Sequence[Section], settings: str) -> str:
    """The whole of RESULTS.md."""
    bars = [bar for section in sections for bar in section.bars]
    missed = sum(not bar.met for bar in bars)
    lines = [
        "# Measurements",
        "",
        f"Written by `bench/run` on {datetime.now(UTC):%Y-%m-%d}. {settings}",
        "",
        f"Machine: {os.cpu_count()} cores, {platform.system()} {platform.machine()}. "
        f"Versions: {', '.join(versions())}.",
        "",
        "Times are the machine's; what counts are the ratios. What is compared ran in turn, and a ratio is",
        "the median of the ratios of each round, with the least and the most beside it.",
    ]
    if bars:
        told = "All bars are met." if not missed else f"{missed} of {len(bars)} bars are missed."
        lines += ["", "## Bars", "", told, ""]
        rows = [(b.what, b.limit, b.measured, "pass" if b.met else "FAIL") for b in bars]
        lines += _table(("What", "Bar", "Measured: median (least to most)", ""), rows)
    for section in sections:
        lines += ["", f"## {section.title}", "", section.how]
        for table in section.tables:
            lines += ["", *_table(table.head, table.rows)]
        if section.remarks:
            lines += ["", *(f"- {remark}" for remark in section.remarks)]
    return "\n".join(lines) + "\n"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    rule = ["---", *["---:"] * (len(head) - 1)]
    return [f"| {' | '.join(row)} |" for row in (head, rule, *rows)]
