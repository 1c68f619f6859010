"""A recorded game as a story in pictures: its deals, and a frame for the start of each and for every judged event.

Guarantees: frames follow the verdict: the last one before a violation is the position in which it happened, with the
offending cards marked. What could not be read or was not judged is told and has no picture.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct

from conquian.cards import Notation, first_without_form
from conquian.judgement import file_engine, file_verdict
from conquian.match import deals_of
from conquian.pictures.choices import Choice, choices, unseen
from conquian.pictures.holding import Holding, holdings
from conquian.pictures.scene import Scene, scene_of
from conquian.pictures.words import deed_text
from conquian.position import Position, Rules
from conquian.referee import IllegalDeal, replay
from conquian.scoring import score
from conquian.sentences import title
from conquian.standings import Scored
from conquian.tongue import tell
from conquian.transcript.model import Deal, Game
from conquian.transcript.sheet import Sheet
from conquian.verdict import DealVerdict, Error, FileVerdict, Violation


class Frame(Struct, frozen=True, kw_only=True):
    """A moment of a deal. `event` is None at the start; `scene` is the position after the event, or, of a violation,
    the one before it. `choices` are what could be done in that position, `unseen` the cards that nobody saw till then,
    `holdings` what the whole record says of hands that were not written down.
    """

    event: int | None
    player: str | None
    deed: str
    comments: tuple[str, ...]
    scene: Scene
    choices: tuple[Choice, ...]
    unseen: tuple[str, ...]
    holdings: tuple[Holding, ...]
    notes: tuple[str, ...] = ()
    violation: Violation | None = None


class Untold(Struct, frozen=True, kw_only=True):
    """An event that was not judged."""

    event: int
    player: str
    deed: str
    comments: tuple[str, ...]


class DealStory(Struct, frozen=True, kw_only=True):
    """A deal: who deals, the verdict, the words of the clause that decides, the frames, what was not judged."""

    verdict: DealVerdict
    dealer: str
    sentence: str
    frames: tuple[Frame, ...]
    untold: tuple[Untold, ...]
    setup: tuple[str, ...]
    claim: str | None
    closing: tuple[str, ...]
    errors: tuple[Error, ...]


class Story(Struct, frozen=True, kw_only=True):
    """A game. `file` is the name of its file without the folders, `pack` the cards that can be in its pictures."""

    file: str
    rules: str
    title: str
    players: tuple[str, ...]
    tags: Mapping[str, str]
    notation: Notation
    pack: tuple[str, ...]
    verdict: FileVerdict
    deals: tuple[DealStory, ...]
    ledger: Scored


class Untellable(ValueError):
    """A transcript of which nothing can be shown; `errors` say why."""

    def __init__(self, errors: tuple[Error, ...]) -> None:
        self.errors = errors
        super().__init__(errors[0].message if errors else tell("nothing can be read"))


class NoForm(ValueError):
    """The notation that was asked for cannot write the cards of the pack."""


def story_of(
    sheet: Sheet,
    *,
    rules: str | None = None,
    readings: Mapping[str, str] | None = None,
    notation: Notation | None = None,
) -> Story:
    """The story of one read transcript.

    `rules` and `readings` override what its header says, with a note. Untellable if it cannot be read or names no
    rules that can be used, NoForm if `notation` has no form for some card; RulesError and UnknownReading only for what
    the caller passed.
    """
    verdict, sentences = file_verdict(sheet, rules, readings or {}, True)
    game = sheet.game
    if game is None or (verdict.errors and not verdict.deals):
        raise Untellable(verdict.errors)
    engine = file_engine(sheet, rules, readings or {})
    ranks = tuple(card[:-1] for card in engine.pack.cards)
    rank = first_without_form(ranks, notation or game.cards)
    if rank is not None and notation is not None:
        raise NoForm(tell("a {rank} of this pack has no {notation} form", rank=rank, notation=notation))
    shown: Notation = "french" if rank is not None else notation or game.cards
    ruled = Rules(engine)
    deals = []
    for index, dealt in enumerate(deals_of(engine, game, sheet.unreadable, game.match)):
        errors = tuple(_error(sheet, i) for i, e in enumerate(sheet.errors) if e.deal == index)
        deal = game.deals[index]
        dealer = game.players[dealt.dealer]
        frames: tuple[Frame, ...] = ()
        if index not in sheet.unreadable:
            frames = _frames(ruled, game, index, dealer, verdict.deals[index], shown)
        deals.append(_deal(game, deal, dealer, verdict.deals[index], sentences[index], frames, errors, shown))
    return Story(
        file=re.split(r"[/\\]", sheet.name)[-1],
        rules=engine.program.name,
        title=title(engine.program),
        players=game.players,
        tags=game.tags or {},
        notation=shown,
        pack=engine.pack.cards,
        verdict=verdict,
        deals=tuple(deals),
        ledger=score(sheet, rules=rules, readings=readings),
    )


def _error(sheet: Sheet, index: int) -> Error:
    found = sheet.errors[index]
    return Error(
        code=found.code, line=found.line, column=found.column, message=found.message, hint=found.hint
    )


def _deal(
    game: Game,
    deal: Deal,
    dealer: str,
    verdict: DealVerdict,
    sentence: str,
    frames: tuple[Frame, ...],
    errors: tuple[Error, ...],
    notation: Notation,
) -> DealStory:
    told = {frame.event for frame in frames}
    untold = tuple(
        Untold(
            event=number,
            player=str(event[0]),
            deed=deed_text(event, notation),
            comments=_comments(deal, number),
        )
        for number, event in enumerate(deal.events)
        if number not in told
    )
    claim = None
    if deal.claim is not None:
        claim = (
            tell("drawn") if deal.claim.winner is None else tell("{player} wins", player=deal.claim.winner)
        )
    placed = {note.event for note in verdict.notes if note.event in told}
    return DealStory(
        verdict=verdict,
        dealer=dealer,
        sentence=sentence,
        frames=frames,
        untold=untold,
        setup=tuple(note.message for note in verdict.notes if note.event not in placed),
        claim=claim,
        closing=_comments(deal, len(deal.events)),
        errors=errors,
    )


def _comments(deal: Deal, event: int) -> tuple[str, ...]:
    return tuple(text for place, text in deal.comments or () if place == event)


def _frames(
    rules: Rules, game: Game, index: int, dealer: str, verdict: DealVerdict, notation: Notation
) -> tuple[Frame, ...]:
    """The start and every judged event of a deal."""
    deal = game.deals[index]
    first = (game.players.index(dealer) + 1) % len(game.players)
    try:
        played = list(replay(rules, game.players, deal, dealer))
    except IllegalDeal:
        return ()
    wrong = next((v for v in verdict.violations if v.event is not None), None)
    viewer = game.players[0]

    def frame(
        number: int | None, position: Position, before: Position | None, violation: Violation | None = None
    ) -> Frame:
        event = None if number is None else deal.events[number]
        # The event that comes next in this position: after a violation none, it is the violation itself.
        place = 0 if number is None else number if violation is not None else number + 1
        offending = () if violation is None else violation.cards
        return Frame(
            event=number,
            player=None if event is None else str(event[0]),
            deed=tell("The deal begins") if event is None else deed_text(event, notation),
            comments=() if number is None else _comments(deal, number),
            scene=scene_of(
                position,
                notation=notation,
                viewer=viewer,
                before=before,
                open_hands=False,
                wrong=offending,
                tried=None if violation is None else event,
            ),
            choices=choices(position, notation),
            unseen=unseen(position) if any(position.state.unknown) else (),
            holdings=holdings(rules.engine, game, index, first, len(played) - 1, place, position),
            notes=tuple(n.message for n in verdict.notes if number is not None and n.event == number),
            violation=violation,
        )

    frames = [frame(None, played[0][0], None)]
    for number in range(len(played) - 1):
        frames.append(frame(number, played[number + 1][0], played[number][0]))
    if wrong is not None and wrong.event is not None:
        frames.append(frame(wrong.event, played[-1][0], None, wrong))
    return tuple(frames)
