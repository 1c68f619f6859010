"""That a mutant changes nothing, by exhaustion: everything of the program that is asked, over small positions.

`difference` compares the program of a rule set with that of a mutant in four parts:

- what is plain data: pack, deal, goal, all possible melds of the whole pack, readings, what verdicts cite;
- play: every two states that the same events lead to, from every opening, under every choice of the readings
  that the order of play asks for, allow the same events, whatever is in stock and hand (`same_flow`); or, where
  that is not so because of the cards, every sequence of a few events with a small pack (`small_games`);
- acts: every regrouping and meld that three melds of a small pack allow (`same_acts`);
- demands: every demand on every card and table of the small pack (`same_acts` too).
"""

from __future__ import annotations

from itertools import product
from typing import Any

from conquian.engine.engine import Engine
from conquian.engine.flow import REFUSED, Facts
from conquian.engine.program import Program, compile_rules
from conquian.language import clauses as c
from conquian.language import formula as f
from conquian.language.rules import RuleSet

from .compiling import bare
from .small import engines_under, same_acts, small_games

VERBS: tuple[c.Verb, ...] = ("turn", "meld", "pass", "discard", "arrange", "force")
STOCKS = ((0, 0), (1, 1), (2, 2), (1, 0), (2, 1))
"""Stock before and after an event."""


def difference(original: RuleSet, mutant: RuleSet, play: str = "flow") -> str | None:
    """What a mutant does otherwise, in words; None if nothing was found. `play` is how play is compared."""
    one, two = _compiled(original), compile_rules(mutant)
    found = _data(one, two)
    if found is None:
        found = _same_play(original, mutant, one, two) if play == "flow" else small_games(original, mutant)
    return found or same_acts(original, mutant)


def _same_play(original: RuleSet, mutant: RuleSet, one: Program, two: Program) -> str | None:
    key = (_bodies_in_flow(original), _bodies_in_flow(mutant))
    if key in _PROVED or key[0] == key[1]:
        return None
    found = same_flow(one, two, sorted(readings_in_flow(original) | readings_in_flow(mutant)))
    if found is None:
        _PROVED.add(key)
    return found


_KEPT: dict[int, tuple[RuleSet, Program]] = {}


def _compiled(rules: RuleSet) -> Program:
    """The program of a rule set that is compared more than once."""
    kept = _KEPT.get(id(rules))
    if kept is None or kept[0] is not rules:
        kept = _KEPT[id(rules)] = rules, compile_rules(rules)
    return kept[1]


# ---- plain data


def _data(one: Program, two: Program) -> str | None:
    for name, left, right in zip(NAMES, _plain(one), _plain(two), strict=True):
        if left != right:
            return f"{name}: {left} and {right}"
    return None


NAMES = (
    *("pack", "copies", "players", "teams", "deal", "packets", "starter", "exchange", "goal", "session"),
    *("melds", "ends", "clauses", "readings"),
)


def _plain(program: Program) -> tuple[Any, ...]:
    count, step = program.exchange
    return (
        program.cards,
        program.copies,
        program.players,
        program.teams,
        program.dealt,
        program.packets,
        program.starter,
        (count, step % program.players if count else 0),
        program.goal,
        program.session,
        _melds(program),
        program.ends,
        program.clauses,
        [(reading.name, reading.choices, reading.default) for reading in program.readings],
    )


def _melds(program: Program) -> Any:
    """All melds by the choices of readings that matter: one table where they are the same under each."""
    tables = list(program.melds.values())
    return tables[0] if all(table == tables[0] for table in tables) else program.melds


# ---- the order of play


def readings_in_flow(rules: RuleSet) -> frozenset[str]:
    """The readings that the order of play asks for, and those that permissions to regroup ask for."""
    found: set[str] = set()
    for _, phase in rules.bodies(c.Phase):
        for line in phase.lines:
            found |= f.readings_of(line.when or f.Always(True))
    for _, modal in rules.bodies(c.Modal):
        if modal.allowed and "arrange" in modal.verbs:
            found |= f.readings_of(modal.when or f.Always(True))
    return frozenset(found)


def _bodies_in_flow(rules: RuleSet) -> tuple[object, ...]:
    """All that the order of play depends on, readings aside."""
    asked = [
        body
        for clause in rules.clauses
        if isinstance(body := clause.body, c.Players | c.Starter | c.Opening | c.Phase)
        or (isinstance(body, c.Modal) and body.allowed)
    ]
    return tuple(bare(body) for body in asked)


_PROVED: set[tuple[object, ...]] = set()
"""Orders of play found to be the same: rule sets of one family share theirs."""


def same_flow(one: Program, two: Program, asked: list[str]) -> str | None:
    """The first event after which two programs go on differently, None if there is none."""
    if one.live or two.live:
        return "the order of play asks for cards"
    for engines in engines_under(one, two, asked):
        for first in range(one.players):
            found = _walk(*engines, first)
            if found is not None:
                return found
    return None


def _walk(left: Engine, right: Engine, first: int) -> str | None:
    facts = [Facts(*stock, hand) for stock in STOCKS for hand in (0, 1)]
    waiting = [(left.flow.start(first, x), right.flow.start(first, x)) for x in facts]
    seen: set[tuple[int, int]] = set()
    while waiting:
        pair = waiting.pop()
        if pair in seen:
            continue
        seen.add(pair)
        if _seen(left, pair[0]) != _seen(right, pair[1]):
            return f"{_seen(left, pair[0])} and {_seen(right, pair[1])}"
        for verb, actor, fact in product(VERBS, range(left.seats), facts):
            after = (
                left.flow.take(pair[0], verb, actor, first, fact),
                right.flow.take(pair[1], verb, actor, first, fact),
            )
            if (after[0] == REFUSED) != (after[1] == REFUSED):
                return f"{verb} by {actor} in {_seen(left, pair[0])}"
            if after[0] != REFUSED:
                waiting.append(after)
        for fact in facts:
            waiting.append((left.flow.closed(pair[0], first, fact), right.flow.closed(pair[1], first, fact)))
    return None


def _seen(engine: Engine, state: int) -> tuple[Any, ...]:
    """What of a state is seen from outside: how play stands, who acts, and whether he may regroup.

    How the card came on offer is seen only by what the order of play does next, for no clause of the shipped
    sets on an act asks for it; where one did, `same_acts` would tell them apart.
    """
    flow = engine.flow
    phase = flow.phase(state)
    if phase is None:
        return ("won" if state == flow.won else "drawn" if state == flow.drawn else "before play",)
    number = [x.name for x in engine.program.phases].index(phase.name)
    regroups = any(
        number in rule.phases and engine.functions[rule.function](*arguments_of_rest(), number)
        for rule in engine.may.get("arrange", ())
    )
    code = None if phase.bound is None else engine.program.clauses[phase.bound].code
    return phase.name, flow.seat(state), phase.offers, phase.rests, phase.passes, code, regroups


def arguments_of_rest() -> tuple[Any, ...]:
    """The arguments of a condition on regrouping where nothing is laid."""
    return (), (), 0, 0, 0, 0, False, False, 1
