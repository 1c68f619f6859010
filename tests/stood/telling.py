"""Records of what stood, judged by both referees, and taken as played."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from conquian.engine.engine import engine
from conquian.judgement import file_verdict
from conquian.transcript.read import read
from conquian.transcript.sheet import Sheet
from conquian.verdict import DealVerdict, Violation
from tests.reference.referee import judge as second_judge
from tests.rules.telling import in_a_word, said

Document = dict[str, Any]
ANA = "Ana holds Jh Jd 6c 7c 3d 4d Ks As 2h 6s\n"
"""A hand for the deals of this folder; the cards that Ana lays and throws are in it."""


def sheet_of(rules: str, record: str, *readings: str, players: str = "Ana, Ben") -> Sheet:
    head = f"rules: {rules}\nplayers: {players}\n"
    head += f"readings: {', '.join(readings)}\n" if readings else ""
    (sheet,) = read(f"{head}\n{record}\n".encode(), "test.cqn")
    assert not sheet.errors, [sheet.show(error) for error in sheet.errors]
    return sheet


def verdicts(rules: str, record: str, *readings: str, players: str = "Ana, Ben") -> tuple[DealVerdict, ...]:
    """The verdicts on all deals; the second referee says the same, of notes on what was taken back, too."""
    sheet = sheet_of(rules, record, *readings, players=players)
    verdict, _ = file_verdict(sheet, None, {}, False)
    game: Document = json.loads(msgspec.json.encode(sheet.game))
    others = second_judge(game)
    assert [in_a_word(deal) for deal in verdict.deals] == [
        said(r.verdict, r.code, r.event, r.winner, r.drawn) for r in others
    ]
    taken = [[note.code for note in deal.notes].count("taken-back") for deal in verdict.deals]
    assert taken == [[note.code for note in r.notes].count("taken-back") for r in others]
    return verdict.deals


def judged(rules: str, record: str, *readings: str, players: str = "Ana, Ben") -> str:
    """The verdict on one deal in a word."""
    (deal,) = verdicts(rules, record, *readings, players=players)
    return in_a_word(deal)


def notes(rules: str, record: str, *readings: str) -> list[tuple[str, int | None]]:
    (deal,) = verdicts(rules, record, *readings)
    return [(note.code, note.event) for note in deal.notes]


def as_played(rules: str, record: str, *readings: str, players: str = "Ana, Ben") -> DealVerdict:
    """The verdict on one deal in which acts are taken as played; its first finding is that of the plain verdict."""
    sheet = sheet_of(rules, record, *readings, players=players)
    (plain,) = file_verdict(sheet, None, {}, False)[0].deals
    (deal,) = file_verdict(sheet, None, {}, False, as_played=True)[0].deals
    assert (deal.verdict, deal.result, deal.notes) == (plain.verdict, plain.result, plain.notes)
    assert [bare(v) for v in deal.violations[:1]] == [bare(v) for v in plain.violations]
    marks = [v.after_irregularity for v in deal.violations]
    assert marks == [number > 0 for number in range(len(marks))]
    return deal


def bare(violation: Violation) -> Document:
    """A violation without what only acts taken as played have."""
    document: Document = json.loads(msgspec.json.encode(violation))
    return {key: value for key, value in document.items() if key not in ("stood", "after_irregularity")}


def findings(deal: DealVerdict) -> list[str]:
    """The findings in short: code and event, with a `!` where the act could not be taken as played."""
    found = []
    for one in deal.violations:
        stood = one.stood
        at = "" if one.event is None else f" @ {one.event}"
        fell = isinstance(stood, msgspec.Struct) and not stood.taken
        found.append(f"{one.code}{at}{'!' if fell else ''}")
    return found


def rules_of(name: str) -> int:
    """The number of seats of a rule set."""
    return engine(name).seats
