"""One side's engine asked about acts on cards of a shared pack: with one copy of each card, or with several.

Nothing is decided here but by the compiled clauses. With copies an act is legal if one way to match them is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from conquian.engine.copies import Way, fresh, ways
from conquian.engine.emit import established
from conquian.engine.pack import Pack
from conquian.language import clauses as c
from conquian.verifier.joint import Side, shared_shapes

Family = tuple[int, ...]
"""Melds that lie side by side, packed."""


class Judge(Protocol):
    """What is asked of a side. Hands hold what is laid; the stock is not empty; the offer is not one's own."""

    side: Side
    valid: frozenset[int]

    def laid(self, after: Family) -> Family | None:
        """The melds of an act as the engine has them; None if one of them is none."""
        ...

    def melds(self, before: Family, laid: Family | None, up: int, used: int, moment: str) -> bool:
        """Whether a meld is legal."""
        ...

    def demand(self, before: Family, up: int, moment: str) -> bool:
        """Whether a demand is due."""
        ...

    def against(
        self, verb: c.Verb, before: Family, after: Family, up: int, used: int, moment: str
    ) -> frozenset[str]:
        """The clauses that forbid an act, but for those that only say what a meld is and that the offer is in one."""
        ...

    def granted(self, verb: c.Verb, before: Family, after: Family, up: int, moment: str) -> bool:
        """Whether a regrouping or a demand is permitted at all."""
        ...


class PlainJudge:
    """A side asked about cards of which every pack has one at least, each used once."""

    def __init__(self, side: Side, pack: Pack) -> None:
        self.side, self.engine = side, side.engine
        own = self.engine.pack
        self._bit = {pack.unit[name]: own.physical(own.kind[name], 0) for name in pack.cards}
        self._same = all(x == y for x, y in self._bit.items())
        self._sets: dict[int, int] = {0: 0}
        self.valid = side.melds.packed
        self._facts = _Facts(side)
        self._refused, self._duty = self.engine.meld_refused, self.engine.duty_met

    def _cards(self, shared: int) -> int:
        if self._same:
            return shared
        found = self._sets.get(shared)
        if found is None:
            found, rest = 0, shared
            while rest:
                found |= self._bit[rest & -rest]
                rest &= rest - 1
            self._sets[shared] = found
        return found

    def _family(self, melds: Family) -> Family:
        return melds if self._same else tuple(map(self._cards, melds))

    def laid(self, after: Family) -> Family | None:
        return self._family(after) if self.valid.issuperset(after) else None

    def melds(self, before: Family, laid: Family | None, up: int, used: int, moment: str) -> bool:
        if laid is None:
            return False
        if not self._same:
            before, up, used = self._family(before), self._cards(up), self._cards(used)
        number, bound = self._facts.stand[moment]
        args = (before, laid, up, used, used, 0, False, False, _STOCK, number)
        return not self._refused(*args) and (not bound or self._duty(*args))

    def demand(self, before: Family, up: int, moment: str) -> bool:
        return self.granted("force", before, (), up, moment) and not self.against(
            "force", before, (), up, 0, moment
        )

    def against(
        self, verb: c.Verb, before: Family, after: Family, up: int, used: int, moment: str
    ) -> frozenset[str]:
        return self._facts.against(verb, self._args(verb, before, after, up, used), moment)

    def granted(self, verb: c.Verb, before: Family, after: Family, up: int, moment: str) -> bool:
        args = self._args(verb, before, after, up, 0)
        return self.engine.allowed(verb, self._facts.stand[moment][0], args)

    def _args(self, verb: c.Verb, before: Family, after: Family, up: int, used: int) -> tuple[Any, ...]:
        lies, card = self._family(before), self._cards(up)
        if verb == "force":
            return (lies, card, *_DEMAND)
        return _args(Way(lies, self._family(after), card if verb == "meld" else 0, self._cards(used)))


