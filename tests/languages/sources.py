"""Messages as they stand in the sources, found twice: by Babel, and by reading the syntax tree."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from babel.messages.extract import extract

from tests.packaging.readme import ROOT

Message = str | tuple[str, ...]
KEYWORDS: dict[str, tuple[int, ...] | None] = {
    **{"tell": None, "mark": None, "later": None},
    **{"tell_n": (1, 2), "later_n": (1, 2)},
}


def modules() -> list[Path]:
    """Every module of the program, once."""
    found = [ROOT / "cli.py", *(ROOT / "conquian").rglob("*.py"), *(ROOT / "verifier").rglob("*.py")]
    real = [
        path for path in found if path == ROOT / "cli.py" or path.relative_to(ROOT) != Path("conquian/cli.py")
    ]
    return sorted(path for path in real if "conquian/verifier" not in path.as_posix())


def by_babel(path: Path) -> set[Message]:
    with path.open("rb") as file:
        found = extract("python", file, keywords=KEYWORDS, options={"encoding": "utf-8"})
        return {
            tuple(message) if isinstance(message, tuple | list) else message for _, message, _, _ in found
        }


def by_tree(path: Path) -> set[Message]:
    found: set[Message] = set()
    for call, name in calls(path):
        first = call.args[0]
        if name in ("tell_n", "later_n"):
            one, many = (x.value for x in call.args[:2] if isinstance(x, ast.Constant))
            found.add((str(one), str(many)))
        elif isinstance(first, ast.Constant):
            found.add(str(first.value))
    return found


def calls(path: Path) -> Iterator[tuple[ast.Call, str]]:
    """Every call that names a message."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in KEYWORDS:
            yield node, node.func.id
