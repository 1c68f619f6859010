"""What reading one transcript gives: the game, and everything that was wrong or worth saying.

Guarantees: a `Sheet` without errors holds the whole game; nothing of the source is left out or repaired.
Errors that cost one deal leave the others judgeable.
"""

from __future__ import annotations

from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from conquian.cards import Notation
from conquian.findings import Finding, Note, render
from conquian.transcript.model import Game
from conquian.transcript.places import Path, Where, split_lines


class Remark(Struct, frozen=True):
    """A comment of a text transcript where it stood: beside a part of the game on its line, or before it.

    `anchor` is the path of that part (the first of its line), `()` the end of the file.
    """

    text: str
    anchor: Path
    beside: bool


class Sheet(Struct, frozen=True, kw_only=True, dict=True):
    """One transcript as read.

    `game` is None if nothing of it can be used. `errors` are all errors in the source, in its order; those
    with a `deal` cost that deal only, and `unreadable` are the indices of these deals (counted from 0):
    their events are there as far as they could be read, and are not to be judged. `remarks` are a text's
    comments, None for JSON. `name` is the file's name, with the line where several games stand in one file
    (`games.jsonl:12`); `path` is the name without it. Lines are counted in the whole file.
    """

    name: str
    path: str
    game: Game | None
    errors: tuple[Finding, ...] = ()
    notes: tuple[Note, ...] = ()
    unreadable: frozenset[int] = frozenset()
    where: Where
    source: str
    first_line: int = 1
    remarks: tuple[Remark, ...] | None = None

    @cached_property
    def lines(self) -> list[str]:
        """The source lines without their ends; `lines[0]` is line `first_line` of the file."""
        return split_lines(self.source)

    def line(self, number: int) -> str:
        """A source line by its number in the file; empty when there is none."""
        index = number - self.first_line
        return self.lines[index] if 0 <= index < len(self.lines) else ""

    def shown_in(self, notation: Notation) -> Sheet:
        """The same sheet, of which is spoken in another card notation; the source stays as it is."""
        if self.game is None:
            return self
        return replace(self, game=replace(self.game, cards=notation))

    def show(self, finding: Finding) -> str:
        """A finding for people, with its source line."""
        return render(finding, self.path, self.lines, self.first_line)
