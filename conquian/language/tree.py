"""What the parser makes of a rule file: items with the places they stand at, nothing resolved yet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from conquian.language.clauses import Body
from conquian.language.obligations import Claim


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a rule file; lines and columns count from 1, the end column is exclusive."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class Word:
    """A name as it stands in the file."""

    text: str
    span: Span


Translations = tuple[tuple[Word, str], ...]
"""A text in other languages: each language, with its place, and the text in it."""


@dataclass(frozen=True, slots=True)
class Number:
    value: int
    span: Span


@dataclass(frozen=True, slots=True)
class Name:
    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Call:
    function: str
    arguments: tuple[Expr, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Binary:
    """`a + b`, `a & b`, `a without b`; comparisons; `in`, `within`, `meets`."""

    operator: str
    left: Expr
    right: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Between:
    """`x in low..high`."""

    subject: Expr
    low: int
    high: int
    span: Span


@dataclass(frozen=True, slots=True)
class Is:
    """`x is [not] word`."""

    subject: Expr
    negated: bool
    word: Word
    span: Span


@dataclass(frozen=True, slots=True)
class Negation:
    operand: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Junction:
    operator: Literal["and", "or"]
    operands: tuple[Expr, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Quantified:
    quantifier: Literal["some", "every", "no"]
    var: str
    domain: Expr
    body: Expr
    span: Span


Expr = Number | Name | Call | Binary | Between | Is | Negation | Junction | Quantified


@dataclass(frozen=True, slots=True)
class Head:
    playable: bool
    name: Word
    title: str
    span: Span
    translations: Translations = ()
    """The title in other languages, by language."""


@dataclass(frozen=True, slots=True)
class Extends:
    name: Word
    span: Span


@dataclass(frozen=True, slots=True)
class SourceItem:
    prefix: Word
    title: str
    file: str
    span: Span
    translations: Translations = ()
    """The title in other languages, by language."""


@dataclass(frozen=True, slots=True)
class ClauseItem:
    override: bool
    name: Word
    sentence: str
    cites: tuple[Word, ...]
    code: Word | None
    body: Body[Expr]
    body_span: Span
    words: tuple[Word, ...]
    """The phase names and other words of the body, with their places, for messages."""
    span: Span
    translations: Translations = ()
    """The sentence in other languages, by language."""


@dataclass(frozen=True, slots=True)
class DefineItem:
    override: bool
    name: Word
    params: tuple[Word, ...]
    body: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class ReadingItem:
    override: bool
    name: Word
    choices: tuple[Word, ...]
    question: str
    cites: tuple[Word, ...]
    because: str | None
    span: Span
    translations: Translations = ()
    """The question in other languages, by language."""
    reasons: Translations = ()
    """What `because` says in other languages, by language."""


@dataclass(frozen=True, slots=True)
class ChooseItem:
    reading: Word
    choice: Word
    because: str | None
    cites: tuple[Word, ...]
    span: Span
    reasons: Translations = ()
    """What `because` says in other languages, by language."""


@dataclass(frozen=True, slots=True)
class DropItem:
    name: Word
    because: str | None
    span: Span
    proof: bool = False
    """Whether the name is that of an obligation, and not of a clause."""
    reasons: Translations = ()
    """What `because` says in other languages, by language."""


@dataclass(frozen=True, slots=True)
class GroundItem:
    name: Word
    cites: tuple[Word, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class ProveItem:
    override: bool
    name: Word
    claim: Claim
    span: Span


Item = (
    Head
    | Extends
    | SourceItem
    | ClauseItem
    | DefineItem
    | ReadingItem
    | ChooseItem
    | DropItem
    | GroundItem
    | ProveItem
)


@dataclass(frozen=True, slots=True)
class File:
    """One rule file: its path as shown in messages, its text, its items in order."""

    path: str
    text: str
    items: tuple[Item, ...]
