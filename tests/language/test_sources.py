"""The rule files rest on the sheets: each rule and variant of `spec/sources.md` is cited, nothing else."""

from __future__ import annotations

import pytest

from conquian.language.build import load
from conquian.language.names import GENERAL_PASSAGES, passages, shipped
from conquian.language.rules import Clause, Reading, RuleSet

SETS = [load(name) for name in shipped()]


def parts(rules: RuleSet) -> list[Clause | Reading]:
    return [*rules.clauses, *rules.readings]


def cited(rules: RuleSet) -> set[str]:
    return {passage for part in parts(rules) for passage in part.cites}


def test_sources_lists_the_passages_of_three_sheets() -> None:
    assert {passage.split(".")[0] for passage in passages()} == {"cl", "ck", "sw"}
    assert len(passages()) > 120


@pytest.mark.parametrize("passage", [p for p, (kind, _) in passages().items() if kind in "NV"])
def test_every_rule_and_variant_of_the_sheets_is_cited(passage: str) -> None:
    assert any(passage in cited(rules) for rules in SETS)


@pytest.mark.parametrize("rules", SETS, ids=lambda rules: rules.name)
def test_nothing_is_cited_that_no_sheet_has(rules: RuleSet) -> None:
    assert cited(rules) <= set(passages()) | GENERAL_PASSAGES


@pytest.mark.parametrize("rules", SETS, ids=lambda rules: rules.name)
def test_every_clause_and_reading_cites_something(rules: RuleSet) -> None:
    assert all(part.cites for part in parts(rules))
    assert all(reading.because for reading in rules.readings)


@pytest.mark.parametrize("rules", [r for r in SETS if r.playable], ids=lambda rules: rules.name)
def test_what_decides_in_a_playable_set_rests_on_its_own_sheet(rules: RuleSet) -> None:
    # A verdict cites the first passage of a clause: one of the sheet, where the sheet says anything.
    unsaid = {c.name for c in rules.clauses if c.cites[0] in GENERAL_PASSAGES and c.code is not None}
    assert unsaid == set()


def test_passages_of_advice_are_not_needed() -> None:
    advice = {passage for passage, (kind, _) in passages().items() if kind == "T"}
    assert not advice & set().union(*(cited(rules) for rules in SETS))
