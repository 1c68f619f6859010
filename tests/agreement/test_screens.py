"""What packed sets alone tell of an act holds for every way to match its copies, looked at one by one."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from conquian import load, replay
from conquian.engine.acts import melds_at
from conquian.engine.copies import in_hand, ways
from conquian.engine.engine import Engine, with_choices
from conquian.engine.engine import engine as engine_of
from conquian.engine.state import State
from conquian.generate import games
from tests.agreement.both import LONG

SETS = ("two-deck", "paco", "navajo-tens", "partnership")
READINGS: tuple[dict[str, str], ...] = (
    {},
    {"new-meld": "any"},
    {"new-meld": "any", "goal": "at-least"},
    {"hand-only-melds": "none"},
    {"borrowing": "never-from-three"},
    {"borrowing": "afterwards"},
    {"new-meld": "two-from-hand"},
    {"goal": "at-least"},
)


def judged(engine: Engine, state: State, seat: int, laid: tuple[int, ...]) -> tuple[int, set[int]] | None:
    """What the screen tells of a meld act, and what the engine's conditions say in each way; None for cards that
    cannot be laid."""
    pack, table = engine.pack, state.tables[seat]
    total, old = sum(laid), sum(table)
    if len(laid) > pack.addable or not pack.contains(pack.everything, total):
        return None
    if not state.up or not pack.contains(total, old) or not pack.contains(total - old, state.up):
        return None
    used, at = total - old - state.up, melds_at(engine, state, state.at * engine.seats, seat).at
    hand = state.hands[seat]
    if not pack.contains(hand, used):
        return None
    left = pack.count(hand - used)
    screened = engine.meld_screened(table, laid, state.up, used, pack.count(total), at, left, state.stock)
    found = {
        engine.meld_judged(*way, in_hand(pack, way, hand), state.unknown[seat], at, left, state.stock)
        for way in ways(pack, table, laid, state.up, used)
    }
    return screened, found


def acts(engine: Engine, listed: tuple[int, ...], random: Random) -> list[tuple[int, ...]]:
    """A list of melds, and lists that differ from it in one meld."""
    melds = sorted(engine.melds.packed)
    found = [listed]
    for place in range(len(listed)):
        found.append((*listed[:place], random.choice(melds), *listed[place + 1 :]))
    return found


@pytest.mark.parametrize("rules", [name for name in SETS if engine_of(name).pack.copies > 1])
def test_what_packed_sets_tell_holds_in_every_way(rules: str) -> None:
    random = Random(f"screens/{rules}")
    ruled = load(rules)
    told: Counter[int] = Counter()
    for game in games(ruled.engine, 25 * LONG, 3):
        for position, event in replay(ruled, game.players, game.deals[0], game.dealer):
            if event is None or event[1] != "melds":
                continue
            state, seat = position.state, game.players.index(event[0])
            listed = tuple(ruled.engine.pack.packed(meld) for meld in event[2])
            for changes in READINGS:
                known = ruled.engine.readings
                if not changes.keys() <= known.keys():
                    continue
                engine = with_choices(ruled.engine, changes)
                for laid in acts(engine, listed, random):
                    said = judged(engine, state, seat, laid)
                    if said is not None:
                        screened, found = said
                        told[screened] += 1
                        assert screened == 0 or found == {screened}
    assert told[1] > 100 and told[2] > 5 and told[0] > 50
