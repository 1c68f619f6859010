"""Which cards each player certainly held, may have held and cannot have held at one moment of a recorded deal.

Everything that the record says is used, what comes after the moment too: a card that a player throws later was in
his hand before. With `so_far` only what had been recorded up to the moment is used, as those at the table knew it.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import Any

from conquian.cards import Notation
from conquian.engine.deals import seats_of
from conquian.engine.engine import Engine
from conquian.engine.hands import Held
from conquian.engine.residues import TooManyHands
from conquian.judgement import Notice
from conquian.match import dealer_of
from conquian.moments import cannot_be_read, engine_of_sheet, events_at
from conquian.questions import Answer, CannotAsk, in_notation, read_bytes
from conquian.referee import judge_deal
from conquian.tongue import tell, tell_n
from conquian.transcript.model import Game
from conquian.transcript.sheet import Sheet
from conquian.worlds import bounds, worlds


@dataclass(frozen=True, slots=True)
class Moment:
    """Just before event `event` of a deal, where `None` is the end of what is recorded; `upto` events are used."""

    engine: Engine
    game: Game
    deal: int
    event: int
    upto: int
    first: int


def infer(
    file: str | None,
    at: str | None,
    rules: str | None,
    readings: dict[str, str],
    notation: Notation | None,
    so_far: bool = False,
    notice: Notice | None = None,
) -> Answer:
    """What the record of a deal says of every hand; CannotAsk, RulesError or UnknownReading if it cannot be asked.

    `at` None: after the last event of the last deal. `notice` is told each note on what `rules` and `readings` override.
    """
    sheet, deal, event = _place(file, at)
    try:
        moment = _moment(sheet, deal, event, rules, readings, so_far, notice)
        found = inferred(moment)
    except TooManyHands as undecided:
        return Answer({"file": sheet.name, "undecided": undecided.budget}, (str(undecided),), 3)
    assert sheet.game is not None
    return _answer(sheet, moment, found, event is None, notation or sheet.game.cards)


def inferred(moment: Moment) -> list[tuple[int, Held]]:
    """By seat: how many cards the player held, and which for certain and at most."""
    engine, game = moment.engine, moment.game
    seats = seats_of(game.players)
    deal = game.deals[moment.deal]
    found = list(worlds(engine, game.players, deal, moment.first, moment.event, moment.upto))
    if not found:
        raise CannotAsk(
            tell("no deal fits the record"), tell("`conquian validate` tells where it stops being legal")
        )
    here = found[0].here
    return [
        (
            engine.pack.count(here.hands[seat]) + here.unknown[seat],
            bounds(engine, found, seats, seat),
        )
        for seat in range(engine.seats)
    ]


def _place(file: str | None, at: str | None) -> tuple[Sheet, int, int | None]:
    """The game, the deal and the event that are meant; no event: the end of the deal."""
    if at is not None:
        sheet, deal, event = events_at(_whole(at, file))
        return sheet, deal, event
    if file is None:
        raise CannotAsk(tell("no transcript is named"), tell("conquian infer FILE, or --at FILE:LINE"))
    from conquian.transcript.read import read

    found: Sheet | None = None
    for read_one in read(read_bytes(file), file):
        if read_one.game is not None and read_one.game.deals:
            found = read_one
        elif read_one.errors:
            error = read_one.errors[0]
            raise CannotAsk(f"{file}:{error.line}:{error.column}: {error.message}", error.hint)
    if found is None or found.game is None:
        raise CannotAsk(tell("{file}: there is no deal in it", file=file))
    return found, len(found.game.deals) - 1, None


def _whole(at: str, file: str | None) -> str:
    """`--at` with the name of the file, which may be left out of it where FILE is given."""
    if file is None:
        return at
    named = re.fullmatch(r"(.+?)(:\d+(:\d+)?|#\d+@\d+)", at)
    if named and os.path.normpath(named[1]) == os.path.normpath(file):
        return at
    if re.fullmatch(r"#\d+@\d+|:?\d+(:\d+)?", at):
        return f"{file}{'' if at[0] in '#:' else ':'}{at}"
    raise CannotAsk(
        tell("--at {at} names another file than {file}", at=at, file=file), tell("name the file once")
    )


def _moment(
    sheet: Sheet,
    deal: int,
    event: int | None,
    rules: str | None,
    readings: dict[str, str],
    so_far: bool,
    notice: Notice | None,
) -> Moment:
    game = sheet.game
    assert game is not None
    engine = engine_of_sheet(sheet, rules, readings, notice)
    number = game.deals[deal].number
    if deal in sheet.unreadable:
        raise cannot_be_read(sheet, deal)
    first = (game.players.index(dealer_of(engine, game, deal, sheet.unreadable)) + 1) % len(game.players)
    outcome = judge_deal(engine, game.players, game.deals[deal], first)
    if outcome.setup is not None:
        raise CannotAsk(
            tell(
                "{name}: the set-up of deal {number} is not legal ({code})",
                name=sheet.name,
                number=number,
                code=outcome.setup.code,
            ),
            tell("`conquian validate` tells why"),
        )
    here = outcome.legal if event is None else event
    if here > outcome.legal:
        raise CannotAsk(
            tell("{name}: play stops being legal before that event", name=sheet.name),
            tell("`conquian validate` tells where"),
        )
    return Moment(engine, game, deal, here, here if so_far else outcome.legal, first)


def _answer(
    sheet: Sheet, moment: Moment, found: list[tuple[int, Held]], at_end: bool, notation: Notation
) -> Answer:
    engine, game, pack = moment.engine, moment.game, moment.engine.pack
    number, events = game.deals[moment.deal].number, game.deals[moment.deal].events
    players: dict[str, Any] = {}
    at = (
        tell("at the end")
        if moment.event >= len(events)
        else tell("before event {event}", event=moment.event)
    )
    left = len(events) - moment.upto
    used = (
        tell("{upto} of {events} events used", upto=moment.upto, events=len(events))
        if left
        else tell("all {events} events used", events=len(events))
    )
    where = tell("deal {number}, {at}", number=number, at=at)
    lines = [f"{sheet.name}: {where} ({engine.program.name}; {used})"]
    for name, (count, held) in zip(game.players, found, strict=True):
        open_cards = pack.minus(held.possible, held.certain)
        certain, possible = pack.names(held.certain), pack.names(open_cards)
        cannot = [c for c in pack.names(_each(engine)) if not held.possible & pack.entry[c][1]]
        most = {c: possible.count(c) + certain.count(c) for c in dict.fromkeys(possible)}
        told: dict[str, Any] = {
            "held": count,
            "certain": certain,
            "possible": list(most),
            "cannot": cannot,
        }
        if pack.copies > 1:
            told["at_most"] = most
        players[name] = told
        held_ = tell_n("{player} held one card", "{player} held {number} cards", count, player=name)
        lines.append(f"  {held_}")
        shown = [
            card if most[c] == 1 else tell("{card} (up to {number})", card=card, number=most[c])
            for c, card in zip(most, in_notation(notation, list(most)), strict=True)
        ]
        for word, cards in (
            (tell("certainly"), in_notation(notation, certain)),
            (tell("perhaps"), shown),
            (tell("not"), in_notation(notation, cannot)),
        ):
            lines.append(f"    {word:<10} {' '.join(cards) or '-'}")
    document = {
        "file": sheet.name,
        "rules": engine.program.name,
        "readings": engine.changed,
        "deal": number,
        "event": None if at_end else moment.event,
        "events_used": moment.upto,
        "players": players,
    }
    return Answer(document, tuple(lines), 0)


def _each(engine: Engine) -> int:
    """One card of every kind."""
    return sum(1 << (kind * engine.pack.width) for kind in range(len(engine.pack.cards)))
