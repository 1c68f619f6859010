"""What a picture shows: marks, counts, and that no card is lost or invented."""

from __future__ import annotations

from collections import Counter

import pytest

from conquian.engine.sets import rule_sets
from conquian.generate import games
from conquian.match import dealer_of
from conquian.pictures.scene import Scene, Shown, scene_of
from conquian.position import load
from conquian.referee import replay

from .positions import borrowed_scene, borrowing, forced


def marks(scene: Scene) -> dict[str, tuple[str, ...]]:
    """The marks of every card on a table."""
    return {card.card: card.marks for seat in scene.seats for meld in seat.table for card in meld.cards}


def test_the_meld_that_the_card_on_offer_extends_is_marked_as_forced_and_no_other() -> None:
    scene = scene_of(forced())
    melds = {
        tuple(card.card for card in meld.cards): meld.forced for seat in scene.seats for meld in seat.table
    }
    assert melds == {
        ("3c", "3d", "3h", "3s"): False,
        ("6h", "7h", "Jh", "Qh"): True,
        ("5s", "6s", "7s"): False,
    }
    assert scene.offer is not None
    assert (scene.offer.card, scene.offer.player, scene.offer.passed) == (Shown("Kh"), "me", False)
    assert scene.offer.demand == "on-offer"


def test_without_a_demand_no_meld_is_marked() -> None:
    rules = load("no-force")
    scene = scene_of(rules.position(up="Kh", table=[["6h", "7h", "Jh", "Qh"]], hand=["Ah"]))
    assert scene.offer is not None and scene.offer.demand == "none"
    assert not any(meld.forced for seat in scene.seats for meld in seat.table)


def test_a_demand_that_can_only_follow_a_pass_is_told_as_such_and_then_as_made() -> None:
    here = load("classic").position(up="Kh", table=[["6h", "7h", "Jh", "Qh"]], hand=["Ah"], turned_by="me")
    told = []
    for event in (None, ("me", "passes"), ("opponent", "forces")):
        here = here if event is None else here.apply(event)
        offer = scene_of(here).offer
        assert offer is not None
        told.append((offer.player, offer.passed, offer.demand))
    assert told == [("me", False, "on-decline"), ("me", True, "on-decline"), ("me", False, "made")]


def test_a_card_that_moved_from_one_meld_to_another_is_borrowed_and_new_ones_are_laid() -> None:
    assert marks(borrowed_scene()) == {
        "7d": ("laid",),
        "7h": ("laid",),
        "7s": ("borrowed",),
        "4s": ("laid",),
        "5s": (),
        "6s": (),
    }


def test_nothing_is_marked_where_nothing_went_before() -> None:
    _, after = borrowing()
    assert set(marks(scene_of(after)).values()) == {()}


def test_two_melds_that_become_one_borrow_nothing() -> None:
    rules = load("swedish", {"new-meld": "any"})
    before = rules.position(up="4c", table=[["Ac", "2c", "3c"], ["5c", "6c", "7c"]], hand=["Kd"], stock=3)
    after = before.apply(("me", "melds", (("Ac", "2c", "3c", "4c", "5c", "6c", "7c"),)))
    # Both old melds go on in the one that holds most of their cards: nothing was taken from a meld that goes on.
    assert {card: mark for card, mark in marks(scene_of(after, before=before)).items() if mark} == {
        "4c": ("laid",)
    }


def test_offending_cards_are_marked_once_each() -> None:
    scene = scene_of(forced(), wrong=["Kh", "Ah", "Ah"])
    mine = scene.seats[0]
    assert [card.marks for card in mine.hand] == [(), ("wrong",)]
    assert scene.offer is not None and scene.offer.card.marks == ("wrong",)


def test_hands_of_a_bare_position_are_not_counted_and_those_of_a_recorded_game_are() -> None:
    bare = scene_of(load("swedish").position(up="Kh", table=[["6h", "7h", "Jh", "Qh"]]))
    assert [seat.unknown for seat in bare.seats] == [None, None]
    told = scene_of(forced(), open_hands=False)
    assert [seat.unknown for seat in told.seats] == [0, 10]


def test_the_viewer_sits_first_and_play_goes_on_from_there() -> None:
    here = load("partnership").position(up="Kh", table=[["6h", "7h", "Jh", "Qh"]], hand=["Ah"])
    names = here.players
    scene = scene_of(here, viewer=names[2])
    assert [seat.name for seat in scene.seats] == [names[2], names[3], names[0], names[1]]
    # The table belongs to the team: it is drawn once, in front of the viewer.
    assert [seat.partner for seat in scene.seats] == [None, None, names[2], names[3]]
    assert [len(seat.table) for seat in scene.seats] == [1, 0, 0, 0]


def test_a_pack_that_a_notation_cannot_write_is_drawn_in_french() -> None:
    here = load("classic-52").position(up="10h")
    assert scene_of(here, notation="spanish").notation == "french"


def cards_of(scene: Scene) -> Counter[str]:
    """Every card that a scene shows by name."""
    found = [card.card for seat in scene.seats for card in seat.hand]
    found += [card.card for seat in scene.seats for meld in seat.table for card in meld.cards]
    found += [] if scene.offer is None else [scene.offer.card.card]
    return Counter([*found, *scene.gone])


@pytest.mark.parametrize("name", rule_sets())
def test_no_card_is_lost_or_invented_in_any_picture_of_a_game(name: str) -> None:
    rules = load(name)
    pack = rules.engine.pack
    for game in games(rules.engine, 1, 11):
        for index, deal in enumerate(game.deals):
            dealer = dealer_of(rules.engine, game, index)
            for position, _ in replay(rules, game.players, deal, dealer):
                scene = scene_of(position, open_hands=False)
                shown = cards_of(scene)
                assert max(shown.values()) <= pack.copies
                assert set(shown) <= set(pack.cards)
                given = (
                    sum(pack.count(cards) + more for cards, more in position.state.received)
                    if scene.phase == "exchange"
                    else 0
                )
                hidden = sum(seat.unknown or 0 for seat in scene.seats)
                assert scene.stock is not None
                assert shown.total() + hidden + scene.stock + given == pack.size, (scene.phase, scene)
