"""Acts on the table, carried out if they are legal: melds, regroupings, gifts before play."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from conquian.engine.copies import Plain, in_hand, likely_way, only_way, ways
from conquian.engine.engine import Engine, Melding
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
    valid, live = engine.melds.packed, engine.live
    facts_of, judge, duty_met, won_row = engine.facts, engine.meld_judged, engine.duty_met, engine.won_row
    melding, partners, fit_of, fit_now = engine.melding, engine.partners, engine.fit_of, engine.fit
    goal, alone = engine.program.goal, all(len(team) == 1 for team in engine.partners)

    def lay(state: State, row: int, seat: int, up: int, laid: Sequence[int]) -> int:
        stock = state.stock
        found = melding[state.first][0 if stock else 1][row + seat]
        if found is None or live:
            found = melds_at(engine, state, row, seat)
        at, offered, bound, then, then_last = found
        if not offered:
            return REFUSED
        union = 0
        for mask in laid:
            if mask & union or mask not in valid:
                return REFUSED
            union |= mask
        table = state.tables[seat]
        old = sum(table)
        if union & old:
            kept = []
            for meld in table:
                rest = meld & ~union
                if rest:
                    if rest != meld and rest not in valid:
                        return REFUSED
                    kept.append(rest)
            after = (*kept, *laid)
            fit = 0
            for meld in kept:
                known = fit_of.get(meld)
                fit |= fit_now((meld,)) if known is None else known
        else:
            after = (*table, *laid)
            fit = state.fit[seat]
        used = union & ~old ^ up
        if used & up:
            return REFUSED
        hand, unknown = state.hands[seat], state.unknown[seat]
        missing = used & ~hand
        if missing:
            if not _can_hold(engine, state, seat, missing):
                return REFUSED
            left = (hand & ~used).bit_count() + unknown - missing.bit_count()
        else:
            left = (hand ^ used).bit_count() + unknown
        judged = judge(table, after, up, used, hand, unknown, at, left, stock)
        if not judged:
            return REFUSED
        if bound:
            own, starter, phase = facts_of[at]
            if not duty_met(table, after, up, used, hand, unknown, own, starter, stock, phase):
                return REFUSED
        if live:
            then = _after_meld(engine, state, at, seat, left, after)
        elif not left:
            then = then_last
        if then == REFUSED:
            return REFUSED
        if missing:
            _take_from_hand(engine, state, seat, used, missing)
        else:
            state.hands[seat] = hand ^ used
        for meld in laid:
            known = fit_of.get(meld)
            fit |= fit_now((meld,)) if known is None else known
        if alone:
            state.tables[seat] = after
            state.fit[seat] = fit
        else:
            for s in partners[seat]:
                state.tables[s] = after
                state.fit[s] = fit
        if judged == 2:
            return won_row
        if (union | old).bit_count() > goal:
            state.over = True
        return then

    return lay


def melds_at(engine: Engine, state: State, row: int, seat: int) -> Melding:
    """What a meld of a seat does in a row. Where the order of play asks for cards, the row after it is left out."""
    if engine.live:
        at = closed(engine, state, row // engine.seats)
        return Melding(at, engine.offering[at], engine.bound[at], REFUSED, REFUSED)
    return engine.melds_at(row, seat, 0 if state.stock else 1, state.first)


def lay_copies(engine: Engine) -> Lay:
    """The same where cards have copies: every meld is listed, and some way to match the copies must be legal."""
    pack, valid = engine.pack, engine.melds.packed
    everything, guards, doubled = pack.everything, pack.guards, pack.doubled
    facts_of, melding = engine.facts, engine.melding
    asks_hand, goal, live = engine.program.asks_hand, engine.program.goal, engine.live
    judge, duty_met, screened = engine.meld_judged, engine.duty_met, engine.meld_screened
    partners = engine.partners
    count = pack.count

    def judged(way: Plain, hand: int, unknown: int, at: int, bound: bool, left: int, stock: int) -> int:
        """0: this way is forbidden, 1: it is not, 2: it wins."""
        before, after, up, used = way
        held = in_hand(pack, way, hand) if asks_hand else 0
        found: int = judge(before, after, up, used, held, unknown, at, left, stock)
        if found and bound:
            own, starter, phase = facts_of[at]
            if not duty_met(before, after, up, used, held, unknown, own, starter, stock, phase):
                return 0
        return found

    def lay(state: State, row: int, seat: int, up: int, laid: Sequence[int]) -> int:
        stock = state.stock
        found_at = melding[state.first][0 if stock else 1][row + seat]
        if found_at is None or live:
            found_at = melds_at(engine, state, row, seat)
        at, offered, bound, then, then_last = found_at
        if not offered or not up:
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
        hand, unknown = state.hands[seat], state.unknown[seat]
        missing = 0 if ((hand | guards) - used) & guards == guards else pack.minus(used, hand)
        if missing and not _can_hold(engine, state, seat, missing):
            return REFUSED
        left = count(hand) + unknown - count(used) if missing else count(hand - used) + unknown
        after = listed = tuple(laid)
        lies: tuple[int, ...] | None = None
        on_table = count(total)
        found: int = 0 if bound else screened(table, listed, up, used, on_table, at, left, stock)
        if not found:
            for order, way in _ways(engine, table, listed, up, used, total & doubled != 0):
                found = judged(way, hand, unknown, at, bound, left, stock)
                if found:
                    after, lies = order, way[1]
                    break
            else:
                return REFUSED
        if live:
            then = _after_meld(engine, state, at, seat, left, after)
        elif not left:
            then = then_last
        if then == REFUSED:
            return REFUSED
        if missing:
            _take_from_hand(engine, state, seat, used, missing)
        else:
            state.hands[seat] = hand - used
        if lies is not None:
            engine.place(after, lies)
        kept = len(table)
        fit = state.fit[seat] | engine.fit(after[kept:]) if after[:kept] == table else engine.fit(after)
        for s in partners[seat]:
            state.tables[s] = after
            state.fit[s] = fit
        if found == 2:
            return engine.won_row
        if on_table > goal:
            state.over = True
        return then

    return lay


def _ways(
    engine: Engine, before: tuple[int, ...], after: tuple[int, ...], up: int, used: int, doubled: bool
) -> Iterator[tuple[tuple[int, ...], Plain]]:
    """Every way to match the copies of an act, with its melds in an order: the one most likely meant comes first."""
    pack = engine.pack
    if not doubled:
        yield after, only_way(pack, before, after, up, used)
        return
    way, table = likely_way(pack, before, engine.placed(before), after, up, used)
    yield table, way
    for other in ways(pack, before, after, up, used):
        yield after, other


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
    """The row after a meld where the order of play asks for cards; it leaves so many in the hand and this table."""
    then = engine.take(at, "meld", seat, state.first, facts(engine, state, seat, left, table=table))
    return then if then < 0 else then * engine.seats


def arrange_state(engine: Engine, state: State, seat: int) -> int:
    """The state of the flow in which the seat may regroup its melds now; REFUSED if it may not."""
    key = state.at, seat, 0 if state.stock else 1, state.first
    found = engine.arranging.get(key)
    if found is not None:
        return found
    at, certain = state.at, not engine.live
    found = REFUSED
    while at < engine.flow.won:
        if engine.flow.seat(at) == seat:
            allowed = engine.regroups(at)
            if allowed == 2:
                certain = False
                before = engine.placed(state.tables[seat])
                own, starter, phase = engine.facts[at]
                args = (before, before, 0, 0, 0, state.unknown[seat], own, starter, state.stock)
                allowed = engine.allowed("arrange", phase, args)
            if allowed:
                found = at
                break
        if not engine.resting[at]:
            break
        at = closed_once(engine, state, at)
    if certain:
        engine.arranging[key] = found
    return found


def arrange(engine: Engine, state: State, seat: int, laid: Sequence[int]) -> bool:
    """Regroups a seat's melds, if that is allowed now and the result is."""
    at = arrange_state(engine, state, seat)
    if at == REFUSED:
        return False
    table, pack = state.tables[seat], engine.pack
    rearranged = _rearranged if pack.copies == 1 else _rearranged_copies
    after = rearranged(engine, state, seat, at, table, laid or table)
    if after is None:
        return False
    state.at = at
    put_table(engine, state, seat, after)
    return True


