"""The JSON Schema of transcripts (draft 2020-12).

Guarantees: the reader takes exactly the documents that the schema takes, but for what `NOT_IN_SCHEMA`
lists, which no JSON Schema can say and the reader checks besides. It is made from the same tables as the
reader.
"""

from __future__ import annotations

from typing import Any, Final

from conquian.cards import CARDS, NOTATIONS
from conquian.transcript.model import FORMAT
from conquian.transcript.values import LARGEST, RULE_SET_NAME

NOT_IN_SCHEMA: Final = (
    "dealer, claims, events and the keys of hands, hand_sizes and cut name only listed players",
    "who agrees a draw is named once",
    "the numbers of deals ascend; only the first deal may leave its number out, and then is number 1",
    "a comment's event is at most the number of events of its deal",
    "no key comes twice in an object",
    "a whole number is written without a fraction or exponent (1, not 1.0)",
)
"""What the reader checks besides the schema."""

_Schema = dict[str, Any]


def schema() -> _Schema:
    """The schema as a JSON document."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Transcript of games of Conquian, {FORMAT}",
        "$comment": "The reader also checks: " + "; ".join(NOT_IN_SCHEMA) + ".",
        "type": "object",
        "required": ["format", "players"],
        "additionalProperties": False,
        "properties": {
            "format": {"const": FORMAT},
            "rules": _maybe({"type": "string", "pattern": f"^{RULE_SET_NAME}$", "not": {"pattern": "\\n"}}),
            "readings": _maybe(_by_name({"type": "string"})),
            "players": {"type": "array", "items": _ref("name"), "minItems": 1, "uniqueItems": True},
            "dealer": _maybe(_ref("name")),
            "match": _maybe(_one_of(wins=_number(1), units=_number(1))),
            "cards": _maybe({"enum": list(NOTATIONS)}),
            "tags": _maybe(_by_name({"type": "string"})),
            "deals": _maybe({"type": "array", "items": _ref("deal")}),
        },
        "$defs": {
            "nothing": {"enum": [None, []]},
            "name": {"type": "string", "minLength": 1},
            "card": {"enum": list(CARDS)},
            "held": {"enum": [*CARDS, "?"]},
            "meld": {"type": "array", "items": _ref("card"), "minItems": 1},
            "event": {"anyOf": _events()},
            "deal": _deal(),
        },
    }


def _deal() -> _Schema:
    held = {"type": "array", "items": _ref("held")}
    comment = _tuple({"type": "integer", "minimum": 0}, {"type": "string"})
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "number": _maybe(_number(1)),
            "hands": _maybe(_by_player(_maybe(held))),
            "hand_sizes": _maybe(_by_player(_null_or(_number(0)))),
            "cut": _maybe(_by_player(_null_or(_ref("card")))),
            "deck": _maybe(held),
            "stock": _maybe(held),
            "starter": _maybe(_ref("card")),
            "events": _maybe({"type": "array", "items": _ref("event")}),
            "comments": _maybe({"type": "array", "items": comment}),
            "claim": _maybe(_one_of(winner=_ref("name"), drawn={"const": True}, broken_off={"const": True})),
        },
    }


def _events() -> list[_Schema]:
    melds = {"type": "array", "items": _ref("meld")}
    card, name = _ref("card"), _ref("name")
    return [
        _tuple(name, {"enum": ["turns", "discards"]}, card),
        _tuple(name, {"enum": ["melds", "arranges"]}, melds),
        _tuple(name, {"enum": ["passes", "forces", "objects", "concedes"]}),
        _tuple(name, {"const": "forces"}, card, _ref("meld")),
        _tuple(name, {"const": "gives"}, _ref("held"), name),
        {
            "type": "array",
            "prefixItems": [name, {"const": "agrees"}],
            "items": name,
            "minItems": 3,
        },
    ]


def _ref(name: str) -> _Schema:
    return {"$ref": f"#/$defs/{name}"}


def _maybe(schema: _Schema) -> _Schema:
    return {"anyOf": [_ref("nothing"), schema]}


def _null_or(schema: _Schema) -> _Schema:
    return {"anyOf": [{"type": "null"}, schema]}


def _number(least: int) -> _Schema:
    return {"type": "integer", "minimum": least, "maximum": LARGEST}


def _by_name(schema: _Schema) -> _Schema:
    return {"type": "object", "additionalProperties": schema}


def _by_player(schema: _Schema) -> _Schema:
    return {"type": "object", "propertyNames": {"minLength": 1}, "additionalProperties": schema}


def _tuple(*parts: _Schema) -> _Schema:
    return {"type": "array", "prefixItems": list(parts), "items": False, "minItems": len(parts)}


def _one_of(**choices: _Schema) -> _Schema:
    """An object with exactly one of these keys; the others may be there as null."""

    def only(key: str) -> _Schema:
        absent: _Schema = {other: {"type": "null"} for other in choices if other != key}
        return {
            "type": "object",
            "required": [key],
            "additionalProperties": False,
            "properties": {key: choices[key], **absent},
        }

    return {"anyOf": [only(key) for key in choices]}
