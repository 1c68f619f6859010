"""The draw for the deal, and packs recorded in order: who deals, who is dealt what."""

from __future__ import annotations

import pytest

from tests.rules.telling import all_judged, judged

from .telling import Document, noted, scored, told

# Who drew the lower card.
ANA, BEN = "cut Ana 2c, Ben 3d\n", "cut Ana Qh, Ben 3d\n"
FOUR = "rules: partnership\nplayers: Ana, Ben, Cleo, Dan\n\n"


def next_of(text: str) -> str | None:
    return scored(text).score.dealer_next


@pytest.mark.parametrize("rules", ["classic", "coonking", "swedish"])
def test_a_recorded_cut_never_changes_who_deals(rules: str) -> None:
    start = "starter Ks\n" if rules == "classic" else ""
    act = "passes" if start else "turns 5c"
    # Ana drew the lower card; the last of the players, Ben, deals all the same, and Ana acts first.
    for cut in (ANA, "cut Ana 2c, Ben 3d\n", ""):
        assert judged(rules, f"{cut}{start}Ana {act}") == "unfinished"
        assert judged(rules, f"{cut}{start}Ben {act}") == "not-your-turn @ 0"
    two = f"deal 1\n{ANA}{start}Ana {act}\ndeal 2\n{start}Ben {act}"
    assert all_judged(rules, two) == ["unfinished", "unfinished"]


def test_the_last_of_the_players_deals_without_a_dealer_in_the_header_and_a_note_says_what_the_cut_says() -> (
    None
):
    found = scored(f"rules: classic\nplayers: Ana, Ben\n\n{BEN}starter Ks\nAna passes\n").score
    assert (found.dealer_next, noted(found)) == ("Ana", [("not-counted", 1)])
    other = scored(f"rules: classic\nplayers: Ana, Ben\n\n{ANA}starter Ks\nAna passes\n").score
    assert (other.dealer_next, noted(other)) == ("Ana", [("cut", 1), ("not-counted", 1)])
    assert other.notes[0].message == (
        "by the cut Ana would deal first; the header names no dealer, so Ben deals"
    )


@pytest.mark.parametrize(
    ("drawn", "lowest"),
    [
        ("Ana As, Ben 2c", "Ana"),
        ("Ana 2s, Ben Ac", "Ben"),
        ("Ana Kc, Ben Qs", "Ben"),
        ("Ana 7c, Ben Js", "Ana"),
    ],
)
def test_the_ace_is_the_lowest_card_and_suits_do_not_count(drawn: str, lowest: str) -> None:
    for dealer in ("Ana", "Ben"):
        head = f"rules: classic\nplayers: Ana, Ben\ndealer: {dealer}\n\ncut {drawn}\n"
        found = scored(f"{head}starter 5c\n{'Ben' if dealer == 'Ana' else 'Ana'} passes\n").score
        assert ("cut" in [note.code for note in found.notes]) is (dealer != lowest)


def test_a_dealer_in_the_header_is_who_deals_whatever_was_cut() -> None:
    assert judged("classic", f"{ANA}starter Ks\nAna passes", head="dealer: Ben") == "unfinished"
    found = scored(f"rules: classic\nplayers: Ana, Ben\ndealer: Ben\n\n{ANA}starter Ks\nAna passes\n").score
    assert noted(found) == [("cut", 1), ("not-counted", 1)]
    assert found.notes[0].message == "by the cut Ana would deal first; the header says Ben"
    agreed = scored(f"rules: classic\nplayers: Ana, Ben\ndealer: Ana\n\n{ANA}starter Ks\nBen passes\n").score
    assert noted(agreed) == [("not-counted", 1)]


@pytest.mark.parametrize("cut", ["cut Ana 3c, Ben 3d\n", "cut Ana 2c\n"])
def test_a_tie_or_a_card_that_is_missing_decides_nothing(cut: str) -> None:
    text = f"rules: classic\nplayers: Ana, Ben\n\n{cut}starter Ks\nAna passes\n"
    assert next_of(text) == "Ana"
    assert noted(scored(text).score) == [("cut", 1), ("not-counted", 1)]


@pytest.mark.parametrize(
    ("drawn", "said"),
    [
        ("Ana 5c, Ben 2c, Cleo 5d, Dan Kc", "by the cut Ben would deal first"),
        ("Ana 2d, Ben 2c, Cleo 5d, Dan Kc", "the cut does not decide"),
    ],
)
def test_a_tie_above_the_lowest_card_does_not_matter(drawn: str, said: str) -> None:
    found = scored(f"{FOUR}cut {drawn}\nstarter 5c\nAna passes\n").score
    assert found.notes[0].message.startswith(said)


