"""Dead ends that need no cunning: a pass or a turn that is forbidden, and no meld of the card on offer.

Positions are laid out by hand and put to the engine: few tables, a card on offer, a hand that has neither its rank nor
its suit, each size of the stock. Each has numbers of cards that some deal comes to, and after the event no player has
one that is legal. That none is found says nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from conquian.engine.facts import closed
from conquian.engine.pack import Pack
from conquian.engine.search import can_meld
from conquian.position import BadPosition, IllegalEvent, Position, Rules
from conquian.verifier.proofs.game import Game

LAID = 12
"""How many tables of one meld are laid out, beside the empty one."""
LOOKS = 4_000


def goes_on(position: Position) -> bool:
    """Whether some event but regrouping is legal, or may be, by all that is known of the hands; or the deal is over."""
    engine, state = position.rules.engine, position.state
    at = closed(engine, state, state.at)
    if engine.flow.phase(state.at) is None or engine.flow.phase(at) is None or can_meld(engine, state):
        return True
    unseen = engine.pack.names(engine.pack.everything - state.seen)
    for seat, name in enumerate(position.players):
        # The card turned is left open: no clause can ask for it.
        turns = [(name, "turns", unseen[0])] if unseen and state.stock else []
        held = [*engine.pack.names(state.hands[seat]), *(unseen if state.unknown[seat] else ())]
        thrown = [(name, "discards", card) for card in held]
        if any(position.can(event) for event in ((name, "passes"), (name, "forces"), *turns, *thrown)):
            return True
    return False


def found(game: Game) -> tuple[dict[str, Any] | None, int]:
    """A dead end as `--position` takes it, with the pass that leads there if one does; and how many were looked at."""
    rules = Rules(game.engine)
    looked = 0
    for laid in _laid(game, rules):
        looked += 1
        try:
            here = rules.position(**laid)
        except BadPosition:
            continue
        if not goes_on(here):
            return laid, looked
        try:
            after = here.apply(("me", "passes"))
        except IllegalEvent:
            continue
        if after.holder == "me" and not goes_on(after):
            return {**laid, "event": ["me", "passes"]}, looked
        if looked == LOOKS:
            break
    return None, looked


def _laid(game: Game, rules: Rules) -> Iterator[dict[str, Any]]:
    pack = game.engine.pack
    melds = sorted(game.engine.melds.packed)
    for table in ((), *((meld,) for meld in melds[:: max(1, len(melds) // LAID)][:LAID])):
        size = sum(map(pack.count, table))
        for up in pack.cards[:: max(1, len(pack.cards) // 5)]:
            free = [
                x for x in pack.cards if x[:-1] != up[:-1] and x[-1] != up[-1] and _is_free(pack, x, table)
            ]
            hands = [n for n in range(len(free) + 1) if game.on_offer(n, size)]
            if not hands or not _is_free(pack, up, table):
                continue
            held: Sequence[str] = free[: hands[-1]]
            for turned_by in ("me", "opponent"):
                # A card on offer has been turned, so the stock is never whole.
                for stock in reversed(range(game.left)):
                    yield {
                        "up": up,
                        "table": [pack.names(meld) for meld in table],
                        "hand": list(held),
                        "stock": stock,
                        "turned_by": turned_by,
                    }


def _is_free(pack: Pack, card: str, table: Sequence[int]) -> bool:
    return pack.contains(pack.everything - sum(table), pack.unit[card])
