"""Checks of the order of play: phases that exist and are reached, always one way on, no circles.

Facts of the table are taken to be free, but for a comparison and its opposite: that a line excludes another
only by what cards allow is not seen.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from math import prod
from typing import Literal

from conquian.language import clauses as c
from conquian.language import formula as f
from conquian.language.problems import Problems, did_you_mean
from conquian.language.rules import Clause, RuleSet
from conquian.tongue import later

ENDS = ("drawn",)
"""Targets that are no phases."""
MAX_CASES = 20_000
"""How many combinations of facts and readings are tried for the lines of one phase."""

_OPPOSITE: dict[str, Literal["=", "<=", ">="]] = {"!=": "=", ">": "<=", "<": ">="}
"""Comparisons that are one fact with their opposite."""

Line = c.Acts[f.Formula] | c.Otherwise[f.Formula] | c.AtOnce[f.Formula]
Lines = dict[str, list[tuple[Clause, Line]]]


def check_phases(rules: RuleSet, problems: Problems) -> None:
    lines: Lines = {}
    for clause, phase in rules.bodies(c.Phase):
        lines.setdefault(phase.name, []).extend((clause, line) for line in phase.lines)
    opening = [(clause, body.then) for clause, body in rules.bodies(c.Opening)]
    targets = [*opening, *((clause, line.then) for found in lines.values() for clause, line in found)]
    for clause, target in targets:
        if target.phase not in lines and target.phase not in ENDS:
            problems.add(
                "CQ210",
                later("there is no phase `{name}`", name=target.phase),
                clause.span,
                did_you_mean(target.phase, [*lines, *ENDS]),
            )
    for clause, target in opening:
        if target.phase in ENDS:
            hint = later("open with a phase")
            problems.add(
                "CQ406",
                later("play ends as `{phase}` before it begins", phase=target.phase),
                clause.span,
                hint,
            )
    for clause, modal in rules.bodies(c.Modal):
        for name in modal.phases:
            if name not in lines:
                problems.add(
                    "CQ210",
                    later("there is no phase `{name}`", name=name),
                    clause.span,
                    did_you_mean(name, list(lines)),
                )
    reached, waiting = set(), [target.phase for _, target in opening]
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting.extend(line.then.phase for _, line in lines.get(name, ()))
    for name, found in lines.items():
        own = any(clause.origin == rules.name for clause, _ in found)
        if name not in reached and opening and own:
            problems.add(
                "CQ209",
                later("play never comes to the phase `{name}`", name=name),
                found[0][0].span,
                warning=True,
            )
        others = [(clause, line) for clause, line in found if isinstance(line, c.Otherwise)]
        _exclusive(name, others, bool(others), problems, rules)
        acts: dict[tuple[str, str], list[tuple[Clause, c.Acts[f.Formula]]]] = {}
        for clause, line in found:
            if isinstance(line, c.Acts):
                acts.setdefault((line.actor, line.verb), []).append((clause, line))
        for same in acts.values():
            _exclusive(name, same, False, problems, rules)
        if not others and not acts and all(line.when not in (None, f.Always(True)) for _, line in found):
            problems.add(
                "CQ406",
                later("the phase `{name}` names no event and does not lead on", name=name),
                found[0][0].span,
                later("add a line for an event, or an `otherwise` line"),
            )
    _circles(lines, problems)
    _offers(rules, lines, problems)


def _offers(rules: RuleSet, lines: Lines, problems: Problems) -> None:
    """Where a card is melded, passed or demanded there has to be one on offer, however play came there."""
    starter = any(body.turned for _, body in rules.bodies(c.Starter))
    waiting = [(body.then.phase, starter) for _, body in rules.bodies(c.Opening)]
    seen: set[tuple[str, bool]] = set()
    told: set[str] = set()
    while waiting:
        name, there = waiting.pop()
        if (name, there) in seen:
            continue
        seen.add((name, there))
        for clause, line in lines.get(name, ()):
            after = there
            if isinstance(line, c.Acts):
                if line.verb in ("meld", "pass", "force") and not there and name not in told:
                    told.add(name)
                    problems.add(
                        "CQ406",
                        later("play can come to the phase `{name}` with no card on offer", name=name),
                        clause.span,
                        later("a card comes on offer when it is turned or discarded, and a meld uses it up"),
                    )
                after = {"turn": True, "discard": True, "meld": False}.get(line.verb, there)
            waiting.append((line.then.phase, after))


def _exclusive(
    name: str,
    found: list[tuple[Clause, c.Otherwise[f.Formula]]] | list[tuple[Clause, c.Acts[f.Formula]]],
    total: bool,
    problems: Problems,
    rules: RuleSet,
) -> None:
    """Under each combination of facts at most one line holds, and at least one where play must go on."""
    atoms: dict[f.Formula, None] = {}
    facts: list[f.Formula]
    for _, line in found:
        _atoms(line.when or f.Always(True), atoms)
    facts = [a for a in atoms if not isinstance(a, f.ReadingIs)]
    asked = sorted({a.reading for a in atoms if isinstance(a, f.ReadingIs)})
    choices = [next(r.choices for r in rules.readings if r.name == name_) for name_ in asked]
    cases = prod(map(len, choices)) * 2 ** len(facts)
    if cases > MAX_CASES:
        problems.add(
            "CQ408",
            later("the lines of the phase `{name}` depend on too many facts to try every case", name=name),
            found[0][0].span,
            later("at most {most} cases; this makes {cases}", most=MAX_CASES, cases=cases)
            if cases < 10**9
            else later("at most {most} cases; this makes far more", most=MAX_CASES),
        )
        return
    for picked in product(*choices):
        under = dict(zip(asked, picked, strict=True))
        for values in product((False, True), repeat=len(facts)):
            known: dict[f.Formula, bool] = dict(zip(facts, values, strict=True))
            if known.get(f.Flag("own")) and known.get(f.Flag("starter")):
                continue
            hold = [clause for clause, line in found if _truth(line.when or f.Always(True), known, under)]
            if len(hold) > 1:
                problems.add(
                    "CQ407",
                    later("two lines of the phase `{name}` can hold at once", name=name),
                    hold[1].span,
                    later("give them conditions that exclude each other"),
                    ((hold[0].span, later("the other line")),),
                )
                return
            if total and not hold:
                problems.add(
                    "CQ406",
                    later(
                        "play cannot go on from the phase `{name}` when none of its lines holds", name=name
                    ),
                    max(found, key=lambda x: rules.lineage.index(x[0].origin))[0].span,
                    later("add an `otherwise` line for the remaining case"),
                )
                return


def _atoms(formula: f.Formula, found: dict[f.Formula, None]) -> None:
    match formula:
        case f.Not(x):
            _atoms(x, found)
        case f.All(xs) | f.Any_(xs):
            for x in xs:
                _atoms(x, found)
        case f.Always():
            pass
        case f.Compare(operator, left, right) if operator in _OPPOSITE:
            found[f.Compare(_OPPOSITE[operator], left, right)] = None
        case _:
            found[formula] = None


def _truth(formula: f.Formula, known: Mapping[f.Formula, bool], under: Mapping[str, str]) -> bool:
    match formula:
        case f.Always(value):
            return value
        case f.Not(x):
            return not _truth(x, known, under)
        case f.All(xs):
            return all(_truth(x, known, under) for x in xs)
        case f.Any_(xs):
            return any(_truth(x, known, under) for x in xs)
        case f.ReadingIs(reading, choice):
            return under[reading] == choice
        case f.Compare(operator, left, right) if operator in _OPPOSITE:
            return not known[f.Compare(_OPPOSITE[operator], left, right)]
        case _:
            return known[formula]


def _circles(
    lines: Lines,
    problems: Problems,
) -> None:
    at_once: dict[str, set[str]] = {}
    for name, found in lines.items():
        passing = all(not isinstance(line, c.Acts) for _, line in found)
        at_once[name] = {
            line.then.phase
            for _, line in found
            if isinstance(line, c.AtOnce) or (passing and isinstance(line, c.Otherwise))
        }
    for name in lines:
        seen, waiting = set(), list(at_once[name])
        while waiting:
            step = waiting.pop()
            if step == name:
                problems.add(
                    "CQ406",
                    later("the phase `{name}` leads at once to itself", name=name),
                    lines[name][0][0].span,
                    later("give it an event that play waits for"),
                )
                return
            if step not in seen:
                seen.add(step)
                waiting.extend(at_once.get(step, ()))
