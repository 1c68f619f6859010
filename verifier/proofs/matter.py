"""Every clause matters: under some readings it decides something that no other clause decides alike.

A prohibition, permission or duty: there is an act about which it alone speaks, found by Z3 and put to the engine's
own clauses. A clause on the order of play: one of its lines is followed, as far as the phases show, under some
readings. A shape: some set of cards is a meld by it alone. Clauses that settle a number matter by being there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from typing import Literal, assert_never

from conquian.engine.shapes import compared
from conquian.language import clauses as c
from conquian.language import formula as f
from conquian.language.rules import Clause
from conquian.tongue import later, later_n
from conquian.verifier.circuits import FALSE, Circuit
from conquian.verifier.limits import Disagreement, Undecided
from conquian.verifier.proofs.cases import Case, Cases
from conquian.verifier.proofs.flow import Counts, Flow, Moment
from conquian.verifier.proofs.game import Game
from conquian.verifier.proofs.result import Result
from conquian.verifier.proofs.standing import Standing
from conquian.verifier.proofs.under import Truth, asks_numbers, choices, known, settled, within

Matters = Literal["yes", "no", "open"]
LARGEST = 1_000
"""More cards than any table has."""
CHOICES = 64
"""How many choices of readings are tried for one clause."""


def mattering(game: Game) -> Result:
    looking = Looking(game)
    found = [(clause, looking.judge(clause)) for clause in game.rules.clauses]
    idle = tuple(clause for clause, how in found if how == "no")
    open_ = tuple(clause for clause, how in found if how == "open")
    queries = tuple(query for cases in looking.boards for query in cases.board.asked.asked)
    work = looking.work + sum(cases.board.asked.work for cases in looking.boards)
    if idle:
        says = later_n(
            "{clauses} never decides anything that no other clause decides",
            "{clauses} never decide anything that no other clause decides",
            len(idle),
            clauses=quoted(idle),
        )
        return Result("refuted", says, None, None, idle, queries, work)
    if open_:
        bound = game.engine.program.dealt + 1
        says = later("no case was found in which {clauses} alone decides", clauses=quoted(open_))
        return Result("undecided", says, bound, None, open_, queries, work)
    return Result("proved", later("each has a case that it alone decides"), queries=queries, work=work)


def quoted(clauses: Sequence[Clause]) -> str:
    return ", ".join(f"`{clause.name}`" for clause in clauses)


class Looking:
    def __init__(self, game: Game) -> None:
        self.game = game
        self.boards = [Cases(game, few=True)]
        """A small one, and the whole pack once it is needed."""
        self.work = 0
        self.gave_up = False
        """Whether the solver did not answer about the clause on a small board: it is not asked more then."""
        self._fired: set[str] | None = None

    def judge(self, clause: Clause) -> Matters:
        body = clause.body
        match body:
            case c.Modal() | c.Must():
                return self._modal(clause)
            case c.Phase():
                return "yes" if clause.name in self.fired() else "no"
            case c.Shape(name):
                return "yes" if self._shape(name) else "no"
            case c.Wins(when):
                return self._wins(when)
            case c.Stakes(lines):
                return "yes" if any(self._can(line.when) for line in lines) else "no"
            case (
                c.Deck()
                | c.Order()
                | c.Players()
                | c.Dealing()
                | c.Starter()
                | c.Exchange()
                | c.Goal()
                | c.Opening()
                | c.DealerStays()
                | c.Cut()
                | c.Session()
            ):
                return "yes"
            case _:
                assert_never(body)

    # -- acts

    def _modal(self, clause: Clause) -> Matters:
        best: Matters = "no"
        for verb, phases, asked in questions(self.game, clause):
            how = self._alone(clause, verb, phases, asked)
            if how == "yes":
                return how
            best = "open" if how == "open" else best
        return best

    def _alone(self, clause: Clause, verb: c.Verb, phases: Sequence[str], asked: frozenset[str]) -> Matters:
        """Whether there is an act of this kind about which this clause speaks and no other does."""
        self.gave_up = False
        first = self._alone_on(self.boards[0], clause, verb, phases, asked)
        if first == "yes" or self.gave_up:
            return first
        if len(self.boards) == 1:
            self.boards.append(Cases(self.game))
        return self._alone_on(self.boards[1], clause, verb, phases, asked)

    def _alone_on(
        self,
        cases: Cases,
        clause: Clause,
        verb: c.Verb,
        phases: Sequence[str],
        asked: frozenset[str],
    ) -> Matters:
        # In a pack with copies only the first of each card is looked at.
        found: Matters = "no" if cases.board.whole and self._only_melds(clause, verb) else "open"
        for readings in choices(asked, self.game.rules.readings, self.game.readings, CHOICES):
            for phase in phases:
                case = deciding_case(cases, clause, verb, phase, readings)
                if isinstance(case, Undecided):
                    self.gave_up = True
                    return "open"
                elif case is not None and self._replayed(clause, case, cases.board.guessing):
                    return "yes"
                elif case is not None:
                    found = "open"
        return found

    def _only_melds(self, clause: Clause, verb: c.Verb) -> bool:
        """Whether another clause forbids every set that is no meld, so that a board may do with a few of them."""
        if verb not in ("meld", "arrange"):
            return True
        for other, body in self.game.rules.bodies(c.Modal):
            match body.when:
                case f.Some(var, f.Melds("after"), f.Not(f.Valid(f.CardsVar(name), None))) if name == var:
                    if other is not clause and not body.allowed and verb in body.verbs and not body.phases:
                        return True
                case _:
                    pass
        return False

    def _replayed(self, clause: Clause, case: Case, guessing: bool) -> bool:
        """Whether the engine's clauses say so too; they may not where something was guessed."""
        may, against, must = case.holding(self.game)
        permits = isinstance(clause.body, c.Modal) and clause.body.allowed
        alone = may == {clause.name} and not against | must if permits else against | must == {clause.name}
        if not alone and not guessing:
            raise Disagreement(
                f"{clause.name} alone decides {case}, says the solver; the engine: {may}, {against}, {must}"
            )
        return alone

    # -- shapes, stakes, play

    def _shape(self, name: str) -> bool:
        for shapes in self.game.engine.program.melds.values():
            others = {meld for other, melds in shapes.items() if other != name for meld in melds}
            if any(meld not in others for meld in shapes[name]):
                return True
        return False

    def _wins(self, when: f.Formula) -> Matters:
        """Whether the condition on winning can hold of some meld at all."""
        if any(isinstance(x, f.PlaceSize) for x in within(when)):
            return "yes"  # of a hand after the meld, which is no hand of these boards
        how: Matters = "no"
        for readings in choices(f.readings_of(when), self.game.rules.readings, self.game.readings, 4096):
            for cases in self._all_boards():
                for phase in _phases(self.game, "meld"):
                    wanted = [cases.board.condition(when, readings)]
                    case = cases.find("a meld wins", "meld", phase, readings, wanted)
                    if isinstance(case, Case):
                        return "yes"
                    if case is not None or (cases is not self.boards[0] and not cases.board.whole):
                        how = "open"
        return how

    def _all_boards(self) -> Iterator[Cases]:
        yield self.boards[0]
        if len(self.boards) == 1:
            self.boards.append(Cases(self.game))
        yield self.boards[1]

    def _can(self, when: f.Formula | None) -> bool:
        """Whether a condition on the stakes holds for some readings and some end of a deal."""
        node = when or f.Always(True)
        flags: tuple[str, ...] = ("drawn", "drawn-before")
        for readings in choices(f.readings_of(node), self.game.rules.readings, self.game.readings, CHOICES):
            here = settled(node, readings)
            for values in product((False, True), repeat=len(flags)):
                truth: dict[str, bool] = dict(zip(flags, values, strict=True))
                if known(here, partial(_flag, truth)) is not False:
                    return True
        return False

    def fired(self) -> set[str]:
        """The clauses of which some line is followed, under any readings that the order of play asks for."""
        if self._fired is None:
            lines = (line for _, body in self.game.rules.bodies(c.Phase) for line in body.lines)
            demands = (b for _, b in self.game.rules.bodies(c.Modal) if b.allowed and "force" in b.verbs)
            whens = [one.when or f.Always(True) for one in (*lines, *demands)]
            asked = frozenset().union(*map(f.readings_of, whens))
            self._fired = set()
            for readings in choices(asked, self.game.rules.readings, self.game.readings, CHOICES):
                flow = Flow(self.game.rules, {**self.game.readings, **readings})
                self.work += sum(1 for _ in _walked(flow))
                self._fired |= {name for name, _ in flow.fired}
        return self._fired


