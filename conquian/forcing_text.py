"""The answer of `conquian force` for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from conquian.questions import Question, in_notation, table_text
from conquian.render import ruled
from conquian.sentences import sentence
from conquian.tongue import both, mark, tell

ON_OFFER, ON_DECLINE = "on-offer", "on-decline"
AT_ONCE = mark("yes: {card} can be forced, as soon as it is offered")
ONCE_PASSED = mark("yes: {card} can be forced, once it has been passed")
ANSWERS = {"yes": mark("yes"), "no": mark("no"), "unknown": mark("unknown")}


def forced_lines(asked: Question, document: Mapping[str, Any], clause: int | None) -> list[str]:
    """The lines of an answer; `clause` is the deciding one."""
    engine, notation = asked.rules.engine, asked.notation
    (card,) = in_notation(notation, engine.pack.names(asked.position.state.up))
    answer = document["answer"]
    if answer == "yes":
        lines = [tell(AT_ONCE if document["when"] == ON_OFFER else ONCE_PASSED, card=card)]
    else:
        lines = [f"{tell(ANSWERS[answer])}: {document['why']}"]
    if document["onto"]:
        melds = table_text(notation, document["onto"])
        lines.append(tell("{card} extends {melds}", card=card, melds=melds))
    if clause is not None and answer != "unknown":
        info = engine.program.clauses[clause]
        lines.append(ruled(info.passage, info.source, sentence(engine.program, clause)))
    if document["witness"] is not None:
        melds = table_text(notation, document["witness"])
        lines.append(tell("obeyed for example by {melds}", melds=melds))
    elif answer == "yes":
        lines.append(tell("no meld of the cards that are known obeys the demand"))
        if asked.hand_known:
            lines.append(tell("a demand then leaves the player stuck: no event of his is legal"))
    for other in document["differs_under"]:
        readings = both([f"{n}={c}" for n, c in other["readings"].items()])
        lines.append(
            tell("with {readings}: {answer}", readings=readings, answer=tell(ANSWERS[other["answer"]]))
        )
    return lines + _follows(asked, document["consequence"], answer == "yes")


def _follows(asked: Question, consequence: Mapping[str, Any] | None, forced: bool) -> list[str]:
    if consequence is None:
        return []

    def cards(names: Sequence[str]) -> str:
        return " ".join(in_notation(asked.notation, names)) or tell("no card")

    unforced = cards(consequence["winning_cards_unforced"])
    lines = [tell("if it is passed, {cards} would win at once", cards=unforced)]
    if not forced:
        return lines
    if consequence["wins"]:
        lines.append(tell("melded on demand it wins"))
    for thrown, winning in consequence["winning_cards_after"].items():
        won = cards(winning)
        if thrown:
            card = cards([thrown])
            lines.append(
                tell("melded on demand, with {card} thrown: {cards} would win at once", card=card, cards=won)
            )
        else:
            lines.append(tell("melded on demand: {cards} would win at once", cards=won))
    return lines
