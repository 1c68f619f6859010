"""A frame of a story as a list item of HTML: what happened, the verdict where it falls, the picture, what may follow."""

from __future__ import annotations

from conquian.pictures.holding import Holding
from conquian.pictures.markup import Markup, element, joined, name_of
from conquian.pictures.story import DealStory, Frame, Story, Unread
from conquian.pictures.svg import Shared, svg
from conquian.pictures.words import cards_text, hand_text, table_text
from conquian.sentences import sheet
from conquian.tongue import both, either, mark, tell
from conquian.verdict import Stood, Violation
from conquian.visible import visible

CERTAIN_AND_MORE = mark(", by all that is recorded, certainly held {certain} and {number} of {cards}")
CERTAIN = mark(", by all that is recorded, certainly held {certain}")
SOME = mark(", by all that is recorded, held {number} of {cards}")
NONE_HELD = mark(", by all that is recorded, held no card")
UNSEEN_OR_STOCK = mark("Nobody has seen, so they are in hands with unknown cards or in the stock: {cards}.")
UNSEEN = mark("Nobody has seen, so they are in hands with unknown cards: {cards}.")
LONGEST = 400
"""How many characters of a line of the record are shown."""
STANDS = mark("Nobody objected: it stands")


def ident_of(number: int, event: int | None, stands: bool = False) -> str:
    """The id of a frame: `d1-e6` is event 6 of the first deal, `d1-start` what was before its events,
    `d1-e6-stands` what event 6 left that is illegal and stood."""
    return f"d{number}-{'start' if event is None else f'e{event}'}{'-stands' if stands else ''}"


def note_of(text: str) -> Markup:
    """Something worth saying that is no violation."""
    return element("p", text, class_="note")


def headline(frame: Frame) -> Markup:
    """Who does what."""
    if frame.event is None or frame.player is None:
        return joined(tell("The deal begins"))
    return joined(tell(STANDS)) if frame.stands else joined(name_of(frame.player), f" {frame.deed}")


def verdict_on(frame: Frame) -> str:
    """In a word or two what is wrong with the event, or became of it; nothing where it is legal and stands."""
    if frame.violation is not None:
        return tell("not legal")
    return "" if frame.taken_back_by is None else tell("taken back")


def comment(text: str) -> Markup:
    """What the recorder wrote beside the game."""
    return element("p", text, class_="comment")


def frame_of(story: Story, deal: DealStory, number: int, place: int, shared: Shared) -> Markup:
    """The frame at a place of a deal; `number` is the deal's place in the game, from 1."""
    frame = deal.frames[place]
    ident = ident_of(number, frame.event, frame.stands)
    said = verdict_on(frame)
    parts = [element("h3", headline(frame), *([f" - {said}"] if said else []))]
    parts += [comment(text) for text in frame.comments]
    if frame.violation is not None:
        parts.append(violation_of(frame.violation, deal, number))
    if frame.because is not None:
        parts.append(note_of(frame.because))
    if frame.taken_back_by is not None:
        parts.append(note_of(tell("Taken back: {player} objects in time.", player=frame.taken_back_by)))
    if frame.stands:
        parts.append(note_of(tell("What it left, as it was played. What follows is judged from here.")))
    parts += [note_of(text) for text in frame.notes]
    figure = element("figure", Markup(svg(frame.scene, ident=ident, shared=shared)))
    knows = element("div", _holdings(frame, story), _possible(frame), class_="knows")
    parts.append(element("div", figure, knows, class_="view"))
    return element(
        "li",
        *parts,
        class_="frame broken" if frame.violation else "frame stands" if frame.stands else "frame",
        id=ident,
    )


def violation_of(violation: Violation, deal: DealStory, number: int) -> Markup:
    """The verdict where it falls: what is wrong, by which clause, what would have been right, and whether it stands."""
    sentence = deal.sentence
    parts = []
    if violation.after_irregularity is True:
        said = tell("After an irregularity: this may be no more than what follows from it.")
        parts.append(element("p", said, class_="after"))
        sentence = (violation.stood.rule if isinstance(violation.stood, Stood) else None) or ""
    parts += [
        element("p", tell("Not legal: {code}", code=violation.code), class_="what"),
        element("p", violation.message),
    ]
    if violation.clause is not None:
        where = f"{violation.clause} ({sheet(violation.source)})" if violation.source else violation.clause
        parts.append(element("p", element("strong", tell("Rule {clause}:", clause=where)), f" {sentence}"))
    if violation.hint:
        parts.append(element("p", element("strong", tell("Instead:")), f" {violation.hint}"))
    if violation.legal_under:
        changes = [both([f"{n}={c}" for n, c in change.items()]) for change in violation.legal_under]
        with_ = tell("with {readings}.", readings=tell(" or with ").join(changes))
        parts.append(element("p", element("strong", tell("It would be legal")), f" {with_}"))
    if isinstance(violation.stood, Stood):
        parts += _stood(violation.stood, deal, number)
    parts.append(
        element(
            "p",
            tell("Line {line}, column {column} of the record.", line=violation.line, column=violation.column),
            class_="place",
        )
    )
    return element("div", *parts, class_="violation", role="note")


