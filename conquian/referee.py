"""The referee: a recorded game to its verdict.

One pass forward: set-up, events, end, claim. What a transcript leaves open is kept open: the deal is legal if
some completion of what was not recorded is. After the first violation of a deal nothing is judged.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from conquian.engine.coded import Event
from conquian.engine.deals import SetupRefusal, first_states, gift_guesses, seats_of
from conquian.engine.engine import Engine, engine_of
from conquian.engine.facts import closed
from conquian.engine.play import play
from conquian.engine.residues import Trail, asks, step
from conquian.engine.state import State
from conquian.quick import Kind, claim_holds, setup_of
from conquian.transcript.model import SAID, Deal, Game, Record

if TYPE_CHECKING:
    from conquian.engine.refusals import Refusal
    from conquian.position import Position, Rules
    from conquian.transcript.sheet import Sheet
    from conquian.verdict import FileVerdict


class Taken(NamedTuple):
    """An illegal event that was taken back: its place, that of the objection, why it was illegal, the state before."""

    event: int
    objection: int
    refusal: Refusal
    state: State


class Outcome(Struct):
    """How a deal was judged, without words.

    `refusal` is the violation of event `event`, `setup` one of the set-up, `claimed` that the recorder's
    result is wrong. `states` are the states after the legal events, one for each way to read the record.
    """

    kind: Kind
    legal: int
    states: list[State]
    refusal: Refusal | None = None
    setup: SetupRefusal | None = None
    claimed: bool = False
    winner: int | None = None
    drawn: bool = False
    due: list[tuple[int, int]] = []
    past: list[tuple[int, int]] = []
    away: list[int] = []
    taken: list[Taken] = []
    ended: str | None = None
    """How the players ended the deal themselves: `conceded`, `agreed` or `broken-off`."""
    ended_at: int | None = None

    def standing(self, events: Sequence[Event]) -> list[tuple[int, Event]]:
        """The events that were judged legal and moved cards, with their places: none that was taken back."""
        gone = {index for one in self.taken for index in range(one.event, one.objection + 1)}
        return [
            (index, event)
            for index, event in enumerate(events[: self.legal])
            if index not in gone and index != self.ended_at
        ]

    @property
    def code(self) -> str | None:
        if self.setup is not None:
            return self.setup.code
        if self.refusal is not None:
            return self.refusal.code
        return "wrong-result" if self.claimed else None

    @property
    def event(self) -> int | None:
        return self.legal if self.refusal is not None else None


def judge_deal(engine: Engine, players: Sequence[str], deal: Deal, first: int) -> Outcome:
    """Judges one deal. KeyError, ValueError or TypeError if the deal is not well formed."""
    seats = seats_of(players)
    setup = setup_of(players, deal, first)
    states = first_states(engine, setup)
    if isinstance(states, SetupRefusal):
        return Outcome("invalid", 0, [], setup=states)
    if any(event[1] in SAID for event in deal.events):
        from conquian.at_table import Walk

        outcome = Walk(engine, states, deal.events, seats).walked()
    elif len(states) == 1 and not _hidden_gifts(engine, deal) and not asks(engine, states):
        played = play(engine, states[0], deal.events, seats)
        outcome = Outcome(
            "unfinished", played.legal, states, due=played.due, past=played.past, away=played.away
        )
    else:
        outcome = _judge_open(engine, states, deal.events, seats)
    if outcome.legal < len(deal.events):
        outcome.kind = "invalid"
        outcome.refusal = outcome.refusal or refused(
            engine, outcome.states, deal.events[outcome.legal], seats
        )
        return outcome
    conclude(engine, outcome, deal, seats)
    return outcome


def _hidden_gifts(engine: Engine, deal: Deal) -> bool:
    gifts = engine.program.exchange[0] * engine.seats
    return bool(gifts) and any(
        event[1] == "gives" and event[2] == "?" for event in deal.events[: gifts + 1] if len(event) > 2
    )


def _judge_open(
    engine: Engine, states: list[State], events: Sequence[Event], seats: Mapping[str, int]
) -> Outcome:
    """Event by event over all ways to read the record; a way that an event does not fit falls away."""
    outcome = Outcome("unfinished", 0, states)
    trails = [Trail(state) for state in states]
    for i, event in enumerate(events):
        after, looked_at = advance(engine, outcome, trails, event, i, i - 1, seats)
        if not after:
            outcome.kind, outcome.refusal = "invalid", refused(engine, looked_at, event, seats)
            return outcome
        trails, outcome.legal = after, i + 1
        outcome.states = [trail.state for trail in trails]
    return outcome


def advance(
    engine: Engine,
    outcome: Outcome,
    trails: Sequence[Trail],
    event: Event,
    i: int,
    last: int,
    seats: Mapping[str, int],
) -> tuple[list[Trail], list[State]]:
    """The trails after event `i`, none if it is illegal in all; what is noticed goes into the outcome.

    `last` is the event before it that stands. The states are those in which the event was looked at where it is illegal.
    """
    due, past, away = outcome.due, outcome.past, outcome.away
    after: list[Trail] = []
    looked_at: list[State] = []
    undone = False
    for trail in trails:
        for tried in readings_of(engine, trail.state, event, seats):
            on, played, state = step(engine, trail, tried, seats)
            if on is None:
                looked_at.append(state)
                continue
            after.append(on)
            if played.due and (i, played.due[0][1]) not in due:
                due.append((i, played.due[0][1]))
            past.extend((i, seat) for _, seat in played.past if (i, seat) not in past)
            if played.away and i not in away:
                away.append(i)
            undone = event[1] == "forces"
    if after and undone and due and due[-1][0] == last:
        due.pop()
    return distinct(after), looked_at or [trail.state for trail in trails]


def readings_of(engine: Engine, state: State, event: Event, seats: Mapping[str, int]) -> Iterator[Event]:
    """The ways to understand an event: an unrecorded gift can be any card that the giver can hold."""
    if event[1] == "gives" and event[2] == "?":
        for card in gift_guesses(engine, state, seats[event[0]]):
            yield (*event[:2], card, *event[3:])
    else:
        yield event


def distinct(trails: list[Trail]) -> list[Trail]:
    """The trails without those that have become equal."""
    seen: dict[tuple[object, ...], Trail] = {}
    for trail in trails:
        s = trail.state
        asked = ((a.before.seen, a.shown) for a in trail.asked)
        seen[(s.at, *s.hands, *s.unknown, s.seen, *s.received, *asked)] = trail
    return list(seen.values())


def refused(engine: Engine, states: Sequence[State], event: Event, seats: Mapping[str, int]) -> Refusal:
    """Why an event is refused in every state: the reason furthest down the table."""
    from conquian.engine.refusals import refusal

    return max((refusal(engine, state, event, seats) for state in states), key=lambda r: r.rank)


def conclude(engine: Engine, outcome: Outcome, deal: Record, seats: Mapping[str, int]) -> None:
    """Notes the result that all events leave, and whether the recorder's claim says the same."""
    state = outcome.states[0]
    outcome.winner = state.winner
    if state.winner is None:
        outcome.drawn = closed(engine, state, state.at) == engine.flow.drawn
    outcome.kind = "valid" if outcome.drawn or state.winner is not None else "unfinished"
    if deal.claim is not None and deal.claim.broken_off and outcome.kind == "unfinished":
        outcome.ended = "broken-off"
    elif not claim_holds(engine, deal.claim, seats, outcome.winner, outcome.drawn):
        outcome.kind, outcome.claimed = "invalid", True


