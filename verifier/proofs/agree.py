"""No clause contradicts another: what is permitted, named by the order of play or a duty is not forbidden always.

For each kind of event in each phase Z3 looks for one that is legal under the readings; the engine's own clauses then
judge it. Where there is none, clauses are left out one by one until each that is left is needed.
"""

from __future__ import annotations

from typing import Literal, assert_never

from conquian.language import clauses as c
from conquian.language.rules import Clause
from conquian.tongue import Both, Saying, later, later_n
from conquian.verifier.acts import Copies
from conquian.verifier.circuits import Circuit
from conquian.verifier.limits import Disagreement, Undecided
from conquian.verifier.proofs.cases import Case, Cases
from conquian.verifier.proofs.game import Game
from conquian.verifier.proofs.met import fitting
from conquian.verifier.proofs.result import Result
from conquian.verifier.proofs.under import asks_numbers


def _event(verb: c.Verb) -> Saying:
    """What an event of a kind is called."""
    match verb:
        case "turn":
            return later("turn")
        case "meld":
            return later("meld")
        case "arrange":
            return later("regrouping")
        case "pass":
            return later("pass")
        case "discard":
            return later("discard")
        case "force":
            return later("demand")
        case _:
            assert_never(verb)


def agreeing(game: Game) -> Result:
    few = Cases(game, few=True)
    boards = [few]
    count = 0
    left: tuple[c.Verb, str, Clause | None] | None = None
    for verb, phase, permits in _events(game):
        if verb == "force" and permits is not None and _plainly_due(game, phase, permits):
            count += 1
            continue
        found = _find(few, verb, phase, permits)
        if not isinstance(found, Case):
            if len(boards) == 1:
                boards.append(Cases(game))
            found = _find(boards[1], verb, phase, permits)
        if isinstance(found, Case):
            guessing = any(cases.board.guessing for cases in boards)
            if _replayed(game, found, permits, guessing):
                count += 1
            else:
                left = left or (verb, phase, permits)
        elif found == "none":
            told = _contradiction(game, boards[1], few, verb, phase, permits)
            if told is not None:
                return told
        elif found == "open":
            left = left or (verb, phase, permits)
    queries = tuple(query for cases in boards for query in cases.board.asked.asked)
    work = sum(cases.board.asked.work for cases in boards)
    if left is not None:
        verb, phase, permits = left
        clauses = () if permits is None else (permits,)
        says = later("no legal {event} in the phase `{phase}` was found", event=_event(verb), phase=phase)
        return Result("undecided", says, game.engine.program.dealt + 1, None, clauses, queries, work)
    says = later("an event of each of the {number} kinds that the rules name can be legal", number=count)
    return Result("proved", says, queries=queries, work=work)


def _plainly_due(game: Game, phase: str, permits: Clause) -> bool:
    """Whether the engine finds the demand legal of a card that fits the only meld on the table."""
    pack, offers = game.engine.pack, (("own", True, False), ("given", False, False))
    for meld, unit in fitting(game):
        size = pack.count(meld)
        places = Copies(pack)
        lying, up = places.take(meld), places.take(unit)
        for origin, own, starter in offers:
            hands = [n for n in range(game.most_own + 1) if game.standings.has(phase, n, size, origin)]
            if not hands:
                continue
            words = {"before": (lying,), "up": up, "own": own, "starter": starter, "named": False}
            words |= {"said": 0, "onto": 0, "n_stock": min(1, game.left - 1)}
            case = Case("force", phase, words, game.readings)
            may, against, _ = case.holding(game)
            if permits.name in may and not against:
                return True
    return False


def _find(
    cases: Cases, verb: c.Verb, phase: str, permits: Clause | None
) -> Case | Literal["none", "open", "idle"]:
    """A legal event; or that there is none, that the question stays open, or that nothing permits one anyway."""
    readings = dict(cases.game.readings)
    allowed = _allowed(cases, verb, phase, permits)
    if allowed is None:
        return "idle"
    wanted = [*allowed, *(x for _, x in cases.forbidden(verb, phase, readings))]
    found = cases.find("some such event is legal", verb, phase, readings, wanted, _sized(cases, verb))
    if isinstance(found, Undecided) or (found is None and not cases.board.whole):
        return "open"
    return "none" if found is None else found


