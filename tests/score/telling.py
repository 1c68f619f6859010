"""Matches in short words, and their ledgers, each kept twice.

`told(rules, words)` writes a transcript of deals that end as the words say: `first` and `second` win in three acts
(the player who acts first, the other), `rummy` wins for the first in one act, `drawn`, `open` (not played to its
end), `wrong` (a rule is broken), `claimed` (won by the first, claimed for the other), `misdeal`. The dealer, and
so who is first, goes on as the contract says. `ledger` gives what the program says of it; the second ledger of
`tests.reference` has to say the same.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import msgspec

from conquian.scoring import score
from conquian.standings import Goal, Score, Scored
from conquian.transcript.read import read
from tests.reference.referee import ledger as second_ledger
from tests.rules.telling import pack_of, run_down

FAMILIES = ("classic", "coonking", "swedish")
Document = dict[str, Any]

HEARTS = {"classic": "6h 7h Jh Qh", "coonking": "6h 7h 8h 9h", "swedish": "6h 7h Jh Qh"}
START = {"classic": "starter 3s\n", "coonking": "", "swedish": ""}
LAST = {"classic": "J", "coonking": "8", "swedish": "J"}
THROWN = {"classic": "K", "coonking": "10", "swedish": "K"}


def in_three_acts(rules: str, winner: str, first: str, second: str) -> str:
    """The winner lays four, four and three cards."""
    other = second if winner == first else first
    out, last = THROWN[rules], LAST[rules]
    opening = f"starter As\n{first} passes\n{second} passes\n" if rules == "classic" else ""
    turned = f"{first} turns 5c" if winner == first else f"{first} turns 5c; passes\n{second}"
    melds = "; melds 4c 5c 6c 7c" if winner == first else " melds 4c 5c 6c 7c"
    return (
        f"{opening}{turned}{melds}; discards {out}d\n"
        f"{other} passes; turns 2d; passes\n"
        f"{winner} melds 2d 3d 4d 5d; discards {out}h\n"
        f"{other} passes; turns {last}s; passes\n"
        f"{winner} melds {last}c {last}h {last}s\n"
    )


def in_one_act(rules: str, first: str) -> str:
    """Eleven cards at once, by a player with nothing on the table."""
    hand = f"{first} holds 3c 3d 3h {HEARTS[rules]} 5s 6s 7s\n"
    turned = "" if rules == "classic" else f"{first} turns 3s\n"
    return f"{hand}{START[rules]}{turned}{first} melds 3c 3d 3h 3s, {HEARTS[rules]}, 5s 6s 7s\n"


def exhausted(rules: str, first: str, second: str) -> str:
    """Nobody wants any card of the stock."""
    cards = pack_of(rules)[:20]
    if rules == "classic":
        lines = [f"starter {cards[0]}", f"{first} passes", f"{second} passes"]
        return "\n".join([*lines, *run_down(cards[1:], first, second), f"{second} passes", ""])
    return "\n".join([*run_down(cards, first, second), f"{first} passes", ""])


def deal(rules: str, word: str, first: str, second: str) -> str:
    start, act = (START[rules], "passes") if rules == "classic" else ("", "turns 5c")
    match word:
        case "first":
            return in_three_acts(rules, first, first, second)
        case "second":
            return in_three_acts(rules, second, first, second)
        case "claimed":
            return f"{in_three_acts(rules, first, first, second)}{second} wins\n"
        case "rummy":
            return in_one_act(rules, first)
        case "drawn":
            return exhausted(rules, first, second)
        case "open":
            return f"{start}{first} {act}\n"
        case "wrong":
            return f"{start}{second} {act}\n"
        case _:
            return f"{start}{first} holds 9:\n"


def told(rules: str, words: str, *readings: str, head: str = "", dealer: str = "") -> str:
    """A transcript of Ana and Ben; Ben deals first unless it is said otherwise."""
    players = ("Ana", "Ben")
    seat = players.index(dealer) if dealer else 1
    text = f"rules: {rules}\nplayers: Ana, Ben\n"
    text += f"dealer: {dealer}\n" if dealer else ""
    text += f"readings: {', '.join(readings)}\n" if readings else ""
    text += f"{head}\n"
    for number, word in enumerate(words.split(), 1):
        first, second = players[1 - seat], players[seat]
        text += f"\ndeal {number}\n{deal(rules, word, first, second)}"
        if word != "misdeal" and not (word == "drawn" and "draw-settlement=replay" in readings):
            seat = 1 - seat
    return text


def scored(text: str, goal: Goal | None = None) -> Scored:
    """The ledger of a transcript; the second ledger says the same."""
    (sheet,) = read(text.encode(), "match.cqn")
    assert not sheet.errors, [sheet.show(error) for error in sheet.errors]
    found = score(sheet, goal=goal)
    if goal is None:
        game: Document = json.loads(msgspec.json.encode(sheet.game))
        assert bare(found.score) == second_ledger(game)
    return found


def bare(found: Score) -> Document:
    """The JSON of a ledger without its notes."""
    document: Document = json.loads(msgspec.json.encode(found))
    document.pop("notes", None)
    return document


def ledger(rules: str, words: str, *readings: str, head: str = "", dealer: str = "") -> Score:
    return scored(told(rules, words, *readings, head=head, dealer=dealer)).score


def payments(found: Score) -> list[tuple[int, ...]]:
    """What each deal brought the players, in their order."""
    return [tuple(one.payments.values()) for one in found.deals]


def units(found: Score) -> tuple[int, ...]:
    return tuple(one.units for one in found.players.values())


def wins(found: Score) -> tuple[int, ...]:
    return tuple(one.wins for one in found.players.values())


def noted(found: Score) -> list[tuple[str, int | None]]:
    """The codes of the notes, and the deals that they are on."""
    return [(note.code, note.deal) for note in found.notes]


def sums(found: Score) -> Sequence[int]:
    return [sum(one.payments.values()) for one in found.deals]
