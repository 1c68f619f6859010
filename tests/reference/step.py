"""One event: the code of the first rule it breaks, or the state it leads to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .knowledge import UNKNOWN, can_be_true
from .layout import code_of_act, code_of_arranging
from .melds import Card, Meld, Table, in_order, is_meld, laid_out
from .search import all_cards, wins
from .settings import Settings
from .state import (
    DISCARD,
    EXCHANGE,
    OFFER,
    OVER,
    TURN,
    State,
    after_pass,
    begin_play,
    begin_turn,
    can_hold,
    cannot_obey,
    end_drawn,
    may_be_forced,
    put_on_offer,
)

Event = Sequence[Any]
VERBS = ("turns", "melds", "arranges", "passes", "discards", "gives", "forces")


@dataclass(frozen=True)
class Outcome:
    """A code and the old state, or no code and the new state."""

    code: str | None
    state: State


def cards_named(event: Event) -> list[Card]:
    """Every card that an event names."""
    verb = event[1]
    if verb in ("turns", "discards", "gives"):
        return [event[2]] if event[2] != UNKNOWN else []
    if verb in ("melds", "arranges"):
        return [card for meld in event[2] for card in meld]
    if verb == "forces" and len(event) > 2:
        return [event[2], *event[3]]
    return []


def step(state: State, event: Event) -> Outcome:
    """Judge one event in the order of the table of codes."""
    seat = state.players.index(event[0])
    verb = event[1]
    if verb not in VERBS:
        raise ValueError(f"no such event: {verb!r}")
    deck = set(state.settings.deck())
    if any(card not in deck for card in cards_named(event)):
        return Outcome("not-in-deck", state)
    if state.phase == OVER:
        return Outcome("game-over", state)
    if state.ending and not (verb == "arranges" and seat == state.arranger):
        return Outcome("game-over", state)
    if verb == "forces" and state.phase != EXCHANGE:
        return _demand(state, seat, event)
    now = after_pass(state) if state.passed else state
    if now.phase == OVER:
        return Outcome("game-over", state)
    code, after = _act(now, seat, event)
    return Outcome(code, state if after is None else after)


Judged = tuple[str | None, State | None]


def _act(state: State, seat: int, event: Event) -> Judged:
    verb = event[1]
    if state.phase == EXCHANGE or verb == "gives":
        return _gift(state, seat, event)
    in_window = verb == "arranges" and seat == state.arranger
    if seat != state.actor and not in_window:
        return "not-your-turn", None
    if state.demanded and (verb != "melds" or cannot_obey(state)):
        return "forced", None
    if verb == "turns":
        return _turn(state, seat, event[2])
    if verb == "melds":
        return _meld(state, seat, event[2])
    if verb == "passes":
        if state.phase != OFFER:
            return "no-offer", None
        return None, replace(state, passed=True, arranger=None)
    if verb == "discards":
        return _discard(state, seat, event[2])
    return _arrange(state, seat, event[2])


def _gift(state: State, seat: int, event: Event) -> Judged:
    if state.phase != EXCHANGE or event[1] != "gives" or state.known.gifts[seat] is not None:
        return "exchange", None
    if event[3] != state.players[state.following(seat)]:
        return "exchange", None
    known = state.known.with_gift(seat, event[2])
    if not can_be_true(known):
        return "not-in-hand", None
    after = replace(state, known=known)
    return None, (begin_play(after) if all(gift is not None for gift in known.gifts) else after)


def _demand(state: State, seat: int, event: Event) -> Outcome:
    """A demand binds the passer or the holder of the offer; the passer's side, only the next holder."""
    refused = Outcome("no-force-due", state)
    on_whom = state
    declined = state.passed
    if state.phase != OFFER or state.demanded:
        return refused
    if declined and not state.opponents(seat, state.actor):
        on_whom, declined = after_pass(state), False
    if on_whom.phase != OFFER or on_whom.demanded or not on_whom.opponents(seat, on_whom.actor):
        return refused
    if not declined and state.settings.force_timing != "on-offer":
        return refused
    if not may_be_forced(on_whom):
        return refused
    if len(event) > 2:
        meld = in_order(event[3], state.settings)
        fitting = is_meld((*meld, event[2]), state.settings)
        if event[2] != on_whom.card or meld not in on_whom.table(on_whom.actor) or not fitting:
            return refused
    return Outcome(None, replace(on_whom, passed=False, demanded=True, arranger=None))


