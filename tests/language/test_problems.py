"""Problems of rule files: all of a file at once, in order, with places and hints; never an exception."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conquian.engine.engine import engine_of
from conquian.engine.program import compile_rules
from conquian.language.build import compile_text, find_text, load
from conquian.language.codes import GENERAL_HINTS, RULE_CODES
from conquian.language.fmt import format_rules
from conquian.language.problems import Problem, RulesError

ROOT = Path(__file__).parents[2]
FILES = [*sorted((ROOT / "spec").glob("*.rules")), *sorted((ROOT / "tests" / "house_rules").glob("*.rules"))]
TEXTS = [file.read_text(encoding="utf-8") for file in FILES]
HEAD = 'ruleset mine "Mine"\nextends classic\nsource club "Club" in "club.txt"\n'


def check(text: str) -> list[Problem]:
    """The problems of a text; a text without errors has to make an engine."""
    rules, found = compile_text(text, "mine.rules")
    lines = text.split("\n")
    for problem in found:
        assert problem.code in RULE_CODES
        assert problem.message and problem.hint
        assert problem.span.line >= 1 and problem.span.column >= 1
        if problem.span.path == "mine.rules":
            assert problem.span.line <= len(lines)
            assert problem.span.column <= len(lines[problem.span.line - 1]) + 1
    assert found == sorted(found, key=lambda p: (p.span.path, p.span.line, p.span.column, p.code))
    errors = [p for p in found if p.severity == "error"]
    if not errors:
        assert rules is not None
        if rules.playable:
            engine_of(compile_rules(rules))
    return found


def places(found: list[Problem]) -> list[tuple[int, int, str]]:
    return [(p.span.line, p.span.column, p.code) for p in found]


def test_all_problems_of_a_file_are_told_at_once() -> None:
    text = f"""{HEAD}