def _sized(cases: Cases, verb: c.Verb) -> bool:
    """Whether some clause on such events asks for the hand or for numbers of cards."""
    bodies = (body for _, body in cases.game.rules.bodies(c.Modal) if verb in body.verbs)
    return any(body.when is not None and asks_numbers(body.when) for body in bodies)


def _allowed(cases: Cases, verb: c.Verb, phase: str, permits: Clause | None) -> list[Circuit] | None:
    if permits is None:
        return []
    granted = cases.permitted(verb, phase, dict(cases.game.readings))
    return [truth for clause, truth in granted if clause is permits] or None


def _events(game: Game) -> list[tuple[c.Verb, str, Clause | None]]:
    """Kinds of events with the phases in which the order of play names them, or a clause permits them."""
    found: list[tuple[c.Verb, str, Clause | None]] = []
    reached = {here.at.phase for one in game.tallies for here in one.counts}
    for name, phase in game.flow.phases.items():
        for _, line in phase.lines:
            # Of a demand the permission is asked, for without one there is none.
            if name in reached and isinstance(line, c.Acts) and line.verb != "force":
                found.append((line.verb, name, None))
    for clause, body in game.rules.bodies(c.Modal):
        for verb in body.verbs if body.allowed else ():
            found.extend((verb, name, clause) for name in body.phases if name in reached)
    return found


def _replayed(game: Game, case: Case, permits: Clause | None, guessing: bool) -> bool:
    """Whether the engine's clauses find the event legal too; they may not where something was guessed."""
    may, against, must = case.holding(game)
    legal = not against and not must and (permits is None or permits.name in may)
    if not legal and not guessing:
        raise Disagreement(f"{case} is legal, says the solver; the engine: {may}, {against}, {must}")
    return legal


def _contradiction(
    game: Game,
    cases: Cases,
    few: Cases,
    verb: c.Verb,
    phase: str,
    permits: Clause | None,
) -> Result | None:
    """The clauses that together leave no such event legal; None if there is none even without them."""
    readings = dict(game.readings)
    allowed = _allowed(cases, verb, phase, permits) or []
    against = cases.forbidden(verb, phase, readings)

    def find(some: list[tuple[Clause, Circuit]]) -> Case | Undecided | None:
        wanted = [*allowed, *(x for _, x in some)]
        return cases.find("some such event is legal", verb, phase, readings, wanted, _sized(cases, verb))

    case = find([])
    if not isinstance(case, Case):
        return None
    kept = list(against)
    for one in against:
        rest = [other for other in kept if other is not one]
        if find(rest) is None:
            kept = rest
    # What is shown has as many cards as some deal has; a small board has room for it and is soon asked.
    granted = _allowed(few, verb, phase, permits) or []
    case = few.find("some such event", verb, phase, readings, granted, True)
    if not isinstance(case, Case):
        case = cases.find("some such event", verb, phase, readings, allowed, True)
    if not isinstance(case, Case):
        says = later(
            "no position of a deal was found for the {event} in the phase `{phase}`",
            event=_event(verb),
            phase=phase,
        )
        return Result("undecided", says, 0, None, tuple(clause for clause, _ in kept))
    _, holding, must = case.holding(game)
    if not holding | must:
        raise Disagreement(f"{case} is forbidden, says the solver; the engine does not")
    clauses = tuple(clause for clause, _ in kept)
    what = (
        later("the {event} that the phase `{phase}` names", event=_event(verb), phase=phase)
        if permits is None
        else later(
            "the {event} that `{clause}` permits in the phase `{phase}`",
            event=_event(verb),
            clause=permits.name,
            phase=phase,
        )
    )
    says = later_n(
        "{clauses} forbids {what}, whatever the cards",
        "{clauses} together forbid {what}, whatever the cards",
        len(clauses),
        clauses=Both(tuple(f"`{clause.name}`" for clause in clauses)),
        what=what,
    )
    fault = clauses if permits is None else (*clauses, permits)
    queries = tuple(cases.board.asked.asked)
    return Result("refuted", says, None, case.position(game), fault, queries, cases.board.asked.work)
