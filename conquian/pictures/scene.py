"""What a picture shows, as data: who holds and has laid what, what is on offer, what the marks are on.

Guarantees: a scene holds nothing but what is known in its position; it is made without a guess. Cards are French
names, in the order in which they are shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal, cast

from msgspec import Struct

from conquian.cards import Notation, first_without_form
from conquian.engine.engine import Engine
from conquian.engine.facts import closed
from conquian.engine.state import State
from conquian.pictures.demandable import Demandable, onto_which
from conquian.position import Position
from conquian.transcript.model import Event

Mark = Literal["borrowed", "laid", "wrong"]
"""What a card is marked with: it came from another meld, or from hand or offer, with the last act; it offends."""


class Shown(Struct, frozen=True):
    """A card with its marks."""

    card: str
    marks: tuple[Mark, ...] = ()


class Laid(Struct, frozen=True):
    """A meld on a table; `forced` says that the card on offer can be, or has been, demanded onto it."""

    cards: tuple[Shown, ...]
    forced: bool = False


class Seat(Struct, frozen=True, kw_only=True):
    """A player. `unknown`: how many more cards are held, None if nobody says; `partner` has the table, if not he."""

    name: str
    hand: tuple[Shown, ...]
    unknown: int | None
    table: tuple[Laid, ...]
    partner: str | None = None
    due: bool = False


class Offer(Struct, frozen=True, kw_only=True):
    """The card that lies face up between the players: to whom it is on offer, or who has just passed it.

    `demand` says whether it has been demanded of that player, or when it can be: as soon as it is offered, or once
    it has been passed.
    """

    card: Shown
    player: str
    passed: bool
    demand: Literal["none", "on-offer", "on-decline", "made"]


class Scene(Struct, frozen=True, kw_only=True):
    """A position as it is drawn. `seats` are in order of play; the first sits at the bottom of the picture.

    `stock` is None if nobody says how many cards it has. `gone` are the cards that are out of play. `tried` are melds
    that were tried in this position and are not legal, `tried_by` whose they are.
    """

    rules: str
    notation: Notation
    seats: tuple[Seat, ...]
    offer: Offer | None
    stock: int | None
    gone: tuple[str, ...]
    phase: str
    winner: str | None
    tried: tuple[Laid, ...] = ()
    tried_by: str | None = None


def scene_of(
    position: Position,
    *,
    notation: Notation = "french",
    viewer: str | None = None,
    before: Position | None = None,
    open_hands: bool | None = None,
    stock_known: bool = True,
    wrong: Sequence[str] = (),
    tried: Event | None = None,
) -> Scene:
    """The scene of a position.

    `viewer` sits at the bottom, else the first player. `before` is the position before the last event: cards that the
    event moved are marked. `open_hands`: nobody says how many unknown cards a hand has; None: so it is in positions of
    `Rules.position`. `wrong` are the offending cards of the event `tried`, which is not legal here.
    """
    engine, state = position.rules.engine, position.state
    if first_without_form(tuple(card[:-1] for card in engine.pack.cards), notation) is not None:
        notation = "french"
    if open_hands is None:
        open_hands = position.players[0] == "me"
    flow = engine.flow
    demand = onto_which(position)
    after = closed(engine, state, state.at)  # what play goes on with if nobody demands anything
    goes_on = flow.phase(after) is not None
    marked = Counter(wrong)
    start = 0 if viewer is None else position.players.index(viewer)
    seats = []
    order = [(start + step) % engine.seats for step in range(engine.seats)]
    for seat in order:
        first = next(one for one in order if one in engine.partners[seat])
        melds = demand.onto if demand is not None and seat in engine.partners[demand.seat] else ()
        old = None if before is None else before.state.tables[seat]
        seats.append(
            Seat(
                name=position.players[seat],
                hand=tuple(_marked(card, marked) for card in engine.pack.names(state.hands[seat])),
                unknown=None if open_hands and state.unknown[seat] else state.unknown[seat],
                table=_table(engine, state.tables[seat], old, melds, marked) if seat == first else (),
                partner=None if seat == first else position.players[first],
                due=goes_on and flow.seat(after) == seat,
            )
        )
    return Scene(
        rules=position.rules.name,
        notation=notation,
        seats=tuple(seats),
        offer=_offer(position, demand, after, marked),
        stock=state.stock if stock_known else None,
        gone=tuple(engine.pack.names(_gone(engine, state))),
        phase=position.phase,
        winner=None if state.winner is None else position.players[state.winner],
        tried=_tried(tried, Counter(wrong)),
        tried_by=None if tried is None else str(tried[0]),
    )


def _tried(event: Event | None, wrong: Counter[str]) -> tuple[Laid, ...]:
    """The melds of an event, if it has some."""
    if event is None or event[1] not in ("melds", "arranges"):
        return ()
    melds = cast("tuple[tuple[str, ...], ...]", event[2])
    return tuple(Laid(tuple(_marked(card, wrong) for card in meld)) for meld in melds if meld)


def _offer(position: Position, demand: Demandable | None, after: int, wrong: Counter[str]) -> Offer | None:
    """The card that lies open, seen from the player whom it can be forced on, else from him who may take it next."""
    engine, state = position.rules.engine, position.state
    if not state.up:
        return None
    flow = engine.flow
    (name,) = engine.pack.names(state.up)
    at = after if demand is None else demand.at
    phase = flow.phase(at)
    passed = phase is None or not phase.offers
    if passed and demand is None:
        at = state.at
    player = position.players[flow.seat(at)] if flow.phase(at) is not None else ""
    when = "none" if demand is None else cast("Literal['on-offer', 'on-decline', 'made']", demand.when)
    return Offer(card=_marked(name, wrong), player=player, passed=passed, demand=when)


def _marked(card: str, wrong: Counter[str], marks: tuple[Mark, ...] = ()) -> Shown:
    """A card, marked as offending if it is still among those."""
    if wrong[card] > 0:
        wrong[card] -= 1
        return Shown(card, (*marks, "wrong"))
    return Shown(card, marks)


def _gone(engine: Engine, state: State) -> int:
    """The cards that have been seen and are nowhere: passed by everybody, or covered."""
    pack = engine.pack
    somewhere = [
        *state.hands,
        state.up,
        *state.recorded[state.drawn_to :],
        *(known for known, _ in state.received),
    ]
    somewhere += [sum(state.tables[seat]) for seat in range(engine.seats) if engine.partners[seat][0] == seat]
    gone = state.seen
    for cards in somewhere:
        gone = pack.minus(gone, cards)
    return gone


# ---- tables


def _table(
    engine: Engine,
    table: tuple[int, ...],
    old: tuple[int, ...] | None,
    onto: Sequence[int],
    wrong: Counter[str],
) -> tuple[Laid, ...]:
    pack = engine.pack
    placed = engine.placed(table)
    came = _came(placed, engine.placed(old)) if old is not None and old != table else [(0, 0)] * len(table)
    melds = []
    for meld, (borrowed, laid) in zip(table, came, strict=True):
        taken, new = Counter(pack.names(pack.packed_of(borrowed))), Counter(pack.names(pack.packed_of(laid)))
        cards = []
        for card in pack.names(meld):
            marks: tuple[Mark, ...] = ()
            if taken[card]:
                taken[card] -= 1
                marks = ("borrowed",)
            elif new[card]:
                new[card] -= 1
                marks = ("laid",)
            cards.append(_marked(card, wrong, marks))
        melds.append(Laid(tuple(cards), meld in onto))
    return tuple(melds)


def _came(placed: Sequence[int], old: Sequence[int]) -> list[tuple[int, int]]:
    """For each meld the cards that came from another meld and those that came from no meld, as physical sets.

    An old meld goes on as the one that holds most of its cards, the first of several.
    """
    heirs = [
        max(range(len(placed)), key=lambda i: ((placed[i] & meld).bit_count(), -i), default=0) for meld in old
    ]
    found = []
    for index, meld in enumerate(placed):
        own = sum(one for one, heir in zip(old, heirs, strict=True) if heir == index)
        others = sum(one for one, heir in zip(old, heirs, strict=True) if heir != index)
        found.append((meld & others, meld & ~own & ~others))
    return found
