"""Why an event is not legal: the contract's codes, asked in the contract's order, for one event.

Called only for the event that `play` stopped at. `refusal` gives the first code of the table that applies,
with the clause that decides it; where copies of a card leave several ways to read the act, the code furthest
down the table over all ways.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from conquian.engine.acts import arrange_state
from conquian.engine.coded import Event
from conquian.engine.copies import Way, in_hand, ways
from conquian.engine.demands import demand, demanded_at, permission
from conquian.engine.engine import Engine
from conquian.engine.facts import arguments, closed, facts, held
from conquian.engine.flow import REFUSED
from conquian.engine.program import Verb
from conquian.engine.search import can_meld
from conquian.engine.state import State
from conquian.language.codes import EVENT_CODES

VERBS: dict[str, Verb] = {
    "turns": "turn",
    "melds": "meld",
    "passes": "pass",
    "discards": "discard",
    "arranges": "arrange",
    "forces": "force",
}
RANK = {code: i for i, code in enumerate(EVENT_CODES)}
"""A code that stands twice counts at its later place; the earlier places are asked by hand."""
HOUSE = len(EVENT_CODES)


class Refusal(Struct, frozen=True):
    """A violation: its code, the index of the deciding clause, the cards concerned, and its place in the table.

    `detail` names the case for the message: which word of the contract's table it is.
    """

    code: str
    clause: int | None
    cards: tuple[str, ...]
    rank: int
    detail: str = ""
    seat: int = -1
    """The player whose event was due, or who is bound, where that matters."""


class Unexplained(AssertionError):
    """The engine refused an event and no clause says why: an internal error."""


def place_of(engine: Engine, state: State, names: Mapping[int, str], unit: int) -> str:
    """Where the first known copy of a card is: `hand:NAME`, `table:NAME`, `stock` or `refused`."""
    field = unit * engine.pack.field_mask
    for seat in range(engine.seats):
        if state.hands[seat] & field:
            return f"hand:{names[seat]}"
        if sum(state.tables[seat]) & field:
            return f"table:{names[seat]}"
    if any(entry == unit for entry in state.recorded[state.drawn_to :]):
        return "stock"
    return "refused"


def refusal(engine: Engine, state: State, event: Event, seats: Mapping[str, int]) -> Refusal:
    """Why the event is not legal in the state; Unexplained if nothing speaks against it."""
    return _Refuser(engine, state, event, seats).first()


class _Refuser:
    def __init__(self, engine: Engine, state: State, event: Event, seats: Mapping[str, int]) -> None:
        self.engine, self.state, self.event, self.seats = engine, state, event, seats
        self.seat = seats[event[0]]
        self.verb: str = event[1]
        self.at = closed(engine, state, state.at)

    # -- helpers

    def phase_clause(self, at: int | None = None) -> int | None:
        phase = self.engine.flow.phase(self.at if at is None else at)
        return None if phase is None else phase.clause

    def named(self) -> list[str]:
        """Every card that the event names."""
        cards: list[str] = []
        for part in self.event[2:]:
            if isinstance(part, str):
                cards.append(part)
            else:
                for inner in part:
                    cards.extend([inner] if isinstance(inner, str) else inner)
        if self.verb == "gives":
            cards = [self.event[2]]
        return [c for c in cards if c != "?"]

    def of(
        self, code: str, clause: int | None, cards: Sequence[str] = (), detail: str = "", seat: int = -1
    ) -> Refusal:
        return Refusal(code, clause, tuple(cards), EVENT_CODES.index(code), detail, seat)

    # -- the table, from the top

    def first(self) -> Refusal:
        engine, state, setup = self.engine, self.state, self.engine.program.setup
        foreign = [c for c in self.named() if c not in engine.pack.unit]
        if foreign:
            return self.of("not-in-deck", setup.get("pack"), foreign)
        ended = engine.flow.phase(self.at) is None and self.at != engine.flow.unstarted
        if ended and not (self.verb == "forces" and self._pass_pending()) and not self._may_arrange():
            won = state.at == engine.flow.won
            clause = setup["wins"] if won else draw_clause(engine)
            return self.of("game-over", clause, detail="won" if won else "drawn")
        if self.at == engine.flow.unstarted or self.verb == "gives":
            return self._exchange()
        if self.verb == "forces":
            return self._demand()
        acting = self._acting()
        if acting != self.seat:
            return self.of("not-your-turn", self.phase_clause(), detail=self._due(), seat=acting)
        bound = engine.flow.phase(self.at)
        if (
            bound is not None
            and bound.bound is not None
            and (self.verb != "melds" or not can_meld(engine, state))
        ):
            up = engine.pack.names(state.up)
            return Refusal(
                engine.program.clauses[bound.bound].code or "forced", bound.bound, tuple(up), 5, "other"
            )
        match self.verb:
            case "turns":
                return self._turn()
            case "passes":
                return self._pass()
            case "discards":
                return self._discard()
            case "melds":
                return self._meld()
            case _:
                return self._arrange()

    def _pass_pending(self) -> bool:
        phase = self.engine.flow.phase(self.state.at)
        return phase is not None and any(line.verb == "force" for line in phase.lines)

    def _may_arrange(self) -> bool:
        """Whether the event regroups melds where that is allowed, if only till the deal is drawn."""
        return self.verb == "arranges" and arrange_state(self.engine, self.state, self.seat) != REFUSED

    def _exchange(self) -> Refusal:
        clause = self.engine.program.setup.get("exchange")
        state = self.state
        if self.at != self.engine.flow.unstarted:
            detail = "none" if not self.engine.program.exchange[0] else "over"
            return self.of("exchange", clause, detail=detail)
        if self.verb != "gives":
            return self.of("exchange", clause, detail="due")
        receiver = (self.seat + self.engine.program.exchange[1]) % self.engine.seats
        if not state.gifts[self.seat]:
            return self.of("exchange", clause, detail="second")
        if self.seats[self.event[3]] != receiver:
            return self.of("exchange", clause, detail="receiver", seat=receiver)
        return self.of("not-in-hand", clause, [self.event[2]], "given")

    def _acting(self) -> int:
        """Whose event it is: the holder of the phase that gives way last, or who may still regroup."""
        if self._may_arrange():
            return self.seat
        return self.engine.flow.seat(self.at)

    def _due(self) -> str:
        phase = self.engine.flow.phase(self.at)
        verbs = [] if phase is None else [line.verb for line in phase.lines if line.verb]
        return "+".join(dict.fromkeys(str(v) for v in verbs if v != "force"))

    def _demand(self) -> Refusal:
        engine, state = self.engine, self.state
        said = onto = None
        if len(self.event) > 2:
            said, onto = engine.pack.unit[self.event[2]], engine.pack.packed(self.event[3])
        after, bound, clause = demand(engine, state, self.seat, said, onto)
        if after != REFUSED:
            raise Unexplained(f"{self.event} in state {state.at}")
        phase = engine.flow.phase(state.at)
        up = engine.pack.names(state.up) if state.up else []
        at = demanded_at(engine, state, self.seat)
        deciding = clause
        if clause is None:
            deciding = permission(engine, state, state.at if at == REFUSED else at)
        if clause is not None:
            detail = "named" if onto is not None else "against"
        elif bound < 0:
            detail = "nobody" if phase is None or not up else "own"
            already = phase is not None and phase.bound is not None
            detail = "again" if already else detail
        else:
            detail = "fits" if not state.fit[bound] & state.up else "when"
        return self.of("no-force-due", deciding, up, detail, bound)

    def _turn(self) -> Refusal:
        engine, state, flow = self.engine, self.state, self.engine.flow
        card = self.event[2]
        phase = flow.phase(self.at)
        assert phase is not None
        after = engine.take(
            state.at, "turn", self.seat, state.first, facts(engine, state, self.seat, turned=True)
        )
        if after == REFUSED:
            if phase.offers:
                return self.of("offer-open", phase.clause, engine.pack.names(state.up))
            return self.of("wrong-action", phase.clause, detail=self._due())
        unit, field, full = engine.pack.entry[card]
        known = state.recorded[state.drawn_to] if state.drawn_to < len(state.recorded) else 0
        if known and known != unit:
            return self.of("stock-mismatch", phase.clause, [card], engine.pack.names(known)[0])
        if not known and state.seen & field == full:
            return self.of("card-elsewhere", phase.clause, [card], self.whereabouts(unit))
        return self._house("turn", self.at, state.up)

    def whereabouts(self, unit: int) -> str:
        """In words of the engine: where the first known copy of a card is."""
        names = {seat: name for name, seat in self.seats.items()}
        return place_of(self.engine, self.state, names, unit)

    def _pass(self) -> Refusal:
        engine, state = self.engine, self.state
        after = engine.take(state.at, "pass", self.seat, state.first, facts(engine, state, self.seat))
        if after == REFUSED:
            return self._no_offer()
        return self._house("pass", self.at, state.up)

    def _no_offer(self) -> Refusal:
        phase = self.engine.flow.phase(self.at)
        assert phase is not None
        if phase.offers:
            return self.of("wrong-action", phase.clause, detail=self._due())
        return self.of("no-offer", phase.clause, detail=self._due())

    def _discard(self) -> Refusal:
        engine, state, card = self.engine, self.state, self.event[2]
        unit, field, full = engine.pack.entry[card]
        phase = engine.flow.phase(self.at)
        assert phase is not None
        left = held(engine, state, self.seat) - 1
        known = facts(engine, state, self.seat, hand=left, up=unit)
        after = engine.take(state.at, "discard", self.seat, state.first, known)
        if after == REFUSED:
            return self.of("no-discard-due", phase.clause, detail=self._due())
        can = state.hands[self.seat] & field or (state.unknown[self.seat] and state.seen & field != full)
        if not can:
            return self.of("not-in-hand", phase.clause, [card], self.whereabouts(unit))
        return self._house("discard", self.at, unit)

    def _house(self, verb: Verb, at: int, card: int) -> Refusal:
        """A prohibition of the rule set's own, the first in the order of the file."""
        engine = self.engine
        number = at // 3 // engine.seats
        against = engine.forbidding(verb, number, arguments(engine, self.state, verb, self.seat, at, card))
        if not against:
            raise Unexplained(f"{self.event} in state {self.state.at}")
        best = min(against, key=lambda rule: clause_rank(engine, rule.clause))
        code = engine.program.clauses[best.clause].code or "house"
        return Refusal(
            code,
            best.clause,
            tuple(engine.pack.names(card)) if card else (),
            clause_rank(engine, best.clause),
        )

    # -- acts on the table

    def _meld(self) -> Refusal:
        phase = self.engine.flow.phase(self.at)
        assert phase is not None
        if not phase.offers or not any(line.verb == "meld" for line in phase.lines):
            return self._no_offer()
        return self._act("meld", self.event[2])

    def _arrange(self) -> Refusal:
        engine = self.engine
        at = arrange_state(engine, self.state, self.seat)
        if at == REFUSED:
            rules = engine.may.get("arrange", [])
            return Refusal(
                "arranging", rules[0].clause if rules else None, (), EVENT_CODES.index("arranging"), "when"
            )
        self.at = at
        return self._act("arrange", self.event[2])

    def _act(self, verb: Verb, listed: Sequence[Sequence[str]]) -> Refusal:
        engine, state, pack = self.engine, self.state, self.engine.pack
        counts = Counter(card for meld in listed for card in meld)
        twice = [card for card, count in counts.items() if count > pack.copies]
        if twice:
            return self.of("card-twice", engine.program.setup.get("pack"), twice)
        table = state.tables[self.seat]
        on_table = sum(table)
        laid = [pack.packed(meld) for meld in listed]
        total = sum(laid)
        if verb == "arrange" and not listed:
            after = list(table)
        elif pack.copies > 1:
            gone = pack.minus(on_table, total)
            if gone:
                return self.of("table-card-missing", self._clause_of("table-card-missing"), pack.names(gone))
            after = laid
        else:
            after = [*laid, *(rest for meld in table if (rest := meld & ~total))]
        new = pack.minus(sum(after), on_table)
        if verb == "arrange" and new:
            rules = engine.may.get("arrange", [])
            rank = RANK["arranging"]
            return Refusal(
                "arranging", rules[0].clause if rules else None, tuple(pack.names(new)), rank, "cards"
            )
        up = state.up if verb == "meld" else 0
        found: Refusal | None = None
        for used_up in self._offers(up, new):
            used = new - used_up
            for way in ways(pack, table, after, used_up, used):
                one = self._way(verb, way, used, used_up)
                if one is None:
                    if verb == "meld" and self._meld_leads_nowhere(used, after):
                        return self._no_offer()
                    raise Unexplained(f"{self.event} in state {state.at}")
                if found is None or one.rank > found.rank:
                    found = one
        assert found is not None
        return found

    def _meld_leads_nowhere(self, used: int, after: Sequence[int]) -> bool:
        """Whether the phase has no line for a meld that leaves this hand and table."""
        engine, state = self.engine, self.state
        left = held(engine, state, self.seat) - engine.pack.count(used)
        known = facts(engine, state, self.seat, hand=left, table=after)
        return engine.take(self.at, "meld", self.seat, state.first, known) == REFUSED

    def _offers(self, up: int, new: int) -> Iterator[int]:
        """The card on offer as one of the new cards, or, when it is not listed at all, nothing."""
        yield up if up and self.engine.pack.contains(new, up) else 0

    def _clause_of(self, code: str) -> int | None:
        """The first clause with a code; the clause on whole melds stands for what no clause has."""
        clauses = self.engine.program.clauses
        for wanted in (code, "invalid-meld"):
            for i, clause in enumerate(clauses):
                if clause.code == wanted:
                    return i
        return None

    def _way(self, verb: Verb, way: Way, used: int, up: int) -> Refusal | None:
        """The first code of the table that applies to one way of reading the act, None if none does."""
        engine, state, pack = self.engine, self.state, self.engine.pack
        number, origin = self.at // 3 // engine.seats, self.at % 3
        offered = way.up or (self._loose_offer() if verb == "meld" else 0)
        args = (
            way.before,
            way.after,
            offered,
            way.used,
            in_hand(pack, way, state.hands[self.seat]),
            state.unknown[self.seat],
            origin == 0,
            origin == 2,
            state.stock,
        )
        found: list[Refusal] = []
        hand = state.hands[self.seat]
        missing = pack.minus(used, hand)
        if missing and not (
            pack.count(missing) <= state.unknown[self.seat]
            and pack.contains(pack.everything - state.seen, missing)
        ):
            lacking = self._lacking(missing)
            where = self.whereabouts(pack.unit[lacking[0]])
            found.append(self.of("not-in-hand", self.phase_clause(), lacking, where))
        for rule in engine.forbidding(verb, number, args):
            clause = engine.program.clauses[rule.clause]
            cards = self._cards_of(clause.code, way, up)
            found.append(
                Refusal(clause.code or "house", rule.clause, cards, clause_rank(engine, rule.clause))
            )
        if verb == "meld" and engine.bound[self.at]:
            for rule in engine.program.must:
                if not engine.functions[rule.function](*args, number):
                    code = engine.program.clauses[rule.clause].code or "forced"
                    cards = tuple(pack.names(state.up))
                    found.append(
                        Refusal(code, rule.clause, cards, clause_rank(engine, rule.clause), "elsewhere")
                    )
        if verb == "meld" and not up:
            found.append(self.of("offer-not-used", None, pack.names(state.up)))
        if any(meld not in engine.melds.valid for meld in way.after):
            found.append(self.of("invalid-meld", None, self._cards_of("invalid-meld", way, up)))
        return min(found, key=lambda r: r.rank) if found else None

    def _loose_offer(self) -> int:
        """The card on offer as a physical card that no meld of the act uses."""
        pack = self.engine.pack
        if pack.copies == 1:
            return self.state.up
        kind = (self.state.up.bit_length() - 1) // pack.width
        return 1 << (len(pack.cards) * pack.copies + kind)

    def _lacking(self, missing: int) -> list[str]:
        """The cards that the player cannot have, or all unrecorded ones where there are too many of them."""
        pack, state = self.engine.pack, self.state
        free = pack.everything - state.seen
        cannot = pack.minus(missing, free) if state.unknown[self.seat] else missing
        return pack.names(cannot or missing)

    def _cards_of(self, code: str | None, way: Way, up: int) -> tuple[str, ...]:
        pack, melds = self.engine.pack, self.engine.melds
        if code == "offer-not-used":
            return tuple(pack.names(self.state.up))
        if code == "invalid-meld":
            broken = [m for m in way.after if m not in melds.valid]
            return tuple(pack.names(pack.packed_of(broken[0]))) if broken else ()
        if code in ("hand-only-melds", "borrowing"):
            for meld in way.after:
                if code == "hand-only-melds" and not meld & ~way.used:
                    return tuple(pack.names(pack.packed_of(meld)))
            # Of the smallest old meld that is not whole: what is not in the new meld with most of its cards.
            heirs = [(old, _heir(old, way.after)) for old in way.before]
            lost = [b & ~a for b, a in sorted(heirs, key=lambda pair: pair[0].bit_count()) if b & ~a]
            return tuple(pack.names(pack.packed_of(lost[0]))) if lost else ()
        return tuple(pack.names(up)) if up else ()


def _heir(old: int, after: Sequence[int]) -> int:
    """The new meld that holds most cards of an old one."""
    return max(after, key=lambda new: (new & old).bit_count())


def draw_clause(engine: Engine) -> int | None:
    """The clause that draws a deal when the stock is used up."""
    for phase in engine.program.phases:
        for line in phase.lines:
            if line.kind == "at_once" and line.then.phase < 0:
                return line.clause
    return None


def clause_rank(engine: Engine, clause: int) -> int:
    """The place in the table of a clause's code; codes of house rules follow in the order of the file."""
    code = engine.program.clauses[clause].code or ""
    return RANK.get(code, HOUSE + clause)


def judge_act(
    engine: Engine, state: State, event: Event, seats: Mapping[str, int]
) -> tuple[State | None, Refusal | None]:
    """One event on a copy of the state: the state after it, or why it is not legal."""
    from conquian.engine.play import play

    trial = state.copy()
    if play(engine, trial, [event], seats).legal:
        return trial, None
    return None, refusal(engine, state, event, seats)
