"""An act in a position as a question: what is known as assumptions, and what each clause asks.

Which physical copy is which is settled as the engine does: the cards on the table come first, then the card on
offer, the hand cards laid and the rest of the hand. How the act takes them is left to the solver, which finds a way
if there is one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from conquian.engine.acts import arrange_state
from conquian.engine.facts import closed, held
from conquian.engine.flow import REFUSED
from conquian.engine.pack import Pack
from conquian.engine.play import Event
from conquian.engine.refusals import VERBS
from conquian.language.rules import RuleSet
from conquian.position import Position
from conquian.verifier.circuits import FALSE, TRUE, Circuit
from conquian.verifier.deck import Deck, deck_of, required, typed_rules, whole
from conquian.verifier.frame import Frame, Words, versions
from conquian.verifier.grounds import Pair
from conquian.verifier.solver import Solver


@dataclass(frozen=True, slots=True)
class Act:
    """An event that the order of play allows, with cards that lie where it takes them from.

    `before`, `up`, `used`, `hand` and `thrown` are physical; `after` are packed sets. `unknown`: cards of the hand
    that nobody recorded.
    """

    verb: str
    phase: str
    bound: bool
    own: bool
    starter: bool
    before: tuple[int, ...]
    after: tuple[int, ...]
    up: int
    used: int
    hand: int
    held: int
    unknown: int
    stock: int
    named: bool = False
    said: int = 0
    onto: int = 0
    """Of a demand: whether it names a meld, the card on offer as it says it, the meld on the table it names."""
    thrown: int = 0
    next_is_first: bool = False
    """Of the order of play: whether the next player in turn is the one who acted first."""
    seat: int = 0
    """Of a demand: the player whom it is on."""


@dataclass(frozen=True, slots=True)
class Question:
    """Facts, all known to hold, and the clauses (and places of cards) that speak of the act, each with what it asks.

    `sound` is what no clause has to say: every set left is a meld, and the card on offer is in one.
    """

    solver: Solver
    words: Words
    frame: Frame
    facts: tuple[Circuit, ...]
    clauses: tuple[Pair, ...]
    sound: bool

    @property
    def asked(self) -> list[Circuit]:
        return [circuit for _, circuit in self.clauses]


def act_of(position: Position, event: Event) -> Act | None:
    """The act that an event is; None for other events and for those that are refused before any clause is asked."""
    engine, state = position.rules.engine, position.state
    verb, seat = VERBS.get(event[1]), position.players.index(event[0])
    if verb not in ("meld", "arrange"):
        return None
    at = closed(engine, state, state.at) if verb == "meld" else arrange_state(engine, state, seat)
    phase = None if at == REFUSED else engine.flow.phase(at)
    if phase is None or engine.flow.seat(at) != seat:
        return None
    if verb == "meld" and not (phase.offers and any(line.verb == "meld" for line in phase.lines)):
        return None
    return _read(position, event, at, phase.name, engine.bound[at])


def act_out_of_order(position: Position, event: Event, at: int) -> Act | None:
    """The same for an event that comes at a state of the order of play in which it may not, or lays cards that the
    player cannot have: read as if it were due and he had them. None if its cards cannot be read so."""
    engine = position.rules.engine
    phase = engine.flow.phase(at)
    if phase is None:
        return None
    return _read(position, event, at, phase.name, engine.bound[at], strict=False)


def _read(
    position: Position, event: Event, at: int, phase: str, bound: bool, *, strict: bool = True
) -> Act | None:
    engine, state, pack = position.rules.engine, position.state, position.rules.engine.pack
    verb, seat = VERBS[event[1]], position.players.index(event[0])
    listed = event[2]
    if not all(listed):
        return None
    counts = Counter(card for meld in listed for card in meld)
    if any(card not in pack.unit or count > pack.copies for card, count in counts.items()):
        return None
    table = state.tables[seat]
    on_table = sum(table)
    after = left_by(pack, verb, table, listed)
    if not pack.contains(sum(after), on_table):
        return None
    new = pack.minus(sum(after), on_table)
    up = state.up if verb == "meld" else 0
    used = new - up if up and pack.contains(new, up) else new
    missing = pack.minus(used, state.hands[seat])
    if verb == "arrange" and new:
        return None
    if strict and not can_hold(position, seat, missing):
        return None
    unused = pack.minus(state.hands[seat], used)
    lying = Counter(kind for cards in (on_table, up, used, unused) for kind in pack.kinds(cards))
    if max(lying.values(), default=0) > pack.copies:
        return None
    places = Copies(pack)
    before = tuple(places.take(meld) for meld in table)
    up, used = places.take(up), places.take(used)
    rest = places.take(unused)
    return Act(
        verb,
        phase,
        bound,
        at % 3 == 0,
        at % 3 == 2,
        before,
        after,
        up,
        used,
        used | rest,
        held(engine, state, seat),
        state.unknown[seat],
        state.stock,
    )


def left_by(pack: Pack, verb: str, table: Sequence[int], listed: Sequence[Sequence[str]]) -> tuple[int, ...]:
    """The sets that an act leaves on the table: those listed and, in a pack without copies, what they leave over."""
    laid = [pack.packed(meld) for meld in listed]
    if verb == "arrange" and not listed:
        return tuple(table)
    if pack.copies > 1:
        return tuple(laid)
    total = sum(laid)
    return (*laid, *(rest for meld in table if (rest := meld & ~total)))


def can_hold(position: Position, seat: int, missing: int) -> bool:
    """Whether cards that a hand is not known to hold can be among its unrecorded ones."""
    state, pack = position.state, position.rules.engine.pack
    free = pack.everything - state.seen
    return pack.count(missing) <= state.unknown[seat] and pack.contains(free, missing)


class Copies:
    """Gives out physical cards, the first free copies first."""

    def __init__(self, pack: Pack) -> None:
        self._pack = pack
        self._given = [0] * len(pack.cards)

    def take(self, packed: int) -> int:
        found = 0
        for kind in self._pack.kinds(packed):
            found |= self._pack.physical(kind, self._given[kind])
            self._given[kind] += 1
        return found

    def spare(self, packed: int) -> int:
        """A copy that is not given out yet, of one card or none; the last copy if all are."""
        found = 0
        for kind in self._pack.kinds(packed):
            found |= self._pack.physical(kind, min(self._given[kind], self._pack.copies - 1))
        return found


def question(position: Position, act: Act, typed: RuleSet | None = None, *, wide: bool = False) -> Question:
    """An act as a question to the solver of its deck.

    `wide` asks over every meld of the deck, as questions do that leave the act open; it needs an act that leaves
    nothing but melds, in a deck without copies. The answers are the same.
    """
    engine = position.rules.engine
    deck, pack = deck_of(engine), engine.pack
    cards = sum(act.before) | act.up | act.hand
    kinds = Counter(act.after)
    lies = sum(act.before) | act.used
    lies |= act.up if pack.contains(sum(act.after), pack.packed_of(lies) + pack.packed_of(act.up)) else 0
    ways = {packed: versions(pack.kinds(packed), pack, lies) for packed in kinds}
    candidates = tuple(dict.fromkeys(way for found in ways.values() for way in found))
    frame = whole(engine.program) if wide else Frame(cards, act.before, candidates)
    encoder = deck.encoder(engine.program, frame)
    rules = typed_rules(engine.program, typed)
    wanted = [(clause, required(clause, act.verb, act.phase, act.bound)) for clause in rules.clauses]
    clauses = tuple((clause, encoder.condition(node)) for clause, node in wanted if node is not None)
    roots = tuple(circuit for _, circuit in clauses)
    facts = known(deck, act, roots, engine.readings, () if pack.copies == 1 else ("new",))
    if pack.copies > 1:
        facts += _ways(deck, ways, kinds, candidates, lies)
    sound = all(packed in engine.melds.packed for packed in act.after)
    sound = sound and (act.verb != "meld" or bool(act.up & lies))
    return Question(deck.solver, deck.words, frame, facts, clauses, sound)


def known(
    deck: Deck, act: Act, roots: tuple[Circuit, ...], readings: dict[str, str], left: tuple[str, ...]
) -> tuple[Circuit, ...]:
    """Everything that is known of the truths that some circuits rest on; the words `left` are left open."""
    single = {
        "own": act.own,
        "starter": act.starter,
        "named": act.named,
        "next-is-first": act.next_is_first,
        **{f"{name}={choice}": True for name, choice in readings.items()},
    }
    words = {"up": act.up, "used": act.used, "hand": act.hand, "said": act.said, "onto": act.onto}
    words["thrown"] = act.thrown
    sets: dict[str, Sequence[int]] = {"old": act.before, "new": act.after}
    places = {"held": act.held, "stock": act.stock}
    found = []
    lying, names = deck.words.lying, deck.circuits.names
    for variable in deck.variables(roots):
        word, cards = lying.get(variable, ("", 0))
        if word in left:
            continue
        if word in words:
            true = bool(cards & words[word])
            if word == "hand" and act.unknown and not true:
                continue
        elif word in sets:
            true = cards in sets[word]
        else:
            name = names[variable]
            place, _, count = name.partition(">=")
            true = places[place] >= int(count) if count else single.get(name, False)
        found.append(variable if true else -variable)
    return tuple(found)


def _ways(
    deck: Deck, ways: dict[int, tuple[int, ...]], kinds: Counter[int], candidates: Sequence[int], lies: int
) -> tuple[Circuit, ...]:
    """Each set is made as often as the act has it, and no physical card is in two."""
    circuits, words = deck.circuits, deck.words
    found = []
    for packed, made in ways.items():
        truths = [words.lies("after", way) for way in made]
        found += [circuits.at_least(truths, kinds[packed]), -circuits.at_least(truths, kinds[packed] + 1)]
    while lies:
        card = lies & -lies
        found.append(-circuits.at_least([words.lies("after", way) for way in candidates if way & card], 2))
        lies -= card
    return tuple(x for x in found if x != TRUE) if FALSE not in found else (FALSE,)
