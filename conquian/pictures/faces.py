"""The faces of cards: suits as outlines, ranks as strokes, each card defined once and used by its name.

Guarantees: French and Spanish suits differ in shape, not only in colour. A definition holds no text, no font, no
address but of another definition in the same document.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple, cast

from conquian.cards import Card, Notation, Suit, rank_of, suit_of, write_card
from conquian.pictures.strokes import number, path_of, width_of

WIDTH, HEIGHT = 54, 78
STEP, BACK_STEP = 25, 8
"""How far a card lies to the right of the one that it half covers: a face, a back."""
RANK_HEIGHT = 12.5

# In a square of 100 by 100.
_FRENCH: dict[Suit, str] = {
    "h": "M50 92C20 64 6 47 6 30A22 22 0 0 1 50 24A22 22 0 0 1 94 30C94 47 80 64 50 92Z",
    "d": "M50 4Q64 31 86 50Q64 69 50 96Q36 69 14 50Q36 31 50 4Z",
    "s": "M50 5C62 26 92 42 92 64A20 20 0 0 1 56 74Q58 88 70 95H30Q42 88 44 74A20 20 0 0 1 8 64C8 42 38 26 50 5Z",
    "c": "M50 5A20.5 20.5 0 0 1 66 38A20.5 20.5 0 1 1 56 72Q58 87 69 95H31Q42 87 44 72A20.5 20.5 0 1 1 34 38"
    "A20.5 20.5 0 0 1 50 5Z",
}
_SPANISH: dict[Suit, str] = {
    "d": "M50 5A45 45 0 1 0 50 95A45 45 0 1 0 50 5ZM50 15A35 35 0 1 1 50 85A35 35 0 1 1 50 15ZM50 24L57 40L74 33L67 50"
    "L74 67L57 60L50 76L43 60L26 67L33 50L26 33L43 40Z",
    "h": "M14 8H86C86 38 74 54 57 58V76Q60 86 76 88V96H24V88Q40 86 43 76V58C26 54 14 38 14 8Z",
    "s": "M50 2L58 14V62H79V72H58V84A8 8 0 0 1 42 84V72H21V62H42V14Z",
    "c": "M60 7C74 -1 92 12 85 28C81 37 74 43 69 50L84 52C88 60 80 66 72 62L62 60C55 70 50 80 44 89C39 98 24 99 20 90"
    "C17 82 24 75 30 66C34 59 38 51 41 43L28 36C24 27 33 20 41 27L48 30C51 22 53 12 60 7Z",
}
_FRENCH_COLOURS: dict[Suit, str] = {"c": "k", "d": "r", "h": "r", "s": "k"}
_SPANISH_COLOURS: dict[Suit, str] = {"c": "g", "d": "o", "h": "r", "s": "b"}


class Colour(NamedTuple):
    """A colour by day and by night."""

    light: str
    dark: str


COLOURS: dict[str, Colour] = {
    "k": Colour("#1d2328", "#e6e9ec"),
    "r": Colour("#b3202a", "#ff8f8a"),
    "g": Colour("#1f6b34", "#7fd694"),
    "o": Colour("#8a5a00", "#f0bd4f"),
    "b": Colour("#1f4f9a", "#8fb8ff"),
    "mat": Colour("#e6ede4", "#223129"),
    "face": Colour("#ffffff", "#2a3138"),
    "edge": Colour("#8b9289", "#7d878f"),
    "back": Colour("#4c6a8f", "#41608a"),
    "net": Colour("#dfe8f2", "#9fb6d6"),
    "ink": Colour("#2d3630", "#d7ded8"),
    "faint": Colour("#566057", "#a3aea5"),
    "force": Colour("#a34700", "#ffb066"),
    "moved": Colour("#5b2fa0", "#c9a9ff"),
    "wrong": Colour("#b00020", "#ff6b78"),
}
"""Every colour of a picture by the name of its class. Text and marks keep a contrast of 4.5 to their ground."""


def prefix(notation: Notation) -> str:
    """What the names of definitions begin with: pictures of two notations can stand in one document."""
    return f"cq-{notation[0]}"


def style() -> str:
    """The style sheet of pictures: by day the attributes of the elements hold, by night these rules."""
    # No ancestor is named: a card that is used elsewhere is out of reach of one.
    rules = "".join(f".cq-{name}{{color:{colour.dark}}}" for name, colour in COLOURS.items())
    return f"@media screen and (prefers-color-scheme:dark){{{rules}}}"


def coloured(name: str) -> str:
    """The attributes of an element that paints in a colour; what is in it paints with `currentColor`."""
    return f'class="cq-{name}" color="{COLOURS[name].light}"'


def rank_text(card: str, notation: Notation) -> str:
    """A card's rank as its notation writes it: `10`, `Kn`."""
    written = write_card(cast(Card, card), notation)
    suit = write_card(cast(Card, "2" + card[-1]), notation)
    if isinstance(written, str) and isinstance(suit, str):
        return written.removesuffix(suit[1:])
    return rank_of(cast(Card, card))


