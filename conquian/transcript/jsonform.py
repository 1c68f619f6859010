"""Reading the JSON form: one document, or games one a line (contract: notation, section 3).

Guarantees: `read_json` never raises, and finds every fault of shape, each at its place; only a text that is
no JSON ends at its first fault. `fast_game` is the fast way: it gives a game only if the line decodes with
the model's types and certainly has no key twice; it leaves the rest of the shape (verbs, arity, who is a
player) to who judges it.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import msgspec

from conquian.findings import Finding, Note
from conquian.tongue import tell
from conquian.transcript.canonical import canonical
from conquian.transcript.lines import BOM, decode
from conquian.transcript.model import Deal, Event, Game, QuickGame
from conquian.transcript.places import Lines, from_json, nowhere
from conquian.transcript.sheet import Sheet


@cache
def _decoder() -> msgspec.json.Decoder[Game]:
    return msgspec.json.Decoder(Game)


@cache
def _quick() -> msgspec.json.Decoder[QuickGame]:
    return msgspec.json.Decoder(QuickGame)


@cache
def _events() -> msgspec.json.Decoder[tuple[Event, ...]]:
    return msgspec.json.Decoder(tuple[Event, ...])


_FIELDS: Final = frozenset((*Game.__struct_fields__, *Deal.__struct_fields__))


def fast_game(line: bytes) -> Game | None:
    """The game of a JSON text by msgspec alone, or None if something is wrong with the text or its types."""
    try:
        game = _decoder().decode(line)
    except (msgspec.MsgspecError, RecursionError):
        return None
    # msgspec takes the last of two equal keys without a word.
    return None if repeats_keys(line) else game


def quick_game(line: bytes) -> QuickGame | None:
    """The same for games in streams, whose events are left as JSON; also None for what it cannot be sure of."""
    try:
        game = _quick().decode(line)
    except (msgspec.MsgspecError, RecursionError):
        return None
    return None if may_repeat_keys(line, game) and repeats_keys(line) else game


def events_of(raw: bytes) -> tuple[Event, ...]:
    """Events that were left as JSON; ValueError if they have other types than events have."""
    return _events().decode(raw)


def may_repeat_keys(line: bytes, game: QuickGame) -> bool:
    """Whether a key may come twice in an object of the text that `game` was decoded from; False is certain.

    The keys of the text are counted and have to be as many as the game has values; a value that may as well
    be absent as null or written out counts if its key is found.
    """
    # Of several deals one may lack what another has twice.
    if len(game.deals) != 1:
        return True
    (deal,) = game.deals
    raw = bytes(deal.events)
    start = line.find(b'"events":[[') + 9
    if start > 9:  # events hold no key, and are most of a long line
        end = start + len(raw)
        if line[start:end] != raw or b":" in raw:
            return True
        line = line[:start] + line[end:]
    # With a colon elsewhere or a backslash the count may be wrong.
    keys = line.count(b'":')
    if line.count(b":") != keys or b"\\" in line:
        return True
    count = line.count
    keys -= 3  # format, players, deals
    for by_name, key in (
        (deal.hands, b'"hands":'),
        (deal.hand_sizes, b'"hand_sizes":'),
        (deal.cut, b'"cut":'),
        (game.readings, b'"readings":'),
        (game.tags, b'"tags":'),
    ):
        if by_name:
            if not _FIELDS.isdisjoint(by_name):
                return True
            keys -= 1 + len(by_name)
        else:
            keys -= key in line
            if count(key) > 1:
                return True
    if deal.claim is not None:
        keys -= 1
    if game.match is not None:
        keys -= 1
    for key in _PLAIN:
        found = count(key)
        if found > 1:
            return True
        keys -= found
    return keys != 0


_PLAIN: Final = tuple(
    f'"{key}":'.encode()
    for key in [
        "number",
        "events",
        "cards",
        "claim",
        "match",
        "rules",
        "dealer",
        "starter",
        "stock",
        "deck",
        "comments",
    ]
)


class _Twice(Exception):
    pass


def _no_key_twice(pairs: list[tuple[str, object]]) -> None:
    if len({key for key, _ in pairs}) < len(pairs):
        raise _Twice


def repeats_keys(line: bytes) -> bool:
    """Whether a key comes twice in an object of a JSON text."""
    import json

    try:
        json.loads(line, object_pairs_hook=_no_key_twice)
    except (_Twice, ValueError):  # a number of thousands of digits is a ValueError
        return True
    return False


def read_json(data: bytes, name: str, path: str | None = None, first_line: int = 1) -> Sheet:
    """Read one JSON document. `first_line` is its line in the file at `path` (`name` may say more)."""
    path = name if path is None else path
    body = data[len(BOM) :] if data.startswith(BOM) else data
    notes: tuple[Note, ...] = ()
    if len(body) < len(data):
        message = tell("the file begins with a byte order mark; it is ignored")
        notes = (Note("bom", first_line, None, message),)
    game = fast_game(body)
    if game is not None:
        from conquian.transcript.shape import shape_errors

        if not shape_errors(game):
            text = body.decode("utf-8")
            where = from_json(text, first_line)
            notes += _no_deals(game, first_line)
            return Sheet(
                name=name,
                path=path,
                game=canonical(game),
                notes=notes,
                where=where,
                source=text,
                first_line=first_line,
            )
    return _read_slowly(data, name, path, first_line, notes)


def _no_deals(game: Game, line: int) -> tuple[Note, ...]:
    return () if game.deals else (Note("no-deals", line, None, tell("the file records no deal")),)


def _read_slowly(data: bytes, name: str, path: str, first_line: int, notes: tuple[Note, ...]) -> Sheet:
    from conquian.transcript.jsonscan import scan
    from conquian.transcript.shape import checked

    decoded = decode(data, first_line)
    text = decoded.text
    if decoded.errors:
        return Sheet(
            name=name,
            path=path,
            game=None,
            errors=decoded.errors,
            notes=notes,
            where=nowhere(first_line),
            source=text,
            first_line=first_line,
        )
    scanned = scan(text)
    lines = Lines(text, first_line)
    errors: list[Finding] = []
    unreadable: set[int] = set()
    fatal = not scanned.readable
    for fault in scanned.faults:
        deal = int(fault.path[1]) if fault.path[:1] == ("deals",) and len(fault.path) > 2 else None
        span = lines.span(fault.start, fault.end)
        errors.append(
            Finding(fault.code, fault.message, span.line, span.column, fault.hint, span.end_column, deal)
        )
        if deal is not None:
            unreadable.add(deal)
        elif fault.path[:1] != ("tags",) or len(fault.path) == 1:
            fatal = True
    game: Game | None = None
    if scanned.readable:
        shape = checked(scanned.value)
        game = None if shape.game is None else canonical(shape.game)
        where = from_json(text, first_line)
        for wrong in shape.faults:
            spot = scanned.keys.get(wrong.path) if wrong.key else None
            span = lines.span(*spot) if spot is not None else where.at(wrong.path)
            if not wrong.path:
                start = len(text) - len(text.lstrip())
                span = lines.span(start, start + 1)
            errors.append(
                Finding(
                    wrong.code,
                    wrong.message,
                    span.line,
                    span.column,
                    wrong.hint,
                    span.end_column,
                    wrong.deal,
                )
            )
            if wrong.deal is not None:
                unreadable.add(wrong.deal)
        if game is not None:
            notes += _no_deals(game, first_line)
    errors.sort(key=lambda error: (error.line, error.column))
    return Sheet(
        name=name,
        path=path,
        game=None if fatal else game,
        errors=tuple(errors),
        notes=notes,
        unreadable=frozenset(unreadable),
        where=from_json(text, first_line),
        source=text,
        first_line=first_line,
    )
