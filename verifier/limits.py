"""What the solver may spend, and the seed it starts from: the one place that fixes both.

The budget counts the solver's own steps and not time, so the same question gets the same answer on every machine.
"""

from __future__ import annotations

from dataclasses import dataclass

SEED = 0
BUDGET = 20_000_000
"""Steps of the solver (`rlimit`) for one query."""
STEPS_A_TABLE = 1_000
"""What a search that looks at tables one by one counts each of them as, so that one budget serves both."""


@dataclass(frozen=True, slots=True)
class Undecided:
    """The solver gave up within its budget. Never to be taken for a no."""

    budget: int


class Disagreement(AssertionError):
    """Engine and solver say different things of one position: an internal error, for one of them is wrong."""
