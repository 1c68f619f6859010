"""A scene drawn in a terminal: in line-drawing characters or in ASCII, with or without colour.

Guarantees: what colour says is said without it too; with `ascii_only` every character is ASCII; nothing in a name
moves the cursor. No line is wider than asked for, but for one meld or a name that alone is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, cast

from conquian.cards import Card, Notation, write_card
from conquian.pictures.scene import Laid, Mark, Scene, Seat, Shown
from conquian.pictures.words import card_text, demand_text, offer_text
from conquian.tongue import mark, tell, tell_n
from conquian.visible import visible

WIDE = 80
PLAIN, DIM, BOLD = "\033[0m", "\033[2m", "\033[1m"
_SUITS = {"c": "", "d": "\033[31m", "h": "\033[31m", "s": ""}
_SPANISH_SUITS = {"c": "\033[32m", "d": "\033[33m", "h": "\033[31m", "s": "\033[34m"}
_FORCE, _MOVED, _WRONG = "\033[33m", "\033[35m", "\033[1;31m"


class Strokes(NamedTuple):
    """What boxes are drawn with: corners and joints of the top and the bottom, lines, and the rest."""

    top: str
    bottom: str
    across: str
    down: str


_LINE = Strokes("╭┬╮", "╰┴╯", "─", "│")
_DOUBLE = Strokes("╔╦╗", "╚╩╝", "═", "║")
_ASCII = Strokes("...", "'''", "-", "|")
_ASCII_DOUBLE = Strokes("###", "###", "=", "#")
_SIGNS: dict[Mark, tuple[str, str, str, str]] = {
    "borrowed": ("↶", "b", mark("borrowed"), _MOVED),
    "laid": ("•", "+", mark("just laid"), ""),
    "wrong": ("✗", "x", mark("offending"), _WRONG),
}


DEMANDED = mark("double frame: the demanded card fits this meld")
FORCEABLE = mark("double frame: the card can be forced onto this meld")


class Cell(NamedTuple):
    """A piece of a line: what it prints and how wide it is."""

    text: str
    width: int


Block = list[Cell]
"""Lines of one width."""


def terminal(
    scene: Scene, *, ascii_only: bool = False, colour: bool = False, width: int = WIDE
) -> Iterator[str]:
    """The lines of a scene: the others' hands and tables, what lies between, and the viewer at the bottom."""
    draw = _Terminal(scene, ascii_only, colour, width)
    mine, *others = scene.seats
    for seat in reversed(others):
        yield draw.head(seat)
        yield from draw.hand(seat)
        yield from draw.table(seat)
    yield ""
    yield from draw.middle()
    yield ""
    yield from draw.table(mine)
    yield from draw.hand(mine)
    yield draw.head(mine)
    yield from draw.legend()


