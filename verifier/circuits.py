"""Conditions over named truths as one shared graph of ints: small, folded, free of Z3.

A circuit is an int: `TRUE`, `FALSE`, a variable or a conjunction; its negative is its opposite. Equal
conjunctions are one node, so what two clauses, rule sets or positions share is built once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

Circuit = int
TRUE: Circuit = 1
FALSE: Circuit = -1


class Circuits:
    """The graph. Nodes are numbered from 2 in the order in which they were first asked for."""

    def __init__(self) -> None:
        self.names: dict[int, str] = {}
        """By variable: its name."""
        self.parts: dict[int, tuple[Circuit, ...]] = {}
        """By conjunction: what it joins, all of it older than itself."""
        self._variables: dict[str, int] = {}
        self._joined: dict[tuple[Circuit, ...], int] = {}
        self._next = 2

    def variable(self, name: str) -> Circuit:
        """The truth of that name."""
        found = self._variables.get(name)
        if found is None:
            found = self._variables[name] = self._next
            self.names[found] = name
            self._next += 1
        return found

    def all(self, operands: Iterable[Circuit]) -> Circuit:
        found: set[Circuit] = set()
        for x in operands:
            if x == FALSE or -x in found:
                return FALSE
            if x != TRUE:
                found.add(x)
        if not found:
            return TRUE
        if len(found) == 1:
            return found.pop()
        key = tuple(sorted(found))
        node = self._joined.get(key)
        if node is None:
            node = self._joined[key] = self._next
            self.parts[node] = key
            self._next += 1
        return node

    def any(self, operands: Iterable[Circuit]) -> Circuit:
        return -self.all(-x for x in operands)

    def same(self, left: Circuit, right: Circuit) -> Circuit:
        """Both or neither."""
        return self.all((self.any((-left, right)), self.any((left, -right))))

    def at_least(self, operands: Sequence[Circuit], count: int) -> Circuit:
        """Whether `count` or more of the operands hold: a ladder with a rung an operand and number."""
        if count <= 0:
            return TRUE
        row = [TRUE] + [FALSE] * count
        for x in operands:
            for k in range(count, 0, -1):
                row[k] = self.any((row[k], self.all((x, row[k - 1]))))
        return row[count]

    def rungs(self, operands: Sequence[Circuit]) -> Iterator[Circuit]:
        """`at_least` for 0, 1, 2, … in turn, without end: each ladder goes on from the one before."""
        row = [TRUE] * (len(operands) + 1)
        while True:
            yield row[-1]
            higher = [FALSE]
            for x, below in zip(operands, row, strict=False):
                higher.append(self.any((higher[-1], self.all((x, below)))))
            row = higher

    def under(self, roots: Iterable[Circuit], known: set[int]) -> list[int]:
        """The nodes below some roots that are not known yet, parts before what they are parts of."""
        found: set[int] = set()
        stack = [node for x in roots if (node := abs(x)) not in known]
        parts = self.parts
        while stack:
            node = stack.pop()
            if node == 1 or node in found:
                continue
            found.add(node)
            for x in parts.get(node, ()):
                if (part := abs(x)) not in found and part not in known:
                    stack.append(part)
        return sorted(found)

    def value(self, root: Circuit, true: set[int]) -> bool:
        """The truth of a circuit when exactly these variables are true: an evaluation without any solver."""
        return root in self.holding((root,), true)

    def holding(self, roots: Collection[Circuit], true: set[int]) -> set[Circuit]:
        """Those of some circuits that hold when exactly these variables are true."""
        held = {TRUE}
        for node in self.under(roots, set()):
            parts = self.parts.get(node)
            holds = node in true if parts is None else held.issuperset(parts)
            held.add(node if holds else -node)
        return held.intersection(roots)
