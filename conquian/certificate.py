"""Certificates: an answer as one JSON document that can be re-decided without trusting the program that gave it.

Guarantees: the same answer gives the same bytes; a file is written whole or not at all; what is read back has the
form of a certificate, or is a `CannotAsk`. Each text of rules that an answer depends on is named with its SHA-256.

Any question can be certified: `certificate` takes its kind, rules, position, answer, witness or core and scripts;
`save` writes it. `conquian.recheck` knows the kinds of `KINDS`.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256
from typing import Any, Literal, Protocol

from msgspec import DecodeError, Struct, ValidationError, json

from conquian import __version__
from conquian.position import Position, Rules
from conquian.questions import CannotAsk
from conquian.snapshot import Snapshot, written

FORMAT: Literal[1] = 1
"""The version of the form. A reader refuses others."""
KINDS = ("force", "legal", "validate", "diff", "spec check")
Kind = Literal["force", "legal", "validate", "diff", "spec check"]
Claimed = Literal["sat", "unsat", "unknown"]
LARGEST = 64 * 1024 * 1024
"""Bytes; a larger file is no certificate."""
_HEAD = re.compile(rb"^(?:ruleset|fragment)\s+([A-Za-z0-9_-]+)", re.MULTILINE)


class Text(Struct, frozen=True, forbid_unknown_fields=True):
    """A text that an answer depends on: a rule file, a fragment, the list of passages."""

    name: str
    sha256: str


class RulesUsed(Struct, frozen=True, forbid_unknown_fields=True):
    """Rules by the name or path they were loaded by, all texts they are made of, every reading with its choice."""

    name: str
    texts: tuple[Text, ...]
    readings: dict[str, str]


class Query(Struct, frozen=True, forbid_unknown_fields=True):
    """A question to a solver: in words, as SMT-LIB 2, and what the answer is claimed to be."""

    name: str
    smt2: str
    expected: Claimed


class Certificate(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole document. `asked` says what was asked beside the position; its form is the kind's own.

    `program` is the version that wrote it: another may write the scripts of the same questions otherwise.
    """

    conquian_certificate: Literal[1]
    program: str
    question: Kind
    rules: tuple[RulesUsed, ...]
    asked: dict[str, Any]
    position: Snapshot | None
    answer: dict[str, Any] | list[Any]
    witness: dict[str, Any] | list[Any] | None
    core: dict[str, Any] | list[Any] | None
    queries: tuple[Query, ...]


class ScriptLike(Protocol):
    """A question to a solver, as `conquian.verifier.scripts.Script`."""

    @property
    def name(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def expected(self) -> Claimed: ...


def certificate(
    question: Kind,
    rules: Sequence[tuple[str, Rules]],
    answer: dict[str, Any] | list[Any],
    *,
    asked: dict[str, Any] | None = None,
    position: Position | None = None,
    witness: dict[str, Any] | list[Any] | None = None,
    core: dict[str, Any] | list[Any] | None = None,
    scripts: Sequence[ScriptLike] = (),
) -> Certificate:
    """A certificate of an answer. `rules` are pairs of the name or path they were loaded by and the rules themselves.

    `answer`, `asked`, `witness` and `core` hold JSON values only. CannotAsk if a text of the rules cannot be read.
    """
    return Certificate(
        conquian_certificate=FORMAT,
        program=__version__,
        question=question,
        rules=tuple(RulesUsed(name, texts(name), dict(ruled.readings)) for name, ruled in rules),
        asked=asked or {},
        position=None if position is None else written(position),
        answer=answer,
        witness=witness,
        core=core,
        queries=tuple(Query(script.name, script.text, script.expected) for script in scripts),
    )


def texts(name: str) -> tuple[Text, ...]:
    """Every text that the rules of a name or path are made of: the file, its ancestors, the list of passages."""
    from conquian.engine.texts import texts_of

    try:
        found = texts_of(name)
    except ValueError:  # no file can have such a name
        found = None
    if found is None:
        raise CannotAsk(
            f"{name[:200]!r}: the rules cannot be read", "name a rule set, or a rule file that is there"
        )
    *files, sources, _grammar, _compiler = found
    named = []
    for file in files:
        head = _HEAD.search(file)
        named.append(Text(head[1].decode() if head else "", sha256(file).hexdigest()))
    return (*named, Text("sources.md", sha256(sources).hexdigest()))


def encoded(found: Certificate) -> bytes:
    """The bytes of a certificate: JSON with two spaces, keys in a fixed order, a line end at the end."""
    return json.format(json.encode(found), indent=2) + b"\n"


def save(found: Certificate, path: str) -> None:
    """Writes a certificate aside and moves it into place; CannotAsk if that cannot be done, and for `-`."""
    if path == "-":
        raise CannotAsk("--certificate - : the answer itself is on standard output", "name a file")
    target = os.path.realpath(path)
    folder, name = os.path.split(target)
    if os.path.exists(target) and not os.path.isfile(target):
        raise CannotAsk(f"{path}: not a file that can be replaced", "name a file of its own")
    aside = ""
    try:
        handle, aside = tempfile.mkstemp(prefix=f".{name[:40]}.", dir=folder)
        with os.fdopen(handle, "wb") as file:
            file.write(encoded(found))
            file.flush()
            os.fsync(file.fileno())
        os.chmod(aside, 0o666 & ~_umask())
        os.replace(aside, target)
    except (OSError, ValueError) as error:
        if aside:
            with suppress(OSError):
                os.unlink(aside)
        reason = error.strerror if isinstance(error, OSError) else None
        raise CannotAsk(
            f"{path}: {reason or 'cannot be written'}", "name a file in a folder that is there"
        ) from None


def _umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask


def decoded(data: bytes, name: str) -> Certificate:
    """The certificate that some bytes are; CannotAsk, with what is wrong and where, if they are none."""
    hint = "`--certificate FILE` writes certificates"
    if len(data) > LARGEST:
        raise CannotAsk(f"{name}: no certificate: it is larger than {LARGEST} bytes", hint)
    try:
        return json.decode(data, type=Certificate)
    except ValidationError as wrong:
        raise CannotAsk(f"{name}: no certificate: {wrong}", hint) from None
    except DecodeError as wrong:
        raise CannotAsk(f"{name}: not JSON: {wrong}", hint) from None
    except (ValueError, RecursionError):  # texts that are not UTF-8, lists in lists without end
        raise CannotAsk(f"{name}: not JSON that can be read", hint) from None
