"""A recorded game, as JSON decodes into it and as the text form is read into it (contract: notation,
section 3).

Guarantees: values are immutable and compare by what they hold. Decoding JSON with
`msgspec.json.Decoder(Game)` checks keys, types and card names, gives melds as hashable tuples, and makes no
object for an event but its tuple. It does not check what these types cannot say:
`conquian.transcript.shape` does.

Everything optional is None when absent. Places of deals and events in their tuples are counted from 0.
"""

from __future__ import annotations

from typing import Final, Literal

from msgspec import Raw, Struct

from conquian.cards import Card, Held, Notation

Meld = tuple[Card, ...]

Event = tuple[str | tuple[Card | tuple[Card, ...], ...], ...]
"""Who, what, and with which cards:

- `("Ana", "turns", "5c")`, `("Ana", "passes")`, `("Ana", "discards", "Ks")`,
- `("Ana", "melds", (("5c", "6c", "7c"),))`, `("Ana", "arranges", (("4c", "5c", "6c"),))`,
- `("Ben", "forces")`, `("Ben", "forces", "Jc", ("5c", "6c", "7c"))`,
- `("Ana", "gives", "3h", "Ben")`, where the card given may be `?`,
- `("Ben", "objects")`, `("Ben", "concedes")`, `("Ana", "agrees", "Ben")`: an agreed draw, all who agree named.
"""

FORMAT: Final = "conquian/1"
SAID: Final = frozenset({"objects", "concedes", "agrees"})
"""What is said at a table and moves no card; the fast way through streams leaves games with it to the slow one."""
VERBS: Final = (
    *("turns", "melds", "arranges", "passes", "discards", "forces", "gives"),
    *("objects", "concedes", "agrees"),
)
KNOWN_TAGS: Final = ("date", "event", "place", "recorder")


class Match(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """What ends a session: a number of wins or of units, exactly one of the two."""

    wins: int | None = None
    units: int | None = None


class Claim(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """The result that the recorder wrote down: a winner's name, or `drawn` or `broken_off` (then true)."""

    winner: str | None = None
    drawn: bool | None = None
    broken_off: bool | None = None


class Record(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What is recorded of a deal besides its events.

    `hands` holds cards as dealt, `?` for one that was not recorded, `()` or None for a hand of which
    nothing is known; `hand_sizes` a recorded count. `deck` is top first before dealing, `stock` next card
    first. A comment is `(event, text)`: the event it belongs to, or the number of events when it stands
    after the last.
    """

    number: int = 1
    hands: dict[str, tuple[Held, ...] | None] | None = None
    hand_sizes: dict[str, int] | None = None
    cut: dict[str, Card] | None = None
    deck: tuple[Held, ...] | None = None
    stock: tuple[Held, ...] | None = None
    starter: Card | None = None
    comments: tuple[tuple[int, str], ...] | None = None
    claim: Claim | None = None


class Deal(Record, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One deal: what was recorded before play, then the events in order."""

    events: tuple[Event, ...] = ()


class QuickDeal(Record, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A deal of which the events are still JSON, for who reads them by their bytes."""

    events: Raw = Raw(b"[]")


class Dealt(Struct, forbid_unknown_fields=True):
    """The hands of a deal and the card turned at the start, where nothing else was recorded before play."""

    hands: dict[str, tuple[Held, ...]]
    starter: Card | None = None


class Head(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What is recorded of a game besides its deals. `players` is the order of play round the table.

    `dealer` is the first deal's dealer, None when not recorded (then the last of `players`); `rules` is a
    rule set's name, never a path. `cards` is the notation in which the text form writes cards; here they
    are always French.
    """

    format: Literal["conquian/1"]
    rules: str | None = None
    readings: dict[str, str] | None = None
    players: tuple[str, ...]
    dealer: str | None = None
    match: Match | None = None
    cards: Notation = "french"
    tags: dict[str, str] | None = None


class Game(Head, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A game: the header and its deals."""

    deals: tuple[Deal, ...] = ()


class QuickGame(Head, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A game of which the events are still JSON."""

    deals: tuple[QuickDeal, ...] = ()
