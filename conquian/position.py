"""A position: what lies on the table and is held, without the game that led to it.

The library's face of the engine. Everything is a value: `apply` gives a new position and leaves the old one.
Cards are French names (`7s`, `10h`); melds are tuples of cards, shown by rank, then by suit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from conquian.cards import shown_cards
from conquian.engine.engine import Engine, engine
from conquian.engine.state import State
from conquian.tongue import tell, tell_n

if TYPE_CHECKING:
    from conquian.engine.play import Event
    from conquian.engine.refusals import Refusal

Meld = tuple[str, ...]
Table = tuple[Meld, ...]


class BadPosition(ValueError):
    """A position that no deal of the rule set can reach; `field` names what is wrong with it, `code` how."""

    def __init__(
        self, field: str, message: str, code: str = "bad-position", cards: Sequence[str] = ()
    ) -> None:
        self.field, self.code, self.cards = field, code, tuple(cards)
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class Position:
    """A moment of a deal under one rule set and choice of readings.

    Made by `Rules.position` or `Rules.deal`; `state` is the engine's own form, never to be changed.
    """

    rules: Rules
    state: State
    players: tuple[str, ...]

    @property
    def up(self) -> str | None:
        """The card on offer or just passed."""
        names = self.rules.engine.pack.names(self.state.up)
        return names[0] if names else None

    @property
    def holder(self) -> str | None:
        """The player whose event is due, None when the deal has ended."""
        flow = self.rules.engine.flow
        phase = flow.phase(self.state.at)
        return None if phase is None else self.players[flow.seat(self.state.at)]

    @property
    def phase(self) -> str:
        """The phase of play by its name in the rule file, or `won`, `drawn`, `exchange`."""
        flow = self.rules.engine.flow
        phase = flow.phase(self.state.at)
        if phase is not None:
            return phase.name
        return {flow.won: "won", flow.drawn: "drawn"}.get(self.state.at, "exchange")

    def table(self, player: str) -> Table:
        """The melds in front of a player or his team."""
        names = self.rules.engine.pack.names
        return tuple(sorted(tuple(names(m)) for m in self.state.tables[self.players.index(player)]))

    def hand(self, player: str) -> tuple[tuple[str, ...], int]:
        """The cards known to be in a hand, and how many more are in it."""
        seat = self.players.index(player)
        return tuple(self.rules.engine.pack.names(self.state.hands[seat])), self.state.unknown[seat]

    def legal_melds(self) -> tuple[Table, ...]:
        """Each table that a legal meld of the card on offer leaves, sorted.

        >>> swedish = load("swedish")
        >>> here = swedish.position(up="Kh", table=[["3c","3d","3h","3s"], ["6h","7h","Jh","Qh"]], hand=["Ah","Ad"])
        >>> here.legal_melds()
        ((('3c', '3d', '3h', '3s'), ('6h', '7h', 'Jh', 'Qh', 'Kh')),)
        """
        from conquian.engine.search import legal_layouts

        names = self.rules.engine.pack.names
        found = {
            tuple(sorted(tuple(names(meld)) for meld in layout))
            for layout, _ in legal_layouts(self.rules.engine, self.state)
        }
        return tuple(sorted(found))

    def winning_melds(self) -> tuple[Table, ...]:
        """Those of the legal melds that win at once."""
        from conquian.engine.search import legal_layouts

        names = self.rules.engine.pack.names
        layouts = (layout for layout, won in legal_layouts(self.rules.engine, self.state) if won)
        return tuple(sorted(tuple(sorted(tuple(names(m)) for m in layout)) for layout in layouts))

    def can(self, event: Event) -> bool:
        """Whether an event is legal here.

        >>> here = load("swedish").position(up="4d", table=[["5d", "6d", "7d"]], hand=["3d", "Kc"])
        >>> here.can(("me", "melds", (("3d", "4d", "5d", "6d", "7d"),)))
        True
        """
        return self.check(event) is None

    def check(self, event: Event) -> Refusal | None:
        """None if the event is legal, else its code, clause and cards."""
        from conquian.engine.refusals import judge_act

        return judge_act(self.rules.engine, self.state, event, self._seats())[1]

    def apply(self, event: Event) -> Position:
        """The position after a legal event; IllegalEvent, with the reason, otherwise."""
        from conquian.engine.refusals import judge_act

        after, refusal = judge_act(self.rules.engine, self.state, event, self._seats())
        if after is None:
            assert refusal is not None
            raise IllegalEvent(event, refusal)
        return Position(self.rules, after, self.players)

    def _repr_svg_(self) -> str:
        """The picture that a notebook shows of the position."""
        from conquian.pictures.svg import position_svg

        return position_svg(self)

    def _seats(self) -> Mapping[str, int]:
        return {name: seat for seat, name in enumerate(self.players)}


class IllegalEvent(ValueError):
    """An event that breaks a rule. Not to be confused with one that cannot be read."""

    def __init__(self, event: Event, refusal: Refusal) -> None:
        self.event, self.refusal = event, refusal
        super().__init__(f"{' '.join(map(str, event))}: {refusal.code}")


@dataclass(frozen=True, slots=True)
class Rules:
    """A rule set under one choice of readings, ready to judge.

    >>> load("swedish").readings["new-meld"]
    'two-from-hand'
    """

    engine: Engine

    @property
    def name(self) -> str:
        return self.engine.program.name

    @property
    def readings(self) -> Mapping[str, str]:
        """Every reading with the choice that these rules judge by."""
        return dict(self.engine.readings)

    def position(
        self,
        *,
        up: str | None = None,
        table: Sequence[Sequence[str]] = (),
        hand: Sequence[str] | None = None,
        opponent_table: Sequence[Sequence[str]] = (),
        stock: int | None = None,
        turned_by: str | None = None,
        declined: bool = False,
    ) -> Position:
        """A position seen by the holder of the offer, `me`; the other players are `opponent`, `opponent2`, …

        `hand` None: nobody recorded it. BadPosition for cards that the deck does not have, or has too rarely,
        and for melds that are none.
        """
        state = _state(self.engine, up, table, hand, opponent_table, stock, turned_by, declined)
        others = ["opponent", *(f"opponent{i}" for i in range(2, self.engine.seats))]
        return Position(self, state, ("me", *others))


def load(name: str, readings: Mapping[str, str] | None = None) -> Rules:
    """The rules of a shipped set, or of the rule file at a path.

    RulesError lists every problem of a file that cannot be used; UnknownReading names a reading or choice
    that the rules lack.

    >>> load("coonking", {"goal": "at-least"}).name
    'coonking'
    """
    return Rules(engine(name, readings))


def offer_phase(of: Engine) -> int:
    """The phase in which a card is on offer and nobody has demanded anything."""
    for i, phase in enumerate(of.program.phases):
        if phase.offers and phase.bound is None:
            return i
    raise AssertionError("no phase offers a card")


def _state(
    of: Engine,
    up: str | None,
    table: Sequence[Sequence[str]],
    hand: Sequence[str] | None,
    opponent_table: Sequence[Sequence[str]],
    stock: int | None,
    turned_by: str | None,
    declined: bool,
) -> State:
    pack, program = of.pack, of.program
    _check_cards(of, up, table, hand, opponent_table)
    mine = tuple(sorted(pack.packed(meld) for meld in table))
    theirs = tuple(sorted(pack.packed(meld) for meld in opponent_table))
    tables = [mine if of.team_of[s] == of.team_of[0] else theirs for s in range(of.seats)]
    if of.seats > 2 and len(set(of.team_of)) > 2:
        tables[2:] = [()] * (of.seats - 2)
    known = pack.packed(hand or ())
    unit = pack.unit[up] if up else 0
    seen = known + sum(mine) + sum(theirs) + unit
    dealt = program.dealt * program.players + program.starter
    origin = 0 if turned_by == "me" else 1
    unknown = [
        0 if hand is not None else max(program.dealt - len(_cards(table)), 0),
        *[program.dealt] * (of.seats - 1),
    ]
    state = State(
        at=of.flow.state(offer_phase(of), 0, origin),
        up=unit,
        hands=[known, *[0] * (of.seats - 1)],
        unknown=unknown,
        tables=tables,
        fit=[of.fit(t) for t in tables],
        stock=pack.size - dealt if stock is None else stock,
        recorded=(),
        seen=seen,
        first=0,
        gifts=[0] * of.seats,
    )
    if of.live and unit:
        from conquian.engine.play import facts

        at = of.flow.entered(state.at, 0, facts(of, state, 0))
        state.at = state.at if at == of.flow.drawn else at
    if declined:
        from conquian.engine.play import play

        play(of, state, [("me", "passes")], {"me": 0})
    return state


def _cards(table: Sequence[Sequence[str]]) -> list[str]:
    return [card for meld in table for card in meld]


def _check_cards(
    of: Engine,
    up: str | None,
    table: Sequence[Sequence[str]],
    hand: Sequence[str] | None,
    opponent_table: Sequence[Sequence[str]],
) -> None:
    pack = of.pack
    counts: dict[str, int] = {}
    named: Iterator[tuple[str, str]] = iter(
        [
            *(("table", c) for c in _cards(table)),
            *(("opponent_table", c) for c in _cards(opponent_table)),
            *(("hand", c) for c in hand or ()),
            *([("up", up)] if up else []),
        ]
    )
    for field, card in named:
        if card not in pack.unit:
            raise BadPosition(
                field, tell("{card} is not in the pack", card=shown_cards([card])), "not-in-deck", [card]
            )
        counts[card] = counts.get(card, 0) + 1
        if counts[card] > pack.copies:
            raise BadPosition(
                field,
                tell_n(
                    "{card} is named too often; the pack has it once",
                    "{card} is named too often; the pack has it {number} times",
                    pack.copies,
                    card=shown_cards([card]),
                ),
                "card-twice",
                [card],
            )
    for field, melds in (("table", table), ("opponent_table", opponent_table)):
        for meld in melds:
            if pack.packed(meld) not in of.melds.packed:
                raise BadPosition(
                    field, tell("{cards} is no meld", cards=shown_cards(meld)), "invalid-meld", meld
                )
