"""The words that conditions are made of, and the moments at which each has a meaning.

The tables are the whole vocabulary: what a moment does not list cannot be asked there (CQ302).
"""

from __future__ import annotations

from conquian.language import formula as f
from conquian.tongue import mark

CARDS_AT: dict[f.Moment, tuple[str, ...]] = {
    "act": ("up", "used", "laid", "hand"),
    "win": ("up", "used", "laid"),
    "force": ("up", "said", "onto"),
    "discard": ("thrown", "hand"),
    "pass": ("up",),
    "turn": (),
    "flow": ("up",),
}
MELDS_AT: dict[f.Moment, tuple[str, ...]] = {
    "act": ("before", "after"),
    "win": ("before", "after"),
    "stakes": ("before", "after"),
    "force": ("before",),
    "discard": ("before",),
    "pass": ("before",),
    "turn": ("before",),
    "flow": ("before",),
}
ENDED = ("conceded", "agreed", "broken-off")
"""How the players can end a deal that the rules have not ended: by a concession, an agreed draw, or not at all."""

FLAGS_AT: dict[f.Moment, tuple[str, ...]] = {
    "act": ("own", "starter"),
    "win": ("own", "starter"),
    "force": ("own", "starter", "named"),
    "pass": ("own", "starter"),
    "flow": ("own", "starter"),
    "dealer": ("misdeal", "drawn", *ENDED),
    "stakes": ("drawn", "drawn-before", *ENDED),
}
PLACES_AT: dict[f.Moment, tuple[str, ...]] = {
    "win": ("hand", "stock"),
    "flow": ("hand", "stock"),
    "turn": ("stock", "hand"),
    "pass": ("stock", "hand"),
    "act": ("stock",),
    "force": ("stock",),
    "discard": ("stock",),
}
TRAITS = ("same_rank", "same_suit", "consecutive", "distinct")
FUNCTIONS = (*TRAITS, "valid", "possible", "size", "cards", "ends")
WORDS_OF_MOMENT: dict[f.Moment, str] = {
    "shape": mark("the shape of a meld"),
    "act": mark("a meld or a regrouping"),
    "win": mark("winning"),
    "force": mark("a demand"),
    "discard": mark("a discard"),
    "pass": mark("a pass"),
    "turn": mark("turning a card"),
    "flow": mark("the order of play"),
    "dealer": mark("the next dealer"),
    "stakes": mark("the stakes"),
}

MOMENTS: tuple[f.Moment, ...] = tuple(WORDS_OF_MOMENT)


def known_at(moment: f.Moment) -> tuple[str, ...]:
    """Every word that has a meaning at a moment, `goal` and functions aside."""
    tables = (CARDS_AT, MELDS_AT, FLAGS_AT, PLACES_AT)
    return tuple(name for table in tables for name in table.get(moment, ()))


RESERVED = frozenset({"goal", "next", "empty", *(word for moment in MOMENTS for word in known_at(moment))})
"""Words that no variable or parameter may take for itself, whatever the moment."""
