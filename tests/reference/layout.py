"""One meld act: which laid card is which physical card, and what each clause says about that.

Copies of a card are alike, so the same listed melds may be read in several ways. An act is legal if one way
satisfies every clause; if none does, its code is the one furthest down the table over all ways.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations, product

from .melds import Card, Meld, fits_onto, is_meld
from .settings import Settings

OFFER = -1
HAND = -2

Piece = tuple[Card, int]  # a card and whence it came: the place of an old meld, OFFER or HAND

# The part of the table of codes that depends on how cards are matched, in its order.
CLAUSE_ORDER = ("hand-only-melds", "borrowing", "forced", "new-meld")


@dataclass(frozen=True)
class MeldAct:
    """A meld act read in one way: old melds, and the new ones with the origin of every card."""

    settings: Settings
    before: tuple[Meld, ...]
    after: tuple[tuple[Piece, ...], ...]
    up: Card
    forced: bool

    def old_pieces(self, place: int) -> Counter[Piece]:
        return Counter((card, place) for card in self.before[place])

    def upper(self) -> tuple[Piece, ...]:
        """The new meld that holds the card on offer."""
        return next(meld for meld in self.after if (self.up, OFFER) in meld)


def ways_to_match(
    before: Sequence[Meld], after: Sequence[Meld], up: Card | None
) -> Iterator[list[list[Piece]]]:
    """Every way to say which card of `after` is which: old cards and the offer, the rest from the hand."""
    slots: dict[Card, list[int]] = defaultdict(list)
    for place, meld in enumerate(after):
        for card in meld:
            slots[card].append(place)
    per_card: list[list[tuple[Card, tuple[tuple[int, int], ...]]]] = []
    for card, places in slots.items():
        sources = [place for place, meld in enumerate(before) for _ in range(meld.count(card))]
        if card == up:
            sources.append(OFFER)
        sources += [HAND] * (len(places) - len(sources))
        different = {tuple(sorted(zip(places, order, strict=True))) for order in permutations(sources)}
        per_card.append([(card, way) for way in sorted(different)])
    for choice in product(*per_card):
        read: list[list[Piece]] = [[] for _ in after]
        for card, way in choice:
            for place, source in way:
                read[place].append((card, source))
        yield read


def _lives_on(act: MeldAct, place: int) -> bool:
    """Whether an old meld lives on, as borrowing never-from-three wants it."""
    old = act.old_pieces(place)
    for meld in act.after:
        new = Counter(meld)
        if old <= new:
            return True
        shares = any(source == place for _, source in meld)
        pure = all(source in (place, OFFER, HAND) for _, source in meld)
        union = [card for card, _ in (old | new).elements()]
        if shares and pure and is_meld(union, act.settings):
            return True
    return False


def _stands_whole_alone(act: MeldAct, place: int) -> bool:
    """Whether an old meld stands whole in a new one that holds no card of another old meld."""
    old = act.old_pieces(place)
    return any(
        old <= Counter(meld) and all(source in (place, OFFER, HAND) for _, source in meld)
        for meld in act.after
    )


def breaks_borrowing(act: MeldAct) -> bool:
    places = range(len(act.before))
    if act.settings.borrowing == "never-from-three":
        return not all(_lives_on(act, place) for place in places)
    if act.settings.borrowing == "afterwards":
        return not all(_stands_whole_alone(act, place) for place in places)
    return False


def extends(act: MeldAct) -> bool:
    """Whether the meld with the card on offer extends an old one: two cards at least of a meld it fits."""
    upper = act.upper()
    return any(
        is_meld((*old, act.up), act.settings) and sum(source == place for _, source in upper) >= 2
        for place, old in enumerate(act.before)
    )


def _dodges_demand(act: MeldAct) -> bool:
    if not act.forced or act.settings.force_discharge == "anywhere":
        return False
    return bool(fits_onto(act.up, act.before, act.settings)) and not extends(act)


def _too_few_from_hand(act: MeldAct) -> bool:
    if act.settings.new_meld == "any":
        return False
    upper = act.upper()
    if sum(source == HAND for _, source in upper) >= 2:
        return False
    if any(act.old_pieces(place) <= Counter(upper) for place in range(len(act.before))):
        return False
    return not extends(act)


def clause_codes(settings: Settings) -> list[str]:
    return [*CLAUSE_ORDER, *(f"house.{clause.word}" for clause in settings.house)]


def code_of_way(act: MeldAct) -> str | None:
    """The first clause that this way of reading the act breaks."""
    if act.settings.hand_only_melds == "none" and any(
        all(source == HAND for _, source in meld) for meld in act.after
    ):
        return "hand-only-melds"
    if breaks_borrowing(act):
        return "borrowing"
    if _dodges_demand(act):
        return "forced"
    if _too_few_from_hand(act):
        return "new-meld"
    for clause in act.settings.house:
        if clause.forbids(act):
            return f"house.{clause.word}"
    return None


def code_of_act(
    settings: Settings, before: Sequence[Meld], after: Sequence[Meld], up: Card, forced: bool
) -> str | None:
    """None if some way satisfies every clause, else the code furthest down over all ways.

    `after` are valid melds that hold every card of `before` and `up`.
    """
    order = clause_codes(settings)
    worst = -1
    for way in ways_to_match(before, after, up):
        pieces = tuple(tuple(meld) for meld in way)
        code = code_of_way(MeldAct(settings, tuple(before), pieces, up, forced))
        if code is None:
            return None
        worst = max(worst, order.index(code))
    return order[worst]


def code_of_arranging(settings: Settings, before: Sequence[Meld], after: Sequence[Meld]) -> str | None:
    """Whether regrouping alone keeps to the borrowing clause; `after` are valid melds of the same cards."""
    if settings.borrowing != "never-from-three":
        return None
    for way in ways_to_match(before, after, None):
        act = MeldAct(settings, tuple(before), tuple(tuple(meld) for meld in way), "", False)
        if not breaks_borrowing(act):
            return None
    return "borrowing"
