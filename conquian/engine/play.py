"""The one place that decides whether an event is legal.

`run` goes through coded events and stops at the first that is not legal; `can`, `check` and `apply` elsewhere
are faces of it. It tests in the cheapest order and names no code: `conquian.engine.refusals` walks the
contract's order for the one event that was stopped at.

INVARIANT: an event that is refused has changed nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import length_hint

from conquian.engine.acts import arrange, arrange_state, give, open_play
from conquian.engine.coded import DISCARD, PASS, TURN, Code, Event, encoded
from conquian.engine.demands import demand, demandable, due_after_pass
from conquian.engine.engine import UNASKED, Engine
from conquian.engine.facts import closed, facts, forbidden, held
from conquian.engine.flow import REFUSED
from conquian.engine.state import State


class Played:
    """What `run` noticed besides the state it leaves.

    legal  how many events were legal; the next one, if there is one, is not
    all    whether every event was legal
    due    (event, seat) of passes of cards whose meld could have been demanded, and was not
    past   (event, seat) of melds that took a table past the goal without winning
    away   regroupings after which the card on offer, which had fitted, fits no longer
    """

    __slots__ = ("all", "away", "due", "legal", "past")

    def __init__(self) -> None:
        self.legal = 0
        self.all = False
        self.due: list[tuple[int, int]] = []
        self.past: list[tuple[int, int]] = []
        self.away: list[int] = []


def play(engine: Engine, state: State, events: Sequence[Event], seats: Mapping[str, int]) -> Played:
    """Plays `events` on `state`, which it changes, up to the first that is not legal.

    KeyError, ValueError or TypeError, with the state unchanged, for events that are not well formed.
    """
    pack = engine.pack
    return run(engine, state, [encoded(pack, event, seats) for event in events])


def run(engine: Engine, state: State, codes: Sequence[Code]) -> Played:
    """The same for coded events (`conquian.engine.coded`)."""
    if engine.live:
        return _run_live(engine, state, codes)
    played = Played()
    due = played.due
    first, n, lay = state.first, engine.seats, engine.lay
    won_row = engine.won_row
    hands, unknown, fit = state.hands, state.unknown, state.fit
    empty = 0 if state.stock else 1
    passing, discarding, turning = engine.plain_tables[first]
    if empty:
        passing, discarding = engine.tabled(PASS, 1, 0, first), engine.tabled(DISCARD, 1, 0, first)
    no_pass, no_discard, no_turn = engine.no_pass, engine.no_discard, engine.no_turn
    due_without_fit = engine.demand_without_fit
    row, up = state.at * n, state.up
    seen, stock, recorded = state.seen, state.stock, state.recorded
    turnable = state.drawn_to + stock
    left = iter(codes)
    try:
        for kind, seat, a, b, c in left:
            if kind == 0:  # PASS
                after = passing[row + seat]
                if after < 0:
                    if after == UNASKED:
                        after = engine.step(PASS, empty, 0, row, seat, first)
                    if after == REFUSED:
                        break
                if no_pass and forbidden(engine, state, "pass", seat, row // n, up):
                    break
                row = after
                if fit[seat] & up or due_without_fit:
                    state.stock, state.up = stock, up
                    if due_after_pass(engine, state, row, seat):
                        due.append((len(codes) - length_hint(left) - 1, seat))
            elif kind == 1:  # TURN
                if stock < 2:
                    turning = engine.tabled(TURN, 2 - stock, 0, first)
                after = turning[row + seat]
                if after < 0:
                    if after == UNASKED:
                        flag = 2 - stock if stock < 2 else 0
                        after = engine.step(TURN, flag, 0, row, seat, first)
                    if after == REFUSED:
                        break
                if no_turn and forbidden(engine, state, "turn", seat, row // n, up):
                    break
                card: int = a
                field: int = b
                full: int = c
                known = recorded[turnable - stock] if recorded and turnable - stock < len(recorded) else 0
                if known:
                    if known != card:
                        break
                elif seen & field == full:
                    break
                else:
                    seen += card
                stock -= 1
                if not stock:
                    empty = 1
                    passing = engine.tabled(PASS, 1, 0, first)
                    discarding = engine.tabled(DISCARD, 1, 0, first)
                row, up = after, card
            elif kind == 2:  # DISCARD
                after = discarding[row + seat]
                if after < 0:
                    if after == UNASKED:
                        after = engine.step(DISCARD, empty, 0, row, seat, first)
                    if after == REFUSED:
                        break
                if no_discard:
                    state.seen, state.stock = seen, stock
                    if forbidden(engine, state, "discard", seat, row // n, a):
                        break
                card, field, full = a, b, c
                if hands[seat] & field:
                    hands[seat] -= card
                elif unknown[seat] and seen & field != full:
                    unknown[seat] -= 1
                    seen += card
                else:
                    break
                row, up = after, card
            elif kind == 3:  # MELD
                state.seen, state.stock = seen, stock
                after = lay(state, row, seat, up, a)
                if after == REFUSED:
                    break
                row, up, seen = after, 0, state.seen
                if after == won_row:
                    state.winner = seat
                elif state.over:
                    state.over = False
                    played.past.append((len(codes) - length_hint(left) - 1, seat))
            elif kind == 4:  # FORCE
                known_demand = engine.demands(empty, row, seat, first)
                if a is None and known_demand.due == 1 and fit[known_demand.bound] & up:
                    if known_demand.answers and due:
                        due.pop()
                    row = known_demand.after
                elif known_demand.after == REFUSED or (known_demand.due == 0 and not due_without_fit):
                    break
                else:
                    state.at, state.up, state.seen, state.stock = row // n, up, seen, stock
                    if not _force(engine, state, seat, a, b, due):
                        break
                    row = state.at * n
            else:
                state.at, state.up, state.seen, state.stock = row // n, up, seen, stock
                if not _seldom(engine, state, seat, a, b, played, len(codes) - length_hint(left) - 1):
                    break
                row, up, seen = state.at * n, state.up, state.seen
        else:
            played.all = True
    finally:
        state.at, state.up, state.seen, state.stock = row // n, up, seen, stock
        state.drawn_to = turnable - stock
    played.legal = len(codes) - length_hint(left) - (not played.all)
    return played


def _run_live(engine: Engine, state: State, codes: Sequence[Code]) -> Played:
    """The same for rules whose order of play asks for cards: the flow is asked anew at each event."""
    played = Played()
    i = 0
    for kind, seat, a, b, c in codes:
        if kind == 0:
            after = engine.take(state.at, "pass", seat, state.first, facts(engine, state, seat))
            if after == REFUSED or forbidden(engine, state, "pass", seat, state.at, state.up):
                break
            state.at = after
            if demandable(engine, state, after, seat, state.up):
                played.due.append((i, seat))
        elif kind == 1:
            asked = facts(engine, state, seat, up=a, turned=True)
            after = engine.take(state.at, "turn", seat, state.first, asked)
            if after == REFUSED or forbidden(engine, state, "turn", seat, state.at, state.up):
                break
            if not _turn(state, a, b, c):
                break
            state.at, state.up = after, a
        elif kind == 2:
            asked = facts(engine, state, seat, hand=held(engine, state, seat) - 1, up=a)
            after = engine.take(state.at, "discard", seat, state.first, asked)
            if after == REFUSED or forbidden(engine, state, "discard", seat, state.at, a):
                break
            if state.hands[seat] & b:
                state.hands[seat] -= a
            elif state.unknown[seat] and state.seen & b != c:
                state.unknown[seat] -= 1
                state.seen += a
            else:
                break
            state.at, state.up = after, a
        elif kind == 3:
            after = engine.lay(state, state.at * engine.seats, seat, state.up, a)
            if after == REFUSED:
                break
            if after == engine.won_row:
                state.winner = seat
            elif state.over:
                state.over = False
                played.past.append((i, seat))
            state.at, state.up = after // engine.seats, 0
        elif kind == 4:
            if not _force(engine, state, seat, a, b, played.due):
                break
        elif not _seldom(engine, state, seat, a, b, played, i):
            break
        i += 1
    else:
        played.all = True
    played.legal = i
    return played


def _turn(state: State, unit: int, field: int, full: int) -> bool:
    """Takes the top card of the stock, if it can be that one."""
    if not state.stock:
        return False
    known = state.recorded[state.drawn_to] if state.drawn_to < len(state.recorded) else 0
    if known:
        if known != unit:
            return False
    elif state.seen & field == full:
        return False
    else:
        state.seen += unit
    state.drawn_to += 1
    state.stock -= 1
    return True


def _force(
    engine: Engine, state: State, seat: int, said: int | None, onto: int, due: list[tuple[int, int]]
) -> bool:
    after, bound, _ = demand(engine, state, seat, said, onto if said is not None else None)
    if after == REFUSED:
        return False
    if due and engine.resting[state.at] and engine.flow.seat(state.at) == bound:
        due.pop()
    state.at = after
    return True


def _seldom(
    engine: Engine,
    state: State,
    seat: int,
    a: tuple[int, ...] | str,
    b: int,
    played: Played,
    i: int,
) -> bool:
    if not isinstance(a, tuple):
        return give(engine, state, seat, a, b)
    fitted = state.fit[seat] & state.up
    if not arrange(engine, state, seat, a):
        return False
    offered = engine.offering[state.at] and engine.flow.seat(state.at) == seat
    if offered and fitted and not state.fit[seat] & state.up:
        played.away.append(i)
    return True


__all__ = [
    "Event",
    "Played",
    "arrange_state",
    "closed",
    "demand",
    "demandable",
    "facts",
    "open_play",
    "play",
    "run",
]