def definitions(cards: Collection[str], notation: Notation) -> str:
    """The content of `<defs>` for some cards: suits, a back, and each card, named `PREFIX-CARD`."""
    name = prefix(notation)
    suits = _SPANISH if notation == "spanish" else _FRENCH
    colours = _SPANISH_COLOURS if notation == "spanish" else _FRENCH_COLOURS
    wanted: list[Suit] = sorted({suit_of(cast(Card, card)) for card in cards})
    parts = [f'<path id="{name}-{suit}" fill-rule="evenodd" d="{suits[suit]}"/>' for suit in wanted]
    parts.append(_back(name))
    parts += [_face(card, notation, name, colours[suit_of(cast(Card, card))]) for card in sorted(set(cards))]
    return "".join(parts)


def _box(kind: str, inset: float = 0.5) -> str:
    return (
        f'<rect x="{number(inset)}" y="{number(inset)}" width="{number(WIDTH - 2 * inset)}" '
        f'height="{number(HEIGHT - 2 * inset)}" rx="{number(6.5 - inset)}" {kind}/>'
    )


_FILLED, _DRAWN = 'fill="currentColor"', 'fill="none" stroke="currentColor"'
_SHEET = (
    f"<g {coloured('face')}>{_box(_FILLED)}</g>"  # the paper of a card and its edge
    f"<g {coloured('edge')}>{_box(_DRAWN)}</g>"
)


def _net() -> str:
    """Diagonals both ways over the back of a card."""
    left, right, top, bottom = 6, WIDTH - 6, 6, HEIGHT - 6
    found = []
    for down in range(top - right, bottom - left, 8):
        start, end = max(left, top - down), min(right, bottom - down)
        if start < end:
            found.append(f"M{start} {start + down}L{end} {end + down}")
            found.append(f"M{WIDTH - start} {start + down}L{WIDTH - end} {end + down}")
    return "".join(found)


def _back(name: str) -> str:
    return (
        f'<g id="{name}-back">{_SHEET}<g {coloured("back")}>{_box(_FILLED, 4)}</g><g {coloured("net")}>'
        f'<path d="{_net()}" {_DRAWN} stroke-width=".8" opacity=".6"/></g></g>'
    )


def _face(card: str, notation: Notation, name: str, colour: str) -> str:
    rank, suit = rank_text(card, notation), card[-1]
    wide = width_of(rank, RANK_HEIGHT)
    small, large = 0.115, 0.3
    left = number(6.5 + min(wide, 15) / 2 - 50 * small)
    return (
        f'<g id="{name}-{card}">{_SHEET}<g {coloured(colour)} fill="currentColor">'
        f'<path d="{path_of(rank, 6.5, 7, RANK_HEIGHT)}" fill="none" stroke="currentColor" stroke-width="1.9" '
        f'stroke-linecap="round" stroke-linejoin="round"/>'
        f'<use href="#{name}-{suit}" transform="translate({left} 24) scale({small})"/>'
        f'<use href="#{name}-{suit}" transform="translate(17 40) scale({large})"/></g></g>'
    )
