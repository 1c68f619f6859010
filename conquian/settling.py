"""One disputed event under many rule sets, and under every reading that matters to it.

Guarantees: a row stands for what one rule set says of the event in the position as it lies; after the row of a set's
own readings come the single changes of a reading under which it is judged otherwise, in verdict or code. Where a
set cannot hold the position, nothing is said but that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from conquian.cards import Notation
from conquian.engine.engine import Engine, with_choices
from conquian.engine.play import Event, play
from conquian.engine.refusals import judge_act
from conquian.engine.state import State
from conquian.other_readings import single_changes
from conquian.position import BadPosition, Position, Rules, load, offer_phase
from conquian.questions import (
    Answer,
    CannotAsk,
    Given,
    Question,
    cards_of,
    check,
    in_notation,
    melds_of,
    table_text,
)

FOREIGN = "not-in-deck"


@dataclass(frozen=True, slots=True)
class Row:
    """What one rule set under some changed readings says; `legal` None: it cannot hold the position."""

    rules: str
    readings: Mapping[str, str]
    legal: bool | None
    code: str | None = None
    clause: str | None = None
    source: str | None = None


Stand = Callable[[Engine], tuple[State, Mapping[str, int], Event]]
"""The position under an engine, with the seats of the players and the event; BadPosition if it has no place."""


def settle_given(
    parts: Given, sets: Sequence[str], readings: Mapping[str, str], event: str | None, meld: str | None
) -> Answer:
    """An event in a position that is given by its parts; the event's player holds the card on offer."""
    notation = parts.notation
    said = read_event(event, meld, "me", notation)
    if said is None:
        raise CannotAsk("no event is disputed", 'add --meld "M, M" or --event "Ana melds M, M"')
    player = str(said[0])

    def stand(engine: Engine) -> tuple[State, Mapping[str, int], Event]:
        here = parts.position(Rules(engine))
        seats = {name: seat for seat, name in enumerate(here.players)}
        if player not in seats:
            seats[player] = engine.opponents[0] if said[1] == "forces" else 0
        return here.state, seats, said

    def ask(rules: Rules) -> None:
        check(rules, parts)

    position = {
        name: value
        for name in ("up", "table", "hand", "opponent_table", "stock", "turned_by")
        if (value := getattr(parts, name)) is not None
    }
    if parts.declined:
        position["declined"] = True
    return _settled(position, said, sets, lambda name: dict(readings), stand, ask, notation)


def settle_recorded(
    asked: Question, sets: Sequence[str], readings: Mapping[str, str], event: str | None, meld: str | None
) -> Answer:
    """An event of a transcript, or another one in its place, in the position that the transcript leads to."""
    said = read_event(event, meld, asked.player, asked.notation) or asked.event
    assert said is not None
    here, names = asked.position, asked.position.players
    if said[0] not in names:
        raise CannotAsk(f"{said[0]} does not play there", f"the players are {', '.join(names)}")

    def stand(engine: Engine) -> tuple[State, Mapping[str, int], Event]:
        # What is due can follow from the last events: they are taken up again if these rules allow them.
        for back in range(len(asked.before), 0, -1):
            state, seats = _carried(asked.before[-back][0], engine)
            done = [event for _, event in asked.before[-back:]]
            if _playable(engine, done) and play(engine, state, done, seats).all:
                return state, seats, said
        return *_carried(here, engine), said

    known, hidden = here.hand(asked.player)
    position: dict[str, Any] = {"up": here.up} if here.up else {}
    position["table"] = [list(m) for m in here.table(asked.player)]
    if not hidden:
        position["hand"] = list(known)
    others = [n for n in names if here.rules.engine.team_of[names.index(n)] != _team(here, asked.player)]
    if here.table(others[0]):
        position["opponent_table"] = [list(m) for m in here.table(others[0])]
    own = asked.rules

    def chosen(name: str) -> dict[str, str]:
        return {**(own.engine.changed if name == own.name else {}), **readings}

    return _settled(position, said, sets, chosen, stand, lambda rules: None, asked.notation)


def recorded(
    at: str, sets: Sequence[str], readings: Mapping[str, str], notation: Notation | None
) -> Question:
    """The place in a transcript under its own rules; under the first of the sets if it names none."""
    from conquian.moments import NoRules, before_event

    try:
        return before_event(at, None, {}, notation)
    except NoRules:
        return before_event(at, sets[0], dict(readings), notation)


def _team(here: Position, player: str) -> int:
    return here.rules.engine.team_of[here.players.index(player)]


def _playable(engine: Engine, events: Sequence[Event]) -> bool:
    return all(card in engine.pack.unit or card == "?" for event in events for card in named(event))


def named(event: Event) -> list[str]:
    """Every card that an event names."""
    cards: list[str] = []
    for part in event[2:3] if event[1] == "gives" else event[2:]:
        for inner in [part] if isinstance(part, str) else part:
            cards.extend([inner] if isinstance(inner, str) else inner)
    return cards


