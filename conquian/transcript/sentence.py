"""One sentence of the text form, taken apart: who, what, and the words that name cards.

Guarantees: `read_sentence` gives a `Sentence` exactly for the sentences of `grammar/transcript.lark`, else
a `Misread` with the place, a code and a hint. Players and cards are still words here, each with its place;
whether there is such a player or card is for the reader of the whole text to say.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from typing import Final

from msgspec import Struct

from conquian.findings import did_you_mean, nearest, shorten
from conquian.transcript.names import read_name
from conquian.transcript.tables import END, Branch, Token, Unexpected, parse

EXAMPLES: Final = {
    "deal": "deal 2",
    "cut": "cut Ana 7s, Ben 3d",
    "deck": "deck 5c 6c 7c",
    "stock": "stock 5c 2d ?",
    "holds": "Ana holds 6c 7c 3d",
    "starter": "starter 7s",
    "gives": "Ana gives 3h to Ben",
    "turns": "Ana turns 5c",
    "melds": "Ana melds 5c 6c 7c, Jc Jh Jd",
    "arranges": "Ana arranges 5c 6c 7c, Jc Jh Jd",
    "passes": "Ana passes",
    "discards": "Ana discards Ks",
    "forces": "Ben forces Jc onto 5c 6c 7c",
    "objects": "Ben objects",
    "concedes": "Ben concedes",
    "agrees": "Ana and Ben agree a draw",
    "wins": "Ana wins",
    "drawn": "drawn",
    "broken": "broken off",
}
"""Every kind of sentence, by an example."""

DEEDS: Final = ("holds", "gives", "turns", "melds", "arranges", "passes", "discards", "forces", "wins")
"""What a player does."""

SAID: Final = ("objects", "concedes")
"""What a player says that ends an argument or the deal; no words of the notation where anything else can stand."""

SHORT: Final = 100
"""Characters; sentences up to this length are remembered."""

_STARTS: Final = ("deal", "cut", "deck", "stock", "starter", "drawn", *DEEDS)


class Sentence(Struct, frozen=True):
    """A sentence in parts. Places are characters from the beginning of the sentence's text.

    `player` is None where the player carries on or nobody acts; `names` are the receiver of a gift or those
    who cut, `groups` the cards: one group, one for each meld, one for each who cut, or the card and the
    meld of a demand. `number` is the deal's number, or the count of a hand. `start` and `end` leave out a
    move number. Who agrees a draw are the player and the names.
    """

    kind: str
    player: Token | None
    names: tuple[Token, ...]
    groups: tuple[tuple[Token, ...], ...]
    number: Token | None
    verb: Token
    start: int
    end: int


class Misread(Struct, frozen=True):
    """Why a text is no sentence, and where. `deal` if it begins like `deal N`."""

    code: str
    message: str
    hint: str
    start: int
    end: int
    deal: bool = False


def read_sentence(text: str, players: Collection[str] = ()) -> Sentence | Misread:
    """Take one sentence apart. `players` only serve for better hints."""
    found = _short(text) if len(text) <= SHORT else _read(text)
    return _misread(found, text, players) if isinstance(found, Unexpected) else found


def _read(text: str) -> Sentence | Unexpected:
    found = parse(text)
    return found if isinstance(found, Unexpected) else _sentence(found)


_short = lru_cache(maxsize=4096)(_read)
"""The same few sentences are said all the time."""


def _sentence(tree: Branch) -> Sentence:
    kind, player = tree.name, None
    body = rest = tree
    while body.name in ("start", "named", "unnamed"):
        for part in body.parts:
            if isinstance(part, Branch) and part.name == "name":
                player = _first(part)
            elif isinstance(part, Branch):
                kind, rest = part.name, part
        body = rest
    names: list[Token] = []
    groups: list[tuple[Token, ...]] = []
    loose: list[Token] = []
    number: Token | None = None
    for part in body.parts[1:]:
        if isinstance(part, Token):
            if part.kind == "WORD":
                loose.append(part)
            elif part.kind in ("COUNT", "NUMBER"):
                number = part
        elif part.name == "name":
            names.append(_first(part))
        elif part.name == "cutting":
            name, card = part.parts
            assert isinstance(name, Branch) and isinstance(card, Token)
            names.append(_first(name))
            groups.append((card,))
        else:
            groups.append(tuple(card for card in part.parts if isinstance(card, Token)))
    if loose:
        groups.insert(0, tuple(loose))
    verb = _first(body)
    if kind == "agrees":
        player, *names = (_first(part) for part in body.parts if isinstance(part, Branch))
        verb = _last(body)
    elif kind == "lone":
        kind = verb.text.lower()
    last = _last(body)
    return Sentence(
        kind="holds" if kind == "holds_count" else kind,
        player=player,
        names=tuple(names),
        groups=tuple(groups),
        number=number,
        verb=verb,
        start=player.start if player else verb.start,
        end=last.end,
    )


def _first(branch: Branch) -> Token:
    part = branch.parts[0]
    return part if isinstance(part, Token) else _first(part)


def _last(branch: Branch) -> Token:
    part = branch.parts[-1]
    return part if isinstance(part, Token) else _last(part)


def _misread(found: Unexpected, text: str, players: Collection[str]) -> Misread:
    token, before = found.token, found.before
    first = before[0] if before else token
    deal = first.kind == "DEAL" or first.text.lower().rstrip("0123456789.") == "deal"
    start, end = token.start, max(token.end, token.start + 1)
    said = [word for word in before if word.kind in _KINDS]
    like = EXAMPLES[_KINDS[said[-1].kind]] if said else None
    if any(word.kind == "AND" for word in before):
        like = EXAMPLES["agrees"]
    written = f"a player {_DOES}" if like is None else f"write it like {like!r}"

    def misread(code: str, message: str, hint: str) -> Misread:
        return Misread(code, message, hint, start, end, deal)

    if token.kind == END:
        # The caret belongs after the last word, not after blanks.
        start = before[-1].end if before else len(text.rstrip())
        end = start + 1
        if not before:
            return misread("syntax", "a sentence is missing", "take out the ';', or write what happens")
        if like is None:
            return misread("syntax", f"what does {shorten(first.text)} do?", f"a player {_DOES}")
        return misread("syntax", f"the sentence stops short: {_wanted(found.expected)} is missing", written)
    if token.kind == "AGREE" and before:
        return misread("syntax", "a draw is agreed by all who play", f"write it like {EXAMPLES['agrees']!r}")
    if "TURNS" in found.expected and before and token.kind in ("WORD", "QUOTED"):
        name = before[-1]
        if token.kind == "WORD" and token.text.lower() in (
            "deal",
            "cut",
            "deck",
            "stock",
            "starter",
            "drawn",
        ):
            return misread(
                "syntax",
                f"{token.text!r} is said without a player",
                f"write it like {EXAMPLES[token.text.lower()]!r}",
            )
        guess = did_you_mean(token.text, (*DEEDS, *SAID))
        meant = read_name(name.text)
        stranger = meant not in players and (not isinstance(meant, str) or nearest(meant, players) is None)
        if stranger and (guess is None or players):
            start, end = name.start, name.end
            near = did_you_mean(name.text, _STARTS)
            return misread(
                "syntax",
                f"no sentence of the notation begins with {shorten(name.text)} {shorten(token.text)}",
                near or f"a line names a player and what he does; he {_DOES}",
            )
        return misread(
            "unknown-verb", f"{shorten(token.text)} is nothing a player does", guess or f"a player {_DOES}"
        )
    if token.kind in _KINDS and found.expected >= {END}:
        return misread(
            "syntax",
            f"{token.text!r} begins another sentence",
            f"write ';' before {token.text!r}, or begin a new line",
        )
    if token.kind == "QUOTED" and "WORD" in found.expected:
        return misread("bad-card", f"{shorten(token.text)} is no card", "cards are written without quotes")
    if found.expected == {"TO"} and before[-1].text.lower() == "to":
        return misread("syntax", "a card is missing before 'to'", written)
    if token.kind == "COMMA" and "WORD" in found.expected:
        hint = (
            "write the cards with blanks between them" if END in found.expected else "a card is missing here"
        )
        return misread("syntax", "there can be no ',' here", hint)
    if token.kind == "COLON":
        return misread("syntax", "there can be no ':' here", "leave it out" if before else written)
    if deal:
        return misread(
            "deal-number", f"{shorten(token.text)} is no number of a deal", "write it like 'deal 2'"
        )
    if not before:
        return misread("syntax", f"{shorten(token.text)} begins no sentence", f"a player {_DOES}")
    wanted = _wanted(found.expected)
    return misread("syntax", f"{shorten(token.text)} where {wanted} is due", written)


_KINDS: Final = {word.upper(): word for word in (*_STARTS, *SAID)}
_DOES: Final = ", ".join(DEEDS[:-1]) + " or " + DEEDS[-1]
_THINGS: Final = {
    "WORD": "a card",
    "NUMBER": "a number",
    "TO": "'to'",
    "ONTO": "'onto'",
    "AGREE": "'agree a draw'",
    "COLON": "':'",
    "QUOTED": "a player's name",
    END: "the end of the sentence",
}


def _wanted(expected: frozenset[str]) -> str:
    if "QUOTED" in expected:
        return _THINGS["QUOTED"]
    found = [thing for kind, thing in _THINGS.items() if kind in expected]
    return " or ".join(found) if found else "another word"
