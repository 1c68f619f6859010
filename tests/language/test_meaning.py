"""What the words of conditions mean, seen in positions that one rule more decides."""

from __future__ import annotations

from typing import Any

import pytest

from conquian.engine.engine import engine_of
from conquian.engine.program import compile_rules
from conquian.language.build import compile_text
from conquian.position import Position, Rules

HEAD = 'ruleset mine "Mine"\nextends {}\nsource club "Club" in "club.txt"\n'


def rules(items: str, base: str = "classic") -> Rules:
    compiled, problems = compile_text(HEAD.format(base) + items, "mine.rules")
    assert compiled is not None
    assert [p.message for p in problems if p.severity == "error"] == []
    return Rules(engine_of(compile_rules(compiled)))


def forbidding(verb: str, when: str, base: str = "classic") -> Rules:
    return rules(f'clause x "X" cite club.1 code house.x player may not {verb} when {when}\n', base)


def code(position: Position, *event: Any) -> str | None:
    refusal = position.check(event)
    return None if refusal is None else refusal.code


FOUR = ("me", "melds", (("5d", "6d", "7d", "Jd"),))
RUN: dict[str, Any] = {"up": "Jd", "table": [["5d", "6d", "7d"]]}


# ---- the hand


def test_hand_as_cards_is_what_the_player_holds_before_he_lays() -> None:
    rule = forbidding("meld", "size(hand) = 2")
    given: dict[str, Any] = {"up": "5d", "hand": ["6d", "7d"]}
    assert code(rule.position(**given), "me", "melds", (("5d", "6d", "7d"),)) == "house.x"


def test_size_of_hand_counts_cards_that_nobody_recorded() -> None:
    position = forbidding("meld", "size(hand) = 7").position(**RUN)
    assert position.hand("me") == ((), 7)
    assert code(position, *FOUR) == "house.x"


@pytest.mark.parametrize(
    ("when", "known", "unknown"),
    [
        # Whatever the seven unknown cards are: nothing is certain of them, so nothing is forbidden.
        ("some c in hand: c meets hand", "house.x", None),
        ("no c in hand: valid(cards(before) + c)", "house.x", None),
        ("every c in hand: not valid(cards(before) + c)", "house.x", None),
        ("not (some c in hand without laid: valid(cards(before) + c))", "house.x", None),
        ("hand is not empty", "house.x", "house.x"),
        ("hand is empty", None, None),
        ("size(hand & cards(before)) = 0", "house.x", None),
    ],
)
def test_a_prohibition_holds_only_for_certain(when: str, known: str | None, unknown: str | None) -> None:
    rule = forbidding("meld", when)
    assert code(rule.position(hand=["Kc"], **RUN), *FOUR) == known
    assert code(rule.position(**RUN), *FOUR) == unknown


def test_hand_counts_copies_of_a_card_in_packs_with_copies() -> None:
    position = forbidding("meld", "size(hand) = 3", "navajo-tens")
    given: dict[str, Any] = {"up": "5d", "hand": ["6d", "7d", "7d"]}
    assert code(position.position(**given), "me", "melds", (("5d", "6d", "7d"),)) == "house.x"
    kept = forbidding("meld", "some c in hand without used: run(laid without c + c)", "navajo-tens")
    assert code(kept.position(**given), "me", "melds", (("5d", "6d", "7d"),)) is None


def test_hand_as_a_place_is_counted_once_the_event_is_done() -> None:
    rule = rules(
        """override clause discarding "A player whose hand is empty ends the deal." cite club.1
           phase discard:
             player discards then thrown
           clause thrown "So it is." cite club.1
           phase thrown:
             otherwise offer to next as given when not hand is empty
             otherwise drawn when hand is empty
        """
    )
    for hand, phase in ((["Kc"], "drawn"), (["Kc", "2c"], "offer")):
        position = rule.position(hand=hand, **RUN).apply(FOUR).apply(("me", "discards", "Kc"))
        assert position.phase == phase


# ---- the order of play


def test_before_in_the_order_of_play_is_the_table_as_the_event_leaves_it() -> None:
    rule = rules(
        """override clause laying "With four cards down nothing is thrown." cite club.1
           phase laid:
             otherwise discard when size(cards(before)) < 4
             otherwise melded when size(cards(before)) >= 4
        """
    )
    assert rule.position(hand=["Kc"], **RUN).apply(FOUR).phase == "melded"
    three = rule.position(up="5d", hand=["6d", "7d", "Kc"])
    assert three.apply(("me", "melds", (("5d", "6d", "7d"),))).phase == "discard"


