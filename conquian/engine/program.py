"""A rule set made ready to run: plain data and one Python text, both free of Lark and of the typed rules.

`compile_rules` turns typed rules into a `Program`; `program` gives the program of a name or path from the
cache when its texts are unchanged, so that a judgement needs no parser.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

if TYPE_CHECKING:
    from conquian.language.rules import RuleSet

Verb = Literal["turn", "meld", "pass", "discard", "arrange", "force"]


class ClauseInfo(msgspec.Struct, frozen=True, array_like=True):
    """What a verdict says of a clause; `passage` is what it cites first, `source` the sheet's title."""

    name: str
    sentence: str
    passage: str
    source: str | None
    code: str | None


class ReadingInfo(msgspec.Struct, frozen=True, array_like=True):
    """A reading; the index of the default in `choices`; whether play, not only the stakes, asks for it."""

    name: str
    choices: tuple[str, ...]
    default: int
    in_play: bool


class Step(msgspec.Struct, frozen=True, array_like=True):
    """Where play goes on: phase index (-1: the deal is drawn), seat, origin (None: unchanged)."""

    phase: int
    seat: Literal["player", "next", "first"]
    origin: Literal["own", "given", "starter"] | None


class Line(msgspec.Struct, frozen=True, array_like=True):
    """A line of a phase; `condition` is the index of its compiled condition, None if it always holds."""

    kind: Literal["acts", "otherwise", "at_once"]
    actor: Literal["player", "opponent"]
    verb: Verb | None
    then: Step
    condition: int | None
    clause: int


class PhaseInfo(msgspec.Struct, frozen=True, array_like=True):
    """A phase of play.

    `bound` is the clause whose code every other event of the player gets; `offers` says that a card is on
    offer; `rests` that it waits for one more event although others end it; `passes` that play goes on at once.
    """

    name: str
    clause: int
    bound: int | None
    offers: bool
    rests: bool
    passes: bool
    lines: tuple[Line, ...]


class Rule(msgspec.Struct, frozen=True, array_like=True):
    """A permission, prohibition or duty: its clause, verbs, phases (empty: all), compiled function."""

    clause: int
    verbs: tuple[Verb, ...]
    phases: tuple[int, ...]
    function: str


class StakeLine(msgspec.Struct, frozen=True, array_like=True):
    """A line of the stakes: what moves, who pays, takes or scores, how many units, to whom; compiled condition."""

    kind: Literal["pays", "takes", "scores", "counts", "void"]
    payer: Literal["everyone", "loser", "winner"] | None
    units: int
    payee: Literal["pot", "winner"] | None
    clause: int
    function: str


class Program(msgspec.Struct, frozen=True, kw_only=True):
    """Everything the engine needs of one rule set."""

    name: str
    title: str
    lineage: tuple[str, ...]
    cards: tuple[str, ...]
    copies: int
    players: int
    teams: tuple[tuple[int, ...], ...]
    dealt: int
    packets: tuple[int, ...]
    starter: bool
    exchange: tuple[int, int]
    goal: int
    least_to_win: int
    """No meld wins that leaves fewer cards on the table."""
    session: tuple[int, int] | None
    """The wins and the units that end a session, where the match asks for it."""
    stakes: tuple[StakeLine, ...]
    cut: dict[str, int]
    """By rank: its place among the cards drawn for the deal, the first dealer's lowest; empty: no rule."""
    melds: dict[str, dict[str, tuple[tuple[int, ...], ...]]]
    ends: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]
    clauses: tuple[ClauseInfo, ...]
    readings: tuple[ReadingInfo, ...]
    flow_readings: tuple[int, ...]
    """Which readings the order of play asks for, by index."""
    fit_readings: tuple[int, ...]
    """Which readings the part of the demands asks for that is tabulated by meld."""
    phases: tuple[PhaseInfo, ...]
    opening: Step
    asks_hand: bool
    """Some prohibition or duty of a meld or a regrouping asks for the cards of the hand."""
    live: bool
    """Some line of a phase asks for cards, so the order of play cannot be tabulated."""
    may: tuple[Rule, ...]
    may_not: tuple[Rule, ...]
    must: tuple[Rule, ...]
    wins: int
    setup: dict[str, int]
    """The clause that speaks of players, pack, dealing, starter, exchange, dealer."""
    source: str
    """The compiled conditions as Python text."""
    code: bytes
    """The same as a marshalled code object of this Python."""
    digest: str
    """SHA-256 over the texts of the rule set and its ancestors."""

    def default_choices(self) -> tuple[int, ...]:
        return tuple(r.default for r in self.readings)


def compile_rules(rules: RuleSet, digest: str = "") -> Program:
    """The program of typed rules."""
    from conquian.engine.emit import emit

    return emit(rules, digest)


_DECODER = msgspec.msgpack.Decoder(Program)


def program(name: str) -> Program:
    """The program of a shipped set or of the file at a path; RulesError if its rules have errors.

    Cached by the hash of every text involved: the rule file, its ancestors, the grammar and the sources.
    """
    from conquian.cache import cached
    from conquian.engine.texts import texts_of

    texts = texts_of(name)
    built = _build(name) if texts is None else cached("program", texts, lambda: _build(name))
    found = _DECODER.decode(built)
    _LOADED[found.digest] = name
    return found


_LOADED: dict[str, str] = {}
"""By digest: the name or path that a program was last loaded by."""


def loaded_by(program: Program) -> str:
    """The name or path that a program was loaded by; its own name if it was made otherwise."""
    return _LOADED.get(program.digest, program.name)


def _build(name: str) -> bytes:
    import hashlib

    from conquian.engine.texts import texts_of
    from conquian.language.build import load

    rules = load(name)
    texts = texts_of(name) or []
    digest = hashlib.sha256(b"\0".join(texts[: len(rules.lineage)])).hexdigest()
    return msgspec.msgpack.encode(compile_rules(rules, digest))
