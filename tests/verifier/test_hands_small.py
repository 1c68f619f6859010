"""The third witness: with a pack of a few cards every deal is tried, and judged as a complete record.

Counting has to find a deal exactly where one of them fits, and to know of every hand exactly what they have in
common. One pack and two, with a gift before play, and with a clause that asks which cards are in the hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product
from pathlib import Path
from random import Random

import msgspec
import pytest

from conquian.engine.deals import first_states, seats_of
from conquian.engine.engine import Engine, engine
from conquian.engine.hands import Held
from conquian.engine.play import Event, play
from conquian.engine.state import State
from conquian.example_deals import example_deal
from conquian.generate import games
from conquian.quick import setup_of
from conquian.recorded import Records, records
from conquian.referee import Outcome, judge_deal
from conquian.transcript.model import Deal
from conquian.verifier.hands import Hands
from conquian.watching import Watcher
from conquian.worlds import bounds, worlds

PLAYERS = ("Ana", "Ben")

BASE = """ruleset {name} "A few cards"
extends swedish
source club "Rules of the Thursday club" in "club.txt"

override clause pack "A few cards."
  cite club.pack
  deck {deck}

override clause order "As they come."
  cite club.pack
  order {order}

override clause dealing "A few each."
  cite club.pack
  deal {dealt} in packets of 1

override clause goal "One more in melds wins."
  cite club.pack
  goal {goal}
{more}"""

GIFT = """
override clause exchange "One card goes to the next player."
  cite club.gift
  exchange 1 to next
"""
TWO_GIFTS = GIFT.replace("exchange 1", "exchange 2")
KEEPING = """
clause keeping "While a hand card fits the own melds, no other card is thrown."
  cite club.discards
  code house.keeping
  player may not discard
    when some c in hand without thrown: some m in before: valid(m + c)
"""
SETS = {
    "small": ("A 2 3 4 5 of clubs diamonds", 3, ""),
    "small-four": ("A 2 3 4 5 of clubs diamonds", 4, ""),
    "small-twice": ("A 2 3 4 of clubs diamonds packs 2", 3, ""),
    "small-gift": ("A 2 3 4 of clubs diamonds", 3, GIFT),
    "small-gifts": ("A 2 3 4 of clubs diamonds", 3, TWO_GIFTS),
    "small-three-gifts": ("A 2 3 4 of clubs diamonds", 3, GIFT.replace("exchange 1", "exchange 3")),
    "small-keeping": ("A 2 3 4 5 of clubs diamonds", 4, KEEPING),
}
PLAYED_BY = {"small-keeping": "small-four"}
"""Whose random games are judged, where not the set's own: so that the clause on hands is broken too."""
SEEDS = {"small-twice": 2, "small-gifts": 2, "small-keeping": 40}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("rules")


@cache
def small(name: str, folder: Path) -> Engine:
    deck, dealt, more = SETS[name]
    path = folder / f"{name}.rules"
    order = deck.split(" of")[0].removeprefix("deck ")
    text = BASE.format(name=name, deck=deck, order=order, dealt=dealt, goal=dealt + 1, more=more)
    path.write_text(text, encoding="utf-8")
    return engine(str(path))


@dataclass(frozen=True, slots=True)
class Complete:
    """One complete deal with which nothing is illegal up to some event: the states before each event."""

    deal: Deal
    states: tuple[State, ...]


def completions(of: Engine, deal: Deal, upto: int) -> Iterator[Complete]:
    """Every deal that fits the record, by its hands and gifts; cards nobody ever sees keep to one order."""
    pack = [c for c in of.pack.cards for _ in range(of.pack.copies)]
    size, seats = of.program.dealt, seats_of(PLAYERS)
    turned = [str(event[2]) for event in deal.events[:upto] if event[1] == "turns"]
    seen: set[tuple[tuple[str, ...], ...]] = set()
    for one in combinations(range(len(pack)), size):
        rest = [i for i in range(len(pack)) if i not in one]
        for other in combinations(rest, size):
            hands = [tuple(pack[i] for i in chosen) for chosen in (one, other)]
            if (hands[0], hands[1]) in seen or not all(map(within, said_of(deal), hands)):
                continue
            seen.add((hands[0], hands[1]))
            left = [pack[i] for i in rest if i not in other]
            stock = in_order(left, turned, deal.stock or ())
            if stock is None:
                continue
            for events in with_gifts(of, deal.events[:upto]):
                whole = Deal(hands=dict(zip(PLAYERS, hands, strict=True)), stock=tuple(stock), events=events)  # type: ignore[arg-type]
                states = first_states(of, setup_of(PLAYERS, whole, 0))
                assert isinstance(states, list)
                before = []
                for event in events:
                    before.append(states[0].copy())
                    if not play(of, states[0], [event], seats).legal:
                        break
                else:
                    yield Complete(whole, (*before, states[0]))


def said_of(deal: Deal) -> list[list[str]]:
    return [[c for c in (deal.hands or {}).get(name) or () if c != "?"] for name in PLAYERS]


def within(said: Sequence[str], hand: Sequence[str]) -> bool:
    return all(said.count(card) <= hand.count(card) for card in said)


def in_order(left: list[str], turned: Sequence[str], said: Sequence[str]) -> list[str] | None:
    """A stock of these cards in which those that are turned, or recorded, are where they have to be."""
    places: dict[int, str] = {}
    for told in (turned, said):
        for i, card in enumerate(told):
            if card != "?" and places.setdefault(i, card) != card:
                return None
    rest = list(left)
    for card in places.values():
        if card not in rest:
            return None
        rest.remove(card)
    if any(i >= len(left) for i in places):
        return None
    filler = iter(rest)
    return [places[i] if i in places else next(filler) for i in range(len(left))]


