"""Forcing: when a demand is due, on whom, and what the forced player has to do."""

from __future__ import annotations

import pytest

from .telling import code, here, judged, melding, melds, notes, pack_of, tables, violation, written

# Ana has 5c 6c 7c on the table; what comes next is card 4c, turned by Ana or by Ben, or thrown by Ben.
ANA = "Ana turns 5c; melds 5c 6c 7c; discards Ad\n"
OWN = ANA + "Ben passes; turns 2d; passes\nAna passes; turns 4c"  # events to 7
LEFT = ANA + "Ben passes; turns 4c; passes\n"  # events to 5: declined by Ben, offered to Ana
THROWN = ANA + "Ben melds Ad Ah As; discards 4c\n"  # events to 4
EARLY, LATE = "force-timing=on-offer", "force-timing=on-decline"


@pytest.mark.parametrize("rules", ["swedish", "coonking"])
@pytest.mark.parametrize(("start", "n"), [(OWN, 8), (LEFT, 6), (THROWN, 5)], ids=["own", "left", "thrown"])
def test_it_applies_to_cards_turned_by_the_player_declined_or_thrown_by_the_opponent(
    rules: str, start: str, n: int
) -> None:
    obeys = "\nAna melds 4c 5c 6c 7c; discards 2h"
    assert judged(rules, start + "\nBen forces" + obeys, EARLY) == "unfinished"
    assert judged(rules, start + "\nAna passes\nBen forces" + obeys, EARLY) == "unfinished"
    assert judged(rules, start + "\nAna passes\nBen forces" + obeys, LATE) == "unfinished"
    assert judged(rules, start + "\nBen forces" + obeys, LATE) == f"no-force-due @ {n}"


@pytest.mark.parametrize(
    ("rules", "timing"), [("swedish", EARLY), ("coonking", LATE), ("classic", LATE), ("no-force", "")]
)
def test_the_default_timing_of_each_family(rules: str, timing: str) -> None:
    starter = "starter Kh\nAna passes\nBen passes\n" if rules in ("classic", "no-force") else ""
    n = starter.count("passes")
    early, late = starter + OWN + "\nBen forces", starter + OWN + "\nAna passes\nBen forces"
    assert judged(rules, early) == ("unfinished" if timing == EARLY else f"no-force-due @ {8 + n}")
    assert judged(rules, late) == ("unfinished" if timing else f"no-force-due @ {9 + n}")


def test_the_demand_is_optional_and_a_note_says_that_it_was_not_made() -> None:
    record = OWN + "; passes\nBen passes; turns Qh"
    assert judged("swedish", record) == "unfinished"
    assert notes("swedish", record) == [("demand-not-made", 8)]
    assert notes("swedish", record, "force-timing=none") == []
    # Nor when the deal goes on by the player's own will to meld.
    assert notes("swedish", OWN + "; melds 4c 5c 6c 7c; discards 2h") == []


def test_made_when_it_is_not_due_it_is_a_violation_by_the_one_who_made_it() -> None:
    record = ANA + "Ben passes; turns 2d; passes\nBen forces"
    assert judged("swedish", record) == "no-force-due @ 6"
    wrong = violation("swedish", record)
    assert (wrong.player, wrong.cards, wrong.clause) == ("Ben", ("2d",), "sw.board.4")


def test_the_holder_cannot_demand_of_himself() -> None:
    assert judged("swedish", OWN + "\nAna forces") == "no-force-due @ 8"


def test_no_demand_when_no_card_is_on_offer() -> None:
    assert judged("swedish", "Ben forces") == "no-force-due @ 0"
    assert judged("swedish", "Ana turns 5c; melds 5c 6c 7c\nBen forces") == "no-force-due @ 2"
    assert judged("swedish", ANA + "Ben passes\nAna forces") == "no-force-due @ 4"


def test_a_second_demand_on_the_same_offer_is_a_violation() -> None:
    assert judged("swedish", OWN + "\nBen forces; forces") == "no-force-due @ 9"
    assert judged("coonking", OWN + "; passes\nBen forces; forces") == "no-force-due @ 10"


def test_the_same_card_offered_on_is_a_new_offer() -> None:
    # Both have a meld that the four of clubs fits; nobody demands of Ana, then Ana demands of Ben.
    both = "Ana turns 4c; melds 4c 4h 4s; discards Ad\nBen melds Ad 2d 3d; discards Kh\n"
    both += "Ana passes; turns 4d; passes"
    assert judged("swedish", both + "\nAna forces") == "unfinished"
    assert judged("swedish", both + "\nBen forces\nAna melds 4c 4d 4h 4s") == "unfinished"
    # On decline: once Ben has passed it in his turn.
    assert judged("coonking", both.replace("Kh", "9h") + "\nAna forces") == "no-force-due @ 8"
    late = both.replace("Kh", "9h") + "\nBen passes\nAna forces\nBen melds Ad 2d 3d 4d"
    assert judged("coonking", late) == "unfinished"


