"""No clause contradicts another: what is permitted, named by the order of play or a duty is not forbidden always.

For each kind of event in each phase Z3 looks for one that is legal under the readings; the engine's own clauses then
judge it. Where there is none, clauses are left out one by one until each that is left is needed.
"""

from __future__ import annotations

from conquian.language import clauses as c
from conquian.language.rules import Clause
from conquian.verifier.circuits import Circuit
from conquian.verifier.expressions import TooLarge
from conquian.verifier.limits import Disagreement, Undecided
from conquian.verifier.proofs.cases import Case, Cases
from conquian.verifier.proofs.game import Game
from conquian.verifier.proofs.result import Result

MELDED: dict[c.Verb, str] = {"meld": "meld", "arrange": "regrouping", "force": "demand"}


def agreeing(game: Game) -> Result:
    cases = Cases(game)
    readings = dict(game.readings)
    count, left = 0, None
    for verb, phase, permits in _events(game):
        try:
            against = cases.forbidden(verb, phase, readings)
            allowed: tuple[Circuit, ...] = ()
            if permits is not None:
                granted = [truth for clause, truth in cases.permitted(verb, phase, readings) if clause is permits]
                if not granted:
                    continue
                allowed = tuple(granted)
            found = cases.find("some such event is legal", verb, phase, readings, [*allowed, *(x for _, x in against)])
            if found is None:
                told = _contradiction(game, cases, verb, phase, permits, allowed, against)
                if told is not None:
                    return told
                if not cases.board.whole:
                    left = left or (verb, phase, permits)
                continue
        except TooLarge:
            left = left or (verb, phase, permits)
            continue
        if isinstance(found, Undecided):
            left = left or (verb, phase, permits)
            continue
        _replay(game, found, permits)
        count += 1
    queries, work = tuple(cases.board.asked.asked), cases.board.asked.work
    if left is not None:
        verb, phase, permits = left
        clauses = () if permits is None else (permits,)
        says = f"no legal {MELDED.get(verb, verb)} in the phase `{phase}` was found"
        return Result("undecided", says, game.engine.program.dealt + 1, None, clauses, queries, work)
    says = f"an event of each of the {count} kinds that the rules name can be legal"
    return Result("proved", says, queries=queries, work=work)


def _events(game: Game) -> list[tuple[c.Verb, str, Clause | None]]:
    """Kinds of events with the phases in which the order of play or a clause names them."""
    found: list[tuple[c.Verb, str, Clause | None]] = []
    reached = {here.at.phase for one in game.tallies for here in one.counts}
    demands = {phase for _, b in game.rules.bodies(c.Modal) if b.allowed and "force" in b.verbs for phase in b.phases}
    for name, phase in game.flow.phases.items():
        if name in reached:
            verbs = [line.verb for _, line in phase.lines if isinstance(line, c.Acts)]
            found.extend((verb, name, None) for verb in verbs if verb != "force")
            found.extend(("force", name, None) for verb in verbs if verb == "force" and name not in demands)
    for clause, body in game.rules.bodies(c.Modal):
        if body.allowed:
            found.extend((verb, name, clause) for verb in body.verbs for name in body.phases if name in reached)
    return [one for one in found if one[0] != "force" or one[2] is not None]


def _replay(game: Game, case: Case, permits: Clause | None) -> None:
    may, against, must = case.holding(game)
    if against or must or (permits is not None and permits.name not in may):
        raise Disagreement(f"{case} is legal, says the solver; the engine: {may}, {against}, {must}")


def _contradiction(
    game: Game,
    cases: Cases,
    verb: c.Verb,
    phase: str,
    permits: Clause | None,
    allowed: tuple[Circuit, ...],
    against: list[tuple[Clause, Circuit]],
) -> Result | None:
    """The clauses that together leave no such event legal; None if there is none even without them."""
    readings = dict(game.readings)

    def find(some: list[tuple[Clause, Circuit]]) -> Case | Undecided | None:
        wanted = [*allowed, *(x for _, x in some)]
        return cases.find("some such event is legal", verb, phase, readings, wanted)

    case = find([])
    if not isinstance(case, Case) or not cases.board.whole:
        return None
    kept = list(against)
    for one in against:
        rest = [other for other in kept if other is not one]
        if find(rest) is None:
            kept = rest
    _, holding, must = case.holding(game)
    if not holding | must:
        raise Disagreement(f"{case} is forbidden, says the solver; the engine does not")
    clauses = tuple(clause for clause, _ in kept)
    names = " and ".join(f"`{clause.name}`" for clause in clauses)
    what = f"the {MELDED.get(verb, verb)} that " + (
        f"the phase `{phase}` names" if permits is None else f"`{permits.name}` permits in the phase `{phase}`"
    )
    verb_ = "forbids" if len(clauses) == 1 else "together forbid"
    says = f"{names} {verb_} {what}, whatever the cards"
    fault = clauses if permits is None else (*clauses, permits)
    queries = tuple(cases.board.asked.asked)
    return Result("refuted", says, None, case.position(game), fault, queries, cases.board.asked.work)
