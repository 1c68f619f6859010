"""A function made a command of the program: with `--lang`, and its examples at the end of its help.

Guarantees: every command has `--lang`, and the language it names is spoken until the command has ended. A paragraph
that begins with `Example: ` in a command's words stands on a line of its own behind its options, unwrapped.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import typer
from typer.core import TyperCommand, TyperOption
from typer.main import get_command

from conquian.commands.writing import fail
from conquian.tongue import LANGUAGES, language_of, of_locale, speaking, tell


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
        fail(
            tell("--lang {wanted} is not known", wanted=wanted),
            tell("known: {known}", known=", ".join(LANGUAGES)),
        )
    tongue = speaking(language)
    tongue.__enter__()
    context.call_on_close(lambda: tongue.__exit__(None, None, None))


def command(name: str, does: Callable[..., None]) -> TyperCommand:
    """The command of a name: parameters from the function's signature, help and examples from its words."""
    text, *examples = (inspect.getdoc(does) or "").split("\nExample: ")
    lines = "".join(f"\n  {' '.join(example.split())}" for example in examples)
    alone = typer.Typer(add_completion=False, rich_markup_mode=None)
    alone.command(
        name,
        cls=Speaking,
        help=text,
        epilog=f"\b\nExample{'s' if len(examples) > 1 else ''}:{lines}" if examples else None,
    )(does)
    made = get_command(alone)
    assert isinstance(made, TyperCommand)
    return made
