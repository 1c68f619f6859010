"""`score`: the ledger of a match."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from conquian.commands.given import form_among, known_readings
from conquian.commands.options import Readings, RulesOption
from conquian.commands.writing import colour, complain, fail, progress, put, refuse
from conquian.tongue import tell

if TYPE_CHECKING:
    from collections.abc import Iterator


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

    form_among(form, "text", "json", "jsonl", "csv")
    chosen = known_readings(rules, reading)
    goal = None if match is None else parsed_goal(match)
    if match is not None and goal is None:
        fail(
            tell("--match {match} is no goal of a match", match=match),
            tell("write wins=10, units=100, wins or units"),
        )
    status = 0
    bar = progress("games", False, files)

    def scored() -> Iterator[Scored]:
        nonlocal status
        found = scored_files(files, rules, chosen, goal, as_played)
        for one in found if bar is None else bar.along(found):
            status = max(status, one.status)
            for line in one.complaints:
                if bar is not None:
                    bar.clear()
                complain(line)
            yield one
        if bar is not None:
            bar.clear()

    try:
        for text in written(scored(), form, colour(), as_played):
            put(text)
    except BrokenPipeError:
        raise
    except Exception as problem:
        refuse(problem)
    raise typer.Exit(status)
