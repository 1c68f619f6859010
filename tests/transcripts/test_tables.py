"""The table-driven reader and Lark read the same sentences."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from lark import Lark, Tree
from lark.exceptions import UnexpectedInput

from conquian.transcript.sentence import EXAMPLES, Misread, Sentence, read_sentence
from conquian.transcript.tables import Branch, Token, Unexpected, grammar_path, parse

_WORDS = [
    *(
        "deal",
        "cut",
        "deck",
        "stock",
        "starter",
        "drawn",
        "holds",
        "gives",
        "to",
        "turns",
        "melds",
        "arranges",
    ),
    *(
        "passes",
        "discards",
        "forces",
        "onto",
        "wins",
        "objects",
        "concedes",
        "and",
        "agree a draw",
        "broken off",
        "broken",
        "TURNS",
        "Ana",
        "Ben",
        "5c",
        "?",
        "12.",
        "9",
        ":",
        ",",
        "9:",
    ),
    *('"Ana B"', "7♣", "\u00a0", "x:y", "passesx", "\t"),
]


@cache
def lark() -> Lark:
    return Lark(
        Path(grammar_path()).read_text("utf-8"), parser="lalr", lexer="contextual", maybe_placeholders=False
    )


def plain(tree: object) -> object:
    if isinstance(tree, Tree):
        return [str(tree.data), *map(plain, tree.children)]
    if isinstance(tree, Branch):
        return [tree.name, *map(plain, tree.parts)]
    if isinstance(tree, Token):
        return [tree.kind, tree.text, tree.start]
    return [tree.type, str(tree), tree.start_pos]  # type: ignore[attr-defined]


def same(text: str) -> None:
    ours = parse(text)
    try:
        theirs = lark().parse(text)
    except UnexpectedInput:
        assert isinstance(ours, Unexpected)
    else:
        assert isinstance(ours, Branch)
        assert plain(ours) == plain(theirs)


@given(st.lists(st.sampled_from(_WORDS), max_size=8), st.sampled_from([" ", " ", "  ", ""]))
def test_the_reader_accepts_what_lark_accepts(words: list[str], blank: str) -> None:
    same(blank.join(words))


@given(
    st.sampled_from(["", "Ana ", '"Ana B" ', "12. ", "3. Ben "]),
    st.sampled_from([*EXAMPLES.values(), "Ana holds 9: 5c", "turns 5c", "melds 5c 6c, 7c"]),
    st.data(),
)
def test_the_reader_accepts_what_lark_accepts_of_nearly_right_sentences(
    before: str, sentence: str, data: st.DataObject
) -> None:
    words = (before + sentence).split(" ")
    place = data.draw(st.integers(0, len(words)))
    words[place : place + data.draw(st.integers(0, 1))] = data.draw(
        st.lists(st.sampled_from(_WORDS), max_size=1)
    )
    same(" ".join(words))


LATER = ("BROKEN", "AGREE", "LONE", "OBJECTS", "CONCEDES", "AND.2", "name said", "said:")
"""What only lines of the grammar have that came after its first version."""


@cache
def first_version() -> Lark:
    """The grammar without what came later."""
    lines = Path(grammar_path()).read_text("utf-8").splitlines()
    kept = [line for line in lines if not any(word in line for word in LATER)]
    assert len(lines) - len(kept) == 12
    return Lark("\n".join(kept), parser="lalr", lexer="contextual", maybe_placeholders=False)


@given(st.lists(st.sampled_from(_WORDS), max_size=8), st.sampled_from([" ", " ", "  "]))
@example(["cut", "objects", "5c", ",", "and", "7♣"], " ")
def test_every_sentence_of_the_first_version_is_read_as_it_was(words: list[str], blank: str) -> None:
    # No card is called so: where one is said to be cut, the mistake is found with the sentence, not with its cards.
    cards = [word for before, word in pairwise(words) if before not in ("cut", ",")] if "cut" in words else []
    assume(not {"objects", "concedes", "and"} & set(cards))
    text = blank.join(words)
    try:
        was = first_version().parse(text)
    except UnexpectedInput:
        return
    now = parse(text)
    assert isinstance(now, Branch) and plain(now) == plain(was)


@pytest.mark.parametrize("name", ["objects", "Concedes", "and", "agree", "a", "draw", "broken", "off"])
@pytest.mark.parametrize(
    "deed", ["passes", "turns 5c", "holds 5c", "wins", "gives 5c to {}", "melds 5c 6c 7c"]
)
def test_a_player_can_have_a_name_that_became_a_word_later(name: str, deed: str) -> None:
    text = f"{name} {deed.format(name)}"
    now = parse(text)
    assert isinstance(now, Branch) and plain(now) == plain(first_version().parse(text))


@given(st.text(max_size=30))
def test_the_reader_takes_any_text(text: str) -> None:
    assert isinstance(read_sentence(text), Sentence | Misread)


@pytest.mark.parametrize("kind", EXAMPLES)
def test_every_example_is_a_sentence(kind: str) -> None:
    read = read_sentence(EXAMPLES[kind])
    assert isinstance(read, Sentence) and read.kind == kind
    assert (read.start, read.end) == (0, len(EXAMPLES[kind]))


def test_a_long_list_of_cards_takes_time_in_proportion() -> None:
    read = read_sentence("Ana holds " + "5c " * 20_000)
    assert isinstance(read, Sentence) and len(read.groups[0]) == 20_000


def test_lark_is_not_imported_when_the_tables_are_known(tmp_path: Path) -> None:
    program = (
        "import sys\nfrom conquian.transcript.read import read\n"
        "(sheet,) = read(b'players: Ana, Ben\\nAna passes', 'x')\n"
        "assert sheet.game is not None\nprint(sorted({'lark', 'typer', 'pydantic', 'z3'} & set(sys.modules)))"
    )
    root = str(Path(grammar_path()).resolve().parents[1])
    environment = os.environ | {"PYTHONPATH": root, "CONQUIAN_CACHE": str(tmp_path)}
    said = [
        subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
        )
        for _ in range(2)
    ]
    assert [run.stdout.strip() for run in said] == ["['lark']", "[]"]
