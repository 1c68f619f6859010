"""A recorded game as a story in pictures: its deals, and a frame for the start of each and for every judged event.

Guarantees: frames follow the verdict: that of a violation is the position in which it happened, with the offending
cards marked; if the act stood, another one shows what it left, and the pictures go on from there. What could not be
read or was not judged is told and has no picture.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from conquian.cards import Notation, first_without_form, showing
from conquian.engine.engine import Engine
from conquian.engine.residues import TooManyHands
from conquian.judgement import chosen_rules, file_verdict
from conquian.match import deals_of
from conquian.messages import Scene as Told
from conquian.messages import message
from conquian.pictures.choices import Choice, choices, unseen
from conquian.pictures.holding import Holding, holdings
from conquian.pictures.played_on import played_on
from conquian.pictures.scene import Scene, scene_of
from conquian.pictures.words import deed_text
from conquian.position import Position, Rules
from conquian.referee import IllegalDeal, Taken, replay
from conquian.scoring import score
from conquian.sentences import title
from conquian.standings import Scored
from conquian.tongue import tell
from conquian.transcript.model import Claim, Deal, Game
from conquian.transcript.sheet import Sheet
from conquian.verdict import AsPlayed, DealNote, DealVerdict, Error, FileVerdict, Stood, Violation


class Frame(Struct, frozen=True, kw_only=True):
    """A moment of a deal. `event` is None at the start; `scene` is the position after the event, or, of a violation,
    the one before it. `choices` are what could be done in that position, `unseen` the cards that nobody saw till then,
    `holdings` what the whole record says of hands that were not written down. `stands`: the event is illegal and stood;
    the scene is what it left. `taken_back_by` objected to it, or to an illegal event before it; `because` says why
    it was illegal itself.
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
    stands: bool = False
    taken_back_by: str | None = None
    because: str | None = None


class Untold(Struct, frozen=True, kw_only=True):
    """An event without a picture. `line` is where it stands in the file. `judged`: a picture would be a guess of cards
    that nobody recorded."""

    event: int
    player: str
    deed: str
    comments: tuple[str, ...]
    line: int
    judged: bool = False


class Unread(Struct, frozen=True, kw_only=True):
    """Something that cannot be read, with its line as it stands in the file."""

    error: Error
    text: str


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
    errors: tuple[Unread, ...]


class Story(Struct, frozen=True, kw_only=True):
    """A game. `file` is the name of its file without the folders, `pack` the cards that can be in its pictures.
    `errors` and `notes` are of the file, not of a deal; `standings` is the ledger with deals counted as they were
    played, where that makes a difference."""

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
    errors: tuple[Unread, ...] = ()
    notes: tuple[str, ...] = ()
    standings: Scored | None = None


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
    as_played: bool = True,
) -> Story:
    """The story of one read transcript.

    `rules` and `readings` override what its header says, with a note. `as_played`: illegal acts that nobody objected to
    stand, and the story goes on; else, and where that cannot be decided within a budget, a deal ends with its first
    violation. Untellable if it cannot be read or names no
    rules that can be used, NoForm if `notation` has no form for some card; RulesError and UnknownReading only for what
    the caller passed.
    """
    if not as_played:
        return _story(sheet, rules, readings or {}, notation, as_played=False)
    try:
        return _story(sheet, rules, readings or {}, notation, as_played=True)
    except TooManyHands as undecided:
        found = _story(sheet, rules, readings or {}, notation, as_played=False)
        why = tell("{undecided}; each deal ends with its first violation", undecided=undecided)
        return replace(found, notes=(*found.notes, why))


def _story(
    sheet: Sheet,
    rules: str | None,
    readings: Mapping[str, str],
    notation: Notation | None,
    as_played: bool,
) -> Story:
    engine, shown = _rules_and_notation(sheet, rules, readings, notation)
    game = sheet.game
    with showing(shown, signs=True):
        verdict, sentences = file_verdict(sheet.shown_in(shown), rules, readings, True, as_played=as_played)
        if game is None or engine is None or (verdict.errors and not verdict.deals):
            raise Untellable(verdict.errors)
        ruled = Rules(engine)
        deals = []
        for index, dealt in enumerate(deals_of(engine, game, sheet.unreadable, game.match, as_played)):
            dealer, judged = game.players[dealt.dealer], verdict.deals[index]
            frames: tuple[Frame, ...] = ()
            if index not in sheet.unreadable:
                taken = () if dealt.outcome is None else tuple(dealt.outcome.taken)
                frames = _frames(ruled, game, index, dealer, judged, shown, taken)
            deals.append(_deal(sheet, game, index, dealer, judged, sentences[index], frames, shown))
    notes = [note for note in verdict.notes if note.event is None]
    for one in verdict.deals[:1]:
        notes += [note for note in one.notes if _of_file(sheet, note)]
    ledger = score(sheet, rules=rules, readings=readings)
    standings = score(sheet, rules=rules, readings=readings, as_played=True) if as_played else ledger
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
        ledger=ledger,
        errors=_errors(sheet, None),
        notes=tuple(note.message for note in notes),
        standings=None if standings.score.deals == ledger.score.deals else standings,
    )


def _rules_and_notation(
    sheet: Sheet, rules: str | None, readings: Mapping[str, str], notation: Notation | None
) -> tuple[Engine | None, Notation]:
    """The rules of a transcript, None if there are none, and how its cards are written."""
    game = sheet.game
    chosen = None if game is None else chosen_rules(sheet, game, rules, readings)
    wished = notation or ("french" if game is None else game.cards)
    if chosen is None or isinstance(chosen, Error):
        return None, wished
    engine = chosen[0]
    rank = first_without_form(tuple(card[:-1] for card in engine.pack.cards), wished)
    if rank is not None and notation is not None:
        raise NoForm(tell("a {rank} of this pack has no {notation} form", rank=rank, notation=notation))
    return engine, wished if rank is None else "french"


