"""A second solver for exported questions: the package or the program `cvc5`, where one is installed.

A script is looked at before it is run: it may declare, assert, ask once, and nothing else, so that a script from a
stranger cannot make a solver write files. What cannot be run is a `BadScript`; a solver that gives up says unknown.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from importlib import import_module, util
from typing import Any, NamedTuple

from conquian.verifier.scripts import Found

STEPS = 50_000_000
"""What the second solver may spend (`rlimit`) on one question, in steps of its own."""
ALLOWED = {
    "set-info",
    "set-logic",
    "declare-const",
    "declare-fun",
    "define-fun",
    "define-const",
    "assert",
    "check-sat",
    "exit",
}
_TOKENS = re.compile(r';[^\n]*|"(?:[^"]|"")*"|\|[^|]*\||[()]|[^\s()"|;]+')


class BadScript(ValueError):
    """A text that is no question to a solver."""


class Second(NamedTuple):
    """A solver by name, and what it says of a script."""

    name: str
    answer: Callable[[str], Found]


def second_solver() -> Second | None:
    """The second solver that is installed; None if there is none."""
    if util.find_spec("cvc5") is not None:
        return Second("cvc5", _by_package)
    program = shutil.which("cvc5")
    return None if program is None else Second("cvc5", lambda text: _by_program(program, text))


def commands(text: str) -> Iterator[str]:
    """The commands of a script in order; BadScript for a text that is no list of lists."""
    depth, last = 0, ""
    for token in _TOKENS.findall(text):
        if token.startswith(";"):
            continue
        if depth == 0 and token != "(":
            raise BadScript(f"`{token[:40]}` stands outside of any command")
        if depth == 1 and last == "(":
            yield token
        depth += {"(": 1, ")": -1}.get(token, 0)
        last = token
    if depth:
        raise BadScript("a command does not end")


def checked(text: str) -> None:
    """BadScript for a script that does anything but ask one question."""
    found = list(commands(text))
    if "set-logic" not in found:
        raise BadScript("a question names its logic")
    for command in found:
        if command not in ALLOWED:
            raise BadScript(f"the command `{command[:40]}` is not one of a question")
    if found.count("check-sat") != 1:
        raise BadScript("a question asks `(check-sat)` once")


def _by_package(text: str) -> Found:
    checked(text)
    cvc5: Any = import_module("cvc5")
    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("rlimit", str(STEPS))
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "script")
    said = ""
    try:
        while not (command := parser.nextCommand()).isNull():
            said += command.invoke(solver, parser.getSymbolManager())
    except Exception as error:  # it raises errors of its own kinds for what it cannot parse
        raise BadScript(
            f"cvc5: {str(error).splitlines()[0] if str(error) else 'it cannot be read'}"
        ) from None
    return _found(said)


def _by_program(program: str, text: str) -> Found:
    checked(text)
    done = subprocess.run(
        [program, "--lang=smt2.6", f"--rlimit={STEPS}", "-"],
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )
    return _found(done.stdout)


def _found(said: str) -> Found:
    lines = said.split("\n")
    if any(line.startswith("(error") for line in lines):
        raise BadScript(f"cvc5: {next(line for line in lines if line.startswith('(error'))}")
    if "unsat" in lines:
        return "unsat"
    return "sat" if "sat" in lines else "unknown"
