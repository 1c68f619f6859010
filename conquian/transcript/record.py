"""What one sentence of a text says, taken into the deal that is being read.

Guarantees: a sentence is taken in whole or not at all; if not, every reason is an error with its place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct, field

from conquian.cards import BadCard, Card, Held, read_card
from conquian.findings import did_you_mean, shorten
from conquian.transcript.model import Claim, Deal, Event
from conquian.transcript.names import WORDS, Misspelt, read_name
from conquian.transcript.places import Path
from conquian.transcript.sentence import Sentence
from conquian.transcript.spots import Place
from conquian.transcript.tables import Token
from conquian.transcript.values import LARGEST

if TYPE_CHECKING:
    from conquian.transcript.text import Reader


CLAIMS: Final = {"drawn": Claim(drawn=True), "broken": Claim(broken_off=True)}
"""The claims that name nobody."""


class OpenDeal(Struct):
    """A deal while it is read."""

    number: int
    hands: dict[str, tuple[Held, ...] | None] = field(default_factory=dict)
    hand_sizes: dict[str, int] = field(default_factory=dict)
    cut: dict[str, Card] = field(default_factory=dict)
    deck: tuple[Held, ...] = ()
    stock: tuple[Held, ...] = ()
    starter: Card | None = None
    events: list[Event] = field(default_factory=list)
    comments: list[tuple[int, str]] = field(default_factory=list)
    claim: Claim | None = None
    seen: set[str] = field(default_factory=set)

    def done(self) -> Deal:
        return Deal(
            number=self.number,
            hands=self.hands or None,
            hand_sizes=self.hand_sizes or None,
            cut=self.cut or None,
            deck=self.deck or None,
            stock=self.stock or None,
            starter=self.starter,
            events=tuple(self.events),
            comments=tuple(self.comments) or None,
            claim=self.claim,
        )


class Telling:
    """A sentence being taken into a deal. Its places are those of its line."""

    def __init__(self, reader: Reader, read: Sentence, offset: int, part: tuple[int, int]) -> None:
        self.reader = reader
        self.read = read
        self.offset = offset
        self.part = part
        self.right = True

    def error(self, code: str, message: str, hint: str, start: int, end: int) -> None:
        self.right = False
        self.reader.error(code, message, hint, self.offset + start, self.offset + end)

    def item(self, path: Path) -> None:
        read = self.read
        self.reader.item(path, self.offset + read.start, self.offset + read.end, part=self.part)

    def name(self, token: Token) -> str | None:
        name = read_name(token.text)
        if isinstance(name, Misspelt):
            start = token.start + name.start
            self.error(name.code, name.message, name.hint, start, token.start + name.end)
            return None
        players = self.reader.header.players
        if players and name not in players:
            hint = did_you_mean(name, players) or f"the players are {', '.join(players)}"
            self.error(
                "unknown-player", f"the header lists no player {shorten(name)}", hint, token.start, token.end
            )
            return None
        return name

    def player(self) -> str | None:
        """Who acts: the player named, or the one who carries on."""
        reader, token = self.reader, self.read.player
        if token is not None:
            name = self.name(token)
            reader.carried, reader.somebody = name, name is None
            return name
        if reader.carried is None:
            self.right = False
            if not reader.somebody:
                verb = self.read.verb
                message = f"nobody is said to act: who {verb.text.lower()}?"
                self.error(
                    "no-player", message, "begin the line with the player's name", verb.start, verb.end
                )
        return reader.carried

    def cards(self, tokens: tuple[Token, ...], *, held: bool = False) -> tuple[Held, ...]:
        read: list[Held | None] = [
            "?" if held and token.text == "?" else self.card(token) for token in tokens
        ]
        return tuple(card for card in read if card is not None)

    def card(self, token: Token) -> Card | None:
        card = read_card(token.text, self.reader.header.cards)
        if not isinstance(card, BadCard):
            return card
        hint = card.hint
        if token.text.lower() in WORDS or token.text in self.reader.header.players:
            hint = f"write ';' before {token.text!r}, or begin a new line"
        code = "unrecorded-card" if token.text == "?" else "bad-card"
        self.error(code, card.message, hint, token.start, token.end)
        return None

    def group(self) -> tuple[Token, ...]:
        return self.read.groups[0] if self.read.groups else ()

    # --- what a sentence says

    def setup(self, deal: OpenDeal) -> None:
        read, verb = self.read, self.read.verb
        if deal.events:
            message = f"'{verb.text.lower()}' comes after the first event of the deal"
            self.error("setup-after-event", message, "write it before play begins", read.start, read.end)
        kind = read.kind
        player = self.player() if kind == "holds" else None
        key = f"{kind} {player}"
        if key in deal.seen and (player is not None or kind != "holds"):
            what = f"the hand of {shorten(player)}" if player is not None else f"the {kind}"
            message = f"{what} is recorded twice"
            self.error("duplicate-setup", message, "keep one of the two lines", read.start, read.end)
        deal.seen.add(key)
        here: Path = ("deals", len(self.reader.deals) - 1)
        match kind:
            case "cut":
                self.cutting(deal, here)
            case "deck" | "stock":
                cards = self.cards(self.group(), held=True)
                if self.right:
                    setattr(deal, kind, cards)
                self.item((*here, kind))
            case "starter":
                card = self.card(self.group()[0])
                if self.right:
                    deal.starter = card
                self.item((*here, "starter"))
            case _:
                self.hand(deal, here, player)

    def cutting(self, deal: OpenDeal, here: Path) -> None:
        drawn: dict[str, Card] = {}
        for token, (card_token,) in zip(self.read.names, self.read.groups, strict=True):
            name, card = self.name(token), self.card(card_token)
            if name in drawn:
                hint = "name each player once"
                message = f"{shorten(str(name))} cuts twice"
                self.error("duplicate-setup", message, hint, token.start, token.end)
            elif name is not None and card is not None:
                drawn[name] = card
        if self.right:
            deal.cut = drawn
        self.item((*here, "cut"))

    def hand(self, deal: OpenDeal, here: Path, player: str | None) -> None:
        tokens = self.group()
        cards: tuple[Held, ...] = ()
        if [token.text for token in tokens] != ["?"]:
            cards = self.cards(tokens, held=True)
        count = self.read.number
        size = 0
        if count is not None:
            size = int(count.text) if len(count.text) < 20 else LARGEST + 1
            if size > LARGEST:
                message = f"nobody holds more than {LARGEST} cards"
                self.error("bad-number", message, "write how many cards were dealt", count.start, count.end)
        if self.right and player is not None:
            deal.hands[player] = cards
            if count is not None:
                deal.hand_sizes[player] = size
        who = player if player is not None else f"?{len(deal.seen)}"
        self.item((*here, "hands", who))
        if count is not None:
            self.reader.places[(*here, "hand_sizes", who)] = Place(
                self.reader.number, self.offset + count.start, self.offset + count.end
            )

    def claim(self, deal: OpenDeal) -> None:
        read = self.read
        winner = self.player() if read.kind == "wins" else None
        if "claim" in deal.seen:
            hint = "a deal has one result: keep one of the two"
            self.error("duplicate-claim", "the result is claimed a second time", hint, read.start, read.end)
        deal.seen.add("claim")
        if self.right:
            deal.claim = CLAIMS.get(read.kind) or Claim(winner=winner)
        self.item(("deals", len(self.reader.deals) - 1, "claim"))

    def others(self, player: str | None) -> tuple[str | None, ...]:
        """Who agrees a draw besides the player named first; nobody is named twice."""
        found: list[str | None] = []
        for token in self.read.names:
            name = self.name(token)
            if name is not None and name in (player, *found):
                message = f"{shorten(name)} agrees twice"
                self.error("syntax", message, "name each player once", token.start, token.end)
            found.append(name)
        return tuple(found)

    def event(self, deal: OpenDeal) -> None:
        read, groups = self.read, self.read.groups
        kind = read.kind
        player = self.player()
        event: tuple[object, ...] = (player, kind)
        if kind in ("turns", "discards"):
            event = (player, kind, self.card(groups[0][0]))
        elif kind in ("melds", "arranges"):
            event = (player, kind, tuple(self.cards(group) for group in groups))
        elif kind == "gives":
            (card,) = self.cards(groups[0], held=True) or (None,)
            event = (player, kind, card, self.name(read.names[0]))
        elif kind == "agrees":
            event = (player, kind, *self.others(player))
        elif kind == "forces" and groups:
            event = (player, kind, self.card(groups[0][0]), self.cards(groups[1]))
        self.item(("deals", len(self.reader.deals) - 1, "events", len(deal.events)))
        if self.right and player is not None:
            self.reader.margin.event()
            deal.events.append(event)  # type: ignore[arg-type]  # every part was checked above
        else:
            # What could not be read has no number of its own.
            self.reader.places.pop(("deals", len(self.reader.deals) - 1, "events", len(deal.events)), None)
