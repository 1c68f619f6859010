"""What no play of a deal shows, written by hand: passages, codes, stakes, session, and who deals next.

Guarantees: `wrong` gives the first fact that a rule set contradicts, None if there is none. The stakes are
compared by what they move under every combination of facts, not by how a rule file words them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product

from conquian.language import clauses as c
from conquian.language import formula as f
from conquian.language.rules import RuleSet

from .citations import cites_of_reading, family_of, passages_of

CODES: dict[str, str | None] = {
    "forced": "forced",
    "use-offer": "offer-not-used",
    "whole-melds": "invalid-meld",
    "hand-only": "hand-only-melds",
    "borrowing": "borrowing",
    "lay-then-borrow": "borrowing",
    "new-meld": "new-meld",
    "arranging": "arranging",
    "borrow-after": "arranging",
    "named-demand": "no-force-due",
    "discharge": "forced",
}
"""The code of each clause that has one."""

Move = tuple[str, str | None, int, str | None]
"""What happens, who pays or gets, how many units, and to whom."""
Facts = Mapping[str, bool]
Readings = Mapping[str, str]


def classic_stakes(facts: Facts, readings: Readings) -> set[Move]:
    """All ante, except for a deal played again; the winner takes the pot."""
    settlement = readings["draw-settlement"]
    moves: set[Move] = {("takes", None, 0, "pot")}
    if not (facts["drawn-before"] and settlement == "replay"):
        moves.add(("pays", "everyone", 1, "pot"))
    if facts["rummy"] and readings["rummy-bonus"] == "double":
        moves.add(("pays", "loser", 1, "winner"))
    if facts["drawn"] and settlement == "point-each":
        moves.add(("scores", "everyone", 1, None))
    return moves


def coonking_stakes(facts: Facts, readings: Readings) -> set[Move]:
    """The loser pays a chip; after a draw all pay one into the pot, for the next winner."""
    moves: set[Move] = {("pays", "loser", 1, "winner"), ("takes", None, 0, "pot")}
    if facts["drawn"] and readings["draw-settlement"] == "pot":
        moves.add(("pays", "everyone", 1, "pot"))
    return moves


def swedish_stakes(facts: Facts, readings: Readings) -> set[Move]:
    """Each deal is a game of its own, which counts as two after a draw."""
    moves: set[Move] = {("scores", "winner", 1, None)}
    if facts["drawn-before"] and readings["draw-settlement"] == "double-next":
        moves.add(("counts", None, 2, None))
    return moves


STAKES: dict[str, Callable[[Facts, Readings], set[Move]]] = {
    "classic": classic_stakes,
    "coonking": coonking_stakes,
    "swedish": swedish_stakes,
}
SETTLED = {
    "classic": {"draw-settlement": "carry", "rummy-bonus": "none"},
    "coonking": {"draw-settlement": "pot", "rummy-bonus": "none"},
    "swedish": {"draw-settlement": "double-next", "rummy-bonus": "none"},
}
"""The defaults of the readings that only the stakes ask for."""
FLAGS: tuple[str, ...] = ("drawn", "drawn-before", "rummy")


def wrong(rules: RuleSet) -> str | None:
    """The first fact that a rule set (or the fragment `common`) contradicts."""
    expected = passages_of(rules.name)
    for clause in rules.clauses:
        if expected.get(clause.name) != (clause.cites[0] if clause.cites else None):
            return f"passage of {clause.name}"
        if CODES.get(clause.name) != clause.code:
            return f"code of {clause.name}"
    for reading in rules.readings:
        if reading.cites != cites_of_reading(rules.name, reading.name):
            return f"passage of the reading {reading.name}"
    sessions = [(body.wins, body.units) for _, body in rules.bodies(c.Session)]
    if sessions != [(10, 100)]:
        return "session"
    if not rules.playable:
        return None
    settled = SETTLED[family_of(rules.name)]
    if any(rules.reading(name).default != choice for name, choice in settled.items()):
        return "default of a reading on stakes"
    return _wrong_stakes(rules)


def _wrong_stakes(rules: RuleSet) -> str | None:
    wanted = STAKES[family_of(rules.name)]
    lines = [line for _, body in rules.bodies(c.Stakes) for line in body.lines]
    if not lines:
        return "stakes"
    choices = [rules.reading(name).choices for name in ("draw-settlement", "rummy-bonus")]
    for values in product((False, True), repeat=len(FLAGS)):
        facts = dict(zip(FLAGS, values, strict=True))
        for settlement, bonus in product(*choices):
            readings = {"draw-settlement": settlement, "rummy-bonus": bonus}
            moves = [
                (line.kind, line.payer, line.units, line.payee)
                for line in lines
                if _holds(line.when or f.Always(True), facts, readings)
            ]
            if sorted(moves, key=str) != sorted(wanted(facts, readings), key=str):
                return f"stakes under {facts}, {readings}"
    return None


def _holds(formula: f.Formula, facts: Facts, readings: Readings) -> bool:
    match formula:
        case f.Always(value):
            return value
        case f.Not(x):
            return not _holds(x, facts, readings)
        case f.All(xs):
            return all(_holds(x, facts, readings) for x in xs)
        case f.Any_(xs):
            return any(_holds(x, facts, readings) for x in xs)
        case f.ReadingIs(reading, choice):
            return readings[reading] == choice
        case f.Flag(name):
            return facts[name]
        case _:
            raise NotImplementedError(type(formula).__name__)
