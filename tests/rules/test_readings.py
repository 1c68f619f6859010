"""The readings: the default of each family, and what each choice changes."""

from __future__ import annotations

import pytest

from conquian import load
from conquian.engine.engine import UnknownReading

from .telling import FAMILIES, RULE_SETS, here, judged, melding, melds, tables, to_the_last_card
from .test_flow import exhausted

# Reading, choices, then the default of classic, coonking, swedish.
TABLE = """
discard-after-meld | yes no | yes yes yes
new-meld | any two-from-hand | any any two-from-hand
hand-only-melds | with-offer none | with-offer with-offer with-offer
borrowing | free never-from-three afterwards | free never-from-three free
arranging | alone with-meld | alone with-meld with-meld
force-timing | on-decline on-offer none | on-decline on-decline on-offer
force-scope | extension rearrangement | extension extension extension
force-discharge | there anywhere | there there there
goal | exactly at-least | exactly exactly exactly
group-suits | any distinct | any any any
exhaustion | offered immediate | offered offered offered
draw-settlement | carry point-each replay double-next pot | carry pot double-next
rummy-bonus | none double | none none none
"""
# Of deals that the players end themselves; beside the contract's table.
MORE = """
concession | lost void | lost lost lost
agreed-draw | drawn void | drawn drawn drawn
breaking-off | void drawn | void void void
"""
ROWS = [[part.split() for part in line.split("|")] for line in (TABLE.strip() + MORE).splitlines()]
CHOICES = {name: choices for (name,), choices, _ in ROWS}
DEFAULTS = {
    family: {name: defaults[column] for (name,), _, defaults in ROWS}
    for column, family in enumerate(FAMILIES)
}
# What the sets that extend a family choose otherwise.
CHOSEN = {
    "twice-around": {"discard-after-meld": "no"},
    "two-deck": {"discard-after-meld": "no"},
    "no-force": {"force-timing": "none"},
    "discard-then-meld": {"borrowing": "afterwards", "arranging": "with-meld"},
}
FAMILY = {
    rules: "coonking" if rules == "coonking" else "swedish"
    for rules in ("coonking", "swedish", "swedish-packets", "mexican", "paco", "navajo-tens")
}


@pytest.mark.parametrize("rules", RULE_SETS)
def test_each_rule_set_has_the_default_of_its_family_or_chooses_otherwise(rules: str) -> None:
    family = DEFAULTS[FAMILY.get(rules, "classic")]
    assert load(rules).readings == {**family, **CHOSEN.get(rules, {})}


@pytest.mark.parametrize("rules", RULE_SETS)
def test_each_reading_has_its_choices_and_no_other(rules: str) -> None:
    for name, choices in CHOICES.items():
        for choice in choices:
            assert load(rules, {name: choice}).readings[name] == choice
    with pytest.raises(UnknownReading):
        load(rules, {"new-meld": "three-from-hand"})
    with pytest.raises(UnknownReading):
        load(rules, {"new-melds": "any"})


# The same cards in every family: none above the seven, and the starter where there is one.

HEAD = {"classic": "starter 7s\nAna passes\nBen passes\n", "coonking": "", "swedish": ""}


@pytest.mark.parametrize("rules", FAMILIES)
def test_discard_after_meld_no_ends_the_turn_and_the_next_player_turns(rules: str) -> None:
    start, n = HEAD[rules] + "Ana turns 5c; melds 5c 6c 7c", HEAD[rules].count("passes")
    assert judged(rules, start + "; discards 2d", "discard-after-meld=yes") == "unfinished"
    assert judged(rules, start + "; discards 2d", "discard-after-meld=no") == f"not-your-turn @ {n + 2}"
    assert judged(rules, start + "\nBen turns 2d; passes", "discard-after-meld=no") == "unfinished"
    assert judged(rules, start + "\nBen passes", "discard-after-meld=no") == f"no-offer @ {n + 2}"
    assert judged(rules, start + "\nBen turns 2d", "discard-after-meld=yes") == f"not-your-turn @ {n + 2}"


