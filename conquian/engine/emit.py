"""Typed rules to a program: conditions to Python text, phases to tables of lines, clauses to what verdicts say."""

from __future__ import annotations

import marshal
from collections.abc import Collection, Sequence

from conquian.engine import program as p
from conquian.engine.expressions import (
    ARGUMENTS,
    Emitter,
    assumed,
    fit_term,
    free_names,
    possible_without,
    python_name,
)
from conquian.engine.screens import ARGUMENTS as SCREENED
from conquian.engine.screens import counted, necessary
from conquian.engine.shapes import card_names, end_cards, meld_tables
from conquian.language import clauses as c
from conquian.language import formula as f
from conquian.language.build import MOMENT_OF
from conquian.language.rules import Clause, RuleSet
from conquian.language.settled import size_alone

SETUP_KINDS: dict[str, type] = {
    "players": c.Players,
    "pack": c.Deck,
    "dealing": c.Dealing,
    "starter": c.Starter,
    "exchange": c.Exchange,
    "dealer": c.DealerStays,
    "goal": c.Goal,
    "wins": c.Wins,
}


def emit(rules: RuleSet, digest: str) -> p.Program:
    """The program of a rule set that passed all checks."""
    readings = [(r.name, r.choices) for r in rules.readings]
    emitter = Emitter(readings)
    index = {clause.name: i for i, clause in enumerate(rules.clauses)}
    functions: list[str] = []
    may, may_not, must = _rules(rules, index, emitter, functions)
    phases, live = _phases(rules, index, emitter, functions)
    order = {phase.name: i for i, phase in enumerate(phases)}
    wins = rules.only(c.Wins)
    functions.append(_function("wins", "win", emitter.formula(wins.when)))
    functions.extend(_acts(rules, index, emitter, order))
    functions.append(_stays(rules, emitter))
    stakes = _stakes(rules, index, emitter, functions)
    functions.extend(_fits(rules, emitter, order))
    deck, dealing = rules.only(c.Deck), rules.only(c.Dealing)
    exchange, opening = rules.only(c.Exchange), rules.only(c.Opening)
    players = rules.only(c.Players)
    session = next((b for _, b in rules.bodies(c.Session)), None)
    term = _fit_term(rules)
    source = _source(readings, emitter, functions)
    played = _in_play(rules)
    return p.Program(
        name=rules.name,
        title=rules.title,
        lineage=rules.lineage,
        cards=card_names(deck),
        copies=deck.packs,
        players=players.count,
        teams=players.teams,
        dealt=dealing.size,
        packets=dealing.packets,
        starter=rules.only(c.Starter).turned,
        exchange=(exchange.count, exchange.step),
        goal=rules.only(c.Goal).cards,
        least_to_win=_least_to_win(rules),
        session=None if session is None else (session.wins, session.units),
        stakes=stakes,
        cut=_cut(rules),
        melds=meld_tables(rules),
        ends=tuple(sorted(end_cards(rules).items())),
        clauses=tuple(_info(clause, rules) for clause in rules.clauses),
        readings=tuple(
            p.ReadingInfo(r.name, r.choices, r.choices.index(r.default), r.name in played)
            for r in rules.readings
        ),
        flow_readings=_indices(rules, _asked_by_phases(rules)),
        fit_readings=_indices(rules, frozenset() if term is None else f.readings_of(term)),
        phases=phases,
        opening=_step(opening.then, order),
        asks_hand=_asks_hand(rules),
        live=live,
        may=_numbered(may, order),
        may_not=_numbered(may_not, order),
        must=tuple(must),
        wins=next(index[clause.name] for clause, _ in rules.bodies(c.Wins)),
        setup={
            name: index[clause.name] for name, kind in SETUP_KINDS.items() for clause, _ in rules.bodies(kind)
        },
        source=source,
        code=marshal.dumps(compile(source, f"<{rules.name}>", "exec")),
        digest=digest,
    )


