"""`conquian recheck`: a certificate re-decided without the solver that gave it.

Guarantees: Z3 is never loaded. Each part of the claim is `confirmed` or `refuted`, with who says so, or stays
`not re-decided`, with the reason. Nothing of a certificate is believed: its texts are compared with those at hand, its
answer is worked out anew, its witness goes to the checker, its core to exhaustion, and its scripts are written again
or, where a claim is about all positions, put to a second solver.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from conquian import __version__
from conquian.certificate import Certificate, RulesUsed, decoded, texts
from conquian.engine.engine import UnknownReading
from conquian.language.problems import RulesError
from conquian.position import Rules, load
from conquian.questions import Answer, CannotAsk, read_bytes
from conquian.rechecking import comparisons, obligations, positions, transcripts
from conquian.rechecking.parts import Part
from conquian.verifier.limits import Disagreement
from conquian.verifier.solver import by_trial

KINDS: dict[str, Callable[[Certificate, Sequence[Rules], str], Iterator[Part]]] = {
    "force": positions.force,
    "legal": positions.legal,
    "validate": transcripts.validate,
    "diff": comparisons.diff,
    "spec check": obligations.spec_check,
}


def recheck(path: str) -> Answer:
    """The answer of `conquian recheck`; CannotAsk for what is no certificate.

    Exit status: 0 all confirmed, 1 some part refuted, 3 nothing refuted but some part not re-decided.
    """
    found = decoded(read_bytes(path), path)
    parts = list(_parts(found, path))
    outcomes = {part.outcome for part in parts}
    verdict, status = "confirmed", 0
    if "refuted" in outcomes:
        verdict, status = "refuted", 1
    elif "not re-decided" in outcomes:
        verdict, status = "partly", 3
    document = {
        "certificate": path,
        "question": found.question,
        "verdict": verdict,
        "parts": [
            {"part": part.what, "by": part.by or None, "outcome": part.outcome, "detail": part.detail}
            for part in parts
        ],
    }
    told = {"partly": "nothing is refuted, but not all could be re-decided"}.get(verdict, verdict)
    lines = [f"{path}: {told} ({found.question})"]
    for part in parts:
        by = f" by {part.by}" if part.by else ""
        lines.append(f"  {part.what}: {part.outcome}{by}" + (f": {part.detail}" if part.detail else ""))
    return Answer(document, tuple(lines), status)


def _parts(found: Certificate, path: str) -> Iterator[Part]:
    least = {"diff": 2}.get(found.question, 1)
    if len(found.rules) < least:
        raise CannotAsk(f"{path}: no certificate: it names too few rules - at `$.rules`")
    changed = [change for used in found.rules for change in _changed(used)]
    if changed:
        yield Part("rule texts", "SHA-256", "refuted", "; ".join(changed))
        yield Part("answer", "", "not re-decided", "it is about other rules than those at hand")
        return
    yield Part("rule texts", "SHA-256", "confirmed")
    if found.program != __version__ and found.question in ("diff", "spec check"):
        told = f"conquian {found.program[:20]} wrote it, and this is {__version__}"
        yield Part("program", "", "not re-decided", told)
    rules = [_loaded(used, path) for used in found.rules]
    parts: list[Part] = []
    try:
        with by_trial():
            for part in KINDS[found.question](found, rules, path):
                parts.append(part)
        yield from parts
    except Disagreement as wrong:
        yield from parts
        yield Part("answer", "checker", "refuted", str(wrong))


def _changed(used: RulesUsed) -> list[str]:
    here = {text.name: text.sha256 for text in texts(used.name)}
    then = {text.name: text.sha256 for text in used.texts}
    names = [name for name in here | then if here.get(name) != then.get(name)]
    return [f"`{name[:60]}` is not the text that {used.name} was made of" for name in names]


def _loaded(used: RulesUsed, path: str) -> Rules:
    try:
        rules = load(used.name, used.readings)
    except UnknownReading as wrong:
        raise CannotAsk(f"{path}: no certificate: {wrong} - at `$.rules`") from None
    except RulesError:
        hint = f"`conquian spec check {used.name}` tells why"
        raise CannotAsk(f"{path}: the rules {used.name} cannot be used", hint) from None
    missing = sorted(set(rules.readings) - set(used.readings))
    if missing:
        raise CannotAsk(f"{path}: no certificate: the reading `{missing[0]}` is missing - at `$.rules`")
    return rules


__all__ = ["KINDS", "Part", "recheck"]
