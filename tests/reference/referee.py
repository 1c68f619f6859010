"""The referee: a verdict for each deal of a game in JSON form, and the ledger of its match.

`judge` walks every deal with `step`, compares the claim, and moves the dealer on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .ledger import POT, Book, does_not_count, enter
from .said import SAID, Record, say, struck_out
from .settings import Settings, settings_for
from .state import OFFER, OVER, State, at_the_end, initial_state, is_stuck, may_be_forced, set_up_code
from .step import Event, step

Game = Mapping[str, Any]


@dataclass(frozen=True)
class Note:
    """Something worth saying that breaks no rule; `event` is None for the deal as a whole."""

    code: str
    event: int | None


@dataclass(frozen=True)
class Ruling:
    """The verdict on one deal. `event` is None for set-up and claim; `final` is the last legal state."""

    number: int
    verdict: str
    event: int | None = None
    code: str | None = None
    winner: str | None = None
    drawn: bool | None = None
    notes: tuple[Note, ...] = ()
    final: State | None = None
    ended: str | None = None
    """How the players ended the deal themselves: `conceded`, `agreed` or `broken-off`."""
    standing: tuple[Event, ...] = ()
    """The events that were not taken back."""

    def expected_form(self) -> dict[str, Any]:
        return {
            "verdict": self.verdict,
            "event": self.event,
            "code": self.code,
            "winner": self.winner,
            "drawn": self.drawn,
        }


def settings_of(
    game: Game, rules: str | Settings | None = None, readings: Mapping[str, str] | None = None
) -> Settings:
    """Rules and readings by the header, those given here winning over it."""
    return settings_for(rules or game["rules"], {**(game.get("readings") or {}), **(readings or {})})


def judge(
    game: Game, rules: str | Settings | None = None, readings: Mapping[str, str] | None = None
) -> list[Ruling]:
    """One ruling for each deal."""
    settings = settings_of(game, rules, readings)
    players: list[str] = game["players"]
    overridden = (rules is not None and rules != game.get("rules")) or any(
        (game.get("readings") or {}).get(name, choice) != choice for name, choice in (readings or {}).items()
    )
    rulings: list[Ruling] = []
    book = Book(settings, players, game.get("match"))
    for number, (deal, dealer) in enumerate(
        zip(game["deals"], _dealers(game, rulings, settings), strict=False)
    ):
        notes = [Note("rules-overridden", None)] if overridden and number == 0 else []
        if book.over():
            notes.append(Note("after-session", None))
        ruling = judge_deal(settings, deal, players, dealer, notes)
        rulings.append(ruling)
        enter(book, {**deal, "events": ruling.standing}, ruling.verdict, ruling.winner, ruling.ended)
    return rulings


def ledger(
    game: Game, rules: str | Settings | None = None, readings: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """The ledger of a game in the form of `conquian score --format json`, without notes."""
    settings = settings_of(game, rules, readings)
    players: list[str] = game["players"]
    rulings = judge(game, rules, readings)
    book = Book(settings, players, game.get("match"))
    deals: list[dict[str, Any]] = []
    for deal, ruling in zip(game["deals"], rulings, strict=True):
        before = book.purse.copy()
        enter(book, {**deal, "events": ruling.standing}, ruling.verdict, ruling.winner, ruling.ended)
        payments = {name: book.purse[name] - before[name] for name in players}
        winner = ruling.winner if ruling.verdict == "valid" else None
        deals.append({"number": ruling.number, "winner": winner, "payments": payments})
    seats = _all_dealers(game, rulings, settings)
    return {
        "players": {name: {"units": book.purse[name], "wins": book.wins[name]} for name in players},
        "pot": book.purse[POT],
        "dealer_next": players[seats[-1]],
        "over": book.over(),
        "deals": deals,
    }


def _all_dealers(game: Game, rulings: Sequence[Ruling], settings: Settings) -> list[int]:
    """The dealers of all deals and of the one that would come next."""
    seen: list[Ruling] = []
    turn = _dealers(game, seen, settings)
    seats = [next(turn)]
    for ruling in rulings:
        seen.append(ruling)
        seats.append(next(turn))
    return seats


def _dealers(game: Game, rulings: Sequence[Ruling], settings: Settings) -> Iterator[int]:
    """The dealer's seat, deal by deal; `rulings` grows while this is read."""
    players: list[str] = game["players"]
    seat = players.index(game["dealer"]) if game.get("dealer") else len(players) - 1
    while True:
        yield seat
        last = rulings[-1]
        drawn = (bool(last.drawn) or last.ended == "broken-off") and not does_not_count(settings, last.ended)
        same = last.code == "misdeal" or (drawn and settings.draw_settlement == "replay")
        seat = seat if same else (seat + 1) % len(players)