def read_event(event: str | None, meld: str | None, player: str, notation: Notation) -> Event | None:
    """The event that the command line tells; None if it tells none. CannotAsk if it cannot be read."""
    if event is not None and meld is not None:
        raise CannotAsk("--event and --meld tell the event twice", "leave out one of them")
    if meld is not None:
        listed = melds_of(meld, notation, "--meld")
        if not listed:
            raise CannotAsk("--meld names no cards", 'for example --meld "5c 6c 7c"')
        return (player, "melds", listed)
    if event is None:
        return None
    from conquian.transcript.names import read_name
    from conquian.transcript.sentence import EXAMPLES, Misread, read_sentence

    found = read_sentence(event)
    if isinstance(found, Misread):
        raise CannotAsk(f"--event: {found.message}", found.hint)
    if found.kind not in ("gives", "turns", "melds", "arranges", "passes", "discards", "forces"):
        raise CannotAsk(f"--event: `{found.kind}` is no event of play", f"for example {EXAMPLES['melds']}")
    names = [read_name(token.text) for token in (*([found.player] if found.player else []), *found.names)]
    if not all(isinstance(name, str) for name in names):
        raise CannotAsk("--event: a name cannot be read", "quote names that are not plain words")
    who = str(names.pop(0)) if found.player else player
    groups = [cards_of(" ".join(t.text for t in group), notation, "--event") for group in found.groups]
    match found.kind:
        case "turns" | "discards":
            return (who, found.kind, groups[0][0])
        case "gives":
            return (who, found.kind, groups[0][0], str(names[0]))
        case "melds" | "arranges":
            return (who, found.kind, groups)
        case "forces" if groups:
            return (who, found.kind, groups[0][0], groups[1])
        case kind:
            return (who, kind)


# ---- a position of one rule set under another


def _carried(here: Position, engine: Engine) -> tuple[State, dict[str, int]]:
    """The position of a transcript under another rule set; the player to act keeps the card on offer."""
    old, state = here.rules.engine, here.state
    flow, pack = old.flow, engine.pack
    ended = flow.phase(state.at) is None
    holder = state.first if ended else flow.seat(state.at)

    def seat_of(seat: int) -> int:
        shifted = (seat - holder) % old.seats
        same = old.team_of[seat] == old.team_of[holder]
        return shifted if shifted < engine.seats else 0 if same else engine.opponents[0]

    def moved(cards: int, field: str) -> int:
        names = old.pack.names(cards)
        foreign = [card for card in names if card not in pack.unit]
        if foreign:
            raise BadPosition(field, f"{foreign[0]} is not in the pack", FOREIGN, foreign)
        if any(names.count(card) > pack.copies for card in names):
            raise BadPosition(field, "a card is there too often", "card-twice")
        return pack.packed(names)

    new = Rules(engine).position().state
    seats = {name: seat_of(seat) for seat, name in enumerate(here.players)}
    new.seen, new.up, new.stock = moved(state.seen, "seen"), moved(state.up, "up"), state.stock
    for seat in range(old.seats):
        to = seat_of(seat)
        if seat_of(holder) == to and seat != holder:
            continue
        new.hands[to], new.unknown[to] = moved(state.hands[seat], "hand"), state.unknown[seat]
        table = tuple(sorted(moved(meld, "table") for meld in state.tables[seat]))
        if any(meld not in engine.melds.packed for meld in table):
            raise BadPosition("table", "a meld on the table is none", "invalid-meld")
        for s in engine.partners[to]:
            new.tables[s] = table
    new.fit = [engine.fit(table) for table in new.tables]
    new.first = seat_of(state.first)
    phase = flow.phase(state.at)
    if phase is None:
        ends = {flow.won: engine.flow.won, flow.drawn: engine.flow.drawn}
        new.at = ends.get(state.at, engine.flow.unstarted)
        for seat, gifts in enumerate(state.gifts):
            new.gifts[seat_of(seat)] = gifts if old.program.exchange[0] else engine.program.exchange[0]
        if state.at == flow.unstarted and not engine.program.exchange[0]:
            new.at = engine.opening(new.first)
    else:
        numbers = [i for i, other in enumerate(engine.program.phases) if other.name == phase.name]
        new.at = engine.flow.state(numbers[0] if numbers else offer_phase(engine), 0, state.at % 3)
    return new, seats


# ---- rows


def _settled(
    position: dict[str, Any],
    event: Event,
    sets: Sequence[str],
    chosen: Callable[[str], dict[str, str]],
    stand: Stand,
    ask: Callable[[Rules], None],
    notation: Notation,
) -> Answer:
    groups: list[list[Row]] = []
    for name in sets:
        readings = chosen(name)
        rules = load(name, readings)
        ask(rules)
        first = _row(rules.engine, {}, readings, stand)
        rows = [first]
        if first.legal is not None:
            for change in single_changes(rules.engine):
                row = _row(rules.engine, change, readings, stand)
                if (row.legal, row.code) != (first.legal, first.code):
                    rows.append(row)
        groups.append(rows)
    agree = agree_on(groups)
    document = {
        "position": position,
        "event": [list(part) if isinstance(part, tuple) else part for part in event],
        "rows": [
            {
                "rules": row.rules,
                "readings": dict(row.readings),
                "legal": row.legal,
                "code": row.code,
                "clause": row.clause,
                "source": row.source,
            }
            for rows in groups
            for row in rows
        ],
        "agree_on": agree,
    }
    return Answer(
        document, tuple([_event_text(event, notation), *_table(groups), _closing(groups, agree)]), 0
    )


