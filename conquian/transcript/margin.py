"""The comments of a text transcript, kept while it is read.

Guarantees: every comment is kept twice: with the event it belongs to (the first of its line, else the next
one), for the JSON form, and with the part of the game that it stands beside or before, for the text form.
"""

from __future__ import annotations

from collections.abc import Sequence

from conquian.transcript.places import Path
from conquian.transcript.record import OpenDeal
from conquian.transcript.sheet import Remark


class Margin:
    """What stands beside the game: comments, and what they wait for."""

    def __init__(self, deals: Sequence[OpenDeal]) -> None:
        self._deals = deals
        self._waiting: list[str] = []
        self._above: list[str] = []
        self._item: Path | None = None
        self._event: tuple[int, int] | None = None
        self.remarks: list[Remark] = []

    def new_line(self) -> None:
        """Nothing of the game stands on this line yet."""
        self._item, self._event = None, None

    def item(self, path: Path) -> None:
        """A part of the game stands here; comments that waited for one belong before it."""
        anchor = self._next_event() if path[2:] == ("claim",) else path
        self.remarks += [Remark(text, anchor, False) for text in self._waiting]
        self._waiting = []
        if self._item is None:
            self._item = path

    def event(self) -> None:
        """The next event stands here."""
        if self._event is None:
            self._event = (len(self._deals) - 1, len(self._deals[-1].events))

    def first_deal(self) -> None:
        """Play begins: what was remarked in the header belongs to the first event."""
        self._deals[0].comments += [(0, text) for text in self._above]

    def comment(self, text: str) -> None:
        """A comment ends this line."""
        anchor = self._item
        if self._event is not None:
            deal, event = self._event
            self._deals[deal].comments.append((event, text))
            anchor = ("deals", deal, "events", event)
        elif self._deals:
            self._deals[-1].comments.append((len(self._deals[-1].events), text))
            if anchor is not None and anchor[2:] == ("claim",):
                anchor = self._next_event()
        else:
            self._above.append(text)
        if anchor is None:
            self._waiting.append(text)
        else:
            self.remarks.append(Remark(text, anchor, True))

    def end(self) -> None:
        """The file ends: what still waits stands there."""
        self.remarks += [Remark(text, (), False) for text in self._waiting]

    def _next_event(self) -> Path:
        # Where the next event of the present deal will be; if none comes, the writer puts the claim there.
        return ("deals", len(self._deals) - 1, "events", len(self._deals[-1].events))
