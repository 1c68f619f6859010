"""Setting up a deal: what was recorded before play, checked in the contract's order, as first states.

What nobody recorded is left open. Where the record can be read in several ways (a pack that may have been
dealt singly or in pairs) there is one first state for each; the deal is legal if it is from some of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from conquian.engine.acts import open_play
from conquian.engine.engine import Engine
from conquian.engine.state import State

UNKNOWN = "?"


class Setup(Struct, frozen=True):
    """What a transcript says of a deal before play; hands and sizes by seat, None for what it leaves out."""

    players: int
    hands: Sequence[Sequence[str] | None]
    sizes: Sequence[int | None]
    deck: Sequence[str] | None
    stock: Sequence[str] | None
    starter: str | None
    first: int
    cut: Sequence[str] = ()
    """The cards drawn for the first deal: they are put back, but have to be of the pack."""


class SetupRefusal(Struct, frozen=True):
    """A violation in the set-up of a deal; `place` is the key and the index within it, for the source line."""

    code: str
    clause: int | None
    cards: tuple[str, ...]
    place: tuple[str | int, ...]
    detail: str


def first_states(engine: Engine, setup: Setup) -> list[State] | SetupRefusal:
    """The states that play can begin from, or the first violation of the contract's set-up table."""
    wrong = _refused(engine, setup)
    if wrong is not None:
        return wrong
    states = []
    for hands, stock, starter in _dealt(engine, setup):
        states.append(_state(engine, setup, hands, stock, starter))
    return states


def _refused(engine: Engine, setup: Setup) -> SetupRefusal | None:
    program, pack = engine.program, engine.pack
    clause = program.setup.get
    if setup.players != program.players:
        return SetupRefusal("players", clause("players"), (), ("players",), "")
    for place, cards in [(("cut",), setup.cut), *_named(setup)]:
        foreign = [c for c in cards if c != UNKNOWN and c not in pack.unit]
        if foreign:
            index = list(cards).index(foreign[0])
            spot = place if place == ("cut",) else (*place, index)
            return SetupRefusal("not-in-deck", clause("pack"), tuple(foreign), spot, "")
    for seat in range(program.players):
        hand, size = setup.hands[seat] or (), setup.sizes[seat]
        if len(hand) > program.dealt:
            return SetupRefusal("misdeal", clause("dealing"), (), ("hands", seat), f"entries:{len(hand)}")
        if size is not None and size != program.dealt:
            return SetupRefusal("misdeal", clause("dealing"), (), ("hand_sizes", seat), f"count:{size}")
    dealt = program.dealt * program.players + program.starter
    if setup.stock is not None and len(setup.stock) > pack.size - dealt:
        return SetupRefusal("misdeal", clause("pack"), (), ("stock",), f"stock:{len(setup.stock)}")
    if setup.deck is not None and len(setup.deck) > pack.size:
        return SetupRefusal("misdeal", clause("pack"), (), ("deck",), f"deck:{len(setup.deck)}")
    wrong = _too_often(engine, setup) or _contradiction(engine, setup)
    if wrong is not None:
        return wrong
    starter = setup.starter is not None
    if program.starter != starter:
        return SetupRefusal(
            "no-starter", clause("starter"), (), ("starter",), "missing" if program.starter else "extra"
        )
    over = _over(
        engine,
        [*(c for hand in setup.hands for c in hand or ()), *([setup.starter] if setup.starter else [])],
    )
    if over:
        return SetupRefusal("card-elsewhere", clause("pack"), tuple(over), _where(setup, over[0]), "")
    return None


def _named(setup: Setup) -> list[tuple[tuple[str | int, ...], Sequence[str]]]:
    found: list[tuple[tuple[str | int, ...], Sequence[str]]] = []
    found.extend((("hands", seat), hand) for seat, hand in enumerate(setup.hands) if hand)
    if setup.starter is not None:
        found.append((("starter",), [setup.starter]))
    if setup.stock is not None:
        found.append((("stock",), setup.stock))
    if setup.deck is not None:
        found.append((("deck",), setup.deck))
    return found


def _where(setup: Setup, card: str) -> tuple[str | int, ...]:
    """The last place that names a card."""
    places: list[tuple[str | int, ...]] = []
    for place, cards in _named(setup):
        places.extend((*place, i) for i, c in enumerate(cards) if c == card)
    return places[-1]


def _over(engine: Engine, cards: Sequence[str]) -> list[str]:
    counts: dict[str, int] = {}
    for card in cards:
        if card != UNKNOWN:
            counts[card] = counts.get(card, 0) + 1
    return [card for card, count in counts.items() if count > engine.pack.copies]


def _too_often(engine: Engine, setup: Setup) -> SetupRefusal | None:
    """A stock or deck that, together with the deal, names a card more often than the pack has it."""
    dealt = [*(c for hand in setup.hands for c in hand or ()), *([setup.starter] if setup.starter else [])]
    clause = engine.program.setup.get("pack")
    if setup.stock is not None:
        over = [c for c in _over(engine, [*dealt, *setup.stock]) if c in setup.stock]
        if over:
            index = len(setup.stock) - 1 - list(reversed(setup.stock)).index(over[0])
            return SetupRefusal("misdeal", clause, tuple(over), ("stock", index), "too-often")
    if setup.deck is not None:
        over = _over(engine, setup.deck)
        if over:
            index = len(setup.deck) - 1 - list(reversed(setup.deck)).index(over[0])
            return SetupRefusal("misdeal", clause, tuple(over), ("deck", index), "too-often")
    return None


