"""The stable codes of what can be wrong with the form of a transcript, for `conquian explain`.

Guarantees: every `Finding` that reading a transcript gives has a code of `ERRORS`, every `Note` one of
`NOTES`. A code never changes its meaning. What breaks a rule of the game is not here: that is *illegal*,
this is *unreadable*.
"""

from __future__ import annotations

from typing import Final

ERRORS: Final[dict[str, str]] = {
    # the file
    "no-game": "The file holds no game: 0 games were recognised in it.",
    "encoding": "The text is not UTF-8 at this place.",
    "json": "The text is not JSON at this place.",
    "format": 'A JSON transcript has to say "format": "conquian/1".',
    "too-long": "A sentence is longer than any deck could make it.",
    # keys and values
    "unknown-key": "JSON: this key means nothing here; other header keys stand inside 'tags'.",
    "duplicate-key": "The same key or line comes twice, and which one counts cannot be guessed.",
    "wrong-type": "JSON: the value is of another kind than this key holds.",
    "bad-number": "A number is not a whole number in its range.",
    # the header
    "no-players": "The header does not say who plays, or names nobody.",
    "duplicate-player": "The header names a player twice.",
    "bad-rules": "A rule set is named by its name, never by a path or a file.",
    "bad-readings": "Readings are written 'name=choice, name=choice'.",
    "bad-match": "A match is either a number of wins or a number of units.",
    "bad-cards": "There is no card notation of this name.",
    "late-header": "A header line stands behind the first deal or sentence.",
    # sentences
    "syntax": "The line is no sentence of the notation.",
    "unknown-verb": "This is nothing a player does in the notation.",
    "no-player": "The line does not say who acts.",
    "unknown-player": "The header does not list this player.",
    "bad-name": "A player's name is empty, or has to be written in quotes.",
    "unclosed-quote": "A double quote is opened and not closed on its line.",
    "bad-escape": "A backslash inside quotes stands before something it cannot stand before.",
    "bad-card": "This is no card in the notation of the transcript.",
    "unrecorded-card": "'?' stands where a card has to be named.",
    "event-form": "JSON: an event does not have the parts that its verb asks for.",
    "empty-meld": "A meld without cards.",
    # deals
    "deal-number": "The numbers of deals are whole numbers from 1 on, and ascend.",
    "setup-after-event": "A line that belongs before play stands behind the first event of the deal.",
    "duplicate-setup": "The same thing about the deal is recorded twice.",
    "duplicate-claim": "The result of the deal is claimed twice.",
    "bad-claim": "A claim is either a winner's name or drawn.",
    "bad-comment": "JSON: a comment is a number of an event of its deal, and a text.",
}
"""Code -> what it means."""

NOTES: Final[dict[str, str]] = {
    "bom": "The file begins with a byte order mark; it is ignored.",
    "unknown-key": "The header has a key that the notation does not know; it is kept as it is.",
    "no-deals": "The file names players but records no deal.",
}
"""Code of a note -> what it means."""

REFUSALS: Final[dict[str, str]] = {
    "unreadable": "What cannot be read completely is not converted.",
    "no-form": "The notation asked for has no form for a card of the game.",
    "no-place": "The form asked for has no place for something in the transcript.",
}
"""Why a transcript is not converted."""
