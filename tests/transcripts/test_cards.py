"""A card has one name inside the program and four notations outside."""

from __future__ import annotations

import pytest

from conquian.cards import (
    CARDS,
    NOTATIONS,
    BadCard,
    NoForm,
    Notation,
    canonical_hint,
    first_without_form,
    forms,
    read_card,
    write_card,
)


@pytest.mark.parametrize("notation", NOTATIONS)
@pytest.mark.parametrize("symbols", [False, True])
def test_each_card_is_read_back_as_it_was_written(notation: Notation, symbols: bool) -> None:
    for card in CARDS:
        written = write_card(card, notation, symbols=symbols)
        if isinstance(written, NoForm):
            assert notation == "spanish" and card.startswith("10")
            assert "sota" in written.message
        else:
            for text in (written, written.upper(), written.lower()):
                assert read_card(text, notation) == card


@pytest.mark.parametrize(
    ("notation", "text", "card"),
    [
        ("french", "Th", "10h"),
        ("french", "1s", "As"),
        ("french", "7♠", "7s"),
        ("french", "kD", "Kd"),
        ("spanish", "So", "Jd"),
        ("spanish", "10o", "Jd"),
        ("spanish", "Cc", "Qh"),
        ("spanish", "Ro", "Kd"),
        ("spanish", "12o", "Kd"),
        ("spanish", "Ae", "As"),
        ("spanish", "9b", "9c"),
        ("german", "Bkr", "Jc"),
        ("german", "D♦", "Qd"),
        ("german", "7pi", "7s"),
        ("swedish", "Knkl", "Jc"),
        ("swedish", "Ehj", "Ah"),
        ("swedish", "Asp", "As"),
        ("swedish", "10ru", "10d"),
    ],
)
def test_forms_of_the_contract(notation: Notation, text: str, card: str) -> None:
    assert read_card(text, notation) == card


@pytest.mark.parametrize(
    ("notation", "text", "hint"),
    [
        ("french", "s7", "write '7s'"),
        ("french", "7♡", "write '7h'"),
        ("french", "7♥\ufe0f", "write '7h'"),
        ("french", "\uff17s", "write '7s'"),
        ("french", "7e", "cards: spanish"),
        ("french", "Knkl", "cards: swedish"),
        ("french", "11s", "a rank (A 2 … 10 J Q K)"),
        ("french", "?", "name the card"),
        ("spanish", "7s", "cards: french"),
        ("spanish", "7♠", "cards: french"),
        ("german", "Jkr", "a rank (A 2 … 10 B D K)"),
        ("french", "", "a card is"),
        ("french", "x" * 1000, "a card is"),
    ],
)
def test_what_is_no_card_comes_with_a_hint(notation: Notation, text: str, hint: str) -> None:
    found = read_card(text, notation)
    assert isinstance(found, BadCard)
    assert hint in found.hint
    assert len(found.message) < 200


def test_no_text_means_two_cards() -> None:
    assert [len(forms(notation)) for notation in NOTATIONS] == [120, 64, 104, 112]


def test_json_takes_the_french_form_and_nothing_else() -> None:
    assert canonical_hint("Th") == "write '10h'"
    assert canonical_hint("7S") == "write '7s'"
    assert "a card is" in canonical_hint("zz")


def test_a_pack_with_tens_has_no_spanish_form() -> None:
    assert first_without_form(("A", "9", "10"), "spanish") == "10"
    assert first_without_form(("A", "7", "J"), "spanish") is None
