"""The state of a deal as a value, the turn order, and what its set-up must be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .knowledge import Known, can_be_true, facts_of_deal, recorded_cards, recorded_hands
from .melds import Card, Table, fits_onto
from .search import fits, some_legal_meld
from .settings import Settings

EXCHANGE, TURN, OFFER, DISCARD, OVER = "exchange", "turn", "offer", "discard", "over"


@dataclass(frozen=True)
class State:
    """Everything that decides what may come next. Seats are numbers in the order of play."""

    settings: Settings
    players: tuple[str, ...]
    first: int
    phase: str
    actor: int
    tables: tuple[Table, ...]  # by side: by seat, or by team
    hand_sizes: tuple[int, ...]
    known: Known
    turned: int = 0
    card: Card | None = None  # the card on offer, to `actor`
    own: bool = False
    asked: int = 0  # how many players the starter was offered to; 0 for any other card
    passed: bool = False  # declined, but a demand may still come
    demanded: bool = False
    arranger: int | None = None  # who may still arrange after a meld that no discard follows
    ending: bool = False  # drawn as soon as that window closes
    refused: tuple[Card, ...] = ()
    winner: int | None = None
    drawn: bool = False

    def side(self, seat: int) -> int:
        return seat % 2 if self.settings.teams else seat

    def table(self, seat: int) -> Table:
        return self.tables[self.side(seat)]

    def with_table(self, seat: int, table: Table) -> State:
        side = self.side(seat)
        return replace(self, tables=(*self.tables[:side], table, *self.tables[side + 1 :]))

    def following(self, seat: int) -> int:
        return (seat + 1) % len(self.players)

    def opponents(self, one: int, other: int) -> bool:
        return self.side(one) != self.side(other)

    def stock_left(self) -> int:
        return len(self.known.stock) - self.turned

    def hand(self, seat: int) -> list[Card] | None:
        return self.known.hand(seat)


# -- how play moves on --


def end_drawn(state: State) -> State:
    return replace(state, phase=OVER, card=None, drawn=True, passed=False, demanded=False, ending=False)


def begin_turn(state: State, seat: int) -> State:
    """The player has to turn a stock card; with none left the deal is drawn."""
    bare = replace(state, phase=TURN, actor=seat, card=None, own=False, asked=0, passed=False, demanded=False)
    return bare if bare.stock_left() else end_drawn(bare)


def put_on_offer(state: State, seat: int, card: Card, own: bool, asked: int = 0) -> State:
    offered = replace(
        state, phase=OFFER, actor=seat, card=card, own=own, asked=asked, passed=False, demanded=False
    )
    if state.settings.forced_when_offered and may_be_forced(offered):
        return replace(offered, demanded=True)
    return offered


def after_pass(state: State) -> State:
    """What a pass leads to once no demand has come."""
    assert state.card is not None
    following = state.following(state.actor)
    gone = replace(state, refused=(*state.refused, state.card))
    if state.asked:
        if state.asked < len(state.players):
            return put_on_offer(state, following, state.card, own=False, asked=state.asked + 1)
        return begin_turn(gone, state.first)
    if not state.own:
        return begin_turn(gone, state.actor)
    if state.settings.exhaustion == "immediate" and not state.stock_left():
        return end_drawn(gone)
    return put_on_offer(state, following, state.card, own=False)


def at_the_end(state: State) -> State:
    """The state when no more events come: a pending pass takes effect, an open window closes."""
    if state.passed:
        return after_pass(state)
    return end_drawn(state) if state.ending else state


def may_be_forced(state: State) -> bool:
    """Whether the card fits the table of the player it is offered to, and the rules know demands on it."""
    settings = state.settings
    table = state.table(state.actor)
    if (
        settings.force_timing == "none"
        or state.card is None
        or (settings.no_demand_on_own_card and state.own)
    ):
        return False
    if sum(len(meld) for meld in table) >= settings.no_demand_from_table_of:
        return False
    return fits(settings, table, state.card)


def can_hold(state: State, seat: int, cards: Iterable[Card]) -> bool:
    """Whether the player may have all these cards in hand, by all that is known."""
    return can_be_true(state.known.with_used(seat, cards))


def possible_hand(state: State, seat: int) -> list[Card]:
    """Every card the player may hold: the hand itself if known, else all copies of all not ruled out."""
    hand = state.hand(seat)
    if hand is not None:
        return hand
    return [card for card in state.settings.deck() if can_hold(state, seat, [card])] * state.settings.packs


def cannot_obey(state: State) -> bool:
    """Whether a forced player has no legal meld, whatever the unrecorded cards are."""
    if not state.demanded or state.card is None:
        return False
    seat, table = state.actor, state.table(state.actor)
    if fits_onto(state.card, table, state.settings) and not state.settings.house:
        return False  # laying it there, and nothing else, breaks no clause
    return not some_legal_meld(
        state.settings,
        table,
        state.card,
        possible_hand(state, seat),
        True,
        state.hand_sizes[seat],
        lambda used: can_hold(state, seat, sorted(used.elements())),
    )


def is_stuck(state: State) -> bool:
    """Whether the rules leave the one who has to act no way on."""
    if state.phase == DISCARD:
        return state.hand_sizes[state.actor] == 0
    return state.phase == OFFER and not state.passed and cannot_obey(state)


# -- the set-up --


def set_up_code(
    settings: Settings, deal: Mapping[str, Any], players: Sequence[str], dealer: int
) -> str | None:
    """The first thing wrong with a deal before its first event."""
    if len(players) not in settings.players:
        return "players"
    hands = recorded_hands(deal, players)
    starter: Card | None = deal.get("starter")
    named = [card for hand in hands for card in hand]
    named += [starter] if starter else []
    listed = [*recorded_cards(deal.get("stock")), *recorded_cards(deal.get("deck"))]
    deck = set(settings.deck())
    if any(card not in deck for card in (*named, *listed, *(deal.get("cut") or {}).values())):
        return "not-in-deck"
    if any(len(entries or ()) > settings.deal for entries in (deal.get("hands") or {}).values()):
        return "misdeal"
    if any(size not in (None, settings.deal) for size in (deal.get("hand_sizes") or {}).values()):
        return "misdeal"
    if facts_of_deal(settings, deal, players, dealer) is None:
        return "misdeal"
    if bool(starter) != settings.starter:
        return "no-starter"
    if any(count > settings.packs for count in Counter(named).values()):
        return "card-elsewhere"
    return None


def initial_state(settings: Settings, deal: Mapping[str, Any], players: Sequence[str], dealer: int) -> State:
    """The state before the first event of a deal whose set-up is right."""
    known = facts_of_deal(settings, deal, players, dealer)
    assert known is not None
    first = (dealer + 1) % len(players)
    sides = 2 if settings.teams else len(players)
    start = State(
        settings,
        tuple(players),
        first,
        EXCHANGE,
        first,
        tuple(() for _ in range(sides)),
        tuple(settings.deal for _ in players),
        known,
    )
    return start if settings.exchange else begin_play(start)


def begin_play(state: State) -> State:
    if state.settings.starter:
        assert state.known.starter is not None
        return put_on_offer(state, state.first, state.known.starter, own=False, asked=1)
    return begin_turn(state, state.first)
