"""Whole-set checks that need no play: each kind of clause once, numbers that fit, finite shapes."""

from __future__ import annotations

from collections import Counter
from math import prod

from conquian.language import clauses as c
from conquian.language import formula as f
from conquian.language.phases import check_phases
from conquian.language.problems import Problems, did_you_mean
from conquian.language.rules import Clause, RuleSet
from conquian.language.words import TRAITS
from conquian.tongue import later

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = ("clubs", "diamonds", "hearts", "spades")
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
AT_MOST_ONCE = (c.Cut, c.Session, c.Must)
MAX_PLAYERS, MAX_PACKS, MAX_CARDS, MAX_TABLES = 8, 7, 400, 64


def check(rules: RuleSet, problems: Problems, complete: bool) -> None:
    """Adds the problems of a merged and typed set; `complete` asks also what only a whole set can fail."""
    _once(rules, problems, complete)
    if not rules.playable:
        return
    _numbers(rules, problems)
    _shapes(rules, problems)
    check_phases(rules, problems)


def _once(rules: RuleSet, problems: Problems, complete: bool) -> None:
    for kind, example in ONCE:
        found = [clause for clause, _ in rules.bodies(kind)]
        _twice(found, problems)
        if not found and complete and rules.playable:
            problems.add(
                "CQ404",
                later("the rules lack a clause of the kind `{example}`", example=example),
                rules.span,
                later("every game needs one; extend a shipped set to inherit it"),
            )
    for kind in AT_MOST_ONCE:
        _twice([clause for clause, _ in rules.bodies(kind)], problems)
    if complete and rules.playable and not any(rules.bodies(c.Shape)):
        problems.add("CQ404", later("the rules lack a clause of the kind `meld run(g) when …`"), rules.span)


def _twice(found: list[Clause], problems: Problems) -> None:
    wrong = [p.span for p in problems.found if p.code in ("CQ501", "CQ502")]
    for extra in found[1:]:
        if any(s.path == extra.span.path and extra.span.line <= s.line <= extra.span.end_line for s in wrong):
            continue  # an override that missed its clause is told already
        problems.add(
            "CQ407",
            later("`{name}` settles what `{other}` settles", name=extra.name, other=found[0].name),
            extra.span,
            later("override `{name}` instead", name=found[0].name),
            ((found[0].span, later("settled here")),),
        )


def _numbers(rules: RuleSet, problems: Problems) -> None:
    size = 0
    for clause, deck in rules.bodies(c.Deck):
        for word, known in ((deck.ranks, RANKS), (deck.suits, SUITS)):
            for name, count in Counter(word).items():
                if name not in known:
                    problems.add(
                        "CQ201",
                        later("`{name}` is no rank or suit", name=name),
                        clause.span,
                        did_you_mean(name, known),
                    )
                elif count > 1:
                    problems.add("CQ204", later("`{name}` stands twice in the pack", name=name), clause.span)
        if not deck.suits:
            problems.add(
                "CQ404",
                later("the pack names no suits"),
                clause.span,
                later("suits are {suits}", suits=", ".join(SUITS)),
            )
        size = len(deck.ranks) * len(deck.suits) * deck.packs
        if deck.packs > MAX_PACKS or size > MAX_CARDS:
            problems.add(
                "CQ405",
                later(
                    "{packs} packs of {cards} cards are too many",
                    packs=deck.packs,
                    cards=len(deck.ranks) * len(deck.suits),
                ),
                clause.span,
                later("at most {packs} packs and {cards} cards", packs=MAX_PACKS, cards=MAX_CARDS),
            )
        for where, order in rules.bodies(c.Order):
            _order(_latest(rules, (c.Deck, c.Order), where), order, deck, problems)
    players = next((b for _, b in rules.bodies(c.Players)), None)
    for clause, body in rules.bodies(c.Players):
        seats = sorted(seat for team in body.teams for seat in team)
        if not 2 <= body.count <= MAX_PLAYERS:
            problems.add(
                "CQ405",
                later("{players} cannot play", players=body.count),
                clause.span,
                later("from 2 to {most} players", most=MAX_PLAYERS),
            )
        elif seats != list(range(body.count)) or len(body.teams) < 2:
            problems.add(
                "CQ405",
                later("the teams do not hold each seat once"),
                clause.span,
                later("seats are 1 to {players}, in two teams or more", players=body.count),
            )
    starter = next((b for _, b in rules.bodies(c.Starter)), None)
    for clause, dealing in rules.bodies(c.Dealing):
        if players is not None and players.count <= MAX_PLAYERS and starter is not None and size:
            needed = dealing.size * players.count + starter.turned
            if needed >= size:
                problems.add(
                    "CQ405",
                    later(
                        "{players} players with {size} cards each leave no stock of {cards} cards",
                        players=players.count,
                        size=dealing.size,
                        cards=size,
                    ),
                    _latest(rules, (c.Deck, c.Dealing, c.Players, c.Starter), clause).span,
                    later("deal fewer cards, or take a larger pack"),
                )
        for packet in dealing.packets:
            if packet > dealing.size:
                problems.add(
                    "CQ405", later("a packet of {packet} is more than the deal", packet=packet), clause.span
                )
    for clause, exchange in rules.bodies(c.Exchange):
        dealt = next((b for _, b in rules.bodies(c.Dealing)), None)
        if dealt is not None and exchange.count > dealt.size:
            where = _latest(rules, (c.Dealing, c.Exchange), clause)
            problems.add("CQ405", later("more cards are given than dealt"), where.span)
    for clause, goal in rules.bodies(c.Goal):
        if size and goal.cards > size:
            where = _latest(rules, (c.Deck, c.Goal), clause)
            problems.add(
                "CQ405", later("a goal of {cards} is more than the pack", cards=goal.cards), where.span
            )


