"""Events read by their bytes: what is read is what JSON says, and a text that is not quite of the form is not read."""

from __future__ import annotations

import json
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conquian.engine.coded import ChunkReader, Code, encoded
from conquian.engine.engine import engine
from conquian.generate import games
from conquian.transcript.canonical import canonical
from conquian.transcript.model import Game

SETS = ("swedish", "classic", "two-deck", "paco", "discard-then-meld", "partnership")
PIECES = (
    b'"',
    b",",
    b"[",
    b"]",
    b'],["',
    b'"]]',
    b',[["',
    b'"],["',
    b" ",
    b"\\",
    b'"5c"',
    b"]]",
    b'","passes"',
)


@cache
def recorded(rules: str) -> list[tuple[tuple[str, ...], bytes]]:
    """Players and events, as compact JSON, of a few generated games."""
    found = []
    for game in games(engine(rules), 12, 7):
        text: Game = canonical(game)
        events = json.dumps(text.deals[0].events, separators=(",", ":"), ensure_ascii=False)
        found.append((text.players, events.encode()))
    return found


def by_json(rules: str, raw: bytes, players: tuple[str, ...]) -> list[Code]:
    """The same codes by way of JSON alone."""

    def frozen(part: object) -> object:
        return tuple(map(frozen, part)) if isinstance(part, list) else part

    seats = {name: seat for seat, name in enumerate(players)}
    return [encoded(engine(rules).pack, [frozen(x) for x in event], seats) for event in json.loads(raw)]


@pytest.mark.parametrize("rules", SETS)
def test_events_are_read_as_json_says(rules: str) -> None:
    reader = ChunkReader(engine(rules).pack)
    acts = 0
    for players, raw in [*recorded(rules), *recorded(rules)]:
        codes = reader.codes(raw, players)
        assert codes is not None and codes == by_json(rules, raw, players)
        acts += sum(isinstance(code[2], tuple) for code in codes)
    assert acts > 20


@settings(max_examples=400, deadline=None)
@given(st.data())
def test_a_damaged_text_is_not_read_or_says_what_json_says(data: st.DataObject) -> None:
    rules = data.draw(st.sampled_from(SETS[:3]))
    players, raw = data.draw(st.sampled_from(recorded(rules)))
    reader = ChunkReader(engine(rules).pack)
    # What is remembered of the whole text must not make a part of it readable.
    assert reader.codes(raw, players) is not None
    places = [i for i in range(len(raw)) if raw[i : i + 1] in b'[],"']
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.sampled_from(places))
        gone = data.draw(st.sampled_from([0, 0, 1, 2, 4, 20]))
        raw = raw[:at] + data.draw(st.sampled_from([b"", *PIECES])) + raw[at + gone :]
        places = [i for i in places if i < len(raw)] or [0]
    codes = reader.codes(raw, players)
    if codes is not None:
        assert codes == by_json(rules, raw, players)


@pytest.mark.parametrize(
    "raw",
    [
        b'[["Ana","melds",[["2c","3c","4c"]]]',
        b'[["Ana","melds",[["2c","3c","4c"]]]],["Ana","passes"]]]',
        b'[["Ana","melds",[["2c","3c","4c"]]],["Ana","passes"]',
        b'[["Ana","melds",[["2c","3c","4c"]]]],["]]',
        b'[["Ana","melds",[["2c","3c","4c"]]]x["Ana","passes"]]',
        b'[["Ana","melds",[["2c","3c","4c"]],["Ana","passes"]]',
        b'[["Ana","melds",[["2c","3c","4c"],[]]]]',
        b'[["Ana","forces",[["2c","3c","4c"]]]]',
        b'[["Ana","passes"],["]]',
        b'[["Cleo","passes"]]',
    ],
)
def test_a_text_that_lacks_a_bracket_is_not_read(raw: bytes) -> None:
    reader = ChunkReader(engine("swedish").pack)
    whole = b'[["Ana","melds",[["2c","3c","4c"]]],["Ana","passes"],["Ben","passes"]]'
    assert reader.codes(whole, ("Ana", "Ben")) is not None
    assert reader.codes(raw, ("Ana", "Ben")) is None


def test_little_is_remembered_however_much_is_read() -> None:
    reader = ChunkReader(engine("swedish").pack)
    for number in range(60):
        players = (f"Ana {number}", "Ben")
        raw = json.dumps([[players[0], "passes"]] * 3, separators=(",", ":")).encode()
        assert reader.codes(raw, players) == [(0, 0, 0, 0, 0)] * 3
    assert len(reader._known) <= 8
