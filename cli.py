"""The command line: arguments in, documents out. Everything else is in the library.

Exit status: 0 nothing illegal found, 1 something illegal or a finding, 2 the command or its input could not
be used, 3 undecided.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer
from typer.core import TyperCommand, TyperOption

from conquian.tongue import ENGLISH, LANGUAGES, language_of, of_locale, speaking, spoken, tell

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from conquian.cards import Notation
    from conquian.formats import Writer
    from conquian.position import Rules
    from conquian.progress import Progress
    from conquian.questions import Answer
    from conquian.verdict import FileVerdict

app = typer.Typer(
    name="conquian",
    help="The rules of Conquian: validate transcripts, ask what is legal, write rules of your own.",
    rich_markup_mode=None,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    epilog="\b\nExample:\n  conquian validate examples/club-evening.cqn",
)
spec = typer.Typer(
    help="Rule sets: list, show, check, format.",
    rich_markup_mode=None,
    no_args_is_help=True,
    epilog="\b\nExample:\n  conquian spec show swedish",
)
app.add_typer(spec, name="spec")


# ---- what a shell completes


def _complete_rules(incomplete: str) -> list[tuple[str, str]]:
    from conquian.completion import rule_sets

    return rule_sets(incomplete)


def _complete_listed(incomplete: str) -> list[tuple[str, str]]:
    from conquian.completion import listed_rule_sets

    return listed_rule_sets(incomplete)


def _complete_compared(incomplete: str) -> list[tuple[str, str]]:
    from conquian.completion import compared

    return compared(incomplete)


def _complete_readings(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    import os

    from conquian.completion import readings_in_shell

    return readings_in_shell(ctx.params.get("rules"), incomplete, os.environ)


def _complete_codes(incomplete: str) -> list[tuple[str, str]]:
    from conquian.completion import codes

    return codes(incomplete)


def _complete_cards(incomplete: str) -> list[str]:
    from conquian.completion import words

    return words(("french", "spanish", "german", "swedish"), incomplete)


def _complete_formats(ctx: typer.Context, incomplete: str) -> list[str]:
    from conquian.completion import words

    judging = ("jsonl", "github", "sarif", "junit") if ctx.info_name == "validate" else ()
    return words(("text", "json", *judging), incomplete)


Format = Annotated[
    str,
    typer.Option(
        "--format",
        help="text, json, or jsonl where several games are read",
        autocompletion=_complete_formats,
    ),
]
RulesOption = Annotated[
    str | None,
    typer.Option(
        "--rules", help="a rule set's name, or a path to a rules file", autocompletion=_complete_rules
    ),
]
Readings = Annotated[
    list[str] | None,
    typer.Option("--reading", help="NAME=CHOICE; can be repeated", autocompletion=_complete_readings),
]
Cards = Annotated[
    str | None,
    typer.Option("--cards", help="french, spanish, german or swedish", autocompletion=_complete_cards),
]
CertificateFile = Annotated[
    str | None,
    typer.Option("--certificate", metavar="FILE", help="write the answer down so that it can be rechecked"),
]
Limit = Annotated[
    int | None, typer.Option("--budget", help="steps before an answer is given up as undecided (exit 3)")
]


# ---- shared by the commands


def _fail(message: str, hint: str = "") -> NoReturn:
    print(f"conquian: {message}", file=sys.stderr)
    if hint:
        print(tell("hint: {hint}", hint=hint), file=sys.stderr)
    raise typer.Exit(2)


class Speaking(TyperCommand):
    """A command with `--lang`. Every command is one."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        option = TyperOption(
            param_decls=["--lang"],
            type=str,
            metavar="LANGUAGE",
            callback=_speak,
            expose_value=False,
            is_eager=True,
            help=f"{', '.join(LANGUAGES)}: the language of messages; left out, the locale's if it is one of them",
        )
        self.params.append(option)


def _speak(context: typer.Context, _parameter: object, wanted: str | None) -> None:
    """Speaks a language until the command has ended."""
    import os

    language = of_locale(os.environ) if wanted is None else language_of(wanted)
    if language is None:
        _fail(
            tell("--lang {wanted} is not known", wanted=wanted),
            tell("known: {known}", known=", ".join(LANGUAGES)),
        )
    tongue = speaking(language)
    tongue.__enter__()
    context.call_on_close(lambda: tongue.__exit__(None, None, None))


def _form(given: str, *known: str) -> str:
    if given not in known:
        _fail(
            tell("--format {given} is not known here", given=given),
            tell("known: {known}", known=", ".join(known)),
        )
    return given


def _readings(pairs: list[str] | None) -> dict[str, str]:
    chosen: dict[str, str] = {}
    for pair in pairs or ():
        name, sign, choice = pair.partition("=")
        if not sign or not name or not choice:
            _fail(
                tell("--reading {pair} is not NAME=CHOICE", pair=pair),
                tell("for example --reading new-meld=any"),
            )
        if chosen.get(name, choice) != choice:
            _fail(tell("--reading gives `{name}` two choices", name=name), tell("name each reading once"))
        chosen[name] = choice
    return chosen


def _notation(cards: str | None) -> Notation | None:
    from conquian.cards import NOTATIONS

    if cards is None:
        return None
    for notation in NOTATIONS:
        if notation == cards:
            return notation
    _fail(
        tell("--cards {cards} is not known", cards=cards),
        tell("known: {known}", known=", ".join(NOTATIONS)),
    )


def _steps(budget: int | None) -> int:
    from conquian.verifier.limits import BUDGET

    if budget is not None and not 1 <= budget < 2**32:
        _fail(
            tell("--budget {budget} is not a number of steps", budget=budget),
            tell("1 or more; left out it is {budget}", budget=BUDGET),
        )
    return BUDGET if budget is None else budget


