"""A sheet to a file's verdict: places in the source, words, readings under which it would be otherwise, notes.

Needed where something is to be said about a game; the fast way through streams does without.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations

from conquian.engine.deals import first_states, seats_of
from conquian.engine.engine import Engine, UnknownReading, engine_of, with_choices
from conquian.engine.play import Event, play
from conquian.engine.state import State
from conquian.messages import Scene, claim_message, message, setup_message
from conquian.referee import Outcome, dealers, judge_deal, setup_of
from conquian.transcript.model import Deal, Game
from conquian.transcript.places import Span
from conquian.transcript.sheet import Sheet
from conquian.verdict import (
    DealNote,
    DealVerdict,
    Differs,
    Error,
    FileVerdict,
    Verdict,
    Violation,
    worst,
)


def file_verdict(sheet: Sheet, rules: str | None, readings: Mapping[str, str], differs: bool) -> FileVerdict:
    """The verdict on one sheet; see `conquian.referee.judge`."""
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
        return FileVerdict(
            file=sheet.name, rules=name, verdict="unreadable", deals=(), errors=errors, notes=head
        )
    chosen = _rules(sheet, game, rules, readings)
    if isinstance(chosen, Error):
        named = rules or game.rules
        return FileVerdict(
            file=sheet.name, rules=named, verdict="unreadable", deals=(), errors=(*errors, chosen), notes=head
        )
    judging, overridden = chosen
    notes = (*head, *overridden)
    deals = _deals(sheet, game, judging, differs, notes)
    default = judging.program.default_choices()
    shown = {
        r.name: r.choices[c]
        for r, c, d in zip(judging.program.readings, judging.choices, default, strict=True)
        if c != d
    }
    verdict = worst([d.verdict for d in deals]) if not errors or sheet.unreadable else "unreadable"
    return FileVerdict(
        file=sheet.name,
        rules=judging.program.name,
        verdict=verdict,
        deals=tuple(deals),
        readings=shown,
        errors=errors,
        notes=notes if not deals else (),
    )


def _rules(
    sheet: Sheet, game: Game, rules: str | None, readings: Mapping[str, str]
) -> tuple[Engine, tuple[DealNote, ...]] | Error:
    """The engine to judge by and the notes on what the command line overrode, or what is wrong."""
    from conquian.engine.engine import engine
    from conquian.findings import did_you_mean

    name = rules if rules is not None else game.rules
    header = dict(game.readings or {})
    notes: list[DealNote] = []
    if name is None:
        span = sheet.where.header("players")
        return _error("no-rules", span, "no rule set is named", "add `rules: NAME`, or give `--rules NAME`")
    if rules is None and not _shipped(name):
        span = sheet.where.header("rules")
        hint = did_you_mean(name, _names()) or f"known rule sets: {', '.join(_names())}"
        return _error("unknown-rules", span, f"there is no rule set `{name}`", hint)
    if rules is not None and game.rules is not None and rules != game.rules:
        line = sheet.where.header("rules").line
        text = f"judged by `{rules}` from the command line; the header says `{game.rules}`"
        notes.append(DealNote(code="rules-overridden", line=line, event=None, message=text))
    for reading, choice in readings.items():
        if header.get(reading, choice) != choice:
            line = sheet.where.header("readings").line
            text = f"`{reading}={choice}` from the command line; the header says `{header[reading]}`"
            notes.append(DealNote(code="rules-overridden", line=line, event=None, message=text))
    try:
        return engine(name, {**header, **readings}), tuple(notes)
    except UnknownReading as unknown:
        if unknown.reading in readings:
            raise
        span = sheet.where.header("readings", unknown.reading)
        known = ", ".join(unknown.known)
        hint = did_you_mean(unknown.choice or unknown.reading, unknown.known) or f"known: {known}"
        return _error("unknown-reading", span, str(unknown), hint)


def file_engine(sheet: Sheet, rules: str | None, readings: Mapping[str, str]) -> Engine:
    """The engine that a sheet is judged by; ValueError, with its place, for a header that names none."""
    assert sheet.game is not None
    chosen = _rules(sheet, sheet.game, rules, readings)
    if isinstance(chosen, Error):
        raise ValueError(f"{sheet.path}:{chosen.line}:{chosen.column}: {chosen.message}")
    return chosen[0]


def _error(code: str, span: Span, text: str, hint: str) -> Error:
    return Error(code=code, line=span.line, column=span.column, message=text, hint=hint)


def _names() -> list[str]:
    from conquian.engine.sets import rule_sets

    return rule_sets()


def _shipped(name: str) -> bool:
    return name in _names()


def _deals(
    sheet: Sheet, game: Game, engine: Engine, differs: bool, notes: Sequence[DealNote]
) -> list[DealVerdict]:
    turn = dealers(engine, game)
    dealer = next(turn)
    verdicts: list[DealVerdict] = []
    wins = [0] * len(game.players)
    over = False
    for index, deal in enumerate(game.deals):
        own = list(notes) if index == 0 else []
        first = (dealer + 1) % len(game.players)
        outcome: Outcome | None = None
        if index in sheet.unreadable:
            verdicts.append(
                DealVerdict(
                    number=deal.number,
                    verdict="unreadable",
                    result=None,
                    notes=tuple(own),
                    events=len(deal.events),
                )
            )
        else:
            outcome = judge_deal(engine, game.players, deal, first)
            if over:
                text = "the session had reached its goal before this deal; judged, not scored"
                own.append(
                    DealNote(
                        code="after-session", line=sheet.where.deal(index).line, event=None, message=text
                    )
                )
            verdicts.append(_deal(sheet, game, engine, index, deal, first, outcome, differs, own))
            if outcome.kind == "valid" and outcome.winner is not None:
                for seat in engine.program.teams[engine.team_of[outcome.winner]]:
                    wins[seat] += 1
        over = over or _session_over(game, wins)
        dealer = turn.send(outcome)
    return verdicts


def _session_over(game: Game, wins: Sequence[int]) -> bool:
    return game.match is not None and game.match.wins is not None and max(wins) >= game.match.wins


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
    violation = _violation(sheet, engine, players, index, deal, first, outcome)
    notes.extend(_notes(sheet, engine, players, index, deal, first, outcome))
    result: dict[str, object] | None = None
    if outcome.winner is not None:
        result = {"winner": players[outcome.winner]}
    elif outcome.drawn:
        result = {"drawn": True}
    return DealVerdict(
        number=deal.number,
        verdict=outcome.kind,
        result=result,
        violations=(violation,) if violation is not None else (),
        differs_under=_differs(engine, players, deal, first, outcome) if differs else (),
        notes=tuple(notes),
        judged=outcome.legal + (outcome.refusal is not None),
        events=len(deal.events),
    )


# ---- the violation


def _violation(
    sheet: Sheet, engine: Engine, players: Sequence[str], index: int, deal: Deal, first: int, outcome: Outcome
) -> Violation | None:
    if outcome.setup is not None:
        setup = outcome.setup
        place = setup.place
        if place[0] in ("hands", "hand_sizes") and isinstance(place[1], int):
            place = (place[0], players[place[1]], *place[2:])
        span = (
            sheet.where.header("players")
            if place[0] == "players"
            else sheet.where.setup(index, str(place[0]), *place[1:])
        )
        text, hint = setup_message(setup, engine, players)
        return _words(engine, setup.code, None, span, None, setup.cards, setup.clause, text, hint, ())
    if outcome.claimed and deal.claim is not None:
        winner = None if outcome.winner is None else players[outcome.winner]
        text, hint = claim_message(deal.claim.winner, winner, outcome.drawn)
        clause = engine.program.wins
        return _words(
            engine,
            "wrong-result",
            None,
            sheet.where.claim(index),
            deal.claim.winner,
            (),
            clause,
            text,
            hint,
            (),
        )
    refusal = outcome.refusal
    if refusal is None:
        return None
    event = deal.events[outcome.legal]
    span = _span(sheet, index, outcome.legal, event, refusal.cards)
    text, hint = message(refusal, Scene(engine, players, outcome.states[0], event))
    legal = _legal_under(engine, players, deal, first, outcome)
    return _words(
        engine,
        refusal.code,
        outcome.legal,
        span,
        str(event[0]),
        refusal.cards,
        refusal.clause,
        text,
        hint,
        legal,
    )


def _words(
    engine: Engine,
    code: str,
    event: int | None,
    span: Span,
    player: str | None,
    cards: Sequence[str],
    clause: int | None,
    text: str,
    hint: str,
    legal: tuple[dict[str, str], ...],
) -> Violation:
    info = None if clause is None else engine.program.clauses[clause]
    return Violation(
        code=code,
        event=event,
        line=span.line,
        column=span.column,
        player=player,
        cards=tuple(cards),
        clause=None if info is None else info.passage,
        source=None if info is None else info.source,
        message=text,
        hint=hint,
        legal_under=legal,
    )


def _span(sheet: Sheet, deal: int, event: int, parts: Event, cards: Sequence[str]) -> Span:
    """The place of the first offending card in the event, of the event if it does not name it."""
    for path, card in _cards(parts):
        if card in cards:
            return sheet.where.part(deal, event, *path)
    return sheet.where.event(deal, event)


def marks(sheet: Sheet, deal: int, event: int, parts: Event, cards: Sequence[str]) -> list[Span]:
    """The places of all offending cards of an event."""
    wanted = list(cards)
    spans = []
    for path, card in _cards(parts):
        if card in wanted:
            wanted.remove(card)
            spans.append(sheet.where.part(deal, event, *path))
    return spans


def _cards(parts: Event) -> list[tuple[tuple[int, ...], str]]:
    found: list[tuple[tuple[int, ...], str]] = []
    for i, part in enumerate(parts[2:], 2):
        if isinstance(part, str):
            found.append(((i,), part))
            continue
        for j, inner in enumerate(part):
            if isinstance(inner, str):
                found.append(((i, j), inner))
            else:
                found.extend(((i, j, k), card) for k, card in enumerate(inner))
    return found


# ---- other readings


def single_changes(engine: Engine) -> list[dict[str, str]]:
    """Every change of one reading to another choice."""
    return [
        {reading.name: choice}
        for reading in engine.program.readings
        for choice in reading.choices
        if choice != engine.readings[reading.name]
    ]


def _differs(
    engine: Engine, players: Sequence[str], deal: Deal, first: int, outcome: Outcome
) -> tuple[Differs, ...]:
    found = []
    here = (outcome.kind, outcome.event, outcome.code)
    for change in single_changes(engine):
        other = judge_deal(with_choices(engine, change), players, deal, first)
        if (other.kind, other.event, other.code) != here:
            found.append(Differs(readings=change, verdict=other.kind, event=other.event, code=other.code))
    return tuple(found)


def _legal_under(
    engine: Engine, players: Sequence[str], deal: Deal, first: int, outcome: Outcome
) -> tuple[dict[str, str], ...]:
    """The single changes of one reading, else the pairs, under which the refused event is legal as it stands."""
    seats = seats_of(players)
    stands = _moments(engine, players, deal, first, outcome.legal)
    event = deal.events[outcome.legal]
    return legal_changes(
        engine, lambda change: legal_as_it_stands(with_choices(engine, change), stands, event, seats)
    )


def legal_changes(engine: Engine, legal: Callable[[dict[str, str]], bool]) -> tuple[dict[str, str], ...]:
    """The single changes of a reading under which `legal` holds; the pairs only if no single one does."""
    singles = single_changes(engine)
    found = [change for change in singles if legal(change)]
    if found:
        return tuple(found)
    pairs = ({**one, **two} for one, two in combinations(singles, 2) if one.keys() != two.keys())
    return tuple(pair for pair in pairs if legal(pair))


Moment = tuple[State, tuple[Event, ...]]


def _moments(engine: Engine, players: Sequence[str], deal: Deal, first: int, at: int) -> list[Moment]:
    """States shortly before an event, each with the events that lead from it to the event."""
    states = first_states(engine, setup_of(players, deal, first))
    assert isinstance(states, list)
    seats = seats_of(players)
    events = deal.events
    found: list[Moment] = []
    for state in states:
        for back in (0, 1, 2):
            if at - back >= 0:
                trial = state.copy()
                if play(engine, trial, events[: at - back], seats).legal == at - back:
                    found.append((trial, tuple(events[at - back : at])))
    return found


def legal_as_it_stands(
    engine: Engine, moments: Sequence[Moment], event: Event, seats: Mapping[str, int]
) -> bool:
    """Whether an event is legal under other readings, the cards lying as they lie.

    What is due then can follow from the last events: they are taken up again under the readings asked about.
    """
    for state, events in moments:
        trial = state.copy()
        trial.fit = [engine.fit(table) for table in trial.tables]
        if play(engine, trial, (*events, event), seats).legal == len(events) + 1:
            return True
    return False


# ---- notes


def _notes(
    sheet: Sheet, engine: Engine, players: Sequence[str], index: int, deal: Deal, first: int, outcome: Outcome
) -> list[DealNote]:
    from conquian.engine.search import stuck

    notes: list[DealNote] = []

    def note(code: str, event: int | None, text: str) -> None:
        line = sheet.where.event(index, event).line if event is not None else sheet.where.deal(index).line
        notes.append(DealNote(code=code, line=line, event=event, message=text))

    passed_last = outcome.kind == "unfinished" and len(deal.events) - 1 in outcome.due
    for event in outcome.due:
        if not (passed_last and event == len(deal.events) - 1):
            who = deal.events[event][0]
            note("demand-not-made", event, f"{who} passed a card that an opponent could have forced")
    for event, seat in outcome.past:
        note(
            "past-goal",
            event,
            f"{players[seat]} has more than {engine.program.goal} cards in melds and has not won",
        )
        if _out_of_reach(engine, outcome.states[0], seat):
            text = f"{players[seat]} can no longer reach the goal of {engine.program.goal}"
            note("goal-out-of-reach", event, text)
    for event in _arranged_away(engine, players, deal, first, outcome):
        note("arranged-away", event, "before this regrouping the card on offer could have been demanded")
    if outcome.kind == "unfinished" and all(stuck(engine, state) for state in outcome.states):
        last = len(deal.events) - 1
        note("stuck", last if last >= 0 else None, "the rules leave no event; the deal cannot go on")
    return notes


def _out_of_reach(engine: Engine, state: State, seat: int) -> bool:
    """Whether no table larger than the player's wins, whatever is laid."""
    now = engine.pack.count(sum(state.tables[seat]))
    for size in range(now + 1, engine.pack.size + 1):
        cards = (1 << size) - 1
        for hand in (0, 1):
            if engine.wins((), (cards,), 1, 0, False, False, hand, 1, 0):
                return False
    return True


def _arranged_away(
    engine: Engine, players: Sequence[str], deal: Deal, first: int, outcome: Outcome
) -> list[int]:
    """Regroupings after which a card on offer fits no longer."""
    found = []
    regrouped = [i for i, event in enumerate(deal.events[: outcome.legal]) if event[1] == "arranges"]
    for i in regrouped:
        for state, _ in _moments(engine, players, deal, first, i)[:1]:
            seat = players.index(str(deal.events[i][0]))
            trial = state.copy()
            play(engine, trial, [deal.events[i]], seats_of(players))
            flow = engine.flow
            if flow.seat(trial.at) == seat and engine.offering[trial.at]:
                before, after = state.fit[seat] & state.up, trial.fit[seat] & state.up
                if before and not after:
                    found.append(i)
    return found


__all__ = ["Verdict", "engine_of", "file_verdict", "legal_as_it_stands", "marks", "single_changes"]
