"""The one place that decides whether an event is legal.

`play` runs through events and stops at the first that is not; `can`, `check` and `do` elsewhere are faces of
it. It tests in the cheapest order and names no code: `conquian.engine.refusals` walks the contract's order
for the one event that was stopped at.

INVARIANT: an event that is refused has changed nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from conquian.engine.copies import Way, fresh, in_hand, likely_way, ways
from conquian.engine.engine import DISCARD, MELD, PASS, TURN, UNASKED, Engine
from conquian.engine.flow import REFUSED, Facts
from conquian.engine.state import State

MEMO_LIMIT = 50_000
Event = Sequence[Any]


class Played:
    """What `play` noticed besides the state it leaves."""

    __slots__ = ("away", "due", "legal", "melds")

    def __init__(self) -> None:
        self.legal = 0
        """How many events were legal; the next one, if there is one, is not."""
        self.due: list[int] = []
        """Events that passed a card whose meld could have been demanded, and was not."""
        self.melds: list[tuple[int, int]] = []
        """(event, seat) of melds that took a table past the goal without winning."""
        self.away: list[int] = []
        """Regroupings after which the card on offer, which had fitted, fits no longer."""


def play(engine: Engine, state: State, events: Sequence[Event], seats: Mapping[str, int]) -> Played:
    """Plays `events` on `state`, which it changes, up to the first that is not legal.

    KeyError, ValueError or TypeError for events that are not well formed; the state is then as after the
    events before it.
    """
    if engine.live:
        return _play_live(engine, state, events, seats)
    played = Played()
    due, past = played.due, played.melds
    first, n = state.first, engine.seats
    entry, lay_melds = engine.pack.entry, engine.lay
    size, goal, won_row = engine.pack.count, engine.program.goal, engine.won_row
    hands, unknown, fit = state.hands, state.unknown, state.fit
    empty = 0 if state.stock else 1
    passing = engine.tabled(PASS, empty, 0, first)
    discarding = engine.tabled(DISCARD, empty, 0, first)
    turning = engine.tabled(TURN, 0, 0, first)
    no_pass, no_discard, no_turn = engine.no_pass, engine.no_discard, engine.no_turn
    due_without_fit = engine.demand_without_fit
    recorded, drawn_to = state.recorded, state.drawn_to
    row, up = state.at * n, state.up
    seen, stock = state.seen, state.stock
    i = 0
    try:
        for event in events:
            verb = event[1]
            if verb == "passes":
                name, _ = event
                seat = seats[name]
                after = passing[row + seat]
                if after < 0:
                    if after == UNASKED:
                        after = engine.step(PASS, empty, 0, row, seat, first)
                    if after == REFUSED:
                        break
                if no_pass and _forbidden(engine, state, "pass", seat, row // n, up):
                    break
                row = after
                if fit[seat] & up or due_without_fit:
                    state.stock = stock
                    if _due(engine, state, empty, row, seat, up):
                        due.append(i)
            elif verb == "turns":
                name, _, card = event
                seat = seats[name]
                unit, field, full = entry[card]
                if stock < 2:
                    turning = engine.tabled(TURN, 2 - stock, 0, first)
                after = turning[row + seat]
                if after < 0:
                    if after == UNASKED:
                        flag = 2 - stock if stock < 2 else 0
                        after = engine.step(TURN, flag, 0, row, seat, first)
                    if after == REFUSED:
                        break
                if no_turn and _forbidden(engine, state, "turn", seat, row // n, up):
                    break
                known = recorded[drawn_to] if drawn_to < len(recorded) else 0
                if known:
                    if known != unit:
                        break
                elif seen & field == full:
                    break
                else:
                    seen += unit
                drawn_to += 1
                stock -= 1
                if not stock:
                    empty = 1
                    passing = engine.tabled(PASS, 1, 0, first)
                    discarding = engine.tabled(DISCARD, 1, 0, first)
                row, up = after, unit
            elif verb == "discards":
                name, _, card = event
                seat = seats[name]
                unit, field, full = entry[card]
                after = discarding[row + seat]
                if after < 0:
                    if after == UNASKED:
                        after = engine.step(DISCARD, empty, 0, row, seat, first)
                    if after == REFUSED:
                        break
                if no_discard:
                    state.seen, state.stock = seen, stock
                    if _forbidden(engine, state, "discard", seat, row // n, unit):
                        break
                if hands[seat] & field:
                    hands[seat] -= unit
                elif unknown[seat] and seen & field != full:
                    unknown[seat] -= 1
                    seen += unit
                else:
                    break
                row, up = after, unit
            elif verb == "melds":
                name, _, listed = event
                seat = seats[name]
                state.seen, state.stock = seen, stock
                after = lay_melds(engine, state, row, seat, up, listed)
                if after == REFUSED:
                    break
                row, up, seen = after, 0, state.seen
                if after == won_row:
                    state.winner = seat
                elif size(sum(state.tables[seat])) > goal:
                    past.append((i, seat))
            elif verb == "forces" and len(event) == 2:
                demand_ = engine.demands(empty, row, seats[event[0]], first)
                if demand_.due == 1 and fit[demand_.bound] & up:
                    if demand_.answers and due:
                        due.pop()
                    row = demand_.after
                elif demand_.after == REFUSED or (demand_.due == 0 and not due_without_fit):
                    break
                else:
                    state.at, state.up, state.seen, state.stock = row // n, up, seen, stock
                    if not _seldom(engine, state, event, seats, played, i):
                        break
                    row = state.at * n
            else:
                state.at, state.up, state.seen, state.stock = row // n, up, seen, stock
                if not _seldom(engine, state, event, seats, played, i):
                    break
                row, up, seen = state.at * n, state.up, state.seen
            i += 1
    finally:
        state.at, state.up, state.seen, state.stock, state.drawn_to = row // n, up, seen, stock, drawn_to
    played.legal = i
    return played


def _due(engine: Engine, state: State, empty: int, row: int, seat: int, up: int) -> bool:
    """Whether the pass that has just led to a row leaves a demand due on the passer."""
    n = engine.seats
    if not engine.demand_without_fit and state.fit[seat] & up:
        opponent = engine.opponents[seat]
        demand_ = engine.demands(empty, row, opponent, state.first)
        if demand_.bound != seat or demand_.due == 0 or not demand_.answers:
            return False
        if demand_.due == 1:
            return True
    return demandable(engine, state, row // n, seat, up)


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
            after = engine.lay(engine, state, state.at * engine.seats, seat, state.up, listed)
            if after == REFUSED:
                break
            if after == engine.won_row:
                state.winner = seat
            elif engine.pack.count(sum(state.tables[seat])) > engine.program.goal:
                played.melds.append((i, seat))
            state.at, state.up = after // engine.seats, 0
        elif not _seldom(engine, state, event, seats, played, i):
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
    tables = tuple(engine.placed(table) for table in state.tables)
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
    before, pack = engine.placed(state.tables[seat]), engine.pack
    physical, hand = card, state.hands[seat]
    if pack.copies > 1:
        taken = sum(before)
        if card:
            physical = fresh(pack, (card.bit_length() - 1) // pack.width, taken)
        if verb == "discard":
            for kind in pack.kinds(hand):
                taken |= fresh(pack, kind, taken)
            hand = taken ^ sum(before)
    if verb == "discard":
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


def lay_once(
    engine: Engine, state: State, row: int, seat: int, up: int, listed: Sequence[Sequence[str]]
) -> int:
    """The row after a meld act in a pack without copies, carried out; REFUSED if it is not legal.

    A row is a state of play times the number of seats.
    """
    at = row // engine.seats
    if engine.resting[at]:
        at = closed(engine, state, at)
    if not engine.offering[at]:
        return REFUSED
    memo = engine.memo
    laid = []
    union = 0
    for cards in listed:
        mask = memo.get(cards) or meld_mask(engine, tuple(cards))
        if not mask or mask & union:
            return REFUSED
        union |= mask
        laid.append(mask)
    table = state.tables[seat]
    old = sum(table)
    if union & old:
        after_table = []
        valid = engine.melds.packed
        for meld in table:
            rest = meld & ~union
            if rest:
                if rest != meld and rest not in valid:
                    return REFUSED
                after_table.append(rest)
        after_table += laid
    else:
        after_table = [*table, *laid]
    new = union & ~old
    if not new & up:
        return REFUSED
    used = new ^ up
    hand = state.hands[seat]
    missing = used & ~hand
    if missing and not _can_hold(engine, state, seat, missing):
        return REFUSED
    unknown, stock = state.unknown[seat], state.stock
    left = hand.bit_count() + unknown - used.bit_count()
    after = tuple(after_table)
    own, starter, phase = engine.facts[at]
    judged = engine.meld_judged(table, after, up, used, hand, unknown, own, starter, left, stock, phase)
    if not judged or (
        engine.bound[at]
        and not engine.duty_met(table, after, up, used, hand, unknown, own, starter, stock, phase)
    ):
        return REFUSED
    if engine.live:
        then = _after_meld(engine, state, at, seat, left)
    else:
        row = at * engine.seats
        then = engine.melding[state.first][(0 if stock else 2) + (0 if left else 1)][row + seat]
        if then < 0:
            then = _after_meld(engine, state, at, seat, left)
    if then == REFUSED:
        return REFUSED
    if missing:
        _take_from_hand(engine, state, seat, used, missing)
    else:
        state.hands[seat] = hand ^ used
    known = engine.fit_of
    fit = 0
    for meld in after:
        found = known.get(meld)
        fit |= engine.fit((meld,)) if found is None else found
    for s in engine.partners[seat]:
        state.tables[s] = after
        state.fit[s] = fit
    return then if judged == 1 else engine.won_row


def _take_from_hand(engine: Engine, state: State, seat: int, used: int, missing: int) -> None:
    """Takes laid cards out of a hand; those that nobody had recorded are then known."""
    state.hands[seat] -= used - missing
    if missing:
        state.unknown[seat] -= engine.pack.count(missing)
        state.seen += missing


def lay_copies(
    engine: Engine, state: State, row: int, seat: int, up: int, listed: Sequence[Sequence[str]]
) -> int:
    """The same where cards have copies: every meld is listed, and some way to match the copies must be legal."""
    at = row // engine.seats
    if engine.resting[at]:
        at = closed(engine, state, at)
    if not engine.offering[at] or not up:
        return REFUSED
    pack, table = engine.pack, state.tables[seat]
    laid = [engine.memo.get(cards) or meld_mask(engine, tuple(cards)) for cards in listed]
    total = sum(laid)
    if 0 in laid or not pack.contains(pack.everything, total):
        return REFUSED
    old = sum(table)
    if not pack.contains(total, old) or not pack.contains(total - old, up):
        return REFUSED
    used = total - old - up
    hand, unknown = state.hands[seat], state.unknown[seat]
    missing = pack.minus(used, hand)
    if missing and not _can_hold(engine, state, seat, missing):
        return REFUSED
    own, starter, phase = engine.facts[at]
    stock, left = state.stock, pack.count(hand) + unknown - pack.count(used)
    way, ordered = likely_way(pack, table, engine.placed(table), laid, up, used)
    judged = _judged(engine, at, way, hand, unknown, own, starter, left, stock, phase)
    if not judged:
        for way in ways(pack, table, laid, up, used):
            judged = _judged(engine, at, way, hand, unknown, own, starter, left, stock, phase)
            if judged:
                ordered = laid
                break
        else:
            return REFUSED
    then = _after_meld(engine, state, at, seat, left)
    if then == REFUSED:
        return REFUSED
    _take_from_hand(engine, state, seat, used, missing)
    after = tuple(ordered)
    engine.place(after, way.after)
    put_table(engine, state, seat, after)
    return then if judged == 1 else engine.won_row


def _judged(
    engine: Engine,
    at: int,
    way: Way,
    hand: int,
    unknown: int,
    own: bool,
    starter: bool,
    left: int,
    stock: int,
    phase: int,
) -> int:
    """0 if one way to read a meld act breaks a rule, 1 if it is legal, 2 if it wins."""
    held = in_hand(engine.pack, way, hand) if engine.program.asks_hand else 0
    judged: int = engine.meld_judged(*way, held, unknown, own, starter, left, stock, phase)
    if judged and engine.bound[at]:
        return judged if engine.duty_met(*way, held, unknown, own, starter, stock, phase) else 0
    return judged


def put_table(engine: Engine, state: State, seat: int, table: tuple[int, ...]) -> None:
    """Puts melds in front of a seat and its partners."""
    fit = engine.fit(table)
    for s in engine.partners[seat]:
        state.tables[s] = table
        state.fit[s] = fit


def closed(engine: Engine, state: State, at: int) -> int:
    """The state that a resting phase gives way to for an event that it does not take."""
    while engine.resting[at]:
        at = closed_once(engine, state, at)
    return at


def closed_once(engine: Engine, state: State, at: int) -> int:
    """The state that one resting phase gives way to; it can rest itself."""
    if engine.live:
        return engine.flow.closed(at, state.first, facts(engine, state, engine.flow.seat(at)))
    return engine.closed(at, 0 if state.stock else 1, state.first)


def _after_meld(engine: Engine, state: State, at: int, seat: int, left: int) -> int:
    """The row after a meld that leaves so many cards in the hand."""
    if engine.live:
        then = engine.take(at, "meld", seat, state.first, facts(engine, state, seat, hand=left))
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


def _can_hold(engine: Engine, state: State, seat: int, missing: int) -> bool:
    """Whether the cards can be among the unrecorded ones of a hand."""
    pack = engine.pack
    return pack.count(missing) <= state.unknown[seat] and pack.contains(pack.everything - state.seen, missing)


# ---- what happens seldom


def _seldom(
    engine: Engine, state: State, event: Event, seats: Mapping[str, int], played: Played, i: int
) -> bool:
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
        fitted = state.fit[seat] & state.up
        if not _arrange(engine, state, seat, listed):
            return False
        offered = engine.offering[state.at] and engine.flow.seat(state.at) == seat
        if offered and fitted and not state.fit[seat] & state.up:
            played.away.append(i)
        return True
    if verb == "gives":
        _, _, card, to = event
        return give(engine, state, seat, card, seats[to])
    raise ValueError(verb)


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


def _arrange(engine: Engine, state: State, seat: int, listed: Sequence[Sequence[str]]) -> bool:
    at = arrange_state(engine, state, seat)
    if at == REFUSED:
        return False
    pack, table = engine.pack, state.tables[seat]
    laid = [engine.memo.get(cards) or meld_mask(engine, tuple(cards)) for cards in listed]
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
    hand, unknown = state.hands[seat], state.unknown[seat]
    own, starter, phase = engine.facts[at]

    def refused(way: Way) -> bool:
        held = in_hand(pack, way, hand) if engine.program.asks_hand else 0
        return bool(engine.arrange_refused(*way, held, unknown, own, starter, state.stock, phase))

    if pack.width == 1:
        if refused(Way(table, tuple(after), 0, 0)):
            return False
    else:
        way, after = likely_way(pack, table, engine.placed(table), after, 0, 0)
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
