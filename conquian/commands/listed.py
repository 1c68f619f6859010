"""Every command's name, where it is, and the line that the program's help shows of it.

Guarantees: nothing here imports a command. `conquian --help` is written from these lines, which are the first lines of
the commands' own words (a test compares them); a command is imported and built when it is called, when its own help is
wanted, or when a shell completes its options.
"""

from __future__ import annotations

from functools import cached_property
from importlib import import_module
from typing import Any

from typer.core import TyperCommand, TyperGroup

COMMANDS = {
    "validate": "Judge transcripts of real games, text or JSON.",
    "legal": "Is this meld legal, and if not why; or all legal melds of a position.",
    "force": "Can this card be forced, and what would follow.",
    "outs": "Which cards, put on offer to the player, win at once; or which two in turn.",
    "infer": "Which cards each player certainly held, may have held and cannot have held.",
    "settle": "One disputed event under every rule set, and what the players have to agree on.",
    "diff": "Where two rule sets, or one set under two readings, differ: the smallest position for each clause.",
    "recheck": "Decide an answer again from its certificate, without the solver.",
    "convert": "Write a transcript in another form or card notation. Nothing is lost, or nothing is written.",
    "generate": "Random legal games that use the whole of the rules.",
    "score": "The ledger of a match, deal by deal: units, pot, wins, who deals next, whether it is over.",
    "show": "Draw a position: tables, hands, stock, the card on offer, where it can be forced, what was borrowed.",
    "report": "A page about a game: every event in pictures, the verdict where it falls, and the ledger.",
    "book": "The rule book of a set, or of two side by side: every clause with source, formula, readings and a picture.",
    "schema": "The JSON Schema of transcripts.",
    "explain": "The page of a code: what it means, with examples.",
}
"""Each is the function of its name in the module of its name."""

SPEC = {
    "list": "The shipped rule sets.",
    "show": "The rules of a set as a person would read them.",
    "check": "Check rule files: syntax, names, sources, types, whether play can go on; then prove their obligations.",
    "fmt": "Put rule files into their canonical layout.",
}
"""Each is the function `spec_NAME` in the module `spec`."""


class Unread(TyperCommand):
    """A command of which its name and line are known; what it takes is read from its module when it is wanted."""

    def __init__(self, name: str, line: str, module: str, function: str) -> None:
        super().__init__(name, help=line)
        self.module, self.function = module, function

    @cached_property
    def whole(self) -> TyperCommand:
        """The command itself."""
        from conquian.commands.speaking import command

        module = import_module(f"conquian.commands.{self.module}")
        return command(str(self.name), getattr(module, self.function))

    def make_context(self, *arguments: Any, **options: Any) -> Any:
        """The context of the command itself: a caller goes on with that one."""
        return self.whole.make_context(*arguments, **options)


class Program(TyperGroup):
    """The program's commands, none of them read."""

    def __init__(self, **options: Any) -> None:
        commands: dict[str, TyperCommand | TyperGroup] = {
            name: Unread(name, line, name, name) for name, line in COMMANDS.items()
        }
        commands["spec"] = TyperGroup(
            name="spec",
            commands={name: Unread(name, line, "spec", f"spec_{name}") for name, line in SPEC.items()},
            help="Rule sets: list, show, check, format.",
            epilog="\b\nExample:\n  conquian spec show swedish",
            no_args_is_help=True,
            rich_markup_mode=None,
        )
        super().__init__(**{**options, "commands": commands})


def whole(command: Any) -> Any:
    """A command with what it takes, for those who go through all commands: a group itself, of others the command."""
    return command.whole if isinstance(command, Unread) else command
