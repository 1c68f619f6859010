"""What `conquian show` draws: the scene of a question."""

from __future__ import annotations

from conquian.cards import first_without_form
from conquian.engine.play import Event
from conquian.messages import Scene as MessageScene
from conquian.messages import message
from conquian.pictures.scene import Scene, scene_of
from conquian.questions import CannotAsk, Question, melds_of


class NotLegal(ValueError):
    """The meld whose table is to be drawn breaks a rule; the text says which."""


def scene_asked(asked: Question, meld: str | None = None) -> Scene:
    """The scene of the position that a question is about; with `meld`, of the table that this meld leaves.

    CannotAsk for a meld that cannot be read and cards that the notation cannot write, NotLegal for a meld that breaks a
    rule.
    """
    pack = asked.rules.engine.pack
    rank = first_without_form(tuple(card[:-1] for card in pack.cards), asked.notation)
    if rank is not None:
        raise CannotAsk(f"a {rank} of this pack has no {asked.notation} form", "leave out --cards")
    position, before = asked.position, asked.before[-1][0] if asked.before else None
    if meld is not None:
        listed = tuple(tuple(cards) for cards in melds_of(meld, asked.notation, "--meld"))
        event: Event = (asked.player, "melds", listed)
        refusal = position.check(event)
        if refusal is not None:
            text, _ = message(
                refusal, MessageScene(asked.rules.engine, position.players, position.state, event)
            )
            raise NotLegal(f"{refusal.code} - {text}")
        position, before = position.apply(event), position
    recorded = asked.event is not None
    return scene_of(
        position,
        notation=asked.notation,
        viewer=asked.player,
        before=before,
        open_hands=not recorded,
        stock_known=recorded or "stock" not in asked.left_out,
    )
