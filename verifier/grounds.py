"""What can speak against an event: clauses of the rules, and facts of where cards are.

A question about an event is a list of grounds, each with what it asks of the event, and what is known beside them.
An event is legal if everything that they ask holds at once. The smallest set of grounds that contradicts what is
known forbids it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from conquian.engine.engine import Engine
from conquian.engine.refusals import HOUSE, RANK, clause_rank
from conquian.language.rules import Clause
from conquian.verifier.circuits import Circuit


@dataclass(frozen=True, slots=True)
class Fact:
    """Where cards are, or are not, that an event would need otherwise; in words, with the code of a verdict."""

    code: str
    words: str
    cards: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return f"fact:{self.code}"


Ground = Clause | Fact
Pair = tuple[Ground, Circuit]


@dataclass(frozen=True, slots=True)
class Again:
    """The same question decided without the solver: whether the event is legal once some grounds are dropped.

    `whole`: the hand is recorded, or nothing asks for it, so that the answer is certain.
    """

    legal: Callable[[frozenset[str]], bool]
    whole: bool = True


def in_order(engine: Engine, pairs: Sequence[Pair], deciding: str | None = None) -> list[Pair]:
    """The ground that decides the verdict first, then ordinary ones by their codes' places in the contract's table,
    then those of house rules."""
    place = {clause.name: i for i, clause in enumerate(engine.program.clauses)}

    def key(pair: Pair) -> tuple[bool, int, int]:
        ground = pair[0]
        if isinstance(ground, Fact):
            return ground.name != deciding, RANK.get(ground.code, HOUSE), -1
        return ground.name != deciding, clause_rank(engine, place[ground.name]), place[ground.name]

    return sorted(pairs, key=key)
