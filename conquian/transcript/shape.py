"""Whether a JSON value, or a decoded game, has the shape of a transcript (contract: notation, section 3).

Guarantees: every fault is found, each with its path, code, message and hint, and the deal that it costs. A
fault in a deal costs only that deal, one in a tag costs none, any other costs the game. What `checked`
gives without a fault is what msgspec decodes from the same text, but that every absent, null or empty value
is None (an empty hand `()`).

Slow on purpose: games without faults never need it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar, cast

import msgspec
from msgspec import Struct

from conquian.cards import (
    NOTATIONS,
    Card,
    Held,
    Notation,
)
from conquian.findings import did_you_mean, shorten
from conquian.transcript.events import Events
from conquian.transcript.model import FORMAT, Claim, Deal, Game, Match
from conquian.transcript.places import Path
from conquian.transcript.values import Fault, is_rule_set_name, says_nothing

_Read = TypeVar("_Read")


class Checked(Struct, frozen=True):
    """A game as far as it can be read; deals with faults stand in it with what could be read of them."""

    game: Game | None
    faults: tuple[Fault, ...]


def shape_errors(game: Game) -> list[Fault]:
    """Every fault of a decoded game that its types could not tell."""
    return list(checked(msgspec.to_builtins(game)).faults)


def checked(document: object) -> Checked:
    """Check a JSON document (dicts, lists, strings, numbers, true, false, None)."""
    checker = _Checker()
    game = checker.game(document)
    fatal = any(fault.fatal for fault in checker.faults)
    return Checked(None if fatal else game, tuple(checker.faults))


_GAME_KEYS: Final = ("format", "rules", "readings", "players", "dealer", "match", "cards", "tags", "deals")
_DEAL_KEYS: Final = (
    *("number", "hands", "hand_sizes", "cut", "deck", "stock", "starter", "events", "comments", "claim"),
)


class _Checker(Events):
    # --- the header

    def game(self, document: object) -> Game | None:
        found = self.mapping((), document)
        if found is None:
            return None
        if not any(key in found for key in ("format", "players", "deals")):
            message = "0 games recognised: this object is no transcript"
            self.fault((), "no-game", message, f"a transcript has 'format', 'players' and 'deals' ({FORMAT})")
            return None
        self.keys((), found, _GAME_KEYS)
        if "format" not in found:
            self.fault((), "format", "the format is missing", f'write "format": "{FORMAT}"')
        elif found["format"] != FORMAT:
            message = f"the format is not {FORMAT}"
            self.fault(("format",), "format", message, f"write {FORMAT!r}; other versions cannot be read")
        players = self.read_players(found)
        dealer = found.get("dealer")
        game = Game(
            format=FORMAT,
            rules=self.rules(found.get("rules")),
            readings=self.readings(found.get("readings")),
            players=players,
            dealer=None if says_nothing(dealer) else self.player(("dealer",), dealer),
            match=self.match(found.get("match")),
            cards=self.notation(found.get("cards")),
            tags=self.tags(found.get("tags")),
            deals=(),
        )
        return msgspec.structs.replace(game, deals=self.deals(found.get("deals")))

    def read_players(self, found: dict[str, object]) -> tuple[str, ...]:
        value = found.get("players")
        if says_nothing(value):
            hint = 'write "players": ["Ana", "Ben"], in the order of play'
            self.fault(
                ("players",) if "players" in found else (), "no-players", "nobody is said to play", hint
            )
            return ()
        names = self.sequence(("players",), value, "a list of names") or []
        read: list[str] = []
        for index, value in enumerate(names):
            name = self.string(("players", index), value)
            if name == "":
                self.fault(
                    ("players", index), "bad-name", "a name cannot be empty", "write the player's name"
                )
            elif name in read:
                message = f"{shorten(name)} is listed twice"
                self.fault(
                    ("players", index), "duplicate-player", message, "give each player a name of his own"
                )
            elif name is not None:
                read.append(name)
        if len(read) == len(names) and names:
            self.players = frozenset(read)
        return tuple(read)

    def rules(self, value: object) -> str | None:
        if says_nothing(value):
            return None
        name = self.string(("rules",), value)
        if name is not None and not is_rule_set_name(name):
            hint = "write a rule set's name, like swedish; a file of rules is given on the command line"
            self.fault(("rules",), "bad-rules", f"{shorten(name)} is no name of a rule set", hint)
        return name

    def readings(self, value: object) -> dict[str, str] | None:
        return None if says_nothing(value) else self.strings(("readings",), value)

    def strings(self, path: Path, value: object) -> dict[str, str] | None:
        found = self.mapping(path, value) or {}
        read = {key: self.string((*path, key), text) for key, text in found.items()}
        return {key: text for key, text in read.items() if text is not None} or None

    def match(self, value: object) -> Match | None:
        if says_nothing(value):
            return None
        found = self.mapping(("match",), value)
        if found is None:
            return None
        self.keys(("match",), found, ("wins", "units"))
        given = {key: found[key] for key in ("wins", "units") if found.get(key) is not None}
        if len(given) != 1:
            hint = 'write {"wins": 10} or {"units": 100}'
            self.fault(("match",), "bad-match", "a match needs exactly one of wins and units", hint)
            return None
        key, most = next(iter(given.items()))
        number = self.number(("match", key), most, 1)
        return Match(wins=number if key == "wins" else None, units=number if key == "units" else None)

    def notation(self, value: object) -> Notation:
        if says_nothing(value):
            return "french"
        name = self.string(("cards",), value)
        if name is not None and name not in NOTATIONS:
            hint = did_you_mean(name, NOTATIONS) or f"the notations are {', '.join(NOTATIONS)}"
            self.fault(("cards",), "bad-cards", f"there is no card notation {shorten(name)}", hint)
            return "french"
        return name if name in NOTATIONS else "french"

    def tags(self, value: object) -> dict[str, str] | None:
        if says_nothing(value):
            return None
        self.harmless = True
        found = self.strings(("tags",), value)
        self.harmless = False
        return found

    # --- deals

    def deals(self, value: object) -> tuple[Deal, ...]:
        if says_nothing(value):
            return ()
        found = self.sequence(("deals",), value, "a list of deals") or []
        read: list[Deal] = []
        last = 0
        for index, deal in enumerate(found):
            self.deal_index = index
            read.append(self.deal(("deals", index), deal, last))
            last = max(last, read[-1].number)
        self.deal_index = None
        return tuple(read)

    def deal(self, path: Path, value: object, last: int) -> Deal:
        found = self.mapping(path, value)
        if found is None:
            return Deal(number=last + 1)
        self.keys(path, found, _DEAL_KEYS)
        number = self.deal_number(path, found, last)
        events = self.events((*path, "events"), found.get("events"))
        starter = found.get("starter")
        return Deal(
            number=number,
            hands=self.by_player((*path, "hands"), found.get("hands"), self.hand),
            hand_sizes=self.by_player((*path, "hand_sizes"), found.get("hand_sizes"), self.size),
            cut=self.by_player((*path, "cut"), found.get("cut"), self.named_card),
            deck=self.cards((*path, "deck"), found.get("deck"), held=True),
            stock=self.cards((*path, "stock"), found.get("stock"), held=True),
            starter=None if says_nothing(starter) else self.named_card((*path, "starter"), starter),
            events=events[0],
            comments=self.comments((*path, "comments"), found.get("comments"), events[1]),
            claim=self.claim((*path, "claim"), found.get("claim")),
        )

    def deal_number(self, path: Path, found: dict[str, object], last: int) -> int:
        where = (*path, "number") if "number" in found else path
        if says_nothing(found.get("number")):
            number: int | None = 1
        else:
            number = self.number(where, found["number"], 1)
        if number is None:
            return last + 1
        if number <= last:
            message = f"deal {number} does not come after deal {last}"
            self.fault(where, "deal-number", message, "number the deals in the order of play")
        return number

    def by_player(
        self, path: Path, value: object, read: Callable[[Path, object], _Read | None]
    ) -> dict[str, _Read] | None:
        if says_nothing(value):
            return None
        found = self.mapping(path, value) or {}
        values: dict[str, _Read] = {}
        for name, of_player in found.items():
            known = self.player_key((*path, name), name)
            if of_player is None and path[-1] != "hands":
                continue
            got = read((*path, name), of_player)
            if known and got is not None:
                values[name] = got
        return values or None

    def hand(self, path: Path, value: object) -> tuple[Held, ...] | None:
        return self.cards(path, value, held=True) or ()

    def size(self, path: Path, value: object) -> int | None:
        return self.number(path, value, 0)

    def named_card(self, path: Path, value: object) -> Card | None:
        return cast("Card | None", self.card(path, value))

    def comments(self, path: Path, value: object, events: int) -> tuple[tuple[int, str], ...] | None:
        if says_nothing(value):
            return None
        found = self.sequence(path, value, "a list of comments") or []
        read: list[tuple[int, str]] = []
        for index, comment in enumerate(found):
            here = (*path, index)
            match comment:
                case [int(event), str(text)] if type(event) is int:
                    if 0 <= event <= events:
                        read.append((event, text))
                    else:
                        message = f"there is no event {event}: the deal has {events}"
                        hint = f"events count from 0; {events} means behind the last"
                        self.fault((*here, 0), "bad-comment", message, hint)
                case _:
                    hint = 'write it like [3, "the cards were shown"]'
                    self.fault(here, "bad-comment", "a comment is a number of an event and a text", hint)
        return tuple(read) or None

    def claim(self, path: Path, value: object) -> Claim | None:
        if says_nothing(value):
            return None
        found = self.mapping(path, value)
        if found is None:
            return None
        self.keys(path, found, ("winner", "drawn", "broken_off"))
        given = {key: found[key] for key in ("winner", "drawn", "broken_off") if found.get(key) is not None}
        hint = 'write {"winner": "Ana"}, {"drawn": true}, {"broken_off": true} or null'
        if len(given) != 1:
            message = "a claim names a winner or says drawn or broken_off, exactly one of them"
            self.fault(path, "bad-claim", message, hint)
            return None
        if "winner" in given:
            winner = self.player((*path, "winner"), given["winner"])
            return None if winner is None else Claim(winner=winner)
        key = "drawn" if "drawn" in given else "broken_off"
        if given[key] is not True:
            self.fault((*path, key), "bad-claim", f"{key} can only be true", hint)
            return None
        return Claim(drawn=True) if key == "drawn" else Claim(broken_off=True)
