"""Re-decides layouts without any solver: a witness by counting its cards, a refusal by trying every division.

Takes nothing on trust but the rule set's table of melds, and shares no code with the machines it checks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from conquian.engine.program import Program

READ_LIMIT = 64
"""How many tables of melds are kept as read."""


@dataclass(frozen=True, slots=True)
class LayoutCertificate:
    """The claim that under a rule set and readings these cards can (or, without melds, cannot) be laid out."""

    rules: str
    digest: str
    readings: tuple[tuple[str, str], ...]
    cards: tuple[str, ...]
    melds: tuple[tuple[str, ...], ...] | None


def problems(claim: LayoutCertificate, program: Program) -> list[str]:
    """What is wrong with a claim; nothing if it holds."""
    if claim.digest != program.digest:
        return [f"the rules of {claim.rules} have changed"]
    table = meld_table(program, dict(claim.readings))
    unknown = sorted({card for card in claim.cards if card not in program.cards})
    if unknown:
        return [f"{card} is not in the pack" for card in unknown]
    if claim.melds is None:
        return ["the cards can be laid out"] if divides(Counter(claim.cards), table) else []
    found = [f"{' '.join(meld)} is no meld" for meld in claim.melds if tuple(sorted(meld)) not in table]
    laid = Counter(card for meld in claim.melds for card in meld)
    wanted = Counter(claim.cards)
    found += [
        f"{card} is laid {laid[card]} times" for card in sorted(laid | wanted) if laid[card] != wanted[card]
    ]
    return found


def meld_table(program: Program, readings: Mapping[str, str]) -> frozenset[tuple[str, ...]]:
    """The melds of a rule set under readings, each as its cards in the order of their names."""
    for key, shapes in program.melds.items():
        pairs = [part.split("=") for part in key.split(",") if part]
        if all(readings[name] == choice for name, choice in pairs):
            known, cards, table = _READ.get(id(shapes), (None, (), frozenset()))
            if known is not shapes or cards is not program.cards:
                kinds = (meld for melds in shapes.values() for meld in melds)
                table = frozenset(tuple(sorted(program.cards[kind] for kind in meld)) for meld in kinds)
                if len(_READ) >= READ_LIMIT:
                    _READ.clear()
                _READ[id(shapes)] = shapes, program.cards, table
            return table
    raise ValueError("no table of melds for these readings")


_READ: dict[int, tuple[object, tuple[str, ...], frozenset[tuple[str, ...]]]] = {}
"""Tables of melds that have been read, by the id of the shapes that they were read from."""


def divides(cards: Counter[str], table: Iterable[Sequence[str]]) -> bool:
    """Whether cards can be divided into melds: every meld that takes the first card is tried."""
    melds = [Counter(meld) for meld in table]
    return _divides(cards, [meld for meld in melds if meld <= cards])


def _divides(cards: Counter[str], melds: list[Counter[str]]) -> bool:
    if not cards:
        return True
    card = min(cards)
    for meld in melds:
        if card in meld and meld <= cards:
            rest = cards - meld
            if _divides(rest, [m for m in melds if m <= rest]):
                return True
    return False
