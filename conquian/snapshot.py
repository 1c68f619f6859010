"""A position written down whole, so that it can be taken up again exactly: what `--position` cannot say too.

Guarantees: `taken(written(position))` is the same position; what no position of the rules can be is a `BadPosition`.
Cards are French names, seats are counted from 0, tables are sorted as the engine sorts them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from msgspec import Struct

from conquian.engine.engine import Engine
from conquian.engine.flow import ORIGINS
from conquian.engine.state import State
from conquian.position import BadPosition, Position, Rules

ENDS = ("won", "drawn", "exchange")
LONGEST_NAME = 200


class Seat(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One player: table (partners show the same), known hand cards, how many are not known; gifts, where there are."""

    table: tuple[tuple[str, ...], ...]
    hand: tuple[str, ...]
    unknown: int
    gifts: int = 0
    received: tuple[tuple[str, ...], int] = ((), 0)


class Snapshot(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A moment of a deal. `phase` by its name in the rules, or `won`, `drawn`, `exchange`; `origin` of the card `up`.

    `seen`: all cards whose place is known or was known. `recorded`: what the record says of the stock, next card
    first after `drawn` cards, null for a card nobody recorded.
    """

    players: tuple[str, ...]
    phase: str
    to_act: int
    origin: str
    up: str | None
    seats: tuple[Seat, ...]
    stock: int
    first: int
    seen: tuple[str, ...]
    recorded: tuple[str | None, ...] = ()
    drawn: int = 0


def written(position: Position) -> Snapshot:
    """The position as a document."""
    state, engine = position.state, position.rules.engine
    names, flow = engine.pack.names, engine.flow
    seats = tuple(
        Seat(
            table=tuple(tuple(names(meld)) for meld in state.tables[seat]),
            hand=tuple(names(state.hands[seat])),
            unknown=state.unknown[seat],
            gifts=state.gifts[seat],
            received=(tuple(names(state.received[seat][0])), state.received[seat][1]),
        )
        for seat in range(engine.seats)
    )
    ended = flow.phase(state.at) is None
    return Snapshot(
        players=position.players,
        phase=position.phase,
        to_act=0 if ended else flow.seat(state.at),
        origin=ORIGINS[1] if ended else flow.origin(state.at),
        up=position.up,
        seats=seats,
        stock=state.stock,
        first=state.first,
        seen=tuple(names(state.seen)),
        recorded=tuple(names(card)[0] if card else None for card in state.recorded),
        drawn=state.drawn_to,
    )


def taken(found: Snapshot, rules: Rules) -> Position:
    """The position of a document under the rules it was written under; BadPosition if it can be none of them."""
    engine = rules.engine
    pack = engine.pack
    _check(found, engine)
    tables = [tuple(sorted(map(pack.packed, seat.table))) for seat in found.seats]
    state = State(
        at=_at(found, engine),
        up=0 if found.up is None else pack.unit[found.up],
        hands=[pack.packed(seat.hand) for seat in found.seats],
        unknown=[seat.unknown for seat in found.seats],
        tables=tables,
        fit=[engine.fit(table) for table in tables],
        stock=found.stock,
        recorded=tuple(0 if card is None else pack.unit[card] for card in found.recorded),
        seen=pack.packed(found.seen),
        first=found.first,
        gifts=[seat.gifts for seat in found.seats],
    )
    state.received = [(pack.packed(seat.received[0]), seat.received[1]) for seat in found.seats]
    state.drawn_to = found.drawn
    return Position(rules, state, found.players)


def _at(found: Snapshot, engine: Engine) -> int:
    if found.phase in ENDS:
        return (engine.flow.won, engine.flow.drawn, engine.flow.unstarted)[ENDS.index(found.phase)]
    phases = [phase.name for phase in engine.program.phases]
    if found.phase not in phases:
        raise BadPosition("phase", f"the rules have no phase `{found.phase[:40]}`")
    if found.origin not in ORIGINS:
        raise BadPosition("origin", f"`{found.origin[:40]}` is none of {', '.join(ORIGINS)}")
    return engine.flow.state(phases.index(found.phase), found.to_act, ORIGINS.index(found.origin))


def _check(found: Snapshot, engine: Engine) -> None:
    pack, seats = engine.pack, engine.seats
    if len(found.seats) != seats or len(found.players) != seats or len(set(found.players)) != seats:
        raise BadPosition("players", f"the rules are for {seats} players, each with a name")
    if any(len(name) > LONGEST_NAME for name in found.players):
        raise BadPosition("players", "a name is too long")
    if not 0 <= found.to_act < seats or not 0 <= found.first < seats:
        raise BadPosition("to_act", f"seats are counted from 0 to {seats - 1}")
    numbers = [found.stock, found.drawn, len(found.recorded)]
    numbers += [n for seat in found.seats for n in (seat.unknown, seat.gifts, seat.received[1])]
    if not all(0 <= number <= pack.size for number in numbers):
        raise BadPosition("stock", f"a number of cards is not between 0 and {pack.size}")
    _check_numbers(found, engine)
    on_tables = [
        card for team in engine.program.teams for meld in found.seats[team[0]].table for card in meld
    ]
    held = [card for seat in found.seats for card in (*seat.hand, *seat.received[0])]
    up = [] if found.up is None else [found.up]
    here = _counted("table, hands and offer", [*on_tables, *held, *up], engine)
    seen = _counted("seen", found.seen, engine)
    _counted("recorded", [card for card in found.recorded if card is not None], engine)
    if here - seen:
        raise BadPosition("seen", f"{min(here - seen)} lies or is held, and is not among the cards seen")
    for team in engine.program.teams:
        for seat in team:
            if found.seats[seat].table != found.seats[team[0]].table:
                raise BadPosition("table", "partners do not have the same table")
    for seat_ in found.seats:
        for meld in seat_.table:
            if pack.packed(meld) not in engine.melds.packed:
                raise BadPosition("table", f"{' '.join(meld)} is no meld", "invalid-meld", meld)


def _check_numbers(found: Snapshot, engine: Engine) -> None:
    """That hands, gifts and stock are no larger than the deal makes them; hands that are known whole may be any."""
    program, exchange = engine.program, engine.program.exchange[0]
    stock = engine.pack.size - program.dealt * program.players - program.starter
    for seat in found.seats:
        if seat.unknown and len(seat.hand) + seat.unknown > program.dealt:
            raise BadPosition("unknown", f"a hand never has more than {program.dealt} cards")
        given, more = seat.received
        if seat.gifts + len(given) + more and (not exchange or found.phase != "exchange"):
            raise BadPosition("gifts", "no exchange of cards is going on")
        if seat.gifts > exchange or len(given) + more > exchange:
            raise BadPosition("gifts", f"{exchange} cards are exchanged")
    if found.drawn and found.stock + found.drawn != stock:
        raise BadPosition("drawn", f"stock and drawn cards are {stock} together")
    if len(found.recorded) > stock:
        raise BadPosition("recorded", f"the stock has {stock} cards")


def _counted(field: str, cards: Iterable[str], engine: Engine) -> Counter[str]:
    pack, found = engine.pack, Counter[str]()
    for card in cards:
        if card not in pack.unit:
            raise BadPosition(field, f"{card[:40]} is not in the pack", "not-in-deck")
        found[card] += 1
        if found[card] > pack.copies:
            raise BadPosition(field, f"{card} is named too often", "card-twice", [card])
    return found
