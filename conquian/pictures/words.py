"""A scene and an event in words: for titles and descriptions, and for those who do not see the picture."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import cast

from conquian.cards import Card, Notation, write_card
from conquian.pictures.scene import Mark, Scene, Seat
from conquian.transcript.model import Event

_MARKED: tuple[tuple[Mark, str], ...] = (
    ("borrowed", "borrowed"),
    ("laid", "just laid"),
    ("wrong", "offending"),
)


def card_text(card: str, notation: Notation) -> str:
    """A card as people write it, with the sign of its suit where its notation has signs."""
    written = card if card == "?" else write_card(cast(Card, card), notation, symbols=True)
    return written if isinstance(written, str) else card


def cards_text(cards: Iterable[str], notation: Notation) -> str:
    return " ".join(card_text(card, notation) for card in cards)


def melds_text(melds: Iterable[Sequence[str]], notation: Notation) -> str:
    return ", ".join(cards_text(meld, notation) for meld in melds)


def deed_text(event: Event, notation: Notation) -> str:
    """What a player does, as a transcript tells it, without his name."""
    verb, rest = str(event[1]), event[2:]
    match verb:
        case "turns" | "discards":
            return f"{verb} {card_text(str(rest[0]), notation)}"
        case "melds" | "arranges":
            return f"{verb} {melds_text(cast('tuple[tuple[str, ...], ...]', rest[0]), notation)}"
        case "gives":
            return f"gives {card_text(str(rest[0]), notation)} to {rest[1]}"
        case "forces" if rest:
            onto = cards_text(cast("tuple[str, ...]", rest[1]), notation)
            return f"forces {card_text(str(rest[0]), notation)} onto {onto}"
        case _:
            return verb


def title_of(scene: Scene) -> str:
    """A scene in one line."""
    if scene.winner is not None:
        return f"{scene.winner} has won"
    offer = scene.offer
    if offer is None:
        due = next((seat.name for seat in scene.seats if seat.due), None)
        return f"Conquian, {due} to act" if due is not None else f"Conquian, {scene.phase}"
    card = card_text(offer.card.card, scene.notation)
    return f"Conquian, {card} {offer_text(scene)}"


def offer_text(scene: Scene) -> str:
    """What is with the card on offer."""
    offer = scene.offer
    if offer is None:
        return ""
    if offer.demand == "made":
        return f"demanded of {offer.player}"
    if offer.passed:
        return f"passed by {offer.player}" if offer.player else "passed"
    return f"on offer to {offer.player}" if offer.player else "face up"


def demand_text(scene: Scene) -> str:
    """What can be demanded with the card on offer, or has been; nothing if nothing can."""
    words = {
        "on-offer": "can be forced",
        "on-decline": "can be forced"
        if scene.offer is not None and scene.offer.passed
        else "can be forced once passed",
        "made": "has to be melded",
    }
    return "" if scene.offer is None else words.get(scene.offer.demand, "")


def description(scene: Scene) -> str:
    """Everything that a picture shows."""
    return " ".join(_sentences(scene))


def _sentences(scene: Scene) -> Iterator[str]:
    notation = scene.notation
    for seat in scene.seats:
        yield f"{seat.name}: {hand_text(seat, notation)}; {table_text(seat, notation)}."
    if scene.offer is not None:
        card = card_text(scene.offer.card.card, notation)
        onto = [
            cards_text((shown.card for shown in meld.cards), notation)
            for seat in scene.seats
            for meld in seat.table
            if meld.forced
        ]
        how = demand_text(scene)
        where = f" onto {' or '.join(onto)}" if onto else ""
        yield f"{card} is {offer_text(scene)}{f'; it {how}{where}' if how else ''}."
    if scene.tried and scene.tried_by is not None:
        melds = melds_text(([shown.card for shown in meld.cards] for meld in scene.tried), notation)
        yield f"{scene.tried_by} tried {melds}, which is not legal."
    for mark, word in _MARKED:
        cards = [*_marked(scene, mark)]
        if cards:
            yield f"Marked as {word}: {cards_text(cards, notation)}."
    if scene.stock is not None:
        yield f"Stock: {scene.stock} {'card' if scene.stock == 1 else 'cards'}."
    if scene.gone:
        yield f"Out of play: {cards_text(scene.gone, notation)}."


def hand_text(seat: Seat, notation: Notation) -> str:
    """What a player holds, as far as it is known."""
    known = cards_text((shown.card for shown in seat.hand), notation)
    if seat.unknown is None:
        return f"holds {known} and cards that nobody named" if known else "holds cards that nobody named"
    if not seat.unknown:
        return f"holds {known}" if known else "holds no card"
    count = f"{seat.unknown} unknown {'card' if seat.unknown == 1 else 'cards'}"
    return f"holds {known} and {count}" if known else f"holds {count}"


def table_text(seat: Seat, notation: Notation) -> str:
    """What lies in front of a player."""
    if seat.partner is not None:
        return f"shares the table of {seat.partner}"
    if not seat.table:
        return "no meld on the table"
    return f"table {melds_text(([shown.card for shown in meld.cards] for meld in seat.table), notation)}"


def _marked(scene: Scene, mark: Mark) -> Iterator[str]:
    shown = [card for seat in scene.seats for card in seat.hand]
    shown += [card for seat in scene.seats for meld in seat.table for card in meld.cards]
    if scene.offer is not None:
        shown.append(scene.offer.card)
    return (card.card for card in shown if mark in card.marks)
