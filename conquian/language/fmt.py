"""Rule files in their one layout.

Guarantees: the words of the file and its comments stay, in their order, so that the meaning stays; what is
laid out once is left as it is. Blank lines between short items are the writer's, one at most. A file with
syntax errors is refused whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from lark import Token, Tree

from conquian.language import syntax
from conquian.language.layout import Doc, Group, Leaf, Line, group, laid_out, nest
from conquian.language.problems import Problems, RulesError

Node = Tree[Token] | Token
_COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|(#[^\n]*)')
_LINE, _HARD = Line(), Line(hard=True)


def format_rules(text: str, path: str = "") -> str:
    """The text in canonical layout; RulesError, with every syntax error, if it cannot be read. `path` is for those.

    >>> print(format_rules('drop   resting because "Nobody rests."').rstrip())
    drop resting
      because "Nobody rests."
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    problems = Problems()
    syntax.read(text, path, problems)
    if problems.errors:
        raise RulesError(path, problems.errors)
    pieces = list(_pieces(text))
    lines: list[str] = []
    for before, piece in pairwise((None, *pieces)):
        if before is not None and piece is not None and _parted(before, piece):
            lines.append("")
        if piece is not None:
            lines.append(piece.text)
    return "\n".join(lines) + "\n"


@dataclass(frozen=True, slots=True)
class _Piece:
    """An item as it is laid out, or a comment between items; whether a blank line stood above it."""

    text: str
    comment: bool
    spaced: bool


def _parted(before: _Piece, piece: _Piece) -> bool:
    long = ("\n" in before.text, "\n" in piece.text and not before.comment)
    return piece.spaced or any(long)


def _pieces(text: str) -> Iterator[_Piece]:
    starts = syntax.starts(text)
    spaced = False
    for start, end in pairwise((None, *starts, len(text))):
        chunk = text[start or 0 : end]
        comments = [m for m in _COMMENT.finditer(chunk) if m.group(1)]
        if start is not None:
            parsed = syntax.parser(every_word=True).parse(chunk)
            last = _last(parsed)
            inside = [m for m in comments if m.start() < last or "\n" not in chunk[last : m.start()]]
            item = _Layout(chunk, [(m.start(), m.group(1).rstrip()) for m in inside])
            yield _Piece(laid_out(item.doc(parsed)), False, spaced)
            comments = comments[len(inside) :]
            rest = max([last, *(m.end() for m in inside)])
        else:
            rest = 0
        for comment in comments:
            spaced = chunk.count("\n", rest, comment.start()) > 1
            yield _Piece(comment.group(1).rstrip(), True, spaced)
            rest = comment.end()
        spaced = chunk.count("\n", rest) > 1


def _last(parsed: Tree[Token]) -> int:
    """Where the last word of an item ends in its text."""
    return max(token.end_pos or 0 for token in parsed.scan_values(lambda x: isinstance(x, Token)))


class _Layout:
    """One item's words, each with the comments that belong to it."""

    def __init__(self, chunk: str, comments: list[tuple[int, str]]) -> None:
        self.chunk = chunk
        self.comments = comments

    def leaf(self, token: Token) -> Leaf:
        start, end = token.start_pos or 0, token.end_pos or 0
        above = []
        while self.comments and self.comments[0][0] < start:
            above.append(self.comments.pop(0)[1])
        beside = None
        if self.comments:
            at, text = self.comments[0]
            if not self.chunk[end:at].strip(" \t"):
                beside = text
                self.comments.pop(0)
        return Leaf(str(token), tuple(above), beside)

    def doc(self, node: Node) -> Doc:
        if isinstance(node, Token):
            return self.leaf(node)
        parts = [child for child in node.children if child is not None]
        match node.data:
            case "head" | "source" | "clause" | "reading" | "choose" | "drop" | "because":
                return self.item(parts)
            case "define":
                colon = next(i for i, x in enumerate(parts) if isinstance(x, Token) and x == ":")
                head = self.joined(parts[: colon + 1], tight="(")
                return group(head, nest(2, _LINE, self.doc(parts[colon + 1])))
            case "phase" | "stakes":
                heads = [x for x in parts if isinstance(x, Token)]
                head = self.joined(heads)
                lines = [x for x in parts if not isinstance(x, Token)]
                return group(head, nest(2, *(y for x in lines for y in (_HARD, self.doc(x)))))
            case "or" | "and":
                joined: list[Doc] = [self.doc(parts[0])]
                for word, operand in zip(parts[1::2], parts[2::2], strict=True):
                    joined.extend((_LINE, self.doc(word), " ", self.doc(operand)))
                return group(joined[0], nest(2, *joined[1:]))
            case "quantified":
                return group(self.joined(parts[:-1]), nest(2, _LINE, self.doc(parts[-1])))
            case "operand":
                left, inner, right = (self.doc(x) for x in parts)
                return group(left, inner, right)
            case "call":
                return self.joined(parts, tight="(")
            case "between":
                return self.joined(parts, tight="..")
            case "passages":
                return group(nest(2, *self.listed(parts)))
            case _:
                return self.condition(parts, "(" if node.data == "shape" else "")

    def item(self, parts: list[Node]) -> Doc:
        """A first line, and under it what says more: texts, sources, code, body."""
        below = next(
            (
                i
                for i, part in enumerate(parts)
                if not isinstance(part, Token) or (part.type == "STRING" and self.reads(parts))
            ),
            len(parts),
        )
        first = self.joined(parts[:below])
        more = [self.doc(part) for part in parts[below:]]
        return group(first, nest(2, *(y for x in more for y in (_HARD, x))))

    def reads(self, parts: list[Node]) -> bool:
        return any(isinstance(part, Token) and part.type == "READING" for part in parts)

    def condition(self, parts: list[Node], tight: str) -> Doc:
        """Words, and a condition that begins with `when` or `where`, on a line of its own if need be."""
        words = [i for i, x in enumerate(parts) if isinstance(x, Token) and x.type in ("WHEN", "WHERE")]
        if not words:
            return self.joined(parts, tight)
        at = words[0]
        head = self.joined(parts[:at], tight)
        word, when = self.doc(parts[at]), self.doc(parts[at + 1])
        return group(head, nest(2, _LINE, word, " ", when))

    def listed(self, parts: list[Node]) -> list[Doc]:
        found: list[Doc] = []
        for part in parts:
            comma = isinstance(part, Token) and part == ","
            found.extend((self.doc(part), _LINE) if comma else (self.doc(part),))
        return found

    def joined(self, parts: Sequence[Node], tight: str = "") -> Doc:
        """Words with spaces between them, none before a comma or colon or inside brackets."""
        docs: list[Doc] = []
        before = ""
        for part in parts:
            sign = str(part) if isinstance(part, Token) else ""
            close = sign in (",", ":", ")") or before == "(" or (tight and tight in (sign, before))
            if docs and not close:
                docs.append(" ")
            docs.append(self.doc(part))
            before = sign
        return Group(tuple(docs))
