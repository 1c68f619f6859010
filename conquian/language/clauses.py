"""The bodies that a clause of a rule file can have.

Generic in the kind of condition they hold: syntax trees when a file has been read, typed conditions
(`conquian.language.formula`) once it has been checked. A body kind that is added here has to be handled
wherever `Body` is matched; the type checker points at each place.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

D = TypeVar("D")
E = TypeVar("E")

Verb = Literal["turn", "meld", "pass", "discard", "arrange", "force"]
Actor = Literal["player", "opponent"]
Seat = Literal["player", "next", "first"]
Origin = Literal["own", "given", "starter"]


@dataclass(frozen=True, slots=True)
class Deck:
    """The cards of one pack, and how many packs are shuffled together."""

    ranks: tuple[str, ...]
    suits: tuple[str, ...]
    packs: int


@dataclass(frozen=True, slots=True)
class Order:
    """The order of the ranks in runs; a rank may stand at both ends; `around` closes the circle."""

    ranks: tuple[str, ...]
    around: bool


@dataclass(frozen=True, slots=True)
class Players:
    """How many play; `teams` lists seats (counted from 0), one team each when nobody plays together."""

    count: int
    teams: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Dealing:
    """Cards dealt to each player, and the packet sizes that are allowed."""

    size: int
    packets: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Starter:
    """Whether a card is turned up after the deal."""

    turned: bool


@dataclass(frozen=True, slots=True)
class Exchange:
    """Cards that each player gives before play, and to whom (steps round the table)."""

    count: int
    step: int


@dataclass(frozen=True, slots=True)
class Goal:
    """The number of cards in melds that the game is played for."""

    cards: int


@dataclass(frozen=True, slots=True)
class Shape(Generic[E]):
    """A kind of meld: the sets of cards for which the condition holds."""

    name: str
    var: str
    when: E


@dataclass(frozen=True, slots=True)
class Modal(Generic[E]):
    """Who may, or may not, do what, in which phases (none: in all), under which condition."""

    actor: Actor
    allowed: bool
    verbs: tuple[Verb, ...]
    phases: tuple[str, ...]
    when: E | None


@dataclass(frozen=True, slots=True)
class Must(Generic[E]):
    """What the meld of a forced player has to fulfil."""

    where: E


@dataclass(frozen=True, slots=True)
class Target:
    """Where play goes on: a phase, whose it is, and how the card came on offer (None: as before)."""

    phase: str
    seat: Seat
    origin: Origin | None


@dataclass(frozen=True, slots=True)
class Acts(Generic[E]):
    """An event that a phase allows, and where play goes on after it."""

    actor: Actor
    verb: Verb
    then: Target
    when: E | None


@dataclass(frozen=True, slots=True)
class Otherwise(Generic[E]):
    """Where play goes on when an event comes that the phase does not name, or at once if it names none."""

    then: Target
    when: E | None


@dataclass(frozen=True, slots=True)
class AtOnce(Generic[E]):
    """Where play goes on the moment the phase is entered."""

    then: Target
    when: E | None


def with_condition(
    line: Acts[D] | Otherwise[D] | AtOnce[D], when: E | None
) -> Acts[E] | Otherwise[E] | AtOnce[E]:
    """A line with another condition."""
    match line:
        case Acts(actor, verb, then, _):
            return Acts(actor, verb, then, when)
        case Otherwise(then, _):
            return Otherwise(then, when)
        case AtOnce(then, _):
            return AtOnce(then, when)


@dataclass(frozen=True, slots=True)
class Phase(Generic[E]):
    """Lines that a clause adds to a phase of play."""

    name: str
    lines: tuple[Acts[E] | Otherwise[E] | AtOnce[E], ...]


@dataclass(frozen=True, slots=True)
class Opening:
    """The phase that play begins with."""

    then: Target


@dataclass(frozen=True, slots=True)
class Wins(Generic[E]):
    """When a meld wins the deal for the player who made it."""

    when: E


@dataclass(frozen=True, slots=True)
class Cut:
    """Which of the cards drawn before the first deal makes its player the first dealer."""

    lowest: bool


@dataclass(frozen=True, slots=True)
class DealerStays(Generic[E]):
    """When the same player deals the next deal too."""

    when: E


Payer = Literal["everyone", "loser", "winner"]


@dataclass(frozen=True, slots=True)
class Stake(Generic[E]):
    """One movement of units: paid to the pot or the winner, taken from the pot, scored, or counted; or none at all.

    `payer` is who pays, takes or scores; a deal that counts, or is void, has none.
    """

    kind: Literal["pays", "takes", "scores", "counts", "void"]
    payer: Payer | None
    units: int
    payee: Literal["pot", "winner"] | None
    when: E | None


@dataclass(frozen=True, slots=True)
class Stakes(Generic[E]):
    """Lines that a clause adds to what a deal costs and brings."""

    lines: tuple[Stake[E], ...]


@dataclass(frozen=True, slots=True)
class Session:
    """The wins or units that end a session, if the match asks for it."""

    wins: int
    units: int


Body = (
    Deck
    | Order
    | Players
    | Dealing
    | Starter
    | Exchange
    | Goal
    | Shape[E]
    | Modal[E]
    | Must[E]
    | Phase[E]
    | Opening
    | Wins[E]
    | Cut
    | DealerStays[E]
    | Stakes[E]
    | Session
)
