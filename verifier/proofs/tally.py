"""How many cards a player can hold and have on the table at each moment of a deal: counting, for all cards at once.

Every deal is among those counted; whether there are cards for a count is not asked, but that a table of so many cards
can be made of melds. What the other players hold is left open.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from conquian.engine.engine import Engine
from conquian.engine.shapes import compared
from conquian.language import clauses as c
from conquian.language import formula as f
from conquian.language.rules import RuleSet
from conquian.tongue import later
from conquian.verifier.proofs.flow import DRAWN, Counts, Flow, Moment, Move, TooMany
from conquian.verifier.proofs.under import Truth, known, settled, within

STEPS = 3_000_000
"""How many ways from one count to another are followed."""


class Count(NamedTuple):
    """A moment, cards in the stock (the highest number: so many or more), in the hand, on the player's table."""

    at: Moment
    stock: int
    hand: int
    table: int


@dataclass(slots=True)
class Tally:
    """What was counted. Tables of more than `most` cards count as `most + 1`."""

    counts: set[Count] = field(default_factory=set)
    wins: set[tuple[int, int]] = field(default_factory=set)
    """Cards on the table and in the hand after a meld that can win."""
    past: set[tuple[int, int]] = field(default_factory=set)
    """The same after a meld that can leave more than the goal on the table and not win."""
    largest: int = 0
    """The most cards on a table, no more than `most + 1`."""
    most: int = 0


def tally(rules: RuleSet, engine: Engine, flow: Flow, seat: int) -> Tally:
    """All counts that one seat can come to."""
    program = engine.program
    wins = settled(rules.only(c.Wins).when, engine.readings)
    asked = (node.value for node in within(wins) if isinstance(node, f.Number))
    # Where a discard follows every meld no table holds more than the cards dealt and one.
    most = max(program.goal, program.dealt + 1, *asked, 0)
    sizes = _sums({engine.pack.count(meld) for meld in engine.melds.packed}, most)
    many = flow.stock_asked + 1
    found = Tally(most=most)
    left = engine.pack.size - program.dealt * program.players - program.starter
    stock = min(left, many)
    waiting = [Count(at, stock, program.dealt, 0) for at in flow.start(Counts(stock, seat, program.dealt))]
    steps = 0
    sizing = flow.asks_hand
    moves: dict[tuple[Moment, int], list[Move]] = {}
    entered: dict[tuple[Moment, int, int], set[Moment]] = {}
    while waiting:
        here = waiting.pop()
        if here in found.counts:
            continue
        if steps > STEPS:
            raise TooMany(later("a player can hold and lay too many cards for all of it to be counted"))
        found.counts.add(here)
        found.largest = max(found.largest, here.table)
        # A player who regroups ends what rests before him, and play then stands where that gives way to.
        closed = flow.closed(here.at, Counts(here.stock, seat, here.hand))
        waiting.extend(here._replace(at=at) for at in closed if at != DRAWN)
        place = (here.at, here.stock)
        if place not in moves:
            moves[place] = flow.moves(here.at, Counts(here.stock))
        for move in moves[place]:
            actor = move.at.seat if move.by_player else -1
            mine = actor == seat
            team = actor >= 0 and flow.team_of[actor] == flow.team_of[seat]
            if move.verb == "turn":
                stocks = {here.stock - 1, here.stock} if here.stock == many else {here.stock - 1}
                after = [(n, here.hand, here.table) for n in stocks if n >= 0]
            elif move.verb == "discard" and mine:
                after = [(here.stock, here.hand - 1, here.table)] if here.hand else []
            elif move.verb == "meld" and team:
                after = []
                for used in range((here.hand if mine else program.dealt) + 1):
                    table = min(here.table + 1 + used, most + 1)
                    hand = here.hand - used if mine else here.hand
                    if table <= most and table not in sizes:
                        continue
                    truth = _wins(wins, program.goal, table, hand if mine else None)
                    if truth is not False:
                        found.wins.add((table, hand))
                        found.largest = max(found.largest, table)
                    if truth is not True:
                        after.append((here.stock, hand, table))
                        if table > program.goal:
                            found.past.add((table, hand))
            else:
                after = [(here.stock, here.hand, here.table)]
            steps += len(after)
            for n, hand, table in dict.fromkeys(after):
                key = (move.then, n, hand if sizing else -1)
                if key not in entered:
                    entered[key] = flow.enter(move.then, Counts(n, seat, hand))
                for at in entered[key]:
                    if at != DRAWN:
                        waiting.append(Count(at, n, hand, table))
    return found


def _sums(sizes: set[int], most: int) -> set[int]:
    """How many cards some melds together can have."""
    found = {0}
    for total in range(1, most + 1):
        if any(total - size in found for size in sizes):
            found.add(total)
    return found


def _wins(node: f.Formula, goal: int, table: int, hand: int | None) -> Truth:
    def number(x: f.Quantity) -> int | None:
        match x:
            case f.Number(value):
                return value
            case f.GoalSize():
                return goal
            case f.Size(f.CardsOf(f.Melds("after"))):
                return table
            case f.PlaceSize("hand"):
                return hand
            case _:
                return None

    def fact(part: f.Formula) -> Truth:
        if isinstance(part, f.Compare):
            left, right = number(part.left), number(part.right)
            if left is not None and right is not None:
                return compared(part.operator, left, right)
        return None

    return known(node, fact)
