"""Random legal games, with a liking for melds, demands, borrowing and regrouping."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from .knowledge import positions
from .legal import holder_state, legal_events, shortest_listing
from .melds import Meld, Table, laid_out
from .referee import judge_deal
from .search import onto
from .settings import Settings, settings_for
from .state import State, at_the_end, initial_state
from .step import VERBS, step

NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eva", "Fay")
Game = dict[str, Any]

# How often each kind of event is taken when it is possible, in the order in which they are tried.
LIKING = {
    "gives": 1.0,
    "forces": 0.45,
    "melds": 0.85,
    "arranges": 0.12,
    "turns": 1.0,
    "passes": 1.0,
    "discards": 1.0,
}


def deal_out(settings: Settings, players: Sequence[str], dealer: int, random: Random) -> dict[str, Any]:
    """A shuffled deal with everything recorded: hands, deck, stock and starter."""
    deck = settings.deck() * settings.packs
    random.shuffle(deck)
    order = positions(settings, len(players), (dealer + 1) % len(players), random.choice(settings.packets))
    hands: dict[str, list[str]] = {player: [] for player in players}
    for seat, card in zip(order, deck, strict=False):
        hands[players[seat]].append(card)
    rest = deck[len(order) :]
    deal: dict[str, Any] = {"number": 1, "hands": hands, "deck": deck, "events": [], "claim": None}
    if settings.starter:
        deal["starter"] = rest.pop(0)
    deal["stock"] = rest
    return deal


def _chosen(state: State, random: Random) -> list[Any] | None:
    """One of the legal events, by kind first; None if there is none."""
    now = holder_state(state)
    size = sum(len(meld) for meld in now.table(now.actor))
    if size > max(state.settings.goal, 16):  # pooled melds far past the goal: too many layouts to list
        return _on_a_full_table(state, random)
    for verb, chance in LIKING.items():
        if random.random() < chance:
            kind = legal_events(state, (verb,))
            if verb == "arranges" and len(kind) < 3 and random.random() < 0.8:
                continue  # nothing to regroup
            if kind:
                return random.choice(kind)
    options = legal_events(state, tuple(verb for verb in VERBS if verb != "arranges"))
    return random.choice(options) if options else None


def _on_a_full_table(state: State, random: Random) -> list[Any] | None:
    now = holder_state(state)
    if now.card is not None and (now.demanded or random.random() < 0.2):
        table = now.table(now.actor)
        for meld in onto(now.settings, table, now.card):
            after = [list(other) for other in table]
            after[table.index(meld)].append(now.card)
            event = [now.players[now.actor], "melds", after]
            if step(state, event).code is None:
                return event
    options = legal_events(state, ("forces", "turns", "passes", "discards"))
    return random.choice(options) if options else None


def _as_people_write(state: State, event: list[Any], random: Random) -> list[Any]:
    """A meld listed the short way or the long way, its cards in any order, meaning the same."""
    if event[1] not in ("melds", "arranges"):
        return event
    after = step(state, event).state
    seat = state.players.index(event[0])
    before, left = state.table(seat), after.table(seat)
    listed: list[list[str]] = event[2]
    if random.random() < 0.3:
        up = at_the_end(state).card if state.passed else state.card
        listed = shortest_listing(state.settings, before, up, left)
    elif random.random() < 0.2 and event[1] == "melds":
        listed = [list(meld) for meld in left]
    if random.random() < 0.2:
        listed = [random.sample(meld, len(meld)) for meld in listed]
        random.shuffle(listed)
    rewritten = [event[0], event[1], listed]
    return rewritten if step(state, rewritten) == step(state, event) else event


def play(state: State, random: Random, events: list[list[Any]], limit: int = 400) -> State:
    """Play to the end of the deal, adding to `events`."""
    while len(events) < limit:
        event = _chosen(state, random)
        if event is None:
            break
        event = _as_people_write(state, event, random)
        outcome = step(state, event)
        assert outcome.code is None, (outcome.code, event)
        events.append(event)
        state = outcome.state
    return state


def random_game(
    rules: str | Settings,
    readings: Mapping[str, str] | None = None,
    seed: int = 0,
    deals: int = 1,
    players: int | None = None,
) -> Game:
    """A random legal game in JSON form; all hands recorded, deck and stock only now and then."""
    settings = settings_for(rules, readings)
    random = Random(f"{settings.name}/{sorted((readings or {}).items())}/{seed}")
    names = list(NAMES[: players or settings.players[0]])
    dealer = random.randrange(len(names))
    game: Game = {
        "format": "conquian/1",
        "rules": settings.name,
        "readings": dict(readings or {}),
        "players": names,
        "dealer": names[dealer],
        "match": None,
        "cards": "french",
        "tags": {},
        "deals": [],
    }
    for number in range(1, deals + 1):
        deal = deal_out(settings, names, dealer, random)
        deal["number"] = number
        end = at_the_end(play(initial_state(settings, deal, names, dealer), random, deal["events"]))
        if random.random() < 0.5:
            if end.winner is not None:
                deal["claim"] = {"winner": names[end.winner]}
            elif end.drawn:
                deal["claim"] = {"drawn": True}
        for recorded, chance in (("deck", 0.1), ("stock", 0.2)):
            if random.random() >= chance:
                del deal[recorded]
        game["deals"].append(deal)
        ruling = judge_deal(settings, deal, names, dealer)
        assert ruling.code is None, ruling
        if not (ruling.drawn and settings.draw_settlement == "replay"):
            dealer = (dealer + 1) % len(names)
    return game


def random_table(settings: Settings, random: Random, melds: int, every: Sequence[Meld]) -> Table:
    """A table of that many random melds of one deck, or of fewer if they do not fit together."""
    left = settings.deck() * settings.packs
    table: list[Meld] = []
    for _ in range(melds * 20):
        meld = random.choice(every)
        if len(table) < melds and all(left.count(card) >= meld.count(card) for card in meld):
            table.append(meld)
            for card in meld:
                left.remove(card)
    return laid_out(table, settings)
