"""Everything a player may do in a position: all legal melds, all legal discards, what wins."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from conquian.engine.copies import in_hand, ways
from conquian.engine.engine import Engine
from conquian.engine.facts import closed
from conquian.engine.melds import Layout
from conquian.engine.reach import Reach
from conquian.engine.state import State


def taking(engine: Engine, state: State) -> int | None:
    """Where play stands when its holder may meld a card on offer; None if nothing is on offer to be melded."""
    at = closed(engine, state, state.at)
    phase = engine.flow.phase(at)
    if phase is None or not phase.offers or not any(line.verb == "meld" for line in phase.lines):
        return None
    return at


def legal_layouts(
    engine: Engine, state: State, reach: Reach | None = None, least: int = 0
) -> Iterator[tuple[Layout, bool]]:
    """Each table that a legal meld of the card on offer can leave, and whether it wins.

    Searches what is known of the holder's hand; unrecorded cards are not guessed at. With what other searches of the
    same answer have found (`reach`) only tables of at least so many cards are looked for; they come in its order.
    """
    at = taking(engine, state)
    if at is None:
        return
    seat = engine.flow.seat(at)
    pack, table, hand = engine.pack, state.tables[seat], state.hands[seat]
    number, own, starter = at // 3 // engine.seats, at % 3 == 0, at % 3 == 2
    held = pack.count(hand) + state.unknown[seat]
    on_table, asks_hand = sum(table), engine.program.asks_hand
    layouts: Iterable[Layout]
    if reach is None:
        layouts = engine.melds.acts(on_table, state.up, hand)
    else:
        layouts = reach.layouts(on_table, state.up, hand, least)
    for layout in layouts:
        used = sum(layout) - on_table - state.up
        for way in ways(pack, table, layout, state.up, used):
            args = (
                way.before,
                way.after,
                way.up,
                way.used,
                in_hand(pack, way, hand) if asks_hand else 0,
                state.unknown[seat],
                own,
                starter,
                state.stock,
                number,
            )
            if engine.meld_refused(*args) or (engine.bound[at] and not engine.duty_met(*args)):
                continue
            left = held - pack.count(used)
            won = engine.wins(
                way.before, way.after, way.up, way.used, own, starter, left, state.stock, number
            )
            yield layout, won
            break


def can_meld(engine: Engine, state: State) -> bool:
    """Whether the player to act can have a legal meld of the card on offer, by all that is known of the hand."""
    if next(legal_layouts(engine, state), None) is not None:
        return True
    at = closed(engine, state, state.at)
    seat = engine.flow.seat(at)
    unknown = state.unknown[seat]
    if not unknown or not engine.offering[at]:
        return False
    pack, table, hand = engine.pack, state.tables[seat], state.hands[seat]
    on_table, free = sum(table), pack.everything - state.seen
    rest = (unknown, at % 3 == 0, at % 3 == 2, state.stock, at // 3 // engine.seats)
    most = pack.count(hand) + unknown
    beside = engine.melds.acts_with_few(0, state.up, hand + free, most)  # mostly enough, and soon found
    anyhow = engine.melds.acts_with_few(on_table, state.up, hand + free, most)
    for layout in chain((tuple(sorted((*table, *laid))) for laid in beside), anyhow):
        used = sum(layout) - on_table - state.up
        if pack.count(pack.minus(used, hand)) > unknown:
            continue
        for way in ways(pack, table, layout, state.up, used):
            args = (way.before, way.after, way.up, way.used, in_hand(pack, way, hand), *rest)
            if not engine.meld_refused(*args) and not (engine.bound[at] and not engine.duty_met(*args)):
                return True
    return False


def regroupings(engine: Engine, state: State, seat: int) -> Iterator[Layout]:
    """Each table that regrouping a seat's melds can leave where it may regroup; the present one included."""
    table = state.tables[seat]
    pack = engine.pack
    at = state.at
    hand = state.hands[seat]
    rest = (
        state.unknown[seat],
        at % 3 == 0,
        at % 3 == 2,
        state.stock,
        at // 3 // engine.seats,
    )
    for layout in engine.melds.layouts(sum(table)):
        if any(
            not engine.arrange_refused(w.before, w.after, 0, 0, in_hand(pack, w, hand), *rest)
            for w in ways(pack, table, layout, 0, 0)
        ):
            yield layout


def stuck(engine: Engine, state: State) -> bool:
    """Whether the rules leave no event but regrouping: a due discard from an empty hand, a demand that no meld meets."""
    flow = engine.flow
    phase = flow.phase(state.at)
    if phase is None or phase.rests:
        return False
    seat = flow.seat(state.at)
    verbs = {line.verb for line in phase.lines if line.kind == "acts" and line.actor == "player"}
    held = engine.pack.count(state.hands[seat]) + state.unknown[seat]
    if verbs == {"discard"}:
        return held == 0 or not any(True for _ in legal_discards(engine, state))
    if verbs == {"meld"}:
        return not can_meld(engine, state)
    return False


def legal_discards(engine: Engine, state: State) -> Iterator[str]:
    """The cards that the player may throw: of a hand with unrecorded cards, every card that it can hold."""
    from conquian.engine.play import play

    seat = engine.flow.seat(state.at)
    names = {"me": seat}
    hand = state.hands[seat]
    possible = hand if not state.unknown[seat] else hand + (engine.pack.everything - state.seen)
    for kind in dict.fromkeys(engine.pack.kinds(possible)):
        card = engine.pack.cards[kind]
        if play(engine, state.copy(), [("me", "discards", card)], names).legal:
            yield card
