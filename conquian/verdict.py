"""What a judgement says, as data; the JSON of `conquian validate` is these structures written out.

`event` counts from 0 within the deal, None for the set-up or the claim; lines and columns count from 1.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType

Verdict = Literal["valid", "invalid", "unfinished", "unreadable"]
WORST: tuple[Verdict, ...] = ("unreadable", "invalid", "unfinished", "valid")


class Stood(Struct, frozen=True, kw_only=True):
    """What became of an illegal act, where acts are taken as they were played.

    `taken`: every card could be placed, the act stands, and judging went on; else `why` not. `objectors` could have
    objected until event `until`, null: as far as the record goes. `rule` is the deciding clause in words.
    """

    taken: bool
    why: str | None
    objectors: tuple[str, ...]
    until: int | None
    rule: str | None


class Violation(Struct, frozen=True, kw_only=True):
    """A violation of a deal, the first if acts are not taken as played. `legal_under`: changes of readings under which
    this event is legal.

    From `core` on only with `--why`; see `conquian.whys.fields`. With acts taken as played, `after_irregularity` says
    whether another act that stood comes before it.
    """

    code: str
    event: int | None
    line: int
    column: int
    player: str | None
    cards: tuple[str, ...]
    clause: str | None
    source: str | None
    message: str
    hint: str
    legal_under: tuple[dict[str, str], ...] = ()
    core: list[str] | UnsetType | None = UNSET
    clauses: list[dict[str, Any]] | UnsetType = UNSET
    facts: list[dict[str, Any]] | UnsetType = UNSET
    needs: list[str] | UnsetType = UNSET
    but_for: list[str] | UnsetType = UNSET
    checked: bool | UnsetType = UNSET
    undecided: dict[str, int] | UnsetType = UNSET
    after_irregularity: bool | UnsetType = UNSET
    stood: Stood | UnsetType = UNSET


class Differs(Struct, frozen=True, kw_only=True):
    """How the deal is judged under one changed reading."""

    readings: dict[str, str]
    verdict: Verdict
    event: int | None
    code: str | None


class DealNote(Struct, frozen=True, kw_only=True):
    """Something worth saying that is no violation."""

    code: str
    line: int
    event: int | None
    message: str


class AsPlayed(Struct, frozen=True, kw_only=True):
    """The end of a deal in which illegal acts were taken as played: its result, and how many events were judged."""

    result: dict[str, Any] | None
    judged: int


class DealVerdict(Struct, frozen=True, kw_only=True):
    """The judgement of one deal."""

    number: int
    verdict: Verdict
    result: dict[str, Any] | None
    violations: tuple[Violation, ...] = ()
    differs_under: tuple[Differs, ...] = ()
    notes: tuple[DealNote, ...] = ()
    as_played: AsPlayed | UnsetType = UNSET


class Error(Struct, frozen=True, kw_only=True):
    """Something that cannot be read."""

    code: str
    line: int
    column: int
    message: str
    hint: str


class FileVerdict(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The judgement of one game. `readings` are the choices that it was judged by, where they are not the
    rule set's own."""

    file: str
    rules: str | None
    verdict: Verdict
    deals: tuple[DealVerdict, ...]
    readings: dict[str, str] = {}
    errors: tuple[Error, ...] = ()
    notes: tuple[DealNote, ...] = ()


def worst(verdicts: list[Verdict]) -> Verdict:
    """The worst of some verdicts; of none, `unfinished`: nothing was played."""
    return WORST[min(map(WORST.index, verdicts), default=WORST.index("unfinished"))]
