"""Random legal games that use the whole of a rule set's rules.

Same rule set, readings and seed, same games. Players meld most of what they can, keep what belongs together,
and now and then demand, regroup or decline for no reason. Every event comes from the engine's own lists of
what is legal.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice
from typing import cast

from conquian.cards import Card
from conquian.engine.deals import Setup, first_states
from conquian.engine.engine import Engine
from conquian.engine.play import Event, arrange_state, closed, demand, play
from conquian.engine.search import legal_layouts, regroupings
from conquian.engine.state import State
from conquian.transcript.model import Claim, Deal, Game
from conquian.transcript.model import Event as Recorded

NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gil", "Hana")
SLOW = 0.15
EAGERNESS = (0.9, 0.9, 0.8, SLOW)
"""How often a player melds what he can; drawn for each game, so that some games drag on to a draw."""
SHORT = 40
"""Cards of a stock in which slow players seldom win."""
DEMANDS, NAMED, REGROUPS, REGROUPS_AFTER_A_MELD = 0.6, 0.1, 0.03, 0.5
MOST_LAYOUTS = 200
"""How many layouts are looked at before one is chosen; with several packs there can be very many."""
LONGEST = 2_000
"""Events after which a deal that regroups for ever would be broken off."""


def games(engine: Engine, count: int, seed: int) -> Iterator[Game]:
    """`count` games of one deal each."""
    for number in range(count):
        yield game(engine, random.Random(f"{engine.program.name}/{seed}/{number}"))


def written(game_: Game, to: str, cards: str | None) -> str | None:
    """A game as text, JSON or one line of JSON, in a card notation; None if it cannot write the cards."""
    from msgspec.structs import replace

    from conquian.cards import Notation
    from conquian.transcript.convert import first_without_form
    from conquian.transcript.write import write_json, write_jsonl, write_text

    if cards is not None:
        game_ = replace(game_, cards=cast(Notation, cards))
        if first_without_form(game_, game_.cards) is not None:
            return None
    if to == "text":
        text = write_text(game_)
        return text if isinstance(text, str) else None
    return write_json(game_) if to == "json" else write_jsonl(game_)


def game(engine: Engine, rng: random.Random) -> Game:
    """One random game of one deal, with all hands recorded and the result claimed."""
    players = NAMES[: engine.seats]
    default = engine.program.default_choices()
    chosen = {
        reading.name: engine.readings[reading.name]
        for reading, choice, usual in zip(engine.program.readings, engine.choices, default, strict=True)
        if choice != usual
    }
    return Game(
        format="conquian/1",
        rules=engine.program.name,
        readings=chosen or None,
        players=players,
        dealer=players[-1],
        deals=(_deal(engine, players, rng),),
    )


def _deal(engine: Engine, players: tuple[str, ...], rng: random.Random) -> Deal:
    program = engine.program
    pack = [card for card in engine.pack.cards for _ in range(program.copies)]
    rng.shuffle(pack)
    hands = [pack[i * program.dealt : (i + 1) * program.dealt] for i in range(program.players)]
    rest = pack[program.dealt * program.players :]
    starter = rest.pop(0) if program.starter else None
    setup = Setup(program.players, hands, [None] * program.players, None, rest, starter, 0)
    states = first_states(engine, setup)
    assert isinstance(states, list)
    events, state = _Play(engine, states[0], players, rest, rng).events()
    at = closed(engine, state, state.at)
    claim = None
    if state.winner is not None:
        claim = Claim(winner=players[state.winner])
    elif at == engine.flow.drawn:
        claim = Claim(drawn=True)
    return Deal(
        number=1,
        hands={name: tuple(cast("list[Card]", hand)) for name, hand in zip(players, hands, strict=True)},
        starter=cast("Card | None", starter),
        events=tuple(cast("list[Recorded]", events)),
        claim=claim,
    )


class _Play:
    def __init__(
        self, engine: Engine, state: State, players: tuple[str, ...], stock: list[str], rng: random.Random
    ) -> None:
        self.engine, self.state, self.players, self.stock, self.rng = engine, state, players, stock, rng
        self.seats = {name: seat for seat, name in enumerate(players)}
        self.done: list[Event] = []
        self.eagerness, self.demanding = rng.choice(EAGERNESS), DEMANDS
        if self.eagerness == SLOW and len(stock) > SHORT:
            # Otherwise a long stock leaves time enough for anybody to win.
            self.eagerness *= (SHORT / len(stock)) ** 2
            self.demanding *= (SHORT / len(stock)) ** 2

    def events(self) -> tuple[list[Event], State]:
        while len(self.done) < LONGEST:
            event = self.next_event()
            if event is None:
                break
            if not play(self.engine, self.state, [event], self.seats).legal:
                raise AssertionError(f"{event} was listed as legal and is not")
            self.done.append(event)
        return self.done, self.state

    def next_event(self) -> Event | None:
        engine, state, rng = self.engine, self.state, self.rng
        if state.at == engine.flow.unstarted:
            return self.gift()
        if rng.random() < self.demanding:
            forced = self.demand()
            if forced is not None:
                return forced
        at = closed(engine, state, state.at)
        laid = self.done and self.done[-1][1] == "melds"
        if rng.random() < (REGROUPS_AFTER_A_MELD if laid else REGROUPS):
            regrouped = self.regrouping(anew=bool(laid))
            if regrouped is not None:
                return regrouped
        phase = engine.flow.phase(at)
        if phase is None:
            return None
        seat = engine.flow.seat(at)
        name = self.players[seat]
        verbs = {line.verb for line in phase.lines if line.kind == "acts" and line.actor == "player"}
        if "meld" in verbs and (rng.random() < self.eagerness or "pass" not in verbs):
            event = self.meld(name, at)
            if event is not None:
                return event
        if "pass" in verbs and self.legal((name, "passes")):
            return name, "passes"
        if "turn" in verbs:
            event = (name, "turns", self.stock[state.drawn_to])
            return event if self.legal(event) else None
        if "discard" in verbs:
            return self.discard(name, seat)
        if "meld" in verbs:
            return self.meld(name, at)
        return None

    def legal(self, event: Event) -> bool:
        return bool(play(self.engine, self.state.copy(), [event], self.seats).legal)

    def gift(self) -> Event | None:
        giver = next((s for s, left in enumerate(self.state.gifts) if left), None)
        if giver is None:
            return None
        hand = self.engine.pack.names(self.state.hands[giver])
        to = self.players[(giver + self.engine.program.exchange[1]) % self.engine.seats]
        return self.players[giver], "gives", self.least_useful(hand, giver), to

    def demand(self) -> Event | None:
        """A demand that is due, by any player; with or without the meld that the card extends."""
        engine, state = self.engine, self.state
        if not state.up:
            return None
        for seat in self.rng.sample(range(engine.seats), engine.seats):
            after, bound, _ = demand(engine, state, seat, None, None)
            if after >= 0:
                name = self.players[seat]
                fitting = [m for m in state.tables[bound] if engine.fit((m,)) & state.up]
                if fitting and self.rng.random() < NAMED:
                    onto = engine.pack.names(self.rng.choice(fitting))
                    event = (name, "forces", engine.pack.names(state.up)[0], tuple(onto))
                    if self.legal(event):
                        return event
                return name, "forces"
        return None

    def regrouping(self, anew: bool) -> Event | None:
        """A table laid out in another way, or, unless it is to be `anew`, perhaps as it was."""
        engine, state = self.engine, self.state
        for seat in range(engine.seats):
            if state.tables[seat] and arrange_state(engine, state, seat) >= 0:
                tables = list(islice(regroupings(engine, state, seat), MOST_LAYOUTS))
                if anew:
                    tables = [table for table in tables if table != state.tables[seat]]
                if not tables:
                    return None
                layout = self.rng.choice(tables)
                names = engine.pack.names
                event = (self.players[seat], "arranges", tuple(tuple(names(m)) for m in layout))
                return event if self.legal(event) else None
        return None

    def meld(self, name: str, at: int) -> Event | None:
        engine, state = self.engine, self.state
        found = list(islice(legal_layouts(engine, state), MOST_LAYOUTS))
        if not found:
            return None
        won = [layout for layout, wins in found if wins]
        layout = self.rng.choice(won) if won else self.rng.choice([layout for layout, _ in found])
        names = engine.pack.names
        before = state.tables[engine.flow.seat(at)]
        shown = layout
        if engine.pack.copies == 1:
            shown = tuple(meld for meld in layout if meld not in before)
        return name, "melds", tuple(tuple(names(meld)) for meld in shown)

    def discard(self, name: str, seat: int) -> Event | None:
        hand = self.engine.pack.names(self.state.hands[seat])
        legal = [card for card in dict.fromkeys(hand) if self.legal((name, "discards", card))]
        if not legal:
            return None
        return name, "discards", self.least_useful(legal, seat)

    def least_useful(self, cards: list[str], seat: int) -> str:
        """A card that goes with few others of the hand and the table; at times any card."""
        if self.rng.random() < 0.15:
            return self.rng.choice(cards)
        engine, state = self.engine, self.state
        own = state.hands[seat] + sum(state.tables[seat])
        field = engine.pack.field_mask

        def use(card: str) -> float:
            unit = engine.pack.unit[card]
            near = 0
            for meld in engine.melds.packed:
                if meld & (unit * field):
                    kinds = set(engine.pack.kinds(meld))
                    have = sum(1 for kind in kinds if own >> (kind * engine.pack.width) & field)
                    near += have >= len(kinds) - 1 and len(kinds) <= 4
            return near + self.rng.random()

        return min(cards, key=use)