def with_gifts(of: Engine, events: Sequence[Event]) -> Iterator[tuple[Event, ...]]:
    """The events with every card for every gift that nobody saw."""
    open_gifts = [i for i, event in enumerate(events) if event[1] == "gives" and event[2] == "?"]
    for cards in product(of.pack.cards, repeat=len(open_gifts)):
        told = list(events)
        for i, card in zip(open_gifts, cards, strict=True):
            told[i] = (*told[i][:2], card, *told[i][3:])
        yield tuple(told)


def records_of(of: Engine, seed: int) -> Iterator[Deal]:
    """A random game with gaps, and one in which a card has been changed too."""
    random = Random(seed)
    for game in games(of, 1, seed):
        deal = game.deals[0]
        events = [list(event) for event in deal.events[:14]]
        for wrong in (False, True):
            told = [list(event) for event in events]
            places = [e for e in told if e[1] in ("turns", "discards")]
            if wrong and places:
                random.choice(places)[2] = random.choice(of.pack.cards)
            for event in told:
                if event[1] == "gives" and random.random() < 0.8:
                    event[2] = "?"
            hands = {
                name: tuple(c if random.random() < 0.4 else "?" for c in cards or ())
                for name, cards in (deal.hands or {}).items()
            }
            stock = tuple(c if random.random() < 0.2 else "?" for c in deal.stock or ())
            yield msgspec.structs.replace(
                deal, hands=hands, stock=stock, deck=None, claim=None, events=tuple(map(tuple, told))
            )


def by_trying(of: Engine, found: Sequence[Complete], seat: int, at: int) -> Held:
    """What a hand has in all deals that fit, and in some."""
    hands = [complete.states[at].hands[seat] for complete in found]
    certain, possible = hands[0], hands[0]
    for hand in hands:
        certain = certain - of.pack.minus(certain, hand)
        possible = possible + of.pack.minus(hand, possible)
    return Held(certain, possible)


def check(of: Engine, deal: Deal, seats: Mapping[str, int]) -> tuple[Outcome, int]:
    """Compares counting with trying on one record; how many deals fit it."""
    outcome = judge_deal(of, PLAYERS, deal, 0)
    assert outcome.setup is None
    found = list(completions(of, deal, outcome.legal))
    assert found, deal
    if outcome.refusal is not None:
        assert not list(completions(of, deal, outcome.legal + 1)), (deal, outcome.code)
    solver = None if of.program.asks_hand else Hands(recorded(of, deal, outcome.legal))
    for at in {0, outcome.legal // 2, outcome.legal}:
        ways = list(worlds(of, PLAYERS, deal, 0, at, outcome.legal))
        for seat in range(2):
            counted = bounds(of, ways, seats, seat)
            tried = by_trying(of, found, seat, at)
            assert counted == tried, (deal, at, seat, *(of.pack.names(x) for x in (*counted, *tried)))
            if solver is not None:
                assert solver.bounds(seat, at) == tried
    watcher = Watcher(of, PLAYERS, deal, 0)
    assert [watcher.see(event) for event in deal.events[: outcome.legal]] == [True] * outcome.legal
    assert watcher.hands() == [by_trying(of, found, seat, outcome.legal) for seat in range(2)]
    example = example_deal(of, PLAYERS, deal, 0, outcome)
    assert (example is None) == (outcome.kind == "invalid")
    return outcome, len(found)


def recorded(of: Engine, deal: Deal, upto: int) -> Records:
    return records(of, setup_of(PLAYERS, deal, 0), deal.events[:upto], seats_of(PLAYERS))


def test_every_gift_that_nobody_saw_is_any_card_of_the_giver(folder: Path) -> None:
    # Three gifts each, so six in all: hands change owners, and what was dealt is known.
    of = small("small-three-gifts", folder)
    hands = {"Ana": ("Ac", "2c", "3c"), "Ben": ("Ad", "2d", "4d")}
    gifts = tuple((a, "gives", "?", b) for a, b in (PLAYERS, PLAYERS[::-1]) for _ in range(3))
    turned = ("Ana", "turns", "3d")
    deal = Deal(hands=hands, events=(*gifts, turned, ("Ana", "melds", (("Ad", "2d", "3d"),))))  # type: ignore[arg-type]
    outcome = judge_deal(of, PLAYERS, deal, 0)
    assert (outcome.code, outcome.legal) == (None, 8)
    ways = list(worlds(of, PLAYERS, deal, 0, 6, 8))
    assert [of.pack.names(x) for x in bounds(of, ways, seats_of(PLAYERS), 0)] == [["Ad", "2d", "4d"]] * 2
    # A card that Ana was dealt is not hers any more.
    wrong = Deal(hands=hands, events=(*gifts, turned, ("Ana", "melds", (("2c", "3c", "3d"),))))  # type: ignore[arg-type]
    assert judge_deal(of, PLAYERS, wrong, 0).legal == 7


@pytest.mark.parametrize("name", [name for name in SETS if name != "small-three-gifts"])
def test_counting_is_exact_with_a_pack_of_a_few_cards(name: str, folder: Path) -> None:
    of, seats = small(name, folder), seats_of(PLAYERS)
    by = small(PLAYED_BY.get(name, name), folder)
    codes, many = set(), 0
    for seed in range(SEEDS.get(name, 6)):
        for deal in records_of(by, seed):
            outcome, fitting = check(of, deal, seats)
            codes.add(outcome.code)
            many += fitting > 1
    assert None in codes and len(codes) > 1 and many > 2
    assert ("house.keeping" in codes) == (name == "small-keeping")