def _rules(name: str, readings: dict[str, str]) -> Rules:
    """The rules of a name or path; exit status 2 with every problem if they cannot be used."""
    from conquian.engine.engine import UnknownReading
    from conquian.position import load

    try:
        return load(name, readings)
    except UnknownReading as unknown:
        from conquian.findings import did_you_mean

        word = unknown.choice or unknown.reading
        _fail(
            str(unknown),
            did_you_mean(word, unknown.known) or tell("known: {known}", known=", ".join(unknown.known)),
        )
    except ValueError as wrong:
        _fail(str(wrong))
    except Exception as problem:
        from conquian.language.problems import RulesError

        if isinstance(problem, RulesError):
            _problems(problem)
        raise


def _problems(error: Any) -> NoReturn:
    from conquian.language.render import render_problem

    for problem in error.problems:
        print(render_problem(problem), file=sys.stderr)
    raise typer.Exit(2)


def _print(document: object) -> None:
    import msgspec

    sys.stdout.write(msgspec.json.format(msgspec.json.encode(document), indent=2).decode() + "\n")


def _line(document: object) -> None:
    import msgspec

    sys.stdout.write(msgspec.json.encode(document).decode() + "\n")


def _colour() -> bool:
    import os

    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


# ---- validate


@app.command()
def validate(
    files: Annotated[list[str], typer.Argument(metavar="FILE…", help="transcripts; `-` for standard input")],
    rules: RulesOption = None,
    reading: Readings = None,
    form: Annotated[
        str,
        typer.Option(
            "--format",
            help="text, json, jsonl, github, sarif or junit",
            autocompletion=_complete_formats,
        ),
    ] = "text",
    differs: Annotated[
        bool | None,
        typer.Option(
            "--differs/--no-differs", help="judge again under each other reading (on for text, json)"
        ),
    ] = None,
    example: Annotated[
        bool, typer.Option("--example-deal", help="a complete deal that fits what was recorded")
    ] = False,
    why: Annotated[
        bool, typer.Option("--why", help="the smallest set of clauses, or of events, that speaks against it")
    ] = False,
    budget: Limit = None,
    certificate: CertificateFile = None,
    cards: Cards = None,
    as_played: Annotated[
        bool, typer.Option("--as-played", help="take illegal acts as they were played, and judge on")
    ] = False,
) -> None:
    """Judge transcripts of real games, text or JSON.

    --format github writes workflow commands of GitHub Actions, sarif a SARIF 2.1.0 document, junit JUnit XML with a
    case for each deal.

    With --example-deal each deal in JSON gets `example_deal`: hands, starter, stock, and gifts that nobody saw; null if
    no deal fits.

    With --why a violation in JSON gets `core` (passages of the fewest clauses that forbid the event together),
    `clauses` (the same in words), `facts` (places of cards that stand against it), `needs` (the cards that the set
    needs), `but_for` (without any one of these it would be legal) and `checked` (confirmed by exhaustive search);
    or `core` null and `undecided` with the budget, and exit status 3. A deal whose cards cannot all have been where
    they were recorded gets `contradiction`: the fewest `events` and lines (`parts`, with places) that no deal
    satisfies, and the `cards` that it is about.

    Example: conquian validate examples/club-evening.cqn --reading new-meld=any

    Example: conquian validate examples/club-evening.cqn examples/evening.jsonl --format sarif
    """
    from conquian.batch import Batch, shown
    from conquian.engine.residues import TooManyHands
    from conquian.verdict import Verdict

    _form(form, "text", "json", "jsonl", "github", "sarif", "junit")
    chosen = _readings(reading)
    if rules is not None:
        _rules(rules, chosen)
    elif chosen:
        _known_readings(chosen)
    steps = _steps(budget) if why or budget is not None else None
    out = _writer(form, differs, example)
    every = form in ("text", "json") if differs is None else differs
    batch = Batch(
        rules,
        chosen,
        every,
        steps if why else None,
        closely=example or why,
        as_played=as_played,
        cards=_notation(cards),
    )
    if certificate is not None:
        _certify_verdict(files, rules, chosen, batch, certificate)
    status = 0
    codes: dict[Verdict, int] = {"valid": 0, "unfinished": 0, "invalid": 1, "unreadable": 2}
    collected: list[object] = []
    bar = _progress("games", form in ("json", "sarif", "junit"), files)
    for path in files:
        try:
            for verdict, sheet, sentences in batch.file(path) if bar is None else bar.along(batch.file(path)):
                status = max(status, codes[verdict.verdict])
                if any(d.verdict == "invalid" for d in verdict.deals):
                    status = max(status, 1)
                if any(v.core is None for d in verdict.deals for v in d.violations):
                    status = max(status, 3)
                if out is not None:
                    _utf8(out.game(shown(path), verdict, sheet, sentences))
                    continue
                document, more = _asked_more(verdict, sheet, rules, chosen, example, why, steps)
                if form == "json":
                    collected.append(document)
                elif form == "jsonl":
                    _line(document)
                else:
                    _show(verdict, sheet, sentences)
                    for line in more:
                        print(line)
        except BrokenPipeError:
            raise
        except TooManyHands as undecided:
            print(f"{path}: {undecided}", file=sys.stderr)
            status = 3
            if out is not None:
                _utf8(out.undecided(shown(path), str(undecided)))
        except OSError as error:
            reason = error.strerror or tell("cannot be read")
            print(f"{path}:1:1: unreadable {reason}", file=sys.stderr)
            status = max(status, 2)
            document = _unopened(shown(path), reason)
            if out is not None:
                _utf8(out.game(shown(path), document, None, ()))
            elif form != "text":
                collected.append(document)
                if form == "jsonl":
                    _line(document)
        except Exception as problem:
            _refused(problem)
    if bar is not None:
        bar.clear()
    if form == "json":
        _print(collected)
    if out is not None:
        _utf8(out.end(status))
    raise typer.Exit(status)