@pytest.mark.parametrize("rules", FAMILIES)
def test_new_meld_two_from_hand_refuses_one_hand_card_and_a_borrowed_one(rules: str) -> None:
    # The seven of a run of four, one hand card and the offer. Under never-from-three a run of four may lend.
    for choice, expected in (("any", None), ("two-from-hand", "new-meld")):
        position = here(rules, "7h", "4s 5s 6s 7s", "7d", f"new-meld={choice}")
        assert melding(position, "7s 7h 7d") == expected
    # With two hand cards it is a new meld under both.
    position = here(rules, "7h", "4s 5s 6s 7s", "7d 7c", "new-meld=two-from-hand")
    assert melding(position, "7h 7d 7c") is None


@pytest.mark.parametrize("rules", FAMILIES)
def test_new_meld_an_old_meld_whole_or_an_extended_one_needs_no_hand_card(rules: str) -> None:
    # Whole: two old melds joined by the card on offer, though neither is extended by it alone.
    position = here(rules, "4d", "Ad 2d 3d, 5d 6d 7d", "", "new-meld=two-from-hand")
    assert melding(position, "Ad 2d 3d 4d 5d 6d 7d") is None
    # Extended: the run takes the three; its low end goes with it, its high end stays behind.
    position = here(rules, "3s", "4s 5s 6s 7s, 7c 7d 7h", "", "new-meld=two-from-hand")
    assert melding(position, "3s 4s 5s 6s, 7c 7d 7h 7s") is None
    # Not extended: the three joins the run, but only the four of it is in the new meld.
    position = here(rules, "3s", "4s 5s 6s 7s, 2c 2d 2h 2s", "", "new-meld=two-from-hand")
    assert melding(position, "2s 3s 4s, 5s 6s 7s") == "new-meld"


@pytest.mark.parametrize("rules", FAMILIES)
def test_hand_only_melds_none_forbids_a_further_meld_of_hand_cards_alone(rules: str) -> None:
    listed = "2c 2d 2h, 4s 5s 6s"
    for choice, expected in (("with-offer", None), ("none", "hand-only-melds")):
        position = here(rules, "2c", "", "2d 2h 4s 5s 6s", f"hand-only-melds={choice}")
        assert melding(position, listed) == expected
    # Hand cards that extend an old meld are no meld of hand cards alone.
    position = here(rules, "2c", "4s 5s 6s", "2d 2h 7s", "hand-only-melds=none")
    assert melding(position, "2c 2d 2h, 4s 5s 6s 7s") is None


@pytest.mark.parametrize("rules", FAMILIES)
def test_borrowing_from_a_run_of_three_is_free_or_not(rules: str) -> None:
    # The seven of 5-6-7 for three sevens, the run mended with the four from the hand.
    listed = "7s 7h 7d, 4s 5s 6s"
    readings = ("new-meld=any",)
    for choice, expected in (("free", None), ("never-from-three", None), ("afterwards", "borrowing")):
        position = here(rules, "7h", "5s 6s 7s", "4s 7d", f"borrowing={choice}", *readings)
        assert melding(position, listed) == expected
    # A group of four lends one; a group of three does not, unless a fourth was added in the same act.
    listed = "5c 6c 7c, 5d 5h 5s"
    for choice, expected in (("free", None), ("never-from-three", None), ("afterwards", "borrowing")):
        position = here(rules, "7c", "5c 5d 5h 5s", "6c", f"borrowing={choice}", *readings)
        assert melding(position, listed) == expected
        position = here(rules, "7c", "5c 5d 5h", "6c 5s", f"borrowing={choice}", *readings)
        assert melding(position, listed) == expected
    # A run of three whose middle card goes is no longer there at all.
    for choice, expected in (("free", None), ("never-from-three", "borrowing"), ("afterwards", "borrowing")):
        position = here(rules, "2d", "2s 3s 4s", "4c 4d 3c 3d", f"borrowing={choice}", *readings)
        assert melding(position, "2s 3s 4s, 2d 3d 4d") is None
        assert (
            melding(
                here(rules, "2d", "2s 3s 4s", "2c 3c 3d 4c 4d", f"borrowing={choice}", *readings),
                "2c 2d 2s, 3c 3d 3s, 4c 4d 4s",
            )
            == expected
        )


