"""`validate`: transcripts of real games judged, for people and in the forms that other programs read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from conquian.commands.given import form_among, known_readings, notation_named, steps_of
from conquian.commands.options import Cards, CertificateFile, Limit, Readings, RulesOption, complete_formats
from conquian.commands.writing import (
    colour,
    complain,
    fail,
    progress,
    refuse,
    say,
    write_json,
    write_json_line,
    write_utf8,
)
from conquian.tongue import ENGLISH, speaking, tell

if TYPE_CHECKING:
    from conquian.formats import Writer
    from conquian.verdict import FileVerdict


def validate(
    files: Annotated[list[str], typer.Argument(metavar="FILE…", help="transcripts; `-` for standard input")],
    rules: RulesOption = None,
    reading: Readings = None,
    form: Annotated[
        str,
        typer.Option(
            "--format",
            help="text, json, jsonl, github, sarif or junit",
            autocompletion=complete_formats,
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

    form_among(form, "text", "json", "jsonl", "github", "sarif", "junit")
    chosen = known_readings(rules, reading)
    steps = steps_of(budget) if why or budget is not None else None
    out = _writer(form, differs, example)
    every = form in ("text", "json") if differs is None else differs
    batch = Batch(
        rules,
        chosen,
        every,
        steps if why else None,
        closely=example or why,
        as_played=as_played,
        cards=notation_named(cards),
    )
    if certificate is not None:
        _certify_verdict(files, rules, chosen, batch, certificate)
    status = 0
    codes: dict[Verdict, int] = {"valid": 0, "unfinished": 0, "invalid": 1, "unreadable": 2}
    collected: list[object] = []
    bar = progress("games", form in ("json", "sarif", "junit"), files)
    for path in files:
        try:
            for verdict, sheet, sentences in batch.file(path) if bar is None else bar.along(batch.file(path)):
                status = max(status, codes[verdict.verdict])
                if any(d.verdict == "invalid" for d in verdict.deals):
                    status = max(status, 1)
                if any(v.core is None for d in verdict.deals for v in d.violations):
                    status = max(status, 3)
                if out is not None:
                    write_utf8(out.game(shown(path), verdict, sheet, sentences))
                    continue
                document, more = _asked_more(verdict, sheet, rules, chosen, example, why, steps)
                if form == "json":
                    collected.append(document)
                elif form == "jsonl":
                    write_json_line(document)
                else:
                    _show(verdict, sheet, sentences)
                    for line in more:
                        say(line)
        except BrokenPipeError:
            raise
        except TooManyHands as undecided:
            complain(f"{path}: {undecided}")
            status = 3
            if out is not None:
                write_utf8(out.undecided(shown(path), str(undecided)))
        except OSError as error:
            from conquian.opening import unreadable

            status = max(status, 2)
            document = _unopened(shown(path), unreadable(error))
            for wrong in document.errors:
                complain(f"{path}:1:1: {wrong.code} {wrong.message}")
                complain(tell("hint: {hint}", hint=wrong.hint))
            if out is not None:
                write_utf8(out.game(shown(path), document, None, ()))
            elif form != "text":
                collected.append(document)
                if form == "jsonl":
                    write_json_line(document)
        except Exception as problem:
            refuse(problem)
    if bar is not None:
        bar.clear()
    if form == "json":
        write_json(collected)
    if out is not None:
        write_utf8(out.end(status))
    raise typer.Exit(status)


def _writer(form: str, differs: bool | None, example: bool) -> Writer | None:
    """The writer of a form for other programs, None for text and JSON."""
    if form in ("text", "json", "jsonl"):
        return None
    from conquian.formats import writer

    if differs or example:
        fail(
            tell("--format {form} has no place for what was asked", form=form),
            tell("leave out --differs and --example-deal"),
        )
    return writer(form)


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
        fail(tell("--certificate is of one transcript"), tell("name one file"))
    try:
        why, budget = batch.why is not None, batch.why or BUDGET
        with speaking(ENGLISH):
            found = validate_certificate(files[0], rules, chosen, batch.differs, why, budget)
        save(found, certificate)
    except CannotAsk as wrong:
        fail(str(wrong), wrong.hint)
    except Exception as problem:
        refuse(problem)


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
            say(line)
        return
    for line in verdict_lines(verdict, sheet, colour(), sentences):
        say(line)
