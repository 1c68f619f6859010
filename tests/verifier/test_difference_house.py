"""House rules on the size of a hand, orders of play walked through together, and hands that are laid whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from conquian.differing import Difference, named
from conquian.lockstep import partings
from conquian.position import load
from conquian.walked import allows_more, exchanged, forbids_nothing
from tests.forcing.asking import told

from .comparing import compared

HOUSE = """ruleset house "A house"
extends swedish
source club "Rules" in "club.txt"

"""
FEW = """clause few "Who holds fewer than two cards may not meld."
  cite club.a
  code house.few
  player may not meld when size(hand) < 2

"""
MANY = """clause many "Who holds eight cards beside a table of nine throws nothing."
  cite club.b
  code house.many
  player may not discard when size(hand) >= 8 and size(cards(before)) >= 9

"""
NOBODY = """override clause winning "Nobody wins."
  cite club.c
  player wins when before is empty and before is not empty

"""


def house(folder: Path, *clauses: str) -> str:
    path = folder / "house.rules"
    path.write_text(HOUSE + "".join(clauses), encoding="utf-8")
    return str(path)


def one(a: str, b: str, name: str, allows: str) -> Difference:
    found = compared(a, b).found
    return next(x for x in found if (x.name, x.allows) == (name, allows))


def test_a_house_rule_on_the_size_of_the_hand_shows_with_the_whole_hand(tmp_path: Path) -> None:
    path = house(tmp_path, FEW)
    found = one("swedish", path, "few", "a")
    assert (found.status, found.code) == ("position", "house.few")
    assert found.position is not None and found.event is not None
    assert len(found.position["hand"]) < 2
    for word, legal in (("swedish", True), (path, False)):
        assert load(word).position(**found.position).can(found.event) is legal


def test_a_hand_and_a_table_are_no_more_than_was_dealt_together(tmp_path: Path) -> None:
    found = one("swedish", house(tmp_path, MANY), "many", "a")
    # Eight and nine are more than the ten dealt and the card that was melded.
    assert found.status == "proved-equal"


def test_the_hand_that_an_event_takes_a_card_from_is_given() -> None:
    found = one("swedish", "mexican", "goal", "a")
    assert found.position is not None and found.event is not None
    assert found.event[:2] == ("me", "discards")
    assert found.event[2] in found.position["hand"]
    cards = [*found.position["hand"], *(x for meld in found.position["table"] for x in meld)]
    assert found.cards == len(cards) + 1 == 10


@pytest.mark.parametrize("name", ["classic", "coonking", "navajo-tens", "discard-then-meld"])
def test_who_discards_nothing_from_an_empty_hand_forbids_nothing_by_it(name: str) -> None:
    team, other = named("partnership"), named(name)
    assert forbids_nothing("laying", (other.rules, other.typed), (team.rules, team.typed))
    assert not forbids_nothing("laying", (team.rules, team.typed), (other.rules, other.typed))
    changed = exchanged(team.rules, team.typed, other.rules, other.typed, "laying")
    assert changed is not None
    found = {x.allows for x in partings(changed, team.rules)}
    assert found == {"b"}


def test_what_was_walked_through_is_proved_for_all_positions() -> None:
    assert one("partnership", "classic", "laying", "b").status == "proved-equal"
    assert one("partnership", "classic", "laying", "a").status == "position"


def test_an_order_of_play_that_asks_for_cards_is_not_walked_through() -> None:
    path = Path(__file__).parents[1] / "house_rules" / "forced-at-once.rules"
    live = named(str(path)).rules
    assert live.engine.live
    assert allows_more(live, live)


def test_a_name_that_is_no_rule_set_is_told_where_the_names_are() -> None:
    status, text = told("diff", "nosuch", "swedish")
    assert status == 2
    assert "there is no rule set `nosuch`" in text
    assert "spec list" in text


def test_a_win_after_which_nothing_can_be_done_parts_none_and_is_no_equality(tmp_path: Path) -> None:
    path = house(tmp_path, NOBODY)
    # Ten were dealt, and eleven melded: nothing is left to discard, so no event shows that the deal goes on.
    found = one(path, "swedish", "winning", "a")
    assert (found.status, found.cards) == ("none-up-to", 40)
    assert not compared(path, "swedish").equal


def test_a_certificate_of_orders_of_play_is_walked_through_again(tmp_path: Path) -> None:
    path = tmp_path / "certificate.json"
    assert told("diff", "partnership", "classic", "--certificate", str(path))[0] == 0
    _, text = told("recheck", str(path))
    assert "confirmed by walking: no order of events separates the two by it" in text
    assert ": refuted" not in text
