"""What `conquian report` writes: one game of a file to its page and an exit status."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from conquian.pictures.page import page
from conquian.pictures.story import NoForm, Untellable, story_of
from conquian.questions import CannotAsk, notation_of
from conquian.scoring import sheets
from conquian.tongue import tell, tell_n
from conquian.transcript.sheet import Sheet


class CannotReport(ValueError):
    """A file that gives no page; `lines` say what is wrong in it, `hint` what to do."""

    def __init__(self, message: str, hint: str = "", lines: Sequence[str] = ()) -> None:
        self.hint, self.lines = hint, tuple(lines)
        super().__init__(message)


def report_page(
    path: str,
    *,
    rules: str | None,
    readings: Mapping[str, str],
    game: int | None,
    cards: str | None,
    as_played: bool = True,
) -> tuple[str, int]:
    """The page and the exit status: 1 with something illegal in it, 2 with something that cannot be read.

    CannotReport if there is no page; OSError if the file cannot be opened; RulesError and UnknownReading for what the
    caller passed.
    """
    sheet = _sheet(path, game)
    try:
        notation = None if cards is None else notation_of(cards)
        story = story_of(sheet, rules=rules, readings=readings, notation=notation, as_played=as_played)
    except CannotAsk as wrong:
        raise CannotReport(str(wrong), wrong.hint) from None
    except NoForm as wrong:
        raise CannotReport(str(wrong), tell("leave out --cards")) from None
    except Untellable as wrong:
        lines = [
            line
            for e in wrong.errors
            for line in (
                f"{sheet.path}:{e.line}:{e.column}: {e.code} {e.message}",
                tell("hint: {hint}", hint=e.hint),
            )
        ]
        raise CannotReport(tell("{name}: nothing of it can be shown", name=sheet.name), lines=lines) from None
    verdict = story.verdict
    status = {"unreadable": 2, "invalid": 1}.get(verdict.verdict, 0)
    return page(story), status


def _sheet(path: str, game: int | None) -> Sheet:
    """The game of a file that is meant: the only one, or the one with a number, counted from 1."""
    found: Sheet | None = None
    number = 0
    for number, sheet in enumerate(sheets(path), 1):
        if number == (game or 1):
            found = sheet
        if game is not None and number == game:
            break
        if game is None and number == 2:
            raise CannotReport(
                tell("{file} holds several games", file=path),
                tell("choose one with --game N, counted from 1"),
            )
    if found is None:
        raise CannotReport(
            tell("{file} has no game {number}", file=path, number=game),
            tell_n("it holds {number} game", "it holds {number} games", number),
        )
    return found
