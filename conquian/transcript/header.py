"""The header of a text transcript: `key: value` lines before the first deal (contract: notation, section 2).

Guarantees: a line is a header line or it is not, by its own words alone. Keys that the notation does not
know are kept as they are, in order, with their values. A fault in a known key costs the game, one in any
other only that line. Keys in quotes are always kept as they are.
"""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

from conquian.cards import NOTATIONS, Notation
from conquian.findings import did_you_mean, shorten
from conquian.tongue import tell
from conquian.transcript.model import KNOWN_TAGS, Match
from conquian.transcript.names import QUOTED, Misspelt, quote, read_name, unquote
from conquian.transcript.places import Path
from conquian.transcript.sentence import DEEDS
from conquian.transcript.values import LARGEST, is_rule_set_name

KEYS: Final = ("rules", "readings", "players", "dealer", "match", "cards")
"""The keys that mean something to the program; every other one is a tag."""

_NAME: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[^\s,"]+')
_CHOICE: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[^\s,="]+|[,=]')
_MATCH: Final = re.compile(r"(\w+)\s*=\s*([0-9]+)")
_MOVE: Final = re.compile(r"[0-9]+\.")
_NOBODY: Final = ("deal", "cut", "deck", "stock", "starter", "drawn", *DEEDS)


class HeaderLine(Struct, frozen=True):
    """A header line: the key as written, whether in quotes, the value; with their places in the line (from
    0)."""

    key: str
    quoted: bool
    key_start: int
    key_end: int
    value: str
    start: int


class Trouble(Struct, frozen=True):
    """What is wrong in a header line, at characters `start` to `end` of the line (from 0)."""

    code: str
    message: str
    hint: str
    start: int
    end: int


def header_line(text: str) -> HeaderLine | None:
    """Take a line (without its comment) as `key: value`, or None if it is a sentence or neither."""
    indent = len(text) - len(text.lstrip())
    opening = QUOTED.match(text, indent)
    colon = text.find(":", opening.end() if opening else indent)
    key = text[indent:colon].rstrip()
    quoted = opening is not None and opening.group() == key
    if colon < 0 or not key or (not quoted and any(mark in key for mark in ';,"')):
        return None
    value = text[colon + 1 :]
    stripped = value.strip()
    if not quoted:
        words = key.lower().split()
        first_said = stripped.split(None, 1)[0].lower() if stripped else ""
        if len(words) > 1 and (words[0] in _NOBODY or words[1] in DEEDS or _MOVE.fullmatch(words[0])):
            return None  # `Ana holds 9: …`, `deal 2:`
        if first_said in DEEDS and words[0] not in KEYS and words[0] not in KNOWN_TAGS:
            return None  # `Ana: passes` is a slip of the pen, no header
    start = colon + 1 + (len(value) - len(value.lstrip()) if stripped else 0)
    return HeaderLine(key, quoted, indent, indent + len(key), stripped, start)


class Header:
    """What the header lines said so far."""

    def __init__(self) -> None:
        self.rules: str | None = None
        self.readings: dict[str, str] = {}
        self.players: tuple[str, ...] = ()
        self.dealer: str | None = None
        self.match: Match | None = None
        self.cards: Notation = "french"
        self.tags: dict[str, str] = {}
        self.seen: set[str] = set()
        self.fatal = False
        self.places: list[tuple[Path, int, int]] = []
        """Paths with their characters in the line taken last."""

    def take(self, line: HeaderLine) -> list[Trouble]:
        """Take a line in; what is wrong with it comes back, and then nothing of the line counts."""
        self.places = []
        small = line.key.lower()
        known = not line.quoted and small in KEYS
        troubles = self._known(small, line) if known else self._tag(line)
        if troubles and known:
            self.fatal = True
        return troubles

    def _place(self, path: Path, start: int, end: int) -> None:
        self.places.append((path, start, max(end, start + 1)))

    def _tag(self, line: HeaderLine) -> list[Trouble]:
        key: str | Misspelt = line.key
        if line.quoted:
            key = unquote(line.key)
        elif line.key.lower() in KNOWN_TAGS:
            key = line.key.lower()
        if isinstance(key, Misspelt):
            return [_within(key, line.key_start)]
        if key in self.tags:
            return [_twice(line)]
        end = line.start + len(line.value)
        value: str | Misspelt = line.value
        if QUOTED.fullmatch(line.value):
            value = unquote(line.value)
        if isinstance(value, Misspelt):
            return [_within(value, line.start)]
        self.tags[key] = value
        self._place(("tags", key), line.start, end)
        return []

    def _known(self, key: str, line: HeaderLine) -> list[Trouble]:
        if key in self.seen:
            return [_twice(line)]
        self.seen.add(key)
        self._place((key,), line.start, line.start + len(line.value))
        if not line.value:
            if key == "readings":
                return []
            code = {"players": "no-players", "dealer": "bad-name"}.get(key, f"bad-{key}")
            message = tell("there is nothing after '{key}:'", key=key)
            return [
                Trouble(
                    code,
                    message,
                    tell("write it like {example}", example=repr(_EXAMPLES[key])),
                    line.key_start,
                    line.start,
                )
            ]
        match key:
            case "rules":
                return self._rules(line)
            case "readings":
                return self._readings(line)
            case "players":
                return self._players(line)
            case "dealer":
                return self._dealer(line)
            case "match":
                return self._match(line)
            case _:
                return self._cards(line)

    def _rules(self, line: HeaderLine) -> list[Trouble]:
        name = unquote(line.value) if QUOTED.fullmatch(line.value) else line.value
        if isinstance(name, Misspelt):
            return [_within(name, line.start)]
        if not is_rule_set_name(name):
            hint = tell("write a rule set's name, like swedish; a file of rules is given on the command line")
            return [
                _whole("bad-rules", tell("{name} is no name of a rule set", name=shorten(name)), hint, line)
            ]
        self.rules = name
        return []

    def _players(self, line: HeaderLine) -> list[Trouble]:
        names: list[str] = []
        troubles: list[Trouble] = []
        place, due = 0, True
        value = line.value
        while place < len(value):
            if value[place].isspace():
                place += 1
                continue
            start = line.start + place
            if value[place] == ",":
                if due:
                    troubles.append(
                        Trouble(
                            "bad-name", tell("a name is missing"), tell("take the ',' out"), start, start + 1
                        )
                    )
                due, place = True, place + 1
                continue
            found = _NAME.match(value, place)
            end = found.end() if found else place + 1
            name = read_name(value[place:end])
            if isinstance(name, Misspelt):
                troubles.append(_within(name, start))
            elif not due:
                hint = tell("write ',' between names, or {value} if this is one name", value=quote(value))
                troubles.append(
                    Trouble(
                        "syntax",
                        tell("{name} follows a name", name=shorten(name)),
                        hint,
                        start,
                        line.start + end,
                    )
                )
            elif name in names:
                hint = tell("give each player a name of his own")
                message = tell("{name} is listed twice", name=shorten(name))
                troubles.append(Trouble("duplicate-player", message, hint, start, line.start + end))
            else:
                self._place(("players", len(names)), start, line.start + end)
                names.append(name)
            due, place = False, end
        if due and not troubles:
            end = line.start + len(value)
            troubles.append(
                Trouble(
                    "bad-name", tell("a name is missing after ','"), tell("take the ',' out"), end - 1, end
                )
            )
        if not troubles:
            self.players = tuple(names)
        return troubles

    def _dealer(self, line: HeaderLine) -> list[Trouble]:
        found = _NAME.fullmatch(line.value)
        if found is None:
            hint = tell("name one player; if this is one name, write {value}", value=quote(line.value))
            return [
                _whole("bad-name", tell("{text} is no player's name", text=shorten(line.value)), hint, line)
            ]
        name = read_name(line.value)
        if isinstance(name, Misspelt):
            return [_within(name, line.start)]
        self.dealer = name
        return []

    def _match(self, line: HeaderLine) -> list[Trouble]:
        found = _MATCH.fullmatch(line.value)
        hint = tell("write 'wins=10' or 'units=100'")
        if found is None or found.group(1).lower() not in ("wins", "units"):
            return [_whole("bad-match", tell("{text} ends no match", text=shorten(line.value)), hint, line)]
        # A number of more digits than this cannot be in range, and may be too long to be one at all.
        number = int(found.group(2)) if len(found.group(2)) < 20 else LARGEST + 1
        if not 1 <= number <= LARGEST:
            return [
                _whole(
                    "bad-number",
                    tell("a match goes to a number from 1 to {largest}", largest=LARGEST),
                    hint,
                    line,
                )
            ]
        wins = found.group(1).lower() == "wins"
        self.match = Match(wins=number if wins else None, units=None if wins else number)
        return []

    def _cards(self, line: HeaderLine) -> list[Trouble]:
        name = line.value.lower()
        for notation in NOTATIONS:
            if name == notation:
                self.cards = notation
                return []
        hint = did_you_mean(line.value, NOTATIONS) or tell(
            "the notations are {notations}", notations=", ".join(NOTATIONS)
        )
        return [
            _whole(
                "bad-cards", tell("there is no card notation {name}", name=shorten(line.value)), hint, line
            )
        ]

    def _readings(self, line: HeaderLine) -> list[Trouble]:
        marks = list(_CHOICE.finditer(line.value))
        chosen: dict[str, str] = {}
        for index in range(0, len(marks), 4):
            group = marks[index : index + 4]
            words = [mark.group() for mark in group]
            start, end = line.start + group[0].start(), line.start + group[-1].end()
            complete = len(words) == 3 or (len(words) == 4 and words[3] == "," and index + 4 < len(marks))
            if not complete or words[1] != "=" or words[0] in ",=" or words[2] in ",=":
                hint = tell("write it like {example}", example=repr(_EXAMPLES["readings"]))
                return [Trouble("bad-readings", tell("this is no 'name=choice'"), hint, start, end)]
            said = [unquote(word) if word.startswith('"') else word for word in (words[0], words[2])]
            name, choice = said
            if isinstance(name, Misspelt):
                return [_within(name, start)]
            if isinstance(choice, Misspelt):
                return [_within(choice, line.start + group[2].start())]
            if name in chosen:
                hint = tell("keep one of the two")
                return [
                    Trouble(
                        "duplicate-key",
                        tell("the reading {name} is chosen twice", name=shorten(name)),
                        hint,
                        start,
                        end,
                    )
                ]
            chosen[name] = choice
            self._place(("readings", name), start, line.start + group[2].end())
        self.readings = chosen
        return []


_EXAMPLES: Final = {
    "rules": "rules: swedish",
    "readings": "readings: new-meld=any, goal=exactly",
    "players": "players: Ana, Ben",
    "dealer": "dealer: Ben",
    "match": "match: wins=10",
    "cards": "cards: french",
}


def _twice(line: HeaderLine) -> Trouble:
    message = tell("the header has {key} twice", key=shorten(line.key))
    hint = tell("keep one of the two lines; which one counts cannot be guessed")
    return Trouble("duplicate-key", message, hint, line.key_start, line.key_end)


def _whole(code: str, message: str, hint: str, line: HeaderLine) -> Trouble:
    return Trouble(code, message, hint, line.start, line.start + len(line.value))


def _within(misspelt: Misspelt, start: int) -> Trouble:
    return Trouble(
        misspelt.code, misspelt.message, misspelt.hint, start + misspelt.start, start + misspelt.end
    )
