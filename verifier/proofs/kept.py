"""Every card is in exactly one place after any legal event: a lemma for each kind of event, about a single card.

What an event of a kind moves is the same under all rules: a turn takes a card from the stock to the offer, a meld
takes the card on offer and hand cards to the table, and so on; a card that was on offer before another comes there is
refused and lies aside. The rules decide which kinds of events there are, in which phases, and with what on offer. Each
lemma is asked of Z3 for one card that may be anywhere; a sample of games then goes through the engine, and every
card is counted after every event.
"""

from __future__ import annotations

from conquian.engine.deals import Setup, first_states
from conquian.engine.play import play
from conquian.generate import games
from conquian.language import clauses as c
from conquian.tongue import later
from conquian.verifier.circuits import Circuit, Circuits
from conquian.verifier.limits import Disagreement
from conquian.verifier.proofs.game import Game
from conquian.verifier.proofs.result import Questions, Result
from conquian.verifier.solver import Solver

GAMES = 12
PLACES = ("stock", "hand", "other", "table", "offer", "aside")
"""The player's hand, any other hand; his table, or another's, on which nothing of his is laid."""


def kept(game: Game) -> Result:
    circuits = Circuits()
    asked = Questions(Solver(circuits, game.budget))
    for verb in _verbs(game):
        before, after, legal = _lemma(circuits, verb)
        query = (_one(circuits, before), *legal, -_one(circuits, after))
        if asked.can(f"{verb}: a card that was in one place is in none or in two", query) is not False:
            says = later("the lemma for `{verb}` was not proved", verb=verb)
            return Result("undecided", says, 0, queries=tuple(asked.asked))
    events = _counted(game)
    says = later(
        "proved for each kind of event; {events} events of {games} games counted", events=events, games=GAMES
    )
    return Result("proved", says, queries=tuple(asked.asked), work=asked.work + events)


def _verbs(game: Game) -> list[str]:
    """The kinds of events that the rules have."""
    flow = [line.verb for p in game.flow.phases.values() for _, line in p.lines if isinstance(line, c.Acts)]
    granted = [verb for _, body in game.rules.bodies(c.Modal) if body.allowed for verb in body.verbs]
    gifts = ["gift"] if game.engine.program.exchange[0] else []
    return list(dict.fromkeys([*flow, *granted, *gifts]))


def _one(circuits: Circuits, places: dict[str, Circuit]) -> Circuit:
    found = list(places.values())
    return circuits.all((circuits.any(found), -circuits.at_least(found, 2)))


def _lemma(
    circuits: Circuits, verb: str
) -> tuple[dict[str, Circuit], dict[str, Circuit], tuple[Circuit, ...]]:
    """Where the card is before and after an event, and what makes the event legal, as far as it concerns the card."""
    variable, any_, all_ = circuits.variable, circuits.any, circuits.all
    before = {place: variable(f"{verb}:{place}") for place in PLACES}
    after = dict(before)
    this = variable(f"{verb}:this")
    """The event names this card."""
    if verb == "turn" or verb == "discard":
        source = "stock" if verb == "turn" else "hand"
        after[source] = all_((before[source], -this))
        after["offer"] = this
        after["aside"] = any_((before["aside"], all_((before["offer"], -this))))
        return before, after, (any_((-this, before[source])),)
    if verb == "gift":
        after["hand"] = all_((before["hand"], -this))
        after["other"] = any_((before["other"], this))
        return before, after, (any_((-this, before["hand"])),)
    if verb == "meld":
        laid, twice = variable("meld:laid"), variable("meld:laid twice")
        used = all_((laid, before["hand"]))
        after["table"] = laid
        after["table again"] = all_((laid, twice))
        after["hand"] = all_((before["hand"], -used))
        after["offer"] = all_((before["offer"], -laid))
        legal = (
            -twice,  # a listed card is one card of the pack, and in one meld
            any_((-before["table"], laid)),  # no table card is left out
            any_((-before["offer"], laid)),  # the card on offer is used
            any_((-laid, before["table"], before["offer"], before["hand"])),
        )
        return before, after, legal
    if verb == "arrange":
        laid = variable("arrange:laid")
        after["table"] = laid
        return before, after, (circuits.same(laid, before["table"]),)
    return before, after, ()


def _counted(game: Game) -> int:
    """Events of sample games, after each of which every card of the pack was in one place."""
    engine, pack = game.engine, game.engine.pack
    count = 0
    for sample in games(engine, GAMES, seed=0):
        deal = sample.deals[0]
        names = {name: i for i, name in enumerate(sample.players)}
        hands = [list(deal.hands[name] or ()) for name in sample.players] if deal.hands else []
        setup = Setup(engine.seats, hands, [None] * engine.seats, None, None, deal.starter, 0)
        states = first_states(engine, setup)
        assert isinstance(states, list)
        state, aside, up, drawn = states[0], 0, states[0].up, 0
        for event in deal.events:
            was = state.up
            if not play(engine, state, [event], names).legal:
                raise Disagreement(f"{event} was generated and is not legal")
            if event[1] == "turns":
                drawn += pack.unit[str(event[2])]
            if event[1] in ("turns", "discards") and was:
                aside += was
            given = sum(cards for cards, _ in state.received) if any(state.gifts) else 0
            tables = dict(zip(engine.team_of, state.tables, strict=True))
            placed = sum(state.hands) + sum(map(sum, tables.values()))
            known = placed + state.up + aside + given
            dealt = sum(map(pack.packed, hands)) + up + drawn
            if known != dealt or state.stock != pack.size - pack.count(dealt):
                raise Disagreement(f"after {event} a card is in no place or in two")
            count += 1
    return count
