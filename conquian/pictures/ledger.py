"""The ledger of a match as a table of HTML."""

from __future__ import annotations

from conquian.pictures.markup import Markup, element, name_of
from conquian.standings import Scored, wins_in_words, words
from conquian.tongue import tell


def ledger(scored: Scored, as_played: Scored | None = None) -> Markup:
    """Deal by deal what each player received, what stands after it, whose deal is next, and the notes.

    `as_played` is the same with deals counted as they were played, of which the sum is said.
    """
    found = scored.score
    head = element(
        "tr",
        element("th", tell("Deal"), scope="col"),
        element("th", tell("Dealer"), scope="col", class_="words"),
        element("th", tell("Result"), scope="col", class_="words"),
        *(element("th", name_of(player), scope="col") for player in scored.players),
        element("th", tell("Pot"), scope="col"),
    )
    rows = [
        element(
            "tr",
            element("th", element("a", str(row.number), href=f"#deal-{index}"), scope="row"),
            element("td", name_of(row.dealer), class_="words"),
            element("td", row.result, class_="words"),
            *(element("td", _signed(units) if row.counted else "-") for units in row.payments),
            element("td", str(row.pot)),
        )
        for index, row in enumerate(scored.rows, 1)
    ]
    standings = [found.players[player] for player in scored.players]
    foot = (
        element(
            "tr",
            element("th", tell("Units"), scope="row", colspan="3", class_="words"),
            *(element("td", _signed(one.units)) for one in standings),
            element("td", str(found.pot)),
        ),
        element(
            "tr",
            element("th", tell("Wins"), scope="row", colspan="3", class_="words"),
            *(element("td", str(one.wins)) for one in standings),
            element("td", ""),
        ),
    )
    goal = tell(", to {goal}", goal=words(scored.match)) if scored.match is not None else ""
    table = element(
        "table",
        element("caption", tell("What each player received in each deal, in units{goal}", goal=goal)),
        element("thead", head),
        element("tbody", *rows),
        element("tfoot", *foot),
    )
    said = []
    if found.over:
        said.append(element("p", tell("The match is over.")))
    elif scored.match is not None:
        said.append(element("p", tell("The match goes on to {goal}.", goal=words(scored.match))))
    if found.dealer_next is not None:
        said.append(element("p", tell("Next to deal:"), " ", name_of(found.dealer_next), "."))
    if as_played is not None:
        said.append(_as_played(as_played))
    for note in found.notes:
        if note.deal is not None:  # what is said of the whole file stands at its head
            deal = tell("Deal {number}", number=note.deal)
            said.append(element("p", f"{deal}: {note.message}.", class_="note"))
    return element(
        "section",
        element("h2", tell("Ledger"), id="ledger-head"),
        element("div", table, class_="table", tabindex="0", role="region", aria_labelledby="ledger-head"),
        *said,
        id="ledger",
        aria_labelledby="ledger-head",
    )


def _as_played(scored: Scored) -> Markup:
    """What it comes to if the deals that break a rule count as they were played."""
    parts: list[str] = [tell("If the players let the deals stand as they were played:")]
    for player in scored.players:
        one = scored.score.players[player]
        parts += [" ", name_of(player), f" {_signed(one.units)} ({wins_in_words(one.wins)}),"]
    parts.append(" " + tell("pot {number}.", number=scored.score.pot))
    return element("p", *parts, class_="note")


def _signed(units: int) -> str:
    return f"{units:+d}".replace("-", "\u2212") if units else "0"
