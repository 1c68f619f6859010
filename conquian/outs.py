"""Which cards, put on offer to a player, win at once, and which pairs of cards win one after the other.

Guarantees: every card is tried of which the pack has a copy that lies neither in the player's hand nor on a
table; the engine alone says what wins. Only what is known of the hand is used.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from conquian.engine.engine import Engine
from conquian.engine.facts import facts
from conquian.engine.melds import Layout
from conquian.engine.play import play
from conquian.engine.reach import Reach
from conquian.engine.search import legal_discards, legal_layouts
from conquian.engine.state import State
from conquian.position import offer_phase
from conquian.questions import Answer, CannotAsk, Question, in_notation, table_text
from conquian.tongue import both, tell

DEPTHS = (1, 2)
BUDGET = 50_000
"""How many tables are looked at before an answer is given up."""


class Undecided(Exception):
    """The budget was used up before the answer was certain."""


class Budget:
    """Counts down the tables that may still be looked at."""

    def __init__(self, tables: int = BUDGET) -> None:
        self.tables = self.left = tables
        self._reach: dict[int, tuple[Engine, Reach]] = {}

    def layouts(self, engine: Engine, offer: State, least: int = 0) -> Iterator[tuple[Layout, bool]]:
        """The legal tables of an offer that have at least so many cards, and whether they win.

        Undecided if there are too many.
        """
        self.spend()
        for found in legal_layouts(engine, offer, self.reach(engine), least):
            self.spend()
            yield found

    def reach(self, engine: Engine) -> Reach:
        """What the searches of this answer have found so far."""
        found = self._reach.get(id(engine))
        if found is None:
            found = self._reach[id(engine)] = engine, Reach(engine.melds)
        return found[1]

    def spend(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise Undecided(tell("more than {tables} tables to look at", tables=self.tables))


@dataclass(frozen=True, slots=True)
class Pair:
    """Two cards that win one after the other: the table after each, and what is thrown between them.

    `discard` is None where the rules ask for none.
    """

    first: str
    then: str
    discard: str | None
    layouts: tuple[Layout, Layout]


def offered(engine: Engine, state: State, seat: int, card: str, own: bool = False) -> State:
    """The position with a card on offer to a seat, and nothing else changed."""
    flow, here = engine.flow, state.copy()
    here.up = engine.pack.unit[card]
    here.at = flow.state(offer_phase(engine), seat, 0 if own else 1)
    if engine.live:
        at = flow.entered(here.at, here.first, facts(engine, here, seat))
        here.at = here.at if at == flow.drawn else at
    return here


def by_rank(engine: Engine) -> Sequence[str]:
    """Every card of the pack once, by rank, then by suit."""
    return tuple(_places(engine.pack.cards))


@lru_cache(maxsize=64)
def _places(cards: tuple[str, ...]) -> Mapping[str, int]:
    """The place of each card of a pack, by rank, then by suit; in that order."""
    ranks, suits = (list(dict.fromkeys(part)) for part in ([c[:-1] for c in cards], [c[-1] for c in cards]))
    ordered = sorted(cards, key=lambda card: (ranks.index(card[:-1]), suits.index(card[-1])))
    return {card: place for place, card in enumerate(ordered)}


def untold(engine: Engine, state: State, seat: int, gone: Sequence[str] = ()) -> list[str]:
    """The cards of which a copy is neither in the seat's hand, nor on a table, nor among the gone ones."""
    pack = engine.pack
    tables = {id(team): state.tables[team[0]] for team in engine.partners}
    known, missing = state.hands[seat] + sum(sum(table) for table in tables.values()), pack.packed(gone)
    known = known | missing if pack.copies == 1 else known + missing
    return [card for card in _places(pack.cards) if known & (entry := pack.entry[card])[1] < entry[2]]


def winning_cards(
    engine: Engine, state: State, seat: int, budget: Budget, gone: Sequence[str] = (), own: bool = False
) -> dict[str, Layout]:
    """The cards that win at once when they are put on offer, by rank, with a table of each.

    Of several tables the first in the order of the pack.
    """
    found: dict[str, Layout] = {}
    for card, layouts in _winning(engine, state, seat, budget, gone, own):
        layout = next(layouts, None)
        if layout is not None and not budget.reach(engine).ordered:
            layout = min(layout, min(layouts, default=layout))
        if layout is not None:
            found[card] = layout
    return found