def test_swedish_leaves_open_how_the_first_dealer_is_found() -> None:
    assert judged("swedish", f"{ANA}Ana turns 5c") == "unfinished"
    found = scored(f"rules: swedish\nplayers: Ana, Ben\n\n{ANA}Ana turns 5c\n").score
    assert found.notes[0].message == "these rules leave open what a cut decides; Ben deals first"


def test_a_cut_that_is_recorded_later_decides_nothing() -> None:
    text = told("classic", "open open").replace("deal 2\n", f"deal 2\n{ANA}")
    assert next_of(text) == "Ben"
    assert ("cut", 2) in noted(scored(text).score)


def test_the_cards_of_the_cut_are_put_back() -> None:
    assert judged("classic", f"{BEN}starter Qh\nAna passes") == "unfinished"


# ---- whole packs

PACK = [rank + suit for rank in "A234567JQK" for suit in "cdhs"]


def written(pack: list[str], *more: str, first: str = "Ana") -> str:
    return "\n".join([f"deck {' '.join(pack)}", *more, ""])


def test_a_recorded_pack_is_dealt_singly_or_in_pairs_from_the_player_after_the_dealer() -> None:
    # Singly Ana has the 1st, 3rd, … card: Ac Ah 2c 2h …; in pairs the first two: Ac Ad 2c 2d …
    starter = f"starter {PACK[20]}"
    assert judged("classic", written(PACK, "Ana holds Ac Ah 2c", starter)) == "unfinished"
    assert judged("classic", written(PACK, "Ana holds Ac Ad 2c", starter)) == "unfinished"
    assert judged("classic", written(PACK, "Ana holds Ac As 2c", starter)) == "misdeal"
    # In pairs only: coonking deals two at a time; one at a time only: swedish.
    low = [card for card in PACK if card[0] not in "JQK"] + [f"{n}{s}" for n in (8, 9, 10) for s in "cdhs"]
    assert judged("coonking", written(low, "Ana holds Ac Ad")) == "unfinished"
    assert judged("coonking", written(low, "Ana holds Ac Ah")) == "misdeal"
    assert judged("swedish", written(PACK, "Ana holds Ac Ah")) == "unfinished"
    assert judged("swedish", written(PACK, "Ana holds Ac Ad")) == "misdeal"
    # With Ana as dealer Ben is dealt first.
    assert judged("swedish", written(PACK, "Ana holds Ad As"), head="dealer: Ana") == "unfinished"
    cut = "cut Ana 2c, Ben 3d"
    assert judged("classic", written(PACK, cut, "Ana holds Ad As", starter)) == "misdeal"
    assert judged("classic", written(PACK, cut, "Ana holds Ac Ah", starter)) == "unfinished"


def test_turned_cards_are_those_of_the_recorded_pack_after_the_deal() -> None:
    # Cards 1 to 20 are dealt, 21 is the starter, 22 the first that is turned.
    passes = "Ana passes\nBen passes\n"
    right = f"{passes}Ana turns {PACK[21]}; passes\nBen passes; turns {PACK[22]}"
    assert judged("classic", written(PACK, f"starter {PACK[20]}", right)) == "unfinished"
    wrong = f"{passes}Ana turns {PACK[21]}; passes\nBen passes; turns {PACK[23]}"
    assert judged("classic", written(PACK, f"starter {PACK[20]}", wrong)) == "stock-mismatch @ 5"
    assert judged("classic", written(PACK, f"starter {PACK[21]}")) == "misdeal"
    # Without a starter the 21st is turned first.
    assert judged("swedish", written(PACK, f"Ana turns {PACK[20]}")) == "unfinished"
    assert judged("swedish", written(PACK, f"Ana turns {PACK[21]}")) == "stock-mismatch @ 0"


def test_a_recorded_stock_and_a_recorded_pack_have_to_agree() -> None:
    stock = f"stock {PACK[20]} ? {PACK[22]}"
    assert judged("swedish", written(PACK, stock, f"Ana turns {PACK[20]}")) == "unfinished"
    assert judged("swedish", written(PACK, f"stock {PACK[21]}")) == "misdeal"


def test_a_deal_whose_pack_contradicts_it_moves_nothing_and_is_dealt_again() -> None:
    text = f"rules: swedish\nplayers: Ana, Ben\n\n{written(PACK, 'Ana holds Ac Ad')}"
    found: Document = {"units": [one.units for one in scored(text).score.players.values()]}
    assert found == {"units": [0, 0]}
    assert next_of(text) == "Ben"
