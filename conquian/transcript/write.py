"""Writing transcripts: text, JSON, and JSON lines (contract: notation).

Guarantees: what is written reads back as the same game in its canonical form (`canonical`: nothing but
layout is lost), and writing that again gives the same characters. A card that the game's notation cannot
write is a `NoForm`, never another card.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, cast

import msgspec
from msgspec import Struct

from conquian.cards import Card, Held, NoForm, Notation, write_card
from conquian.transcript.canonical import canonical
from conquian.transcript.header import KEYS
from conquian.transcript.header import header_line as read_header_line
from conquian.transcript.model import KNOWN_TAGS, Deal, Event, Game
from conquian.transcript.names import quote, write_name
from conquian.transcript.places import Path
from conquian.transcript.sheet import Remark


class _Unwritable(Exception):
    def __init__(self, reason: NoForm) -> None:
        self.reason = reason


class _Item(Struct, frozen=True):
    """A line to write, with the parts of the game that it holds."""

    paths: tuple[Path, ...]
    text: str


# --- JSON


def to_document(game: Game) -> dict[str, object]:
    """The game as the JSON form has it, every key of the contract's example in its order."""
    game = canonical(game)
    match = None if game.match is None else msgspec.to_builtins(game.match)
    return {
        "format": game.format,
        "rules": game.rules,
        "readings": game.readings or {},
        "players": list(game.players),
        "dealer": game.dealer,
        "match": match,
        "cards": game.cards,
        "tags": game.tags or {},
        "deals": [_deal_document(deal) for deal in game.deals],
    }


def _deal_document(deal: Deal) -> dict[str, object]:
    document: dict[str, object] = {"number": deal.number}
    for key in ("cut", "deck", "stock", "hand_sizes", "hands", "starter"):
        value = getattr(deal, key)
        if value is not None:
            document[key] = value
    document["events"] = deal.events
    document["comments"] = deal.comments or ()
    document["claim"] = None if deal.claim is None else msgspec.to_builtins(deal.claim)
    return document


def write_jsonl(game: Game) -> str:
    """A game as one line of JSON, with its end."""
    return msgspec.json.encode(to_document(game)).decode() + "\n"


def write_json(game: Game) -> str:
    """A game as a JSON document for reading: one event a line."""
    document = to_document(game)
    deals = cast("list[dict[str, object]]", document.pop("deals"))
    lines = [f" {_json(key)}: {_json(value)}," for key, value in document.items()]
    return "\n".join(("{", *lines, ' "deals": [' + ",".join(map(_deal_lines, deals)) + "]", "}", ""))


def _deal_lines(deal: dict[str, object]) -> str:
    lines: list[str] = []
    for key, value in deal.items():
        if key in ("events", "comments") and value:
            entries = ",\n   ".join(map(_json, cast("Iterable[object]", value)))
            lines.append(f"  {_json(key)}: [\n   {entries}]")
        else:
            lines.append(f"  {_json(key)}: {_json(value)}")
    return "\n {\n" + ",\n".join(lines) + "}"


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


# --- text


def write_text(game: Game, remarks: Sequence[Remark] | None = None) -> str | NoForm:
    """A game as text, cards in the notation `game.cards`.

    `remarks` are the comments of the text that the game was read from: they are written where they stood.
    Without them the comments of the deals are written, each before or beside its event.
    """
    game = canonical(game)
    if remarks is None:
        remarks = [
            Remark(text, ("deals", index, "events", event), False)
            for index, deal in enumerate(game.deals)
            for event, text in deal.comments or ()
        ]
        beside = True
    else:
        beside = False
    try:
        return _Writer(game, remarks, beside_last=beside).write()
    except _Unwritable as unwritable:
        return unwritable.reason