def cards_that_win(
    engine: Engine,
    state: State,
    seat: int,
    budget: Budget,
    gone: Sequence[str] = (),
    but: Collection[str] = (),
) -> Iterator[str]:
    """The same cards without their tables, and without some that need not be looked at."""
    for card, layouts in _winning(engine, state, seat, budget, gone, False, but):
        if next(layouts, None) is not None:
            yield card


def _winning(
    engine: Engine,
    state: State,
    seat: int,
    budget: Budget,
    gone: Sequence[str],
    own: bool,
    but: Collection[str] = (),
) -> Iterator[tuple[str, Iterator[Layout]]]:
    """The cards that may win when they are put on offer, each with the tables with which it does."""
    least = engine.program.least_to_win
    can_leave = _leaving(engine, state, seat, budget, own, least)
    for card in untold(engine, state, seat, gone):
        if card in but:
            continue
        if not can_leave(engine.pack.unit[card]):
            budget.spend()
            continue
        offer = offered(engine, state, seat, card, own)
        yield card, (layout for layout, won in budget.layouts(engine, offer, least) if won)


def _leaving(
    engine: Engine, state: State, seat: int, budget: Budget, own: bool, least: int
) -> Callable[[int], bool]:
    """Of a card: whether melding it could leave a table of at least so many cards, whatever else the rules ask for."""
    if engine.live or engine.resting[engine.flow.state(offer_phase(engine), seat, 0 if own else 1)]:
        return lambda _: True  # who has the card on offer depends on the card
    table, hand = sum(state.tables[seat]), state.hands[seat]
    if engine.pack.count(table) + engine.pack.count(hand) + 1 < least:
        return lambda _: False
    reach = budget.reach(engine)
    completing = reach.completing(table + hand)
    return lambda card: card in completing and reach.completed(table, card, hand, least)


def after_melding(
    engine: Engine, offer: State, seat: int, budget: Budget
) -> Iterator[tuple[Layout, list[tuple[str | None, State]]]]:
    """Each table that a legal meld which does not win can leave, with what can be thrown then.

    Every card to throw comes with the position after it; None where the rules ask for no discard. A table after
    which a discard is due, but none possible, comes with nothing.
    """
    tables = budget.layouts(engine, offer)
    yield from _melded(engine, offer, seat, [layout for layout, won in tables if not won])


def _melded(
    engine: Engine, offer: State, seat: int, layouts: Iterable[Layout]
) -> Iterator[tuple[Layout, list[tuple[str | None, State]]]]:
    """The same for some tables of which legal melds are known."""
    names, seats = engine.pack.names, {"me": seat}
    for layout in sorted(layouts):
        melded = offer.copy()
        meld = ("me", "melds", [names(m) for m in layout])
        if not play(engine, melded, [meld], seats).legal:
            continue
        if not _throws(engine, melded, seat):
            yield layout, [(None, melded)]
            continue
        thrown: list[tuple[str | None, State]] = []
        for card in legal_discards(engine, melded):
            then = melded.copy()
            play(engine, then, [("me", "discards", card)], seats)
            thrown.append((card, then))
        yield layout, thrown


def _throws(engine: Engine, state: State, seat: int) -> bool:
    """Whether the seat has to throw a card now."""
    phase = engine.flow.phase(state.at)
    return (
        phase is not None
        and engine.flow.seat(state.at) == seat
        and any(line.verb == "discard" for line in phase.lines)
    )


