"""Whatever a file holds, reading it gives sheets and no exception, and a clean sheet holds all of it."""

from __future__ import annotations

import io
import json
import re
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from conquian.transcript.codes import ERRORS, NOTES
from conquian.transcript.read import FORMS, Form, read, read_stream
from conquian.transcript.sentence import EXAMPLES

ANY = settings(
    deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much], max_examples=100
)

_LINES = [
    *(
        "rules: swedish",
        "players: Ana, Ben",
        'players: "A;b", Ben',
        "dealer: Ben",
        "date: x",
        "deal 1",
        "deal 2",
    ),
    *EXAMPLES.values(),
    *(
        "Ana turns 5c; melds 5c 6c 7c; discards Ks",
        "passes",
        "# c",
        "Ana passes # c",
        '"',
        ";",
        ":",
        "",
        "\0",
        "é",
        "♣",
    ),
    *('{"format": "conquian/1",', '"players": ["Ana"]', "}", "{}", "[", "\ufeff", "x" * 200, "12. ", "?"),
]


def check(data: bytes, form: Form | None) -> None:
    sheets = list(read(data, "any", form))
    assert sheets
    text = data.decode("utf-8", "replace").removeprefix("\ufeff")
    last = len(re.split("\r\n|\r|\n", text))
    for found in sheets:
        assert found.game is not None or found.errors
        deals = len(found.game.deals) if found.game is not None else 0
        for error in found.errors:
            assert error.code in ERRORS and error.hint and error.message
            assert 1 <= error.line <= last and error.column >= 1
            assert error.column <= len(found.line(error.line)) + 1
            assert error.end_column is None or error.end_column > error.column
            assert found.game is None or error.deal is None or error.deal < deals
            assert "\n" not in error.message
            found.show(error)
        costs = {error.deal for error in found.errors if error.deal is not None}
        if found.game is not None:
            assert costs == found.unreadable
        assert all(note.code in NOTES for note in found.notes)


@ANY
@given(st.binary(max_size=300), st.sampled_from([None, *FORMS]))
@example(b"\xff\xfe", None)
@example(b"\xef\xbb\xbf", None)
@example(b"{" * 10_000, None)
def test_any_bytes(data: bytes, form: Form | None) -> None:
    check(data, form)


@ANY
@given(
    st.lists(st.sampled_from(_LINES), max_size=12),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.binary(max_size=2),
)
def test_any_lines(lines: list[str], end: str, noise: bytes) -> None:
    check(end.join(lines).encode() + noise, None)


@ANY
@given(st.data())
def test_any_change_of_a_text(example: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(example)))
    length = data.draw(st.integers(0, 3))
    changed = example[:place] + data.draw(st.text(max_size=3)) + example[place + length :]
    check(changed.encode("utf-8", "replace"), None)


@ANY
@given(st.data())
def test_any_change_of_a_document(document: dict[str, Any], data: st.DataObject) -> None:
    text = json.dumps(document)
    place = data.draw(st.integers(0, len(text)))
    length = data.draw(st.integers(0, 3))
    pieces = st.text(alphabet='{}[]",:1An\\ ', max_size=2)
    check((text[:place] + data.draw(pieces) + text[place + length :]).encode(), None)


_json = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-1, 3)
    | st.floats(allow_nan=False)
    | st.sampled_from(["Ana", "5c", "?"]),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["number", "Ana", "wins"]), inner)
    ),
    max_leaves=8,
)


@ANY
@given(st.data())
def test_any_value_in_any_place(document: dict[str, Any], data: st.DataObject) -> None:
    changed = json.loads(json.dumps(document))
    here = changed
    while True:
        keys = list(here) if isinstance(here, dict) else list(range(len(here)))
        if not keys:
            break
        key = data.draw(st.sampled_from(keys))
        if not isinstance(here[key], dict | list) or data.draw(st.integers(0, 3)) == 0:
            here[key] = data.draw(_json)
            break
        here = here[key]
    check(json.dumps(changed).encode(), None)


@pytest.mark.parametrize("size", [200_000])
def test_large_nonsense(size: int) -> None:
    for data in (
        b"\0" * size,
        b'"' * size,
        b"[" * size,
        b'{"a":' * size,
        b"\n" * size,
        b" " * size + b"x",
        b"; " * size,
    ):
        check(data[:size], None)


def test_a_stream_of_any_bytes() -> None:
    for data in (b"", b"\xff", b"{\n}", b"\0\n\n[]\n"):
        assert list(read_stream(io.BytesIO(data), "any"))
