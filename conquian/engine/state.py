"""What is known of a deal at one moment, as the engine keeps it.

A `State` is copied before it is changed by anything but the engine's own loop, so that it can be treated as
a value. Sets of cards are packed ints. Hands and tables are listed by seat; partners share one table.
"""

from __future__ import annotations

from collections.abc import Sequence

Table = tuple[int, ...]


class State:
    """One moment of a deal.

    at       state of the flow (phase, seat, origin), or one of its ends
    up       the card on offer or just passed, 0 when there is none
    hands    by seat: the cards known to be held
    unknown  by seat: how many more cards are held that nobody recorded
    tables   by seat: the melds in front of the player's team, sorted
    fit      by seat: the cards that fit that table as it lies
    stock    how many cards the stock still has
    recorded what the record says of the stock, next card first, 0 for a card nobody recorded
    drawn_to how many stock cards have been turned
    seen     all cards whose place is known or was known
    first    the seat that acts first
    gifts    by seat: gifts still to be made before play
    received by seat: (known cards, unknown cards) given to the player, taken up when all have given
    winner   the seat whose meld won
    over     the last meld took its table past the goal and did not win
    """

    __slots__ = (
        "at",
        "drawn_to",
        "first",
        "fit",
        "gifts",
        "hands",
        "over",
        "received",
        "recorded",
        "seen",
        "stock",
        "tables",
        "unknown",
        "up",
        "winner",
    )

    def __init__(
        self,
        at: int,
        up: int,
        hands: Sequence[int],
        unknown: Sequence[int],
        tables: Sequence[Table],
        fit: Sequence[int],
        stock: int,
        recorded: tuple[int, ...],
        seen: int,
        first: int,
        gifts: Sequence[int],
    ) -> None:
        self.at = at
        self.up = up
        self.hands = list(hands)
        self.unknown = list(unknown)
        self.tables = list(tables)
        self.fit = list(fit)
        self.stock = stock
        self.recorded = recorded
        self.drawn_to = 0
        self.seen = seen
        self.first = first
        self.gifts = list(gifts)
        self.received: list[tuple[int, int]] = [(0, 0)] * len(self.gifts)
        self.winner: int | None = None
        self.over = False

    def copy(self) -> State:
        new = State(
            self.at,
            self.up,
            self.hands,
            self.unknown,
            self.tables,
            self.fit,
            self.stock,
            self.recorded,
            self.seen,
            self.first,
            self.gifts,
        )
        new.drawn_to = self.drawn_to
        new.received = self.received.copy()
        new.winner = self.winner
        return new
