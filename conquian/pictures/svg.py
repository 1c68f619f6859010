"""A scene as SVG, drawn from paths alone.

Guarantees: well-formed, the same bytes for the same scene; no text element, no font, no script, no address outside the
document. Colours stand as attributes for the day and in one style rule for the night. `<title>` and `<desc>` say in
words all that is drawn.
"""

from __future__ import annotations

from collections.abc import Iterable

from conquian.cards import Notation
from conquian.pictures.drawing import ACROSS, Drawing, pen
from conquian.pictures.faces import (
    coloured,
    definitions,
    style,
)
from conquian.pictures.markup import escaped
from conquian.pictures.scene import Scene, scene_of
from conquian.pictures.strokes import number, path_of
from conquian.pictures.words import description, title_of
from conquian.position import Position


class Shared:
    """What the pictures of one page have in common: card faces and words, defined once by `sheet`."""

    def __init__(self, cards: Iterable[str], notation: Notation) -> None:
        self.cards = frozenset(cards)
        self.notation: Notation = notation
        self._words: dict[tuple[str, float], str] = {}

    def word(self, words: str, height: float) -> str:
        """The id of the definition of some words in a height."""
        return self._words.setdefault((words, height), f"cq-w{len(self._words)}")

    def sheet(self) -> str:
        """An SVG document that shows nothing, with the style and everything that the pictures made so far use."""
        words = "".join(
            f'<path id="{ident}" d="{path_of(said, 0, 0, height)}" {pen(height)}/>'
            for (said, height), ident in self._words.items()
        )
        return (
            '<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0" aria-hidden="true" focusable="false">'
            f"<style>{style()}</style><defs>{definitions(self.cards, self.notation)}{words}</defs></svg>"
        )


def svg(scene: Scene, *, ident: str = "cq", shared: Shared | None = None) -> str:
    """The picture of a scene as an SVG document.

    `ident` begins the ids of title and description, so that a page can hold many pictures. With `shared` the picture
    has neither style nor definitions in it: they are in the sheet of the page.
    """
    drawing = Drawing(scene, shared)
    body, high = drawing.drawn()
    own = ""
    if shared is None:
        own = f"<style>{style()}</style><defs>{definitions(drawing.cards, scene.notation)}</defs>"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {ACROSS} {number(high)}" width="{ACROSS}" '
        f'height="{number(high)}" role="img" aria-labelledby="{ident}-title {ident}-desc">'
        f'<title id="{ident}-title">{escaped(title_of(scene))}</title>'
        f'<desc id="{ident}-desc">{escaped(description(scene))}</desc>{own}'
        f"<g {coloured('mat')}>"
        f'<rect width="{ACROSS}" height="{number(high)}" rx="14" fill="currentColor"/></g>{body}</svg>'
    )


def position_svg(position: Position, *, notation: Notation = "french", before: Position | None = None) -> str:
    """The picture of a position as an SVG document; `before` is the position before the last event."""
    return svg(scene_of(position, notation=notation, before=before))
