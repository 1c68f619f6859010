"""Answers about one position: whether a meld is legal, and what may be laid.

How questions are put is in `conquian.questions`; transcripts are put into other forms here too.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, cast

from conquian.cards import showing
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
from conquian.render import legal_with, ruled
from conquian.sentences import sentence
from conquian.tongue import tell, tell_n
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
        raise CannotAsk(tell("--limit is not negative"))
    told = event_asked(asked, meld, event, why)
    if told is None:
        if why:
            raise CannotAsk(
                tell("--why explains one event"), tell("add --meld or --event, or name the event with --at")
            )
        return _all_melds(asked, count, limit)
    if count or limit is not None:
        what = tell("--meld asks about one meld") if event is None else tell("--event asks about one event")
        raise CannotAsk(what, tell("leave out --count and --limit"))
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
        raise CannotAsk(
            tell("{player} does not play there", player=strangers[0]),
            tell("the players are {players}", players=known),
        )
    answer = _one_event(asked, told)
    return _explained(asked, told, answer, rules, budget) if why else answer


def _players_of(event: Event) -> list[str]:
    return [event[0], *([event[3]] if event[1] == "gives" else [])]


def _all_melds(asked: Question, count: bool, limit: int | None) -> Answer:
    from conquian.engine.search import taking
    from conquian.missing import missing_lines, missing_of_melds

    melds = asked.position.legal_melds()
    missing = missing_of_melds(asked)
    depends = {"depends_on": missing} if missing else {}
    if count:
        return Answer({"count": len(melds), **depends}, (str(len(melds)), *missing_lines(missing)), 0)
    shown = melds if limit is None else melds[:limit]
    lines = [", ".join(" ".join(in_notation(asked.notation, m)) for m in table) for table in shown]
    if not melds:
        lines = [tell("no meld of the card on offer is legal")]
        if taking(asked.rules.engine, asked.position.state) is None:
            lines = [tell("no card is on offer to {player}", player=asked.player)]
        elif not asked.hand_known:
            lines = [tell("no meld without hand cards is legal; the hand is not known")]
    elif len(shown) < len(melds):
        lines.append(tell("… {number} more", number=len(melds) - len(shown)))
    return Answer({"count": len(melds), "melds": shown, **depends}, (*lines, *missing_lines(missing)), 0)


def _one_event(asked: Question, event: Event) -> Answer:
    from conquian.engine.engine import with_choices
    from conquian.messages import Scene, message
    from conquian.missing import missing_lines, missing_of_event
    from conquian.other_readings import Moment, legal_as_it_stands, legal_changes

    position, engine = asked.position, asked.rules.engine
    refusal = position.check(event)
    missing = missing_of_event(asked, event, refusal)
    depends = {"depends_on": missing} if missing else {}
    if refusal is None:
        after = position.apply(event)
        table = after.table(event[0])
        won = after.phase == "won"
        shown = ", ".join(" ".join(in_notation(asked.notation, m)) for m in table)
        lines = [tell("legal, and wins") if won else tell("legal")]
        if event[1] == "melds":
            lines = [tell("{legal}; the table is then {melds}", legal=lines[0], melds=shown)]
        document: dict[str, Any] = {
            "legal": True,
            "code": None,
            "clause": None,
            "why": None,
            "core": [],
            "instead": [],
            "legal_under": [],
            **depends,
        }
        return Answer(document, (*lines, *missing_lines(missing)), 0)
    info = None if refusal.clause is None else engine.program.clauses[refusal.clause]
    seats = {name: seat for seat, name in enumerate(position.players)}
    moments: list[Moment] = [(position.state, ())]
    changes = legal_changes(
        engine, lambda change: legal_as_it_stands(with_choices(engine, change), moments, event, seats)
    )
    text, hint = message(refusal, Scene(engine, position.players, position.state, event, asked.notation))
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
        **depends,
    }
    lines = [tell("not legal: {code} - {message}", code=refusal.code, message=text)]
    if info is not None:
        assert refusal.clause is not None
        lines.append(ruled(info.passage, info.source, sentence(engine.program, refusal.clause)))
    lines.append(tell("hint: {hint}", hint=hint))
    if changes:
        lines.append(legal_with(changes))
    return Answer(document, (*lines, *missing_lines(missing)), 1)


def _explained(asked: Question, event: Event, answer: Answer, rules: str, budget: int) -> Answer:
    """The same answer with the smallest set of clauses that forbids the event; status 3 if it is not certain."""
    from conquian.verifier.limits import Undecided
    from conquian.whys import fields, lines, typed_rules

    if answer.status == 0:
        nothing: dict[str, Any] = {"clauses": [], "facts": [], "needs": [], "but_for": []}
        return Answer({**answer.document, **nothing}, answer.lines, 0)
    from conquian.verifier.why import why

    typed = typed_rules(rules or asked.rules.engine.program.name)
    with showing(asked.notation):
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


def convert_file(path: str, to: str, cards: str | None) -> tuple[str, list[str], list[str]]:
    """A transcript in another form, and no complaint; or nothing, and why not. Last, notes on what was written."""
    from conquian.transcript.convert import Refusal, comments_in_lines, convert
    from conquian.transcript.read import read

    data = sys.stdin.buffer.read() if path == "-" else open(path, "rb").read()  # noqa: SIM115
    texts: list[str] = []
    complaints: list[str] = []
    notes: list[str] = []
    for sheet in read(data, path):
        if sheet.errors:
            complaints.extend(line for error in sheet.errors for line in sheet.show(error).split("\n"))
            continue
        ranks = _pack_ranks(sheet.game)
        result = convert(sheet, cast(Any, to), None if cards is None else notation_of(cards), ranks)
        if isinstance(result, Refusal):
            hint = tell("hint: {hint}", hint=result.hint)
            complaints += [f"{sheet.name}:1:1: {result.code} {result.message}", hint]
        else:
            texts.append(result)
            changed = comments_in_lines(sheet)
            if changed:
                said = tell_n(
                    "{name}: note: {number} comment has line ends or outer blanks; each line is a comment now",
                    "{name}: note: {number} comments have line ends or outer blanks; each line is a comment now",
                    changed,
                    name=sheet.name,
                )
                notes.append(said)
    if to != "jsonl" and len(texts) > 1:
        many = tell("{number} games need --to jsonl", number=len(texts))
        return "", [f"{path}:1:1: several-games {many}"], []
    return "".join(texts), complaints, notes


def _pack_ranks(game: Any) -> tuple[str, ...] | None:
    if game is None or game.rules is None or not is_shipped(game.rules):
        return None
    cards = load(game.rules).engine.pack.cards
    return tuple(dict.fromkeys(card[:-1] for card in cards))
