"""Where two rule sets part: the positions that are known, that none is smaller, and what the solver proves."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import pytest
import z3  # type: ignore[import-untyped]

from conquian.differing import Difference, Differences, Name, differences, named
from conquian.engine.sets import rule_sets
from conquian.position import load
from conquian.verifier.difference import Search
from conquian.verifier.difference_asking import Comparison
from conquian.verifier.difference_clauses import wanted
from conquian.verifier.joint import joint
from tests.reference.melds import laid_out
from tests.reference.search import forceable, legal_tables
from tests.reference.settings import settings_for

from . import naive
from .comparing import compared

FULL = bool(os.environ.get("CONQUIAN_FULL"))
slow = pytest.mark.skipif(not FULL, reason="it takes seconds; set CONQUIAN_FULL=1")


def part(found: Differences, name: str, allows: str | None) -> Difference:
    return next(x for x in found.found if (x.name, x.allows) == (name, allows))


def split(word: str) -> tuple[str, dict[str, str]]:
    name, _, tail = word.partition("?")
    return name, dict(pair.split("=") for pair in tail.split("&") if pair)


def own_cards(one: Difference) -> int:
    """Table and hand."""
    assert one.cards is not None
    return one.cards - 1


def replayed(found: Differences) -> int:
    """Every meld and demand that needs no event before it, judged by the second referee; how many there were."""
    count = 0
    words = {"a": found.a.word, "b": found.b.word}
    for one in found.found:
        if one.position is None or one.event is None or one.allows is None or one.after:
            continue
        for side, word in words.items():
            settings = settings_for(*split(word))
            table = laid_out(one.position["table"], settings)
            up = one.position["up"]
            if one.event[1] == "melds":
                after = laid_out(one.event[2], settings) if _knows(one.event[2], settings) else None
                legal = after is not None and after in legal_tables(
                    settings, table, up, one.position["hand"], False
                )
            elif len(one.event) == 2 and one.name == "demand" and one.event[1] == "forces":
                legal = settings.force_timing != "none" and forceable(settings, table, up)
            else:
                continue
            assert legal is (side == one.allows), (word, one)
            count += 1
    return count


def _knows(melds: Sequence[Sequence[str]], settings: object) -> bool:
    try:
        laid_out([list(meld) for meld in melds], settings)  # type: ignore[arg-type]
    except (KeyError, ValueError, AssertionError):
        return False
    return True


# ---- what is known


def test_the_two_force_scopes_first_differ_at_seven_table_cards() -> None:
    found = compared("swedish", "swedish?force-scope=rearrangement")
    assert not found.equal
    for name in ("demand", "demand-at-once"):
        one = part(found, name, "b")
        assert (one.status, one.cards, one.smallest) == ("position", 8, True)
        assert one.position is not None
        assert sum(len(meld) for meld in one.position["table"]) == 7
        assert one.position["hand"] == []
        assert part(found, name, "a").status == "proved-equal"
    here = {"up": "2c", "table": [["3c", "3d", "3h", "3s"], ["4c", "5c", "6c"]]}
    scopes = [load("swedish"), load("swedish", {"force-scope": "rearrangement"})]
    assert [rules.position(**here).can(("opponent", "forces")) for rules in scopes] == [False, True]  # type: ignore[arg-type]


@pytest.mark.parametrize("count", [*range(6), pytest.param(6, marks=slow)])
def test_with_fewer_table_cards_what_can_be_laid_out_fits_as_it_lies(count: int) -> None:
    for table in naive.families(count, naive.melds(8)):
        cards = frozenset().union(*table)
        for up in naive.CARDS:
            if up not in cards and naive.divides(cards | {up}):
                assert any(meld | {up} in naive.VALID for meld in table)


def test_free_borrowing_and_never_from_three_part_with_seven_own_cards_and_no_fewer() -> None:
    found = compared("classic", "classic?borrowing=never-from-three")
    assert [(x.name, x.allows) for x in found.found] == [("borrowing", "a")]
    one = part(found, "borrowing", "a")
    assert (one.status, own_cards(one), one.smallest, one.code) == ("position", 7, True, "borrowing")
    assert replayed(found) == 2
    before = (frozenset({"2c", "3c", "4c"}), frozenset({"5c", "6c", "7c"}))
    after = (frozenset({"2c", "2d", "2h"}), frozenset({"3c", "4c", "5c", "6c", "7c"}))
    assert not naive.never_from_three(before, after, "2h", frozenset({"2d"}))
    event = ("me", "melds", (("2c", "2d", "2h"), ("3c", "4c", "5c", "6c", "7c")))
    table = [["2c", "3c", "4c"], ["5c", "6c", "7c"]]
    for choice, legal in (("free", True), ("never-from-three", False)):
        rules = load("classic", {"borrowing": choice})
        assert rules.position(up="2h", table=table, hand=["2d"]).can(event) is legal


@pytest.mark.parametrize("count", [*range(1, 7), pytest.param(7, marks=slow)])
def test_no_act_with_up_to_six_own_cards_tells_the_two_kinds_of_borrowing_apart(count: int) -> None:
    assert not naive.parts(count, naive.anything, naive.never_from_three)


def test_one_hand_card_in_a_new_meld_shows_with_six_cards_and_no_fewer() -> None:
    found = compared("swedish", "swedish?new-meld=any")
    assert [(x.name, x.clause, x.allows) for x in found.found] == [("new-meld", "sw.turn.3", "b")]
    one = part(found, "new-meld", "b")
    assert (one.status, one.cards, one.smallest, one.code) == ("position", 6, True, "new-meld")
    assert replayed(found) == 2
    assert not any(naive.parts(count, naive.anything, naive.two_from_hand) for count in range(1, 6))
    assert naive.parts(6, naive.anything, naive.two_from_hand)


@slow
def test_under_two_from_hand_borrowing_shows_with_nine_cards() -> None:
    found = compared("swedish", "swedish?borrowing=never-from-three")
    one = part(found, "borrowing", "a")
    assert (one.cards, one.smallest) == (9, True)
    assert replayed(found) == 2


def test_a_run_of_nine_parts_swedish_from_classic_and_no_shorter_one_does() -> None:
    found = compared("swedish", "classic")
    one = part(found, "runs", "b")
    assert (one.status, one.cards, one.smallest, one.code) == ("position", 9, True, "invalid-meld")
    assert part(found, "runs", "a").status == "proved-equal"
    assert replayed(found) >= 4
    assert part(found, "arranging", "b").event == ("me", "arranges", ())


def test_the_position_is_laid_in_cards_of_both_packs() -> None:
    found = compared("classic", "classic-52")
    assert replayed(found) >= 2
    for one in found.found:
        if one.position is not None:
            cards = [
                one.position["up"],
                *one.position["hand"],
                *(x for meld in one.position["table"] for x in meld),
            ]
            assert not {"8", "9", "10"} & {card[:-1] for card in cards}
    turned = part(found, "pack", "b")
    assert (turned.event, turned.code, turned.cards) == (("me", "turns", "8c"), "not-in-deck", 1)


def test_a_goal_shows_in_the_event_after_the_meld_that_wins() -> None:
    found = compared("swedish", "mexican")
    one = part(found, "goal", "a")
    assert (one.status, one.cards, one.smallest, one.code) == ("position", 10, True, "game-over")
    assert part(found, "goal", "b").status == "none-up-to"
    beyond = compared("classic", "twice-around")
    assert part(beyond, "goal", "b").cards == 11
    assert part(beyond, "goal", "b").event[:2] == ("opponent", "turns")  # type: ignore[index]


def test_what_follows_a_meld_shows_with_the_meld_and_one_card_more() -> None:
    found = compared("classic", "classic?discard-after-meld=no")
    shown = {x.allows: (x.cards, x.event and x.event[1]) for x in found.found}
    assert shown == {"a": (4, "discards"), "b": (3, "turns")}


def test_what_no_position_shows_is_named_with_what_each_side_says() -> None:
    found = compared("swedish", "swedish-packets")
    (one,) = found.found
    assert (one.name, one.allows, one.status, one.cards) == ("dealing", None, "none-up-to", 40)
    assert one.says == ("Ten cards each, one at a time.", "Ten cards each, in five packets of two.")
    assert not found.equal


def test_a_goal_that_cannot_be_passed_is_the_same_exactly_or_at_least() -> None:
    found = compared("swedish", "swedish?goal=at-least")
    assert [x.status for x in found.found] == ["proved-equal", "proved-equal"]
    assert found.equal


@pytest.mark.parametrize("name", ["swedish", "two-deck"])
def test_a_rule_set_is_equal_to_itself(name: str) -> None:
    found = compared(name, name)
    assert (found.found, found.equal) == ((), True)


# ---- copies


def test_two_copies_in_a_group_show_with_three_cards() -> None:
    found = compared("two-deck", "two-deck?group-suits=distinct")
    one = part(found, "groups", "a")
    assert (one.status, one.cards, one.smallest) == ("position", 3, True)
    assert replayed(found) == 2


@slow
def test_with_copies_borrowing_shows_with_fewer_cards_than_without() -> None:
    found = compared("two-deck", "two-deck?borrowing=never-from-three")
    one = part(found, "borrowing", "a")
    assert one.cards is not None and one.cards < 8
    assert one.smallest


@slow
def test_with_copies_what_was_looked_through_is_not_called_proved() -> None:
    found = compared(
        "two-deck?force-timing=on-offer", "two-deck?force-timing=on-offer&force-scope=rearrangement"
    )
    assert (part(found, "demand", "a").status, part(found, "demand", "a").cards) == ("none-up-to", 7)


# ---- the solver


@slow
def test_each_proof_is_unsatisfiable_for_a_solver_that_reads_only_its_script() -> None:
    found = compared("swedish", "swedish?force-scope=rearrangement&goal=at-least")
    proofs = [query for x in found.found if x.status == "proved-equal" for query in x.queries]
    assert len(proofs) >= 3
    shown = [query for x in found.found if x.status == "position" for query in x.queries]
    for queries, answer in ((proofs, z3.unsat), (shown, z3.sat)):
        for query in queries:
            solver = z3.Solver()
            solver.from_string(query.script())
            assert solver.check() == answer


@pytest.mark.parametrize(
    ("a", "b", "clause", "allows", "cards"),
    [
        pytest.param("classic", "classic-52", "order", "a", 3, marks=slow),
        pytest.param("classic", "classic-52", "demand", "a", 4, marks=slow),
        ("classic", "no-force", "demand", "a", 4),
    ],
)
def test_the_solver_alone_finds_the_same_number_of_cards(
    a: str, b: str, clause: str, allows: str, cards: int
) -> None:
    one, two = named(a), named(b)
    comparison = Comparison(joint(one.rules, two.rules, one.typed, two.typed))
    side: Name = "a" if allows == "a" else "b"
    asked = wanted(comparison, clause, side)
    assert asked is not None
    grown = Search(comparison).grown(asked, 0)
    assert (grown.status, grown.cards, grown.smallest) == ("position", cards, True)
    assert part(compared(a, b), clause, allows).cards == cards


def test_a_solver_that_gives_up_leaves_the_question_undecided() -> None:
    found = compared("swedish", "mexican", 1_000)
    assert (part(found, "goal", "a").status, part(found, "goal", "a").budget) == ("undecided", 1_000)


def test_an_event_that_one_order_of_play_lacks_is_not_asked_about() -> None:
    house = str(Path(__file__).parents[1] / "house_rules" / "fitting-discard.rules")
    found = compared("classic?discard-after-meld=no", house)
    assert part(found, "fitting-discard", "a").status == "proved-equal"
    assert part(found, "laying", "b").cards == 4


@slow
def test_a_meld_on_the_way_that_wins_leads_nowhere() -> None:
    house = str(Path(__file__).parents[1] / "house_rules" / "nine-of-eight.rules")
    found = compared("swedish", house)
    one = part(found, "runs", "b")
    assert (one.cards, one.event and one.event[1]) == (9, "melds")


def test_what_is_said_of_the_starter_alone_stays_undecided(tmp_path: Path) -> None:
    rules = tmp_path / "starter.rules"
    rules.write_text(
        'ruleset starter-stays "The starter stays"\n'
        "extends classic\n"
        'source club "Rules of the Thursday club" in "club.txt"\n\n'
        'clause starter-stays "The starter is not melded."\n'
        "  cite club.starter\n"
        "  code house.starter-stays\n"
        "  player may not meld when starter\n",
        encoding="utf-8",
    )
    found = compared("classic", str(rules))
    assert [(x.name, x.allows, x.status) for x in found.found] == [("starter-stays", "a", "undecided")]


def test_what_exhaustion_finds_needs_no_budget() -> None:
    found = compared("swedish", "swedish?new-meld=any", 1_000)
    assert part(found, "new-meld", "b").cards == 6


def test_the_same_comparison_gives_the_same_answer_again() -> None:
    once, again = (
        [x.document() for x in differences(named("coonking"), named("swedish")).found] for _ in range(2)
    )
    assert once == again


@pytest.mark.skipif(not FULL, reason="every pair takes minutes; set CONQUIAN_FULL=1")
def test_every_pair_of_shipped_sets_is_decided_within_ten_seconds() -> None:
    for a, b in combinations(rule_sets(), 2):
        began = time.process_time()
        found = compared(a, b)
        assert time.process_time() - began < 10, (a, b)
        assert all(x.status != "undecided" for x in found.found), (a, b)
        replayed(found)
