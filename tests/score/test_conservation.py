"""Random matches: both ledgers agree, and no unit is made or lost."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from random import Random
from typing import Any

import pytest

from conquian.engine.engine import engine
from conquian.engine.sets import rule_sets
from conquian.generate import games
from conquian.ledger import Ledger
from conquian.scoring import score
from conquian.transcript.jsonform import read_json
from conquian.transcript.model import Match
from tests.agreement.both import Document, document
from tests.reference.ledger import POT, Book
from tests.reference.referee import ledger as second_ledger
from tests.reference.settings import READINGS, settings_for

from .telling import bare

FULL = bool(os.environ.get("CONQUIAN_FULL"))
SETTLEMENTS, BONUSES = READINGS["draw-settlement"], READINGS["rummy-bonus"]
Deal = dict[str, Any]
Tables = tuple[tuple[int, ...], tuple[int, ...]]


def from_nothing() -> Tables:
    return (), (7,)


def from_a_meld() -> Tables:
    return (7,), (7, 56)


# ---- results alone: many matches, no cards


@pytest.mark.parametrize("rules", rule_sets())
@pytest.mark.parametrize(("settlement", "bonus"), list(product(SETTLEMENTS, BONUSES)))
def test_both_ledgers_agree_on_every_sequence_of_results(rules: str, settlement: str, bonus: str) -> None:
    readings = {"draw-settlement": settlement, "rummy-bonus": bonus}
    judging, settings = engine(rules, readings), settings_for(rules, readings)
    players = [str(seat) for seat in range(judging.seats)]
    random = Random(f"{rules}/{settlement}/{bonus}")
    for _ in range(400 if FULL else 12):
        match: dict[str, int] = random.choice(
            [{}, {"wins": random.randint(1, 9)}, {"units": random.randint(1, 9)}]
        )
        ours = Ledger(judging, Match(**match) if match else None)
        theirs = Book(settings, players, match)
        while not ours.over and random.random() < 0.95:
            before = ours.pot
            if random.random() < 0.4:
                entry = ours.enter(None)
                theirs.drawn()
            else:
                seat, rummy = random.randrange(judging.seats), random.random() < 0.3
                entry = ours.enter(seat, from_nothing if rummy else from_a_meld)
                theirs.won(players[seat], rummy)
            assert entry is not None
            assert sum(entry.payments) + ours.pot - before == 0
            assert ours.pot >= 0
            assert ours.units == [theirs.purse[name] for name in players]
            assert ours.wins == [theirs.wins[name] for name in players]
            assert (ours.pot, ours.over) == (theirs.purse[POT], theirs.over())


def test_a_deal_after_the_end_of_the_match_is_refused() -> None:
    ledger = Ledger(engine("classic"), Match(wins=1))
    ledger.enter(0)
    with pytest.raises(ValueError, match="the match is over"):
        ledger.enter(1)


# ---- whole matches: deals that were played, put together


@lru_cache(maxsize=32)
def pool(rules: str) -> tuple[Deal, ...]:
    """Deals in which the first of the players acts first."""
    return tuple(game["deals"][0] for game in map(document, games(engine(rules), 24 if FULL else 8, 11)))


def seated(deal: Deal, players: list[str], first: int, number: int) -> Deal:
    """The deal with the seats moved round, so that another player acts first."""
    new = {name: players[(seat + first) % len(players)] for seat, name in enumerate(players)}
    moved = {**deal, "number": number, "hands": {new[name]: cards for name, cards in deal["hands"].items()}}
    moved["events"] = [
        [
            new[event[0]],
            *event[1:3],
            *(new.get(part, part) if isinstance(part, str) else part for part in event[3:]),
        ]
        for event in deal["events"]
    ]
    if (deal.get("claim") or {}).get("winner"):
        moved["claim"] = {"winner": new[deal["claim"]["winner"]]}
    return moved


def ended(deal: Deal, players: list[str], random: Random) -> Deal:
    """The players end the deal half way: by a concession, an agreed draw, or not at all."""
    half = deal["events"][: len(deal["events"]) // 2]
    how = random.choice(["concedes", "agrees", "broken off"])
    if how == "broken off":
        return {**deal, "events": half, "claim": {"broken_off": True}}
    said = [random.choice(players), how] if how == "concedes" else [players[0], how, *players[1:]]
    return {**deal, "events": [*half, said], "claim": None}


def plays_again(deal: Deal, chosen: dict[str, str]) -> bool:
    """Whether the players ended the deal in a draw that counts."""
    if (deal.get("claim") or {}).get("broken_off"):
        return chosen["breaking-off"] == "drawn"
    agreed = any(event[1] == "agrees" for event in deal["events"])
    return agreed and chosen["agreed-draw"] == "drawn"


def spoilt(deal: Deal, players: list[str], random: Random) -> Deal:
    """Now and then: broken off, a misdeal, a wrong claim, an event too many."""
    match random.random():
        case x if x < 0.08:
            return {**deal, "events": deal["events"][: len(deal["events"]) // 2], "claim": None}
        case x if x < 0.16:
            return {**deal, "hand_sizes": {players[0]: 3}}
        case x if x < 0.24:
            claim = deal.get("claim") or {}
            return {**deal, "claim": {"drawn": True} if claim.get("winner") else {"winner": players[0]}}
        case x if x < 0.32:
            return {**deal, "events": [*deal["events"], [players[0], "turns", "Ac"]]}
        case x if x < 0.56:
            return ended(deal, players, random)
        case _:
            return deal


def matches(rules: str, count: int) -> Iterator[Document]:
    early = ("concession", "agreed-draw", "breaking-off")
    readings = {"draw-settlement": SETTLEMENTS, "rummy-bonus": BONUSES, **{n: READINGS[n] for n in early}}
    players: list[str] = ["Ana", "Ben", "Cleo", "Dan"][: engine(rules).seats]
    for seed in range(count):
        random = Random(f"{rules}/{seed}")
        chosen = {name: random.choice(choices) for name, choices in readings.items()}
        dealer = random.randrange(len(players))
        game: Document = {"format": "conquian/1", "rules": rules, "readings": chosen, "players": players}
        game |= {"dealer": players[dealer], "deals": []}
        game["match"] = random.choice([None, {"wins": random.randint(1, 4)}, {"units": random.randint(1, 4)}])
        for number in range(1, random.randint(3, 7)):
            deal = seated(random.choice(pool(rules)), players, (dealer + 1) % len(players), number)
            game["deals"].append(spoilt(deal, players, random))
            last = game["deals"][-1]
            stays = "hand_sizes" in last or (
                chosen["draw-settlement"] == "replay"
                and (
                    plays_again(last, chosen)
                    or ((deal.get("claim") or {}).get("drawn") and len(last["events"]) >= len(deal["events"]))
                )
            )
            dealer = dealer if stays else (dealer + 1) % len(players)
        yield game


@pytest.mark.parametrize("rules", rule_sets())
def test_both_ledgers_agree_on_random_matches_and_no_unit_is_made_or_lost(rules: str) -> None:

    counted = 0
    for game in matches(rules, 60 if FULL else 9):
        found = score(read_json(json.dumps(game).encode(), "match.json"))
        assert bare(found.score) == second_ledger(game)
        pot = 0
        for row in found.rows:
            assert sum(row.payments) + row.pot - pot == 0
            assert sum(row.units) + row.pot == 0
            pot = row.pot
            counted += row.counted
    assert counted > 9
