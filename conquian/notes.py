"""Things worth saying of a deal that are no violations."""

from __future__ import annotations

from collections.abc import Sequence

from conquian.engine.deals import seats_of
from conquian.engine.engine import Engine
from conquian.engine.play import play
from conquian.engine.state import State
from conquian.other_readings import moments
from conquian.referee import Outcome
from conquian.transcript.model import Deal
from conquian.transcript.sheet import Sheet
from conquian.verdict import DealNote


def deal_notes(
    sheet: Sheet, engine: Engine, players: Sequence[str], index: int, deal: Deal, first: int, outcome: Outcome
) -> list[DealNote]:
    """The notes of one deal, in the order of their kinds."""
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
        for state, _ in moments(engine, players, deal, first, i)[:1]:
            seat = players.index(str(deal.events[i][0]))
            trial = state.copy()
            play(engine, trial, [deal.events[i]], seats_of(players))
            flow = engine.flow
            if flow.seat(trial.at) == seat and engine.offering[trial.at]:
                before, after = state.fit[seat] & state.up, trial.fit[seat] & state.up
                if before and not after:
                    found.append(i)
    return found
