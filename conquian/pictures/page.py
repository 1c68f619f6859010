"""A story as one HTML page: readable without scripts, stepped through with them.

Guarantees: the page needs nothing but itself and says so in its content policy; everything that people wrote is
escaped; the same story gives the same bytes. Without scripts every frame is there, one under the other, and so it is
printed.
"""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Iterable, Mapping

from conquian import __version__
from conquian.pictures.ledger import ledger
from conquian.pictures.markup import Markup, element, joined, name_of
from conquian.pictures.page_frame import (
    comment,
    frame_of,
    headline,
    ident_of,
    note_of,
    source_line,
    unread_of,
    verdict_on,
    violation_of,
)
from conquian.pictures.story import DealStory, Story, Untold
from conquian.pictures.svg import Shared
from conquian.render import VERDICTS
from conquian.resources import content
from conquian.tongue import both, mark, spoken, tell, tell_n
from conquian.verdict import AsPlayed, Verdict

_VERDICTS: dict[Verdict, str] = {
    "valid": mark("Nothing illegal found"),
    "invalid": mark("A rule was broken"),
    "unfinished": mark("Legal so far, not finished"),
    "unreadable": mark("Not all of it can be read"),
}
_TAGS = {"date": mark("Date"), "place": mark("Place"), "recorder": mark("Recorder")}
"""What the header keys of the notation are called; any other key is its own name."""
NO_PICTURE = mark("Judged; a picture would have to guess cards that nobody recorded:")
_BUTTONS = (
    ("first", mark("First")),
    ("back", mark("Back")),
    ("on", mark("Next")),
    ("last", mark("Last")),
)


def page(story: Story) -> str:
    """The page of a story."""
    styles, script = _text("page.css"), _text("page.js")
    policy = (
        "default-src 'none'; style-src 'unsafe-inline'; "
        f"script-src 'sha256-{_digest(script)}'; base-uri 'none'; form-action 'none'"
    )
    head = element(
        "head",
        element("meta", charset="utf-8"),
        Markup(f'<meta http-equiv="Content-Security-Policy" content="{policy}">'),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="generator", content=f"conquian {__version__}"),
        element("title", f"{_heading(story)} - Conquian"),
        element("style", Markup(styles)),
    )
    shared = Shared(story.pack, story.notation)
    deals = [_deal(story, index, shared) for index in range(len(story.deals))]
    body = element(
        "body",
        element("a", tell("Skip to the deals"), href="#deals", class_="skip"),
        Markup(shared.sheet()),
        _header(story),
        element(
            "main",
            *deals,
            ledger(story.ledger, story.standings),
            id="deals",
        ),
        element(
            "footer",
            tell(
                "Judged and drawn by conquian {version} under the rules of {title}.",
                version=__version__,
                title=story.title,
            ),
        ),
        element("script", Markup(script)),
    )
    return f'<!DOCTYPE html>\n<html lang="{spoken()}">{head}{body}</html>\n'


def _text(name: str) -> str:
    """A file of the package; its lines end alike wherever it was checked out, for the policy names a digest of it."""
    return content("pictures", name).decode("utf-8").replace("\r\n", "\n")


def _digest(script: str) -> str:
    return b64encode(hashlib.sha256(script.encode()).digest()).decode()


def _heading(story: Story) -> str:
    return _event(story) + both(story.players)


def _event(story: Story) -> str:
    event = story.tags.get("event")
    return f"{event}: " if event else ""


# ---- the head of the page


