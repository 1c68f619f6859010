"""The parts of one picture as elements of SVG, from the top down: players, tables, what lies between, the legend.

Guarantees: nothing but paths, rectangles and uses; every card and every word within the picture's width.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from conquian.pictures.faces import BACK_STEP, HEIGHT, STEP, WIDTH, coloured, prefix
from conquian.pictures.scene import Laid, Mark, Scene, Seat, Shown
from conquian.pictures.strokes import capitals, letterable, number, path_of, width_of
from conquian.pictures.words import demand_text, offer_text
from conquian.tongue import mark, tell, tell_n

ACROSS = 660
"""The width of every picture in its own units."""
MARGIN, MELD_GAP, RAISED = 22, 20, 8
BELOW = 15
"""The room under a meld for what its cards are marked with."""
LETTER, SMALL = 11.0, 7.5
MOST_LETTERS = 28
MOST_HAND = 480
"""How wide a hand of known cards is at most; more cards lie closer."""
OFFER_AT, GONE_AT, GONE_SCALE = 180, 450, 0.5
GONE_ROW, GONE_STEP = 12, 14.0
DEMANDED = mark("the demanded card fits this meld")
FORCEABLE = mark("the card can be forced onto this meld")
_MARK_WORDS: tuple[tuple[Mark, str, str], ...] = (
    ("borrowed", mark("borrowed"), "moved"),
    ("laid", mark("just laid"), "ink"),
    ("wrong", mark("offending"), "wrong"),
)


class Words(Protocol):
    """Where the words of several pictures are defined once."""

    def word(self, words: str, height: float) -> str:
        """The id of the definition of some words in a height."""
        ...


def lettering(shared: Words | None, words: str, x: float, y: float, height: float, colour: str) -> str:
    """Some words as an element: a use of their definition where pictures share those, else a path."""
    if shared is None:
        return f'<path {coloured(colour)} d="{path_of(words, x, y, height)}" {pen(height)}/>'
    name = shared.word(words, height)
    return f'<use href="#{name}" {coloured(colour)} x="{number(x)}" y="{number(y)}"/>'


def pen(height: float) -> str:
    """The attributes of a stroke that letters of a height are written with."""
    return (
        f'fill="none" stroke="currentColor" stroke-width="{number(height * 0.15)}" stroke-linecap="round" '
        'stroke-linejoin="round"'
    )


class Drawing:
    """The parts of one picture, from the top down."""

    def __init__(self, scene: Scene, shared: Words | None) -> None:
        self.scene, self.shared = scene, shared
        self.name = prefix(scene.notation)
        self.parts: list[str] = []
        self.cards: set[str] = set()
        self.marks: set[str] = set()

    def drawn(self) -> tuple[str, float]:
        y = float(MARGIN)
        mine, *others = self.scene.seats
        for number_, seat in reversed([*enumerate(others, 2)]):
            y = self.hand(seat, self.label(seat, number_, y))
            y = self.table(seat, y) + 6
        y = self.tried(self.middle(y) + 14)
        y = self.table(mine, y)
        y = self.hand(mine, y)
        y = self.label(mine, 1, y + 2)
        y = self.legend(y)
        return "".join(self.parts), y + MARGIN - 10

    # -- words

    def text(self, words: str, x: float, y: float, height: float, colour: str) -> float:
        """Draws a text and gives where it ends."""
        self.parts.append(lettering(self.shared, words, x, y, height, colour))
        return x + width_of(words, height)

    def label(self, seat: Seat, place: int, y: float) -> float:
        x = float(MARGIN)
        if seat.due:
            self.parts.append(
                f'<path {coloured("force")} d="M{number(x)} {number(y)}l9 5.5l-9 5.5z" fill="currentColor"/>'
            )
            x += 16
        x = self.text(_lettered(seat.name, place), x, y, LETTER, "ink")
        if seat.partner is not None:
            partner = next(i for i, one in enumerate(self.scene.seats, 1) if one.name == seat.partner)
            said = capitals(tell("with {player}", player=_lettered(seat.partner, partner)))
            x = self.text(said, x + 14, y + LETTER - SMALL, SMALL, "faint")
        if self.scene.winner == seat.name:
            self.text(capitals(tell("has won")), x + 14, y + LETTER - SMALL, SMALL, "force")
        elif seat.due:
            self.text(capitals(tell("to act")), x + 14, y + LETTER - SMALL, SMALL, "faint")
        return y + LETTER + 11

    # -- cards

    def card(self, card: str, x: float, y: float) -> None:
        if card != "back":
            self.cards.add(card)
        self.parts.append(f'<use href="#{self.name}-{card}" x="{number(x)}" y="{number(y)}"/>')

    def shown(self, shown: Shown, x: float, y: float) -> None:
        """A card with its marks under the strip that the next card leaves free."""
        raised = RAISED if "borrowed" in shown.marks else 0
        self.card(shown.card, x, y - raised)
        if shown.marks:
            mark = shown.marks[-1]
            self.marks.add(mark)
            if mark == "wrong":
                self.frame(x - 1, y - raised - 1, WIDTH + 2, HEIGHT + 2, "wrong", "")
            self.sign(mark, x + 12.5, y + HEIGHT + 7)

    def sign(self, mark: str, x: float, y: float) -> None:
        """The sign of a mark around a point."""
        if mark == "borrowed":
            path, colour = (
                f"M{number(x - 6)} {number(y + 3)}c0 -8 10 -8 11 -1m-4 -1.5l4.2 2.6l2 -4.4",
                "moved",
            )
        elif mark == "laid":
            path, colour = f"M{number(x - 6)} {number(y)}h12", "ink"
        else:
            path, colour = f"M{number(x - 4)} {number(y - 4)}l8 8m0 -8l-8 8", "wrong"
        self.parts.append(
            f'<g {coloured(colour)}><path class="mark-{mark}" d="{path}" fill="none" stroke="currentColor" '
            'stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round"/></g>'
        )

    def frame(self, x: float, y: float, width: float, height: float, colour: str, dashes: str) -> None:
        dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
        self.parts.append(
            f'<rect {coloured(colour)} x="{number(x)}" y="{number(y)}" width="{number(width)}" '
            f'height="{number(height)}" rx="8" fill="none" stroke="currentColor" stroke-width="2.2"{dashed}/>'
        )

    def hand(self, seat: Seat, y: float) -> float:
        x = float(MARGIN)
        step = min(STEP, (MOST_HAND - WIDTH) / max(len(seat.hand) - 1, 1))
        for shown in seat.hand:
            self.shown(shown, x, y)
            x += step
        backs = 3 if seat.unknown is None else seat.unknown
        for _ in range(backs):
            self.card("back", x, y)
            x += BACK_STEP
        if backs:
            x += WIDTH - BACK_STEP
        elif seat.hand:
            x += WIDTH - step
        else:
            x = self.empty(x, y)
        held = None if seat.unknown is None else len(seat.hand) + seat.unknown
        count = "?" if held is None else str(held)
        end = self.text(count, x + 14, y + HEIGHT / 2 - 6, 12, "ink")
        self.text(
            capitals(tell_n("card in hand", "cards in hand", 2 if held is None else held)),
            end + 7,
            y + HEIGHT / 2 - 1.5,
            SMALL,
            "faint",
        )
        marked = any(shown.marks for shown in seat.hand)
        return y + HEIGHT + (BELOW if marked else 0) + 12

    def empty(self, x: float, y: float) -> float:
        """A place where no card lies."""
        self.parts.append(
            f'<rect {coloured("edge")} x="{number(x + 0.5)}" y="{number(y + 0.5)}" width="{WIDTH - 1}" '
            f'height="{HEIGHT - 1}" rx="6" fill="none" stroke="currentColor" stroke-dasharray="3 5"/>'
        )
        return x + WIDTH

    def table(self, seat: Seat, y: float) -> float:
        if seat.partner is not None:
            return y
        y += RAISED
        if not seat.table:
            end = self.empty(MARGIN, y)
            self.text(capitals(tell("no meld yet")), end + 14, y + HEIGHT / 2 - SMALL / 2, SMALL, "faint")
            return y + HEIGHT + BELOW
        return self.melds(seat.table, y)

    def melds(self, melds: Sequence[Laid], y: float) -> float:
        x = float(MARGIN)
        for meld in melds:
            width = WIDTH + STEP * (len(meld.cards) - 1)
            if x > MARGIN and x + width > ACROSS - MARGIN:
                x, y = float(MARGIN), y + HEIGHT + BELOW + RAISED + 4
            self.meld(meld, x, y, width)
            x += width + MELD_GAP
        return y + HEIGHT + BELOW

    def meld(self, meld: Laid, x: float, y: float, width: float) -> None:
        for place, shown in enumerate(meld.cards):
            self.shown(shown, x + place * STEP, y)
        if meld.forced:
            self.marks.add("forced")
            self.frame(x - 6, y - 6, width + 12, HEIGHT + 12, "force", "7 5")

    # -- between the players

    def tried(self, y: float) -> float:
        """The melds of an act that is not legal."""
        scene = self.scene
        if not scene.tried or scene.tried_by is None:
            return y
        place = next((i for i, seat in enumerate(scene.seats, 1) if seat.name == scene.tried_by), 1)
        who = _lettered(scene.tried_by, place)
        self.text(capitals(tell("not legal: {player} lays", player=who)), MARGIN, y, SMALL, "wrong")
        return self.melds(scene.tried, y + SMALL + 12) + 6

    def middle(self, y: float) -> float:
        self.stock(MARGIN, y + 8)
        self.offer(OFFER_AT, y + 8)
        self.gone(y + 8)
        return y + HEIGHT + 16

    def stock(self, x: float, y: float) -> None:
        stock = self.scene.stock
        if stock == 0:
            end = self.empty(x, y)
        else:
            for lift in range(3 if stock is None else min(stock, 3)):
                self.card("back", x + lift * 3, y - lift * 2)
            end = x + WIDTH + 6
        self.text("?" if stock is None else str(stock), end + 12, y + 25, 15, "ink")
        self.text(capitals(tell("in stock")), end + 12, y + 49, SMALL, "faint")

    def offer(self, x: float, y: float) -> None:
        offer = self.scene.offer
        if offer is None:
            self.empty(x, y)
            return
        colour = "force" if offer.demand != "none" else "ink"
        self.shown(offer.card, x, y)
        self.frame(x - 5, y - 5, WIDTH + 10, HEIGHT + 10, colour, "7 5" if offer.demand != "none" else "")
        place = next((i for i, seat in enumerate(self.scene.seats, 1) if seat.name == offer.player), 1)
        who = _lettered(offer.player, place)
        how = offer_text(self.scene).removesuffix(offer.player).strip()
        self.text(capitals(how), x + WIDTH + 18, y + 16, SMALL, "faint")
        self.text(_fitting(who, LETTER, GONE_AT - x - WIDTH - 30), x + WIDTH + 18, y + 31, LETTER, "ink")
        if offer.demand != "none":
            self.text(capitals(demand_text(self.scene)), x + WIDTH + 18, y + 53, SMALL, "force")

    def gone(self, y: float) -> None:
        cards = self.scene.gone
        if not cards:
            return
        self.text(capitals(tell("out of play: {number}", number=len(cards))), GONE_AT, y - 6, SMALL, "faint")
        room = ACROSS - MARGIN - GONE_AT - WIDTH * GONE_SCALE
        in_row = max(GONE_ROW, -(-len(cards) // 3))
        step = min(GONE_STEP, room / (in_row - 1))
        for place, card in enumerate(cards):
            row, column = divmod(place, in_row)
            self.cards.add(card)
            self.parts.append(
                f'<use href="#{self.name}-{card}" transform="translate({number(GONE_AT + column * step)} '
                f'{number(y + 8 + row * 25)}) scale({GONE_SCALE})"/>'
            )

    def legend(self, y: float) -> float:
        """What the marks of this picture mean."""
        words: Sequence[tuple[str, str, str]] = [m for m in _MARK_WORDS if m[0] in self.marks]
        if not self.marks:
            return y
        x = float(MARGIN) + 6
        for kind, said, colour in words:
            self.sign(kind, x, y + 4)
            x = self.text(capitals(tell(said)), x + 14, y, SMALL, colour) + 26
        if "forced" in self.marks:
            self.frame(x - 6, y - 3, 22, 14, "force", "4 3")
            made = self.scene.offer is not None and self.scene.offer.demand == "made"
            said = tell(DEMANDED) if made else tell(FORCEABLE)
            self.text(capitals(said), x + 24, y, SMALL, "force")
        return y + SMALL + 12


def _lettered(name: str, place: int) -> str:
    """A name as it is drawn; a player whose name has letters that there are no strokes for by his place."""
    drawn = capitals(name)
    if not letterable(drawn):
        return capitals(tell("player {number}", number=place))
    return drawn if len(drawn) <= MOST_LETTERS else drawn[: MOST_LETTERS - 3].rstrip() + "..."


def _fitting(words: str, height: float, room: float) -> str:
    """A text cut so that it fits."""
    if width_of(words, height) <= room:
        return words
    while words and width_of(words + "...", height) > room:
        words = words[:-1]
    return words.rstrip() + "..."
