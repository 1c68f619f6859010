"""Every act, demand and short game with a small pack, under two programs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

from conquian.engine.deals import Setup, first_states
from conquian.engine.engine import Engine
from conquian.engine.expressions import ARGUMENTS
from conquian.engine.program import compile_rules
from conquian.language import clauses as c
from conquian.language import formula as f
from conquian.language.rules import RuleSet
from conquian.position import Position, Rules

from .compiling import bare
from .proofs import engines_under, small

RANKS, SUITS, GOAL = 4, 3, 6
BEFORE, AFTER = 2, 3
"""Melds on a table before and after an act, at most."""
Event = tuple[Any, ...]
Table = tuple[int, ...]


def asked_in_acts(rules: RuleSet) -> Iterator[object]:
    """Every part of the conditions on acts, demands and winning."""
    for clause in rules.clauses:
        match clause.body:
            case c.Modal(_, _, _, _, when):
                yield from _parts(when or f.Always(True))
            case c.Must(when) | c.Wins(when):
                yield from _parts(when)
            case _:
                pass


def _parts(node: f.Formula | f.Cards | f.Melds | f.Quantity) -> Iterator[object]:
    yield node
    for part in f.parts(node):
        yield from _parts(part)


def readings_of_changed(original: RuleSet, mutant: RuleSet) -> list[str]:
    """The readings that clauses on acts ask for which the two rule sets do not share."""
    before = {bare(x.body) for x in original.clauses}
    after = {bare(x.body) for x in mutant.clauses}
    found: set[str] = set()
    for clause in (*original.clauses, *mutant.clauses):
        if bare(clause.body) not in before & after:
            match clause.body:
                case c.Modal(_, _, _, _, when):
                    found |= f.readings_of(when or f.Always(True))
                case c.Must(when) | c.Wins(when):
                    found |= f.readings_of(when)
                case _:
                    pass
    return sorted(found)


def same_acts(original: RuleSet, mutant: RuleSet) -> str | None:
    """The first act or demand with a small pack that two rule sets judge differently, None if there is none."""
    one, two = (compile_rules(small(x, RANKS, SUITS, 2, GOAL)) for x in (original, mutant))
    for left, right in engines_under(one, two, readings_of_changed(original, mutant)):
        phases = [phase.name for phase in left.program.phases]
        others = [phase.name for phase in right.program.phases]
        seen = list(dict.fromkeys([*moments(left, original), *moments(left, mutant)]))
        for before, after, up in acts(left):
            for name, own, starter in seen:
                numbers = phases.index(name), others.index(name)
                answers = [
                    judged(engine, number, before, after, up, own, starter)
                    for engine, number in zip((left, right), numbers, strict=True)
                ]
                if answers[0] != answers[1]:
                    return f"{before} to {after} with {up} in {name}: {answers}"
    return None


def acts(engine: Engine) -> Iterator[tuple[Table, Table, int]]:
    """Every table of few melds, what can be made of it, and the card on offer (none: regrouping)."""
    melds = sorted(engine.melds.packed)
    tables = [t for n in range(AFTER + 1) for t in combinations(melds, n) if _apart(t)]
    for before, after in product([t for t in tables if len(t) <= BEFORE], tables):
        old, new = sum(before), sum(after)
        if old & ~new == 0:
            laid = new & ~old
            if not laid:
                yield before, after, 0
            while laid:
                up = laid & -laid
                laid -= up
                yield before, after, up


def _apart(table: Table) -> bool:
    cards = 0
    for meld in table:
        if cards & meld:
            return False
        cards |= meld
    return True


def moments(engine: Engine, rules: RuleSet) -> list[tuple[str, bool, bool]]:
    """Every phase, with the card on offer own, the starter, or neither where a clause on acts asks for that."""
    asked = any(isinstance(x, f.Flag) and x.name in ("own", "starter") for x in asked_in_acts(rules))
    origins = ((True, False), (False, True), (False, False)) if asked else ((False, False),)
    return [(phase.name, own, starter) for phase in engine.program.phases for own, starter in origins]


def judged(
    engine: Engine, number: int, before: Table, after: Table, up: int, own: bool, starter: bool
) -> tuple[Any, ...]:
    """What an engine says of an act, and of a demand that names a meld or none."""
    functions, clauses = engine.functions, engine.program.clauses
    used = sum(after) & ~sum(before) & ~up
    known: dict[str, Any] = {
        "before": before,
        "after": after,
        "up": up,
        "used": used,
        "hand": used,
        "unknown": 0,
        "own": own,
        "starter": starter,
        "n_stock": 1,
        "n_hand": 0,
        "phase": number,
    }
    act = tuple(known[name] for name in ARGUMENTS["act"])
    verb = "meld" if up else "arrange"
    against = tuple(clauses[rule.clause].name for rule in engine.forbidding(verb, number, act[:-1]))
    if not up:
        may = engine.allowed("arrange", number, act[:-1])
        return against, may, bool(functions["arrange_refused"](*act))
    win = tuple(known[name] for name in ARGUMENTS["win"])
    refused, met = bool(functions["meld_refused"](*act)), bool(functions["duty_met"](*act))
    return against, refused, met, bool(functions["wins"](*win)), *demands(engine, known)


def demands(engine: Engine, known: dict[str, Any]) -> Iterator[object]:
    """Whether a demand is allowed and not forbidden, where the phase has a line for one."""
    number: int = known["phase"]
    if not any(line.verb == "force" for line in engine.program.phases[number].lines):
        return
    named = [(True, said, onto) for said in (0, known["up"]) for onto in (0, *known["before"])]
    for name, said, onto in [(False, 0, 0), *named]:
        values = {**known, "named": name, "said": said, "onto": onto}
        args = tuple(values[word] for word in ARGUMENTS["force"])[:-1]
        yield engine.allowed("force", number, args) and not engine.forbidding("force", number, args)


# ---- short games


def small_games(original: RuleSet, mutant: RuleSet, depth: int = 4) -> str | None:
    """The first event that is judged differently in a game of a few events, with nothing recorded but them."""
    one, two = (compile_rules(small(x, 3, 3, 2, GOAL)) for x in (original, mutant))
    for left, right in engines_under(one, two, []):
        for starter in left.program.cards if left.program.starter else (None,):
            pair = _opened(left, starter), _opened(right, starter)
            found = _tree(pair, depth)
            if found is not None:
                return found
    return None


def _opened(engine: Engine, starter: str | None) -> Position:
    nobody = [None] * engine.seats
    setup = Setup(engine.seats, nobody, nobody, None, None, starter, 0)
    states = first_states(engine, setup)
    assert isinstance(states, list)
    return Position(Rules(engine), states[0], tuple("abcdefgh"[: engine.seats]))


def _tree(pair: tuple[Position, Position], depth: int) -> str | None:
    if depth == 0:
        return None
    for event in _events(pair[0]):
        wrong = [position.check(event) for position in pair]
        codes = [None if refusal is None else refusal.code for refusal in wrong]
        if codes[0] != codes[1]:
            return f"{event}: {codes}"
        if codes[0] is None:
            found = _tree((pair[0].apply(event), pair[1].apply(event)), depth - 1)
            if found is not None:
                return found
    return None


def _events(here: Position) -> Iterator[Event]:
    """Everything that anybody could try."""
    cards = here.rules.engine.pack.cards
    names = here.rules.engine.pack.names
    melds = [tuple(names(meld)) for meld in sorted(here.rules.engine.melds.packed)]
    for player in here.players:
        yield player, "passes"
        yield player, "forces"
        yield player, "arranges", ()
        for meld in melds:
            yield player, "melds", (meld,)
            yield player, "forces", cards[0], meld
        for card in cards:
            yield player, "turns", card
            yield player, "discards", card