def _latest(rules: RuleSet, kinds: tuple[type, ...], otherwise: Clause) -> Clause:
    """The clause, of some that do not fit together, that the youngest rule set wrote."""
    found = [clause for kind in kinds for clause, _ in rules.bodies(kind)]
    return max(found, key=lambda clause: rules.lineage.index(clause.origin), default=otherwise)


def _order(clause: Clause, order: c.Order, deck: c.Deck, problems: Problems) -> None:
    counts = Counter(order.ranks)
    for rank, count in counts.items():
        if rank not in deck.ranks:
            problems.add(
                "CQ405",
                later("the order names `{rank}`, which is not in the pack", rank=rank),
                clause.span,
                did_you_mean(rank, deck.ranks),
            )
        elif count > 1 and not (
            count == 2 and order.ranks[0] == order.ranks[-1] == rank and not order.around
        ):
            problems.add(
                "CQ204",
                later("`{rank}` stands twice in the order", rank=rank),
                clause.span,
                later("a rank may stand at both ends, or the order may go `around`"),
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


def smallest_size(when: f.Formula) -> int:
    """The smallest size that a shape can have, as far as the condition says so."""
    match when:
        case f.All(operands):
            return max((smallest_size(x) for x in operands), default=0)
        case f.Any_(operands):
            return min((smallest_size(x) for x in operands), default=0)
        case f.Compare(">=" | "=", f.Size(), f.Number(n)):
            return n
        case f.Compare(">", f.Size(), f.Number(n)):
            return n + 1
        case _:
            return 0


def _foreign(node: f.Formula | f.Cards | f.Melds | f.Quantity) -> bool:
    """Whether a shape's condition asks for more than traits, the number of cards and readings."""
    match node:
        case f.Always() | f.ReadingIs() | f.Number() | f.CardsVar():
            return False
        case f.Not() | f.All() | f.Any_() | f.Compare():
            return any(_foreign(x) for x in f.parts(node))
        case f.Has(_, cards) | f.Size(cards):
            return not isinstance(cards, f.CardsVar)
        case _:
            return True


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
    asked: frozenset[str] = frozenset()
    for clause, shape in rules.bodies(c.Shape):
        traits, bound = required_traits(shape.when), largest_size(shape.when)
        run = {"same_suit", "consecutive"} <= traits
        if not run and not ("same_rank" in traits and bound is not None and bound <= 12):
            problems.add(
                "CQ403",
                later("the shape `{name}` is not bounded", name=shape.name),
                clause.span,
                later(
                    "ask for `same_suit(g) and consecutive(g)`, or for `same_rank(g)` and a size of 12 at most"
                ),
            )
        if shape.name in names:
            problems.add(
                "CQ204",
                later("the shape `{name}` stands twice", name=shape.name),
                clause.span,
                None,
                ((names[shape.name].span, later("first here")),),
            )
        names[shape.name] = clause
        if smallest_size(shape.when) < 2:
            problems.add(
                "CQ405",
                later("a single card could be a `{name}`", name=shape.name),
                clause.span,
                later("a meld has two cards or more: add a smallest size, such as `size(g) >= 3`"),
            )
        if _foreign(shape.when):
            problems.add(
                "CQ302",
                later("the shape `{name}` asks for more than the cards of a meld show", name=shape.name),
                clause.span,
                later("a shape can ask for {traits}, `size(g)` and readings", traits=", ".join(TRAITS)),
            )
        asked |= f.readings_of(shape.when)
    counts = [len(reading.choices) for reading in rules.readings if reading.name in asked]
    if prod(counts) > MAX_TABLES:
        problems.add(
            "CQ408",
            later("the shapes depend on {number} readings, too many to try every choice", number=len(counts)),
            _latest(rules, (c.Shape,), next(iter(names.values()))).span,
            later("at most {most} choices of readings together", most=MAX_TABLES),
        )
