"""Running things in turn and what their times are worth: least, median, most, and ratios round by round.

`in_turn` runs every task once a round, forwards and backwards by turns, so that drift of the machine falls
on all of them; the first round is not counted. In-process work is timed by the processor time of the
process, which other programs disturb least.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

Task = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Took:
    """What a task gives that was timed elsewhere: its seconds there."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Spread:
    """Least, median and most of some figures."""

    least: float
    median: float
    most: float

    def times(self, factor: float) -> Spread:
        return Spread(self.least * factor, self.median * factor, self.most * factor)


def spread(figures: Sequence[float]) -> Spread:
    return Spread(min(figures), statistics.median(figures), max(figures))


@dataclass(frozen=True, slots=True)
class Series:
    """The seconds of one task by round, and how many things it does in a round."""

    seconds: tuple[float, ...]
    things: float

    @property
    def rate(self) -> Spread:
        """Things a second."""
        return spread([self.things / s for s in self.seconds])

    @property
    def each(self) -> Spread:
        """Microseconds a thing."""
        return spread([s / self.things * 1e6 for s in self.seconds])

    def faster_than(self, other: Series) -> Spread:
        """How many times the other's rate, round by round."""
        pairs = zip(self.seconds, other.seconds, strict=True)
        return spread([(self.things / mine) / (other.things / theirs) for mine, theirs in pairs])

    def slower_than(self, other: Series) -> Spread:
        """How many times the other's time a thing, round by round."""
        return other.faster_than(self)


def in_turn(
    tasks: Mapping[str, tuple[Task, float]],
    rounds: int,
    clock: Callable[[], float] = time.process_time,
) -> dict[str, Series]:
    """The times of tasks, given by name with how many things each does."""
    seconds: dict[str, list[float]] = {name: [] for name in tasks}
    gc.collect()
    gc.freeze()
    try:
        for round_ in range(rounds + 1):
            names = list(tasks)[:: 1 if round_ % 2 else -1]
            for name in names:
                task = tasks[name][0]
                gc.collect()
                start = clock()
                result = task()
                took = result.seconds if isinstance(result, Took) else clock() - start
                if round_:
                    seconds[name].append(took)
    finally:
        gc.unfreeze()
    return {name: Series(tuple(seconds[name]), things) for name, (_, things) in tasks.items()}


def repeated(task: Task, times: int) -> Task:
    """A task so many times over, for what is too short for the clock."""

    def run() -> None:
        for _ in range(times):
            task()

    return run
