"""The expected answers of golden cases, from the independent referee and the tables written by hand.

Guarantees: the engine has no part in what is written here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tests.reference.melds import Card, Meld, every_meld, laid_out
from tests.reference.referee import Ruling, judge
from tests.reference.search import legal_tables, regroupings, winning_tables
from tests.reference.settings import settings_for

from .cases import NOTES, open_end
from .citations import passages_of, role

Line = dict[str, Any]


def game_line(game: Mapping[str, Any]) -> Line:
    """A game with the verdict on each of its deals."""
    return {"type": "game", "game": game, "expect": [_deal(game, r, d) for r, d in _judged(game)]}


def position_line(
    rules: str,
    readings: Mapping[str, str],
    up: Card,
    table: Sequence[Meld],
    hand: Sequence[Card],
    own: bool,
) -> Line:
    """A position with all that can be counted of it."""
    settings = settings_for(rules, readings)
    laid = laid_out(table, settings)
    return {
        "type": "position",
        "rules": rules,
        "readings": dict(readings),
        "up": up,
        "table": [list(meld) for meld in laid],
        "hand": list(hand),
        "own": own,
        "melds": len(legal_tables(settings, laid, up, hand)),
        "wins": len(winning_tables(settings, laid, up, hand)),
        "forced": len(legal_tables(settings, laid, up, hand, forced=True)),
        "regroupings": len(regroupings(settings, laid)),
    }


def pack_line(rules: str, readings: Mapping[str, str]) -> Line:
    """The pack as it is shown and the number of melds."""
    settings = settings_for(rules, readings)
    return {
        "type": "pack",
        "rules": rules,
        "readings": dict(readings),
        "cards": settings.deck(),
        "copies": settings.packs,
        "melds": len(every_meld(settings)),
    }


def _judged(game: Mapping[str, Any]) -> list[tuple[Ruling, Mapping[str, Any]]]:
    return list(zip(judge(game), game["deals"], strict=True))


def _deal(game: Mapping[str, Any], ruling: Ruling, deal: Mapping[str, Any]) -> list[Any]:
    passage = None
    if ruling.code is not None:
        settings = settings_for(game["rules"], game.get("readings"))
        clause = role(settings, ruling, deal)
        passage = None if clause is None else passages_of(game["rules"])[clause]
    unfinished = ruling.code not in (None, "wrong-result")
    return [
        ruling.verdict,
        ruling.event,
        ruling.code,
        None if unfinished else ruling.winner,
        False if unfinished else bool(ruling.drawn),
        passage,
        sorted(_notes(ruling, deal), key=str),
    ]


def _notes(ruling: Ruling, deal: Mapping[str, Any]) -> list[tuple[str, int | None]]:
    """The notes, each with the event that the program says it of."""
    found: list[tuple[str, int | None]] = []
    for note in ruling.notes:
        event = note.event
        if note.code == "demand-not-made":
            event = len(deal["events"]) - 1 if event is None else event - 1
        if note.code == "stuck":
            event = len(deal["events"]) - 1 if deal["events"] else None
        legal = len(deal["events"]) if ruling.event is None else ruling.event
        if note.code in NOTES and not open_end(note.code, event, legal, ruling.verdict):
            found.append((note.code, event))
    return found
