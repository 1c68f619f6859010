"""A scene and an event in words: for titles and descriptions, and for those who do not see the picture."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import cast

from conquian.cards import Card, Notation, write_card
from conquian.pictures.scene import Mark, Scene, Seat
from conquian.tongue import both, either, mark, tell, tell_n
from conquian.transcript.model import Event

_MARKED: tuple[tuple[Mark, str], ...] = (
    ("borrowed", mark("Marked as borrowed: {cards}.")),
    ("laid", mark("Marked as just laid: {cards}.")),
    ("wrong", mark("Marked as offending: {cards}.")),
)


def card_text(card: str, notation: Notation) -> str:
    """A card as people write it, with the sign of its suit where its notation has signs."""
    written = card if card == "?" else write_card(cast(Card, card), notation, symbols=True)
    return written if isinstance(written, str) else card


def cards_text(cards: Iterable[str], notation: Notation) -> str:
    return " ".join(card_text(card, notation) for card in cards)


def melds_text(melds: Iterable[Sequence[str]], notation: Notation) -> str:
    return ", ".join(cards_text(meld, notation) for meld in melds)


_DEEDS = {
    "turns": mark("turns {card}"),
    "discards": mark("discards {card}"),
    "melds": mark("melds {melds}"),
    "arranges": mark("arranges {melds}"),
    "passes": mark("passes"),
    "forces": mark("forces"),
    "objects": mark("objects"),
    "concedes": mark("concedes"),
}


def deed_text(event: Event, notation: Notation) -> str:
    """What a player does, as a transcript tells it, without his name."""
    verb, rest = str(event[1]), event[2:]
    match verb:
        case "turns" | "discards":
            return tell(_DEEDS[verb], card=card_text(str(rest[0]), notation))
        case "melds" | "arranges":
            melds = melds_text(cast("tuple[tuple[str, ...], ...]", rest[0]), notation)
            return tell(_DEEDS[verb], melds=melds)
        case "gives":
            return tell("gives {card} to {player}", card=card_text(str(rest[0]), notation), player=rest[1])
        case "forces" if rest:
            onto = cards_text(cast("tuple[str, ...]", rest[1]), notation)
            return tell("forces {card} onto {meld}", card=card_text(str(rest[0]), notation), meld=onto)
        case "agrees":
            return tell("agrees a draw with {players}", players=both([str(name) for name in rest]))
        case _:
            return tell(_DEEDS[verb]) if verb in _DEEDS else verb


def title_of(scene: Scene) -> str:
    """A scene in one line."""
    if scene.winner is not None:
        return tell("{player} has won", player=scene.winner)
    offer = scene.offer
    if offer is None:
        due = next((seat.name for seat in scene.seats if seat.due), None)
        return (
            tell("Conquian, {player} to act", player=due) if due is not None else f"Conquian, {scene.phase}"
        )
    card = card_text(offer.card.card, scene.notation)
    return f"Conquian, {card} {offer_text(scene)}"


def offer_text(scene: Scene) -> str:
    """What is with the card on offer."""
    offer = scene.offer
    if offer is None:
        return ""
    if offer.demand == "made":
        return tell("demanded of {player}", player=offer.player)
    if offer.passed:
        return tell("passed by {player}", player=offer.player) if offer.player else tell("passed")
    return tell("on offer to {player}", player=offer.player) if offer.player else tell("face up")


def demand_text(scene: Scene) -> str:
    """What can be demanded with the card on offer, or has been; nothing if nothing can."""
    words = {
        "on-offer": tell("can be forced"),
        "on-decline": tell("can be forced")
        if scene.offer is not None and scene.offer.passed
        else tell("can be forced once passed"),
        "made": tell("has to be melded"),
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
        if how and onto:
            yield tell(
                "{card}: {offer}; {demand}, onto {melds}.",
                card=card,
                offer=offer_text(scene),
                demand=how,
                melds=either(onto),
            )
        elif how:
            yield f"{card}: {offer_text(scene)}; {how}."
        else:
            yield f"{card}: {offer_text(scene)}."
    if scene.tried and scene.tried_by is not None:
        melds = melds_text(([shown.card for shown in meld.cards] for meld in scene.tried), notation)
        yield tell("{player} tried {melds}, which is not legal.", player=scene.tried_by, melds=melds)
    for sign, template in _MARKED:
        cards = [*_marked(scene, sign)]
        if cards:
            yield tell(template, cards=cards_text(cards, notation))
    if scene.stock is not None:
        yield tell_n("Stock: {number} card.", "Stock: {number} cards.", scene.stock)
    if scene.gone:
        yield tell("Out of play: {cards}.", cards=cards_text(scene.gone, notation))


def hand_text(seat: Seat, notation: Notation) -> str:
    """What a player holds, as far as it is known."""
    known = cards_text((shown.card for shown in seat.hand), notation)
    if seat.unknown is None:
        if known:
            return tell("holds {cards} and cards that nobody named", cards=known)
        return tell("holds cards that nobody named")
    if not seat.unknown:
        return tell("holds {cards}", cards=known) if known else tell("holds no card")
    if known:
        return tell_n(
            "holds {cards} and {number} unknown card",
            "holds {cards} and {number} unknown cards",
            seat.unknown,
            cards=known,
        )
    return tell_n("holds {number} unknown card", "holds {number} unknown cards", seat.unknown)


def table_text(seat: Seat, notation: Notation) -> str:
    """What lies in front of a player."""
    if seat.partner is not None:
        return tell("shares the table of {player}", player=seat.partner)
    if not seat.table:
        return tell("no meld on the table")
    melds = melds_text(([shown.card for shown in meld.cards] for meld in seat.table), notation)
    return tell("table {melds}", melds=melds)


def _marked(scene: Scene, mark: Mark) -> Iterator[str]:
    shown = [card for seat in scene.seats for card in seat.hand]
    shown += [card for seat in scene.seats for meld in seat.table for card in meld.cards]
    if scene.offer is not None:
        shown.append(scene.offer.card)
    return (card.card for card in shown if mark in card.marks)
