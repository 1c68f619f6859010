"""Where the parts of a text transcript stand, down to the single card.

Guarantees: gives the same paths as the JSON form. Only whole sentences and header values are remembered while
reading; a card within a sentence is found by reading that sentence again, when somebody asks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from conquian.transcript.names import read_name
from conquian.transcript.places import Path, Span
from conquian.transcript.sentence import Misread, Sentence, read_sentence


class Place(Struct, frozen=True):
    """Characters `start` to `end` (from 0) of a line (from 1); `part` are the bounds of the sentence to
    read."""

    line: int
    start: int
    end: int
    part: tuple[int, int] | None = None

    def span(self) -> Span:
        """The place as lines and columns count it."""
        return Span(self.line, self.start + 1, max(self.start, self.end) + 1)


class TextPlaces:
    """The places in a text: the remembered ones, and within sentences."""

    def __init__(self, lines: Sequence[str], places: Mapping[Path, Place]) -> None:
        self._lines = lines
        self._places = places

    def find(self, path: Path) -> Span | None:
        """The place of a path, None if it has none of its own."""
        place = self._places.get(path)
        if place is not None:
            return place.span()
        for length in range(len(path) - 1, 2, -1):
            around = self._places.get(path[:length])
            if around is not None and around.part is not None:
                start, end = around.part
                read = read_sentence(self._lines[around.line - 1][start:end])
                if isinstance(read, Misread):
                    return None
                spot = within(read).get(path[length:])
                return None if spot is None else Span(around.line, start + spot[0] + 1, start + spot[1] + 1)
        return None


def within(read: Sentence) -> dict[Path, tuple[int, int]]:
    """The places in a sentence, by the rest of the path behind the sentence's own."""
    spots: dict[Path, tuple[int, int]] = {}
    groups = [[(card.start, card.end) for card in group] for group in read.groups]
    if read.kind in ("holds", "deck", "stock"):
        spots.update({(index,): spot for group in groups for index, spot in enumerate(group)})
        return spots
    if read.kind == "cut":
        for name, group in zip(read.names, groups, strict=True):
            spots[(str(read_name(name.text)),)] = group[0]
        return spots
    if read.kind == "starter":
        return {(): groups[0][0]}
    actor = read.player or read.verb
    if read.kind in ("wins", "drawn", "broken"):
        return {(key,): (actor.start, actor.end) for key in ("winner", "drawn", "broken_off")}
    spots[(0,)] = (actor.start, actor.end)
    spots[(1,)] = (read.verb.start, read.verb.end)
    if read.kind in ("melds", "arranges"):
        if groups:
            spots[(2,)] = (groups[0][0][0], groups[-1][-1][1])
        for index, group in enumerate(groups):
            spots[(2, index)] = (group[0][0], group[-1][1])
            spots.update({(2, index, number): spot for number, spot in enumerate(group)})
    elif groups:
        spots[(2,)] = groups[0][0]
    if read.kind == "forces" and len(groups) == 2:
        spots[(3,)] = (groups[1][0][0], groups[1][-1][1])
        spots.update({(3, number): spot for number, spot in enumerate(groups[1])})
    for index, name in enumerate(read.names, 2 if read.kind == "agrees" else 3):
        spots[(index,)] = (name.start, name.end)
    return spots
