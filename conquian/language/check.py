"""Whole-set checks that need no play: numbers that fit, phases that lead somewhere, nothing settled twice."""

from __future__ import annotations

from collections import Counter
from itertools import product

from conquian.language import clauses as c
from conquian.language import formula as f
from conquian.language.problems import Problems, did_you_mean
from conquian.language.rules import Clause, RuleSet
from conquian.language.tree import Span

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = ("clubs", "diamonds", "hearts", "spades")
ENDS = ("drawn",)
"""Targets that are no phases."""
ONCE: tuple[tuple[type, str], ...] = (
    (c.Deck, "deck A 2 3 … of clubs …"),
    (c.Order, "order A 2 3 …"),
    (c.Players, "players 2"),
    (c.Dealing, "deal 10 in packets of 1"),
    (c.Starter, "starter none"),
    (c.Exchange, "exchange none"),
    (c.Goal, "goal 11"),
    (c.Opening, "opening turn to first"),
    (c.Wins, "player wins when …"),
    (c.DealerStays, "dealer stays when misdeal"),
)
AT_MOST_ONCE = (c.Stakes, c.Session, c.Must)
MAX_PLAYERS, MAX_PACKS, MAX_CARDS = 8, 7, 400


def check(rules: RuleSet, problems: Problems, complete: bool) -> None:
    """Adds the problems of a merged and typed set; `complete` asks also what only a whole set can fail."""
    _once(rules, problems, complete)
    if not rules.playable:
        return
    _numbers(rules, problems)
    _shapes(rules, problems)
    _phases(rules, problems)


def _end(rules: RuleSet) -> Span:
    last = [clause for clause in rules.clauses if clause.origin == rules.name]
    return last[0].span if last else (rules.clauses[0].span if rules.clauses else Span(rules.name, 1, 1, 1, 1))


def _once(rules: RuleSet, problems: Problems, complete: bool) -> None:
    for kind, example in ONCE:
        found = [clause for clause, _ in rules.bodies(kind)]
        _twice(found, problems)
        if not found and complete and rules.playable:
            problems.add(
                "CQ404",
                f"the rules lack a clause of the kind `{example}`",
                _end(rules),
                "every game needs one; extend a shipped set to inherit it",
            )
    for kind in AT_MOST_ONCE:
        _twice([clause for clause, _ in rules.bodies(kind)], problems)
    if complete and rules.playable and not any(rules.bodies(c.Shape)):
        problems.add("CQ404", "the rules lack a clause of the kind `meld run(g) when …`", _end(rules))


def _twice(found: list[Clause], problems: Problems) -> None:
    for extra in found[1:]:
        problems.add(
            "CQ407",
            f"`{extra.name}` settles what `{found[0].name}` settles",
            extra.span,
            f"override `{found[0].name}` instead",
            ((found[0].span, "settled here"),),
        )


def _numbers(rules: RuleSet, problems: Problems) -> None:
    size = 0
    for clause, deck in rules.bodies(c.Deck):
        for word, known in ((deck.ranks, RANKS), (deck.suits, SUITS)):
            for name, count in Counter(word).items():
                if name not in known:
                    problems.add(
                        "CQ201", f"`{name}` is no rank or suit", clause.span, did_you_mean(name, known)
                    )
                elif count > 1:
                    problems.add("CQ204", f"`{name}` stands twice in the pack", clause.span)
        if not deck.suits:
            problems.add("CQ404", "the pack names no suits", clause.span, f"suits are {', '.join(SUITS)}")
        size = len(deck.ranks) * len(deck.suits) * deck.packs
        if deck.packs > MAX_PACKS or size > MAX_CARDS:
            problems.add(
                "CQ405",
                f"{deck.packs} packs of {len(deck.ranks) * len(deck.suits)} cards are too many",
                clause.span,
                f"at most {MAX_PACKS} packs and {MAX_CARDS} cards",
            )
        for where, order in rules.bodies(c.Order):
            _order(where, order, deck, problems)
    players = next((b for _, b in rules.bodies(c.Players)), None)
    for clause, body in rules.bodies(c.Players):
        seats = sorted(seat for team in body.teams for seat in team)
        if not 2 <= body.count <= MAX_PLAYERS:
            problems.add(
                "CQ405", f"{body.count} cannot play", clause.span, f"from 2 to {MAX_PLAYERS} players"
            )
        elif seats != list(range(body.count)) or len(body.teams) < 2:
            problems.add(
                "CQ405",
                "the teams do not hold each seat once",
                clause.span,
                f"seats are 1 to {body.count}, in two teams or more",
            )
    starter = next((b for _, b in rules.bodies(c.Starter)), None)
    for clause, dealing in rules.bodies(c.Dealing):
        if players is not None and starter is not None and size:
            needed = dealing.size * players.count + starter.turned
            if needed >= size:
                problems.add(
                    "CQ405",
                    f"{players.count} players with {dealing.size} cards each leave no stock of {size} cards",
                    clause.span,
                    "deal fewer cards, or take a larger pack",
                )
        for packet in dealing.packets:
            if packet > dealing.size:
                problems.add("CQ405", f"a packet of {packet} is more than the deal", clause.span)
    for clause, exchange in rules.bodies(c.Exchange):
        dealt = next((b for _, b in rules.bodies(c.Dealing)), None)
        if dealt is not None and exchange.count > dealt.size:
            problems.add("CQ405", "more cards are given than dealt", clause.span)
    for clause, goal in rules.bodies(c.Goal):
        if size and goal.cards > size:
            problems.add("CQ405", f"a goal of {goal.cards} is more than the pack", clause.span)


