"""`report`: a page about a game."""

from __future__ import annotations

from typing import Annotated

import typer

from conquian.commands.given import known_readings
from conquian.commands.options import Cards, Readings, RulesOption
from conquian.commands.writing import complain, fail, refuse, same_file, write_file
from conquian.tongue import tell


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

    chosen = known_readings(rules, reading)
    try:
        text, status = report_page(
            file, rules=rules, readings=chosen, game=game, cards=cards, as_played=as_played
        )
    except CannotReport as wrong:
        for line in wrong.lines:
            complain(line)
        fail(str(wrong), wrong.hint)
    except BrokenPipeError:
        raise
    except OSError as error:
        from conquian.opening import unreadable

        fail(f"{file}: {unreadable(error)}")
    except Exception as problem:
        refuse(problem)
    if file != "-" and same_file(file, output):
        fail(
            tell("{path}: the page would take the place of its transcript", path=output),
            tell("name another file with -o"),
        )
    write_file(output, text)
    raise typer.Exit(status)
