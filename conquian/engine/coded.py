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

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

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
CODE_LIMIT: Final = 12_000
LONG: Final = 48
PLAYERS_LIMIT: Final = 8


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


Known = dict[bytes, Code | tuple[()] | None]
"""Pieces that have been read: codes; None for the beginning of an act that was cut, `()` for its end."""


class ChunkReader:
    """Reads the events of compact JSON, `[["Ana","turns","5c"],["Ana","passes"]]`, by their bytes.

    The text is cut between events, and a piece that has been read before is looked up; a new one is decoded.
    What is not exactly of this form is not read at all: the caller decodes it whole.
    """

    def __init__(self, pack: Pack) -> None:
        self.pack = pack
        self._known: dict[tuple[str, ...], Known] = {}

    def codes(self, raw: bytes, players: tuple[str, ...]) -> list[Code] | None:
        """The codes of a JSON list of events, None if it has to be read in another way."""
        if raw[:3] != b'[["' or raw[-2:] != b"]]":
            return [] if raw == b"[]" else None
        known = self._known.get(players)
        if known is None:
            if len(self._known) >= PLAYERS_LIMIT:
                self._known.clear()
            known = self._known[players] = {}
        pieces = raw[3:-2].split(b'],["')
        try:
            codes = list(map(known.__getitem__, pieces))
        except KeyError:
            return self._new(pieces, known, players)
        if all(codes):
            return cast("list[Code]", codes)
        return self._joined(pieces, codes, known) or self._new(pieces, known, players)

    def _joined(
        self, pieces: Sequence[bytes], codes: list[Code | tuple[()] | None], known: Known
    ) -> list[Code] | None:
        """Puts together acts that were cut between their melds: begun by None, ended by an empty code."""
        found: list[Code | tuple[()] | None] = []
        at = 0
        codes.append(None)
        last = len(pieces)
        while (start := codes.index(None, at)) < last:
            try:
                end = codes.index((), start) + 1
            except ValueError:
                return None
            code = known.get(b'],["'.join(pieces[start:end]))
            if not code:
                return None
            found += codes[at:start]
            found.append(code)
            at = end
        found += codes[at:-1]
        return cast("list[Code]", found) if all(found) else None

    def _new(self, pieces: Sequence[bytes], known: Known, players: Sequence[str]) -> list[Code] | None:
        """Reads pieces one by one and remembers them."""
        found: list[Code] = []
        at = 0
        while at < len(pieces):
            end = at + 1
            while b'",[["' in pieces[at] and pieces[end - 1][-2:] != b"]]" and end < len(pieces):
                end += 1
            piece = b'],["'.join(pieces[at:end])
            code = known.get(piece)
            if not code:
                code = self._decoded(piece, players)
                if code is None:
                    return None
                if len(known) >= CODE_LIMIT:
                    _forget(known)
                known[piece] = code
            if end > at + 1:
                known.update(dict.fromkeys(pieces[at : end - 1]))
                known[pieces[end - 1]] = ()
            found.append(code)
            at = end
        return found

    def _decoded(self, piece: bytes, players: Sequence[str]) -> Code | None:
        text = b'["' + piece + b"]"
        try:
            event = msgspec.json.decode(text)
            if not isinstance(event, list) or msgspec.json.encode(event) != text:
                return None
            seats = {name: seat for seat, name in enumerate(players)}
            return encoded(self.pack, [_frozen(part) for part in event], seats)
        except (msgspec.DecodeError, LookupError, ValueError, TypeError):
            return None


def _forget(known: Known) -> None:
    """Makes room: long pieces go, for few of them come again; short ones are most of every game."""
    for piece in [piece for piece in known if len(piece) > LONG]:
        del known[piece]
    if len(known) >= CODE_LIMIT:
        known.clear()


def _frozen(part: object) -> object:
    return tuple(map(_frozen, part)) if isinstance(part, list) else part
