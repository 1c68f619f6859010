"""`prove` items: inherited, overridden and dropped like clauses, and nothing to the game that is played."""

from __future__ import annotations

from typing import get_args

import pytest

from conquian.engine.program import compile_rules
from conquian.language import obligations as o
from conquian.language.build import compile_text, load
from conquian.language.fmt import format_rules
from conquian.language.rules import RuleSet
from conquian.language.show import as_data, show
from conquian.language.wording import claim_words

HEAD = 'ruleset mine "Mine"\nextends classic\nsource club "Club" in "club.txt"\n\n'
CLAIMS: list[o.Claim] = [
    o.Kept(),
    o.GoingOn(),
    o.Met(),
    o.Reached(),
    o.NeverPassed(),
    o.Mattering(),
    o.Agreeing(),
    o.Ending(None),
    o.Ending(75),
]


def rules_of(text: str) -> RuleSet:
    rules, problems = compile_text(HEAD + text, "mine.rules")
    assert rules is not None and not problems
    return rules


def codes(text: str) -> list[tuple[str, int]]:
    return [(p.code, p.span.line) for p in compile_text(HEAD + text, "mine.rules")[1]]


@pytest.mark.parametrize("claim", CLAIMS, ids=claim_words)
def test_the_words_of_a_claim_read_again_are_that_claim(claim: o.Claim) -> None:
    found = rules_of(f"prove it: {claim_words(claim)}\n").obligations[-1]
    assert (found.name, found.claim, found.origin, found.span.line) == ("it", claim, "mine", 5)


def test_every_kind_of_claim_is_tried_here() -> None:
    assert {type(claim) for claim in CLAIMS} == set(get_args(o.Claim))


def test_every_shipped_set_carries_the_claims_of_common_but_for_goals_that_can_be_passed() -> None:
    common = [one.name for one in load("common").obligations]
    assert len(common) == 8 and {type(one.claim) for one in load("common").obligations} == set(
        get_args(o.Claim)
    )
    for name in ("classic", "swedish", "paco"):
        assert [one.name for one in load(name).obligations] == common
    for name in ("twice-around", "two-deck", "partnership"):
        assert set(common) - {one.name for one in load(name).obligations} == {"never-passed"}


def test_an_obligation_is_overridden_by_one_of_its_kind_and_dropped_by_its_name() -> None:
    rules = rules_of("override prove ending: play ends within 90 events\n\ndrop proof goal\n")
    assert {x.name: x.claim for x in rules.obligations}["ending"] == o.Ending(90)
    assert "goal" not in {x.name for x in rules.obligations}
    assert any(clause.name == "goal" for clause in rules.clauses)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("prove ending: play ends\n", "CQ504"),
        ("override prove endless: play ends\n", "CQ501"),
        ("override prove ending: every rule matters\n", "CQ502"),
        ("override prove ending: play ends\n", "CQ503"),
        ("drop proof endings\n", "CQ501"),
        ("drop ending\n", "CQ501"),
        ("prove ending-soon: play ends within 0 events\n", "CQ104"),
        ("prove x: some play ends\n", "CQ101"),
    ],
)
def test_what_an_obligation_cannot_be(text: str, code: str) -> None:
    assert codes(text) == [(code, 5)]


def test_the_same_name_twice_in_a_file() -> None:
    assert codes("prove x: play ends\n\nprove x: play ends\n") == [("CQ204", 7)]


def test_obligations_are_laid_out_once_with_their_comments() -> None:
    text = '# all of it\nprove   x :play\n ends  within 20 events # soon\ndrop   proof y because "Why."\n'
    once = format_rules(text)
    assert (
        once == '# all of it\nprove x: play ends within 20 events  # soon\n\ndrop proof y\n  because "Why."\n'
    )
    assert format_rules(once) == once


def test_obligations_are_shown() -> None:
    rules = rules_of("override prove ending: play ends within 90 events\n")
    text = show(rules)
    assert "  ending: play ends within 90 events\n" in text
    assert "  kept: every card is in one place (inherited from common)\n" in text
    assert {
        "name": "ending",
        "claim": "play ends within 90 events",
        "origin": "mine",
        "inherited": False,
    } in as_data(rules)["obligations"]


def test_obligations_change_nothing_of_the_program_that_plays() -> None:
    plain, proving = rules_of(""), rules_of("prove it: play ends within 90 events\n\ndrop proof goal\n")
    assert compile_rules(plain) == compile_rules(proving)
