"""Clauses that no position shows: the pack laid out, the cards drawn for the deal, deals in a row with what they move.

Guarantees: who deals and what is paid is worked out by the engine and the ledger, never here. A row of deals for a
clause of the stakes is a shortest one that the ledger counts otherwise once the clause is left out, with one won deal
more where the last was not won; deals that are won end with an act that the engine judged.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import product
from typing import Literal, NamedTuple, cast

from msgspec.structs import replace

from conquian.book.example import Example, chosen, judged, without
from conquian.cards import Card
from conquian.engine.deals import SetupRefusal
from conquian.engine.engine import Engine
from conquian.engine.play import Event
from conquian.generate import NAMES
from conquian.language import clauses as c
from conquian.language import formula as f
from conquian.language.rules import Clause, RuleSet
from conquian.ledger import Ledger, Melds
from conquian.position import BadPosition, Rules
from conquian.referee import Outcome, cut_dealer, dealers
from conquian.transcript.model import Deal, Game, Match

Ending = Literal["won", "won-at-once", "drawn", "conceded", "agreed", "broken-off", "misdeal"]
LONGEST = 3
"""How many deals in a row are tried for a clause of the stakes."""
WINS = 1000
"""After how many won deals a session is no more followed to its end."""


class Ended(NamedTuple):
    """How a deal ended; `winner` is a seat, also of a deal that the other side conceded."""

    how: Ending
    winner: int | None = None


class Row(NamedTuple):
    """A deal of a row: who deals it, how it ended, what each seat received; `payments` None: it does not count."""

    number: int
    dealer: int
    ended: Ended
    payments: tuple[int, ...] | None
    pot: int


@dataclass(frozen=True, slots=True)
class Deals:
    """Deals in a row. `stakes`: what they move is what there is to see, else who deals.

    next_dealer  who deals after the last one
    over         the session ends with it, at so many wins; None where no session is played
    readings     what has to be chosen otherwise than in the book
    decides      without the clause, and with every other, a deal would be counted otherwise
    """

    rows: tuple[Row, ...]
    stakes: bool
    next_dealer: int
    over: int | None = None
    readings: tuple[tuple[str, str], ...] = ()
    decides: bool = False


@dataclass(frozen=True, slots=True)
class Drawn:
    """A card for each seat, drawn for the first deal, and the seat that deals."""

    cards: tuple[str, ...]
    dealer: int


@dataclass(frozen=True, slots=True)
class Whole:
    """The whole pack: the cards of each suit, as the clause orders them, and how often each is there."""

    suits: tuple[tuple[str, ...], ...]
    copies: int


Shown = Deals | Drawn | Whole


class Matches:
    """Looks for what shows a clause of the pack, of the dealer, of the stakes under one rule set."""

    def __init__(self, typed: RuleSet, rules: Rules, won: Example | None) -> None:
        """`won` is an act that wins, if one is known."""
        self.typed, self.rules, self.won = typed, rules, won

    def of(self, clause: Clause) -> Shown | None:
        """What shows a clause, under the readings of the book if it decides something there."""
        match clause.body:
            case c.Deck():
                return self._whole(clause.body)
            case c.Cut():
                return self._drawn()
            case c.DealerStays():
                return self._dealing()
            case c.Stakes():
                return self._paying(clause)
            case c.Session():
                return self._session()
            case _:
                return None

    # -- the pack, the cut

    def _whole(self, deck: c.Deck) -> Whole:
        pack = self.rules.engine.pack
        suits = tuple(
            tuple(card for rank in deck.ranks for card in pack.cards if card == f"{rank}{suit[0]}")
            for suit in deck.suits
        )
        return Whole(suits, pack.copies)

    def _drawn(self) -> Drawn | None:
        """A low and a high card for the deal, so that one of them decides."""
        engine = self.rules.engine
        ranks = sorted(engine.program.cut, key=lambda rank: engine.program.cut[rank])
        far = [*reversed(ranks[len(ranks) // 2 :])][: engine.seats]
        ranks_drawn = [far[0], ranks[len(ranks) // 4], *far[1:]][: engine.seats]
        suits = list(dict.fromkeys(card[-1] for card in engine.pack.cards))
        cards = tuple(f"{rank}{suits[seat % len(suits)]}" for seat, rank in enumerate(ranks_drawn))
        if len(cards) < engine.seats or not set(cards) <= set(engine.pack.cards):
            return None
        names = NAMES[: engine.seats]
        deal = Deal(number=1, cut=dict(zip(names, cast(tuple[Card, ...], cards), strict=True)))
        dealer = cut_dealer(engine, replace(_game(names), deals=(deal,)))
        return None if dealer is None else Drawn(cards, dealer)

    # -- deals in a row

    def _dealing(self) -> Deals:
        """A won deal, a misdeal and a draw, with who deals each."""
        series = (Ended("won", 0), Ended("misdeal"), Ended("drawn"))
        return self._played(self.rules.engine, series, stakes=False)

    def _paying(self, clause: Clause) -> Deals | None:
        """The shortest row of deals that the ledger counts otherwise without the clause."""
        for readings in self._options(clause):
            rules = chosen(self.rules, readings)
            less = without(self.typed, rules, clause.name)
            if less is None:
                return None
            for series in self._series():
                one, other = (self._counted(x.engine, series) for x in (rules, less))
                if one == other:
                    continue
                if series[-1].winner is None:
                    series = (*series, Ended("won", 1))
                deals = self._played(rules.engine, series, stakes=True, readings=readings)
                return Deals(deals.rows, True, deals.next_dealer, None, deals.readings, True)
        return None

    def _session(self) -> Deals | None:
        """The last two deals of a session that one player wins throughout."""
        engine = self.rules.engine
        session = engine.program.session
        if session is None or not 1 <= session[0] <= WINS:
            return None
        series = (Ended("won", 0),) * session[0]
        deals = self._played(engine, series, stakes=True, match=Match(wins=session[0]))
        return Deals(deals.rows[-2:], True, deals.next_dealer, session[0])

    def _options(self, clause: Clause) -> Iterator[dict[str, str]]:
        """The readings of the book, then each with one chosen otherwise: one that the clause asks for, then one that
        another clause of the stakes does."""
        usual = dict(self.rules.readings)
        yield usual
        own = _asked([clause])
        others = _asked([x for x, _ in self.typed.bodies(c.Stakes)]) - own
        for names in (own, others):
            for reading in self.typed.readings:
                if reading.name in names:
                    for choice in reading.choices:
                        if choice != usual[reading.name]:
                            yield {**usual, reading.name: choice}

    def _series(self) -> Iterator[tuple[Ended, ...]]:
        """Rows of deals, short ones first, ordinary ends before rare ones."""
        ends = [Ended("won", 0), Ended("drawn")]
        if self.at_once is not None:
            ends.append(Ended("won-at-once", 0))
        ends += [Ended("conceded", 0), Ended("agreed"), Ended("broken-off")]
        for count in range(1, LONGEST + 1):
            yield from product(ends, repeat=count)

    def _played(
        self,
        engine: Engine,
        series: Sequence[Ended],
        *,
        stakes: bool,
        readings: Mapping[str, str] | None = None,
        match: Match | None = None,
    ) -> Deals:
        usual = self.rules.readings
        *seats, last = _dealers(engine, series)
        rows = tuple(
            Row(number, dealer, ended, *counted)
            for number, (dealer, ended, counted) in enumerate(
                zip(seats, series, self._counted(engine, series, match), strict=True), 1
            )
        )
        other = tuple((name, x) for name, x in (readings or usual).items() if usual[name] != x)
        return Deals(rows, stakes, last, readings=other)

    def _counted(
        self, engine: Engine, series: Sequence[Ended], match: Match | None = None
    ) -> list[tuple[tuple[int, ...] | None, int]]:
        """What the ledger says of each deal: what each seat received, None if it does not count; the pot after it."""
        ledger = Ledger(engine, match)
        found: list[tuple[tuple[int, ...] | None, int]] = []
        for how, winner in series:
            entry = None
            if how != "misdeal":
                ended = how if how in ("conceded", "agreed", "broken-off") else None
                entry = ledger.enter(winner, partial(self._tables, how), ended)
            found.append((None if entry is None else entry.payments, ledger.pot))
        return found

    # -- acts that win

    def _tables(self, how: Ending) -> tuple[Melds, Melds]:
        """The winner's melds before and after the act that won, as physical sets."""
        act = self.at_once if how == "won-at-once" else self.won
        if act is None or act.after is None:
            return (), ()
        placed = self.rules.engine.placed
        before, after = placed(act.here.state.tables[0]), placed(act.after.state.tables[0])
        return (before, before) if how == "conceded" else (before, after)

    @cached_property
    def at_once(self) -> Example | None:
        """The same melds laid in a single act, if that is legal and a dealt hand has the cards for it."""
        if self.won is None or self.won.event is None or self.won.here.up is None:
            return None
        melds: tuple[tuple[str, ...], ...] = self.won.event[2]
        hand = [card for meld in melds for card in meld]
        hand.remove(self.won.here.up)
        if len(hand) > self.rules.engine.program.dealt:
            return None
        event: Event = ("me", "melds", melds)
        try:
            act = judged(self.rules.position(up=self.won.here.up, hand=hand), event, "engine")
        except BadPosition:
            return None
        return act if act.after is not None and act.after.phase == "won" else None


def _dealers(engine: Engine, series: Sequence[Ended]) -> list[int]:
    """Who deals each deal, and who the next: the last player deals first."""
    turn = dealers(engine, _game(NAMES[: engine.seats]))
    found = [next(turn)]
    for how, winner in series:
        outcome = Outcome(kind="valid", legal=0, states=[], winner=winner)
        if how == "misdeal":
            outcome.kind, outcome.setup = "invalid", SetupRefusal("misdeal", None, (), (), "")
        elif winner is None:
            outcome.drawn = how != "broken-off"
        if how in ("conceded", "agreed", "broken-off"):
            outcome.ended = how
        found.append(turn.send(outcome))
    return found


def _asked(clauses: Sequence[Clause]) -> frozenset[str]:
    """The readings that clauses of the stakes ask for, by name."""
    whens = [
        line.when for clause in clauses if isinstance(clause.body, c.Stakes) for line in clause.body.lines
    ]
    return frozenset[str]().union(*(f.readings_of(x) for x in whens if x is not None))


def _game(players: tuple[str, ...]) -> Game:
    return Game(format="conquian/1", players=players)
