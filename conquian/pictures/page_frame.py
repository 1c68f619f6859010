"""A frame of a story as a list item of HTML: what happened, the verdict where it falls, the picture, what may follow."""

from __future__ import annotations

from conquian.pictures.holding import Holding
from conquian.pictures.markup import Markup, element, joined, name_of
from conquian.pictures.story import DealStory, Frame, Story
from conquian.pictures.svg import Shared, svg
from conquian.pictures.words import cards_text, hand_text, table_text
from conquian.verdict import Violation


def ident_of(number: int, event: int | None) -> str:
    """The id of a frame: `d1-e6` is event 6 of the first deal, `d1-start` what was before its events."""
    return f"d{number}-{'start' if event is None else f'e{event}'}"


def note_of(text: str) -> Markup:
    """Something worth saying that is no violation."""
    return element("p", text, class_="note")


def headline(frame: Frame) -> Markup:
    """Who does what."""
    if frame.event is None or frame.player is None:
        return joined("The deal begins")
    return joined(name_of(frame.player), f" {frame.deed}")


def comment(text: str) -> Markup:
    """What the recorder wrote beside the game."""
    return element("p", text, class_="comment")


def frame_of(story: Story, deal: DealStory, number: int, place: int, shared: Shared) -> Markup:
    """The frame at a place of a deal; `number` is the deal's place in the game, from 1."""
    frame = deal.frames[place]
    ident = ident_of(number, frame.event)
    parts = [element("h3", headline(frame), *([" - not legal"] if frame.violation else []))]
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
    parts = [element("p", f"Not legal: {violation.code}", class_="what"), element("p", violation.message)]
    if violation.clause is not None:
        source = f" ({violation.source})" if violation.source else ""
        parts.append(element("p", element("strong", f"Rule {violation.clause}{source}:"), f" {sentence}"))
    if violation.hint:
        parts.append(element("p", element("strong", "Instead:"), f" {violation.hint}"))
    if violation.legal_under:
        changes = [" and ".join(f"{n}={c}" for n, c in change.items()) for change in violation.legal_under]
        parts.append(
            element("p", element("strong", "It would be legal"), f" with {' or with '.join(changes)}.")
        )
    parts.append(
        element("p", f"Line {violation.line}, column {violation.column} of the record.", class_="place")
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
        where = (
            "hands with unknown cards or in the stock" if frame.scene.stock else "hands with unknown cards"
        )
        words = cards_text(frame.unseen, story.notation)
        lines.append(element("li", f"Nobody has seen, so they are in {where}: {words}."))
    return element("div", element("h4", "Who holds what"), element("ul", *lines))


def _whole_record(holding: Holding, story: Story) -> Markup:
    """What the record as a whole tells of a hand: a card that is thrown later was in it before."""
    certain = cards_text(holding.certain, story.notation)
    possible = cards_text(holding.possible, story.notation)
    said = (
        f", by all that is recorded, certainly held {certain}"
        if certain
        else ", by all that is recorded, held"
    )
    if holding.more:
        said += f"{' and' if certain else ''} {holding.more} of {possible}"
    return element("li", name_of(holding.player), f"{said}.")


def _possible(frame: Frame) -> Markup:
    if not frame.choices:
        ended = (
            "The deal is over." if frame.scene.phase in ("won", "drawn") else "The rules leave nothing to do."
        )
        return element("div", element("h4", "What may be done"), element("p", ended))
    lines = [element("li", name_of(choice.player), f" may {choice.text}.") for choice in frame.choices]
    title = "What would have been legal" if frame.violation else "What may be done now"
    return element("div", element("h4", title), element("ul", *lines))