def _rearranged(
    engine: Engine, state: State, seat: int, at: int, table: tuple[int, ...], laid: Sequence[int]
) -> tuple[int, ...] | None:
    """The table after the listed melds were made of its cards, in a pack without copies; None if it cannot be."""
    valid, union = engine.melds.packed, 0
    for mask in laid:
        if mask & union or mask not in valid:
            return None
        union |= mask
    old = sum(table)
    after = tuple(laid)
    if union != old:
        if union & ~old:
            return None
        kept = [rest for meld in table if (rest := meld & ~union)]
        if any(rest not in valid for rest in kept):
            return None
        after = (*after, *kept)
    own, starter, phase = engine.facts[at]
    hand, unknown = state.hands[seat], state.unknown[seat]
    if engine.arrange_refused(table, after, 0, 0, hand, unknown, own, starter, state.stock, phase):
        return None
    return after


def _rearranged_copies(
    engine: Engine, state: State, seat: int, at: int, table: tuple[int, ...], laid: Sequence[int]
) -> tuple[int, ...] | None:
    """The same where cards have copies and every meld is listed."""
    pack, valid = engine.pack, engine.melds.packed
    if any(mask not in valid for mask in laid) or (len(laid) > pack.addable and not _addable(pack, laid)):
        return None
    total = sum(laid)
    if total != sum(table):
        return None
    hand, unknown = state.hands[seat], state.unknown[seat]
    own, starter, phase = engine.facts[at]

    def refused(way: Plain) -> bool:
        held = in_hand(pack, way, hand) if engine.program.asks_hand else 0
        before, after, _, _ = way
        return bool(
            engine.arrange_refused(before, after, 0, 0, held, unknown, own, starter, state.stock, phase)
        )

    listed = tuple(laid)
    # How many cards there are is asked of acts that can win; nothing is won and no card moves here.
    if engine.arrange_screened(table, listed, 0, 0, 0, at, 0, state.stock):
        return listed
    for order, way in _ways(engine, table, listed, 0, 0, total & pack.doubled != 0):
        if not refused(way):
            engine.place(order, way[1])
            return order
    return None


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
