"""A rule set can be read: by people with everything that it says, by programs as data."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from conquian.language.build import compile_text, load
from conquian.language.names import shipped
from conquian.language.rules import RuleSet
from conquian.language.show import PARTS, as_data, show
from conquian.language.wording import body_words

HOUSE = sorted((Path(__file__).parents[1] / "house_rules").glob("*.rules"))
SETS = [load(name) for name in shipped()] + [load(str(file)) for file in HOUSE]


@pytest.mark.parametrize("rules", SETS, ids=lambda rules: rules.name)
def test_a_shown_rule_set_leaves_nothing_out(rules: RuleSet) -> None:
    text = show(rules)
    joined = " ".join(text.split())
    assert text.startswith(f"{rules.name}: {rules.title}\n")
    for clause in rules.clauses:
        assert " ".join(f"{clause.name}: {clause.sentence}".split()) in joined
        assert all(passage in text for passage in clause.cites)
        assert clause.code is None or f"code {clause.code}" in text
    for reading in rules.readings:
        assert f"{reading.name}: {reading.question}" in joined
        assert " ".join(reading.because.split()) in joined
        assert all(choice in text for choice in reading.choices)
    assert joined.count("(inherited from") == sum(
        origin != rules.name
        for origin in (
            [p.origin for p in rules.clauses]
            + [p.origin for p in rules.readings]
            + [p.origin for p in rules.obligations]
        )
    )
    assert all(len(line) <= 100 for line in text.splitlines())


def test_show_a_clause_with_its_words_and_its_sheet() -> None:
    text = show(load("swedish-packets"))
    assert (
        "  dealing: Ten cards each, in five packets of two.\n"
        "    deal 10 in packets of 2\n"
        "    Swedish rule sheet: sw.forms.5\n"
    ) in text
    assert (
        "  use-offer: The card on offer is in one of the melds. (inherited from common)\n"
        "    player may not meld when no n in after: up in n\n"
        "    code offer-not-used\n"
        "    Swedish rule sheet: sw.intro.2\n"
        "    no sheet: common.meld\n"
    ) in text


def test_show_a_reading_with_its_choices_and_its_reason() -> None:
    text = show(load("swedish-packets"))
    assert (
        "  new-meld: Must a new combination hold two cards from the hand? (inherited from common)\n"
        "    two-from-hand (or any), chosen in swedish\n"
        "    The sheet asks for two hand cards in a new combination.\n"
        "    Swedish rule sheet: sw.turn.3\n"
    ) in text


def test_a_definition_is_written_out_even_inside_a_quantifier_of_the_same_name() -> None:
    # `extends` ranges over `m`; called for another `m`, the two are kept apart.
    text = """ruleset mine "Mine"
extends classic
source club "Club" in "club.txt"
clause x "X" cite club.1 code house.x player may not meld when some m in after: extends(m)
"""
    rules, problems = compile_text(text, "mine.rules")
    assert rules is not None and not problems
    clause = rules.clauses[-1]
    assert body_words(clause.body) == (
        "player may not meld when some m in after: some m2 in before: size(m & m2) >= 2 and valid(m2 + up)"
    )


@pytest.mark.parametrize("rules", [r for r in SETS if r.playable], ids=lambda rules: rules.name)
def test_the_words_of_a_body_read_again_give_the_same_body(rules: RuleSet) -> None:
    items = "".join(f'override clause {c.name} "x" cite a.1\n{body_words(c.body)}\n' for c in rules.clauses)
    text = f'ruleset again "Again"\nextends {rules.name}\nsource a "A" in "a"\n{items}'
    own = {file.stem: file.read_text(encoding="utf-8") for file in HOUSE}

    def find(name: str) -> tuple[str, str] | None:
        from conquian.language.names import finder

        return (f"{name}.rules", own[name]) if name in own else finder()(name)

    again, problems = compile_text(text, "again.rules", find)
    assert again is not None
    assert [p.message for p in problems if p.severity == "error"] == []
    assert [c.body for c in again.clauses] == [c.body for c in rules.clauses]


@pytest.mark.parametrize("rules", SETS, ids=lambda rules: rules.name)
def test_as_data_is_json_and_as_complete(rules: RuleSet) -> None:
    data = json.loads(json.dumps(as_data(rules)))
    assert [clause["name"] for clause in data["clauses"]] == [clause.name for clause in rules.clauses]
    assert [reading["name"] for reading in data["readings"]] == [r.name for r in rules.readings]
    assert data["lineage"] == list(rules.lineage)
    assert all(clause["about"] in PARTS and clause["text"] for clause in data["clauses"])
    for clause in data["clauses"]:
        assert clause["inherited"] == (clause["origin"] != rules.name)
