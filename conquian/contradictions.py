"""The fewest lines and events of a record that no deal can satisfy together.

Where a card is refused because it cannot have been there, something else that was recorded put it elsewhere, or
filled the hand. `contradiction` names a smallest such set: found by counting, asked again of the solver
(`conquian.verifier.hands`), which has to find it impossible, and possible without any one of its parts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from conquian.engine.deals import seats_of
from conquian.engine.engine import Engine
from conquian.quick import setup_of
from conquian.recorded import Item, Records, records
from conquian.referee import Outcome
from conquian.transcript.model import Deal

TRIES = 20_000
"""How many sets of lines and events are counted through to show that no smaller one is contradictory."""

CARD_CODES = frozenset({"not-in-hand", "card-elsewhere", "stock-mismatch", "misdeal"})
"""Codes that can be about where a card is; whether they are, counting decides."""

CARD_DETAILS = frozenset({"too-often", "contradiction"})
"""Misdeals that are about where a card is, and not about how many there are."""


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Lines of the set-up and events that cannot all be true of one deal, and the cards that they name.

    `smallest`: no set with fewer parts was left untried; it is always so that each part is needed.
    """

    records: Records
    items: tuple[Item, ...]
    cards: tuple[str, ...]
    smallest: bool


def contradiction(
    engine: Engine, players: Sequence[str], deal: Deal, first: int, outcome: Outcome
) -> Contradiction | None:
    """Why no deal fits a record; None if it is refused for another reason than where cards are."""
    if outcome.code not in CARD_CODES:
        return None
    if outcome.code == "misdeal" and outcome.setup and outcome.setup.detail not in CARD_DETAILS:
        return None
    setup = setup_of(players, deal, first)
    events = deal.events[: outcome.legal + 1] if outcome.refusal is not None else ()
    found = records(engine, setup, events, seats_of(players), outcome.refusal is not None)
    if found.fit():
        return None
    last = outcome.legal if outcome.refusal is not None else None
    items, sure = smallest(found, last)
    return Contradiction(found, items, _cards(engine, found, items, last), sure)


def smallest(found: Records, last: Item | None) -> tuple[tuple[Item, ...], bool]:
    """A smallest set of items that cannot be true together, and whether no smaller one was left untried.

    `last`: an item that is in every such set, for without it all fits.
    """
    kept = list(found.items)
    for item in list(kept):
        fewer = [x for x in kept if x != item]
        if not found.fit(fewer):
            kept = fewer
    always = (last,) if last is not None else ()
    others = [item for item in found.items if item not in always]
    tries = 0
    for size in range(max(1 - len(always), 0), len(kept) - len(always)):
        for some in combinations(others, size):
            tries += 1
            if tries > TRIES:
                return tuple(kept), False
            chosen = [item for item in found.items if item in always or item in some]
            if not found.fit(chosen):
                return tuple(chosen), True
    return tuple(kept), True


def _cards(engine: Engine, found: Records, items: Sequence[Item], last: Item | None) -> tuple[str, ...]:
    """The cards that it is about: the fewest of the last item that contradict the others; of a set-up, those
    that several lines name."""
    facts = [fact for fact in found.facts if fact.item in items]
    if last is not None:
        whole = next(fact for fact in facts if fact.item == last)
        kept = whole.cards
        for i in range(len(whole.cards) - 1, -1, -1):
            fewer = (*kept[:i], *kept[i + 1 :])
            if fewer and not found.replaced(whole, fewer).fit(items):
                kept = fewer
        return tuple(engine.pack.names(engine.pack.of_kinds(kept)))
    named: dict[Item, set[int]] = {item: set() for item in items}
    for fact in facts:
        named[fact.item].update(fact.cards)
    each = [kind for kinds in named.values() for kind in kinds]
    shared = {kind for kind in each if each.count(kind) > 1} or set(each)
    return tuple(engine.pack.names(engine.pack.of_kinds(sorted(shared))))
