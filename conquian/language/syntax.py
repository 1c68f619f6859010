"""Text to tree. Every syntax error of a file is found, one an item at most; nothing is guessed.

A file is cut at the words that begin an item, and each item is parsed by itself with `grammar/rules.lark`
(Lark, LALR), so an error in one clause does not hide the next. However long or deep a text is,
reading it ends.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken
from lark.lexer import PatternRE, PatternStr, TerminalDef

from conquian.language import tree as t
from conquian.language.builder import Builder
from conquian.language.problems import Problems, did_you_mean
from conquian.language.tree import Span
from conquian.resources import path as resource
from conquian.tongue import Listed, Saying, later

ITEM_WORDS = (
    *("ruleset", "fragment", "extends", "source", "clause", "define"),
    *("reading", "choose", "drop", "ground", "override", "prove"),
)
_END_OF_WORD = r"(?![A-Za-z0-9_-])"
_ITEM = re.compile(rf"^[ \t]*(?:{'|'.join(ITEM_WORDS)})(?![\w-])(?!(?:\s|#[^\n]*)*\()", re.MULTILINE)
_BRACKET = re.compile(r'"(?:\\.|[^"\\\n])*"|#[^\n]*|[()]')
LONGEST_FILE = 300_000
"""Characters; a longer file is not read."""
DEEPEST = 40
"""How many parts of an item may stand inside one another."""


@lru_cache(maxsize=2)
def parser(every_word: bool = False) -> Lark:
    """The parser of one item; with `every_word` its trees hold keywords and signs too."""
    return Lark(
        resource("grammar", "rules.lark").read_text(encoding="utf-8"),
        parser="lalr",
        start="item",
        propagate_positions=True,
        maybe_placeholders=True,
        keep_all_tokens=every_word,
        edit_terminals=_whole_words,
    )


def _whole_words(terminal: TerminalDef) -> TerminalDef:
    """Keeps a keyword from being read out of the front of a longer word."""
    if isinstance(terminal.pattern, PatternStr) and terminal.pattern.value.isalpha():
        terminal.pattern = PatternRE(terminal.pattern.value + _END_OF_WORD)
        terminal.priority = 1
    return terminal


def read(text: str, path: str, problems: Problems) -> t.File:
    """The items of a rule file; what cannot be parsed is reported in `problems` and left out."""
    if len(text) > LONGEST_FILE:
        hint = later("a rule file has at most {most} characters", most=LONGEST_FILE)
        problems.add("CQ106", later("the file is too long"), Span(path, 1, 1, 1, 1), hint)
        return t.File(path, text, ())
    begins = starts(text)
    head = text[: begins[0]] if begins else text
    _only_comments(head, path, problems, anything=bool(begins))
    items: list[t.Item] = []
    line = head.count("\n") + 1
    for start, end in pairwise([*begins, len(text)]):
        item = _item(text[start:end], line, path, problems)
        line += text.count("\n", start, end)
        if item is not None:
            items.append(item)
    return t.File(path, text, tuple(items))


def starts(text: str) -> list[int]:
    """Where the items of a file begin."""
    return [m.start() for m in _ITEM.finditer(text)]


def _only_comments(head: str, path: str, problems: Problems, anything: bool) -> None:
    for number, line in enumerate(head.split("\n"), 1):
        bare = line.split("#")[0].strip()
        if bare:
            column = line.index(bare[0]) + 1
            word = bare.split()[0]
            span = Span(path, number, column, number, column + len(word))
            hint = did_you_mean(word, ITEM_WORDS)
            problems.add("CQ101", later("an item cannot begin with `{word}`", word=word), span, hint)
            return
    if not anything:
        problems.add(
            "CQ103",
            later("the file holds no rules"),
            Span(path, 1, 1, 1, 1),
            later('begin with `ruleset NAME "title"` and `extends` a shipped set'),
        )


def _item(text: str, line: int, path: str, problems: Problems) -> t.Item | None:
    deep = _too_bracketed(text)
    if deep is not None:
        at = line + text.count("\n", 0, deep)
        column = deep - text.rfind("\n", 0, deep)
        _add_too_deep(Span(path, at, column, at, column + 1), problems)
        return None
    try:
        parsed = parser().parse(text, start="item")
    except UnexpectedInput as error:
        problems.add(*_syntax_error(error, text, line, path))
        return None
    word = _too_deep(parsed)
    if word is not None:
        at, column = line + (word.line or 1) - 1, word.column or 1
        _add_too_deep(Span(path, at, column, at, column + len(word)), problems)
        return None
    builder = Builder(path, line - 1, problems)
    before = len(problems.found)
    item = builder.item(parsed)
    return item if len(problems.found) == before else None


def _add_too_deep(span: Span, problems: Problems) -> None:
    hint = later("at most {deepest}; give a part a name with `define`", deepest=DEEPEST)
    problems.add("CQ106", later("too many parts stand inside one another"), span, hint)


def _too_bracketed(text: str) -> int | None:
    """Where a bracket opens inside too many others; brackets around a part leave no trace in its tree."""
    depth = 0
    for found in _BRACKET.finditer(text):
        depth += {"(": 1, ")": -1}.get(found.group(), 0)
        if depth > DEEPEST:
            return found.start()
    return None


def _too_deep(parsed: Tree[Token]) -> Token | None:
    """The first token that lies too deep, found without recursion."""
    waiting: list[tuple[Tree[Token] | Token, int]] = [(parsed, 0)]
    while waiting:
        node, depth = waiting.pop()
        if isinstance(node, Token):
            if depth > DEEPEST:
                return node
        else:
            waiting.extend((child, depth + 1) for child in reversed(node.children) if child is not None)
    return None


def _syntax_error(
    error: UnexpectedInput, text: str, line: int, path: str
) -> tuple[str, Saying, Span, Saying | None]:
    at, column, width = line + max(error.line, 1) - 1, max(error.column, 1), 1
    if isinstance(error, UnexpectedToken) and error.token.type != "$END":
        width = max(len(str(error.token)), 1)
        message = later("`{word}` cannot stand here", word=str(error.token))
    elif isinstance(error, UnexpectedCharacters):
        rest = text[error.pos_in_stream or 0 :]
        word = re.match(r"[A-Za-z0-9_.-]+", rest) or re.match(r".", rest, re.DOTALL)
        sign = word.group() if word else ""
        if sign == '"':
            return (
                "CQ102",
                later("this text is not closed on its line"),
                Span(path, at, column, at, column + 1),
                later('a text stands between two `"` on one line'),
            )
        width = max(len(sign), 1)
        message = later("`{word}` cannot stand here", word=sign)
    else:
        lines = [bare.rstrip() for bare in _without_comments(text).rstrip().split("\n")]
        at, column = line + len(lines) - 1, len(lines[-1]) + 1
        message = later("the item ends too early")
    expected = _expected(error)
    hint = later("expected here: {expected}", expected=Listed(tuple(expected))) if expected else None
    return "CQ101", message, Span(path, at, column, at, column + width), hint


def _without_comments(text: str) -> str:
    return re.sub(r'("(?:\\.|[^"\\\n])*")|#[^\n]*', lambda found: found.group(1) or "", text)


def _expected(error: UnexpectedInput) -> list[str | Saying]:
    names = (
        getattr(error, "accepts", None) or getattr(error, "expected", None) or getattr(error, "allowed", None)
    )
    found: list[str | Saying] = []
    for name in sorted(names or ()):
        if name.startswith("$"):
            continue
        terminal = next((x for x in parser().terminals if x.name == name), None)
        words = {
            "NAME": later("a name"),
            "INT": later("a number"),
            "STRING": later("a text"),
            "PASSAGE": later("a passage id"),
        }
        if name in words:
            found.append(words[name])
        elif terminal is not None:
            word = terminal.pattern.value.removesuffix(_END_OF_WORD).replace("\\", "")
            found.append(f"`{word}`")
    return found if len(found) <= 14 else [*found[:13], "…"]
