"""The typed rules of one rule set: what both machines, and `spec show`, read.

Everything here is a value. A clause keeps its sentence, its passages, its place in the file and the rule set
that it comes from.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeVar

from conquian.language.clauses import Body
from conquian.language.formula import Formula
from conquian.language.obligations import Claim
from conquian.language.tree import Span
from conquian.tongue import spoken

B = TypeVar("B")


@dataclass(frozen=True, slots=True)
class Source:
    """A rule sheet: the prefix of its passage ids, its title, the file that holds it."""

    prefix: str
    title: str
    file: str
    translations: tuple[tuple[str, str], ...] = ()
    """The title in other languages, by language."""

    @property
    def called(self) -> str:
        """The title in the language spoken, in English where it has no translation."""
        return dict(self.translations).get(spoken(), self.title)


@dataclass(frozen=True, slots=True)
class Clause:
    """One rule. `cites` lists passages, the deciding one first; `code` is what a violation reports."""

    name: str
    sentence: str
    cites: tuple[str, ...]
    code: str | None
    body: Body[Formula]
    span: Span
    origin: str
    """The rule set whose file holds the clause."""
    translations: tuple[tuple[str, str], ...] = ()
    """The sentence in other languages, by language."""

    @property
    def said(self) -> str:
        """The sentence in the language spoken, in English where it has no translation."""
        return dict(self.translations).get(spoken(), self.sentence)


@dataclass(frozen=True, slots=True)
class Reading:
    """A named choice that a silent or ambiguous sentence leaves; the default and the reason for it."""

    name: str
    choices: tuple[str, ...]
    default: str
    question: str
    because: str
    cites: tuple[str, ...]
    span: Span
    origin: str
    chosen_in: str
    """The rule set that chose the default."""
    chosen_at: Span
    """Where it did: a `choose` item, or the reading itself."""
    translations: tuple[tuple[str, str], ...] = ()
    """The question in other languages, by language."""
    reasons: tuple[tuple[str, str], ...] = ()
    """Why the default is the default, in other languages, by language."""

    @property
    def asked(self) -> str:
        """The question in the language spoken, in English where it has no translation."""
        return dict(self.translations).get(spoken(), self.question)

    @property
    def reason(self) -> str:
        """Why the default is the default, in the language spoken, in English where that has no translation."""
        return dict(self.reasons).get(spoken(), self.because)


@dataclass(frozen=True, slots=True)
class Obligation:
    """What the rule set asks to have proved of itself."""

    name: str
    claim: Claim
    span: Span
    origin: str


@dataclass(frozen=True, slots=True)
class RuleSet:
    """A rule set with everything it inherits, in the order of the files, the oldest first."""

    name: str
    title: str
    playable: bool
    lineage: tuple[str, ...]
    sources: tuple[Source, ...]
    clauses: tuple[Clause, ...]
    readings: tuple[Reading, ...]
    span: Span
    """Where its file gives its name."""
    obligations: tuple[Obligation, ...]
    translations: tuple[tuple[str, str], ...] = ()
    """The title in other languages, by language."""

    @property
    def called(self) -> str:
        """The title in the language spoken, in English where it has no translation."""
        return dict(self.translations).get(spoken(), self.title)

    def bodies(self, kind: type[B]) -> Iterator[tuple[Clause, B]]:
        """The clauses with a body of one kind."""
        for clause in self.clauses:
            if isinstance(clause.body, kind):
                yield clause, clause.body

    def only(self, kind: type[B]) -> B:
        """The one body of a kind that each playable rule set has exactly once."""
        return next(body for _, body in self.bodies(kind))

    def reading(self, name: str) -> Reading:
        """The reading of that name; KeyError if the rule set has none."""
        for reading in self.readings:
            if reading.name == name:
                return reading
        raise KeyError(name)

    def source_of(self, passage: str) -> Source | None:
        """The sheet that a passage id names; None for what no sheet says."""
        prefix = passage.split(".")[0]
        return next((s for s in self.sources if s.prefix == prefix), None)
