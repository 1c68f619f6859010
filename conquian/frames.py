"""Games in streams that differ from one before in nothing but the cards dealt and the events.

What stands around these in a line is its *frame*: the same bytes, so the same rules, readings, players, dealer,
tags and claim. A frame that has been read once, without a key twice, is not read again. `Frame.judged` gives
only what is certain; None sends the line to the ordinary reading.
"""

from __future__ import annotations

from functools import cache

import msgspec

from conquian.engine.engine import Engine
from conquian.quick import Judged, judged_codes
from conquian.transcript.model import Claim, Dealt, QuickGame

_INSIDE = (b'"hands":', b'"starter":', b'"events":')


@cache
def _decoder() -> msgspec.json.Decoder[Dealt]:
    return msgspec.json.Decoder(Dealt)


Cut = tuple[bytes, bytes, bytes]
"""A line cut at its cards and events: what stands around them, the hands and starter, the events."""


def cut(line: bytes) -> Cut | None:
    """The line cut, None if hands, starter and events do not stand together in it."""
    start = line.find(b'"hands":')
    end = line.find(b'"events":[[', start)
    close = line.rfind(b"]]", end) + 2
    if start < 0 or end < 0 or close < 2:
        return None
    return line[:start] + line[close:], line[start:end], line[end + 9 : close]


class Frame:
    """What all games with the same frame have in common."""

    __slots__ = ("_keys", "claim", "engine", "first", "number", "players", "seats")

    def __init__(self, engine: Engine, game: QuickGame) -> None:
        (deal,) = game.deals
        self.engine = engine
        self.players = game.players
        self.seats = {name: seat for seat, name in enumerate(game.players)}
        dealer = len(game.players) - 1 if game.dealer is None else self.seats[game.dealer]
        self.first = (dealer + 1) % len(game.players)
        self.claim: Claim | None = deal.claim
        self.number = deal.number
        self._keys = 1 + len(game.players) + engine.program.starter

    def judged(self, parts: Cut) -> Judged | None:
        """How the deal of a line ended in which nothing is illegal; None if that is not certain."""
        _, inside, events = parts
        # A key for the hands, for each player and for the starter: then none can be there twice.
        if inside.count(b":") != self._keys:
            return None
        try:
            dealt = _decoder().decode(b"{" + inside[:-1] + b"}")
            hands = [dealt.hands[name] for name in self.players]
        except (msgspec.MsgspecError, KeyError, RecursionError):
            return None
        codes = self.engine.chunks.codes(events, self.players)
        if codes is None:
            return None
        return judged_codes(self.engine, hands, dealt.starter, self.first, codes, self.claim, self.seats)


def framed(engine: Engine, game: QuickGame, line: bytes, parts: Cut) -> Frame | None:
    """The frame of a game that was judged the ordinary way, None if it cannot stand for others.

    The game has no key twice; so no other with its frame has one outside of what `judged` looks at.
    """
    if len(game.deals) != 1 or b"\\" in line:
        return None
    (deal,) = game.deals
    around, _, events = parts
    alone = not any(key in around for key in _INSIDE)
    whole = bytes(deal.events) == events and deal.deck is None and deal.stock is None
    if not alone or not whole or deal.hands is None or len(deal.hands) != len(game.players):
        return None
    return Frame(engine, game)