override clause goal "Nine." cite club.1 goal nine
override clause dealing "Eight." cite cl.none.1 deal 8 in packets of 9
clause one "One." cite other.1 code house.one player may not meld when uup in after
clause two "Two." cite club.2 player may not meld when size(before) > 2
clause three "Three." cite club.3 code house.three player may not discard when up in hand
choose borrowing = sometimes
drop nothing
define loop: loop
clause four "Four." cite club.4 opponent may not force when loop
clause five "Five
reading six: yes | no "Six?" because "So."
"""
    assert places(check(text)) == [
        (5, 47, "CQ101"),  # nine
        (6, 1, "CQ405"),  # a packet of nine
        (6, 39, "CQ202"),  # cl.none.1
        (7, 24, "CQ203"),  # other
        (7, 72, "CQ201"),  # uup
        (8, 1, "CQ305"),  # no code
        (8, 56, "CQ301"),  # size(before)
        (9, 80, "CQ302"),  # up in a discard
        (10, 20, "CQ207"),  # sometimes
        (11, 6, "CQ501"),  # nothing
        (12, 14, "CQ401"),  # loop
        (14, 13, "CQ102"),  # a text not closed
        (15, 1, "CQ209"),  # nobody asks for six
    ]


def test_every_code_has_a_family() -> None:
    assert all(code[:3] in {"CQ1", "CQ2", "CQ3", "CQ4", "CQ5", "CQ6"} for code in RULE_CODES)
    assert set(GENERAL_HINTS) <= set(RULE_CODES)


def test_syntax_errors_point_at_the_word_and_say_what_could_stand_there() -> None:
    (problem,) = check(f'{HEAD}\nclause x "X" cite club.1 player maybe not meld\n')
    assert (problem.span.line, problem.span.column, problem.span.end_column) == (5, 33, 38)
    assert problem.hint == "expected here: `may`, `wins`"


def test_an_item_that_ends_too_early_is_told_where_it_ends_and_not_in_the_comment_after_it() -> None:
    (problem,) = check(f'{HEAD}\noverride clause goal "X"  # so\n\n# ---- next\n')
    assert (problem.span.line, problem.span.column) == (5, 25)
    assert problem.message == "the item ends too early"


# ---- circles


def write(folder: Path, name: str, text: str) -> str:
    file = folder / f"{name}.rules"
    file.write_text(text, encoding="utf-8")
    return str(file)


def test_rule_sets_that_extend_each_other_in_a_circle(tmp_path: Path) -> None:
    a = write(tmp_path, "a", 'ruleset a "A"\nextends b\n')
    write(tmp_path, "b", 'ruleset b "B"\nextends c\n')
    write(tmp_path, "c", 'ruleset c "C"\nextends a\n')
    with pytest.raises(RulesError) as error:
        load(a)
    assert [p.code for p in error.value.problems] == ["CQ206"]
    assert error.value.problems[0].span.path.endswith("c.rules")


def test_a_long_line_of_extending_files_is_no_circle(tmp_path: Path) -> None:
    last = write(tmp_path, "s0", 'ruleset s0 "S"\nextends classic\n')
    for i in range(1, 40):
        last = write(tmp_path, f"s{i}", f'ruleset s{i} "S"\nextends s{i - 1}\n')
    assert len(load(last).lineage) == 42


def test_problems_of_the_file_that_is_extended_are_told_with_its_path(tmp_path: Path) -> None:
    write(tmp_path, "below", 'ruleset below "B"\nextends classic\nclause x "X" goal nine\n')
    top = write(tmp_path, "top", 'ruleset top "T"\nextends below\n')
    with pytest.raises(RulesError) as error:
        load(top)
    assert [(p.code, Path(p.span.path).name, p.span.line) for p in error.value.problems] == [
        ("CQ101", "below.rules", 3)
    ]


def test_errors_of_merging_the_extended_file_are_told_and_its_warnings_are_not(tmp_path: Path) -> None:
    write(tmp_path, "below", 'ruleset below "B"\nextends classic\ndrop nothing\ndefine lonely: own\n')
    top = write(tmp_path, "top", 'ruleset top "T"\nextends below\n')
    with pytest.raises(RulesError) as error:
        load(top)
    assert [(p.code, p.span.line) for p in error.value.problems] == [("CQ501", 3)]


# ---- any bytes


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\xfe",
        b"\x00",
        b"ruleset",
        b'\xef\xbb\xbfruleset m "M"',
        b'ruleset m "M\xe9"',
        b"\r\r\r",
        b'ruleset m "M"\x0bextends classic',
        "ruleset m “M”".encode(),
        b"clause " * 1000,
        b"override\nclause\nx",
        b'"' * 5000,
        b"#" * 5000,
        b"\\" * 5000,
    ],
)
def test_strange_files_end_in_problems(data: bytes, tmp_path: Path) -> None:
    file = tmp_path / "strange.rules"
    file.write_bytes(data)
    with pytest.raises(RulesError) as error:
        load(str(file))
    assert error.value.problems


@pytest.mark.parametrize(
    "name", ["", "/", ".", "nowhere/at-all.rules", "a\0b/c", "clasic", "../x.rules", "~"]
)
def test_names_that_lead_nowhere_end_in_problems(name: str) -> None:
    with pytest.raises(RulesError) as error:
        find_text(name)
    assert error.value.problems[0].code in ("CQ205", "CQ101")


@settings(max_examples=120, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_end_in_problems(data: bytes) -> None:
    check(data.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n"))


WORDS = sorted({word for text in TEXTS for word in text.replace("(", " ( ").replace(")", " ) ").split()})


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """A rule file with words taken out, doubled, exchanged or changed, or lines moved."""
    text = draw(st.sampled_from(TEXTS))
    seed: random.Random = draw(st.randoms(use_true_random=False))
    lines = text.split("\n")
    for _ in range(draw(st.integers(1, 4))):
        i = seed.randrange(len(lines))
        words = lines[i].split(" ")
        j = seed.randrange(len(words))
        match seed.randrange(7):
            case 0:
                words[j] = seed.choice(WORDS)
            case 1:
                del words[j]
            case 2:
                words.insert(j, seed.choice(WORDS))
            case 3:
                words[j] = words[j][: seed.randrange(len(words[j]) + 1)]
            case 4:
                words.insert(j, seed.choice(["(", ")", ":", "..", '"', "=", "0", "99999", "-", "é", "not"]))
            case 5:
                lines[i], lines[-1] = lines[-1], lines[i]
                continue
            case _:
                lines.insert(seed.randrange(len(lines)), lines[i])
                continue
        lines[i] = " ".join(words)
    return "\n".join(lines)


@settings(max_examples=150, deadline=None)
@given(mutated())
def test_changed_rule_files_end_in_problems_or_in_an_engine(text: str) -> None:
    found = check(text)
    if not any(p.code.startswith("CQ1") and p.span.path == "mine.rules" for p in found):
        assert format_rules(format_rules(text)) == format_rules(text)


@pytest.mark.parametrize("path", FILES, ids=lambda f: f.stem)
def test_every_shipped_file_is_free_of_problems(path: Path) -> None:
    assert compile_text(path.read_text(encoding="utf-8"), str(path))[1] == []


# ---- large and deep


def condition(when: str) -> str:
    return f'{HEAD}clause x "X" cite club.1 code house.x player may not meld when {when}\n'


@pytest.mark.parametrize(
    "when",
    [
        "(" * 60 + "own" + ")" * 60,
        "(" * 20_000 + "own" + ")" * 20_000,
        "not " * 5_000 + "own",
        "size(" * 3_000 + "up" + ")" * 3_000 + " > 1",
        "up in " + "up + " * 3_000 + "up",
        "some a in after: " * 2_000 + "own",
        "some a in after: some b in a: some c in a: some d in a: some e in a: c meets e",
    ],
)
def test_too_deep_a_condition_is_cq106(when: str) -> None:
    limit = sys.getrecursionlimit()
    assert {p.code for p in check(condition(when))} == {"CQ106"}
    assert sys.getrecursionlimit() == limit


def test_forty_parts_inside_one_another_are_read() -> None:
    assert check(condition("not " * 20 + "own")) == []
    assert check(condition("(" * 15 + "own" + ")" * 15)) == []


def test_many_parts_beside_one_another_are_read() -> None:
    assert check(condition(" or ".join(["own"] * 1_000))) == []
    assert {p.code for p in check(condition(" or ".join(["own"] * 4_000)))} == {"CQ106"}


def test_definitions_that_double_each_time_are_cq106() -> None:
    doubling = "".join(f"define d{i}: d{i + 1} or d{i + 1}\n" for i in range(60))
    found = check(f"{condition('d0')}{doubling}define d60: own\n")
    assert {p.code for p in found if p.severity == "error"} == {"CQ106"}


def test_a_long_chain_of_definitions_is_cq106() -> None:
    chain = "".join(f"define d{i}: not d{i + 1}\n" for i in range(900))
    found = check(f"{condition('d0')}{chain}define d900: own\n")
    assert {p.code for p in found if p.severity == "error"} == {"CQ106"}


@pytest.mark.parametrize("number", ["1001", "9" * 30, "9" * 10_000])
def test_huge_numbers_are_cq104(number: str) -> None:
    found = check(f'{HEAD}override clause goal "X" cite club.1 goal {number}\n')
    assert [p.code for p in found] == ["CQ104"]


def test_a_huge_file_is_cq106() -> None:
    assert [p.code for p in check(f"{HEAD}{'# more' * 100_000}\n")] == ["CQ106"]


def test_a_file_of_very_many_items_is_read() -> None:
    found = check(HEAD + "drop x\n" * 2_000)
    assert {p.code for p in found} == {"CQ501"}
    assert len(found) == 2_000


def test_huge_words_do_not_fill_the_message() -> None:
    for text in ("x" * 100_000, f"{HEAD}drop {'x' * 100_000}\n", condition("y" * 100_000)):
        assert all(len(p.message) < 200 for p in check(text) if p.code != "CQ106"), text[:20]
