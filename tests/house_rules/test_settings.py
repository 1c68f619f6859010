"""P04: every setting one step further is played from the deal to the end, or refused by name at load."""

from __future__ import annotations

from itertools import product

import pytest

from conquian.language.build import compile_text

from .players import engine_of_text, play_out

FORTY = "deck A 2 3 4 5 6 7 J Q K of clubs diamonds hearts spades"
PACKS = {
    52: "deck A 2 3 4 5 6 7 8 9 10 J Q K of clubs diamonds hearts spades",
    80: f"{FORTY} packs 2",
    200: f"{FORTY} packs 5",
}


def settings(pack: int, hand: int, goal: int, least: int = 3) -> str:
    order = 'override clause order "One." cite club.1 order A 2 3 4 5 6 7 8 9 10 J Q K' if pack == 52 else ""
    fewer = f"""
    override clause groups "Two." cite club.1
      meld group(g) when same_rank(g) and size(g) in {least}..4 and (group-suits is any or distinct(g))
    override clause runs "Two." cite club.1
      meld run(g) when same_suit(g) and consecutive(g) and size(g) >= {least}"""
    return f"""ruleset further "One step further"
    extends classic
    source club "A club" in "club.txt"
    override clause pack "One." cite club.1 {PACKS[pack]}
    {order}
    override clause dealing "One." cite club.1 deal {hand} in packets of 1
    override clause goal "One." cite club.1 goal {goal}
    {fewer if least != 3 else ""}"""


@pytest.mark.parametrize(("pack", "hand", "goal"), [*product((52, 80, 200), (8, 10, 13), (8, 9, 11, 15))])
def test_p04_every_setting_is_played_to_the_end(pack: int, hand: int, goal: int) -> None:
    engine = engine_of_text(settings(pack, hand, goal))
    assert engine.pack.size == pack
    deal = play_out(engine, seed=pack + hand + goal)
    # Only where the goal is one more than the deal does a due discard always find a card.
    assert deal.end in {"won", "drawn", "stuck"}
    assert goal != hand + 1 or deal.end != "stuck"


@pytest.mark.parametrize("pack", [52, 80, 200])
def test_p04_melds_of_two_are_played_to_the_end(pack: int) -> None:
    engine = engine_of_text(settings(pack, 8, 9, least=2))
    assert min(engine.pack.count(meld) for meld in engine.melds.packed) == 2
    assert {play_out(engine, seed).end for seed in range(2)} <= {"won", "drawn", "stuck"}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ('override clause dealing "x" cite club.1 deal 30 in packets of 1', "leave no stock"),
        ('override clause goal "x" cite club.1 goal 53', "more than the pack"),
        (
            'override clause runs "x" cite club.1 meld run(g) when same_suit(g) and consecutive(g)',
            "a single card",
        ),
        ('override clause seats "x" cite club.1 players 9', "cannot play"),
        ('override clause seats "x" cite club.1 players 6', "leave no stock"),
        ('override clause dealing "x" cite club.1 deal 4 in packets of 5', "more than the deal"),
    ],
)
def test_p04_a_setting_that_cannot_be_played_is_refused_by_name(change: str, said: str) -> None:
    text = f'ruleset over "Too far"\nextends classic-52\nsource club "A club" in "club.txt"\n{change}\n'
    _, problems = compile_text(text, "over.rules")
    assert [p.code for p in problems if p.severity == "error"] == ["CQ405"]
    assert said in problems[0].message
