"""Every card is in exactly one place after every event, and a refused event moves none."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from conquian import IllegalEvent, Position, load, replay
from conquian.engine.play import Event
from conquian.engine.search import legal_discards
from conquian.engine.sets import rule_sets
from conquian.engine.state import State
from conquian.generate import games
from conquian.transcript.model import Game
from tests.reference.legal import legal_events
from tests.reference.referee import states

from .both import LONG, document


def whole_pack(rules: str) -> Counter[str]:
    engine = load(rules).engine
    return Counter({card: engine.program.copies for card in engine.pack.cards})


def places(position: Position, stock: list[str], given: Counter[str]) -> Counter[str]:
    """The cards of stock, hands, tables and offer, and gifts on their way; what is left is refused."""
    found = Counter(stock[position.state.drawn_to :]) + given
    teams = position.rules.engine.program.teams
    for name in position.players:
        known, unknown = position.hand(name)
        assert unknown == 0
        found.update(known)
    for team in teams:
        for meld in position.table(position.players[team[0]]):
            found.update(meld)
    if position.up is not None:
        found[position.up] += 1
    return found


@pytest.mark.parametrize("rules", rule_sets())
def test_p08_every_card_is_in_exactly_one_place_after_every_event(rules: str) -> None:
    ruled = load(rules)
    pack = whole_pack(rules)
    for game in games(ruled.engine, 4 * LONG, 3):
        deal = game.deals[0]
        assert deal.hands is not None
        dealt: Counter[str] = Counter(card for hand in deal.hands.values() for card in hand or ())
        if deal.starter is not None:
            dealt[deal.starter] += 1
        # The order of the stock: what was turned, then the rest in any order.
        turned = [str(event[2]) for event in deal.events if event[1] == "turns"]
        rest = pack - dealt - Counter(turned)
        stock = [*turned, *rest.elements()]
        refused: Counter[str] = Counter()
        given: Counter[str] = Counter()
        last = ""
        for position, event in replay(ruled, game.players, deal, game.dealer):
            found = places(position, stock, given)
            now = pack - found
            # Nothing is anywhere twice; a refused card stays refused, and shows as such once the next turns.
            assert found + now == pack
            assert refused <= now and (now - refused).total() <= (last == "turns")
            assert position.state.stock == len(stock) - position.state.drawn_to
            refused = now
            last = "" if event is None else str(event[1])
            if event is not None and event[1] == "gives":
                given[str(event[2])] += 1
            if given.total() == len(game.players):
                given.clear()


# Without these three: no discard follows a meld there, or the melds of partners are pooled.
GROWING = {"twice-around", "two-deck", "partnership"}


@pytest.mark.parametrize("rules", sorted({*rule_sets()} - GROWING))
def test_p08_hand_and_table_together_are_the_deal_between_turns_and_one_more_in_a_meld(rules: str) -> None:
    ruled = load(rules)
    engine = ruled.engine
    assert engine.program.goal == engine.program.dealt + 1
    for game in games(engine, 3, 5):
        for position, _ in replay(ruled, game.players, game.deals[0], game.dealer):
            for name in game.players:
                size = len(position.hand(name)[0]) + sum(map(len, position.table(name)))
                laying = position.phase in ("discard", "won") and name == laid_by(position)
                if position.phase != "exchange":
                    assert size == engine.program.dealt + laying


def laid_by(position: Position) -> str | None:
    if position.phase == "won":
        assert position.state.winner is not None
        return position.players[position.state.winner]
    return position.holder


# ---- a refused event


def fields(state: State) -> dict[str, object]:
    return {name: getattr(state, name) for name in dir(state) if name[0] != "_" and name != "copy"}


def frozen(state: State) -> dict[str, object]:
    return {name: list(value) if isinstance(value, list) else value for name, value in fields(state).items()}


def some_events(game: Game, random: Random) -> list[Event]:
    """Events of the game and events that were never legal anywhere, said by every player."""
    said: list[Event] = [random.choice(game.deals[0].events) for _ in range(6)]
    cards = [str(c) for hand in (game.deals[0].hands or {}).values() for c in hand or ()]
    one, two, three = random.sample(cards, 3)
    for name in game.players:
        said += [
            (name, "passes"),
            (name, "forces"),
            (name, "turns", one),
            (name, "discards", two),
            (name, "melds", ((one, two, three),)),
            (name, "arranges", ()),
            (name, "arranges", ((one, two, three),)),
        ]
    return said


@pytest.mark.parametrize("rules", rule_sets())
def test_a_refused_event_leaves_the_state_unchanged_and_can_check_and_apply_agree(rules: str) -> None:
    random = Random(f"refused/{rules}")
    ruled = load(rules)
    refused = legal = 0
    for game in games(ruled.engine, 2 * LONG, 8):
        for position, _ in replay(ruled, game.players, game.deals[0], game.dealer):
            if random.random() < 0.6:
                continue
            for event in some_events(game, random):
                before = frozen(position.state)
                refusal = position.check(event)
                assert position.can(event) == (refusal is None)
                if refusal is None:
                    after = position.apply(event)
                    assert after.players == position.players and after.rules == position.rules
                    legal += 1
                else:
                    with pytest.raises(IllegalEvent) as raised:
                        position.apply(event)
                    assert raised.value.refusal == refusal
                    refused += 1
                assert frozen(position.state) == before
    assert refused > 100 and legal > 10


@pytest.mark.parametrize("rules", rule_sets())
def test_an_event_that_is_listed_as_legal_is_never_refused_and_no_other_discard_or_meld_is_legal(
    rules: str,
) -> None:
    """The lists of the package against those of the second referee, move by move."""
    ruled = load(rules)
    random = Random(f"listed/{rules}")
    for game in games(ruled.engine, 2 * LONG, 13):
        walked = states(document(game))
        for position, second in zip(
            (position for position, _ in replay(ruled, game.players, game.deals[0], game.dealer)),
            walked,
            strict=True,
        ):
            if random.random() < 0.7:
                continue
            tables = set()
            discards = set()
            large = sum(map(len, position.table(position.holder or position.players[0]))) > 12
            verbs = ("turns", "passes", "discards", "forces", *(() if large else ("melds", "arranges")))
            for event in legal_events(second, verbs):
                told = tuple(tuple(map(tuple, part)) if isinstance(part, list) else part for part in event)
                if event[1] == "forces" and len(event) > 2:
                    told = (*event[:3], tuple(event[3]))
                assert position.can(told), told
                if event[1] == "melds":
                    tables.add(position.apply(told).table(event[0]))
                elif event[1] == "discards":
                    discards.add(event[2])
            if not large:
                assert set(position.legal_melds()) == tables
            if position.phase == "discard":
                assert set(legal_discards(ruled.engine, position.state)) == discards
