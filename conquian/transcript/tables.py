"""The parse tables of `grammar/transcript.lark`, and the small reader that runs them.

Guarantees: the reader accepts exactly the sentences that Lark's LALR parser with its contextual lexer
accepts (a test compares them). Lark itself is imported only when the tables are not in the cache. Every
token keeps its place; a refused sentence gives the token it stopped at and every token that could have
stood there.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any, NamedTuple

from msgspec import Struct, json

from conquian.cache import cached
from conquian.resources import place as resource

VERSION = b"2"
END = "$END"
WHOLE = '(?![^\\s,;:"#])'
"""How a word of the notation ends: it is not the beginning of a longer one."""


class Token(NamedTuple):
    """A word of a sentence: its terminal, its text, and where it starts and ends (characters, from 0)."""

    kind: str
    text: str
    start: int
    end: int


class Branch(NamedTuple):
    """A rule of the grammar with what it was made of, in order."""

    name: str
    parts: list[Token | Branch]


class Unexpected(NamedTuple):
    """Where a sentence stopped making sense: the token, what could have stood there, and what was read
    before."""

    token: Token
    expected: frozenset[str]
    before: tuple[Token, ...]


class Tables(Struct, frozen=True):
    """An LALR parse table. A state maps a symbol to a state to shift to (>= 0) or a rule to reduce by (-1 -
    rule)."""

    terminals: dict[str, str]
    """The regular expression of each terminal that is no plain word of the notation."""
    words: dict[str, str]
    """Each plain word, in small letters, with its terminal."""
    order: list[list[str]]
    """For each state, the terminals that may come, in the order in which they are tried."""
    states: list[dict[str, int]]
    rules: list[tuple[str, str, int]]
    """Symbol, name in the tree, number of parts."""
    start: int
    end: int
    ignored: str


def grammar_path() -> str:
    """The grammar's file."""
    return resource("grammar", "transcript.lark")


@cache
def tables() -> Tables:
    """The tables of the shipped grammar, from the cache if they are there."""
    with open(grammar_path(), "rb") as file:
        grammar = file.read()
    made = cached("transcript tables", (VERSION, grammar), lambda: json.encode(build(grammar.decode())))
    return json.decode(made, type=Tables)


def build(grammar: str) -> Tables:
    """Have Lark make the tables."""
    from lark import Lark
    from lark.parsers.lalr_analysis import Shift

    lark = Lark(grammar, parser="lalr", lexer="contextual", maybe_placeholders=False)
    lexer: Any = lark.parser.lexer
    table = lark.parser.parser._parse_table
    numbers = {state: number for number, state in enumerate(table.states)}
    rules = list(lark.rules)
    patterns = {str(terminal.name): str(terminal.pattern.to_regexp()) for terminal in lark.terminals}
    plain = re.compile(r"\(\?i:([a-z]+)" + re.escape(WHOLE) + r"\)")
    words = {found[1]: name for name, text in patterns.items() if (found := plain.fullmatch(text))}
    return Tables(
        terminals={name: text for name, text in patterns.items() if name not in words.values()},
        words=words,
        order=[
            [str(terminal.name) for terminal in lexer.lexers[state].terminals if terminal.name != "BLANK"]
            for state in table.states
        ],
        states=[
            {
                str(symbol): numbers[to] if action is Shift else -1 - rules.index(to)
                for symbol, (action, to) in row.items()
            }
            for row in table.states.values()
        ],
        rules=[
            (str(rule.origin.name), str(rule.alias or rule.origin.name), len(rule.expansion))
            for rule in rules
        ],
        start=numbers[table.start_states["start"]],
        end=numbers[table.end_states["start"]],
        ignored="BLANK",
    )


@cache
def _matcher(names: tuple[str, ...]) -> re.Pattern[str]:
    known = tables().terminals
    return re.compile("|".join(f"(?P<{name}>{known[name]})" for name in names if name in known))


@cache
def _word() -> re.Pattern[str]:
    return re.compile(r'[^\s,;:"#]+')


# What letters are the same to a regular expression that takes them in either case.
_SMALL = str.maketrans({"\N{LATIN SMALL LETTER LONG S}": "s", "\N{KELVIN SIGN}": "k"})


@cache
def _blank() -> re.Pattern[str]:
    return re.compile(tables().terminals[tables().ignored])


def parse(text: str) -> Branch | Unexpected:
    """The tree of one sentence, or where and why it is none."""
    table = tables()
    states, rules, order = table.states, table.rules, table.order
    stack = [table.start]
    values: list[Token | Branch] = []
    read: list[Token] = []
    place = 0
    while True:
        state = stack[-1]
        blank = _blank().match(text, place)
        place = blank.end() if blank else place
        token = _token(text, place, tuple(order[state]))
        while True:
            step = states[state].get(token.kind)
            if step is None:
                return Unexpected(token, _expected(state, table), tuple(read))
            if step >= 0 and token.kind != END:
                stack.append(step)
                values.append(token)
                read.append(token)
                place = token.end
                break
            if step < 0:
                symbol, name, length = rules[-1 - step]
                parts = values[len(values) - length :]
                del values[len(values) - length :], stack[len(stack) - length :]
                values.append(_branch(name, parts))
                stack.append(states[stack[-1]][symbol])
            state = stack[-1]
            if token.kind == END and state == table.end:
                found = values[-1]
                assert isinstance(found, Branch)
                return found


def _branch(name: str, parts: list[Token | Branch]) -> Branch:
    # Repetitions are helper rules, one part more each time: what they hold is taken over, not copied.
    first = parts[0] if parts else None
    flat: list[Token | Branch] = []
    if isinstance(first, Branch) and first.name.startswith("__"):
        flat, parts = first.parts, parts[1:]
    for part in parts:
        if isinstance(part, Branch) and part.name.startswith("__"):
            flat.extend(part.parts)
        else:
            flat.append(part)
    return Branch(name, flat)


def _token(text: str, place: int, names: tuple[str, ...]) -> Token:
    if place >= len(text):
        return Token(END, "", place, place)
    table = tables()
    word = _word().match(text, place)
    meant = None if word is None else table.words.get(word.group().lower().translate(_SMALL))
    if word is not None and meant in names:
        return Token(meant, word.group(), place, word.end())
    found = _matcher(names).match(text, place) if names else None
    if found is None and word is not None and meant is not None:
        return Token(meant, word.group(), place, word.end())
    if found is None or not found.group():
        found = _matcher(tuple(table.terminals)).match(text, place)
    if found is None or found.lastgroup is None:
        return Token("OTHER", text[place], place, place + 1)
    return Token(found.lastgroup, found.group(), place, found.end())


def _expected(state: int, table: Tables) -> frozenset[str]:
    return frozenset(
        name
        for name in table.states[state]
        if name == END or name in table.terminals or name in table.words.values()
    )
