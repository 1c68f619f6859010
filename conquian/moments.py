"""The position just before an event of a transcript: what `--at FILE:LINE` and `--at FILE#DEAL@EVENT` name.

The event's own player asks. A place where no event stands, or that legal play does not reach, is a `CannotAsk`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from conquian.cards import Notation
from conquian.position import Rules
from conquian.questions import CannotAsk, Question, read_bytes
from conquian.tongue import tell

if TYPE_CHECKING:
    from conquian.engine.engine import Engine
    from conquian.judgement import Notice

LOOKED_BACK = 2
"""How many events before the named one a question keeps."""


class NoRules(CannotAsk):
    """Neither the transcript nor the question names rules."""


def before_event(
    at: str,
    rules: str | None,
    readings: dict[str, str],
    notation: Notation | None,
    notice: Notice | None = None,
) -> Question:
    """The position just before the event at a place in a transcript; the event's player asks.

    `notice` is told each note on what `rules` and `readings` override, also where the place cannot be asked about.
    """
    return before(events_at(at), rules, readings, notation, notice)


def events_at(at: str) -> tuple[Any, int, int]:
    """The sheet of the game, the index of the deal, and the event at a place in a transcript.

    The number of events of the deal stands for what is after its last event.
    """
    from conquian.transcript.read import read

    path, deal_index, event_index, line, column = _place(at)
    for sheet in read(read_bytes(path), path):
        game = sheet.game
        if game is None:
            if sheet.errors:
                first = sheet.errors[0]
                raise CannotAsk(f"{path}:{first.line}:{first.column}: {first.message}", first.hint)
            continue
        for d, deal in enumerate(game.deals):
            if line is None and deal.number == deal_index and event_index == len(deal.events):
                return sheet, d, len(deal.events)
        places = [
            (d, e, sheet.where.event(d, e).line, sheet.where.event(d, e).column)
            for d, deal in enumerate(game.deals)
            for e in range(len(deal.events))
        ]
        for d, e, event_line, event_column in places:
            number = game.deals[d].number
            if line is None:
                hit = number == deal_index and e == event_index
            else:
                last = max((c for x, y, ln, c in places if ln == line and c <= (column or 1)), default=None)
                hit = event_line == line and (
                    event_column == last
                    or (last is None and column is None)
                    or (last is None and e == min(y for _, y, ln, _ in places if ln == line))
                )
            if hit:
                return sheet, d, e
    raise CannotAsk(
        tell("{at}: no event stands there", at=at), tell("name the line of an event, or FILE#DEAL@EVENT")
    )


def engine_of_sheet(
    sheet: Any, rules: str | None, readings: dict[str, str], notice: Notice | None = None
) -> Engine:
    """The rules that a sheet is judged by; CannotAsk where they cannot be had, NoRules where nobody names any."""
    from conquian.engine.engine import UnknownReading
    from conquian.judgement import file_engine

    if rules is None and sheet.game.rules is None:
        raise NoRules(tell("{name}: no rule set is named", name=sheet.name), tell("add --rules NAME"))
    try:
        return file_engine(sheet, rules, readings, notice)
    except UnknownReading:
        raise
    except ValueError as wrong:
        raise CannotAsk(str(wrong), tell("mend the header, or add --rules NAME")) from None


def _place(at: str) -> tuple[str, int | None, int | None, int | None, int | None]:
    match = re.fullmatch(r"(.+)#(\d{1,9})@(\d{1,9})", at)
    if match:
        return match[1], int(match[2]), int(match[3]), None, None
    match = re.fullmatch(r"(.+?):(\d{1,9})(?::(\d{1,9}))?", at)
    if match is None:
        raise CannotAsk(
            tell("--at {at} names no place", at=at),
            tell("write FILE:LINE, FILE:LINE:COLUMN or FILE#DEAL@EVENT"),
        )
    return match[1], None, None, int(match[2]), int(match[3]) if match[3] else None


def before(
    place: tuple[Any, int, int],
    rules: str | None,
    readings: dict[str, str],
    notation: Notation | None,
    notice: Notice | None = None,
) -> Question:
    """The position just before an event, or after the last; the event's player asks, or the one who is due.

    `place` is what `events_at` found; `notice` as for `before_event`.
    """
    from conquian.match import dealer_of
    from conquian.referee import IllegalDeal, judge_deal, replay

    sheet, deal_index, event_index = place
    game = sheet.game
    engine = engine_of_sheet(sheet, rules, readings, notice)
    if deal_index in sheet.unreadable:
        raise cannot_be_read(sheet, deal_index)
    dealer = dealer_of(engine, game, deal_index, sheet.unreadable)
    ruled = Rules(engine)
    try:
        played = list(replay(ruled, game.players, game.deals[deal_index], dealer))
    except IllegalDeal as illegal:
        raise CannotAsk(
            tell("{name}: the deal itself is not legal ({illegal})", name=sheet.name, illegal=illegal)
        ) from None
    if event_index >= len(played):
        raise CannotAsk(
            tell("{name}: play stops being legal before that event", name=sheet.name),
            tell("`conquian validate` tells where"),
        )
    events, here = game.deals[deal_index].events, played[event_index][0]
    event = events[event_index] if event_index < len(events) else None
    player = str(event[0]) if event is not None else here.holder or here.players[0]
    # What was taken back did not lead here.
    first = (game.players.index(dealer) + 1) % len(game.players)
    deal = game.deals[deal_index]
    standing = judge_deal(engine, game.players, deal, first).standing(deal.events)
    last = [(played[index][0], done) for index, done in standing if index < event_index]
    lately = tuple(last[-LOOKED_BACK:])
    hand_known = here.hand(player)[1] == 0
    return Question(ruled, here, player, notation or game.cards, hand_known, (), event, lately)


def cannot_be_read(sheet: Any, deal_index: int) -> CannotAsk:
    """That a deal cannot be read, with the place and the cause."""
    number = sheet.game.deals[deal_index].number
    error = next((e for e in sheet.errors if e.deal == deal_index), None)
    if error is None:
        return CannotAsk(
            tell("{name}: deal {number} cannot be read", name=sheet.name, number=number),
            tell("`conquian validate` tells why"),
        )
    name = f"{sheet.name}:{error.line}:{error.column}"
    text = tell("{name}: deal {number} cannot be read", name=name, number=number)
    return CannotAsk(f"{text}: {error.message}", error.hint)
