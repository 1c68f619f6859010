"""Fifty positions a rule set with everything that can be counted, written to `tests/data/perft`.

Run from the top of the project: `python -m tests.reference.perft`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from .melds import Card, Meld, Table, every_meld, in_order
from .randomplay import random_game, random_table
from .referee import states
from .search import forceable, legal_tables, onto, outs, winning_tables
from .settings import RULE_SETS, Settings

FOLDER = Path(__file__).parent.parent / "data" / "perft"
WANTED = 50
SEVERAL = 34  # positions with two legal melds or more
BORROWING = 12  # positions where some legal meld borrows
LARGE = 8  # positions with eight table cards or more


@dataclass(frozen=True)
class Position:
    up: Card
    table: Table
    hand: tuple[Card, ...]
    turned_by: str

    def size(self) -> int:
        return sum(len(meld) for meld in self.table)


def positions_from_play(settings: Settings, games: int) -> Iterator[Position]:
    for seed in range(games):
        game = random_game(settings.name, {}, seed)
        for state in states(game):
            hand = state.hand(state.actor)
            if state.card is not None and not state.passed and hand is not None:
                table = state.table(state.actor)
                if sum(len(meld) for meld in table) <= settings.goal + 3:
                    turned_by = "me" if state.own else "opponent"
                    yield Position(state.card, table, in_order(hand, settings), turned_by)


def made_up_positions(settings: Settings, count: int) -> Iterator[Position]:
    """Random tables with random hands: not all of them come up in play, every one could."""
    random = Random(f"perft/{settings.name}")
    every = every_meld(settings)
    short = [meld for meld in every if len(meld) <= 5]
    for _ in range(count):
        table = random_table(settings, random, random.choice((1, 2, 2, 3, 3, 4)), short)
        size = sum(len(meld) for meld in table)
        room = settings.deal - size
        if settings.discard_after_meld == "no" or settings.teams:
            room = random.randint(0, 6)
        if room < 0 or size >= settings.goal:
            continue
        left = settings.deck() * settings.packs
        for meld in table:
            for card in meld:
                left.remove(card)
        up, *hand = random.sample(left, room + 1)
        yield Position(up, table, in_order(hand, settings), random.choice(("me", "opponent")))


def borrows(before: Table, after: Table) -> bool:
    """Whether some old meld stands whole nowhere in the new table."""
    return any(not any(Counter(old) <= Counter(new) for new in after) for old in before)


def chosen_positions(settings: Settings) -> list[Position]:
    """Fifty different positions that fill the quotas as far as the rules allow."""
    several: list[Position] = []
    borrowing: list[Position] = []
    plain: list[Position] = []
    seen: set[tuple[Card, Table, tuple[Card, ...]]] = set()
    sources = (positions_from_play(settings, 60), made_up_positions(settings, 4000))
    for source in sources:
        for position in source:
            known = (position.up, position.table, position.hand)
            if known in seen:
                continue
            seen.add(known)
            found = legal_tables(settings, position.table, position.up, position.hand)
            if any(borrows(position.table, after) for after in found):
                borrowing.append(position)
            elif len(found) >= 2:
                several.append(position)
            else:
                plain.append(position)
    random = Random(f"choice/{settings.name}")
    for pool in (several, borrowing, plain):
        random.shuffle(pool)
    twice = [p for p in borrowing if len(legal_tables(settings, p.table, p.up, p.hand)) >= 2]
    large = [p for p in several if p.size() >= 8][:LARGE]
    fitting = [p for p in plain if p.table and onto(settings, p.table, p.up)][:6]
    picked = [*twice[:BORROWING], *large]
    picked += [p for p in borrowing if p not in picked][: max(0, BORROWING - len(picked[:BORROWING]))]
    picked += [p for p in several if p not in picked][: max(0, SEVERAL - len(picked))]
    picked += fitting
    picked += [p for p in plain if p not in picked][: WANTED - len(picked)]
    return picked[:WANTED]


def line_for(settings: Settings, position: Position) -> dict[str, Any]:
    def listed(melds: tuple[Meld, ...] | list[Meld]) -> list[list[Card]]:
        return [list(meld) for meld in melds]

    found = legal_tables(settings, position.table, position.up, position.hand)
    return {
        "rules": settings.name,
        "up": position.up,
        "table": listed(position.table),
        "hand": list(position.hand),
        "turned_by": position.turned_by,
        "melds": len(found),
        "wins": bool(winning_tables(settings, position.table, position.up, position.hand)),
        "forceable": forceable(settings, position.table, position.up),
        "onto": listed(onto(settings, position.table, position.up)),
        "outs": outs(settings, position.table, position.hand),
    }


def written(line: Mapping[str, Any]) -> str:
    return json.dumps(line, ensure_ascii=False)


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, settings in RULE_SETS.items():
        picked = chosen_positions(settings)
        lines = [line_for(settings, position) for position in picked]
        (FOLDER / f"{name}.jsonl").write_text(
            "".join(written(line) + "\n" for line in lines), encoding="utf-8"
        )
        borrowing = sum(
            any(borrows(p.table, after) for after in legal_tables(settings, p.table, p.up, p.hand))
            for p in picked
        )
        several = sum(line["melds"] >= 2 for line in lines)
        large = sum(p.size() >= 8 for p in picked)
        winning = sum(line["wins"] for line in lines)
        with_outs = sum(bool(line["outs"]) for line in lines)
        print(
            f"{name}: {len(lines)} positions, {several} with several melds, {borrowing} that borrow,", end=" "
        )
        print(f"{large} large, {winning} winning, {with_outs} with outs")


if __name__ == "__main__":
    main()
