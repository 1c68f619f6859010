"""The obligations of a rule file as findings, documents and lines for people.

A finding points at the clause at fault where the file itself holds it, else at the file's head, with the inherited
clauses beside it. Nothing here depends on time: `ms` is the work of a proof, counted and not measured, in units of
which a machine of 2026 does about one a millisecond.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, assert_never

from conquian.engine.engine import Engine, engine_of
from conquian.engine.program import compile_rules
from conquian.language import clauses as c
from conquian.language import formula as f
from conquian.language import obligations as o
from conquian.language.problems import Problem, Problems
from conquian.language.rules import Clause, Obligation, RuleSet
from conquian.language.show import claim_said
from conquian.language.tree import Span
from conquian.language.wording import claim_words
from conquian.progress import expect, tick
from conquian.tongue import Saying, later, mark, tell
from conquian.verifier.limits import BUDGET, Disagreement
from conquian.verifier.proofs import Game, Result, prove
from conquian.verifier.proofs.result import Status

WORK_OF_A_MILLISECOND = 10
TRIED = 4
"""How many clauses of a file are left out to see whether one of them is why a claim is refuted."""


@dataclass(frozen=True, slots=True)
class Answers:
    """What became of the obligations of one rule file; `status` as an exit status.

    `results` are the proofs that the rest tells of.
    """

    problems: list[Problem]
    status: int
    results: list[tuple[Obligation, Result]]

    @property
    def documents(self) -> list[dict[str, Any]]:
        """Each obligation as a document, in the language that is spoken now."""
        return [_document(one, result) for one, result in self.results]

    @property
    def lines(self) -> list[str]:
        """Lines for people, in the language that is spoken now."""
        return [line for one, result in self.results for line in _lines(one, result)]


def answers(
    rules: RuleSet,
    engine: Engine,
    readings: Mapping[str, str] | None = None,
    budget: int | None = None,
    code: str | None = None,
) -> Answers:
    """The answers for rules that have no errors and the engine that plays them.

    `readings` are those that were asked for, to be named in findings; `code`: the obligations alone whose refutation
    has that code.
    """
    game = Game(rules, engine, BUDGET if budget is None else budget)
    problems = Problems()
    results: list[tuple[Obligation, Result]] = []
    status = 0
    asked = [one for one in rules.obligations if code is None or code_of(one.claim) == code]
    expect("proofs", len(asked))
    for one in asked:
        result = prove(game, one)
        results.append((one, result))
        if result.status == "refuted":
            status = max(status, 1)
            _finding(one, result, rules, readings or {}, problems, causes(game, one, result))
        elif result.status == "undecided":
            status = 3
        tick("proofs")
    return Answers(problems.found, status, results)


def code_of(claim: o.Claim) -> str | None:
    """The code of the finding that a refuted claim is; None: no rules that can be written refute it."""
    match claim:
        case o.Kept():
            return None
        case o.GoingOn():
            return "CQ601"
        case o.Met():
            return "CQ602"
        case o.Reached():
            return "CQ603"
        case o.NeverPassed():
            return "CQ604"
        case o.Mattering():
            return "CQ605"
        case o.Agreeing():
            return "CQ606"
        case o.Ending():
            return "CQ607"
        case _:
            assert_never(claim)


def _finding(
    one: Obligation,
    result: Result,
    rules: RuleSet,
    readings: Mapping[str, str],
    problems: Problems,
    cause: tuple[Clause, ...],
) -> None:
    code = code_of(one.claim)
    if code is None:
        raise Disagreement(f"{one.name} is refuted, which no rules can be")
    own = [clause.span for clause in result.clauses if clause.origin == rules.name]
    asked = frozenset().union(*(asked_by(clause) for clause in result.clauses))
    own += [r.chosen_at for r in rules.readings if r.name in asked and r.chosen_in == rules.name]
    own += [clause.span for clause in cause]
    at = own[0] if own else one.span if one.origin == rules.name else rules.span
    others: list[tuple[Span, Saying | str]]
    others = [(clause.span, f"`{clause.name}`") for clause in result.clauses if clause.span != at]
    if one.span != at:
        others.append((one.span, later("what is to be proved")))
    message = later("`{name}` is refuted: {reason}", name=one.name, reason=result.said)
    if readings:
        under = ", ".join(f"{name}={choice}" for name, choice in readings.items())
        message = later(
            "`{name}` is refuted, under {readings}: {reason}",
            name=one.name,
            readings=under,
            reason=result.said,
        )
    problems.add(code, message, at, None, tuple(others), warning=True)


def causes(game: Game, one: Obligation, result: Result) -> tuple[Clause, ...]:
    """Where inherited clauses alone are at fault: a clause of the file itself without which the claim is proved.

    Prohibitions, permissions and duties are left out one at a time, as far as the rest are still rules.
    """
    rules = game.rules
    if any(clause.origin == rules.name for clause in result.clauses):
        return ()
    mine = [x for x in rules.clauses if x.origin == rules.name and isinstance(x.body, c.Modal | c.Must)]
    for clause in mine[:TRIED]:
        rest = replace(rules, clauses=tuple(x for x in rules.clauses if x is not clause))
        without = Game(rest, engine_of(compile_rules(rest), game.readings), game.budget)
        if prove(without, one).status == "proved":
            return (clause,)
    return ()


def asked_by(clause: Clause) -> frozenset[str]:
    """The readings that the conditions of a clause ask for."""
    conditions: list[f.Formula | None] = []
    match clause.body:
        case (
            c.Shape(_, _, when)
            | c.Modal(_, _, _, _, when)
            | c.Must(when)
            | c.Wins(when)
            | c.DealerStays(when)
        ):
            conditions.append(when)
        case c.Phase(_, lines):
            conditions.extend(line.when for line in lines)
        case c.Stakes(stakes):
            conditions.extend(stake.when for stake in stakes)
        case _:
            pass
    return frozenset().union(*(f.readings_of(when) for when in conditions if when is not None))


def _document(one: Obligation, result: Result) -> dict[str, Any]:
    clause = result.clauses[0] if result.clauses and result.status != "proved" else None
    return {
        "name": one.name,
        "claim": claim_words(one.claim),
        "clause": None if clause is None else (clause.cites or (clause.name,))[0],
        "status": result.status,
        "bound": result.bound,
        "position": result.position,
        "says": result.says,
        "ms": result.work // WORK_OF_A_MILLISECOND,
    }


STATUSES: Mapping[Status, str] = {
    "proved": mark("proved"),
    "refuted": mark("refuted"),
    "undecided": mark("undecided"),
}


def _lines(one: Obligation, result: Result) -> list[str]:
    status = tell(STATUSES[result.status])
    if result.status == "undecided" and result.bound:
        status = tell("undecided (up to {number} own cards)", number=result.bound)
    lines = [f"  {one.name}: {status} - {claim_said(one.claim)}: {result.says}"]
    if result.position is not None and result.status == "refuted":
        lines.append(tell("    position: {position}", position=_laid(result.position)))
    return lines


def _laid(position: Mapping[str, Any]) -> str:
    """A position in words.

    >>> _laid({"up": "4c", "table": [["2d", "3d", "4d"]], "hand": [], "event": ["opponent", "forces"]})
    'on the table 2d 3d 4d; in the hand nothing; on offer 4c; then opponent forces'
    """

    def melds(found: Any) -> str:
        return ", ".join(" ".join(meld) for meld in found) or tell("nothing")

    parts = [
        tell("on the table {cards}", cards=melds(position["table"])),
        tell("in the hand {cards}", cards=" ".join(position["hand"]) or tell("nothing")),
    ]
    if position.get("opponent_table"):
        parts.append(tell("before the opponent {cards}", cards=melds(position["opponent_table"])))
    parts.append(tell("on offer {cards}", cards=position["up"] or tell("nothing")))
    if position.get("declined"):
        parts.append(tell("passed by the player"))
    event = position.get("event")
    if event is not None:
        who, verb, *rest = event
        what = [melds(x) if isinstance(x, list | tuple) else str(x) for x in rest]
        parts.append(tell("then {event}", event=" ".join([who, verb, *what])))
    return "; ".join(parts)