def _row(base: Engine, change: Mapping[str, str], said: Mapping[str, str], stand: Stand) -> Row:
    engine = with_choices(base, change) if change else base
    program, readings = engine.program, {**said, **change}
    try:
        state, seats, event = stand(engine)
        if any(card != "?" and card not in engine.pack.unit for card in named(event)):
            raise BadPosition("event", "the event names a card that the pack has not", FOREIGN)
    except BadPosition as bad:
        info = program.clauses[program.setup["pack"]] if bad.code == FOREIGN else None
        passage, source = (None, None) if info is None else (info.passage, info.source)
        return Row(program.name, readings, None, bad.code, passage, source)
    if event[1] == "gives" and event[3] not in seats:
        raise CannotAsk(f"{event[3]} does not play there", "name the player who gets the card")
    _, refusal = judge_act(engine, state, event, seats)
    if refusal is not None and refusal.code == "table-card-missing":
        _, refusal = judge_act(engine, state, _complete(engine, state, event, seats), seats)
    if refusal is None:
        return Row(program.name, readings, True)
    clause = None if refusal.clause is None else program.clauses[refusal.clause]
    passage, source = (None, None) if clause is None else (clause.passage, clause.source)
    return Row(program.name, readings, False, refusal.code, passage, source)


def _complete(engine: Engine, state: State, event: Event, seats: Mapping[str, int]) -> Event:
    """The act with every meld listed that stands afterwards, as packs with copies want it."""
    pack = engine.pack
    laid = sum(pack.packed(meld) for meld in event[2])
    rest = (pack.minus(meld, laid) for meld in state.tables[seats[event[0]]])
    return (*event[:2], [*event[2], *(pack.names(meld) for meld in rest if meld)])


def agree_on(groups: Sequence[Sequence[Row]]) -> list[str]:
    """The readings that change the verdict, and the clauses that no reading of their set does away with.

    Clauses only where the sets differ: what is illegal everywhere needs no agreement.
    """
    judged = [rows for rows in groups if rows[0].legal is not None]
    found: dict[str, None] = {}
    for rows in judged:
        for row in rows[1:]:
            if row.legal != rows[0].legal:
                found.update((n, None) for n, c in row.readings.items() if rows[0].readings.get(n) != c)
    if any(rows[0].legal for rows in judged):
        for rows in judged:
            if not any(row.legal for row in rows) and rows[0].clause is not None:
                found[rows[0].clause] = None
    return list(found)


# ---- for people


def _event_text(event: Event, notation: Notation) -> str:
    words = [str(event[0]), str(event[1])]
    for part in event[2:]:
        if isinstance(part, str):
            words.extend(in_notation(notation, [part]) if part in named(event) else [f"to {part}"])
        elif part and isinstance(part[0], str):
            words.append(f"onto {' '.join(in_notation(notation, part))}")
        else:
            words.append(table_text(notation, part))
    return " ".join(words)


_VERDICTS = {True: "legal", False: "illegal", None: "not applicable"}


def _table(groups: Sequence[Sequence[Row]]) -> list[str]:
    lines = []
    width = max(len(row.rules) for rows in groups for row in rows)
    for verdict, word in _VERDICTS.items():
        for rows in groups:
            if rows[0].legal is not verdict:
                continue
            lines.append(f"  {word:<14}  {rows[0].rules:<{width}}  {_reason(rows[0])}".rstrip())
            for row in rows[1:]:
                change = ", ".join(
                    f"{n}={c}" for n, c in row.readings.items() if rows[0].readings.get(n) != c
                )
                lines.append(
                    f"    {_VERDICTS[row.legal]:<12}  {'':<{width}}  with {change}  {_reason(row)}".rstrip()
                )
    return lines


def _reason(row: Row) -> str:
    if row.code is None:
        return ""
    source = f" ({row.source})" if row.source else ""
    return f"{row.code}  {row.clause}{source}" if row.clause else row.code


def _closing(groups: Sequence[Sequence[Row]], agree: Sequence[str]) -> str:
    judged = [rows for rows in groups if rows[0].legal is not None]
    if not judged:
        return "None of these rules has these cards and melds, so there is nothing to settle."
    if agree:
        return f"The players have to agree on {_listed(agree)}."
    if all(rows[0].legal for rows in judged):
        return "There is nothing to agree on: all rules that can hold the position allow it."
    return "There is nothing to agree on: all rules that can hold the position forbid it."


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
