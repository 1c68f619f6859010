"""Colours for rule files, transcripts and messages. Words come from the grammars where these name them."""

from __future__ import annotations

import re
from pathlib import Path

from pygments.lexer import RegexLexer, words
from pygments.lexers.special import TextLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, String, Text

GRAMMAR = Path(__file__).parents[2] / "grammar"


def _keywords(grammar: str) -> list[str]:
    """The words that a grammar puts in quotes."""
    text = (GRAMMAR / grammar).read_text(encoding="utf-8")
    return sorted(set(re.findall(r'"([a-z][a-z-]*)"', text)))


VERBS = (
    *("cut", "deck", "stock", "deal", "holds", "starter", "gives", "to"),
    *("turns", "melds", "arranges", "passes", "discards", "forces", "onto", "wins", "drawn"),
)


class RulesLexer(RegexLexer):
    """The rule language."""

    name = "Conquian rules"
    aliases = ("rules",)
    tokens = {  # noqa: RUF012
        "root": [
            (r"#[^\n]*", Comment),
            (r'"[^"\n]*"', String),
            (words(_keywords("rules.lark"), prefix=r"(?<![\w-])", suffix=r"(?![\w-])"), Keyword),
            (r"\d+", Number),
            (r"[A-Za-z_][\w-]*", Name),
            (r"[-+*/<>=!|:.,()]+", Operator),
            (r"\s+|.", Text),
        ]
    }


class TranscriptLexer(RegexLexer):
    """Recorded games."""

    name = "Conquian transcript"
    aliases = ("transcript",)
    flags = re.IGNORECASE | re.MULTILINE
    tokens = {  # noqa: RUF012
        "root": [
            (r"#[^\n]*", Comment),
            (r'"(?:[^"\\\n]|\\.)*"', String),
            (r"^[a-z][\w-]*(?=:)", Name.Attribute),
            (r"\b(?:10|[2-9ATJQK])[cdhs♣♦♥♠](?!\w)", Number),
            (words(VERBS, prefix=r"\b", suffix=r"\b"), Keyword),
            (r"[\w'-]+", Name),
            (r"\s+|.", Text),
        ]
    }


class MessageLexer(TextLexer):
    """What the program prints."""

    name = "Conquian message"
    aliases = ("message",)


LEXERS = {"rules": RulesLexer, "transcript": TranscriptLexer, "message": MessageLexer}
