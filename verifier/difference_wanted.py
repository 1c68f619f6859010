"""The words of a comparison: a question about all positions, a clause in a direction as questions, what was found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from conquian.verifier.circuits import TRUE, Circuit
from conquian.verifier.replay import Shown
from conquian.verifier.small_scope import Parted
from conquian.verifier.solver import script
from conquian.verifier.worlds import Scene, Worlds

Name = Literal["a", "b"]
SIDES: tuple[Name, Name] = ("a", "b")
Status = Literal["position", "proved-equal", "none-up-to", "undecided"]


def other(name: Name) -> Name:
    return "b" if name == "a" else "a"


@dataclass(frozen=True, slots=True)
class Query:
    """A question to the solver, complete: whether all these can hold together.

    `scene` is the act it is about. `hidden`: no hand card is asked about, and the hand holds one more.
    `limit` holds of positions that play can make.
    """

    worlds: Worlds
    scene: Scene
    roots: tuple[Circuit, ...]
    hidden: bool = False
    limit: Circuit = TRUE

    def script(self) -> str:
        """The question as SMT-LIB 2, for any solver; unsatisfiable if no position separates the two sides."""
        circuits, facts = self.worlds.circuits, (*self.roots, *self.worlds.lemmas)
        text = script(circuits, circuits.under(facts, set()), facts)
        return f"(set-logic QF_UF)\n{text}\n(check-sat)\n"


@dataclass(frozen=True, slots=True)
class Separation:
    """What was found of one clause in one direction.

    clause    its name in the rule files; the side that does not `allow` forbids by it
    cards     of the position; or the number up to which there is none
    smallest  no position with fewer cards separates the two by this clause
    budget    where the solver gave up
    queries   what was asked of all positions at once; all unsatisfiable where the status is `proved-equal`
    """

    clause: str
    allows: Name
    status: Status
    shown: Shown | None = None
    cards: int | None = None
    smallest: bool = False
    budget: int | None = None
    queries: tuple[Query, ...] = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """What a side asks of an act. `clauses`: by which it can be broken; permissions are asked as one."""

    clauses: tuple[str, ...]
    circuit: Circuit
    permits: bool = False


@dataclass(frozen=True, slots=True)
class Wanted:
    """A clause in a direction, as questions.

    broken     the prohibitions or duties that are then broken
    foreign    the melds of which one is then laid, which the other side does not know
    permission the other side does not permit the act
    plays_on   the act is legal on both sides and ends the deal on one: it is about the event after it
    when_bound it can matter to a forced player in another way
    laying     acts that are about `copies` only
    copies     `foreign` where the shared pack has its cards several times
    least      no position with fewer cards shows it, however many copies there are
    never      no position at all does, however many copies there are
    elsewhere  the clause also speaks of moments that no question is about, so that nothing is proved of it
    wins       that the act ends the deal on one side at all, even if the other has nothing to do after it
    indirect   the clause reads alike on both sides, and can part them only for melds or a goal that differ
    """

    clause: str
    allows: Name
    queries: tuple[Query, ...]
    broken: frozenset[str] = frozenset()
    foreign: frozenset[int] = frozenset()
    permission: bool = False
    plays_on: bool = False
    when_bound: bool = False
    copies: frozenset[int] = frozenset()
    laying: tuple[Scene, ...] = ()
    least: int = 0
    never: bool = False
    indirect: bool = False
    elsewhere: bool = False
    wins: tuple[Query, ...] = ()

    @property
    def scenes(self) -> tuple[Scene, ...]:
        """The acts it is about."""
        return tuple(dict.fromkeys((*(x.scene for x in self.queries), *self.laying)))

    @property
    def listable(self) -> bool:
        """Whether every act it is about can be looked through one by one."""
        return not self.plays_on and all(x.verb in ("melds", "arranges", "forces") for x in self.scenes)

    def fits(self, parted: Parted) -> bool:
        if parted.allows != self.allows or parted.scene not in self.scenes:
            return False
        if self.foreign:
            return bool(self.foreign.intersection(parted.foreign))
        if self.permission:
            return parted.ungranted
        return bool(self.broken & parted.broken) and not parted.foreign

    def alone(self, parted: Parted) -> bool:
        """Whether nothing else speaks against the act."""
        return (
            parted.broken <= self.broken
            and parted.ungranted is self.permission
            and bool(parted.foreign) is bool(self.foreign)
        )
