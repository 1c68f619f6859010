"""Violations in words: what happened, and what would have been right instead.

Each message names players and cards as the transcript does; each hint says what was due or possible.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from conquian.engine.engine import Engine
from conquian.engine.play import Event
from conquian.engine.state import State

if TYPE_CHECKING:
    from conquian.engine.deals import SetupRefusal
    from conquian.engine.refusals import Refusal
    from conquian.transcript.model import Claim

ACTS = {
    "turn": "turn a card from the stock",
    "meld": "meld the card on offer",
    "pass": "pass",
    "discard": "discard",
}
MOST_SHOWN = 3
_OVER = {
    "won": "is won",
    "conceded": "has been conceded",
    "agreed": "has been agreed a draw",
}
_NO_OBJECTION = {
    "": "nothing illegal lies before it",
    "own": "nothing that another side did lies right before it",
    "late": "the time to object to what was illegal is over",
}


class Scene(Struct, frozen=True):
    """Everything a message can speak of."""

    engine: Engine
    players: Sequence[str]
    state: State
    event: Event

    @property
    def player(self) -> str:
        return str(self.event[0])

    def name(self, seat: int) -> str:
        return self.players[seat]

    @property
    def offer(self) -> str:
        return " ".join(self.engine.pack.names(self.state.up))


def listed(cards: Sequence[str]) -> str:
    return " ".join(cards)


def _due(detail: str) -> str:
    acts = [ACTS[verb] for verb in detail.split("+") if verb in ACTS]
    return " or ".join(acts) or "wait"


def _where(detail: str, card: str) -> str:
    if ":" in detail:
        place, name = detail.split(":", 1)
        return f"{card} is in {name}'s hand" if place == "hand" else f"{card} lies on {name}'s table"
    if detail == "stock":
        return f"{card} is in the recorded stock"
    return f"{card} has been played already"


def whereabouts(engine: Engine, state: State, players: Sequence[str], unit: int, card: str) -> str:
    """Where the first known copy of a card is, in words."""
    from conquian.engine.refusals import place_of

    return _where(place_of(engine, state, dict(enumerate(players)), unit), card)


def message(refusal: Refusal, scene: Scene) -> tuple[str, str]:
    """The message and the hint for a violation of an event."""
    cards, who, detail = listed(refusal.cards), scene.player, refusal.detail
    match refusal.code:
        case "not-in-deck":
            return f"the pack has no {cards}", f"it has {_pack(scene.engine)}"
        case "game-over":
            how = _OVER.get(detail, "is drawn, the stock is used up")
            return f"the deal {how}; nothing follows", "leave the event out, or begin a new deal"
        case "no-objection-due":
            return (
                f"{who} objects, and {_NO_OBJECTION[detail]}",
                "an objection comes right after an illegal event",
            )
        case "not-agreed":
            return f"{scene.name(refusal.seat)} has not agreed", "a draw is agreed by every side"
        case "conceding":
            text = f"{who} concedes, and there is more than one other side"
            return text, "record who wins, or that the deal is broken off"
        case "exchange":
            return _exchange(refusal, scene)
        case "no-force-due":
            return _no_force(refusal, scene)
        case "not-your-turn":
            other = scene.name(refusal.seat)
            return (
                f"it is not {who}'s turn: {other} still has to {_due(detail)}",
                f"{other} has to {_due(detail)}",
            )
        case "forced":
            return _forced(refusal, scene)
        case "offer-open":
            return f"{who} turns a card while {cards} is on offer", f"meld {cards} or pass first"
        case "wrong-action":
            return f"{who} cannot do that now", f"{who} has to {_due(detail)}"
        case "stock-mismatch":
            return (
                f"{cards} is turned, but the recorded stock has {detail} next",
                f"expected {detail}, found {cards}",
            )
        case "card-elsewhere":
            return (
                f"{cards} cannot be turned: {_where(detail, cards)}",
                "check the card turned, or where it was before",
            )
        case "no-offer":
            return f"no card is on offer to {who}", f"{who} has to {_due(detail)}"
        case "no-discard-due":
            return f"no discard is due from {who}", f"{who} has to {_due(detail)}"
        case "arranging":
            if detail == "cards":
                return (
                    f"{cards} is not on {who}'s table",
                    "regrouping uses the player's own table cards alone",
                )
            return f"{who} may not regroup melds now", _sentence(refusal, scene)
        case "card-twice":
            copies = scene.engine.pack.copies
            times = "once" if copies == 1 else f"{copies} times"
            return f"{cards} is named twice" if copies == 1 else f"{cards} is named too often", (
                f"the pack has it {times}"
            )
        case "table-card-missing":
            return (
                f"{cards} from {who}'s table is missing",
                "list every meld that stands afterwards, unchanged ones too",
            )
        case "offer-not-used":
            return f"the card on offer, {cards}, is in none of the melds", f"use {cards}, or pass"
        case "not-in-hand":
            first = refusal.cards[0]
            if detail.startswith(("hand:", "table:")) or detail == "stock":
                return f"{who} cannot have {cards}: {_where(detail, first)}", _instead(scene)
            return f"{cards} is not in {who}'s hand", _instead(scene)
        case "invalid-meld":
            return f"{cards} is no valid meld" if cards else "a meld is empty", _instead(scene)
        case "hand-only-melds":
            return f"{cards} are hand cards alone", _instead(scene)
        case "borrowing":
            return f"{cards} may not be taken from its meld", _instead(scene)
        case "new-meld":
            return f"too few hand cards in the new meld with {scene.offer}", _instead(scene)
        case _:
            sentence = _sentence(refusal, scene)
            return sentence.rstrip(".") or refusal.code, _instead(scene)


def _sentence(refusal: Refusal, scene: Scene) -> str:
    if refusal.clause is None:
        return ""
    return scene.engine.program.clauses[refusal.clause].sentence


def _pack(engine: Engine) -> str:
    cards = engine.pack.cards
    ranks = list(dict.fromkeys(card[:-1] for card in cards))
    return f"the ranks {' '.join(ranks)}"


def _exchange(refusal: Refusal, scene: Scene) -> tuple[str, str]:
    match refusal.detail:
        case "due":
            return "cards are exchanged before play", "each player gives a card first"
        case "second":
            return f"{scene.player} has given already", "each player gives once"
        case "receiver":
            other = scene.name(refusal.seat)
            return f"{scene.player} gives to {other}", f"write `gives … to {other}`"
        case "over":
            return "the exchange is over", "cards are given before play only"
        case _:
            return "these rules have no exchange of cards", "leave the gift out"


def _no_force(refusal: Refusal, scene: Scene) -> tuple[str, str]:
    who = scene.player
    offer = f" ({listed(refusal.cards)})" if refusal.cards else ""
    bound = scene.name(refusal.seat) if refusal.seat >= 0 else ""
    if refusal.detail in ("fits", "when") and (closing := _closing(scene)):
        return f"no demand may be made on {bound}{offer}: {closing} leaves none", "leave the demand out"
    match refusal.detail:
        case "nobody":
            return f"{who} demands a meld, but no card is on offer to an opponent", "leave the demand out"
        case "own":
            return f"{who} demands a meld, but the card on offer{offer} is not an opponent's to meld now", (
                "a demand is on the player who passed the card, or on whom it is offered to"
            )
        case "again":
            return f"the card on offer{offer} has been demanded already", "one demand an offer is enough"
        case "named":
            return f"the demand does not name the card on offer{offer} and a meld that it extends", (
                _onto(scene, refusal.seat)
            )
        case "fits":
            return (
                f"the card on offer{offer} fits no meld in front of {bound}",
                "only a card that fits can be demanded",
            )
        case "against":
            return _sentence(refusal, scene).rstrip("."), "leave the demand out"
        case _:
            return f"no demand may be made on {bound} now{offer}", _sentence(refusal, scene)


def _closing(scene: Scene) -> str:
    """The readings, as they are chosen, that leave no demand at all; "" if some demand is left."""
    from conquian.engine.demands import closed_by_readings
    from conquian.engine.engine import with_choices
    from conquian.other_readings import single_changes

    if not closed_by_readings(scene.engine):
        return ""
    found: dict[str, str] = {}
    for change in single_changes(scene.engine):
        if not closed_by_readings(with_choices(scene.engine, change)):
            found.update((name, scene.engine.readings[name]) for name in change)
    return " and ".join(f"{name}={choice}" for name, choice in found.items())


def _onto(scene: Scene, seat: int) -> str:
    engine, state = scene.engine, scene.state
    fitting = [m for m in state.tables[seat] if engine.fit((m,)) & state.up]
    shown = ", ".join(listed(engine.pack.names(m)) for m in fitting)
    return f"{scene.offer} extends {shown}" if shown else f"{scene.offer} extends no meld"


def _forced(refusal: Refusal, scene: Scene) -> tuple[str, str]:
    from conquian.engine.search import can_meld

    hint = _instead(scene)
    if refusal.detail == "elsewhere":
        return f"{scene.player} was forced and lays {scene.offer} where it does not extend a meld", hint
    if not can_meld(scene.engine, scene.state):
        return f"{scene.player} was forced, but no legal meld of {scene.offer} meets the demand", (
            "under these readings the demand cannot be met"
        )
    return f"{scene.player} was forced and has to meld {scene.offer}", hint


def _melds(scene: Scene) -> list[str]:
    """A few legal melds of the position, as a transcript would write the table they leave."""
    from conquian.engine.search import legal_layouts

    names = scene.engine.pack.names
    shown: list[str] = []
    for layout, _ in legal_layouts(scene.engine, scene.state):
        shown.append(", ".join(sorted(listed(names(meld)) for meld in layout)))
        if len(shown) > MOST_SHOWN:
            break
    return shown


def _instead(scene: Scene) -> str:
    """What would have been legal, from what is known of the hand."""
    verb, engine, state = scene.event[1], scene.engine, scene.state
    if verb == "discards":
        from conquian.engine.search import legal_discards

        seat = engine.flow.seat(state.at)
        if state.unknown[seat]:
            return "the hand was not recorded completely"
        return f"{scene.player} can discard {' '.join(legal_discards(engine, state)) or 'nothing'}"
    if verb == "gives":
        return "only a card that was dealt to the player can be given"
    if verb == "arranges":
        return "every meld on the table has to be valid afterwards"
    shown = _melds(scene)
    if not shown:
        return "no meld of the card on offer is legal with the cards that are known"
    more = "; …" if len(shown) > MOST_SHOWN else ""
    return f"legal here, leaving the table: {'; '.join(shown[:MOST_SHOWN])}{more}"


def setup_message(refusal: SetupRefusal, engine: Engine, players: Sequence[str]) -> tuple[str, str]:
    """The message and the hint for a violation in a deal's set-up."""
    program, cards = engine.program, listed(refusal.cards)
    kind, _, number = refusal.detail.partition(":")
    match refusal.code:
        case "players":
            return f"{len(players)} players, but these rules are for {program.players}", (
                f"name {program.players} players"
            )
        case "not-in-deck":
            return f"the pack has no {cards}", f"it has {_pack(engine)}"
        case "no-starter":
            if refusal.detail == "missing":
                return "no starter is recorded", "the rules turn a card up after the deal: `starter CARD`"
            return "a starter is recorded, but these rules have none", "leave the starter out"
        case "card-elsewhere":
            return f"{cards} is named in two places of the deal", "each card is in one place"
        case _:
            pass
    if kind in ("entries", "count"):
        seat = refusal.place[1]
        who = players[seat] if isinstance(seat, int) else ""
        return (
            f"{who} was dealt {number} cards, not {program.dealt}",
            "the deal is void; the same dealer deals again",
        )
    if kind in ("stock", "deck"):
        return f"the recorded {kind} has {number} cards, more than the pack leaves", "the deal is void"
    if kind == "too-often":
        return f"{cards} is recorded too often", "each card is in one place"
    return "the recorded deck contradicts the recorded hands or starter", "check the order of the deal"


def claim_message(claim: Claim, winner: str | None, drawn: bool) -> tuple[str, str]:
    """The message and the hint for a claim that the events do not bear out."""
    said = (
        f"{claim.winner} wins" if claim.winner is not None else "broken off" if claim.broken_off else "drawn"
    )
    reached = f"{winner} wins" if winner is not None else "drawn" if drawn else "not ended"
    return f"the record says `{said}`, the deal is {reached}" if reached == "not ended" else (
        f"the record says `{said}`, the events give `{reached}`"
    ), f"claimed: {said}; reached: {reached}"
