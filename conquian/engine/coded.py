"""Events as the engine takes them: small tuples of ints, the same for every rule set with the same pack.

A code is `(kind, seat, a, b, c)`:

    PASS                 -
    TURN, DISCARD        the card: one copy of it, its field, the field when every copy is there; 0 if foreign
    MELD, ARRANGE        a: the listed melds as packed sets, -1 for one that no pack can hold
    FORCE                a: the card named, None if none is; b: the meld named, packed
    GIVE                 a: the card's name, b: the seat that gets it

`encoded` makes codes of events; `ChunkReader` makes them of the bytes of compact JSON, where an event that
has been met before costs one look-up.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec

from conquian.engine.pack import Pack

Event = Sequence[Any]
Code = tuple[int, int, Any, Any, Any]

PASS: Final = 0
TURN: Final = 1
DISCARD: Final = 2
MELD: Final = 3
FORCE: Final = 4
ARRANGE: Final = 5
GIVE: Final = 6
IMPOSSIBLE: Final = -1
CODE_LIMIT: Final = 100_000


def encoded(pack: Pack, event: Event, seats: Mapping[str, int]) -> Code:
    """The code of an event. KeyError, ValueError or TypeError for one that is not well formed."""
    match event[1]:
        case "passes":
            name, _ = event
            return PASS, seats[name], 0, 0, 0
        case "turns":
            name, _, card = event
            return TURN, seats[name], *pack.entry[card]
        case "discards":
            name, _, card = event
            return DISCARD, seats[name], *pack.entry[card]
        case "melds":
            name, _, listed = event
            return MELD, seats[name], _masks(pack, listed), 0, 0
        case "arranges":
            name, _, listed = event
            return ARRANGE, seats[name], _masks(pack, listed), 0, 0
        case "forces":
            if len(event) == 2:
                return FORCE, seats[event[0]], None, 0, 0
            name, _, card, meld = event
            return FORCE, seats[name], pack.entry[card][0], _mask(pack, meld), 0
        case "gives":
            name, _, card, to = event
            if card != "?":
                pack.entry[card]
            return GIVE, seats[name], card, seats[to], 0
        case verb:
            raise ValueError(verb)


def _masks(pack: Pack, listed: object) -> tuple[int, ...]:
    if not isinstance(listed, tuple | list):
        raise TypeError("melds are listed in a list")
    return tuple(_mask(pack, meld) for meld in listed)


def _mask(pack: Pack, meld: object) -> int:
    if not isinstance(meld, tuple | list) or not meld:
        raise TypeError("a meld is a list of cards")
    known = [pack.entry[card] for card in meld]
    if not all(unit for unit, _, _ in known):
        return IMPOSSIBLE
    if len(set(meld)) < len(meld) and any(meld.count(card) > pack.copies for card in meld):
        return IMPOSSIBLE
    return sum(unit for unit, _, _ in known)


class ChunkReader:
    """Reads the events of compact JSON, `[["Ana","turns","5c"],["Ana","passes"]]`, by their bytes.

    The text is cut where an event begins, each player's name being replaced by his seat, so that what is left
    of an event is the same for all players. A piece that has been read before is looked up; a new one is
    decoded. What is not exactly of this form is not read at all.
    """

    def __init__(self, pack: Pack) -> None:
        self.pack = pack
        self._codes: dict[bytes, Code] = {}

    def codes(self, raw: bytes, players: Sequence[str]) -> list[Code] | None:
        """The codes of a JSON list of events, None if it has to be read in another way."""
        if raw == b"[]":
            return []
        if b", " in raw:
            raw = raw.replace(b", ", b",")
        for seat, name in enumerate(players):
            raw = raw.replace(b'["%s","' % name.encode(), b"\x01%d" % seat)
        start, *pieces = raw.split(b"\x01")
        if start != b"[" or not pieces[-1].endswith(b"]]"):
            return None
        pieces[-1] = pieces[-1][:-1] + b","
        known = self._codes
        try:
            return [known[piece] for piece in pieces]
        except KeyError:
            return self._new(pieces, players)

    def _new(self, pieces: Iterable[bytes], players: Sequence[str]) -> list[Code] | None:
        known = self._codes
        codes = []
        for piece in pieces:
            code = known.get(piece)
            if code is None:
                code = self._read(piece, players)
                if code is None:
                    return None
                if code[0] != GIVE:  # a gift names a player
                    if len(known) >= CODE_LIMIT:
                        known.clear()
                    known[piece] = code
            codes.append(code)
        return codes

    def _read(self, piece: bytes, players: Sequence[str]) -> Code | None:
        if not piece.endswith(b"],") or not piece[:1].isdigit():
            return None
        seat = piece[0] - ord("0")
        try:
            event = msgspec.json.decode(b'["","' + piece[1:-1])
            if not isinstance(event, list) or _restored(event) != b'["","' + piece[1:-1]:
                return None
            seats = {name: i for i, name in enumerate(players)}
            seats[""] = seat
            return encoded(self.pack, [event[0], event[1], *map(_frozen, event[2:])], seats)
        except (msgspec.DecodeError, KeyError, ValueError, TypeError):
            return None


def _restored(event: object) -> bytes:
    return msgspec.json.encode(event)


def _frozen(part: object) -> object:
    return tuple(map(_frozen, part)) if isinstance(part, list) else part
