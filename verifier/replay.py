"""A model as a position that a person can lay, played in both engines before anyone sees it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from conquian.engine.pack import Pack, bits
from conquian.engine.play import Event
from conquian.engine.refusals import Refusal
from conquian.position import Position, Rules
from conquian.verifier.acts import act_of
from conquian.verifier.exhaustion import broken
from conquian.verifier.limits import Disagreement
from conquian.verifier.worlds import Cards, Scene

Table = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Laid:
    """A position by its parts, with the events that lead from it to the disputed one.

    `own`: the holder turned the card on offer himself. `declined`: he has passed it. The hand is the whole hand.
    """

    up: str
    table: Table
    hand: tuple[str, ...]
    own: bool
    declined: bool
    stock: int | None
    way: tuple[Event, ...]
    event: Event

    @property
    def cards(self) -> int:
        """Table, hand and offer."""
        return 1 + len(self.hand) + sum(map(len, self.table))

    def stand(self, rules: Rules) -> Position | None:
        """The position under some rules, the events on the way played; None if one of them is not legal."""
        here = rules.position(
            up=self.up,
            table=self.table,
            hand=self.hand,
            turned_by="me" if self.own else None,
            stock=self.stock,
        )
        for event in (*((("me", "passes"),) if self.declined else ()), *self.way):
            if not here.can(event):
                return None
            here = here.apply(event)
        return here

    def document(self) -> dict[str, Any]:
        found: dict[str, Any] = {
            "up": self.up,
            "table": [list(meld) for meld in self.table],
            "hand": list(self.hand),
        }
        if self.stock is not None:
            found["stock"] = self.stock
        if self.own:
            found["turned_by"] = "me"
        if self.declined:
            found["declined"] = True
        return found


@dataclass(frozen=True, slots=True)
class Shown:
    """A position that separates two rule sets: where it is laid, and why one of them refuses the event.

    `alone`: nothing else speaks against the event.
    """

    laid: Laid
    refusal: Refusal
    alone: bool


def names(pack: Pack, cards: int) -> tuple[str, ...]:
    return tuple(pack.names(cards))


def table(pack: Pack, melds: tuple[int, ...]) -> Table:
    return tuple(sorted(names(pack, meld) for meld in melds))


def laid(pack: Pack, scene: Scene, cards: Cards) -> Iterator[Laid]:
    """The positions that a model can stand for; more than one only where a meld comes before the act."""
    name = names(pack, cards.up)[0] if cards.up else ""
    lies, after = table(pack, cards.before), table(pack, cards.after)
    hand = names(pack, cards.hand)
    event: Event = ("me", scene.verb)
    match scene.verb:
        case "melds":
            event = ("me", "melds", after)
        case "arranges":
            event = ("me", "arranges", () if after == lies else after)
        case "discards":
            event = ("me", "discards", names(pack, cards.thrown)[0])
        case "forces":
            event = ("opponent", "forces")
        case "names":
            event = ("opponent", "forces", *_named(pack, cards))
        case "turns":
            free = pack.minus(pack.everything, sum(cards.before) + cards.hand + cards.passed)
            event = ("me", "turns", names(pack, free)[0])
    if scene.way == ("melds",):
        for meld in cards.before:
            rest = list(cards.before)
            rest.remove(meld)
            for up in (pack.unit[card] for card in dict.fromkeys(names(pack, meld))):
                yield Laid(
                    up=names(pack, up)[0],
                    table=table(pack, tuple(rest)),
                    hand=names(pack, cards.hand + meld - up),
                    own=cards.own,
                    declined=False,
                    stock=cards.stock,
                    way=(("me", "melds", lies),),
                    event=event,
                )
        return
    way: tuple[Event, ...] = (("opponent", "forces"),) if "forces" in scene.way else ()
    yield Laid(
        up=name or names(pack, cards.passed)[0],
        table=lies,
        hand=hand,
        own=cards.own,
        declined="passes" in scene.way,
        stock=cards.stock,
        way=way,
        event=event,
    )


def _named(pack: Pack, cards: Cards) -> tuple[str, tuple[str, ...]]:
    """The card and the meld that a demand names; ones that are not there where the model names none of those."""
    taken = sum(cards.before) | cards.hand | cards.up
    free = bits(pack.everything & ~taken)
    said = cards.said or free[0]
    onto = names(pack, cards.onto) if cards.onto else tuple(pack.names(free[-1]))
    return names(pack, said)[0], onto


def shown(
    pack: Pack,
    scene: Scene,
    cards: Cards,
    allowing: Rules,
    forbidding: Rules,
    clauses: frozenset[str],
    phases: tuple[str, str],
    plays_on: bool = False,
    hidden: bool = False,
) -> Shown | None:
    """A model as a position where one side allows an event and the other forbids it.

    The event is the act, or, where one side `plays_on` after it, one that follows. None if play does not lead there.
    Disagreement if it does and the engines say otherwise; `clauses` are those that the solver says are broken, asked
    again of the engine's compiled clauses. `phases`: in which the act is, on either side. `hidden`: the hand was not
    asked about and has to hold one card more, any that play goes on with.
    """
    if hidden:
        taken = sum(cards.before) + cards.hand + cards.up
        for spare in bits(pack.minus(pack.everything, taken)):
            more = replace(cards, hand=cards.hand + spare)
            for here in laid(pack, scene, more):
                found = _with_spare(pack, here, allowing, forbidding, phases)
                if found is not None:
                    return found
        return None
    for here in laid(pack, scene, cards):
        one, other = here.stand(allowing), here.stand(forbidding)
        if one is None or other is None:
            continue
        # The turn comes after a pass that still waits for an answer; every other moment is a phase of its own.
        if scene.moment != "turn" and (one.phase, other.phase) != phases:
            continue
        if plays_on:
            return _played_on(pack, here, one, other)
        refusal = other.check(here.event)
        if not one.can(here.event) or refusal is None:
            raise Disagreement(
                f"the solver finds that {allowing.name} allows and {forbidding.name} forbids {here}; "
                f"the engines do not"
            )
        return Shown(here, refusal, _alone(other, here.event, clauses))
    return None


def _with_spare(
    pack: Pack, here: Laid, allowing: Rules, forbidding: Rules, phases: tuple[str, str]
) -> Shown | None:
    """The same with a card more in the hand, of which the solver was not told; None if that changes the act."""
    one, other = here.stand(allowing), here.stand(forbidding)
    if one is None or other is None or (one.phase, other.phase) != phases:
        return None
    if not (one.can(here.event) and other.can(here.event)) or other.apply(here.event).phase != "won":
        return None
    return None if one.apply(here.event).phase == "won" else _played_on(pack, here, one, other)


def _played_on(pack: Pack, here: Laid, one: Position, other: Position) -> Shown | None:
    """The first event after an act that wins on one side only."""
    after, ended = one.apply(here.event), other.apply(here.event)
    if ended.phase != "won" or after.phase == "won":
        raise Disagreement(f"the solver finds that {here} wins on one side only; the engines do not")
    known, _ = after.hand("me")
    taken = {*known, here.up, *(card for meld in after.table("me") for card in meld)}
    free = [card for card in pack.names(pack.everything) if card not in taken]
    events: list[Event] = [("me", "discards", card) for card in known]
    events += [(player, "turns", free[0]) for player in ("opponent", "me")]
    events.append(("me", "arranges", ()))
    for event in events:
        refusal = ended.check(event)
        if after.can(event) and refusal is not None:
            return Shown(replace(here, way=(*here.way, here.event), event=event), refusal, True)
    return None


def _alone(position: Position, event: Event, clauses: frozenset[str]) -> bool:
    """Whether the clauses are all that an act breaks, by exhaustion; Disagreement if they are not broken."""
    act = act_of(position, event)
    if act is None or not clauses:
        return True
    ways = broken(position, act)
    if not all(way & clauses for way in ways):
        raise Disagreement(f"{event}: {', '.join(sorted(clauses))} forbid nothing by exhaustion")
    return all(way <= clauses for way in ways)
