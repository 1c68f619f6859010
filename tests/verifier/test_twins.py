"""What the rule language can say exists on both sides or on neither: nodes of conditions, kinds of clause.

The type checker says so too: a node that one `match` leaves out, or a kind of clause that `required` does not name,
is a type error. These tests say it without it.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_origin

import pytest

from conquian.language import clauses as c
from conquian.language import formula as f

ROOT = Path(__file__).parents[2]
ENGINE, VERIFIER = ROOT / "conquian" / "engine", ROOT / "verifier"


def members(union: object) -> set[str]:
    """The names of the classes of a union."""
    found: set[str] = set()
    for part in get_args(union):
        kind: Any = get_origin(part) or part
        found |= members(part) if kind is UnionType else {kind.__name__}
    return found


def matched(path: Path, function: str, module: str) -> set[str]:
    """The classes of a module that the patterns of a function name."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    body = next(x for x in ast.walk(tree) if isinstance(x, ast.FunctionDef) and x.name == function)
    heads = [x.cls for x in ast.walk(body) if isinstance(x, ast.MatchClass)]
    return {
        head.attr
        for head in heads
        if isinstance(head, ast.Attribute) and isinstance(head.value, ast.Name) and head.value.id == module
    }


@pytest.mark.parametrize(
    ("function", "union"), [("_plain", f.Formula), ("cards", f.Cards), ("quantity", f.Quantity)]
)
def test_every_node_of_a_condition_is_read_by_both_machines(function: str, union: object) -> None:
    wanted = members(union)
    for path in (ENGINE / "expressions.py", VERIFIER / "expressions.py"):
        top = matched(path, function, "f")
        assert wanted <= top, f"{path.name} does not read {sorted(wanted - top)}"


def test_every_kind_of_clause_is_named_where_each_machine_reads_clauses() -> None:
    kinds = members(c.Body)
    assert {"Modal", "Must", "Phase", "Shape", "Stakes"} <= kinds and len(kinds) == 17
    assert matched(VERIFIER / "deck.py", "required", "c") == kinds
    sources = [path.read_text(encoding="utf-8") for path in sorted(ENGINE.glob("*.py"))]
    read = {kind for kind in kinds if any(f"c.{kind}" in text for text in sources)}
    assert read == kinds


def test_the_lines_of_a_phase_are_read_by_both_machines() -> None:
    said = str(c.Phase.__annotations__["lines"])
    lines = set(re.findall(r"[A-Z][A-Za-z]+(?=\[E\])", said))
    assert lines == {"Acts", "Otherwise", "AtOnce"}
    for path in (ENGINE / "emit.py", VERIFIER / "flow.py"):
        text = path.read_text(encoding="utf-8")
        assert all(f"c.{line}" in text for line in lines), path