def _order(clause: Clause, order: c.Order, deck: c.Deck, problems: Problems) -> None:
    counts = Counter(order.ranks)
    for rank, count in counts.items():
        if rank not in deck.ranks:
            problems.add(
                "CQ405", f"the order names `{rank}`, which is not in the pack", clause.span,
                did_you_mean(rank, deck.ranks),
            )
        elif count > 1 and not (
            count == 2 and order.ranks[0] == order.ranks[-1] == rank and not order.around
        ):
            problems.add(
                "CQ204",
                f"`{rank}` stands twice in the order",
                clause.span,
                "a rank may stand at both ends, or the order may go `around`",
            )


def largest_size(when: f.Formula) -> int | None:
    """The largest size that a shape allows, None if the condition gives none."""
    match when:
        case f.All(operands):
            bounds = [b for x in operands if (b := largest_size(x)) is not None]
            return min(bounds) if bounds else None
        case f.Compare("<=" | "=", f.Size(), f.Number(n)):
            return n
        case f.Compare("<", f.Size(), f.Number(n)):
            return n - 1
        case _:
            return None


def required_traits(when: f.Formula) -> frozenset[str]:
    match when:
        case f.All(operands):
            return frozenset().union(*(required_traits(x) for x in operands))
        case f.Has(trait, _):
            return frozenset({trait})
        case _:
            return frozenset()


def _shapes(rules: RuleSet, problems: Problems) -> None:
    names: dict[str, Clause] = {}
    for clause, shape in rules.bodies(c.Shape):
        traits, bound = required_traits(shape.when), largest_size(shape.when)
        run = {"same_suit", "consecutive"} <= traits
        if not run and not ("same_rank" in traits and bound is not None and bound <= 12):
            problems.add(
                "CQ403",
                f"the shape `{shape.name}` is not bounded",
                clause.span,
                "a shape needs `same_suit(g) and consecutive(g)`, or `same_rank(g)` and a largest size of 12 or less",
            )
        if shape.name in names:
            problems.add(
                "CQ204", f"the shape `{shape.name}` stands twice", clause.span, None,
                ((names[shape.name].span, "first here"),),
            )
        names[shape.name] = clause


# ---- phases


