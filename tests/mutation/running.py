"""Mutants to their fate: refused by the checker, noticed by a fact or a golden case, or left over.

Guarantees: mutants whose typed rules are the original's, or another mutant's, are told apart and not counted.
A mutant of a file is judged through every playable set named for the file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from conquian.engine.program import Program, compile_rules
from conquian.language.rules import RuleSet

from .asking import Asked, holds
from .cases import Case, read
from .compiling import Files, bare, errors
from .facts import wrong
from .mutants import Mutant, mutants_of, words_of

JUDGED_BY = {
    "common": ("swedish", "classic", "coonking", "two-deck"),
    "classic": ("classic", "two-deck"),
    "swedish": ("swedish", "navajo-tens"),
}
"""The playable sets that notice what a file says; any other file is judged by the set of its name."""
Fate = str
CHECKER, FACTS, CASES, SURVIVOR, SAME, TWICE = "checker", "facts", "cases", "survivor", "same", "twice"


@dataclass(slots=True)
class Tried:
    """A mutant with what became of it; `by` names the fact or the set whose case noticed."""

    mutant: Mutant
    fate: Fate
    by: str = ""


@dataclass
class Bench:
    """The rule files with their golden cases, ready to try mutants on."""

    files: Files = field(default_factory=Files)
    cases_of: Callable[[str], Sequence[Case]] = read

    _cases: dict[str, Sequence[Case]] = field(default_factory=dict)
    _rules: dict[str, RuleSet] = field(default_factory=dict)

    def cases(self, rules: str) -> Sequence[Case]:
        if rules not in self._cases:
            self._cases[rules] = self.cases_of(rules)
        return self._cases[rules]

    def forget(self, rules: str) -> None:
        """The cases of a set have changed."""
        self._cases.pop(rules, None)

    def mutants(self, name: str) -> list[Mutant]:
        """All mutants of one rule file."""
        known = words_of([self.files.files[one] for one in self.files.lineage(name)])
        return mutants_of(name, self.files.files[name], known)

    def judges(self, name: str) -> tuple[str, ...]:
        return JUDGED_BY.get(name, (name,))

    def typed(self, mutant: Mutant) -> dict[str, RuleSet] | None:
        """The mutant's rules by set, the file's own first; None if the checker refuses one of them."""
        found: dict[str, RuleSet] = {}
        for name in dict.fromkeys((mutant.name, *self.judges(mutant.name))):
            rules, problems = self.files.rules(name, {mutant.name: mutant.file})
            if rules is None or errors(problems):
                return None
            found[name] = rules
        return found

    def untouched(self, name: str) -> dict[str, RuleSet]:
        """The typed rules of a file as it is, as `typed` gives those of a mutant."""
        found: dict[str, RuleSet] = {}
        for one in dict.fromkeys((name, *self.judges(name))):
            if one not in self._rules:
                rules, problems = self.files.rules(one)
                assert rules is not None and not errors(problems), problems
                self._rules[one] = rules
            found[one] = self._rules[one]
        return found

    def run(self, name: str, mutants: Sequence[Mutant] | None = None) -> Iterator[Tried]:
        """Tries the mutants of one file (or some of them) in turn."""
        original, seen = fingerprint(self.untouched(name)), set[int]()
        for mutant in self.mutants(name) if mutants is None else mutants:
            typed = self.typed(mutant)
            if typed is None:
                yield Tried(mutant, CHECKER)
                continue
            print_ = fingerprint(typed)
            if print_ == original:
                yield Tried(mutant, SAME)
                continue
            if hash(print_) in seen:
                yield Tried(mutant, TWICE)
                continue
            seen.add(hash(print_))
            yield self.notice(mutant, typed)

    def unsound(self) -> str | None:
        """The first fact or case that the rule files themselves fail: then nothing can be said of mutants."""
        for name in self.files.files:
            rules = self.untouched(name)[name]
            fact = wrong(rules)
            if fact is not None:
                return f"{name}: {fact}"
            asked = Asked(compile_rules(rules)) if rules.playable else None
            for number, case in enumerate(self.cases(name) if asked else ()):
                if asked and not holds(asked, case):
                    return f"{name}: case {number + 1}"
        return None

    def notice(self, mutant: Mutant, typed: dict[str, RuleSet]) -> Tried:
        """Which fact or case notices a mutant that the checker lets pass."""
        for name, rules in typed.items():
            fact = wrong(rules)
            if fact is not None:
                return Tried(mutant, FACTS, f"{name}: {fact}")
        for name, program in self.programs(mutant.name, typed):
            if program is None:
                return Tried(mutant, CASES, f"{name}: cannot be compiled")
            asked = Asked(program)
            for number, case in enumerate(self.cases(name)):
                if not holds(asked, case):
                    return Tried(mutant, CASES, f"{name}: case {number + 1}")
        return Tried(mutant, SURVIVOR)

    def programs(self, name: str, typed: dict[str, RuleSet]) -> Iterator[tuple[str, Program | None]]:
        """The programs of the judging sets, one by one; None for rules that cannot be compiled."""
        for judge in self.judges(name):
            try:
                yield judge, compile_rules(typed[judge])
            except Exception:
                yield judge, None


def fingerprint(typed: dict[str, RuleSet]) -> object:
    return tuple(bare(rules) for rules in typed.values())
