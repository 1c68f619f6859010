"""The picture in a terminal."""

from __future__ import annotations

import re

import pytest

from conquian.pictures.scene import scene_of
from conquian.pictures.terminal import terminal
from conquian.position import Position, load

from .positions import borrowed_scene, forced

# Drawn by hand after the position of the contract.
DRAWN = """\
  opponent
  ╭───╮
  │▒▒▒│  hand not known
  ╰───╯
  ╭───┬───┬───╮
  │5♠ │6♠ │7♠ │
  ╰───┴───┴───╯

  ╭───╮               ╔═══╗
  │▒▒▒│  12 in stock  ║K♥ ║  on offer to me
  ╰───╯               ╚═══╝  can be forced

  ╔═══╦═══╦═══╦═══╗  ╭───┬───┬───┬───╮
  ║6♥ ║7♥ ║J♥ ║Q♥ ║  │3♣ │3♦ │3♥ │3♠ │
  ╚═══╩═══╩═══╩═══╝  ╰───┴───┴───┴───╯
  ╭───┬───╮
  │A♦ │A♥ │  2 cards in hand
  ╰───┴───╯
▶ me to act

  double frame: the card can be forced onto this meld"""


def test_a_position_is_drawn_with_boxes() -> None:
    assert "\n".join(terminal(scene_of(forced()))) == DRAWN


def test_ascii_says_the_same_in_ascii() -> None:
    lines = list(terminal(scene_of(forced()), ascii_only=True))
    assert all(line.isascii() for line in lines)
    assert "  #6h #7h #Jh #Qh #  |3c |3d |3h |3s |" in lines
    assert [len(line) for line in lines] == [len(line) for line in DRAWN.splitlines()]


def test_borrowed_and_laid_cards_have_signs_under_them() -> None:
    lines = list(terminal(borrowed_scene()))
    at = next(i for i, line in enumerate(lines) if "7♠" in line)
    cards, signs = lines[at], lines[at + 2]
    under = {cards[i : i + 2]: sign for i, sign in enumerate(signs) if sign != " "}
    assert under == {"7♦": "•", "7♥": "•", "7♠": "↶", "4♠": "•"}
    assert lines[-1] == "  ↶ borrowed   • just laid"


def test_colour_changes_nothing_but_colour() -> None:
    plain, coloured = (list(terminal(scene_of(forced()), colour=colour)) for colour in (False, True))
    assert not any("\033" in line for line in plain)
    assert [re.sub(r"\033\[[0-9;]*m", "", line) for line in coloured] == plain
    assert any("\033[31mK♥\033[0m" in line for line in coloured)


@pytest.mark.parametrize("width", [24, 40, 80])
def test_lines_keep_to_the_width(width: int) -> None:
    long = load("swedish").position(
        up="Kh",
        table=[["Ac", "Ad", "Ah"], ["2c", "2d", "2h"], ["3c", "3d", "3h"]],
        opponent_table=[["4c", "4d", "4h"], ["5c", "5d", "5h"]],
        hand=["6c", "6d", "6h", "6s", "7c", "7d", "7h", "7s", "Jc", "Jd"],
    )
    assert max(len(line) for line in terminal(scene_of(long), width=width)) <= max(width, 55)
    boxes = [line for line in terminal(scene_of(long), width=width) if set(line) & set("╭│╰")]
    assert max(map(len, boxes)) <= width


def test_names_move_no_cursor() -> None:
    here = forced()
    named = Position(here.rules, here.state, ("A\x1b[2J", "Åsa"))
    text = "\n".join(terminal(scene_of(named)))
    assert "A\\x1b[2J" in text and "\x1b" not in text and "Åsa" in text
    assert "\\xc5sa" in "\n".join(terminal(scene_of(named), ascii_only=True))


def test_a_won_deal_says_who_has_won() -> None:
    rules = load("swedish")
    here = rules.position(
        up="3s", table=[["6h", "7h", "Jh", "Qh"], ["5s", "6s", "7s"]], hand=["3c", "3d", "3h"], stock=2
    )
    after = here.apply(("me", "melds", (("3c", "3d", "3h", "3s"),)))
    assert "  me has won" in list(terminal(scene_of(after)))
