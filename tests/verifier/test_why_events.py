"""Every refusal of `validate` has its why: events, set-up and claims of edited games, under rule sets and readings.

The engine decides each answer again (`conquian.verifier.events`), and an answer that it does not confirm raises
`Disagreement`; so these tests ask, and look at what is said.

CONQUIAN_LONG=20 in the environment asks about twenty times as many games.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path
from random import Random

import pytest

from conquian import load
from conquian.engine.engine import Engine, engine
from conquian.engine.play import Event, play
from conquian.engine.sets import rule_sets
from conquian.language.rules import RuleSet
from conquian.position import Position, Rules
from conquian.referee import judge_deal
from conquian.transcript.model import Game
from conquian.verifier.grounds import Fact
from conquian.verifier.limits import BUDGET
from conquian.verifier.why import Why, why
from conquian.whys import typed_rules, why_violation
from tests.agreement.both import LONG, random_games, read
from tests.house_rules.players import dealt, play_out
from tests.reference.edits import one_edit_mutations
from tests.reference.settings import READINGS

from .test_legality import HOUSE


def whys(judging: Engine, typed: RuleSet, game: Game) -> list[Why]:
    """Why each deal of a game is refused, as far as the first that is."""
    found = []
    for deal in game.deals[:1]:
        players = game.players
        dealer = players.index(game.dealer) if game.dealer is not None else len(players) - 1
        first = (dealer + 1) % len(players)
        outcome = judge_deal(judging, players, deal, first)
        said = why_violation(judging, typed, players, deal, first, outcome, BUDGET)
        assert (said is None) == (outcome.code is None)
        if said is not None:
            assert isinstance(said, Why)
            assert not said.legal and said.code == outcome.code
            assert said.reasons or said.facts, (outcome.refusal, deal.events[outcome.legal :][:1])
            found.append(said)
    return found


@pytest.mark.parametrize("rules", rule_sets())
def test_every_refusal_of_an_edited_game_has_its_smallest_set(rules: str) -> None:
    random, met = Random(f"whys/{rules}"), Counter[str | None]()
    typed = typed_rules(rules)
    for number in range(LONG):
        changed = random.sample(sorted(READINGS), number % 4)
        choices = {name: random.choice(READINGS[name]) for name in changed}
        for game in random_games(engine(rules, choices), 1, random.randrange(10**6)):
            for mutant in one_edit_mutations(game, random):
                known = read(mutant)
                if known is not None and known.rules == rules:
                    judging = engine(rules, dict(known.readings or {}))
                    met.update(said.code for said in whys(judging, typed, known))
    assert len(met) > 8, met


PLAYED = [name for name in (*rule_sets(), *HOUSE) if not engine(name).program.exchange[0]]
"""Without those that begin with an exchange, which the players at random do not make."""


@cache
def anything_anywhere(path: str) -> Counter[str | None]:
    """What comes up, by code, when any player does anything at moments of a game of players at random."""
    of, typed, random = engine(path), typed_rules(path), Random(f"anything/{Path(path).stem}")
    met: Counter[str | None] = Counter()
    for seed in range(LONG):
        deal = play_out(of, seed)
        players = tuple(f"P{i}" for i in range(of.seats))
        state = dealt(of, Random(seed))
        for number, event in enumerate(deal.events):
            here = Position(Rules(of), state.copy(), players)
            for other in anything(here, random) if number % 3 == 0 else ():
                found = why(here.rules, here, other, typed)
                assert isinstance(found, Why)
                assert found.legal == here.can(other)
                assert found.legal or found.reasons or found.facts
                met[found.code] += 1
                if found.facts and not found.reasons and of.pack.copies == 1:
                    (fact,) = found.facts
                    legal = mended(here, other, fact).can(other)
                    assert legal == (fact.name in found.legal_but_for), other
                    met["mended"] += legal
            assert play(of, state, [event], {name: i for i, name in enumerate(players)}).all
    return met


@pytest.mark.parametrize("path", PLAYED, ids=lambda path: Path(path).stem)
def test_whatever_anybody_does_anywhere_has_its_smallest_set(path: str) -> None:
    assert len(anything_anywhere(path)) > 4


def test_what_is_legal_but_for_a_fact_is_legal_once_that_is_mended_and_only_then() -> None:
    assert sum((anything_anywhere(path) for path in PLAYED), Counter())["mended"] > 10


def mended(here: Position, event: Event, fact: Fact) -> Position:
    """The position with cards where the event needs them; a card can then be in two places, which nothing asks."""
    state = here.state.copy()
    if fact.code == "not-in-hand":
        state.hands[here.players.index(event[0])] |= here.rules.engine.pack.packed(fact.cards)
    else:
        state.recorded, state.drawn_to, state.seen, state.stock = (), 0, 0, max(state.stock, 1)
    return Position(here.rules, state, here.players)


def anything(here: Position, random: Random) -> list[Event]:
    """A few events of any player, whether or not they are due."""
    cards = [*here.rules.engine.program.cards]
    who = random.choice(here.players)
    table = here.table(who)
    listed = [list(random.choice(table))] if table else []
    hand = list(here.hand(who)[0])
    made = [*listed, random.sample([*hand, *([here.up] if here.up else []), *cards[:3]], 3)]
    card = random.choice([*hand, *cards])
    every: list[Event] = [
        (who, "turns", card),
        (who, "passes"),
        (who, "discards", card),
        (who, "forces"),
        (who, "melds", tuple(map(tuple, made))),
        (who, "arranges", tuple(map(tuple, listed))),
        (who, "gives", card, random.choice(here.players)),
        *([(who, "forces", here.up, tuple(listed[0]))] if listed and here.up else []),
    ]
    holder = here.holder or who
    due: list[Event] = [
        (holder, "turns", card),
        (holder, "discards", random.choice(cards)),
        (holder, "melds", (tuple(random.sample(cards, 3)),)),
    ]
    found = [random.choice(every), *due]
    return found if here.up is None else found[:2] + due[-1:]


# ---- answers worked out by hand


def told(event: Event, **parts: object) -> tuple[list[str], list[str], list[str]]:
    """The names of the clauses, the words of the facts, and what the event would be legal but for."""
    here = load("swedish").position(**parts)  # type: ignore[arg-type]
    found = why(here.rules, here, event)
    assert isinstance(found, Why) and found.checked
    return [r.clause for r in found.reasons], [f.words for f in found.facts], list(found.legal_but_for)


FITS = {"up": "Kh", "table": [["3c", "3d", "3h", "3s"], ["6h", "7h", "Jh", "Qh"]], "hand": ["Ah", "Ad"]}


def test_a_discard_with_a_card_on_offer_is_forbidden_by_the_phase_of_the_offer() -> None:
    assert told(("me", "discards", "Ah"), **FITS) == (["offering"], [], ["offering"])


@pytest.mark.parametrize(
    "melds",
    [
        (("8h", "7h", "7d"),),
        (("7h", "7h", "7h"),),
        (("7s", "7h", "7d"), ("4s", "5s", "6s"), ("4s", "5s", "6s")),
    ],
)
@pytest.mark.parametrize("hand", [["4s", "7d"], None])
def test_a_card_that_the_pack_has_not_or_not_so_often_is_not_legal_but_for_the_pack(
    melds: tuple[tuple[str, ...], ...], hand: list[str] | None
) -> None:
    event = ("me", "melds", melds)
    assert told(event, up="7h", table=[["5s", "6s", "7s"]], hand=hand) == (["pack"], [], [])


def test_a_discard_of_a_card_that_is_not_held_either_is_not_legal_but_for_the_phase() -> None:
    assert told(("me", "discards", "2c"), **FITS) == (["offering"], [], [])


def test_a_player_who_acts_while_the_card_is_on_offer_to_another_goes_against_that_phase() -> None:
    assert told(("opponent", "passes"), **FITS) == (["offering"], [], ["offering"])


def test_a_passed_card_that_goes_on_to_the_next_player_takes_two_clauses_to_explain() -> None:
    """The one who has passed may not act in `declined`, nor in the offer to the next that it gives way to."""
    mine = {**FITS, "turned_by": "me", "declined": True}
    assert told(("me", "passes"), **mine) == (
        ["offering", "declining"],
        [],
        ["offering", "declining"],
    )


def test_a_card_that_lies_elsewhere_is_a_fact_and_no_clause() -> None:
    melds = ("me", "melds", (("Kh", "Kc", "Ks"),))
    parts = {
        "up": "Kh",
        "table": [],
        "hand": ["Kc", "2c"],
        "opponent_table": [["Kd", "Ks", "Qs"][:0] or ["2s", "3s", "4s"]],
    }
    assert told(melds, **parts) == ([], ["Ks is not in me's hand"], ["fact:not-in-hand"])
    lies = ("me", "melds", (("Kh", "Kc", "Ks"), ("2c", "3s", "4s")))
    assert told(lies, **parts)[1] == [
        "3s lies in front of opponent, 4s lies in front of opponent, Ks is not in me's hand"
    ]


def test_of_two_clauses_that_forbid_it_alike_the_ordinary_one_is_named_and_not_the_house_rule() -> None:
    path = next(name for name in HOUSE if "first-meld" in name)
    event = ("me", "melds", (("7c", "7d", "7h"), ("Kc", "Kd", "Ks")))
    named = {}
    for choice in ("none", "with-offer"):
        rules = load(path, {"hand-only-melds": choice})
        here = rules.position(up="7h", table=[], hand=["7c", "7d", "Kc", "Kd", "Ks", "2c"])
        found = why(rules, here, event, typed_rules(path))
        assert isinstance(found, Why) and found.checked
        named[choice] = [r.clause for r in found.reasons], found.legal_but_for
    assert named == {"none": (["hand-only"], ()), "with-offer": (["first-meld"], ("first-meld",))}


def test_a_demand_on_a_card_that_fits_nothing_lacks_a_permission() -> None:
    event = ("opponent", "forces")
    assert told(event, up="2c", table=[["5c", "6c", "7c"]], hand=[]) == (
        ["demand-at-once"],
        [],
        ["demand-at-once"],
    )
    assert told(event, up="2c", table=[["5c", "6c", "7c"]], hand=[], declined=True) == (
        ["demand"],
        [],
        ["demand"],
    )


def test_a_player_cannot_demand_of_himself() -> None:
    clauses, facts, _ = told(("me", "forces"), **FITS)
    assert clauses == ["demand-at-once"] or clauses == ["offering"]
    assert facts == []


def test_a_card_that_the_pack_has_not_breaks_the_clause_on_the_pack() -> None:
    assert told(("me", "discards", "9h"), **FITS)[0] == ["pack"]


def test_with_no_stock_left_it_is_the_clause_on_the_used_up_stock_that_ends_the_deal() -> None:
    """After the pass the player has to turn, and cannot. Without that clause the stock would be empty still, so
    that it is not legal but for it."""
    parts = {"up": "Kh", "table": [], "hand": ["2c"], "stock": 0, "turned_by": "opponent", "declined": True}
    assert told(("me", "turns", "4c"), **parts) == (["exhausted", "declining"], [], [])
