"""One-edit mutants by what happens in a deal: events dropped, doubled, put in, or changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from itertools import islice
from random import Random
from typing import Any

from .edit_common import Deal, Game, other, some_event, somewhere
from .layout import code_of_act
from .melds import Table
from .referee import states
from .search import all_cards, covers, fits, regroupings
from .settings import RULE_SETS, Settings


def drop_event(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    if deal["events"]:
        deal["events"].pop(random.randrange(len(deal["events"])))
        yield


def double_event(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    if deal["events"]:
        place = random.randrange(len(deal["events"]))
        deal["events"].insert(place, deepcopy(deal["events"][place]))
        yield


def swap_events(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    if len(deal["events"]) > 1:
        place = random.randrange(len(deal["events"]) - 1)
        events = deal["events"]
        events[place], events[place + 1] = events[place + 1], events[place]
        yield


def cut_short(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    if deal["events"]:
        del deal["events"][random.randrange(len(deal["events"])) :]
        yield


def other_player(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    if deal["events"]:
        event = random.choice(deal["events"])
        event[0] = other(random, game["players"], event[0])
        yield


def other_receiver(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    event = some_event(deal, random, "gives")
    if event:
        event[3] = other(random, game["players"], event[3])
        yield


def other_verb(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    event = some_event(deal, random, "turns", "discards")
    if event:
        event[1] = "discards" if event[1] == "turns" else "turns"
        yield


def other_card(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    event = some_event(deal, random, "turns", "discards", "gives")
    if event:
        event[2] = other(random, settings.deck(), event[2])
        yield


def foreign_card(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    foreign = [card for card in RULE_SETS["classic-52"].deck() if card not in settings.deck()]
    event = some_event(deal, random, "turns", "discards", "gives", "melds")
    if event and foreign:
        if event[1] == "melds":
            random.choice(event[2]).append(random.choice(foreign))
        else:
            event[2] = random.choice(foreign)
        yield


def other_card_in_meld(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    event = some_event(deal, random, "melds", "arranges")
    if event and event[2]:
        meld = random.choice(event[2])
        place = random.randrange(len(meld))
        meld[place] = other(random, settings.deck(), meld[place])
        yield


def card_between_melds(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    several = [event for event in deal["events"] if event[1] in ("melds", "arranges") and len(event[2]) > 1]
    if several:
        giving, taking = random.sample(random.choice(several)[2], 2)
        taking.append(giving.pop(random.randrange(len(giving))))
        yield


def shorter_meld(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    event = some_event(deal, random, "melds", "arranges")
    if event and event[2]:
        meld = random.choice(event[2])
        meld.pop(random.randrange(len(meld)))
        yield


def longer_meld(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    event = some_event(deal, random, "melds", "arranges")
    if event and event[2]:
        random.choice(event[2]).append(random.choice(settings.deck()))
        yield


def meld_left_out(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    event = some_event(deal, random, "melds", "arranges")
    if event and event[2]:
        event[2].pop(random.randrange(len(event[2])))
        yield


def meld_cut_in_two(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    event = some_event(deal, random, "melds", "arranges")
    if event and event[2]:
        meld = random.choice(event[2])
        cut = random.randint(1, max(1, len(meld) - 1))
        event[2].append(meld[cut:])
        del meld[cut:]
        yield


def other_layout(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    """In place of an event, a whole layout of valid melds that breaks one of the later clauses."""
    walked = states(game, game["deals"].index(deal))
    spots = []
    for place, state in enumerate(walked[: len(deal["events"])]):
        hand, table = state.hand(state.actor), state.table(state.actor)
        if state.card is None or state.passed or hand is None or not 0 < sum(map(len, table)) <= 12:
            continue
        if fits(settings, table, state.card):
            spots.append((place, state, hand))
    random.shuffle(spots)
    for place, state, hand in spots:
        table, up = state.table(state.actor), state.card or ""
        found = islice(covers(all_cards(table) + Counter([up]), Counter(hand), settings), 100)
        barred: list[Table] = [
            after for after in found if code_of_act(settings, table, after, up, state.demanded)
        ]
        if barred:
            melds = [list(meld) for meld in random.choice(barred)]
            deal["events"][place] = [state.players[state.actor], "melds", melds]
            yield
            return


def own_hand_card_melded(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    event = some_event(deal, random, "melds")
    hand = [card for card in (deal.get("hands") or {}).get(event[0], []) if card != "?"] if event else []
    if event and event[2] and hand:
        random.choice(event[2]).append(random.choice(hand))
        yield


def demand_put_in(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    passes = [place + 1 for place, event in enumerate(deal["events"]) if event[1] == "passes"]
    place = random.choice(passes) if passes and random.random() < 0.6 else somewhere(deal, random)
    deal["events"].insert(place, [random.choice(game["players"]), "forces"])
    yield


def named_demand_put_in(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    walked = states(game, game["deals"].index(deal))
    spots = [(place, state) for place, state in enumerate(walked) if state.card and any(state.tables)]
    if spots:
        place, state = random.choice(spots)
        melds = [meld for table in state.tables for meld in table]
        meld = list(random.choice(melds))
        card = state.card if random.random() < 0.8 else random.choice(settings.deck())
        deal["events"].insert(place, [random.choice(game["players"]), "forces", card, meld])
        yield


def demand_taken_out(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    demands = [place for place, event in enumerate(deal["events"]) if event[1] == "forces"]
    if demands:
        deal["events"].pop(random.choice(demands))
        yield


def demand_changed(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    event = some_event(deal, random, "forces")
    if event:
        if len(event) == 2:
            event += [random.choice(settings.deck()), random.sample(settings.deck(), 3)]
        elif random.random() < 0.5:
            event[2] = other(random, settings.deck(), event[2])
        else:
            event[3].pop()
        yield


def arranging_put_in(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    walked = states(game, game["deals"].index(deal))
    spots = [(place, state) for place, state in enumerate(walked) if any(state.tables)]
    if spots:
        place, state = random.choice(spots)
        seat = random.choice([s for s in range(len(state.players)) if state.table(s)])
        table = state.table(seat)
        melds: list[list[str]] = [list(meld) for meld in table]
        if sum(map(len, table)) <= 16:
            melds = [list(meld) for meld in random.choice(sorted(regroupings(settings, table)))]
        if random.random() < 0.2:
            melds = random.choice([[], melds[1:], [[*melds[0], random.choice(settings.deck())]]])
        deal["events"].insert(place, [state.players[seat], "arranges", melds])
        yield


def gift_put_in(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    giver, receiver = random.sample(game["players"], 2)
    place = 0 if random.random() < 0.5 else somewhere(deal, random)
    deal["events"].insert(place, [giver, "gives", random.choice(settings.deck()), receiver])
    yield


def gift_hidden(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    event = some_event(deal, random, "gives")
    if event:
        event[2] = "?"
        yield


def gift_taken_out(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    gifts = [place for place, event in enumerate(deal["events"]) if event[1] == "gives"]
    if gifts:
        deal["events"].pop(random.choice(gifts))
        yield


def claim_changed(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    claims: list[Any] = [{"winner": name} for name in game["players"]]
    claims += [{"drawn": True}, None]
    deal["claim"] = random.choice([claim for claim in claims if claim != deal.get("claim")])
    yield


def extra_event(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    name = random.choice(game["players"])
    card = random.choice(settings.deck())
    extras: list[list[Any]] = [[name, "passes"], [name, "turns", card], [name, "discards", card]]
    extras += [[name, "forces"], [name, "arranges", []], [name, "melds", [[card]]]]
    deal["events"].append(random.choice(extras))
    yield
