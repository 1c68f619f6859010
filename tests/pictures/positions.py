"""Positions that several tests draw, each with what is to be seen worked out by hand."""

from __future__ import annotations

from conquian.pictures.scene import Scene, scene_of
from conquian.position import Position, load

ANY = {"new-meld": "any"}


def forced() -> Position:
    """The king of hearts extends the run of hearts, and under these rules is demanded as soon as it is offered."""
    return load("swedish").position(
        up="Kh",
        table=[["3c", "3d", "3h", "3s"], ["6h", "7h", "Jh", "Qh"]],
        hand=["Ah", "Ad"],
        opponent_table=[["5s", "6s", "7s"]],
        stock=12,
    )


def borrowing() -> tuple[Position, Position]:
    """The seven of spades goes from its run into a new group; four and two sevens are new on the table."""
    before = load("swedish", ANY).position(up="7h", table=[["5s", "6s", "7s"]], hand=["4s", "7d"], stock=3)
    return before, before.apply(("me", "melds", (("7s", "7h", "7d"), ("4s", "5s", "6s"))))


def borrowed_scene() -> Scene:
    before, after = borrowing()
    return scene_of(after, before=before)