def _least_to_win(rules: RuleSet) -> int:
    """The fewest cards on the table with which a meld may win, as far as their number alone rules it out."""
    deck, wins, goal = rules.only(c.Deck), rules.only(c.Wins).when, rules.only(c.Goal).cards
    most = len(card_names(deck)) * deck.packs
    return next((size for size in range(most + 1) if size_alone(wins, size, goal) is not False), most + 1)


def _asks_hand(rules: RuleSet) -> bool:
    conditions = [b.when or f.Always(True) for _, b in rules.bodies(c.Modal) if "force" not in b.verbs]
    conditions += [b.where for _, b in rules.bodies(c.Must)]
    return any("hand" in free_names(condition) for condition in conditions)


def _in_play(rules: RuleSet) -> frozenset[str]:
    """The readings that some clause asks for which decides about play, and not only about stakes and dealer."""
    found: set[str] = set()
    for clause in rules.clauses:
        match clause.body:
            case c.Shape(_, _, when) | c.Wins(when) | c.Must(when):
                found |= f.readings_of(when)
            case c.Modal(_, _, _, _, when):
                found |= f.readings_of(when or f.Always(True))
            case c.Phase(_, lines):
                for line in lines:
                    found |= f.readings_of(line.when or f.Always(True))
            case _:
                pass
    return frozenset(found)


def _info(clause: Clause, rules: RuleSet) -> p.ClauseInfo:
    passage = clause.cites[0] if clause.cites else clause.name
    source = rules.source_of(passage)
    return p.ClauseInfo(
        clause.name, clause.sentence, passage, None if source is None else source.title, clause.code
    )


def _source(readings: Sequence[tuple[str, Sequence[str]]], emitter: Emitter, functions: Sequence[str]) -> str:
    names = [line.split("(")[0].removeprefix("def ") for text in functions for line in text.splitlines()[:1]]
    helpers = (f"def some{i}{text}" for i, text in enumerate(emitter.helpers))
    body = "".join([*helpers, *functions])
    indented = "".join(f"    {line}\n" for line in body.splitlines())
    unpack = "".join(f"    r{i} = R[{i}]\n" for i in range(len(readings)))
    result = ", ".join(f"{name!r}: {name}" for name in names)
    return f"def make(R, VALID, SHAPES, ENDS, LAYABLE, GOAL, GUARDS, bits):\n{unpack}{indented}    return {{{result}}}\n"


def _function(name: str, moment: str, expression: str) -> str:
    return f"def {name}({', '.join(ARGUMENTS[moment])}):\n    return {expression}\n"


def _rules(
    rules: RuleSet, index: dict[str, int], emitter: Emitter, functions: list[str]
) -> tuple[list[tuple[p.Rule, tuple[str, ...]]], list[tuple[p.Rule, tuple[str, ...]]], list[p.Rule]]:
    may: list[tuple[p.Rule, tuple[str, ...]]] = []
    may_not: list[tuple[p.Rule, tuple[str, ...]]] = []
    must: list[p.Rule] = []
    for clause in rules.clauses:
        number = index[clause.name]
        match clause.body:
            case c.Modal(_, allowed, verbs, phases, when):
                moment = MOMENT_OF[verbs[0]]
                name = f"clause{number}"
                functions.append(_function(name, moment, emitter.formula(when or f.Always(True))))
                (may if allowed else may_not).append((p.Rule(number, verbs, (), name), phases))
            case c.Must(where):
                name = f"clause{number}"
                functions.append(_function(name, "act", emitter.formula(where, certain=False)))
                must.append(p.Rule(number, ("meld",), (), name))
            case _:
                pass
    return may, may_not, must


def _numbered(found: list[tuple[p.Rule, tuple[str, ...]]], order: dict[str, int]) -> tuple[p.Rule, ...]:
    return tuple(
        p.Rule(rule.clause, rule.verbs, tuple(order[name] for name in phases), rule.function)
        for rule, phases in found
    )


# ---- acts that are judged in one go


def established(body: c.Modal[f.Formula]) -> bool:
    """Conditions that cannot hold for an act whose cards were matched to valid melds with the offer in one."""
    unused = f.Not(f.Some("n", f.Melds("after"), f.Within(f.CardsVar("up"), f.CardsVar("n"))))
    broken = f.Some("n", f.Melds("after"), f.Not(f.Valid(f.CardsVar("n"), None)))
    return body.when in (unused, broken)


