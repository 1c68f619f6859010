"""What tests see of a picture or page: its elements, without a browser."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

SVG = "{http://www.w3.org/2000/svg}"
VOID = {"meta", "link", "br", "hr", "input", "img", "wbr"}
# Elements of SVG that may stand in a picture: shapes, groups, words for those who do not see it, one style rule.
DRAWN = {"svg", "g", "path", "rect", "use", "defs", "title", "desc", "style"}


def tree(svg: str) -> ET.Element:
    """An SVG document as its tree; ParseError if it is not well-formed."""
    return ET.fromstring(svg)


def tags(svg: str) -> set[str]:
    return {element.tag.removeprefix(SVG) for element in tree(svg).iter()}


def uses(root: ET.Element) -> list[tuple[str, float, float, float]]:
    """What is used outside the definitions: id, x, y, scale."""
    found = []
    defined = {id(one) for defs in root.iter(f"{SVG}defs") for one in defs.iter()}
    for element in root.iter(f"{SVG}use"):
        if id(element) in defined:
            continue
        moved = re.fullmatch(
            r"translate\(([\d.-]+) ([\d.-]+)\) scale\(([\d.]+)\)", element.get("transform", "")
        )
        x, y, scale = (
            map(float, moved.groups())
            if moved
            else (float(element.get("x", "0")), float(element.get("y", "0")), 1.0)
        )
        found.append((element.get("href", "").removeprefix("#"), x, y, scale))
    return found


def addresses(text: str) -> list[str]:
    """Everything in a document that a browser could load or follow."""
    found = re.findall(r"""(?:href|src|srcset|data|action|poster|xlink:href)\s*=\s*["']([^"']*)""", text)
    return found + re.findall(r"url\(([^)]*)\)|@import\s+(\S+)", text)


@dataclass
class Node:
    """An element of HTML."""

    tag: str
    attributes: dict[str, str]
    children: list[Node] = field(default_factory=list)
    parts: list[str | Node] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(part if isinstance(part, str) else part.text for part in self.parts)

    def all(self, tag: str = "", kind: str = "") -> Iterator[Node]:
        """All elements in it with a tag and a class."""
        for child in self.children:
            if tag in ("", child.tag) and (not kind or kind in child.attributes.get("class", "").split()):
                yield child
            yield from child.all(tag, kind)

    def one(self, tag: str = "", kind: str = "") -> Node:
        found = list(self.all(tag, kind))
        assert len(found) == 1, (tag, kind, len(found))
        return found[0]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Node("", {})
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(set(names)) == len(names), (tag, names)
        node = Node(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(node)
        self.open[-1].parts.append(node)
        if tag not in VOID:
            self.open.append(node)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open[-1].tag == tag, (self.open[-1].tag, tag)
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].parts.append(data)


def html(text: str) -> Node:
    """A page as its tree; every element has to be closed where it was opened."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    assert len(reader.open) == 1, [node.tag for node in reader.open]
    return reader.root
