"""Exit statuses: 0 nothing illegal, 1 something illegal, 2 unusable; of several files the largest counts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from .conftest import CLUB
from .running import run


@pytest.mark.parametrize(
    ("files", "status"),
    [
        (["won.cqn"], 0),
        (["open.cqn"], 0),
        (["won.cqn", "open.cqn"], 0),
        (["club.cqn"], 1),
        (["won.cqn", "club.cqn", "open.cqn"], 1),
        (["broken.cqn"], 2),
        (["broken.cqn", "club.cqn", "won.cqn"], 2),
        (["missing.cqn"], 2),
        (["club.cqn", "missing.cqn"], 2),
        (["."], 2),
    ],
)
@pytest.mark.parametrize("form", ["text", "json", "jsonl"])
def test_of_several_files_the_largest_status_counts(files: list[str], status: int, form: str) -> None:
    assert run("validate", *files, "--format", form).status == status


def test_a_file_that_cannot_be_opened_is_named_and_the_others_are_judged() -> None:
    done = run("validate", "missing.cqn", "won.cqn", "--no-differs")
    assert done.out == "won.cqn: valid (swedish)\n  deal 1: valid, Ana wins\n"
    assert done.err.splitlines() == [
        "missing.cqn:1:1: cannot-open No such file or directory",
        "hint: check the name of the file",
    ]
    found = run("validate", "missing.cqn", "won.cqn", "--format", "json").data
    assert [one["verdict"] for one in found] == ["unreadable", "valid"]
    assert found[0]["errors"][0]["code"] == "cannot-open"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["validate", "won.cqn", "--rules", "sweedish"], "did you mean `swedish`"),
        (["validate", "won.cqn", "--reading", "new-meld=al"], "no choice of `new-meld`"),
        (["validate", "won.cqn", "--reading", "new-melds=any"], "did you mean 'new-meld'"),
        (["validate", "won.cqn", "--reading", "new-meld"], "is not NAME=CHOICE"),
        (
            ["validate", "won.cqn", "--reading", "new-meld=any", "--reading", "new-meld=two-from-hand"],
            "two choices",
        ),
        (["validate", "won.cqn", "--format", "xml"], "known: text, json, jsonl"),
        (["legal", "--rules", "swedish"], "no card is on offer"),
        (["legal", "--up", "5c"], "no rule set is named"),
        (["legal", "--rules", "swedish", "--up", "5x"], "is no card"),
        (["legal", "--rules", "swedish", "--up", "8c"], "not in the pack"),
        (["legal", "--rules", "swedish", "--up", "5c", "--hand", "5c"], "too often"),
        (["legal", "--rules", "swedish", "--up", "5c", "--table", "6c 7c"], "is no meld"),
        (["legal", "--rules", "swedish", "--up", "5c 6c"], "one card"),
        (["legal", "--rules", "swedish", "--up", "5c", "--at", "won.cqn:5"], "given twice"),
        (["legal", "--at", "won.cqn"], "names no place"),
        (["legal", "--at", "won.cqn:90"], "no event stands there"),
        (["legal", "--at", "missing.cqn:4"], "missing.cqn"),
        (["legal", "--position", "missing.json"], "missing.json"),
        (["legal", "--rules", "swedish", "--up", "5c", "--cards", "latin"], "known: french"),
        (["legal", "--rules", "swedish", "--up", "5c", "--stock", "41"], "not possible"),
        (["legal", "--rules", "swedish", "--up", "5c", "--turned-by", "you"], "me or opponent"),
        (["legal", "--rules", "swedish", "--up", "5c", "--meld", "5c 6c 7c", "--count"], "one meld"),
        (["convert", "missing.cqn"], "missing.cqn"),
        (["convert", "won.cqn", "--to", "pdf"], "known: text, json, jsonl"),
        (["convert", "broken.cqn"], "bad-card"),
        (["generate", "--rules", "sweedish"], "did you mean `swedish`"),
        (["generate", "--rules", "swedish", "--games", "2"], "need --to jsonl"),
        (["explain", "new-meldd"], "did you mean"),
        (["spec", "show", "sweedish"], "did you mean `swedish`"),
    ],
)
def test_what_cannot_be_used_is_status_2_with_words_on_standard_error(
    arguments: list[str], said: str
) -> None:
    done = run(*arguments)
    assert done.status == 2
    assert said in done.err
    assert done.out == ""


def test_an_unknown_rule_set_or_reading_in_a_header_makes_the_file_unreadable(folder: Path) -> None:
    for line, code in (
        ("rules: sweedish", "unknown-rules"),
        ("rules: swedish\nreadings: new-meld=al", "unknown-reading"),
        ("rules: swedish\nreadings: colour=blue", "unknown-reading"),
    ):
        (folder / "odd.cqn").write_text(CLUB.replace("rules: swedish", line), encoding="utf-8")
        done = run("validate", "odd.cqn", "--format", "json")
        assert (done.status, done.data[0]["verdict"], done.data[0]["errors"][0]["code"]) == (
            2,
            "unreadable",
            code,
        )


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary(max_size=200), form=st.sampled_from(["text", "json", "jsonl"]))
def test_any_bytes_as_a_transcript_end_in_a_verdict_or_an_error(data: bytes, form: str) -> None:
    done = run("validate", "-", "--format", form, given=data)
    assert done.status in (0, 1, 2)
    assert done.out


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(at=st.integers(0, len(CLUB)), cut=st.integers(0, 12), put=st.text(max_size=6))
def test_any_change_of_a_transcript_ends_in_a_verdict_or_an_error(at: int, cut: int, put: str) -> None:
    text = CLUB[:at] + put + CLUB[at + cut :]
    done = run("validate", "-", "--format", "json", given=text.encode("utf-8", "surrogatepass"))
    assert done.status in (0, 1, 2)
    (found,) = json.loads(done.out)
    assert found["verdict"] in ("valid", "invalid", "unfinished", "unreadable")


@pytest.mark.parametrize("name", ["club.json", "club.jsonl", "club.txt", "club"])
def test_any_name_of_a_file_ends_in_a_verdict_or_an_error(folder: Path, name: str) -> None:
    (folder / name).write_text(CLUB, encoding="utf-8")
    assert run("validate", name).status in (1, 2)
