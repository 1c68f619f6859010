"""The ways to read a record to its end, each with what it shows of the hands at an earlier moment.

Hands only shrink once play has begun, so a card that comes from a hand later was in it before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from conquian.engine.coded import Event
from conquian.engine.deals import UNKNOWN, Setup, SetupRefusal, first_states, gift_guesses, seats_of
from conquian.engine.engine import Engine
from conquian.engine.hands import Held, held, joined, unseen
from conquian.engine.residues import Trail, narrowed, step
from conquian.engine.state import State
from conquian.quick import setup_of
from conquian.recorded import records
from conquian.referee import judge_deal
from conquian.transcript.model import SAID, Deal


@dataclass(frozen=True, slots=True)
class World:
    """One way to read a record.

    here   the state at the moment asked about
    trail  the state at the end of what is read
    known  by seat: the cards that are in the hand at the moment, as far as this way says (packed)
    gifts  by event from that moment on: what an unrecorded gift was, `?` for a card that is never shown
    """

    here: State
    trail: Trail
    known: tuple[int, ...]
    gifts: tuple[tuple[int, str], ...]

    def places(self, engine: Engine, seat: int) -> int:
        """How many cards the seat held at the moment that are never shown."""
        count = engine.pack.count
        return count(self.here.hands[seat]) + self.here.unknown[seat] - count(self.known[seat])


@dataclass(frozen=True, slots=True)
class _Path:
    """A way so far. `hidden`: by seat, cards received that are never shown."""

    trail: Trail
    here: State | None
    shown: tuple[int, ...]
    gifts: tuple[tuple[int, str], ...] = ()
    hidden: tuple[int, ...] = ()


def worlds(
    engine: Engine, players: Sequence[str], deal: Deal, first: int, here: int, upto: int
) -> Iterator[World]:
    """Every way to read the events before `upto`, seen from just before event `here`; none if they do not fit.

    What comes from `here` on is used too; what was taken back, and what the players say besides, moved no card.
    TooManyHands where clauses that ask for hands cannot be decided.
    """
    setup = setup_of(players, deal, first)
    states = first_states(engine, setup)
    if isinstance(states, SetupRefusal):
        return
    seats = seats_of(players)
    numbered: list[tuple[int, Event]] = list(enumerate(deal.events))
    if any(event[1] in SAID for event in deal.events):
        numbered = judge_deal(engine, players, deal, first).standing(deal.events)
    numbered = [(number, event) for number, event in numbered if number < upto]
    events = [event for _, event in numbered]
    start = sum(1 for number, _ in numbered if number < here)
    nothing = (0,) * engine.seats
    later = _used(engine, setup, events, seats) if _open_gift(events, start) else []
    # Depth first, so that who wants one way only pays for one.
    left = [(0, _Path(Trail(state), None, nothing)) for state in reversed(states)]
    while left:
        i, path = left.pop()
        if i == start:
            path = _Path(path.trail, path.trail.state, nothing, (), nothing)
        if i < len(events):
            after = list(_after(engine, path, *numbered[i], seats, later))
            left.extend((i + 1, way) for way in reversed(after))
            continue
        state = path.trail.state
        if path.here is not None and all(
            places >= hidden for places, hidden in zip(state.unknown, path.hidden, strict=True)
        ):
            known = tuple(a + b for a, b in zip(path.here.hands, path.shown, strict=True))
            yield World(path.here, path.trail, known, path.gifts)


def _open_gift(events: Sequence[Event], here: int) -> bool:
    return any(event[1] == "gives" and event[2] == UNKNOWN for event in events[here:])


def _used(
    engine: Engine, setup: Setup, events: Sequence[Event], seats: Mapping[str, int]
) -> list[tuple[int, set[str]]]:
    """By event that takes cards out of a hand: the seat and the cards."""
    names = engine.pack.cards
    return [
        (fact.seat, {names[kind] for kind in fact.cards})
        for fact in records(engine, setup, events, seats).facts
        if fact.kind == "used"
    ]


def _after(
    engine: Engine,
    path: _Path,
    number: int,
    event: Event,
    seats: Mapping[str, int],
    later: Sequence[tuple[int, set[str]]],
) -> Iterator[_Path]:
    state, seat = path.trail.state, seats[event[0]]
    hidden_gift = event[1] == "gives" and event[2] == UNKNOWN
    for card in _guesses(engine, path, event, seats, later) if hidden_gift else [""]:
        tried = (*event[:2], card, *event[3:]) if hidden_gift else event
        after, _, _ = step(engine, path.trail, tried, seats)
        if after is None:
            continue
        shown, hidden, gifts = path.shown, path.hidden, path.gifts
        if event[1] != "turns":
            shown = _added(shown, seat, after.state.seen - state.seen)
        if hidden_gift and path.here is not None:
            gifts = (*gifts, (number, card))
            hidden = _added(hidden, seats[event[3]], 1 if card == UNKNOWN else 0)
        yield _Path(after, path.here, shown, gifts, hidden)


def _added(numbers: tuple[int, ...], seat: int, more: int) -> tuple[int, ...]:
    return (*numbers[:seat], numbers[seat] + more, *numbers[seat + 1 :]) if more else numbers


def _guesses(
    engine: Engine,
    path: _Path,
    event: Event,
    seats: Mapping[str, int],
    later: Sequence[tuple[int, set[str]]],
) -> list[str]:
    """What an unrecorded gift can have been.

    Before the moment asked about, a gift of an unseen card is one open place that changes hands. After it, the
    place has to stay with the giver's hand: the card is then one that the receiver lays or throws later, or one
    that is never shown.
    """
    guesses = gift_guesses(engine, path.trail.state, seats[event[0]])
    if path.here is None or UNKNOWN not in guesses:
        return guesses
    shown = set().union(*(cards for seat, cards in later if seat == seats[event[3]]))
    # A kind that the giver is known to have is guessed already; a further copy of it is the same gift.
    fresh = [c for c in sorted(shown - set(guesses)) if _free(engine, path.trail.state, c)]
    return [*guesses, *fresh]


def _free(engine: Engine, state: State, card: str) -> bool:
    _, field, full = engine.pack.entry[card]
    return state.seen & field != full


def bounds(engine: Engine, found: Iterable[World], seats: Mapping[str, int], seat: int) -> Held:
    """The bounds of a seat's hand at the moment asked about, over all ways to read the record."""
    return joined(engine.pack, (_bounds(engine, world, seats, seat) for world in found))


def _bounds(engine: Engine, world: World, seats: Mapping[str, int], seat: int) -> Held:
    pack, state = engine.pack, world.trail.state
    known, places, free = world.known[seat], world.places(engine, seat), unseen(pack, state)
    counted = held(pack, known, places, free)
    if not world.trail.asked or places != state.unknown[seat]:
        return counted
    return narrowed(engine, world.trail, seats, seat, known)