def _judged(rules: RuleSet, emitter: Emitter, order: dict[str, int]) -> str:
    """A meld act judged in one go: 0 if some prohibition holds, 2 if it wins, else 1."""
    lines: list[str] = []
    asked: set[str] = set()
    for _, body in rules.bodies(c.Modal):
        if body.allowed or "meld" not in body.verbs or established(body):
            continue
        when = body.when or f.Always(True)
        asked |= free_names(when)
        condition = emitter.formula(when)
        if body.phases:
            asked.add("phase")
            condition = f"phase in {tuple(order[x] for x in body.phases)} and {condition}"
        lines += [f"    if {condition}:", "        return 0"]
    wins = rules.only(c.Wins).when
    asked |= free_names(wins)
    head = f"def meld_judged({', '.join(ARGUMENTS['judged'])}):"
    return "\n".join(
        [head, *_of_state(rules, asked), *lines, f"    return 2 if {emitter.formula(wins)} else 1", ""]
    )


def _screened(rules: RuleSet, emitter: Emitter, order: dict[str, int]) -> list[str]:
    """Acts as far as packed sets tell: a meld act is certainly legal (1), legal and wins (2), or not told (0); a
    regrouping is certainly legal or not told."""
    wins = rules.only(c.Wins).when
    won = counted(wins, emitter)
    lines: dict[str, list[str]] = {"meld": [], "arrange": []}
    asked = set() if won is None else set(free_names(wins))
    for _, body in rules.bodies(c.Modal):
        if body.allowed or established(body):
            continue
        for verb in lines.keys() & set(body.verbs):
            when = body.when or f.Always(True)
            # No cards leave the hand in a regrouping: it is not counted there.
            told = verb == "meld" or "n_hand" not in free_names(when)
            condition = necessary(when, emitter) if told else "True"
            asked |= free_names(when)
            if body.phases:
                asked.add("phase")
                condition = f"phase in {tuple(order[x] for x in body.phases)} and {condition}"
            lines[verb] += [f"    if {condition}:", "        return 0"]
    given = _of_state(rules, asked)
    judged = "0" if won is None else f"2 if {won} else 1"
    return [
        "\n".join([f"def {name}({', '.join(SCREENED)}):", *given, *lines[verb], f"    return {legal}", ""])
        for name, verb, legal in (("meld_screened", "meld", judged), ("arrange_screened", "arrange", "1"))
    ]


def _of_state(rules: RuleSet, asked: Collection[str]) -> list[str]:
    """Lines that give what is asked of the state of play, `at`."""
    seats = rules.only(c.Players).count
    known = {"own": "at % 3 == 0", "starter": "at % 3 == 2", "phase": f"at // {3 * seats}"}
    return [f"    {name} = {text}" for name, text in known.items() if name in asked]


def _acts(rules: RuleSet, index: dict[str, int], emitter: Emitter, order: dict[str, int]) -> list[str]:
    texts = []
    for verb in ("meld", "arrange"):
        conditions = []
        for _, body in rules.bodies(c.Modal):
            if body.allowed or verb not in body.verbs or established(body):
                continue
            condition = emitter.formula(body.when or f.Always(True))
            if body.phases:
                condition = f"(phase in {tuple(order[x] for x in body.phases)} and {condition})"
            conditions.append(condition)
        texts.append(_function(f"{verb}_refused", "act", " or ".join(conditions) or "False"))
    texts.append(_judged(rules, emitter, order))
    texts.extend(_screened(rules, emitter, order))
    grants = [
        (b.phases, b.when or f.Always(True))
        for _, b in rules.bodies(c.Modal)
        if b.allowed and "arrange" in b.verbs
    ]
    granted = [_in_phases(phases, when, emitter, order) for phases, when in grants]
    text = f"int({' or '.join(map(str, granted)) or False})" if None not in granted else "2"
    texts.append(f"def may_arrange(own, starter, phase):\n    return {text}\n")
    duties = [emitter.formula(body.where, certain=False) for _, body in rules.bodies(c.Must)]
    texts.append(_function("duty_met", "act", " and ".join(duties) or "True"))
    return texts


