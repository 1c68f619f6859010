"""What certificates about all positions share: positions as they are shown, plays, and scripts for a second solver."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from conquian.certificate import Query
from conquian.position import Position, Rules
from conquian.rechecking.parts import Part, event_of
from conquian.verifier.second import BadScript, second_solver


class Shown(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A position as `diff`, `settle` and `--position` write it."""

    up: str | None = None
    table: list[list[str]] = []
    hand: list[str] | None = None
    opponent_table: list[list[str]] = []
    stock: int | None = None
    turned_by: str | None = None
    declined: bool = False

    def under(self, rules: Rules) -> Position:
        return rules.position(
            up=self.up,
            table=self.table,
            hand=self.hand,
            opponent_table=self.opponent_table,
            stock=self.stock,
            turned_by=self.turned_by,
            declined=self.declined,
        )

    @property
    def cards(self) -> int:
        """Table, hand and offer."""
        return sum(map(len, self.table)) + len(self.hand or ()) + (self.up is not None)


def played(here: Position, way: Sequence[list[Any]]) -> Position | None:
    """A position after some events; None if one of them is not legal."""
    for said in way:
        event = event_of(said, [here])
        if event is None or not here.can(event):
            return None
        here = here.apply(event)
    return here


def by_second_solver(queries: Sequence[Query]) -> Iterator[tuple[str, Part]]:
    """Each script, put to a second solver, by its name."""
    second = second_solver() if queries else None
    for query in queries:
        what = f"script {query.name[:90]}"
        if second is None:
            told = "no second solver is installed; `pip install cvc5`"
            yield query.name, Part(what, "", "not re-decided", told)
            continue
        try:
            said = second.answer(query.smt2)
        except BadScript as wrong:
            yield query.name, Part(what, second.name, "refuted", str(wrong))
            continue
        if "unknown" in (said, query.expected):
            told = f"it says {said}, the certificate {query.expected}"
            yield query.name, Part(what, second.name, "not re-decided", told)
        elif said == query.expected:
            yield query.name, Part(what, second.name, "confirmed", said)
        else:
            yield query.name, Part(what, second.name, "refuted", f"it says {said}, not {query.expected}")
