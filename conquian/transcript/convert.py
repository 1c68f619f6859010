"""Turning a transcript into another form or another card notation.

Guarantees: the result holds everything that the sheet holds but layout, or there is no result and a
`Refusal` says what stands in the way. Nothing is converted from a sheet with errors, and no text is given that
cannot be read back.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from conquian.cards import CARD_SET, Card, NoForm, Notation, write_card
from conquian.findings import Finding
from conquian.tongue import tell, tell_n
from conquian.transcript.canonical import canonical
from conquian.transcript.model import Deal, Game
from conquian.transcript.sheet import Sheet
from conquian.transcript.text import read_text
from conquian.transcript.write import write_json, write_jsonl, write_text


class Refusal(Struct, frozen=True):
    """Why a transcript is not converted: a code of `codes.REFUSALS`, what stands in the way, what can be
    done.

    `errors` are those of the sheet when it could not be read.
    """

    code: str
    message: str
    hint: str
    errors: tuple[Finding, ...] = ()


def convert(
    sheet: Sheet,
    to: Literal["text", "json", "jsonl"],
    cards: Notation | None = None,
    pack_ranks: tuple[str, ...] | None = None,
) -> str | Refusal:
    """A transcript in another form; `cards` is the notation it is to name, its own if None.

    `pack_ranks` are the ranks of the game's pack, if known; they only serve to explain a refusal.
    """
    if sheet.game is None or sheet.errors:
        count = len(sheet.errors)
        message = tell_n(
            "{name} cannot be read completely: {number} error",
            "{name} cannot be read completely: {number} errors",
            count,
            name=sheet.name,
        )
        return Refusal("unreadable", message, tell("mend the file first"), sheet.errors)
    game = sheet.game if cards is None else replace(sheet.game, cards=cards)
    if cards is not None or to == "text":
        missing = first_without_form(game, game.cards)
        if missing is not None:
            return _no_form(missing, pack_ranks)
    if to == "text":
        written = write_text(game, sheet.remarks)
        if isinstance(written, NoForm):
            return _no_form(written, pack_ranks)
        return _cannot_be_read_back(written, game, sheet) or written
    if sheet.remarks and not game.deals:
        hint = tell("record a deal, or keep the text form")
        return Refusal("no-place", tell("in JSON a comment belongs to a deal, and there is none"), hint)
    return write_json(game) if to == "json" else write_jsonl(game)


def _cannot_be_read_back(written: str, game: Game, sheet: Sheet) -> Refusal | None:
    """What the text form has no place for, of a game written as text: what its own reader finds there."""
    found = read_text(written.encode(), sheet.name)
    if found.errors:
        error = f"{found.errors[0].code} {found.errors[0].message}"
    elif found.game is not None and _but_comments(found.game) == _but_comments(game):
        return None
    else:
        error = tell("it would read back as another game")
    message = tell("the text form cannot hold this game: {error}", error=error)
    return Refusal("no-place", message, tell("keep the JSON form"))


def _but_comments(game: Game) -> Game:
    """A game in its canonical form without comments, of which every one is written."""
    return canonical(replace(game, deals=tuple(replace(deal, comments=None) for deal in game.deals)))


def comments_in_lines(sheet: Sheet) -> int:
    """How many comments of a JSON transcript are not a line of text each; a comment is a line, so they become some."""
    if sheet.remarks is not None:
        return 0
    document = msgspec.json.decode(sheet.source, type=_Commented)
    texts = [text for deal in document.deals for _, text in deal.comments or ()]
    return sum(text != text.strip() or "\n" in text or "\r" in text for text in texts)


class _CommentedDeal(Struct):
    comments: tuple[tuple[int, str], ...] | None = None


class _Commented(Struct):
    deals: tuple[_CommentedDeal, ...] = ()


def first_without_form(game: Game, notation: Notation) -> NoForm | None:
    """The first card of a game that a notation cannot write, or None."""
    for deal in game.deals:
        for card in _cards(deal):
            written = write_card(card, notation)
            if isinstance(written, NoForm):
                return written
    return None


def _cards(deal: Deal) -> Iterator[Card]:
    yield from (deal.cut or {}).values()
    held = (deal.deck, deal.stock, *(deal.hands or {}).values())
    for cards in held:
        for card in cards or ():
            if card != "?":
                yield card  # pyright: ignore[reportReturnType]
    if deal.starter is not None:
        yield deal.starter
    for event in deal.events:
        yield from _within(event[2:])


def _within(part: object) -> Iterator[Card]:
    if isinstance(part, tuple):
        for piece in part:
            yield from _within(piece)
    elif part in CARD_SET:
        yield part  # type: ignore[misc]  # it is one of the 52


def _no_form(reason: NoForm, pack_ranks: tuple[str, ...] | None) -> Refusal:
    pack = (
        tell("; the pack of this game has the ranks {ranks}", ranks=" ".join(pack_ranks))
        if pack_ranks
        else ""
    )
    hint = tell("keep the french notation, or german or swedish")
    return Refusal("no-form", f"{reason.message}{pack}", hint)
