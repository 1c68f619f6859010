"""Markdown of the checkout made into Markdown of the site: generated parts put in, links that lead out taken off."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from pygments.lexers import get_all_lexers
from site_lexers import LEXERS

if TYPE_CHECKING:
    from typing import Any

_GENERATED = re.compile(r"^<!-- generated: (\w+) -->$", re.MULTILINE)
_LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^()\s]+)\)")
_FENCE = re.compile(r"^(```+)([^\n`]*)\n(.*?)^\1$", re.MULTILINE | re.DOTALL)
_KNOWN = {alias for _, aliases, _, _ in get_all_lexers() for alias in aliases} | set(LEXERS)


def for_site(text: str, name: str, pages: set[str]) -> str:
    """The page `name` as the site shows it; `pages` are the names of all pages."""
    text = _GENERATED.sub(lambda found: GENERATED[found[1]](), text)
    parts: list[str] = []
    end = 0
    for fence in _FENCE.finditer(text):
        parts.append(_links(text[end : fence.start()], name, pages))
        parts.append(_fence(fence))
        end = fence.end()
    parts.append(_links(text[end:], name, pages))
    return "".join(parts)


def _fence(found: re.Match[str]) -> str:
    """A fenced block whose first word alone is its language."""
    info = found[2].strip()
    if not info.startswith("{"):
        first = info.split()[0] if info else "text"
        info = first if first in _KNOWN else "text"
    return f"{found[1]}{info}\n{found[3]}{found[1]}"


def _links(text: str, name: str, pages: set[str]) -> str:
    def link(found: re.Match[str]) -> str:
        words, aim = found[1], found[2]
        file, _, _ = aim.partition("#")
        if not file or re.match(r"[a-z]+:", aim):
            return found[0]
        path = posixpath.normpath(posixpath.join(posixpath.dirname(name), file))
        code = re.fullmatch(r"\.\./conquian/pages/([\w-]+)\.md", path)
        if code:
            return f"[{words}](#code-{code[1].lower()})"
        if path.removesuffix(".md") in pages:
            return found[0]
        # In the checkout, but not on the site.
        return words if "`" in words else f"{words} (`{path.removeprefix('../')}`)"

    return _LINK.sub(link, text)


def commands() -> str:
    """Every command with its words, usage, arguments, options and examples, from the program itself."""
    from typer.main import get_command

    from conquian.cli import app

    return "\n".join(_command(get_command(app), "conquian"))


def _command(command: Any, name: str) -> Iterator[str]:
    import typer

    from conquian.commands.listed import whole

    command = whole(command)
    context = typer.Context(command, info_name=name)
    inner = getattr(command, "commands", {})
    yield f"## {name}\n"
    yield f"{command.help or ''}\n".replace("\b\n", "")
    yield f"```text\n{command.get_usage(context).removeprefix('Usage: ')}\n```\n"
    rows = []
    for param in command.get_params(context):
        record = param.get_help_record(context)
        if record is not None:
            rows.append(f"| {_code(record[0])} | {_cell(record[1])} |")
    yield "\n".join(["| | |", "|---|---|", *rows]) + "\n"
    _, _, examples = (command.epilog or "").partition(":\n")
    lines = "\n".join(f"$ {line.strip()}" for line in examples.splitlines())
    yield f"```console\n{lines}\n```\n"
    for word, below in inner.items():
        yield from _command(below, f"{name} {word}")


def _code(text: str) -> str:
    return f"`{text}`".replace("|", "\\|")


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


def codes() -> str:
    """The page of every code, one after the other."""
    from conquian.language.codes import RULE_CODES
    from conquian.language.pages import codes as every

    rules = [code for code in every() if code in RULE_CODES]
    others = [code for code in every() if code not in RULE_CODES]
    return (
        "## Of transcripts and verdicts\n\n" + "\n".join(map(_code_page, others)) + "\n## Of rule files\n\n"
    ) + "\n".join(map(_code_page, rules))


def _code_page(code: str) -> str:
    from conquian.language.pages import page

    return f"(code-{code.lower()})=\n#{'#'}{page(code) or ''}\n"


GENERATED: dict[str, Callable[[], str]] = {"commands": commands, "codes": codes}
