"""Cards and events of a JSON document, checked one by one.

Guarantees: an event that comes out has a listed player, a verb of the notation, and just the parts that the
verb takes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, cast

from conquian.cards import CARD_SET, HELD_SET, Held, canonical_hint
from conquian.findings import did_you_mean, shorten
from conquian.transcript.model import VERBS, Event
from conquian.transcript.places import Path
from conquian.transcript.values import Values, says_nothing


class Events(Values):
    """Checks cards, melds and events."""

    def card(self, path: Path, value: object, *, held: bool = False) -> Held | None:
        if isinstance(value, str):
            if value in (HELD_SET if held else CARD_SET):
                return cast(Held, value)
            if value == "?":
                hint = "name the card; '?' may stand only in hands, stock, deck and gives"
                self.fault(path, "unrecorded-card", "'?' cannot stand here: this card has to be named", hint)
            else:
                self.fault(path, "bad-card", f"{shorten(value)} is no card", canonical_hint(value))
        else:
            self.wrong(path, value, "a card")
        return None

    def cards(self, path: Path, value: object, *, held: bool = False) -> tuple[Held, ...] | None:
        if says_nothing(value):
            return None
        found = self.sequence(path, value, "a list of cards")
        if found is None:
            return None
        read: list[Held] = []
        for index, value in enumerate(found):
            card = self.card((*path, index), value, held=held)
            if card is not None:
                read.append(card)  # pyright: ignore[reportArgumentType]
        return tuple(read)

    def events(self, path: Path, value: object) -> tuple[tuple[Event, ...], int]:
        """The events that can be read, and how many the source has."""
        if says_nothing(value):
            return (), 0
        found = self.sequence(path, value, "a list of events") or []
        read = [self.event((*path, index), event) for index, event in enumerate(found)]
        return tuple(event for event in read if event is not None), len(found)

    def event(self, path: Path, value: object) -> Event | None:
        found = self.sequence(path, value, 'an event, a list like ["Ana", "passes"],')
        if found is None:
            return None
        if len(found) < 2:
            hint = 'an event is like ["Ana", "turns", "5c"]'
            self.fault(path, "event-form", "an event names a player and what he does", hint)
            return None
        before = len(self.faults)
        player = self.player((*path, 0), found[0])
        verb = self.string((*path, 1), found[1])
        if verb is not None and verb not in VERBS:
            hint = did_you_mean(verb, VERBS) or f"a player {', '.join(VERBS)}"
            self.fault((*path, 1), "unknown-verb", f"{shorten(verb)} is nothing a player does", hint)
            return None
        if verb is None:
            return None
        counts = {"forces": (2, 4), "gives": (4,), **dict.fromkeys(("passes", "objects", "concedes"), (2,))}
        allowed: Sequence[int] = counts.get(verb, (3,))
        if verb == "agrees":
            allowed = range(3, max(4, len(found) + 1))
        if len(found) not in allowed:
            message = f"{verb!r} takes {_ARGUMENTS[verb]}"
            extra = len(found) > max(allowed)
            place = (*path, max(allowed)) if extra else path
            self.fault(place, "event-form", message, f"write it like {_EXAMPLES[verb]}")
            return None
        rest = self.arguments(path, verb, found)
        if player is None or len(self.faults) > before:
            return None
        return cast(Event, (player, verb, *rest))

    def arguments(self, path: Path, verb: str, found: list[object]) -> tuple[object, ...]:
        if verb in ("turns", "discards"):
            return (self.card((*path, 2), found[2]),)
        if verb in ("melds", "arranges"):
            melds = self.sequence((*path, 2), found[2], "a list of melds")
            return (tuple(self.meld((*path, 2, index), meld) for index, meld in enumerate(melds or ())),)
        if verb == "gives":
            return self.card((*path, 2), found[2], held=True), self.player((*path, 3), found[3])
        if verb == "agrees":
            return self.others(path, found)
        if verb == "forces" and len(found) == 4:
            return self.card((*path, 2), found[2]), self.meld((*path, 3), found[3])
        return ()

    def others(self, path: Path, found: list[object]) -> tuple[str | None, ...]:
        """Who agrees a draw besides the player named first; nobody is named twice."""
        names = [self.player((*path, index), name) for index, name in enumerate(found[2:], 2)]
        for index, name in enumerate(names, 2):
            if name is not None and name in (found[0], *names[: index - 2]):
                self.fault(
                    (*path, index), "event-form", f"{shorten(name)} agrees twice", "name each player once"
                )
        return tuple(names)

    def meld(self, path: Path, value: object) -> tuple[Held, ...]:
        if isinstance(value, list | tuple) and not value:
            self.fault(path, "empty-meld", "a meld without cards", "name its cards, or leave the meld out")
        elif value is None:
            self.wrong(path, value, "a list of cards")
        return self.cards(path, value) or ()


_ARGUMENTS: Final = {
    "turns": "one card",
    "discards": "one card",
    "melds": "one list of melds",
    "arranges": "one list of melds",
    "passes": "nothing more",
    "gives": "a card and the player who gets it",
    "forces": "nothing more, or a card and a meld",
    "objects": "nothing more",
    "concedes": "nothing more",
    "agrees": "the others who agree, each once",
}
_EXAMPLES: Final = {
    "turns": '["Ana", "turns", "5c"]',
    "discards": '["Ana", "discards", "Ks"]',
    "melds": '["Ana", "melds", [["5c", "6c", "7c"]]]',
    "arranges": '["Ana", "arranges", [["4c", "5c", "6c"]]]',
    "passes": '["Ana", "passes"]',
    "gives": '["Ana", "gives", "3h", "Ben"]',
    "forces": '["Ben", "forces"] or ["Ben", "forces", "Jc", ["5c", "6c", "7c"]]',
    "objects": '["Ben", "objects"]',
    "concedes": '["Ben", "concedes"]',
    "agrees": '["Ana", "agrees", "Ben"]',
}
