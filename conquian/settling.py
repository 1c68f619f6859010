"""One disputed event under many rule sets, and under every reading that matters to it.

Guarantees: a row stands for what one rule set says of the event in the position as it lies; after the row of a set's
own readings come the single changes of a reading under which it is judged otherwise, in verdict or code. Where a
set cannot hold the position, nothing is said but that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from conquian.agreeing import Agreement, agreement
from conquian.cards import Notation
from conquian.disputed import NOT_IN_DECK, carried, named, read_event
from conquian.engine.engine import Engine, with_choices
from conquian.engine.play import Event, play
from conquian.engine.refusals import judge_act
from conquian.engine.state import State
from conquian.other_readings import single_changes
from conquian.position import BadPosition, Rules, load
from conquian.questions import (
    Answer,
    CannotAsk,
    Given,
    Question,
    check,
    in_notation,
    table_text,
)
from conquian.seen import needed_parts, seen_parts
from conquian.sentences import sheet
from conquian.tongue import listed, mark, tell
from conquian.transcript.model import SAID

if TYPE_CHECKING:
    from conquian.judgement import Notice


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
        raise CannotAsk(tell("no event is disputed"), tell('add --meld "M, M" or --event "Ana melds M, M"'))
    check(parts)
    return _settled(
        _document(parts), said, sets, lambda name: dict(readings), _standing(parts, said), notation
    )


def _standing(parts: Given, said: Event) -> Stand:
    """The position of some parts, where the event's player holds the card on offer, or demands it of `me`."""
    player = str(said[0])

    def stand(engine: Engine) -> tuple[State, Mapping[str, int], Event]:
        if (parts.stock or 0) > engine.pack.size:
            raise BadPosition("stock", tell("the pack is smaller"), "misdeal")
        here = parts.position(Rules(engine))
        seats = {name: seat for seat, name in enumerate(here.players)}
        if player not in seats:
            seats[player] = engine.opponents[0] if said[1] == "forces" else 0
        return here.state, seats, said

    return stand


def _document(parts: Given) -> dict[str, Any]:
    """The parts as `--position` takes them."""
    position = {
        name: value
        for name in ("up", "table", "hand", "opponent_table", "stock", "turned_by")
        if (value := getattr(parts, name)) is not None
    }
    if parts.declined:
        position["declined"] = True
    return position


def settle_recorded(
    asked: Question, sets: Sequence[str], readings: Mapping[str, str], event: str | None, meld: str | None
) -> Answer:
    """An event of a transcript, or another one in its place, in the position that the transcript leads to."""
    said = read_event(event, meld, asked.player, asked.notation) or asked.event
    assert said is not None
    if said[1] in SAID:
        text = tell("`{event}` is no event that rules allow or forbid", event=" ".join(map(str, said[:2])))
        raise CannotAsk(text, tell("name the event that is disputed"))
    here, names, own = asked.position, asked.position.players, asked.rules
    if said[0] not in names:
        raise CannotAsk(
            tell("{player} does not play there", player=said[0]),
            tell("the players are {players}", players=", ".join(names)),
        )

    def stand(engine: Engine) -> tuple[State, Mapping[str, int], Event]:
        # What is due can follow from the last events: they are taken up again if these rules allow them.
        for back in range(len(asked.before), 0, -1):
            state, seats = carried(asked.before[-back][0], engine)
            done = [event for _, event in asked.before[-back:]]
            if _playable(engine, done) and play(engine, state, done, seats).all:
                return state, seats, said
        return *carried(here, engine), said

    def chosen(name: str) -> dict[str, str]:
        return {**(own.engine.changed if name == own.name else {}), **readings}

    parts = seen_parts(asked, said)

    def score(given: Given) -> int:
        """Under how many of the sets the answer in the position is that in the transcript."""
        same = 0
        for name in sets:
            engine, readings = load(name, chosen(name)).engine, chosen(name)
            rows = [_row(engine, {}, readings, where) for where in (stand, _standing(given, said))]
            same += (rows[0].legal, rows[0].code) == (rows[1].legal, rows[1].code)
        return same

    position = _document(needed_parts(parts, score))
    return _settled(position, said, sets, chosen, stand, asked.notation)


def recorded(
    at: str,
    sets: Sequence[str],
    readings: Mapping[str, str],
    notation: Notation | None,
    notice: Notice | None = None,
) -> Question:
    """The place in a transcript under its own rules; under the first of the sets if it names none.

    `notice` is told each note on what the event is judged by instead of the header's rules and readings.
    """
    from conquian.judgement import overridden
    from conquian.moments import NoRules, before, events_at

    place = events_at(at)
    sheet, game = place[0], place[0].game
    if notice is not None:
        others = None if game.rules in sets else ", ".join(sets)
        for note in overridden(sheet, game, others, readings):
            notice(note)
    try:
        return before(place, None, {}, notation)
    except NoRules:
        return before(place, sets[0], dict(readings), notation)


def _playable(engine: Engine, events: Sequence[Event]) -> bool:
    return all(card in engine.pack.unit or card == "?" for event in events for card in named(event))


# ---- rows