def _phases(rules: RuleSet, problems: Problems) -> None:
    lines: dict[str, list[tuple[Clause, c.Acts[f.Formula] | c.Otherwise[f.Formula] | c.AtOnce[f.Formula]]]] = {}
    for clause, phase in rules.bodies(c.Phase):
        lines.setdefault(phase.name, []).extend((clause, line) for line in phase.lines)
    opening = [(clause, body.then) for clause, body in rules.bodies(c.Opening)]
    targets = [*opening, *((clause, line.then) for found in lines.values() for clause, line in found)]
    for clause, target in targets:
        if target.phase not in lines and target.phase not in ENDS:
            problems.add(
                "CQ210",
                f"there is no phase `{target.phase}`",
                clause.span,
                did_you_mean(target.phase, [*lines, *ENDS]),
            )
    for clause, modal in rules.bodies(c.Modal):
        for name in modal.phases:
            if name not in lines:
                problems.add("CQ210", f"there is no phase `{name}`", clause.span, did_you_mean(name, list(lines)))
    reached, waiting = set(), [target.phase for _, target in opening]
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting.extend(line.then.phase for _, line in lines.get(name, ()))
    for name, found in lines.items():
        if name not in reached and opening:
            problems.add("CQ209", f"play never comes to the phase `{name}`", found[0][0].span, warning=True)
        others = [(clause, line) for clause, line in found if isinstance(line, c.Otherwise)]
        _exclusive(name, others, bool(others), problems, rules)
        acts: dict[tuple[str, str], list[tuple[Clause, c.Acts[f.Formula]]]] = {}
        for clause, line in found:
            if isinstance(line, c.Acts):
                acts.setdefault((line.actor, line.verb), []).append((clause, line))
        for same in acts.values():
            _exclusive(name, same, False, problems, rules)
    _circles(lines, problems)


def _exclusive(
    name: str,
    found: list[tuple[Clause, c.Otherwise[f.Formula]]] | list[tuple[Clause, c.Acts[f.Formula]]],
    total: bool,
    problems: Problems,
    rules: RuleSet,
) -> None:
    """Under each combination of facts at most one line holds, and at least one where play must go on."""
    atoms: dict[f.Formula, None] = {}
    for _, line in found:
        _atoms(line.when or f.Always(True), atoms)
    facts = [a for a in atoms if not isinstance(a, f.ReadingIs)]
    asked = sorted({a.reading for a in atoms if isinstance(a, f.ReadingIs)})
    if len(facts) > 8 or not found:
        return
    choices = [next(r.choices for r in rules.readings if r.name == name_) for name_ in asked]
    for picked in product(*choices):
        under = dict(zip(asked, picked, strict=True))
        for values in product((False, True), repeat=len(facts)):
            known = dict(zip(facts, values, strict=True))
            if known.get(f.Flag("own")) and known.get(f.Flag("starter")):
                continue
            hold = [clause for clause, line in found if _truth(line.when or f.Always(True), known, under)]
            if len(hold) > 1:
                problems.add(
                    "CQ407",
                    f"two lines of the phase `{name}` can hold at once",
                    hold[1].span,
                    "give them conditions that exclude each other",
                    ((hold[0].span, "the other line"),),
                )
                return
            if total and not hold:
                problems.add(
                    "CQ406",
                    f"play cannot go on from the phase `{name}` when none of its lines holds",
                    found[0][0].span,
                    "add an `otherwise` line for the remaining case",
                )
                return


def _atoms(formula: f.Formula, found: dict[f.Formula, None]) -> None:
    match formula:
        case f.Not(x):
            _atoms(x, found)
        case f.All(xs) | f.Any_(xs):
            for x in xs:
                _atoms(x, found)
        case f.Always():
            pass
        case _:
            found[formula] = None


def _truth(formula: f.Formula, known: dict[f.Formula, bool], under: dict[str, str]) -> bool:
    match formula:
        case f.Always(value):
            return value
        case f.Not(x):
            return not _truth(x, known, under)
        case f.All(xs):
            return all(_truth(x, known, under) for x in xs)
        case f.Any_(xs):
            return any(_truth(x, known, under) for x in xs)
        case f.ReadingIs(reading, choice):
            return under[reading] == choice
        case _:
            return known[formula]


def _circles(
    lines: dict[str, list[tuple[Clause, c.Acts[f.Formula] | c.Otherwise[f.Formula] | c.AtOnce[f.Formula]]]],
    problems: Problems,
) -> None:
    at_once: dict[str, set[str]] = {}
    for name, found in lines.items():
        passing = all(not isinstance(line, c.Acts) for _, line in found)
        at_once[name] = {
            line.then.phase
            for _, line in found
            if isinstance(line, c.AtOnce) or (passing and isinstance(line, c.Otherwise))
        }
    for name in lines:
        seen, waiting = set(), list(at_once[name])
        while waiting:
            step = waiting.pop()
            if step == name:
                problems.add(
                    "CQ406", f"the phase `{name}` leads at once to itself", lines[name][0][0].span,
                    "give it an event that play waits for",
                )
                return
            if step not in seen:
                seen.add(step)
                waiting.extend(at_once.get(step, ()))
