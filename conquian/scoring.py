"""Transcripts to ledgers: what `conquian score` answers, as data.

Guarantees: each game is a match of its own. Deals that do not count stand in the ledger with a note that says
why, and move nothing. Games of a stream are scored one at a time.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import BinaryIO

from conquian.engine.engine import Engine
from conquian.judgement import chosen_rules
from conquian.match import Dealt, deals_of
from conquian.referee import Outcome, cut_dealer, first_dealer
from conquian.render import VERDICTS
from conquian.standings import DealScore, Goal, Row, Score, Scored, ScoreNote, Standing, words
from conquian.tongue import mark, tell
from conquian.transcript.model import Game, Match
from conquian.transcript.sheet import Sheet
from conquian.verdict import Error, Verdict, worst


def score(
    sheet: Sheet,
    *,
    rules: str | None = None,
    readings: Mapping[str, str] | None = None,
    goal: Goal | None = None,
    as_played: bool = False,
) -> Scored:
    """The ledger of one read transcript; with `as_played` a deal that breaks a rule counts as it was played.

    `rules`, `readings` and `goal` override what its header says, with a note. RulesError, UnknownReading or
    ValueError only for what the caller passed; what the header says wrong is an error of the file.
    """
    errors = tuple(
        Error(code=e.code, line=e.line, column=e.column, message=e.message, hint=e.hint) for e in sheet.errors
    )
    notes = [ScoreNote(code=n.code, line=n.line, message=n.message) for n in sheet.notes]
    game = sheet.game
    if rules is not None:
        from conquian.engine.engine import engine as load

        load(rules, readings or {})
    if game is None:
        return _unusable(sheet, (), rules, errors, notes)
    chosen = chosen_rules(sheet, game, rules, readings or {})
    if isinstance(chosen, Error):
        return _unusable(sheet, game.players, rules or game.rules, (*errors, chosen), notes)
    engine, overridden = chosen
    notes += [ScoreNote(code=n.code, line=n.line, message=n.message) for n in overridden]
    match = _match(engine, sheet, game, goal, notes)
    return _scored(sheet, game, engine, match, errors, notes, as_played)


def _scored(
    sheet: Sheet,
    game: Game,
    engine: Engine,
    match: Match | None,
    errors: tuple[Error, ...],
    notes: list[ScoreNote],
    as_played: bool,
) -> Scored:
    players = game.players
    _cuts(sheet, game, engine, notes)
    rows: list[Row] = []
    deals: list[DealScore] = []
    verdicts: list[Verdict] = []
    next_dealer = first_dealer(game)
    units, wins, pot, over = (0,) * len(players), (0,) * len(players), 0, False
    for index, dealt in enumerate(deals_of(engine, game, sheet.unreadable, match, as_played)):
        number = game.deals[index].number
        outcome, entry = dealt.outcome, dealt.entry
        verdicts.append("unreadable" if outcome is None else outcome.kind)
        payments = (0,) * len(players)
        if entry is not None:
            payments = entry.payments
            units, wins = tuple(dealt.ledger.units), tuple(dealt.ledger.wins)
            pot, over = dealt.ledger.pot, dealt.ledger.over
        stood = entry is not None and dealt.stood is not None
        if entry is None or stood:
            line = sheet.where.deal(index).line
            notes.append(
                _as_played(line, number, dealt) if stood else _uncounted(line, number, dealt, as_played)
            )
        ending = outcome if dealt.stood is None else dealt.stood
        winner = None
        if ending is not None and ending.kind == "valid" and ending.winner is not None:
            winner = players[ending.winner]
        paid = dict(zip(players, payments, strict=True))
        deals.append(DealScore(number=number, winner=winner, payments=paid, as_played=stood))
        rows.append(
            Row(
                number=number,
                dealer=players[dealt.dealer],
                result=_result(dealt, winner, stood),
                payments=payments,
                units=units,
                wins=wins,
                pot=pot,
                counted=entry is not None,
                as_played=stood,
            )
        )
        next_dealer = dealt.next_dealer
    standings = {name: Standing(units=u, wins=w) for name, u, w in zip(players, units, wins, strict=True)}
    return Scored(
        file=sheet.name,
        rules=engine.program.name,
        readings=engine.changed,
        players=players,
        match=match,
        verdict=worst(verdicts) if not errors or sheet.unreadable else "unreadable",
        illegal="invalid" in verdicts,
        path=sheet.path,
        rows=tuple(rows),
        score=Score(
            players=standings,
            pot=pot,
            dealer_next=players[next_dealer],
            over=over,
            deals=tuple(deals),
            notes=tuple(notes),
            errors=errors,
        ),
    )


def _unusable(
    sheet: Sheet,
    players: tuple[str, ...],
    rules: str | None,
    errors: tuple[Error, ...],
    notes: list[ScoreNote],
) -> Scored:
    standings = {name: Standing(units=0, wins=0) for name in players}
    empty = Score(
        players=standings,
        pot=0,
        dealer_next=None,
        over=False,
        deals=(),
        notes=tuple(notes),
        errors=errors,
    )
    return Scored(
        file=sheet.name,
        rules=rules,
        readings={},
        players=players,
        match=None,
        verdict="unreadable",
        illegal=False,
        path=sheet.path,
        rows=(),
        score=empty,
    )


def _result(dealt: Dealt, winner: str | None, stood: bool) -> str:
    outcome = dealt.outcome
    if outcome is None:
        return tell("unreadable")
    if stood and dealt.stood is not None:
        result = tell("broken off")
        if dealt.stood.kind == "valid":
            result = tell("drawn") if winner is None else tell("{player} wins", player=winner)
        return tell("{result}, as played", result=result)
    if outcome.code == "misdeal":
        return tell("misdeal")
    if outcome.ended == "broken-off":
        return tell("broken off")
    if outcome.kind != "valid":
        return tell(VERDICTS[outcome.kind])
    return tell("drawn") if winner is None else tell("{player} wins", player=winner)


NOT_COUNTED = {
    "conceded": mark("the deal was conceded; under these readings it does not count"),
    "agreed": mark("the deal was agreed a draw; under these readings it does not count"),
    "broken-off": mark("the deal was broken off; under these readings it does not count"),
}
BREAKS_A_RULE = mark("the deal breaks a rule ({code}{where}); it does not count until that is settled")
CANNOT_STAND = mark(
    "the deal breaks a rule ({code}{where}) and cannot be taken as it was played; "
    "it does not count until that is settled"
)
CLAIMED_OTHERWISE = mark(
    "the deal breaks a rule ({code}{where}), and as it was played it does not end as the record says; "
    "it does not count until that is settled"
)
UNFINISHED_AS_PLAYED = mark(
    "the deal breaks a rule ({code}{where}) and was not played to its end; it does not count"
)
VOID_AS_PLAYED = mark(
    "the deal breaks a rule ({code}{where}); as the players ended it, it does not count under these readings"
)
CUT_AGAINST_HEADER = mark("by the cut {player} would deal first; the header says {dealer}")
CUT_WITHOUT_HEADER = mark(
    "by the cut {player} would deal first; the header names no dealer, so {dealer} deals"
)


def _as_played(line: int, number: int, dealt: Dealt) -> ScoreNote:
    """That a deal counts although it breaks a rule."""
    assert dealt.outcome is not None
    text = tell(
        "the deal breaks a rule ({code}{where}); nobody objected, and it counts as it was played",
        code=dealt.outcome.code,
        where=_where(dealt.outcome),
    )
    return ScoreNote(code="as-played", line=line, message=text, deal=number)


def _uncounted(line: int, number: int, dealt: Dealt, as_played: bool) -> ScoreNote:
    """Why a deal does not count."""
    outcome = dealt.outcome
    code = "not-counted"
    if outcome is None:
        text = tell("the deal cannot be read; it does not count")
    elif dealt.over:
        code, text = (
            "after-session",
            tell("the session had reached its goal before this deal; judged, not scored"),
        )
    elif outcome.code == "misdeal":
        text = tell("a misdeal: the deal is void")
    elif outcome.ended is not None and outcome.kind != "invalid":
        text = tell(NOT_COUNTED[outcome.ended])
    elif outcome.kind == "unfinished":
        text = tell("the deal was not played to its end; it does not count")
    else:
        template = BREAKS_A_RULE
        if as_played and outcome.refusal is not None:
            template = _not_as_played(dealt.stood)
        text = tell(template, code=outcome.code, where=_where(outcome))
    return ScoreNote(code=code, line=line, message=text, deal=number)


def _where(outcome: Outcome) -> str:
    return "" if outcome.event is None else tell(" at event {event}", event=outcome.event)


def _not_as_played(stood: Outcome | None) -> str:
    """Why a deal that breaks a rule does not count as it was played."""
    if stood is None:
        return CANNOT_STAND
    if stood.kind == "invalid":
        return CLAIMED_OTHERWISE
    return VOID_AS_PLAYED if stood.ended is not None else UNFINISHED_AS_PLAYED


def _match(
    engine: Engine, sheet: Sheet, game: Game, goal: Goal | None, notes: list[ScoreNote]
) -> Match | None:
    """What the match is played to: what the command line says, else the header."""
    if goal is None:
        return game.match
    number = goal.number
    if number is None:
        if engine.program.session is None:
            raise ValueError(
                tell(
                    "`{name}` names no {kind} that end a session; give a number",
                    name=engine.program.name,
                    kind=goal.kind,
                )
            )
        number = engine.program.session[goal.kind == "units"]
    match = Match(wins=number) if goal.kind == "wins" else Match(units=number)
    if game.match not in (None, match):
        text = tell(
            "scored to {match}, as the command line says; the header says {other}",
            match=words(match),
            other=words(game.match),
        )
        notes.append(ScoreNote(code="rules-overridden", line=sheet.where.header("match").line, message=text))
    return match


def _cuts(sheet: Sheet, game: Game, engine: Engine, notes: list[ScoreNote]) -> None:
    """Says what became of the cards drawn for the deal, where that is not plain."""

    def note(index: int, text: str) -> None:
        line, number = sheet.where.deal(index).line, game.deals[index].number
        notes.append(ScoreNote(code="cut", line=line, message=text, deal=number))

    for index, deal in enumerate(game.deals):
        if not deal.cut or index in sheet.unreadable:
            continue
        seat, dealer = cut_dealer(engine, game), game.players[first_dealer(game)]
        if index:
            note(index, tell("the cut decides who deals first; this is not the first deal"))
        elif not engine.program.cut:
            note(
                index, tell("these rules leave open what a cut decides; {dealer} deals first", dealer=dealer)
            )
        elif seat is None:
            note(
                index,
                tell(
                    "the cut does not decide: not everybody drew, or two drew alike; {dealer} deals first",
                    dealer=dealer,
                ),
            )
        elif game.players[seat] != dealer:
            template = CUT_AGAINST_HEADER if game.dealer else CUT_WITHOUT_HEADER
            note(index, tell(template, player=game.players[seat], dealer=dealer))


# ---- files


def scored_files(
    paths: Iterable[str],
    rules: str | None,
    readings: Mapping[str, str],
    goal: Goal | None,
    as_played: bool = False,
) -> Iterator[Scored]:
    """The ledgers of all games of some files, in order; a file that cannot be opened has an error for one."""
    for path in paths:
        try:
            for sheet in sheets(path):
                yield score(sheet, rules=rules, readings=readings, goal=goal, as_played=as_played)
        except BrokenPipeError:
            raise
        except OSError as error:
            from conquian.opening import unreadable

            yield _unopened(path, unreadable(error))


def _unopened(path: str, reason: str) -> Scored:
    from conquian.transcript.places import nowhere

    error = Error(
        code="cannot-open", line=1, column=1, message=reason, hint=tell("check the name of the file")
    )
    sheet = Sheet(name=path, path=path, game=None, where=nowhere(), source="")
    return _unusable(sheet, (), None, (error,), [])


def sheets(path: str) -> Iterator[Sheet]:
    """The games of a file, `-` for standard input; games one a line are held one at a time. OSError."""
    from conquian.transcript.read import read, read_lines, read_stream, recognise

    if path.lower().endswith(".jsonl"):
        with open(path, "rb") as file:
            yield from read_stream(file, path)
    elif path != "-":
        with open(path, "rb") as file:
            data = file.read()
        yield from read(data, path)
    else:
        given: BinaryIO = sys.stdin.buffer
        head = [given.readline(), given.readline()]
        if all(line.endswith(b"\n") for line in head) and recognise(b"".join(head)) == "jsonl":
            yield from read_lines(chain(head, given), path)
        else:
            yield from read(b"".join(head) + given.read(), path)
