"""Verdicts for people: one block a game, in which the first line of each finding tells file, line, column and
code in a form that programs can take apart (`path:line:col: code message (deal n, event n)`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
from msgspec import UNSET

from conquian.findings import Finding, source_with_marks
from conquian.transcript.sheet import Sheet
from conquian.verdict import AsPlayed, DealVerdict, FileVerdict, Stood, Violation

GREEN, RED, YELLOW, BOLD, PLAIN = "\033[32m", "\033[31m", "\033[33m", "\033[1m", "\033[0m"
COLOURS = {"valid": GREEN, "invalid": RED, "unfinished": YELLOW, "unreadable": RED}


def verdict_lines(
    verdict: FileVerdict, sheet: Sheet, colour: bool, sentences: Sequence[str]
) -> Iterator[str]:
    """The lines that say how a game was judged; `sentences` are the words of each deal's deciding clause."""

    def paint(text: str, code: str) -> str:
        return f"{code}{text}{PLAIN}" if colour else text

    rules = f" ({verdict.rules}{_readings(verdict.readings)})" if verdict.rules else ""
    yield f"{verdict.file}: {paint(verdict.verdict, COLOURS[verdict.verdict])}{rules}"
    for error in verdict.errors:
        found = next(
            (e for e in sheet.errors if (e.line, e.column, e.code) == (error.line, error.column, error.code)),
            None,
        )
        shown = found or Finding(error.code, error.message, error.line, error.column, error.hint)
        yield from sheet.show(shown).splitlines()
    for note in verdict.notes:
        yield f"  note: {note.message} ({note.code})"
    for index, deal in enumerate(verdict.deals):
        how = paint(deal.verdict, COLOURS[deal.verdict])
        yield f"  deal {deal.number}: {how}{_result(deal)}{_totals(deal, index, sheet)}"
        for violation in deal.violations:
            yield from _violation(violation, deal, index, sheet, sentences)
        if isinstance(deal.as_played, AsPlayed) and deal.as_played.result is not None:
            yield f"    as played{_result(deal.as_played)}"
        for other in deal.differs_under:
            change = _change(other.readings)
            at = f" at event {other.event}" if other.event is not None else ""
            code = f", {other.code}" if other.code else ""
            yield f"    with {change}: {other.verdict}{code}{at}"
        for note in deal.notes:
            where = f", event {note.event}" if note.event is not None else ""
            yield f"    note: {note.message} ({note.code}; line {note.line}{where})"


def _violation(
    violation: Violation, deal: DealVerdict, index: int, sheet: Sheet, sentences: Sequence[str]
) -> Iterator[str]:
    event = f", event {violation.event}" if violation.event is not None else ""
    if violation.after_irregularity is True:
        yield "    after an irregularity:"
    place = f"{sheet.path}:{violation.line}:{violation.column}"
    yield f"{place}: {violation.code} {violation.message} (deal {deal.number}{event})"
    yield from source_with_marks(sheet.line(violation.line), _marks(violation, index, sheet))
    if violation.clause is not None:
        source = f" ({violation.source})" if violation.source else ""
        words = sentences[index] if index < len(sentences) else ""
        if violation.after_irregularity is True:
            words = (violation.stood.rule if isinstance(violation.stood, Stood) else None) or ""
        yield f"    rule {violation.clause}{source}: {words}".rstrip()
    if violation.hint:
        yield f"    hint: {violation.hint}"
    if violation.legal_under:
        yield f"    legal with {' or with '.join(_change(c) for c in violation.legal_under)}"
    if violation.core is not UNSET:
        from conquian.whys import lines

        yield from (f"    {line}" for line in lines(msgspec.structs.asdict(violation)))
    if isinstance(violation.stood, Stood):
        yield from _stood(violation.stood, index, sheet)


def _stood(stood: Stood, index: int, sheet: Sheet) -> Iterator[str]:
    """Whether the act stands, and who could have objected until when."""
    if stood.objectors:
        who = " or ".join(stood.objectors)
        if stood.until is None:
            yield f"    {who} can still object, as far as the record goes"
        else:
            line = sheet.where.event(index, stood.until).line
            yield f"    {who} could have objected until event {stood.until} (line {line})"
    if stood.taken:
        yield "    nobody objected: taken as played"
    else:
        yield f"    cannot be taken as played: {stood.why}"


def _marks(violation: Violation, index: int, sheet: Sheet) -> list[tuple[int, int | None]]:
    from conquian.violations import marks

    game = sheet.game
    if game is not None and violation.event is not None and violation.cards:
        parts = game.deals[index].events[violation.event]
        spans = marks(sheet, index, violation.event, parts, violation.cards)
        found: list[tuple[int, int | None]] = [
            (s.column, s.end_column) for s in spans if s.line == violation.line
        ]
        if found:
            return found
    if violation.event is not None:
        span = sheet.where.event(index, violation.event)
        if span.line == violation.line:
            return [(span.column, span.end_column)]
    return [(violation.column, None)]


def _result(deal: DealVerdict | AsPlayed) -> str:
    if deal.result is None:
        return ""
    winner = deal.result.get("winner")
    return f", {winner} wins" if winner else ", drawn"


def _totals(deal: DealVerdict, index: int, sheet: Sheet) -> str:
    """How many events were judged, where some were not."""
    events = len(sheet.game.deals[index].events) if sheet.game is not None else 0
    judged = events
    if deal.verdict == "unreadable":
        judged = 0
    elif deal.violations:
        first = deal.violations[0]
        judged = first.event + 1 if first.event is not None else 0 if first.code != "wrong-result" else events
        if isinstance(deal.as_played, AsPlayed):
            judged = deal.as_played.judged
    left = events - judged
    return f" - {judged} of {events} events judged, {left} not judged" if left else ""


def _change(readings: dict[str, str]) -> str:
    return " and ".join(f"{name}={choice}" for name, choice in readings.items())


def _readings(readings: dict[str, str]) -> str:
    return f"; {', '.join(f'{name}={choice}' for name, choice in readings.items())}" if readings else ""
