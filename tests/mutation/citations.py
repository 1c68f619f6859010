"""What each clause of the rule sets rests on, written by hand from the list of passages.

`PASSAGES` is by rule set, a variant saying only what it says otherwise; `passages_of` puts them together.
`role` says which clause a violation rests on, from the contract's table of codes and the moment of the deal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tests.reference.referee import Ruling
from tests.reference.settings import Settings
from tests.reference.state import DISCARD, OFFER, OVER, TURN, State, after_pass

COMMON: dict[str, tuple[str, ...]] = {
    "common.deal": ("seats", "starter", "exchange", "dealer"),
    "common.flow": (
        *("opening", "turning", "offering", "declining", "laying", "discarding", "resting"),
        "discard-after-meld",
    ),
    "common.meld": (
        *("use-offer", "whole-melds", "hand-only", "borrowing", "lay-then-borrow", "new-meld"),
        *("arranging", "borrow-after", "hand-only-melds", "group-suits"),
    ),
    "common.force": (
        *("forced", "demand", "demand-at-once", "named-demand", "discharge"),
        *("force-timing", "force-scope", "force-discharge"),
    ),
    "common.end": (
        *("exhausted", "exhausted-at-once", "winning", "session"),
        *("takings", "settlement", "doubling", "bonus", "ended-early"),
        *("exhaustion", "draw-settlement", "rummy-bonus"),
        *("concession", "agreed-draw", "breaking-off"),
    ),
}
"""Passage to the clauses and readings of the fragment that rest on it."""

CLASSIC = {
    "seats": "cl.players.1",
    "pack": "cl.deck.1",
    "order": "cl.deck.2",
    "dealing": "cl.setup.2a",
    "starter": "cl.setup.3",
    "exchange": "cl.setup.4",
    "dealer": "cl.end.4",
    "goal": "cl.goal.1",
    "groups": "cl.melds.1",
    "runs": "cl.melds.2",
    "opening": "cl.flow.1a",
    "turning": "cl.flow.2b",
    "offering": "cl.flow.2a",
    "declining": "cl.flow.3c",
    "laying": "cl.flow.6",
    "discarding": "cl.flow.6",
    "resting": "cl.flow.6",
    "exhausted": "cl.end.2a",
    "exhausted-at-once": "cl.end.2a",
    "forced": "cl.flow.4",
    "use-offer": "cl.flow.3b",
    "whole-melds": "cl.melds.4b",
    "hand-only": "cl.flow.7",
    "borrowing": "cl.melds.4a",
    "lay-then-borrow": "cl.melds.4a",
    "new-meld": "cl.flow.2a",
    "arranging": "cl.flow.5",
    "borrow-after": "cl.flow.5",
    "demand": "cl.flow.4",
    "demand-at-once": "cl.flow.4",
    "named-demand": "cl.flow.4",
    "discharge": "cl.flow.4",
    "winning": "cl.end.1",
    "session": "cl.stakes.2",
    "takings": "cl.stakes.1",
    "settlement": "cl.stakes.1",
    "bonus": "cl.end.3",
    "cut": "cl.players.2",
    "stakes": "cl.stakes.1",
}
COONKING = {
    "seats": "ck.2",
    "pack": "ck.3",
    "order": "ck.3",
    "dealing": "ck.5",
    "starter": "ck.6",
    "exchange": "ck.5",
    "dealer": "ck.27",
    "goal": "ck.8",
    "groups": "ck.8",
    "runs": "ck.10",
    "opening": "ck.9",
    "turning": "ck.15",
    "offering": "ck.10",
    "declining": "ck.12",
    "laying": "ck.23",
    "discarding": "ck.18",
    "resting": "ck.13",
    "exhausted": "ck.24",
    "exhausted-at-once": "ck.24",
    "forced": "ck.19",
    "use-offer": "ck.10",
    "whole-melds": "ck.10",
    "hand-only": "ck.10",
    "borrowing": "ck.17",
    "lay-then-borrow": "ck.16",
    "new-meld": "ck.10",
    "arranging": "ck.16",
    "borrow-after": "ck.16",
    "demand": "ck.19",
    "demand-at-once": "ck.19",
    "named-demand": "ck.19",
    "discharge": "ck.19",
    "winning": "ck.22",
    "session": "common.end",
    "takings": "ck.26",
    "settlement": "ck.26",
    "cut": "ck.4",
    "stakes": "ck.25",
    "draw-settlement": "ck.26",
}
SWEDISH = {
    "seats": "sw.deal.1",
    "pack": "sw.deal.1",
    "order": "sw.melds.2",
    "dealing": "sw.deal.2",
    "starter": "sw.deal.2",
    "exchange": "sw.deal.4",
    "dealer": "sw.deal.3",
    "goal": "sw.end.1",
    "groups": "sw.melds.1",
    "runs": "sw.melds.2",
    "opening": "sw.turn.1",
    "turning": "sw.turn.6",
    "offering": "sw.intro.1",
    "declining": "sw.turn.6",
    "laying": "sw.turn.5",
    "discarding": "sw.turn.5",
    "resting": "sw.turn.5",
    "exhausted": "sw.end.3",
    "exhausted-at-once": "sw.end.3",
    "forced": "sw.board.4",
    "use-offer": "sw.intro.2",
    "whole-melds": "sw.board.1",
    "hand-only": "sw.turn.4",
    "borrowing": "sw.board.1",
    "lay-then-borrow": "sw.board.1",
    "new-meld": "sw.turn.3",
    "arranging": "sw.board.1",
    "borrow-after": "sw.board.1",
    "demand": "sw.board.4",
    "demand-at-once": "sw.board.4",
    "named-demand": "sw.board.4",
    "discharge": "sw.board.4",
    "winning": "sw.end.1",
    "session": "common.end",
    "doubling": "sw.end.5",
    "stakes": "sw.end.4",
    "force-timing": "sw.board.4",
    "draw-settlement": "sw.end.5",
}
VARIANTS: dict[str, dict[str, str]] = {
    "classic-52": {"pack": "cl.variants.1", "order": "cl.variants.1"},
    "twice-around": {
        "dealing": "cl.variants.2",
        "goal": "cl.variants.2",
        "discard-after-meld": "cl.variants.2",
    },
    "two-deck": {"pack": "cl.variants.3", "goal": "cl.variants.3", "discard-after-meld": "cl.variants.3"},
    "no-force": {
        "demand": "cl.variants.4",
        "demand-at-once": "cl.variants.4",
        "force-timing": "cl.variants.4",
    },
    "discard-then-meld": {
        "lay-then-borrow": "cl.variants.5",
        "borrow-after": "cl.variants.5",
    },
    "partnership": {
        "seats": "cl.variants.6",
        "pack": "cl.variants.6",
        "goal": "cl.variants.6",
        "laying": "cl.variants.6",
    },
    "swedish-packets": {"dealing": "sw.forms.5"},
    "mexican": {"dealing": "sw.forms.1", "goal": "sw.forms.1", "exchange": "sw.forms.2"},
    "paco": {"pack": "sw.forms.3"},
    "navajo-tens": {"pack": "sw.forms.4"},
}
GROUNDED: dict[str, dict[str, tuple[str, ...]]] = {
    "common": {
        "new-meld": ("common.meld",),
        "borrowing": ("common.meld",),
        "arranging": ("common.meld",),
        "goal": ("common.end",),
    },
    "classic": {
        "new-meld": ("cl.flow.2a", "common.meld"),
        "borrowing": ("cl.melds.4a", "cl.melds.4c", "cl.glossary.7", "common.meld"),
        "arranging": ("cl.flow.5",),
        "goal": ("common.end",),
    },
    "coonking": {
        "new-meld": ("ck.10", "common.meld"),
        "borrowing": ("ck.17", "ck.16"),
        "arranging": ("ck.16", "common.meld"),
        "goal": ("common.end",),
    },
    "swedish": {
        "new-meld": ("sw.turn.3",),
        "borrowing": ("sw.board.1", "common.meld"),
        "arranging": ("sw.board.1", "common.meld"),
        "goal": ("common.end",),
    },
    "discard-then-meld": {
        "borrowing": ("cl.melds.4a", "cl.melds.4c", "cl.glossary.7", "cl.variants.5"),
        "arranging": ("cl.flow.5", "cl.variants.5"),
    },
}
"""Readings that have the name of a clause, or of another thing, with all that they rest on."""
FAMILIES = {"classic": CLASSIC, "coonking": COONKING, "swedish": SWEDISH}
OF_SWEDISH = ("swedish-packets", "mexican", "paco", "navajo-tens")


def passages_of(rules: str) -> dict[str, str]:
    """Clause, or reading of another name, to the passage that is cited first."""
    common = {name: passage for passage, names in COMMON.items() for name in names}
    if rules == "common":
        return common
    return {**common, **FAMILIES[family_of(rules)], **VARIANTS.get(rules, {})}


def cites_of_reading(rules: str, reading: str) -> tuple[str, ...]:
    """Everything that a reading cites."""
    family = rules if rules == "common" else family_of(rules)
    grounded = {**GROUNDED[family], **GROUNDED.get(rules, {})}
    return grounded.get(reading) or (passages_of(rules)[reading],)


def family_of(rules: str) -> str:
    """The sheet's rule set that a rule set is, or descends from."""
    return rules if rules in FAMILIES else "swedish" if rules in OF_SWEDISH else "classic"