def _of_file(sheet: Sheet, note: DealNote) -> bool:
    """Whether a note, which stands with the first deal, is of the file: of its header, or of what overrode it."""
    read = {(one.code, one.line, one.message) for one in sheet.notes if one.event is None}
    return note.code == "rules-overridden" or (note.code, note.line, note.message) in read


def _errors(sheet: Sheet, deal: int | None) -> tuple[Unread, ...]:
    """What cannot be read of a deal, or (None) of the rest of the file."""
    return tuple(
        Unread(
            error=Error(code=e.code, line=e.line, column=e.column, message=e.message, hint=e.hint),
            text=sheet.line(e.line),
        )
        for e in sheet.errors
        if e.deal == deal
    )


def _deal(
    sheet: Sheet,
    game: Game,
    index: int,
    dealer: str,
    verdict: DealVerdict,
    sentence: str,
    frames: tuple[Frame, ...],
    notation: Notation,
) -> DealStory:
    deal = game.deals[index]
    told = {frame.event for frame in frames}
    judged = verdict.as_played.judged if isinstance(verdict.as_played, AsPlayed) else 0
    untold = tuple(
        Untold(
            event=number,
            player=str(event[0]),
            deed=deed_text(event, notation),
            comments=_comments(deal, number),
            line=sheet.where.event(index, number).line,
            judged=number < judged,
        )
        for number, event in enumerate(deal.events)
        if number not in told
    )
    placed = {note.event for note in verdict.notes if note.event is not None and note.event in told}
    return DealStory(
        verdict=verdict,
        dealer=dealer,
        sentence=sentence,
        frames=frames,
        untold=untold,
        setup=tuple(
            note.message
            for note in verdict.notes
            if note.event not in placed and not (index == 0 and _of_file(sheet, note))
        ),
        claim=None if deal.claim is None else _claim(deal.claim),
        closing=_comments(deal, len(deal.events)),
        errors=_errors(sheet, index),
    )


def _claim(claim: Claim) -> str:
    if claim.winner is not None:
        return tell("{player} wins", player=claim.winner)
    return tell("broken off") if claim.broken_off else tell("drawn")


def _comments(deal: Deal, event: int) -> tuple[str, ...]:
    return tuple(text for place, text in deal.comments or () if place == event)


def _frames(
    rules: Rules,
    game: Game,
    index: int,
    dealer: str,
    verdict: DealVerdict,
    notation: Notation,
    taken: tuple[Taken, ...],
) -> tuple[Frame, ...]:
    """The start and every judged event of a deal; of an act that stood also what it left."""
    deal = game.deals[index]
    first = (game.players.index(dealer) + 1) % len(game.players)
    try:
        played = list(replay(rules, game.players, deal, dealer))
    except IllegalDeal:
        return ()
    positions = [position for position, _ in played]
    legal = len(positions) - 1
    wrong = {v.event: v for v in verdict.violations if v.event is not None}
    if legal in wrong and isinstance(wrong[legal].stood, Stood):
        found = played_on(positions[0], deal, positions[legal], legal, wrong.keys())
        if found is not None:
            positions[legal:] = found.positions
            taken = found.taken
        else:
            wrong = {legal: wrong[legal]}
    back = {event: one for one in taken for event in range(one.event, one.objection)}

    def frame(
        number: int | None,
        position: Position,
        before: Position | None = None,
        violation: Violation | None = None,
        stands: bool = False,
    ) -> Frame:
        event = None if number is None else deal.events[number]
        # The event that comes next in this position: after a violation none, it is the violation itself.
        place = 0 if number is None else number if violation is not None else number + 1
        undone = None if number is None or stands else back.get(number)
        offending, because = () if violation is None else violation.cards, None
        refused = violation is not None
        if undone is not None and event is not None and undone.event == number:
            refused, offending = True, undone.refusal.cards
            told, _ = message(undone.refusal, Told(rules.engine, game.players, undone.state, event))
            because = tell("It was not legal: {message} ({code}).", message=told, code=undone.refusal.code)
        known = place <= legal and not stands
        return Frame(
            event=number,
            player=None if event is None else str(event[0]),
            deed=tell("The deal begins") if event is None else deed_text(event, notation),
            comments=() if number is None or stands else _comments(deal, number),
            scene=scene_of(
                position,
                notation=notation,
                viewer=game.players[0],
                before=before,
                open_hands=False,
                wrong=offending,
                tried=event if refused else None,
            ),
            choices=choices(position, notation),
            unseen=unseen(position) if any(position.state.unknown) else (),
            holdings=holdings(rules.engine, game, index, first, legal, place, position) if known else (),
            notes=()
            if stands
            else tuple(n.message for n in verdict.notes if number is not None and n.event == number),
            violation=violation,
            stands=stands,
            taken_back_by=None if undone is None else str(deal.events[undone.objection][0]),
            because=because,
        )

    frames = [frame(None, positions[0])]
    for number in range(len(positions) - 1):
        here, after = positions[number], positions[number + 1]
        if number in wrong:
            frames += [frame(number, here, None, wrong[number]), frame(number, after, here, stands=True)]
        else:
            frames.append(frame(number, after, here))
    last = len(positions) - 1
    if last in wrong:
        frames.append(frame(last, positions[last], None, wrong[last]))
    return tuple(frames)
