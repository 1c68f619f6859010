"""Verdicts for people: one block a game, in which the first line of each finding tells file, line, column and
code in a form that programs can take apart (`path:line:col: code message (deal n, event n)`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
from msgspec import UNSET

from conquian.cards import Notation, shown_cards
from conquian.findings import Finding, source_with_marks
from conquian.sentences import sheet as sheet_title
from conquian.tongue import both, either, mark, tell
from conquian.transcript.sheet import Sheet
from conquian.verdict import AsPlayed, DealNote, DealVerdict, FileVerdict, Stood, Violation
from conquian.visible import visible, visible_line

GREEN, RED, YELLOW, BOLD, PLAIN = "\033[32m", "\033[31m", "\033[33m", "\033[1m", "\033[0m"
COLOURS = {"valid": GREEN, "invalid": RED, "unfinished": YELLOW, "unreadable": RED}


VERDICTS = {
    "valid": mark("valid"),
    "invalid": mark("invalid"),
    "unfinished": mark("unfinished"),
    "unreadable": mark("unreadable"),
}
NOTE = mark("note: {message} ({code}; line {line})")
NOTE_AT_EVENT = mark("note: {message} ({code}; line {line}, event {event})")
IN_DEAL = mark("deal {number}")
IN_DEAL_AT_EVENT = mark("deal {number}, event {event}")


def verdict_lines(
    verdict: FileVerdict, sheet: Sheet, colour: bool, sentences: Sequence[str]
) -> Iterator[str]:
    """The lines that say how a game was judged; `sentences` are the words of each deal's deciding clause."""

    def paint(text: str, code: str) -> str:
        return f"{code}{text}{PLAIN}" if colour else text

    rules = f" ({verdict.rules}{_readings(verdict.readings)})" if verdict.rules else ""
    yield f"{visible(verdict.file)}: {paint(tell(VERDICTS[verdict.verdict]), COLOURS[verdict.verdict])}{rules}"
    for error in verdict.errors:
        found = next(
            (e for e in sheet.errors if (e.line, e.column, e.code) == (error.line, error.column, error.code)),
            None,
        )
        shown = found or Finding(error.code, error.message, error.line, error.column, error.hint)
        yield from sheet.show(shown).splitlines()
    for note in verdict.notes:
        yield "  " + tell("note: {message} ({code})", message=note.message, code=note.code)
    for index, deal in enumerate(verdict.deals):
        how = paint(tell(VERDICTS[deal.verdict]), COLOURS[deal.verdict])
        said = f"{how}{visible(_result(deal))}{_totals(deal, index, sheet)}"
        yield "  " + tell("deal {number}: {said}", number=deal.number, said=said)
        for violation in deal.violations:
            yield from map(visible_line, _violation(violation, deal, index, sheet, sentences))
        if isinstance(deal.as_played, AsPlayed) and deal.as_played.result is not None:
            yield "    " + tell("as played") + visible(_result(deal.as_played))
        for other in deal.differs_under:
            change = _change(other.readings)
            at = "" if other.event is None else tell(" at event {event}", event=other.event)
            verdict_ = tell(VERDICTS[other.verdict]) + (f", {other.code}" if other.code else "") + at
            yield "    " + tell("with {readings}: {answer}", readings=change, answer=verdict_)
        for note in deal.notes:
            yield visible_line("    " + note_line(note))


def note_line(note: DealNote) -> str:
    """A note with its code, line and event."""
    template = NOTE if note.event is None else NOTE_AT_EVENT
    return tell(template, message=note.message, code=note.code, line=note.line, event=note.event)


def plain_lines(verdict: FileVerdict) -> Iterator[str]:
    """The same of a game of which nothing is to be said."""
    yield f"{verdict.file}: {tell(VERDICTS[verdict.verdict])} ({verdict.rules})"
    for deal in verdict.deals:
        said = tell(VERDICTS[deal.verdict]) + _result(deal)
        yield "  " + tell("deal {number}: {said}", number=deal.number, said=said)


def _violation(
    violation: Violation, deal: DealVerdict, index: int, sheet: Sheet, sentences: Sequence[str]
) -> Iterator[str]:
    if violation.after_irregularity is True:
        yield "    " + tell("after an irregularity:")
    template = IN_DEAL if violation.event is None else IN_DEAL_AT_EVENT
    where = tell(template, number=deal.number, event=violation.event)
    place = f"{sheet.path}:{violation.line}:{violation.column}"
    yield f"{place}: {violation.code} {violation.message} ({where})"
    yield from source_with_marks(sheet.line(violation.line), _marks(violation, index, sheet))
    if violation.clause is not None:
        words = sentences[index] if index < len(sentences) else ""
        if violation.after_irregularity is True:
            words = (violation.stood.rule if isinstance(violation.stood, Stood) else None) or ""
        yield f"    {ruled(violation.clause, violation.source, words)}".rstrip()
    if violation.hint:
        yield "    " + tell("hint: {hint}", hint=violation.hint)
    if violation.legal_under:
        yield "    " + legal_with(violation.legal_under)
    if violation.core is not UNSET:
        from conquian.whys import lines

        told = lines(msgspec.structs.asdict(violation), lambda cards: [shown_cards(cards, _notation(sheet))])
        yield from (f"    {line}" for line in told)
    if isinstance(violation.stood, Stood):
        yield from _stood(violation.stood, index, sheet)


def _stood(stood: Stood, index: int, sheet: Sheet) -> Iterator[str]:
    """Whether the act stands, and who could have objected until when."""
    if stood.objectors:
        who = either(stood.objectors)
        if stood.until is None:
            yield "    " + tell("{players} can still object, as far as the record goes", players=who)
        else:
            line = sheet.where.event(index, stood.until).line
            yield "    " + tell(
                "{players} could have objected until event {event} (line {line})",
                players=who,
                event=stood.until,
                line=line,
            )
    if stood.taken:
        yield "    " + tell("nobody objected: taken as played")
    else:
        yield "    " + tell("cannot be taken as played: {reason}", reason=stood.why)


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


def _notation(sheet: Sheet) -> Notation:
    return sheet.game.cards if sheet.game is not None else "french"


def _result(deal: DealVerdict | AsPlayed) -> str:
    if deal.result is None:
        return ""
    winner = deal.result.get("winner")
    return ", " + (tell("{player} wins", player=winner) if winner else tell("drawn"))


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
    if not left:
        return ""
    return " - " + tell(
        "{judged} of {events} events judged, {left} not judged", judged=judged, events=events, left=left
    )


def ruled(clause: str, source: str | None, words: str) -> str:
    """The clause that decides: its passage, its source, its sentence."""
    where = f"{clause} ({sheet_title(source)})" if source else clause
    return tell("rule {clause}: {sentence}", clause=where, sentence=words)


def legal_with(changes: Sequence[dict[str, str]]) -> str:
    """The changes of readings under which it would be legal."""
    return tell("legal with {readings}", readings=tell(" or with ").join(_change(c) for c in changes))


def _change(readings: dict[str, str]) -> str:
    return both([f"{name}={choice}" for name, choice in readings.items()])


def _readings(readings: dict[str, str]) -> str:
    return f"; {', '.join(f'{name}={choice}' for name, choice in readings.items())}" if readings else ""
