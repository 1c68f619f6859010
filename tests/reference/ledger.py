"""The ledger of a match, from the description of the rules: unit by unit, purse to purse.

Every unit is one that was moved from one purse to another, so none is made or lost. `Book` keeps it deal by deal,
`enter` puts a judged deal into it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from .settings import Settings

POT = "the pot"


class Book:
    """What lies where. Purses may be in debt, the pot may not."""

    def __init__(self, settings: Settings, players: Sequence[str], match: Mapping[str, int] | None) -> None:
        self.settings, self.players, self.match = settings, list(players), match or {}
        self.purse: Counter[str] = Counter({name: 0 for name in [*players, POT]})
        self.wins: Counter[str] = Counter({name: 0 for name in players})
        self.last_was_drawn = False

    def over(self) -> bool:
        for name in self.players:
            if "wins" in self.match and self.match["wins"] and self.wins[name] >= self.match["wins"]:
                return True
            if "units" in self.match and self.match["units"] and self.purse[name] >= self.match["units"]:
                return True
        return False

    def side(self, name: str) -> list[str]:
        """The player and his partner, if he has one: they sit opposite each other."""
        seat = self.players.index(name)
        if not self.settings.teams:
            return [name]
        return [other for i, other in enumerate(self.players) if i % 2 == seat % 2]

    def hand_over(self, giver: str, taker: str) -> None:
        self.purse[giver] -= 1
        self.purse[taker] += 1

    def hand_out(self, names: Sequence[str], units: int) -> None:
        """Units out of the pot, one to each in turn, as long as there is one for everybody."""
        while units >= len(names):
            for name in names:
                self.hand_over(POT, name)
            units -= len(names)

    def won(self, winner: str, in_one_act: bool) -> None:
        winners = self.side(winner)
        losers = [name for name in self.players if name not in winners]
        times = 2 if self.last_was_drawn and self.settings.draw_settlement == "double-next" else 1
        for _ in range(times):
            self.ante()
        for name in winners:
            self.wins[name] += 1
        self.hand_out(winners, self.purse[POT])
        for _ in range(times):
            fees = self.settings.loser_pays
            if in_one_act and self.settings.rummy_bonus == "double":
                fees += 1
            for _ in range(fees):
                for name in losers:
                    self.hand_over(name, POT)
                self.hand_out(winners, len(losers))
        self.last_was_drawn = False

    def drawn(self) -> None:
        settlement = self.settings.draw_settlement
        times = 2 if self.last_was_drawn and settlement == "double-next" else 1
        for _ in range(times):
            self.ante()
        if settlement == "pot":
            for name in self.players:
                self.hand_over(name, POT)
        if settlement in ("point-each", "double-next"):
            self.hand_out(self.players, self.purse[POT])
        self.last_was_drawn = True

    def ante(self) -> None:
        """One unit of each player, where the rules have it; a deal played again is for the pot that lies there."""
        if self.last_was_drawn and self.settings.draw_settlement == "replay":
            return
        for _ in range(self.settings.ante):
            for name in self.players:
                self.hand_over(name, POT)


def melds_of_side(book: Book, deal: Mapping[str, Any], winner: str) -> int:
    """How many times the winner's side melded."""
    return sum(
        1 for event in deal.get("events") or () if event[1] == "melds" and event[0] in book.side(winner)
    )


def does_not_count(settings: Settings, ended: str | None) -> bool:
    """Whether the players ended the deal in a way that they do not count."""
    choice = {
        "conceded": settings.concession,
        "agreed": settings.agreed_draw,
        "broken-off": settings.breaking_off,
    }
    return ended is not None and choice[ended] == "void"


def enter(
    book: Book, deal: Mapping[str, Any], verdict: str, winner: str | None, ended: str | None = None
) -> None:
    """Counts a deal that is judged valid or was broken off; nothing counts after the end of the match."""
    if (verdict != "valid" and ended != "broken-off") or book.over() or does_not_count(book.settings, ended):
        return
    if winner is None:
        book.drawn()
    else:
        book.won(winner, ended is None and melds_of_side(book, deal, winner) == 1)
