"""What a rule set can ask to have proved of itself.

A claim is about every deal under the rules. A claim that is added here has to be handled wherever `Claim` is
matched, by a prover too; the type checker points at each place.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Kept:
    """After any legal event every card is in exactly one place."""


@dataclass(frozen=True, slots=True)
class GoingOn:
    """Until the deal is over some event other than regrouping is legal."""


@dataclass(frozen=True, slots=True)
class Met:
    """A player of whom a card is demanded has a legal meld of it."""


@dataclass(frozen=True, slots=True)
class Reached:
    """Some play wins."""


@dataclass(frozen=True, slots=True)
class NeverPassed:
    """No meld takes a table past the goal without winning."""


@dataclass(frozen=True, slots=True)
class Mattering:
    """Each clause decides something, under some choice of readings, that no other clause decides alike."""


@dataclass(frozen=True, slots=True)
class Agreeing:
    """What is permitted, named by the order of play or a duty is not forbidden in every case."""


@dataclass(frozen=True, slots=True)
class Ending:
    """No deal has more events than `within`, regroupings aside; None: than some number that the rules give."""

    within: int | None


Claim = Kept | GoingOn | Met | Reached | NeverPassed | Mattering | Agreeing | Ending