class _Terminal:
    def __init__(self, scene: Scene, ascii_only: bool, colour: bool, width: int) -> None:
        self.scene, self.ascii_only, self.colour, self.width = scene, ascii_only, colour, width
        self.marks: set[Mark] = set()
        self.forced = False

    def paint(self, text: str, code: str) -> str:
        return f"{code}{text}{PLAIN}" if self.colour and code else text

    def printed(self, text: str) -> str:
        """A text in which nothing moves the cursor."""
        if self.ascii_only:
            return "".join(c if " " <= c <= "~" else c.encode("unicode_escape").decode() for c in text)
        return visible(text)

    def card(self, card: str) -> str:
        if self.ascii_only:
            written = write_card(cast(Card, card), self.notation)
            return written if isinstance(written, str) else card
        return card_text(card, self.notation)

    @property
    def notation(self) -> Notation:
        return self.scene.notation

    # -- players

    def head(self, seat: Seat) -> str:
        arrow = ">" if self.ascii_only else "▶"
        parts = [self.paint(self.printed(seat.name), BOLD)]
        if seat.partner is not None:
            parts.append(self.printed(tell("(with {player})", player=seat.partner)))
        if self.scene.winner == seat.name:
            parts.append(self.paint(self.printed(tell("has won")), _FORCE))
        elif seat.due:
            parts.append(self.paint(self.printed(tell("to act")), DIM))
        return f"{arrow if seat.due else ' '} {' '.join(parts)}"

    def hand(self, seat: Seat) -> Iterator[str]:
        hidden = seat.unknown is None or seat.unknown > 0
        if not seat.hand and not hidden:
            yield "  " + self.paint(self.printed(tell("no card in hand")), DIM)
            return
        most = max((self.width - 3) // 4, 1)
        for start in range(0, len(seat.hand) - most, most):
            yield from _beside([self.fan(seat.hand[start : start + most], False, False)])
        left = len(seat.hand) - (len(seat.hand) - 1) // most * most if seat.hand else 0
        block = self.fan(seat.hand[len(seat.hand) - left :], False, hidden)
        if seat.unknown is None:
            said = self.printed(tell("hand not known"))
        else:
            held = len(seat.hand) + seat.unknown
            said = tell_n("{number} card in hand", "{number} cards in hand", held)
            if seat.hand and seat.unknown:
                said += tell(", {number} unknown", number=seat.unknown)
            said = self.printed(said)
        note: Block = [Cell("", 0), Cell(self.paint(said, DIM), len(said))]
        yield from self.rows([block, note])

    def table(self, seat: Seat) -> Iterator[str]:
        if seat.partner is not None:
            return
        if not seat.table:
            yield "  " + self.paint(self.printed(tell("no meld on the table")), DIM)
            return
        yield from self.rows([self.meld(meld) for meld in seat.table])

    def meld(self, meld: Laid) -> Block:
        self.forced = self.forced or meld.forced
        return self.fan(meld.cards, meld.forced, False)

    def middle(self) -> Iterator[str]:
        stock = self.scene.stock
        left = self.printed(tell("{number} in stock", number="?" if stock is None else stock))
        blocks: list[Block] = [
            self.fan((), False, stock != 0),
            [Cell("", 0), Cell(left, len(left))],
        ]
        offer = self.scene.offer
        if offer is not None:
            blocks.append(self.fan((offer.card,), offer.demand != "none", False))
            said = self.printed(offer_text(self.scene))
            note: Block = [Cell("", 0), Cell(said, len(said))]
            can = self.printed(demand_text(self.scene))
            if can:
                note.append(Cell(self.paint(can, _FORCE), len(can)))
            blocks.append(note)
        yield from self.rows(blocks)
        if self.scene.tried and self.scene.tried_by is not None:
            yield self.paint(
                "  " + self.printed(tell("not legal: {player} lays", player=self.scene.tried_by)), _WRONG
            )
            yield from self.rows([self.meld(meld) for meld in self.scene.tried])
        if self.scene.gone:
            yield from self.list(
                self.printed(tell("out of play:")), [self.card(card) for card in self.scene.gone]
            )

    def list(self, title: str, words: Sequence[str]) -> Iterator[str]:
        line = f"  {title}"
        for word in words:
            if len(line) + 1 + len(word) > self.width:
                yield self.paint(line, DIM)
                line = " " * (len(title) + 2)
            line += f" {word}"
        yield self.paint(line, DIM)

    def legend(self) -> Iterator[str]:
        said = [
            f"{self.paint(sign[1 if self.ascii_only else 0], sign[3])} {self.printed(tell(sign[2]))}"
            for kind, sign in _SIGNS.items()
            if kind in self.marks
        ]
        if self.forced:
            made = self.scene.offer is not None and self.scene.offer.demand == "made"
            words = tell(DEMANDED) if made else tell(FORCEABLE)
            said.append(self.paint(self.printed(words), _FORCE))
        if said:
            yield ""
            yield "  " + "   ".join(said)

    # -- boxes

    def fan(self, cards: Sequence[Shown], double: bool, back: bool) -> Block:
        """Cards side by side in boxes, a back behind them; a fourth line where cards are marked."""
        strokes = (_ASCII_DOUBLE if double else _ASCII) if self.ascii_only else (_DOUBLE if double else _LINE)
        suits = _SPANISH_SUITS if self.notation == "spanish" else _SUITS
        cells: list[tuple[str, str]] = [(self.card(shown.card), suits[shown.card[-1]]) for shown in cards]
        if back or not cells:
            cells.append(((":::" if self.ascii_only else "▒▒▒") if back else "   ", DIM))
        wide = [max(len(text), 3) for text, _ in cells]
        frame = _FORCE if double else ""

        def edge(corners: str) -> str:
            inner = corners[1].join(strokes.across * one for one in wide)
            return self.paint(f"{corners[0]}{inner}{corners[2]}", frame)

        down = self.paint(strokes.down, frame)
        inside = down.join(
            self.paint(text, code) + " " * (one - len(text))
            for (text, code), one in zip(cells, wide, strict=True)
        )
        total = sum(wide) + len(wide) + 1
        block = [
            Cell(edge(strokes.top), total),
            Cell(f"{down}{inside}{down}", total),
            Cell(edge(strokes.bottom), total),
        ]
        if any(shown.marks for shown in cards):
            block.append(Cell(self.signs(cards, wide), total))
        return block

    def signs(self, cards: Sequence[Shown], wide: Sequence[int]) -> str:
        line = ""
        for shown, one in zip(cards, wide, strict=False):
            kind = shown.marks[-1] if shown.marks else None
            sign = " "
            if kind is not None:
                self.marks.add(kind)
                sign = self.paint(_SIGNS[kind][1 if self.ascii_only else 0], _SIGNS[kind][3])
            line += f" {sign}{' ' * (one - 1)}"
        return line + " " * (sum(wide[len(cards) :]) + len(wide) - len(cards) + 1)

    def rows(self, blocks: Sequence[Block]) -> Iterator[str]:
        """Blocks beside each other, in as many rows as the width asks for."""
        row: list[Block] = []
        used = 2
        for block in blocks:
            wide = max(cell.width for cell in block)
            if row and used + wide > self.width:
                yield from _beside(row)
                row, used = [], 2
            row.append(block)
            used += wide + 2
        yield from _beside(row)


def _beside(blocks: Sequence[Block]) -> Iterator[str]:
    wide = [max(cell.width for cell in block) for block in blocks]
    for height in range(max(map(len, blocks))):
        line = "  "
        for block, one in zip(blocks, wide, strict=True):
            cell = block[height] if height < len(block) else Cell("", 0)
            line += cell.text + " " * (one - cell.width + 2)
        yield line.rstrip()
