"""Certificates about a transcript: `validate`. The game is judged anew, and each meld goes to the checker."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from conquian.certificate import Certificate
from conquian.certifying import ValidateAsked, plain, typed_of
from conquian.judging_again import judged_acts, verdicts
from conquian.language.problems import RulesError
from conquian.position import Rules
from conquian.questions import CannotAsk
from conquian.rechecking.parts import Part, core_part, form, meld_part, same_answer, scripts
from conquian.verifier.claims import event_script
from conquian.verifier.scripts import Script
from conquian.witnessing import MeldWitness


def validate(found: Certificate, rules: Sequence[Rules], path: str) -> Iterator[Part]:
    asked = form(found.asked, ValidateAsked, path, "asked")
    witnesses = form(found.witness, dict[str, MeldWitness | None], path, "witness")
    cores = form(found.core, dict[str, list[str] | None], path, "core")
    try:
        acts = judged_acts(asked)
        judged = verdicts(asked)
    except (RulesError, ValueError) as wrong:
        raise CannotAsk(f"{path}: no certificate: {wrong} - at `$.asked`") from None
    if acts is None or len(judged) != 1:
        raise CannotAsk(f"{path}: no certificate: the transcript cannot be read - at `$.asked.transcript`")
    used = found.rules[0]
    if acts.loaded != used.name or dict(acts.rules.readings) != used.readings:
        yield Part(
            "rules", "engine", "refuted", "the transcript is judged by other rules than the certificate names"
        )
        return
    yield from same_answer(found, plain(judged[0]))
    typed = typed_of(acts.loaded, acts.rules)
    written: list[Script] = []
    said: list[Part] = []
    for where, position, event, legal in acts.events:
        witness = witnesses.get(where)
        if not legal:
            said.append(core_part(f"{where}: core", position, event, cores.get(where), typed))
        elif witness is not None:
            said.append(meld_part(f"{where}: witness", position, event, witness, typed))
        elif event[1] == "melds":
            said.append(Part(f"{where}: witness", "checker", "refuted", "it is missing"))
        script = event_script(f"{where}: is this event legal", position, event, legal, typed)
        written += [] if script is None else [script]
    told = {where for where, *_ in acts.events}
    strange = sorted((witnesses.keys() | cores.keys()) - told)
    if strange:
        said.append(
            Part("witnesses", "engine", "refuted", f"{strange[0][:40]} is no such event of the transcript")
        )
    checked = [part for part in said if part.outcome == "confirmed" and part.by == "checker"]
    if checked:
        yield Part("witnesses of legal melds", "checker", "confirmed", f"{len(checked)} of {len(checked)}")
    yield from (part for part in said if part not in checked)
    yield from scripts(found, written)
