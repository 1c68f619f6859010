"""Records with gaps: parts of random legal games left out, and one-edit mutants of such records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from random import Random
from typing import Any

import msgspec

from conquian.engine.deals import seats_of
from conquian.engine.engine import Engine, engine
from conquian.quick import setup_of
from conquian.recorded import Records, records
from conquian.referee import Outcome, judge_deal
from conquian.transcript.model import Deal, Game
from tests.reference.edits import one_edit_mutations
from tests.reference.randomplay import random_game


@dataclass(frozen=True, slots=True)
class Case:
    """The first deal of a record, as the engine judges it."""

    engine: Engine
    players: tuple[str, ...]
    deal: Deal
    first: int
    outcome: Outcome

    @property
    def seats(self) -> Mapping[str, int]:
        return seats_of(self.players)

    def records(self) -> Records:
        """What is recorded of cards; of an illegal set-up, what that says."""
        setup = setup_of(self.players, self.deal, self.first)
        return records(self.engine, setup, self.deal.events if self.outcome.setup is None else (), self.seats)


def judged(of: Engine, game: Game) -> Case:
    players = game.players
    dealer = players.index(game.dealer) if game.dealer is not None else len(players) - 1
    first = (dealer + 1) % len(players)
    return Case(of, players, game.deals[0], first, judge_deal(of, players, game.deals[0], first))


def hidden(game: Mapping[str, Any], random: Random) -> dict[str, Any]:
    """The game with parts of hands, stock, pack and gifts left out."""
    found: dict[str, Any] = deepcopy(dict(game))
    for deal in found["deals"]:
        for name, hand in list((deal.get("hands") or {}).items()):
            how = random.random()
            if how < 0.8:
                deal["hands"][name] = [] if how < 0.4 else blotted(hand, random)
        for key in ("stock", "deck"):
            if deal.get(key):
                deal[key] = blotted(deal[key], random)
        for event in deal["events"]:
            if event[1] == "gives" and random.random() < 0.7:
                event[2] = "?"
    return found


def blotted(cards: list[str], random: Random) -> list[str]:
    return [card if random.random() < 0.5 else "?" for card in cards]


def misplaced(game: Mapping[str, Any], random: Random) -> dict[str, Any]:
    """The game with one card that was turned or thrown changed for one that an event or hand names too."""
    found: dict[str, Any] = deepcopy(dict(game))
    deal = random.choice(found["deals"])
    named = [e[2] for e in deal["events"] if e[1] in ("turns", "discards")]
    named += [card for hand in (deal.get("hands") or {}).values() for card in hand]
    places = [e for e in deal["events"] if e[1] in ("turns", "discards")]
    if places:
        random.choice(places)[2] = random.choice(named)
    return found


def cases(rules: str, seeds: range, edits: int) -> Iterator[Case]:
    """Random legal games of a rule set and some mutants of each, all with gaps, as far as they can be read."""
    for seed in seeds:
        random = Random(f"{rules} {seed}")
        game = random_game(rules, seed=seed)
        mutants = list(one_edit_mutations(game, random)) if edits else []
        wrong = [misplaced(game, random) for _ in range(edits)]
        for each in (game, *random.sample(mutants, min(edits, len(mutants))), *wrong):
            try:
                read = msgspec.convert(hidden(each, random), Game)
            except msgspec.ValidationError:
                continue
            if read.rules is not None:
                yield judged(engine(read.rules, read.readings), read)
