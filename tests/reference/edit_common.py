"""What the edits of a game share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

from .settings import Settings

Game = dict[str, Any]
Deal = dict[str, Any]
# An edit changes the copy it is given and yields once if it could be done.
Edit = Callable[[Game, Deal, Settings, Random], Iterator[None]]


def other(random: Random, options: Sequence[str], than: str) -> str:
    return random.choice([option for option in options if option != than] or [than])


def some_event(deal: Deal, random: Random, *verbs: str) -> list[Any] | None:
    found = [event for event in deal["events"] if event[1] in verbs]
    return random.choice(found) if found else None


def somewhere(deal: Deal, random: Random) -> int:
    return random.randint(0, len(deal["events"]))