Hands = list[list[str]]


def _dealt(engine: Engine, setup: Setup) -> list[tuple[Hands, list[str], str | None]]:
    """Each way in which the record can be read: hands with `?` for the open cards, stock, starter."""
    program = engine.program
    hands = [[*(hand or ()), *[UNKNOWN] * (program.dealt - len(hand or ()))] for hand in setup.hands]
    stock = list(setup.stock or ())
    if setup.deck is None:
        return [(hands, stock, setup.starter)]
    found: list[tuple[Hands, list[str], str | None]] = []
    for packet in program.packets:
        dealt = _by_packets(engine, setup, packet)
        merged = _merge(hands, stock, setup.starter, *dealt, engine)
        if merged is not None and merged not in found:
            found.append(merged)
    return found


def _by_packets(engine: Engine, setup: Setup, packet: int) -> tuple[Hands, list[str], str]:
    """The recorded deck dealt out in packets of one size."""
    program = engine.program
    deck = [*(setup.deck or ()), *[UNKNOWN] * (engine.pack.size - len(setup.deck or ()))]
    hands: Hands = [[] for _ in range(program.players)]
    at = 0
    while any(len(hand) < program.dealt for hand in hands):
        for step in range(program.players):
            hand = hands[(setup.first + step) % program.players]
            count = min(packet, program.dealt - len(hand))
            hand.extend(deck[at : at + count])
            at += count
    starter = UNKNOWN
    if program.starter:
        starter = deck[at]
        at += 1
    return hands, deck[at:], starter


def _merge(
    hands: Hands,
    stock: list[str],
    starter: str | None,
    deck_hands: Hands,
    deck_stock: list[str],
    deck_starter: str,
    engine: Engine,
) -> tuple[Hands, list[str], str | None] | None:
    """What both the deck and the other records say; None if they contradict each other."""
    merged: Hands = []
    for said, dealt in zip(hands, deck_hands, strict=True):
        known = [c for c in dealt if c != UNKNOWN]
        named = [c for c in said if c != UNKNOWN]
        extra = list(named)
        for card in known:
            if card in extra:
                extra.remove(card)
        if len(extra) > dealt.count(UNKNOWN):
            return None
        cards = [*known, *extra]
        merged.append(sorted([*cards, *[UNKNOWN] * (len(dealt) - len(cards))]))
    both: list[str] = []
    for i, card in enumerate(deck_stock):
        said_card = stock[i] if i < len(stock) else UNKNOWN
        if UNKNOWN not in (card, said_card) and card != said_card:
            return None
        both.append(said_card if card == UNKNOWN else card)
    if starter is not None and engine.program.starter:
        if deck_starter not in (UNKNOWN, starter):
            return None
        if deck_starter == UNKNOWN and not engine.program.starter:
            return None
    everything = [*(c for hand in merged for c in hand), *both, *([starter] if starter else [])]
    if _over(engine, everything):
        return None
    return merged, both, starter


def _contradiction(engine: Engine, setup: Setup) -> SetupRefusal | None:
    if setup.deck is None or _dealt(engine, setup):
        return None
    return SetupRefusal("misdeal", engine.program.setup.get("dealing"), (), ("deck",), "contradiction")


def _state(engine: Engine, setup: Setup, hands: Hands, stock: list[str], starter: str | None) -> State:
    program, pack = engine.program, engine.pack
    known = [[c for c in hand if c != UNKNOWN] for hand in hands]
    packed = [pack.packed(cards) for cards in known]
    recorded = tuple(0 if c == UNKNOWN else pack.unit[c] for c in stock)
    up = pack.unit[starter] if starter is not None else 0
    state = State(
        at=engine.flow.unstarted,
        up=up,
        hands=packed,
        unknown=[program.dealt - len(cards) for cards in known],
        tables=[()] * program.players,
        fit=[0] * program.players,
        stock=pack.size - program.dealt * program.players - program.starter,
        recorded=recorded,
        seen=sum(packed) + sum(recorded) + up,
        first=setup.first,
        gifts=[program.exchange[0]] * program.players,
    )
    if not program.exchange[0]:
        open_play(engine, state)
    return state


def gift_guesses(engine: Engine, state: State, seat: int) -> list[str]:
    """What an unrecorded gift can have been: each kind the giver is known to hold, or one of the others."""
    kinds = [engine.pack.cards[kind] for kind in dict.fromkeys(engine.pack.kinds(state.hands[seat]))]
    return [*kinds, *([UNKNOWN] if state.unknown[seat] else [])]


def seats_of(players: Sequence[str]) -> Mapping[str, int]:
    return {name: seat for seat, name in enumerate(players)}


def dealt_places(engine: Engine, first: int, packet: int) -> tuple[list[list[int]], int | None, list[int]]:
    """Where a deck goes that is dealt in packets of one size: places in it, from 0, by seat, of the starter (None
    where there is none), and of the stock."""
    nobody: list[None] = [None] * engine.program.players
    places = [str(i) for i in range(engine.pack.size)]
    setup = Setup(engine.program.players, nobody, nobody, places, None, None, first)
    hands, stock, starter = _by_packets(engine, setup, packet)
    open_card = None if starter == UNKNOWN else int(starter)
    return [[int(i) for i in hand] for hand in hands], open_card, [int(i) for i in stock]