def winning_pairs(
    engine: Engine, state: State, seat: int, budget: Budget, own: bool = False
) -> Iterator[Pair]:
    """The pairs of which the first card melds without winning and the second one wins.

    A first card that wins by itself begins no pair. Of each pair, the first way to play it is given.
    """
    known: dict[tuple[Any, ...], dict[str, Layout]] = {}
    can_leave = _leaving(engine, state, seat, budget, own, 0)
    for first in untold(engine, state, seat):
        if not can_leave(engine.pack.unit[first]):
            budget.spend()
            continue
        offer = offered(engine, state, seat, first, own)
        tables = list(budget.layouts(engine, offer))
        if any(won for _, won in tables):
            continue
        pairs: dict[str, Pair] = {}
        for layout, thrown in _melded(engine, offer, seat, (layout for layout, _ in tables)):
            for card, then in thrown:
                gone = () if card is None else (card,)
                key = (layout, then.hands[seat], then.unknown[seat], card)
                if key not in known:
                    known[key] = winning_cards(engine, then, seat, budget, gone, own)
                for second, won in known[key].items():
                    pairs.setdefault(second, Pair(first, second, card, (layout, won)))
        yield from (pairs[card] for card in by_rank(engine) if card in pairs)


def melds_of_layout(engine: Engine, layout: Layout) -> list[list[str]]:
    """A table as documents have it: melds by their lowest cards."""
    place = _places(engine.pack.cards)
    return sorted((engine.pack.names(meld) for meld in layout), key=lambda meld: [place[c] for c in meld])


def outs(asked: Question, depth: int, budget: int = BUDGET) -> Answer:
    """The answer of `conquian outs`: cards that win at once (depth 1), or pairs that win in turn (depth 2)."""
    if depth not in DEPTHS:
        raise CannotAsk(tell("--depth {depth} is not known here", depth=depth), tell("1 or 2"))
    if budget < 1:
        raise CannotAsk(tell("--budget is a number of tables, 1 or more"))
    engine, state = asked.rules.engine, asked.position.state
    if asked.position.phase in ("won", "drawn"):
        raise CannotAsk(tell("the deal has ended"), tell("name an earlier place"))
    seat = asked.position.players.index(asked.player)
    own = state.at % 3 == 0 and engine.flow.seat(state.at) == seat and asked.event is None
    unknown = [part for part in ("table", "hand") if part in asked.left_out]
    if not asked.hand_known and "hand" not in unknown:
        unknown.append("hand")
    document: dict[str, Any]
    try:
        if depth == 1:
            found = winning_cards(engine, state, seat, Budget(budget), own=own)
            document = {
                "outs": [
                    {"card": card, "layout": melds_of_layout(engine, layout)}
                    for card, layout in found.items()
                ]
            }
            lines = _card_lines(asked, document["outs"])
        else:
            pairs = list(winning_pairs(engine, state, seat, Budget(budget), own))
            document = {
                "pairs": [
                    {
                        "first": pair.first,
                        "then": pair.then,
                        "discard": pair.discard,
                        "layouts": [melds_of_layout(engine, layout) for layout in pair.layouts],
                    }
                    for pair in pairs
                ]
            }
            lines = _pair_lines(asked, document["pairs"])
    except Undecided as reason:
        shown = {"undecided": {"budget": budget}}
        return Answer(
            shown,
            (tell("undecided: {reason}", reason=reason), tell("hint: a larger --budget looks at more")),
            3,
        )
    if unknown:
        document["depends_on"] = unknown
        lines.append(tell("not given, and taken as empty: {unknown}", unknown=both(unknown)))
    return Answer(document, tuple(lines), 0)


def _card_lines(asked: Question, found: Sequence[dict[str, Any]]) -> list[str]:
    if not found:
        return [tell("no card wins at once")]
    return [
        tell(
            "{card} wins: {melds}",
            card=in_notation(asked.notation, [out["card"]])[0],
            melds=table_text(asked.notation, out["layout"]),
        )
        for out in found
    ]


def _pair_lines(asked: Question, found: Sequence[dict[str, Any]]) -> list[str]:
    if not found:
        return [tell("no two cards win one after the other")]
    lines = []
    for pair in found:
        first, then = in_notation(asked.notation, [pair["first"], pair["then"]])
        thrown = pair["discard"] and in_notation(asked.notation, [pair["discard"]])[0]
        one, two = (table_text(asked.notation, layout) for layout in pair["layouts"])
        discards = tell(", {card} is thrown", card=thrown) if thrown else ""
        lines.append(
            tell(
                "{first} then {then} wins: {one}{discards}; {two}",
                first=first,
                then=then,
                one=one,
                discards=discards,
                two=two,
            )
        )
    return lines
