"""The findings of a deal in which illegal acts are taken as they were played, in words.

Guarantees: the first finding is the violation that the deal is judged by; every later one is marked as after an
irregularity. Each says whether the act stands, and who could have objected until when.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from conquian.as_played import AsPlayed as Placing
from conquian.at_table import Irregularity, Walk
from conquian.engine.deals import SetupRefusal, first_states, seats_of
from conquian.engine.engine import Engine
from conquian.engine.facts import closed
from conquian.referee import Outcome, claim_holds, setup_of
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
    states = first_states(engine, setup_of(players, deal, first))
    if isinstance(states, SetupRefusal):
        why = "the deal itself is not right; no card has a certain place"
        stood = Stood(taken=False, why=why, objectors=(), until=None, rule=None)
        return (replace(found, after_irregularity=False, stood=stood),), AsPlayed(result=None, judged=0)
    seats = seats_of(players)
    walk = Walk(engine, states, deal.events, seats, Placing(engine, players, seats))
    outcome = walk.walked()
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
    state = outcome.states[0]
    drawn = closed(engine, state, state.at) == engine.flow.drawn
    claim = deal.claim
    held = claim is None or claim_holds(engine, claim, seats, state.winner, drawn)
    if claim is not None and claim.broken_off:
        held = state.winner is None and not drawn
    if not held:
        wrong = found
        if findings:
            ended = Outcome("invalid", outcome.legal, outcome.states, winner=state.winner, drawn=drawn)
            wrong = of_claim(sheet, engine, players, index, deal, ended)
        findings.append(replace(wrong, after_irregularity=bool(findings)))
    return tuple(findings), AsPlayed(result=_result(players, state.winner, drawn), judged=outcome.legal)


def _stood(engine: Engine, players: Sequence[str], one: Irregularity) -> Stood:
    clause = one.refusal.clause
    return Stood(
        taken=one.why is None,
        why=one.why,
        objectors=tuple(players[seat] for seat in one.objectors),
        until=one.until,
        rule=None if clause is None else engine.program.clauses[clause].sentence,
    )


def _result(players: Sequence[str], winner: int | None, drawn: bool) -> dict[str, object] | None:
    if winner is not None:
        return {"winner": players[winner]}
    return {"drawn": True} if drawn else None
