"""Reading the text form of a transcript (contract: notation, section 2).

Guarantees: `read_text` never raises. Every line is understood, or an error says which part of it is not and
what to do; an error in a deal costs that deal only. Events come out in the order in which they stand, none
added, none mended. Comments are kept, for the JSON form (`Deal.comments`) and, with their places, for the
text form (`remarks`).
"""

from __future__ import annotations

import re
from typing import Final

from msgspec.structs import replace

from conquian.findings import Finding, Note, did_you_mean, shorten
from conquian.transcript.header import KEYS, Header, HeaderLine, Trouble, header_line
from conquian.transcript.lines import Cut, cut, decode, text_lines
from conquian.transcript.margin import Margin
from conquian.transcript.model import FORMAT, KNOWN_TAGS, Game
from conquian.transcript.names import WORDS, read_name
from conquian.transcript.places import Path, Where
from conquian.transcript.record import OpenDeal, Telling
from conquian.transcript.sentence import Misread, Sentence, read_sentence
from conquian.transcript.sheet import Sheet
from conquian.transcript.spots import Place, TextPlaces
from conquian.transcript.values import LARGEST

_MOVE: Final = re.compile(r"[0-9]+\.")
LONGEST: Final = 20_000
"""Characters; no sentence about a deal is longer, whatever the pack."""


def read_text(data: bytes, name: str) -> Sheet:
    """Read a text transcript. `name` is the file's name for messages."""
    return Reader(data, name).read()


