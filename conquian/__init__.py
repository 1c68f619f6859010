"""Conquian: the rules of a card game as text, and the engine that plays and referees by them.

>>> import conquian
>>> rules = conquian.load("swedish", {"new-meld": "any"})
>>> here = rules.position(up="2h", table=[["3c", "3d", "3h", "3s"]], hand=["Ah"])
>>> here.can(("me", "melds", (("Ah", "2h", "3h"),)))
True

Names are imported when they are first used, so that `import conquian` costs next to nothing.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from conquian.engine.engine import UnknownReading
    from conquian.language.problems import RulesError
    from conquian.position import BadPosition, IllegalEvent, Position, Rules, load
    from conquian.referee import judge, replay
    from conquian.scoring import score

__version__ = "0.1.0"

_here = os.path.dirname(os.path.abspath(__file__))
_root = os.path.dirname(_here)
if not os.path.isdir(os.path.join(_here, "verifier")) and os.path.isdir(os.path.join(_root, "verifier")):
    # A checkout whose links (verifier, spec, grammar, cli.py) were lost, or are files that name their aim.
    __path__.insert(0, _root)

_HOMES = {
    "BadPosition": "conquian.position",
    "IllegalEvent": "conquian.position",
    "Position": "conquian.position",
    "Rules": "conquian.position",
    "load": "conquian.position",
    "judge": "conquian.referee",
    "replay": "conquian.referee",
    "score": "conquian.scoring",
    "RulesError": "conquian.language.problems",
    "UnknownReading": "conquian.engine.engine",
}

__all__ = [
    "BadPosition",
    "IllegalEvent",
    "Position",
    "Rules",
    "RulesError",
    "UnknownReading",
    "__version__",
    "judge",
    "load",
    "replay",
    "score",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'conquian' has no attribute {name!r}")
