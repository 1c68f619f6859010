"""Clauses that ask which cards are in a hand, judged over hands that nobody recorded.

Counting knows nothing of such clauses: an act that one of them forbids with some hands and allows with others says
something about the cards that are left in the hand. Those cards were all there at every earlier act of the
player, for hands only shrink. So the acts are remembered, and after each one some choice of the cards that were
never shown is looked for under which all of them are legal. The engine itself judges them, with known hands.

Rules that ask for no hand never come here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from conquian.engine.coded import Event
from conquian.engine.engine import Engine
from conquian.engine.hands import Held, unseen
from conquian.engine.play import Played, play
from conquian.engine.state import State

BUDGET = 200_000
"""How many acts may be judged again for one event."""

ASKING = frozenset({"melds", "arranges", "discards"})


class Asked(NamedTuple):
    """An act of a player whose hand was not all known: the state before it, the act, what the hand showed since."""

    seat: int
    before: State
    event: Event
    shown: int


class Trail(NamedTuple):
    """One way to read a record so far: the state, and the acts that its unshown cards have to allow."""

    state: State
    asked: tuple[Asked, ...] = ()


class TooManyHands(Exception):
    """The search for hands that fit was given up; nothing is known then."""

    def __init__(self) -> None:
        self.budget = BUDGET
        super().__init__(f"undecided: hands that fit the record were not found within {BUDGET} acts tried")


def asks(engine: Engine, states: Sequence[State]) -> bool:
    """Whether clauses ask for hands and hands are not all known."""
    return engine.program.asks_hand and any(any(state.unknown) for state in states)


def step(
    engine: Engine, trail: Trail, event: Event, seats: Mapping[str, int]
) -> tuple[Trail | None, Played, State]:
    """The trail after an event, None if no hands that fit allow it; `State` is where the event was looked at.

    TooManyHands if that cannot be said within the budget.
    """
    state = trail.state.copy()
    played = play(engine, state, [event], seats)
    if not played.legal:
        return None, played, trail.state
    if not engine.program.asks_hand:
        return Trail(state), played, state
    seat = seats[event[0]]
    asked, fresh = trail.asked, state.seen - trail.state.seen
    new = event[1] in ASKING and trail.state.unknown[seat] > 0
    if new:
        asked = (*asked, Asked(seat, trail.state, event, 0))
        asked = tuple(a._replace(shown=a.shown + fresh) if a.seat == seat else a for a in asked)
    after = Trail(state, asked)
    # A card turned or thrown by anybody is one that the others do not have.
    if asked and (new or fresh) and completion(engine, after, seats) is None:
        return None, played, _completed(engine, trail, seats, seat, 0 if event[1] == "turns" else fresh)
    return after, played, state


def follows(engine: Engine, trail: Trail, events: Sequence[Event], seats: Mapping[str, int]) -> bool:
    """Whether some events can follow."""
    here: Trail | None = trail
    for event in events:
        here = None if here is None else step(engine, here, event, seats)[0]
    return here is not None


def _completed(engine: Engine, trail: Trail, seats: Mapping[str, int], seat: int, fresh: int) -> State:
    """The state with hands that allow all acts so far, for saying why the next, by `seat`, is refused.

    The hand holds the cards that the next act shows, if it can.
    """
    found = completion(engine, trail, seats, {seat: fresh}) or completion(engine, trail, seats, {seat: 0})
    if found is None:
        return trail.state
    state = trail.state.copy()
    for s, cards in enumerate(found):
        state.hands[s] += cards
        state.unknown[s] -= engine.pack.count(cards)
        state.seen += cards
    return state


def completion(
    engine: Engine,
    trail: Trail,
    seats: Mapping[str, int],
    least: Mapping[int, int] | None = None,
    banned: Mapping[int, int] | None = None,
) -> list[int] | None:
    """Unshown cards for the players whose acts ask for them, by seat and packed; None if none allow all acts.

    `least`: by seat, cards that have to be among them; `banned`: kinds that may not. Both are packed. Players of
    whom nothing is asked get nothing, unless `least` names them; whatever is left over fits them.
    """
    pack, state = engine.pack, trail.state
    least, banned = least or {}, banned or {}
    concerned = sorted({a.seat for a in trail.asked} | set(least) | set(banned))
    by_seat = {s: [a for a in trail.asked if a.seat == s] for s in concerned}
    tried = [0]

    def allowed(seat: int, cards: int) -> bool:
        for a in by_seat[seat]:
            tried[0] += 1
            if tried[0] > BUDGET:
                raise TooManyHands
            trial = a.before.copy()
            known = a.shown + cards
            trial.hands[seat] += known
            trial.unknown[seat] -= pack.count(known)
            trial.seen += known
            if not play(engine, trial, [a.event], seats).legal:
                return False
        return True

    def fillings(seat: int, free: int) -> Iterator[int]:
        """Every choice for one hand that its acts allow, smallest kinds first."""
        places = state.unknown[seat]
        given = least.get(seat, 0)
        if pack.count(given) > places or not pack.contains(free, given) or not allowed(seat, given):
            return
        kinds = [k for k in pack.kinds(free - given) if not banned.get(seat, 0) >> (k * pack.width) & 1]

        def more(cards: int, at: int, left: int) -> Iterator[int]:
            if not left:
                yield cards
                return
            last = -1
            for i in range(at, len(kinds) - left + 1):
                if kinds[i] != last:
                    last = kinds[i]
                    wider = cards + (1 << (last * pack.width))
                    if allowed(seat, wider):
                        yield from more(wider, i + 1, left - 1)

        yield from more(given, 0, places - pack.count(given))

    def seated(index: int, free: int, chosen: list[int]) -> list[int] | None:
        if index == len(concerned):
            rest = sum(state.unknown[s] for s in range(engine.seats) if s not in concerned)
            return chosen if pack.count(free) >= rest else None
        seat = concerned[index]
        for cards in fillings(seat, free):
            with_it = [*chosen]
            with_it[seat] = cards
            found = seated(index + 1, free - cards, with_it)
            if found is not None:
                return found
        return None

    return seated(0, unseen(pack, state), [0] * engine.seats)


def narrowed(engine: Engine, trail: Trail, seats: Mapping[str, int], seat: int, known: int) -> Held:
    """The bounds of a hand that holds known cards (packed) besides its unshown ones, by all acts so far."""
    pack, free = engine.pack, unseen(engine.pack, trail.state)
    certain = possible = known
    for kind in dict.fromkeys(pack.kinds(free)):
        unit = 1 << (kind * pack.width)
        copies = min(free >> (kind * pack.width) & pack.field_mask, trail.state.unknown[seat])
        fits = [
            n
            for n in range(copies + 1)
            if completion(engine, trail, seats, {seat: n * unit}, {seat: unit}) is not None
        ]
        certain, possible = certain + fits[0] * unit, possible + fits[-1] * unit
    return Held(certain, possible)
