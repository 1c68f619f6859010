"""The thirteen rule sets: what is dealt, what wins, and that each can be played to its ends."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from conquian import load
from conquian.engine.sets import rule_sets
from conquian.generate import games
from conquian.referee import judge_deal
from conquian.transcript.model import Game
from tests.reference.referee import judge as second_judge

from .telling import FOUR, RULE_SETS, here, judged, melds, pack_of

# rule set: cards dealt, goal, packs, starter, exchange
FACTS = {
    "classic": (10, 11, 1, True, False),
    "classic-52": (10, 11, 1, True, False),
    "twice-around": (13, 15, 1, True, False),
    "two-deck": (10, 15, 2, True, False),
    "no-force": (10, 11, 1, True, False),
    "discard-then-meld": (10, 11, 1, True, False),
    "partnership": (10, 15, 2, True, False),
    "coonking": (10, 11, 1, False, False),
    "swedish": (10, 11, 1, False, False),
    "swedish-packets": (10, 11, 1, False, False),
    "mexican": (8, 9, 1, False, True),
    "paco": (10, 11, 5, False, False),
    "navajo-tens": (10, 11, 2, False, False),
}
LAST = "Ks"


def starter(rules: str) -> str:
    return f"starter {LAST}\n" if FACTS[rules][3] else ""


def test_thirteen_rule_sets_are_shipped() -> None:
    assert set(rule_sets()) == set(RULE_SETS) == set(FACTS)


@pytest.mark.parametrize("rules", RULE_SETS)
def test_so_many_cards_are_dealt(rules: str) -> None:
    dealt = FACTS[rules][0]
    cards = [card for card in pack_of(rules) if card != LAST]
    hold = f"{starter(rules)}Ana holds {{}}"
    assert judged(rules, hold.format(" ".join(cards[:dealt]))) == "unfinished"
    assert judged(rules, hold.format(" ".join(cards[: dealt + 1]))) == "misdeal"
    assert judged(rules, hold.format("? " * dealt)) == "unfinished"
    assert judged(rules, hold.format("? " * (dealt + 1))) == "misdeal"
    assert judged(rules, hold.format(f"{dealt}:")) == "unfinished"
    for wrong in (dealt - 1, dealt + 1):
        assert judged(rules, hold.format(f"{wrong}:")) == "misdeal"


@pytest.mark.parametrize("rules", RULE_SETS)
def test_the_deck_has_so_many_copies_of_a_card(rules: str) -> None:
    packs = FACTS[rules][2]
    assert judged(rules, f"{starter(rules)}Ana holds {'2c ' * packs}") == "unfinished"
    assert judged(rules, f"{starter(rules)}Ana holds {'2c ' * (packs + 1)}") == "card-elsewhere"


# Tables beside which 3c and the clubs from the four on make up the goal.
BESIDE = {9: "2c 2d 2h 2s", 11: "Ad 2d 3d, 5d 5h 5s", 15: "Ad 2d 3d 4d, 5d 5h 5s, 7d 7h 7s"}


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_table_of_the_goal_wins_and_one_card_less_does_not(rules: str) -> None:
    beside = BESIDE[FACTS[rules][1]]
    listed = f", {beside}" if FACTS[rules][2] > 1 else ""
    for clubs, won in (("4c 5c 6c 7c", True), ("4c 5c 6c", False)):
        position = here(rules, "3c", f"{clubs}, {beside}", "Kh Kd" if rules != "coonking" else "9h 9d")
        after = position.apply(("me", "melds", melds(f"3c {clubs}{listed}")))
        assert (after.phase == "won") == won


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_starter_where_the_rules_have_one_and_none_elsewhere(rules: str) -> None:
    has = FACTS[rules][3]
    assert judged(rules, "starter Ah") == ("unfinished" if has else "no-starter")
    assert judged(rules, "Ana holds ?") == ("no-starter" if has else "unfinished")


@pytest.mark.parametrize("rules", RULE_SETS)
def test_two_play_and_four_in_partnership(rules: str) -> None:
    four = rules == "partnership"
    names = {2: "Ana, Ben", 3: "Ana, Ben, Cleo", 4: FOUR}
    for count, players in names.items():
        right = count == (4 if four else 2)
        record = f"deal 1\n{starter(rules)}"
        assert judged(rules, record, players=players) == ("unfinished" if right else "players")


# ---- how the pack is dealt


def dealt_out(rules: str, packet: int) -> tuple[str, str, str]:
    """A pack in order, and the hands that Ana (dealt first) and Ben get by packets of that size."""
    cards = pack_of(rules)
    hands: list[list[str]] = [[], []]
    at, seat = 0, 0
    while len(hands[1]) < 10:
        hands[seat] += cards[at : at + packet]
        at, seat = at + packet, 1 - seat
    return " ".join(cards), " ".join(hands[0]), " ".join(hands[1])


@pytest.mark.parametrize(
    ("rules", "packets"),
    [("classic", {1, 2}), ("coonking", {2}), ("swedish", {1}), ("swedish-packets", {2})],
)
def test_a_recorded_deck_is_dealt_singly_or_in_pairs_to_the_player_after_the_dealer_first(
    rules: str, packets: set[int]
) -> None:
    for packet in (1, 2):
        deck, ana, ben = dealt_out(rules, packet)
        top = f"starter {deck.split()[20]}\n" if rules == "classic" else ""
        record = f"deck {deck}\n{top}Ana holds {ana}\nBen holds {ben}"
        assert judged(rules, record) == ("unfinished" if packet in packets else "misdeal")
        # With Ben first, the hands are the other way round.
        if packet in packets:
            assert judged(rules, record, head="dealer: Ana") == "misdeal"


def test_a_recorded_deck_tells_hands_and_stock() -> None:
    deck, ana, ben = dealt_out("swedish", 1)
    first, second = deck.split()[20:22]
    start = f"deck {deck}\nAna turns "
    assert judged("swedish", start + first) == "unfinished"
    assert judged("swedish", start + second) == "stock-mismatch @ 0"
    laid = f"{start}{first}; melds {first} {ana.split()[0]} {ana.split()[1]}"
    assert judged("swedish", laid) == "invalid-meld @ 1"
    laid = f"{start}{first}; melds {first} {ben.split()[0]} {ben.split()[1]}"
    assert judged("swedish", laid) == "not-in-hand @ 1"


def test_where_a_deck_may_be_dealt_singly_or_in_pairs_play_may_fit_either_way() -> None:
    # The first four cards are Ac Ad Ah As: singly Ana has Ac Ah, in pairs she has Ac Ad.
    deck, _, _ = dealt_out("classic", 1)
    cards = deck.split()
    rest = [card for card in cards if card not in ("As", "Ks")]
    deck = " ".join([*rest[:20], "Ks", "As", *rest[20:]])  # Ac Ad Ah 2c on top; Ks the starter, As next
    start = f"deck {deck}\nstarter Ks\nAna passes\nBen passes\nAna turns As; melds As "
    assert judged("classic", start + "Ac Ah") == "unfinished"  # singly: Ac, Ah, 2d, …
    assert judged("classic", start + "Ac Ad") == "unfinished"  # in pairs: Ac, Ad, 2d, …
    assert judged("classic", start + "Ac Ad Ah") == "not-in-hand @ 3"


# ---- played to the end


def plain(game: Game) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(msgspec.json.encode(game))
    return data


@pytest.mark.parametrize("rules", RULE_SETS)
def test_each_set_can_be_played_from_the_deal_to_a_win_and_to_a_draw(rules: str) -> None:
    engine = load(rules).engine
    ends: set[str] = set()
    for game in games(engine, 200, 1):
        outcome = judge_deal(engine, game.players, game.deals[0], 0)
        (other,) = second_judge(plain(game))
        assert (outcome.kind, outcome.code) == (other.verdict, other.code) == ("valid", None)
        winner = None if outcome.winner is None else game.players[outcome.winner]
        assert (winner, outcome.drawn) == (other.winner, bool(other.drawn))
        ends.add("won" if winner else "drawn")
        if len(ends) == 2:
            return
    pytest.fail(f"200 games of {rules} end only {ends}")
