"""A frame of a story as a list item of HTML: what happened, the verdict where it falls, the picture, what may follow."""

from __future__ import annotations

from conquian.pictures.holding import Holding
from conquian.pictures.markup import Markup, element, joined, name_of
from conquian.pictures.story import DealStory, Frame, Story
from conquian.pictures.svg import Shared, svg
from conquian.pictures.words import cards_text, hand_text, table_text
from conquian.sentences import sheet
from conquian.tongue import both, mark, tell
from conquian.verdict import Violation

CERTAIN_AND_MORE = mark(", by all that is recorded, certainly held {certain} and {number} of {cards}")
CERTAIN = mark(", by all that is recorded, certainly held {certain}")
SOME = mark(", by all that is recorded, held {number} of {cards}")
NONE_HELD = mark(", by all that is recorded, held no card")
UNSEEN_OR_STOCK = mark("Nobody has seen, so they are in hands with unknown cards or in the stock: {cards}.")
UNSEEN = mark("Nobody has seen, so they are in hands with unknown cards: {cards}.")


def ident_of(number: int, event: int | None) -> str:
    """The id of a frame: `d1-e6` is event 6 of the first deal, `d1-start` what was before its events."""
    return f"d{number}-{'start' if event is None else f'e{event}'}"


def note_of(text: str) -> Markup:
    """Something worth saying that is no violation."""
    return element("p", text, class_="note")


def headline(frame: Frame) -> Markup:
    """Who does what."""
    if frame.event is None or frame.player is None:
        return joined(tell("The deal begins"))
    return joined(name_of(frame.player), f" {frame.deed}")


def comment(text: str) -> Markup:
    """What the recorder wrote beside the game."""
    return element("p", text, class_="comment")


def frame_of(story: Story, deal: DealStory, number: int, place: int, shared: Shared) -> Markup:
    """The frame at a place of a deal; `number` is the deal's place in the game, from 1."""
    frame = deal.frames[place]
    ident = ident_of(number, frame.event)
    parts = [element("h3", headline(frame), *([tell(" - not legal")] if frame.violation else []))]
    parts += [comment(text) for text in frame.comments]
    if frame.violation is not None:
        parts.append(violation_of(frame.violation, deal.sentence))
    parts += [note_of(text) for text in frame.notes]
    figure = element("figure", Markup(svg(frame.scene, ident=ident, shared=shared)))
    knows = element("div", _holdings(frame, story), _possible(frame), class_="knows")
    parts.append(element("div", figure, knows, class_="view"))
    return element("li", *parts, class_="frame broken" if frame.violation else "frame", id=ident)


def violation_of(violation: Violation, sentence: str) -> Markup:
    """The verdict where it falls: what is wrong, by which clause, what would have been right."""
    parts = [
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
    parts.append(
        element(
            "p",
            tell("Line {line}, column {column} of the record.", line=violation.line, column=violation.column),
            class_="place",
        )
    )
    return element("div", *parts, class_="violation", role="note")


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
