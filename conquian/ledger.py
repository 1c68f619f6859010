"""The ledger of a match: what each deal moves between the players and the pot.

Guarantees: what moves is what the stakes of the rule set say, whole units only. Units come from players and the
pot and go to players and the pot, so that payments and the change of the pot add up to nothing in every deal;
only `scores` lines bring units from nowhere. Lines have no order: all is paid first, then taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from conquian.engine.engine import Engine
from conquian.engine.program import StakeLine
from conquian.referee import ways_ended
from conquian.transcript.model import Match

Melds = tuple[int, ...]
"""A table as physical sets of cards."""


class Entry(NamedTuple):
    """What a deal brought: by seat the units received (paid, if negative) and the wins counted; the pot after it."""

    payments: tuple[int, ...]
    wins: tuple[int, ...]
    pot: int


class Act:
    """The act that won a deal, as conditions ask for it: the winner's melds before and after it.

    The melds are looked for when the first condition asks for them. A drawn deal has none.
    """

    def __init__(self, find: Callable[[], tuple[Melds, Melds]] | None) -> None:
        self._find = find

    @cached_property
    def tables(self) -> tuple[Melds, Melds]:
        return ((), ()) if self._find is None else self._find()


class _Asked:
    """One of the two tables of an act, for conditions that go through it."""

    def __init__(self, act: Act, which: int) -> None:
        self.act, self.which = act, which

    def __iter__(self) -> Iterator[int]:
        return iter(self.act.tables[self.which])


class Ledger:
    """Units, wins and pot, deal by deal. `units` and `wins` are by seat; partners win together.

    A deal that counts as more moves more units; it is one win all the same.

    `over` once a player has reached the wins or the units that the match is played to.
    """

    def __init__(self, engine: Engine, match: Match | None) -> None:
        self.engine, self.match = engine, match
        self.units, self.wins = [0] * engine.seats, [0] * engine.seats
        self.pot = 0
        self.over = False
        self.drawn_before = False

    def enter(
        self,
        winner: int | None,
        find: Callable[[], tuple[Melds, Melds]] | None = None,
        ended: str | None = None,
    ) -> Entry | None:
        """Counts a deal that a seat won, or (None) that was drawn; ValueError once the match is over.

        `find` gives the winner's melds before and after the act that won, `ended` says how the players ended the
        deal themselves (`conceded`, `agreed`, `broken-off`). None for a deal that is void: then nothing moves.
        """
        if self.over:
            raise ValueError("the match is over")
        lines = self._lines(winner, Act(find), ended)
        if any(line.kind == "void" for line in lines):
            return None
        payments, pot = self._moves(winner, lines)
        won = [0] * self.engine.seats
        for seat in self._seats("winner", winner):
            won[seat] = 1
        self.units = [a + b for a, b in zip(self.units, payments, strict=True)]
        self.wins = [a + b for a, b in zip(self.wins, won, strict=True)]
        self.pot = pot
        self.drawn_before = winner is None
        self.over = self._reached()
        return Entry(tuple(payments), tuple(won), pot)

    def _lines(self, winner: int | None, act: Act, ended: str | None) -> list[StakeLine]:
        """The lines of the stakes that hold for a deal."""
        functions = self.engine.functions
        asked = _Asked(act, 0), _Asked(act, 1), winner is None, self.drawn_before, *ways_ended(ended)
        return [line for line in self.engine.program.stakes if functions[line.function](*asked)]

    def _moves(self, winner: int | None, lines: Sequence[StakeLine]) -> tuple[list[int], int]:
        """What each seat receives, and the pot after it."""
        count = 1
        for line in lines:
            if line.kind == "counts":
                count *= line.units
        moved = [0] * self.engine.seats
        pot, for_winner = self.pot, 0
        for line in lines:
            if line.kind == "pays" and (line.payee == "pot" or winner is not None):
                paying = self._seats(line.payer, winner)
                for seat in paying:
                    moved[seat] -= line.units * count
                paid = line.units * count * len(paying)
                pot, for_winner = (
                    (pot + paid, for_winner) if line.payee == "pot" else (pot, for_winner + paid)
                )
            elif line.kind == "scores":
                for seat in self._seats(line.payer, winner):
                    moved[seat] += line.units * count
        for line in lines:
            if line.kind == "takes":
                pot = _share(pot, self._seats(line.payer, winner), moved)
        pot += _share(for_winner, self._seats("winner", winner), moved)
        return moved, pot

    def _seats(self, who: str | None, winner: int | None) -> tuple[int, ...]:
        """The seats that a line speaks of; a drawn deal has neither winner nor loser."""
        seats = range(self.engine.seats)
        if who == "everyone":
            return tuple(seats)
        if winner is None:
            return ()
        team = self.engine.team_of
        return tuple(seat for seat in seats if (team[seat] == team[winner]) is (who == "winner"))

    def _reached(self) -> bool:
        match = self.match
        if match is None:
            return False
        if match.wins is not None:
            return max(self.wins) >= match.wins
        return match.units is not None and max(self.units) >= match.units


def _share(units: int, seats: tuple[int, ...], moved: list[int]) -> int:
    """Gives each seat the same; what is left over, because it cannot be shared in whole units."""
    if not seats:
        return units
    each, left = divmod(units, len(seats))
    for seat in seats:
        moved[seat] += each
    return left
