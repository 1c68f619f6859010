"""Every code has a page; every example on it is run, and gives what the page says, word for word."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from conquian.language.codes import EVENT_CODES, RULE_CODES, SETUP_CODES, TABLE_CODES
from conquian.language.fmt import format_rules
from conquian.language.pages import FILE_CODES, NOTE_CODES, SCORE_CODES, codes, page
from conquian.referee import judge
from conquian.scoring import score, scored_files
from conquian.transcript.codes import ERRORS, NOTES
from conquian.transcript.read import read

from .examples import blocks, problems_of, refuted, said, told

EXAMPLES_ELSEWHERE = {"encoding", "too-long", "rules-overridden", "conceding", "cannot-open"}
"""Codes that no readable page can show an example of; each has a test of its own below, `conceding` in tests/stood."""
WORD = {"house": "house.first-meld"}
TOGETHER = {"past-goal": {"goal-out-of-reach"}, "goal-out-of-reach": {"past-goal"}}
"""Notes that come together wherever the goal has to be hit exactly."""


def shown(code: str) -> str:
    text = page(code)
    assert text is not None
    return text


def one(code: str, kind: str) -> str:
    found = [block.text for block in blocks(shown(code)) if block.kind == kind]
    assert len(found) == 1, f"the page of {code} has {len(found)} blocks of the kind {kind}"
    return found[0]


def test_every_code_has_a_page_and_every_page_a_code() -> None:
    listed = {*RULE_CODES, *SETUP_CODES, *EVENT_CODES, *NOTE_CODES, *ERRORS, *NOTES, "wrong-result", "house"}
    listed |= {*SCORE_CODES, *FILE_CODES, *TABLE_CODES}
    assert set(codes()) == listed
    folder = Path(__file__).parents[2] / "conquian" / "pages"
    assert {file.stem for file in folder.glob("*.md")} == listed


@pytest.mark.parametrize("code", codes())
def test_a_page_begins_with_its_code_and_says_what_it_means(code: str) -> None:
    lines = shown(code).splitlines()
    assert re.fullmatch(rf"# {code}: \S.*", lines[0])
    assert lines[1] == "" and len(lines[2]) > 20
    if code in RULE_CODES:
        assert lines[0] == f"# {code}: {RULE_CODES[code]}"


@pytest.mark.parametrize("code", RULE_CODES)
def test_the_failing_rules_give_exactly_their_code_with_place_and_hint(code: str) -> None:
    text = one(code, "rules fail")
    found = refuted(text, code) if code >= "CQ600" else problems_of(text)
    assert {problem.code for problem in found} == {code}
    for problem in found:
        assert problem.hint
        assert 1 <= problem.span.line <= text.count("\n") + 1
        assert problem.span.column >= 1
        start = (problem.span.line, problem.span.column)
        assert start <= (problem.span.end_line, problem.span.end_column)
    assert places_left_out(told(found, text) + "\n") == places_left_out(one(code, "message"))
    assert format_if_readable(text) == text


def places_left_out(text: str) -> str:
    """Places in shipped files move when something is written above them."""
    return re.sub(r"(?<!mine)(\.rules):\d+:\d+", r"\1", text)


def format_if_readable(text: str) -> str:
    """An example is in canonical layout unless its point is that it cannot be read."""
    if any(problem.code < "CQ200" and problem.code != "CQ106" for problem in problems_of(text)):
        return text
    return format_rules(text)


@pytest.mark.parametrize("code", RULE_CODES)
def test_the_passing_rules_give_no_problem(code: str) -> None:
    text = one(code, "rules pass")
    assert problems_of(text) == []
    assert code < "CQ600" or refuted(text, code) == []
    assert format_rules(text) == text


TRANSCRIPT_CODES = sorted(set(codes()) - set(RULE_CODES) - EXAMPLES_ELSEWHERE)


def judged(code: str, text: str, tmp_path: Path) -> list[tuple[str, str]]:
    if code in SCORE_CODES:
        (sheet,) = read(text.encode(), "game.cqn")
        notes = score(sheet, as_played=code == "as-played").score.notes
        return [(note.code, f"game.cqn:{note.line}: {note.code} {note.message}") for note in notes]
    if code != "house":
        return said(text)
    file = tmp_path / "first-meld.rules"
    file.write_text(one(code, "rules given"), encoding="utf-8")
    return said(text, rules=str(file))


@pytest.mark.parametrize("code", TRANSCRIPT_CODES)
def test_the_failing_transcript_gives_its_code(code: str, tmp_path: Path) -> None:
    found = judged(code, one(code, "transcript fail"), tmp_path)
    wanted = WORD.get(code, code)
    assert {c for c, _ in found} - TOGETHER.get(code, set()) == {wanted}
    assert "\n".join(line for c, line in found if c == wanted) + "\n" == one(code, "message")


@pytest.mark.parametrize("code", TRANSCRIPT_CODES)
def test_the_passing_transcript_gives_nothing(code: str, tmp_path: Path) -> None:
    assert judged(code, one(code, "transcript pass"), tmp_path) == []


# ---- what a page cannot show


@pytest.mark.parametrize("code", sorted(EXAMPLES_ELSEWHERE))
def test_a_page_without_example_has_none_at_all(code: str) -> None:
    assert blocks(shown(code)) == []


def test_encoding_a_file_that_is_no_utf_8() -> None:
    (sheet,) = read("rules: swedish\nplayers: Zoë, Ben\n\nBen turns 5c\n".encode("latin-1"), "game.cqn")
    assert {error.code for error in judge(sheet).errors} == {"encoding"}


def test_too_long_a_sentence_of_more_than_twenty_thousand_characters() -> None:
    start = "rules: swedish\nplayers: Ana, Ben\n\n"
    assert {code for code, _ in said(f"{start}Ana holds {'5c ' * 7000}\n")} == {"too-long"}


def test_rules_overridden_by_the_command_line() -> None:
    text = "rules: swedish\nplayers: Ana, Ben\n\nAna turns 5c\n"
    assert [code for code, _ in said(text, rules="coonking")] == ["rules-overridden"]
    assert said(text, rules="swedish") == []


def test_cannot_open_a_file_that_is_not_there_nor_a_folder(tmp_path: Path) -> None:
    for path in (str(tmp_path / "nowhere.cqn"), str(tmp_path)):
        (found,) = scored_files([path], None, {}, None)
        assert [error.code for error in found.score.errors] == ["cannot-open"]


def test_unknown_codes_have_no_page() -> None:
    assert page("CQ999") is None
    assert page("../rules") is None
    assert page("house.anything") == page("house")
