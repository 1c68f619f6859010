"""What could be done in a position, in words: every kind of event that the rules allow there, by whom.

Guarantees: nothing is listed that the engine refuses. Melds, discards and regroupings are searched among the cards that
are known; more than a few are counted, not listed. What stood on a table although it is no meld is left as it lies.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

from msgspec import Struct

from conquian.cards import Notation
from conquian.engine.acts import put_table
from conquian.engine.demands import demand
from conquian.engine.engine import Engine
from conquian.engine.facts import closed_once
from conquian.engine.flow import REFUSED
from conquian.engine.program import Line
from conquian.engine.search import can_meld, legal_discards, legal_layouts, regroupings
from conquian.engine.state import State
from conquian.pictures.demandable import fitting
from conquian.pictures.words import cards_text, melds_text
from conquian.position import Position
from conquian.tongue import either, tell

MOST_LISTED = 6
"""How many melds of a position are listed."""
MOST_COUNTED = 200
"""How many are counted; beyond, it is said that there are more."""


class Choice(Struct, frozen=True):
    """Something that a player may do."""

    player: str
    text: str


def choices(position: Position, notation: Notation = "french") -> tuple[Choice, ...]:
    """Everything that may be done in a position, in the order of the rules; nothing when the deal has ended."""
    engine, state = position.rules.engine, position.state.copy()
    _without_odd_melds(engine, state)
    flow, found = engine.flow, dict[Choice, None]()
    while (phase := flow.phase(state.at)) is not None:
        here = Position(position.rules, state.copy(), position.players)
        for line in phase.lines:
            for choice in _of_line(here, line, notation):
                found.setdefault(choice)
        if not phase.rests:
            break
        state.at = closed_once(engine, state, state.at)
    if state.at == flow.unstarted:
        return tuple(_gifts(position))
    return tuple(found)


def _without_odd_melds(engine: Engine, state: State) -> None:
    """Takes from the tables what is no meld: acts are judged without it as long as they leave it alone."""
    for seat, table in enumerate(state.tables):
        sound = tuple(meld for meld in table if meld in engine.melds.packed)
        if len(sound) < len(table):
            put_table(engine, state, seat, sound)


def _gifts(position: Position) -> Iterator[Choice]:
    """Who still has to give cards before play, and to whom."""
    engine, state = position.rules.engine, position.state
    for seat, left in enumerate(state.gifts):
        if left:
            to = position.players[(seat + engine.program.exchange[1]) % engine.seats]
            text = tell("give a card to {player}", player=to)
            if left > 1:
                text = tell("give {number} cards, one after the other, to {player}", number=left, player=to)
            yield Choice(position.players[seat], text)


def unseen(position: Position) -> tuple[str, ...]:
    """The cards that nobody has seen: those of which the unknown cards of hands and stock are."""
    pack = position.rules.engine.pack
    return tuple(pack.names(pack.everything - position.state.seen))


def _of_line(here: Position, line: Line, notation: Notation) -> Iterator[Choice]:
    engine, state = here.rules.engine, here.state
    seat = engine.flow.seat(state.at)
    player = here.players[seat]
    if line.kind != "acts":
        return
    if line.verb == "force":
        yield from _demands(here, seat, notation)
    elif line.actor != "player":
        return
    elif line.verb == "meld":
        text = _melds(engine, state, seat, notation)
        if text:
            yield Choice(player, text)
    elif line.verb == "pass":
        if here.can((player, "passes")):
            yield Choice(player, tell("pass"))
    elif line.verb == "turn":
        if _can_turn(here, player):
            yield Choice(player, tell("turn a card from the stock"))
    elif line.verb == "discard":
        cards = list(legal_discards(engine, state))
        if cards and state.unknown[seat]:
            yield Choice(player, tell("discard a card"))
        elif cards:
            yield Choice(player, tell("discard {cards}", cards=cards_text(cards, notation)))
    elif line.verb == "arrange":
        text = _regroupings(here, seat, notation)
        if text:
            yield Choice(player, text)


def _demands(here: Position, seat: int, notation: Notation) -> Iterator[Choice]:
    engine, state = here.rules.engine, here.state
    by = engine.opponents[seat]
    after, bound, _ = demand(engine, state, by, None, None)
    if after == REFUSED or bound != seat:
        return
    card = cards_text(engine.pack.names(state.up), notation)
    onto = [engine.pack.names(meld) for meld in fitting(engine, state, seat)]
    said = {"player": here.players[seat], "card": card}
    text = tell("demand that {player} meld {card}", **said)
    if onto:
        melds = either([cards_text(meld, notation) for meld in onto])
        text = tell("demand that {player} meld {card} onto {melds}", melds=melds, **said)
    yield Choice(here.players[by], text)


def _can_turn(here: Position, player: str) -> bool:
    pack, state = here.rules.engine.pack, here.state
    recorded = state.recorded[state.drawn_to] if state.drawn_to < len(state.recorded) else 0
    cards = pack.names(recorded) if recorded else pack.names(pack.everything - state.seen)
    return any(here.can((player, "turns", card)) for card in cards[:1])


def _melds(engine: Engine, state: State, seat: int, notation: Notation) -> str:
    """The tables that a meld of the card on offer can leave, by the melds that are new in them."""
    found = list(islice(legal_layouts(engine, state), MOST_COUNTED + 1))
    unknown = bool(state.unknown[seat])
    if not found:
        return tell("meld, if the unknown cards fit") if unknown and can_meld(engine, state) else ""
    old = state.tables[seat]
    ordered = sorted(
        found, key=lambda one: (not one[1], [engine.pack.names(meld) for meld in sorted(one[0])])
    )
    listed = [
        _changed(engine, old, layout, notation) + (tell(" (and wins)") if won else "")
        for layout, won in ordered[:MOST_LISTED]
    ]
    left = len(found) - len(listed)
    if left > 0:
        many = len(found) > MOST_COUNTED
        listed.append(tell("and many more") if many else tell("and {number} more", number=left))
    if unknown:
        listed.append(tell("or with unknown cards, if they fit"))
    return tell("meld {melds}", melds="; ".join(listed))


def _regroupings(here: Position, seat: int, notation: Notation) -> str:
    engine, state = here.rules.engine, here.state
    old = state.tables[seat]
    others = (layout for layout in regroupings(engine, state, seat) if Counter(layout) != Counter(old))
    listed = []
    for layout in islice(others, MOST_LISTED):
        melds = tuple(tuple(engine.pack.names(meld)) for meld in layout)
        if here.can((here.players[seat], "arranges", melds)):
            listed.append(_changed(engine, old, layout, notation))
    return tell("regroup to {melds}", melds="; ".join(listed)) if listed else ""


def _changed(engine: Engine, old: Sequence[int], layout: Sequence[int], notation: Notation) -> str:
    """The melds of a table that were not there."""
    stood = Counter(old)
    new = []
    for meld in layout:
        if stood[meld]:
            stood[meld] -= 1
        else:
            new.append(meld)
    return melds_text((engine.pack.names(meld) for meld in new), notation)
