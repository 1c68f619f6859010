"""Certificates of `spec check`: what became of the claims of a rule set.

What is decided by counting, or by plays in the engine, is decided again; a proof by a solver is its scripts, which a
second solver answers where one is installed. That the scripts ask what the claim needs is not looked into. A position
is played: what it is shown for has to hold then.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from conquian.certificate import Certificate
from conquian.certifying import typed_of
from conquian.certifying_everywhere import CheckAsked
from conquian.engine.search import stuck
from conquian.language import obligations as o
from conquian.language.rules import Obligation
from conquian.language.wording import claim_words
from conquian.position import BadPosition, Rules
from conquian.rechecking.everywhere import Shown, by_second_solver
from conquian.rechecking.parts import Part, event_of, form
from conquian.verifier.circuits import FALSE, Circuit
from conquian.verifier.deck import Deck
from conquian.verifier.limits import Undecided
from conquian.verifier.proofs import Game, Result, prove
from conquian.verifier.solver import Solver


def spec_check(found: Certificate, rules: Sequence[Rules], path: str) -> Iterator[Part]:
    form(found.asked, CheckAsked, path, "asked")
    documents = form(found.answer, list[dict[str, Any]], path, "answer")
    if [document.get("file") for document in documents] != [found.rules[0].name]:
        yield Part("rule set", "engine", "refuted", "the answer is about other rules")
        return
    (document,) = documents
    typed = typed_of(found.rules[0].name, rules[0])
    obligations = form(document.get("obligations"), list[dict[str, Any]], path, "answer.obligations")
    claims = {one.name: one for one in typed.obligations}
    if [x.get("name") for x in obligations] != list(claims):
        yield Part("obligations", "engine", "refuted", "they are not those of the rule set")
        return
    said = dict(by_second_solver(found.queries))
    scripts = {
        name: [part for script, part in said.items() if script.startswith(f"{name}: ")] for name in claims
    }
    game = Unasked(typed, rules[0].engine)
    for obligation in obligations:
        # That there is no dead end rests on it that demands can be met.
        name, proved = str(obligation["name"]), obligation.get("status") == "proved"
        if isinstance(claims[name].claim, o.Met) and proved and _confirmed(scripts[name]):
            game.answers["met"] = Result("proved", str(obligation.get("says")))
    for obligation in obligations:
        name = str(obligation["name"])
        yield from _obligation(game, claims[name], obligation, scripts[name], path)
    yield from said.values()


class _Asked(Exception):
    """A prover asks a solver."""


class _Silent(Solver):
    """Has no answer, but to what is plain."""

    def can(self, assumed: Sequence[Circuit]) -> bool | Undecided:
        if FALSE in assumed:
            return False
        raise _Asked


class Unasked(Game):
    """A rule set whose claims are decided by counting and by plays in the engine, without any solver."""

    def deck(self) -> Deck:
        deck = Deck(self.engine.pack)
        deck.solver = _Silent(deck.circuits)
        return deck


def _obligation(
    game: Unasked, one: Obligation, said: dict[str, Any], scripts: Sequence[Part], path: str
) -> Iterator[Part]:
    """One claim of a rule set: counted again, its position played again, its scripts looked at."""
    what, status = f"obligation `{one.name}`", said.get("status")
    if said.get("claim") != claim_words(one.claim):
        yield Part(what, "engine", "refuted", "it claims something else")
        return
    if said.get("position") is not None:
        yield from _shown(f"{what}: position", game, one.claim, said, path)
    elif status == "refuted":
        yield Part(f"{what}: position", "", "not re-decided", "it shows none")
    if status not in ("proved", "refuted"):
        yield Part(what, "", "not re-decided", f"it is `{str(status)[:40]}`")
    elif scripts and not isinstance(one.claim, COUNTED):
        if status == "proved":
            yield _rests_on(what, scripts)
    else:
        yield _counted(what, game, one, said)


COUNTED = (o.Reached, o.NeverPassed, o.Ending)
"""Claims that no script is about."""


def _counted(what: str, game: Unasked, one: Obligation, said: dict[str, Any]) -> Part:
    try:
        again = prove(game, one)
    except _Asked:
        return Part(what, "", "not re-decided", "no script is there to prove it")
    same = (again.status, again.bound, again.says) == (said["status"], said.get("bound"), said.get("says"))
    return Part(what, "counting", "confirmed" if same else "refuted", again.says)


def _rests_on(what: str, scripts: Sequence[Part]) -> Part:
    """A proof that rests on its scripts."""
    if _confirmed(scripts):
        return Part(what, scripts[0].by, "confirmed", f"the answers of its {len(scripts)} scripts")
    return Part(what, "", "not re-decided", "its scripts are not all confirmed")


def _confirmed(scripts: Sequence[Part]) -> bool:
    return bool(scripts) and all(part.outcome == "confirmed" for part in scripts)


def _shown(what: str, game: Game, claim: o.Claim, said: dict[str, Any], path: str) -> Iterator[Part]:
    """The position of an obligation: one of the rules, its event legal, and then what it is shown for."""
    given = dict(form(said.get("position"), dict[str, Any], path, "answer.obligations"))
    listed = form(given.pop("event", None), list[Any], path, "answer.obligations")
    rules = Rules(game.engine)
    try:
        here = form(given, Shown, path, "answer.obligations").under(rules)
    except BadPosition as wrong:
        yield Part(what, "engine", "refuted", f"no position of these rules: {wrong.field}: {wrong}")
        return
    event = event_of(listed, [here])
    if isinstance(claim, o.Kept | o.Mattering | o.Agreeing):
        yield Part(what, "", "not re-decided", "it is one of these rules; try it with `legal` and `force`")
        return
    if event is None or not here.can(event):
        yield Part(what, "engine", "refuted", "its event is not legal there")
        return
    after, goal = here.apply(event), game.engine.program.goal
    laid = sum(map(len, after.table(event[0])))
    refuted = said.get("status") == "refuted"
    match claim:
        case o.GoingOn() | o.Met() if refuted:
            yield _so(
                what, stuck(game.engine, after.state), "no event is legal then", "some event is legal then"
            )
        case o.NeverPassed() if refuted:
            passed = after.phase not in ("won", "drawn") and laid > goal
            yield _so(
                what, passed, f"{laid} cards then lie", f"{laid} cards then lie, and the goal is {goal}"
            )
        case o.Reached() if not refuted:
            yield _so(what, after.phase == "won", "its event wins", "its event does not win")
        case _:
            yield Part(what, "engine", "confirmed", "its event is legal")


def _so(what: str, holds: bool, then: str, otherwise: str) -> Part:
    return Part(what, "engine", "confirmed" if holds else "refuted", then if holds else otherwise)
