"""Every kind of one-edit mutant of a game: some become illegal, some stay legal, all must be judged alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from itertools import islice
from random import Random
from typing import Any

from .knowledge import positions
from .melds import in_order, laid_out
from .referee import states
from .search import all_cards, covers, fits, regroupings
from .settings import READINGS, RULE_SETS, Settings, settings_for

Game = dict[str, Any]
Deal = dict[str, Any]
Edit = Callable[[Game, Deal, Settings, Random], Iterator[None]]


def _settings(game: Mapping[str, Any]) -> Settings:
    return settings_for(game["rules"], game.get("readings"))


def _other(random: Random, options: Sequence[str], than: str) -> str:
    return random.choice([option for option in options if option != than] or [than])


def _some_event(deal: Deal, random: Random, *verbs: str) -> list[Any] | None:
    found = [event for event in deal["events"] if event[1] in verbs]
    return random.choice(found) if found else None


def _somewhere(deal: Deal, random: Random) -> int:
    return random.randint(0, len(deal["events"]))


# Each edit changes the copy it is given and yields once if it could be done.


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
        event[0] = _other(random, game["players"], event[0])
        yield


def other_receiver(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    event = _some_event(deal, random, "gives")
    if event:
        event[3] = _other(random, game["players"], event[3])
        yield


def other_verb(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    event = _some_event(deal, random, "turns", "discards")
    if event:
        event[1] = "discards" if event[1] == "turns" else "turns"
        yield


def other_card(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    event = _some_event(deal, random, "turns", "discards", "gives")
    if event:
        event[2] = _other(random, settings.deck(), event[2])
        yield


def foreign_card(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    foreign = [card for card in RULE_SETS["classic-52"].deck() if card not in settings.deck()]
    event = _some_event(deal, random, "turns", "discards", "gives", "melds")
    if event and foreign:
        if event[1] == "melds":
            random.choice(event[2]).append(random.choice(foreign))
        else:
            event[2] = random.choice(foreign)
        yield


def other_card_in_meld(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    event = _some_event(deal, random, "melds", "arranges")
    if event and event[2]:
        meld = random.choice(event[2])
        place = random.randrange(len(meld))
        meld[place] = _other(random, settings.deck(), meld[place])
        yield


def card_between_melds(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    several = [event for event in deal["events"] if event[1] in ("melds", "arranges") and len(event[2]) > 1]
    if several:
        giving, taking = random.sample(random.choice(several)[2], 2)
        taking.append(giving.pop(random.randrange(len(giving))))
        yield


def shorter_meld(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    event = _some_event(deal, random, "melds", "arranges")
    if event and event[2]:
        meld = random.choice(event[2])
        meld.pop(random.randrange(len(meld)))
        yield


def longer_meld(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    event = _some_event(deal, random, "melds", "arranges")
    if event and event[2]:
        random.choice(event[2]).append(random.choice(settings.deck()))
        yield


def meld_left_out(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    event = _some_event(deal, random, "melds", "arranges")
    if event and event[2]:
        event[2].pop(random.randrange(len(event[2])))
        yield


def meld_cut_in_two(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    event = _some_event(deal, random, "melds", "arranges")
    if event and event[2]:
        meld = random.choice(event[2])
        cut = random.randint(1, max(1, len(meld) - 1))
        event[2].append(meld[cut:])
        del meld[cut:]
        yield


def other_layout(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    """In place of an event, a whole layout with the card on offer that may break any of the later clauses."""
    walked = states(game, game["deals"].index(deal))
    spots = []
    for place, state in enumerate(walked[: len(deal["events"])]):
        hand, table = state.hand(state.actor), state.table(state.actor)
        if state.card is None or state.passed or hand is None or not 0 < sum(map(len, table)) <= 12:
            continue
        if fits(settings, table, state.card):
            spots.append((place, state, hand))
    if spots:
        place, state, hand = random.choice(spots)
        must = all_cards(state.table(state.actor)) + Counter([state.card or ""])
        found = list(islice(covers(must, Counter(hand), settings), 60))
        if found:
            melds = [list(meld) for meld in random.choice(found)]
            deal["events"][place] = [state.players[state.actor], "melds", melds]
            yield


def own_hand_card_melded(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    event = _some_event(deal, random, "melds")
    hand = [card for card in (deal.get("hands") or {}).get(event[0], []) if card != "?"] if event else []
    if event and event[2] and hand:
        random.choice(event[2]).append(random.choice(hand))
        yield


def demand_put_in(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    passes = [place + 1 for place, event in enumerate(deal["events"]) if event[1] == "passes"]
    place = random.choice(passes) if passes and random.random() < 0.6 else _somewhere(deal, random)
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
    event = _some_event(deal, random, "forces")
    if event:
        if len(event) == 2:
            event += [random.choice(settings.deck()), random.sample(settings.deck(), 3)]
        elif random.random() < 0.5:
            event[2] = _other(random, settings.deck(), event[2])
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
    place = 0 if random.random() < 0.5 else _somewhere(deal, random)
    deal["events"].insert(place, [giver, "gives", random.choice(settings.deck()), receiver])
    yield


def gift_hidden(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    event = _some_event(deal, random, "gives")
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


# -- the set-up --


def other_hand_card(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    hand = (deal.get("hands") or {}).get(random.choice(game["players"]))
    if hand:
        place = random.randrange(len(hand))
        hand[place] = _other(random, settings.deck(), hand[place])
        yield


def hand_cards_hidden(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    hand = (deal.get("hands") or {}).get(random.choice(game["players"]))
    if hand:
        for place in random.sample(range(len(hand)), random.randint(1, len(hand))):
            hand[place] = "?"
        yield


def hand_cards_left_out(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    hand = (deal.get("hands") or {}).get(random.choice(game["players"]))
    if hand:
        for _ in range(random.randint(1, len(hand))):
            hand.pop(random.randrange(len(hand)))
        yield


def hands_unknown(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    if random.random() < 0.5:
        deal["hands"] = {}
    else:
        deal["hands"] = {name: ["?"] for name in game["players"]}
    yield


def hand_cards_exchanged(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    one, other = random.sample(game["players"], 2)
    hands = deal.get("hands") or {}
    if hands.get(one) and hands.get(other):
        here, there = random.randrange(len(hands[one])), random.randrange(len(hands[other]))
        hands[one][here], hands[other][there] = hands[other][there], hands[one][here]
        yield


def hand_too_long(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    hand = (deal.get("hands") or {}).get(random.choice(game["players"]))
    if hand:
        hand.append(random.choice(["?", random.choice(settings.deck())]))
        yield


def hand_sizes_recorded(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    size = settings.deal + random.choice((-1, 0, 1))
    deal["hand_sizes"] = {random.choice(game["players"]): size}
    yield


def starter_changed(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    if deal.get("starter") and random.random() < 0.4:
        del deal["starter"]
    else:
        deal["starter"] = random.choice(settings.deck())
    yield


def _true_stock(game: Game, deal: Deal) -> list[str] | None:
    """The cards that were turned, in order: the stock as far as the events show it."""
    return [event[2] for event in deal["events"] if event[1] == "turns"] or None


def stock_recorded(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    stock = deal.get("stock") or _true_stock(game, deal)
    if stock:
        stock = list(stock)
        for place in random.sample(range(len(stock)), random.randint(0, len(stock) // 2)):
            stock[place] = "?"
        deal["stock"] = stock[: random.randint(1, len(stock))]
        yield


def stock_wrong(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    stock = deal.get("stock") or _true_stock(game, deal)
    if stock:
        stock = list(stock)
        if random.random() < 0.3 and len(stock) > 1:
            place = random.randrange(len(stock) - 1)
            stock[place], stock[place + 1] = stock[place + 1], stock[place]
        elif random.random() < 0.2:
            stock += ["?"] * settings.pack_size()
        else:
            stock[random.randrange(len(stock))] = random.choice(settings.deck())
        deal["stock"] = stock
        yield


def deck_recorded(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    """A pack that fits the record, dealt in one of the ways, then perhaps cut short, blotted or spoilt."""
    hands = deal.get("hands") or {}
    seats = [list(hands.get(name) or []) for name in game["players"]]
    dealer = game["players"].index(game.get("dealer") or game["players"][-1])
    if len(game["deals"]) > 1 or len(seats) not in settings.players:
        return
    packet = random.choice(settings.packets)
    deck = [
        seats[seat].pop(0) if seats[seat] else "?"
        for seat in positions(settings, len(seats), (dealer + 1) % len(seats), packet)
    ]
    if settings.starter:
        deck.append(deal.get("starter") or "?")
    deck += deal.get("stock") or _true_stock(game, deal) or []
    if random.random() < 0.3:
        place, other = random.sample(range(len(deck)), 2)
        deck[place], deck[other] = deck[other], deck[place]
    if random.random() < 0.3:
        del deck[random.randint(1, len(deck)) :]
    if random.random() < 0.3:
        deck[random.randrange(len(deck))] = random.choice(["?", random.choice(settings.deck())])
    deal["deck"] = deck
    yield


def reading_changed(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    name = random.choice([*READINGS])
    now = settings.readings()[name]
    game["readings"] = {**(game.get("readings") or {}), name: _other(random, READINGS[name], now)}
    yield


def rules_changed(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    alike = [name for name, other in RULE_SETS.items() if other.ranks == settings.ranks]
    game["rules"] = _other(random, alike, game["rules"])
    yield


def dealer_changed(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    game["dealer"] = random.choice([_other(random, game["players"], game.get("dealer") or ""), None])
    yield


def melds_reordered(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    """The same melds in another order: nothing changes."""
    for event in deal["events"]:
        if event[1] in ("melds", "arranges"):
            event[2] = [random.sample(meld, len(meld)) for meld in event[2]]
            random.shuffle(event[2])
    yield


def melds_listed_whole(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    """Every meld act lists the whole table: nothing changes."""
    walked = states(game, game["deals"].index(deal))
    for place, (event, after) in enumerate(zip(deal["events"], walked[1:], strict=False)):
        if event[1] == "melds":
            table = after.table(after.players.index(event[0]))
            assert laid_out(table, settings) == table and in_order(table[0], settings) == table[0]
            deal["events"][place] = [event[0], "melds", [list(meld) for meld in table]]
    yield


EDITS: tuple[Edit, ...] = (
    drop_event, double_event, swap_events, cut_short, other_player, other_receiver, other_verb, other_card,
    foreign_card, other_card_in_meld, card_between_melds, shorter_meld, longer_meld, meld_left_out,
    meld_cut_in_two, other_layout, own_hand_card_melded, demand_put_in, named_demand_put_in, demand_taken_out,
    demand_changed, arranging_put_in, gift_put_in, gift_hidden, gift_taken_out, claim_changed, extra_event,
    other_hand_card, hand_cards_hidden, hand_cards_left_out, hands_unknown, hand_cards_exchanged,
    hand_too_long, hand_sizes_recorded, starter_changed, stock_recorded, stock_wrong, deck_recorded,
    reading_changed, rules_changed, dealer_changed, melds_reordered, melds_listed_whole,
)  # fmt: skip


def one_edit_mutations(game: Mapping[str, Any], random: Random) -> Iterator[Game]:
    """One mutant of each kind that the game allows; `tags.edit` names the kind."""
    for edit in EDITS:
        mutant: Game = deepcopy(dict(game))
        deal = random.choice(mutant["deals"])
        for _ in edit(mutant, deal, _settings(mutant), random):
            mutant["tags"] = {**(mutant.get("tags") or {}), "edit": edit.__name__}
            yield mutant


def mutants(game: Mapping[str, Any], random: Random, edits: int) -> Iterator[Game]:
    """Mutants after several edits in a row, one of them each time."""
    for _ in range(edits):
        made = list(one_edit_mutations(game, random))
        game = random.choice(made)
        yield deepcopy(dict(game))
