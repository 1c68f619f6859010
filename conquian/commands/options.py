"""Options that several commands have, each said once, and what a shell completes of them."""

from __future__ import annotations

from typing import Annotated

import typer


def complete_rules(incomplete: str) -> list[tuple[str, str]]:
    from conquian.completion import rule_sets

    return rule_sets(incomplete)


def complete_listed(incomplete: str) -> list[tuple[str, str]]:
    from conquian.completion import listed_rule_sets

    return listed_rule_sets(incomplete)


def complete_compared(incomplete: str) -> list[tuple[str, str]]:
    from conquian.completion import compared

    return compared(incomplete)


def complete_readings(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    import os

    from conquian.completion import readings_in_shell

    return readings_in_shell(ctx.params.get("rules"), incomplete, os.environ)


def complete_codes(incomplete: str) -> list[tuple[str, str]]:
    from conquian.completion import codes

    return codes(incomplete)


def complete_cards(incomplete: str) -> list[str]:
    from conquian.completion import words

    return words(("french", "spanish", "german", "swedish"), incomplete)


def complete_formats(ctx: typer.Context, incomplete: str) -> list[str]:
    from conquian.completion import words

    judging = ("jsonl", "github", "sarif", "junit") if ctx.info_name == "validate" else ()
    return words(("text", "json", *judging), incomplete)


Format = Annotated[
    str,
    typer.Option(
        "--format",
        help="text, json, or jsonl where several games are read",
        autocompletion=complete_formats,
    ),
]
RulesOption = Annotated[
    str | None,
    typer.Option(
        "--rules", help="a rule set's name, or a path to a rules file", autocompletion=complete_rules
    ),
]
Readings = Annotated[
    list[str] | None,
    typer.Option("--reading", help="NAME=CHOICE; can be repeated", autocompletion=complete_readings),
]
Cards = Annotated[
    str | None,
    typer.Option("--cards", help="french, spanish, german or swedish", autocompletion=complete_cards),
]
CertificateFile = Annotated[
    str | None,
    typer.Option("--certificate", metavar="FILE", help="write the answer down so that it can be rechecked"),
]
Limit = Annotated[
    int | None, typer.Option("--budget", help="steps before an answer is given up as undecided (exit 3)")
]
