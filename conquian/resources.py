"""Where the texts of the package stand: rule files, grammars, pages.

Guarantees: `place` and `path` find them in an installed package, in a checkout, and in a checkout whose links
were lost (then beside the package, where `conquian.__path__` leads too).
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import conquian

if TYPE_CHECKING:
    from pathlib import Path


def place(*parts: str) -> str:
    """The file or folder `conquian/PARTS…`; it need not exist."""
    places = [os.path.join(folder, *parts) for folder in conquian.__path__]
    return next(filter(os.path.exists, places), places[-1])


def path(*parts: str) -> Path:
    """The same as a path."""
    from pathlib import Path

    return Path(place(*parts))


def content(*parts: str) -> bytes:
    """The bytes of a file; OSError if it cannot be read."""
    with open(place(*parts), "rb") as file:
        return file.read()