def _stays(rules: RuleSet, emitter: Emitter) -> str:
    condition = emitter.formula(rules.only(c.DealerStays).when)
    given = "misdeal, drawn, conceded=False, agreed=False, broken_off=False"
    return f"def dealer_stays({given}):\n    return {condition}\n"


def _stakes(
    rules: RuleSet, index: dict[str, int], emitter: Emitter, functions: list[str]
) -> tuple[p.StakeLine, ...]:
    """The lines of the stakes; each condition becomes a function of the winning act and of how deals ended."""
    found: list[p.StakeLine] = []
    for clause, body in rules.bodies(c.Stakes):
        for line in body.lines:
            name = f"stake{len(found)}"
            condition = emitter.formula(line.when or f.Always(True))
            functions.append(_function(name, "stakes", condition))
            found.append(p.StakeLine(line.kind, line.payer, line.units, line.payee, index[clause.name], name))
    return tuple(found)


def _cut(rules: RuleSet) -> dict[str, int]:
    """The place of each rank among the cards drawn for the deal; a rank at both ends counts as the low one."""
    cut = next((body for _, body in rules.bodies(c.Cut)), None)
    if cut is None:
        return {}
    ranks = list(dict.fromkeys(rules.only(c.Order).ranks))
    return {rank: place if cut.lowest else -place for place, rank in enumerate(ranks)}


def _fit_term(rules: RuleSet) -> f.Some | None:
    """The condition that is tabulated by meld: of demands, else of phases that a card enters at once."""
    demands = [b.when for _, b in rules.bodies(c.Modal) if b.allowed and b.verbs == ("force",)]
    lines = [line for _, phase in rules.bodies(c.Phase) for line in phase.lines]
    entered = [line.when for line in lines if isinstance(line, c.AtOnce)]
    terms = (fit_term(when) for when in (*demands, *entered) if when is not None)
    return next((term for term in terms if term is not None), None)


def _asked_by_phases(rules: RuleSet) -> frozenset[str]:
    lines = (line for _, phase in rules.bodies(c.Phase) for line in phase.lines)
    return frozenset().union(*(f.readings_of(line.when or f.Always(True)) for line in lines))


def _indices(rules: RuleSet, names: frozenset[str]) -> tuple[int, ...]:
    return tuple(i for i, reading in enumerate(rules.readings) if reading.name in names)


def _fits(rules: RuleSet, emitter: Emitter, order: dict[str, int]) -> list[str]:
    """The part of the demands that can be tabulated by meld, whether a demand can be due without it, and whether
    one that names no meld is due when it holds: 1 yes, 0 no, 2 it depends on more than the state of play."""
    demands = [
        (b.phases, b.when or f.Always(True))
        for _, b in rules.bodies(c.Modal)
        if b.allowed and b.verbs == ("force",)
    ]
    against = [
        (b.phases, b.when or f.Always(True))
        for _, b in rules.bodies(c.Modal)
        if not b.allowed and b.verbs == ("force",)
    ]
    whens = [when for _, when in demands]
    term = _fit_term(rules)
    due = "def due_when_it_fits(own, starter, phase):\n    return "
    if term is None:
        return [
            "def fits(m, up):\n    return False\n",
            f"def demand_without_fit():\n    return {bool(demands)}\n",
            f"{due}2\n",
        ]
    body = emitter.formula(term.body)
    without = f.Any_(tuple(possible_without(d, term) for d in whens)) if demands else f.Always(False)
    granted = [_in_phases(phases, assumed(when, term), emitter, order) for phases, when in demands]
    denied = [_in_phases(phases, assumed(when, term), emitter, order) for phases, when in against]
    known = None not in granted and None not in denied
    text = (
        f"int(({' or '.join(map(str, granted)) or False}) and not ({' or '.join(map(str, denied)) or False}))"
    )
    return [
        f"def fits({python_name(term.var)}, up):\n    return {body}\n",
        f"def demand_without_fit():\n    return {emitter.formula(without)}\n",
        f"{due}{text if known else 2}\n",
    ]