def _stood(stood: Stood, deal: DealStory, number: int) -> list[Markup]:
    """Who could have objected until when, and whether the act stands."""
    parts = []
    if stood.objectors:
        who = either(stood.objectors)
        if stood.until is None:
            still = tell("{players} can still object, as far as the record goes", players=who)
            parts.append(element("p", f"{still}."))
        else:
            could = tell("{players} could have objected, until this was played:", players=who)
            parts.append(element("p", could, " ", _linked(deal, number, stood.until), "."))
    if stood.taken:
        parts.append(element("p", tell("Nobody objected, so it stands as it was played.")))
    else:
        why = tell("It cannot be taken as played, and judging stops here: {reason}.", reason=stood.why)
        parts.append(element("p", why))
    return parts


def _linked(deal: DealStory, number: int, event: int) -> Markup:
    """An event by who does what, as a link where it has a picture."""
    for frame in deal.frames:
        if frame.event == event:
            return element("a", headline(frame), href=f"#{ident_of(number, event)}")
    return next(joined(name_of(one.player), f" {one.deed}") for one in deal.untold if one.event == event)


def unread_of(unread: Unread) -> Markup:
    """Something that cannot be read: what it is, its line as it stands in the record, what to do."""
    error = unread.error
    hint = [element("p", error.hint)] if error.hint else []
    return element(
        "div",
        element("p", tell("Cannot be read: {code}", code=error.code), class_="what"),
        element(
            "p",
            tell(
                "Line {line}, column {column}: {message}",
                line=error.line,
                column=error.column,
                message=error.message,
            ),
        ),
        *([source_line(unread.text)] if unread.text.strip() else []),
        *hint,
        class_="error",
    )


def source_line(text: str) -> Markup:
    """A line of the record as it was written; what cannot be printed in it is written out."""
    plain = visible(text.replace("\t", " "))
    shown = plain if len(plain) <= LONGEST else plain[: LONGEST - 1] + "…"
    return element("p", element("code", element("bdi", shown.strip())), class_="source")


def _holdings(frame: Frame, story: Story) -> Markup:
    """Who holds what, or may hold, and what lies."""
    lines = [
        element(
            "li",
            name_of(seat.name),
            f" {hand_text(seat, story.notation)}; {table_text(seat, story.notation)}.",
        )
        for seat in frame.scene.seats
    ]
    if frame.holdings:
        lines += [_whole_record(holding, story) for holding in frame.holdings]
    elif frame.unseen:
        where = UNSEEN_OR_STOCK if frame.scene.stock else UNSEEN
        words = cards_text(frame.unseen, story.notation)
        lines.append(element("li", tell(where, cards=words)))
    return element("div", element("h4", tell("Who holds what")), element("ul", *lines))


def _whole_record(holding: Holding, story: Story) -> Markup:
    """What the record as a whole tells of a hand: a card that is thrown later was in it before."""
    certain = cards_text(holding.certain, story.notation)
    possible = cards_text(holding.possible, story.notation)
    if certain and holding.more:
        template = CERTAIN_AND_MORE
    else:
        template = CERTAIN if certain else SOME if holding.more else NONE_HELD
    said = tell(template, certain=certain, number=holding.more, cards=possible)
    return element("li", name_of(holding.player), f"{said}.")


def _possible(frame: Frame) -> Markup:
    if not frame.choices:
        ended = (
            tell("The deal is over.")
            if frame.scene.phase in ("won", "drawn")
            else tell("The rules leave nothing to do.")
        )
        return element("div", element("h4", tell("What may be done")), element("p", ended))
    lines = [
        element("li", name_of(choice.player), tell(" may {act}.", act=choice.text))
        for choice in frame.choices
    ]
    title = tell("What would have been legal") if frame.violation else tell("What may be done now")
    return element("div", element("h4", title), element("ul", *lines))
