"""What a player whose moment it is can have in his hand and on his table, as the counts of all deals say.

A position is shown as a refutation only if its numbers are among these: a claim is about every deal, and a hand of
three cards beside an empty table is in none. The numbers take in every deal; some may belong to no deal.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from conquian.verifier.circuits import Circuit, Circuits
from conquian.verifier.proofs.tally import Tally


class Standing(NamedTuple):
    """How the card came on offer, cards in the hand and on the table (one more than `most`: so many or more)."""

    origin: str
    hand: int
    table: int


class Standings:
    """By phase, what the player whose it is can have."""

    def __init__(self, tallies: Sequence[Tally]) -> None:
        self.most = max(one.most for one in tallies)
        found: dict[str, set[Standing]] = {}
        for seat, one in enumerate(tallies):
            for here in one.counts:
                if here.at.seat == seat:
                    found.setdefault(here.at.phase, set()).add(
                        Standing(here.at.origin, here.hand, here.table)
                    )
        self.phases = {phase: frozenset(standings) for phase, standings in found.items()}

    def has(self, phase: str, hand: int, table: int, origin: str | None = None) -> bool:
        """Whether some deal comes to the phase with these numbers; `origin` None: however the card came there."""
        table = min(table, self.most + 1)
        return any(
            here.hand == hand and here.table == table and origin in (None, here.origin)
            for here in self.phases.get(phase, ())
        )

    def fact(
        self, circuits: Circuits, phase: str, hand: Sequence[Circuit], table: Sequence[Circuit]
    ) -> Circuit:
        """That the numbers are among those of a phase; `hand` and `table` have a truth a card."""
        own, starter = circuits.variable("own"), circuits.variable("starter")
        origins = {"own": own, "starter": starter, "given": circuits.all((-own, -starter))}
        groups: dict[tuple[str, frozenset[int]], set[int]] = {}
        by: dict[tuple[str, int], set[int]] = {}
        for origin, held, laid in self.phases.get(phase, ()):
            by.setdefault((origin, laid), set()).add(held)
        for (origin, laid), hands in by.items():
            groups.setdefault((origin, frozenset(hands)), set()).add(laid)
        terms = []
        for (origin, held_by), tables in sorted(groups.items(), key=lambda x: (x[0][0], sorted(x[0][1]))):
            there = _among(circuits, table, tables, self.most + 1)
            terms.append(circuits.all((origins[origin], there, _among(circuits, hand, held_by, None))))
        # Ladders of numbers follow one another: said outright, for no search should have to find it.
        chains = [
            circuits.any((-circuits.at_least(truths, n + 1), circuits.at_least(truths, n)))
            for truths in (hand, table)
            for n in range(1, self.most + 1)
        ]
        return circuits.all((circuits.any(terms), *chains))


def _among(
    circuits: Circuits, truths: Sequence[Circuit], numbers: Iterable[int], open_from: int | None
) -> Circuit:
    """That as many of the truths hold as one of the numbers says; the number `open_from`: so many or more."""
    found = []
    left = sorted(set(numbers))
    while left:
        first = last = left.pop(0)
        while left and left[0] == last + 1:
            last = left.pop(0)
        more = circuits.at_least(truths, last + 1) if last != open_from else -1
        found.append(circuits.all((circuits.at_least(truths, first), -more)))
    return circuits.any(found)