def _in_phases(
    phases: tuple[str, ...], when: f.Formula, emitter: Emitter, order: dict[str, int]
) -> str | None:
    """A condition as text, restricted to phases; None if it asks for more than the state of play."""
    if not free_names(when) <= {"own", "starter"}:
        return None
    text = emitter.formula(when)
    return f"(phase in {tuple(order[x] for x in phases)} and {text})" if phases else text


# ---- phases


def _step(target: c.Target, order: dict[str, int]) -> p.Step:
    origin = target.origin or (None if target.seat == "player" else "given")
    return p.Step(order.get(target.phase, -1), target.seat, origin)


def _phases(
    rules: RuleSet, index: dict[str, int], emitter: Emitter, functions: list[str]
) -> tuple[tuple[p.PhaseInfo, ...], bool]:
    names: dict[
        str, list[tuple[Clause, c.Acts[f.Formula] | c.Otherwise[f.Formula] | c.AtOnce[f.Formula]]]
    ] = {}
    for clause, body in rules.bodies(c.Phase):
        names.setdefault(body.name, []).extend((clause, line) for line in body.lines)
    order = {name: i for i, name in enumerate(names)}
    waits = {name for _, b in rules.bodies(c.Modal) if b.allowed for name in b.phases}
    phases, live, count = [], False, 0
    for name, found in names.items():
        lines = []
        for clause, line in found:
            condition: int | None = None
            if line.when is not None and line.when != f.Always(True):
                condition, count = count, count + 1
                functions.append(_function(f"flow{condition}", "flow", emitter.formula(line.when)))
                passes = all(not isinstance(other, c.Acts) for _, other in found) and name not in waits
                passes = passes and _only_after_melds(name, rules)
                live = live or not _tabulable(line.when, passes)
            match line:
                case c.Acts(actor, verb, then, _):
                    lines.append(
                        p.Line("acts", actor, verb, _step(then, order), condition, index[clause.name])
                    )
                case c.Otherwise(then, _):
                    lines.append(
                        p.Line("otherwise", "player", None, _step(then, order), condition, index[clause.name])
                    )
                case c.AtOnce(then, _):
                    lines.append(
                        p.Line("at_once", "player", None, _step(then, order), condition, index[clause.name])
                    )
        acts = [line for line in lines if line.kind == "acts"]
        ends = any(line.kind == "otherwise" for line in lines)
        bound = next((index[clause.name] for clause, _ in found if clause.code is not None), None)
        phases.append(
            p.PhaseInfo(
                name,
                index[found[0][0].name],
                bound,
                any(line.verb in ("meld", "pass") for line in acts),
                ends and (bool(acts) or name in waits),
                ends and not acts and name not in waits,
                tuple(lines),
            )
        )
    return tuple(phases), live


def _only_after_melds(name: str, rules: RuleSet) -> bool:
    """Whether play comes to a phase by melds alone, the player staying: the table then knows of his hand."""
    targets = [body.then for _, body in rules.bodies(c.Opening)]
    for _, phase in rules.bodies(c.Phase):
        for line in phase.lines:
            if not (isinstance(line, c.Acts) and line.verb == "meld" and line.then.seat == "player"):
                targets.append(line.then)
    return all(target.phase != name for target in targets)


def _tabulable(node: f.Formula, passes: bool) -> bool:
    """Whether the condition asks only for facts that the table of play is keyed by.

    The hand is one of them only where play passes through at once, so that it is still the same player's.
    """
    match node:
        case f.Always() | f.ReadingIs() | f.NextIsFirst():
            return True
        case f.Flag(name):
            return name in ("own", "starter")
        case f.Compare("=" | "!=" | ">", f.PlaceSize(place), f.Number(0)):
            return place == "stock" or passes
        case f.Not(x):
            return _tabulable(x, passes)
        case f.All(xs) | f.Any_(xs):
            return all(_tabulable(x, passes) for x in xs)
        case _:
            return False