def test_a_demand_made_after_a_pass_is_on_the_player_who_passed() -> None:
    passed = OWN + "; passes\nBen forces"
    assert judged("swedish", passed + "\nAna melds 4c 5c 6c 7c") == "unfinished"
    assert judged("swedish", passed + "\nBen melds 4c 4d 4h") == "not-your-turn @ 10"


def test_the_passers_own_demand_is_on_the_next_holder_and_not_due_where_there_is_none() -> None:
    both = "Ana turns 4c; melds 4c 4h 4s; discards Ad\nBen melds Ad 2d 3d; discards Kh\n"
    both += "Ana passes; turns 4d; passes\nAna forces"
    assert judged("swedish", both + "\nBen melds Ad 2d 3d 4d; discards Qh") == "unfinished"
    assert judged("swedish", both + "\nAna melds 4c 4d 4h 4s") == "not-your-turn @ 9"
    # A pass of a card that is not one's own leads to a turn: nobody holds an offer.
    assert judged("swedish", LEFT + "Ana passes; forces") == "no-force-due @ 7"
    # Nothing of Ben's is on the table.
    assert judged("swedish", OWN + "; passes; forces") == "no-force-due @ 9"


FOUR_CLUBS = """starter 5c
Ana melds 5c 6c 7c; discards Ad
Ben passes; turns Kh; passes
Cleo passes; turns 4c
"""


def test_partnership_any_opponent_may_demand_and_a_partner_may_not() -> None:
    for demanded_by in ("Ben", "Dan"):
        record = FOUR_CLUBS + f"Cleo passes\n{demanded_by} forces\nCleo melds 4c 5c 6c 7c"
        assert judged("partnership", record) == "unfinished"
    assert judged("partnership", FOUR_CLUBS + "Cleo passes\nAna forces") == "no-force-due @ 8"
    assert judged("partnership", FOUR_CLUBS + "Cleo passes; forces") == "no-force-due @ 8"
    assert judged("partnership", FOUR_CLUBS + "Ben forces", EARLY) == "unfinished"
    assert judged("partnership", FOUR_CLUBS + "Ana forces", EARLY) == "no-force-due @ 7"


def test_partnership_the_demand_of_the_passers_partner_is_on_the_next_holder() -> None:
    # The four goes to the clubs of Ben's team; Cleo turns and passes it; Dan, Ben's partner, holds it next.
    record = "starter 5c\nAna passes\nBen melds 5c 6c 7c; discards Ad\nCleo passes; turns 4c; passes\n"
    for demanded_by in ("Ana", "Cleo"):
        assert (
            judged("partnership", record + f"{demanded_by} forces\nDan melds 4c 5c 6c 7c", EARLY)
            == "unfinished"
        )
    assert judged("partnership", record + "Ana forces", LATE) == "no-force-due @ 6"
    # Ben and Dan are opponents of Cleo, on whose table it does not fit.
    assert judged("partnership", record + "Ben forces", EARLY) == "no-force-due @ 6"


# ---- named demands


@pytest.mark.parametrize("rules", ["swedish", "coonking"])
def test_a_named_demand_names_the_card_on_offer_and_a_meld_that_it_extends(rules: str) -> None:
    start = OWN + "; passes\nBen forces "
    assert judged(rules, start + "4c onto 5c 6c 7c") == "unfinished"
    assert judged(rules, start + "4c onto 7c 6c 5c") == "unfinished"
    assert judged(rules, start + "3c onto 5c 6c 7c") == "no-force-due @ 9"  # not the card on offer
    assert judged(rules, start + "4c onto 5d 6d 7d") == "no-force-due @ 9"  # no meld of hers
    assert judged(rules, start + "4c onto 5c 6c") == "no-force-due @ 9"
    assert judged(rules, start + "4c onto 4c 5c 6c 7c") == "no-force-due @ 9"


def test_a_named_demand_names_a_meld_that_lies_there_and_fits() -> None:
    two = "Ana turns 5c; melds 5c 6c 7c, 2d 2h 2s; discards Ad\nBen passes; turns 4c; passes\nBen forces "
    assert judged("swedish", two + "4c onto 2d 2h 2s") == "no-force-due @ 6"
    assert judged("swedish", two + "4c onto 5c 6c 7c") == "unfinished"


