"""Every demand can be met: whoever is forced has a legal meld of the card on offer.

The witness stands in the claim: the card is laid on a meld that it fits, all else stays as it lies. Asked of Z3 for
every table of a pack without copies at once. In a pack with copies by locality: a clause that forbids the act does
so because of a few melds only (its conditions say how many), so tables of the fitting meld and those few are all that
have to be tried, in the engine. Demands that this does not cover are looked for on small tables, one by one.
"""

from __future__ import annotations

from collections.abc import Iterator

from conquian.language import clauses as c
from conquian.language import formula as f
from conquian.language.rules import Clause
from conquian.tongue import later
from conquian.verifier.acts import Copies
from conquian.verifier.circuits import FALSE, Circuit
from conquian.verifier.deck import required
from conquian.verifier.proofs.board import Board
from conquian.verifier.proofs.game import Game
from conquian.verifier.proofs.result import Query, Result
from conquian.verifier.proofs.tables import search, suit_changes, turned
from conquian.verifier.proofs.under import settled, within


def met(game: Game) -> Result:
    """Asked once of a game, for dead ends rest on it too."""
    found = game.answers.get("met")
    if found is None:
        found = game.answers["met"] = _met(game)
    return found


def _met(game: Game) -> Result:
    demands = _demands(game)
    bound = [name for name in game.flow.phases if name in game.flow.bound]
    if not _reached(game, bound):
        return Result("proved", later("nothing can be demanded"), work=game.counted)
    clauses = tuple(clause for clause, _, _ in demands) + tuple(x for x, _ in game.rules.bodies(c.Must))
    if not all(_takes_melds(game, name) for name in bound):
        says = later("what a forced player may do depends on the cards")
        return Result("undecided", says, 0, None, clauses)
    listed = not any(isinstance(n, f.Possible) for _, _, when in demands for n in within(when))
    queries: tuple[Query, ...] = ()
    work = 0
    if listed:
        found = _lemma(game, demands, bound) if game.engine.pack.copies == 1 else _local(game, bound)
        if found.status == "proved":
            return found
        queries, work = found.queries, found.work
    witness, tables, own = search(game)
    work += tables
    if witness is not None:
        says = later("a demand is due, and the player has no legal meld")
        return Result("refuted", says, None, witness, clauses, queries, work)
    if own >= _most_own(game) and not _asks_moment(game, demands, bound):
        says = later("every table that a demand can be made on was tried, up to {own} own cards", own=own)
        return Result("proved", says, own, None, (), queries, work)
    says = later("no demand that cannot be met with up to {own} own cards", own=own)
    return Result("undecided", says, own, None, clauses, queries, work)


Demand = tuple[Clause, tuple[str, ...], f.Formula]


def _demands(game: Game) -> list[Demand]:
    """The permissions to demand that can hold under the readings."""
    found = []
    for clause, body in game.rules.bodies(c.Modal):
        if body.allowed and body.verbs == ("force",):
            when = settled(body.when or f.Always(True), game.readings)
            if when != f.Always(False):
                found.append((clause, body.phases, when))
    return found


def _reached(game: Game, bound: list[str]) -> bool:
    """Whether play can come to a phase in which the player has to meld, by a demand or at once."""
    demands = {phase for _, phases, _ in _demands(game) for phase in phases}
    for one in game.tallies:
        for here in one.counts:
            for move in game.moves(here.at, here.stock):
                if move.verb == "force" and move.at.phase in demands and move.then.phase in bound:
                    return True
                if move.verb != "force" and any(
                    at.phase in bound for at in game.entered(move.then, here.stock)
                ):
                    return True
    return False


def _takes_melds(game: Game, phase: str) -> bool:
    lines = [line for _, line in game.flow.phases[phase].lines if isinstance(line, c.Acts)]
    return any(line.verb == "meld" and line.when in (None, f.Always(True)) for line in lines)


def _asks_moment(game: Game, demands: list[Demand], bound: list[str]) -> bool:
    """Whether a clause asks for more than the table and the card on offer, so that one moment does not stand for all:
    for the hand, for the stock, how the card came on offer."""
    asked = [when for _, _, when in demands]
    for phase in bound:
        needs = (required(clause, "meld", phase, True) for clause in game.rules.clauses)
        asked += [settled(node, game.readings) for node in needs if node is not None]
    for _, body in game.rules.bodies(c.Modal):
        if not body.allowed and body.verbs == ("force",):
            asked.append(settled(body.when or f.Always(True), game.readings))
    return any(
        isinstance(node, f.PlaceSize)
        or (isinstance(node, f.Flag) and node.name != "named")
        or (isinstance(node, f.CardsVar) and node.name == "hand")
        for when in asked
        for node in within(when)
    )


