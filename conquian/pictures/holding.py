"""What the whole record of a deal says of hands that were not written down: who held what, or may have held.

Guarantees: what is said is what `conquian infer` answers for the same moment; nothing is said where that is undecided.
"""

from __future__ import annotations

from msgspec import Struct

from conquian.engine.engine import Engine
from conquian.engine.residues import TooManyHands
from conquian.inferring import Moment, inferred
from conquian.position import Position
from conquian.questions import CannotAsk
from conquian.transcript.model import Game


class Holding(Struct, frozen=True):
    """A hand of which the record tells more than had been seen: cards that it certainly held, how many more, and the
    cards of which these may have been."""

    player: str
    certain: tuple[str, ...]
    more: int
    possible: tuple[str, ...]


def holdings(
    engine: Engine, game: Game, deal: int, first: int, judged: int, event: int, here: Position
) -> tuple[Holding, ...]:
    """The hands with unknown cards just before an event of a deal, by seat; `judged` events of it are legal."""
    pack = engine.pack
    if not any(here.state.unknown):
        return ()
    try:
        found = inferred(Moment(engine, game, deal, event, judged, first))
    except (TooManyHands, CannotAsk):
        return ()
    said = []
    for seat, (count, held) in enumerate(found):
        if here.state.unknown[seat]:
            more = count - pack.count(held.certain)
            possible = pack.names(pack.minus(held.possible, held.certain)) if more else []
            said.append(Holding(game.players[seat], tuple(pack.names(held.certain)), more, tuple(possible)))
    return tuple(said)
