"""The canonical form of a game, in which both forms of a transcript meet.

Guarantees: two games that mean the same have the same canonical form; it is its own canonical form. Readers
give games in this form, writers write it.
"""

from __future__ import annotations

from msgspec.structs import replace

from conquian.transcript.model import Deal, Game


def canonical(game: Game) -> Game:
    """The same game with one way to say nothing: empty is None, an unknown hand `()`, comments in order."""
    return replace(
        game,
        readings=game.readings or None,
        tags=game.tags or None,
        deals=tuple(_canonical_deal(deal) for deal in game.deals),
    )


def _canonical_deal(deal: Deal) -> Deal:
    hands = {
        name: () if not cards or cards == ("?",) else cards for name, cards in (deal.hands or {}).items()
    }
    hands |= {name: () for name in deal.hand_sizes or {} if name not in hands}
    sizes = deal.hand_sizes or {}
    comments = [
        (event, piece.strip())
        for event, text in sorted(deal.comments or (), key=lambda comment: comment[0])
        for piece in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    ]
    return replace(
        deal,
        hands=hands or None,
        hand_sizes={name: sizes[name] for name in hands if name in sizes} or None,
        cut=deal.cut or None,
        deck=deal.deck or None,
        stock=deal.stock or None,
        comments=tuple(comments) or None,
    )
