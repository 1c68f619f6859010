"""Stakes of one's own: what the language can say, each a file that extends a shipped set. Worked out by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from conquian.language.build import load
from conquian.language.problems import RulesError
from conquian.language.show import show
from conquian.scoring import score
from conquian.standings import Goal, Score, ScoreNote
from conquian.transcript.read import read

from .telling import noted, payments, told, units, wins

HEAD = 'ruleset mine "Mine"\nextends {}\nsource club "The club" in "club.txt"\n\n'


def ledger(folder: Path, extends: str, clauses: str, text: str, goal: Goal | None = None) -> Score:
    file = folder / f"mine-{len(list(folder.iterdir()))}.rules"
    file.write_text(HEAD.format(extends) + clauses, encoding="utf-8")
    (sheet,) = read(text.encode(), "match.cqn")
    return score(sheet, rules=str(file), goal=goal).score


def clause(name: str, body: str, override: bool = False) -> str:
    return f'{"override " if override else ""}clause {name} "So it is."\n  cite club.stakes\n  {body}\n'


def test_amounts_and_lines_are_those_of_the_file(tmp_path: Path) -> None:
    lines = "stakes:\n    everyone pays 5 to pot\n    winner pays 1 to pot\n    loser pays 3 to winner"
    found = ledger(tmp_path, "classic", clause("stakes", lines, True), told("classic", "first drawn first"))
    # Ana: -5 -1 +11 +3. Draw: -5 each. Then she is first again: -5 -1 +21 +3.
    assert payments(found) == [(8, -8), (-5, -5), (18, -8)]
    assert found.pot == 0


def test_everything_is_paid_before_the_pot_is_taken_whatever_the_order_of_the_lines(tmp_path: Path) -> None:
    text = told("classic", "first")
    for order in (
        "winner takes pot\n    everyone pays 2 to pot",
        "everyone pays 2 to pot\n    winner takes pot",
    ):
        lines = clause("stakes", f"stakes:\n    {order}", True)
        assert payments(ledger(tmp_path, "classic", f"drop takings\n\n{lines}", text)) == [(2, -2)]


def test_several_clauses_add_lines(tmp_path: Path) -> None:
    more = clause("fee", "stakes:\n    loser pays 2 to winner") + clause(
        "fine", "stakes:\n    loser pays 1 to pot"
    )
    # Ben: ante 1, fee 2, fine 1; Ana: ante 1, gets the pot of 3 and the fee.
    assert payments(ledger(tmp_path, "classic", more, told("classic", "first"))) == [(4, -4)]


def test_a_deal_that_counts_more_moves_more_and_is_one_win(tmp_path: Path) -> None:
    more = clause("often", "stakes:\n    deal counts 3") + clause("twice", "stakes:\n    deal counts 2")
    found = ledger(tmp_path, "classic", more, told("classic", "first"))
    assert (payments(found), wins(found)) == ([(6, -6)], (1, 0))


def test_units_that_are_scored_come_from_nobody(tmp_path: Path) -> None:
    lines = "stakes:\n    winner scores 3\n    everyone scores 1 when drawn\n    loser scores 2"
    found = ledger(tmp_path, "classic", clause("stakes", lines, True), told("classic", "first drawn"))
    assert (payments(found), units(found), found.pot) == ([(3, 2), (1, 1)], (4, 3), 0)
    twice = clause("twice", "stakes:\n    deal counts 2 when drawn-before")
    found = ledger(
        tmp_path, "classic", clause("stakes", lines, True) + twice, told("classic", "drawn second")
    )
    # After the draw everything is moved twice.
    assert payments(found) == [(1, 1), (6, 4)]


def test_the_loser_or_everyone_can_take_the_pot(tmp_path: Path) -> None:
    lines = clause("stakes", "stakes:\n    everyone pays 2 to pot\n    loser takes pot", True)
    found = ledger(tmp_path, "classic", f"drop takings\n\n{lines}", told("classic", "first drawn"))
    assert (payments(found), found.pot) == ([(-2, 2), (-2, -2)], 4)


def test_conditions_ask_for_the_melds_of_the_act_that_won(tmp_path: Path) -> None:
    lines = clause(
        "long-run", "stakes:\n    loser pays 1 to winner when some m in after: run(m) and size(m) >= 4"
    )
    # The winner in three acts has the runs 4c-7c and 2d-5d.
    assert payments(ledger(tmp_path, "classic", lines, told("classic", "first"))) == [(2, -2)]
    five = lines.replace(">= 4", ">= 5")
    assert payments(ledger(tmp_path, "classic", five, told("classic", "first"))) == [(1, -1)]
    last = clause(
        "last", "stakes:\n    loser pays 1 to winner when size(cards(after) without cards(before)) = 3"
    )
    # Four, four and three cards: the last act laid three. Going out in one act laid eleven.
    assert payments(ledger(tmp_path, "classic", last, told("classic", "first rummy"))) == [(2, -2), (-1, 1)]
    goal = clause("goal-met", "stakes:\n    loser pays 1 to winner when size(cards(after)) = goal")
    assert payments(ledger(tmp_path, "classic", goal, told("classic", "first drawn"))) == [(2, -2), (-1, -1)]


def test_what_cannot_be_shared_equally_stays_in_the_pot(tmp_path: Path) -> None:
    seats = (
        'override clause seats "Five."\n  cite club.five\n  players 5 teams 1 and 3 against 2 and 4 and 5\n'
    )
    copies = "  deck A 2 3 4 5 6 7 J Q K of clubs diamonds hearts spades packs 2\n"
    pack = f'override clause pack "Two packs."\n  cite club.five\n{copies}'
    lines = clause("fee", "stakes:\n    loser pays 1 to winner")
    record = """starter 5c
