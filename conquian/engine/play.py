"""The one place that decides whether an event is legal.

`play` runs through events and stops at the first that is not; `can`, `check` and `do` elsewhere are faces of
it. It tests in the cheapest order and names no code: `conquian.engine.refusals` walks the contract's order
for the one event that was stopped at.

INVARIANT: an event that is refused has changed nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from conquian.engine.copies import in_hand, ways
from conquian.engine.engine import DISCARD, MELD, PASS, TURN, Engine
from conquian.engine.flow import REFUSED, Facts
from conquian.engine.state import State

MEMO_LIMIT = 50_000
Event = Sequence[Any]


class Played:
    """What `play` noticed besides the state it leaves."""

    __slots__ = ("due", "legal", "melds")

    def __init__(self) -> None:
        self.legal = 0
        """How many events were legal; the next one, if there is one, is not."""
        self.due: list[int] = []
        """Events that passed a card whose meld could have been demanded, and was not."""
        self.melds: list[tuple[int, int]] = []
        """(event, seat) of melds that took a table past the goal without winning."""


def play(engine: Engine, state: State, events: Sequence[Event], seats: Mapping[str, int]) -> Played:
    """Plays `events` on `state`, which it changes, up to the first that is not legal.

    KeyError, ValueError or TypeError for events that are not well formed; the state is then as after the
    events before it.
    """
    if engine.live:
        return _play_live(engine, state, events, seats)
    played = Played()
    first, n = state.first, engine.seats
    entry = engine.pack.entry
    hands, unknown, fit = state.hands, state.unknown, state.fit
    stock_flag = 0 if state.stock else 1
    passing = engine.tabled(PASS, stock_flag, 0, first)
    discarding = engine.tabled(DISCARD, stock_flag, 0, first)
    no_pass = "pass" in engine.may_not
    no_discard = "discard" in engine.may_not
    no_turn = "turn" in engine.may_not
    due_without_fit = engine.demand_without_fit
    at, up = state.at, state.up
    i = -1
    try:
        for i, event in enumerate(events):
            verb = event[1]
            if verb == "passes":
                name, _ = event
                seat = seats[name]
                after = passing[at * n + seat]
                if after is None:
                    after = engine.step(PASS, stock_flag, 0, at, seat, first)
                if after == REFUSED:
                    break
                if no_pass and _forbidden(engine, state, "pass", seat, at, up):
                    break
                at = after
                if (fit[seat] & up or due_without_fit) and demandable(engine, state, at, seat, up):
                    played.due.append(i)
            elif verb == "turns":
                name, _, card = event
                seat = seats[name]
                unit, field, full = entry[card]
                stock = state.stock
                flag = 0 if stock > 1 else 1 if stock == 1 else 2
                after = engine.tabled(TURN, flag, 0, first)[at * n + seat]
                if after is None:
                    after = engine.step(TURN, flag, 0, at, seat, first)
                if after == REFUSED:
                    break
                if no_turn and _forbidden(engine, state, "turn", seat, at, up):
                    break
                if not _turn(state, unit, field, full):
                    break
                if flag:
                    stock_flag = 1
                    passing = engine.tabled(PASS, 1, 0, first)
                    discarding = engine.tabled(DISCARD, 1, 0, first)
                at, up = after, unit
            elif verb == "discards":
                name, _, card = event
                seat = seats[name]
                unit, field, full = entry[card]
                after = discarding[at * n + seat]
                if after is None:
                    after = engine.step(DISCARD, stock_flag, 0, at, seat, first)
                if after == REFUSED:
                    break
                if no_discard and _forbidden(engine, state, "discard", seat, at, unit):
                    break
                if hands[seat] & field:
                    hands[seat] -= unit
                elif unknown[seat] and state.seen & field != full:
                    unknown[seat] -= 1
                    state.seen += unit
                else:
                    break
                at, up = after, unit
            elif verb == "melds":
                name, _, listed = event
                seat = seats[name]
                after = lay(engine, state, at, seat, up, listed)
                if after == REFUSED:
                    break
                if after == engine.flow.won:
                    state.winner = seat
                elif _size(engine, state.tables[seat]) > engine.program.goal:
                    played.melds.append((i, seat))
                at, up = after, 0
            else:
                state.at, state.up = at, up
                if not _seldom(engine, state, event, seats, played):
                    break
                at, up = state.at, state.up
        else:
            i += 1
    finally:
        state.at, state.up = at, up
    played.legal = i
    return played


def _play_live(engine: Engine, state: State, events: Sequence[Event], seats: Mapping[str, int]) -> Played:
    """The same for rules whose order of play asks for cards: the flow is asked anew at each event."""
    played = Played()
    i = -1
    for i, event in enumerate(events):
        verb = event[1]
        if verb == "passes":
            name, _ = event
            seat = seats[name]
            after = _take(engine, state, "pass", seat)
            if after == REFUSED or _forbidden(engine, state, "pass", seat, state.at, state.up):
                break
            state.at = after
            if demandable(engine, state, after, seat, state.up):
                played.due.append(i)
        elif verb == "turns":
            name, _, card = event
            seat = seats[name]
            unit, field, full = engine.pack.entry[card]
            after = _take(engine, state, "turn", seat, up=unit, turned=True)
            if after == REFUSED or _forbidden(engine, state, "turn", seat, state.at, state.up):
                break
            if not _turn(state, unit, field, full):
                break
            state.at, state.up = after, unit
        elif verb == "discards":
            name, _, card = event
            seat = seats[name]
            unit, field, full = engine.pack.entry[card]
            after = _take(engine, state, "discard", seat, up=unit)
            if after == REFUSED or _forbidden(engine, state, "discard", seat, state.at, unit):
                break
            if state.hands[seat] & field:
                state.hands[seat] -= unit
            elif state.unknown[seat] and state.seen & field != full:
                state.unknown[seat] -= 1
                state.seen += unit
            else:
                break
            state.at, state.up = after, unit
        elif verb == "melds":
            name, _, listed = event
            seat = seats[name]
            after = lay(engine, state, state.at, seat, state.up, listed)
            if after == REFUSED:
                break
            if after == engine.flow.won:
                state.winner = seat
            elif _size(engine, state.tables[seat]) > engine.program.goal:
                played.melds.append((i, seat))
            state.at, state.up = after, 0
        elif not _seldom(engine, state, event, seats, played):
            break
    else:
        i += 1
    played.legal = i
    return played


def facts(
    engine: Engine,
    state: State,
    seat: int,
    hand: int | None = None,
    up: int | None = None,
    turned: bool = False,
) -> Facts:
    """What the order of play can ask for, before and after an event of a seat."""
    count = held(engine, state, seat) if hand is None else hand
    stock = state.stock
    after = max(stock - 1, 0) if turned else stock
    if not engine.live:
        return Facts(stock, after, count)
    tables = tuple(engine.physical_table(table)[0] for table in state.tables)
    hands = tuple(count if s == seat else held(engine, state, s) for s in range(engine.seats))
    unit = state.up if up is None else up
    return Facts(stock, after, count, (), _offer(engine, unit), tables, hands)


def _offer(engine: Engine, unit: int) -> int:
    """The card on offer as a physical card that is on no table."""
    if not unit or engine.pack.copies == 1:
        return unit
    kind = (unit.bit_length() - 1) // engine.pack.width
    return engine.pack.physical(kind, engine.pack.copies - 1)


def _take(
    engine: Engine, state: State, verb: Any, seat: int, up: int | None = None, turned: bool = False
) -> int:
    return engine.take(state.at, verb, seat, state.first, facts(engine, state, seat, up=up, turned=turned))


def held(engine: Engine, state: State, seat: int) -> int:
    """How many cards a player holds."""
    return engine.pack.count(state.hands[seat]) + state.unknown[seat]


def _size(engine: Engine, table: Sequence[int]) -> int:
    return engine.pack.count(sum(table))


def _turn(state: State, unit: int, field: int, full: int) -> bool:
    """Takes the top card of the stock, if it can be that one."""
    if not state.stock:
        return False
    if state.drawn_to < len(state.recorded):
        known = state.recorded[state.drawn_to]
        if known and known != unit:
            return False
    else:
        known = 0
    if not known:
        if state.seen & field == full:
            return False
        state.seen += unit
    state.drawn_to += 1
    state.stock -= 1
    return True


def arguments(engine: Engine, state: State, verb: str, seat: int, at: int, card: int) -> tuple[Any, ...]:
    """What compiled conditions on a pass, a turn, a discard or a demand are called with, without the phase."""
    own, starter = at % 3 == 0, at % 3 == 2
    before, given = engine.physical_table(state.tables[seat])
    pack = engine.pack
    physical = card
    if card and pack.copies > 1:
        kind = (card.bit_length() - 1) // pack.width
        physical = pack.physical(kind, min(given[kind], pack.copies - 1))
    if verb == "discard":
        hand = 0
        for kind in pack.kinds(state.hands[seat]):
            hand |= pack.physical(kind, min(given[kind], pack.copies - 1))
            given[kind] += 1
        return before, physical, hand, state.unknown[seat], state.stock
    if verb == "pass":
        return before, physical, own, starter, held(engine, state, seat), state.stock
    if verb == "turn":
        return before, held(engine, state, seat), state.stock
    return before, physical, own, starter


def _forbidden(engine: Engine, state: State, verb: Any, seat: int, at: int, card: int) -> bool:
    if verb not in engine.may_not:
        return False
    at = closed(engine, state, at)
    phase = at // 3 // engine.seats
    return bool(engine.forbidding(verb, phase, arguments(engine, state, verb, seat, at, card)))


# ---- demands


def demandable(engine: Engine, state: State, at: int, seat: int, up: int) -> bool:
    """Whether an opponent may demand, without naming a meld, that `seat` meld the card, in a flow state."""
    flow = engine.flow
    phase = flow.phase(at)
    if phase is None or flow.seat(at) != seat or not any(line.verb == "force" for line in phase.lines):
        return False
    before, card, own, starter = arguments(engine, state, "force", seat, at, up)
    args = (before, card, own, starter, False, 0, 0, state.stock)
    number = at // 3 // engine.seats
    return engine.allowed("force", number, args) and not engine.forbidding("force", number, args)


def demand(
    engine: Engine, state: State, by: int, said: int | None, onto: int | None
) -> tuple[int, int, int | None]:
    """(state after, seat that is bound, clause that forbids it): REFUSED if the demand is not due.

    `said` and `onto` are packed; `onto` is the meld that the demand names.
    """
    flow = engine.flow
    at = state.at
    while True:
        phase = flow.phase(at)
        if phase is None:
            return REFUSED, -1, None
        seat = flow.seat(at)
        opponent = engine.team_of[by] != engine.team_of[seat]
        takes = any(line.verb == "force" and line.kind == "acts" for line in phase.lines)
        if takes and opponent:
            break
        if not phase.rests:
            return REFUSED, -1, None
        at = flow.closed(at, state.first, facts(engine, state, seat))
    number = at // 3 // engine.seats
    before, card, own, starter = arguments(engine, state, "force", seat, at, state.up)
    named = said is not None
    physical_said, physical_onto = 0, 0
    if named:
        physical_said = card if said == state.up else 0
        table = state.tables[seat]
        physical_onto = before[table.index(onto)] if onto in table else 0
    args = (before, card, own, starter, named, physical_said, physical_onto, state.stock)
    if not engine.allowed("force", number, args):
        return REFUSED, seat, None
    against = engine.forbidding("force", number, args)
    if against:
        return REFUSED, seat, against[0].clause
    return engine.take(at, "force", by, state.first, facts(engine, state, seat)), seat, None


# ---- melds


def meld_mask(engine: Engine, cards: Sequence[str]) -> int:
    """A listed meld as a packed set, 0 if it is none; kept for the next time."""
    memo = engine.memo
    found = memo.get(cards)
    if found is None:
        packed = _packed(engine, cards)
        found = packed if packed in engine.melds.packed and len(cards) == engine.pack.count(packed) else 0
        if len(memo) >= MEMO_LIMIT:
            memo.clear()
        memo[cards] = found
    return found


def _packed(engine: Engine, cards: Sequence[str]) -> int:
    """Cards as a packed set, 0 if one of them is not in the pack. KeyError for what is no card."""
    unit, entry = engine.pack.unit, engine.pack.entry
    return 0 if any(not entry[card][0] for card in cards) else sum(unit[card] for card in cards)


def lay(engine: Engine, state: State, at: int, seat: int, up: int, listed: Sequence[Sequence[str]]) -> int:
    """The state after a meld act, which is carried out; REFUSED if it is not legal."""
    if engine.resting[at]:
        at = closed(engine, state, at)
    if not engine.offering[at]:
        return REFUSED
    pack = engine.pack
    table = state.tables[seat]
    laid = [meld_mask(engine, tuple(cards)) for cards in listed]
    if 0 in laid:
        return REFUSED
    if pack.width == 1:
        after_table = _settle(engine, table, laid)
    elif pack.contains(pack.everything, total := sum(laid)) and pack.contains(total, sum(table)):
        after_table = laid
    else:
        return REFUSED
    if after_table is None:
        return REFUSED
    new = sum(after_table) - sum(table)
    if not pack.contains(new, up) or not up:
        return REFUSED
    used = new - up
    missing = pack.minus(used, state.hands[seat])
    if missing and not _can_hold(engine, state, seat, missing):
        return REFUSED
    origin = at % 3
    hand = state.hands[seat]
    arguments = (
        state.unknown[seat],
        origin == 0,
        origin == 2,
        state.stock,
        at // 3 // engine.seats,
    )
    way = None
    for way in ways(pack, table, after_table, up, used):
        args = (way.before, way.after, way.up, way.used, in_hand(pack, way, hand), *arguments)
        if not engine.meld_refused(*args) and not (engine.bound[at] and not engine.duty_met(*args)):
            break
    else:
        return REFUSED
    left = pack.count(state.hands[seat]) + state.unknown[seat] - pack.count(used)
    won = engine.wins(
        way.before,
        way.after,
        way.up,
        way.used,
        origin == 0,
        origin == 2,
        left,
        state.stock,
        at // 3 // engine.seats,
    )
    after = _after_meld(engine, state, at, seat, left)
    if after == REFUSED:
        return REFUSED
    if missing:
        state.hands[seat] -= used - missing
        state.unknown[seat] -= pack.count(missing)
        state.seen += missing
    else:
        state.hands[seat] -= used
    set_table(engine, state, seat, after_table)
    return engine.flow.won if won else after


def set_table(engine: Engine, state: State, seat: int, melds: Sequence[int]) -> None:
    """Puts melds in front of a seat and its partners."""
    table = tuple(sorted(melds))
    fit = engine.fit(table)
    for s in engine.program.teams[engine.team_of[seat]]:
        state.tables[s] = table
        state.fit[s] = fit


def closed(engine: Engine, state: State, at: int) -> int:
    """The state that a resting phase gives way to for an event that it does not take."""
    while engine.resting[at]:
        if engine.live:
            at = engine.flow.closed(at, state.first, facts(engine, state, engine.flow.seat(at)))
        else:
            at = engine.closed(at, 0 if state.stock else 1, state.first)
    return at


def _after_meld(engine: Engine, state: State, at: int, seat: int, left: int) -> int:
    if engine.live:
        return engine.take(at, "meld", seat, state.first, facts(engine, state, seat, hand=left))
    stock_flag, empty = 0 if state.stock else 1, 0 if left else 1
    after = engine.tabled(MELD, stock_flag, empty, state.first)[at * engine.seats + seat]
    if after is None:
        after = engine.step(MELD, stock_flag, empty, at, seat, state.first)
    return after


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


def _can_hold(engine: Engine, state: State, seat: int, missing: int) -> bool:
    """Whether the cards can be among the unrecorded ones of a hand."""
    pack = engine.pack
    return pack.count(missing) <= state.unknown[seat] and pack.contains(pack.everything - state.seen, missing)


# ---- what happens seldom


def _seldom(engine: Engine, state: State, event: Event, seats: Mapping[str, int], played: Played) -> bool:
    verb = event[1]
    seat = seats[event[0]]
    if verb == "forces":
        said = onto = None
        if len(event) > 2:
            _, _, card, meld = event
            said, onto = engine.pack.entry[card][0], _packed(engine, meld)
        else:
            _, _ = event
        after, bound, _ = demand(engine, state, seat, said, onto)
        if after == REFUSED:
            return False
        if played.due and engine.flow.seat(state.at) == bound:
            phase = engine.flow.phase(state.at)
            if phase is not None and phase.rests:
                played.due.pop()
        state.at = after
        return True
    if verb == "arranges":
        _, _, listed = event
        return _arrange(engine, state, seat, listed)
    if verb == "gives":
        _, _, card, to = event
        return give(engine, state, seat, card, seats[to])
    raise ValueError(verb)


def arrange_state(engine: Engine, state: State, seat: int) -> int:
    """The state of the flow in which the seat may regroup its melds now; REFUSED if it may not."""
    flow, at = engine.flow, state.at
    while True:
        phase = flow.phase(at)
        if phase is None:
            return REFUSED
        if flow.seat(at) == seat:
            before, _ = engine.physical_table(state.tables[seat])
            hand = state.hands[seat]
            args = (before, before, 0, 0, hand, state.unknown[seat], at % 3 == 0, at % 3 == 2, state.stock)
            if engine.allowed("arrange", at // 3 // engine.seats, args):
                return at
        if not phase.rests:
            return REFUSED
        at = flow.closed(at, state.first, facts(engine, state, flow.seat(at)))


def _arrange(engine: Engine, state: State, seat: int, listed: Sequence[Sequence[str]]) -> bool:
    at = arrange_state(engine, state, seat)
    if at == REFUSED:
        return False
    pack, table = engine.pack, state.tables[seat]
    laid = [meld_mask(engine, tuple(cards)) for cards in listed]
    if 0 in laid:
        return False
    if not listed:
        after: list[int] | None = list(table)
    elif pack.width == 1:
        after = _settle(engine, table, laid)
    else:
        after = laid
    if after is None or sum(after) != sum(table):
        return False
    phase = at // 3 // engine.seats
    hand = state.hands[seat]
    rest = state.unknown[seat], at % 3 == 0, at % 3 == 2, state.stock, phase
    if all(
        engine.arrange_refused(w.before, w.after, 0, 0, in_hand(pack, w, hand), *rest)
        for w in ways(pack, table, after, 0, 0)
    ):
        return False
    state.at = at
    set_table(engine, state, seat, after)
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