@pytest.mark.parametrize("rules", FAMILIES)
def test_arranging_alone_allows_regrouping_without_the_card_on_offer(rules: str) -> None:
    start, n = HEAD[rules] + "Ana turns 5c; melds 5c 6c 7c 4c", HEAD[rules].count("passes")
    record = start + "; arranges 4c 5c 6c 7c; discards Ad"
    assert judged(rules, record, "arranging=alone") == "unfinished"
    assert judged(rules, record, "arranging=with-meld") == f"arranging @ {n + 2}"


@pytest.mark.parametrize("rules", FAMILIES)
def test_force_timing_says_when_a_demand_may_be_made(rules: str) -> None:
    start, n = HEAD[rules] + "Ana turns 5c; melds 5c 6c 7c; discards Ad\n", HEAD[rules].count("passes")
    start += "Ben passes; turns 2d; passes\nAna passes; turns 4c"
    passed, offered = start + "; passes\nBen forces", start + "\nBen forces"
    assert judged(rules, offered, "force-timing=on-offer") == "unfinished"
    assert judged(rules, offered, "force-timing=on-decline") == f"no-force-due @ {n + 8}"
    assert judged(rules, offered, "force-timing=none") == f"no-force-due @ {n + 8}"
    assert judged(rules, passed, "force-timing=on-offer") == "unfinished"
    assert judged(rules, passed, "force-timing=on-decline") == "unfinished"
    assert judged(rules, passed, "force-timing=none") == f"no-force-due @ {n + 9}"


@pytest.mark.parametrize("rules", FAMILIES)
def test_force_scope_rearrangement_lets_the_whole_table_be_laid_out_anew(rules: str) -> None:
    """3c 3d 3h 3s with 4c 5c 6c: the two of clubs fits neither, but goes with the three of clubs."""
    lines = "Ana turns 3c; melds 3c 3d 3h 3s; discards Ad\nBen passes; turns 4c; passes\n"
    lines += "Ana melds 4c 5c 6c; discards 7d\nBen passes; turns 2c; passes\nAna passes\nBen forces"
    n = HEAD[rules].count("passes")
    assert judged(rules, HEAD[rules] + lines, "force-scope=extension") == f"no-force-due @ {n + 12}"
    assert judged(rules, HEAD[rules] + lines, "force-scope=rearrangement") == "unfinished"
    lines += "\nAna melds 2c 3c 4c 5c 6c"
    assert judged(rules, HEAD[rules] + lines, "force-scope=rearrangement") == "unfinished"


@pytest.mark.parametrize("rules", FAMILIES)
def test_force_discharge_anywhere_lets_the_forced_card_go_to_another_meld(rules: str) -> None:
    lines = (
        "Ana turns 5c; melds 5c 6c 7c; discards Ad\nBen passes; turns 4c; passes\nAna passes\nBen forces\n"
    )
    n = HEAD[rules].count("passes")
    elsewhere = HEAD[rules] + lines + "Ana melds 4c 4d 4h"
    assert judged(rules, elsewhere, "force-discharge=there") == f"forced @ {n + 8}"
    assert judged(rules, elsewhere, "force-discharge=anywhere") == "unfinished"


@pytest.mark.parametrize("rules", FAMILIES)
def test_goal_at_least_matters_only_where_the_table_can_pass_the_goal(rules: str) -> None:
    # Without discards the hand stays large: nine on the table, 3d and 2d make eleven, with Ad twelve.
    for choice, wins in (("exactly", False), ("at-least", True)):
        readings = ("discard-after-meld=no", f"goal={choice}")
        position = here(rules, "3d", "Ac 2c 3c 4c 5c, 4d 5d 6d 7d", "2d Ad", *readings)
        assert position.apply(("me", "melds", melds("2d 3d 4d 5d 6d 7d"))).phase == "won"
        past = position.apply(("me", "melds", melds("Ad 2d 3d 4d 5d 6d 7d")))
        assert (past.phase == "won") == wins


