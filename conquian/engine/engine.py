"""A program made ready to judge under one choice of readings: its functions, its melds, its tables of play."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from conquian.engine.coded import DISCARD, MELD, PASS, TURN, ChunkReader
from conquian.engine.flow import REFUSED, Facts, Flow
from conquian.engine.melds import Melds
from conquian.engine.pack import Pack, bits
from conquian.engine.program import Program, Rule, Verb, program
from conquian.tongue import tell

UNASKED = -2
PLACED_LIMIT = 1_500
"""How many tables are remembered with where their cards lie."""


class Demand(NamedTuple):
    """What an unnamed demand does: the row after it (REFUSED: there is no such event), who is bound by it,
    whether it is due when the card fits the table as it lies (1 yes, 0 no, 2 ask), whether it answers a pass."""

    after: int
    bound: int
    due: int
    answers: bool


class Melding(NamedTuple):
    """A meld in a row: the state in which it is made, whether a card is on offer there and has to be melded, the rows
    after it if cards are left in the hand and if none is (REFUSED: the order of play has no such event)."""

    at: int
    offered: bool
    bound: bool
    after: int
    after_last: int


class UnknownReading(ValueError):
    """A reading, or a choice of one, that the rule set does not have."""

    def __init__(self, reading: str, choice: str | None, known: Sequence[str]) -> None:
        self.reading, self.choice, self.known = reading, choice, tuple(known)
        shown = tell("there is no reading `{reading}`", reading=reading)
        if choice:
            shown = tell("`{choice}` is no choice of `{reading}`", choice=choice, reading=reading)
        super().__init__(shown)


class Engine:
    """One rule set under one choice of readings. Holds no state of any game."""

    def __init__(self, program: Program, choices: Sequence[int]) -> None:
        from conquian.engine.acts import lay_copies, lay_once

        self.program = program
        self.choices = tuple(choices)
        self.pack = pack = _pack(program.cards, program.copies)
        named = {r.name: r.choices[i] for r, i in zip(program.readings, choices, strict=True)}
        self.readings: dict[str, str] = named
        usual = program.default_choices()
        self.changed = {
            r.name: r.choices[c] for r, c, d in zip(program.readings, choices, usual, strict=True) if c != d
        }
        """The readings that are not the rule set's own choice."""
        shared = _shared(program)
        self.melds = melds = shared.melds_under(named, pack)
        self.functions: dict[str, Callable[..., Any]] = _code(program.code)["make"](
            self.choices,
            melds.valid,
            melds.shapes,
            melds.ends,
            self.layable,
            program.goal,
            pack.guards,
            bits,
        )
        self.flow = flow = Flow(program, self.functions)
        self.seats = program.players
        self.team_of = flow.team_of
        self.live = program.live
        self.meld_refused = self.functions["meld_refused"]
        self.arrange_refused = self.functions["arrange_refused"]
        self.duty_met = self.functions["duty_met"]
        self.wins = self.functions["wins"]
        self.meld_judged = self.functions["meld_judged"]
        """0: some prohibition holds, 1: none does, 2: none does and the meld wins."""
        self.meld_screened = self.functions["meld_screened"]
        """The same as far as packed sets tell: 0: they do not."""
        self.arrange_screened = self.functions["arrange_screened"]
        """1: packed sets tell that no prohibition holds."""
        self.fits = self.functions["fits"]
        self.demand_without_fit: bool = self.functions["demand_without_fit"]()
        self.partners = [program.teams[team] for team in self.team_of]
        """By seat: the seats that share its table, itself included."""
        self.opponents = [
            next(s for s in range(self.seats) if self.team_of[s] != self.team_of[seat])
            for seat in range(self.seats)
        ]
        """By seat: some seat that plays against it."""
        self._tables, self._closed, self._openings = shared.played_under(self.choices)
        self.won_row = flow.won * self.seats
        size = flow.count * self.seats
        self.melding: list[tuple[list[Melding | None], list[Melding | None]]] = [
            ([None] * size, [None] * size) for _ in range(self.seats)
        ]
        """By the seat that acts first, then by whether the stock is used up: by `row + seat` what a meld does, as far
        as `melds_at` has been asked."""
        self.plain_tables = [self._plain_tables(first) for first in range(self.seats)]
        """By the seat that acts first: the tables of passes, discards and turns while cards are left in the stock."""
        self.may = _by_verb(program.may)
        self.may_not = _by_verb(program.may_not)
        self.no_pass, self.no_discard, self.no_turn = (
            verb in self.may_not for verb in ("pass", "discard", "turn")
        )
        """Whether some prohibition speaks of a pass, a discard, a turn."""
        self.facts, self.bound, self.offering, self.resting = shared.states
        self.fit_of = shared.fits_under(self.choices, melds)
        """By meld (packed): the cards that fit it as it lies, as far as it has been asked."""
        self.chunks = _chunks(pack)
        self.arranging: dict[tuple[int, int, int, int], int] = {}
        """By state, seat, whether the stock is used up, and the seat that acts first: the state in which the seat may
        regroup its melds, or REFUSED, where the state alone says it."""
        self._regroups: dict[int, int] = {}
        self._placed: dict[tuple[int, ...], tuple[int, ...]] = {}
        self._demands: dict[tuple[int, int, int], Demand] = {}
        self.lay = lay_once(self) if pack.copies == 1 else lay_copies(self)

    # -- what melds can take

    def layable(self, physical: int) -> bool:
        return self.melds.layable(self.pack.packed_of(physical))

    def fit(self, table: Sequence[int]) -> int:
        """The cards (one bit of each kind's field) that fit a table of packed melds as it lies."""
        found = 0
        for meld in table:
            known = self.fit_of.get(meld)
            found |= self._fit_of(meld) if known is None else known
        return found

    def _fit_of(self, meld: int) -> int:
        pack = self.pack
        placed = self.physical_table((meld,))[0][0]
        found = 0
        for kind in range(len(pack.cards)):
            copies = meld >> (kind * pack.width) & pack.field_mask
            if copies < pack.copies and self.fits(placed, pack.physical(kind, copies)):
                found |= 1 << (kind * pack.width)
        self.fit_of[meld] = found
        return found

    def placed(self, table: tuple[int, ...]) -> tuple[int, ...]:
        """A table's melds as physical sets; kept, so that cards stay where they lie."""
        if self.pack.copies == 1:
            return table
        found = self._placed.get(table)
        if found is None:
            found = self.physical_table(table)[0]
            self.place(table, found)
        return found

    def place(self, table: tuple[int, ...], placed: tuple[int, ...]) -> None:
        """Remembers how the physical cards of a table lie."""
        if len(self._placed) >= PLACED_LIMIT:
            self._placed.clear()
        self._placed[table] = placed

    def physical_table(self, table: Sequence[int]) -> tuple[tuple[int, ...], list[int]]:
        """A table's melds as physical sets, copies given out in order, and the copies given of each kind."""
        pack = self.pack
        given = [0] * len(pack.cards)
        placed = []
        for meld in table:
            mask = 0
            for kind in pack.kinds(meld):
                mask |= pack.physical(kind, given[kind] % pack.copies)
                given[kind] += 1
            placed.append(mask)
        return tuple(placed), given

    # -- tables of play

    def step(self, kind: int, stock: int, empty: int, row: int, seat: int, first: int) -> int:
        """The answer of the order of play for a kind of event, filled into the table that `tabled` gives."""
        verbs: tuple[Verb, ...] = ("pass", "turn", "discard", "meld")
        if kind == TURN:
            facts = Facts((1, 1, 0)[stock], (1, 0, 0)[stock], 1 - empty)
        else:
            facts = Facts(1 - stock, 1 - stock, 1 - empty)
        after = self.flow.take(row // self.seats, verbs[kind], seat, first, facts)
        answer = after if after == REFUSED else after * self.seats
        self.tabled(kind, stock, empty, first)[row + seat] = answer
        return answer

    def tabled(self, kind: int, stock: int, empty: int, first: int) -> list[int]:
        """Where events of a kind lead. Rows are states times seats: entry `row + seat` is the row after it.

        REFUSED where the order of play has no such event, UNASKED where nobody has asked yet. `stock`: 0 cards
        are left, 1 none is left (after a turn), 2 none was left before it; `empty`: 1 when the actor's hand is
        empty after the event.
        """
        tables = self._tables.get((kind, first))
        if tables is None:
            size = self.flow.count * self.seats
            tables = self._tables[kind, first] = [[UNASKED] * size for _ in range(6)]
        return tables[stock * 2 + empty]

    def _plain_tables(self, first: int) -> tuple[list[int], list[int], list[int]]:
        return (
            self.tabled(PASS, 0, 0, first),
            self.tabled(DISCARD, 0, 0, first),
            self.tabled(TURN, 0, 0, first),
        )

    def melds_at(self, row: int, seat: int, stock: int, first: int) -> Melding:
        """What a meld of a seat does in a row, filled into `melding`; `stock`: 1 when it is used up."""
        at = row // self.seats
        while self.resting[at] and not self.live:
            at = self.closed(at, stock, first)
        then = (REFUSED, REFUSED)
        if self.offering[at] and not self.live:
            left, none = (self.step(MELD, stock, empty, at * self.seats, seat, first) for empty in (0, 1))
            then = left, none
        found = self.melding[first][stock][row + seat] = Melding(at, self.offering[at], self.bound[at], *then)
        return found

    def demands(self, stock: int, row: int, by: int, first: int) -> Demand:
        """What a demand that names no meld does in a state; `stock`: 1 when it is used up."""
        key = (stock, row + by, first)
        found = self._demands.get(key)
        if found is None:
            found = self._demands[key] = self._demand(stock, row // self.seats, by, first)
        return found

    def _demand(self, stock: int, at: int, by: int, first: int) -> Demand:
        facts = Facts(1 - stock, 1 - stock, 1)
        while True:
            phase = self.flow.phase(at)
            if phase is None:
                return Demand(REFUSED, -1, 0, False)
            seat = self.flow.seat(at)
            takes = any(line.verb == "force" and line.kind == "acts" for line in phase.lines)
            if takes and self.team_of[by] != self.team_of[seat]:
                break
            if not phase.rests:
                return Demand(REFUSED, -1, 0, False)
            at = self.flow.closed(at, first, facts)
        after = self.flow.take(at, "force", by, first, facts)
        due = self.functions["due_when_it_fits"](at % 3 == 0, at % 3 == 2, at // 3 // self.seats)
        return Demand(after if after < 0 else after * self.seats, seat, due, phase.rests)

    def opening(self, first: int) -> int:
        """The state that play opens with when a stock is left and the rules do not ask for cards then."""
        found = self._openings.get(first)
        if found is None:
            found = self._openings[first] = self.flow.start(first, Facts(1, 1, 1))
        return found

    def regroups(self, at: int) -> int:
        """Whether a player may regroup in his state: 1 yes, 0 no, 2 it depends on more than the state."""
        found = self._regroups.get(at)
        if found is None:
            found = self._regroups[at] = self.functions["may_arrange"](*self.facts[at])
        return found

    def closed(self, state: int, empty: int, first: int) -> int:
        """Where a resting state gives way to; `empty`: 1 when the stock is used up."""
        key = (state, empty, first)
        found = self._closed.get(key)
        if found is None:
            found = self._closed[key] = self.flow.closed(state, first, Facts(1 - empty, 1 - empty, 1))
        return found

    def take(self, state: int, verb: Verb, actor: int, first: int, facts: Facts) -> int:
        return self.flow.take(state, verb, actor, first, facts)

    # -- permissions

    def allowed(self, verb: Verb, phase: int, arguments: tuple[Any, ...]) -> bool:
        """Whether some permission for the verb names the phase and holds."""
        return any(
            phase in rule.phases and self.functions[rule.function](*arguments, phase)
            for rule in self.may.get(verb, ())
        )

    def forbidding(self, verb: Verb, phase: int, arguments: tuple[Any, ...]) -> list[Rule]:
        """The prohibitions of the verb that hold in the phase, in the order of the file."""
        return [
            rule
            for rule in self.may_not.get(verb, ())
            if (not rule.phases or phase in rule.phases) and self.functions[rule.function](*arguments, phase)
        ]


def _by_verb(rules: Sequence[Rule]) -> dict[Verb, list[Rule]]:
    found: dict[Verb, list[Rule]] = {}
    for rule in rules:
        for verb in rule.verbs:
            found.setdefault(verb, []).append(rule)
    return found


@lru_cache(maxsize=64)
def _pack(cards: tuple[str, ...], copies: int) -> Pack:
    return Pack(cards, copies)


@lru_cache(maxsize=64)
def _chunks(pack: Pack) -> ChunkReader:
    return ChunkReader(pack)


class _Shared:
    """What all engines of one program share, as far as readings do not tell them apart."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._melds: dict[str, Melds] = {}
        self._played: dict[tuple[int, ...], Played] = {}
        self._fits: dict[tuple[int, tuple[int, ...]], dict[int, int]] = {}
        phases, seats = program.phases, program.players
        count = len(phases) * seats * 3
        ended = 3
        self.states = (
            [(at % 3 == 0, at % 3 == 2, at // 3 // seats) for at in range(count + ended)],
            [*(phases[at // 3 // seats].bound is not None for at in range(count)), *[False] * ended],
            [*(phases[at // 3 // seats].offers for at in range(count)), *[False] * ended],
            [*(phases[at // 3 // seats].rests for at in range(count)), *[False] * ended],
        )
        """By state: (the card is the player's own, is the starter; the phase); whether the player has to meld the
        card on offer; whether a card is on offer; whether the phase gives way to any event it does not name."""

    def melds_under(self, named: Mapping[str, str], pack: Pack) -> Melds:
        """The table of melds for a choice of readings."""
        for key, shapes in self.program.melds.items():
            pairs = [part.split("=") for part in key.split(",") if part]
            if all(named[reading] == choice for reading, choice in pairs):
                if key not in self._melds:
                    self._melds[key] = Melds(pack, shapes, self.program.ends)
                return self._melds[key]
        raise AssertionError("no table of melds for this choice of readings")

    def played_under(self, choices: tuple[int, ...]) -> Played:
        """The tables of play, which only some readings change."""
        return self._played.setdefault(tuple(choices[i] for i in self.program.flow_readings), ({}, {}, {}))

    def fits_under(self, choices: tuple[int, ...], melds: Melds) -> dict[int, int]:
        asked = tuple(choices[i] for i in self.program.fit_readings)
        return self._fits.setdefault((id(melds), asked), {})


Played = tuple[dict[tuple[int, int], list[list[int]]], dict[tuple[int, int, int], int], dict[int, int]]
"""Tables by kind of event and first seat; where resting states give way to; opening states."""
_SHARED: dict[int, _Shared] = {}


def _shared(program: Program) -> _Shared:
    found = _SHARED.get(id(program))
    if found is None or found.program is not program:
        if len(_SHARED) > 64:
            _SHARED.clear()
        found = _SHARED[id(program)] = _Shared(program)
    return found


@lru_cache(maxsize=64)
def _code(code: bytes) -> dict[str, Any]:
    space: dict[str, Any] = {}
    exec(marshal.loads(code), space)
    return space


@lru_cache(maxsize=64)
def _program(name: str) -> Program:
    return program(name)


def choices_of(program: Program, readings: Mapping[str, str]) -> tuple[int, ...]:
    """The choices by index with some readings set; UnknownReading for what the rule set lacks."""
    chosen = list(program.default_choices())
    index = {r.name: i for i, r in enumerate(program.readings)}
    for name, choice in readings.items():
        if name not in index:
            raise UnknownReading(name, None, list(index))
        known = program.readings[index[name]].choices
        if choice not in known:
            raise UnknownReading(name, choice, known)
        chosen[index[name]] = known.index(choice)
    return tuple(chosen)


def engine(name: str, readings: Mapping[str, str] | None = None) -> Engine:
    """The engine of a shipped rule set (or the file at a path) under some readings.

    RulesError for rules that cannot be used, UnknownReading for a reading or choice they lack.
    """
    return engine_of(_program(name), readings)


def with_choices(base: Engine, changes: Mapping[str, str]) -> Engine:
    """The same rules with some readings changed."""
    return engine_of(base.program, {**base.readings, **changes})


_KEPT: dict[tuple[int, tuple[int, ...]], Engine] = {}


def engine_of(program: Program, readings: Mapping[str, str] | None = None) -> Engine:
    """An engine of a program that is at hand; kept as long as few are."""
    choices = choices_of(program, readings or {})
    key = (id(program), choices)
    found = _KEPT.get(key)
    if found is None or found.program is not program:
        if len(_KEPT) > 256:
            _KEPT.clear()
        found = _KEPT[key] = Engine(program, choices)
    return found


__all__ = ["REFUSED", "Engine", "UnknownReading", "engine", "engine_of", "with_choices"]