def role(settings: Settings, ruling: Ruling, deal: Mapping[str, Any]) -> str | None:
    """The clause that a violation rests on; None where the contract leaves it open."""
    code = ruling.code
    assert code is not None
    if code == "wrong-result":
        return "winning"
    if ruling.event is None:
        return _of_setup(settings, code, deal)
    assert ruling.final is not None
    event = deal["events"][ruling.event]
    state = after_pass(ruling.final) if ruling.final.passed else ruling.final
    if code == "game-over":
        return "winning" if state.winner is not None else "exhausted"
    if code == "no-force-due" and settings.name == "no-force" and not ruling.final.passed:
        return None
    if code == "arranging" and settings.borrowing == "afterwards":
        return None
    if code == "not-in-hand" and event[1] == "gives":
        return "exchange"
    if code == "forced" and event[1] == "melds":
        return "discharge"
    if code == "borrowing":
        return "lay-then-borrow" if settings.borrowing == "afterwards" else "borrowing"
    fixed = {
        "not-in-deck": "pack",
        "exchange": "exchange",
        "no-force-due": "demand",
        "forced": "forced",
        "stock-mismatch": "turning",
        "card-elsewhere": "turning",
        "arranging": "arranging",
        "card-twice": "pack",
        "table-card-missing": "whole-melds",
        "offer-not-used": "use-offer",
        "invalid-meld": "whole-melds",
        "hand-only-melds": "hand-only",
        "new-meld": "new-meld",
    }
    return fixed.get(code) or _of_moment(state)


