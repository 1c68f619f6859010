"""Why the first violation of a deal is one: the smallest set of clauses, what it needs, and what it would be legal
but for. Needs the solver, and the rules in typed form; nothing else in `validate` does.

The JSON of `legal --why` and `validate --why` is the same: `core`, `clauses`, `facts`, `needs`, `but_for`,
`checked`, or `undecided` with the budget.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from conquian.engine.deals import SetupRefusal, seats_of
from conquian.engine.engine import Engine
from conquian.engine.play import Event
from conquian.engine.refusals import refusal
from conquian.position import Position, Rules
from conquian.quick import setup_of
from conquian.referee import Outcome
from conquian.tongue import mark, tell
from conquian.transcript.model import SAID, Deal
from conquian.verdict import DealVerdict

if TYPE_CHECKING:
    from conquian.language.rules import RuleSet
    from conquian.verifier.limits import Undecided
    from conquian.verifier.why import Why


def typed_rules(rules: str) -> RuleSet:
    """The rules of a name or path in typed form."""
    return _loaded(rules)


@lru_cache(maxsize=16)
def _loaded(rules: str) -> RuleSet:
    from conquian.language.build import load

    return load(rules)


def why_violation(
    engine: Engine,
    typed: RuleSet,
    players: Sequence[str],
    deal: Deal,
    first: int,
    outcome: Outcome,
    budget: int,
) -> Why | Undecided | None:
    """Why the violation of a deal is one; None for a deal that has none."""
    from conquian.verifier.set_up import why_claim, why_set_up
    from conquian.verifier.why import why

    if isinstance(outcome.setup, SetupRefusal):
        return why_set_up(engine, typed, setup_of(players, deal, first), outcome.setup, players)
    if outcome.claimed and deal.claim is not None:
        return why_claim(engine, typed, outcome.states[0], players, deal.claim, outcome.drawn)
    if outcome.refusal is None:
        return None
    event, seats = deal.events[outcome.legal], seats_of(players)
    if event[1] in SAID or outcome.ended is not None:
        return _why_said(engine, players, event, outcome)
    # Of several ways to read the record the verdict is about the one that goes furthest down the table of codes.
    state = max(outcome.states, key=lambda state: refusal(engine, state, event, seats).rank)
    rules = Rules(engine)
    return why(rules, Position(rules, state, tuple(players)), event, typed, budget)


def _why_said(engine: Engine, players: Sequence[str], event: Event, outcome: Outcome) -> Why:
    """Why something said at the table, or what follows the end that the players agreed on, is refused.

    No clause of the rules speaks of that, so it is a fact of the record.
    """
    from conquian.messages import Scene, message
    from conquian.verifier.grounds import Fact
    from conquian.verifier.why import Why

    assert outcome.refusal is not None
    words = message(outcome.refusal, Scene(engine, players, outcome.states[0], event))[0]
    code = outcome.refusal.code
    return Why(False, code, checked=True, facts=(Fact(code, words, outcome.refusal.cards),))


def with_why(
    verdict: DealVerdict,
    engine: Engine,
    rules: str,
    players: Sequence[str],
    deal: Deal,
    first: int,
    outcome: Outcome,
    budget: int,
) -> DealVerdict:
    """The verdict on a deal with why its violation is one; `rules` is the name or path of the rules."""
    import msgspec

    if not verdict.violations:
        return verdict
    typed = typed_rules(rules)
    found = why_violation(engine, typed, players, deal, first, outcome, budget)
    if found is None:
        return verdict
    violation = msgspec.structs.replace(verdict.violations[0], **fields(found))
    return msgspec.structs.replace(verdict, violations=(violation, *verdict.violations[1:]))


def fields(found: Why | Undecided) -> dict[str, Any]:
    """An answer as documents have it.

    core       the passages of the clauses that forbid it together, the deciding one first
    clauses    the same clauses: name, passage, sentence, and whether it would be legal but for this one
    facts      places of cards that stand against it too: code, message, cards, and whether it would be legal but for it
    needs      the cards that the set needs to forbid it
    but_for    the passages of the clauses without any one of which it would be legal
    checked    whether exhaustive search confirmed it; false where unrecorded cards of a hand matter
    undecided  instead of all that: the budget within which the solver gave up
    """
    from conquian.verifier.limits import Undecided

    if isinstance(found, Undecided):
        return {"core": None, "undecided": {"budget": found.budget}}
    passages = {r.clause: r.passages[0] if r.passages else r.clause for r in found.reasons}
    clauses = [
        {
            "name": r.clause,
            "passage": passages[r.clause],
            "sentence": r.sentence,
            "but_for": r.clause in found.legal_but_for,
        }
        for r in found.reasons
    ]
    facts = [
        {
            "code": fact.code,
            "message": fact.words,
            "cards": list(fact.cards),
            "but_for": fact.name in found.legal_but_for,
        }
        for fact in found.facts
    ]
    return {
        "core": list(dict.fromkeys(passages.values())),
        "clauses": clauses,
        "facts": facts,
        "needs": list(found.cards),
        "but_for": list(dict.fromkeys(passages[n] for n in found.legal_but_for if n in passages)),
        "checked": found.checked,
    }


FORBIDDEN = mark("forbidden by {passage}: {sentence}")
RULED_OUT = mark("ruled out by {passage}: {sentence}")
LEGAL_BUT = mark("legal but for the clause `{clause}`")
DEMANDED_BUT = mark("it could be demanded but for the clause `{clause}`")
LEGAL_BUT_THAT = mark("legal but for that")
DEMANDED_BUT_THAT = mark("it could be demanded but for that")


def lines(
    document: Mapping[str, Any],
    shown: Callable[[Sequence[str]], Sequence[str]] = tuple,
    *,
    demanded: bool = False,
) -> list[str]:
    """The same for people; `shown` writes cards as they are to be shown, `demanded` speaks of a demand."""
    if document["core"] is None:
        return [tell("why: undecided within a budget of {budget}", budget=document["undecided"]["budget"])]
    clauses, facts, cards = document["clauses"], document["facts"], shown(document["needs"])
    forbidden, but = (RULED_OUT, DEMANDED_BUT) if demanded else (FORBIDDEN, LEGAL_BUT)
    but_that = DEMANDED_BUT_THAT if demanded else LEGAL_BUT_THAT
    found = [tell(forbidden, passage=c["passage"], sentence=c["sentence"]) for c in clauses]
    found += [tell("because {reason}", reason=fact["message"]) for fact in facts]
    if cards and not facts:
        found.append(tell("because of {cards}", cards=" ".join(cards)))
    found += [tell(but, clause=clause["name"]) for clause in clauses if clause["but_for"]]
    return found + [tell(but_that) for fact in facts if fact["but_for"]]