def test_an_event_whose_line_does_not_hold_is_a_wrong_action() -> None:
    rule = rules(
        """override clause offering "The starter is not melded." cite club.1
           phase offer:
             player melds then laid when not starter and not hand is empty
             player passes then declined
             opponent forces then forced
        """
    )
    assert code(rule.position(hand=["Kc"], **RUN), *FOUR) is None
    assert code(rule.position(hand=[], **RUN), *FOUR) == "wrong-action"


def test_variables_may_have_any_name() -> None:
    rule = rules(
        """override define fits: some my-meld_1 in before: some my_meld-1 in before:
             valid(my-meld_1 + up) and my-meld_1 = my_meld-1
        """
    )
    passed = rule.position(hand=["Kc"], **RUN).apply(("me", "passes"))
    assert code(passed, "opponent", "forces") is None
    other = rule.position(up="2c", table=RUN["table"], hand=["Kc"]).apply(("me", "passes"))
    assert code(other, "opponent", "forces") == "no-force-due"


def test_the_cards_of_a_definition_are_not_caught_by_its_variables() -> None:
    # `grown(m)` ranges over `m` of its own: is some other meld larger than the one that is asked about?
    rule = rules(
        """define smaller(n): some m in after: size(m) > size(n)
           clause x "X" cite club.1 code house.x player may not meld when some m in after: smaller(m)
        """
    )
    hand = ["2c", "2h", "2s"]
    assert code(rule.position(hand=hand, **RUN), *FOUR) is None
    both = ("me", "melds", (("5d", "6d", "7d", "Jd"), ("2c", "2h", "2s")))
    assert code(rule.position(hand=hand, **RUN), *both) == "house.x"


# ---- cards and melds


@pytest.mark.parametrize(
    ("when", "forbidden"),
    [
        ("some n in after: up in ends(n)", True),
        ("some n in after: size(ends(n)) = 1", False),
        ("cards(after) without cards(before) = laid", True),
        ("laid = up", True),
        ("used is empty", True),
        ("up within cards(before)", False),
        ("before meets up", None),
        ("cards(before) meets up", False),
        ("every m in before: some n in after: m within n and m != n", True),
        ("possible(cards(before) + up)", True),
        ("group(cards(after))", False),
        ("goal = 11", True),
        ("size(cards(after)) in 4..4", True),
        ("not own and starter", False),
    ],
)
def test_words_of_a_meld(when: str, forbidden: bool | None) -> None:
    if forbidden is None:
        with pytest.raises(AssertionError):
            forbidding("meld", when)
        return
    position = forbidding("meld", when).position(hand=["Kc"], **RUN)
    assert code(position, *FOUR) == ("house.x" if forbidden else None)


@pytest.mark.parametrize(
    ("when", "forbidden"),
    [
        ("own", True),
        ("hand is empty", False),
        ("size(stock) = 19", True),
        ("some m in before: valid(m + up)", True),
    ],
)
def test_words_of_a_pass(when: str, forbidden: bool) -> None:
    position = forbidding("pass", when).position(hand=["Kc"], turned_by="me", **RUN)
    assert code(position, "me", "passes") == ("house.x" if forbidden else None)


@pytest.mark.parametrize(("when", "forbidden"), [("stock is empty", False), ("before is not empty", True)])
def test_words_of_a_turn(when: str, forbidden: bool) -> None:
    passed = forbidding("turn", when).position(hand=["Kc"], **RUN).apply(("me", "passes"))
    assert code(passed, "me", "turns", "2h") == ("house.x" if forbidden else None)


@pytest.mark.parametrize(
    ("when", "forbidden"),
    [("thrown in hand", True), ("size(hand) = 2", True), ("thrown meets cards(before)", False)],
)
def test_words_of_a_discard(when: str, forbidden: bool) -> None:
    laid = forbidding("discard", when).position(hand=["Kc", "2c"], **RUN).apply(FOUR)
    assert code(laid, "me", "discards", "Kc") == ("house.x" if forbidden else None)


@pytest.mark.parametrize(
    ("when", "plain", "named"),
    [
        ("named", None, "no-force-due"),
        ("said = up and size(onto) = 3", None, "no-force-due"),
        ("own", None, None),
    ],
)
def test_words_of_a_demand(when: str, plain: str | None, named: str | None) -> None:
    rule = rules(f'clause x "X" cite club.1 opponent may not force when {when}\n', "swedish")
    position = rule.position(hand=["Kc"], **RUN)
    assert code(position, "opponent", "forces") == plain
    assert code(position, "opponent", "forces", "Jd", ("5d", "6d", "7d")) == named
