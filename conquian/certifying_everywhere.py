"""Certificates of answers about all positions: `diff` and `spec check`, with every question as a script.

Guarantees: the scripts of `diff` are made anew from the two rule sets, as `recheck` makes them, and put to the solver;
those of `spec check` are the questions of the proofs, with the answers that they had. A certificate is in English,
whatever is spoken.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from conquian.certificate import Certificate, certificate
from conquian.certifying import plain
from conquian.differing import Differences
from conquian.language.checking import Checked
from conquian.position import load
from conquian.questions import Answer, CannotAsk
from conquian.tongue import ENGLISH, speaking, tell
from conquian.verifier.difference_asking import Comparison
from conquian.verifier.difference_scripts import answered, proofs
from conquian.verifier.joint import joint
from conquian.verifier.limits import BUDGET
from conquian.verifier.scripts import Script


class DiffAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """The names of the clauses of the differences, in their order; what the solver could spend on a question."""

    clauses: tuple[str, ...]
    budget: int


class CheckAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """What the solver could spend on a question."""

    budget: int


def diff_certificate(found: Differences, budget: int | None, answer: Answer) -> Certificate:
    """A certificate of an answer of `conquian diff`."""
    steps = BUDGET if budget is None else budget
    a, b = found.a, found.b
    comparison = Comparison(joint(a.rules, b.rules, a.typed, b.typed), steps)
    equal = {(x.name, x.allows) for x in found.found if x.status == "proved-equal" and x.allows is not None}
    scripts = list(answered(comparison, proofs(comparison), {(name, str(side)) for name, side in equal}))
    return certificate(
        "diff",
        [(a.loaded, a.rules), (b.loaded, b.rules)],
        plain(answer.document),
        asked=plain(DiffAsked(tuple(x.name for x in found.found), steps)),
        scripts=scripts,
    )


def spec_certificate(
    names: Sequence[str], readings: dict[str, str], budget: int | None, found: Checked
) -> Certificate:
    """A certificate of an answer of `conquian spec check` on one rule set; CannotAsk if nothing was proved of it."""
    if len(names) != 1:
        raise CannotAsk(tell("--certificate is of one rule set"), tell("name one"))
    if not found.proved:
        raise CannotAsk(
            tell("{name}: a certificate is of proofs, and there are none", name=names[0]),
            tell("rules that can be played, and no `--no-proofs`"),
        )
    ((name, answers),) = found.proved
    scripts = [
        Script(f"{one.name}: {query.name}", query.script, query.answer)
        for one, result in answers.results
        for query in result.queries
    ]
    with speaking(ENGLISH):  # the same findings and proofs, told anew
        documents = plain(found.documents)
    return certificate(
        "spec check",
        [(name, load(name, readings))],
        documents,
        asked=plain(CheckAsked(BUDGET if budget is None else budget)),
        scripts=scripts,
    )
