"""Every act, demand and short game with a small pack, under two rule sets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import combinations, product
from typing import Any

from conquian.engine.deals import Setup, first_states
from conquian.engine.engine import Engine, choices_of
from conquian.engine.expressions import ARGUMENTS
from conquian.engine.program import Program, compile_rules
from conquian.language import clauses as c
from conquian.language import formula as f
from conquian.language.rules import Clause, RuleSet
from conquian.position import Position, Rules

from .compiling import bare

RANKS, SUITS, GOAL = 4, 3, 6
MOST_MELDS = 3
"""Melds on a table, at most."""
Event = tuple[Any, ...]
Table = tuple[int, ...]
On = c.Modal[f.Formula] | c.Must[f.Formula] | c.Wins[f.Formula]
ORIGINS = ((True, False), (False, True), (False, False))
"""Own, starter, neither."""


def small(rules: RuleSet, ranks: int, suits: int) -> RuleSet:
    """The same rules with one small pack: the first ranks and suits, two cards dealt, a near goal."""
    deck = rules.only(c.Deck)
    few = deck.ranks[:ranks]
    changes: Mapping[type, Any] = {
        c.Deck: replace(deck, ranks=few, suits=deck.suits[:suits], packs=1),
        c.Order: c.Order(tuple(rank for rank in rules.only(c.Order).ranks if rank in few), False),
        c.Dealing: c.Dealing(2, (1,)),
        c.Goal: c.Goal(GOAL),
    }
    clauses = tuple(replace(x, body=changes.get(type(x.body), x.body)) for x in rules.clauses)
    return replace(rules, clauses=clauses)


def engines_under(one: Program, two: Program, asked: list[str]) -> Iterator[tuple[Engine, Engine]]:
    """Both programs under every choice of some readings."""
    known = {reading.name: reading.choices for reading in one.readings}
    for choices in product(*(known[name] for name in asked)):
        under = dict(zip(asked, choices, strict=True))
        yield Engine(one, choices_of(one, under)), Engine(two, choices_of(two, under))


def changed(original: RuleSet, mutant: RuleSet) -> list[On]:
    """The bodies on acts, demands and winning that the two rule sets do not share."""
    both = [{bare(body) for _, body in on_acts(rules)} for rules in (original, mutant)]
    shared = both[0] & both[1]
    return [body for rules in (original, mutant) for _, body in on_acts(rules) if bare(body) not in shared]


def on_acts(rules: RuleSet) -> Iterator[tuple[Clause, On]]:
    """The clauses on acts, demands and winning."""
    for clause in rules.clauses:
        match clause.body:
            case c.Modal() | c.Must() | c.Wins():
                yield clause, clause.body
            case _:
                pass


def condition(body: On) -> f.Formula:
    match body:
        case c.Modal(_, _, _, _, when):
            return when or f.Always(True)
        case c.Must(where):
            return where
        case c.Wins(when):
            return when


def nodes(node: f.Formula | f.Cards | f.Melds | f.Quantity) -> Iterator[object]:
    yield node
    for part in f.parts(node):
        yield from nodes(part)


_PROVED: set[tuple[object, ...]] = set()
"""Clauses on acts found to say the same of the same melds: rule sets of one family share theirs."""


def same_acts(original: RuleSet, mutant: RuleSet) -> str | None:
    """The first act or demand with a small pack that two rule sets judge differently, None if there is none."""
    bodies = changed(original, mutant)
    if not bodies:
        return None
    asked = sorted(frozenset().union(*(f.readings_of(condition(body)) for body in bodies)))
    found = [node for rules in (original, mutant) for _, b in on_acts(rules) for node in nodes(condition(b))]
    flags = any(isinstance(node, f.Flag) and node.name in ("own", "starter") for node in found)
    forces = [isinstance(body, c.Modal) and body.verbs == ("force",) for body in bodies]
    one, two = (compile_rules(small(x, RANKS, SUITS)) for x in (original, mutant))
    bodies_of = [tuple(bare(body) for _, body in on_acts(rules)) for rules in (original, mutant)]
    key = (*bodies_of, repr(one.melds), one.phases == two.phases)
    if key in _PROVED:
        return None
    for engines in engines_under(one, two, asked):
        for phase, (own, starter) in product(one.phases, ORIGINS if flags else ORIGINS[2:]):
            numbers = [[p.name for p in e.program.phases].index(phase.name) for e in engines]
            for known in positions(engines[0], own, starter, all(forces)):
                said = [
                    tuple(judged(engine, {**known, "phase": number}, any(forces), not all(forces)))
                    for engine, number in zip(engines, numbers, strict=True)
                ]
                if said[0] != said[1]:
                    return f"{known} in {phase.name}: {said}"
    _PROVED.add(key)
    return None


def positions(engine: Engine, own: bool, starter: bool, demands: bool) -> Iterator[dict[str, Any]]:
    """Every table of few melds, what can be made of it, and the card on offer (none: regrouping).

    For demands alone every table with every card on offer.
    """
    melds = sorted(engine.melds.packed)
    tables = [t for n in range(MOST_MELDS + 1) for t in combinations(melds, n) if _apart(t)]
    rest = {"unknown": 0, "own": own, "starter": starter, "n_stock": 1, "n_hand": 0}
    for before in tables:
        old = sum(before)
        if demands:
            for up in engine.pack.unit.values():
                if not up & old:
                    yield {**rest, "before": before, "after": (), "up": up, "used": 0, "hand": 0}
            continue
        for after in tables:
            laid = sum(after) & ~old
            if old & ~sum(after) == 0:
                for up in [1 << i for i in range(laid.bit_length()) if laid >> i & 1] or [0]:
                    used = laid & ~up
                    yield {**rest, "before": before, "after": after, "up": up, "used": used, "hand": used}


def _apart(table: Table) -> bool:
    return all(not one & other for one, other in combinations(table, 2))


def judged(engine: Engine, known: dict[str, Any], demands: bool, acts: bool) -> Iterator[object]:
    """What an engine says of an act, and of the demands that could be made."""
    number: int = known["phase"]
    if acts:
        arguments = [known[name] for name in ARGUMENTS["act"]]
        rest = tuple(arguments[:-1])
        verb: c.Verb = "meld" if known["up"] else "arrange"
        yield [engine.program.clauses[r.clause].name for r in engine.forbidding(verb, number, rest)]
        yield engine.functions[f"{verb}_refused"](*arguments)
        if known["up"]:
            yield engine.functions["duty_met"](*arguments)
            yield engine.functions["wins"](*(known[name] for name in ARGUMENTS["win"]))
        else:
            yield engine.allowed("arrange", number, rest)
    if demands and any(line.verb == "force" for line in engine.program.phases[number].lines):
        named = [(True, said, onto) for said in (0, known["up"]) for onto in (0, *known["before"])]
        for name, said, onto in [(False, 0, 0), *named]:
            values = {**known, "named": name, "said": said, "onto": onto}
            args = tuple(values[word] for word in ARGUMENTS["force"])[:-1]
            yield engine.allowed("force", number, args) and not engine.forbidding("force", number, args)


# ---- short games


def small_games(original: RuleSet, mutant: RuleSet, depth: int = 4) -> str | None:
    """The first event judged differently in a game of a few events, with nothing recorded but the starter."""
    one, two = (compile_rules(small(x, 3, 3)) for x in (original, mutant))
    left, right = Engine(one, one.default_choices()), Engine(two, two.default_choices())
    for starter in one.cards if one.starter else (None,):
        found = _tree(_opened(left, starter), _opened(right, starter), depth)
        if found is not None:
            return found
    return None


def _opened(engine: Engine, starter: str | None) -> Position:
    nobody = [None] * engine.seats
    states = first_states(engine, Setup(engine.seats, nobody, nobody, None, None, starter, 0))
    assert isinstance(states, list)
    return Position(Rules(engine), states[0], tuple("abcdefgh"[: engine.seats]))


def _tree(left: Position, right: Position, depth: int) -> str | None:
    if depth == 0:
        return None
    for event in _events(left):
        wrong = [position.check(event) for position in (left, right)]
        codes = [None if refusal is None else refusal.code for refusal in wrong]
        if codes[0] != codes[1]:
            return f"{event}: {codes}"
        if codes[0] is None:
            found = _tree(left.apply(event), right.apply(event), depth - 1)
            if found is not None:
                return found
    return None


def _events(here: Position) -> Iterator[Event]:
    """Everything that anybody could try."""
    pack, melds = here.rules.engine.pack, here.rules.engine.melds
    shown = [tuple(pack.names(meld)) for meld in sorted(melds.packed)]
    for player in here.players:
        yield player, "passes"
        yield player, "forces"
        yield player, "arranges", ()
        for meld in shown:
            yield player, "melds", (meld,)
            yield player, "forces", meld[0], meld
        for card in pack.cards:
            yield player, "turns", card
            yield player, "discards", card