def _most_own(game: Game) -> int:
    """The most cards that a player can have, with the one on offer, when a card is on offer to him."""
    offers = {
        name
        for name, phase in game.flow.phases.items()
        if any(isinstance(line, c.Acts) and line.verb in ("meld", "pass") for _, line in phase.lines)
    }
    return max(
        (x.table + 1 for one in game.tallies for x in one.counts if x.at.phase in offers),
        default=0,
    )


# ---- every table at once


def _lemma(game: Game, demands: list[Demand], bound: list[str]) -> Result:
    board, readings = Board(game), dict(game.readings)
    circuits = board.circuits
    facts = [*board.lying(), *board.under(readings.items())]
    picks: dict[tuple[int, int], Circuit] = {}
    for meld in board.melds:
        for card in board.cards:
            if not meld & card and meld | card in game.engine.melds.packed:
                picks[meld, card] = circuits.variable(f"onto:{board.names(meld)}:{board.names(card)}")
    for (meld, card), pick in picks.items():
        facts.append(circuits.any((-pick, circuits.all((board.old(meld), board.up(card))))))
    first = _first_of_each(game, list(picks))
    facts += [-pick for pair, pick in picks.items() if pair not in first]
    facts += [circuits.any(picks.values()), -circuits.at_least(list(picks.values()), 2)]
    for meld in board.melds:
        moved = circuits.any(pick for (m, _), pick in picks.items() if m == meld)
        stays = circuits.all((board.old(meld), -moved))
        made = [pick for (m, card), pick in picks.items() if m | card == meld]
        facts.append(circuits.same(board.new(meld), circuits.any((stays, *made))))
    facts += [-board.used(card) for card in board.cards]
    fits = circuits.any(
        circuits.all((board.old(meld), board.up(card)))
        for meld in board.melds
        for card in board.cards
        if not meld & card and meld | card in game.engine.melds.packed
    )
    for number, (clause, phases, when) in enumerate(demands):
        due = circuits.all((board.encoder.condition(when), *_undenied(game, board, phases, readings)))
        if due == FALSE:
            continue
        table = [*board.lying(), *board.under(readings.items()), due, -fits]
        asked = board.asked.can(
            f"a demand by {clause.name} is due and the card fits no meld", tuple(table + board.moment())
        )
        if asked is not False:
            return Result("undecided", "", 0, queries=tuple(board.asked.asked), work=board.asked.work)
        if board.asked.can(f"a demand by {clause.name} is due", (*facts, due, *board.moment())) is not True:
            continue
        for phase in bound:
            needs = [x for _, x in board.requirements("meld", phase, True, readings)]
            counted = [board.standing(game.standings, phase)] if _asks_moment(game, demands, bound) else []
            query = (*facts, *counted, due, -circuits.all(needs), *board.moment())
            name = f"a demand {number} is due and laying the card where it fits is forbidden in {phase}"
            if board.asked.can(name, query) is not False:
                return Result("undecided", "", 0, queries=tuple(board.asked.asked), work=board.asked.work)
    at_once = _forced_at_once(game, bound)
    for phase in bound if at_once else ():
        needs = [x for _, x in board.requirements("meld", phase, True, readings)]
        entered = circuits.any(board.encoder.condition(when) for when in at_once)
        table = [*board.lying(), *board.under(readings.items()), entered, -fits, *board.moment()]
        one = board.asked.can("a card is forced at once and fits no meld", tuple(table))
        query = (*facts, -circuits.all(needs), *board.moment())
        if (
            one is not False
            or board.asked.can(f"a card forced at once cannot be laid in {phase}", query) is not False
        ):
            return Result("undecided", "", 0, queries=tuple(board.asked.asked), work=board.asked.work)
    says = later("the card can always be laid on a meld that it fits, with everything else as it lies")
    return Result("proved", says, queries=tuple(board.asked.asked), work=board.asked.work)


def _forced_at_once(game: Game, bound: list[str]) -> list[f.Formula]:
    return [
        line.when or f.Always(True)
        for phase in game.flow.phases.values()
        for _, line in phase.lines
        if not (isinstance(line, c.Acts) and line.verb == "force")
        and line.then.phase in bound
        and line.when != f.Always(False)
    ]