def _header(story: Story) -> Markup:
    verdict = story.verdict
    facts: list[tuple[str, str]] = [(tell("Rules"), f"{story.title} ({story.rules})")]
    if verdict.readings:
        facts.append(
            (tell("Readings"), ", ".join(f"{name}={choice}" for name, choice in verdict.readings.items()))
        )
    facts.append((tell("Players"), _names(story.players)))
    facts += [
        (tell(_TAGS[key]) if key in _TAGS else key.capitalize(), value)
        for key, value in story.tags.items()
        if key != "event"
    ]
    facts.append((tell("File"), story.file))
    parts = [
        element("h1", _event(story), _names(story.players, tell(" and "))),
        element("p", *_badges(story)),
        element(
            "dl",
            *(element("div", element("dt", key), element("dd", value)) for key, value in facts),
            class_="facts",
        ),
        *(note_of(text) for text in story.notes),
        *(unread_of(one) for one in story.errors),
    ]
    if len(story.deals) > 1:
        links = [
            element(
                "a",
                tell("Deal {number}", number=deal.verdict.number),
                f" ({_result(deal)})",
                href=f"#deal-{index}",
            )
            for index, deal in enumerate(story.deals, 1)
        ]
        separated = [part for link in links for part in (link, Markup(" · "))][:-1]
        ledger_link = (Markup(" · "), element("a", tell("Ledger"), href="#ledger"))
        parts.append(element("nav", *separated, *ledger_link, class_="deals-nav", aria_label=tell("Deals")))
    return element("header", *parts)


def _names(players: Iterable[str], between: str = ", ") -> Markup:
    named = [part for player in players for part in (name_of(player), Markup(between))]
    return joined(*named[:-1])


def _badges(story: Story) -> list[Markup]:
    """The verdict on the game; where not all of it can be read, also that a rule was broken in what can be."""
    found = story.verdict.verdict
    badges = [_badge(found, tell(_VERDICTS[found]))]
    if found == "unreadable" and any(deal.verdict.verdict == "invalid" for deal in story.deals):
        badges += [Markup(" "), _badge("invalid", tell(_VERDICTS["invalid"]))]
    return badges


def _badge(verdict: Verdict, words: str) -> Markup:
    return element("span", words, class_=f"badge {verdict}")


# ---- a deal


def _result(deal: DealStory) -> str:
    verdict = deal.verdict
    if verdict.verdict == "valid" and verdict.result is not None:
        return _won_or_drawn(verdict.result)
    said = tell(VERDICTS[verdict.verdict])
    if isinstance(verdict.as_played, AsPlayed) and verdict.as_played.result is not None:
        ended = tell("{result}, as played", result=_won_or_drawn(verdict.as_played.result))
        return f"{said}; {ended}"
    return said


def _won_or_drawn(result: Mapping[str, object]) -> str:
    return tell("{player} wins", player=result["winner"]) if "winner" in result else tell("drawn")


def _deal(story: Story, index: int, shared: Shared) -> Markup:
    deal, number = story.deals[index], index + 1
    verdict = deal.verdict
    lines = [
        element("h2", tell("Deal {number}", number=verdict.number), id=f"deal-{number}-head"),
        element("p", _badge(verdict.verdict, tell(_VERDICTS[verdict.verdict])), " ", _outcome(deal)),
    ]
    lines += [unread_of(one) for one in deal.errors]
    lines += [note_of(text) for text in deal.setup]
    pictured = {frame.event for frame in deal.frames if frame.violation}
    if pictured:
        lines.append(_findings(deal, number))
    lines += [violation_of(one, deal, number) for one in verdict.violations if one.event not in pictured]
    if verdict.differs_under:
        lines.append(_differs(deal, number))
    if deal.frames:
        lines.append(_stepper(deal, number))
    frames = element(
        "ol",
        *(frame_of(story, deal, number, place, shared) for place in range(len(deal.frames))),
        class_="frames",
    )
    lines.append(element("div", _log(deal, number), *([frames] if deal.frames else []), class_="deal-body"))
    return element(
        "section", *lines, class_="deal", id=f"deal-{number}", aria_labelledby=f"deal-{number}-head"
    )


def _outcome(deal: DealStory) -> Markup:
    said = [tell("Dealer:"), " ", name_of(deal.dealer), ". "]
    result = deal.verdict.result
    if deal.verdict.verdict == "valid" and result is not None:
        won = [tell("Winner:"), " ", name_of(str(result.get("winner"))), "."]
        said += won if "winner" in result else [tell("The deal is drawn.")]
    played = deal.verdict.as_played
    if isinstance(played, AsPlayed) and played.result is not None:
        won = [tell("Winner, as it was played:"), " ", name_of(str(played.result.get("winner"))), "."]
        said += won if "winner" in played.result else [tell("As it was played, the deal is drawn.")]
    count = sum(1 for one in deal.untold if not one.judged)
    if count and deal.frames:
        left = tell_n(
            "{number} event after the violation is not judged.",
            "{number} events after the violation are not judged.",
            count,
        )
        said.append(f" {left}")
    return joined(*said)