def _of_setup(settings: Settings, code: str, deal: Mapping[str, Any]) -> str:
    if code != "misdeal":
        return {"players": "seats", "no-starter": "starter"}.get(code, "pack")
    hands: Mapping[str, Sequence[str] | None] = deal.get("hands") or {}
    sizes: Mapping[str, int | None] = deal.get("hand_sizes") or {}
    too_long = any(len(hand or ()) > settings.deal for hand in hands.values())
    miscounted = any(size not in (None, settings.deal) for size in sizes.values())
    return "dealing" if too_long or miscounted else _of_listing(settings, deal)


def _of_listing(settings: Settings, deal: Mapping[str, Any]) -> str:
    """A stock or deck that is too long or names a card too often speaks of the pack, else of the dealing."""
    dealt = [card for hand in (deal.get("hands") or {}).values() for card in hand or ()]
    dealt += [deal["starter"]] if deal.get("starter") else []
    players = settings.players[0]
    room = settings.pack_size() - settings.deal * players - settings.starter
    for listed, beside, most in (
        (deal.get("stock") or [], dealt, room),
        (deal.get("deck") or [], [], settings.pack_size()),
    ):
        together = [*listed, *beside]
        if len(listed) > most or any(together.count(c) > settings.packs for c in listed if c != "?"):
            return "pack"
    return "dealing"


def _of_moment(state: State) -> str:
    assert state.phase != OVER
    if state.phase == OFFER:
        return "forced" if state.demanded else "offering"
    return {TURN: "turning", DISCARD: "discarding"}[state.phase]
