"""The thirteen rule sets as plain data, the readings, and room for house rules.

`settings_for(rules, readings)` gives everything the referee asks of a rule set, the readings already chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

COURT_RANKS = ("A", "2", "3", "4", "5", "6", "7", "J", "Q", "K")
PIP_RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10")
ALL_RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")

READINGS: dict[str, tuple[str, ...]] = {
    "discard-after-meld": ("yes", "no"),
    "new-meld": ("any", "two-from-hand"),
    "hand-only-melds": ("with-offer", "none"),
    "borrowing": ("free", "never-from-three", "afterwards"),
    "arranging": ("alone", "with-meld"),
    "force-timing": ("on-decline", "on-offer", "none"),
    "force-scope": ("extension", "rearrangement"),
    "force-discharge": ("there", "anywhere"),
    "goal": ("exactly", "at-least"),
    "group-suits": ("any", "distinct"),
    "exhaustion": ("offered", "immediate"),
    "draw-settlement": ("carry", "point-each", "replay", "double-next", "pot"),
    "rummy-bonus": ("none", "double"),
    "concession": ("lost", "void"),
    "agreed-draw": ("drawn", "void"),
    "breaking-off": ("void", "drawn"),
}


@dataclass(frozen=True)
class HouseClause:
    """A clause that a user's rule set adds to melding: `forbids` is asked about the whole act."""

    word: str
    forbids: Callable[[Any], bool]


@dataclass(frozen=True)
class Settings:
    """What a game is played with. Names of readings are those of `READINGS` with `_` for `-`."""

    name: str
    ranks: tuple[str, ...]
    deal: int
    goal: int
    packets: tuple[int, ...]
    suits: str = "cdhs"
    packs: int = 1
    players: tuple[int, ...] = (2,)
    teams: bool = False
    starter: bool = False
    exchange: bool = False
    longest_run: int = 99
    shortest_run: int = 3
    group_sizes: tuple[int, ...] = (3, 4)
    empty_hand_ends_turn: bool = False
    ante: int = 0
    loser_pays: int = 0
    # readings
    discard_after_meld: str = "yes"
    new_meld: str = "any"
    hand_only_melds: str = "with-offer"
    borrowing: str = "free"
    arranging: str = "alone"
    force_timing: str = "on-decline"
    force_scope: str = "extension"
    force_discharge: str = "there"
    goal_reading: str = "exactly"
    group_suits: str = "any"
    exhaustion: str = "offered"
    draw_settlement: str = "carry"
    rummy_bonus: str = "none"
    concession: str = "lost"
    agreed_draw: str = "drawn"
    breaking_off: str = "void"
    # house rules
    runs_turn_the_corner: bool = False
    ace_also_high: bool = False
    no_demand_on_own_card: bool = False
    no_demand_from_table_of: int = 99
    forced_when_offered: bool = False
    win_needs_empty_hand: bool = False
    house: tuple[HouseClause, ...] = field(default=())

    def deck(self) -> list[str]:
        """Every card name, once, in rank order and then suit order."""
        return [rank + suit for rank in self.ranks for suit in self.suits]

    def pack_size(self) -> int:
        return self.packs * len(self.ranks) * len(self.suits)

    def readings(self) -> dict[str, str]:
        return {name: getattr(self, field_of(name)) for name in READINGS}


def field_of(reading: str) -> str:
    """The field that holds a reading: the goal itself is a number, its reading is `goal_reading`."""
    return "goal_reading" if reading == "goal" else reading.replace("-", "_")


CLASSIC = Settings(
    "classic",
    COURT_RANKS,
    deal=10,
    goal=11,
    packets=(1, 2),
    starter=True,
    ante=1,
)
COONKING = Settings(
    "coonking",
    PIP_RANKS,
    deal=10,
    goal=11,
    packets=(2,),
    loser_pays=1,
    borrowing="never-from-three",
    arranging="with-meld",
    draw_settlement="pot",
)
SWEDISH = Settings(
    "swedish",
    COURT_RANKS,
    deal=10,
    goal=11,
    packets=(1,),
    longest_run=8,
    loser_pays=1,
    new_meld="two-from-hand",
    arranging="with-meld",
    force_timing="on-offer",
    draw_settlement="double-next",
)

RULE_SETS: dict[str, Settings] = {
    chosen.name: chosen
    for chosen in (
        CLASSIC,
        replace(CLASSIC, name="classic-52", ranks=ALL_RANKS),
        replace(CLASSIC, name="twice-around", deal=13, goal=15, discard_after_meld="no"),
        replace(CLASSIC, name="two-deck", packs=2, goal=15, discard_after_meld="no"),
        replace(CLASSIC, name="no-force", force_timing="none"),
        replace(CLASSIC, name="discard-then-meld", borrowing="afterwards", arranging="with-meld"),
        replace(
            CLASSIC,
            name="partnership",
            packs=2,
            players=(4,),
            teams=True,
            goal=15,
            empty_hand_ends_turn=True,
        ),
        COONKING,
        SWEDISH,
        replace(SWEDISH, name="swedish-packets", packets=(2,)),
        replace(SWEDISH, name="mexican", deal=8, goal=9, exchange=True),
        replace(SWEDISH, name="paco", packs=5),
        replace(SWEDISH, name="navajo-tens", packs=2),
    )
}


@lru_cache(maxsize=4096)
def _settled(rules: str, readings: tuple[tuple[str, str], ...]) -> Settings:
    if rules not in RULE_SETS:
        raise ValueError(f"no rule set {rules!r}")
    for name, choice in readings:
        if choice not in READINGS.get(name, ()):
            raise ValueError(f"no reading {name}={choice}")
    changes: dict[str, Any] = {field_of(name): choice for name, choice in readings}
    return replace(RULE_SETS[rules], **changes)


def settings_for(rules: str | Settings, readings: Mapping[str, str] | None = None) -> Settings:
    """The rule set of that name (or given whole) under these readings, the rest by its defaults."""
    chosen = tuple(sorted((readings or {}).items()))
    if isinstance(rules, Settings):
        changes: dict[str, Any] = {field_of(name): choice for name, choice in chosen}
        return replace(rules, **changes) if changes else rules
    return _settled(rules, chosen)