def _settled(
    position: dict[str, Any],
    event: Event,
    sets: Sequence[str],
    chosen: Callable[[str], dict[str, str]],
    stand: Stand,
    notation: Notation,
) -> Answer:
    groups: list[list[Row]] = []
    sides: list[_Side] = []
    for name in sets:
        readings = chosen(name)
        rules = load(name, readings)
        first = _row(rules.engine, {}, readings, stand)
        rows = [first]
        if first.legal is not None:
            sides.append(_Side(rules.engine, readings, stand, {}))
            for change in single_changes(rules.engine):
                row = _row(rules.engine, change, readings, stand)
                if (row.legal, row.code) != (first.legal, first.code):
                    rows.append(row)
        groups.append(rows)
    agreed = agreement(sides, deciding(groups))
    agree = agreed.names
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
        document, tuple([_event_text(event, notation), *_table(groups), _closing(groups, agreed)]), 0
    )


def _row(base: Engine, change: Mapping[str, str], said: Mapping[str, str], stand: Stand) -> Row:
    engine = with_choices(base, change) if change else base
    program, readings = engine.program, {**said, **change}
    try:
        state, seats, event = stand(engine)
        if any(card != "?" and card not in engine.pack.unit for card in named(event)):
            raise BadPosition("event", tell("the event names a card that the pack has not"), NOT_IN_DECK)
    except BadPosition as bad:
        info = program.clauses[program.setup["pack"]] if bad.code == NOT_IN_DECK else None
        passage, source = (None, None) if info is None else (info.passage, info.source)
        return Row(program.name, readings, None, bad.code, passage, source)
    if event[1] == "gives" and event[3] not in seats:
        raise CannotAsk(
            tell("{player} does not play there", player=event[3]), tell("name the player who gets the card")
        )
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


@dataclass(frozen=True, slots=True)
class _Side:
    """A rule set that can hold the position, with the readings that were said of it, and what it has been asked."""

    engine: Engine
    said: Mapping[str, str]
    stand: Stand
    known: dict[tuple[tuple[str, str], ...], Row]

    def asked(self, change: Mapping[str, str]) -> Row:
        """What it says under changed readings, as far as it has them."""
        own = {r.name: r.choices for r in self.engine.program.readings}
        known = {name: choice for name, choice in change.items() if choice in own.get(name, ())}
        key = tuple(sorted(known.items()))
        if key not in self.known:
            self.known[key] = _row(self.engine, known, self.said, self.stand)
        return self.known[key]


def deciding(groups: Sequence[Sequence[Row]]) -> list[str]:
    """The readings of which a single change alters the verdict of some set."""
    found: dict[str, None] = {}
    for rows in groups:
        for row in rows[1:]:
            if row.legal != rows[0].legal:
                found.update((n, None) for n, c in row.readings.items() if rows[0].readings.get(n) != c)
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


_VERDICTS = {True: mark("legal"), False: mark("illegal"), None: mark("not applicable")}


def _changes(rows: Sequence[Row]) -> list[tuple[str, Row]]:
    """The rows after the first, each with the readings that tell it from the first."""
    own = rows[0].readings
    return [
        (", ".join(f"{n}={c}" for n, c in row.readings.items() if own.get(n) != c), row) for row in rows[1:]
    ]


def _table(groups: Sequence[Sequence[Row]]) -> list[str]:
    """Rule sets that say the same for the same reason stand together, those that allow the event first."""
    alike: dict[tuple[object, ...], list[Sequence[Row]]] = {}
    for rows in groups:
        first = rows[0]
        changes = tuple((change, row.legal, row.code) for change, row in _changes(rows))
        alike.setdefault((first.legal, first.code, first.clause, changes), []).append(rows)
    lines = []
    for verdict, word in _VERDICTS.items():
        for together in alike.values():
            first = together[0][0]
            if first.legal is not verdict:
                continue
            names = ", ".join(rows[0].rules for rows in together)
            lines.append(tell("{verdict} under {rules}", verdict=tell(word), rules=names))
            if first.code is not None:
                where = f"{first.clause} ({sheet(first.source)})" if first.source else first.clause
                clause = tell(", rule {clause}", clause=where) if first.clause else ""
                lines.append(f"    {first.code}{clause}")
            for change, row in _changes(together[0]):
                code = f": {row.code}" if row.code else ""
                said = tell("{verdict} with {readings}", verdict=tell(_VERDICTS[row.legal]), readings=change)
                lines.append(f"    {said}{code}")
    return lines


MOST_CLAUSES = 2
"""More clauses than these are not listed in the last sentence; the table has them."""


def _closing(groups: Sequence[Sequence[Row]], agreed: Agreement) -> str:
    judged = [rows[0] for rows in groups if rows[0].legal is not None]
    if not judged:
        return tell("None of these rules has these cards and melds, so there is nothing to settle.")
    if agreed.clauses:
        return _choose(agreed)
    if agreed.readings:
        return tell("The players have to agree on {readings}.", readings=listed(agreed.readings))
    if all(row.legal for row in judged):
        return tell("There is nothing to agree on: all rules that can hold the position allow it.")
    return tell("There is nothing to agree on: all rules that can hold the position forbid it.")


def _choose(agreed: Agreement) -> str:
    """The last sentence where no choice of readings makes the rule sets say the same."""
    if len(agreed.clauses) > MOST_CLAUSES:
        if not agreed.readings:
            return tell("The players have to choose the rule set: readings alone do not settle it.")
        return tell(
            "The players have to agree on {readings} and the rule set: readings alone do not settle it.",
            readings=listed(agreed.readings),
        )
    rules = [tell("rule {name}", name=clause) for clause in agreed.clauses]
    return tell(
        "Only the choice of the rule set settles it: the players have to agree on {readings}.",
        readings=listed([*agreed.readings, *rules]),
    )
