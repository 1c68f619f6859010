"""How a question about one position is put: by options, a JSON document or a place in a transcript.

What cannot be asked is a `CannotAsk` with a hint; nothing is guessed, and what was left out is remembered. An
answer is a document for programs, lines for people and an exit status.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from conquian.cards import NOTATIONS, BadCard, Notation, read_card, showing, write_card
from conquian.engine.play import Event
from conquian.position import BadPosition, Position, Rules, load
from conquian.tongue import tell

if TYPE_CHECKING:
    from conquian.judgement import Notice


class CannotAsk(ValueError):
    """A question that cannot be understood."""

    def __init__(self, message: str, hint: str = "") -> None:
        self.hint = hint
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class Question:
    """A position, the rules to judge it by, and the player who holds the card on offer.

    `left_out` names the parts of the position that nobody gave. Of a place in a transcript, `event` is the event
    that stands there and `before` are the last few positions with the events that led from each to the next.
    """

    rules: Rules
    position: Position
    player: str
    notation: Notation
    hand_known: bool
    left_out: tuple[str, ...] = ()
    event: Event | None = None
    before: tuple[tuple[Position, Event], ...] = ()


@dataclass(frozen=True, slots=True)
class Given:
    """The parts of a position that options or a document give, cards by their French names; None: left out."""

    notation: Notation
    up: str | None = None
    table: list[list[str]] | None = None
    hand: list[str] | None = None
    opponent_table: list[list[str]] | None = None
    stock: int | None = None
    turned_by: str | None = None
    declined: bool = False

    def position(self, rules: Rules) -> Position:
        """The position under some rules; BadPosition if they cannot hold it."""
        return rules.position(
            up=self.up,
            table=self.table or (),
            hand=self.hand,
            opponent_table=self.opponent_table or (),
            stock=self.stock,
            turned_by=self.turned_by,
            declined=self.declined,
        )

    @property
    def left_out(self) -> tuple[str, ...]:
        return tuple(name for name in PARTS if getattr(self, name) is None)


PARTS = ("table", "hand", "opponent_table", "stock", "turned_by")


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
        raise CannotAsk(
            tell("{what}: a meld is empty", what=what), tell("write melds as `5c 6c 7c, Jc Jd Jh`")
        )
    return melds


def notation_of(name: str | None) -> Notation:
    if name is None:
        return "french"
    if name not in NOTATIONS:
        raise CannotAsk(
            tell("--cards {cards} is not known", cards=name),
            tell("known: {known}", known=", ".join(NOTATIONS)),
        )
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
    offer: bool = True,
    notice: Notice | None = None,
) -> Question:
    """The question that a command's options ask; CannotAsk, RulesError or UnknownReading if they ask none.

    `offer` False: the question does not need a card on offer. `notice` is told each note on what `rules` and
    `readings` override of a transcript's header.
    """
    if at is not None:
        options = (up, table, hand, opponent_table, stock, turned_by, position)
        if declined or any(x is not None for x in options):
            raise twice()
        from conquian.moments import before_event

        return before_event(at, rules, readings, notation_of(cards) if cards else None, notice)
    name, chosen, parts = given(
        rules=rules,
        readings=readings,
        up=up,
        table=table,
        hand=hand,
        opponent_table=opponent_table,
        stock=stock,
        turned_by=turned_by,
        declined=declined,
        position=position,
        cards=cards,
        offer=offer,
    )
    if name is None:
        hint = (
            tell('add "rules": "NAME"')
            if position
            else tell("add --rules NAME; `conquian spec list` names them")
        )
        said = tell("no rule set is named")
        raise CannotAsk(f"{position}: {said}" if position else said, hint)
    if rules is None and not is_shipped(name):
        raise CannotAsk(
            tell("{position}: there is no rule set `{name}`", position=position, name=name),
            tell("`conquian spec list` names them"),
        )
    return _ask(load(name, chosen), parts)


def twice() -> CannotAsk:
    """The position is given in two ways."""
    return CannotAsk(tell("the position is given twice"), tell("use options, --position or --at"))


def given(
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
    cards: str | None,
    offer: bool = True,
) -> tuple[str | None, dict[str, str], Given]:
    """The rule set and readings that are named, and the parts of the position, from options or a document."""
    notation = notation_of(cards)
    options = (up, table, hand, opponent_table, stock, turned_by)
    if position is not None:
        if declined or any(x is not None for x in options):
            raise twice()
        return _from_json(position, rules, readings, notation, offer)
    if up is None and offer:
        if rules is None:
            raise CannotAsk(
                tell("no rule set is named"), tell("add --rules NAME; `conquian spec list` names them")
            )
        raise CannotAsk(tell("no card is on offer"), tell("add --up CARD"))
    parts = Given(
        notation,
        None if up is None else _one(cards_of(up, notation, "--up")),
        None if table is None else melds_of(table, notation, "--table"),
        None if hand is None else cards_of(hand, notation, "--hand"),
        None if opponent_table is None else melds_of(opponent_table, notation, "--opponent-table"),
        stock,
        turned_by,
        declined,
    )
    return rules, readings, parts


def _one(cards: list[str]) -> str:
    if len(cards) != 1:
        raise CannotAsk(tell("--up is one card"), tell("for example --up Kh"))
    return cards[0]


def _ask(rules: Rules, parts: Given) -> Question:
    check(parts)
    if (parts.stock or 0) > rules.engine.pack.size:
        raise CannotAsk(
            tell("a stock of {stock} cards is not possible", stock=parts.stock), tell("the pack is smaller")
        )
    try:
        with showing(parts.notation):
            here = parts.position(rules)
    except BadPosition as bad:
        raise CannotAsk(f"{bad.field}: {bad}", tell("mend the position")) from None
    return Question(rules, here, "me", parts.notation, parts.hand is not None, parts.left_out)


def check(parts: Given) -> None:
    """CannotAsk for what no position can be, whatever the rules."""
    if parts.turned_by not in (None, "me", "opponent"):
        raise CannotAsk(
            tell("turned_by {turned_by} is not known", turned_by=parts.turned_by),
            tell("write me or opponent"),
        )
    if parts.stock is not None and parts.stock < 0:
        raise CannotAsk(
            tell("a stock of {stock} cards is not possible", stock=parts.stock), tell("0 or more")
        )


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


class _Twice(Exception):
    """A key that comes twice in an object."""


def _no_key_twice(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise _Twice(key)
        found[key] = value
    return found


def _from_json(
    path: str, rules: str | None, readings: dict[str, str], notation: Notation, offer: bool
) -> tuple[str | None, dict[str, str], Given]:
    data = read_bytes(path)
    try:
        found = json.loads(data, object_pairs_hook=_no_key_twice)
    except _Twice as twice:
        key = json.dumps(twice.args[0])[:40]
        raise CannotAsk(
            tell("{path}: the key {key} comes twice", path=path, key=key), tell("keep one of the two")
        ) from None
    except (ValueError, RecursionError) as error:
        raise CannotAsk(
            tell("{path}: not JSON: {error}", path=path, error=error),
            tell('for example {{"rules": "swedish", "up": "Kh"}}'),
        ) from None
    if not isinstance(found, dict):
        raise CannotAsk(tell("{path}: a position is a JSON object", path=path))
    unknown = sorted(set(found) - _KEYS)
    if unknown:
        raise CannotAsk(
            tell("{path}: unknown key `{unknown}`", path=path, unknown=unknown[0]),
            tell("known: {known}", known=", ".join(sorted(_KEYS))),
        )
    name = rules or found.get("rules")
    said = found.get("readings") or {}
    if name is not None and not isinstance(name, str):
        raise CannotAsk(tell("{path}: no rule set is named", path=path), tell('add "rules": "NAME"'))
    if not isinstance(said, dict) or not all(isinstance(x, str) for x in said.values()):
        raise CannotAsk(tell("{path}: readings are an object of texts", path=path))
    up, hand, turned_by = found.get("up"), found.get("hand"), found.get("turned_by")
    if up is None and offer:
        raise CannotAsk(tell("{path}: no card is on offer", path=path), tell('add "up": "Kh"'))
    stock, declined = found.get("stock"), found.get("declined")
    if not isinstance(declined, bool | None) or not (stock is None or type(stock) is int):
        raise CannotAsk(tell("{path}: `stock` is a number, `declined` true or false", path=path))
    if not isinstance(turned_by, str | None):
        raise CannotAsk(tell("{path}: `turned_by` is a text", path=path), tell("write me or opponent"))
    parts = Given(
        notation,
        None if up is None else _card(up, path),
        _list_of_melds(found.get("table"), path),
        None if hand is None else [_card(c, path) for c in _list(hand, path)],
        _list_of_melds(found.get("opponent_table"), path),
        stock,
        turned_by,
        declined or False,
    )
    return name, {**said, **readings}, parts


def read_bytes(path: str) -> bytes:
    try:
        if path == "-":
            return sys.stdin.buffer.read()
        with open(path, "rb") as file:
            return file.read()
    except (OSError, ValueError) as error:
        from conquian.opening import unreadable

        raise CannotAsk(f"{path}: {unreadable(error)}") from None


def is_shipped(name: str) -> bool:
    from conquian.engine.sets import is_rule_set

    return is_rule_set(name)


def _list(value: object, path: str) -> list[Any]:
    if not isinstance(value, list):
        raise CannotAsk(
            tell("{path}: a list is wanted, not {value}", path=path, value=json.dumps(value)[:40])
        )
    return value


def _card(value: object, path: str) -> str:
    from conquian.cards import CARD_SET, canonical_hint

    if not isinstance(value, str) or value not in CARD_SET:
        shown = json.dumps(value)[:40]
        raise CannotAsk(
            tell("{path}: {shown} is no card", path=path, shown=shown),
            canonical_hint(value) if isinstance(value, str) else "",
        )
    return value


def _list_of_melds(value: object, path: str) -> list[list[str]] | None:
    return None if value is None else [[_card(c, path) for c in _list(m, path)] for m in _list(value, path)]


def in_notation(notation: Notation, cards: Sequence[str]) -> list[str]:
    """Cards as people write them; French where the notation has no form for one."""
    forms = [write_card(cast(Any, c), notation) for c in cards]
    return [w if isinstance(w, str) else c for w, c in zip(forms, cards, strict=True)]


def table_text(notation: Notation, melds: Sequence[Sequence[str]]) -> str:
    return ", ".join(" ".join(in_notation(notation, meld)) for meld in melds)
