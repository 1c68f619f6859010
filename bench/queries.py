"""Single questions, in microseconds: can these cards be laid, and what may be laid here; beside solvers.

*Can these cards be divided into melds?* is asked of as many cards as win: a third of the sets can be, a
third could but for one card, a third are drawn at random. *All legal melds of a position* is asked of
positions of `tests/data/perft`. Solvers, single packs only, get a new model for each question
(`bench/solvers.py`). For the second question they list the layouts of the cards and the engine's own clause
checks pick the legal ones, in all three cases the same code; the counts have to be those of the perft files.
The bare listing of layouts, without the checks, is timed too.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from pathlib import Path
from random import Random

from bench import solvers
from bench.games import SEED
from bench.report import Section, Table, number, three
from bench.timing import Series, Task, in_turn, repeated
from conquian.engine.engine import Engine
from conquian.engine.melds import Layout, Melds
from conquian.engine.search import legal_layouts
from conquian.engine.state import State
from conquian.position import load

PERFT = Path(__file__).parent.parent / "tests" / "data" / "perft"
Lister = Callable[[Sequence[int], int, int], Iterator[Layout]]
Answer = Callable[[], list[object]]


@dataclass(frozen=True, slots=True)
class Asked:
    """One question put to the package and to solvers, each with how often it is repeated in a round."""

    what: str
    things: int
    by: dict[str, tuple[Answer, int]]


def section(sets: tuple[str, ...], quick: bool) -> Section:
    rounds = 3 if quick else 7
    found = Section("Single questions", " ".join((__doc__ or "").split("\n\n", 1)[1].split()))
    table = Table(("Microseconds a question", "least", "median", "most", "times conquian"))
    found.tables.append(table)
    for rules in sets:
        of = load(rules).engine
        single = of.pack.copies == 1
        for asked in (
            layable(of, 30 if quick else 60, single),
            layouts(of, 10 if quick else 30, single),
            legal_melds(of, 10 if quick else 30, single),
        ):
            times = measured(asked, rounds)
            for name, series in times.items():
                ratio = number(series.slower_than(times["conquian"]).median) if name != "conquian" else "1"
                shown = f"**{rules}**, {asked.what}" if name == "conquian" else f"the same by {name}"
                table.rows.append((shown, *three(series.each), ratio))
    found.remarks.append("Where several answered, all gave the same answers.")
    return found


def measured(asked: Asked, rounds: int) -> dict[str, Series]:
    """The times, once all have given the same answers."""
    answers = {name: answer() for name, (answer, _) in asked.by.items()}
    if any(answer != answers["conquian"] for answer in answers.values()):
        raise AssertionError(f"{asked.what}: not all agree: {answers}")
    tasks: dict[str, tuple[Task, float]] = {
        name: (repeated(answer, times), float(times * asked.things))
        for name, (answer, times) in asked.by.items()
    }
    return in_turn(tasks, rounds)


def layable(of: Engine, count: int, single: bool) -> Asked:
    """As many cards as win: all of them in melds?"""
    melds, cards = sorted(of.melds.packed), card_sets(of, count)
    goal = of.program.goal
    by: dict[str, tuple[Answer, int]] = {
        "conquian": (lambda: _layable(of.melds, cards), 200 if single else 20)
    }
    if single:
        by["CP-SAT, new model"] = (lambda: [solvers.cp_layable(melds, c) for c in cards], 1)
        by["Z3, new model"] = (lambda: [solvers.z3_layable(melds, c) for c in cards], 1)
    return Asked(f"can these {goal} cards be divided into melds?", len(cards), by)


def _layable(melds: Melds, cards: Sequence[int]) -> list[object]:
    """The engine's answers, found and not remembered from the time before."""
    vars(melds).get("_layable", {}).clear()
    return [melds.layable(c) for c in cards]


