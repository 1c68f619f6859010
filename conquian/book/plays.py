"""Examples that the engine finds by itself: melds, wins, the start of a deal, and what the order of play allows.

Guarantees: everything shown was played in the engine; for the order of play also under the same rules less the clause.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice

from conquian.book.example import Example, chosen, judged, under, without
from conquian.engine.pack import Pack
from conquian.engine.play import Event
from conquian.generate import games
from conquian.language import clauses as c
from conquian.language import formula as f
from conquian.language.rules import Clause, RuleSet
from conquian.language.settled import settled_body
from conquian.lockstep import Parting, partings
from conquian.position import Position, Rules
from conquian.referee import replay

DEPTH = 3
"""How many events lead to one of the order of play at most."""
LAYOUTS = 20_000
"""How many tables are tried to find one that wins."""


class Plays:
    """Looks for examples under one rule set."""

    def __init__(self, typed: RuleSet, rules: Rules) -> None:
        self.typed, self.rules = typed, rules

    def of(self, clause: Clause) -> Example | None:
        """A position for a clause that is about no single act; None where it is about none, or none was found."""
        match clause.body:
            case c.Shape(name):
                return self._shape(name)
            case c.Order():
                return self._longest_run()
            case c.Goal() | c.Wins():
                return self.won
            case c.Players() | c.Dealing() | c.Starter() | c.Exchange() | c.Opening():
                return None if _says_nothing(clause.body) else self._start
            case c.Phase():
                return self._phase(clause)
            case _:
                return None

    # -- melds

    def _shape(self, name: str) -> Example | None:
        """The smallest meld of a shape that is of no other, laid with the card on offer."""
        engine = self.rules.engine
        pack = engine.pack
        of_shape = engine.melds.packed & self._known(name)
        others = frozenset[int]().union(*(self._known(x) for x in self._shapes if x != name))
        for meld in sorted(of_shape - others, key=lambda m: (pack.count(m), m)):
            cards = pack.names(meld)
            here = self.rules.position(up=cards[-1], hand=cards[:-1])
            example = judged(here, ("me", "melds", (tuple(cards),)), "engine")
            if example.refusal is None:
                return example
        return None

    @property
    def _shapes(self) -> list[str]:
        return [body.name for _, body in self.typed.bodies(c.Shape)]

    def _known(self, name: str) -> frozenset[int]:
        """The packed melds of a shape."""
        from conquian.verifier.joint import shared_shapes

        return shared_shapes(self.rules.engine, self.rules.engine.pack).get(name, frozenset())

    def _longest_run(self) -> Example | None:
        """The longest meld of one suit, on the table."""
        pack = self.rules.engine.pack
        runs = [m for m in self.rules.engine.melds.packed if len({x[-1] for x in pack.names(m)}) == 1]
        if not runs:
            return None
        longest = max(runs, key=lambda m: (pack.count(m), -m))
        return Example(self.rules.position(table=[pack.names(longest)], hand=()), "engine")

    # -- winning

    @cached_property
    def won(self) -> Example | None:
        """A meld that wins, with as short melds as there are."""
        rules, pack = self.rules, self.rules.engine.pack
        goal = rules.engine.program.goal
        melds = sorted(rules.engine.melds.packed, key=lambda m: (pack.count(m), m))
        for table in islice(_tables(pack, melds, goal), LAYOUTS):
            *lying, last = table
            cards = pack.names(last)
            here = rules.position(up=cards[-1], table=[pack.names(m) for m in lying], hand=cards[:-1])
            event: Event = ("me", "melds", tuple(tuple(pack.names(m)) for m in table))
            example = judged(here, event, "engine")
            if example.after is not None and example.after.phase == "won":
                return example
        return None

    # -- the deal

    @cached_property
    def _start(self) -> Example | None:
        """A deal as it begins."""
        (game,) = games(self.rules.engine, 1, 0)
        played = list(islice(replay(self.rules, game.players, game.deals[0], game.dealer), 2))
        here, event = played[0]
        if event is None or event[1] != "gives":
            return Example(here, "engine")
        return judged(here, event, "engine")

    # -- the order of play

    def _phase(self, clause: Clause) -> Example | None:
        """The smallest position from which play parts once the clause is left out."""
        for readings in self._options(clause):
            rules = chosen(self.rules, readings)
            less = without(self.typed, rules, clause.name)
            first = None
            if less is not None and _offers(less):
                first = min(partings(rules, less), key=_size, default=None)
            found = _walked(clause, rules) if first is None or less is None else _parted(first, rules, less)
            if found is not None:
                return under(found, readings, self.rules.readings)
        return None

    def _options(self, clause: Clause) -> Iterator[dict[str, str]]:
        """The readings of the book, then each with one chosen otherwise, as far as the clause says something there."""
        usual = dict(self.rules.readings)
        whens = [line.when for _, body in self.typed.bodies(c.Phase) for line in body.lines]
        whens += [x.when for _, x in self.typed.bodies(c.Modal) if x.allowed and "force" in x.verbs]
        asked = frozenset[str]().union(*(f.readings_of(x) for x in whens if x is not None))
        options = [usual]
        for reading in self.typed.readings:
            if reading.name in asked:
                options += [{**usual, reading.name: x} for x in reading.choices if x != usual[reading.name]]
        yield from (one for one in options if settled_body(clause.body, one) is not None)


def _walked(clause: Clause, rules: Rules) -> Example | None:
    """The first event of the clause's phase that a few events lead to, from a meld and a card that it fits."""
    body = clause.body
    assert isinstance(body, c.Phase)
    verbs = {f"{x.verb}es" if x.verb == "pass" else f"{x.verb}s" for x in body.lines if isinstance(x, c.Acts)}
    any_event = any(not isinstance(x, c.Acts) for x in body.lines)
    start = _fitting(rules)
    if start is None:
        return None
    first, events = start
    waiting: list[tuple[Position, tuple[Event, ...]]] = [(first, ())]
    while waiting:
        here, way = waiting.pop(0)
        for event in events:
            if not here.can(event):
                continue
            if here.phase == body.name and (any_event or event[1] in verbs):
                return judged(here, event, "engine", way)
            if len(way) < DEPTH:
                waiting.append((here.apply(event), (*way, event)))
    return None


