"""One-edit mutants by what was recorded of a deal before play, and by the header."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from .edit_common import Deal, Game, other
from .knowledge import positions
from .melds import in_order, laid_out
from .referee import states
from .settings import READINGS, RULE_SETS, Settings


def other_hand_card(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    hand = (deal.get("hands") or {}).get(random.choice(game["players"]))
    if hand:
        place = random.randrange(len(hand))
        hand[place] = other(random, settings.deck(), hand[place])
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
    game["readings"] = {**(game.get("readings") or {}), name: other(random, READINGS[name], now)}
    yield


def rules_changed(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    alike = [name for name, other in RULE_SETS.items() if other.ranks == settings.ranks]
    game["rules"] = other(random, alike, game["rules"])
    yield


def dealer_changed(game: Game, deal: Deal, settings: Settings, random: Random) -> Iterator[None]:
    game["dealer"] = random.choice([other(random, game["players"], game.get("dealer") or ""), None])
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
