"""Rule files have one layout: idempotent, comments kept, meaning unchanged; shipped files are in it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conquian.language import syntax
from conquian.language.fmt import format_rules
from conquian.language.layout import WIDTH
from conquian.language.problems import Problems, RulesError

ROOT = Path(__file__).parents[2]
FILES = [*sorted((ROOT / "spec").glob("*.rules")), *sorted((ROOT / "tests" / "house_rules").glob("*.rules"))]
TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|#[^\n]*|\.\.|[<>!]=|[A-Za-z][A-Za-z0-9_.-]*|[0-9]+|\S')


def meaning(text: str) -> str:
    """The items of a file without their places."""
    problems = Problems()
    items = syntax.read(text, "x", problems).items
    assert not problems.errors
    return re.sub(r"Span\([^)]*\)", "", repr(items))


def comments(text: str) -> list[str]:
    return [word.rstrip() for word in re.findall(r'"(?:\\.|[^"\\\n])*"|#[^\n]*', text) if word[0] == "#"]


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.stem)
def test_shipped_files_and_house_rules_are_laid_out(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert format_rules(text) == text
    texts = re.compile(r'"[^"]*"')
    assert all(len(texts.sub("", line)) <= WIDTH for line in text.splitlines())


@st.composite
def shaken(draw: st.DrawFn) -> tuple[str, str]:
    """A rule file, and the same with other spaces, line ends and more comments."""
    text = draw(st.sampled_from(TEXTS))
    lines = text.splitlines()
    start = draw(st.integers(0, max(0, len(lines) - 30)))
    starts = [i for i, line in enumerate(lines) if i >= start and syntax.starts(line)]
    if not starts:
        return text, text
    piece = "\n".join(lines[starts[0] : starts[0] + 30])
    seed = draw(st.randoms(use_true_random=False))
    out: list[str] = []
    for line in piece.split("\n"):
        item = bool(syntax.starts(line))
        for i, word in enumerate(TOKEN.findall(line)):
            if i == 0 and item:
                out.append("\n" + " " * seed.choice((0, 0, 3)))
            elif out[-1:] == ["override"]:
                out.append(" ")  # what begins an item stands on one line
            elif word != ".." and (not out or out[-1] != ".."):
                out.append(seed.choice((" ", " ", "  ", "\n   ", " # why\n ", "\n  # so\n  ", "\t")))
            out.append(word)
            if word[0] == "#":
                out.append("\n")
        out.append(seed.choice((" ", "\n", "\n\n\n", " # end\n")))
    return piece, "".join(out)


TEXTS = [file.read_text(encoding="utf-8") for file in FILES]


@settings(max_examples=60, deadline=None)
@given(shaken())
def test_other_spaces_and_comments_give_the_same_meaning_and_one_layout(pair: tuple[str, str]) -> None:
    text, other = pair
    try:
        before = meaning(text)
    except AssertionError:  # cut within an item
        return
    once = format_rules(other)
    assert meaning(other) == meaning(once) == before
    assert format_rules(once) == once
    assert comments(once) == comments(other)


@settings(max_examples=60, deadline=None)
@given(shaken())
def test_without_comments_the_spaces_do_not_matter(pair: tuple[str, str]) -> None:
    text, other = pair

    def bare(source: str) -> str:
        lines = (re.sub(r'("(?:\\.|[^"\\\n])*")|#[^\n]*', r"\1", line) for line in source.split("\n"))
        return "\n".join(line for line in lines if line.strip())

    try:
        meaning(bare(text))
    except AssertionError:
        return
    laid = [re.sub(r"\n+", "\n", format_rules(bare(x))) for x in (text, other)]
    assert laid[0] == laid[1]


def test_a_file_with_syntax_errors_is_refused_with_all_of_them() -> None:
    text = 'ruleset mine "Mine"\nextends classic extends\nclause goal "x" goal nine\ndrop goal\nground x\n'
    with pytest.raises(RulesError) as error:
        format_rules(text)
    assert [problem.span.line for problem in error.value.problems] == [2, 3, 5]


@pytest.mark.parametrize(
    ("text", "laid"),
    [
        ("", None),
        ("# only a comment", None),
        (
            '# first\n\n\n\n# second\nruleset mine   "M" # name\n',
            '# first\n\n# second\nruleset mine "M"  # name\n',
        ),
        ('ruleset m "M"\r\nextends\r\n  classic\r\n', 'ruleset m "M"\nextends classic\n'),
        (
            "define big(n): size( n )>=  4 and\n # why\n n in after",
            "define big(n):\n  size(n) >= 4\n    and\n    # why\n    n in after\n",
        ),
        (
            'ruleset m "M"\nclause a "A" goal 9 clause b "B" goal 8',
            None,
        ),
        (
            'ruleset m "M"\nclause a "A" cite x.y goal 9\ndrop b because "c"\n\ndrop d\ndrop e',
            'ruleset m "M"\n\nclause a "A"\n  cite x.y\n  goal 9\n\ndrop b\n  because "c"\n\ndrop d\n'
            "drop e\n",
        ),
    ],
)
def test_layout_of_small_files(text: str, laid: str | None) -> None:
    if laid is None:
        with pytest.raises(RulesError):
            format_rules(text)
    else:
        assert format_rules(text) == laid
        assert format_rules(laid) == laid