def _progress(what: str, late: bool, files: list[str], total: int | None = None) -> Progress | None:
    """The line that says how far a long run is, where somebody can see it; of files the games are counted."""
    if not sys.stderr.isatty():
        return None
    from conquian.progress import Progress, games_in, wanted

    if not wanted(late):
        return None
    return Progress(what, games_in(files) if total is None else total)


def _writer(form: str, differs: bool | None, example: bool) -> Writer | None:
    """The writer of a form for other programs, None for text and JSON."""
    if form in ("text", "json", "jsonl"):
        return None
    from conquian.formats import writer

    if differs or example:
        _fail(f"--format {form} has no place for what was asked", "leave out --differs and --example-deal")
    return writer(form)


def _utf8(text: str) -> None:
    """Writes a form that has to be UTF-8 whatever the terminal's encoding."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode("utf-8", "replace"))
    sys.stdout.buffer.flush()


def _asked_more(
    verdict: Any,
    sheet: Any,
    rules: str | None,
    chosen: dict[str, str],
    example: bool,
    why: bool,
    steps: int | None,
) -> tuple[object, list[str]]:
    """A verdict as a document with what --example-deal and --why add to its deals, and the lines of that."""
    if sheet is None or not (example or why):
        return verdict, []
    import msgspec

    from conquian.hidden import told

    document = msgspec.to_builtins(verdict)
    lines: list[str] = []
    asked = (
        told(sheet, rules, chosen, example, why)
        if steps is None
        else told(sheet, rules, chosen, example, why, steps)
    )
    for deal, more in zip(document["deals"], asked, strict=False):
        deal.update(more.document)
        lines.extend(
            "  " + tell("deal {number}: {said}", number=deal["number"], said=line) for line in more.lines[:1]
        )
        lines.extend(f"  {line}" for line in more.lines[1:])
    return document, lines


def _certify_verdict(
    files: list[str], rules: str | None, chosen: dict[str, str], batch: Any, certificate: str
) -> None:
    from conquian.certificate import save
    from conquian.certifying import validate_certificate
    from conquian.questions import CannotAsk
    from conquian.verifier.limits import BUDGET

    if len(files) != 1 or files[0] == "-":
        _fail(tell("--certificate is of one transcript"), tell("name one file"))
    try:
        why, budget = batch.why is not None, batch.why or BUDGET
        with speaking(ENGLISH):
            found = validate_certificate(files[0], rules, chosen, batch.differs, why, budget)
        save(found, certificate)
    except CannotAsk as wrong:
        _fail(str(wrong), wrong.hint)
    except Exception as problem:
        _refused(problem)


def _refused(problem: Exception) -> NoReturn:
    from conquian.engine.engine import UnknownReading
    from conquian.engine.residues import TooManyHands
    from conquian.language.problems import RulesError

    if isinstance(problem, RulesError):
        _problems(problem)
    if isinstance(problem, UnknownReading):
        _fail(str(problem), tell("known: {known}", known=", ".join(problem.known)))
    if isinstance(problem, ValueError):
        _fail(str(problem))
    if isinstance(problem, TooManyHands):
        print(f"conquian: {problem}", file=sys.stderr)
        raise typer.Exit(3)
    raise problem


def _known_readings(chosen: dict[str, str]) -> None:
    """Refuses a reading that no shipped rule set has, before any file is read."""
    from conquian.engine.sets import rule_sets

    _rules(rule_sets()[0], chosen)


def _unopened(path: str, reason: str) -> FileVerdict:
    from conquian.verdict import Error, FileVerdict

    error = Error(
        code="cannot-open", line=1, column=1, message=reason, hint=tell("check the name of the file")
    )
    return FileVerdict(file=path, rules=None, verdict="unreadable", deals=(), errors=(error,))


def _show(verdict: Any, sheet: Any, sentences: Any) -> None:
    from conquian.render import plain_lines, verdict_lines

    if sheet is None:
        for line in plain_lines(verdict):
            print(line)
        return
    for line in verdict_lines(verdict, sheet, _colour(), sentences):
        print(line)


# ---- legal


@app.command()
def legal(
    rules: RulesOption = None,
    reading: Readings = None,
    up: Annotated[str | None, typer.Option(help="the card on offer")] = None,
    table: Annotated[str | None, typer.Option(help="the holder's melds: `M, M`")] = None,
    hand: Annotated[str | None, typer.Option(help="the holder's hand: `C C`; left out: unknown")] = None,
    opponent_table: Annotated[
        str | None, typer.Option("--opponent-table", help="the opponent's melds")
    ] = None,
    stock: Annotated[int | None, typer.Option(help="cards left in the stock")] = None,
    turned_by: Annotated[str | None, typer.Option("--turned-by", help="me or opponent")] = None,
    declined: Annotated[bool, typer.Option("--declined", help="the holder has just passed")] = False,
    position: Annotated[str | None, typer.Option(help="a position as JSON; `-` for standard input")] = None,
    at: Annotated[
        str | None, typer.Option(help="FILE:LINE[:COLUMN] or FILE#DEAL@EVENT of a transcript")
    ] = None,
    meld: Annotated[str | None, typer.Option(help="is this meld legal: `M, M`")] = None,
    count: Annotated[bool, typer.Option("--count", help="only count the legal melds")] = False,
    limit: Annotated[int | None, typer.Option(help="list at most so many")] = None,
    event: Annotated[
        str | None, typer.Option("--event", help="is this event legal, as a transcript tells it")
    ] = None,
    why: Annotated[
        bool, typer.Option("--why", help="the smallest set of clauses that forbids it; with --at, that event")
    ] = False,
    budget: Limit = None,
    certificate: CertificateFile = None,
    cards: Cards = None,
    form: Format = "text",
) -> None:
    """Is this meld legal, and if not why; or all legal melds of a position.

    With --why the JSON gets `core` (passages of the fewest clauses that forbid it together), `clauses` (the same in
    words), `facts` (places of cards that stand against it), `needs` (the cards that the set needs), `but_for`
    (without any one of these it would be legal) and `checked`; or `core` null and `undecided`, and exit status 3.

    Example: conquian legal --rules swedish --up 7h --table "5s 6s 7s" --hand "4s 7d" --meld "7s 7h 7d, 4s 5s 6s"
    """
    from conquian import asked

    _form(form, "text", "json")
    try:
        question = asked.question(
            rules=rules,
            readings=_readings(reading),
            up=up,
            table=table,
            hand=hand,
            opponent_table=opponent_table,
            stock=stock,
            turned_by=turned_by,
            declined=declined,
            position=position,
            at=at,
            cards=cards,
        )
        answer = asked.legal(
            question, meld, count, limit, why, rules or "", event=event, budget=_steps(budget)
        )
        if certificate is not None:
            from conquian.certificate import save
            from conquian.certifying import legal_certificate

            steps, language = _steps(budget), spoken()
            with speaking(ENGLISH):
                said = answer
                if language != ENGLISH:
                    said = asked.legal(
                        question, meld, count, limit, why, rules or "", event=event, budget=steps
                    )
                found = legal_certificate(question, rules, (meld, event), count, limit, why, steps, said)
            save(found, certificate)
    except asked.CannotAsk as wrong:
        _fail(str(wrong), wrong.hint)
    except Exception as problem:
        _refused(problem)
    if form == "json":
        _print(answer.document)
    else:
        for line in answer.lines:
            print(line)
    raise typer.Exit(answer.status)


# ---- force, outs, settle

Up = Annotated[str | None, typer.Option("--up", help="the card on offer")]
Table = Annotated[str | None, typer.Option("--table", help="the holder's melds: `M, M`")]
Hand = Annotated[str | None, typer.Option("--hand", help="the holder's hand: `C C`; left out: unknown")]
OpponentTable = Annotated[str | None, typer.Option("--opponent-table", help="the opponent's melds")]
Stock = Annotated[int | None, typer.Option("--stock", help="cards left in the stock")]
TurnedBy = Annotated[str | None, typer.Option("--turned-by", help="me or opponent")]
Declined = Annotated[bool, typer.Option("--declined", help="the holder has just passed")]
PositionFile = Annotated[
    str | None, typer.Option("--position", help="a position as JSON; `-` for standard input")
]
At = Annotated[str | None, typer.Option("--at", help="FILE:LINE[:COLUMN] or FILE#DEAL@EVENT of a transcript")]


def _answered(form: str, ask: Callable[[], Answer]) -> NoReturn:
    """Prints the answer to a question; exit status 2 for one that cannot be asked."""
    from conquian.questions import CannotAsk

    try:
        answer = ask()
    except CannotAsk as wrong:
        _fail(str(wrong), wrong.hint)
    except Exception as problem:
        _refused(problem)
    if form == "json":
        _print(answer.document)
    else:
        for line in answer.lines:
            print(line)
    raise typer.Exit(answer.status)


@app.command()
def force(
    rules: RulesOption = None,
    reading: Readings = None,
    up: Up = None,
    table: Table = None,
    hand: Hand = None,
    opponent_table: OpponentTable = None,
    stock: Stock = None,
    turned_by: TurnedBy = None,
    declined: Declined = False,
    position: PositionFile = None,
    at: At = None,
    prove: Annotated[
        bool, typer.Option("--prove", help="add the proof: a layout, or the fewest clauses that rule it out")
    ] = False,
    budget: Limit = None,
    certificate: CertificateFile = None,
    cards: Cards = None,
    form: Format = "text",
) -> None:
    """Can this card be forced, and what would follow.

    With --prove the JSON gets `proof`. Of a yes: `demand` (the clause that permits it), `layout` (the table with the
    card), `follows` (by card thrown, the cards that win at once and the pairs that win in turn). Of a no: `core`,
    `clauses`, `facts`, `needs`, `but_for`, as `legal --why` has them. Of an unknown: `missing`, each part with a
    completion for either answer. `checked` says by what. What the budget does not decide is `undecided`, exit 3.

    Example: conquian force --rules swedish --up Kh --table "3c 3d 3h 3s, 6h 7h Jh Qh" --hand "Ah Ad"
    """
    from conquian.forcing import force as answer
    from conquian.questions import question

    _form(form, "text", "json")
    chosen = _readings(reading)

    def ask() -> Answer:
        asked = question(
            rules=rules,
            readings=chosen,
            up=up,
            table=table,
            hand=hand,
            opponent_table=opponent_table,
            stock=stock,
            turned_by=turned_by,
            declined=declined,
            position=position,
            at=at,
            cards=cards,
        )
        found = answer(asked, prove, _steps(budget), rules or "")
        if certificate is not None:
            from conquian.certificate import save
            from conquian.certifying import force_certificate

            steps, language = _steps(budget), spoken()
            with speaking(ENGLISH):
                said = found if language == ENGLISH else answer(asked, prove, steps, rules or "")
                certified = force_certificate(asked, rules, prove, steps, said)
            save(certified, certificate)
        return found

    _answered(form, ask)


@app.command()
def outs(
    rules: RulesOption = None,
    reading: Readings = None,
    up: Up = None,
    table: Table = None,
    hand: Hand = None,
    opponent_table: OpponentTable = None,
    stock: Stock = None,
    turned_by: TurnedBy = None,
    position: PositionFile = None,
    at: At = None,
    depth: Annotated[int, typer.Option("--depth", help="1: cards that win at once; 2: pairs")] = 1,
    budget: Annotated[
        int | None, typer.Option("--budget", help="look at no more than so many tables; exit 3 beyond")
    ] = None,
    cards: Cards = None,
    form: Format = "text",
) -> None:
    """Which cards, put on offer to the player, win at once; or which two in turn.

    Example: conquian outs --rules swedish --table "3c 3d 3h 3s, 6h 7h Jh Qh" --hand "Ah Ad"
    """
    from conquian.outs import BUDGET
    from conquian.outs import outs as answer
    from conquian.questions import question

    _form(form, "text", "json")
    chosen = _readings(reading)
    _answered(
        form,
        lambda: answer(
            question(
                rules=rules,
                readings=chosen,
                up=up,
                table=table,
                hand=hand,
                opponent_table=opponent_table,
                stock=stock,
                turned_by=turned_by,
                declined=False,
                position=position,
                at=at,
                cards=cards,
                offer=False,
            ),
            depth,
            BUDGET if budget is None else budget,
        ),
    )


@app.command()
def infer(
    file: Annotated[
        str | None, typer.Argument(metavar="FILE", help="a transcript; `-` for standard input")
    ] = None,
    at: Annotated[
        str | None,
        typer.Option("--at", help="FILE:LINE[:COLUMN] or FILE#DEAL@EVENT; left out: after the last event"),
    ] = None,
    rules: RulesOption = None,
    reading: Readings = None,
    so_far: Annotated[
        bool, typer.Option("--so-far", help="use only what was recorded up to that moment")
    ] = False,
    cards: Cards = None,
    form: Format = "text",
) -> None:
    """Which cards each player certainly held, may have held and cannot have held.

    Just before the place that --at names, by everything that is recorded: a card that comes from a hand later was in
    it before. The JSON has for each player `held` (how many cards), `certain` (a card once a copy), `possible` (further
    cards, each once; with several packs `at_most` says how many) and `cannot`.

    Example: conquian infer --at examples/unrecorded-hands.cqn:17
    """
    from conquian.inferring import infer as answer
    from conquian.questions import notation_of

    _form(form, "text", "json")
    chosen = _readings(reading)
    _answered(form, lambda: answer(file, at, rules, chosen, notation_of(cards) if cards else None, so_far))


@app.command()
def settle(
    rules: Annotated[
        str | None,
        typer.Option(
            "--rules",
            help="NAME,NAME,…, or paths; left out: every shipped set",
            autocompletion=_complete_listed,
        ),
    ] = None,
    reading: Readings = None,
    up: Up = None,
    table: Table = None,
    hand: Hand = None,
    opponent_table: OpponentTable = None,
    stock: Stock = None,
    turned_by: TurnedBy = None,
    declined: Declined = False,
    position: PositionFile = None,
    at: At = None,
    meld: Annotated[str | None, typer.Option("--meld", help="the disputed meld: `M, M`")] = None,
    event: Annotated[
        str | None, typer.Option("--event", help="the disputed event, as a transcript tells it")
    ] = None,
    cards: Cards = None,
    form: Format = "text",
) -> None:
    """One disputed event under every rule set, and what the players have to agree on.

    Example: conquian settle --up 7h --table "5s 6s 7s" --hand "4s 7d" --event "Ana melds 7s 7h 7d, 4s 5s 6s"
    """
    from conquian import questions, settling

    _form(form, "text", "json")
    chosen = _readings(reading)
    sets = rules.split(",") if rules is not None else None

    def answer() -> Answer:
        from conquian.engine.sets import rule_sets

        names = rule_sets() if sets is None else [name.strip() for name in sets]
        if not all(names):
            text = "--rules names no rule set" if not any(names) else "--rules leaves a name out"
            raise questions.CannotAsk(text, "write NAME,NAME; `conquian spec list` names them")
        if at is not None:
            options = (up, table, hand, opponent_table, stock, turned_by, position)
            if declined or any(x is not None for x in options):
                raise questions.twice()
            asked = settling.recorded(at, names, chosen, questions.notation_of(cards) if cards else None)
            return settling.settle_recorded(asked, names, chosen, event, meld)
        _, said, parts = questions.given(
            rules=names[0],
            readings=chosen,
            up=up,
            table=table,
            hand=hand,
            opponent_table=opponent_table,
            stock=stock,
            turned_by=turned_by,
            declined=declined,
            position=position,
            cards=cards,
        )
        return settling.settle_given(parts, names, said, event, meld)

    _answered(form, answer)


@app.command()
def diff(
    a: Annotated[
        str,
        typer.Argument(
            metavar="A", help="NAME?READING=CHOICE&…; NAME can be a path", autocompletion=_complete_compared
        ),
    ],
    b: Annotated[
        str,
        typer.Argument(metavar="B", help="the other, in the same form", autocompletion=_complete_compared),
    ],
    exit_code: Annotated[bool, typer.Option("--exit-code", help="exit 1 if the two differ")] = False,
    budget: Annotated[
        int | None, typer.Option("--budget", help="what the solver may spend on a question; exit 3 beyond")
    ] = None,
    certificate: CertificateFile = None,
    cards: Cards = None,
    form: Format = "text",
) -> None:
    """Where two rule sets, or one set under two readings, differ: the smallest position for each clause.

    What no position of play can show (dealing, stakes, seats) is told by what each side says; in JSON its `allows` is
    null, and `none-up-to` means up to the whole pack. `smallest` false: a smaller position was not ruled out.

    Example: conquian diff swedish "swedish?new-meld=any"
    """
    from conquian import differing, questions
    from conquian.progress import counting

    _form(form, "text", "json")

    def ask() -> Answer:
        notation = questions.notation_of(cards or "french")
        # A certificate is in English, and so is the comparison that it is of: nothing is compared twice.
        bar = counting(_progress("steps", True, [], 0))
        with speaking(spoken() if certificate is None else ENGLISH), bar:
            found, answer = differing.diff(a, b, budget, exit_code, notation)
        if certificate is not None:
            from conquian.certificate import save
            from conquian.certifying_everywhere import diff_certificate

            save(diff_certificate(found, budget, answer), certificate)
        return answer

    _answered(form, ask)


@app.command("recheck")
def recheck_(
    file: Annotated[
        str, typer.Argument(metavar="CERTIFICATE", help="what --certificate wrote; `-` for standard input")
    ],
    form: Format = "text",
) -> None:
    """Decide an answer again from its certificate, without the solver.

    Example: conquian force --rules swedish --up Kh --table "6h 7h Jh Qh" --hand "Ah Ad" --certificate kh.json

    Example: conquian recheck kh.json
    """
    from conquian.rechecking import recheck

    _form(form, "text", "json")
    with speaking(ENGLISH):  # a certificate is in English whoever wrote it, and so is what is said of it
        _answered(form, lambda: recheck(file))


# ---- convert, generate, schema, explain


@app.command()
def convert(
    file: Annotated[str, typer.Argument(metavar="FILE", help="a transcript; `-` for standard input")],
    to: Annotated[str, typer.Option("--to", help="text, json or jsonl")] = "text",
    cards: Cards = None,
) -> None:
    """Write a transcript in another form or card notation. Nothing is lost, or nothing is written.

    Example: conquian convert examples/club-evening.cqn --to json
    """
    from conquian.asked import convert_file

    if to not in ("text", "json", "jsonl"):
        _fail(tell("--to {to} is not known", to=to), tell("known: text, json, jsonl"))
    if cards not in (None, "french", "spanish", "german", "swedish"):
        _fail(
            tell("--cards {cards} is not known", cards=cards), tell("known: french, spanish, german, swedish")
        )
    try:
        written, refusals = convert_file(file, to, cards)
    except OSError as error:
        reason = error.strerror or tell("cannot be read")
        _fail(f"{file}: {reason}")
    if refusals:
        for line in refusals:
            print(line, file=sys.stderr)
        raise typer.Exit(2)
    sys.stdout.write(written)


@app.command()
def generate(
    rules: Annotated[
        str,
        typer.Option(
            "--rules", help="a rule set's name, or a path to a rules file", autocompletion=_complete_rules
        ),
    ],
    games: Annotated[int, typer.Option("--games", min=0, help="how many games")] = 1,
    seed: Annotated[int, typer.Option("--seed", help="same seed, same games")] = 0,
    reading: Readings = None,
    to: Annotated[str, typer.Option("--to", help="text, json or jsonl")] = "",
    form: Annotated[str, typer.Option("--format", help="cqn or jsonl; as --to")] = "",
    cards: Cards = None,
) -> None:
    """Random legal games that use the whole of the rules.

    Example: conquian generate --rules classic --games 100 --seed 7 --to jsonl
    """
    from conquian.generate import games as generated
    from conquian.generate import written

    wanted = to or {"cqn": "text", "": "text"}.get(form, form)
    if wanted not in ("text", "json", "jsonl"):
        _fail(tell("--to {to} is not known", to=wanted), tell("known: text, json, jsonl"))
    if wanted != "jsonl" and games != 1:
        _fail(tell("several games need --to jsonl"), tell("a text or JSON file holds one game"))
    ruled = _rules(rules, _readings(reading))
    bar = _progress("games", False, [], games)
    made = generated(ruled.engine, games, seed)
    for game in made if bar is None else bar.along(made):
        text = written(game, wanted, cards)
        if text is None:
            _fail(tell("these cards cannot be written in {cards}", cards=cards), tell("leave out --cards"))
        sys.stdout.write(text)
    if bar is not None:
        bar.clear()


@app.command()
def score(
    files: Annotated[list[str], typer.Argument(metavar="FILE…", help="transcripts; `-` for standard input")],
    rules: RulesOption = None,
    reading: Readings = None,
    match: Annotated[
        str | None,
        typer.Option("--match", help="wins=N or units=N; wins or units alone: as the rules name it"),
    ] = None,
    form: Annotated[str, typer.Option("--format", help="text, json, jsonl or csv")] = "text",
    as_played: Annotated[
        bool,
        typer.Option("--as-played", help="count deals in which an illegal act stood as they were played"),
    ] = False,
) -> None:
    """The ledger of a match, deal by deal: units, pot, wins, who deals next, whether it is over.

    Example: conquian score examples/session.cqn --match wins
    """
    from conquian.score_text import written
    from conquian.scoring import scored_files
    from conquian.standings import Scored, parsed_goal

    _form(form, "text", "json", "jsonl", "csv")
    chosen = _readings(reading)
    if rules is not None:
        _rules(rules, chosen)
    elif chosen:
        _known_readings(chosen)
    goal = None if match is None else parsed_goal(match)
    if match is not None and goal is None:
        _fail(
            tell("--match {match} is no goal of a match", match=match),
            tell("write wins=10, units=100, wins or units"),
        )
    status = 0
    bar = _progress("games", False, files)

    def scored() -> Iterator[Scored]:
        nonlocal status
        found = scored_files(files, rules, chosen, goal, as_played)
        for one in found if bar is None else bar.along(found):
            status = max(status, one.status)
            for line in one.complaints:
                if bar is not None:
                    bar.clear()
                print(line, file=sys.stderr)
            yield one
        if bar is not None:
            bar.clear()

    try:
        for text in written(scored(), form, _colour(), as_played):
            sys.stdout.write(text)
    except BrokenPipeError:
        raise
    except Exception as problem:
        _refused(problem)
    raise typer.Exit(status)


# ---- show, report


@app.command()
def show(
    rules: RulesOption = None,
    reading: Readings = None,
    up: Up = None,
    table: Table = None,
    hand: Hand = None,
    opponent_table: OpponentTable = None,
    stock: Stock = None,
    turned_by: TurnedBy = None,
    declined: Declined = False,
    position: PositionFile = None,
    at: At = None,
    meld: Annotated[str | None, typer.Option("--meld", help="draw the table that this meld leaves")] = None,
    svg: Annotated[
        str | None, typer.Option("--svg", metavar="FILE", help="write an SVG picture; `-` to standard output")
    ] = None,
    ascii_only: Annotated[bool, typer.Option("--ascii", help="draw with ASCII characters alone")] = False,
    cards: Cards = None,
    form: Format = "text",
) -> None:
    """Draw a position: tables, hands, stock, the card on offer, where it can be forced, what was borrowed.

    Example: conquian show --rules swedish --up Kh --table "6h 7h Jh Qh" --hand "Ah Ad" --svg table.svg
    """
    from conquian.cards import showing
    from conquian.pictures.showing import NotLegal, scene_asked
    from conquian.questions import CannotAsk, question

    _form(form, "text", "json")
    only = ascii_only or not (sys.stdout.encoding or "").lower().startswith("utf")
    try:
        asked = question(
            rules=rules,
            readings=_readings(reading),
            up=up,
            table=table,
            hand=hand,
            opponent_table=opponent_table,
            stock=stock,
            turned_by=turned_by,
            declined=declined,
            position=position,
            at=at,
            cards=cards,
            offer=declined or turned_by is not None,
        )
        with showing(asked.notation, signs=not only):
            scene = scene_asked(asked, meld)
    except CannotAsk as wrong:
        _fail(str(wrong), wrong.hint)
    except NotLegal as wrong:
        print(tell("not legal: {reason}", reason=wrong), file=sys.stderr)
        raise typer.Exit(1) from None
    except Exception as problem:
        _refused(problem)
    if svg is not None:
        from conquian.pictures.svg import svg as drawn

        _written(svg, drawn(scene))
    if form == "json":
        _print(scene)
    elif svg is None:
        from conquian.pictures.terminal import WIDE, terminal

        for line in terminal(scene, ascii_only=only, colour=_colour(), width=_columns(WIDE)):
            print(line)


@app.command()
def report(
    file: Annotated[str, typer.Argument(metavar="FILE", help="a transcript; `-` for standard input")],
    output: Annotated[
        str, typer.Option("-o", "--output", metavar="FILE", help="the page; `-` is standard output")
    ] = "-",
    rules: RulesOption = None,
    reading: Readings = None,
    game: Annotated[
        int | None, typer.Option("--game", min=1, help="which game of a file that holds several")
    ] = None,
    cards: Cards = None,
    as_played: Annotated[
        bool,
        typer.Option(
            "--as-played/--first-violation",
            help="go on after an illegal act as it was played, or end a deal with its first violation",
        ),
    ] = True,
) -> None:
    """A page about a game: every event in pictures, the verdict where it falls, and the ledger.

    Example: conquian report examples/club-evening.cqn -o game.html
    """
    from conquian.pictures.reporting import CannotReport, report_page

    chosen = _readings(reading)
    if rules is not None:
        _rules(rules, chosen)
    elif chosen:
        _known_readings(chosen)
    try:
        text, status = report_page(
            file, rules=rules, readings=chosen, game=game, cards=cards, as_played=as_played
        )
    except CannotReport as wrong:
        for line in wrong.lines:
            print(line, file=sys.stderr)
        _fail(str(wrong), wrong.hint)
    except BrokenPipeError:
        raise
    except OSError as error:
        _fail(f"{file}: {error.strerror or tell('cannot be read')}")
    except Exception as problem:
        _refused(problem)
    if file != "-" and _same_file(file, output):
        _fail(f"{output}: the page would take the place of its transcript", "name another file with -o")
    _written(output, text)
    raise typer.Exit(status)


@app.command()
def book(
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="NAME…", help="one rule set or two: NAME?READING=CHOICE&…; NAME can be a path"
        ),
    ],
    output: Annotated[
        str, typer.Option("-o", "--output", metavar="FILE", help="the book; `-` is standard output")
    ] = "-",
    reading: Readings = None,
    budget: Limit = None,
    cards: Cards = None,
    form: Annotated[
        str | None,
        typer.Option("--format", help="html or md; left out, the file's ending says it, else html"),
    ] = None,
) -> None:
    """The rule book of a set, or of two side by side: every clause with source, formula, readings and a picture.

    Example: conquian book swedish classic -o rules.html
    """
    from conquian.book.booking import book_text, form_of
    from conquian.questions import CannotAsk

    chosen = _readings(reading)
    try:
        text = book_text(names, readings=chosen, form=form_of(form, output), cards=cards, budget=budget)
    except CannotAsk as wrong:
        _fail(str(wrong), wrong.hint)
    except Exception as problem:
        _refused(problem)
    if any(_same_file(name, output) for name in names if output != "-"):
        _fail(f"{output}: the book would take the place of its rules", "name another file with -o")
    _written(output, text)


def _same_file(one: str, other: str) -> bool:
    import os

    return os.path.exists(one) and os.path.exists(other) and os.path.samefile(one, other)


def _columns(otherwise: int) -> int:
    """How wide the terminal is; where there is none, always the same."""
    import shutil

    return shutil.get_terminal_size().columns if sys.stdout.isatty() else otherwise


def _written(path: str, text: str) -> None:
    """Writes a whole file; exit status 2 if it cannot be."""
    from conquian.pictures.writing import write_whole

    try:
        write_whole(path, text)
    except BrokenPipeError:
        raise
    except OSError as error:
        _fail(f"{path}: {error.strerror or 'cannot be written'}")


@app.command()
def schema() -> None:
    """The JSON Schema of transcripts.

    Example: conquian schema
    """
    from conquian.transcript.schema import schema as document

    _print(document())


@app.command()
def explain(
    code: Annotated[str, typer.Argument(help="a code, as CQ305 or new-meld", autocompletion=_complete_codes)],
) -> None:
    """The page of a code: what it means, with examples.

    Example: conquian explain CQ305
    """
    from conquian.language.pages import codes, page

    text = page(code)
    if text is None:
        from conquian.findings import did_you_mean

        _fail(
            tell("there is no code `{code}`", code=code),
            did_you_mean(code, codes()) or tell("`conquian spec check` names codes"),
        )
    print(text.rstrip())


# ---- spec


@spec.command("list")
def spec_list(form: Format = "text") -> None:
    """The shipped rule sets.

    Example: conquian spec list
    """
    from conquian.engine.sets import titles

    _form(form, "text", "json")
    if form == "json":
        _print([{"name": name, "title": title} for name, title in titles().items()])
        return
    width = max(map(len, titles()))
    for name, title in titles().items():
        print(f"{name:<{width}}  {title}")


@spec.command("show")
def spec_show(
    name: Annotated[
        str,
        typer.Argument(help="a rule set's name, or a path to a rules file", autocompletion=_complete_rules),
    ],
    form: Format = "text",
) -> None:
    """The rules of a set as a person would read them.

    Example: conquian spec show mexican
    """
    from conquian.language.build import load
    from conquian.language.problems import RulesError
    from conquian.language.show import as_data, show

    _form(form, "text", "json")
    try:
        rules = load(name)
    except RulesError as error:
        _problems(error)
    if form == "json":
        _print(as_data(rules))
    else:
        print(show(rules).rstrip())


@spec.command("check")
def spec_check(
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="NAME…", help="rule sets, or paths to rules files", autocompletion=_complete_rules
        ),
    ],
    reading: Readings = None,
    budget: Annotated[
        int | None, typer.Option("--budget", min=1, help="steps of the solver for one question")
    ] = None,
    proofs: Annotated[
        bool, typer.Option("--proofs/--no-proofs", help="prove what the rule set asks to have proved")
    ] = True,
    certificate: CertificateFile = None,
    form: Format = "text",
) -> None:
    """Check rule files: syntax, names, sources, types, whether play can go on; then prove their obligations.

    Example: conquian spec check examples/house-rules/thursday-club.rules

    Example: conquian spec check --no-proofs twice-around --reading discard-after-meld=yes
    """
    from conquian.language.checking import check_files
    from conquian.progress import counting
    from conquian.questions import CannotAsk

    _form(form, "text", "json")
    chosen = _readings(reading)
    try:
        bar = counting(_progress("proofs", True, [], 0))
        with speaking(ENGLISH), bar:  # findings and proofs are for authors of rules
            found = check_files(names, chosen, budget, proofs)
        if certificate is not None:
            from conquian.certificate import save
            from conquian.certifying_everywhere import spec_certificate

            save(spec_certificate(names, chosen, budget, found), certificate)
    except CannotAsk as wrong:
        _fail(str(wrong), wrong.hint)
    except Exception as problem:
        _refused(problem)
    if form == "json":
        _print(found.documents)
    else:
        for line in found.lines:
            print(line)
    raise typer.Exit(found.status)


@spec.command("fmt")
def spec_fmt(
    files: Annotated[list[str], typer.Argument(metavar="FILE…", help="rules files; `-` for standard input")],
    check: Annotated[
        bool, typer.Option("--check", help="write nothing; exit 1 if a file would change")
    ] = False,
) -> None:
    """Put rule files into their canonical layout.

    Example: conquian spec fmt --check examples/house-rules/thursday-club.rules
    """
    from conquian.language.checking import format_files

    lines, status = format_files(files, check)
    for line in lines:
        print(line, file=sys.stderr)
    raise typer.Exit(status)


def _version(wanted: bool) -> None:
    if wanted:
        from conquian import __version__

        print(f"conquian {__version__}")
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="show the version")
    ] = False,
) -> None:
    """The rules of Conquian: validate transcripts, ask what is legal, write rules of your own."""


for _command in (*app.registered_commands, *spec.registered_commands):
    _command.cls = Speaking


def _called(command: Any) -> str:
    return str(command.name or getattr(command.callback, "__name__", ""))


def _examples_last(commands: Iterable[Any]) -> None:
    """Moves what stands behind `Example:` in the words of a command to the end of its help, where it is not wrapped."""
    for command in commands:
        text, *examples = (command.callback.__doc__ or "").split("\n    Example: ")
        if examples and command.epilog is None:
            command.help = text
            lines = "".join(f"\n  {' '.join(example.split())}" for example in examples)
            command.epilog = f"\b\nExample{'s' if len(examples) > 1 else ''}:{lines}"


_examples_last((*app.registered_commands, *spec.registered_commands))


def run() -> None:
    """The program `conquian`."""
    import os

    # Typer takes every command apart before it runs one; only the one that is called need be.
    called = sys.argv[1] if len(sys.argv) > 1 else ""
    if "_CONQUIAN_COMPLETE" in os.environ:
        from conquian.completion import split_reading

        split_reading(os.environ)
    elif any(_called(command) == called for command in app.registered_commands):
        app.registered_commands = [c for c in app.registered_commands if _called(c) == called]
        app.registered_groups = []
    if os.environ.get("NO_COLOR"):
        app.info.context_settings = {"color": False}
    try:
        app()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(2) from None


if __name__ == "__main__":
    run()
