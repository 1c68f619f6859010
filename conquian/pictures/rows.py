"""Cards in rows, each with words beside it: the whole pack, or the cards that were drawn for something.

Guarantees: well-formed SVG of paths, rectangles and uses alone, the same bytes for the same rows; `<title>` and
`<desc>` say in words all that is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from conquian.cards import Notation
from conquian.pictures.drawing import ACROSS, LETTER, MARGIN, SMALL, lettering
from conquian.pictures.faces import HEIGHT, WIDTH, coloured, definitions, prefix, style
from conquian.pictures.markup import escaped
from conquian.pictures.strokes import capitals, letterable, number, width_of
from conquian.pictures.svg import Shared
from conquian.pictures.words import card_text, cards_text

GAP, ROW_GAP = 4, 12
"""The room between two cards, and between two rows."""


class CardRow(Struct, frozen=True):
    """Cards beside each other; `name` stands before them, `note` behind them."""

    cards: tuple[str, ...]
    name: str = ""
    note: str = ""


class CardRows(Struct, frozen=True, kw_only=True):
    """Rows under each other, with a note for all of them."""

    title: str
    rows: tuple[CardRow, ...]
    note: str = ""
    notation: Notation = "french"


def rows_text(shown: CardRows) -> str:
    """Everything that a picture of rows shows."""
    return " ".join(f"{line}." for line in _lines(shown))


def rows_lines(shown: CardRows) -> Iterator[str]:
    """Rows in characters, the cards of each under those of the one before."""
    cells = [[card_text(card, shown.notation) for card in row.cards] for row in shown.rows]
    wide = max((len(text) for row in cells for text in row), default=0)
    names = max(len(row.name) for row in shown.rows)
    for row, texts in zip(shown.rows, cells, strict=True):
        before = f"{row.name:<{names}}  " if names else ""
        yield f"  {before}{' '.join(f'{text:<{wide}}' for text in texts)}  {row.note}".rstrip()
    if shown.note:
        yield f"  {shown.note}"


def rows_svg(shown: CardRows, *, ident: str = "cq", shared: Shared | None = None) -> str:
    """Rows of cards as an SVG document; `ident` and `shared` as `svg` takes them."""
    body, high = _Rows(shown, shared).drawn()
    own = ""
    if shared is None:
        cards = {card for row in shown.rows for card in row.cards}
        own = f"<style>{style()}</style><defs>{definitions(cards, shown.notation)}</defs>"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {ACROSS} {number(high)}" width="{ACROSS}" '
        f'height="{number(high)}" role="img" aria-labelledby="{ident}-title {ident}-desc">'
        f'<title id="{ident}-title">{escaped(shown.title)}</title>'
        f'<desc id="{ident}-desc">{escaped(rows_text(shown))}</desc>{own}'
        f'<g {coloured("mat")}><rect width="{ACROSS}" height="{number(high)}" rx="14" fill="currentColor"/></g>'
        f"{body}</svg>"
    )


def _lines(shown: CardRows) -> Iterator[str]:
    for row in shown.rows:
        name = f"{row.name}: " if row.name else ""
        note = f", {row.note}" if row.note else ""
        yield f"{name}{cards_text(row.cards, shown.notation)}{note}"
    if shown.note:
        yield shown.note


class _Rows:
    def __init__(self, shown: CardRows, shared: Shared | None) -> None:
        self.shown, self.shared = shown, shared
        self.parts: list[str] = []

    def drawn(self) -> tuple[str, float]:
        names = max(width_of(self.lettered(row.name), LETTER) for row in self.shown.rows)
        left = MARGIN + (names + 18 if names else 0)
        y = float(MARGIN)
        for row in self.shown.rows:
            self.row(row, left, y)
            y += HEIGHT + ROW_GAP
        if self.shown.note:
            self.text(capitals(self.shown.note), MARGIN, y, SMALL, "faint")
            y += SMALL + ROW_GAP
        return "".join(self.parts), y - ROW_GAP + MARGIN

    def row(self, row: CardRow, left: float, y: float) -> None:
        middle = y + HEIGHT / 2
        self.text(self.lettered(row.name), MARGIN, middle - LETTER / 2, LETTER, "ink")
        room = ACROSS - MARGIN - left - WIDTH
        step = min(WIDTH + GAP, room / max(len(row.cards) - 1, 1))
        for place, card in enumerate(row.cards):
            x = left + place * step
            self.parts.append(
                f'<use href="#{prefix(self.shown.notation)}-{card}" x="{number(x)}" y="{number(y)}"/>'
            )
        end = left + step * (len(row.cards) - 1) + WIDTH
        self.text(capitals(row.note), end + 14, middle - SMALL / 2, SMALL, "force")

    @staticmethod
    def lettered(name: str) -> str:
        """A name as it is drawn, nothing of one that there are no strokes for."""
        drawn = capitals(name)
        return drawn if letterable(drawn) else ""

    def text(self, words: str, x: float, y: float, height: float, colour: str) -> None:
        if words:
            self.parts.append(lettering(self.shared, words, x, y, height, colour))
