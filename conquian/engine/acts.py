"""Acts on the table, carried out if they are legal: melds, regroupings, gifts before play."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from conquian.engine.coded import MELD
from conquian.engine.copies import Way, in_hand, likely_way, ways
from conquian.engine.engine import UNASKED, Engine
from conquian.engine.facts import closed, closed_once, facts
from conquian.engine.flow import REFUSED
from conquian.engine.pack import Pack
from conquian.engine.state import State

Lay = Callable[[State, int, int, int, Sequence[int]], int]
"""(state, row, seat, card on offer, listed melds) to the row after a meld act, or REFUSED.

A row is a state of play times the number of seats.
"""


def _can_hold(engine: Engine, state: State, seat: int, missing: int) -> bool:
    """Whether the cards can be among the unrecorded ones of a hand."""
    pack = engine.pack
    return pack.count(missing) <= state.unknown[seat] and pack.contains(pack.everything - state.seen, missing)


def _take_from_hand(engine: Engine, state: State, seat: int, used: int, missing: int) -> None:
    """Takes laid cards out of a hand; those that nobody had recorded are then known."""
    state.hands[seat] -= used - missing
    if missing:
        state.unknown[seat] -= engine.pack.count(missing)
        state.seen += missing


def lay_once(engine: Engine) -> Lay:
    """Meld acts in a pack without copies: the row after the act, which is carried out, or REFUSED."""
    valid, seats, live = engine.melds.packed, engine.seats, engine.live
    resting, offering, bound, facts_of = engine.resting, engine.offering, engine.bound, engine.facts
    judge, duty_met, won_row = engine.meld_judged, engine.duty_met, engine.won_row
    melding, partners, fit_of = engine.melding, engine.partners, engine.fit_of
    goal = engine.program.goal

    def lay(state: State, row: int, seat: int, up: int, laid: Sequence[int]) -> int:
        at = row // seats
        if resting[at]:
            at = closed(engine, state, at)
        if not offering[at]:
            return REFUSED
        union = 0
        for mask in laid:
            if mask & union or mask not in valid:
                return REFUSED
            union |= mask
        table = state.tables[seat]
        old = sum(table)
        fit = 0
        if union & old:
            after_table = []
            for meld in table:
                rest = meld & ~union
                if rest:
                    if rest != meld and rest not in valid:
                        return REFUSED
                    after_table.append(rest)
            fresh: Sequence[int] = (*after_table, *laid)
            after = tuple(fresh)
        else:
            fresh, fit = laid, state.fit[seat]
            after = (*table, *laid)
        new = union & ~old
        if not new & up:
            return REFUSED
        used = new ^ up
        hand, unknown, stock = state.hands[seat], state.unknown[seat], state.stock
        missing = used & ~hand
        if missing and not _can_hold(engine, state, seat, missing):
            return REFUSED
        left = (hand & ~used).bit_count() + unknown - missing.bit_count()
        judged = judge(table, after, up, used, hand, unknown, at, left, stock)
        if not judged:
            return REFUSED
        if bound[at]:
            own, starter, phase = facts_of[at]
            if not duty_met(table, after, up, used, hand, unknown, own, starter, stock, phase):
                return REFUSED
        if live:
            then = _after_meld(engine, state, at, seat, left, after)
        else:
            then = melding[state.first][(0 if stock else 2) + (0 if left else 1)][at * seats + seat]
            if then < 0:
                then = _after_meld(engine, state, at, seat, left, after)
        if then == REFUSED:
            return REFUSED
        if missing:
            _take_from_hand(engine, state, seat, used, missing)
        else:
            state.hands[seat] = hand ^ used
        for meld in fresh:
            found = fit_of.get(meld)
            fit |= engine.fit((meld,)) if found is None else found
        for s in partners[seat]:
            state.tables[s] = after
            state.fit[s] = fit
        if judged == 2:
            return won_row
        if (union | old).bit_count() > goal:
            state.over = True
        return then

    return lay


def lay_copies(engine: Engine) -> Lay:
    """The same where cards have copies: every meld is listed, and some way to match the copies must be legal."""
    pack, valid, seats = engine.pack, engine.melds.packed, engine.seats
    everything, guards = pack.everything, pack.guards
    resting, offering, bound_at, facts_of = engine.resting, engine.offering, engine.bound, engine.facts
    asks_hand, goal, live = engine.program.asks_hand, engine.program.goal, engine.live
    judge, duty_met, melding = engine.meld_judged, engine.duty_met, engine.melding
    partners = engine.partners

    def lay(state: State, row: int, seat: int, up: int, laid: Sequence[int]) -> int:
        at = row // seats
        if resting[at]:
            at = closed(engine, state, at)
        if not offering[at] or not up:
            return REFUSED
        for mask in laid:
            if mask not in valid:
                return REFUSED
        total = sum(laid)
        if len(laid) > pack.addable and not _addable(pack, laid):
            return REFUSED
        table = state.tables[seat]
        old = sum(table)
        # All of the pack holds the total, and the total holds the table and the card on offer.
        if ((everything | guards) - total) & ((total | guards) - (old + up)) & guards != guards:
            return REFUSED
        used = total - old - up
        hand, unknown, stock = state.hands[seat], state.unknown[seat], state.stock
        missing = 0 if ((hand | guards) - used) & guards == guards else pack.minus(used, hand)
        if missing and not _can_hold(engine, state, seat, missing):
            return REFUSED
        own, starter, phase = facts_of[at]
        left = pack.count(hand) + unknown - pack.count(used)
        way, after = likely_way(pack, table, engine.placed(table), laid, up, used)
        held = in_hand(pack, way, hand) if asks_hand else 0
        found = judge(*way, held, unknown, at, left, stock)
        if found and bound_at[at] and not duty_met(*way, held, unknown, own, starter, stock, phase):
            found = 0
        if not found:
            for way in ways(pack, table, laid, up, used):
                held = in_hand(pack, way, hand) if asks_hand else 0
                found = judge(*way, held, unknown, at, left, stock)
                if found and bound_at[at] and not duty_met(*way, held, unknown, own, starter, stock, phase):
                    found = 0
                if found:
                    after = tuple(laid)
                    break
            else:
                return REFUSED
        then = -1
        if not live:
            then = melding[state.first][(0 if stock else 2) + (0 if left else 1)][at * seats + seat]
        if then < 0:
            then = _after_meld(engine, state, at, seat, left, after)
        if then == REFUSED:
            return REFUSED
        if missing:
            _take_from_hand(engine, state, seat, used, missing)
        else:
            state.hands[seat] = hand - used
        engine.place(after, way.after)
        kept = len(table)
        fit = state.fit[seat] | engine.fit(after[kept:]) if after[:kept] == table else engine.fit(after)
        for s in partners[seat]:
            state.tables[s] = after
            state.fit[s] = fit
        if found == 2:
            return engine.won_row
        if sum(way.after).bit_count() > goal:
            state.over = True
        return then

    return lay


def _addable(pack: Pack, laid: Sequence[int]) -> bool:
    """Whether the pack holds so many melds at once; adds them one by one, so that no field runs over."""
    total = 0
    for mask in laid:
        total += mask
        if not pack.contains(pack.everything, total):
            return False
    return True


def put_table(engine: Engine, state: State, seat: int, table: tuple[int, ...]) -> None:
    """Puts melds in front of a seat and its partners."""
    fit = engine.fit(table)
    for s in engine.partners[seat]:
        state.tables[s] = table
        state.fit[s] = fit


def _after_meld(engine: Engine, state: State, at: int, seat: int, left: int, table: Sequence[int]) -> int:
    """The row after a meld that leaves so many cards in the hand and this table."""
    if engine.live:
        then = engine.take(at, "meld", seat, state.first, facts(engine, state, seat, left, table=table))
        return then if then < 0 else then * engine.seats
    used_up, empty, row = 0 if state.stock else 1, 0 if left else 1, at * engine.seats
    then = engine.tabled(MELD, used_up, empty, state.first)[row + seat]
    return engine.step(MELD, used_up, empty, row, seat, state.first) if then == UNASKED else then


def _settle(engine: Engine, table: Sequence[int], laid: Sequence[int]) -> list[int] | None:
    """The table after the listed melds were laid, in a pack without copies; None if it cannot be."""
    listed = 0
    for meld in laid:
        if meld & listed:
            return None
        listed |= meld
    after = list(laid)
    for meld in table:
        rest = meld & ~listed
        if rest:
            if rest != meld and rest not in engine.melds.packed:
                return None
            after.append(rest)
    return after


def arrange_state(engine: Engine, state: State, seat: int) -> int:
    """The state of the flow in which the seat may regroup its melds now; REFUSED if it may not."""
    flow, at = engine.flow, state.at
    while at < flow.won:
        if flow.seat(at) == seat:
            allowed = engine.regroups(at)
            if allowed == 2:
                before = engine.placed(state.tables[seat])
                own, starter, phase = engine.facts[at]
                args = (before, before, 0, 0, 0, state.unknown[seat], own, starter, state.stock)
                allowed = engine.allowed("arrange", phase, args)
            if allowed:
                return at
        if not engine.resting[at]:
            return REFUSED
        at = closed_once(engine, state, at)
    return REFUSED


def arrange(engine: Engine, state: State, seat: int, laid: Sequence[int]) -> bool:
    """Regroups a seat's melds, if that is allowed now and the result is."""
    at = arrange_state(engine, state, seat)
    if at == REFUSED:
        return False
    pack, table = engine.pack, state.tables[seat]
    if any(mask not in engine.melds.packed for mask in laid):
        return False
    if len(laid) > pack.addable and pack.copies > 1 and not _addable(pack, laid):
        return False
    if not laid:
        after: list[int] | None = list(table)
    elif pack.width == 1:
        after = _settle(engine, table, laid)
    else:
        after = list(laid)
    if after is None or sum(after) != sum(table):
        return False
    hand, unknown = state.hands[seat], state.unknown[seat]
    own, starter, phase = engine.facts[at]

    def refused(way: Way) -> bool:
        held = in_hand(pack, way, hand) if engine.program.asks_hand else 0
        return bool(engine.arrange_refused(*way, held, unknown, own, starter, state.stock, phase))

    if pack.width == 1:
        if refused(Way(table, tuple(after), 0, 0)):
            return False
    else:
        way, ordered = likely_way(pack, table, engine.placed(table), after, 0, 0)
        after = list(ordered)
        if refused(way):
            found = next((w for w in ways(pack, table, after, 0, 0) if not refused(w)), None)
            if found is None:
                return False
            way = found
        engine.place(tuple(after), way.after)
    state.at = at
    put_table(engine, state, seat, tuple(after))
    return True


def give(engine: Engine, state: State, seat: int, card: str, to: int) -> bool:
    """A gift before play. An unrecorded one must have been settled by the caller: see `deals.gifts`."""
    step = engine.program.exchange[1]
    if state.at != engine.flow.unstarted or not state.gifts[seat] or to != (seat + step) % engine.seats:
        return False
    known, hidden = state.received[to]
    if card == "?":
        if not state.unknown[seat]:
            return False
        state.unknown[seat] -= 1
        hidden += 1
    else:
        unit, field, full = engine.pack.entry[card]
        if state.hands[seat] & field:
            state.hands[seat] -= unit
        elif state.unknown[seat] and state.seen & field != full:
            state.unknown[seat] -= 1
            state.seen += unit
        else:
            return False
        known += unit
    state.received[to] = known, hidden
    state.gifts[seat] -= 1
    if not any(state.gifts):
        for s, (cards, more) in enumerate(state.received):
            state.hands[s] += cards
            state.unknown[s] += more
        open_play(engine, state)
    return True


def open_play(engine: Engine, state: State) -> None:
    """The first state of play, once everything before it is done."""
    state.at = engine.flow.start(state.first, facts(engine, state, state.first))