def test_a_named_demand_does_not_bind_the_player_to_the_meld_it_names() -> None:
    two = "Ana turns 5c; melds 5c 6c 7c, 4d 4h 4s; discards Ad\nBen passes; turns 4c; passes\n"
    two += "Ben forces 4c onto 5c 6c 7c\n"
    assert judged("swedish", two + "Ana melds 4c 5c 6c 7c") == "unfinished"
    assert judged("swedish", two + "Ana melds 4c 4d 4h 4s") == "unfinished"


# ---- what a forced player has to do


@pytest.mark.parametrize("act", ["passes", "turns Qd", "discards Qd", "arranges 5c 6c 7c", "arranges"])
def test_the_forced_players_next_event_is_a_meld(act: str) -> None:
    assert judged("swedish", OWN + f"\nBen forces\nAna {act}", "arranging=alone") == "forced @ 9"
    assert judged("swedish", OWN + "\nBen forces\nBen passes") == "not-your-turn @ 9"
    assert judged("swedish", OWN + "\nBen forces\nAna melds 4c 4d 4h") == "forced @ 9"


def test_the_forced_player_may_add_hand_cards_and_rearrange_in_the_same_act() -> None:
    forced = OWN + "\nBen forces\nAna melds "
    assert judged("swedish", forced + "3c 4c 5c 6c 7c") == "unfinished"
    assert judged("swedish", forced + "4c 5c 6c 7c, Kd Kh Ks") == "unfinished"
    assert judged("swedish", forced + "4c 5c 6c, 7c 7d 7h") == "unfinished"  # two cards of the old meld
    # Of the old run only the five is with the four: that is not where it fits.
    assert judged("swedish", forced + "3c 4c 5c, 6c 7c Jc") == "forced @ 9"
    readings = ("force-discharge=anywhere", "new-meld=any")
    assert judged("swedish", forced + "3c 4c 5c, 6c 7c Jc", *readings) == "unfinished"


def test_without_a_demand_the_card_goes_anywhere() -> None:
    assert judged("swedish", OWN + "\nAna melds 4c 4d 4h") == "unfinished"


def test_a_forced_card_that_completes_the_goal_wins_for_the_forced_player() -> None:
    position = here("swedish", "3c", "4c 5c 6c 7c Jc Qc, 2d 2h 2s 2c", "Kd")
    forced = position.apply(("opponent", "forces"))
    assert forced.apply(("me", "melds", melds("3c 4c 5c 6c 7c Jc Qc"))).phase == "won"


def test_a_meld_on_which_the_card_does_not_fit_is_not_where_it_is_forced() -> None:
    position = (
        here("classic", "4c", "5c 6c 7c", "4d 4h").apply(("me", "passes")).apply(("opponent", "forces"))
    )
    assert melding(position, "4c 4d 4h") == "forced"
    assert tables(position) == ["4c 5c 6c 7c"]


# ---- arranging and the demand


def test_arranging_first_can_take_the_fit_away_and_a_note_says_so() -> None:
    record = """starter Kh
Ana passes
Ben passes
Ana turns 5c; melds 5c 6c 7c Jc, 5d 5h 5s; discards Ad
"""
    record += "Ben passes; turns 4c; passes\nAna {}passes\nBen forces"
    assert judged("classic", record.format("")) == "unfinished"
    regrouped = record.format("arranges 6c 7c Jc, 5c 5d 5h 5s; ")
    assert judged("classic", regrouped) == "no-force-due @ 10"
    assert notes("classic", regrouped.removesuffix("\nBen forces")) == [("arranged-away", 8)]


# ---- a demand that cannot be met


RUNS = """Ana turns 2d; melds 2d 3d 4d, 2h 3h 4h, 2s 3s 4s; discards 9c
Ben passes; turns 4c; passes
Ana passes
Ben forces
"""


def test_a_demand_that_no_meld_can_meet_leaves_the_deal_stuck() -> None:
    """Groups of 2, 3 and 4 hold all ten cards, but no run of three may be taken apart.

    Ana has one hand card left; whatever it is, it makes no meld with the four alone.
    """
    scope = "force-scope=rearrangement"
    for hand in ("", "Ana holds 3d 4d 2h 3h 4h 2s 3s 4s 9c 10h\n", "Ana holds 9c 10h\n"):
        assert judged("coonking", hand + RUNS, scope) == "unfinished"
        assert notes("coonking", hand + RUNS, scope) == [("stuck", 7)]
    assert judged("coonking", RUNS) == "no-force-due @ 7"


