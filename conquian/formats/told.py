"""A verdict as a row of remarks, each with its place: what all forms for programs are written from.

Guarantees: errors first, then deal by deal its violations and its notes, in the order of the verdict; an error that
cost one deal carries that deal's number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from msgspec import UNSET, structs

from conquian.verdict import DealNote, DealVerdict, Error, FileVerdict, Stood, Violation

if TYPE_CHECKING:
    from conquian.transcript.sheet import Sheet

Level = Literal["error", "warning", "note"]


class Told(NamedTuple):
    """One thing that is said about a file. Lines and columns count from 1 and count characters; `end_column` is the
    column after the last character. `deal` is the number of the deal that it is about."""

    level: Level
    code: str
    path: str
    line: int
    column: int | None
    end_column: int | None
    message: str
    more: tuple[str, ...]
    deal: int | None
    event: int | None = None
    about: dict[str, object] = {}  # noqa: RUF012 - never written to
    """What else programs may want to know of a violation."""

    @property
    def words(self) -> str:
        """Message, place in the game and everything that is to be added, a line each."""
        return "\n".join((self.headline, *self.more))

    @property
    def headline(self) -> str:
        where = [f"{name} {n}" for name, n in (("deal", self.deal), ("event", self.event)) if n is not None]
        return f"{self.message} ({', '.join(where)})" if where else self.message


def remarks(path: str, verdict: FileVerdict, sheet: Sheet | None, sentences: Sequence[str]) -> Iterator[Told]:
    """Everything that is said about one game of the file `path`."""
    for error in verdict.errors:
        yield _error(path, error, verdict, sheet)
    for note in verdict.notes:
        yield _note(path, note, None)
    for index, deal in enumerate(verdict.deals):
        words = sentences[index] if index < len(sentences) else ""
        for violation in deal.violations:
            yield _violation(path, violation, deal, index, sheet, words)
            words = ""  # they are those of the first violation
        for note in deal.notes:
            yield _note(path, note, deal.number)


def _error(path: str, error: Error, verdict: FileVerdict, sheet: Sheet | None) -> Told:
    key = (error.line, error.column, error.code)
    found = [e for e in sheet.errors if (e.line, e.column, e.code) == key] if sheet is not None else []
    end = found[0].end_column if found else None
    lost = found[0].deal if found else None
    deal = verdict.deals[lost].number if lost is not None and lost < len(verdict.deals) else None
    hint = (f"hint: {error.hint}",) if error.hint else ()
    return Told("error", error.code, path, error.line, error.column, end, error.message, hint, deal)


def _note(path: str, note: DealNote, deal: int | None) -> Told:
    return Told("note", note.code, path, note.line, None, None, note.message, (), deal, note.event)


def _violation(
    path: str, said: Violation, deal: DealVerdict, index: int, sheet: Sheet | None, words: str
) -> Told:
    more: list[str] = []
    if isinstance(said.stood, Stood) and said.stood.rule:
        words = words or said.stood.rule
    if said.clause is not None:
        source = f" ({said.source})" if said.source else ""
        more.append(f"rule {said.clause}{source}: {words}" if words else f"rule {said.clause}{source}")
    if said.hint:
        more.append(f"hint: {said.hint}")
    if said.legal_under:
        changes = (" and ".join(f"{n}={c}" for n, c in change.items()) for change in said.legal_under)
        more.append(f"legal with {' or with '.join(changes)}")
    if said.core is not UNSET:
        from conquian.whys import lines

        more.extend(lines(structs.asdict(said)))
    about: dict[str, object] = {
        "player": said.player,
        "cards": list(said.cards),
        "clause": said.clause,
        "source": said.source,
        "legal_under": list(said.legal_under),
    }
    return Told(
        "error",
        said.code,
        path,
        said.line,
        said.column,
        _end(said, index, sheet),
        said.message,
        tuple(more),
        deal.number,
        said.event,
        about,
    )


def _end(said: Violation, index: int, sheet: Sheet | None) -> int | None:
    """The column after the card, or after the event, that a violation points to; None if it points to neither."""
    if sheet is None or sheet.game is None or said.event is None:
        return None
    from conquian.violations import marks

    event = sheet.game.deals[index].events[said.event]
    spans = [*marks(sheet, index, said.event, event, said.cards), sheet.where.event(index, said.event)]
    here = (span for span in spans if (span.line, span.column) == (said.line, said.column))
    return next((span.end_column for span in here), None)