def questions(game: Game, clause: Clause) -> Iterator[tuple[c.Verb, Sequence[str], frozenset[str]]]:
    """The acts that a permission, prohibition or duty can decide: their verb, phases, and the readings asked for."""
    match clause.body:
        case c.Must(where):
            yield "meld", sorted(game.flow.bound), f.readings_of(where)
        case c.Modal() as body:
            for verb in body.verbs:
                asked = f.readings_of(body.when or f.Always(True))
                if verb in ("force", "arrange"):
                    grants = (b for _, b in game.rules.bodies(c.Modal) if b.allowed and verb in b.verbs)
                    asked = asked.union(*(f.readings_of(b.when or f.Always(True)) for b in grants))
                yield verb, body.phases or _phases(game, verb), asked
        case _:
            return


def _phases(game: Game, verb: c.Verb) -> list[str]:
    """The phases in which an act of this kind can be made under some readings."""
    named = [
        name
        for name, phase in game.flow.phases.items()
        if any(isinstance(line, c.Acts) and line.verb == verb for _, line in phase.lines)
    ]
    granted = [
        name for _, b in game.rules.bodies(c.Modal) if b.allowed and verb in b.verbs for name in b.phases
    ]
    return list(dict.fromkeys([*named, *granted]))


def deciding_case(
    cases: Cases,
    clause: Clause,
    verb: c.Verb,
    phase: str,
    readings: dict[str, str],
    more: Sequence[Circuit] = (),
) -> Case | Undecided | None:
    """An act of this kind that a permission, prohibition or duty decides and no other clause does.

    `more`: what else is to hold of it.
    """
    any_ = cases.board.circuits.any
    permits = isinstance(clause.body, c.Modal) and clause.body.allowed
    if permits:
        granted = dict((x.name, t) for x, t in cases.permitted(verb, phase, readings))
        if clause.name not in granted:
            return None
        wanted = [t if name == clause.name else -t for name, t in granted.items()]
        wanted += [t for _, t in cases.forbidden(verb, phase, readings)]
    else:
        forbidden = cases.forbidden(verb, phase, readings)
        if all(x is not clause for x, _ in forbidden):
            return None
        wanted = [-t if x is clause else t for x, t in forbidden]
        if verb in ("force", "arrange"):
            wanted.append(any_(t for _, t in cases.permitted(verb, phase, readings)))
    if FALSE in wanted:
        return None
    body = clause.body
    when = body.when if isinstance(body, c.Modal) else body.where if isinstance(body, c.Must) else None
    sized = when is not None and asks_numbers(when)
    if (
        sized
        and when is not None
        and isinstance(body, c.Modal)
        and not permits
        and not _within_numbers(cases, verb, phase, readings, when)
    ):
        return None
    return cases.find(f"{clause.name} alone decides", verb, phase, readings, [*wanted, *more], sized)


