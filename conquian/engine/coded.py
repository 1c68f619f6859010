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
BETWEEN: Final = b'],["'
"""What stands between two events, and between two melds."""
CODE_LIMIT: Final = 2_500
LONGEST: Final = 200
"""Bytes of a piece that is read."""
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

    The text is cut between events; an act on the table is cut once more, between its melds. What has been read
    before is looked up. What is new is decoded first; what is not exactly of this form is not read at all: the
    caller decodes it whole.
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
        plain, *acts = raw[3:-2].split(b',[["')
        found = self._looked_up(plain, acts, players)
        if found is None and self._learned(plain, acts, players):
            found = self._looked_up(plain, acts, players)
        return found

    def _looked_up(self, plain: bytes, acts: list[bytes], players: tuple[str, ...]) -> list[Code] | None:
        """The codes, None if there is a piece that has not been read before."""
        known = self._known.get(players)
        if known is None:
            return None
        events, heads = known
        meld = self._melds.__getitem__
        codes: list[Code | None] = []
        more = True
        try:
            for act in acts:
                pieces = plain.split(BETWEEN)
                kind, seat = heads[pieces.pop()]
                codes.extend(map(events.get, pieces))
                listed, closed, plain = act.partition(b'"]]')
                codes.append((kind, seat, tuple(map(meld, listed.split(b'"],["'))), 0, 0))
                more = plain[:4] == BETWEEN
                if not more and (plain or not closed):
                    return None
                plain = plain[4:]
        except KeyError:
            return None
        if more:
            codes.extend(map(events.get, plain.split(BETWEEN)))
        return cast("list[Code]", codes) if all(codes) else None

    def _learned(self, plain: bytes, acts: Sequence[bytes], players: tuple[str, ...]) -> bool:
        """Reads the pieces that are new; False if the text is not of the form that `codes` reads."""
        events, heads = self._known.get(players, ({}, {}))
        melds = self._melds
        if max(len(events), len(heads), len(melds)) >= CODE_LIMIT or len(self._known) >= PLAYERS_LIMIT:
            self._known.clear()
            melds.clear()
            events, heads = {}, {}
        self._known[players] = events, heads
        more = True
        for act in acts:
            *pieces, head = plain.split(BETWEEN)
            listed, closed, plain = act.partition(b'"]]')
            more = plain[:4] == BETWEEN
            if not closed or (plain and not more):
                return False
            plain = plain[4:]
            if not self._read(pieces, events, players) or not self._read_act(head, listed, heads, players):
                return False
        return not more or self._read(plain.split(BETWEEN), events, players)

    def _read(self, pieces: Sequence[bytes], events: dict[bytes, Code], players: Sequence[str]) -> bool:
        """Reads events that are new."""
        for piece in pieces:
            if piece not in events:
                code = self._decoded(piece, players) if len(piece) <= LONGEST else None
                if code is None:
                    return False
                events[piece] = code
        return True

    def _read_act(
        self, head: bytes, listed: bytes, heads: dict[bytes, tuple[int, int]], players: Sequence[str]
    ) -> bool:
        """Reads what stands before the melds of an act, and the melds, as far as they are new."""
        for meld in listed.split(b'"],["'):
            if meld in self._melds and head in heads:
                continue
            code = self._decoded(head + b',[["' + meld + b'"]]', players) if len(meld) <= LONGEST else None
            if code is None or code[0] not in (MELD, ARRANGE) or len(code[2]) != 1:
                return False
            heads[head] = code[0], code[1]
            self._melds[meld] = code[2][0]
        return True

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


def _frozen(part: object) -> object:
    return tuple(map(_frozen, part)) if isinstance(part, list) else part