@pytest.mark.parametrize(
    "act",
    [
        "passes",
        "melds 2d 2h 2s, 3d 3h 3s, 4c 4d 4h 4s",
        "melds 4c 5c 6c",
        "discards 10h",
        "turns 5c",
        "arranges",
    ],
)
def test_any_event_of_a_player_who_cannot_meet_the_demand_is_forced_and_the_message_says_so(act: str) -> None:
    scope = "force-scope=rearrangement"
    assert judged("coonking", RUNS + f"Ana {act}", scope) == "forced @ 8"
    wrong = violation("coonking", RUNS + f"Ana {act}", scope)
    assert "no legal meld" in wrong.message and "cannot be met" in wrong.hint
    # The table of codes still puts the turn, and a card that the pack does not have, first.
    assert judged("coonking", RUNS + f"Ben {act}", scope) == "not-your-turn @ 8"
    assert judged("coonking", RUNS + "Ana discards Jh", scope) == "not-in-deck @ 8"


def test_a_demand_by_rearrangement_that_can_be_met_is_no_dead_end() -> None:
    # With borrowing free, all ten cards go into three groups; the forced player has that one way.
    readings = ("force-scope=rearrangement", "borrowing=free")
    assert notes("coonking", RUNS, *readings) == []
    laid = RUNS + "Ana melds 2d 2h 2s, 3d 3h 3s, 4c 4d 4h 4s; discards 10h"
    assert judged("coonking", laid, *readings) == "unfinished"


# ---- the worked example of the Swedish sheet


TABLE, HAND = "3c 3d 3h 3s, 6h 7h Jh Qh", "Ah Ad"
ANY = "new-meld=any"


def outs(table: str, hand: str, *readings: str) -> set[str]:
    """The cards that win at once when they are put on offer, found by trying every card of the pack."""
    there = f"{table} {hand}".replace(",", "").split()
    return {
        card
        for card in pack_of("swedish")
        if card not in there and here("swedish", card, table, hand, *readings).winning_melds()
    }


@pytest.mark.parametrize("readings", [(), (ANY,)])
def test_sw_board_5_the_king_can_be_forced_and_is_laid_in_one_way(readings: tuple[str, ...]) -> None:
    position = here("swedish", "Kh", TABLE, HAND, *readings)
    assert code(position, ("opponent", "forces")) is None
    assert code(position, ("opponent", "forces", "Kh", ("6h", "7h", "Jh", "Qh"))) is None
    forced = position.apply(("opponent", "forces"))
    assert tables(forced) == ["3c 3d 3h 3s, 6h 7h Jh Qh Kh"]
    laid = forced.apply(("me", "melds", (("6h", "7h", "Jh", "Qh", "Kh"),)))
    assert laid.phase == "discard"
    assert laid.can(("me", "discards", "Ad")) and laid.can(("me", "discards", "Ah"))


@pytest.mark.parametrize("readings", [(), (ANY,)])
def test_sw_board_5_without_the_demand_an_ace_wins_at_once(readings: tuple[str, ...]) -> None:
    assert outs(TABLE, HAND, *readings) == {"Ac", "As"}


AFTER = "3c 3d 3h 3s, 6h 7h Jh Qh Kh"


def test_sw_board_5_after_it_no_card_wins_at_once_under_two_from_hand() -> None:
    assert outs(AFTER, "Ah") == set()
    assert outs(AFTER, "Ad") == set()


def test_sw_board_5_after_it_the_two_of_the_kept_ace_wins_under_any() -> None:
    assert outs(AFTER, "Ah", ANY) == {"2h"}
    assert outs(AFTER, "Ad", ANY) == {"2d"}
    won = here("swedish", "2h", AFTER, "Ah", ANY).winning_melds()
    assert [set(table) for table in won] == [set(melds("3c 3d 3s, 6h 7h Jh Qh Kh, Ah 2h 3h"))]


@pytest.mark.parametrize("kept", ["Ah", "Ad"])
def test_sw_board_5_only_the_five_and_then_the_four_lead_to_a_win(kept: str) -> None:
    pairs = set()
    for first in pack_of("swedish"):
        if first in f"{AFTER} {kept}".replace(",", "").split():
            continue
        for table in here("swedish", first, AFTER, kept).legal_melds():
            laid = written(table)
            assert kept not in laid.replace(",", "").split()  # the ace has to be there to be thrown
            pairs |= {(first, second) for second in outs(laid, "")}
    assert pairs == {("5h", "4h")}