def _flag(truth: Mapping[str, bool], node: f.Formula) -> Truth:
    return truth.get(node.name) if isinstance(node, f.Flag) else None


def _walked(flow: Flow) -> Iterator[tuple[Moment, int]]:
    """Every moment that play can come to, with how full the stock is, hands left open."""
    many = flow.stock_asked + 1
    waiting = [(at, many) for at in flow.start(Counts(many))]
    seen: set[tuple[Moment, int]] = set()
    while waiting:
        here, stock = waiting.pop()
        if (here, stock) in seen:
            continue
        seen.add((here, stock))
        yield here, stock
        for move in flow.moves(here, Counts(stock)):
            left = {stock}
            if move.verb == "turn":
                left = {stock - 1, stock} if stock == many else {stock - 1}
            for n in left:
                if n >= 0:
                    waiting.extend((at, n) for at in flow.enter(move.then, Counts(n)))


def _within_numbers(
    cases: Cases, verb: c.Verb, phase: str, readings: dict[str, str], when: f.Formula
) -> bool:
    """Whether the numbers of cards of some deal leave it open that a condition forbids an act: counted, not asked."""
    game = cases.game
    fixed = {name: choice for name, choice in readings.items() if name in game.counting}
    for chosen in choices(game.counting, game.rules.readings, {**game.readings, **fixed}, 4096):
        if any(chosen[name] != choice for name, choice in fixed.items()):
            continue
        node = settled(when, {**readings, **chosen})
        standings = game.standings_under({**game.readings, **readings, **chosen})
        for here in standings.phases.get(phase, ()):
            if known(node, partial(_counted, here, standings.most)) is not False:
                return True
    return False


def _counted(here: Standing, most: int, node: f.Formula) -> Truth:
    """What a comparison of numbers comes to for a player with so many cards."""

    def numbers(x: f.Quantity) -> Sequence[int]:
        match x:
            case f.Number(value):
                return (value,)
            case f.PlaceSize("hand") | f.Size(f.CardsVar("hand")):
                return (here.hand,)
            case f.Size(f.CardsVar("used")):
                return range(here.hand + 1)
            case f.Size(f.CardsOf(f.Melds("before"))):
                return (here.table,) if here.table <= most else range(here.table, LARGEST)
            case _:
                return ()

    if isinstance(node, f.Compare):
        pairs = product(numbers(node.left), numbers(node.right))
        truths = {compared(node.operator, left, right) for left, right in pairs}
        if len(truths) == 1:
            return truths.pop()
    return None
