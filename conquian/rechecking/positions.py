"""Certificates about one position: `force` and `legal`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from conquian import asked as asking
from conquian.certificate import Certificate
from conquian.certifying import ForceAsked, ForceWitness, LegalAsked, force_parts, plain, typed_of
from conquian.engine.play import Event
from conquian.forcing import force as force_answer
from conquian.forcing import moments, offer_of
from conquian.language.rules import RuleSet
from conquian.position import Position, Rules
from conquian.questions import PARTS, CannotAsk, Question
from conquian.rechecking.parts import (
    Part,
    core_part,
    equal,
    event_of,
    form,
    laid_event,
    meld_part,
    none,
    nothing_forbids,
    position_of,
    same_answer,
    scripts,
)
from conquian.verifier.claims import event_script, some_meld_script
from conquian.verifier.exhaustion import every_meld
from conquian.witnessing import MeldWitness


def force(found: Certificate, rules: Sequence[Rules], path: str) -> Iterator[Part]:
    position, asked = position_of(found, rules[0], path), form(found.asked, ForceAsked, path, "asked")
    _plays(asked.player, position, path)
    _parts(asked.left_out, path)
    claimed = form(found.witness, ForceWitness, path, "witness")
    question = Question(rules[0], position, asked.player, "french", asked.hand_known, asked.left_out)
    seat, state, cases = offer_of(question)
    if state.at != position.state.at:
        yield Part("position", "engine", "refuted", "it is not the one that the question is about")
        return
    name = found.rules[0].name
    yield from same_answer(found, force_answer(question, asked.prove, asked.budget, name).document)
    typed = typed_of(name, rules[0])
    again, core, written = force_parts(position, seat, cases, typed)
    yield equal("when a demand is due", "checker", again.due, claimed.due)
    if claimed.obeyed is not None:
        yield _obeyed(position, seat, claimed.obeyed, typed)
    elif again.obeyed is not None:
        yield Part("meld that obeys", "engine", "refuted", "there is one, and the certificate names none")
    yield equal("clauses that refuse a demand", "engine", core, found.core)
    yield from scripts(found, written)


def _obeyed(position: Position, seat: int, witness: MeldWitness, typed: RuleSet) -> Part:
    engine, players = position.rules.engine, position.players
    demand: Event = (players[engine.opponents[seat]], "forces")
    for _, moment in moments(engine, position.state, seat):
        here = Position(position.rules, moment, players)
        if here.can(demand):
            event = laid_event(players[seat], witness)
            return meld_part("meld that obeys", here.apply(demand), event, witness, typed)
    return Part("meld that obeys", "engine", "refuted", "no demand can be made there")


def legal(found: Certificate, rules: Sequence[Rules], path: str) -> Iterator[Part]:
    position, asked = position_of(found, rules[0], path), form(found.asked, LegalAsked, path, "asked")
    _plays(asked.player, position, path)
    _parts(asked.left_out, path)
    question = Question(rules[0], position, asked.player, "french", asked.hand_known, asked.left_out)
    typed = typed_of(found.rules[0].name, rules[0])
    if asked.event is None:
        yield from same_answer(found, asking.legal(question, None, asked.count, asked.limit).document)
        witnesses = form(found.witness, list[MeldWitness], path, "witness")
        yield from _all_melds(position, witnesses, typed)
        yield from none("core", found.core)
        script = some_meld_script(
            "can the card on offer be melded", position, bool(position.legal_melds()), typed
        )
        yield from scripts(found, [] if script is None else [script])
        return
    event = event_of(asked.event, [position])
    if event is None:
        raise CannotAsk(f"{path}: no certificate: no event is told - at `$.asked.event`")
    again = asking.legal_event(question, event, asked.why, found.rules[0].name, asked.budget).document
    yield from same_answer(found, again)
    allowed = bool(again["legal"])
    if not allowed:
        core = None if found.core is None else form(found.core, list[str], path, "core")
        yield core_part("core", position, event, core, typed)
        yield from none("witness", found.witness)
    elif found.witness is not None:
        yield meld_part("witness", position, event, form(found.witness, MeldWitness, path, "witness"), typed)
    elif event[1] == "melds":
        yield Part("witness", "checker", "refuted", "it is missing")
    else:
        yield nothing_forbids("nothing forbids it", position, event, typed)
    if allowed:
        yield from none("core", found.core)
    script = event_script("is this event legal", position, event, allowed, typed)
    yield from scripts(found, [] if script is None else [script])


def _plays(player: str, position: Position, path: str) -> None:
    if player not in position.players:
        raise CannotAsk(f"{path}: no certificate: {player[:40]} does not play - at `$.asked.player`")


def _parts(left_out: Sequence[str], path: str) -> None:
    strange = [part for part in left_out if part not in PARTS]
    if strange:
        raise CannotAsk(
            f"{path}: no certificate: `{strange[0][:40]}` is no part of a position - at `$.asked.left_out`",
            f"known: {', '.join(PARTS)}",
        )


def _all_melds(position: Position, witnesses: Sequence[MeldWitness], typed: RuleSet) -> Iterator[Part]:
    """That each listed meld is legal, by the checker, and that there is no other, by exhaustive search."""
    holder = position.holder or position.players[0]
    for number, witness in enumerate(witnesses, 1):
        part = meld_part(f"meld {number}", position, laid_event(holder, witness), witness, typed)
        if part.outcome != "confirmed":
            yield part
            return
    if witnesses:
        yield Part("witness of each meld", "checker", "confirmed")
    listed = sorted(tuple(sorted(tuple(sorted(c for c, _ in m)) for m in w.laid)) for w in witnesses)
    every = every_meld(position)
    if every is None:
        yield Part("no other meld", "", "not re-decided", "there are too many sets of hand cards to try")
    else:
        yield equal("no other meld", "exhaustion", plain(sorted(every)), plain(listed))