def judge_deal(
    settings: Settings,
    deal: Mapping[str, Any],
    players: Sequence[str],
    dealer: int,
    notes: Sequence[Note] = (),
) -> Ruling:
    number: int = deal.get("number") or 0
    said = list(notes)
    code = set_up_code(settings, deal, players, dealer)
    if code is not None:
        return Ruling(number, "invalid", None, code, notes=tuple(said))
    state = initial_state(settings, deal, players, dealer)
    record: Record = list(enumerate(deal.get("events") or ()))
    while True:
        ruling = _judge_record(settings, deal, players, number, state, record, said)
        left = None if ruling.event is None else struck_out(state, record, ruling.event)
        if left is None or ruling.event is None:
            return ruling
        said.append(Note("taken-back", ruling.event))
        record = left


def _judge_record(
    settings: Settings,
    deal: Mapping[str, Any],
    players: Sequence[str],
    number: int,
    state: State,
    record: Record,
    notes: Sequence[Note],
) -> Ruling:
    """The ruling on a deal from its first state, by the events of a record."""
    said, ended = list(notes), None
    standing = tuple(event for _, event in record)
    for index, event in record:
        if event[1] in SAID:
            code, after = say(state, event)
            ended = None if code else {"concedes": "conceded", "agrees": "agreed"}[event[1]]
        else:
            outcome = step(state, event)
            code, after = outcome.code, outcome.state
        if code is not None:
            return Ruling(number, "invalid", index, code, notes=tuple(said), final=state)
        if event[1] not in SAID:
            said += [Note(word, index) for word in _notes_on(state, event, after)]
        state = after
    if is_stuck(state):
        said.append(Note("stuck", None))
    if state.passed and may_be_forced(state):
        said.append(Note("demand-not-made", None))
    end = at_the_end(state)
    winner = None if end.winner is None else players[end.winner]
    if (deal.get("claim") or {}).get("broken_off") and end.phase != OVER:
        return Ruling(
            number, "unfinished", None, None, None, False, tuple(said), state, "broken-off", standing
        )
    if not _claim_holds(deal.get("claim"), end, players):
        return Ruling(number, "invalid", None, "wrong-result", winner, end.drawn, tuple(said), state)
    verdict = "valid" if end.phase == OVER else "unfinished"
    return Ruling(number, verdict, None, None, winner, end.drawn, tuple(said), state, ended, standing)


def _claim_holds(claim: Mapping[str, Any] | None, end: State, players: Sequence[str]) -> bool:
    if not claim:
        return True
    if claim.get("broken_off"):
        return False
    if claim.get("drawn"):
        return end.drawn
    if claim.get("winner") is None:
        return True
    return end.winner is not None and end.side(end.winner) == end.side(players.index(claim["winner"]))


def _notes_on(before: State, event: Event, after: State) -> list[str]:
    """Notes on one legal event."""
    settings = before.settings
    words: list[str] = []
    on_passer = event[1] == "forces" and before.opponents(before.players.index(event[0]), before.actor)
    if before.passed and not on_passer and may_be_forced(before):
        words.append("demand-not-made")
    if event[1] == "melds" and after.winner is None and settings.goal_reading == "exactly":
        seat = before.players.index(event[0])
        if sum(len(meld) for meld in after.table(seat)) > settings.goal:
            words.append("past-goal")
    if event[1] == "arranges" and after.phase == OFFER:
        then = at_the_end(before) if before.passed else before
        if then.phase == OFFER and may_be_forced(then) and not may_be_forced(after):
            words.append("arranged-away")
    return words


def states(
    game: Game,
    deal: int = 0,
    rules: str | Settings | None = None,
    readings: Mapping[str, str] | None = None,
) -> list[State]:
    """The states of one deal, before its first event and after each legal one; none for a bad set-up."""
    settings = settings_of(game, rules, readings)
    rulings: list[Ruling] = []
    dealers = _dealers(game, rulings, settings)
    dealer = next(dealers)
    for earlier in game["deals"][:deal]:
        rulings.append(judge_deal(settings, earlier, game["players"], dealer))
        dealer = next(dealers)
    record = game["deals"][deal]
    if set_up_code(settings, record, game["players"], dealer) is not None:
        return []
    walked = [initial_state(settings, record, game["players"], dealer)]
    for event in record.get("events") or ():
        outcome = step(walked[-1], event)
        if outcome.code is not None:
            break
        walked.append(outcome.state)
    return walked