# ---- games


def dealers(engine: Engine, game: Game) -> Generator[int, Outcome | None, None]:
    """The dealer's seat for each deal; send the outcome of a deal (None: unreadable) to go on to the next."""
    players = game.players
    seat = first_dealer(game)
    while True:
        outcome: Outcome | None = yield seat
        misdeal = outcome is not None and outcome.code == "misdeal"
        ended = None if outcome is None else outcome.ended
        drawn = outcome is not None and (outcome.drawn or ended == "broken-off")
        if not engine.functions["dealer_stays"](misdeal, drawn, *ways_ended(ended)):
            seat = (seat + 1) % len(players)


def ways_ended(ended: str | None) -> tuple[bool, bool, bool]:
    """How a deal was ended by its players, as conditions ask: conceded, drawn by agreement, broken off."""
    return ended == "conceded", ended == "agreed", ended == "broken-off"


def first_dealer(game: Game) -> int:
    """The seat that deals first: the header's dealer, else the last player's. A recorded cut changes nothing."""
    return len(game.players) - 1 if game.dealer is None else game.players.index(game.dealer)


def cut_dealer(engine: Engine, game: Game) -> int | None:
    """The seat that the cards drawn for the first deal make its dealer, to be compared with who deals.

    None if the rules say nothing of a cut, if not every player is recorded to have drawn a card, or if two drew
    the deciding rank: then the players drew again.
    """
    order = engine.program.cut
    cut = (game.deals[0].cut or {}) if game.deals else {}
    places = [order.get(cut[name][:-1]) for name in game.players if name in cut]
    known = [place for place in places if place is not None]
    if len(known) < len(game.players) or known.count(min(known)) > 1:
        return None
    return known.index(min(known))


def judge(
    sheet: Sheet, *, rules: str | None = None, readings: Mapping[str, str] | None = None, differs: bool = True
) -> FileVerdict:
    """The verdict on one read transcript.

    `rules` and `readings` override what its header says, with a note. RulesError or UnknownReading only for
    what the caller passed; what the header says wrong is an error of the file.
    """
    from conquian.judgement import file_verdict

    return file_verdict(sheet, rules, readings or {}, differs)[0]


def replay(
    rules: Rules, players: Sequence[str], deal: Deal, dealer: str | None = None
) -> Iterator[tuple[Position, Event | None]]:
    """Every position of a deal with the event that follows it, up to the end or the first violation.

    IllegalDeal names a violation in the set-up. Where the record can be read in several ways, the first that
    fits is followed.
    """
    from conquian.position import Position

    engine = rules.engine
    first = ((players.index(dealer) if dealer is not None else len(players) - 1) + 1) % len(players)
    states = first_states(engine, setup_of(players, deal, first))
    if isinstance(states, SetupRefusal):
        raise IllegalDeal(states)
    seats = seats_of(players)
    outcome = judge_deal(engine, players, deal, first)
    names = tuple(players)
    standing = dict(outcome.standing(deal.events))
    state = next(
        (s for s in states if play(engine, s.copy(), [*standing.values()], seats).legal >= len(standing)),
        states[0],
    )
    for index, event in enumerate(deal.events[: outcome.legal]):
        yield Position(rules, state.copy(), names), event
        if index in standing:
            play(engine, state, [event], seats)
        elif index == outcome.ended_at:
            state = outcome.states[0]
    yield Position(rules, state.copy(), names), None


class IllegalDeal(ValueError):
    """A deal whose set-up breaks a rule; `refusal` says which."""

    def __init__(self, refusal: SetupRefusal) -> None:
        self.refusal = refusal
        super().__init__(refusal.code)


__all__ = [
    "IllegalDeal",
    "Outcome",
    "advance",
    "cut_dealer",
    "dealers",
    "distinct",
    "engine_of",
    "first_dealer",
    "judge",
    "judge_deal",
    "readings_of",
    "refused",
    "replay",
    "ways_ended",
]
