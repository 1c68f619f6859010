"""Which cards, put on offer to a player, win at once, and which pairs of cards win one after the other.

Guarantees: every card is tried of which the pack has a copy that lies neither in the player's hand nor on a
table; the engine alone says what wins. Only what is known of the hand is used.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from conquian.engine.engine import Engine
from conquian.engine.facts import facts
from conquian.engine.melds import Layout
from conquian.engine.play import play
from conquian.engine.search import legal_discards, legal_layouts
from conquian.engine.state import State
from conquian.position import offer_phase

DEPTHS = (1, 2)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two cards that win one after the other: the table after each, and what is thrown between them.

    `discard` is None where the rules ask for none.
    """

    first: str
    then: str
    discard: str | None
    layouts: tuple[Layout, Layout]


def offered(engine: Engine, state: State, seat: int, card: str, own: bool = False) -> State:
    """The position with a card on offer to a seat, and nothing else changed."""
    flow, here = engine.flow, state.copy()
    here.up = engine.pack.unit[card]
    here.at = flow.state(offer_phase(engine), seat, 0 if own else 1)
    if engine.live:
        at = flow.entered(here.at, here.first, facts(engine, here, seat))
        here.at = here.at if at == flow.drawn else at
    return here


def untold(engine: Engine, state: State, seat: int, gone: Sequence[str] = ()) -> list[str]:
    """The cards of which a copy is neither in the seat's hand, nor on a table, nor among the gone ones."""
    pack = engine.pack
    tables = {id(team): state.tables[team[0]] for team in engine.partners}
    known = state.hands[seat] + sum(sum(table) for table in tables.values())
    names = [*pack.names(known), *gone]
    return [card for card in pack.cards if names.count(card) < pack.copies]


def winning_layout(engine: Engine, offer: State) -> Layout | None:
    """The first table, in the order of the pack, that wins with the card on offer."""
    return min((layout for layout, won in legal_layouts(engine, offer) if won), default=None)


def winning_cards(
    engine: Engine, state: State, seat: int, gone: Sequence[str] = (), own: bool = False
) -> dict[str, Layout]:
    """The cards that win at once when they are put on offer, in the order of the pack, with a table of each."""
    found: dict[str, Layout] = {}
    for card in untold(engine, state, seat, gone):
        layout = winning_layout(engine, offered(engine, state, seat, card, own))
        if layout is not None:
            found[card] = layout
    return found


def after_melding(
    engine: Engine, offer: State, seat: int
) -> Iterator[tuple[Layout, list[tuple[str | None, State]]]]:
    """Each table that a legal meld which does not win can leave, with what can be thrown then.

    Every card to throw comes with the position after it; None where the rules ask for no discard. A table after
    which a discard is due, but none possible, comes with nothing.
    """
    names, seats = engine.pack.names, {"me": seat}
    for layout in sorted(layout for layout, won in legal_layouts(engine, offer) if not won):
        melded = offer.copy()
        meld = ("me", "melds", [names(m) for m in layout])
        if not play(engine, melded, [meld], seats).legal:
            continue
        if not _throws(engine, melded, seat):
            yield layout, [(None, melded)]
            continue
        thrown: list[tuple[str | None, State]] = []
        for card in legal_discards(engine, melded):
            then = melded.copy()
            play(engine, then, [("me", "discards", card)], seats)
            thrown.append((card, then))
        yield layout, thrown


def _throws(engine: Engine, state: State, seat: int) -> bool:
    """Whether the seat has to throw a card now."""
    phase = engine.flow.phase(state.at)
    return (
        phase is not None
        and engine.flow.seat(state.at) == seat
        and any(line.verb == "discard" for line in phase.lines)
    )


def winning_pairs(engine: Engine, state: State, seat: int, own: bool = False) -> Iterator[Pair]:
    """The pairs of which the first card melds without winning and the second one wins.

    A first card that wins by itself begins no pair. Of each pair, the first way to play it is given.
    """
    known: dict[tuple[Any, ...], dict[str, Layout]] = {}
    for first in untold(engine, state, seat):
        offer = offered(engine, state, seat, first, own)
        if winning_layout(engine, offer) is not None:
            continue
        pairs: dict[str, Pair] = {}
        for layout, thrown in after_melding(engine, offer, seat):
            for card, then in thrown:
                gone = () if card is None else (card,)
                key = (layout, then.hands[seat], then.unknown[seat], card)
                if key not in known:
                    known[key] = winning_cards(engine, then, seat, gone, own)
                for second, won in known[key].items():
                    pairs.setdefault(second, Pair(first, second, card, (layout, won)))
        yield from (pairs[card] for card in engine.pack.cards if card in pairs)


def melds_of_layout(engine: Engine, layout: Layout) -> list[list[str]]:
    """A table as documents have it: melds in the order of the pack, by their lowest cards."""
    place = {card: i for i, card in enumerate(engine.pack.cards)}
    return sorted((engine.pack.names(meld) for meld in layout), key=lambda meld: [place[c] for c in meld])
