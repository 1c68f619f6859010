"""What `conquian validate` says on request of a deal in which something was not recorded.

`told` is its one entry: by deal, what to add to the document and the lines for people. An example deal has been
judged again by the engine; a contradiction has been found by counting and asked of the solver.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from conquian.cards import Notation
from conquian.contradictions import Contradiction, contradiction
from conquian.engine.engine import Engine
from conquian.example_deals import ExampleDeal, example_deal
from conquian.judgement import file_engine
from conquian.match import deals_of
from conquian.questions import in_notation
from conquian.recorded import Fact, Item
from conquian.tongue import both, tell
from conquian.transcript.names import write_name
from conquian.transcript.sheet import Sheet
from conquian.verifier.limits import BUDGET, Disagreement, Undecided


class Told(NamedTuple):
    """What is added to the document of a deal, and the lines about it."""

    document: dict[str, Any]
    lines: tuple[str, ...]


def told(
    sheet: Sheet,
    rules: str | None,
    readings: Mapping[str, str],
    example: bool,
    why: bool,
    budget: int = BUDGET,
) -> list[Told]:
    """By deal: an example deal, where one is wanted, and the contradiction, where one is; nothing for a file
    that could not be judged. `budget` is the solver's, for each question."""
    game = sheet.game
    if game is None:
        return []
    try:
        engine = file_engine(sheet, rules, readings)
    except ValueError:
        return [Told({}, ()) for _ in game.deals]
    found = []
    dealt = deals_of(engine, game, sheet.unreadable, game.match)
    for index, (deal, played) in enumerate(zip(game.deals, dealt, strict=True)):
        document: dict[str, Any] = {}
        lines: list[str] = []
        outcome = played.outcome
        if outcome is not None:
            first = (played.dealer + 1) % len(game.players)
            if example:
                whole = example_deal(engine, game.players, deal, first, outcome)
                document["example_deal"] = None if whole is None else whole.document
                lines += _example_lines(whole, game.cards)
            conflict = contradiction(engine, game.players, deal, first, outcome) if why else None
            if conflict is not None:
                parts = [_part(sheet, engine, index, conflict, item, game.cards) for item in conflict.items]
                document["contradiction"] = {
                    "events": [item for item in conflict.items if isinstance(item, int)],
                    "cards": conflict.cards,
                    "smallest": conflict.smallest,
                    "checked": _checked(conflict, budget),
                    "parts": parts,
                }
                lines += _conflict_lines(sheet, parts)
        found.append(Told(document, tuple(lines)))
    return found


def _checked(conflict: Contradiction, budget: int) -> bool:
    """Whether the solver finds the same: impossible together, possible without any one. Disagreement if not."""
    from conquian.verifier.hands import Hands

    hands = Hands(conflict.records, budget)
    for left_out in (None, *conflict.items):
        answer = hands.possible([item for item in conflict.items if item != left_out])
        if isinstance(answer, Undecided):
            return False
        if answer is (left_out is None):
            raise Disagreement(f"{conflict.items} without {left_out}: the solver says {answer}")
    return True


def _example_lines(whole: ExampleDeal | None, notation: Notation) -> Iterator[str]:
    if whole is None:
        yield tell("no deal fits the record")
        return
    yield tell("a deal that fits the record:")
    if whole.deck is not None:
        yield f"  deck {' '.join(in_notation(notation, whole.deck))}"
    yield f"  stock {' '.join(in_notation(notation, whole.stock))}"
    for name, cards in whole.hands.items():
        yield f"  {write_name(name)} holds {' '.join(in_notation(notation, cards))}"
    if whole.starter is not None:
        yield f"  starter {' '.join(in_notation(notation, [whole.starter]))}"
    for event in whole.gifts:
        card = " ".join(in_notation(notation, [event[2]]))
        yield f"  {write_name(event[0])} gives {card} to {write_name(event[3])}"


def _part(
    sheet: Sheet, engine: Engine, deal: int, conflict: Contradiction, item: Item, notation: Notation
) -> dict[str, Any]:
    """One line or event of a contradiction: where it stands and what it says of the cards in question."""
    assert sheet.game is not None
    players = sheet.game.players
    if isinstance(item, int):
        span = sheet.where.event(deal, item)
    elif item[0] == "hands":
        span = sheet.where.setup(deal, "hands", players[item[1]])
    else:
        span = sheet.where.setup(deal, item[0])
    facts = _telling(engine, conflict, item)
    says = [_says(engine, fact, players, notation) for fact in facts]
    return {
        "event": item if isinstance(item, int) else None,
        "line": span.line,
        "column": span.column,
        "says": both(says),
    }


def _telling(engine: Engine, conflict: Contradiction, item: Item) -> list[Fact]:
    """What an item says of the cards in question, or all that it says if it speaks of none of them."""
    names = engine.pack.cards
    facts = [fact for fact in conflict.records.facts if fact.item == item]
    places = {
        fact.place
        for fact in conflict.records.facts
        if fact.kind == "stock" and isinstance(fact.item, int) and fact.item in conflict.items
    }
    there = [f for f in facts if f.kind == "stock" and f.place in places]
    if there:
        return there
    about = [f._replace(cards=tuple(k for k in f.cards if names[k] in conflict.cards)) for f in facts]
    return [f for f in about if f.cards] or facts


def _says(engine: Engine, fact: Fact, players: Sequence[str], notation: Notation) -> str:
    cards = " ".join(in_notation(notation, [engine.pack.cards[k] for k in fact.cards]))
    match fact.kind:
        case "dealt":
            return tell("{player} was dealt {cards}", player=players[fact.seat], cards=cards)
        case "starter":
            return tell("{cards} was the starter", cards=cards)
        case "stock":
            return tell("{cards} was card {number} of the stock", cards=cards, number=fact.place + 1)
        case "deck":
            return tell("{cards} was card {number} of the pack", cards=cards, number=fact.place + 1)
        case "used":
            return tell("{cards} came from the hand of {player}", cards=cards, player=players[fact.seat])
        case "given":
            return tell("{player} gave {cards} away", player=players[fact.seat], cards=cards)


def _conflict_lines(sheet: Sheet, parts: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    yield tell("why: no deal fits all of these, and one fits if any of them is left out:")
    for part in parts:
        event = tell(" (event {event})", event=part["event"]) if part["event"] is not None else ""
        yield f"  {sheet.path}:{part['line']}:{part['column']}: {part['says']}{event}"
