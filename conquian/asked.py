"""Questions about one position, from options, a JSON document or a place in a transcript, and their answers.

What cannot be asked is a `CannotAsk` with a hint; nothing is guessed. An answer is a document for programs,
lines for people and an exit status.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from conquian.cards import NOTATIONS, BadCard, Notation, read_card
from conquian.engine.play import Event
from conquian.position import BadPosition, Position, Rules, load


class CannotAsk(ValueError):
    """A question that cannot be understood."""

    def __init__(self, message: str, hint: str = "") -> None:
        self.hint = hint
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class Question:
    """A position, the rules to judge it by, and the player who holds the card on offer."""

    rules: Rules
    position: Position
    player: str
    notation: Notation
    hand_known: bool


@dataclass(frozen=True, slots=True)
class Answer:
    document: dict[str, Any]
    lines: tuple[str, ...]
    status: int


def cards_of(text: str, notation: Notation, what: str) -> list[str]:
    """Cards in a text, separated by spaces or commas."""
    found: list[str] = []
    for word in text.replace(",", " ").split():
        card = read_card(word, notation)
        if isinstance(card, BadCard):
            raise CannotAsk(f"{what}: {card.message}", card.hint)
        found.append(card)
    return found


def melds_of(text: str, notation: Notation, what: str) -> list[list[str]]:
    """Melds in a text, separated by commas."""
    if not text.strip():
        return []
    melds = [cards_of(part, notation, what) for part in text.split(",")]
    if not all(melds):
        raise CannotAsk(f"{what}: a meld is empty", "write melds as `5c 6c 7c, Jc Jd Jh`")
    return melds


def notation_of(name: str | None) -> Notation:
    if name is None:
        return "french"
    if name not in NOTATIONS:
        raise CannotAsk(f"--cards {name} is not known", f"known: {', '.join(NOTATIONS)}")
    return name


def question(
    *,
    rules: str | None,
    readings: dict[str, str],
    up: str | None,
    table: str | None,
    hand: str | None,
    opponent_table: str | None,
    stock: int | None,
    turned_by: str | None,
    declined: bool,
    position: str | None,
    at: str | None,
    cards: str | None,
) -> Question:
    """The question that a command's options ask; CannotAsk, RulesError or UnknownReading if they ask none."""
    notation = notation_of(cards)
    options = (up, table, hand, opponent_table, stock, turned_by)
    given = sum((position is not None, at is not None, any(x is not None for x in options) or declined))
    if given > 1:
        raise CannotAsk("the position is given twice", "use options, --position or --at")
    if at is not None:
        return _from_transcript(at, rules, readings, notation if cards else None)
    if position is not None:
        return _from_json(position, rules, readings, notation)
    if rules is None:
        raise CannotAsk("no rule set is named", "add --rules NAME; `conquian spec list` names them")
    if up is None:
        raise CannotAsk("no card is on offer", "add --up CARD")
    values: dict[str, Any] = {
        "up": _one(cards_of(up, notation, "--up")),
        "table": melds_of(table or "", notation, "--table"),
        "hand": None if hand is None else cards_of(hand, notation, "--hand"),
        "opponent_table": melds_of(opponent_table or "", notation, "--opponent-table"),
        "stock": stock,
        "turned_by": turned_by,
        "declined": declined,
    }
    return _ask(load(rules, readings), values, notation)


def _one(cards: list[str]) -> str:
    if len(cards) != 1:
        raise CannotAsk("--up is one card", "for example --up Kh")
    return cards[0]


def _ask(rules: Rules, values: dict[str, Any], notation: Notation) -> Question:
    if values.get("turned_by") not in (None, "me", "opponent"):
        raise CannotAsk(f"turned_by {values['turned_by']} is not known", "write me or opponent")
    stock = values.get("stock")
    if stock is not None and not 0 <= stock <= rules.engine.pack.size:
        raise CannotAsk(f"a stock of {stock} cards is not possible", "the pack is smaller")
    try:
        here = rules.position(**values)
    except BadPosition as bad:
        raise CannotAsk(f"{bad.field}: {bad}", "mend the position") from None
    return Question(rules, here, "me", notation, values.get("hand") is not None)


_KEYS = {
    "rules",
    "readings",
    "up",
    "table",
    "hand",
    "opponent_table",
    "stock",
    "turned_by",
    "declined",
}


