"""Whether circuits can hold together, decided by trying: no solver at all, for small questions and for checking.

What must follow is followed; then a truth that is still open is tried both ways. Slow and plain on purpose.
"""

from __future__ import annotations

from collections.abc import Sequence

from conquian.verifier.circuits import FALSE, TRUE, Circuit, Circuits
from conquian.verifier.limits import Undecided

STEPS = 2_000_000
"""How many truths are settled, over all trials of a question, before it is given up."""


class Trial:
    """One question; `true` are then the truths of the answer yes."""

    def __init__(self, circuits: Circuits, assumed: Sequence[Circuit], steps: int = STEPS) -> None:
        self.circuits, self.steps, self.budget = circuits, steps, steps
        self._nodes = circuits.under(assumed, set())
        self._wholes: dict[int, list[int]] = {}
        for node in self._nodes:
            for part in circuits.parts.get(node, ()):
                self._wholes.setdefault(abs(part), []).append(node)
        self.true: set[int] = set()
        self.answer: bool | Undecided = FALSE not in assumed and self._holds(
            {}, [x for x in assumed if x != TRUE]
        )

    def _holds(self, settled: dict[int, bool], wanted: list[Circuit]) -> bool | Undecided:
        """Whether what is wanted fits what is settled, with everything else left open."""
        if not self._follow(settled, wanted):
            return False
        if self.steps < 0:
            return Undecided(self.budget)
        loose = next((node for node in self._nodes if node not in settled), None)
        if loose is None:
            self.true = {node for node, value in settled.items() if value}
            return True
        for choice in (-loose, loose):
            found = self._holds(dict(settled), [choice])
            if found is not False:
                return found
        return False

    def _follow(self, settled: dict[int, bool], wanted: list[Circuit]) -> bool:
        """Settles what follows, one after the other; False at the first contradiction."""
        while wanted:
            circuit = wanted.pop()
            node, value = abs(circuit), circuit > 0
            if node in settled:
                if settled[node] != value:
                    return False
                continue
            settled[node] = value
            self.steps -= 1
            for each in (node, *self._wholes.get(node, ())):
                self._about(each, settled, wanted)
        return True

    def _about(self, node: int, settled: dict[int, bool], wanted: list[Circuit]) -> None:
        """What a conjunction and its parts say of each other."""
        parts = self.circuits.parts.get(node)
        if parts is None:
            return
        if settled.get(node) is True:
            wanted.extend(parts)
            return
        loose = [x for x in parts if abs(x) not in settled]
        if any(settled.get(abs(x), x > 0) != (x > 0) for x in parts):
            wanted.append(-node)
        elif not loose:
            wanted.append(node)
        elif settled.get(node) is False and len(loose) == 1:
            wanted.append(-loose[0])
        return
