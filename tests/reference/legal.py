"""Everything that may come next in a state with known hands and stock."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from .knowledge import UNKNOWN
from .melds import Meld, Table
from .search import legal_tables, onto, regroupings
from .settings import Settings
from .state import DISCARD, EXCHANGE, OFFER, OVER, TURN, State, after_pass
from .step import VERBS, step, table_left


def listing(settings: Settings, before: Table, after: Iterable[Meld]) -> list[list[str]]:
    """How a table is listed as an event: whole with copies of cards in play, else only what changed."""
    if settings.packs > 1:
        return [list(meld) for meld in after]
    return [list(meld) for meld in after if meld not in before]


def shortest_listing(settings: Settings, before: Table, up: str | None, after: Table) -> list[list[str]]:
    """The changed melds without those that are the unlisted remainder of an old one."""
    listed = listing(settings, before, after)
    if settings.packs > 1:
        return listed
    for meld in list(listed):
        fewer = [other for other in listed if other != meld]
        if up not in meld and table_left(settings, before, fewer) == after:
            listed = fewer
    return listed


def holder_state(state: State) -> State:
    """The state with a pending pass carried out."""
    return after_pass(state) if state.passed else state


def legal_acts(state: State) -> set[Table]:
    """Every table a legal meld of the holder can leave, his hand being known; empty with nothing on offer."""
    now = holder_state(state)
    hand = now.hand(now.actor)
    if now.phase != OFFER or now.card is None:
        return set()
    if hand is None:
        raise ValueError("the holder's hand is not known")
    return legal_tables(now.settings, now.table(now.actor), now.card, hand, now.demanded)


def _gifts(state: State) -> Iterator[list[Any]]:
    if state.phase == EXCHANGE:
        for seat, name in enumerate(state.players):
            for card in sorted(set(state.known.dealt[0][seat])):
                yield [name, "gives", card, state.players[state.following(seat)]]


def _demands(state: State) -> Iterator[list[Any]]:
    for name in state.players:
        yield [name, "forces"]
        for holder in (state, holder_state(state)):
            if holder.card is not None and holder.phase == OFFER:
                for meld in onto(state.settings, holder.table(holder.actor), holder.card):
                    yield [name, "forces", holder.card, list(meld)]


def _turned(state: State) -> Iterator[list[Any]]:
    if state.phase == TURN and state.stock_left():
        card = state.known.stock[state.turned]
        if card != UNKNOWN:
            yield [state.players[state.actor], "turns", card]


def _melds(state: State) -> Iterator[list[Any]]:
    for after in sorted(legal_acts(state)):
        yield [state.players[state.actor], "melds", listing(state.settings, state.table(state.actor), after)]


def _discards(state: State) -> Iterator[list[Any]]:
    if state.phase == DISCARD:
        for card in sorted(set(state.hand(state.actor) or ())):
            yield [state.players[state.actor], "discards", card]


def _regrouped(state: State) -> Iterator[list[Any]]:
    seats = {state.actor} if state.arranger is None else {state.actor, state.arranger}
    for seat in sorted(seats):
        name, table = state.players[seat], state.table(seat)
        if step(state, [name, "arranges", []]).code is None:
            yield [name, "arranges", []]
            for after in sorted(regroupings(state.settings, table)):
                yield [name, "arranges", listing(state.settings, table, after)]


def legal_events(state: State, verbs: Sequence[str] = VERBS) -> list[list[Any]]:
    """Every event that may come next, each table listed in one way; needs known hands and stock."""
    if state.phase == OVER:
        return []
    now = holder_state(state)
    candidates: dict[str, Iterator[list[Any]]] = {
        "gives": _gifts(state),
        "forces": _demands(state),
        "turns": _turned(now),
        "melds": _melds(now),
        "passes": iter([[now.players[now.actor], "passes"]]),
        "discards": _discards(now),
        "arranges": _regrouped(now),
    }
    found: list[list[Any]] = []
    for verb in verbs:
        for event in candidates[verb]:
            if event not in found and step(state, event).code is None:
                found.append(event)
    return found
