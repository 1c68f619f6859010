"""Can these cards be laid out, and how: with a layout as witness, re-checked without the solver.

A truth for each meld, a ladder for each card that counts the melds it is in; the cards come as assumptions. A deck
without copies has one solver for each table of melds; with copies, where a meld can lie more than once and its
second copy only after its first, only the melds inside the cards asked about are built. Where some melds are said to
lie, only these are built, and those that the other cards can make.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import islice, pairwise

from conquian.engine.engine import Engine
from conquian.engine.melds import Melds
from conquian.engine.pack import Pack
from conquian.position import Position, Rules
from conquian.verifier.checker import LayoutCertificate, problems
from conquian.verifier.circuits import FALSE, Circuit, Circuits
from conquian.verifier.limits import BUDGET, Disagreement, Undecided
from conquian.verifier.solver import Solver


class Layouts:
    """Divisions of cards into the melds of a list."""

    def __init__(self, pack: Pack, melds: Iterable[int], most: int) -> None:
        """`most`: the packed set that no layout goes beyond."""
        self.pack = pack
        self.circuits = Circuits()
        self.solver = Solver(self.circuits)
        self.laid: dict[Circuit, int] = {}
        """By truth: the meld that then lies, once more for each copy."""
        terms: list[list[Circuit]] = [[] for _ in pack.cards]
        for meld in melds:
            last, rest, copy = 0, most, 0
            while pack.contains(rest, meld):
                rest -= meld
                truth = self.circuits.variable(f"lay:{meld}:{copy}")
                self.laid[truth] = meld
                if last:
                    self.solver.always(self.circuits.any((-truth, last)))
                last, copy = truth, copy + 1
                for kind in pack.kinds(meld):
                    terms[kind].append(truth)
        self._exactly = [
            self._counts(terms[kind], most >> kind * pack.width & pack.field_mask)
            for kind in range(len(pack.cards))
        ]

    def _counts(self, terms: list[Circuit], most: int) -> list[Circuit]:
        """That none of the terms holds, one, two, … up to `most`."""
        rungs = pairwise(self.circuits.rungs(terms))
        return [self.circuits.all((at_least, -more)) for at_least, more in islice(rungs, most + 1)]

    def can(self, cards: int, laid: Sequence[Circuit] = ()) -> bool | Undecided:
        """Whether a packed set can be divided into melds, some of which lie."""
        return self.solver.can([*laid, *self.facts(cards)])

    def facts(self, cards: int) -> list[Circuit]:
        """What the solver is asked of a packed set: how often each card is laid."""
        width, mask = self.pack.width, self.pack.field_mask
        return [counts[cards >> i * width & mask] for i, counts in enumerate(self._exactly)]

    def layout(self, cards: int, lying: Sequence[int] = ()) -> tuple[int, ...] | Undecided | None:
        """A division of a packed set in which some melds lie, None if there is none."""
        copies = {meld: [truth for truth, m in self.laid.items() if m == meld] for meld in lying}
        laid = [copies[meld].pop(0) if copies[meld] else FALSE for meld in lying]
        found = self.can(cards, laid)
        if found is True:
            inside = [truth for truth, meld in self.laid.items() if self.pack.contains(cards, meld)]
            return tuple(sorted(self.laid[x] for x in self.solver.model(inside)))
        return None if found is False else found


@lru_cache(maxsize=32)
def _single(pack: Pack, melds: Melds) -> Layouts:
    return Layouts(pack, sorted(melds.packed), pack.everything)


def layouts_of(engine: Engine, cards: int, lying: Sequence[int] = ()) -> Layouts:
    """The solver for divisions of a packed set in which some melds lie."""
    pack, melds = engine.pack, engine.melds
    if lying:
        rest = pack.minus(cards, sum(lying))
        beside = [m for m in melds.ascending if m in lying or (rest and pack.contains(rest, m))]
        return Layouts(pack, beside, cards)
    if pack.copies == 1:
        return _single(pack, melds)
    return Layouts(pack, [m for m in melds.ascending if pack.contains(cards, m)], cards)


def laid_out(
    rules: Rules, cards: Iterable[str], lying: Iterable[Sequence[str]] = (), budget: int = BUDGET
) -> LayoutCertificate | Undecided:
    """Whether cards can be divided into melds, `lying` among them, as a claim that the checker has accepted;
    Disagreement if it does not.

    The layout is the least of all by its packed melds, so that it does not depend on what was asked before.
    ValueError for cards that the pack does not have so often.
    """
    engine, listed = rules.engine, tuple(cards)
    if any(card not in engine.pack.unit or listed.count(card) > engine.pack.copies for card in listed):
        raise ValueError("these cards are not in the pack")
    packed = engine.pack.packed(listed)
    fixed = sorted(engine.pack.packed(meld) for meld in lying)
    layouts = layouts_of(engine, packed, fixed)
    with layouts.solver.within(budget):
        found = layouts.layout(packed, fixed)
    if isinstance(found, Undecided):
        return found
    if found is not None:
        if sum(found) != packed:
            raise Disagreement(f"the layout found for {' '.join(listed)} is one of other cards")
        rest = engine.pack.minus(packed, sum(fixed))
        found = min((tuple(sorted((*fixed, *x))) for x in engine.melds.layouts(rest)), default=found)
    melds = None if found is None else tuple(tuple(engine.pack.names(meld)) for meld in found)
    program = engine.program
    claim = LayoutCertificate(
        program.name, program.digest, tuple(engine.readings.items()), tuple(engine.pack.names(packed)), melds
    )
    wrong = problems(claim, program)
    if wrong:
        raise Disagreement(f"{' '.join(listed)} under {program.name}: {wrong[0]}")
    return claim


def rearranged(position: Position) -> LayoutCertificate | Undecided:
    """Whether the table of the player to act and the card on offer can be laid out together, hands left aside."""
    holder = position.holder
    table = () if holder is None else position.table(holder)
    up = () if position.up is None else (position.up,)
    return laid_out(position.rules, (*(card for meld in table for card in meld), *up))