Ana melds 4c 5c 6c 7c; discards Kd
Ben passes; turns 2d; passes
Cleo melds 4c 5c 6c 7c, 2d 3d 4d 5d; discards Kh
Dan passes; turns Js; passes
Eva passes; turns Jd; passes
Ana melds 4c 5c 6c 7c, 2d 3d 4d 5d, Jc Jd Jh
"""
    text = f"players: Ana, Ben, Cleo, Dan, Eva\n\n{record}"
    found = ledger(tmp_path, "classic", f"{seats}{pack}{lines}", text)
    # Five antes: two for each of the partners, one stays. Three fees: one for each of them, one stays.
    assert (payments(found), found.pot) == ([(2, -2, 2, -2, -2)], 2)


def test_three_players_each_for_himself(tmp_path: Path) -> None:
    seats = 'override clause seats "Three."\n  cite club.three\n  players 3\n'
    copies = "  deck A 2 3 4 5 6 7 J Q K of clubs diamonds hearts spades packs 2\n"
    pack = f'override clause pack "Two packs."\n  cite club.three\n{copies}'
    record = (
        "Ana holds 3c 3d 3h 6h 7h Jh Qh 5s 6s 7s\nstarter 3s\nAna melds 3c 3d 3h 3s, 6h 7h Jh Qh, 5s 6s 7s\n"
    )
    text = f"players: Ana, Ben, Cleo\nreadings: rummy-bonus=double\n\n{record}"
    # Three antes; she pays one. Going out in one act, each of the others pays one more.
    assert payments(ledger(tmp_path, "classic", f"{seats}{pack}", text)) == [(4, -2, -2)]


def test_a_set_without_stakes_counts_wins_only(tmp_path: Path) -> None:
    dropped = "".join(f"drop {name}\n\n" for name in ("stakes", "takings", "settlement", "doubling", "bonus"))
    found = ledger(tmp_path, "classic", dropped, told("classic", "first drawn first"))
    assert (payments(found), wins(found), found.pot) == ([(0, 0)] * 3, (2, 0), 0)


def test_the_session_of_the_file_is_the_goal_that_the_command_line_asks_for(tmp_path: Path) -> None:
    session = clause("session", "session ends at 2 wins or 3 units", True)
    text = told("classic", "first second first")
    for goal, over in ((Goal("wins"), True), (Goal("units"), True), (Goal("wins", 4), False)):
        assert ledger(tmp_path, "classic", session, text, goal).over is over
    assert noted(ledger(tmp_path, "classic", session, text, Goal("wins"))) == [
        ("rules-overridden", None), ("after-session", 3),
    ]  # fmt: skip
    with pytest.raises(ValueError, match="names no wins that end a session"):
        ledger(tmp_path, "classic", "drop session\n", text, Goal("wins"))


def test_the_highest_cut_can_deal_and_a_rank_at_both_ends_is_low(tmp_path: Path) -> None:
    high = 'override clause cut "The highest."\n  cite club.cut\n  cut highest deals\n'
    text = "rules: classic\nplayers: Ana, Ben\n\ncut Ana {}, Ben 3d\nstarter Ks\nAna passes\n"

    def said(rules: str, clauses: str, card: str) -> bool:
        return any("by the cut Ana would" in n.message for n in cut_notes(tmp_path, rules, clauses, card))

    def cut_notes(folder: Path, rules: str, clauses: str, card: str) -> list[ScoreNote]:
        return [n for n in ledger(folder, rules, clauses, text.format(card)).notes if n.code == "cut"]

    # Ben deals; the note says where the cut would have it otherwise.
    assert (said("classic", high, "Qh"), said("classic", high, "2h")) == (True, False)
    ace = 'override clause order "High or low."\n  cite club.ace\n  order A 2 3 4 5 6 7 J Q K A\n'
    assert (said("classic", ace, "As"), said("classic", high + ace, "As")) == (True, False)
    none = ledger(tmp_path, "classic", "drop cut\n", text.format("2h"))
    assert none.dealer_next == "Ana"
    assert none.notes[1].message == "these rules leave open what a cut decides; Ben deals first"


def problems(folder: Path, clauses: str) -> list[str]:
    file = folder / "wrong.rules"
    file.write_text(HEAD.replace("mine", "wrong").format("classic") + clauses, encoding="utf-8")
    with pytest.raises(RulesError) as told_:
        load(str(file))
    return [problem.code for problem in told_.value.problems]


def test_what_the_stakes_cannot_ask_is_told(tmp_path: Path) -> None:
    assert problems(tmp_path, clause("a", "stakes:\n    loser pays 1 to winner when up in after")) == [
        "CQ302"
    ]
    assert problems(tmp_path, clause("a", "stakes:\n    loser pays 0 to winner")) == ["CQ104"]
    assert problems(tmp_path, clause("a", "stakes:\n    loser pays 1 to loser")) == ["CQ101"]
    assert problems(tmp_path, clause("a", "cut lowest deals")) == ["CQ407"]
    assert problems(tmp_path, clause("a", "cut middle deals")) == ["CQ101"]


def test_the_stakes_are_shown_as_they_are_written() -> None:
    for name in ("classic", "coonking", "swedish", "common"):
        shown = show(load(name))
        assert "everyone takes pot" in shown
        assert ("cut lowest deals" in shown) is (name in ("classic", "coonking"))
        assert "deal counts 2 when drawn-before and draw-settlement is double-next" in shown