def _fitting(rules: Rules) -> tuple[Position, list[Event]] | None:
    """A meld on the table, a card on offer that it fits and one in the hand, and what can be tried with them."""
    pack, known = rules.engine.pack, rules.engine.melds.packed
    for meld in sorted(known, key=lambda m: (pack.count(m), m)):
        for card in pack.names(meld):
            rest = meld - pack.unit[card]
            if rest not in known:
                continue
            spare, fresh = [x for x in pack.cards if x not in pack.names(meld)][:2]
            here = rules.position(up=card, table=[pack.names(rest)], hand=[spare])
            events: list[Event] = [
                ("opponent", "forces"),
                ("me", "melds", (tuple(pack.names(meld)),)),
                ("me", "discards", spare),
                ("me", "passes"),
                ("opponent", "turns", fresh),
                ("opponent", "passes"),
                ("me", "turns", fresh),
            ]
            return here, events
    return None


def _says_nothing(body: object) -> bool:
    """Whether a clause of the deal says that something is not done."""
    return body in (c.Starter(False),) or (isinstance(body, c.Exchange) and not body.count)


def _tables(pack: Pack, melds: Sequence[int], goal: int, taken: int = 0) -> Iterator[tuple[int, ...]]:
    """Melds that lie beside each other and have so many cards together."""
    least = pack.count(melds[0])
    for place, meld in enumerate(melds):
        left = goal - pack.count(meld)
        if (left and left < least) or not pack.contains(pack.minus(pack.everything, taken), meld):
            continue
        if not left:
            yield (meld,)
        for rest in _tables(pack, melds[place:], left, taken + meld) if left else ():
            yield (meld, *rest)


def _offers(rules: Rules) -> bool:
    """Whether a card can be on offer, so that positions can be laid."""
    return any(phase.offers and phase.bound is None for phase in rules.engine.program.phases)


def _size(parting: Parting) -> tuple[bool, int, bool, int]:
    return parting.allows != "a", parting.start.cards, parting.start.stock is not None, len(parting.way)


def _parted(parting: Parting, rules: Rules, less: Rules) -> Example:
    here, other = parting.start.position(rules), parting.start.position(less)
    assert here is not None and other is not None
    for event in parting.way:
        here, other = here.apply(event), other.apply(event)
    return judged(here, parting.event, "engine", parting.way, other)
