"""Two rule sets side by side: what their clauses say under their readings, and the cards that both packs have.

The cards are those of a pack with each shared card once. A position of these is one under both rule sets, and with
one copy of each card nothing has to be matched.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from conquian.engine.engine import Engine
from conquian.engine.flow import REFUSED, Facts
from conquian.engine.melds import Melds
from conquian.engine.pack import Pack
from conquian.engine.program import Program, Verb
from conquian.language.rules import Clause, RuleSet
from conquian.language.settled import Settled, settled_body
from conquian.position import Rules, offer_phase

PLENTY = Facts(9, 9, 9)
"""A moment with cards in the stock and in the hand."""


@dataclass(frozen=True, slots=True)
class Stand:
    """A moment of play: its phase by name, whether the player has to meld the card on offer, what events it takes."""

    phase: str
    bound: bool
    verbs: frozenset[str]


@dataclass(frozen=True, slots=True)
class Side:
    """One rule set under its readings.

    clauses   by name, in the order of the file
    bodies    what each says under the readings; a clause that says nothing is left out
    melds     those of shared cards, each card once
    stands    by moment (`offer`, `declined`, `forced at once`, `forced`, `laid`, `turn`), where play has it
    others    phases that play can come to and that are none of these moments
    hand      the most cards a hand can hold; `own` the most that hand and table can, None where nothing bounds them
    """

    rules: Rules
    typed: RuleSet
    clauses: Mapping[str, Clause]
    bodies: Mapping[str, Settled]
    melds: Melds
    stands: Mapping[str, Stand]
    others: frozenset[str]
    hand: int
    own: int | None

    @property
    def engine(self) -> Engine:
        return self.rules.engine


@dataclass(frozen=True, slots=True)
class Joint:
    """Two sides over one pack; `copies`: how often both packs have each shared card."""

    pack: Pack
    copies: int
    a: Side
    b: Side

    @property
    def same_melds(self) -> bool:
        """Whether the shared cards make the same melds under both."""
        return self.a.melds.packed == self.b.melds.packed


def joint(a: Rules, b: Rules, typed_a: RuleSet, typed_b: RuleSet) -> Joint:
    """Two rule sets side by side; ValueError if their packs share no card."""
    left, right = a.engine.program, b.engine.program
    cards = tuple(card for card in left.cards if card in right.cards)
    if not cards:
        raise ValueError(f"{left.name} and {right.name} share no card")
    pack = Pack(cards, 1)
    return Joint(pack, min(left.copies, right.copies), side(a, typed_a, pack), side(b, typed_b, pack))


def side(rules: Rules, typed: RuleSet, pack: Pack) -> Side:
    readings = rules.engine.readings
    bodies = {}
    for clause in typed.clauses:
        body = settled_body(clause.body, readings)
        if body is not None:
            bodies[clause.name] = body
    stands, own = _stands(rules.engine)
    return Side(
        rules,
        typed,
        {clause.name: clause for clause in typed.clauses},
        bodies,
        _shared_melds(rules.engine.program, readings, pack),
        stands,
        _reachable(rules.engine) - {stand.phase for stand in stands.values()},
        rules.engine.program.dealt,
        own,
    )


def shapes_under(program: Program, readings: Mapping[str, str]) -> Mapping[str, tuple[tuple[int, ...], ...]]:
    """The melds of a rule set by their shape, as kinds of card."""
    for key, shapes in program.melds.items():
        pairs = [part.split("=") for part in key.split(",") if part]
        if all(readings[name] == choice for name, choice in pairs):
            return shapes
    raise AssertionError("no table of melds for these readings")


def shared_shapes(side: Engine, pack: Pack) -> dict[str, frozenset[int]]:
    """The melds of a rule set that a pack of shared cards can make, by their shape, packed."""
    program = side.program
    kinds = {kind: pack.kind[card] for kind, card in enumerate(program.cards) if card in pack.kind}
    return {
        name: frozenset(pack.of_kinds(kinds[x] for x in meld) for meld in melds if _shared(meld, kinds, pack))
        for name, melds in shapes_under(program, side.readings).items()
    }


def _shared(meld: Sequence[int], kinds: Mapping[int, int], pack: Pack) -> bool:
    return all(kind in kinds and meld.count(kind) <= pack.copies for kind in meld)


def _shared_melds(program: Program, readings: Mapping[str, str], pack: Pack) -> Melds:
    kinds = {kind: pack.kind[card] for kind, card in enumerate(program.cards) if card in pack.kind}

    def moved(meld: Sequence[int]) -> tuple[int, ...]:
        return tuple(kinds[kind] for kind in meld)

    shapes = {
        name: tuple(moved(meld) for meld in melds if _shared(meld, kinds, pack))
        for name, melds in shapes_under(program, readings).items()
    }
    ends = tuple((moved(meld), moved(end)) for meld, end in program.ends if _shared(meld, kinds, pack))
    return Melds(pack, shapes, ends)


def _stands(engine: Engine) -> tuple[dict[str, Stand], int | None]:
    """The moments around an offer, as the order of play has them; and the most cards that are ever a player's own.

    Where every meld is followed by a discard, hand and table of a team never grow beyond what was dealt.
    """
    flow, me, opponent = engine.flow, 0, engine.opponents[0]
    offered = flow.state(offer_phase(engine), me, 1)
    found: dict[str, int] = {"offer": offered}
    found["declined"] = flow.take(offered, "pass", me, 0, PLENTY)
    found["forced at once"] = flow.take(offered, "force", opponent, 0, PLENTY)
    found["laid"] = flow.take(offered, "meld", me, 0, PLENTY)
    if found["declined"] != REFUSED:
        found["forced"] = flow.take(found["declined"], "force", opponent, 0, PLENTY)
        at = found["declined"]
        while at < flow.won and engine.resting[at]:
            at = flow.closed(at, 0, PLENTY)
        found["turn"] = at if at < flow.won and flow.seat(at) == me else REFUSED
    stands = {}
    for name, at in found.items():
        phase = None if at == REFUSED else flow.phase(at)
        if phase is not None:
            verbs = frozenset(str(line.verb) for line in phase.lines if line.kind == "acts")
            stands[name] = Stand(phase.name, bool(engine.bound[at]), verbs)
    emptied = flow.take(offered, "meld", me, 0, Facts(9, 9, 0))
    thrown = all(at != REFUSED and _throws(engine, at) for at in (found["laid"], emptied))
    team = len(engine.partners[me])
    return stands, engine.program.dealt * team if thrown else None


def _reachable(engine: Engine) -> frozenset[str]:
    """The phases that play can wait in; all of them where the order of play asks for cards."""
    flow = engine.flow
    if engine.live:
        return frozenset(phase.name for phase in flow.phases)
    moments = [Facts(stock, after, hand) for stock, after in ((9, 9), (1, 0), (0, 0)) for hand in (0, 9)]
    seats = range(engine.seats)
    left = [flow.start(0, moment) for moment in moments]
    left += [flow.state(offer_phase(engine), 0, origin) for origin in range(3)]
    seen = set(left)
    while left:
        at = left.pop()
        if flow.phase(at) is None:
            continue
        steps = {flow.closed(at, 0, moment) for moment in moments}
        steps |= {flow.take(at, verb, by, 0, moment) for verb in _VERBS for by in seats for moment in moments}
        fresh = {step for step in steps if step != REFUSED} - seen
        seen |= fresh
        left += sorted(fresh)
    phases = (flow.phase(at) for at in seen)
    return frozenset(phase.name for phase in phases if phase is not None)


_VERBS: tuple[Verb, ...] = ("turn", "meld", "pass", "discard", "force")


def _throws(engine: Engine, at: int) -> bool:
    phase = engine.flow.phase(at)
    verbs = set() if phase is None else {x.verb for x in phase.lines if x.kind == "acts"}
    return phase is not None and not phase.rests and verbs == {"discard"}