class _Writer:
    def __init__(self, game: Game, remarks: Sequence[Remark], *, beside_last: bool) -> None:
        self.game = game
        self.notation: Notation = game.cards
        self.before: dict[Path, list[str]] = {}
        self.beside: dict[Path, str] = {}
        for remark in remarks:
            if remark.beside and remark.anchor not in self.beside:
                self.beside[remark.anchor] = remark.text
            else:
                self.before.setdefault(remark.anchor, []).append(remark.text)
        if beside_last:
            self.put_last_beside()

    def put_last_beside(self) -> None:
        for index, deal in enumerate(self.game.deals):
            for event in range(len(deal.events)):
                anchor: Path = ("deals", index, "events", event)
                if self.before.get(anchor):
                    self.beside[anchor] = self.before[anchor].pop()

    def write(self) -> str:
        header = list(self.header())
        lines = list(self.written(header))
        for index, deal in enumerate(self.game.deals):
            if lines:
                lines.append("")
            lines += self.written(self.deal(index, deal))
            # Comments behind the last event stand before the claim.
        lines += [_comment(text) for texts in self.before.values() for text in texts]
        lines += [_comment(text) for text in self.beside.values()]
        return "\n".join(lines) + "\n" if lines else ""

    def remarked(self, path: Path) -> bool:
        return path in self.before or path in self.beside

    def written(self, items: Iterable[_Item]) -> Iterator[str]:
        for item in items:
            for path in item.paths:
                yield from map(_comment, self.before.pop(path, ()))
            beside = [self.beside.pop(path) for path in item.paths if path in self.beside]
            for text in beside[:-1]:
                yield _comment(text)
            if item.text:
                yield f"{item.text}  {_comment(beside[-1])}" if beside else item.text

    def header(self) -> Iterator[_Item]:
        game = self.game
        if game.rules is not None:
            yield _Item((("rules",),), f"rules: {game.rules}")
        if game.readings or self.remarked(("readings",)):
            chosen = ", ".join(
                f"{_word(name)}={_word(choice)}" for name, choice in (game.readings or {}).items()
            )
            yield _Item((("readings",),), f"readings: {chosen}".rstrip())
        yield _Item((("players",),), f"players: {', '.join(map(write_name, game.players))}")
        if game.dealer is not None:
            yield _Item((("dealer",),), f"dealer: {write_name(game.dealer)}")
        if game.match is not None:
            wins = game.match.wins is not None
            goal = f"wins={game.match.wins}" if wins else f"units={game.match.units}"
            yield _Item((("match",),), f"match: {goal}")
        if game.cards != "french" or self.remarked(("cards",)):
            yield _Item((("cards",),), f"cards: {game.cards}")
        for key, value in (game.tags or {}).items():
            yield _Item((("tags", key),), _tag(key, value))

    def deal(self, index: int, deal: Deal) -> Iterator[_Item]:
        here: Path = ("deals", index)
        yield _Item((here,), f"deal {deal.number}")
        if deal.cut:
            cuts = ", ".join(f"{write_name(name)} {self.card(card)}" for name, card in deal.cut.items())
            yield _Item(((*here, "cut"),), f"cut {cuts}")
        if deal.deck:
            yield _Item(((*here, "deck"),), f"deck {self.cards(deal.deck)}")
        if deal.stock:
            yield _Item(((*here, "stock"),), f"stock {self.cards(deal.stock)}")
        sizes = deal.hand_sizes or {}
        for name, cards in (deal.hands or {}).items():
            count = f" {sizes[name]}:" if name in sizes else ""
            held = self.cards(cards) if cards else "?"
            yield _Item(((*here, "hands", name),), f"{write_name(name)} holds{count} {held}")
        if deal.starter is not None:
            yield _Item(((*here, "starter"),), f"starter {self.card(deal.starter)}")
        yield from self.events(here, deal.events)
        claim = deal.claim
        if claim is not None:
            text = f"{write_name(claim.winner)} wins" if claim.winner is not None else "drawn"
            if claim.broken_off:
                text = "broken off"
            yield _Item(((*here, "events", len(deal.events)), (*here, "claim")), text)
        else:
            yield _Item(((*here, "events", len(deal.events)),), "")

    def events(self, here: Path, events: tuple[Event, ...]) -> Iterator[_Item]:
        """One line for as long as one player acts; an event with a comment begins a line."""
        said: list[str] = []
        first: Path = ()
        player: object = None
        for index, event in enumerate(events):
            anchor: Path = (*here, "events", index)
            if said and (event[0] != player or event[1] == "agrees" or self.remarked(anchor)):
                yield _Item((first,), "; ".join(said))
                said = []
            if event[1] == "agrees":
                names = " and ".join(write_name(str(name)) for name in (event[0], *event[2:]))
                yield _Item((anchor,), f"{names} agree a draw")
                player = None
                continue
            if not said:
                first, player = anchor, event[0]
                said = [f"{write_name(str(player))} {self.deed(event)}"]
            else:
                said.append(self.deed(event))
        if said:
            yield _Item((first,), "; ".join(said))

    def deed(self, event: Event) -> str:
        verb, rest = str(event[1]), event[2:]
        match verb:
            case "turns" | "discards":
                return f"{verb} {self.card(cast(Card, rest[0]))}"
            case "melds" | "arranges":
                melds = ", ".join(self.cards(meld) for meld in cast("tuple[tuple[Card, ...], ...]", rest[0]))
                return f"{verb} {melds}".rstrip()
            case "gives":
                return f"{verb} {self.card(cast(Held, rest[0]))} to {write_name(str(rest[1]))}"
            case "forces" if rest:
                meld = self.cards(cast("tuple[Card, ...]", rest[1]))
                return f"{verb} {self.card(cast(Card, rest[0]))} onto {meld}"
            case _:
                return verb

    def cards(self, cards: Iterable[Held]) -> str:
        return " ".join(map(self.card, cards))

    def card(self, card: Held) -> str:
        if card == "?":
            return card
        written = write_card(card, self.notation)
        if isinstance(written, NoForm):
            raise _Unwritable(written)
        return written


def _comment(text: str) -> str:
    return f"# {text}".rstrip()


_BARE: Final = frozenset('",=# \t;')


def _word(text: str) -> str:
    """A word of `readings:`, in quotes if it needs them."""
    plain = text.isprintable() and bool(text) and not any(char in _BARE or char.isspace() for char in text)
    return text if plain else quote(text)


def _tag(key: str, value: str) -> str:
    plain = bool(value) and value.isprintable() and value == value.strip() and not set(value) & set('"#')
    said = value if plain else quote(value) if value else ""
    line = f"{key}: {said}".rstrip()
    if key.lower() in KNOWN_TAGS:
        bare = key in KNOWN_TAGS
    else:
        # A key may stand as it is if it reads back as this very key.
        read = read_header_line(line) if key.isprintable() and "#" not in key else None
        bare = read is not None and not read.quoted and read.key == key and key.lower() not in KEYS
    return line if bare else f"{quote(key)}: {said}".rstrip()