def layouts(of: Engine, count: int, single: bool) -> Asked:
    """The layouts of table, offer and any of the hand, unchecked."""
    places = [parts(s) for s in positions(of, count)]
    melds = sorted(of.melds.packed)
    by: dict[str, tuple[Answer, int]] = {
        "conquian": (lambda: [frozenset(of.melds.acts(*p)) for p in places], 20 if single else 2)
    }
    if single:
        for name, lister in LISTERS.items():
            by[name] = (_counting(melds, places, lister), 1)
    return Asked("all layouts of a position, unchecked", len(places), by)


def _counting(melds: Sequence[int], places: Sequence[tuple[int, int, int]], lister: Lister) -> Answer:
    return lambda: [frozenset(lister(melds, table + offer, hand)) for table, offer, hand in places]


def legal_melds(of: Engine, count: int, single: bool) -> Asked:
    """The legal melds of positions."""
    states = positions(of, count)
    wanted = [line["melds"] for line in perft(of, count)]
    found = [len(melds) for melds in _legal(of, states)() if isinstance(melds, frozenset)]
    if found != wanted:
        raise AssertionError(f"{of.program.name}: {found} legal melds, perft has {wanted}")
    by: dict[str, tuple[Answer, int]] = {"conquian": (_legal(of, states), 20 if single else 2)}
    if single:
        for name, lister in LISTERS.items():
            by[name] = (_legal(with_solver(of, lister), states), 1)
    return Asked("all legal melds of a position", len(states), by)


def _legal(of: Engine, states: Sequence[State]) -> Answer:
    return lambda: [frozenset(layout for layout, _ in legal_layouts(of, state)) for state in states]


class _Listed(Melds):
    """Melds whose layouts a solver lists."""

    def __init__(self, melds: Melds, lister: Lister) -> None:
        self.__dict__.update(melds.__dict__)
        self.lister = lister
        self.sorted = sorted(melds.packed)

    def acts(self, table: int, offer: int, hand: int) -> Iterator[Layout]:
        return self.lister(self.sorted, table + offer, hand)


def with_solver(of: Engine, lister: Lister) -> Engine:
    """The same engine, but a solver lists the layouts for it."""
    other = copy(of)
    other.melds = _Listed(of.melds, lister)
    return other


LISTERS: dict[str, Lister] = {
    "CP-SAT, new model": solvers.cp_layouts,
    "Z3, new model": solvers.z3_layouts,
}


def perft(of: Engine, count: int) -> list[dict[str, object]]:
    lines = (PERFT / f"{of.program.name}.jsonl").read_text(encoding="utf-8").splitlines()
    step = max(1, len(lines) // count)
    return [json.loads(line) for line in lines[::step][:count]]


def positions(of: Engine, count: int) -> list[State]:
    rules = load(of.program.name)
    found = []
    for line in perft(of, count):
        asked = {key: line[key] for key in ("up", "table", "hand", "turned_by")}
        found.append(rules.position(**asked).state)  # type: ignore[arg-type]
    return found


def parts(state: State) -> tuple[int, int, int]:
    """Table, offer and hand of the player who is asked."""
    return sum(state.tables[0]), state.up, state.hands[0]


def card_sets(of: Engine, count: int) -> list[int]:
    """Packed sets of as many cards as win: in turn dividable, dividable but for one card, any."""
    random, pack = Random(SEED), of.pack
    every = [unit for unit in pack.unit.values() for _ in range(pack.copies)]
    found: list[int] = []
    while len(found) < count:
        whole = _laid(of, random)
        kinds = pack.kinds(whole)
        spoilt = whole - (1 << random.choice(kinds) * pack.width)
        free = [u for u in pack.unit.values() if pack.contains(pack.everything - spoilt, u)]
        found += [whole, spoilt + random.choice(free), sum(random.sample(every, of.program.goal))]
    return found[:count]


def _laid(of: Engine, random: Random) -> int:
    """Random melds that have together as many cards as win."""
    pack, melds, goal = of.pack, sorted(of.melds.packed), of.program.goal
    while True:
        cards = 0
        while pack.count(cards) < goal:
            fitting = [m for m in melds if pack.contains(pack.everything - cards, m)]
            if not fitting:
                break
            cards += random.choice(fitting)
        if pack.count(cards) == goal:
            return cards
