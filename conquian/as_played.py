"""Illegal acts taken as played: at a table, what nobody objects to stands.

Guarantees: an act stands exactly if every card that it names can still be placed: it was, or can have been, in the
hand, on the table, on offer or next in the stock, and is in one place afterwards. The order of play goes on as if the
act had been the player's to make: from the moment nearest to the present one at which the phases of the rule set
take it. Where the rule set knows no such moment, an act without cards changes nothing. No rule of the game is here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from conquian.engine.acts import open_play, put_table
from conquian.engine.coded import Event
from conquian.engine.engine import Engine
from conquian.engine.facts import closed, facts, held
from conquian.engine.flow import REFUSED, Facts
from conquian.engine.play import play
from conquian.engine.program import Verb
from conquian.engine.refusals import Refusal
from conquian.engine.state import State
from conquian.messages import whereabouts
from conquian.referee import refused
from conquian.transcript.model import SAID


class AsPlayed:
    """Places illegal acts, for `conquian.at_table.Walk`."""

    def __init__(self, engine: Engine, players: Sequence[str], seats: Mapping[str, int]) -> None:
        self.engine, self.players, self.seats = engine, players, seats

    def __call__(self, state: State, event: Event, refusal: Refusal, following: Event | None) -> State | str:
        """The state that the event leaves when it stands, or why its cards cannot be placed."""
        if refusal.code == "game-over":
            return "the deal had ended"
        if refusal.code == "not-in-deck":
            return f"the pack has no {' '.join(refusal.cards)}"
        after = state.copy()
        if event[1] in SAID:
            return after
        if after.at == self.engine.flow.unstarted and event[1] != "gives":
            self._exchange_left_out(after)
            if play(self.engine, after, [event], self.seats).legal:
                return after
        return self._placed(after, event, following)

    def beside(self, state: State, event: Event, refusal: Refusal) -> State | Refusal:
        """The state after an act that is legal once melds are set aside that stood although they are none.

        Else why it is illegal without them; why it was, if it takes cards of them.
        """
        engine, pack, seat = self.engine, self.engine.pack, self.seats[event[0]]
        table = state.tables[seat]
        odd = [meld for meld in table if meld not in engine.melds.packed]
        if not odd or event[1] not in ("melds", "arranges") or refusal.code == "not-in-deck":
            return refusal
        listed = [meld for meld in event[2] if pack.packed(meld) not in odd]
        if pack.copies == 1:
            taken = any(pack.packed([card]) & sum(odd) for meld in listed for card in meld)
        else:
            taken = sorted(pack.packed(meld) for meld in event[2] if pack.packed(meld) in odd) != sorted(odd)
        after = state.copy()
        put_table(engine, after, seat, tuple(meld for meld in table if meld not in odd))
        act = (*event[:2], tuple(listed))
        if taken:
            return refusal
        if not play(engine, after, [act], self.seats).legal:
            return refused(engine, [after], act, self.seats)
        whole = (*after.tables[seat], *odd)
        put_table(engine, after, seat, whole)
        new = pack.minus(sum(whole), sum(table))
        offered = state.up if state.up and pack.contains(new, state.up) else 0
        if offered:
            left = held(engine, after, seat)
            won = self._wins(state, seat, table, whole, offered, new - offered, left)
            if won:
                after.at, after.up, after.winner = engine.flow.won, 0, seat
            elif after.winner is not None:
                return refusal
        return after

    def _placed(self, state: State, event: Event, following: Event | None) -> State | str:
        """Changes the state."""
        seat = self.seats[event[0]]
        match event[1]:
            case "turns":
                return self._turn(state, seat, event[2])
            case "discards":
                return self._discard(state, seat, event[2])
            case "melds" | "arranges":
                return self._lay(state, seat, event[2], event[1] == "melds")
            case "gives":
                return self._give(state, seat, event[2], self.seats[event[3]])
            case "passes":
                return self._pass(state, seat)
            case _:
                return self._force(state, seat, following)

    # -- cards

    def _turn(self, state: State, seat: int, card: str) -> State | str:
        unit, field, full = self.engine.pack.entry[card]
        if not state.stock:
            return "the stock is used up"
        known = state.recorded[state.drawn_to] if state.drawn_to < len(state.recorded) else 0
        if known and known != unit:
            return f"the recorded stock has {self.engine.pack.names(known)[0]} next"
        if not known:
            if state.seen & field == full:
                return whereabouts(self.engine, state, self.players, unit, card)
            state.seen += unit
        then = self._then(state, "turn", seat, facts(self.engine, state, seat, up=unit, turned=True))
        state.drawn_to += 1
        state.stock -= 1
        return self._at(state, then, unit)

    def _discard(self, state: State, seat: int, card: str) -> State | str:
        unit, _, _ = self.engine.pack.entry[card]
        why = self._take(state, seat, unit)
        if why is not None:
            return why
        asked = facts(self.engine, state, seat, hand=held(self.engine, state, seat), up=unit)
        return self._at(state, self._then(state, "discard", seat, asked), unit)

    def _give(self, state: State, seat: int, card: str, to: int) -> State | str:
        engine, known, hidden = self.engine, *state.received[to]
        before = state.at == engine.flow.unstarted
        unit = 0 if card == "?" else engine.pack.entry[card][0]
        if unit:
            why = self._take(state, seat, unit)
            if why is not None:
                return why
        elif state.unknown[seat]:
            state.unknown[seat] -= 1
        else:
            return f"the hand of {self.players[seat]} is known, and the card given is not"
        if not before:
            state.hands[to] += unit
            state.unknown[to] += not unit
            return state
        state.received[to] = known + unit, hidden + (not unit)
        state.gifts[seat] = max(state.gifts[seat] - 1, 0)
        if not any(state.gifts):
            self._exchange_left_out(state)
        return state

    def _exchange_left_out(self, state: State) -> None:
        """Play begins; cards that were given are taken up, gifts that were not made are not made any more."""
        for seat, (cards, more) in enumerate(state.received):
            state.hands[seat] += cards
            state.unknown[seat] += more
        open_play(self.engine, state)

    def _lay(self, state: State, seat: int, listed: Sequence[Sequence[str]], melded: bool) -> State | str:
        """Lays the listed melds; what else lay there stays, whatever is left of it."""
        engine, pack = self.engine, self.engine.pack
        counts = Counter(card for meld in listed for card in meld)
        often = [card for card, count in counts.items() if count > pack.copies]
        if often:
            return f"the pack does not have {' '.join(often)} so often"
        table = state.tables[seat]
        old, laid = sum(table), tuple(pack.packed(meld) for meld in listed if meld)
        total = sum(laid)
        after = laid
        if pack.copies == 1:
            after = (*(rest for meld in table if (rest := meld & ~total)), *laid)
        elif gone := pack.minus(old, total):
            if listed or melded:
                return f"{' '.join(pack.names(gone))} lay on the table and is in none of the melds"
            after = table
        new = pack.minus(sum(after), old)
        offered = state.up if state.up and pack.contains(new, state.up) else 0
        why = self._take(state, seat, new - offered)
        if why is not None:
            return why
        left = held(engine, state, seat)
        then = state.at
        if melded or offered:
            then = self._then(state, "meld", seat, facts(engine, state, seat, hand=left, table=after))
        put_table(engine, state, seat, after)
        if not melded and not offered:
            return state
        if self._wins(state, seat, table, after, offered, new - offered, left):
            state.at, state.up, state.winner = engine.flow.won, 0, seat
            return state
        return self._at(state, then, 0)

    def _wins(
        self,
        state: State,
        seat: int,
        table: tuple[int, ...],
        after: tuple[int, ...],
        offered: int,
        used: int,
        left: int,
    ) -> bool:
        engine, pack = self.engine, self.engine.pack
        before, now = engine.placed(table), engine.placed(after)
        fresh = pack.lowest(used) if pack.copies > 1 else used
        own, starter, phase = engine.facts[state.at] if state.at < engine.flow.won else (False, False, 0)
        return bool(engine.wins(before, now, offered, fresh, own, starter, left, state.stock, phase))

    def _take(self, state: State, seat: int, cards: int) -> str | None:
        """Takes cards out of a hand; why they cannot have been in it, if so."""
        pack = self.engine.pack
        missing = pack.minus(cards, state.hands[seat])
        if not pack.contains(pack.everything - state.seen, missing):
            for kind in dict.fromkeys(pack.kinds(missing)):
                card = pack.cards[kind]
                unit, field, full = pack.entry[card]
                wanted = (missing & field) // unit
                if ((full - (state.seen & field)) // unit) < wanted:
                    return whereabouts(self.engine, state, self.players, unit, card)
        if pack.count(missing) > state.unknown[seat]:
            return (
                f"the hand of {self.players[seat]} is known and does not hold {' '.join(pack.names(missing))}"
            )
        state.hands[seat] -= cards - missing
        state.unknown[seat] -= pack.count(missing)
        state.seen += missing
        return None

    # -- the order of play

    def _pass(self, state: State, seat: int) -> State:
        """A pass of a card that was not the player's to pass changes nothing."""
        if state.up:
            asked = facts(self.engine, state, seat)
            then = next(self._near(state, "pass", seat, asked), REFUSED)
            holder = closed(self.engine, state, state.at)
            if then == REFUSED and holder < self.engine.flow.won and self.engine.flow.seat(holder) == seat:
                then = next(self._anywhere(state, "pass", seat, asked), REFUSED)
            if then != REFUSED:
                state.at = then
        return state

    def _force(self, state: State, seat: int, following: Event | None) -> State:
        """A demand that is not due binds whoever follows it, and nobody else."""
        engine = self.engine
        then = engine.take(state.at, "force", seat, state.first, facts(engine, state, seat))
        melds = None if following is None or following[1] != "melds" else self.seats[following[0]]
        if then != REFUSED and melds == engine.flow.seat(then):
            state.at = then
        return state

    def _then(self, state: State, verb: Verb, seat: int, asked: Facts) -> int:
        """Where play goes on after the act."""
        then = next(self._near(state, verb, seat, asked), REFUSED)
        return then if then != REFUSED else next(self._anywhere(state, verb, seat, asked), REFUSED)

    def _near(self, state: State, verb: Verb, seat: int, asked: Facts) -> Iterator[int]:
        """What the act leads to now, or after passes that were left out."""
        engine, at = self.engine, state.at
        for _ in range(2 * engine.seats + 1):
            then = engine.take(at, verb, seat, state.first, asked)
            if then != REFUSED:
                yield then
            holder = closed(engine, state, at)
            if holder >= engine.flow.won:
                return
            passer = engine.flow.seat(holder)
            at = engine.take(holder, "pass", passer, state.first, facts(engine, state, passer))
            if at == REFUSED:
                return

    def _anywhere(self, state: State, verb: Verb, seat: int, asked: Facts) -> Iterator[int]:
        """What the act leads to from any phase, the card being on offer as it is, if possible."""
        flow = self.engine.flow
        for origin in dict.fromkeys((state.at % 3, 0, 1, 2)):
            for phase in range(len(flow.phases)):
                then = self.engine.take(flow.state(phase, seat, origin), verb, seat, state.first, asked)
                if then != REFUSED:
                    yield then

    def _at(self, state: State, then: int, up: int) -> State | str:
        if then == REFUSED:
            return "the order of play has no way on from it"
        state.at, state.up = then, up
        return state
