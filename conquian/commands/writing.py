"""How commands write: JSON, lines, whole files, messages; and where nothing can be answered, the exit status.

Guarantees: standard output holds answers alone, messages go to standard error. Exit status 0: nothing illegal found;
1: something illegal or a finding; 2: the command or its input could not be used; 3: undecided.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, NoReturn

import typer

from conquian.tongue import ENGLISH, speaking, spoken, tell
from conquian.visible import visible_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from conquian.certificate import Certificate
    from conquian.progress import Progress
    from conquian.questions import Answer
    from conquian.verdict import DealNote


def fail(message: str, hint: str = "") -> NoReturn:
    complain(f"conquian: {message}")
    if hint:
        complain(tell("hint: {hint}", hint=hint))
    raise typer.Exit(2)


def refuse_rules(error: Any) -> NoReturn:
    from conquian.language.render import render_problem

    for problem in error.problems:
        for line in render_problem(problem).split("\n"):
            complain(line)
    raise typer.Exit(2)


def refuse(problem: Exception) -> NoReturn:
    from conquian.engine.engine import UnknownReading
    from conquian.engine.residues import TooManyHands
    from conquian.language.problems import RulesError

    if isinstance(problem, RulesError):
        refuse_rules(problem)
    if isinstance(problem, UnknownReading):
        fail(str(problem), tell("known: {known}", known=", ".join(problem.known)))
    if isinstance(problem, ValueError):
        fail(str(problem))
    if isinstance(problem, TooManyHands):
        complain(f"conquian: {problem}")
        raise typer.Exit(3)
    raise problem


def answered(form: str, ask: Callable[[], Answer]) -> NoReturn:
    """Prints the answer to a question; exit status 2 for one that cannot be asked."""
    from conquian.questions import CannotAsk

    try:
        answer = ask()
    except CannotAsk as wrong:
        fail(str(wrong), wrong.hint)
    except Exception as problem:
        refuse(problem)
    if form == "json":
        write_json(answer.document)
    else:
        for line in answer.lines:
            say(line)
    raise typer.Exit(answer.status)


def certify(
    path: str, answer: Answer, ask: Callable[[], Answer], make: Callable[[Answer], Certificate]
) -> None:
    """Writes the certificate of an answer. It is in English, and so is the answer it is of: asked again, if need be."""
    from conquian.certificate import save

    language = spoken()
    with speaking(ENGLISH):
        made = make(answer if language == ENGLISH else ask())
    save(made, path)


class CannotWrite(BrokenPipeError):
    """Standard output takes no more: told apart from a file that cannot be read, and let pass like a broken pipe."""


def put(text: str) -> None:
    """Writes a text to standard output."""
    try:
        sys.stdout.write(text)
    except OSError as error:
        raise CannotWrite(*error.args) from None


def say(line: str) -> None:
    """Prints a line of an answer; what people wrote in it neither moves the cursor nor begins another line."""
    put(visible_line(line, colour()) + "\n")


def complain(line: str) -> None:
    """The same of a message."""
    print(visible_line(line), file=sys.stderr)


def complain_note(note: DealNote) -> None:
    """A note on the command itself, as `validate` words it."""
    from conquian.render import note_line

    complain(note_line(note))


def write_json(document: object) -> None:
    import msgspec

    put(msgspec.json.format(msgspec.json.encode(document), indent=2).decode() + "\n")


def write_json_line(document: object) -> None:
    import msgspec

    put(msgspec.json.encode(document).decode() + "\n")


def write_utf8(text: str) -> None:
    """Writes a form that has to be UTF-8 whatever the terminal's encoding."""
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode("utf-8", "replace"))
        sys.stdout.buffer.flush()
    except OSError as error:
        raise CannotWrite(*error.args) from None


def write_file(path: str, text: str) -> None:
    """Writes a whole file; exit status 2 if it cannot be."""
    from conquian.pictures.writing import write_whole

    try:
        write_whole(path, text)
    except BrokenPipeError:
        raise
    except OSError as error:
        from conquian.opening import unwritable

        fail(f"{path}: {unwritable(error)}")


def same_file(one: str, other: str) -> bool:
    import os

    return os.path.exists(one) and os.path.exists(other) and os.path.samefile(one, other)


def colour() -> bool:
    import os

    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def columns(otherwise: int) -> int:
    """How wide the terminal is; where there is none, always the same."""
    import shutil

    return shutil.get_terminal_size().columns if sys.stdout.isatty() else otherwise


def progress(what: str, late: bool, files: list[str], total: int | None = None) -> Progress | None:
    """The line that says how far a long run is, where somebody can see it; of files the games are counted."""
    if not sys.stderr.isatty():
        return None
    from conquian.progress import Progress, games_in, wanted

    if not wanted(late):
        return None
    return Progress(what, games_in(files) if total is None else total)
