"""What a record says about where cards were, apart from everything else that it says.

A line of the set-up and an event each say something of single cards: this hand was dealt these, the stock had
this card at that place, this card came from that player's hand. Whether they can all be true of one deal is a
question of counting (`Records.fit`), for any choice of lines and events. Who acts when, and which melds may be
laid, is taken as told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal, NamedTuple

from conquian.engine.acts import open_play
from conquian.engine.coded import Event
from conquian.engine.deals import UNKNOWN, Setup, dealt_places
from conquian.engine.engine import Engine
from conquian.engine.play import play
from conquian.engine.state import State

Item = int | tuple[str, int]
"""An event by its number, or a line of the set-up: `("hands", seat)`, else `("stock", 0)` and so on."""

Cards = tuple[int, ...]
"""Kinds of card, a kind once a copy."""


class Fact(NamedTuple):
    """What one line or event says.

    dealt    these are among the cards dealt to a seat
    starter  this card was turned up after the deal
    stock    this card had that place in the stock, counted from 0
    deck     this card had that place in the pack before it was dealt
    used     these cards left a seat's hand, in play
    given    this card was given away by a seat before play; no card: nobody recorded which
    """

    item: Item
    kind: Literal["dealt", "starter", "stock", "deck", "used", "given"]
    seat: int
    cards: Cards
    place: int = 0


@dataclass(frozen=True, slots=True)
class Records:
    """The facts of a deal, up to and with the last event that the order of play allows.

    `told` is how many events that is: the event with this number, if there is one, is refused whatever the cards.
    """

    engine: Engine
    first: int
    facts: tuple[Fact, ...]
    told: int

    @property
    def items(self) -> tuple[Item, ...]:
        """Lines of the set-up, then events, that say something of cards."""
        return tuple(dict.fromkeys(fact.item for fact in self.facts if fact.cards))

    def until(self, event: int) -> Records:
        """The same with the events before this one only."""
        kept = [f for f in self.facts if not isinstance(f.item, int) or f.item < event]
        return Records(self.engine, self.first, tuple(kept), min(self.told, event))

    def replaced(self, fact: Fact, cards: Cards) -> Records:
        """The same where one fact names these cards instead."""
        facts = tuple(f._replace(cards=cards) if f is fact else f for f in self.facts)
        return Records(self.engine, self.first, facts, self.told)

    def packets(self) -> tuple[int, ...]:
        """The packets in which the pack may have been dealt, one of them where that makes no difference."""
        packets = self.engine.program.packets
        return packets if any(fact.kind == "deck" for fact in self.facts) else packets[:1]

    def fit(self, items: Collection[Item] | None = None) -> bool:
        """Whether some deal fits what these lines and events say; None: all of them.

        An event that is left out is still known to have happened, only its cards are not known.
        """
        chosen = [f for f in self.facts if items is None or f.item in items]
        said = {f.item for f in chosen}
        gifts = [f if f.item in said else f._replace(cards=()) for f in self.facts if f.kind == "given"]
        return any(self._fit(chosen, gifts, packet) for packet in self.packets())

    def _fit(self, chosen: Sequence[Fact], gifts: Sequence[Fact], packet: int) -> bool:
        program, pack = self.engine.program, self.engine.pack
        seats = range(program.players)
        dealt: list[Counter[int]] = [Counter() for _ in seats]
        by_deck: list[Counter[int]] = [Counter() for _ in seats]
        used: list[Counter[int]] = [Counter() for _ in seats]
        stock: dict[int, int] = {}
        starter: set[int] = set()
        where = self._places(packet) if any(f.kind == "deck" for f in chosen) else {}
        for fact in chosen:
            kind, seat, place = fact.kind, fact.seat, fact.place
            if kind == "deck":
                kind, seat, place = where[fact.place]
                if kind == "dealt":
                    by_deck[seat].update(fact.cards)
                    continue
            if kind == "dealt":
                dealt[seat].update(fact.cards)
            elif kind == "used":
                used[seat].update(fact.cards)
            elif kind == "starter":
                starter.update(fact.cards)
            elif kind == "stock" and stock.setdefault(place, fact.cards[0]) != fact.cards[0]:
                return False
        if len(starter) > 1:
            return False
        open_cards = Counter(starter) + Counter(stock.values())
        holds = [one | two for one, two in zip(dealt, by_deck, strict=True)]
        for choice in self._gifts(gifts, holds, used, open_cards):
            total = Counter(open_cards)
            for seat in seats:
                given, received = choice.get(seat, Counter()), choice.get(self._giver(seat), Counter())
                need = holds[seat] | (given + (used[seat] - received))
                if need.total() > program.dealt:
                    break
                total += need
            else:
                if all(count <= pack.copies for count in total.values()):
                    return True
        return False

    def _giver(self, seat: int) -> int:
        return (seat - self.engine.program.exchange[1]) % self.engine.program.players

    def _gifts(
        self,
        gifts: Sequence[Fact],
        holds: Sequence[Counter[int]],
        used: Sequence[Counter[int]],
        open_cards: Mapping[int, int],
    ) -> Iterator[dict[int, Counter[int]]]:
        """What each seat may have given away: recorded cards as they are, for each other card every kind that
        can make a difference."""
        if not gifts:
            yield {}
            return
        step, players = self.engine.program.exchange[1], self.engine.program.players
        named = {*open_cards, *(k for hand in (*holds, *used) for k in hand)}
        named.update(k for gift in gifts for k in gift.cards)
        kinds = range(len(self.engine.pack.cards))
        # A kind that nothing names is as good as any other that neither hand is known to have.
        plain = [k for k in kinds if k not in named]
        several = sum(not gift.cards for gift in gifts)
        choices: list[Cards] = []
        unnamed = iter(plain)
        for gift in gifts:
            if gift.cards:
                choices.append(gift.cards)
            elif len(plain) >= several:
                receiver = (gift.seat + step) % players
                choices.append((*sorted({*used[receiver], *holds[gift.seat]}), next(unnamed)))
            else:
                choices.append(tuple(kinds))
        for cards in product(*choices):
            found: dict[int, Counter[int]] = {}
            for gift, card in zip(gifts, cards, strict=True):
                found.setdefault(gift.seat, Counter())[card] += 1
            yield found

    def _places(self, packet: int) -> dict[int, tuple[Literal["dealt", "starter", "stock"], int, int]]:
        """Where each place of the pack goes."""
        hands, starter, stock = dealt_places(self.engine, self.first, packet)
        found: dict[int, tuple[Literal["dealt", "starter", "stock"], int, int]] = {}
        for seat, places in enumerate(hands):
            found.update((place, ("dealt", seat, 0)) for place in places)
        if starter is not None:
            found[starter] = ("starter", 0, 0)
        found.update((place, ("stock", 0, i)) for i, place in enumerate(stock))
        return found


def records(
    engine: Engine, setup: Setup, events: Sequence[Event], seats: Mapping[str, int], refused: bool = False
) -> Records:
    """The facts of a deal. The cards must be of the pack, the players as many as the rules have.

    `refused`: the last event is one whose cards were refused, and what it says of them is taken in although it may
    break other rules besides.
    """
    facts = list(_before_play(engine, setup))
    state = _blind(engine, setup)
    told = 0
    for i, event in enumerate(events):
        _forget(engine, state)
        seat = seats[event[0]]
        table, up, turned = sum(state.tables[seat]), state.up, state.drawn_to
        named = [c for c in _named(event) if c != UNKNOWN]
        if any(c not in engine.pack.unit for c in named):
            break
        legal = play(engine, state, [event], seats).legal
        if not legal and not (refused and i == len(events) - 1):
            break
        new = sum(state.tables[seat]) - table if legal else _newly(engine, event, table)
        told = i + 1
        fact = _event(engine, i, event, seat, new, up, turned)
        if fact is not None:
            facts.append(fact)
    return Records(engine, setup.first, tuple(facts), told)


def _newly(engine: Engine, event: Event, table: int) -> int:
    """The cards of a meld act that were not on the table before it."""
    if event[1] != "melds":
        return 0
    return engine.pack.minus(sum(engine.pack.packed(meld) for meld in event[2]), table)


def _before_play(engine: Engine, setup: Setup) -> Iterator[Fact]:
    kind = engine.pack.kind

    def known(cards: Sequence[str] | None) -> list[tuple[int, int]]:
        return [(i, kind[c]) for i, c in enumerate(cards or ()) if c != UNKNOWN]

    for seat, hand in enumerate(setup.hands):
        if known(hand):
            yield Fact(("hands", seat), "dealt", seat, tuple(k for _, k in known(hand)))
    if setup.starter is not None:
        yield Fact(("starter", 0), "starter", 0, (kind[setup.starter],))
    for i, k in known(setup.stock):
        yield Fact(("stock", 0), "stock", 0, (k,), i)
    for i, k in known(setup.deck):
        yield Fact(("deck", 0), "deck", 0, (k,), i)


def _blind(engine: Engine, setup: Setup) -> State:
    """The first state of a deal of which nothing was recorded but the starter."""
    program, seats = engine.program, engine.seats
    unit = engine.pack.unit[setup.starter] if setup.starter is not None else 0
    state = State(
        at=engine.flow.unstarted,
        up=unit,
        hands=[0] * seats,
        unknown=[program.dealt] * seats,
        tables=[()] * seats,
        fit=[0] * seats,
        stock=engine.pack.size - program.dealt * program.players - program.starter,
        recorded=(),
        seen=0,
        first=setup.first,
        gifts=[program.exchange[0]] * seats,
    )
    if not program.exchange[0]:
        open_play(engine, state)
    return state


def _forget(engine: Engine, state: State) -> None:
    """Keeps how many cards there are and forgets which."""
    count = engine.pack.count
    state.unknown = [count(known) + more for known, more in zip(state.hands, state.unknown, strict=True)]
    state.hands = [0] * engine.seats
    state.received = [(0, count(known) + more) for known, more in state.received]
    state.seen = 0


def _named(event: Event) -> Iterator[str]:
    if event[1] == "gives":
        yield event[2]
        return
    for part in event[2:]:
        for inner in [part] if isinstance(part, str) else part:
            if isinstance(inner, str):
                yield inner
            else:
                yield from inner


def _event(
    engine: Engine, number: int, event: Event, seat: int, new: int, up: int, turned: int
) -> Fact | None:
    """What an event says: the cards that it lays, the card on offer, and the cards turned before it."""
    pack = engine.pack
    match event[1]:
        case "turns":
            return Fact(number, "stock", 0, (pack.kind[event[2]],), turned)
        case "discards":
            return Fact(number, "used", seat, (pack.kind[event[2]],))
        case "gives":
            return Fact(number, "given", seat, () if event[2] == UNKNOWN else (pack.kind[event[2]],))
        case "melds":
            used = pack.minus(new, up)
            return Fact(number, "used", seat, pack.kinds(used)) if used else None
        case _:
            return None
