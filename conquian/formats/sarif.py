"""SARIF 2.1.0, the form of code scanners: one run, a rule for each code that occurs, a result for each remark.

A rule has the page of its code (`conquian explain CODE`) as help. A note is a result of level `note`. A file of which
a limit left the rest open is told as a notification of the run, which then was not successful: it is no result.
Guarantees: rules are sorted by code, results are in the order of the files; columns count characters
(`unicodeCodePoints`); no time, machine or absolute path of its own is written.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING
from urllib.parse import quote

import msgspec

from conquian import __version__
from conquian.formats.told import Told, remarks

if TYPE_CHECKING:
    from conquian.transcript.sheet import Sheet
    from conquian.verdict import FileVerdict

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
Node = dict[str, object]


class Sarif:
    """Keeps remarks, not verdicts; the document is written at the end."""

    def __init__(self) -> None:
        self._told: list[Told] = []
        self._undecided: list[tuple[str, str]] = []
        self._paths: dict[str, int] = {}
        self._deals = {"valid": 0, "unfinished": 0, "invalid": 0, "unreadable": 0}

    def game(self, path: str, verdict: FileVerdict, sheet: Sheet | None, sentences: Sequence[str]) -> str:
        self._paths.setdefault(path, len(self._paths))
        for deal in verdict.deals:
            self._deals[deal.verdict] += 1
        self._told.extend(remarks(path, verdict, sheet, sentences))
        return ""

    def undecided(self, path: str, message: str) -> str:
        self._paths.setdefault(path, len(self._paths))
        self._undecided.append((path, message))
        return ""

    def end(self, status: int) -> str:
        codes = sorted({told.code for told in self._told})
        levels = {told.code: told.level for told in self._told}
        run: Node = {
            "tool": {
                "driver": {
                    "name": "conquian",
                    "version": __version__,
                    "rules": [rule(code, levels[code]) for code in codes],
                }
            },
            "invocations": [self._invocation(status)],
            "artifacts": [{"location": {"uri": uri(path)}} for path in self._paths],
            "columnKind": "unicodeCodePoints",
            "results": [self._result(told, codes.index(told.code)) for told in self._told],
            "properties": {"deals": self._deals},
        }
        document = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
        return msgspec.json.format(msgspec.json.encode(document), indent=2).decode() + "\n"

    def _invocation(self, status: int) -> Node:
        made: Node = {"executionSuccessful": not self._undecided, "exitCode": status}
        if self._undecided:
            made["toolExecutionNotifications"] = [
                {
                    "level": "error",
                    "message": {"text": message},
                    "locations": [{"physicalLocation": {"artifactLocation": self._artifact(path)}}],
                }
                for path, message in self._undecided
            ]
        return made

    def _artifact(self, path: str) -> Node:
        return {"uri": uri(path), "index": self._paths[path]}

    def _result(self, told: Told, index: int) -> Node:
        region: Node = {"startLine": told.line}
        if told.column is not None:
            region["startColumn"] = told.column
        if told.end_column is not None:
            region["endColumn"] = told.end_column
        location: Node = {
            "physicalLocation": {"artifactLocation": self._artifact(told.path), "region": region}
        }
        if told.deal is not None:
            name = f"deal {told.deal}" if told.event is None else f"deal {told.deal}, event {told.event}"
            location["logicalLocations"] = [{"fullyQualifiedName": name}]
        result: Node = {
            "ruleId": told.code,
            "ruleIndex": index,
            "level": told.level,
            "message": {"text": told.words},
            "locations": [location],
        }
        if told.about:
            result["properties"] = told.about
        return result


def rule(code: str, level: str) -> Node:
    """The descriptor of a code, with its page as help; a code without a page has its name alone."""
    from conquian.language.pages import page

    text = page(code)
    made: Node = {"id": code, "defaultConfiguration": {"level": level}}
    if text is not None:
        title, _, body = text.strip().partition("\n")
        made["shortDescription"] = {"text": title.partition(": ")[2]}
        made["fullDescription"] = {"text": " ".join(body.strip().split("\n\n")[0].split())}
        made["help"] = {"text": text.strip(), "markdown": text.strip()}
    return made


def uri(path: str) -> str:
    """A path as a URI: a relative one stays relative, an absolute one is a `file:` URI.

    >>> uri("games/last night.cqn")
    'games/last%20night.cqn'
    """
    from pathlib import PurePath

    shown = PurePath(path).as_posix()
    if PurePath(path).is_absolute():
        return f"file://{'' if shown.startswith('/') else '/'}{quote(shown)}"
    return quote(shown)  # also a colon, which would be read as the end of a scheme
