"""`spec`: rule sets listed, shown, checked, laid out."""

from __future__ import annotations

from typing import Annotated

import typer

from conquian.commands.given import form_among, readings_of
from conquian.commands.options import CertificateFile, Format, Readings, complete_rules
from conquian.commands.writing import complain, fail, progress, refuse, refuse_rules, say, write_json


def spec_list(form: Format = "text") -> None:
    """The shipped rule sets.

    Example: conquian spec list
    """
    from conquian.sentences import titles

    form_among(form, "text", "json")
    if form == "json":
        write_json([{"name": name, "title": title} for name, title in titles().items()])
        return
    width = max(map(len, titles()))
    for name, title in titles().items():
        print(f"{name:<{width}}  {title}")


def spec_show(
    name: Annotated[
        str,
        typer.Argument(help="a rule set's name, or a path to a rules file", autocompletion=complete_rules),
    ],
    form: Format = "text",
) -> None:
    """The rules of a set as a person would read them.

    Example: conquian spec show mexican
    """
    from conquian.language.build import load
    from conquian.language.problems import RulesError
    from conquian.language.show import as_data, show

    form_among(form, "text", "json")
    try:
        rules = load(name)
    except RulesError as error:
        refuse_rules(error)
    if form == "json":
        write_json(as_data(rules))
    else:
        print(show(rules).rstrip())


def spec_check(
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="NAME…", help="rule sets, or paths to rules files", autocompletion=complete_rules
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

    form_among(form, "text", "json")
    chosen = readings_of(reading)
    try:
        with counting(progress("proofs", True, [], 0)):
            found = check_files(names, chosen, budget, proofs)
        if certificate is not None:
            from conquian.certificate import save
            from conquian.certifying_everywhere import spec_certificate

            save(spec_certificate(names, chosen, budget, found), certificate)
    except CannotAsk as wrong:
        fail(str(wrong), wrong.hint)
    except Exception as problem:
        refuse(problem)
    if form == "json":
        write_json(found.documents)
    else:
        for line in "\n".join(found.lines).split("\n") if found.lines else ():
            say(line)
    raise typer.Exit(found.status)


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
    for line in "\n".join(lines).split("\n") if lines else ():
        complain(line)
    raise typer.Exit(status)
