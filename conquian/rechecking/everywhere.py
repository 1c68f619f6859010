"""Certificates about all positions: `diff` and `spec check`.

A position that is shown is judged anew under the rules; a claim that there is none is a script, which a second solver
answers where one is installed. What neither can decide is told.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from conquian.certificate import Certificate, Query
from conquian.certifying import typed_of
from conquian.engine.play import Event
from conquian.language.rules import RuleSet
from conquian.position import BadPosition, Position, Rules
from conquian.rechecking.parts import Part, core_part, event_of, form, meld_part
from conquian.verifier.claims import forbidding
from conquian.verifier.second import BadScript, second_solver
from conquian.witnessing import meld_witness


class Shown(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A position as `diff`, `settle` and `--position` write it."""

    up: str | None = None
    table: list[list[str]] = []
    hand: list[str] | None = None
    opponent_table: list[list[str]] = []
    stock: int | None = None
    turned_by: str | None = None
    declined: bool = False

    def under(self, rules: Rules) -> Position:
        return rules.position(
            up=self.up,
            table=self.table,
            hand=self.hand,
            opponent_table=self.opponent_table,
            stock=self.stock,
            turned_by=self.turned_by,
            declined=self.declined,
        )

    @property
    def cards(self) -> int:
        """Table, hand and offer."""
        return sum(map(len, self.table)) + len(self.hand or ()) + (self.up is not None)


def diff(found: Certificate, rules: Sequence[Rules], path: str) -> Iterator[Part]:
    answer = form(found.answer, dict[str, Any], path, "answer")
    differences = form(answer.get("differences"), list[dict[str, Any]], path, "answer.differences")
    for number, difference in enumerate(differences, 1):
        what = f"difference {number}"
        status = difference.get("status")
        if status == "position":
            yield from _separates(what, difference, rules, found, path)
        elif status == "proved-equal":
            if not found.queries:
                yield Part(what, "", "not re-decided", "no script is there to prove it")
        else:
            yield Part(
                what, "", "not re-decided", f"it is `{str(status)[:40]}`, which only a search can give"
            )
    if answer.get("equal") is True and any(d.get("status") != "proved-equal" for d in differences):
        yield Part("equal", "engine", "refuted", "a difference is not proved equal")
    yield from by_second_solver(found.queries)


def _separates(
    what: str, difference: dict[str, Any], rules: Sequence[Rules], found: Certificate, path: str
) -> Iterator[Part]:
    """A position that one of two rule sets allows an event in, and the other forbids it."""
    where = f"answer.{what}"
    shown = form(difference.get("position"), Shown, path, where)
    said = form(difference.get("event"), list[Any], path, where)
    allows = difference.get("allows")
    try:
        places = [shown.under(each) for each in rules[:2]]
    except BadPosition as wrong:
        yield Part(what, "engine", "refuted", f"no position of these rules: {wrong.field}: {wrong}")
        return
    event = event_of(said, places)
    if allows not in ("a", "b") or event is None:
        yield Part(what, "engine", "refuted", "it names no event that both can judge")
        return
    yes, no = (0, 1) if allows == "a" else (1, 0)
    if not places[yes].can(event) or places[no].can(event):
        yield Part(what, "engine", "refuted", "the two do not differ there")
        return
    yield Part(what, "engine", "confirmed", "one allows the event, the other forbids it")
    witness = meld_witness(places[yes], event)
    if witness is not None:
        typed = typed_of(found.rules[yes].name, rules[yes])
        yield meld_part(f"{what}: allowed", places[yes], event, witness, typed)
    fewest = _fewest(places[no], event, typed_of(found.rules[no].name, rules[no]))
    if fewest is not None:
        typed = typed_of(found.rules[no].name, rules[no])
        yield core_part(f"{what}: forbidden", places[no], event, fewest, typed)
    if difference.get("cards") != shown.cards:
        yield Part(f"{what}: cards", "engine", "refuted", f"they are {shown.cards}")
    if difference.get("smallest") is True:
        yield Part(f"{what}: smallest", "", "not re-decided", "that no smaller position separates them")


def _fewest(position: Position, event: Event, typed: RuleSet) -> list[str] | None:
    """One clause that forbids an event alone, if there is one."""
    asked = forbidding(position, event, typed)
    every = frozenset(ground.name for ground, _ in asked.question.clauses)
    return next(([name] for name in sorted(every) if not asked.again.legal(every - {name})), None)


def spec_check(found: Certificate, rules: Sequence[Rules], path: str) -> Iterator[Part]:
    documents = found.answer if isinstance(found.answer, list) else [found.answer]
    proved = 0
    for document in documents:
        obligations = form(
            form(document, dict[str, Any], path, "answer").get("obligations", []),
            list[dict[str, Any]],
            path,
            "answer.obligations",
        )
        for obligation in obligations:
            name, status = str(obligation.get("name"))[:60], obligation.get("status")
            proved += status == "proved"
            if status == "refuted":
                yield _refuted(f"obligation `{name}`", obligation, rules[0], path)
            elif status != "proved":
                yield Part(f"obligation `{name}`", "", "not re-decided", f"it is `{str(status)[:40]}`")
    if proved and not found.queries:
        yield Part("proofs", "", "not re-decided", "no script is there to prove them")
    yield from by_second_solver(found.queries)


def _refuted(what: str, obligation: dict[str, Any], rules: Rules, path: str) -> Part:
    """A position that a refutation shows: that it is one of the rules; what it shows is not looked into."""
    try:
        form(obligation.get("position"), Shown, path, "answer.obligations").under(rules)
    except BadPosition as wrong:
        return Part(what, "engine", "refuted", f"no position of these rules: {wrong.field}: {wrong}")
    return Part(
        what, "", "not re-decided", "the position is one of these rules; try it with `legal` and `force`"
    )


def by_second_solver(queries: Sequence[Query]) -> Iterator[Part]:
    """Each script, put to a second solver."""
    second = second_solver() if queries else None
    for query in queries:
        what = f"script `{query.name[:60]}`"
        if second is None:
            yield Part(what, "", "not re-decided", "no second solver is installed; `pip install cvc5`")
            continue
        try:
            said = second.answer(query.smt2)
        except BadScript as wrong:
            yield Part(what, second.name, "refuted", str(wrong))
            continue
        if "unknown" in (said, query.expected):
            yield Part(
                what, second.name, "not re-decided", f"it says {said}, the certificate {query.expected}"
            )
        elif said == query.expected:
            yield Part(what, second.name, "confirmed", said)
        else:
            yield Part(what, second.name, "refuted", f"it says {said}, not {query.expected}")
