"""The ledger of a match as a table of HTML."""

from __future__ import annotations

from conquian.pictures.markup import Markup, element, name_of
from conquian.standings import Scored, words


def ledger(scored: Scored) -> Markup:
    """Deal by deal what each player received, what stands after it, whose deal is next, and the notes."""
    found = scored.score
    head = element(
        "tr",
        element("th", "Deal", scope="col"),
        element("th", "Dealer", scope="col", class_="words"),
        element("th", "Result", scope="col", class_="words"),
        *(element("th", name_of(player), scope="col") for player in scored.players),
        element("th", "Pot", scope="col"),
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
            element("th", "Units", scope="row", colspan="3", class_="words"),
            *(element("td", _signed(one.units)) for one in standings),
            element("td", str(found.pot)),
        ),
        element(
            "tr",
            element("th", "Wins", scope="row", colspan="3", class_="words"),
            *(element("td", str(one.wins)) for one in standings),
            element("td", ""),
        ),
    )
    goal = f", to {words(scored.match)}" if scored.match is not None else ""
    table = element(
        "table",
        element("caption", f"What each player received in each deal, in units{goal}"),
        element("thead", head),
        element("tbody", *rows),
        element("tfoot", *foot),
    )
    said = []
    if found.over:
        said.append(element("p", "The match is over."))
    elif scored.match is not None:
        said.append(element("p", f"The match goes on to {words(scored.match)}."))
    if found.dealer_next is not None:
        said.append(element("p", "Next to deal: ", name_of(found.dealer_next), "."))
    for note in found.notes:
        deal = "" if note.deal is None else f"Deal {note.deal}: "
        said.append(element("p", f"{deal}{note.message}.", class_="note"))
    return element(
        "section",
        element("h2", "Ledger", id="ledger-head"),
        element("div", table, class_="table", tabindex="0", role="region", aria_labelledby="ledger-head"),
        *said,
        id="ledger",
        aria_labelledby="ledger-head",
    )


def _signed(units: int) -> str:
    return f"{units:+d}".replace("-", "\u2212") if units else "0"