def _undenied(
    game: Game, board: Board, phases: tuple[str, ...], readings: dict[str, str]
) -> Iterator[Circuit]:
    """That no clause forbids the demand, said of those alone that speak of every phase it is permitted in."""
    for _, body in game.rules.bodies(c.Modal):
        if (
            not body.allowed
            and body.verbs == ("force",)
            and (not body.phases or set(phases) <= set(body.phases))
        ):
            yield -board.condition(body.when or f.Always(True), readings)


def _first_of_each(game: Game, pairs: list[tuple[int, int]]) -> set[tuple[int, int]]:
    """One of all pairs of a meld and a card that differ in suits alone; no clause can tell suits apart."""
    pack = game.engine.pack
    seen: set[tuple[int, int]] = set()
    first: set[tuple[int, int]] = set()
    for meld, card in pairs:
        if (meld, card) not in seen:
            first.add((meld, card))
            seen.update((turned(pack, meld, by), turned(pack, card, by)) for by in suit_changes(pack))
    return first


# ---- packs with copies


def witnesses(node: f.Formula, holds: bool = True) -> int | None:
    """How many melds make a condition hold (or fail), whatever else lies; None if it asks for whole tables.

    A condition that needs melds of one kind for every meld of another is not local.
    """
    match node:
        case f.Not(x):
            return witnesses(x, not holds)
        case f.All(xs) | f.Any_(xs):
            found = [witnesses(x, holds) for x in xs]
            if None in found:
                return None
            numbers = [n for n in found if n is not None]
            return sum(numbers) if isinstance(node, f.All) == holds else max(numbers, default=0)
        case f.Some(_, domain, body):
            inner = witnesses(body, holds)
            if inner is None or _asks_table(domain):
                return None
            if not isinstance(domain, f.Melds):
                return inner if holds or inner == 0 else None
            return inner + 1 if holds else (0 if inner == 0 else None)
        case f.IsMeldOf(cards, _):
            return None if _asks_table(cards) else int(holds)
        case f.Possible():
            return None
        case _:
            return None if any(_asks_table(part) for part in f.parts(node)) else 0


def _asks_table(node: f.Formula | f.Cards | f.Melds | f.Quantity) -> bool:
    return any(isinstance(x, f.CardsOf) for x in within(node))


def _local(game: Game, bound: list[str]) -> Result:
    """Tables of the fitting meld and one other: enough where no clause needs more melds to forbid the act."""
    engine, pack, readings = game.engine, game.engine.pack, dict(game.readings)
    if engine.demand_without_fit or _forced_at_once(game, bound):
        return Result("undecided", "", 0)
    for phase in bound:
        for clause in game.rules.clauses:
            node = required(clause, "meld", phase, True)
            if node is None:
                continue
            against = settled(f.negated(node), readings)
            asks = {x.name for x in within(against) if isinstance(x, f.CardsVar)}
            sized = any(isinstance(x, f.PlaceSize) for x in within(against))
            count = witnesses(against)
            if count is None or count > 1 or "hand" in asks or sized:
                return Result("undecided", "", 0)
    work = 0
    numbers = [i for i, phase in enumerate(engine.program.phases) if phase.name in bound]
    for meld, unit in fitting(game):
        rest = pack.everything - meld - unit
        others = [0, *(x for x in sorted(engine.melds.packed) if pack.contains(rest, x))]
        for other in others:
            places = Copies(pack)
            mine, up = places.take(meld), places.take(unit)
            lying = (places.take(other),) if other else ()
            for number in numbers:
                for own, starter in ((True, False), (False, False), (False, True)):
                    args = ((mine, *lying), (mine | up, *lying), up, 0, 0, 0, own, starter, 1, number)
                    work += 1
                    if engine.meld_refused(*args) or not engine.duty_met(*args):
                        return Result("undecided", "", 0, work=work)
    says = later("the card can always be laid on a meld that it fits, with everything else as it lies")
    return Result("proved", says, work=work)


def fitting(game: Game) -> list[tuple[int, int]]:
    """Every meld with every card that fits it, one for all that differ in suits alone."""
    pack, melds = game.engine.pack, game.engine.melds.packed
    seen: set[tuple[int, int]] = set()
    found = []
    for meld in sorted(melds):
        for kind in range(len(pack.cards)):
            unit = 1 << (kind * pack.width)
            if not pack.contains(pack.everything - meld, unit) or meld + unit not in melds:
                continue
            if (meld, unit) not in seen:
                found.append((meld, unit))
                seen.update((turned(pack, meld, by), turned(pack, unit, by)) for by in suit_changes(pack))
    return found
