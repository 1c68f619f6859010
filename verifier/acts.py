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
from conquian.language.rules import Clause, RuleSet
from conquian.position import Position
from conquian.verifier.circuits import FALSE, TRUE, Circuit
from conquian.verifier.deck import Deck, deck_of, required, typed_rules, whole
from conquian.verifier.frame import Frame, Words, versions
from conquian.verifier.solver import Solver


@dataclass(frozen=True, slots=True)
class Act:
    """An event that the order of play allows, with cards that lie where it takes them from.

    `before`, `up`, `used` and `hand` are physical; `after` are packed sets. `unknown`: cards of the hand that
    nobody recorded.
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


@dataclass(frozen=True, slots=True)
class Question:
    """Facts, all known to hold, and the clauses that speak of the act, each with what it asks.

    `sound` is what no clause has to say: every set left is a meld, and the card on offer is in one.
    """

    solver: Solver
    words: Words
    frame: Frame
    facts: tuple[Circuit, ...]
    clauses: tuple[tuple[Clause, Circuit], ...]
    sound: bool

    @property
    def asked(self) -> list[Circuit]:
        return [circuit for _, circuit in self.clauses]


def act_of(position: Position, event: Event) -> Act | None:
    """The act that an event is; None for other events and for those that are refused before any clause is asked."""
    engine, state, pack = position.rules.engine, position.state, position.rules.engine.pack
    verb, seat = VERBS.get(event[1]), position.players.index(event[0])
    if verb not in ("meld", "arrange"):
        return None
    at = closed(engine, state, state.at) if verb == "meld" else arrange_state(engine, state, seat)
    phase = None if at == REFUSED else engine.flow.phase(at)
    if phase is None or engine.flow.seat(at) != seat:
        return None
    if verb == "meld" and not (phase.offers and any(line.verb == "meld" for line in phase.lines)):
        return None
    listed = event[2]
    if not all(listed):
        return None
    counts = Counter(card for meld in listed for card in meld)
    if any(card not in pack.unit or count > pack.copies for card, count in counts.items()):
        return None
    table = state.tables[seat]
    on_table, laid = sum(table), [pack.packed(meld) for meld in listed]
    total = sum(laid)
    if verb == "arrange" and not listed:
        after = list(table)
    elif pack.copies > 1:
        after = laid
    else:
        after = [*laid, *(rest for meld in table if (rest := meld & ~total))]
    if not pack.contains(sum(after), on_table):
        return None
    new = pack.minus(sum(after), on_table)
    up = state.up if verb == "meld" else 0
    used = new - up if pack.contains(new, up) else new
    missing = pack.minus(used, state.hands[seat])
    free = pack.everything - state.seen
    if (
        (verb == "arrange" and new)
        or pack.count(missing) > state.unknown[seat]
        or not pack.contains(free, missing)
    ):
        return None
    places = Copies(pack)
    before = tuple(places.take(meld) for meld in table)
    up, used = places.take(up), places.take(used)
    rest = places.take(pack.minus(state.hands[seat], pack.packed_of(used)))
    return Act(
        verb,
        phase.name,
        engine.bound[at],
        at % 3 == 0,
        at % 3 == 2,
        before,
        tuple(after),
        up,
        used,
        used | rest,
        held(engine, state, seat),
        state.unknown[seat],
        state.stock,
    )


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
        **{f"{name}={choice}": True for name, choice in readings.items()},
    }
    words = {"up": act.up, "used": act.used, "hand": act.hand, "said": act.said, "onto": act.onto}
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
