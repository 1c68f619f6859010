"""No dead end: until the deal is over, some event is legal that the order of play names.

Counted for every seat: in each moment that play can come to, a pass, a turn from a stock that is not used up, or a
discard from a hand that is not empty. A player who has to meld is a matter of the demands (`met`). Where a clause
forbids passes, turns or discards of some cards, Z3 is asked whether it can forbid all.
"""

from __future__ import annotations

from typing import Any

from conquian.engine.search import stuck
from conquian.language import clauses as c
from conquian.language import formula as f
from conquian.language.rules import Clause
from conquian.position import BadPosition, IllegalEvent, Rules
from conquian.tongue import later
from conquian.verifier.cards import CardSet
from conquian.verifier.proofs.board import Board
from conquian.verifier.proofs.dead_ends import found
from conquian.verifier.proofs.flow import DRAWN, Counts, Moment
from conquian.verifier.proofs.game import Game
from conquian.verifier.proofs.met import met
from conquian.verifier.proofs.plan import made
from conquian.verifier.proofs.result import Query, Result
from conquian.verifier.proofs.tally import Count
from conquian.verifier.proofs.under import settled

MODELS = 12
"""How many tables the solver is asked for until one shows a dead end on a discard."""
MORE = 8


def going_on(game: Game) -> Result:
    checks = _Checks(game)
    dead: list[Count] = []
    for seat, one in enumerate(game.tallies):
        for here in sorted(one.counts):
            if here.at.seat == seat and not checks.alive(here.at, here.stock, seat, here.hand):
                dead.append(here)
    work = game.counted + sum(len(query.facts) for query in checks.queries)
    queries = tuple(checks.queries)
    if checks.rests_on_demands:
        answer = met(game)
        work += answer.work
        if answer.status == "refuted":
            says = later("a player can be forced who has no legal meld, and no other event is legal")
            return Result("refuted", says, None, answer.position, answer.clauses, queries, work)
        if answer.status == "undecided":
            says = later("a forced player may have no legal meld: {reason}", reason=answer.said)
            return Result("undecided", says, answer.bound, None, answer.clauses, queries, work)
    if not dead:
        return Result(
            "proved",
            later("in every moment a pass, a turn, a discard or a meld is legal"),
            queries=queries,
            work=work,
        )
    clauses = _of_phase(game, dead[0].at)
    sizes = {here.table for here in dead if here.hand == 0 and _discards(game, here.at)}
    # A size that stands for all larger ones is followed by those that come next.
    more = (
        range(game.standings.most + 2, game.standings.most + MORE) if game.standings.most + 1 in sizes else ()
    )
    empty = sorted({*sizes, *more})
    for table in empty:
        play = made(game.engine, table, lambda state: stuck(game.engine, state))
        if play is not None:
            says = later(
                "a player who has laid {cards} cards has an empty hand and has to discard", cards=table
            )
            return Result("refuted", says, None, play.position(), clauses, queries, work)
    if checks.position is not None and any(_discards(game, here.at) for here in dead):
        says = later("a player has to discard, and no card of his hand may be thrown")
        return Result("refuted", says, None, checks.position, checks.denied["discard"], queries, work)
    against = tuple(dict.fromkeys(x for verb in ("pass", "turn") for x in checks.denied.get(verb, ())))
    if against:
        laid, looked = found(game)
        work += looked
        if laid is not None:
            says = later(
                "no event is legal: what the order of play names is forbidden, and no meld is possible"
            )
            return Result("refuted", says, None, laid, against, queries, work)
    says = later(
        "in the phase `{phase}` every event can be illegal, as far as counting shows", phase=dead[0].at.phase
    )
    return Result("undecided", says, 0, None, clauses, queries, work)


def _of_phase(game: Game, at: Moment) -> tuple[Clause, ...]:
    """The clauses of a phase, and those that lead there."""
    phases = game.flow.phases
    leading = [clause for p in phases.values() for clause, line in p.lines if line.then.phase == at.phase]
    return tuple(dict.fromkeys([*(clause for clause, _ in phases[at.phase].lines), *leading]))


def _discards(game: Game, at: Moment) -> bool:
    return any(isinstance(x, c.Acts) and x.verb == "discard" for _, x in game.flow.phases[at.phase].lines)


