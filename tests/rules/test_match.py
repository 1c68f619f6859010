"""Several deals: who deals, what follows a misdeal or a draw, and the end of a session."""

from __future__ import annotations

import pytest

from .telling import RULE_SETS, all_judged, notes
from .test_flow import exhausted


def drawn(rules: str, first: str) -> str:
    """A deal that nobody wants anything of, with the player named first to act first."""
    holder = "Ben" if rules.startswith("classic") else "Ana"
    record = exhausted("classic" if rules.startswith("classic") else rules, f"{holder} passes")
    if first == "Ana":
        return record
    return record.replace("Ana", "?").replace("Ben", "Ana").replace("?", "Ben")


def won(first: str, other: str) -> str:
    """A swedish deal that the first player wins in three acts: four, four and three cards."""
    return f"""{first} turns 5c; melds 4c 5c 6c 7c; discards Kd
{other} passes; turns 2d; passes
{first} melds 2d 3d 4d 5d; discards Kh
{other} passes; turns Js; passes
{first} melds Jc Jh Js
"""


@pytest.mark.parametrize("rules", sorted({*RULE_SETS} - {"partnership", "mexican"}))
def test_the_dealer_moves_to_the_next_player_each_deal(rules: str) -> None:
    start = (
        "" if rules in ("coonking", "swedish", "swedish-packets", "paco", "navajo-tens") else "starter Ks\n"
    )
    ana, ben = (
        f"{start}Ana {'passes' if start else 'turns 5c'}",
        f"{start}Ben {'passes' if start else 'turns 5c'}",
    )
    three = f"deal 1\n{ana}\ndeal 2\n{ben}\ndeal 3\n{ana}"
    assert all_judged(rules, three) == ["unfinished"] * 3
    wrong = f"deal 1\n{ana}\ndeal 2\n{ana}\ndeal 3\n{ana}"
    assert all_judged(rules, wrong) == ["unfinished", "not-your-turn @ 0", "unfinished"]
    # The first dealer is the last player unless the header says otherwise; the next to deal is dealt first.
    assert all_judged(rules, f"deal 1\n{ben}\ndeal 2\n{ana}", head="dealer: Ana") == ["unfinished"] * 2


def test_partnership_the_deal_goes_round_the_table() -> None:
    record = "".join(
        f"deal {i + 1}\nstarter 5c\n{name} passes\n"
        for i, name in enumerate(("Ana", "Ben", "Cleo", "Dan", "Ana"))
    )
    assert all_judged("partnership", record) == ["unfinished"] * 5


def test_numbers_of_deals_ascend_and_gaps_count_as_no_deal() -> None:
    assert all_judged("swedish", "deal 3\nAna turns 5c\ndeal 7\nBen turns 5c") == ["unfinished"] * 2


@pytest.mark.parametrize("rules", ["classic", "coonking", "swedish"])
def test_after_a_misdeal_the_same_dealer_deals_again(rules: str) -> None:
    start = "starter Ks\n" if rules == "classic" else ""
    act = "passes" if start else "turns 5c"
    void = f"deal 1\n{start}Ana holds 9:\n"
    assert all_judged(rules, f"{void}deal 2\n{start}Ana {act}\ndeal 3\n{start}Ben {act}") == [
        "misdeal", "unfinished", "unfinished",
    ]  # fmt: skip
    assert all_judged(rules, f"{void}deal 2\n{start}Ben {act}") == ["misdeal", "not-your-turn @ 0"]
    # Any other fault of the set-up moves the deal on as usual.
    twice = f"deal 1\n{start}Ana holds 2c\nBen holds 2c\n"
    assert all_judged(rules, f"{twice}deal 2\n{start}Ben {act}") == ["card-elsewhere", "unfinished"]


@pytest.mark.parametrize("rules", ["classic", "coonking", "swedish"])
def test_under_replay_the_same_dealer_deals_again_after_a_draw(rules: str) -> None:
    start = "starter Ks\n" if rules == "classic" else ""
    act = "passes" if start else "turns 5c"
    record = f"deal 1\n{drawn(rules, 'Ana')}\ndeal 2\n{start}{{}} {act}"
    assert all_judged(rules, record.format("Ana"), "draw-settlement=replay") == ["drawn", "unfinished"]
    assert all_judged(rules, record.format("Ben"), "draw-settlement=replay") == ["drawn", "not-your-turn @ 0"]
    for other in ("carry", "point-each", "double-next", "pot"):
        assert all_judged(rules, record.format("Ben"), f"draw-settlement={other}") == ["drawn", "unfinished"]


def test_a_drawn_deal_with_a_wrong_claim_is_drawn_all_the_same() -> None:
    record = f"deal 1\n{drawn('swedish', 'Ana')}\nAna wins\ndeal 2\nAna turns 5c"
    assert all_judged("swedish", record, "draw-settlement=replay") == ["wrong-result", "unfinished"]


def test_deals_after_the_sessions_goal_are_judged_with_a_note() -> None:
    record = f"deal 1\n{won('Ana', 'Ben')}deal 2\n{won('Ben', 'Ana')}deal 3\n{won('Ana', 'Ben')}"
    record += "deal 4\nAna turns 5c"
    assert all_judged("swedish", record) == ["Ana wins", "Ben wins", "Ana wins", "not-your-turn @ 0"]
    assert notes("swedish", record) == []
    two = notes("swedish", record, head="match: wins=2")
    assert two == [("after-session", None)]  # the fourth deal: Ana has won the first and the third
    one = notes("swedish", record, head="match: wins=1")
    assert one == [("after-session", None)] * 3


def test_a_session_by_units_goes_on_until_so_many_are_won() -> None:
    # Each pays one unit a deal into the pot: after one win the winner has one unit, far from a hundred.
    classic = "starter Ks\nAna passes\nBen passes\n"
    record = f"deal 1\n{classic}{won('Ana', 'Ben')}deal 2\nstarter Ks\nBen passes"
    assert all_judged("classic", record, head="match: units=100") == ["Ana wins", "unfinished"]
    assert notes("classic", record, head="match: units=100") == []
    assert notes("classic", record, head="match: units=2") == []
    assert notes("classic", record, head="match: units=1") == [("after-session", None)]


def test_a_session_by_units_ends_when_a_player_is_so_many_ahead() -> None:
    # Two drawn deals leave four units. Who wins the third has paid three and takes six.
    record = f"deal 1\n{drawn('classic', 'Ana')}\ndeal 2\n{drawn('classic', 'Ben')}\n"
    record += f"deal 3\nstarter Ks\nAna passes\nBen passes\n{won('Ana', 'Ben')}deal 4\nstarter Ks\nBen passes"
    assert all_judged("classic", record) == ["drawn", "drawn", "Ana wins", "unfinished"]
    assert notes("classic", record, head="match: units=3") == [("after-session", None)]
    assert notes("classic", record, head="match: units=4") == []
    # With each settlement as it says: an ante back is one unit less to win, two more in the pot are two more.
    assert notes("classic", record, "draw-settlement=point-each", head="match: units=2") == []
    assert notes("classic", record, "draw-settlement=pot", head="match: units=3") == [("after-session", None)]
