"""The JSON form: every fault at its place, nothing taken silently."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from conquian.transcript.codes import ERRORS
from conquian.transcript.jsonform import events_of, fast_game, may_repeat_keys, quick_game, repeats_keys
from conquian.transcript.model import Game
from conquian.transcript.read import read, read_stream, recognise
from conquian.transcript.shape import shape_errors
from conquian.transcript.sheet import Sheet

DEAL = '{"number": 1, "events": [["Ana", "turns", "5c"], ["Ana", "melds", [["5c", "6c", "7c"]]]]}'


def sheet(text: str | bytes, name: str = "club.json") -> Sheet:
    (found,) = read(text if isinstance(text, bytes) else text.encode(), name)
    return found


def game(more: str = "", deals: str = DEAL) -> str:
    return f'{{"format": "conquian/1", "players": ["Ana", "Ben"],{more} "deals": [{deals}]}}'


def event(text: str) -> str:
    return game(deals=f'{{"events": [["Ana", "passes"], {text}]}}')


# A document; the code, the text under the carets, part of the hint; the deal it costs.
ERROR_CASES = [
    ("{}", "no-game", "{", "a transcript has", None),
    ("[]", "wrong-type", "[", "write an object", None),
    ('{"players": ["Ana"], "deals": []}', "format", "{", "conquian/1", None),
    ('{"format": "conquian/2", "players": ["Ana"]}', "format", '"conquian/2"', "conquian/1", None),
    ('{"format": "conquian/1"}', "no-players", "{", '"players"', None),
    ('{"format": "conquian/1", "players": []}', "no-players", "[]", '"players"', None),
    ('{"format": "conquian/1", "players": "Ana"}', "wrong-type", '"Ana"', "a list of names", None),
    ('{"format": "conquian/1", "players": ["Ana", 2]}', "wrong-type", "2", "a string", None),
    ('{"format": "conquian/1", "players": ["Ana", ""]}', "bad-name", '""', "name", None),
    ('{"format": "conquian/1", "players": ["Ana", "Ana"]}', "duplicate-player", '"Ana"', "of his own", None),
    (game('"date": "x",'), "unknown-key", '"date"', "inside 'tags'", None),
    (game('"delaer": "Ana",'), "unknown-key", '"delaer"', "did you mean 'dealer'?", None),
    (game('"dealer": "Bob",'), "unknown-player", '"Bob"', "the players are", None),
    (game('"rules": "a/b",'), "bad-rules", '"a/b"', "rule set's name", None),
    (game('"cards": "French",'), "bad-cards", '"French"', "french", None),
    (game('"match": {},'), "bad-match", "{}", "wins", None),
    (game('"match": {"wins": 1, "units": 2},'), "bad-match", '{"wins": 1, "units": 2}', "wins", None),
    (game('"match": {"wins": 0},'), "bad-number", "0", "whole number from 1", None),
    (game('"match": {"wins": 1.0},'), "bad-number", "1.0", "whole number from 1", None),
    (game('"match": {"wins": true},'), "wrong-type", "true", "a number", None),
    (game('"match": {"wins": 1, "wons": 1},'), "unknown-key", '"wons"', "did you mean 'wins'?", None),
    (game('"readings": {"a": 1},'), "wrong-type", "1", "a string", None),
    (game('"dealer": "Ana", "dealer": "Ben",'), "duplicate-key", '"dealer"', "cannot be guessed", None),
    (game(deals="1"), "wrong-type", "1", "an object", 0),
    (game(deals='{"number": 0}'), "bad-number", "0", "whole number from 1", 0),
    (game(deals='{"number": 99999999999999999999999999}'), "bad-number", "9" * 26, "whole number", 0),
    (game(deals=DEAL + ', {"number": 1}'), "deal-number", "1", "in the order of play", 1),
    (game(deals=DEAL + ", {}"), "deal-number", "{}", "in the order of play", 1),
    (game(deals='{"event": []}'), "unknown-key", '"event"', "did you mean 'events'?", 0),
    (game(deals='{"hands": {"Bob": []}}'), "unknown-player", '"Bob"', "the players are", 0),
    (game(deals='{"hands": {"Ana": "5c"}}'), "wrong-type", '"5c"', "a list of cards", 0),
    (game(deals='{"hands": {"Ana": ["Th"]}}'), "bad-card", '"Th"', "write '10h'", 0),
    (game(deals='{"hand_sizes": {"Ana": -1}}'), "bad-number", "-1", "from 0", 0),
    (game(deals='{"stock": ["5c", null]}'), "wrong-type", "null", "a card", 0),
    (game(deals='{"starter": "?"}'), "unrecorded-card", '"?"', "name the card", 0),
    (game(deals='{"cut": {"Ana": "?"}}'), "unrecorded-card", '"?"', "name the card", 0),
    (game(deals='{"events": {}}'), "wrong-type", "{}", "a list of events", 0),
    (event('"Ana passes"'), "wrong-type", '"Ana passes"', "an event", 0),
    (event("[]"), "event-form", "[]", "an event is like", 0),
    (event('["Ana"]'), "event-form", '["Ana"]', "an event is like", 0),
    (event('["Bob", "passes"]'), "unknown-player", '"Bob"', "the players are", 0),
    (event('["5c", "passes"]'), "unknown-player", '"5c"', "the players are", 0),
    (event('[["5c"], "passes"]'), "wrong-type", '["5c"]', "a string", 0),
    (event('["Ana", "turn", "5c"]'), "unknown-verb", '"turn"', "did you mean 'turns'?", 0),
    (event('["Ana", "turns"]'), "event-form", '["Ana", "turns"]', '["Ana", "turns", "5c"]', 0),
    (event('["Ana", "turns", "5c", "6c"]'), "event-form", '"6c"', '["Ana", "turns", "5c"]', 0),
    (event('["Ana", "turns", "5C"]'), "bad-card", '"5C"', "write '5c'", 0),
    (event('["Ana", "turns", "?"]'), "unrecorded-card", '"?"', "name the card", 0),
    (event('["Ana", "turns", ["5c"]]'), "wrong-type", '["5c"]', "a card", 0),
    (event('["Ana", "passes", "5c"]'), "event-form", '"5c"', '["Ana", "passes"]', 0),
    (event('["Ana", "melds", ["5c", "6c"]]'), "wrong-type", '"5c"', "a list of cards", 0),
    (event('["Ana", "melds", [[]]]'), "empty-meld", "[]", "name its cards", 0),
    (event('["Ana", "melds", [["5c", "X"]]]'), "bad-card", '"X"', "a card is", 0),
    (event('["Ana", "gives", "3h", "Bob"]'), "unknown-player", '"Bob"', "the players are", 0),
    (event('["Ben", "forces", "Jc"]'), "event-form", '["Ben", "forces", "Jc"]', '["Ben", "forces"]', 0),
    (event('["Ben", "forces", "Jc", []]'), "empty-meld", "[]", "name its cards", 0),
    (event('["Ben", "objects", "Ana"]'), "event-form", '"Ana"', '["Ben", "objects"]', 0),
    (event('["Ben", "concede"]'), "unknown-verb", '"concede"', "did you mean 'concedes'?", 0),
    (event('["Ana", "agrees"]'), "event-form", '["Ana", "agrees"]', '["Ana", "agrees", "Ben"]', 0),
    (event('["Ana", "agrees", "Ana"]'), "event-form", '"Ana"', "name each player once", 0),
    (event('["Ana", "agrees", "Ben", "Ben"]'), "event-form", '"Ben"', "name each player once", 0),
    (event('["Ana", "agrees", "Bob"]'), "unknown-player", '"Bob"', "the players are", 0),
    (event('["Ana", "agrees", ["Ben"]]'), "wrong-type", '["Ben"]', "a string", 0),
    (game(deals='{"claim": {"broken_off": 1}}'), "bad-claim", "1", "broken_off", 0),
    (
        game(deals='{"claim": {"drawn": true, "broken_off": true}}'),
        "bad-claim",
        '{"drawn": true, "broken_off": true}',
        "or null",
        0,
    ),
    (game(deals='{"comments": [[1, "x"]]}'), "bad-comment", "1", "behind the last", 0),
    (game(deals='{"comments": ["x"]}'), "bad-comment", '"x"', "[3, ", 0),
    (game(deals='{"claim": {}}'), "bad-claim", "{}", "drawn", 0),
    (game(deals='{"claim": {"drawn": false}}'), "bad-claim", "false", "drawn", 0),
    (game(deals='{"claim": {"winner": "Bob"}}'), "unknown-player", '"Bob"', "the players are", 0),
    (game(deals='{"events": [], "events": []}'), "duplicate-key", '"events"', "cannot be guessed", 0),
]


@pytest.mark.parametrize(("text", "code", "under", "hint", "deal"), ERROR_CASES)
def test_each_fault_at_its_place(text: str, code: str, under: str, hint: str, deal: int | None) -> None:
    found = sheet(text)
    first = found.errors[0]
    assert first.code == code, [found.show(error) for error in found.errors]
    assert first.end_column is not None
    assert found.line(first.line)[first.column - 1 : first.end_column - 1] == under
    assert hint in first.hint
    assert first.deal == deal
    assert code in ERRORS
    if deal is None:
        assert found.game is None
    else:
        assert found.game is not None and found.unreadable == {deal}


# A text that is no JSON; line, column, part of message or hint.
SYNTAX_CASES = [
    ('{"a": 1,}', 1, 8, "take the ',' out"),
    ('{"a": [1, 2,]}', 1, 12, "take the ',' out"),
    ('{\n "a" 1}', 2, 6, "':'"),
    ("{a: 1}", 1, 2, "double quotes"),
    ("{'a': 1}", 1, 2, "double quotes"),
    ("{\"a\": 'x'}", 1, 7, "double quotes"),
    ('{"a": "x\ny"}', 1, 7, "not closed on its line"),
    ('{"a": "x', 1, 7, "not closed"),
    ('{"a": [1', 1, 7, "is the file whole?"),
    ('{"a": 1', 1, 1, "is the file whole?"),
    ('{"a": "\t"}', 1, 8, "\\u0009"),
    ('{"a": "\\ud800"}', 1, 7, "surrogate"),
    ('{"a": "\\x"}', 1, 7, "after '\\' stands"),
    ('{"a": True}', 1, 7, "write true"),
    ('{"a": NaN}', 1, 7, "no JSON value"),
    ('{"a": 01}', 1, 7, "no JSON value"),
    ('{"a": 1} // x', 1, 10, "more after the end"),
    ("{\r\n // x\r\n}", 2, 2, "a key in double quotes"),
    ("[" * 100_000, 1, 65, "nested deeper"),
    ('{"format": ' + "[" * 100_000, 1, 75, "nested deeper"),
]


@pytest.mark.parametrize(("text", "line", "column", "said"), SYNTAX_CASES)
def test_what_is_no_json(text: str, line: int, column: int, said: str) -> None:
    found = sheet(text)
    (error,) = found.errors
    assert (error.code, error.line, error.column) == ("json", line, column)
    assert said in error.message + error.hint
    assert found.game is None and error.hint


def test_all_faults_are_found_and_other_deals_can_be_judged() -> None:
    found = sheet(
        game(deals='{"events": [["Ana", "turn", "5c"], ["Ben", "turns", "X"]]}, {"number": 2}, {"number": 2}')
    )
    assert [(error.code, error.deal) for error in found.errors] == [
        ("unknown-verb", 0),
        ("bad-card", 0),
        ("deal-number", 2),
    ]
    assert found.unreadable == {0, 2} and found.game is not None


def test_absent_null_and_empty_mean_nothing() -> None:
    keys = ("number", "hands", "hand_sizes", "cut", "deck", "stock", "starter", "events", "comments", "claim")
    for nothing in ("null", "[]"):
        deal = ", ".join(f'"{key}": {nothing}' for key in keys)
        header = "".join(
            f'"{key}": {nothing}, ' for key in ("rules", "readings", "dealer", "match", "cards", "tags")
        )
        found = sheet(game(header, f"{{{deal}}}"))
        assert found.errors == () and found.game == sheet(game(deals="{}")).game


def test_bad_bytes_have_a_place() -> None:
    found = sheet(b'{"format": "conquian/1",\n "players": ["An\xff"]}')
    (error,) = found.errors
    assert (error.code, error.line, error.column) == ("encoding", 2, 17)


def test_a_byte_order_mark_is_noted() -> None:
    plain, marked = sheet(game()), sheet(b"\xef\xbb\xbf" + game().encode())
    assert marked.game == plain.game and marked.errors == ()
    assert [note.code for note in marked.notes] == ["bom"]


def test_places_in_a_document() -> None:
    text = game(
        '"tags": {"date": "x♣"},\n',
        '\n{"hands": {"Ana": ["漢字", "7s"]}, "events": [["Ana",\r"melds", [["5c"]]]]}',
    )
    where = sheet(text).where
    lines = text.replace("\r", "\n").split("\n")
    for span, said in (
        (where.header("date"), '"x♣"'),
        (where.setup(0, "hands", "Ana", 1), '"7s"'),
        (where.part(0, 0, 2, 0, 0), '"5c"'),
        (where.event(0, 0), '["Ana",'),
    ):
        assert lines[span.line - 1][span.column - 1 : span.end_column - 1] == said


# --- several games


def test_the_form_is_recognised() -> None:
    line = game().encode()
    assert recognise(line) == "json"
    assert recognise(b"\n " + line + b"\n\n") == "json"
    assert recognise(line + b"\n" + line) == "jsonl"
    assert recognise(b'{"format": broken\n' + line) == "jsonl"
    assert recognise(json.dumps(json.loads(line), indent=1).encode()) == "json"
    assert recognise(b"players: Ana, Ben") == "text"
    assert recognise(b"") == "text"


def test_games_one_a_line() -> None:
    bad = game(deals='{"events": [["Ana", "turn"]]}')
    data = "\n".join([game(), "", bad, "{", game()]).encode() + b"\r\n"
    for sheets in (list(read(data, "games.jsonl")), list(read_stream(io.BytesIO(data), "games.jsonl"))):
        assert [found.name for found in sheets] == [f"games.jsonl:{line}" for line in (1, 3, 4, 5)]
        assert [found.game is not None for found in sheets] == [True, True, False, True]
        (error,) = sheets[1].errors
        assert (error.line, error.column) == (3, 83)
        assert sheets[1].show(error).startswith("games.jsonl:3:83: unknown-verb ")
        assert sheets[1].where.event(0, 0).line == 3
    (alone,) = read(game().encode(), "games.jsonl")
    assert alone.name == "games.jsonl:1"


def test_a_stream_is_read_line_by_line() -> None:
    class Endless:
        def __init__(self) -> None:
            self.asked = 0

        def readline(self) -> bytes:
            self.asked += 1
            return game().encode() + b"\n"

    endless = Endless()
    sheets = read_stream(endless, "-")
    for _ in range(3):
        assert next(sheets).errors == ()
    assert endless.asked == 3


def test_an_empty_stream_is_no_clean_zero() -> None:
    (found,) = read_stream(io.BytesIO(b"\n\n"), "games.jsonl")
    assert [error.code for error in found.errors] == ["no-game"]


# --- the fast way


def test_cards_are_shared_and_melds_can_be_looked_up() -> None:
    one, other = (msgspec.json.decode(game(), type=Game).deals[0].events[1][2] for _ in range(2))
    assert one == other == (("5c", "6c", "7c"),)
    assert {one: 1}[other] == 1
    cards = [[id(card) for meld in melds for card in meld] for melds in (one, other)]
    assert cards[0] == cards[1]


TWICE = [
    '{"format": "conquian/1", "players": ["Ana", "Ben"], "players": ["Ana", "Ben"], "deals": [{}]}',
    game('"dealer": "Ana", "d\\u0065aler": "Ben",'),
    game('"dealer": null, "dealer": "Ben",'),
    game('"rules": "a", "rules" : "b",'),
    game('"tags": {"claim": "x", "events": "y"}, "rules": "a", "rules": "b",'),
    game('"tags": {"x": "claim"}, "rules": "a", "rules": "b",'),
    game('"tags": {"x": "1", "x": "2"},'),
    game('"match": {"wins": 1, "wins": 2},'),
    game(deals='{"number": 1, "number": 1}'),
    game(deals='{"hands": {"Ana": [], "Ana": ["5c"]}}'),
    game(deals='{"claim": null, "claim": {"drawn": true}}'),
    game(deals='{"claim": {"winner": "Ana", "winner": "Ben"}}'),
    game(deals='{}, {"number": 2, "claim": null, "claim": null}'),
    game(deals='{"claim": {"drawn": true}, "claim": {"drawn": true}}, {"number": 2}'),
    game(deals='{"events": []}, {"number": 2, "number": 3}'),
]


@pytest.mark.parametrize("text", TWICE)
def test_no_key_is_taken_twice(text: str) -> None:
    msgspec.json.decode(text, type=Game)
    assert fast_game(text.encode()) is None
    assert quick_game(text.encode()) is None
    assert "duplicate-key" in [error.code for error in sheet(text).errors]


def test_ordinary_games_are_decoded_the_fast_way(document: dict[str, Any]) -> None:
    for text in (game(), json.dumps(document), json.dumps(document, separators=(",", ":"))):
        decoded = fast_game(text.encode())
        assert decoded is not None
        assert shape_errors(decoded) == []
        quick = quick_game(text.encode())
        assert quick is not None
        assert not may_repeat_keys(text.encode(), quick)
        assert [events_of(bytes(deal.events)) for deal in quick.deals] == [d.events for d in decoded.deals]
    several = game(deals='{"number": 1, "claim": null}, {"number": 2, "claim": null}').encode()
    assert fast_game(several) is not None
    assert not repeats_keys(several)


def test_the_sample_games_are_read() -> None:
    samples = Path(__file__).parents[1] / "data" / "samples"
    for path in samples.glob("*.jsonl") if samples.is_dir() else ():
        for line in path.read_text("utf-8").splitlines():
            found = json.loads(line).get("game")
            if found is not None:
                assert sheet(json.dumps(found)).errors == ()
