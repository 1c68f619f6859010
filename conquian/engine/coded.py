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
CODE_LIMIT: Final = 2_500
SHORT: Final = 40
"""Bytes of a piece that is remembered whole: all but acts of several or of long melds."""
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


class ChunkReader:
    """Reads the events of compact JSON, `[["Ana","turns","5c"],["Ana","passes"]]`, by their bytes.

    The text is cut between events. A pass, turn, discard or demand that has been read before is looked up; an act
    on the table is put together from its melds, each of which is looked up. What is new is decoded; what is not
    exactly of this form is not read at all: the caller decodes it whole.
    """

    def __init__(self, pack: Pack) -> None:
        self.pack = pack
        self._known: dict[tuple[str, ...], tuple[dict[bytes, Code], dict[bytes, tuple[int, int]]]] = {}
        """By the players: codes of events by their text, and kind and seat of acts by what stands before their melds."""
        self._melds: dict[bytes, int] = {}

    def codes(self, raw: bytes, players: tuple[str, ...]) -> list[Code] | None:
        """The codes of a JSON list of events, None if it has to be read in another way."""
        if raw[:3] != b'[["' or raw[-2:] != b"]]":
            return [] if raw == b"[]" else None
        known = self._known.get(players)
        if known is None:
            if len(self._known) >= PLAYERS_LIMIT:
                self._known.clear()
            known = self._known[players] = {}, {}
        events, heads = known
        pieces = raw[3:-2].split(b'],["')
        # Codes pass through as objects: whoever reads them takes them apart.
        found: list[object] = []
        head, melds = b"", list[bytes]()
        for piece in pieces:
            if melds:
                melds.append(piece)
            else:
                code: object = events.get(piece)
                if code is not None:
                    found.append(code)
                    continue
                head, opened, first = piece.partition(b',[["')
                if opened:
                    melds = [first]
            if not melds:
                code = _kept(events, piece, self._decoded(piece, players))
            elif piece.endswith(b"]]"):
                melds[-1] = melds[-1][:-2]
                act = self._act(head, melds, heads, players)
                code = _kept(events, piece, act) if len(melds) == 1 else act
                melds = []
            else:
                # The melds of an act were cut into pieces of their own; the last one closes the list.
                continue
            if code is None:
                return None
            found.append(code)
        return None if melds else cast("list[Code]", found)

    def _act(
        self,
        head: bytes,
        melds: Sequence[bytes],
        heads: dict[bytes, tuple[int, int]],
        players: Sequence[str],
    ) -> Code | None:
        """A meld or a regrouping: `Ana","melds"`, and its melds without their first quote, as the text was cut."""
        known = self._melds
        try:
            kind, seat = heads[head]
            return kind, seat, tuple([known[meld] for meld in melds]), 0, 0
        except KeyError:
            code = self._decoded(head + b',[["' + b'],["'.join(melds) + b"]]", players)
            if code is not None and code[0] in (MELD, ARRANGE) and len(code[2]) == len(melds):
                if len(known) >= CODE_LIMIT or len(heads) >= CODE_LIMIT:
                    known.clear()
                    heads.clear()
                heads[head] = code[0], code[1]
                known.update(zip(melds, code[2], strict=True))
            return code

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


def _kept(events: dict[bytes, Code], piece: bytes, code: Code | None) -> Code | None:
    """The code of an event that stood in one piece, remembered if the piece is short."""
    if code is not None and len(piece) <= SHORT:
        if len(events) >= CODE_LIMIT:
            events.clear()
        events[piece] = code
    return code


def _frozen(part: object) -> object:
    return tuple(map(_frozen, part)) if isinstance(part, list) else part
