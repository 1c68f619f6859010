"""Ledgers for people and for spreadsheets.

Guarantees: the table has a line for each deal, in order, and columns that are as wide as what stands in them;
the CSV is a row for each player of each deal, quoted as RFC 4180 says, and no name in it is a formula.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from itertools import chain

import msgspec
from msgspec.structs import replace

from conquian.spreadsheet import guarded
from conquian.standings import Score, Scored, units_in_words, wins_in_words, words
from conquian.tongue import both, mark, tell
from conquian.visible import visible

COLUMNS = ("file", "deal", "dealer", "result", "player", "payment", "units", "wins", "pot")
"""The columns of the CSV. `payment` is of this deal; `units`, `wins` and `pot` are what stands after it."""
AS_PLAYED = "as_played"
"""One column more where deals count as they were played: 1 for a deal that breaks a rule and counts, else 0."""
NOTE = mark("note: {message} ({code}; line {line})")
NOTE_OF_DEAL = mark("note: deal {number}: {message} ({code}; line {line})")
BOLD, DIM, PLAIN = "\033[1m", "\033[2m", "\033[0m"


def written(found: Iterator[Scored], form: str, colour: bool, as_played: bool = False) -> Iterator[str]:
    """The text of matches, piece by piece: `form` is text, json, jsonl or csv.

    `as_played`: deals that break a rule count as they were played.
    """
    if form == "json":
        yield from _json(found)
    elif form == "jsonl":
        for scored in found:
            yield msgspec.json.encode(_named(scored)).decode() + "\n"
    elif form == "csv":
        yield csv_head(as_played)
        for scored in found:
            yield from csv_rows(scored, as_played)
    else:
        for number, scored in enumerate(found):
            yield "".join(f"{line}\n" for line in (*[""][: min(number, 1)], *score_lines(scored, colour)))


def score_lines(scored: Scored, colour: bool) -> Iterator[str]:
    """A match as a table, what it comes to, and the notes."""

    def paint(text: str, code: str) -> str:
        return f"{code}{text}{PLAIN}" if colour else text

    found = scored.score
    if scored.verdict == "unreadable" and not scored.rows:
        yield visible(scored.file) + ": " + tell("unreadable")
        return
    readings = "".join(f", {name}={choice}" for name, choice in scored.readings.items())
    goal = tell(", to {goal}", goal=words(scored.match)) if scored.match is not None else ""
    yield f"{paint(visible(scored.file), BOLD)}: {scored.rules}{readings}{goal}"
    table: list[tuple[str, ...]] = [
        (tell("deal"), tell("dealer"), tell("result"), *map(visible, scored.players), tell("pot"))
    ]
    for row in scored.rows:
        paid = [_signed(units) if row.counted else "" for units in row.payments]
        table.append((str(row.number), visible(row.dealer), visible(row.result), *paid, str(row.pot)))
    standings = [found.players[name] for name in scored.players]
    table.append(("", "", tell("units"), *(_signed(one.units) for one in standings), str(found.pot)))
    table.append(("", "", tell("wins"), *(str(one.wins) for one in standings), ""))
    widths = [max(map(_width, column)) for column in zip(*table, strict=True)]
    for line in table:
        cells = [
            _left(text, width) if 0 < i < 3 else _right(text, width)
            for i, (text, width) in enumerate(zip(line, widths, strict=True))
        ]
        yield ("  " + "  ".join(cells)).rstrip()
    if found.over:
        yield tell("The match is over: {reached}.", reached=visible(both(_ahead(scored))))
    elif scored.match is not None:
        yield tell("The match goes on to {goal}.", goal=words(scored.match))
    yield tell("Next to deal: {player}.", player=visible(found.dealer_next or ""))
    for note in found.notes:
        told = {"message": note.message, "code": note.code, "line": note.line, "number": note.deal}
        yield paint(visible(tell(NOTE if note.deal is None else NOTE_OF_DEAL, **told)), DIM)


def _ahead(scored: Scored) -> list[str]:
    """Who reached the goal, and with what."""
    match = scored.match
    assert match is not None
    reached = []
    for name in scored.players:
        standing = scored.score.players[name]
        if match.wins is not None and standing.wins >= match.wins:
            reached.append(tell("{player} has {count}", player=name, count=wins_in_words(standing.wins)))
        elif match.units is not None and standing.units >= match.units:
            reached.append(tell("{player} has {count}", player=name, count=units_in_words(standing.units)))
    return reached


def _signed(units: int) -> str:
    return f"{units:+d}" if units else "0"


def _width(text: str) -> int:
    """Columns on a terminal: wide characters take two, those that stand over others none."""
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def _left(text: str, width: int) -> str:
    return text + " " * (width - _width(text))


def _right(text: str, width: int) -> str:
    return " " * (width - _width(text)) + text


# ---- for programs


def _named(scored: Scored) -> Score:
    return replace(scored.score, file=scored.file)


def _json(found: Iterator[Scored]) -> Iterator[str]:
    """One document: the match, or, of several, an array of them, each with its file."""
    first, second = next(found, None), next(found, None)
    if first is None or second is None:
        yield _pretty(first.score if first is not None else ()) + "\n"
        return
    yield "["
    for number, scored in enumerate(chain((first, second), found)):
        yield ("," if number else "") + "\n  " + _pretty(_named(scored)).replace("\n", "\n  ")
    yield "\n]\n"


def _pretty(document: object) -> str:
    return msgspec.json.format(msgspec.json.encode(document), indent=2).decode()


def csv_head(as_played: bool = False) -> str:
    return _csv_line((*COLUMNS, AS_PLAYED) if as_played else COLUMNS)


def csv_rows(scored: Scored, as_played: bool = False) -> Iterator[str]:
    """A line for each player of each deal. Deals that do not count have empty payments."""
    for row in scored.rows:
        for seat, player in enumerate(scored.players):
            cells: tuple[str | int, ...] = (
                scored.file,
                row.number,
                row.dealer,
                row.result,
                player,
                row.payments[seat] if row.counted else "",
                row.units[seat],
                row.wins[seat],
                row.pot,
            )
            yield _csv_line((*cells, int(row.as_played)) if as_played else cells)


def _csv_line(cells: tuple[str | int, ...]) -> str:
    line = io.StringIO()
    written_cells = [guarded(cell) if isinstance(cell, str) else cell for cell in cells]
    csv.writer(line, lineterminator="\n").writerow(written_cells)
    return line.getvalue()
