"""The answer of `conquian force` for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from conquian.questions import Question, in_notation, table_text

ON_OFFER, ON_DECLINE = "on-offer", "on-decline"


def forced_lines(asked: Question, document: Mapping[str, Any], clause: int | None) -> list[str]:
    """The lines of an answer; `clause` is the deciding one."""
    engine, notation = asked.rules.engine, asked.notation
    (card,) = in_notation(notation, engine.pack.names(asked.position.state.up))
    moment = {ON_OFFER: ", as soon as it is offered", ON_DECLINE: ", once it has been passed"}
    answer = document["answer"]
    lines = [f"{answer}: {card} can be forced{moment[document['when']]}" if answer == "yes" else answer]
    if answer != "yes":
        lines[0] += f": {document['why']}"
    if document["onto"]:
        lines.append(f"{card} extends {table_text(notation, document['onto'])}")
    if clause is not None and answer != "unknown":
        info = engine.program.clauses[clause]
        source = f" ({info.source})" if info.source else ""
        lines.append(f"rule {info.passage}{source}: {info.sentence}")
    if document["witness"] is not None:
        lines.append(f"obeyed for example by {table_text(notation, document['witness'])}")
    elif answer == "yes":
        lines.append("no meld of the cards that are known obeys the demand")
        if asked.hand_known:
            lines.append("a demand then leaves the player stuck: no event of his is legal")
    for other in document["differs_under"]:
        reading = " and ".join(f"{n}={c}" for n, c in other["readings"].items())
        lines.append(f"with {reading}: {other['answer']}")
    return lines + _follows(asked, document["consequence"], answer == "yes")


def _follows(asked: Question, consequence: Mapping[str, Any] | None, forced: bool) -> list[str]:
    if consequence is None:
        return []

    def cards(names: Sequence[str]) -> str:
        return " ".join(in_notation(asked.notation, names)) or "no card"

    lines = [f"if it is passed, {cards(consequence['winning_cards_unforced'])} would win at once"]
    if not forced:
        return lines
    if consequence["wins"]:
        lines.append("melded on demand it wins")
    for thrown, winning in consequence["winning_cards_after"].items():
        then = f", with {cards([thrown])} thrown" if thrown else ""
        lines.append(f"melded on demand{then}: {cards(winning)} would win at once")
    return lines