def _findings(deal: DealStory, number: int) -> Markup:
    """What went wrong, each with a link to where it did."""
    items = []
    for frame in deal.frames:
        found = frame.violation
        if found is not None:
            link = element("a", headline(frame), href=f"#{ident_of(number, frame.event)}")
            later = [tell(" (after an irregularity)")] if found.after_irregularity is True else []
            items.append(element("li", link, f": {found.message}", *later))
    head = tell_n("What went wrong", "What went wrong ({number} findings)", len(items))
    return element("div", element("p", head, class_="what"), element("ol", *items), class_="findings")


def _differs(deal: DealStory, number: int) -> Markup:
    """Under which other readings the deal is judged otherwise."""
    told = {frame.event for frame in deal.frames}
    lines = []
    for other in deal.verdict.differs_under:
        readings = both([f"{name}={choice}" for name, choice in other.readings.items()])
        said: list[str] = [
            tell("With {readings}: {answer}", readings=readings, answer=tell(VERDICTS[other.verdict]))
        ]
        if other.code is not None:
            said.append(f", {other.code}")
        if other.event is not None:
            where = tell("event {event}", event=other.event)
            linked = other.event in told
            said += [
                ", ",
                element("a", where, href=f"#{ident_of(number, other.event)}") if linked else where,
            ]
        lines.append(element("li", *said))
    return element(
        "details", element("summary", tell("Under other readings of the rules")), element("ul", *lines)
    )


def _stepper(deal: DealStory, number: int) -> Markup:
    last = len(deal.frames) - 1
    buttons = [element("button", tell(words), type="button", data_do=name) for name, words in _BUTTONS]
    broken = sum(1 for frame in deal.frames if frame.violation)
    if broken:
        words = tell_n("To the violation", "To the next violation", broken)
        buttons.append(element("button", words, type="button", data_do="violation", class_="to-violation"))
    buttons.append(element("button", tell("Show all"), type="button", data_do="all", aria_pressed="false"))
    slider = element(
        "input",
        type="range",
        min="0",
        max=last,
        value="0",
        step="1",
        aria_label=tell("Event of deal {number}", number=deal.verdict.number),
    )
    return element(
        "div",
        *buttons,
        slider,
        element("output", aria_live="polite", data_of=tell("of")),
        class_="stepper",
        role="group",
        aria_label=tell("Step through deal {number}", number=deal.verdict.number),
        hidden=True,
    )


def _log(deal: DealStory, number: int) -> Markup:
    """All events as a list of links."""
    items = []
    for frame in deal.frames:
        said = verdict_on(frame)
        link = element(
            "a",
            headline(frame),
            *([f" ({said})"] if said else []),
            href=f"#{ident_of(number, frame.event, frame.stands)}",
        )
        kind = "broken" if frame.violation else "back" if said else "stood" if frame.stands else None
        items.append(element("li", link, class_=kind))
    judged = [one for one in deal.untold if one.judged]
    if judged:
        items.append(element("li", tell(NO_PICTURE), class_="rest"))
        items += [_untold(one) for one in judged]
    if len(judged) < len(deal.untold):
        items.append(element("li", tell("Not judged:"), class_="rest"))
    rest = [(one.line, _untold(one)) for one in deal.untold if not one.judged]
    rest += [
        (line, element("li", tell("Cannot be read:"), source_line(text), class_="unread"))
        for line, text in {one.error.line: one.text for one in deal.errors if one.text.strip()}.items()
    ]
    items += [item for _, item in sorted(rest, key=lambda one: one[0])]
    if deal.claim is not None:
        items.append(element("li", tell("The record says: {claim}.", claim=deal.claim)))
    items += [element("li", comment(text)) for text in deal.closing]
    return element(
        "nav",
        element("ol", *items),
        class_="log",
        aria_label=tell("Events of deal {number}", number=deal.verdict.number),
    )


def _untold(event: Untold) -> Markup:
    said = [name_of(event.player), f" {event.deed}", *map(comment, event.comments)]
    return element("li", *said, class_="untold")
