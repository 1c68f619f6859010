"""A rule set as people read it, and the same as data for programs.

Every clause stands with its sentence, its words, its passages and the rule set that it comes from; nothing of
the rule set is left out.
"""

from __future__ import annotations

from textwrap import indent, wrap
from typing import Any

from conquian.language import clauses as c
from conquian.language.fmt import format_rules
from conquian.language.formula import Formula
from conquian.language.obligations import Claim, Ending
from conquian.language.rules import Clause, Reading, RuleSet
from conquian.language.wording import body_words, claim_words
from conquian.tongue import mark, tell

PARTS = (
    mark("the deal"),
    mark("melds"),
    mark("the order of play"),
    mark("melding"),
    mark("forcing"),
    mark("the end and the stakes"),
)
CLAIMS = (
    mark("every card is in one place"),
    mark("some event is always legal"),
    mark("every demand can be met"),
    mark("some play reaches the goal"),
    mark("no play passes the goal"),
    mark("every rule matters"),
    mark("no rule contradicts another"),
    mark("play ends"),
)
"""What can be asked to be proved, in the words of the language; one more names a number."""


def part_of(body: c.Body[Formula]) -> str:
    """What a clause is about, one of `PARTS`."""
    match body:
        case c.Deck() | c.Order() | c.Players() | c.Dealing() | c.Starter() | c.Exchange() | c.Goal():
            return "the deal"
        case c.Shape():
            return "melds"
        case c.Phase() | c.Opening():
            return "the order of play"
        case c.Modal(_, _, verbs, _, _):
            if "force" in verbs:
                return "forcing"
            return "melding" if {"meld", "arrange"} & {*verbs} else "the order of play"
        case c.Must():
            return "forcing"
        case _:
            return "the end and the stakes"


def show(rules: RuleSet) -> str:
    """The rule set for people."""
    lines = [f"{rules.name}: {rules.called}"]
    if len(rules.lineage) > 1:
        lines.append(tell("extends {names}", names=", ".join(reversed(rules.lineage[:-1]))))
    if not rules.playable:
        lines.append(tell("a fragment, no game by itself"))
    lines.extend(
        tell("source {prefix}: {title} ({file})", prefix=s.prefix, title=s.called, file=s.file)
        for s in rules.sources
    )
    for part in PARTS:
        found = [clause for clause in rules.clauses if part_of(clause.body) == part]
        if found:
            lines.extend(["", tell(part).upper()])
        for clause in found:
            lines.extend(["", *_clause(clause, rules)])
    if rules.readings:
        lines.extend(["", tell("Readings").upper()])
    for reading in rules.readings:
        lines.extend(["", *_reading(reading, rules)])
    if rules.obligations:
        lines.extend(["", tell("Proofs").upper(), ""])
    for one in rules.obligations:
        lines.extend(_wrapped(f"{one.name}: {claim_said(one.claim)}{_from(one.origin, rules)}"))
    return "\n".join(lines) + "\n"


def _clause(clause: Clause, rules: RuleSet) -> list[str]:
    lines = _wrapped(f"{clause.name}: {clause.said}{_from(clause.origin, rules)}")
    lines.append(indent(laid_out(clause), "    "))
    if clause.code is not None:
        lines.append("    " + tell("code {code}", code=clause.code))
    lines.extend(_cited(clause.cites, rules))
    return lines


def _reading(reading: Reading, rules: RuleSet) -> list[str]:
    others = [choice for choice in reading.choices if choice != reading.default]
    lines = _wrapped(f"{reading.name}: {reading.asked}{_from(reading.origin, rules)}")
    chosen = ""
    if reading.chosen_in not in (reading.origin, rules.name):
        chosen = tell(", chosen in {rules}", rules=reading.chosen_in)
    said = tell("{choice} (or {others})", choice=reading.default, others=", ".join(others))
    lines.append(f"    {said}{chosen}")
    if reading.because:
        lines.extend(wrap(reading.reason, 100, initial_indent="    ", subsequent_indent="    "))
    lines.extend(_cited(reading.cites, rules))
    return lines


def _wrapped(text: str, margin: str = "  ") -> list[str]:
    return wrap(text, 100, initial_indent=margin, subsequent_indent=margin + "  ", break_on_hyphens=False)


def _from(origin: str, rules: RuleSet) -> str:
    return "" if origin == rules.name else " " + tell("(inherited from {rules})", rules=origin)


def _cited(cites: tuple[str, ...], rules: RuleSet) -> list[str]:
    """The passages, those of one sheet together under its title."""
    by_title: dict[str, list[str]] = {}
    for passage in cites:
        source = rules.source_of(passage)
        by_title.setdefault(source.called if source is not None else tell("no sheet"), []).append(passage)
    lines = []
    for title, passages in by_title.items():
        text = f"{title}: {', '.join(passages)}"
        lines.extend(_wrapped(text, "    "))
    return lines


def claim_said(claim: Claim) -> str:
    """What is to be proved, in the language spoken."""
    if isinstance(claim, Ending) and claim.within is not None:
        return tell("play ends within {number} events", number=claim.within)
    return tell(claim_words(claim))


def laid_out(clause: Clause) -> str:
    """The body of a clause as rule files have it, definitions written out."""
    text = format_rules(f'clause {clause.name} ""\n{body_words(clause.body)}\n')
    return "\n".join(line[2:] for line in text.splitlines()[1:])


def as_data(rules: RuleSet) -> dict[str, Any]:
    """The rule set for programs, in the order of its files."""
    return {
        "name": rules.name,
        "title": rules.called,
        "playable": rules.playable,
        "lineage": list(rules.lineage),
        "sources": [{"prefix": s.prefix, "title": s.title, "file": s.file} for s in rules.sources],
        "clauses": [
            {
                "name": clause.name,
                "sentence": clause.said,
                "about": part_of(clause.body),
                "kind": type(clause.body).__name__.lower(),
                "text": laid_out(clause),
                "code": clause.code,
                **_origin(clause.cites, clause.origin, rules),
            }
            for clause in rules.clauses
        ],
        "readings": [
            {
                "name": reading.name,
                "question": reading.asked,
                "choices": list(reading.choices),
                "default": reading.default,
                "because": reading.reason,
                "chosen_in": reading.chosen_in,
                **_origin(reading.cites, reading.origin, rules),
            }
            for reading in rules.readings
        ],
        "obligations": [
            {
                "name": one.name,
                "claim": claim_words(one.claim),
                "origin": one.origin,
                "inherited": one.origin != rules.name,
            }
            for one in rules.obligations
        ],
    }


def _origin(cites: tuple[str, ...], origin: str, rules: RuleSet) -> dict[str, Any]:
    sources = (rules.source_of(passage) for passage in cites)
    return {
        "cites": list(cites),
        "sources": list(dict.fromkeys(s.title for s in sources if s is not None)),
        "origin": origin,
        "inherited": origin != rules.name,
    }
