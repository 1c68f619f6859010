"""Where the texts of the package stand: rule files, grammars, pages.

Guarantees: `path` finds them in an installed package, in a checkout, and in a checkout whose links were lost
(then beside the package, where `conquian.__path__` leads too).
"""

from __future__ import annotations

import os
from pathlib import Path

import conquian


def path(*parts: str) -> Path:
    """The file or folder `conquian/PARTS…`; it need not exist."""
    places = [os.path.join(folder, *parts) for folder in conquian.__path__]
    return Path(next(filter(os.path.exists, places), places[-1]))
