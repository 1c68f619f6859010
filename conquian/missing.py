"""What an answer about melds depends on of what a position leaves out: table, hand, who turned the card, stock.

Guarantees: nothing is named that was given. Who turned the card and the stock are named only where the answer was
tried both ways and differs; the hand only where a card of it is needed that is not known, or could be melded; the
table wherever melds are asked about, but for what is refused with any table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from conquian.engine.engine import Engine
from conquian.engine.play import Event
from conquian.engine.refusals import Refusal
from conquian.engine.search import can_meld, legal_layouts, taking
from conquian.engine.state import State
from conquian.forcing import DEPENDS, completions, differing
from conquian.position import Position
from conquian.questions import Question
from conquian.tongue import both, tell

WHATEVER_LIES: Final = frozenset(
    {
        "not-in-deck",
        "game-over",
        "exchange",
        "not-your-turn",
        "wrong-action",
        "no-offer",
        "card-twice",
        "offer-not-used",
        "invalid-meld",
    }
)
"""Codes of melds and regroupings that are refused whatever lies on the table."""

ORDER: Final = ("table", "hand", "turned_by", "stock")


def missing_of_melds(asked: Question) -> list[str]:
    """What the list of all legal melds depends on."""
    engine, state = asked.rules.engine, asked.position.state
    at = taking(engine, state)
    if at is None:
        return []
    seat = engine.flow.seat(at)
    found = {"table"} & set(asked.left_out)
    if state.unknown[seat] and (found or can_meld(engine, state)):
        found.add("hand")
    rest = [part for part in asked.left_out if part not in ("table", "hand")]
    return _in_order(
        {*found, *_tried(rest, engine, state, seat, lambda case: frozenset(legal_layouts(engine, case)))}
    )


def missing_of_event(asked: Question, event: Event, refusal: Refusal | None) -> list[str]:
    """What it depends on whether an event is legal, and wins."""
    position, verb, found = asked.position, event[1], set[str]()
    engine, state = position.rules.engine, position.state
    seat, at = position.players.index(event[0]), taking(engine, state)
    holder = seat if at is None else engine.flow.seat(at)
    unknown, left_out = state.unknown[seat], list(asked.left_out)
    if verb in ("melds", "arranges"):
        if "table" in left_out:
            left_out.remove("table")
            if refusal is None or refusal.code not in WHATEVER_LIES:
                found.add("table")
        if unknown and refusal is None:
            short = position.apply(event).state.unknown[seat] < unknown
            if short or engine.program.asks_hand:
                found.add("hand")
    elif unknown and _outcome(position, event) != _outcome(_with_no_hand(position, seat), event):
        found.add("hand")

    def outcome(case: State) -> str:
        return _outcome(Position(position.rules, case, position.players), event)

    return _in_order({*found, *_tried(left_out, engine, state, holder, outcome)})


def missing_lines(parts: list[str]) -> tuple[str, ...]:
    """The line that says so; none if there is nothing to say."""
    return (tell(DEPENDS, parts=both(parts)),) if parts else ()


def _tried(
    left_out: Sequence[str], engine: Engine, state: State, seat: int, answer: Callable[[State], object]
) -> list[str]:
    """The parts of which one alone changes an answer; nothing is tried where nothing is left out."""
    if not left_out:
        return []
    return differing({name: answer(case) for name, case in completions(left_out, engine, state, seat)})


def _outcome(position: Position, event: Event) -> str:
    """`won` after a legal event that wins, `legal` after another, else empty."""
    if not position.can(event):
        return ""
    return "won" if position.apply(event).phase == "won" else "legal"


def _with_no_hand(position: Position, seat: int) -> Position:
    """The position with nothing in a hand but what is known of it."""
    state: State = position.state.copy()
    state.unknown[seat] = 0
    return Position(position.rules, state, position.players)


def _in_order(parts: set[str]) -> list[str]:
    return [part for part in ORDER if part in parts]
