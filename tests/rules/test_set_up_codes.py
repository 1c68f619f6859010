"""The codes of the set-up, in the order of the table, each at each of its places."""

from __future__ import annotations

import pytest

from .telling import judged, pack_of, violation

TEN = "Ac 2c 3c 4c 5c 6c 7c Jc Qc Kc"


def test_players_comes_first() -> None:
    assert judged("swedish", "Ana holds 8c", players="Ana, Ben, Cleo") == "players"
    assert judged("swedish", f"Ana holds {TEN} Ad", players="Ana") == "players"


def test_not_in_deck_a_card_that_the_deck_does_not_have() -> None:
    assert judged("swedish", "Ana holds Ac 8c") == "not-in-deck"
    assert judged("swedish", "stock Ac 8c") == "not-in-deck"
    assert judged("swedish", "deck Ac 8c") == "not-in-deck"
    assert judged("classic", "starter 8c") == "not-in-deck"
    assert judged("swedish", "cut Ana 8c, Ben 3d") == "not-in-deck"
    assert judged("coonking", "Ana holds Jc") == "not-in-deck"
    assert judged("classic-52", "starter 8c\nAna holds 10c Jc") == "unfinished"


def test_not_in_deck_comes_before_misdeal_and_no_starter() -> None:
    assert judged("swedish", f"Ana holds {TEN} 8c") == "not-in-deck"
    assert judged("classic", "Ana holds 8c") == "not-in-deck"


def test_misdeal_a_hand_with_more_entries_than_the_deal() -> None:
    assert judged("swedish", f"Ana holds {TEN} Ad") == "misdeal"
    assert judged("swedish", f"Ana holds {TEN} ?") == "misdeal"
    assert judged("swedish", f"Ben holds {TEN} Ad") == "misdeal"


def test_misdeal_a_hand_recorded_with_a_wrong_count() -> None:
    assert judged("swedish", "Ana holds 9: Ac 2c") == "misdeal"
    assert judged("swedish", "Ben holds 11:") == "misdeal"
    assert judged("swedish", "Ana holds 10: Ac 2c") == "unfinished"
    # Fewer cards without a count leave the rest unknown.
    assert judged("swedish", "Ana holds Ac 2c") == "unfinished"


@pytest.mark.parametrize(("rules", "stock"), [("swedish", 20), ("coonking", 20), ("classic", 19)])
def test_misdeal_stock_or_deck_longer_than_the_pack_allows(rules: str, stock: int) -> None:
    start = "starter Kc\n" if rules == "classic" else ""
    assert judged(rules, f"{start}stock {'? ' * stock}") == "unfinished"
    assert judged(rules, f"{start}stock {'? ' * (stock + 1)}") == "misdeal"
    assert judged(rules, f"{start}deck {'? ' * 40}") == "unfinished"
    assert judged(rules, f"{start}deck {'? ' * 41}") == "misdeal"


def test_misdeal_stock_or_deck_naming_a_card_too_often_together_with_the_deal() -> None:
    assert judged("swedish", "stock Ac Ac") == "misdeal"
    assert judged("swedish", "Ana holds Ac\nstock 2c Ac") == "misdeal"
    assert judged("classic", "starter Ac\nstock 2c Ac") == "misdeal"
    assert judged("swedish", "deck Ac Ac") == "misdeal"
    assert judged("navajo-tens", "Ana holds Ac\nstock 2c Ac") == "unfinished"
    assert judged("navajo-tens", "Ana holds Ac\nstock Ac Ac") == "misdeal"


def test_misdeal_a_deck_that_contradicts_hands_stock_or_starter() -> None:
    deck = "deck " + " ".join(pack_of("swedish")) + "\n"  # Ac Ad Ah As 2c … dealt singly to Ana, Ben, Ana, …
    assert judged("swedish", deck + "Ana holds Ac Ah") == "unfinished"
    assert judged("swedish", deck + "Ana holds Ac Ad") == "misdeal"
    assert judged("swedish", deck + "stock 6c 6d") == "unfinished"
    assert judged("swedish", deck + "stock 6d 6c") == "misdeal"
    assert judged("swedish", deck + "stock ? 6d ?") == "unfinished"
    assert judged("classic", deck + "starter 6c") == "unfinished"
    assert judged("classic", deck + "starter 6d") == "misdeal"
    # A shorter deck leaves the rest unknown.
    assert judged("swedish", "deck Ac Ad ? As\nAna holds Ac 5h") == "unfinished"
    assert judged("swedish", "deck Ac Ad ? As\nAna holds Ad") == "misdeal"


def test_misdeal_comes_before_no_starter_and_card_elsewhere() -> None:
    assert judged("classic", f"Ana holds {TEN} Ad") == "misdeal"
    assert judged("swedish", f"Ana holds {TEN} Ac") == "misdeal"
    assert judged("swedish", "Ana holds 9: Ac\nBen holds Ac") == "misdeal"


def test_no_starter_where_the_rules_have_one_or_one_where_they_have_none() -> None:
    assert judged("classic", "Ana passes") == "no-starter"
    assert judged("swedish", "starter 5c\nAna turns 6c") == "no-starter"


def test_no_starter_comes_before_card_elsewhere() -> None:
    assert judged("classic", "Ana holds Ac\nBen holds Ac") == "no-starter"
    assert judged("swedish", "starter 5c\nAna holds 5c") == "no-starter"


def test_card_elsewhere_hands_and_starter_alone_name_a_card_too_often() -> None:
    assert judged("swedish", "Ana holds Ac\nBen holds Ac") == "card-elsewhere"
    assert judged("swedish", "Ana holds Ac Ac") == "card-elsewhere"
    assert judged("classic", "starter Ac\nBen holds Ac") == "card-elsewhere"
    assert judged("navajo-tens", "Ana holds Ac Ac") == "unfinished"
    assert judged("navajo-tens", "Ana holds Ac Ac\nBen holds Ac") == "card-elsewhere"


def test_a_fault_of_the_set_up_comes_before_any_event_and_the_claim() -> None:
    record = "Ana holds 9:\nBen turns 8c\nAna wins"
    assert judged("swedish", record) == "misdeal"
    wrong = violation("swedish", record)
    assert (wrong.event, wrong.player, wrong.line) == (None, None, 4)


@pytest.mark.parametrize(
    ("rules", "record", "clause", "line", "column"),
    [
        ("classic", "Ana holds 9:\nstarter Kc", "cl.setup.2a", 4, 11),
        ("swedish", "Ana holds Ac\nBen holds 2c Ac", "sw.deal.1", 5, 14),
        ("swedish", "Ana holds Ac 8c", "sw.deal.1", 4, 14),
        (
            "coonking",
            f"Ben holds {TEN.replace('J', '8').replace('Q', '9').replace('K', '10')} Ad",
            "ck.5",
            4,
            1,
        ),
        ("classic", "deal 1", "cl.setup.3", 4, 1),
    ],
)
def test_the_place_and_the_clause_of_a_fault_of_the_set_up(
    rules: str, record: str, clause: str, line: int, column: int
) -> None:
    """Lines 1 to 3 are the header's; columns count to the entry that is at fault, or the line if none is."""
    wrong = violation(rules, record)
    assert (wrong.clause, wrong.line, wrong.column) == (clause, line, column)
