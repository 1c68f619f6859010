"""What the players have to agree on so that a dispute is over.

Guarantees: once one choice of each named reading is agreed on, whichever it is, every rule set that can hold the
position gives the same answer; where clauses are named too, no choice of readings does that, and only the choice of
the rule set settles the dispute. Found by asking every rule set under every combination of the named readings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Protocol

from conquian.engine.engine import Engine

Choices = Mapping[str, str]


class Said(Protocol):
    """What one rule set says of the event; `legal` None: it cannot hold the position."""

    @property
    def legal(self) -> bool | None: ...
    @property
    def clause(self) -> str | None: ...
    @property
    def code(self) -> str | None: ...


class Side(Protocol):
    """A rule set in the dispute: its engine, and what it says once some readings are changed."""

    @property
    def engine(self) -> Engine: ...
    def asked(self, change: Choices) -> Said: ...


@dataclass(frozen=True, slots=True)
class Agreement:
    """The readings to agree on, and the passages that only the choice of the rule set does away with."""

    readings: tuple[str, ...]
    clauses: tuple[str, ...]

    @property
    def names(self) -> list[str]:
        return [*self.readings, *self.clauses]


def agreement(sides: Sequence[Side], deciding: Sequence[str]) -> Agreement:
    """What settles a dispute; `deciding` are the readings of which a single change alters an answer."""
    readings = list(deciding)
    while True:
        clauses: dict[str, None] = {}
        missing: tuple[str, ...] = ()
        for combination in _combinations(sides, readings):
            said = [(side, side.asked(combination)) for side in sides]
            for yes, one in said:
                for no, other in said:
                    if missing or not one.legal or other.legal is not False:
                        continue
                    missing = _telling(yes, no, combination)
                    if not missing:
                        clauses[other.clause or str(other.code)] = None
            if missing:
                break
        if not missing:
            return Agreement(tuple(readings), tuple(clauses))
        readings += missing


def _combinations(sides: Sequence[Side], readings: Sequence[str]) -> Iterator[dict[str, str]]:
    """Every choice of each reading that some side has."""
    choices = [
        list(
            dict.fromkeys(
                choice
                for side in sides
                for reading in side.engine.program.readings
                if reading.name == name
                for choice in reading.choices
            )
        )
        for name in readings
    ]
    for chosen in product(*choices):
        yield dict(zip(readings, chosen, strict=True))


def _telling(yes: Side, no: Side, agreed: Choices) -> tuple[str, ...]:
    """The fewest further readings that tell two sides apart: taken over from one, they give both the same answer."""
    mine, theirs = yes.engine.readings, no.engine.readings
    differ = [name for name in mine if name not in agreed and theirs.get(name, mine[name]) != mine[name]]
    for size in range(1, len(differ) + 1):
        for names in combinations(differ, size):
            if no.asked({**agreed, **{n: mine[n] for n in names}}).legal is not False:
                return names
            if not yes.asked({**agreed, **{n: theirs[n] for n in names}}).legal:
                return names
    return ()