def _from_json(path: str, rules: str | None, readings: dict[str, str], notation: Notation) -> Question:
    try:
        data = sys.stdin.buffer.read() if path == "-" else open(path, "rb").read()  # noqa: SIM115
    except OSError as error:
        raise CannotAsk(f"{path}: {error.strerror or 'cannot be read'}") from None
    try:
        found = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise CannotAsk(
            f"{path}: not JSON: {error}", 'for example {"rules": "swedish", "up": "Kh"}'
        ) from None
    if not isinstance(found, dict):
        raise CannotAsk(f"{path}: a position is a JSON object")
    unknown = sorted(set(found) - _KEYS)
    if unknown:
        raise CannotAsk(f"{path}: unknown key `{unknown[0]}`", f"known: {', '.join(sorted(_KEYS))}")
    name = rules or found.pop("rules", None)
    found.pop("rules", None)
    said = found.pop("readings", None) or {}
    if not isinstance(name, str):
        raise CannotAsk(f"{path}: no rule set is named", 'add "rules": "NAME"')
    if not isinstance(said, dict) or not all(isinstance(x, str) for x in said.values()):
        raise CannotAsk(f"{path}: readings are an object of texts")
    if rules is None and not _is_shipped(name):
        raise CannotAsk(f"{path}: there is no rule set `{name}`", "`conquian spec list` names them")
    if not isinstance(found.get("up"), str):
        raise CannotAsk(f"{path}: no card is on offer", 'add "up": "Kh"')
    values: dict[str, Any] = {
        "up": _card(found.get("up"), path),
        "table": _list_of_melds(found.get("table"), path),
        "hand": None if found.get("hand") is None else [_card(c, path) for c in _list(found["hand"], path)],
        "opponent_table": _list_of_melds(found.get("opponent_table"), path),
        "stock": found.get("stock"),
        "turned_by": found.get("turned_by"),
        "declined": found.get("declined") or False,
    }
    stock = values["stock"]
    if not isinstance(values["declined"], bool) or not (stock is None or type(stock) is int):
        raise CannotAsk(f"{path}: `stock` is a number, `declined` true or false")
    return _ask(load(name, {**said, **readings}), values, notation)


def _is_shipped(name: str) -> bool:
    from conquian.engine.sets import is_rule_set

    return is_rule_set(name)


def _list(value: object, path: str) -> list[Any]:
    if not isinstance(value, list):
        raise CannotAsk(f"{path}: a list is wanted, not {json.dumps(value)[:40]}")
    return value


def _card(value: object, path: str) -> str:
    from conquian.cards import CARD_SET, canonical_hint

    if not isinstance(value, str) or value not in CARD_SET:
        shown = json.dumps(value)[:40]
        raise CannotAsk(
            f"{path}: {shown} is no card", canonical_hint(value) if isinstance(value, str) else ""
        )
    return value


def _list_of_melds(value: object, path: str) -> list[list[str]]:
    return [] if value is None else [[_card(c, path) for c in _list(m, path)] for m in _list(value, path)]


# ---- a place in a transcript


def _from_transcript(
    at: str, rules: str | None, readings: dict[str, str], notation: Notation | None
) -> Question:
    from conquian.transcript.read import read

    path, deal_index, event_index, line, column = _place(at)
    try:
        data = sys.stdin.buffer.read() if path == "-" else open(path, "rb").read()  # noqa: SIM115
    except OSError as error:
        raise CannotAsk(f"{path}: {error.strerror or 'cannot be read'}") from None
    for sheet in read(data, path):
        game = sheet.game
        if game is None:
            if sheet.errors:
                first = sheet.errors[0]
                raise CannotAsk(f"{path}:{first.line}:{first.column}: {first.message}", first.hint)
            continue
        places = [
            (d, e, sheet.where.event(d, e).line, sheet.where.event(d, e).column)
            for d, deal in enumerate(game.deals)
            for e in range(len(deal.events))
        ]
        for d, e, event_line, event_column in places:
            number = game.deals[d].number
            if line is None:
                hit = number == deal_index and e == event_index
            else:
                last = max((c for x, y, ln, c in places if ln == line and c <= (column or 1)), default=None)
                hit = event_line == line and (
                    event_column == last
                    or (last is None and column is None)
                    or (last is None and e == min(y for _, y, ln, _ in places if ln == line))
                )
            if hit:
                return _before(sheet, d, e, rules, readings, notation or game.cards)
    raise CannotAsk(f"{at}: no event stands there", "name the line of an event, or FILE#DEAL@EVENT")


