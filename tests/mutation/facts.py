"""What no play of a deal shows, written by hand: passages, codes, stakes, session, and who deals next.

Guarantees: `wrong` gives the first fact that a rule set contradicts, None if there is none. The stakes are
compared by what they move under every combination of facts, not by how a rule file words them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
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


def settled_stakes(facts: Facts, readings: Readings) -> list[Move]:
    """What every family says: the winner takes the pot, a draw is settled, one act from nothing pays double."""
    settlement = readings["draw-settlement"]
    moves: list[Move] = [("takes", "winner", 0, "pot")]
    if facts["drawn"] and settlement == "pot":
        moves.append(("pays", "everyone", 1, "pot"))
    if facts["drawn"] and settlement in ("point-each", "double-next"):
        moves.append(("takes", "everyone", 0, "pot"))
    if facts["drawn-before"] and settlement == "double-next":
        moves.append(("counts", None, 2, None))
    if facts["bare"] and not facts["conceded"] and readings["rummy-bonus"] == "double":
        moves.append(("pays", "loser", 1, "winner"))
    if void(facts, readings):
        moves.append(("void", None, 0, None))
    return moves


def void(facts: Facts, readings: Readings) -> bool:
    """Whether the players ended the deal in a way that does not count."""
    return (
        (facts["conceded"] and readings["concession"] == "void")
        or (facts["agreed"] and readings["agreed-draw"] == "void")
        or (facts["broken-off"] and readings["breaking-off"] == "void")
    )


def classic_stakes(facts: Facts, readings: Readings) -> list[Move]:
    """All ante, except for a deal played again."""
    again = facts["drawn-before"] and readings["draw-settlement"] == "replay"
    return [*settled_stakes(facts, readings), *([] if again else [("pays", "everyone", 1, "pot")])]


def loser_pays(facts: Facts, readings: Readings) -> list[Move]:
    """The loser pays one to the winner."""
    return [*settled_stakes(facts, readings), ("pays", "loser", 1, "winner")]


STAKES: dict[str, Callable[[Facts, Readings], list[Move]]] = {
    "classic": classic_stakes,
    "coonking": loser_pays,
    "swedish": loser_pays,
}
LOWEST_CUT_DEALS = ("classic", "coonking")
"""The families in which the lowest of the cards drawn makes the first dealer; the other leaves it open."""
EARLY = {"concession": "lost", "agreed-draw": "drawn", "breaking-off": "void"}
SETTLED = {
    "classic": {"draw-settlement": "carry", "rummy-bonus": "none", **EARLY},
    "coonking": {"draw-settlement": "pot", "rummy-bonus": "none", **EARLY},
    "swedish": {"draw-settlement": "double-next", "rummy-bonus": "none", **EARLY},
}
"""The defaults of the readings that only the stakes ask for."""
FLAGS: tuple[str, ...] = ("drawn", "drawn-before", "bare")
"""How the deal and the one before ended; whether the winner had nothing on the table before he won."""
ENDED: tuple[str, ...] = ("conceded", "agreed", "broken-off")
"""How the players can end a deal themselves; one of them at most."""


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
    cuts = [body.lowest for _, body in rules.bodies(c.Cut)]
    if cuts != [True] * (family_of(rules.name) in LOWEST_CUT_DEALS):
        return "cut"
    settled = SETTLED[family_of(rules.name)]
    if any(rules.reading(name).default != choice for name, choice in settled.items()):
        return "default of a reading on stakes"
    return _wrong_stakes(rules) or _wrong_dealer(rules)


def _every_end() -> Iterator[tuple[Facts, Readings]]:
    """Every way for the players to end a deal themselves, or not to, with every reading that speaks of it."""
    other = {"concession": "void", "agreed-draw": "void", "breaking-off": "drawn"}
    for ended in (None, *ENDED):
        for changed in (None, *other):
            facts = {flag: flag == ended for flag in ENDED}
            yield facts, {**EARLY, **({changed: other[changed]} if changed else {})}


def _wrong_dealer(rules: RuleSet) -> str | None:
    """The deal stays after a misdeal, and after a draw that counts and is played again."""
    condition = rules.only(c.DealerStays).when
    for early, readings in _every_end():
        for misdeal, drawn in product((False, True), repeat=2):
            for settlement in rules.reading("draw-settlement").choices:
                chosen = {**readings, "draw-settlement": settlement}
                facts = {"misdeal": misdeal, "drawn": drawn, **early}
                again = drawn and settlement == "replay" and not void(facts, chosen)
                try:
                    stays = _holds(condition, facts, chosen)
                except (AsksMore, KeyError) as more:
                    return f"the next dealer depends on {more}"
                if stays is not (misdeal or again):
                    return f"the next dealer under {facts}, {chosen}"
    return None


def _wrong_stakes(rules: RuleSet) -> str | None:
    wanted = STAKES[family_of(rules.name)]
    lines = [line for _, body in rules.bodies(c.Stakes) for line in body.lines]
    if not lines:
        return "stakes"
    choices = [rules.reading(name).choices for name in ("draw-settlement", "rummy-bonus")]
    for values in product((False, True), repeat=len(FLAGS)):
        for early, ends in _every_end():
            facts = {**dict(zip(FLAGS, values, strict=True)), **early}
            for settlement, bonus in product(*choices):
                readings = {"draw-settlement": settlement, "rummy-bonus": bonus, **ends}
                try:
                    moves = [
                        (line.kind, line.payer, line.units, line.payee)
                        for line in lines
                        if _holds(line.when or f.Always(True), facts, readings)
                    ]
                except AsksMore as more:
                    return f"stakes ask for {more}"
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
        case f.NoCards(f.CardsOf(f.Melds("before"))):
            return facts["bare"]
        case _:
            raise AsksMore(type(formula).__name__)


class AsksMore(Exception):
    """A condition asks for something that no stakes of the shipped sets depend on."""
