"""Short transcripts and positions for the tests of the rules, each judged twice.

`judged` gives the verdict on one deal in a word, as the contract would say it: `Ana wins`, `drawn`,
`unfinished`, or `CODE @ EVENT` (`CODE` alone for the set-up and the claim). Every record is also put before
the second referee of `tests.reference`, which has to say the same. Hands that a record leaves out are
unknown: the players can hold whatever does not lie elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from conquian import Position, judge, load
from conquian.engine.play import Event
from conquian.transcript.read import read
from conquian.transcript.sheet import Sheet
from conquian.verdict import DealVerdict, FileVerdict, Violation
from tests.reference.referee import judge as second_judge

RULE_SETS = (
    "classic",
    "classic-52",
    "twice-around",
    "two-deck",
    "no-force",
    "discard-then-meld",
    "partnership",
    "coonking",
    "swedish",
    "swedish-packets",
    "mexican",
    "paco",
    "navajo-tens",
)
FAMILIES = ("classic", "coonking", "swedish")
TITLES = {
    "cl": "Classic rule sheet",
    "ck": "Coon King rule sheet",
    "sw": "Swedish rule sheet",
    "common": None,
}
_SOURCES = (Path(__file__).parents[2] / "spec" / "sources.md").read_text(encoding="utf-8")
PASSAGES = set(re.findall(r"\b(?:cl|ck|sw|common)\.[a-z0-9.]*[a-z0-9]", _SOURCES))
"""The ids of the passages that a violation can cite."""
FOUR = "Ana, Ben, Cleo, Dan"


def sheet_of(rules: str, record: str, *readings: str, players: str = "", head: str = "") -> Sheet:
    """A transcript as text: the header, and the lines of `record`."""
    named = players or (FOUR if rules == "partnership" else "Ana, Ben")
    text = f"rules: {rules}\nplayers: {named}\n"
    if readings:
        text += f"readings: {', '.join(readings)}\n"
    text += f"{head}\n{record}\n"
    (sheet,) = read(text.encode(), "test.cqn")
    assert not sheet.errors, [sheet.show(error) for error in sheet.errors]
    return sheet


def verdict_of(rules: str, record: str, *readings: str, players: str = "", head: str = "") -> FileVerdict:
    """The whole verdict; the second referee agrees on every deal of it."""
    sheet = sheet_of(rules, record, *readings, players=players, head=head)
    verdict = judge(sheet, differs=False)
    assert sheet.game is not None
    document: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(sheet.game))
    others = [said(r.verdict, r.code, r.event, r.winner, r.drawn) for r in second_judge(document)]
    assert [in_a_word(deal) for deal in verdict.deals] == others
    for deal in verdict.deals:
        for wrong in deal.violations:
            assert (
                wrong.clause is not None
                and wrong.clause in PASSAGES
                and wrong.source == TITLES[wrong.clause.split(".")[0]]
            )
            assert wrong.message and wrong.hint
    return verdict


def said(verdict: str, code: str | None, event: int | None, winner: str | None, drawn: bool | None) -> str:
    if code is not None:
        return code if event is None else f"{code} @ {event}"
    if winner is not None:
        return f"{winner} wins"
    return "drawn" if drawn else verdict


def in_a_word(deal: DealVerdict) -> str:
    wrong = deal.violations[0] if deal.violations else None
    result = deal.result or {}
    return said(
        deal.verdict,
        wrong.code if wrong else None,
        wrong.event if wrong else None,
        result.get("winner"),
        result.get("drawn"),
    )


def judged(rules: str, record: str, *readings: str, players: str = "", head: str = "") -> str:
    """The verdict on a record of one deal, in a word."""
    (deal,) = verdict_of(rules, record, *readings, players=players, head=head).deals
    return in_a_word(deal)


def all_judged(rules: str, record: str, *readings: str, players: str = "", head: str = "") -> list[str]:
    """The verdicts on a record of several deals."""
    found = verdict_of(rules, record, *readings, players=players, head=head)
    return [in_a_word(deal) for deal in found.deals]


def notes(
    rules: str, record: str, *readings: str, players: str = "", head: str = ""
) -> list[tuple[str, int | None]]:
    """The notes of all deals of a record: their codes and events."""
    found = verdict_of(rules, record, *readings, players=players, head=head)
    return [(note.code, note.event) for deal in found.deals for note in deal.notes]


def violation(rules: str, record: str, *readings: str, players: str = "", head: str = "") -> Violation:
    """The violation of the last deal that has one."""
    found = verdict_of(rules, record, *readings, players=players, head=head)
    return [v for deal in found.deals for v in deal.violations][-1]


# ---- positions


def melds(text: str) -> tuple[tuple[str, ...], ...]:
    """`5c 6c 7c, Jc Jd Jh` as melds."""
    return tuple(tuple(part.split()) for part in text.split(",")) if text else ()


def here(
    rules: str,
    up: str,
    table: str = "",
    hand: str | None = None,
    *readings: str,
    opponent: str = "",
    own: bool = False,
    stock: int | None = None,
) -> Position:
    """A position as the holder of the card on offer sees it."""
    chosen = dict(pair.split("=", 1) for pair in readings)
    return load(rules, chosen).position(
        up=up,
        table=melds(table),
        hand=None if hand is None else hand.split(),
        opponent_table=melds(opponent),
        turned_by="me" if own else "opponent",
        stock=stock,
    )


def melding(position: Position, listed: str) -> str | None:
    """The code of melding, None if it is legal."""
    return code(position, ("me", "melds", melds(listed)))


def code(position: Position, event: Event) -> str | None:
    refusal = position.check(event)
    assert position.can(event) == (refusal is None)
    return None if refusal is None else refusal.code


def tables(position: Position) -> list[str]:
    """The tables that legal melds leave, each written as in a transcript."""
    return [written(table) for table in position.legal_melds()]


def written(table: Sequence[Sequence[str]]) -> str:
    return ", ".join(" ".join(meld) for meld in table)


# ---- whole stocks


def pack_of(rules: str) -> list[str]:
    """Every kind of card of a rule set, by rank and then suit."""
    pip = ["A", "2", "3", "4", "5", "6", "7"]
    ranks = pip + {"coonking": ["8", "9", "10"], "classic-52": ["8", "9", "10", "J", "Q", "K"]}.get(
        rules, ["J", "Q", "K"]
    )
    return [rank + suit for rank in ranks for suit in "cdhs"]


def run_down(cards: Sequence[str], first: str = "Ana", second: str = "Ben") -> Iterator[str]:
    """Lines in which two players turn these cards in turn and nobody wants one.

    The last line ends with the pass of the player who turned the last card; it is then on offer to the other.
    """
    players = (first, second)
    for number, card in enumerate(cards):
        who = players[number % 2]
        yield f"{who} {'passes; ' if number else ''}turns {card}; passes"


def to_the_last_card(rules: str, opening: Sequence[str], last: str, kept: str) -> str:
    """The lines of `opening`, then turns and passes till `last`, the last card of the stock, is passed.

    For two players and no starter; Ana is the first to have a choice, and Ben turns `last`. The cards `kept`
    and those that the opening names are not turned.
    """
    said = " ".join(opening)
    stock = 20
    free = [card for card in pack_of(rules) if card not in f"{said} {kept} {last}".replace(";", "").split()]
    cards = [*free[: stock - said.count("turns") - 1], last]
    lines = list(run_down(cards))
    lines[0] = lines[0].replace("turns", "passes; turns", 1)
    return "\n".join([*opening, *lines])
