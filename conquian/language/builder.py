"""Lark's tree of one item to ours: names with their places, numbers read, nothing resolved."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Literal, cast

from lark import Token, Tree

from conquian.language import tree as t
from conquian.language.clauses import (
    Actor,
    Acts,
    AtOnce,
    Body,
    Cut,
    DealerStays,
    Dealing,
    Deck,
    Exchange,
    Goal,
    Modal,
    Must,
    Opening,
    Order,
    Origin,
    Otherwise,
    Payer,
    Phase,
    Players,
    Seat,
    Session,
    Shape,
    Stake,
    Stakes,
    Starter,
    Target,
    Verb,
    Wins,
)
from conquian.language.obligations import (
    Agreeing,
    Claim,
    Ending,
    GoingOn,
    Kept,
    Mattering,
    Met,
    NeverPassed,
    Reached,
)
from conquian.language.problems import Problems
from conquian.language.tree import Span, Word
from conquian.tongue import later

_NUMBER_LIMIT = 1000
_SUITS = ("clubs", "diamonds", "hearts", "spades")


class Builder:
    """Lark's tree to ours, with places counted in the whole file."""

    def __init__(self, path: str, shift: int, problems: Problems) -> None:
        self.path, self.shift, self.problems = path, shift, problems
        self.words: list[Word] = []

    # -- places and small parts

    def span(self, node: Tree[Token] | Token) -> Span:
        m = node if isinstance(node, Token) else node.meta
        line, end = cast(int, m.line) + self.shift, cast(int, m.end_line) + self.shift
        return Span(self.path, line, cast(int, m.column), end, cast(int, m.end_column))

    def word(self, token: Token) -> Word:
        return Word(str(token), self.span(token))

    def text(self, token: Token) -> str:
        return re.sub(r"\\(.)", r"\1", str(token)[1:-1])

    def number(self, token: Token, least: int = 0) -> int:
        value = int(token) if len(token) < 7 else _NUMBER_LIMIT + 1
        if not least <= value <= _NUMBER_LIMIT:
            self.problems.add(
                "CQ104",
                later("{number} is out of range", number=token),
                self.span(token),
                later(
                    "a number here is at least {least} and at most {most}", least=least, most=_NUMBER_LIMIT
                ),
            )
        return value

    def passages(self, node: Tree[Token] | None) -> tuple[Word, ...]:
        if node is None:
            return ()
        inner = node.children[0] if node.data == "cite" else node
        return tuple(self.word(cast(Token, c)) for c in cast("Tree[Token]", inner).children)

    def because(self, node: Tree[Token] | None) -> str | None:
        return None if node is None else self.text(cast(Token, node.children[0]))

    def reasons(self, node: Tree[Token] | None) -> t.Translations:
        """What `because` says in other languages, in order."""
        return () if node is None else self.translations(node.children)

    def translations(self, children: Sequence[Any]) -> t.Translations:
        """The text before them in other languages, in order."""
        trees = [x for x in children if isinstance(x, Tree) and x.data == "translation"]
        pairs = (cast("list[Token]", tree.children) for tree in trees)
        return tuple((self.word(language), self.text(text)) for language, text in pairs)

    # -- items

    def item(self, node: Tree[Token]) -> t.Item:
        c: list[Any] = list(node.children)
        span = self.span(node)
        match node.data:
            case "head":
                return t.Head(
                    c[0].type == "RULESET", self.word(c[1]), self.text(c[2]), span, self.translations(c)
                )
            case "extends":
                return t.Extends(self.word(c[0]), span)
            case "source":
                return t.SourceItem(
                    self.word(c[0]), self.text(c[1]), self.text(c[2]), span, self.translations(c)
                )
            case "drop":
                return t.DropItem(
                    self.word(c[1]), self.because(c[2]), span, c[0] is not None, self.reasons(c[2])
                )
            case "ground":
                return t.GroundItem(self.word(c[0]), self.passages(c[1]), span)
            case "choose":
                return t.ChooseItem(
                    self.word(c[0]),
                    self.word(c[1]),
                    self.because(c[2]),
                    self.passages(c[3]),
                    span,
                    self.reasons(c[2]),
                )
            case "reading":
                names = [x for x in c[1:] if isinstance(x, Token) and x.type == "NAME"]
                text = next(x for x in c if isinstance(x, Token) and x.type == "STRING")
                words = tuple(self.word(n) for n in names)
                return t.ReadingItem(
                    c[0] is not None,
                    words[0],
                    words[1:],
                    self.text(text),
                    self.passages(c[-2]),
                    self.because(c[-1]),
                    span,
                    self.translations(c),
                    self.reasons(c[-1]),
                )
            case "prove":
                return t.ProveItem(c[0] is not None, self.word(c[1]), self.claim(c[2]), span)
            case "define":
                params = () if c[2] is None else tuple(self.word(x) for x in c[2].children)
                return t.DefineItem(c[0] is not None, self.word(c[1]), params, self.expr(c[3]), span)
            case _:
                code = None if c[-2] is None else self.word(c[-2].children[0])
                body = self.body(c[-1])
                return t.ClauseItem(
                    c[0] is not None,
                    self.word(c[1]),
                    self.text(c[2]),
                    self.passages(c[-3]),
                    code,
                    body,
                    self.span(c[-1]),
                    tuple(self.words),
                    span,
                    self.translations(c),
                )

    # -- claims

    def claim(self, node: Tree[Token]) -> Claim:
        match node.data:
            case "kept":
                return Kept()
            case "going_on":
                return GoingOn()
            case "met":
                return Met()
            case "reached":
                return Reached()
            case "never_passed":
                return NeverPassed()
            case "mattering":
                return Mattering()
            case "agreeing":
                return Agreeing()
            case _:
                within = cast("Token | None", node.children[0])
                return Ending(None if within is None else self.number(within, 1))

    # -- bodies

    def body(self, node: Tree[Token]) -> Body[t.Expr]:
        c: list[Any] = list(node.children)
        match node.data:
            case "deck":
                ints = [x for x in c if x is not None]
                packs = self.number(ints.pop(), 1) if c[-1] is not None else 1
                split = (
                    next(i for i, x in enumerate(ints) if str(x) in _SUITS)
                    if any(str(x) in _SUITS for x in ints)
                    else len(ints)
                )
                self.words = [self.word(x) for x in ints]
                return Deck(tuple(str(x) for x in ints[:split]), tuple(str(x) for x in ints[split:]), packs)
            case "order":
                around = c[-1] is not None and c[-1].type == "AROUND"
                ranks = [x for x in c if x is not None and x.type != "AROUND"]
                self.words = [self.word(x) for x in ranks]
                return Order(tuple(str(x) for x in ranks), around)
            case "players":
                count = self.number(c[0], 1)
                teams: tuple[tuple[int, ...], ...] = tuple((i,) for i in range(min(count, 60)))
                if c[1] is not None:
                    teams = tuple(
                        tuple(self.number(x, 1) - 1 for x in team.children) for team in c[1].children
                    )
                return Players(count, teams)
            case "dealing":
                return Dealing(self.number(c[0], 1), tuple(self.number(x, 1) for x in c[1:]))
            case "starter":
                return Starter(c[0].type == "ONE")
            case "exchange":
                if c[0].type == "NONE":
                    return Exchange(0, 1)
                return Exchange(self.number(c[0], 1), 1 if c[1].type == "NEXT" else -1)
            case "goal":
                return Goal(self.number(c[0], 1))
            case "shape":
                self.words = [self.word(c[0])]
                return Shape(str(c[0]), str(c[1]), self.expr(c[2]))
            case "modal":
                verbs: tuple[Verb, ...] = tuple(self.verb(v) for v in c[2].children)
                phases = () if c[3] is None else tuple(self.word(x) for x in c[3].children)
                self.words = list(phases)
                names = tuple(p.text for p in phases)
                return Modal(self.actor(c[0]), c[1] is None, verbs, names, self.maybe(c[4]))
            case "must":
                return Must(self.expr(c[1]))
            case "opening":
                return Opening(self.target(c[0]))
            case "phase":
                self.words = [self.word(c[0])]
                return Phase(str(c[0]), tuple(self.line(x) for x in c[1:]))
            case "wins":
                return Wins(self.expr(c[1]))
            case "cut":
                return Cut(c[0].type == "LOWEST")
            case "dealer":
                return DealerStays(self.expr(c[0]))
            case "stakes":
                return Stakes(tuple(self.stake(x) for x in c))
            case _:
                return Session(self.number(c[0], 1), self.number(c[1], 1))

    def verb(self, node: Tree[Token]) -> Verb:
        return cast(Verb, str(node.data).rstrip("_"))

    def actor(self, node: Tree[Token]) -> Actor:
        return cast(Actor, str(node.children[0]))

    def target(self, node: Tree[Token]) -> Target:
        phase, seat, origin = cast("list[Token | None]", node.children)
        self.words.append(self.word(cast(Token, phase)))
        place: Seat = "player"
        if seat is not None:
            if str(seat) not in ("player", "next", "first"):
                self.problems.add(
                    "CQ105",
                    later("`{seat}` is no place at the table", seat=seat),
                    self.span(seat),
                    later("play goes to `player`, `next` or `first`"),
                )
            place = cast(Seat, str(seat))
        came: Origin | None = None
        if origin is not None:
            if str(origin) not in ("own", "given", "starter"):
                self.problems.add(
                    "CQ105",
                    later("a card cannot be on offer as `{origin}`", origin=origin),
                    self.span(origin),
                    later("write `as own`, `as given` or `as starter`"),
                )
            came = cast(Origin, str(origin))
        return Target(str(phase), place, came)

    def line(self, node: Tree[Token]) -> Acts[t.Expr] | Otherwise[t.Expr] | AtOnce[t.Expr]:
        c: list[Any] = list(node.children)
        match node.data:
            case "acts":
                return Acts(self.actor(c[0]), self.verb(c[1]), self.target(c[2]), self.maybe(c[3]))
            case "otherwise":
                return Otherwise(self.target(c[0]), self.maybe(c[1]))
            case _:
                return AtOnce(self.target(c[0]), self.maybe(c[1]))

    def stake(self, node: Tree[Token]) -> Stake[t.Expr]:
        c: list[Any] = list(node.children)
        kind = cast(Literal["pays", "takes", "scores", "counts", "void"], str(node.data))
        when = self.maybe(c[-1])
        match kind:
            case "pays":
                payee = cast(Literal["pot", "winner"], str(c[2].children[0]))
                return Stake(kind, self.payer(c[0]), self.number(c[1], 1), payee, when)
            case "takes":
                return Stake(kind, self.payer(c[0]), 0, "pot", when)
            case "scores":
                return Stake(kind, self.payer(c[0]), self.number(c[1], 1), None, when)
            case "counts":
                return Stake(kind, None, self.number(c[0], 1), None, when)
            case "void":
                return Stake(kind, None, 0, None, when)

    def payer(self, node: Tree[Token]) -> Payer:
        return cast(Payer, str(node.children[0]))

    # -- conditions

    def maybe(self, node: Tree[Token] | None) -> t.Expr | None:
        return None if node is None else self.expr(node)

    def expr(self, node: Tree[Token]) -> t.Expr:
        c: list[Any] = list(node.children)
        span = self.span(node)
        match node.data:
            case "number":
                return t.Number(self.number(c[0]), span)
            case "name":
                return t.Name(str(c[0]), span)
            case "call":
                return t.Call(str(c[0]), tuple(self.expr(x) for x in c[1:] if x is not None), span)
            case "negation":
                return t.Negation(self.expr(c[0]), span)
            case "and" | "or":
                operator = cast(Literal["and", "or"], str(node.data))
                return t.Junction(operator, tuple(self.expr(x) for x in c), span)
            case "quantified":
                quantifier = cast(Literal["some", "every", "no"], str(c[0].children[0]))
                return t.Quantified(quantifier, str(c[1]), self.expr(c[2]), self.expr(c[3]), span)
            case "compare":
                return t.Binary(str(c[1]), self.expr(c[0]), self.expr(c[2]), span)
            case "between":
                return t.Between(self.expr(c[0]), self.number(c[1]), self.number(c[2]), span)
            case "is_":
                return t.Is(self.expr(c[0]), c[1] is not None, self.word(c[2]), span)
            case operator:
                name = {"union": "+", "both": "&", "isin": "in"}.get(str(operator), str(operator))
                return t.Binary(name, self.expr(c[0]), self.expr(c[1]), span)
