"""The games that are measured: files of one line a game by `conquian.generate`, kept under `bench/data`.

A file's name tells its rule set, its number of events and a digest of the generator and the rules; when one
of these changes it is made anew. Single packs come with about 130,000 events, several packs with fewer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from itertools import count, permutations
from pathlib import Path
from random import Random

import conquian.generate
from conquian.engine.engine import Engine, engine
from conquian.engine.sets import rule_sets
from conquian.generate import game, written
from conquian.resources import path as resource

FOLDER = Path(__file__).parent / "data"
USUAL = ("swedish", "classic", "coonking", "two-deck", "paco", "navajo-tens")
SINGLE, SEVERAL = 130_000, 40_000
"""Events of a file with one pack, with several."""
SEED = 2024
SUITS = (b"c", b"d", b"h", b"s")
CARD = re.compile(rb'(?<=[2-9AJQK0])[cdhs](?=")')
"""The suit of a card in JSON."""


@dataclass(frozen=True, slots=True)
class Games:
    """A file of games of one rule set."""

    rules: str
    packs: int
    path: Path
    games: int
    events: int

    @property
    def bytes(self) -> int:
        return self.path.stat().st_size


def games_of(rules: str, quick: bool) -> Games:
    """The games of a shipped rule set, from the last run if nothing has changed."""
    of = engine(rules)
    packs = of.program.copies
    wanted = (SINGLE if packs == 1 else SEVERAL) // (5 if quick else 1)
    path = FOLDER / f"{rules}-{wanted}-{_digest()}.jsonl"
    if not path.exists():
        for old in FOLDER.glob(f"{rules}-{wanted}-*.jsonl"):
            old.unlink()
    keep(path, lambda: _text(of, wanted))
    games = events = 0
    with path.open("rb") as file:
        for line in file:
            games += 1
            events += _events(line)
    return Games(rules, packs, path, games, events)


def sets_named(names: str) -> tuple[str, ...]:
    """Rule sets by a list with commas; `all` are all shipped ones, those with one pack first."""
    if names != "all":
        return tuple(names.split(","))
    return tuple(sorted(rule_sets(), key=lambda name: engine(name).program.copies > 1))


def other_suits(text: bytes) -> Iterator[bytes]:
    """The same games with the suits in every order, first as they are; the rules make no difference of suits."""
    yield text
    for order in list(permutations(SUITS))[1:]:
        yield CARD.sub(partial(_suit, dict(zip(SUITS, order, strict=True))), text)


def _suit(suits: Mapping[bytes, bytes], found: re.Match[bytes]) -> bytes:
    return suits[found[0]]


def keep(path: Path, make: Callable[[], str]) -> None:
    """Writes a file whole unless it is there."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        aside = path.with_suffix(".tmp")
        aside.write_text(make(), encoding="utf-8")
        aside.replace(path)


def _text(of: Engine, wanted: int) -> str:
    lines: list[str] = []
    events = 0
    for number in count():
        made = game(of, Random(f"{of.program.name}/{SEED}/{number}"))
        line = written(made, "jsonl", None)
        assert line is not None
        lines.append(line)
        events += len(made.deals[0].events)
        if events >= wanted:
            return "".join(lines)
    raise AssertionError


def _events(line: bytes) -> int:
    import msgspec

    return sum(len(deal["events"]) for deal in msgspec.json.decode(line)["deals"])


def _digest() -> str:
    texts = [Path(conquian.generate.__file__), *sorted(resource("spec").glob("*.rules"))]
    digest = sha256()
    for text in texts:
        digest.update(text.read_bytes())
    return digest.hexdigest()[:12]