@pytest.mark.parametrize("rules", ["two-deck", "partnership", "paco", "navajo-tens"])
def test_group_suits_distinct_forbids_two_copies_in_one_group(rules: str) -> None:
    for choice, expected in (("any", None), ("distinct", "invalid-meld")):
        position = here(rules, "5c", "", "5c 5d", f"group-suits={choice}")
        assert melding(position, "5c 5c 5d") == expected
    assert melding(here(rules, "5c", "", "5d 5h 5s", "group-suits=distinct"), "5c 5d 5h 5s") is None
    # A run never holds two copies.
    assert melding(here(rules, "5c", "", "5c 6c 7c"), "5c 5c 6c 7c") == "invalid-meld"


@pytest.mark.parametrize("rules", FAMILIES)
def test_exhaustion_immediate_draws_the_deal_after_the_pass_of_the_last_stock_card(rules: str) -> None:
    turner, other = ("Ana", "Ben") if rules == "classic" else ("Ben", "Ana")
    record = exhausted(rules)
    assert judged(rules, record, "exhaustion=offered") == "unfinished"
    assert judged(rules, record, "exhaustion=immediate") == "drawn"
    after = judged(rules, record + f"\n{other} passes", "exhaustion=immediate")
    assert after.startswith("game-over @")
    # Until its pass the last card can be melded, by the player who turned it.
    before = record.removesuffix("; passes")
    assert judged(rules, before, "exhaustion=immediate") == "unfinished"
    assert turner in before.splitlines()[-1]


@pytest.mark.parametrize("rules", FAMILIES)
def test_exhaustion_immediate_draws_the_deal_after_the_last_cards_discard(rules: str) -> None:
    record = exhausted(rules).removesuffix("; passes")
    up = "5s"
    high = "8s" if rules == "coonking" else "Js"
    melded = record + f"; melds {up} 6s 7s; discards {high}"
    assert judged(rules, melded, "exhaustion=offered") == "unfinished"
    assert judged(rules, melded, "exhaustion=immediate") == "drawn"
    assert judged(rules, record + f"; melds {up} 6s 7s", "exhaustion=immediate") == "unfinished"
    assert judged(rules, record + f"; melds {up} 6s 7s", "discard-after-meld=no") == "drawn"


def test_exhaustion_immediate_the_demand_on_the_last_pass_comes_first() -> None:
    # Ben melds three diamonds, and turns and passes the last card of the stock, which fits there.
    opening = ["Ana turns 5h; passes", "Ben passes; turns 2d; melds Ad 2d 3d; discards 10s"]
    record = to_the_last_card("coonking", opening, last="4d", kept="10h")
    assert judged("coonking", record, "exhaustion=immediate") == "drawn"
    assert judged("coonking", record, "exhaustion=offered") == "unfinished"
    forced = record + "\nAna forces"
    assert judged("coonking", forced, "exhaustion=immediate") == "unfinished"
    laid = forced + "\nBen melds Ad 2d 3d 4d; discards 10h"
    assert judged("coonking", laid, "exhaustion=immediate") == "drawn"
    assert judged("coonking", laid, "exhaustion=offered") == "unfinished"


@pytest.mark.parametrize("rules", FAMILIES)
@pytest.mark.parametrize("reading", ["draw-settlement", "rummy-bonus"])
def test_readings_of_the_stakes_change_no_verdict_on_play(rules: str, reading: str) -> None:
    holder = "Ben" if rules == "classic" else "Ana"
    for choice in CHOICES[reading]:
        assert judged(rules, exhausted(rules, f"{holder} passes"), f"{reading}={choice}") == "drawn"
    assert tables(here(rules, "5c", "", "6c 7c")) == tables(
        here(rules, "5c", "", "6c 7c", f"{reading}={CHOICES[reading][-1]}")
    )
