"""Cases written for a purpose: what chance gives too seldom.

Guarantees: expected answers are the independent referee's, as of every other case.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any

from tests.reference.melds import is_meld
from tests.reference.randomplay import random_game
from tests.reference.referee import judge, states
from tests.reference.settings import Settings, settings_for
from tests.reference.state import State

from .answers import Line, game_line, position_line
from .citations import FAMILIES

Game = dict[str, Any]
Event = list[Any]
MOST_SEEDS = 80
SETTLEMENTS = ("carry", "point-each", "replay", "double-next", "pot")
BORROWING = ("free", "never-from-three", "afterwards")
TOGETHER: tuple[dict[str, str], ...] = (
    {},
    {"arranging": "alone"},
    {"discard-after-meld": "no", "arranging": "alone"},
    {"borrowing": "never-from-three", "arranging": "alone"},
    {"borrowing": "afterwards", "arranging": "with-meld"},
    {"borrowing": "afterwards", "arranging": "with-meld", "discard-after-meld": "no"},
    {"exhaustion": "immediate", "arranging": "alone"},
    {"force-timing": "on-offer", "arranging": "alone"},
    {"force-timing": "on-offer", "force-scope": "rearrangement"},
    {"force-timing": "on-decline", "force-scope": "rearrangement"},
)
"""Readings that say something only together."""


def special(rules: str) -> Iterator[Line]:
    """The cases written for a rule set."""
    if rules in FAMILIES:
        yield from dealt_again(rules)
        yield from borrowed(rules)
        yield from laid_out_anew(rules)
        for readings in TOGETHER:
            yield from put_in_everywhere(rules, readings)
    if rules == "two-deck":
        yield from nothing_to_throw()


def dealt_again(rules: str) -> Iterator[Line]:
    """Who deals after a misdeal, after a draw under each settlement, and after a deal that is won."""
    for settlement in SETTLEMENTS:
        for wanted in (True, False):
            game = _first_deal(rules, {"draw-settlement": settlement}, wanted)
            if game is not None:
                yield game_line(bare(game))
                misdealt = deepcopy(game)
                misdealt["deals"][0]["hand_sizes"] = {game["players"][0]: 5}
                yield game_line(bare(misdealt))


def _first_deal(rules: str, readings: Mapping[str, str], drawn: bool) -> Game | None:
    """A game of two deals whose first is drawn, or is not."""
    for seed in range(MOST_SEEDS):
        game = random_game(rules, readings, seed, 1)
        if bool(judge(game)[0].drawn) is drawn:
            return random_game(rules, readings, seed, 2)
    return None


def borrowed(rules: str) -> Iterator[Line]:
    """Tables that can be laid out anew in several ways, under each rule on borrowing."""
    far = settings_for(rules).ranks[7] + "c"
    places: tuple[tuple[str, str, str], ...] = (
        ("2c 3c 4c, 2d 3d 4d, 2h 3h 4h", "2s", ""),
        ("2c 3c 4c, 2d 3d 4d, 2h 3h 4h", "5c", "2s 3s"),
        ("2c 3c 4c 5c, 2d 3d 4d, 3h 3s 3c", "2h", "2s"),
        ("3c 4c 5c, 3d 3h 3s, 4d 4h 4s, 5d 5h 5s", "7c", f"6c {far}"),
        ("3c 4c 5c, 3d 3h 3s, 4d 4h 4s", "5d", "5h"),
        ("3c 4c 5c, 3d 3h 3s", "4d", "4h 5d 5h"),
        ("Ac 2c 3c, 4c 5c 6c", "7c", "7d 7h"),
        ("Ac 2c 3c, 5c 6c 7c", "4c", ""),
        ("3c 3d 3h 3s, 4c 5c 6c", "2c", "2d"),
        ("3c 3d 3h 3s, 4c 5c 6c 7c", "3c", "7d 7h"),
    )
    for table, up, hand in places:
        melds = [tuple(part.split()) for part in table.split(", ")]
        cards = [*(c for m in melds for c in m), up, *hand.split()]
        if len(set(cards)) < len(cards):
            continue
        for borrowing in BORROWING:
            for more in ({}, {"new-meld": "two-from-hand"}, {"force-discharge": "anywhere"}):
                readings = {"borrowing": borrowing, **more}
                yield position_line(rules, readings, up, melds, hand.split(), own=False)


def laid_out_anew(rules: str) -> Iterator[Line]:
    """A card that fits only when the table is laid out anew, demanded at each moment."""
    opening: list[Event] = [
        ["Ana", "turns", "3s"],
        ["Ana", "melds", [["3c", "3d", "3h", "3s"]]],
        ["Ana", "discards", "Ad"],
        ["Ben", "passes"],
        ["Ben", "turns", "7h"],
        ["Ben", "passes"],
        ["Ana", "passes"],
        ["Ana", "turns", "6c"],
        ["Ana", "melds", [["4c", "5c", "6c"]]],
        ["Ana", "discards", "7d"],
        ["Ben", "passes"],
        ["Ben", "turns", "2c"],
        ["Ben", "passes"],
    ]
    hand = ["3c", "3d", "3h", "4c", "5c", "Ad", "7d", "2h", "6h", "As"]
    deal: dict[str, Any] = {"number": 1, "hands": {"Ana": hand}}
    if settings_for(rules).starter:
        deal["starter"] = "7s"
        opening = [["Ana", "passes"], ["Ben", "passes"], *opening]
    ends: tuple[list[Event], ...] = (
        [["Ben", "forces"]],
        [["Ana", "passes"], ["Ben", "forces"]],
        [["Ben", "forces", "2c", ["4c", "5c", "6c"]]],
        [["Ben", "forces", "2c", ["3c", "3d", "3h", "3s"]]],
        [["Ben", "forces"], ["Ana", "melds", [["2c", "3c", "4c", "5c", "6c"]]]],
    )
    for timing in ("on-offer", "on-decline", "none"):
        for scope in ("extension", "rearrangement"):
            for end in ends:
                yield game_line(
                    {
                        "format": "conquian/1",
                        "rules": rules,
                        "readings": {"force-timing": timing, "force-scope": scope},
                        "players": ["Ana", "Ben"],
                        "dealer": "Ben",
                        "deals": [{**deal, "events": [*opening, *end]}],
                    }
                )


def nothing_to_throw() -> Iterator[Line]:
    """All cards laid and the goal not reached, where a discard is due: play cannot go on."""
    hand = ["Ac", "2c", "3c", "4c", "5c", "6c", "7c", "Jc", "Jd", "Qd"]
    deal: dict[str, Any] = {"number": 1, "hands": {"Ana": hand}, "starter": "Kd"}
    melds = [["Ac", "2c", "3c", "4c", "5c", "6c", "7c", "Jc"], ["Jd", "Qd", "Kd"]]
    for readings in ({"discard-after-meld": "yes"}, {}):
        for end in ([], [["Ana", "arranges", []]], [["Ben", "turns", "2d"]]):
            yield game_line(
                {
                    "format": "conquian/1",
                    "rules": "two-deck",
                    "readings": readings,
                    "players": ["Ana", "Ben"],
                    "dealer": "Ben",
                    "deals": [{**deal, "events": [["Ana", "melds", melds], *end]}],
                }
            )


def put_in_everywhere(rules: str, readings: Mapping[str, str]) -> Iterator[Line]:
    """Regroupings, demands and passes put into random games, once for each kind of moment and player."""
    seen: set[tuple[Any, ...]] = set()
    for seed in range(4):
        game = random_game(rules, readings, seed)
        for place, state in enumerate(states(game)):
            for event in _tried(state):
                moment = (*_moment(state, event[0]), event[1], len(event), _about(state, event))
                if moment not in seen:
                    seen.add(moment)
                    tried = bare(game)
                    deal = tried["deals"][0]
                    deal["events"] = [*deal.get("events", ())[:place], event]
                    deal.pop("claim", None)
                    yield game_line(tried)


def _tried(state: State) -> Iterator[Event]:
    """What each player could try to do besides his turn."""
    melds = [meld for table in state.tables for meld in table]
    for name in state.players:
        yield [name, "arranges", []]
        yield [name, "passes"]
        yield [name, "forces"]
        if state.card is not None:
            for meld in melds:
                yield [name, "forces", state.card, list(meld)]
            for meld in melds[:1]:
                yield [name, "forces", state.card, list(meld[1:])]
                yield [name, "forces", meld[0], list(meld)]


def _moment(state: State, name: str) -> tuple[Any, ...]:
    """The kind of moment: what is due and from whom, as seen by a player."""
    return (
        state.phase,
        state.passed,
        state.demanded,
        state.own,
        state.asked > 0,
        state.ending,
        state.drawn,
        state.players[state.actor] == name,
        state.arranger is not None,
        bool(state.table(state.players.index(name))),
    )


def _about(state: State, event: Event) -> tuple[Any, ...]:
    """What a named demand names: a meld that lies there, one that the card fits."""
    if len(event) < 4:
        return ()
    settings: Settings = state.settings
    meld = tuple(event[3])
    fits = is_meld((*meld, event[2]), settings)
    theirs = state.table(state.actor)
    some = any(is_meld((*m, event[2]), settings) for m in theirs)
    return event[2] == state.card, fits, meld in theirs, some


def bare(game: Mapping[str, Any]) -> Game:
    """A game without what says nothing."""
    kept = {k: deepcopy(v) for k, v in game.items() if v and k not in ("tags", "cards")}
    for deal in kept["deals"]:
        for key in [k for k, v in deal.items() if v is None or v in ({}, [])]:
            del deal[key]
    return kept
