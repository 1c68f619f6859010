"""Mutants of the rule files: a fixed sample is noticed, and what is listed as surviving changes nothing."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from random import Random

import pytest

from conquian.engine.sets import rule_sets

from .asking import Asked, answer
from .cases import FOLDER, expected, read
from .facts import wrong
from .mutants import Mutant
from .proofs import difference
from .running import CASES, CHECKER, FACTS, SURVIVOR, Bench
from .survivors import LIST, MOST, amiss, listed

SAMPLE, SEED = 150, 20
MEGABYTES = 3


@lru_cache(maxsize=1)
def bench() -> Bench:
    return Bench()


@lru_cache(maxsize=1)
def every_mutant() -> dict[str, Mutant]:
    return {mutant.key: mutant for name in bench().files.files for mutant in bench().mutants(name)}


@pytest.mark.parametrize("rules", rule_sets())
def test_the_rule_files_answer_every_golden_case(rules: str) -> None:
    asked = Asked(bench().files.program(rules))
    cases = read(rules)
    assert cases
    for number, case in enumerate(cases):
        assert answer(asked, case) == expected(case), f"case {number + 1}"


def test_the_rule_files_contradict_no_fact() -> None:
    for name in bench().files.files:
        assert wrong(bench().untouched(name)[name]) is None, name


def test_the_golden_cases_are_small() -> None:
    assert sum(path.stat().st_size for path in FOLDER.glob("*.jsonl")) < MEGABYTES * 1_000_000


def test_every_mutant_of_a_fixed_sample_is_noticed_or_listed() -> None:
    names = list(bench().files.files)
    drawn = set(Random(SEED).sample(sorted(every_mutant()), SAMPLE))
    tried = []
    for name in names:
        mutants = [mutant for mutant in bench().mutants(name) if mutant.key in drawn]
        tried += list(bench().run(name, mutants))
    assert not amiss(tried, ())
    assert {CHECKER, FACTS, CASES} <= {one.fate for one in tried}


def test_survivors_are_few_and_are_mutants() -> None:
    assert len(listed()) <= MOST * len(every_mutant())
    assert not [key for key in listed() if key not in every_mutant()]


@pytest.mark.parametrize("key", listed(), ids=str)
def test_a_listed_survivor_changes_nothing(key: str) -> None:
    mutant = every_mutant()[key]
    typed, original = bench().typed(mutant), bench().untouched(mutant.name)
    assert typed is not None, "the checker refuses it"
    for name in bench().judges(mutant.name):
        assert difference(original[name], typed[name], listed()[key].play) is None


@pytest.mark.parametrize(
    "key",
    [
        "common / clause borrowing / arrange dropped",
        "common / clause borrowing / m + n => m",
        "common / clause demand / in declined dropped",
        "common / clause offering / line 2 dropped",
        "common / clause discarding / line 1: then offer to next => to player",
        "common / clause winning / size(cards(after)) = goal => size(cards(after)) != goal",
        "swedish / clause goal / 11 => 12",
    ],
    ids=str,
)
def test_the_proofs_tell_a_mutant_from_the_rules(key: str) -> None:
    mutant = every_mutant()[key]
    typed, original = bench().typed(mutant), bench().untouched(mutant.name)
    if typed is not None:
        assert any(difference(original[name], typed[name]) for name in bench().judges(mutant.name))


def test_a_survivor_that_is_not_listed_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "mexican"
    tried = list(bench().run(name))
    assert [one.mutant.key for one in tried if one.fate == SURVIVOR]
    assert not amiss(tried, [name])
    empty = tmp_path / "survivors.toml"
    empty.write_text("", encoding="utf-8")
    monkeypatch.setattr("tests.mutation.survivors.LIST", empty)
    assert amiss(tried, [name])[0].startswith("survives and is not listed")
    monkeypatch.setattr("tests.mutation.survivors.LIST", LIST)
    killed = [one for one in tried if one.fate != SURVIVOR]
    assert amiss(killed, [name])[0].startswith("is listed and does not survive")
