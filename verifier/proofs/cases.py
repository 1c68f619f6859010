"""Acts about which clauses are asked: found by Z3 on an open board, then put to the engine's own clauses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from conquian.engine.engine import Engine, with_choices
from conquian.engine.expressions import ARGUMENTS
from conquian.engine.pack import bits
from conquian.language import clauses as c
from conquian.language import formula as f
from conquian.language.build import MOMENT_OF
from conquian.language.rules import Clause
from conquian.verifier.circuits import Circuit
from conquian.verifier.limits import Undecided
from conquian.verifier.proofs.board import RANKS, Board
from conquian.verifier.proofs.game import Game
from conquian.verifier.proofs.under import settled

SHARE = 10
"""What part of the budget a question may cost that counts the cards of hand and table: many of them are hard."""


@dataclass(frozen=True, slots=True)
class Case:
    """An act as the clauses see it: the words of its moment, and the choices of readings it is judged under."""

    verb: c.Verb
    phase: str
    words: Mapping[str, Any]
    readings: Mapping[str, str]

    @property
    def origin(self) -> str:
        """How the card came on offer."""
        return "own" if self.words["own"] else "starter" if self.words["starter"] else "given"

    def engine(self, game: Game) -> Engine:
        return with_choices(game.engine, self.readings)

    def holding(self, game: Game) -> tuple[set[str], set[str], set[str]]:
        """The names of the clauses that permit the act, that forbid it and, in a duty, that it does not fulfil."""
        engine = self.engine(game)
        number = next(i for i, x in enumerate(engine.program.phases) if x.name == self.phase)
        args = [{**self.words, "phase": number}[name] for name in ARGUMENTS[MOMENT_OF[self.verb]]]
        names = [info.name for info in engine.program.clauses]

        def true(function: str) -> bool:
            return bool(engine.functions[function](*args))

        may = {
            names[r.clause] for r in engine.may.get(self.verb, ()) if number in r.phases and true(r.function)
        }
        against = {names[r.clause] for r in engine.forbidding(self.verb, number, tuple(args[:-1]))}
        must: set[str] = set()
        if self.verb == "meld" and self.phase in game.flow.bound:
            must = {names[r.clause] for r in engine.program.must if not true(r.function)}
        return may, against, must

    def position(self, game: Game) -> dict[str, Any]:
        """What to lay on the table, and the act."""
        pack = game.engine.pack

        def names(cards: int) -> list[str]:
            return pack.names(pack.packed_of(cards))

        words = self.words
        found: dict[str, Any] = {"up": names(words["up"])[0] if words["up"] else None}
        found["table"] = [names(meld) for meld in words["before"]]
        found["hand"] = names(words["hand"])
        if self.verb in ("meld", "arrange"):
            found["event"] = ["me", f"{self.verb}s", [names(meld) for meld in words["after"]]]
        elif self.verb == "discard":
            found["event"] = ["me", "discards", names(words["thrown"])[0]]
        elif self.verb == "force":
            found["event"] = ["opponent", "forces"]
        else:
            found["event"] = ["me", f"{self.verb}es" if self.verb == "pass" else f"{self.verb}s"]
        return found


class Cases:
    """Looks for acts on one board."""

    def __init__(self, game: Game, few: bool = False) -> None:
        self.game = game
        self.board = Board(game, _no_melds(game), few)
        self._known: list[Mapping[str, str]] = [dict(game.readings)]
        """Choices of readings under which numbers of cards are known."""
        self.most_held = game.engine.program.dealt
        # A small board shows cases that a deal can come to; that there is none is said of every table.
        self.most_own = game.most_own + 1 if few else None

    def forbidden(self, verb: c.Verb, phase: str, readings: dict[str, str]) -> list[tuple[Clause, Circuit]]:
        """Each clause that can forbid an act of this kind, with the truth that it does not."""
        if verb in ("meld", "arrange"):
            return self.board.requirements(verb, phase, phase in self.game.flow.bound, readings)
        found = []
        for clause, body in self.game.rules.bodies(c.Modal):
            if not body.allowed and verb in body.verbs and (not body.phases or phase in body.phases):
                found.append((clause, -self.board.condition(body.when or f.Always(True), readings)))
        return found

    def permitted(self, verb: c.Verb, phase: str, readings: dict[str, str]) -> list[tuple[Clause, Circuit]]:
        """Each clause that can permit an act of this kind, with the truth that it does."""
        found = []
        for clause, body in self.game.rules.bodies(c.Modal):
            if body.allowed and verb in body.verbs and phase in body.phases:
                when = settled(body.when or f.Always(True), readings)
                if when != f.Always(False):
                    found.append((clause, self.board.condition(when, {})))
        return found

    def find(
        self,
        name: str,
        verb: c.Verb,
        phase: str,
        readings: dict[str, str],
        wanted: Sequence[Circuit],
        sized: bool = False,
    ) -> Case | Undecided | None:
        """An act of this kind in a phase, under these readings, of which the truths hold.

        `sized`: hand and table have as many cards as in some deal. Where no clause asks for the hand or for numbers,
        any hand can be filled up, and this costs nothing but time.
        """
        board, circuits = self.board, self.board.circuits
        offer = verb in ("meld", "force", "pass")
        facts = [
            *board.lying(offer),
            *board.under(readings.items()),
            *board.few(self.most_held, self.most_own),
            *(self._counted(phase, readings) if sized else ()),
        ]
        if verb in ("meld", "arrange"):
            facts += board.laying(offer)
            facts += [] if offer else [-board.used(card) for card in board.cards]
        else:
            facts += [-board.new(meld) for meld in board.sets]
            facts += [-board.used(card) for card in board.cards]
        thrown = [board.words.truth("thrown", card) for card in board.cards]
        if verb == "discard":
            facts += [circuits.any(thrown), -circuits.at_least(thrown, 2)]
            facts += [
                circuits.any((-x, board.hand(card))) for x, card in zip(thrown, board.cards, strict=True)
            ]
        said = [board.words.truth("said", card) for card in board.cards]
        facts.append(-circuits.at_least(said, 2))
        label = f"{name} ({verb} in {phase})"
        while True:
            budget = self.game.budget // SHARE if sized else self.game.budget
            with board.deck.solver.within(max(1, budget)):
                answer = board.asked.can(label, (*facts, *wanted, *board.moment()))
            if answer is not True:
                return answer if isinstance(answer, Undecided) else None
            case = self._case(verb, phase, readings)
            if not sized:
                return case
            counts = self.game.standings_under(case.readings)
            table = sum(len(bits(meld)) for meld in case.words["before"])
            if counts.has(phase, case.words["n_hand"], table, case.origin):
                return case
            # No deal has these numbers under these readings: from now on they are known of them.
            self._known.append(case.readings)
            facts += self._counted(phase, readings)

    def _counted(self, phase: str, readings: Mapping[str, str]) -> list[Circuit]:
        """That the numbers of cards are those of some deal, for each choice of readings that was asked about."""
        board, circuits = self.board, self.board.circuits
        found = []
        for chosen in self._known:
            if any(chosen[name] != choice for name, choice in readings.items()):
                continue
            here = [
                circuits.variable(f"{name}={choice}")
                for name, choice in chosen.items()
                if name in self.game.counting
            ]
            fact = board.standing(self.game.standings_under(chosen), phase)
            found.append(circuits.any((*(-x for x in here), fact)))
        return found

    def _case(self, verb: c.Verb, phase: str, readings: dict[str, str]) -> Case:
        board, circuits = self.board, self.board.circuits
        truths = {name: circuit for circuit, name in circuits.names.items()}
        true = {circuits.names[x] for x in board.true(truths.values())}
        chosen = dict(self.game.readings) | readings
        for reading in self.game.rules.readings:
            if reading.name not in readings:
                chosen[reading.name] = next(
                    (x for x in reading.choices if f"{reading.name}={x}" in true), chosen[reading.name]
                )
        stock = max((int(x.partition(">=")[2]) for x in true if x.startswith("stock>=")), default=0)
        hand = board.cards_of("hand")
        words = {
            "before": board.sets_of("before"),
            "after": board.sets_of("after"),
            **{word: board.cards_of(word) for word in ("up", "used", "thrown", "said", "onto")},
            "hand": hand,
            "unknown": 0,
            "own": "own" in true,
            "starter": "starter" in true,
            "named": "named" in true,
            "n_hand": len(bits(hand)),
            "n_stock": stock,
        }
        return Case(verb, phase, words, chosen)


def _no_melds(game: Game) -> list[int]:
    """Sets that are no melds under any readings, so that a clause on what a meld is can be broken: cards of the first
    rank, and where these are melds, cards that have neither rank nor suit in common, and single cards."""
    pack, order = game.engine.pack, game.rules.only(c.Order).ranks
    first = [pack.physical(kind, 0) for kind, card in enumerate(pack.cards) if card[:-1] in order[:1]]
    suits = {
        card[-1]: pack.physical(kind, 0) for kind, card in enumerate(pack.cards) if card[:-1] == order[0]
    }
    mixed = [
        one | pack.physical(kind, 0)
        for suit, one in suits.items()
        for kind, card in enumerate(pack.cards)
        if card[-1] != suit and card[:-1] in order[2:RANKS]
    ]
    melds = {
        sum(pack.physical(kind, 0) for kind in kinds)
        for shapes in game.engine.program.melds.values()
        for found in shapes.values()
        for kinds in found
    }
    alike = [first[i] | first[j] for i in range(len(first)) for j in range(i)]
    for sets in (alike, mixed, first):
        found = [x for x in sets if x not in melds]
        if found:
            return found[:6]
    return []
