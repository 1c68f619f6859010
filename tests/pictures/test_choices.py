"""What could be done: nothing that the engine refuses, and everything that is then done."""

from __future__ import annotations

import re

import pytest

from conquian.engine.sets import rule_sets
from conquian.generate import games
from conquian.match import dealer_of
from conquian.pictures.choices import choices, unseen
from conquian.position import Position, load
from conquian.referee import replay
from conquian.transcript.read import read
from tests.cli.running import ROOT

from .positions import forced

VERBS = {
    "turns": "turn",
    "melds": "meld",
    "passes": "pass",
    "discards": "discard",
    "forces": "demand",
    "arranges": "regroup",
    "gives": "give",
}


def told(position: Position) -> set[tuple[str, str]]:
    """Who may do what, by the first word."""
    return {(choice.player, choice.text.split()[0]) for choice in choices(position)}


def test_a_forced_king_can_be_melded_or_passed_or_demanded() -> None:
    assert {(choice.player, choice.text) for choice in choices(forced())} == {
        ("me", "meld 6♥ 7♥ J♥ Q♥ K♥"),
        ("me", "pass"),
        ("opponent", "demand that me meld K♥ onto 6♥ 7♥ J♥ Q♥"),
    }


def test_a_meld_that_wins_is_named_first_and_said_to_win() -> None:
    here = load("swedish").position(
        up="3s", table=[["6h", "7h", "Jh", "Qh"], ["5s", "6s", "7s"]], hand=["3c", "3d", "3h"], stock=2
    )
    assert choices(here)[0].text.startswith("meld 3♣ 3♦ 3♥ 3♠ (and wins); ")
    won = here.apply(("me", "melds", (("3c", "3d", "3h", "3s"),)))
    assert choices(won) == ()


def test_a_hand_that_nobody_recorded_may_hold_what_is_needed() -> None:
    here = load("swedish").position(up="Kh", stock=5)
    assert ("me", "meld, if the unknown cards fit") in [(c.player, c.text) for c in choices(here)]


@pytest.mark.parametrize("name", rule_sets())
def test_what_is_done_next_was_among_what_could_be_done(name: str) -> None:
    rules = load(name)
    pack = rules.engine.pack
    for game in games(rules.engine, 1, 4):
        for index, deal in enumerate(game.deals):
            dealer = dealer_of(rules.engine, game, index)
            for place, (position, event) in enumerate(replay(rules, game.players, deal, dealer)):
                if place > 60:
                    break
                if event is None:
                    continue
                if event[1] != "arranges":  # a regrouping that moves nothing is legal, and not listed
                    assert (event[0], VERBS[str(event[1])]) in told(position), (event, choices(position))
                assert len(unseen(position)) == pack.count(pack.everything - position.state.seen)


def test_the_discards_that_are_listed_are_those_that_the_engine_takes() -> None:
    rules = load("swedish")
    path = ROOT / "examples" / "club-evening.cqn"
    (sheet,) = read(path.read_bytes(), str(path))
    game = sheet.game
    assert game is not None
    found = 0
    for position, event in replay(rules, game.players, game.deals[0], dealer_of(rules.engine, game, 0)):
        if event is None or event[1] != "discards":
            continue
        found += 1
        (choice,) = [c for c in choices(position) if c.text.startswith("discard")]
        listed = {
            card.translate(str.maketrans("♣♦♥♠", "cdhs")) for card in re.findall(r"\S+[♣♦♥♠]", choice.text)
        }
        assert listed == {
            card for card in rules.engine.pack.cards if position.can((event[0], "discards", card))
        }
    assert found == 6
