"""A rule file to its typed rules, with every problem that can be found without playing.

`compile_text` runs all stages; `load` does it for a shipped name or a path and raises `RulesError`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from conquian.language import clauses as c
from conquian.language import formula as f
from conquian.language import names, syntax
from conquian.language import tree as t
from conquian.language.check import check
from conquian.language.codes import CLAUSE_CODES
from conquian.language.problems import Problem, Problems, RulesError, did_you_mean
from conquian.language.rules import Clause, Obligation, Reading, RuleSet
from conquian.language.types import Typer
from conquian.language.words import FUNCTIONS, RESERVED
from conquian.tongue import later

MOMENT_OF: dict[c.Verb, f.Moment] = {
    "meld": "act",
    "arrange": "act",
    "force": "force",
    "discard": "discard",
    "pass": "pass",
    "turn": "turn",
}


def load(name: str) -> RuleSet:
    """The rules of a shipped set, or of the file at a path; RulesError with all problems otherwise."""
    path, text, find = find_text(name)
    rules, found = compile_text(text, path, find)
    if rules is None or any(p.severity == "error" for p in found):
        raise RulesError(name, found)
    return rules


def find_text(name: str) -> tuple[str, str, names.Finder]:
    """Path as shown, text and finder of a rule set; RulesError if there is none or it cannot be read."""
    shipped = names.shipped_text(name)
    if shipped is not None:
        return f"spec/{name}.rules", shipped, names.finder()
    nowhere = t.Span(name, 1, 1, 1, 1)
    looks_like_path = "/" in name or "\\" in name or name.endswith(".rules")
    if not looks_like_path:
        hint = did_you_mean(name, [n for n in names.shipped() if n != "common"])
        hint = hint or later("`conquian spec list` names them")
        problem = Problem("CQ205", later("there is no rule set `{name}`", name=name), nowhere, hint)
        raise RulesError(name, [problem])
    try:
        data = Path(name).read_bytes()
    except (OSError, ValueError) as error:
        from conquian.opening import reason_of

        reason = reason_of(error, later("it cannot be read"))
        raise RulesError(
            name, [Problem("CQ205", later("cannot read the file: {reason}", reason=reason), nowhere)]
        ) from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - (data.rfind(b"\n", 0, error.start) + 1) + 1
        span = t.Span(name, line, column, line, column + 1)
        problem = Problem("CQ101", later("the file is not UTF-8"), span, later("save it as UTF-8"))
        raise RulesError(name, [problem]) from None
    return name, text.replace("\r\n", "\n").replace("\r", "\n"), names.finder(Path(name).parent)


def compile_text(
    text: str, path: str, find: names.Finder | None = None
) -> tuple[RuleSet | None, list[Problem]]:
    """The typed rules of a text, None if it has too little of a rule set, and every problem found."""
    problems = Problems()
    file = syntax.read(text, path, problems)
    merged = names.merge(file, find or names.finder(), problems)
    if merged is None:
        return None, _sorted(problems)
    rules = _typed(merged, problems)
    check(rules, problems, complete=not problems.errors)
    return rules, _sorted(problems)


def _sorted(problems: Problems) -> list[Problem]:
    unique = dict.fromkeys(problems.found)
    return sorted(unique, key=lambda p: (p.span.path, p.span.line, p.span.column, p.code))


def _typed(merged: names.Merged, problems: Problems) -> RuleSet:
    _names_free(merged, problems)
    choices = {name: tuple(w.text for w in item.choices) for name, (item, _) in merged.readings.items()}
    shapes = frozenset(
        item.body.name for item, _ in merged.clauses.values() if isinstance(item.body, c.Shape)
    )
    typer = Typer({n: d for n, (d, _) in merged.defines.items()}, choices, shapes, problems)
    typed = tuple(_clause(item, origin, merged, typer) for item, origin in merged.clauses.values())
    readings = tuple(_reading(name, merged, problems) for name in merged.readings)
    _unused(merged, typer, problems)
    return RuleSet(
        merged.name,
        merged.title,
        merged.playable,
        tuple(merged.lineage),
        tuple(merged.sources.values()),
        typed,
        readings,
        merged.span,
        tuple(
            Obligation(name, item.claim, item.span, origin) for name, (item, origin) in merged.proofs.items()
        ),
        names.once_each(merged.translations, problems),
    )


def _names_free(merged: names.Merged, problems: Problems) -> None:
    """Shapes, definitions, their parameters and choices do not take a word that has a meaning already."""
    taken: list[tuple[str, t.Word]] = []
    shapes: set[str] = set()
    for item, _ in merged.clauses.values():
        if isinstance(item.body, c.Shape):
            shapes.add(item.body.name)
            known = {*FUNCTIONS, *merged.defines}
            taken.extend((word.text, word) for word in item.words if word.text in known)
            if item.body.var in RESERVED:
                taken.append((item.body.var, item.words[0]))
    for define, _ in merged.defines.values():
        words = RESERVED | {*FUNCTIONS, *shapes}
        taken.extend((word.text, word) for word in (define.name,) if word.text in words)
        taken.extend((word.text, word) for word in define.params if word.text in RESERVED)
        names_of = [word.text for word in define.params]
        taken.extend((w.text, w) for i, w in enumerate(define.params) if w.text in names_of[:i])
    for reading, _ in merged.readings.values():
        taken.extend((word.text, word) for word in reading.choices if word.text == "empty")
    for text, word in taken:
        problems.add(
            "CQ204",
            later("`{name}` already has a meaning", name=text),
            word.span,
            later("choose another name"),
        )


def _unused(merged: names.Merged, typer: Typer, problems: Problems) -> None:
    for name, (item, origin) in merged.defines.items():
        if name not in typer.used_defines and origin == merged.name:
            problems.add(
                "CQ209",
                later("nothing uses the definition `{name}`", name=name),
                item.span,
                later("use it in a condition, or leave it out"),
                warning=True,
            )
    for name, (reading, origin) in merged.readings.items():
        if name not in typer.used_readings and origin == merged.name and merged.playable:
            problems.add(
                "CQ209",
                later("no condition asks for the reading `{name}`", name=name),
                reading.span,
                later("write `{name} is …` in a condition", name=name),
                warning=True,
            )


def _cites(name: str, own: tuple[t.Word, ...], merged: names.Merged) -> tuple[str, ...]:
    words = [w.text for w in (*merged.grounds.get(name, ()), *own)]
    return tuple(dict.fromkeys(words))


def _clause(item: t.ClauseItem, origin: str, merged: names.Merged, typer: Typer) -> Clause:
    problems = typer.problems
    cites = _cites(item.name.text, item.cites, merged)
    if not cites and origin == merged.name:
        problems.add(
            "CQ208",
            later("the clause `{name}` cites no source", name=item.name.text),
            item.span,
            later("add `cite` with a passage, or with an id of a source of your own"),
            warning=True,
        )
    code = item.code.text if item.code is not None else None
    if item.code is not None and code not in CLAUSE_CODES and not _house(item.code.text):
        problems.add(
            "CQ305",
            later("`{code}` is no code", code=code),
            item.code.span,
            did_you_mean(item.code.text, sorted(CLAUSE_CODES))
            or later("a code of your own begins with `house.`"),
        )
    body = _body(item, typer)
    code = code or _default_code(item, body, problems)
    return Clause(
        item.name.text,
        item.sentence,
        cites,
        code,
        body,
        item.span,
        origin,
        names.once_each(item.translations, typer.problems),
    )


def _house(code: str) -> bool:
    return code.startswith("house.") and code.count(".") == 1


def _default_code(item: t.ClauseItem, body: c.Body[f.Formula], problems: Problems) -> str | None:
    match body:
        case c.Modal(_, False, verbs) if verbs == ("force",):
            return "no-force-due"
        case c.Modal(_, False):
            problems.add(
                "CQ305",
                later("the prohibition `{name}` gives no code", name=item.name.text),
                item.span,
                later("add `code house.WORD` before the body"),
            )
        case c.Must():
            return "forced"
        case _:
            pass
    return None


def _body(item: t.ClauseItem, typer: Typer) -> c.Body[f.Formula]:
    body = item.body
    match body:
        case c.Shape(name, var, when):
            return c.Shape(name, var, typer.condition(when, "shape", {var: f.CardsVar(var)}))
        case c.Modal(actor, allowed, verbs, phases, when):
            _check_modal(item, body, typer.problems)
            return c.Modal(actor, allowed, verbs, phases, typer.condition(when, MOMENT_OF[verbs[0]]))
        case c.Must(where):
            return c.Must(typer.condition(where, "act"))
        case c.Phase(name, lines):
            return c.Phase(name, tuple(_line(line, typer) for line in lines))
        case c.Wins(when):
            return c.Wins(typer.condition(when, "win"))
        case c.DealerStays(when):
            return c.DealerStays(typer.condition(when, "dealer"))
        case c.Stakes(stakes):
            return c.Stakes(
                tuple(
                    c.Stake(s.kind, s.payer, s.units, s.payee, typer.condition(s.when, "stakes"))
                    for s in stakes
                )
            )
        case (
            c.Deck()
            | c.Order()
            | c.Players()
            | c.Dealing()
            | c.Starter()
            | c.Exchange()
            | c.Goal()
            | c.Opening()
            | c.Cut()
            | c.Session()
        ):
            return body


def _line(
    line: c.Acts[t.Expr] | c.Otherwise[t.Expr] | c.AtOnce[t.Expr], typer: Typer
) -> c.Acts[f.Formula] | c.Otherwise[f.Formula] | c.AtOnce[f.Formula]:
    return c.with_condition(line, typer.condition(line.when, "flow"))


def _check_modal(item: t.ClauseItem, body: c.Modal[t.Expr], problems: Problems) -> None:
    moments = {MOMENT_OF[v] for v in body.verbs}
    if len(moments) > 1:
        problems.add(
            "CQ306",
            later("one clause speaks of one kind of act"),
            item.body_span,
            later("write a clause each; only `meld, arrange` go together"),
        )
    opponent = body.actor == "opponent"
    if opponent != (body.verbs == ("force",)):
        problems.add(
            "CQ306",
            later("a demand is an opponent's, every other act the player's"),
            item.body_span,
            later("write `opponent may force` or `player may meld`"),
        )
    if body.allowed and not body.phases:
        problems.add(
            "CQ306",
            later("a permission names the phases that it is for"),
            item.body_span,
            later("write, say, `opponent may force in declined when …`"),
        )
    if body.allowed and not set(body.verbs) <= {"arrange", "force"}:
        problems.add(
            "CQ306",
            later("`may` grants regrouping and demands; a phase grants the rest"),
            item.body_span,
            later("write a `phase` clause, or `may not`"),
        )


def _reading(name: str, merged: names.Merged, problems: Problems) -> Reading:
    item, origin = merged.readings[name]
    chosen = merged.chosen.get(name)
    default = chosen[0].choice.text if chosen else item.choices[0].text
    said = (
        (chosen[0].because, chosen[0].reasons)
        if chosen and chosen[0].because
        else (item.because, item.reasons)
    )
    because, reasons = said[0] or "", names.once_each(said[1], problems)
    cites = chosen[0].cites if chosen and chosen[0].cites else item.cites
    words = [w.text for w in item.choices]
    for word in {w for w in words if words.count(w) > 1}:
        problems.add("CQ204", later("the choice `{word}` stands twice", word=word), item.span)
    if not because and origin == merged.name:
        problems.add(
            "CQ208",
            later("the reading `{name}` gives no reason for its default", name=name),
            item.span,
            later('add `because "…"`'),
            warning=True,
        )
    ids = _cites(name, cites, merged)
    return Reading(
        name,
        tuple(words),
        default,
        item.question,
        because,
        ids,
        item.span,
        origin,
        chosen[1] if chosen else origin,
        chosen[0].span if chosen else item.span,
        names.once_each(item.translations, problems),
        reasons,
    )


def with_readings(rules: RuleSet, chosen: dict[str, str]) -> RuleSet:
    """The same rules with other defaults; KeyError for a reading, ValueError for a choice it lacks."""
    for name, choice in chosen.items():
        if choice not in rules.reading(name).choices:
            raise ValueError(choice)
    readings = tuple(replace(r, default=chosen.get(r.name, r.default)) for r in rules.readings)
    return replace(rules, readings=readings)


def all_shipped() -> Iterator[RuleSet]:
    """The playable shipped rule sets, by name."""
    for name in names.shipped():
        rules = load(name)
        if rules.playable:
            yield rules
