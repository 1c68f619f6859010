"""Reading a file and writing it back loses nothing but layout."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conquian.cards import NoForm
from conquian.transcript.canonical import canonical
from conquian.transcript.convert import Refusal, convert
from conquian.transcript.model import Game
from conquian.transcript.read import read
from conquian.transcript.sheet import Sheet
from conquian.transcript.write import write_json, write_jsonl, write_text

ANY = settings(
    deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much], max_examples=100
)


def sheet(text: str, name: str = "club.cqn") -> Sheet:
    (found,) = read(text.encode(), name)
    assert found.errors == (), [found.show(error) for error in found.errors]
    return found


def test_the_example_in_text_is_the_example_in_json(example: str, document: dict[str, Any]) -> None:
    written = convert(sheet(example), "json")
    assert isinstance(written, str)
    assert json.loads(written) == document
    from_json = sheet(json.dumps(document))
    assert from_json.game == sheet(example).game


@ANY
@given(st.data())
def test_text_write_then_read_gives_the_same_game(
    games: st.SearchStrategy[Game], data: st.DataObject
) -> None:
    game = data.draw(games)
    written = write_text(game)
    if isinstance(written, NoForm):
        assert game.cards == "spanish" and written.card.startswith("10")
        return
    again = sheet(written)
    assert again.game == game
    assert write_text(game) == written
    assert again.game is not None
    assert write_text(again.game) == written


@ANY
@given(st.data())
def test_json_write_then_read_gives_the_same_game(
    games: st.SearchStrategy[Game], data: st.DataObject
) -> None:
    game = data.draw(games)
    for write in (write_json, write_jsonl):
        again = sheet(write(game))
        assert again.game == game
        assert again.game is not None
        assert write(again.game) == write(game)


@ANY
@given(st.data())
def test_text_to_json_to_text_keeps_every_tag_comment_and_order(
    games: st.SearchStrategy[Game], data: st.DataObject
) -> None:
    written = write_text(data.draw(games))
    if isinstance(written, NoForm):
        return
    there = convert(sheet(written), "jsonl")
    assert isinstance(there, str)
    back = convert(sheet(there), "text")
    assert back == written


@ANY
@given(st.data())
def test_text_to_text_keeps_comments_where_they_stand(
    games: st.SearchStrategy[Game], data: st.DataObject
) -> None:
    written = write_text(data.draw(games))
    if isinstance(written, NoForm):
        return
    lines = written.split("\n")
    remarked = [
        f"{line} # {number}" if data.draw(st.booleans()) else line for number, line in enumerate(lines)
    ]
    first = sheet("\n".join(remarked))
    once = convert(first, "text")
    assert isinstance(once, str)
    second = sheet(once)
    assert second.game == first.game
    assert convert(second, "text") == once


def test_comments_of_the_header_stay_in_the_header() -> None:
    source = (
        "# a club game\nplayers: Ana, Ben  # both strong\n# no date\nevent: x\n\n# before deal 1\ndeal 1\n"
        "Ana passes  # first\n# second\n\n# of deal 2\ndeal 2\n"
        "Ben passes\n# last but one\ndrawn  # agreed\n# end\n"
    )
    found = sheet(source)
    assert found.game is not None
    first, second = found.game.deals
    assert first.comments == (
        *((0, text) for text in ("a club game", "both strong", "no date", "before deal 1", "first")),
        *((1, text) for text in ("second", "of deal 2")),
    )
    assert second.comments == ((1, "last but one"), (1, "agreed"), (1, "end"))
    written = convert(found, "text")
    assert written == source.replace("# second\n\n# of deal 2", "\n# second\n# of deal 2")


def test_comments_without_a_deal_have_no_place_in_json() -> None:
    found = sheet("players: Ana, Ben  # nobody came\n")
    assert convert(found, "text") == "players: Ana, Ben  # nobody came\n"
    refusal = convert(found, "json")
    assert isinstance(refusal, Refusal) and refusal.code == "no-place" and refusal.hint


def test_a_french_ten_has_no_spanish_form() -> None:
    found = sheet("players: Ana, Ben\nAna turns 10h\n")
    for to in ("text", "json", "jsonl"):
        refusal = convert(found, to, "spanish", ("A", "10"))
        assert isinstance(refusal, Refusal)
        assert refusal.code == "no-form" and "10h" in refusal.message and "A 10" in refusal.message
    assert "turns 10he" in str(convert(found, "text", "german"))


def test_other_notations_come_and_go() -> None:
    source = "players: Ana, Ben\n\ndeal 1\nAna turns Jc; melds Ad 2h Ks\n"
    for notation, line in (
        ("spanish", "Ana turns 10b; melds 1o 2c 12e"),
        ("german", "Ana turns Bkr; melds Aka 2he Kpi"),
        ("swedish", "Ana turns Knkl; melds Eru 2hj Ksp"),
    ):
        there = convert(sheet(source), "text", notation)  # type: ignore[arg-type]
        assert isinstance(there, str)
        assert line in there and f"cards: {notation}" in there
        assert convert(sheet(there), "text", "french") == source


def test_what_cannot_be_read_is_not_converted() -> None:
    (found,) = read(b"players: Ana, Ben\nAna turns 5x\n", "club.cqn")
    refusal = convert(found, "json")
    assert isinstance(refusal, Refusal) and refusal.code == "unreadable" and refusal.errors == found.errors


@pytest.mark.parametrize(
    "value", ['( ) { } ; " \\', "a # b", " padded ", "", "?", "two\nlines", 'the "Blue" Room']
)
def test_p24_p35_any_tag_value_survives(value: str) -> None:
    game = Game(format="conquian/1", players=("Ana", "Ben"), tags={"note": value, "date": value})
    written = write_text(game)
    assert isinstance(written, str)
    again = sheet(written)
    assert again.game == canonical(game)
    assert convert(again, "text") == written


def test_p24_escaped_tag_values_are_kept_byte_for_byte() -> None:
    source = 'players: Ana, Ben\nevent: "( ) { } ; \\" \\\\ # x"\nplace: ( ) { } ;\n'
    assert convert(sheet(source), "text") == source
