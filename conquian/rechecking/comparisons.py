"""Certificates of `diff`: two rule sets, where they part, and that nothing else parts them.

A position is laid and played under both. A proof is scripts: they are written again from the rules and compared, and a
second solver answers them, where one is installed. What only a search can give is told and not re-decided.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from conquian import __version__
from conquian.certificate import Certificate
from conquian.certifying import typed_of
from conquian.certifying_everywhere import DiffAsked
from conquian.differing import named
from conquian.engine.engine import UnknownReading
from conquian.engine.play import Event
from conquian.language.clauses import Phase
from conquian.language.problems import RulesError
from conquian.language.rules import RuleSet
from conquian.position import BadPosition, Position, Rules
from conquian.questions import CannotAsk
from conquian.rechecking.everywhere import Shown, by_second_solver, played
from conquian.rechecking.parts import Part, core_part, event_of, form, meld_part
from conquian.verifier.claims import forbidding
from conquian.verifier.difference_asking import Comparison
from conquian.verifier.difference_clauses import clauses_of, differs
from conquian.verifier.difference_scripts import Proof, proofs
from conquian.verifier.joint import Joint, joint
from conquian.walked import forbids_nothing
from conquian.witnessing import meld_witness


def diff(found: Certificate, rules: Sequence[Rules], path: str) -> Iterator[Part]:
    answer = form(found.answer, dict[str, Any], path, "answer")
    differences = form(answer.get("differences"), list[dict[str, Any]], path, "answer.differences")
    names = form(found.asked, DiffAsked, path, "asked").clauses
    yield _called(found, answer)
    if len(names) != len(differences):
        yield Part("clauses", "", "refuted", "there is not one for each difference")
        return
    (a, typed_a), (b, typed_b) = (
        (each, typed_of(used.name, each)) for used, each in zip(found.rules[:2], rules[:2], strict=True)
    )
    joined = joint(a, b, typed_a, typed_b)
    equal = answer.get("equal") is True
    claimed = equal or any(x.get("status") == "proved-equal" for x in differences)
    proved = proofs(Comparison(joined)) if claimed or found.queries else []
    yield from _the_questions(found, proved)
    said = dict(by_second_solver(found.queries))
    for number, (name, difference) in enumerate(zip(names, differences, strict=True), 1):
        what = f"difference {number}"
        status = difference.get("status")
        if status == "position":
            yield from _separates(what, difference, rules, found, path)
        elif status == "proved-equal":
            if isinstance(joined.a.bodies.get(name) or joined.b.bodies.get(name), Phase):
                yield _walked(what, name, difference.get("allows"), (a, typed_a), (b, typed_b))
            else:
                yield _proved(what, name, difference.get("allows"), proved, said)
        else:
            yield Part(
                what, "", "not re-decided", f"it is `{str(status)[:40]}`, which only a search can give"
            )
    if equal:
        yield _all_equal(joined, names, differences, proved)
    yield from said.values()


def _called(found: Certificate, answer: dict[str, Any]) -> Part:
    """That the words of the answer call the rules of the certificate."""
    for side, used in zip("ab", found.rules, strict=False):
        word = answer.get(side)
        try:
            called = named(word) if isinstance(word, str) else None
        except (CannotAsk, RulesError, UnknownReading):
            called = None
        if called is None or called.loaded != used.name or dict(called.rules.readings) != used.readings:
            return Part("rule sets", "engine", "refuted", f"`{str(word)[:60]}` calls other rules")
    return Part("rule sets", "engine", "confirmed")


def _the_questions(found: Certificate, proved: Sequence[Proof]) -> Iterator[Part]:
    """That each script is one that the two rule sets give, made again here."""
    again = {script.name: script.text for proof in proved for pair in proof.questions for script in pair}
    if found.program != __version__ and any(again.get(q.name) != q.smt2 for q in found.queries):
        told = f"conquian {found.program[:20]} wrote them, and this is {__version__}"
        yield Part("scripts", "", "not re-decided", told)
        return
    for query in found.queries:
        if again.get(query.name) != query.smt2:
            yield Part("scripts", "engine", "refuted", f"{query.name[:60]}: it is not that of the question")
            return
    if found.queries:
        yield Part("scripts", "engine", "confirmed", "written again they are the same")


def _proved(what: str, name: str, allows: object, proved: Sequence[Proof], said: Mapping[str, Part]) -> Part:
    """That every question of a clause in a direction has the answer no."""
    proof = next((x for x in proved if (x.clause, x.allows) == (name, allows)), None)
    if proof is None:
        return Part(what, "engine", "refuted", "nothing is asked of such a clause")
    if proof.counted:
        return Part(what, "counting", "confirmed", "no table wins on one side only")
    if not proof.whole:
        return Part(what, "", "not re-decided", "its questions are not about all positions")
    by = ""
    for pair in proof.questions:
        parts = [said[script.name] for script in pair if script.name in said]
        if not parts:
            return Part(what, "", "not re-decided", "a script is missing that would prove it")
        by = parts[0].by
        if not any(part.outcome == "confirmed" and part.detail == "unsat" for part in parts):
            return Part(what, "", "not re-decided", "a script that would prove it has not the answer `unsat`")
    return Part(what, by or "engine", "confirmed", "no position separates the two by it")


def _walked(what: str, name: str, allows: object, a: tuple[Rules, RuleSet], b: tuple[Rules, RuleSet]) -> Part:
    """That a clause on the order of play forbids nothing that the other side allows."""
    if allows in ("a", "b") and (
        forbids_nothing(name, a, b) if allows == "a" else forbids_nothing(name, b, a)
    ):
        return Part(what, "walking", "confirmed", "no order of events separates the two by it")
    return Part(what, "engine", "refuted", "the order of play parts by it")


def _all_equal(
    joined: Joint, names: Sequence[str], differences: Sequence[dict[str, Any]], proved: Sequence[Proof]
) -> Part:
    """That nothing else than what is proved equal differs."""
    if any(x.get("status") != "proved-equal" for x in differences):
        return Part("equal", "engine", "refuted", "a difference is not proved equal")
    shown = set(names)
    changed = [name for name in clauses_of(joined.a, joined.b) if differs(joined.a, joined.b, name)]
    directions = {(name, x.get("allows")) for name, x in zip(names, differences, strict=True)}
    asked = {(x.clause, x.allows) for x in proved if x.clause in changed}
    left = [name for name in changed if name not in shown] + [name for name, _ in asked - directions]
    if left:
        return Part("equal", "engine", "refuted", f"`{min(left)}` differs too")
    return Part("equal", "engine", "confirmed", "no other clause differs")


def _separates(
    what: str, difference: dict[str, Any], rules: Sequence[Rules], found: Certificate, path: str
) -> Iterator[Part]:
    """A position from which, after the same legal events, one rule set allows an event that the other forbids."""
    where = f"answer.{what}"
    shown = form(difference.get("position"), Shown, path, where)
    said = form(difference.get("event"), list[Any], path, where)
    way = form(difference.get("after", []), list[list[Any]], path, where)
    allows = difference.get("allows")
    try:
        places = [played(shown.under(each), way) for each in rules[:2]]
    except BadPosition as wrong:
        yield Part(what, "engine", "refuted", f"no position of these rules: {wrong.field}: {wrong}")
        return
    one, other = places
    if one is None or other is None:
        yield Part(what, "engine", "refuted", "play does not lead there under both")
        return
    event = event_of(said, (one, other))
    if allows not in ("a", "b") or event is None:
        yield Part(what, "engine", "refuted", "it names no event that both can judge")
        return
    yes, no = (0, 1) if allows == "a" else (1, 0)
    allowing, forbidding_ = (one, other) if allows == "a" else (other, one)
    if not allowing.can(event) or forbidding_.can(event):
        yield Part(what, "engine", "refuted", "the two do not differ there")
        return
    yield Part(what, "engine", "confirmed", "one allows the event, the other forbids it")
    witness = meld_witness(allowing, event)
    if witness is not None:
        typed = typed_of(found.rules[yes].name, rules[yes])
        yield meld_part(f"{what}: allowed", allowing, event, witness, typed)
    typed = typed_of(found.rules[no].name, rules[no])
    fewest = _fewest(forbidding_, event, typed)
    if fewest is not None:
        yield core_part(f"{what}: forbidden", forbidding_, event, fewest, typed)
    if difference.get("cards") != shown.cards:
        yield Part(f"{what}: cards", "engine", "refuted", f"they are {shown.cards}")
    if difference.get("smallest") is True:
        yield Part(f"{what}: smallest", "", "not re-decided", "that no smaller position separates them")


def _fewest(position: Position, event: Event, typed: RuleSet) -> list[str] | None:
    """One clause that forbids an event alone, if there is one."""
    asked = forbidding(position, event, typed)
    every = frozenset(ground.name for ground, _ in asked.question.clauses)
    return next(([name] for name in sorted(every) if not asked.again.legal(every - {name})), None)
