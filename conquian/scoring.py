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
from conquian.referee import cut_dealer, first_dealer
from conquian.standings import DealScore, Goal, Row, Score, Scored, ScoreNote, Standing, words
from conquian.transcript.model import Game, Match
from conquian.transcript.sheet import Sheet
from conquian.verdict import Error, Verdict, worst


def score(
    sheet: Sheet,
    *,
    rules: str | None = None,
    readings: Mapping[str, str] | None = None,
    goal: Goal | None = None,
) -> Scored:
    """The ledger of one read transcript.

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
    return _scored(sheet, game, engine, match, errors, notes)


def _scored(
    sheet: Sheet,
    game: Game,
    engine: Engine,
    match: Match | None,
    errors: tuple[Error, ...],
    notes: list[ScoreNote],
) -> Scored:
    players = game.players
    _cuts(sheet, game, engine, notes)
    rows: list[Row] = []
    deals: list[DealScore] = []
    verdicts: list[Verdict] = []
    next_dealer = first_dealer(game)
    units, wins, pot, over = (0,) * len(players), (0,) * len(players), 0, False
    for index, dealt in enumerate(deals_of(engine, game, sheet.unreadable, match)):
        number = game.deals[index].number
        outcome, entry = dealt.outcome, dealt.entry
        verdicts.append("unreadable" if outcome is None else outcome.kind)
        payments = (0,) * len(players)
        if entry is not None:
            payments = entry.payments
            units, wins = tuple(dealt.ledger.units), tuple(dealt.ledger.wins)
            pot, over = dealt.ledger.pot, dealt.ledger.over
        else:
            notes.append(_uncounted(sheet, index, number, dealt))
        winner = None
        if outcome is not None and outcome.kind == "valid" and outcome.winner is not None:
            winner = players[outcome.winner]
        deals.append(
            DealScore(number=number, winner=winner, payments=dict(zip(players, payments, strict=True)))
        )
        rows.append(
            Row(
                number=number,
                dealer=players[dealt.dealer],
                result=_result(dealt, winner),
                payments=payments,
                units=units,
                wins=wins,
                pot=pot,
                counted=entry is not None,
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


def _result(dealt: Dealt, winner: str | None) -> str:
    outcome = dealt.outcome
    if outcome is None:
        return "unreadable"
    if outcome.code == "misdeal":
        return "misdeal"
    if outcome.ended == "broken-off":
        return "broken off"
    if outcome.kind != "valid":
        return outcome.kind
    return "drawn" if winner is None else f"{winner} wins"


def _uncounted(sheet: Sheet, index: int, number: int, dealt: Dealt) -> ScoreNote:
    """Why a deal does not count."""
    outcome = dealt.outcome
    code = "not-counted"
    if outcome is None:
        text = "the deal cannot be read; it does not count"
    elif dealt.over:
        code, text = "after-session", "the session had reached its goal before this deal; judged, not scored"
    elif outcome.code == "misdeal":
        text = "a misdeal: the deal is void"
    elif outcome.ended is not None and outcome.kind != "invalid":
        how = {"conceded": "was conceded", "agreed": "was agreed a draw", "broken-off": "was broken off"}
        text = f"the deal {how[outcome.ended]}; under these readings it does not count"
    elif outcome.kind == "unfinished":
        text = "the deal was not played to its end; it does not count"
    else:
        where = "" if outcome.event is None else f" at event {outcome.event}"
        text = f"the deal breaks a rule ({outcome.code}{where}); it does not count until that is settled"
    return ScoreNote(code=code, line=sheet.where.deal(index).line, message=text, deal=number)


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
                f"`{engine.program.name}` names no {goal.kind} that end a session; give a number"
            )
        number = engine.program.session[goal.kind == "units"]
    match = Match(wins=number) if goal.kind == "wins" else Match(units=number)
    if game.match not in (None, match):
        text = f"scored to {words(match)}, as the command line says; the header says {words(game.match)}"
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
            note(index, "the cut decides who deals first; this is not the first deal")
        elif not engine.program.cut:
            note(index, f"these rules leave open what a cut decides; {dealer} deals first")
        elif seat is None:
            note(
                index, f"the cut does not decide: not everybody drew, or two drew alike; {dealer} deals first"
            )
        elif game.players[seat] != dealer:
            text = f"by the cut {game.players[seat]} would deal first; "
            named = f"the header says {dealer}"
            note(index, text + (named if game.dealer else f"the header names no dealer, so {dealer} deals"))


# ---- files


def scored_files(
    paths: Iterable[str], rules: str | None, readings: Mapping[str, str], goal: Goal | None
) -> Iterator[Scored]:
    """The ledgers of all games of some files, in order; a file that cannot be opened has an error for one."""
    for path in paths:
        try:
            for sheet in sheets(path):
                yield score(sheet, rules=rules, readings=readings, goal=goal)
        except BrokenPipeError:
            raise
        except OSError as error:
            yield _unopened(path, error.strerror or "cannot be read")


def _unopened(path: str, reason: str) -> Scored:
    from conquian.transcript.places import nowhere

    error = Error(code="cannot-open", line=1, column=1, message=reason, hint="check the name of the file")
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
