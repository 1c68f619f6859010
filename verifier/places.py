"""Where the cards of an event are, and that this stands against it: facts, which no clause of the rules says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from conquian.cards import shown_cards
from conquian.engine.pack import Pack
from conquian.engine.play import Event
from conquian.position import Position
from conquian.tongue import tell
from conquian.verifier.acts import can_hold
from conquian.verifier.grounds import Fact


def named(event: Event) -> list[str]:
    """Every card that an event names."""
    if event[1] == "gives":
        return [] if event[2] == "?" else [event[2]]
    found: list[str] = []
    for part in event[2:]:
        if isinstance(part, str):
            found.append(part)
        else:
            for inner in part:
                found.extend([inner] if isinstance(inner, str) else inner)
    return found


class Places:
    """The places of the cards that an event names, as far as they are known; `facts` needs cards of the pack."""

    def __init__(self, position: Position, event: Event) -> None:
        self.position, self.event = position, event
        self.state = position.state
        self.pack: Pack = position.rules.engine.pack
        self.seat = position.players.index(event[0])

    def twice(self) -> list[str]:
        """Cards that an act lists more often than the pack has them."""
        if self.event[1] not in ("melds", "arranges"):
            return []
        counts = Counter(card for meld in self.event[2] for card in meld)
        return [card for card, count in counts.items() if count > self.pack.copies]

    def nowhere(self) -> Iterator[Fact]:
        """That a card which the pack has not, or not so often, lies nowhere: no other clause could be asked of it."""
        foreign = tuple(card for card in named(self.event) if card not in self.pack.unit)
        if foreign:
            yield Fact("not-in-deck", f"{' '.join(foreign)} lies nowhere", foreign)
        elif twice := tuple(self.twice()):
            yield Fact("card-twice", f"{' '.join(twice)} lies nowhere so often", twice)

    def facts(self) -> Iterator[Fact]:
        state, pack = self.state, self.pack
        match self.event[1]:
            case "turns":
                unit, field, full = pack.entry[self.event[2]]
                top = state.recorded[state.drawn_to] if state.drawn_to < len(state.recorded) else 0
                card = (self.event[2],)
                if not state.stock:
                    yield Fact("card-elsewhere", tell("the stock has no card left"))
                elif top and top != unit:
                    (said,) = pack.names(top)
                    yield Fact(
                        "stock-mismatch",
                        tell("the recorded stock has {card} next", card=shown_cards([said])),
                        card,
                    )
                elif not top and state.seen & field == full:
                    yield Fact("card-elsewhere", self._where(unit, ""), card)
            case "discards" | "gives" if self.event[2] != "?":
                unit = pack.unit[self.event[2]]
                missing = pack.minus(unit, state.hands[self.seat])
                yield from self._lacking(missing)
            case "melds":
                laid = sum(pack.packed(meld) for meld in self.event[2])
                if self.twice():
                    return
                rest = pack.minus(laid, sum(state.tables[self.seat]))
                rest = rest - state.up if state.up and pack.contains(rest, state.up) else rest
                yield from self._lacking(pack.minus(rest, state.hands[self.seat]))
            case _:
                return

    def _lacking(self, missing: int) -> Iterator[Fact]:
        """That the player cannot have cards that the event takes from his hand."""
        state, pack = self.state, self.pack
        if not missing or can_hold(self.position, self.seat, missing):
            return
        free = pack.everything - state.seen
        lacking = (pack.minus(missing, free) if state.unknown[self.seat] else missing) or missing
        words = ", ".join(self._where(pack.unit[card], self.event[0]) for card in pack.names(lacking))
        yield Fact("not-in-hand", words, tuple(pack.names(lacking)))

    def _where(self, unit: int, player: str) -> str:
        """Where a card is, as far as that is known: what speaks against `player`'s having it."""
        state, pack, players = self.state, self.pack, self.position.players
        card, field = shown_cards(pack.names(unit)), unit * pack.field_mask
        for seat, name in enumerate(players):
            if name != player and state.hands[seat] & field:
                return tell("{card} is in {player}'s hand", card=card, player=name)
            if sum(state.tables[seat]) & field:
                return tell("{card} lies in front of {player}", card=card, player=name)
        if state.up == unit:
            return tell("{card} is on offer", card=card)
        if unit in state.recorded[state.drawn_to :]:
            return tell("{card} is in the stock", card=card)
        if player and not state.unknown[self.seat]:
            return tell("{cards} is not in {player}'s hand", cards=card, player=player)
        return tell("{card} has been played already", card=card)
