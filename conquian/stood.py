"""The findings of a deal in which illegal acts are taken as they were played, in words.

Guarantees: the first finding is the violation that the deal is judged by; every later one is marked as after an
irregularity. Each says whether the act stands, and who could have objected until when.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from conquian.as_played import AsPlayed as Placing
from conquian.at_table import Irregularity, Walk
from conquian.engine.deals import SetupRefusal, first_states, seats_of
from conquian.engine.engine import Engine
from conquian.ledger import Melds
from conquian.quick import setup_of
from conquian.referee import Outcome, conclude
from conquian.sentences import sentence
from conquian.tongue import tell
from conquian.transcript.model import Deal
from conquian.transcript.sheet import Sheet
from conquian.verdict import AsPlayed, Stood, Violation
from conquian.violations import of_claim, of_event


def as_played(
    sheet: Sheet,
    engine: Engine,
    players: Sequence[str],
    index: int,
    deal: Deal,
    first: int,
    found: Violation,
) -> tuple[tuple[Violation, ...], AsPlayed]:
    """The findings of a deal whose first violation is `found`, and how the deal ended as it was played."""
    walk = walked_on(engine, players, deal, first)
    if walk is None:
        why = tell("the deal itself is not right; no card has a certain place")
        stood = Stood(taken=False, why=why, objectors=(), until=None, rule=None)
        return (replace(found, after_irregularity=False, stood=stood),), AsPlayed(result=None, judged=0)
    outcome = walk.outcome
    findings: list[Violation] = []
    for one in walk.stood:
        said = (
            of_event(sheet, engine, players, index, deal, one.event, one.refusal, one.states[0])
            if findings
            else found
        )
        stood = _stood(engine, players, one)
        findings.append(replace(said, after_irregularity=bool(findings), stood=stood))
    if outcome.refusal is not None:
        return tuple(findings), AsPlayed(result=None, judged=outcome.legal + 1)
    conclude(engine, outcome, deal, walk.seats)
    if outcome.claimed:
        wrong = of_claim(sheet, engine, players, index, deal, outcome) if findings else found
        findings.append(replace(wrong, after_irregularity=bool(findings)))
    return tuple(findings), AsPlayed(
        result=_result(players, outcome.winner, outcome.drawn), judged=outcome.legal
    )


def walked_on(engine: Engine, players: Sequence[str], deal: Deal, first: int) -> Walk | None:
    """The walk through a deal in which illegal acts are taken as played; None if the deal itself is not right."""
    states = first_states(engine, setup_of(players, deal, first))
    if isinstance(states, SetupRefusal):
        return None
    seats = seats_of(players)
    walk = Walk(engine, states, deal.events, seats, Placing(engine, players, seats))
    walk.walked()
    return walk


def ended_as_played(
    engine: Engine, players: Sequence[str], deal: Deal, first: int
) -> tuple[Outcome | None, Callable[[], tuple[Melds, Melds]] | None]:
    """How a deal ended as it was played, and how to find the winner's melds before and after the act that won.

    None if some act cannot be taken as played. An outcome that is `invalid` is one that the recorder's claim
    contradicts.
    """
    walk = walked_on(engine, players, deal, first)
    if walk is None or walk.outcome.refusal is not None:
        return None, None
    outcome, path = walk.outcome, walk.path
    conclude(engine, outcome, deal, walk.seats)
    winner = outcome.winner
    if winner is None:
        return outcome, None
    return outcome, lambda: (engine.placed(path[-2].tables[winner]), engine.placed(path[-1].tables[winner]))


def _stood(engine: Engine, players: Sequence[str], one: Irregularity) -> Stood:
    clause = one.refusal.clause
    return Stood(
        taken=one.why is None,
        why=one.why,
        objectors=tuple(players[seat] for seat in one.objectors),
        until=one.until,
        rule=None if clause is None else sentence(engine.program, clause),
    )


def _result(players: Sequence[str], winner: int | None, drawn: bool) -> dict[str, object] | None:
    if winner is not None:
        return {"winner": players[winner]}
    return {"drawn": True} if drawn else None
