"""Answers about one position: whether a meld is legal, and what may be laid.

How questions are put is in `conquian.questions`; transcripts are put into other forms here too.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, cast

from conquian.engine.play import Event
from conquian.position import Position, load
from conquian.questions import (
    Answer,
    CannotAsk,
    Question,
    cards_of,
    in_notation,
    is_shipped,
    melds_of,
    notation_of,
    question,
)
from conquian.verifier.limits import BUDGET

__all__ = [
    "Answer",
    "CannotAsk",
    "Question",
    "cards_of",
    "convert_file",
    "legal",
    "melds_of",
    "notation_of",
    "question",
]

# ---- legal


def legal(
    asked: Question,
    meld: str | None,
    count: bool,
    limit: int | None,
    why: bool = False,
    rules: str = "",
    *,
    event: str | None = None,
    budget: int = BUDGET,
) -> Answer:
    """Whether a meld, or another event, is legal, with what decides; or the legal melds of the position.

    With `why` the smallest set of clauses that forbids it, found by the solver within a budget; `rules` is then what
    the rules were loaded by. `why` alone asks about the event that stands at a place of a transcript.
    """
    if limit is not None and limit < 0:
        raise CannotAsk("--limit is not negative")
    told = event_asked(asked, meld, event, why)
    if told is None:
        if why:
            raise CannotAsk("--why explains one event", "add --meld or --event, or name the event with --at")
        return _all_melds(asked, count, limit)
    if count or limit is not None:
        what = "--meld asks about one meld" if event is None else "--event asks about one event"
        raise CannotAsk(what, "leave out --count and --limit")
    return legal_event(asked, told, why, rules, budget)


def event_asked(asked: Question, meld: str | None, event: str | None, why: bool) -> Event | None:
    """The event that is asked about; None if all melds are."""
    from conquian.disputed import read_event

    return read_event(event, meld, asked.player, asked.notation) or (asked.event if why else None)


def legal_event(asked: Question, told: Event, why: bool, rules: str, budget: int) -> Answer:
    """Whether an event is legal, with what decides; with `why`, the smallest set of clauses that forbids it."""
    strangers = [name for name in _players_of(told) if name not in asked.position.players]
    if strangers:
        known = ", ".join(asked.position.players)
        raise CannotAsk(f"{strangers[0]} does not play there", f"the players are {known}")
    answer = _one_event(asked, told)
    return _explained(asked, told, answer, rules, budget) if why else answer


def _players_of(event: Event) -> list[str]:
    return [event[0], *([event[3]] if event[1] == "gives" else [])]


def _all_melds(asked: Question, count: bool, limit: int | None) -> Answer:
    melds = asked.position.legal_melds()
    if count:
        return Answer({"count": len(melds)}, (str(len(melds)),), 0)
    shown = melds if limit is None else melds[:limit]
    lines = [", ".join(" ".join(in_notation(asked.notation, m)) for m in table) for table in shown]
    if not melds:
        lines = ["no meld of the card on offer is legal"]
        if not asked.hand_known:
            lines = ["no meld without hand cards is legal; the hand is not known"]
    elif len(shown) < len(melds):
        lines.append(f"… {len(melds) - len(shown)} more")
    return Answer({"count": len(melds), "melds": shown}, tuple(lines), 0)


def _one_event(asked: Question, event: Event) -> Answer:
    from conquian.engine.engine import with_choices
    from conquian.messages import Scene, message
    from conquian.other_readings import Moment, legal_as_it_stands, legal_changes

    position, engine = asked.position, asked.rules.engine
    refusal = position.check(event)
    if refusal is None:
        after = position.apply(event)
        table = after.table(event[0])
        won = after.phase == "won"
        shown = ", ".join(" ".join(in_notation(asked.notation, m)) for m in table)
        then = f"; the table is then {shown}" if event[1] == "melds" else ""
        lines = [f"legal{', and wins' if won else ''}{then}"]
        document: dict[str, Any] = {
            "legal": True,
            "code": None,
            "clause": None,
            "why": None,
            "core": [],
            "instead": [],
            "legal_under": [],
        }
        return Answer(document, tuple(lines), 0)
    info = None if refusal.clause is None else engine.program.clauses[refusal.clause]
    seats = {name: seat for seat, name in enumerate(position.players)}
    moments: list[Moment] = [(position.state, ())]
    changes = legal_changes(
        engine, lambda change: legal_as_it_stands(with_choices(engine, change), moments, event, seats)
    )
    text, hint = message(refusal, Scene(engine, position.players, position.state, event))
    tables = position.legal_melds() if event[1] == "melds" else ()
    instead = [list(map(list, _laid(position, table))) for table in tables]
    passage = None if info is None else info.passage
    document = {
        "legal": False,
        "code": refusal.code,
        "clause": passage,
        "why": text,
        "core": [] if passage is None else [passage],
        "instead": instead,
        "legal_under": list(changes),
    }
    lines = [f"not legal: {refusal.code} - {text}"]
    if info is not None:
        source = f" ({info.source})" if info.source else ""
        lines.append(f"rule {info.passage}{source}: {info.sentence}")
    lines.append(f"hint: {hint}")
    if changes:
        shown_changes = [" and ".join(f"{n}={c}" for n, c in change.items()) for change in changes]
        lines.append(f"legal with {' or with '.join(shown_changes)}")
    return Answer(document, tuple(lines), 1)


def _explained(asked: Question, event: Event, answer: Answer, rules: str, budget: int) -> Answer:
    """The same answer with the smallest set of clauses that forbids the event; status 3 if it is not certain."""
    from conquian.verifier.limits import Undecided
    from conquian.whys import fields, lines, typed_rules

    if answer.status == 0:
        nothing: dict[str, Any] = {"clauses": [], "facts": [], "needs": [], "but_for": []}
        return Answer({**answer.document, **nothing}, answer.lines, 0)
    from conquian.verifier.why import why

    typed = typed_rules(rules or asked.rules.engine.program.name)
    found = why(asked.rules, asked.position, event, typed, budget)
    told = fields(found)
    document = {**answer.document, **told}
    status = 3 if isinstance(found, Undecided) else answer.status
    more = lines(told, lambda cards: in_notation(asked.notation, cards))
    return Answer(document, (*answer.lines, *more), status)


def _laid(position: Position, table: Sequence[Sequence[str]]) -> list[Sequence[str]]:
    """The melds of a table that an act would list: all of them where cards have copies, else the changed ones."""
    if position.rules.engine.pack.copies > 1:
        return list(table)
    before = position.table(position.holder or position.players[0])
    return [meld for meld in table if tuple(meld) not in before]


# ---- convert


def convert_file(path: str, to: str, cards: str | None) -> tuple[str, list[str]]:
    """A transcript in another form, and no complaint; or nothing, and why not."""
    from conquian.transcript.convert import Refusal, convert
    from conquian.transcript.read import read

    data = sys.stdin.buffer.read() if path == "-" else open(path, "rb").read()  # noqa: SIM115
    texts: list[str] = []
    complaints: list[str] = []
    for sheet in read(data, path):
        if sheet.errors:
            complaints.extend(sheet.show(error) for error in sheet.errors)
            continue
        ranks = _pack_ranks(sheet.game)
        result = convert(sheet, cast(Any, to), None if cards is None else notation_of(cards), ranks)
        if isinstance(result, Refusal):
            complaints.append(f"{sheet.name}:1:1: {result.code} {result.message}\nhint: {result.hint}")
        else:
            texts.append(result)
    if to != "jsonl" and len(texts) > 1:
        return "", [f"{path}:1:1: several-games {len(texts)} games need --to jsonl"]
    return "".join(texts), complaints


def _pack_ranks(game: Any) -> tuple[str, ...] | None:
    if game is None or game.rules is None or not is_shipped(game.rules):
        return None
    cards = load(game.rules).engine.pack.cards
    return tuple(dict.fromkeys(card[:-1] for card in cards))
