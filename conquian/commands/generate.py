"""`generate`: random legal games."""

from __future__ import annotations

from typing import Annotated

import typer

from conquian.commands.given import readings_of, rules_named
from conquian.commands.options import Cards, Readings, complete_rules
from conquian.commands.writing import fail, progress, put
from conquian.tongue import tell


def generate(
    rules: Annotated[
        str,
        typer.Option(
            "--rules", help="a rule set's name, or a path to a rules file", autocompletion=complete_rules
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
        fail(tell("--to {to} is not known", to=wanted), tell("known: text, json, jsonl"))
    if wanted != "jsonl" and games != 1:
        fail(tell("several games need --to jsonl"), tell("a text or JSON file holds one game"))
    ruled = rules_named(rules, readings_of(reading))
    bar = progress("games", False, [], games)
    made = generated(ruled.engine, games, seed)
    for game in made if bar is None else bar.along(made):
        text = written(game, wanted, cards)
        if text is None:
            fail(tell("these cards cannot be written in {cards}", cards=cards), tell("leave out --cards"))
        put(text)
    if bar is not None:
        bar.clear()
