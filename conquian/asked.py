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
    asked: Question, meld: str | None, count: bool, limit: int | None, why: bool = False, rules: str = ""
) -> Answer:
    """Whether a meld is legal, with what decides; or the legal melds of the position.

    With `why` the smallest set of clauses that forbids the meld, found by the solver; `rules` is then what the
    rules were loaded by.
    """
    if limit is not None and limit < 0:
        raise CannotAsk("--limit is not negative")
    if meld is None:
        if why:
            raise CannotAsk("--why explains one meld", "add --meld")
        return _all_melds(asked, count, limit)
    if count or limit is not None:
        raise CannotAsk("--meld asks about one meld", "leave out --count and --limit")
    listed = tuple(tuple(m) for m in melds_of(meld, asked.notation, "--meld"))
    if not listed:
        raise CannotAsk("--meld names no cards", 'for example --meld "5c 6c 7c"')
    event: Event = (asked.player, "melds", listed)
    answer = _one_meld(asked, event)
    return _explained(asked, event, answer, rules) if why and answer.status == 1 else answer


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


def _one_meld(asked: Question, event: Event) -> Answer:
    from conquian.engine.engine import with_choices
    from conquian.messages import Scene, message
    from conquian.other_readings import Moment, legal_as_it_stands, legal_changes

    position, engine = asked.position, asked.rules.engine
    refusal = position.check(event)
    if refusal is None:
        after = position.apply(event)
        table = after.table(asked.player)
        won = after.phase == "won"
        shown = ", ".join(" ".join(in_notation(asked.notation, m)) for m in table)
        lines = [f"legal{', and wins' if won else ''}; the table is then {shown}"]
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
    instead = [list(map(list, _laid(position, table))) for table in position.legal_melds()]
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


def _explained(asked: Question, event: Event, answer: Answer, rules: str) -> Answer:
    """The same answer with the smallest set of clauses that forbids the act."""
    from conquian.engine.sets import is_rule_set
    from conquian.language.build import load as load_rules
    from conquian.verifier.limits import Undecided
    from conquian.verifier.why import why

    typed = None if not rules or is_rule_set(rules) else load_rules(rules)
    found = why(asked.rules, asked.position, event, typed)
    if isinstance(found, Undecided):
        document = {**answer.document, "core": None, "undecided": {"budget": found.budget}}
        return Answer(document, (*answer.lines, f"why: undecided within a budget of {found.budget}"), 3)
    core = dict.fromkeys(reason.passages[0] if reason.passages else reason.clause for reason in found.reasons)
    lines = [f"forbidden by {r.passages[0] if r.passages else r.clause}: {r.sentence}" for r in found.reasons]
    if found.cards:
        lines.append(f"because of {' '.join(in_notation(asked.notation, found.cards))}")
    lines.extend(f"legal but for the clause `{name}`" for name in found.legal_but_for)
    return Answer({**answer.document, "core": list(core)}, (*answer.lines, *lines), 1)


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