class CopiesJudge:
    """A side asked about cards that its pack has several times."""

    def __init__(self, side: Side, pack: Pack) -> None:
        self.side, self.engine, self._shared = side, side.engine, pack
        self._sets: dict[int, int] = {}
        self.valid = frozenset().union(*shared_shapes(self.engine, pack).values())
        self._facts = _Facts(side)

    def _cards(self, shared: int) -> int:
        found = self._sets.get(shared)
        if found is None:
            found = self._sets[shared] = self.engine.pack.packed(self._shared.names(shared))
        return found

    def _ways(self, before: Family, after: Family, up: int, used: int) -> Iterator[Way]:
        cards = self._cards
        return ways(
            self.engine.pack, [*map(cards, before)], [*map(cards, after)], cards(up) if up else 0, cards(used)
        )

    def laid(self, after: Family) -> Family | None:
        return after if self.valid.issuperset(after) else None

    def melds(self, before: Family, laid: Family | None, up: int, used: int, moment: str) -> bool:
        if laid is None:
            return False
        number, bound = self._facts.stand[moment]
        for way in self._ways(before, laid, up, used):
            args = (*_args(way), number)
            if not self.engine.meld_refused(*args) and (not bound or self.engine.duty_met(*args)):
                return True
        return False

    def demand(self, before: Family, up: int, moment: str) -> bool:
        return self.granted("force", before, (), up, moment) and not self.against(
            "force", before, (), up, 0, moment
        )

    def against(
        self, verb: c.Verb, before: Family, after: Family, up: int, used: int, moment: str
    ) -> frozenset[str]:
        if verb == "force":
            return self._facts.against(verb, self._demanded(before, up), moment)
        offer = up if verb == "meld" else 0
        found = [
            self._facts.against(verb, _args(way), moment) for way in self._ways(before, after, offer, used)
        ]
        if not all(found):
            return frozenset()
        return frozenset.intersection(*found) or frozenset().union(*found)

    def granted(self, verb: c.Verb, before: Family, after: Family, up: int, moment: str) -> bool:
        number = self._facts.stand[moment][0]
        if verb == "force":
            return self.engine.allowed(verb, number, self._demanded(before, up))
        return any(self.engine.allowed(verb, number, _args(way)) for way in self._ways(before, after, 0, 0))

    def _demanded(self, before: Family, up: int) -> tuple[Any, ...]:
        placed, _ = self.engine.physical_table([*map(self._cards, before)])
        pack = self.engine.pack
        kind = pack.kinds(self._cards(up))[0]
        return (placed, fresh(pack, kind, sum(placed)), *_DEMAND)


_STOCK = 9
_DEMAND = (False, False, False, 0, 0, _STOCK)
"""Neither one's own nor the starter, no meld named."""


def _args(way: Way) -> tuple[Any, ...]:
    return (way.before, way.after, way.up, way.used, way.used, 0, False, False, _STOCK)


class _Facts:
    """The clauses of a side by moment."""

    def __init__(self, side: Side) -> None:
        program = side.engine.program
        numbers = {phase.name: i for i, phase in enumerate(program.phases)}
        self.engine = side.engine
        self.stand = {name: (numbers[x.phase], x.bound) for name, x in side.stands.items()}
        self._form = {
            i
            for i, info in enumerate(program.clauses)
            if isinstance(body := side.bodies.get(info.name), c.Modal) and established(body)
        }

    def against(self, verb: c.Verb, args: tuple[Any, ...], moment: str) -> frozenset[str]:
        engine = self.engine
        number, bound = self.stand[moment]
        found = [
            rule.clause for rule in engine.forbidding(verb, number, args) if rule.clause not in self._form
        ]
        if verb == "meld" and bound:
            found += [
                r.clause for r in engine.program.must if not engine.functions[r.function](*args, number)
            ]
        return frozenset(engine.program.clauses[i].name for i in found)
