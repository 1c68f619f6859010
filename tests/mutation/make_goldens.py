"""Writes the golden cases: `python -m tests.mutation.make_goldens [--keep FOLDER]`.

From a large pool of cases those are taken that notice a mutant nothing before has noticed, and some of each
code and note. Only the choice looks at mutants; every expected answer is the independent referee's. What takes
longest is the pool; `--keep` writes it to a folder and reads it from there the next time.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain
from pathlib import Path

import msgspec

from conquian.engine.sets import rule_sets

from .answers import Line
from .asking import Asked, holds, judged
from .cases import DECODER, FOLDER, Case
from .compiling import Files
from .pool import games, packs, positions
from .running import CASES, FACTS, SURVIVOR, Bench, Tried
from .special import special

MAIN = ("swedish", "classic", "coonking")
POOL = {True: (90, 400), False: (12, 60)}
"""Random games, each with some forty mutants, and positions: of the sets that judge `common`, of the others."""
LOOKED_AT = 800
"""Cases of a pool that are looked through for a mutant that fails some case and answers all others."""
EACH = {True: 3, False: 1}
"""Cases of each code and note that are taken in any case."""


KEPT: list[Path] = []
"""The folder that pools are kept in, if there is one."""


def by_chance(rules: str) -> Iterator[Line]:
    """The part of the pool that chance gives."""
    played, laid = POOL[rules in MAIN]
    kept = KEPT[0] / f"{rules}.jsonl" if KEPT else None
    if kept is not None and kept.is_file():
        yield from (msgspec.json.decode(line) for line in kept.read_text(encoding="utf-8").splitlines())
        return
    lines = [*positions(rules, laid), *games(rules, played)]
    if kept is not None:
        text = "".join(msgspec.json.encode(line).decode() + "\n" for line in lines)
        kept.write_text(text, encoding="utf-8")
    yield from lines


@lru_cache(maxsize=20)
def pool(rules: str) -> list[tuple[Line, Case]]:
    """The pool of a rule set: what was written for a purpose first, then what chance gives."""
    lines = chain(packs(rules), special(rules), by_chance(rules))
    found = [(line, DECODER.decode(msgspec.json.encode(line))) for line in lines]
    asked = Asked(Files().program(rules))
    sound = [(line, case) for line, case in found if holds(asked, case)]
    if len(sound) < len(found):
        print(f"{rules}: {len(found) - len(sound)} of {len(found)} cases left out: the engine disagrees")
    return sound


class Chosen:
    """The cases taken so far, by rule set."""

    def __init__(self) -> None:
        self.taken: dict[str, list[int]] = defaultdict(list)

    def take(self, rules: str, number: int) -> None:
        if number not in self.taken[rules]:
            self.taken[rules].append(number)

    def cases(self, rules: str) -> Sequence[Case]:
        return [pool(rules)[number][1] for number in self.taken[rules]]


def kinds(line: Line) -> Iterator[tuple[str, ...]]:
    """What a case is an example of."""
    if line["type"] == "game":
        for answer in line["expect"]:
            yield (str(answer[0]), str(answer[2]))
            yield from (("note", note) for note, _ in answer[6])
            if answer[4]:
                yield ("drawn",)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.mutation.make_goldens", description=__doc__)
    parser.add_argument("--keep", type=Path, help="a folder to keep the pool in")
    folder: Path | None = parser.parse_args(arguments).keep
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        KEPT.append(folder)
    chosen, bench = Chosen(), Bench()
    for rules in rule_sets():
        counts: Counter[tuple[str, ...]] = Counter()
        for number, (line, _) in enumerate(pool(rules)):
            if line["type"] == "pack" or any(counts[kind] < EACH[rules in MAIN] for kind in kinds(line)):
                counts.update(kinds(line))
                chosen.take(rules, number)
        print(f"{rules}: {len(pool(rules))} cases, {len(chosen.taken[rules])} of each kind", flush=True)
    for name in bench.files.files:
        left = [tried for tried in choose(bench, chosen, name) if tried.fate == SURVIVOR]
        print(f"{name}: {len(left)} left over", flush=True)
        for tried in left:
            print("   ", tried.mutant.key)
    FOLDER.mkdir(parents=True, exist_ok=True)
    for rules in rule_sets():
        lines = [pool(rules)[number][0] for number in chosen.taken[rules]]
        text = "".join(msgspec.json.encode(line).decode() + "\n" for line in lines)
        (FOLDER / f"{rules}.jsonl").write_text(text, encoding="utf-8")
        print(f"{rules}: {len(lines)} cases, {len(text)} bytes")


def choose(bench: Bench, chosen: Chosen, name: str) -> Iterator[Tried]:
    """Takes, for each mutant that no case taken so far notices, the first case of the pools that does.

    A case notices a mutant for this if the mutant answers otherwise: one that only fails today may tomorrow
    be played.
    """
    bench.cases_of = chosen.cases
    for tried in bench.run(name):
        if tried.fate in (CASES, SURVIVOR):
            yield _noticed(bench, chosen, tried)
        elif tried.fate == FACTS:
            yield tried


def _noticed(bench: Bench, chosen: Chosen, tried: Tried) -> Tried:
    name, typed = tried.mutant.name, bench.typed(tried.mutant)
    assert typed is not None
    programs = [(rules, Asked(program)) for rules, program in bench.programs(name, typed) if program]
    if any(judged(asked, case) is False for rules, asked in programs for case in chosen.cases(rules)):
        return tried
    far = None if tried.fate == SURVIVOR else LOOKED_AT
    for rules, asked in programs:
        cases = pool(rules)[:far]
        number = next((i for i, (_, case) in enumerate(cases) if judged(asked, case) is False), None)
        if number is not None:
            chosen.take(rules, number)
            bench.forget(rules)
            return Tried(tried.mutant, CASES, rules)
    return tried


if __name__ == "__main__":
    main()
