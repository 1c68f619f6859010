"""Random games with irregularities: two referees agree on what is taken back, and a bookkeeper on what can stand.

The bookkeeper knows nothing of the game but where cards are. It is asked of games in which every hand is recorded.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any

import pytest

from conquian.as_played import AsPlayed
from conquian.at_table import Walk
from conquian.engine.deals import SetupRefusal, first_states, seats_of
from conquian.engine.engine import Engine, engine
from conquian.engine.sets import rule_sets
from conquian.engine.state import State
from conquian.generate import games
from conquian.quick import setup_of
from tests.agreement.both import Document, differences, document, ours, read
from tests.reference.edits import one_edit_mutations

FULL = bool(os.environ.get("CONQUIAN_FULL"))
EDITS = 20 if FULL else 1
Event = list[Any]
END = ("concedes", "agrees")


def said(game: Document, random: Random) -> Document:
    """A game into which somebody has put things that are said: objections above all."""
    mutant = deepcopy(game)
    players: list[str] = mutant["players"]
    events: list[Event] = mutant["deals"][0]["events"]
    for _ in range(random.randint(1, 3)):
        place = random.randint(0, len(events))
        one, other = random.sample(players, 2)
        words: list[Event] = [[one, "objects"], [one, "objects"], [one, "objects"], [one, "concedes"]]
        words.append([one, "agrees", other])
        words.append([one, "agrees", *(name for name in players if name != one)])
        events.insert(place, random.choice(words))
    if random.random() < 0.2:
        mutant["deals"][0]["claim"] = random.choice([{"broken_off": True}, {"drawn": True}, None])
    return mutant


@pytest.mark.parametrize("rules", rule_sets())
def test_both_referees_say_the_same_of_games_in_which_things_are_said(rules: str) -> None:
    random = Random(f"said/{rules}")
    taken = 0
    for game in map(document, games(engine(rules), EDITS, 3)):
        for mutant in [game, *one_edit_mutations(game, random)]:
            spoken = said(mutant, random)
            if read(spoken) is not None:
                assert differences(spoken) == [], spoken
        for mutant in one_edit_mutations(game, random):
            answered = objected(mutant)
            if answered is not None:
                taken += 1
                assert differences(answered) == []
    assert taken > 5


def objected(game: Document) -> Document | None:
    """The game with an objection right behind its first illegal event, which then is that no more."""
    known = read(game)
    if known is None:
        return None
    _, event, code, _, _ = ours(known)[0]
    if event is None:
        return None
    mutant = deepcopy(game)
    events: list[Event] = mutant["deals"][0]["events"]
    teams = engine(game["rules"]).team_of
    players: list[str] = game["players"]
    culprit = teams[players.index(events[event][0])]
    events.insert(event + 1, [next(n for s, n in enumerate(players) if teams[s] != culprit), "objects"])
    again = read(mutant)
    assert again is not None
    found = ours(again)[0]
    assert (found[1], found[2]) != (event, code)
    return mutant


@pytest.mark.parametrize("rules", rule_sets())
def test_an_illegal_event_put_in_and_objected_to_leaves_the_deal_as_it_was(rules: str) -> None:
    random = Random(f"put in/{rules}")
    judging = engine(rules)
    tried = 0
    for game in map(document, games(judging, EDITS, 5)):
        known = read(game)
        assert known is not None
        (before,) = ours(known)
        events: list[Event] = game["deals"][0]["events"]
        for place in random.sample(range(len(events)), 6):
            player = random.choice(game["players"])
            team = judging.team_of[game["players"].index(player)]
            objector = next(n for s, n in enumerate(game["players"]) if judging.team_of[s] != team)
            # No pack has a card twice in one meld of its own copies and two more.
            wrong = [player, "melds", [[judging.pack.cards[0]] * (judging.pack.copies + 1)]]
            mutant = deepcopy(game)
            mutant["deals"][0]["events"][place:place] = [wrong, [objector, "objects"]]
            again = read(mutant)
            assert again is not None
            assert ours(again) == [before]
            tried += 1
    assert tried >= 6


# ---- taken as played


def walked(judging: Engine, game: Document) -> Iterator[tuple[Walk, list[State], list[Event]]]:
    known = read(game)
    if known is None:
        return
    seats = seats_of(known.players)
    dealer = len(known.players) - 1 if known.dealer is None else seats[known.dealer]
    first = (dealer + 1) % len(known.players)
    deal = known.deals[0]
    states = first_states(judging, setup_of(known.players, deal, first))
    if not isinstance(states, SetupRefusal):
        walk = Walk(judging, states, deal.events, seats, AsPlayed(judging, known.players, seats))
        walk.walked()
        yield walk, walk.outcome.states, game["deals"][0]["events"]


def each_card_is_in_one_place(judging: Engine, state: State) -> None:
    pack = judging.pack
    given = state.received if state.at == judging.flow.unstarted else ()
    places = [*state.hands, *(cards for cards, _ in given), state.up]
    places += [sum(state.tables[min(team)]) for team in judging.program.teams]
    for name in pack.cards:
        field = pack.entry[name][1]
        unit = pack.unit[name]
        assert sum((place & field) // unit for place in places) <= (state.seen & field) // unit <= pack.copies
    held = sum(map(pack.count, places)) + sum(state.unknown) + sum(more for _, more in given)
    assert held + state.stock <= pack.size
    assert min(state.unknown) >= 0 and state.stock >= 0


@pytest.mark.parametrize("rules", rule_sets())
def test_whatever_is_taken_as_played_each_card_is_in_one_place(rules: str) -> None:
    random = Random(f"as played/{rules}")
    stood = fell = 0
    for game in map(document, games(engine(rules), EDITS, 7)):
        for mutant in one_edit_mutations(game, random):
            other = engine(mutant["rules"], mutant.get("readings") or {})
            for walk, states, _ in walked(other, said(mutant, random)):
                for one in walk.stood:
                    for state in one.states:
                        each_card_is_in_one_place(other, state)
                for state in states:
                    each_card_is_in_one_place(other, state)
                stood += sum(one.why is None for one in walk.stood)
                fell += sum(one.why is not None for one in walk.stood)
    assert stood > 10 and fell > 2


class Book:
    """Where the cards of one pack are, for a deal with complete hands and no recorded stock."""

    def __init__(self, game: Document, judging: Engine) -> None:
        deal = game["deals"][0]
        self.hands = {name: set(deal["hands"][name]) for name in game["players"]}
        self.tables: dict[str, set[str]] = {name: set() for name in game["players"]}
        self.up: str | None = deal.get("starter")
        self.gone: set[str] = set()
        self.pack = set(judging.pack.cards)
        self.stock = len(self.pack) - sum(map(len, self.hands.values())) - (self.up is not None)

    def refuse(self) -> None:
        if self.up is not None:
            self.gone.add(self.up)
        self.up = None

    def place(self, event: Event) -> bool:
        """Moves the cards of an event; False, with nothing moved, if one of them cannot be there."""
        name, verb = event[:2]
        if verb == "turns":
            elsewhere = {self.up}.union(self.gone, *self.hands.values(), *self.tables.values())
            if event[2] not in self.pack - elsewhere or not self.stock:
                return False
            self.refuse()
            self.up, self.stock = event[2], self.stock - 1
        elif verb == "discards":
            if event[2] not in self.hands[name]:
                return False
            self.hands[name].remove(event[2])
            self.refuse()
            self.up = event[2]
        elif verb == "gives":
            if event[2] not in self.hands[name]:
                return False
            self.hands[name].remove(event[2])
            self.hands[event[3]].add(event[2])
        elif verb in ("melds", "arranges"):
            cards = [card for meld in event[2] for card in meld]
            new = set(cards) - self.tables[name]
            if len(set(cards)) < len(cards) or not new <= self.hands[name] | {self.up}:
                return False
            self.hands[name] -= new
            self.tables[name] |= new
            if self.up in new:
                self.up = None
            elif verb == "melds":
                self.refuse()
        return True


ONE_PACK = [
    name for name in rule_sets() if engine(name).pack.copies == 1 and not engine(name).program.exchange[0]
]


@pytest.mark.parametrize("rules", ONE_PACK)
def test_an_act_stands_exactly_if_a_bookkeeper_can_place_its_cards(rules: str) -> None:
    random = Random(f"book/{rules}")
    judging = engine(rules)
    asked = {True: 0, False: 0}
    for game in map(document, games(judging, 3 * EDITS, 9)):
        for mutant in one_edit_mutations(game, random):
            deal = mutant["deals"][0]
            complete = all(
                len(deal["hands"].get(n) or ()) == judging.program.dealt and "?" not in deal["hands"][n]
                for n in mutant["players"]
            )
            same = mutant["rules"] == rules and not (mutant.get("readings") or {})
            if not complete or not same or deal.get("stock") or deal.get("deck"):
                continue
            for walk, _, events in walked(judging, mutant):
                book = Book(mutant, judging)
                wrong = {one.event: one for one in walk.stood}
                for index, event in enumerate(events):
                    fell = index in wrong and wrong[index].why is not None
                    if fell and wrong[index].refusal.code == "game-over":
                        break
                    assert book.place(event) is not fell, (index, event)
                    asked[not fell] += index in wrong
                    if fell:
                        break
    assert asked[True] > 10 and asked[False] > 3
