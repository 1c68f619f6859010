"""A violation with its place in the source, its words, its clause, and the readings that would allow it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from conquian.engine.engine import Engine
from conquian.engine.play import Event
from conquian.messages import Scene, claim_message, message, setup_message
from conquian.other_readings import legal_under
from conquian.referee import Outcome
from conquian.transcript.model import Deal
from conquian.transcript.places import Span
from conquian.transcript.sheet import Sheet
from conquian.verdict import Violation

if TYPE_CHECKING:
    from conquian.engine.refusals import Refusal
    from conquian.engine.state import State


def violation(
    sheet: Sheet, engine: Engine, players: Sequence[str], index: int, deal: Deal, first: int, outcome: Outcome
) -> Violation | None:
    """The first violation of a deal, None if there is none."""
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
    if outcome.claimed:
        return of_claim(sheet, engine, players, index, deal, outcome)
    refusal = outcome.refusal
    if refusal is None:
        return None
    legal = legal_under(engine, players, deal, first, outcome)
    return of_event(sheet, engine, players, index, deal, outcome.legal, refusal, outcome.states[0], legal)


def of_claim(
    sheet: Sheet, engine: Engine, players: Sequence[str], index: int, deal: Deal, outcome: Outcome
) -> Violation:
    """The violation of a recorder who claims another result than the outcome has."""
    claim = deal.claim
    assert claim is not None
    winner = None if outcome.winner is None else players[outcome.winner]
    text, hint = claim_message(claim, winner, outcome.drawn)
    clause, span = engine.program.wins, sheet.where.claim(index)
    return _words(engine, "wrong-result", None, span, claim.winner, (), clause, text, hint, ())


def of_event(
    sheet: Sheet,
    engine: Engine,
    players: Sequence[str],
    index: int,
    deal: Deal,
    at: int,
    refusal: Refusal,
    state: State,
    legal: tuple[dict[str, str], ...] = (),
) -> Violation:
    """The violation of one event, refused in a state."""
    event = deal.events[at]
    text, hint = message(refusal, Scene(engine, players, state, event))
    return _words(
        engine,
        refusal.code,
        at,
        _span(sheet, index, at, event, refusal.cards),
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
