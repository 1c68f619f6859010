"""Can the card on offer be forced on the player who holds it, or has just passed it; and what would follow.

Guarantees: the answer comes from public cards alone, so a hand never changes it. What the position leaves out is
tried both ways: where the answer then differs it is `unknown`, with the parts it depends on. Every demand, meld
and discard spoken of was tried in the engine.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import Any

from conquian.cards import showing
from conquian.engine.demands import demand
from conquian.engine.engine import Engine, with_choices
from conquian.engine.facts import closed_once
from conquian.engine.flow import REFUSED
from conquian.engine.play import play
from conquian.engine.search import legal_layouts
from conquian.engine.state import State
from conquian.forcing_text import ON_DECLINE, ON_OFFER, forced_lines
from conquian.other_readings import single_changes
from conquian.outs import Budget, Undecided, after_melding, by_rank, cards_that_win, melds_of_layout
from conquian.questions import Answer, CannotAsk, Question
from conquian.sentences import sentence
from conquian.tongue import both, mark, tell
from conquian.verifier.limits import BUDGET, STEPS_A_TABLE

FOLLOWS = mark("what follows is undecided within a budget of {budget}; a larger --budget goes on")
DEPENDS = mark("it depends on {parts}, which the position leaves out")
PROOF = mark("the proof is undecided within a budget of {budget}; a larger --budget goes on")

Case = tuple[object, ...]
"""The name of a completion of a position: the table, who turned the card, the stock."""


@dataclass(frozen=True, slots=True)
class Forced:
    """Whether and when a demand can be made on a seat, the state after it, and the clause that decides."""

    when: str | None
    after: State | None
    clause: int | None
    why: str


def force(asked: Question, prove: bool = False, budget: int = BUDGET, rules: str = "") -> Answer:
    """The answer of `conquian force`, with its proof if that is asked for; status 3 where a part of it is undecided.

    `budget` bounds the tables that are looked at for what follows, each for a thousand steps, and the steps of the
    solver for the proof; `rules` is what the rules were loaded by.
    """
    engine = asked.rules.engine
    seat, state = subject(asked)
    cases = list(completions(asked.left_out, engine, state, seat))
    answer, depends = _answer(engine, cases, seat)
    with showing(asked.notation):
        here = forced(engine, state, seat, asked.position.players)
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
        whens = [forced(engine, case, seat, ()).when for _, case in cases]
        document["when"] = ON_DECLINE if ON_DECLINE in whens else ON_OFFER
        document["witness"] = _witness(engine, here, seat)
    elif answer == "unknown":
        document["why"] = tell(DEPENDS, parts=both(depends))
        document["depends_on"] = depends
    for change in single_changes(engine):
        other = with_choices(engine, change)
        found, _ = _answer(other, list(completions(asked.left_out, other, state, seat)), seat)
        if found != answer:
            document["differs_under"].append({"readings": change, "answer": found})
    if asked.hand_known:
        follows = _consequence(engine, state, seat, here if answer == "yes" else None, budget)
        document["consequence"] = follows
        if follows is None:
            document["undecided"] = {"budget": budget}
    lines = forced_lines(asked, document, here.clause)
    if prove:
        from conquian.proving import GaveUp, proof, proof_lines

        try:
            document["proof"] = proof(asked, cases, seat, answer, depends, rules, budget)
        except GaveUp as gave_up:
            document["proof"], document["undecided"] = None, {"budget": gave_up.budget}
        else:
            lines += proof_lines(asked, document["proof"])
    if "undecided" in document:
        follows_open = document["consequence"] is None and asked.hand_known
        proof_open = "proof" in document and document["proof"] is None
        parts = [*([FOLLOWS] if follows_open else []), *([PROOF] if proof_open else [])]
        for what in parts:
            lines.append(tell(what, budget=budget))
    return Answer(document, tuple(lines), 3 if "undecided" in document else 0)


# ---- whom the question is about


def subject(asked: Question) -> tuple[int, State]:
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
    raise CannotAsk(
        tell("no card is on offer there"), tell("name an event of the player who has the card on offer")
    )


def offer_of(asked: Question) -> tuple[int, State, list[State]]:
    """The seat that the question is about, the state it is asked in, and that state in every way to complete it."""
    seat, state = subject(asked)
    cases = completions(asked.left_out, asked.rules.engine, state, seat)
    return seat, state, [case for _, case in cases]


# ---- the answer


def completions(
    left_out: Collection[str], engine: Engine, state: State, seat: int
) -> Iterator[tuple[Case, State]]:
    """The position in every way that matters to complete what it leaves out, each with a name."""
    origins = (0, 1, 2) if engine.program.starter else (0, 1)
    dealt = engine.program.dealt * engine.program.players + engine.program.starter
    stocks = range(engine.pack.size - dealt + 1)
    tables = [state.tables[seat]]
    if "table" in left_out:
        tables += islice(((m,) for m in engine.melds.ascending if engine.fit((m,)) & state.up), 1)
    for table, origin, stock in product(
        tables,
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


def _answer(engine: Engine, cases: Sequence[tuple[Case, State]], seat: int) -> tuple[str, list[str]]:
    """yes, no or unknown, and the parts of the position that it depends on."""
    found = {name: forced(engine, case, seat, ()).when is not None for name, case in cases}
    if len(set(found.values())) == 1:
        return ("yes" if True in found.values() else "no"), []
    return "unknown", differing(found)


def differing(found: Mapping[Case, object]) -> list[str]:
    """The parts of a position of which one alone changes what was found; by name of the completion."""
    return [
        part
        for i, part in enumerate(("table", "turned_by", "stock"))
        if any(
            found[one] != found[two] and all(one[j] == two[j] for j in range(3) if j != i)
            for one in found
            for two in found
        )
    ]


def forced(engine: Engine, state: State, seat: int, players: Sequence[str]) -> Forced:
    """The first moment of the offer at which an opponent may demand; without players, no words."""
    by = engine.opponents[seat]
    offered = moments(engine, state, seat)
    for when, moment in offered:
        then = due(engine, moment, seat)
        if then is not None:
            number = moment.at // 3 // engine.seats
            clause = next((r.clause for r in engine.may.get("force", []) if number in r.phases), None)
            why = "" if not players or clause is None else _sentence(engine, clause)
            return Forced(when, then, clause, why)
    if not players:
        return Forced(None, None, None, "")
    return _refused(engine, offered[-1][1], seat, by, players)


def moments(engine: Engine, state: State, seat: int) -> list[tuple[str, State]]:
    """The moments of the offer at which a demand could be made, and the states then."""
    phase = engine.flow.phase(state.at)
    found = [(ON_OFFER if phase is not None and phase.offers else ON_DECLINE, state)]
    passed = state.copy()
    if phase is not None and phase.offers and play(engine, passed, [("me", "passes")], {"me": seat}).legal:
        found.append((ON_DECLINE, passed))
    return found


def due(engine: Engine, moment: State, seat: int) -> State | None:
    """The state after a demand on the seat, None if none is due."""
    after, bound, _ = demand(engine, moment, engine.opponents[seat], None, None)
    if after == REFUSED or bound != seat:
        return None
    then = moment.copy()
    then.at = after
    return then


def _refused(engine: Engine, moment: State, seat: int, by: int, players: Sequence[str]) -> Forced:
    from conquian.engine.refusals import refusal
    from conquian.messages import Scene, message

    event = (players[by], "forces")
    after, _, _ = demand(engine, moment, by, None, None)
    if after != REFUSED:  # the demand would be on somebody else
        return Forced(None, None, None, tell("no demand is on {player} any more", player=players[seat]))
    why = refusal(engine, moment, event, {name: s for s, name in enumerate(players)})
    return Forced(None, None, why.clause, message(why, Scene(engine, players, moment, event))[0])


def _sentence(engine: Engine, clause: int) -> str:
    return sentence(engine.program, clause).rstrip(".")


def _onto(engine: Engine, state: State, seat: int) -> tuple[int, ...]:
    return tuple(m for m in state.tables[seat] if engine.fit((m,)) & state.up)


# ---- what follows


def _witness(engine: Engine, here: Forced, seat: int) -> list[list[str]] | None:
    """A table that meets the demand with the fewest hand cards, from what is known."""
    if here.after is None:
        return None
    layouts = (layout for layout, _ in legal_layouts(engine, here.after))
    best = min(layouts, key=lambda layout: (engine.pack.count(sum(layout)), layout), default=None)
    return None if best is None else melds_of_layout(engine, best)


def _consequence(
    engine: Engine, state: State, seat: int, here: Forced | None, steps: int
) -> dict[str, Any] | None:
    """What melding the card on demand leads to, and what would win at once without it; None if it is undecided.

    Cards that win after the meld stand under the card that is thrown between, or under "" where none is.
    """
    up = engine.pack.names(state.up)
    budget = Budget(max(steps // STEPS_A_TABLE, 1))
    try:
        unforced = list(cards_that_win(engine, state, seat, budget, up))
        wins, after = False, dict[str, set[str]]()
        if here is not None and here.after is not None:
            wins = any(won for _, won in budget.layouts(engine, here.after))
            for _, thrown in after_melding(engine, here.after, seat, budget):
                for card, then in thrown:
                    gone = () if card is None else (card,)
                    known = after.setdefault(card or "", set())
                    known.update(cards_that_win(engine, then, seat, budget, gone, known.copy()))
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