class _Checks:
    def __init__(self, game: Game) -> None:
        self.game = game
        self.queries: list[Query] = []
        self.position: dict[str, Any] | None = None
        self.denied: dict[str, tuple[Clause, ...]] = {}
        """By kind of event, the clauses that forbid some."""
        self.rests_on_demands = False
        """Whether play comes to a moment in which the player has to meld."""
        self._free: dict[tuple[str, str], bool] = {}

    def alive(self, at: Moment, stock: int, seat: int, hand: int | None) -> bool:
        """Whether some event is legal for certain in a moment, or in each that it gives way to."""
        flow = self.game.flow
        if at == DRAWN:
            return True
        if at.phase in flow.bound:
            self.rests_on_demands = True
            return True
        held = hand if at.seat == seat else None
        for move in flow.moves(at, Counts(stock)):
            if not (move.by_player and move.sure and move.at == at):
                continue
            if move.verb == "turn" and stock and self.free("turn", at.phase):
                return True
            if move.verb == "pass" and self.free("pass", at.phase):
                return True
            if move.verb == "discard" and held and self.free("discard", at.phase):
                return True
        closed = flow.closed(at, Counts(stock, seat, hand))
        return bool(closed) and all(self.alive(then, stock, seat, hand) for then in closed)

    def free(self, verb: str, phase: str) -> bool:
        """Whether clauses never forbid this event, whatever the cards: of a discard, one of those there are."""
        found = self._free.get((verb, phase))
        if found is None:
            found = self._free[verb, phase] = self._allowed(verb, phase)
        return found

    def _allowed(self, verb: str, phase: str) -> bool:
        game = self.game
        against: list[tuple[Clause, f.Formula]] = []
        for clause, body in game.rules.bodies(c.Modal):
            if not body.allowed and verb in body.verbs and (not body.phases or phase in body.phases):
                when = settled(body.when or f.Always(True), game.readings)
                if when != f.Always(False):
                    against.append((clause, when))
        if not against:
            return True
        self.denied.setdefault(verb, ())
        self.denied[verb] = (*self.denied[verb], *(clause for clause, _ in against))
        board = Board(game)
        circuits = board.circuits
        if not board.whole:
            return False
        facts = [*board.lying(verb == "pass"), *board.under(dict(game.readings).items())]
        facts.append(board.standing(game.standings, phase))
        if verb == "discard":
            facts.append(circuits.any(board.hand(card) for card in board.cards))
            for card in board.cards:
                env = {"thrown": CardSet(card)}
                denied = circuits.any(board.encoder.formula(when, env) for _, when in against)
                facts.append(circuits.any((-board.hand(card), denied)))
        else:
            facts.append(circuits.any(board.condition(when, {}) for _, when in against))
        answer = board.asked.can(f"in {phase} every {verb} is forbidden", (*facts, *board.moment()))
        sure = answer is False
        for _ in range(MODELS):
            if answer is not True or verb != "discard" or self.position is not None:
                break
            self.position = _before_discard(game, board)
            facts.append(-circuits.all(board.old(meld) for meld in board.sets_of("before")))
            answer = board.asked.can(f"another in {phase}", (*facts, *board.moment()))
        self.queries += board.asked.asked
        return sure


def _before_discard(game: Game, board: Board) -> dict[str, Any] | None:
    """A position with a meld after which the engine finds the player of the model stuck."""
    rules = Rules(game.engine)
    table, hand = board.sets_of("before"), board.cards_of("hand")
    for meld in table:
        for up in board.cards:
            if not up & meld:
                continue
            rest = [board.names(other) for other in table if other != meld]
            held = [*board.names(hand), *board.names(meld & ~up)]
            (offer,) = board.names(up)
            try:
                here = rules.position(up=offer, table=rest, hand=held, turned_by="me")
                event = ("me", "melds", (tuple(board.names(meld)),))
                after = here.apply(event)
            except (BadPosition, IllegalEvent):
                continue
            if not game.on_offer(len(held), sum(map(len, rest))):
                continue
            if stuck(game.engine, after.state):
                found = {"up": offer, "table": rest, "hand": held, "turned_by": "me"}
                return {**found, "event": list(event)}
    return None
