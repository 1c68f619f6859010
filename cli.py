"""The command line: arguments in, documents out. Everything else is in the library.

Exit status: 0 nothing illegal found, 1 something illegal or a finding, 2 the command or its input could not
be used, 3 undecided.

The commands are in `conquian/commands/`; which there are is in `listed.py` there.
"""

from __future__ import annotations

import errno
import gc
import sys
from typing import Annotated

import typer

from conquian.commands.listed import Program

app = typer.Typer(
    name="conquian",
    cls=Program,
    help="The rules of Conquian: validate transcripts, ask what is legal, write rules of your own.",
    rich_markup_mode=None,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    epilog="\b\nExample:\n  conquian validate examples/club-evening.cqn",
)


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


def run() -> None:
    """The program `conquian`."""
    import os

    if "_CONQUIAN_COMPLETE" in os.environ:
        from conquian.completion import split_reading

        split_reading(os.environ)
    if os.environ.get("NO_COLOR"):
        app.info.context_settings = {"color": False}
    # A run that is over at once spends a fifth of its time looking for cycles among what it has imported.
    gc.freeze()
    gc.set_threshold(10_000, 10, 10)
    # A stream that was closed reads as empty, and what is written to it is lost.
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    try:
        try:
            app()
        finally:
            sys.stdout.flush()
    except OSError as error:
        if error.filename is not None:
            raise
        # What is still held back would be written at the end of the process, and fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if error.errno != errno.EPIPE:
            from conquian.commands.writing import complain
            from conquian.opening import unwritable

            complain(f"conquian: -: {unwritable(error)}")
        raise SystemExit(2) from None
    finally:
        gc.freeze()  # the process ends here: nothing is gained by looking once more


if __name__ == "__main__":
    run()
