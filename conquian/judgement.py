"""A sheet to a file's verdict: places in the source, words, readings under which it would be otherwise, notes.

Needed where something is to be said about a game; the fast way through streams does without.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace

from conquian.cards import showing
from conquian.engine.engine import Engine, UnknownReading
from conquian.match import deals_of
from conquian.notes import deal_notes, table_notes
from conquian.other_readings import differs_under
from conquian.referee import Outcome
from conquian.sentences import sentence
from conquian.tongue import tell
from conquian.transcript.model import Deal, Game
from conquian.transcript.places import Span
from conquian.transcript.sheet import Sheet
from conquian.verdict import DealNote, DealVerdict, Error, FileVerdict, worst
from conquian.violations import violation

Worded = tuple[FileVerdict, tuple[str, ...]]
Notice = Callable[[DealNote], None]
"""Is told of notes as they come up."""


def file_verdict(
    sheet: Sheet,
    rules: str | None,
    readings: Mapping[str, str],
    differs: bool,
    why: int | None = None,
    as_played: bool = False,
) -> Worded:
    """The verdict on one sheet, and by deal the words of the deciding clause; see `conquian.referee.judge`.

    With `why`, a budget of the solver, each first violation has the smallest set of clauses that forbids it.
    """
    from conquian.engine.engine import engine

    errors = tuple(
        Error(code=e.code, line=e.line, column=e.column, message=e.message, hint=e.hint) for e in sheet.errors
    )
    head = tuple(DealNote(code=n.code, line=n.line, event=n.event, message=n.message) for n in sheet.notes)
    game = sheet.game
    if rules is not None:
        engine(rules, readings)
    if game is None:
        name = rules
        unreadable = FileVerdict(
            file=sheet.name, rules=name, verdict="unreadable", deals=(), errors=errors, notes=head
        )
        return unreadable, ()
    chosen = chosen_rules(sheet, game, rules, readings)
    if isinstance(chosen, Error):
        named = rules or game.rules
        unreadable = FileVerdict(
            file=sheet.name, rules=named, verdict="unreadable", deals=(), errors=(*errors, chosen), notes=head
        )
        return unreadable, ()
    judging, replaced = chosen
    notes = (*head, *replaced)
    sentences: list[str] = []
    deals = _deals(sheet, game, judging, differs, notes, sentences, as_played)
    if why is not None:
        deals = _with_whys(sheet, game, rules, judging, deals, why, as_played)
    verdict = worst([d.verdict for d in deals]) if not errors or sheet.unreadable else "unreadable"
    judged = FileVerdict(
        file=sheet.name,
        rules=judging.program.name,
        verdict=verdict,
        deals=tuple(deals),
        readings=judging.changed,
        errors=errors,
        notes=notes if not deals else (),
    )
    return judged, tuple(sentences)


def chosen_rules(
    sheet: Sheet, game: Game, rules: str | None, readings: Mapping[str, str]
) -> tuple[Engine, tuple[DealNote, ...]] | Error:
    """The engine to judge by and the notes on what the command line overrode, or what is wrong."""
    from conquian.engine.engine import engine
    from conquian.findings import did_you_mean

    name = rules if rules is not None else game.rules
    header = dict(game.readings or {})
    if name is None:
        span = sheet.where.header("players")
        return _error(
            "no-rules", span, tell("no rule set is named"), tell("add `rules: NAME`, or give `--rules NAME`")
        )
    if rules is None and not _shipped(name):
        span = sheet.where.header("rules")
        hint = did_you_mean(name, _names()) or tell("known rule sets: {names}", names=", ".join(_names()))
        return _error("unknown-rules", span, tell("there is no rule set `{name}`", name=name), hint)
    notes = overridden(sheet, game, rules, readings)
    try:
        return engine(name, {**header, **readings}), notes
    except UnknownReading as unknown:
        if unknown.reading in readings:
            raise
        span = sheet.where.header("readings", unknown.reading)
        known = ", ".join(unknown.known)
        hint = did_you_mean(unknown.choice or unknown.reading, unknown.known) or tell(
            "known: {known}", known=known
        )
        return _error("unknown-reading", span, str(unknown), hint)


def overridden(
    sheet: Sheet, game: Game, rules: str | None, readings: Mapping[str, str]
) -> tuple[DealNote, ...]:
    """The notes on what the command line names otherwise than the header does."""
    header = game.readings or {}
    notes: list[DealNote] = []
    if rules is not None and game.rules is not None and rules != game.rules:
        line = sheet.where.header("rules").line
        text = tell(
            "judged by `{rules}` from the command line; the header says `{other}`",
            rules=rules,
            other=game.rules,
        )
        notes.append(DealNote(code="rules-overridden", line=line, event=None, message=text))
    for reading, choice in readings.items():
        if header.get(reading, choice) != choice:
            line = sheet.where.header("readings").line
            text = tell(
                "`{reading}={choice}` from the command line; the header says `{other}`",
                reading=reading,
                choice=choice,
                other=header[reading],
            )
            notes.append(DealNote(code="rules-overridden", line=line, event=None, message=text))
    return tuple(notes)


def file_engine(
    sheet: Sheet, rules: str | None, readings: Mapping[str, str], notice: Notice | None = None
) -> Engine:
    """The engine that a sheet is judged by; ValueError, with its place, for a header that names none.

    `notice` is told each note on what the command line overrides.
    """
    assert sheet.game is not None
    chosen = chosen_rules(sheet, sheet.game, rules, readings)
    if isinstance(chosen, Error):
        raise ValueError(f"{sheet.path}:{chosen.line}:{chosen.column}: {chosen.message}")
    judging, notes = chosen
    if notice is not None:
        for note in notes:
            notice(note)
    return judging


def _error(code: str, span: Span, text: str, hint: str) -> Error:
    return Error(code=code, line=span.line, column=span.column, message=text, hint=hint)


def _names() -> list[str]:
    from conquian.engine.sets import rule_sets

    return rule_sets()


def _shipped(name: str) -> bool:
    from conquian.engine.sets import is_rule_set

    return is_rule_set(name)


def _deals(
    sheet: Sheet,
    game: Game,
    engine: Engine,
    differs: bool,
    notes: Sequence[DealNote],
    sentences: list[str],
    as_played: bool,
) -> list[DealVerdict]:
    verdicts: list[DealVerdict] = []
    dealt = deals_of(engine, game, sheet.unreadable, game.match, as_played)
    for index, (deal, played) in enumerate(zip(game.deals, dealt, strict=True)):
        own = list(notes) if index == 0 else []
        first = (played.dealer + 1) % len(game.players)
        outcome = played.outcome
        if outcome is None:
            verdicts.append(
                DealVerdict(
                    number=deal.number,
                    verdict="unreadable",
                    result=None,
                    notes=tuple(own),
                )
            )
        else:
            if played.over:
                text = tell("the session had reached its goal before this deal; judged, not scored")
                own.append(
                    DealNote(
                        code="after-session", line=sheet.where.deal(index).line, event=None, message=text
                    )
                )
            verdict = _deal(sheet, game, engine, index, deal, first, outcome, differs, own)
            if as_played and verdict.violations:
                from conquian.stood import as_played as taken

                players, (wrong,) = game.players, verdict.violations
                found, end = taken(sheet, engine, players, index, deal, first, wrong)
                verdict = replace(verdict, violations=found, as_played=end)
            verdicts.append(verdict)
        sentences.append("" if outcome is None else _sentence(engine, outcome))
    return verdicts


def _with_whys(
    sheet: Sheet,
    game: Game,
    rules: str | None,
    engine: Engine,
    deals: list[DealVerdict],
    budget: int,
    as_played: bool,
) -> list[DealVerdict]:
    """The same verdicts, each violation with why it is one."""
    from conquian.whys import with_why

    name = rules if rules is not None else engine.program.name
    found: list[DealVerdict] = []
    dealt = deals_of(engine, game, sheet.unreadable, game.match, as_played)
    for deal, verdict, played in zip(game.deals, deals, dealt, strict=True):
        if played.outcome is not None:
            first = (played.dealer + 1) % len(game.players)
            with showing(game.cards):
                verdict = with_why(verdict, engine, name, game.players, deal, first, played.outcome, budget)
        found.append(verdict)
    return found


def _sentence(engine: Engine, outcome: Outcome) -> str:
    """The words of the clause that decides a violation."""
    clause = None
    if outcome.setup is not None:
        clause = outcome.setup.clause
    elif outcome.refusal is not None:
        clause = outcome.refusal.clause
    elif outcome.claimed:
        clause = engine.program.wins
    return "" if clause is None else sentence(engine.program, clause)


def _deal(
    sheet: Sheet,
    game: Game,
    engine: Engine,
    index: int,
    deal: Deal,
    first: int,
    outcome: Outcome,
    differs: bool,
    notes: list[DealNote],
) -> DealVerdict:
    players = game.players
    first_wrong = violation(sheet, engine, players, index, deal, first, outcome)

    def line(event: int | None) -> int:
        place = sheet.where.deal(index) if event is None else sheet.where.event(index, event)
        return place.line

    notes.extend(table_notes(line, sheet.where.claim(index).line, engine, players, deal, outcome))
    notes.extend(deal_notes(line, engine, players, outcome, outcome.states, outcome.kind == "unfinished"))
    result: dict[str, object] | None = None
    if outcome.winner is not None:
        result = {"winner": players[outcome.winner]}
    elif outcome.drawn:
        result = {"drawn": True}
    return DealVerdict(
        number=deal.number,
        verdict=outcome.kind,
        result=result,
        violations=(first_wrong,) if first_wrong is not None else (),
        differs_under=differs_under(engine, players, deal, first, outcome) if differs else (),
        notes=tuple(notes),
    )
