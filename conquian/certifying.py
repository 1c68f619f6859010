"""Certificates of the answers of `force`, `legal` and `validate`: witness or core, and every query as a script.

Guarantees: what goes into a certificate has been checked as `recheck` will check it, and each script was put to the
solver; `Disagreement` if one of them says otherwise than the answer.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct, json

from conquian.certificate import Certificate, certificate
from conquian.engine.demands import demand
from conquian.engine.play import Event
from conquian.engine.sets import is_rule_set
from conquian.engine.state import State
from conquian.forcing import moments, offer_of
from conquian.language.build import load as load_rules
from conquian.language.rules import RuleSet
from conquian.position import Position, Rules
from conquian.questions import Answer, CannotAsk, Question, read_bytes
from conquian.verifier.claims import demand_script, event_script, some_meld_script
from conquian.verifier.deck import typed_rules
from conquian.verifier.limits import Disagreement, Undecided
from conquian.verifier.scripts import Script
from conquian.witnessing import MeldWitness, checkable, demand_due, meld_faults, meld_witness

NO_EVENT = "order of play"
"""Stands for the clauses of a core where the order of play takes no demand at all."""


class ForceAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """Whom `force` is about, what the position leaves out, whether the hand is known; the proof and its budget."""

    player: str
    left_out: tuple[str, ...]
    hand_known: bool
    prove: bool
    budget: int


class LegalAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """What `legal` is asked: about one event, or (None) about all melds, counted or listed; what is left out."""

    player: str
    hand_known: bool
    event: list[Any] | None
    count: bool
    limit: int | None
    why: bool
    budget: int
    left_out: tuple[str, ...] = ()


class ValidateAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """The transcript that was judged, as text, and what the command line said of rules and other readings."""

    file: str
    transcript: str
    rules: str | None
    readings: dict[str, str]
    differs: bool
    why: bool
    budget: int


class ForceWitness(Struct, frozen=True, forbid_unknown_fields=True):
    """By case of what the position leaves out: at which moments a demand is due; a meld that obeys it, if any."""

    due: tuple[dict[str, bool], ...]
    obeyed: MeldWitness | None


def plain(document: object) -> Any:
    """A document as plain JSON values, as they are read back."""
    return json.decode(json.encode(document))


def typed_of(name: str, rules: Rules) -> RuleSet:
    """The typed rules of what was loaded by a name or path."""
    return typed_rules(rules.engine.program, None if is_rule_set(name) else load_rules(name))


# ---- force


def force_certificate(
    asked: Question, loaded: str | None, prove: bool, budget: int, answer: Answer
) -> Certificate:
    """A certificate of an answer of `conquian force`; `loaded` is what the rules were loaded by."""
    name = loaded or asked.rules.name
    typed = typed_of(name, asked.rules)
    seat, state, cases = offer_of(asked)
    position = Position(asked.rules, state, asked.position.players)
    left_out = asked.left_out
    found, core, scripts = force_parts(position, seat, cases, typed)
    said = {(any(case.values())) for case in found.due}
    claimed = {True: "yes", False: "no"}[said.pop()] if len(said) == 1 else "unknown"
    if claimed != answer.document["answer"]:
        raise Disagreement(f"the checker says {claimed}, the engine {answer.document['answer']}")
    return certificate(
        "force",
        [(name, asked.rules)],
        plain(answer.document),
        asked=plain(ForceAsked(position.players[seat], left_out, asked.hand_known, prove, budget)),
        position=position,
        witness=plain(found),
        core=core,
        scripts=scripts,
    )


def force_parts(
    position: Position, seat: int, cases: list[State], typed: RuleSet
) -> tuple[ForceWitness, dict[str, Any], list[Script]]:
    """What the checker says of each moment of an offer, the clauses that refuse, the scripts."""
    engine, players = position.rules.engine, position.players
    by = engine.opponents[seat]
    event: Event = (players[by], "forces")
    due: list[dict[str, bool]] = []
    refused: dict[str, Any] = {}
    scripts: list[Script] = []
    for number, case in enumerate(cases, 1):
        at: dict[str, bool] = {}
        for when, moment in moments(engine, case, seat):
            here = Position(position.rules, moment, players)
            after, bound, clause = demand(engine, moment, by, None, None)
            allowed = after >= 0 and bound == seat
            if allowed != demand_due(here, seat, typed):
                raise Disagreement(f"a demand {when}: the engine says {allowed}, the checker {not allowed}")
            at[when] = allowed
            title = f"case {number}, {when}"
            if bound == seat:
                script = demand_script(f"{title}: is a demand due", here, event, allowed, typed)
                if script is not None and all(script.text != other.text for other in scripts):
                    scripts.append(script)
            if not allowed:
                refused[title] = _refusing(position, bound == seat, clause)
        due.append(at)
    return ForceWitness(tuple(due), _obeyed(position, seat, typed)), refused, scripts


def _refusing(position: Position, takes: bool, clause: int | None) -> list[str]:
    program = position.rules.engine.program
    if not takes:
        return [NO_EVENT]
    if clause is not None:
        return [program.clauses[clause].name]
    granting = [program.clauses[rule.clause].name for rule in position.rules.engine.may.get("force", [])]
    return granting[:1] or [NO_EVENT]


def _obeyed(position: Position, seat: int, typed: RuleSet) -> MeldWitness | None:
    """A meld that obeys the first demand that is due, with the fewest cards."""
    engine, players = position.rules.engine, position.players
    by: Event = (players[engine.opponents[seat]], "forces")
    for _, moment in moments(engine, position.state, seat):
        here = Position(position.rules, moment, players)
        after, bound, _ = demand(engine, moment, engine.opponents[seat], None, None)
        if after < 0 or bound != seat:
            continue
        forced = here.apply(by)
        tables = sorted(forced.legal_melds(), key=lambda table: (sum(map(len, table)), table))
        if not tables or not checkable(forced, seat):
            return None
        event: Event = (players[seat], "melds", tables[0])
        witness = meld_witness(forced, event)
        if witness is not None and (wrong := meld_faults(forced, event, witness, typed)):
            raise Disagreement(f"{event}: {wrong[0]}")
        return witness
    return None


# ---- legal


def legal_certificate(
    asked: Question,
    loaded: str | None,
    told: tuple[str | None, str | None],
    count: bool,
    limit: int | None,
    why: bool,
    budget: int,
    answer: Answer,
) -> Certificate:
    """A certificate of an answer of `conquian legal`; `told` are the meld and the event of the command line."""
    from conquian.asked import event_asked

    name = loaded or asked.rules.name
    typed = typed_of(name, asked.rules)
    event = event_asked(asked, *told, why)
    question = LegalAsked(
        asked.player,
        asked.hand_known,
        None if event is None else list(event),
        count,
        limit,
        why,
        budget,
        asked.left_out,
    )
    witness: dict[str, Any] | list[Any] | None = None
    core: list[Any] | None = None
    if event is None:
        witness = [plain(found) for found in all_witnesses(asked.position, typed)]
        script = some_meld_script("can the card on offer be melded", asked.position, bool(witness), typed)
    else:
        legal = bool(answer.document["legal"])
        if legal:
            witness = plain(_witness(asked.position, event, typed))
        else:
            core = _core(asked.position, event, typed, budget)
        script = event_script("is this event legal", asked.position, event, legal, typed)
    return certificate(
        "legal",
        [(name, asked.rules)],
        plain(answer.document),
        asked=plain(question),
        position=asked.position,
        witness=witness,
        core=core,
        scripts=[] if script is None else [script],
    )


def all_witnesses(position: Position, typed: RuleSet) -> list[MeldWitness]:
    """A witness for every legal meld of a position, in the order in which they are listed."""
    found = []
    for table in position.legal_melds():
        witness = _witness(position, (position.holder, "melds", table), typed)
        if witness is not None:
            found.append(witness)
    return found


def _witness(position: Position, event: Event, typed: RuleSet) -> MeldWitness | None:
    witness = meld_witness(position, event)
    seat = position.players.index(event[0])
    if witness is not None and checkable(position, seat):
        wrong = meld_faults(position, event, witness, typed)
        if wrong:
            raise Disagreement(f"{event}: the checker says: {wrong[0]}")
    return witness


def _core(position: Position, event: Event, typed: RuleSet, budget: int) -> list[Any] | None:
    """The names of the smallest set of clauses, and facts, that forbids an event; None: undecided."""
    from conquian.verifier.why import why

    found = why(position.rules, position, event, typed, budget)
    if isinstance(found, Undecided):
        return None
    return [*(reason.clause for reason in found.reasons), *(fact.name for fact in found.facts)]


# ---- validate


def validate_certificate(
    path: str, rules: str | None, readings: dict[str, str], differs: bool, why: bool, budget: int
) -> Certificate:
    """A certificate of the verdict on the one game of a file; CannotAsk for what is no text or has no rules."""
    from conquian.judging_again import judged_acts, verdicts

    try:
        text = read_bytes(path).decode("utf-8")
    except UnicodeDecodeError:
        raise CannotAsk(f"{path}: only a transcript in UTF-8 can be certified", "write it in UTF-8") from None
    asked = ValidateAsked(path, text, rules, readings, differs, why, budget)
    acts = judged_acts(asked)
    if acts is None:
        raise CannotAsk(f"{path}: a certificate is of one game that can be read", "mend it, or name one game")
    (verdict,) = verdicts(asked)
    witness: dict[str, Any] = {}
    core: dict[str, Any] = {}
    scripts: list[Script] = []
    typed = typed_of(acts.loaded, acts.rules)
    for where, position, event, legal in acts.events:
        if legal:
            if event[1] == "melds":
                witness[where] = plain(_witness(position, event, typed))
        else:
            core[where] = _core(position, event, typed, budget)
        script = event_script(f"{where}: is this event legal", position, event, legal, typed)
        scripts += [] if script is None else [script]
    return certificate(
        "validate",
        [(acts.loaded, acts.rules)],
        plain(verdict),
        asked=plain(asked),
        witness=witness,
        core=core,
        scripts=scripts,
    )
