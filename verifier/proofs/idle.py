"""Plays in which nobody lays a card: the longest there are without any choice of cards."""

from __future__ import annotations

from conquian.engine.deals import Setup, first_states
from conquian.engine.facts import closed
from conquian.engine.play import Event, play
from conquian.verifier.proofs.game import Game
from conquian.verifier.proofs.plan import Played


def passed_through(game: Game, more_than: int | None) -> Played | None:
    """A play of turns, passes and discards with more events than a number, or, None, with one state come to twice
    with nothing used up in between; None if idle players do not come so far."""
    engine, program, pack = game.engine, game.engine.program, game.engine.pack
    cards = [card for card in pack.cards for _ in range(pack.copies)]
    hands = [cards[i * program.dealt : (i + 1) * program.dealt] for i in range(program.players)]
    rest = cards[program.dealt * program.players :]
    starter = rest.pop(0) if program.starter else None
    setup = Setup(program.players, hands, [None] * program.players, None, None, starter, 0)
    states = first_states(engine, setup)
    if not isinstance(states, list):
        return None
    state = states[0]
    names = tuple(f"p{i}" for i in range(engine.seats))
    seats = {name: i for i, name in enumerate(names)}
    played = Played(engine, hands, starter, state, [], state.copy())
    seen: set[tuple[int, int, int, tuple[int, ...]]] = set()
    while True:
        if more_than is not None and len(played.events) > more_than:
            return played
        key = (state.at, state.up, state.stock, tuple(state.hands))
        if more_than is None and state.at != engine.flow.unstarted and key in seen:
            return played
        seen.add(key)
        event = _event(game, played, names, rest)
        if event is None:
            return None
        before = state.copy()
        if not play(engine, state, [event], seats).legal:
            return None
        played.events.append(event)
        played.before = before


def _event(game: Game, played: Played, names: tuple[str, ...], rest: list[str]) -> Event | None:
    engine, state = game.engine, played.state
    if state.at == engine.flow.unstarted:
        giver = next(s for s, left in enumerate(state.gifts) if left)
        to = names[(giver + engine.program.exchange[1]) % engine.seats]
        return names[giver], "gives", engine.pack.names(state.hands[giver])[0], to
    at = closed(engine, state, state.at)
    phase = engine.flow.phase(at)
    if phase is None:
        return None
    seat = engine.flow.seat(at)
    verbs = {line.verb for line in phase.lines if line.kind == "acts" and line.actor == "player"}
    if "pass" in verbs:
        return names[seat], "passes"
    if "turn" in verbs and rest:
        return names[seat], "turns", rest.pop(0)
    held = engine.pack.names(state.hands[seat])
    return (names[seat], "discards", held[0]) if "discard" in verbs and held else None
