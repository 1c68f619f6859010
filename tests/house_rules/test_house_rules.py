"""Fourteen house rules, each a few lines that extend a shipped set, judged beside the set that they extend.

The expected answers are worked out by hand; the reason stands with each case.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from conquian.engine.deals import Setup, SetupRefusal, first_states
from conquian.engine.engine import engine
from conquian.engine.play import play
from conquian.engine.refusals import refusal
from conquian.language.build import compile_text, find_text
from conquian.language.fmt import format_rules
from conquian.position import BadPosition, Position, load

from .players import dealt, play_out

HERE = Path(__file__).parent
FILES = sorted(HERE.glob("*.rules"))
Event = tuple[Any, ...]


def rules(name: str) -> str:
    return str(HERE / f"{name}.rules")


def code(position: Position, event: Event) -> str | None:
    refusal = position.check(event)
    return None if refusal is None else refusal.code


def melds(*listed: str) -> Event:
    return ("me", "melds", tuple(tuple(meld.split()) for meld in listed))


def both(
    house: str, base: str, event: Event, after: tuple[Event, ...] = (), **given: Any
) -> tuple[str | None, str | None]:
    """The codes of an event under the set that is extended and under the house rule."""
    found = []
    for name in (base, rules(house)):
        position = load(name).position(**given)
        for earlier in after:
            position = position.apply(earlier)
        found.append(code(position, event))
    return found[0], found[1]


# ---- the files


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.stem)
def test_a_house_rule_is_a_file_of_a_few_lines_that_cites_its_own_source(file: Path) -> None:
    path, text, find = find_text(str(file))
    compiled, problems = compile_text(text, path, find)
    assert not problems
    assert compiled is not None
    assert compiled.name == file.stem
    assert len([line for line in text.splitlines() if line.strip()]) <= 12
    inherited = {source.prefix for source in load_sources(compiled.lineage[-2])}
    own = {source.prefix for source in compiled.sources} - inherited
    assert len(own) == 1
    changed = [clause for clause in compiled.clauses if clause.origin == compiled.name]
    assert changed
    assert all(cite.split(".")[0] in own for clause in changed for cite in clause.cites)
    assert format_rules(text) == text


def load_sources(name: str) -> Any:
    path, text, find = find_text(name)
    compiled, _ = compile_text(text, path, find)
    assert compiled is not None
    return compiled.sources


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.stem)
def test_a_house_rule_can_be_played_from_the_deal_to_the_end(file: Path) -> None:
    ends = Counter(play_out(engine(str(file)), seed).end for seed in range(12))
    assert set(ends) <= {"won", "drawn"}


NEVER_WON_HERE = {"first-meld", "three-players", "empty-hand"}
"""Random players seldom or never win these within a few deals."""


@pytest.mark.parametrize("file", [f for f in FILES if f.stem not in NEVER_WON_HERE], ids=lambda f: f.stem)
def test_a_deal_of_a_house_rule_can_be_won(file: Path) -> None:
    deals = [play_out(engine(str(file)), seed) for seed in range(20)]
    won = next(deal for deal in deals if deal.end == "won")
    assert won.events[-1][1] == "melds"
    winner = int(won.events[-1][0][1:])
    assert won.state.winner == winner


def first_difference(house: str, base: str, seeds: range) -> tuple[Event, str | None] | None:
    """The first event of a deal played by the house rule that the extended set refuses."""
    of, other = engine(rules(house)), engine(base)
    seats = {f"P{i}": i for i in range(of.seats)}
    for seed in seeds:
        deal = play_out(of, seed)
        state = dealt(other, Random(seed))
        played = play(other, state, deal.events, seats).legal
        if played < len(deal.events):
            event = deal.events[played]
            return event, refusal(other, state, event, seats).code
    return None


# ---- runs of at most five


def test_runs_of_five_a_sixth_card_makes_no_run() -> None:
    # 2-3-4-5-6-7 has six cards: swedish allows up to eight.
    given: dict[str, Any] = {"up": "2d", "table": [["3d", "4d", "5d", "6d", "7d"]], "hand": ["Kc"]}
    event = melds("2d 3d 4d 5d 6d 7d")
    assert both("runs-of-five", "swedish", event, **given) == (None, "invalid-meld")


def test_runs_of_five_a_run_that_cannot_grow_is_not_extended_by_parting_it() -> None:
    # 2-3-4 | 5-6-7: legal in swedish because 2 extends 3-7; with five at most it does not,
    # and no hand card is in the new combination.
    given: dict[str, Any] = {"up": "2d", "table": [["3d", "4d", "5d", "6d", "7d"]], "hand": ["Kc"]}
    assert both("runs-of-five", "swedish", melds("2d 3d 4d", "5d 6d 7d"), **given) == (None, "new-meld")


def test_runs_of_five_a_full_run_cannot_be_forced_to_grow() -> None:
    given: dict[str, Any] = {"up": "2d", "table": [["3d", "4d", "5d", "6d", "7d"]]}
    assert both("runs-of-five", "swedish", ("opponent", "forces"), **given) == (None, "no-force-due")


# ---- the ace high or low, and around the corner


@pytest.mark.parametrize(
    ("cards", "classic", "high", "corner"),
    [
        ("Qd Kd Ad", "invalid-meld", None, None),
        ("Ad 2d 3d", None, None, None),
        # The ace between king and two goes only around the corner.
        ("Kd Ad 2d", "invalid-meld", "invalid-meld", None),
        ("Qd Kd Ad 2d", "invalid-meld", "invalid-meld", None),
    ],
)
def test_aces_queen_king_ace(cards: str, classic: str | None, high: str | None, corner: str | None) -> None:
    names = cards.split()
    given: dict[str, Any] = {"up": "Ad", "hand": [c for c in names if c != "Ad"]}
    assert both("ace-high", "classic", melds(cards), **given) == (classic, high)
    assert both("around-the-corner", "classic", melds(cards), **given) == (classic, corner)


def test_ace_high_the_ace_stands_in_a_run_once() -> None:
    # A-2-…-K holds every rank; a second ace of the suit does not exist, so eleven of a suit are no run.
    of = engine(rules("ace-high"))
    assert max(meld.bit_count() for meld in of.melds.packed) == 10


# ---- a 32-card deck


def test_pack_of_32_has_eights_and_no_twos() -> None:
    house = load(rules("pack-of-32"))
    assert house.position(up="8d", hand=["9d", "10d", "Ac"]).can(melds("8d 9d 10d"))
    assert house.position(up="Ad", hand=["Kd", "Qd", "7c"]).can(melds("Qd Kd Ad"))
    with pytest.raises(BadPosition) as low:
        house.position(up="2d")
    assert low.value.code == "not-in-deck"
    with pytest.raises(BadPosition):
        load("classic").position(up="8d")


def test_pack_of_32_leaves_a_stock_of_eleven() -> None:
    # 32 cards, two hands of ten and a starter.
    of = engine(rules("pack-of-32"))
    states = first_states(of, Setup(2, [None, None], [None, None], None, None, "8d", 0))
    assert not isinstance(states, SetupRefusal)
    assert states[0].stock == 11


# ---- three players


def test_three_players_the_starter_goes_round_before_the_first_player_turns() -> None:
    of = engine(rules("three-players"))
    states = first_states(of, Setup(3, [None] * 3, [None] * 3, None, None, "3d", 0))
    assert not isinstance(states, SetupRefusal)
    seats = {"Ana": 0, "Ben": 1, "Cai": 2}
    # 40 cards, three hands of ten and a starter.
    assert states[0].stock == 9
    events = [(name, "passes") for name in seats]
    assert play(of, states[0], [*events, ("Ana", "turns", "4d")], seats).legal == 4


def test_three_players_a_card_is_refused_for_good_after_two_passes() -> None:
    # Ana turns 4d and passes; Ben passes it too: Ben turns, Cai is not asked.
    of = engine(rules("three-players"))
    states = first_states(of, Setup(3, [None] * 3, [None] * 3, None, None, "3d", 0))
    assert not isinstance(states, SetupRefusal)
    seats = {"Ana": 0, "Ben": 1, "Cai": 2}
    opening = [*((name, "passes") for name in seats), ("Ana", "turns", "4d"), ("Ana", "passes")]
    assert play(of, states[0], [*opening, ("Ben", "passes"), ("Ben", "turns", "5c")], seats).legal == 7


def test_three_players_two_are_too_few() -> None:
    two = Setup(2, [None] * 2, [None] * 2, None, None, "3d", 0)
    wrong = first_states(engine(rules("three-players")), two)
    assert isinstance(wrong, SetupRefusal) and wrong.code == "players"
    assert not isinstance(first_states(engine("classic"), two), SetupRefusal)


# ---- goal nine with eight dealt


def test_nine_of_eight_the_ninth_card_wins() -> None:
    given: dict[str, Any] = {"up": "4d", "table": [["5d", "6d", "7d", "Jd"], ["3c", "3d", "3h", "3s"]]}
    layout = melds("4d 5d 6d 7d Jd")
    house = load(rules("nine-of-eight")).position(**given).apply(layout)
    assert house.phase == "won"
    assert load("classic").position(**given).apply(layout).phase == "discard"


def test_nine_of_eight_ten_in_a_hand_are_a_misdeal() -> None:
    hand = ["Ac", "2c", "3c", "4c", "5c", "6c", "7c", "Jc", "Qc", "Kc"]
    setup = Setup(2, [hand, None], [None, None], None, None, "3d", 0)
    wrong = first_states(engine(rules("nine-of-eight")), setup)
    assert isinstance(wrong, SetupRefusal) and wrong.code == "misdeal"
    assert not isinstance(first_states(engine("classic"), setup), SetupRefusal)


# ---- a group of five


def test_five_of_a_kind_a_fifth_card_joins_a_group() -> None:
    given: dict[str, Any] = {"up": "4d", "table": [["4c", "4d", "4h", "4s"]], "hand": ["Kc"]}
    event = melds("4c 4d 4d 4h 4s")
    assert both("five-of-a-kind", "navajo-tens", event, **given) == ("invalid-meld", None)
    assert both("five-of-a-kind", "navajo-tens", ("opponent", "forces"), **given) == ("no-force-due", None)


def test_five_of_a_kind_six_are_too_many() -> None:
    given: dict[str, Any] = {"up": "4d", "table": [["4c", "4c", "4d", "4h", "4s"]], "hand": ["Kc"]}
    assert code(load(rules("five-of-a-kind")).position(**given), melds("4c 4c 4d 4d 4h 4s")) == "invalid-meld"


# ---- only end cards


@pytest.mark.parametrize(
    ("given", "event", "answer"),
    [
        # The seven is an end of a run of four: 4-5-6 stays.
        ({"up": "7c", "table": [["4d", "5d", "6d", "7d"]], "hand": ["7h"]}, melds("7c 7d 7h"), None),
        # From a run of three, even when the run is made up again from the hand.
        (
            {"up": "7c", "table": [["5d", "6d", "7d"]], "hand": ["7h", "4d"]},
            melds("7c 7d 7h", "4d 5d 6d"),
            "borrowing",
        ),
        # From the middle of a long run, though both halves stay runs.
        (
            {"up": "6c", "table": [["3d", "4d", "5d", "6d", "7d", "Jd", "Qd"]], "hand": ["6h"]},
            melds("6c 6d 6h", "3d 4d 5d", "7d Jd Qd"),
            "borrowing",
        ),
        # A group lends nothing.
        ({"up": "5d", "table": [["7c", "7d", "7h", "7s"]], "hand": ["6d"]}, melds("5d 6d 7d"), "borrowing"),
        # Both ends of a run of four would leave two cards, and 5-6 is no meld in either set.
        (
            {"up": "4c", "table": [["4d", "5d", "6d", "7d"]], "hand": ["4h", "7c", "7h"]},
            melds("4c 4d 4h", "7c 7d 7h"),
            "invalid-meld",
        ),
        # Both ends of a run of five leave three.
        (
            {"up": "3c", "table": [["3d", "4d", "5d", "6d", "7d"]], "hand": ["3h", "7c", "7h"]},
            melds("3c 3d 3h", "7c 7d 7h"),
            None,
        ),
        # Laying on borrows nothing.
        ({"up": "Jd", "table": [["5d", "6d", "7d"]], "hand": ["4d"]}, melds("4d 5d 6d 7d Jd"), None),
    ],
)
def test_end_cards_only_the_end_of_a_long_run_may_be_borrowed(
    given: dict[str, Any], event: Event, answer: str | None
) -> None:
    freely = answer if answer == "invalid-meld" else None
    assert both("end-cards", "classic", event, **given) == (freely, answer)


# ---- demands that may not be made

KING: dict[str, Any] = {"up": "Kh", "table": [["3c", "3d", "3h", "3s"], ["6h", "7h", "Jh", "Qh"]]}


def test_own_card_a_card_that_the_player_turned_cannot_be_demanded() -> None:
    forces = ("opponent", "forces")
    assert both("own-card", "swedish", forces, turned_by="me", **KING) == (None, "no-force-due")
    assert both("own-card", "swedish", forces, turned_by="opponent", **KING) == (None, None)


def test_own_card_nor_after_he_has_passed_it() -> None:
    forces, passes = ("opponent", "forces"), ("me", "passes")
    assert both("own-card", "swedish", forces, (passes,), turned_by="me", **KING) == (None, "no-force-due")
    assert both("own-card", "swedish", forces, (passes,), turned_by="opponent", **KING) == (None, None)


def test_ten_down_nothing_can_be_demanded_of_a_player_with_ten_cards_down() -> None:
    forces = ("opponent", "forces")
    run = ["4h", "5h", "6h", "7h", "Jh", "Qh", "Kh"]
    ten: dict[str, Any] = {"up": "3s", "table": [["3c", "3d", "3h"], run]}
    nine: dict[str, Any] = {"up": "3s", "table": [["3c", "3d", "3h"], run[1:]]}
    assert both("ten-down", "swedish", forces, **ten) == (None, "no-force-due")
    assert both("ten-down", "swedish", forces, **nine) == (None, None)


# ---- four cards to come down


def test_first_meld_a_player_comes_down_with_four_cards() -> None:
    three: dict[str, Any] = {"up": "5c", "hand": ["6c", "7c", "Kd"]}
    four: dict[str, Any] = {"up": "5c", "hand": ["6c", "7c", "Jc", "Kd"]}
    assert both("first-meld", "swedish", melds("5c 6c 7c"), **three) == (None, "house.first-meld")
    assert both("first-meld", "swedish", melds("5c 6c 7c Jc"), **four) == (None, None)


def test_first_meld_only_the_meld_with_the_card_on_offer_is_bound() -> None:
    given: dict[str, Any] = {"up": "5c", "hand": ["6c", "7c", "Jc", "2d", "2h", "2s"]}
    assert both("first-meld", "swedish", melds("5c 6c 7c Jc", "2d 2h 2s"), **given) == (None, None)


def test_first_meld_later_ones_may_have_three() -> None:
    given: dict[str, Any] = {"up": "5c", "hand": ["6c", "7c", "Kd"], "table": [["2c", "2d", "2h", "2s"]]}
    assert both("first-meld", "swedish", melds("5c 6c 7c"), **given) == (None, None)


# ---- forced at once


def test_forced_at_once_a_card_that_fits_cannot_be_passed() -> None:
    given: dict[str, Any] = {"up": "8d", "table": [["5d", "6d", "7d"]], "hand": ["Ac"]}
    assert both("forced-at-once", "coonking", ("me", "passes"), **given) == (None, "forced")
    assert both("forced-at-once", "coonking", melds("5d 6d 7d 8d"), **given) == (None, None)


def test_forced_at_once_a_demand_has_nothing_to_add() -> None:
    # In coonking the demand answers a pass; here there is no pass, and no demand.
    given: dict[str, Any] = {"up": "8d", "table": [["5d", "6d", "7d"]], "hand": ["Ac"]}
    assert code(load(rules("forced-at-once")).position(**given), ("opponent", "forces")) == "no-force-due"
    passed = load("coonking").position(**given).apply(("me", "passes"))
    assert code(passed, ("opponent", "forces")) is None


def test_forced_at_once_a_thrown_card_that_fits_the_next_player_forces_him() -> None:
    given: dict[str, Any] = {
        "up": "8d",
        "table": [["5d", "6d", "7d"]],
        "hand": ["5c", "Ah"],
        "opponent_table": [["2c", "3c", "4c"]],
    }
    turn = (melds("5d 6d 7d 8d"), ("me", "discards", "5c"))
    assert both("forced-at-once", "coonking", ("opponent", "passes"), turn, **given) == (None, "forced")
    other = (melds("5d 6d 7d 8d"), ("me", "discards", "Ah"))
    assert both("forced-at-once", "coonking", ("opponent", "passes"), other, **given) == (None, None)


def test_forced_at_once_the_card_has_to_go_where_it_fits() -> None:
    # 8d fits 5-6-7; three eights are legal in coonking as long as nobody has demanded.
    given: dict[str, Any] = {"up": "8d", "table": [["5d", "6d", "7d"]], "hand": ["8c", "8h"]}
    assert both("forced-at-once", "coonking", melds("8c 8d 8h"), **given) == (None, "forced")


def test_forced_at_once_shows_in_a_whole_deal() -> None:
    # Players of this rule never pass a card that fits; every deal of theirs is a deal of coonking too.
    assert first_difference("forced-at-once", "coonking", range(10)) is None
    of, base = engine(rules("forced-at-once")), engine("coonking")
    seats = {"P0": 0, "P1": 1}
    refused = 0
    for seed in range(10):
        deal = play_out(base, seed)
        refused += play(of, dealt(of, Random(seed)), deal.events, seats).legal < len(deal.events)
    assert refused


# ---- a discard that fits


@pytest.mark.parametrize(
    ("hand", "thrown", "answer"),
    [
        (["4d", "Kc"], "4d", "house.fitting-discard"),
        (["4d", "Kc"], "Kc", None),
        # Both fit: one of them has to go.
        (["4d", "Qd"], "4d", None),
        (["4d"], "4d", None),
        # A four of another suit does not fit the run.
        (["4d", "4c"], "4c", None),
    ],
)
def test_fitting_discard_a_card_that_fits_stays_if_another_can_go(
    hand: list[str], thrown: str, answer: str | None
) -> None:
    given: dict[str, Any] = {"up": "Jd", "table": [["5d", "6d", "7d"]], "hand": hand}
    laid = (melds("5d 6d 7d Jd"),)
    assert both("fitting-discard", "classic", ("me", "discards", thrown), laid, **given) == (None, answer)


def test_fitting_discard_nothing_is_held_against_a_hand_that_nobody_recorded() -> None:
    given: dict[str, Any] = {"up": "Jd", "table": [["5d", "6d", "7d"]]}
    laid = (melds("5d 6d 7d Jd"),)
    assert both("fitting-discard", "classic", ("me", "discards", "4d"), laid, **given) == (None, None)


# ---- out with an empty hand

TWELVE = [["Ad", "2d", "3d", "4d", "5d", "6d", "7d", "Jd", "Qd"], ["Kc", "Kh", "Ks"]]


def test_empty_hand_fifteen_cards_win_only_when_none_is_left() -> None:
    # Thirteen dealt and nothing thrown: with fifteen down after three melds one card is left in the hand.
    left: dict[str, Any] = {"up": "2c", "table": TWELVE, "hand": ["3c", "4c", "6s"]}
    none: dict[str, Any] = {"up": "2c", "table": TWELVE, "hand": ["3c", "4c"]}
    laid = melds("2c 3c 4c")
    assert load("twice-around").position(**left).apply(laid).phase == "won"
    assert load(rules("empty-hand")).position(**left).apply(laid).phase == "melded"
    assert load(rules("empty-hand")).position(**none).apply(laid).phase == "won"


def test_empty_hand_a_deal_that_twice_around_ends_goes_on() -> None:
    of, base = engine(rules("empty-hand")), engine("twice-around")
    won = next(deal for deal in (play_out(base, seed) for seed in range(40)) if deal.end == "won")
    seed = next(s for s in range(40) if play_out(base, s).events == won.events)
    state = dealt(of, Random(seed))
    seats = {"P0": 0, "P1": 1}
    assert play(of, state, won.events, seats).legal == len(won.events)
    held = of.pack.count(won.state.hands[won.state.winner or 0])
    assert (state.at == of.flow.won) == (held == 0)
