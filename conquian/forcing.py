"""Can the card on offer be forced on the player who holds it, or has just passed it; and what would follow.

Guarantees: the answer comes from public cards alone, so a hand never changes it. What the position leaves out is
tried both ways: where the answer then differs it is `unknown`, with the parts it depends on. Every demand, meld
and discard spoken of was tried in the engine.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, NamedTuple

from conquian.engine.demands import demand
from conquian.engine.engine import Engine, with_choices
from conquian.engine.facts import closed_once
from conquian.engine.flow import REFUSED
from conquian.engine.play import play
from conquian.engine.search import legal_layouts
from conquian.engine.state import State
from conquian.other_readings import single_changes
from conquian.outs import Budget, Undecided, after_melding, by_rank, melds_of_layout, winning_cards
from conquian.position import Position
from conquian.questions import Answer, CannotAsk, Question, in_notation, table_text

MOST_TABLES = 20_000
"""How many tables are looked at for what follows; nothing is said of it where they are more."""
ON_OFFER, ON_DECLINE, MADE = "on-offer", "on-decline", "made"


@dataclass(frozen=True, slots=True)
class Forced:
    """Whether and when a demand can be made on a seat, the state after it, and the clause that decides."""

    when: str | None
    after: State | None
    clause: int | None
    why: str


def force(asked: Question) -> Answer:
    """The answer of `conquian force`."""
    engine = asked.rules.engine
    seat, state = _subject(asked)
    cases = list(_cases(asked, engine, state, seat))
    answer, depends = _answer(engine, cases, seat)
    here = _forced(engine, state, seat, asked.position.players)
    document: dict[str, Any] = {
        "answer": answer,
        "forceable": answer == "yes" if answer != "unknown" else None,
        "onto": melds_of_layout(engine, _onto(engine, state, seat)),
        "clause": None if here.clause is None else engine.program.clauses[here.clause].passage,
        "when": None,
        "by": "opponent",
        "witness": None,
        "why": here.why,
        "differs_under": [],
        "consequence": None,
    }
    if answer == "yes":
        whens = [_forced(engine, case, seat, ()).when for _, case in cases]
        document["when"] = ON_DECLINE if ON_DECLINE in whens else ON_OFFER
        document["witness"] = _witness(engine, here, seat)
    elif answer == "unknown":
        document["why"] = f"it depends on {' and '.join(depends)}, which the position leaves out"
        document["depends_on"] = depends
    for change in single_changes(engine):
        other = with_choices(engine, change)
        found, _ = _answer(other, list(_cases(asked, other, state, seat)), seat)
        if found != answer:
            document["differs_under"].append({"readings": change, "answer": found})
    if asked.hand_known:
        document["consequence"] = _consequence(engine, state, seat, here if answer == "yes" else None)
    return Answer(document, tuple(_lines(asked, document, here)), 0)


# ---- whom the question is about


def _subject(asked: Question) -> tuple[int, State]:
    """The seat that the card is on offer to or that has just passed it, and the state to ask in."""
    engine, position = asked.rules.engine, asked.position
    flow, seats = engine.flow, {name: seat for seat, name in enumerate(position.players)}
    state, me = position.state.copy(), seats[asked.player]
    demands = asked.event is not None and asked.event[1] == "forces"
    if not demands and asked.before and asked.before[-1][1][1] == "forces":
        state = asked.before[-1][
            0
        ].state.copy()  # it has been demanded: whether that could be is the question
    while state.up and flow.phase(state.at) is not None:
        phase, seat = flow.phase(state.at), flow.seat(state.at)
        concerns = engine.team_of[seat] != engine.team_of[me] if demands else seat == me
        takes = phase is not None and any(line.verb == "force" for line in phase.lines)
        if concerns and phase is not None and (phase.offers or takes):
            return seat, state
        if phase is None or not phase.rests:
            break
        state.at = closed_once(engine, state, state.at)
    raise CannotAsk("no card is on offer there", "name an event of the player who has the card on offer")


# ---- the answer


def _cases(
    asked: Question, engine: Engine, state: State, seat: int
) -> Iterator[tuple[tuple[object, ...], State]]:
    """The position in every way that matters to complete what it leaves out, each with a name."""
    left_out = asked.left_out
    origins = (0, 1, 2) if engine.program.starter else (0, 1)
    dealt = engine.program.dealt * engine.program.players + engine.program.starter
    stocks = range(engine.pack.size - dealt + 1)
    fitting = next((m for m in sorted(engine.melds.packed) if engine.fit((m,)) & state.up), None)
    tables = [state.tables[seat]] + ([] if fitting is None else [(fitting,)])
    for table, origin, stock in product(
        tables if "table" in left_out else tables[:1],
        origins if "turned_by" in left_out else [state.at % 3],
        sorted({0, 1, stocks[-1], state.stock}) if "stock" in left_out else [state.stock],
    ):
        case = state.copy()
        case.at, case.stock = case.at - case.at % 3 + origin, stock
        if table != state.tables[seat]:
            for s in engine.partners[seat]:
                case.tables[s] = table
        case.fit = [engine.fit(t) for t in case.tables]
        yield (table, origin, stock), case


def _answer(
    engine: Engine, cases: Sequence[tuple[tuple[object, ...], State]], seat: int
) -> tuple[str, list[str]]:
    """yes, no or unknown, and the parts of the position that it depends on."""
    found = {name: _forced(engine, case, seat, ()).when is not None for name, case in cases}
    if len(set(found.values())) == 1:
        return ("yes" if True in found.values() else "no"), []
    depends = [
        part
        for i, part in enumerate(("table", "turned_by", "stock"))
        if any(
            found[one] != found[two] and all(one[j] == two[j] for j in range(3) if j != i)
            for one in found
            for two in found
        )
    ]
    return "unknown", depends


def _forced(engine: Engine, state: State, seat: int, players: Sequence[str]) -> Forced:
    """The first moment of the offer at which an opponent may demand; without players, no words."""
    phase = engine.flow.phase(state.at)
    by = engine.opponents[seat]
    moments = [(ON_OFFER if phase is not None and phase.offers else ON_DECLINE, state)]
    passed = state.copy()
    if phase is not None and phase.offers and play(engine, passed, [("me", "passes")], {"me": seat}).legal:
        moments.append((ON_DECLINE, passed))
    for when, moment in moments:
        after, bound, _ = demand(engine, moment, by, None, None)
        if after != REFUSED and bound == seat:
            then = moment.copy()
            then.at = after
            number = moment.at // 3 // engine.seats
            clause = next((r.clause for r in engine.may.get("force", []) if number in r.phases), None)
            why = "" if not players or clause is None else _sentence(engine, clause)
            return Forced(when, then, clause, why)
    if not players:
        return Forced(None, None, None, "")
    return _refused(engine, moments[-1][1], seat, by, players)


def _refused(engine: Engine, moment: State, seat: int, by: int, players: Sequence[str]) -> Forced:
    from conquian.engine.refusals import refusal
    from conquian.messages import Scene, message

    event = (players[by], "forces")
    after, _, _ = demand(engine, moment, by, None, None)
    if after != REFUSED:  # the demand would be on somebody else
        return Forced(None, None, None, f"no demand is on {players[seat]} any more")
    why = refusal(engine, moment, event, {name: s for s, name in enumerate(players)})
    return Forced(None, None, why.clause, message(why, Scene(engine, players, moment, event))[0])


def _sentence(engine: Engine, clause: int) -> str:
    return engine.program.clauses[clause].sentence.rstrip(".")


def _onto(engine: Engine, state: State, seat: int) -> tuple[int, ...]:
    return tuple(m for m in state.tables[seat] if engine.fit((m,)) & state.up)


class Demandable(NamedTuple):
    """A demand in a state of the flow: whom it is on, when it can be made (`made`: it has been), and the packed melds
    that the card fits."""

    at: int
    seat: int
    when: str
    onto: tuple[int, ...]


def onto_which(position: Position) -> Demandable | None:
    """On whom the card on offer can be or has been forced, and onto which melds; None if on nobody."""
    engine, state = position.rules.engine, position.state.copy()
    flow = engine.flow
    while state.up and (phase := flow.phase(state.at)) is not None:
        seat = flow.seat(state.at)
        if phase.offers and phase.bound is not None:
            return Demandable(state.at, seat, MADE, _onto(engine, state, seat))
        if phase.offers or any(line.verb == "force" for line in phase.lines):
            when = _forced(engine, state, seat, ()).when
            if when is not None:
                return Demandable(state.at, seat, when, _onto(engine, state, seat))
        if not phase.rests:
            return None
        state.at = closed_once(engine, state, state.at)
    return None


# ---- what follows


def _witness(engine: Engine, here: Forced, seat: int) -> list[list[str]] | None:
    """A table that meets the demand with the fewest hand cards, from what is known."""
    if here.after is None:
        return None
    layouts = (layout for layout, _ in legal_layouts(engine, here.after))
    best = min(layouts, key=lambda layout: (engine.pack.count(sum(layout)), layout), default=None)
    return None if best is None else melds_of_layout(engine, best)


def _consequence(engine: Engine, state: State, seat: int, here: Forced | None) -> dict[str, Any] | None:
    """What melding the card on demand leads to, and what would win at once without it.

    Cards that win after the meld stand under the card that is thrown between, or under "" where none is.
    """
    up = engine.pack.names(state.up)
    budget = Budget(MOST_TABLES)
    try:
        unforced = list(winning_cards(engine, state, seat, budget, up))
        wins, after = False, dict[str, set[str]]()
        if here is not None and here.after is not None:
            wins = any(won for _, won in budget.layouts(engine, here.after))
            for _, thrown in after_melding(engine, here.after, seat, budget):
                for card, then in thrown:
                    gone = () if card is None else (card,)
                    found = winning_cards(engine, then, seat, budget, gone)
                    after.setdefault(card or "", set()).update(found)
    except Undecided:
        return None
    cards = ["", *by_rank(engine)]
    return {
        "wins": wins,
        "discards": [card for card in cards if card and card in after],
        "winning_cards_unforced": unforced,
        "winning_cards_after": {
            card: [c for c in cards if c in after[card]] for card in cards if card in after
        },
    }


# ---- for people


def _lines(asked: Question, document: Mapping[str, Any], here: Forced) -> list[str]:
    engine, notation = asked.rules.engine, asked.notation
    (card,) = in_notation(notation, engine.pack.names(asked.position.state.up))
    moment = {ON_OFFER: ", as soon as it is offered", ON_DECLINE: ", once it has been passed"}
    answer = document["answer"]
    lines = [f"{answer}: {card} can be forced{moment[document['when']]}" if answer == "yes" else answer]
    if answer != "yes":
        lines[0] += f": {document['why']}"
    if document["onto"]:
        lines.append(f"{card} extends {table_text(notation, document['onto'])}")
    if here.clause is not None and answer != "unknown":
        info = engine.program.clauses[here.clause]
        source = f" ({info.source})" if info.source else ""
        lines.append(f"rule {info.passage}{source}: {info.sentence}")
    if document["witness"] is not None:
        lines.append(f"obeyed for example by {table_text(notation, document['witness'])}")
    elif answer == "yes":
        lines.append("no meld of the cards that are known obeys the demand")
    for other in document["differs_under"]:
        reading = " and ".join(f"{n}={c}" for n, c in other["readings"].items())
        lines.append(f"with {reading}: {other['answer']}")
    return lines + _follows(asked, document["consequence"], answer == "yes")


def _follows(asked: Question, consequence: Mapping[str, Any] | None, forced: bool) -> list[str]:
    if consequence is None:
        return []

    def cards(names: Sequence[str]) -> str:
        return " ".join(in_notation(asked.notation, names)) or "no card"

    lines = [f"if it is passed, {cards(consequence['winning_cards_unforced'])} would win at once"]
    if not forced:
        return lines
    if consequence["wins"]:
        lines.append("melded on demand it wins")
    for thrown, winning in consequence["winning_cards_after"].items():
        then = f", with {cards([thrown])} thrown" if thrown else ""
        lines.append(f"melded on demand{then}: {cards(winning)} would win at once")
    return lines
