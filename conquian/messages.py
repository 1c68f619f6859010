"""Violations in words: what happened, and what would have been right instead.

Each message names players and cards as the transcript does; each hint says what was due or possible.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from conquian.cards import Notation, shown_cards, shown_ranks, without_form
from conquian.engine.engine import Engine
from conquian.engine.play import Event
from conquian.engine.state import State
from conquian.sentences import sentence
from conquian.tongue import either, listed, mark, tell, tell_n

if TYPE_CHECKING:
    from conquian.engine.deals import SetupRefusal
    from conquian.engine.refusals import Refusal
    from conquian.transcript.model import Claim

ACTS = {
    "turn": mark("turn a card from the stock"),
    "meld": mark("meld the card on offer"),
    "pass": mark("pass"),
    "discard": mark("discard"),
}
MOST_SHOWN = 3
DRAWN = mark("the deal is drawn, the stock is used up; nothing follows")
_OVER = {
    "won": mark("the deal is won; nothing follows"),
    "conceded": mark("the deal has been conceded; nothing follows"),
    "agreed": mark("the deal has been agreed a draw; nothing follows"),
}
_NO_OBJECTION = {
    "": mark("{player} objects, and nothing illegal lies before it"),
    "own": mark("{player} objects, and nothing that another side did lies right before it"),
    "late": mark("{player} objects, and the time to object to what was illegal is over"),
}


class Scene(Struct, frozen=True):
    """Everything a message can speak of."""

    engine: Engine
    players: Sequence[str]
    state: State
    event: Event
    notation: Notation | None = None
    """How cards are written; None: as `conquian.cards.showing` has set."""

    @property
    def player(self) -> str:
        return str(self.event[0])

    def name(self, seat: int) -> str:
        return self.players[seat]

    @property
    def offer(self) -> str:
        return self.cards(self.engine.pack.names(self.state.up))

    def cards(self, names: Iterable[str]) -> str:
        """Cards as the messages write them."""
        return shown_cards(names, self.notation)


def _due(detail: str) -> str:
    acts = [tell(ACTS[verb]) for verb in detail.split("+") if verb in ACTS]
    return either(acts) if acts else tell("wait")


def _has_to(who: str, detail: str) -> str:
    return tell("{player} has to {act}", player=who, act=_due(detail))


def _where(detail: str, card: str) -> str:
    if ":" in detail:
        place, name = detail.split(":", 1)
        if place == "hand":
            return tell("{card} is in {player}'s hand", card=card, player=name)
        return tell("{card} lies on {player}'s table", card=card, player=name)
    if detail == "stock":
        return tell("{card} is in the recorded stock", card=card)
    return tell("{card} has been played already", card=card)


def whereabouts(engine: Engine, state: State, players: Sequence[str], unit: int, card: str) -> str:
    """Where the first known copy of a card is, in words."""
    from conquian.engine.refusals import place_of

    return _where(place_of(engine, state, dict(enumerate(players)), unit), card)


def message(refusal: Refusal, scene: Scene) -> tuple[str, str]:
    """The message and the hint for a violation of an event."""
    cards, who, detail = scene.cards(refusal.cards), scene.player, refusal.detail
    match refusal.code:
        case "not-in-deck":
            return tell("the pack has no {cards}", cards=cards), _pack(scene.engine, scene.notation)
        case "game-over":
            return tell(_OVER.get(detail, DRAWN)), tell("leave the event out, or begin a new deal")
        case "no-objection-due":
            return tell(_NO_OBJECTION[detail], player=who), tell(
                "an objection comes right after an illegal event"
            )
        case "not-agreed":
            return (
                tell("{player} has not agreed", player=scene.name(refusal.seat)),
                tell("a draw is agreed by every side"),
            )
        case "conceding":
            return (
                tell("{player} concedes, and there is more than one other side", player=who),
                tell("record who wins, or that the deal is broken off"),
            )
        case "exchange":
            return _exchange(refusal, scene)
        case "no-force-due":
            return _no_force(refusal, scene)
        case "not-your-turn":
            other, due = scene.name(refusal.seat), _due(detail)
            return (
                tell(
                    "it is not {player}'s turn: {other} still has to {act}", player=who, other=other, act=due
                ),
                _has_to(other, detail),
            )
        case "forced":
            return _forced(refusal, scene)
        case "offer-open":
            return (
                tell("{player} turns a card while {cards} is on offer", player=who, cards=cards),
                tell("meld {cards} or pass first", cards=cards),
            )
        case "wrong-action":
            return tell("{player} cannot do that now", player=who), _has_to(who, detail)
        case "stock-mismatch":
            due = scene.cards([detail])
            return (
                tell("{cards} is turned, but the recorded stock has {card} next", cards=cards, card=due),
                tell("expected {card}, found {cards}", card=due, cards=cards),
            )
        case "card-elsewhere":
            return (
                tell("{cards} cannot be turned: {where}", cards=cards, where=_where(detail, cards)),
                tell("check the card turned, or where it was before"),
            )
        case "no-offer":
            return tell("no card is on offer to {player}", player=who), _has_to(who, detail)
        case "no-discard-due":
            return tell("no discard is due from {player}", player=who), _has_to(who, detail)
        case "arranging":
            if detail == "cards":
                return (
                    tell("{cards} is not on {player}'s table", cards=cards, player=who),
                    tell("regrouping uses the player's own table cards alone"),
                )
            return tell("{player} may not regroup melds now", player=who), _sentence(refusal, scene)
        case "card-twice":
            copies = scene.engine.pack.copies
            said = (
                tell("{cards} is named twice", cards=cards)
                if copies == 1
                else tell("{cards} is named too often", cards=cards)
            )
            return said, tell_n("the pack has it once", "the pack has it {number} times", copies)
        case "table-card-missing":
            return (
                tell("{cards} from {player}'s table is missing", cards=cards, player=who),
                tell("list every meld that stands afterwards, unchanged ones too"),
            )
        case "offer-not-used":
            return (
                tell("the card on offer, {cards}, is in none of the melds", cards=cards),
                tell("use {cards}, or pass", cards=cards),
            )
        case "not-in-hand":
            first = scene.cards(refusal.cards[:1])
            if detail.startswith(("hand:", "table:")) or detail == "stock":
                where = _where(detail, first)
                return (
                    tell("{player} cannot have {cards}: {where}", player=who, cards=cards, where=where),
                    _instead(scene),
                )
            return tell("{cards} is not in {player}'s hand", cards=cards, player=who), _instead(scene)
        case "invalid-meld":
            said = tell("{cards} is no valid meld", cards=cards) if cards else tell("a meld is empty")
            return said, _instead(scene)
        case "hand-only-melds":
            return tell("{cards} are hand cards alone", cards=cards), _instead(scene)
        case "borrowing":
            return tell("{cards} may not be taken from its meld", cards=cards), _instead(scene)
        case "new-meld":
            return tell("too few hand cards in the new meld with {card}", card=scene.offer), _instead(scene)
        case _:
            return _sentence(refusal, scene).rstrip(".") or refusal.code, _instead(scene)


def _sentence(refusal: Refusal, scene: Scene) -> str:
    if refusal.clause is None:
        return ""
    return sentence(scene.engine.program, refusal.clause)


def _pack(engine: Engine, notation: Notation | None) -> str:
    ranks = list(dict.fromkeys(card[:-1] for card in engine.pack.cards))
    unwritten = without_form(ranks, notation)
    shown = " ".join(shown_ranks([rank for rank in ranks if rank not in unwritten], notation))
    if unwritten:
        # Among the others it would read as the sota.
        return tell(
            "it has the ranks {ranks}; its French {rest} has no Spanish form: a Spanish 10 is the sota",
            ranks=shown,
            rest=" ".join(unwritten),
        )
    return tell("it has the ranks {ranks}", ranks=shown)


def _exchange(refusal: Refusal, scene: Scene) -> tuple[str, str]:
    who = scene.player
    match refusal.detail:
        case "due":
            return tell("cards are exchanged before play"), tell("each player gives a card first")
        case "second":
            return tell("{player} has given already", player=who), tell("each player gives once")
        case "receiver":
            other = scene.name(refusal.seat)
            return (
                tell("{player} gives to {other}", player=who, other=other),
                tell("write `gives … to {other}`", other=other),
            )
        case "over":
            return tell("the exchange is over"), tell("cards are given before play only")
        case _:
            return tell("these rules have no exchange of cards"), tell("leave the gift out")


def _no_force(refusal: Refusal, scene: Scene) -> tuple[str, str]:
    who = scene.player
    offer = f" ({scene.cards(refusal.cards)})" if refusal.cards else ""
    bound = scene.name(refusal.seat) if refusal.seat >= 0 else ""
    if refusal.detail in ("fits", "when") and (closing := _closing(scene)):
        return (
            tell(
                "no demand may be made on {bound}{offer}: {closing} leaves none",
                bound=bound,
                offer=offer,
                closing=closing,
            ),
            tell("leave the demand out"),
        )
    match refusal.detail:
        case "nobody":
            return (
                tell("{player} demands a meld, but no card is on offer to an opponent", player=who),
                tell("leave the demand out"),
            )
        case "own":
            return (
                tell(
                    "{player} demands a meld, but the card on offer{cards} is not an opponent's to meld now",
                    player=who,
                    cards=offer,
                ),
                tell("a demand is on the player who passed the card, or on whom it is offered to"),
            )
        case "again":
            return (
                tell("the card on offer{cards} has been demanded already", cards=offer),
                tell("one demand an offer is enough"),
            )
        case "named":
            return (
                tell(
                    "the demand does not name the card on offer{cards} and a meld that it extends",
                    cards=offer,
                ),
                _onto(scene, refusal.seat),
            )
        case "fits":
            return (
                tell("the card on offer{cards} fits no meld in front of {player}", cards=offer, player=bound),
                tell("only a card that fits can be demanded"),
            )
        case "against":
            return _sentence(refusal, scene).rstrip("."), tell("leave the demand out")
        case _:
            return (
                tell("no demand may be made on {player} now{cards}", player=bound, cards=offer),
                _sentence(refusal, scene),
            )


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
    return listed([f"{name}={choice}" for name, choice in found.items()]) if found else ""


def _onto(scene: Scene, seat: int) -> str:
    engine, state = scene.engine, scene.state
    fitting = [m for m in state.tables[seat] if engine.fit((m,)) & state.up]
    shown = ", ".join(scene.cards(engine.pack.names(m)) for m in fitting)
    if not shown:
        return tell("{card} extends no meld", card=scene.offer)
    return tell("{card} extends {melds}", card=scene.offer, melds=shown)


def _forced(refusal: Refusal, scene: Scene) -> tuple[str, str]:
    from conquian.engine.search import can_meld

    who, card, hint = scene.player, scene.offer, _instead(scene)
    if refusal.detail == "elsewhere":
        return (
            tell(
                "{player} was forced and lays {card} where it does not extend a meld", player=who, card=card
            ),
            hint,
        )
    if not can_meld(scene.engine, scene.state):
        return (
            tell("{player} was forced, but no legal meld of {card} meets the demand", player=who, card=card),
            tell("under these readings the demand cannot be met"),
        )
    return tell("{player} was forced and has to meld {card}", player=who, card=card), hint


def _melds(scene: Scene) -> list[str]:
    """A few legal melds of the position, as a transcript would write the table they leave."""
    from conquian.engine.search import legal_layouts

    names = scene.engine.pack.names
    shown: list[str] = []
    for layout, _ in legal_layouts(scene.engine, scene.state):
        shown.append(", ".join(sorted(scene.cards(names(meld)) for meld in layout)))
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
            return tell("the hand was not recorded completely")
        found = scene.cards(legal_discards(engine, state)) or tell("nothing")
        return tell("{player} can discard {cards}", player=scene.player, cards=found)
    if verb == "gives":
        return tell("only a card that was dealt to the player can be given")
    if verb == "arranges":
        return tell("every meld on the table has to be valid afterwards")
    shown = _melds(scene)
    if not shown:
        return tell("no meld of the card on offer is legal with the cards that are known")
    more = "; …" if len(shown) > MOST_SHOWN else ""
    return tell("legal here, leaving the table: {tables}", tables="; ".join(shown[:MOST_SHOWN]) + more)


def setup_message(
    refusal: SetupRefusal, engine: Engine, players: Sequence[str], notation: Notation | None = None
) -> tuple[str, str]:
    """The message and the hint for a violation in a deal's set-up."""
    program, cards = engine.program, shown_cards(refusal.cards, notation)
    kind, _, number = refusal.detail.partition(":")
    match refusal.code:
        case "players":
            count = program.players
            return (
                tell("{found} players, but these rules are for {number}", found=len(players), number=count),
                tell("name {number} players", number=count),
            )
        case "not-in-deck":
            return tell("the pack has no {cards}", cards=cards), _pack(engine, notation)
        case "no-starter":
            if refusal.detail == "missing":
                return (
                    tell("no starter is recorded"),
                    tell("the rules turn a card up after the deal: `starter CARD`"),
                )
            return tell("a starter is recorded, but these rules have none"), tell("leave the starter out")
        case "card-elsewhere":
            return tell("{cards} is named in two places of the deal", cards=cards), _one_place()
        case _:
            pass
    if kind in ("entries", "count"):
        seat = refusal.place[1]
        who = players[seat] if isinstance(seat, int) else ""
        return (
            tell(
                "{player} was dealt {found} cards, not {number}",
                player=who,
                found=number,
                number=program.dealt,
            ),
            tell("the deal is void; the same dealer deals again"),
        )
    if kind in ("stock", "deck"):
        template = RECORDED_STOCK if kind == "stock" else RECORDED_DECK
        return tell(template, number=number), tell("the deal is void")
    if kind == "too-often":
        return tell("{cards} is recorded too often", cards=cards), _one_place()
    return (
        tell("the recorded deck contradicts the recorded hands or starter"),
        tell("check the order of the deal"),
    )


RECORDED_STOCK = mark("the recorded stock has {number} cards, more than the pack leaves")
RECORDED_DECK = mark("the recorded deck has {number} cards, more than the pack leaves")


def _one_place() -> str:
    return tell("each card is in one place")


def claim_message(claim: Claim, winner: str | None, drawn: bool) -> tuple[str, str]:
    """The message and the hint for a claim that the events do not bear out."""

    def result(name: str | None) -> str:
        return tell("drawn") if name is None else tell("{player} wins", player=name)

    said = tell("broken off") if claim.broken_off else result(claim.winner)
    if winner is None and not drawn:
        return (
            tell("the record says `{claimed}`, the deal is not ended", claimed=said),
            tell("claimed: {claimed}; reached: {reached}", claimed=said, reached=tell("not ended")),
        )
    reached = result(winner)
    return (
        tell("the record says `{claimed}`, the events give `{reached}`", claimed=said, reached=reached),
        tell("claimed: {claimed}; reached: {reached}", claimed=said, reached=reached),
    )