class Reader:
    def __init__(self, data: bytes, name: str) -> None:
        self.name = name
        self.decoded = decode(data)
        self.lines = text_lines(self.decoded.text)
        self.broken = {error.line for error in self.decoded.errors}
        self.header = Header()
        self.in_header = True
        self.deals: list[OpenDeal] = []
        self.errors: list[Finding] = list(self.decoded.errors)
        self.fatal = self.decoded.foreign
        self.unreadable: set[int] = set()
        self.notes: list[Note] = []
        self.places: dict[Path, Place] = {}
        self.margin = Margin(self.deals)
        self.recognised = False
        self.unknown: tuple[int, int, int] | None = None
        self.number = 0
        self.carried: str | None = None
        self.somebody = False

    # --- the whole file

    def read(self) -> Sheet:
        if self.decoded.bom:
            message = "the file begins with a byte order mark; it is ignored"
            self.notes.append(Note("bom", 1, None, message))
        if not self.decoded.foreign:
            for number, line in enumerate(self.lines, 1):
                self.number = number
                self.read_line(line)
            self.finish()
        game = None if self.fatal else self.game()
        errors = sorted(self.errors, key=lambda error: (error.line, error.column))
        return Sheet(
            name=self.name,
            path=self.name,
            game=game,
            errors=tuple(errors),
            notes=tuple(self.notes),
            unreadable=frozenset(self.unreadable),
            where=Where(TextPlaces(self.lines, self.places).find),
            source=self.decoded.text,
            remarks=tuple(self.margin.remarks),
        )

    def game(self) -> Game:
        header = self.header
        return Game(
            format=FORMAT,
            rules=header.rules,
            readings=header.readings or None,
            players=header.players,
            dealer=header.dealer,
            match=header.match,
            cards=header.cards,
            tags=header.tags or None,
            deals=tuple(deal.done() for deal in self.deals),
        )

    def finish(self) -> None:
        self.margin.end()
        if self.header.fatal:
            self.fatal = True
        if not self.recognised:
            line, start, end = self.unknown or (1, 0, 0)
            found = self.lines[line - 1][start:end].strip() if self.unknown else ""
            first = f"the first unknown text is {shorten(found)}" if found else "the file holds no text"
            self.errors = [
                *self.decoded.errors,
                Finding(
                    "no-game",
                    f"0 games recognised: {first}",
                    line,
                    start + 1,
                    "a transcript begins with lines like 'rules: swedish' and 'players: Ana, Ben'",
                    max(start + 2, end + 1),
                ),
            ]
            self.fatal = True
            self.notes = [note for note in self.notes if note.code == "bom"]
            return
        players = self.header.players
        if not players and "players" not in self.header.seen:
            line = self.places[("deals", 0)].line if ("deals", 0) in self.places else 1
            hint = "write a line 'players: Ana, Ben' at the top, in the order of play"
            self.errors.append(Finding("no-players", "the header does not say who plays", line, 1, hint))
            self.fatal = True
        dealer = self.header.dealer
        if dealer is not None and players and dealer not in players:
            place = self.places[("dealer",)]
            hint = did_you_mean(dealer, players) or f"the players are {', '.join(players)}"
            message = f"the dealer {shorten(dealer)} is none of the players"
            self.errors.append(
                Finding("unknown-player", message, place.line, place.start + 1, hint, place.end + 1)
            )
            self.fatal = True
        if not self.deals and not self.fatal:
            self.notes.append(Note("no-deals", len(self.lines), None, "the file records no deal"))

    # --- errors and places

    def error(self, code: str, message: str, hint: str, start: int, end: int, *, fatal: bool = False) -> None:
        """Something is wrong at characters `start` to `end` of the present line."""
        deal = None if self.in_header else len(self.deals) - 1
        if deal is not None:
            self.unreadable.add(deal)
        elif fatal:
            self.fatal = True
        # A line that is not UTF-8 has one error, that one: the others would be about replacement characters.
        if self.number not in self.broken:
            self.errors.append(Finding(code, message, self.number, start + 1, hint, end + 1, deal))

    def item(self, path: Path, start: int, end: int, *, part: tuple[int, int] | None = None) -> None:
        """A part of the game stands here; comments that waited for one belong before it."""
        self.places[path] = Place(self.number, start, end, part)
        self.margin.item(path)

    # --- one line

    def read_line(self, line: str) -> None:
        self.margin.new_line()
        self.carried, self.somebody = None, False
        found = self.as_header(line) if self.in_header else None
        if found is None:
            found = cut(line)
            self.sentences(line, found)
        if self.number in self.broken:
            self.blame_encoding(line)
        if found.comment is not None:
            self.margin.comment(found.comment)

    def blame_encoding(self, line: str) -> None:
        if self.in_header:
            taken = header_line(line)
            self.fatal = self.fatal or (taken is not None and taken.key.lower() in KEYS)
            return
        deal = len(self.deals) - 1
        self.unreadable.add(deal)
        for index, error in enumerate(self.errors):
            if error.line == self.number and error.code == "encoding":
                self.errors[index] = replace(error, deal=deal)

    def as_header(self, line: str) -> Cut | None:
        """Take a line as a header line; None if it is none."""
        found = cut(line, header=True)
        text = line[: found.end if found.unclosed is None else found.unclosed]
        if not text.strip() and found.unclosed is None:
            return found
        taken = header_line(text)
        if taken is None:
            return None
        if found.unclosed is not None:
            known = not taken.quoted and taken.key.lower() in KEYS
            self.see(line, taken.key_start, taken.key_end)
            self.recognised = self.recognised or known
            self.header.seen.add(taken.key.lower())
            self.unclosed(found.unclosed, len(line), fatal=known)
            return found
        self.take_header(line, taken)
        return found

    def take_header(self, line: str, taken: HeaderLine) -> None:
        known = not taken.quoted and taken.key.lower() in KEYS
        self.recognised = self.recognised or known
        if not known:
            self.see(line, taken.key_start, taken.key_end)
        troubles: list[Trouble] = self.header.take(taken)
        for trouble in troubles:
            self.error(trouble.code, trouble.message, trouble.hint, trouble.start, trouble.end, fatal=known)
        for path, start, end in self.header.places:
            self.item(path, start, end)
        if not known and not troubles and (taken.quoted or taken.key.lower() not in KNOWN_TAGS):
            message = f"the header key {shorten(taken.key)} is not known; it is kept as it is"
            if taken.key.lower() in WORDS:
                message += f" (is it the sentence '{taken.key} …', without ':'?)"
            else:
                guess = did_you_mean(taken.key, (*KEYS, *KNOWN_TAGS))
                message += f" ({guess})" if guess else ""
            self.notes.append(Note("unknown-key", self.number, None, message))

    def see(self, line: str, start: int, end: int) -> None:
        """Remember the first text that may be none of ours."""
        if self.unknown is None:
            self.unknown = (self.number, start, end)

    def unclosed(self, start: int, end: int, *, fatal: bool = True) -> None:
        hint = "close it with '\"'; inside quotes write \\\" for a quote"
        self.error("unclosed-quote", "this quote is not closed on its line", hint, start, end, fatal=fatal)

    def sentences(self, line: str, found: Cut) -> None:
        if len(found.parts) == 1 and not line[: found.end].strip():
            return
        for start, end in found.parts:
            if found.unclosed is not None and start <= found.unclosed < end:
                self.see(line, found.unclosed, end)
                self.begins_play(line, start, end)
                self.unclosed(found.unclosed, end)
                return
            if end - start > LONGEST:
                self.see(line, start, start + 40)
                self.begins_play(line, start, end)
                hint = "write one sentence a line, or part them with ';'"
                self.error("too-long", "no sentence is this long", hint, start, start + 40, fatal=True)
                continue
            self.sentence(line, start, end)

    # --- one sentence

    def sentence(self, line: str, start: int, end: int) -> None:
        text = line[start:end]
        read = read_sentence(text, self.header.players)
        if isinstance(read, Misread):
            self.misread(line, read, start, end)
            return
        self.recognised = True
        if read.kind == "deal":
            self.begin_deal(read, start)
            return
        self.enter_deal(start + read.start, start + read.end)
        told = Telling(self, read, start, (start, end))
        if read.kind in ("cut", "deck", "stock", "holds", "starter"):
            told.setup(self.deals[-1])
        elif read.kind in ("wins", "drawn", "broken"):
            told.claim(self.deals[-1])
        else:
            told.event(self.deals[-1])

    def misread(self, line: str, read: Misread, start: int, end: int) -> None:
        self.somebody = True
        at, to = start + read.start, max(start + read.start + 1, start + read.end)
        text = line[start:end].strip()
        first = text.split(None, 1)[0].lower() if text else ""
        blank = len(line[start:end]) - len(line[start:end].lstrip())
        self.see(line, start + blank, start + blank + len(first))
        if read.deal:
            self.recognised = True
            last = max((deal.number for deal in self.deals), default=0)
            self.open_deal(last + 1)
            self.item(("deals", len(self.deals) - 1), start + blank, start + blank + len(text))
        elif not self.begins_play(line, start, end):
            hint = "a header line is written 'key: value'; " + read.hint
            self.error(read.code, read.message, hint, at, to, fatal=True)
            return
        late = header_line(line[start:end])
        if late is not None and start == 0 and not read.deal:
            message = f"the header line {shorten(late.key)} comes after play began"
            hint = "header lines stand before the first deal"
            self.error("late-header", message, hint, late.key_start, late.key_end)
            return
        self.error(read.code, read.message, read.hint, at, to)

    def begins_play(self, line: str, start: int, end: int) -> bool:
        """Whether something that is no sentence was meant as one, not as a header line; then play begins."""
        if not self.in_header:
            return True
        words = [word for word in line[start : start + 200].split(None, 2)[:2] if not _MOVE.fullmatch(word)]
        first = words[0].strip(':"') if words else ""
        if first.lower() not in WORDS and read_name(first) not in self.header.players:
            return False
        self.recognised = True
        self.enter_deal(start, end)
        return True

    def begin_deal(self, read: Sentence, start: int) -> None:
        token = read.number
        assert token is not None
        last = max((deal.number for deal in self.deals), default=0)
        number = int(token.text) if len(token.text) < 20 else LARGEST + 1
        self.carried, self.somebody = None, False
        right = 1 <= number <= LARGEST
        self.open_deal(number if right else last + 1)
        index = len(self.deals) - 1
        self.item(("deals", index), start + read.start, start + read.end)
        self.places[("deals", index, "number")] = Place(self.number, start + token.start, start + token.end)
        if not right or number <= last:
            message = f"deal {token.text[:20]} does not come after deal {last}"
            if not right:
                message = f"a deal has a number from 1 to {LARGEST}"
            hint = "number the deals in the order of play"
            if index == 1 and ("deals", 0, "number") not in self.places:
                hint = "what stands above belongs to deal 1 already: write 'deal 1' before it"
            self.error("deal-number", message, hint, start + token.start, start + token.end)

    def enter_deal(self, start: int, end: int) -> None:
        """A sentence about play: without a `deal` line before it, it begins deal 1."""
        if self.in_header:
            self.open_deal(1)
            self.places[("deals", 0)] = Place(self.number, start, end)

    def open_deal(self, number: int) -> None:
        """A new deal begins; with the first, the header ends."""
        self.in_header = False
        self.deals.append(OpenDeal(number))
        if len(self.deals) == 1:
            self.margin.first_deal()