def _turn(state: State, seat: int, card: Card) -> Judged:
    if state.phase == OFFER:
        return "offer-open", None
    if state.phase != TURN:
        return "wrong-action", None
    recorded = state.known.stock[state.turned]
    if recorded not in (UNKNOWN, card):
        return "stock-mismatch", None
    known = state.known.with_turned(state.turned, card)
    if not can_be_true(known):
        return "card-elsewhere", None
    turned = replace(state, known=known, turned=state.turned + 1, arranger=None)
    return None, put_on_offer(turned, seat, card, own=True)


def _discard(state: State, seat: int, card: Card) -> Judged:
    if state.phase != DISCARD:
        return "no-discard-due", None
    if not can_hold(state, seat, [card]):
        return "not-in-hand", None
    after = _lay_from_hand(state, seat, [card])
    if state.settings.exhaustion == "immediate" and not after.stock_left():
        return None, end_drawn(after)
    return None, put_on_offer(after, state.following(seat), card, own=False)


def _lay_from_hand(state: State, seat: int, cards: Sequence[Card]) -> State:
    sizes = list(state.hand_sizes)
    sizes[seat] -= len(cards)
    return replace(state, hand_sizes=tuple(sizes), known=state.known.with_used(seat, cards))


# -- melding and arranging --


def table_left(settings: Settings, table: Table, listed: Iterable[Sequence[Card]]) -> Table:
    """The whole table after a listing: in a single pack, melds and remainders not listed stand as well."""
    melds = [tuple(meld) for meld in listed]
    if settings.packs == 1:
        named = {card for meld in melds for card in meld}
        rests = [tuple(card for card in meld if card not in named) for meld in table]
        melds += [rest for rest in rests if rest]
    return laid_out(melds, settings)


def _meld(state: State, seat: int, listed: Sequence[Meld]) -> Judged:
    settings = state.settings
    if state.phase != OFFER or state.card is None:
        return "no-offer", None
    up, table = state.card, state.table(seat)
    if any(count > settings.packs for count in all_cards(listed).values()):
        return "card-twice", None
    after = table_left(settings, table, listed)
    there, laid = all_cards(table), all_cards(after)
    if there - laid:
        return "table-card-missing", None
    if there + Counter([up]) - laid:
        return "offer-not-used", None
    used = sorted((laid - there - Counter([up])).elements())
    if not can_hold(state, seat, used):
        return "not-in-hand", None
    if not all(is_meld(meld, settings) for meld in after) or not all(listed):
        return "invalid-meld", None
    code = code_of_act(settings, table, after, up, state.demanded)
    if code is not None:
        return code, None
    return None, _after_meld(_lay_from_hand(state, seat, used).with_table(seat, after), seat)


def _after_meld(state: State, seat: int) -> State:
    settings = state.settings
    bare = replace(state, card=None, own=False, asked=0, demanded=False, arranger=None)
    if wins(settings, bare.table(seat), bare.hand_sizes[seat]):
        return replace(bare, phase=OVER, winner=seat)
    empty = settings.empty_hand_ends_turn and bare.hand_sizes[seat] == 0
    if settings.discard_after_meld == "yes" and not empty:
        return replace(bare, phase=DISCARD, actor=seat)
    arranger = seat if _may_arrange_after_meld(state) else None
    if arranger is not None and not bare.stock_left():
        return replace(bare, phase=TURN, actor=state.following(seat), arranger=arranger, ending=True)
    return replace(begin_turn(bare, state.following(seat)), arranger=arranger)


def _may_arrange_after_meld(state: State) -> bool:
    return state.settings.arranging == "alone" or state.settings.borrowing == "afterwards"


def _arrange(state: State, seat: int, listed: Sequence[Meld]) -> Judged:
    settings, table = state.settings, state.table(seat)
    melded = state.phase == DISCARD or seat == state.arranger
    if not (_may_arrange_after_meld(state) if melded else settings.arranging == "alone"):
        return "arranging", None
    if any(count > settings.packs for count in all_cards(listed).values()):
        return "card-twice", None
    after = table_left(settings, table, listed) if listed else table
    there, laid = all_cards(table), all_cards(after)
    if there - laid:
        return "table-card-missing", None
    if laid - there:
        return "arranging", None
    if not all(is_meld(meld, settings) for meld in after) or not all(listed):
        return "invalid-meld", None
    code = code_of_arranging(settings, table, after)
    if code is not None:
        return code, None
    arranger = state.arranger if seat == state.arranger else None
    arranged = replace(state.with_table(seat, after), arranger=arranger)
    # A house rule that forces a fitting card looks again at the new table.
    if arranged.phase == OFFER and settings.forced_when_offered and may_be_forced(arranged):
        arranged = replace(arranged, demanded=True)
    return None, arranged
