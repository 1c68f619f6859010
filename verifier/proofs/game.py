"""What the proofs of one rule set under one choice of readings share."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from conquian.engine.engine import Engine, with_choices
from conquian.language import clauses as c
from conquian.language import formula as f
from conquian.language.rules import RuleSet
from conquian.verifier.deck import Deck
from conquian.verifier.limits import BUDGET
from conquian.verifier.proofs.flow import Counts, Flow, Moment, Move
from conquian.verifier.proofs.result import Result
from conquian.verifier.proofs.standing import Standings
from conquian.verifier.proofs.tally import Tally, tally
from conquian.verifier.proofs.under import settled
from conquian.verifier.solver import Solver


@dataclass
class Game:
    """Typed rules with the engine that plays them under the readings to be proved for."""

    rules: RuleSet
    engine: Engine
    budget: int = BUDGET
    answers: dict[str, Result] = field(default_factory=dict)
    """What one prover found and another rests on."""
    _moves: dict[tuple[Moment, int], list[Move]] = field(default_factory=dict)
    _standings: dict[Hashable, Standings] = field(default_factory=dict)
    _entered: dict[tuple[Moment, int], list[Moment]] = field(default_factory=dict)

    @property
    def readings(self) -> Mapping[str, str]:
        return self.engine.readings

    @cached_property
    def flow(self) -> Flow:
        return Flow(self.rules, self.readings)

    @cached_property
    def tallies(self) -> list[Tally]:
        """By seat."""
        return [tally(self.rules, self.engine, self.flow, seat) for seat in range(self.engine.seats)]

    @cached_property
    def standings(self) -> Standings:
        """What the player whose moment it is can have, under the readings of the game."""
        return Standings(self.tallies)

    def standings_under(self, readings: Mapping[str, str]) -> Standings:
        """The same under other readings; counted once for all that leave the order of play and the melds alike."""
        flow = Flow(self.rules, readings)
        wins = settled(self.rules.only(c.Wins).when, readings)
        engine = with_choices(self.engine, readings)
        sizes = frozenset(map(engine.pack.count, engine.melds.packed))
        key = (tuple(x.lines for x in flow.phases.values()), frozenset(flow.demands), wins, sizes)
        found = self._standings.get(key)
        if found is None:
            if dict(readings) == dict(self.readings):
                found = self.standings
            else:
                found = Standings([tally(self.rules, engine, flow, s) for s in range(engine.seats)])
            self._standings[key] = found
        return found

    def on_offer(self, hand: int, table: int) -> bool:
        """Whether some deal has a card on offer to a player with so many cards."""
        offers = [phase.name for phase in self.engine.program.phases if phase.offers]
        return any(self.standings.has(phase, hand, table) for phase in offers)

    @cached_property
    def counting(self) -> frozenset[str]:
        """The readings that decide how many cards there can be where."""
        asked: list[f.Formula | None] = [self.rules.only(c.Wins).when]
        asked += [body.when for _, body in self.rules.bodies(c.Shape)]
        asked += [line.when for _, body in self.rules.bodies(c.Phase) for line in body.lines]
        asked += [
            body.when for _, body in self.rules.bodies(c.Modal) if body.allowed and "force" in body.verbs
        ]
        return frozenset().union(*(f.readings_of(when) for when in asked if when is not None))

    @cached_property
    def left(self) -> int:
        """Cards in the stock when play begins."""
        program = self.engine.program
        return self.engine.pack.size - program.dealt * program.players - program.starter

    @cached_property
    def most_own(self) -> int:
        """The most cards that a player can have in his hand and on the table together."""
        return max(here.hand + here.table for one in self.tallies for here in one.counts)

    @property
    def counted(self) -> int:
        return sum(len(one.counts) for one in self.tallies)

    def deck(self) -> Deck:
        """A solver of its own, so that no answer depends on what was asked before."""
        deck = Deck(self.engine.pack)
        deck.solver = Solver(deck.circuits, self.budget)
        return deck

    # -- the order of play, with hands left open

    def moves(self, at: Moment, stock: int) -> list[Move]:
        found = self._moves.get((at, stock))
        if found is None:
            found = self._moves[at, stock] = self.flow.moves(at, Counts(stock))
        return found

    def entered(self, at: Moment, stock: int) -> list[Moment]:
        found = self._entered.get((at, stock))
        if found is None:
            found = self._entered[at, stock] = sorted(self.flow.enter(at, Counts(stock)))
        return found

    def melds_at(self, at: Moment, stock: int) -> bool:
        return any(move.verb == "meld" for move in self.moves(at, stock))
