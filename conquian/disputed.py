"""A disputed event and the position it belongs to, told to rule sets that they were not written down for."""

from __future__ import annotations

from conquian.cards import Notation
from conquian.engine.engine import Engine
from conquian.engine.play import Event
from conquian.engine.state import State
from conquian.position import BadPosition, Position, Rules, offer_phase
from conquian.questions import CannotAsk, cards_of, melds_of
from conquian.tongue import tell

NOT_IN_DECK = "not-in-deck"


def named(event: Event) -> list[str]:
    """Every card that an event names."""
    cards: list[str] = []
    for part in event[2:3] if event[1] == "gives" else event[2:]:
        for inner in [part] if isinstance(part, str) else part:
            cards.extend([inner] if isinstance(inner, str) else inner)
    return cards


def read_event(event: str | None, meld: str | None, player: str, notation: Notation) -> Event | None:
    """The event that the command line tells; None if it tells none. CannotAsk if it cannot be read."""
    if event is not None and meld is not None:
        raise CannotAsk(tell("--event and --meld tell the event twice"), tell("leave out one of them"))
    if meld is not None:
        listed = melds_of(meld, notation, "--meld")
        if not listed:
            raise CannotAsk(tell("--meld names no cards"), tell('for example --meld "5c 6c 7c"'))
        return (player, "melds", listed)
    if event is None:
        return None
    from conquian.transcript.names import read_name
    from conquian.transcript.sentence import EXAMPLES, Misread, read_sentence

    found = read_sentence(event)
    if isinstance(found, Misread):
        raise CannotAsk(tell("--event: {message}", message=found.message), found.hint)
    if found.kind not in ("gives", "turns", "melds", "arranges", "passes", "discards", "forces"):
        raise CannotAsk(
            tell("--event: `{kind}` is no event of play", kind=found.kind),
            tell("for example {example}", example=EXAMPLES["melds"]),
        )
    names = [read_name(token.text) for token in (*([found.player] if found.player else []), *found.names)]
    if not all(isinstance(name, str) for name in names):
        raise CannotAsk(tell("--event: a name cannot be read"), tell("quote names that are not plain words"))
    who = str(names.pop(0)) if found.player else player
    groups = [cards_of(" ".join(t.text for t in group), notation, "--event") for group in found.groups]
    match found.kind:
        case "turns" | "discards":
            return (who, found.kind, groups[0][0])
        case "gives":
            return (who, found.kind, groups[0][0], str(names[0]))
        case "melds" | "arranges":
            return (who, found.kind, groups)
        case "forces" if groups:
            return (who, found.kind, groups[0][0], groups[1])
        case kind:
            return (who, kind)


def carried(here: Position, engine: Engine) -> tuple[State, dict[str, int]]:
    """The position of a transcript under another rule set; the player to act keeps the card on offer."""
    old, state = here.rules.engine, here.state
    flow, pack = old.flow, engine.pack
    ended = flow.phase(state.at) is None
    holder = state.first if ended else flow.seat(state.at)

    def seat_of(seat: int) -> int:
        shifted = (seat - holder) % old.seats
        same = old.team_of[seat] == old.team_of[holder]
        return shifted if shifted < engine.seats else 0 if same else engine.opponents[0]

    def moved(cards: int, field: str) -> int:
        names = old.pack.names(cards)
        foreign = [card for card in names if card not in pack.unit]
        if foreign:
            raise BadPosition(field, tell("{card} is not in the pack", card=foreign[0]), NOT_IN_DECK, foreign)
        if any(names.count(card) > pack.copies for card in names):
            raise BadPosition(field, tell("a card is there too often"), "card-twice")
        return pack.packed(names)

    new = Rules(engine).position().state
    seats = {name: seat_of(seat) for seat, name in enumerate(here.players)}
    new.seen, new.up, new.stock = moved(state.seen, "seen"), moved(state.up, "up"), state.stock
    for seat in range(old.seats):
        to = seat_of(seat)
        if seat_of(holder) == to and seat != holder:
            continue
        new.hands[to], new.unknown[to] = moved(state.hands[seat], "hand"), state.unknown[seat]
        table = tuple(sorted(moved(meld, "table") for meld in state.tables[seat]))
        if any(meld not in engine.melds.packed for meld in table):
            raise BadPosition("table", tell("a meld on the table is none"), "invalid-meld")
        for s in engine.partners[to]:
            new.tables[s] = table
    new.fit = [engine.fit(table) for table in new.tables]
    new.recorded = tuple(moved(card, "stock") if card else 0 for card in state.recorded)
    new.drawn_to = state.drawn_to
    new.first = seat_of(state.first)
    phase = flow.phase(state.at)
    if phase is None:
        ends = {flow.won: engine.flow.won, flow.drawn: engine.flow.drawn}
        new.at = ends.get(state.at, engine.flow.unstarted)
        for seat, (cards, more) in enumerate(state.received):
            new.received[seat_of(seat)] = moved(cards, "hand"), more
        for seat, gifts in enumerate(state.gifts):
            new.gifts[seat_of(seat)] = gifts if old.program.exchange[0] else engine.program.exchange[0]
        if state.at == flow.unstarted and not engine.program.exchange[0]:
            new.at = engine.opening(new.first)
    else:
        numbers = [i for i, other in enumerate(engine.program.phases) if other.name == phase.name]
        new.at = engine.flow.state(numbers[0] if numbers else offer_phase(engine), 0, state.at % 3)
    return new, seats
