"""Why a deal's set-up, or the recorder's claim, is refused.

A set-up breaks clauses one by one, so each that it breaks is a smallest set by itself; the verdict's is named. Which
ones it breaks is counted from the typed rules alone, and the engine's verdict has to be among them. A claim is held
against the clause on winning as a circuit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from conquian.engine.deals import UNKNOWN, Setup, SetupRefusal
from conquian.engine.engine import Engine
from conquian.engine.state import State
from conquian.language import clauses as c
from conquian.language.rules import RuleSet
from conquian.messages import claim_message, setup_message
from conquian.transcript.model import Claim
from conquian.verifier.acts import Act, Copies, known
from conquian.verifier.deck import deck_of
from conquian.verifier.frame import Frame
from conquian.verifier.grounds import Fact
from conquian.verifier.limits import Disagreement
from conquian.verifier.why import Reason, Why, reason

Hand = Sequence[str] | None


def why_set_up(
    engine: Engine, typed: RuleSet, setup: Setup, refusal: SetupRefusal, players: Sequence[str]
) -> Why:
    """Why a set-up is refused: the clause that it breaks, and the fact that breaks it."""
    fact = Fact(refusal.code, setup_message(refusal, engine, players)[0], refusal.cards)
    named = None if refusal.clause is None else engine.program.clauses[refusal.clause].name
    wrong = broken_by(typed, setup)
    if named not in wrong:
        raise Disagreement(f"the set-up breaks {sorted(wrong)} by the clauses, {named} by the engine")
    reasons: tuple[Reason, ...] = tuple(reason(x) for x in typed.clauses if x.name == named)
    alone = (named,) if wrong == {named} and named is not None else ()
    return Why(False, refusal.code, reasons, refusal.cards, alone, True, (fact,))


def broken_by(typed: RuleSet, setup: Setup) -> set[str]:
    """The names of the clauses on players, pack, dealing and starter that a set-up breaks."""
    players, seats = next(typed.bodies(c.Players))
    if setup.players != seats.count:
        return {players.name}
    pack, deck = next(typed.bodies(c.Deck))
    dealing, dealt = next(typed.bodies(c.Dealing))
    starter, turned = next(typed.bodies(c.Starter))
    found: set[str] = set()
    cards = {rank + suit[0] for rank in deck.ranks for suit in deck.suits}
    size = len(cards) * deck.packs
    left = size - dealt.size * seats.count - turned.turned
    hands = [_told(hand) for hand in setup.hands]
    lying = [*(card for hand in hands for card in hand), *_told([setup.starter] if setup.starter else None)]
    stock, pile = _told(setup.stock), _told(setup.deck)
    if any(card not in cards for card in (*setup.cut, *lying, *stock, *pile)):
        found.add(pack.name)
    if any(_most(x) > deck.packs for x in (lying, [*lying, *stock], pile)):
        found.add(pack.name)
    if len(setup.stock or ()) > left or len(setup.deck or ()) > size:
        found.add(pack.name)
    if any(len(hand or ()) > dealt.size for hand in setup.hands):
        found.add(dealing.name)
    if any(count not in (None, dealt.size) for count in setup.sizes):
        found.add(dealing.name)
    if not found and setup.deck is not None:
        fits = (
            _fits(setup, packet, dealt.size, seats.count, turned.turned, size, deck.packs)
            for packet in dealt.packets
        )
        if not any(fits):
            found.add(dealing.name)
    if (setup.starter is not None) != turned.turned:
        found.add(starter.name)
    return found


def _told(cards: Hand) -> list[str]:
    return [card for card in cards or () if card != UNKNOWN]


def _most(cards: Sequence[str]) -> int:
    return max(Counter(cards).values(), default=0)


def _fits(setup: Setup, packet: int, each: int, seats: int, starter: bool, size: int, packs: int) -> bool:
    """Whether the recorded deck, dealt out in packets of one size, can give what else is recorded."""
    deck = [*(setup.deck or ()), *[UNKNOWN] * (size - len(setup.deck or ()))]
    turns = [(setup.first + i) % seats for i in range(seats)]
    rounds = [min(packet, each - done) for done in range(0, each, packet)]
    order = [seat for count in rounds for seat in turns for _ in range(count)]
    dealt = list(zip(order, deck, strict=False))
    rest = deck[len(order) :]
    everything: list[str] = []
    for seat in range(seats):
        got = [card for to, card in dealt if to == seat]
        extra = Counter(_told(setup.hands[seat])) - Counter(_told(got))
        if extra.total() > got.count(UNKNOWN):
            return False
        everything += [*_told(got), *extra.elements()]
    if starter:
        top, rest = rest[0], rest[1:]
        if setup.starter is not None and top not in (UNKNOWN, setup.starter):
            return False
    if setup.starter is not None:
        everything.append(setup.starter)
    for i, card in enumerate(rest):
        said = setup.stock[i] if setup.stock is not None and i < len(setup.stock) else UNKNOWN
        if UNKNOWN not in (card, said) and card != said:
            return False
        everything += _told([said if card == UNKNOWN else card])
    return _most(everything) <= packs


def why_claim(
    engine: Engine,
    typed: RuleSet,
    state: State,
    players: Sequence[str],
    claim: Claim,
    drawn: bool,
) -> Why:
    """Why the recorder's claim is not what the events give."""
    claimed = claim.winner
    clause, wins = next(typed.bodies(c.Wins))
    winner = None if state.winner is None else players[state.winner]
    said = Fact("wrong-result", claim_message(claim, winner, drawn)[0])
    facts = [said]
    if claimed is not None:
        seat = players.index(claimed)
        table, pack = state.tables[seat], engine.pack
        count = pack.count(sum(table))
        facts.append(Fact("wrong-result", f"{claimed} has {count} cards in melds"))
        copies = Copies(pack)
        after = tuple(copies.take(meld) for meld in table)
        deck = deck_of(engine)
        frame = Frame(sum(after), (), after)
        circuit = deck.encoder(engine.program, frame).condition(wins.when)
        act = Act("win", "", False, False, False, (), after, 0, 0, 0, 0, 0, state.stock)
        told = known(deck, act, (circuit,), engine.readings, ())
        reached = deck.circuits.value(circuit, {x for x in told if x > 0})
        if reached and state.winner is None and count == engine.program.goal:
            raise Disagreement(f"{claimed} has won by the clause {clause.name}, and not by the engine")
    return Why(False, "wrong-result", (reason(clause),), (), (), True, tuple(facts))
