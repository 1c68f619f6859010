"""The schema takes what the reader takes, but for what it says it cannot say."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conquian.transcript.model import Game
from conquian.transcript.read import read
from conquian.transcript.schema import NOT_IN_SCHEMA, schema
from conquian.transcript.write import to_document, write_json

jsonschema = pytest.importorskip("jsonschema")

ANY = settings(
    deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much], max_examples=100
)

# Faults of these kinds are the reader's own.
_BESIDES = {"unknown-player", "deal-number", "duplicate-key"}


@pytest.fixture(scope="module")
def validator() -> Any:
    made = schema()
    jsonschema.Draft202012Validator.check_schema(made)
    return jsonschema.Draft202012Validator(made)


def agree(validator: Any, document: object) -> None:
    text = json.dumps(document)
    (found,) = read(text.encode(), "club.json", "json")
    besides = [
        error
        for error in found.errors
        if error.code in _BESIDES or "there is no event" in error.message or "agrees twice" in error.message
    ]
    shape = [error for error in found.errors if error not in besides]
    accepted = validator.is_valid(json.loads(text))
    if ".0" in text or "e+" in text:  # JSON Schema takes 1.0 for a whole number
        return
    told = [found.show(error) for error in found.errors]
    if shape:
        assert not accepted, told
    else:  # the schema may refuse for its own reason what the reader refuses besides
        assert accepted or besides, told


def test_the_example(validator: Any, document: dict[str, Any]) -> None:
    assert validator.is_valid(document)
    agree(validator, document)


@ANY
@given(st.data())
def test_what_is_written_is_valid(
    validator: Any, games: st.SearchStrategy[Game], data: st.DataObject
) -> None:
    document = json.loads(write_json(data.draw(games)))
    assert validator.is_valid(document)
    agree(validator, document)


_scalars = st.sampled_from(
    [
        None,
        True,
        False,
        0,
        1,
        -1,
        10**9,
        "",
        "Ana",
        "Bob",
        "5c",
        "?",
        "Th",
        "turns",
        "a/b",
        "swedish",
        "swedish\n",
    ]
)
_values = st.recursive(
    _scalars,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["number", "Ana", "wins", "drawn", "winner", "units"]), inner, max_size=3
        )
    ),
    max_leaves=6,
)


@ANY
@given(st.data())
def test_both_agree_after_any_change(
    validator: Any, games: st.SearchStrategy[Game], data: st.DataObject
) -> None:
    document = json.loads(json.dumps(to_document(data.draw(games))))
    for _ in range(data.draw(st.integers(1, 2))):
        change(document, data)
    agree(validator, document)


def change(document: Any, data: st.DataObject) -> None:
    here = document
    while True:
        keys = list(here) if isinstance(here, dict) else list(range(len(here)))
        how = data.draw(st.integers(0, 4))
        if not keys or how == 0:
            if isinstance(here, dict):
                here[data.draw(st.sampled_from(["starter", "stock", "cut", "hand_sizes", "x", "Ana"]))] = (
                    data.draw(_values)
                )
            else:
                here.insert(data.draw(st.integers(0, len(here))), data.draw(_values))
            return
        key = data.draw(st.sampled_from(keys))
        if how == 1:
            del here[key]
            return
        if how == 2 or not isinstance(here[key], dict | list):
            here[key] = data.draw(_values)
            return
        here = here[key]


@pytest.mark.parametrize(
    "event",
    [
        ["Ana", "turns", "5c"],
        ["Ana", "turns"],
        ["Ana", "turns", "?"],
        ["Ana", "gives", "?", "Ben"],
        ["Ana", "gives", "5c"],
        ["Ana", "melds", []],
        ["Ana", "melds", [[]]],
        ["Ana", "melds", [["5c"]]],
        ["Ana", "arranges", []],
        ["Ana", "forces"],
        ["Ana", "forces", "5c"],
        ["Ana", "forces", "5c", ["6c"]],
        ["Ana", "forces", "5c", []],
        ["Ana", "passes", None],
        ["Ana", "objects"],
        ["Ana", "concedes", "Ben"],
        ["Ana", "agrees"],
        ["Ana", "agrees", "Ben"],
        ["Ana", "agrees", "5c"],
        ["Ana", "agrees", ["Ben"]],
        ["Ana", "agrees", "Ben", "Ana"],
        ["Ana", "holds", "5c"],
        ["Ana"],
        [],
        None,
    ],
)
def test_both_agree_on_each_event(validator: Any, event: object) -> None:
    agree(validator, {"format": "conquian/1", "players": ["Ana", "Ben"], "deals": [{"events": [event]}]})


def test_what_the_schema_cannot_say_is_said() -> None:
    assert all(sentence in schema()["$comment"] for sentence in NOT_IN_SCHEMA)