def _place(at: str) -> tuple[str, int | None, int | None, int | None, int | None]:
    match = re.fullmatch(r"(.+)#(\d{1,9})@(\d{1,9})", at)
    if match:
        return match[1], int(match[2]), int(match[3]), None, None
    match = re.fullmatch(r"(.+?):(\d{1,9})(?::(\d{1,9}))?", at)
    if match is None:
        raise CannotAsk(f"--at {at} names no place", "write FILE:LINE, FILE:LINE:COLUMN or FILE#DEAL@EVENT")
    return match[1], None, None, int(match[2]), int(match[3]) if match[3] else None


def _before(
    sheet: Any,
    deal_index: int,
    event_index: int,
    rules: str | None,
    readings: dict[str, str],
    notation: Notation,
) -> Question:
    """The position just before an event; the event's player asks."""
    from conquian.judgement import file_engine
    from conquian.referee import IllegalDeal, dealer_of, replay

    engine = file_engine(sheet, rules, readings)
    game = sheet.game
    if deal_index in sheet.unreadable:
        raise CannotAsk(f"{sheet.name}: deal {game.deals[deal_index].number} cannot be read")
    dealer = dealer_of(engine, game, deal_index)
    ruled = Rules(engine)
    try:
        positions = [position for position, _ in replay(ruled, game.players, game.deals[deal_index], dealer)]
    except IllegalDeal as illegal:
        raise CannotAsk(f"{sheet.name}: the deal itself is not legal ({illegal})") from None
    if event_index >= len(positions):
        raise CannotAsk(
            f"{sheet.name}: play stops being legal before that event", "`conquian validate` tells where"
        )
    event = game.deals[deal_index].events[event_index]
    here = positions[event_index]
    player = str(event[0])
    hidden = here.hand(player)[1]
    return Question(ruled, here, player, notation, hidden == 0)


# ---- legal


def legal(asked: Question, meld: str | None, count: bool, limit: int | None) -> Answer:
    """Whether a meld is legal, with what decides; or the legal melds of the position."""
    if limit is not None and limit < 0:
        raise CannotAsk("--limit is not negative")
    if meld is None:
        return _all_melds(asked, count, limit)
    if count or limit is not None:
        raise CannotAsk("--meld asks about one meld", "leave out --count and --limit")
    listed = tuple(tuple(m) for m in melds_of(meld, asked.notation, "--meld"))
    if not listed:
        raise CannotAsk("--meld names no cards", 'for example --meld "5c 6c 7c"')
    return _one_meld(asked, (asked.player, "melds", listed))


def _all_melds(asked: Question, count: bool, limit: int | None) -> Answer:
    melds = asked.position.legal_melds()
    if count:
        return Answer({"count": len(melds)}, (str(len(melds)),), 0)
    shown = melds if limit is None else melds[:limit]
    lines = [", ".join(" ".join(_write(asked, m)) for m in table) for table in shown]
    if not melds:
        lines = ["no meld of the card on offer is legal"]
        if not asked.hand_known:
            lines = ["no meld without hand cards is legal; the hand is not known"]
    elif len(shown) < len(melds):
        lines.append(f"… {len(melds) - len(shown)} more")
    return Answer({"count": len(melds), "melds": shown}, tuple(lines), 0)


def _write(asked: Question, cards: Sequence[str]) -> list[str]:
    from conquian.cards import write_card

    written = [write_card(cast(Any, c), asked.notation) for c in cards]
    return [w if isinstance(w, str) else c for w, c in zip(written, cards, strict=True)]


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
        shown = ", ".join(" ".join(_write(asked, m)) for m in table)
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
    written: list[str] = []
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
            written.append(result)
    if to != "jsonl" and len(written) > 1:
        return "", [f"{path}:1:1: several-games {len(written)} games need --to jsonl"]
    return "".join(written), complaints


def _pack_ranks(game: Any) -> tuple[str, ...] | None:
    if game is None or game.rules is None or not _is_shipped(game.rules):
        return None
    cards = load(game.rules).engine.pack.cards
    return tuple(dict.fromkeys(card[:-1] for card in cards))
