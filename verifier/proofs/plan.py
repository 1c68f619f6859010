"""Plays made to order: a deal and its events, one player laying melds that were chosen beforehand.

Every event goes through the engine; a plan that the rules do not allow is given up. Nothing is claimed when no plan
is found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from conquian.engine.deals import Setup, first_states
from conquian.engine.engine import Engine
from conquian.engine.facts import closed
from conquian.engine.play import Event, play
from conquian.engine.state import State

PLANS = 400
"""How many plans are tried."""
AT_ONCE = 40
"""How many plans with everything in one act are tried after them."""
PARTS = 5_000
"""How many ways to make up a table are looked at."""
LONGEST = 400
"""Events after which a plan is given up."""


@dataclass(frozen=True, slots=True)
class Step:
    """A meld to be laid with a card on offer: the card, and the meld (packed) that it then lies in."""

    up: int
    meld: int
    extends: int
    """The meld on the table that it takes in; 0: none."""
    beside: tuple[int, ...] = ()
    """Melds of hand cards alone that are laid in the same act."""

    @property
    def hand(self) -> int:
        """The hand cards that it takes, packed."""
        return (0 if self.extends else self.meld - self.up) + sum(self.beside)


@dataclass(slots=True)
class Played:
    """A play so far: the hands dealt, the events, the state before the last event and after it."""

    engine: Engine
    hands: list[list[str]]
    starter: str | None
    state: State
    events: list[Event]
    before: State

    def position(self) -> dict[str, Any]:
        """The position before the last event, as `--position` takes it, with the event."""
        return shown(self.engine, self.before, self.events[-1])


def shown(engine: Engine, state: State, event: Event | None) -> dict[str, Any]:
    """A state seen by the player who is to act, whom commands call `me`, and an event in it."""
    at = closed(engine, state, state.at)
    seat, names = engine.flow.seat(at), engine.pack.names
    other = engine.opponents[seat]
    found: dict[str, Any] = {
        "up": names(state.up)[0] if state.up else None,
        "table": [names(meld) for meld in state.tables[seat]],
        "hand": names(state.hands[seat]),
        "opponent_table": [names(meld) for meld in state.tables[other]],
        "stock": state.stock,
    }
    if state.up:
        found["turned_by"] = "me" if at % 3 == 0 else "opponent"
    if event is not None:
        found["event"] = ["me", *event[1:]]
    return found


Wanted = Callable[[State], bool]


def made(engine: Engine, total: int, wanted: Wanted) -> Played | None:
    """A play after whose last event one player has laid `total` cards and the state is as wanted."""
    for steps in _all(engine, total):
        for opened in (False, True):
            found = _Plan(engine, steps, opened).run()
            if found is not None and wanted(found.state):
                return found
    return None


# ---- choosing melds


def _all(engine: Engine, total: int) -> Iterator[tuple[Step, ...]]:
    yield from islice(_plans(engine, total), PLANS)
    yield from islice(_at_once(engine, total), AT_ONCE)


def _tables(engine: Engine, total: int) -> Iterator[tuple[int, ...]]:
    """Tables of so many cards, one for each way to divide the number, those of few melds first."""
    pack = engine.pack
    by_size: dict[int, list[int]] = {}
    for meld in sorted(engine.melds.packed):
        by_size.setdefault(pack.count(meld), []).append(meld)
    for sizes in sorted(islice(_parts(total, sorted(by_size)), PARTS), key=lambda found: (len(found), found)):
        melds = _disjoint(engine, sizes, by_size)
        if melds is not None:
            yield melds


def _at_once(engine: Engine, total: int) -> Iterator[tuple[Step, ...]]:
    """Everything in one act, with the first card on offer."""
    if total - 1 <= engine.program.dealt:
        for first, *beside in _tables(engine, total):
            up = 1 << (engine.pack.kinds(first)[0] * engine.pack.width)
            yield (Step(up, first, 0, tuple(beside)),)


def _plans(engine: Engine, total: int) -> Iterator[tuple[Step, ...]]:
    pack = engine.pack
    for melds in _tables(engine, total):
        # Laid whole, each with the cards of the hand; then with the last cards of each coming one by one.
        chains = [_chain(engine, meld) for meld in melds]
        for more in range(sum(map(len, chains)) + 1):
            if total - len(melds) - more > engine.program.dealt:
                continue
            steps: list[Step] = []
            late: list[Step] = []
            rest = more
            for meld, chain in zip(melds, chains, strict=True):
                taken = chain[: min(rest, len(chain))]
                rest -= len(taken)
                base = taken[-1].extends if taken else meld
                steps.append(Step(1 << (pack.kinds(base)[0] * pack.width), base, 0))
                late.extend(reversed(taken))
            yield (*steps, *late)
            if late and late[-1].meld != melds[-1]:
                yield (*steps[:-1], *late, steps[-1])


def _parts(total: int, sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    if total == 0:
        yield ()
    for i, size in enumerate(sizes):
        if size <= total:
            for rest in _parts(total - size, sizes[i:]):
                yield (size, *rest)


def _disjoint(engine: Engine, sizes: Sequence[int], by_size: dict[int, list[int]]) -> tuple[int, ...] | None:
    pack = engine.pack
    tries = 20_000

    def chosen(rest: Sequence[int], free: int) -> tuple[int, ...] | None:
        nonlocal tries
        if not rest:
            return ()
        for meld in by_size[rest[0]]:
            tries -= 1
            if tries < 0:
                return None
            if pack.contains(free, meld):
                others = chosen(rest[1:], free - meld)
                if others is not None:
                    return (meld, *others)
        return None

    return chosen(sorted(sizes, reverse=True), pack.everything)


def _chain(engine: Engine, meld: int) -> list[Step]:
    """The meld made one card smaller again and again, each step back as the card that is laid on last."""
    pack, steps = engine.pack, []
    while True:
        for kind in reversed(pack.kinds(meld)):
            unit = 1 << (kind * pack.width)
            if meld - unit in engine.melds.packed:
                steps.append(Step(unit, meld, meld - unit))
                meld -= unit
                break
        else:
            return steps


# ---- playing


class _Plan:
    """Plays the steps of one seat, everybody else only turning and passing."""

    def __init__(self, engine: Engine, steps: Sequence[Step], opened: bool) -> None:
        self.engine, self.steps = engine, list(steps)
        self.names = tuple(f"p{i}" for i in range(engine.seats))
        self.seats = {name: i for i, name in enumerate(self.names)}
        self.me = 1 % engine.seats if opened else 0

    def run(self) -> Played | None:
        engine, pack, program = self.engine, self.engine.pack, self.engine.program
        needed: list[str] = []
        offers: list[int] = []
        for step in self.steps:
            offers.append(step.up)
            needed.extend(pack.names(step.hand))
        if len(needed) > program.dealt:
            return None
        spare = pack.everything - sum(offers) - pack.packed(needed)
        junk = list(reversed(pack.names(spare)))
        hands = []
        for seat in range(engine.seats):
            count = program.dealt - (len(needed) if seat == self.me else 0)
            if count > len(junk):
                return None
            mine, junk = junk[:count], junk[count:]
            hands.append([*(needed if seat == self.me else ()), *mine])
        starter = junk.pop(0) if program.starter else None
        states = first_states(
            engine, Setup(program.players, hands, [None] * engine.seats, None, None, starter, 0)
        )
        if not isinstance(states, list):
            return None
        self.state, self.junk, self.needed = states[0], junk, pack.packed(needed)
        played = Played(engine, hands, starter, self.state, [], self.state.copy())
        while self.steps and len(played.events) < LONGEST:
            event = self.event()
            if event is None:
                return None
            before = self.state.copy()
            done = play(engine, self.state, [event], self.seats)
            if not done.legal:
                return None
            self.state.over = bool(done.past)
            played.events.append(event)
            played.before = before
            if event[1] == "melds":
                self.steps.pop(0)
        return None if self.steps else played

    def event(self) -> Event | None:
        engine, state, pack = self.engine, self.state, self.engine.pack
        if state.at == engine.flow.unstarted:
            giver = next(s for s, left in enumerate(state.gifts) if left)
            to = self.names[(giver + engine.program.exchange[1]) % engine.seats]
            card = self.spare(giver)
            return None if card is None else (self.names[giver], "gives", card, to)
        at = closed(engine, state, state.at)
        phase = engine.flow.phase(at)
        if phase is None:
            return None
        seat = engine.flow.seat(at)
        name = self.names[seat]
        verbs = {line.verb for line in phase.lines if line.kind == "acts" and line.actor == "player"}
        step = self.steps[0]
        if "meld" in verbs and seat == self.me and state.up == step.up:
            table = state.tables[seat]
            laid = [step.meld, *step.beside]
            if pack.copies > 1:
                rest = list(table)
                if step.extends:
                    rest.remove(step.extends)
                laid = [*rest, step.meld, *step.beside]
            return name, "melds", tuple(tuple(pack.names(meld)) for meld in laid)
        if "pass" in verbs:
            return name, "passes"
        if "turn" in verbs:
            if seat == self.me:
                return name, "turns", pack.names(step.up)[0]
            return (name, "turns", self.junk.pop()) if self.junk else None
        if "discard" in verbs:
            card = self.spare(seat)
            return None if card is None else (name, "discards", card)
        return None

    def spare(self, seat: int) -> str | None:
        """A card of a hand that no step needs."""
        pack, hand = self.engine.pack, self.state.hands[seat]
        wanted = sum(s.hand for s in self.steps) if seat == self.me else 0
        free = [name for name in pack.names(hand) if pack.contains(hand - pack.unit[name], wanted)]
        return free[-1] if free else None
