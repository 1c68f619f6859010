"""The picture as SVG: well-formed, complete in itself, nothing but paths, and everything is where it belongs."""

from __future__ import annotations

import re

import pytest

from conquian.cards import NOTATIONS, Notation
from conquian.generate import games
from conquian.match import dealer_of
from conquian.pictures.drawing import ACROSS
from conquian.pictures.faces import COLOURS, HEIGHT, WIDTH
from conquian.pictures.scene import Scene, scene_of
from conquian.pictures.svg import Shared, svg
from conquian.pictures.words import description, title_of
from conquian.position import Position, load
from conquian.referee import replay

from .looking import DRAWN, SVG, addresses, tags, tree, uses
from .positions import borrowed_scene, borrowing, forced

SCENES = {
    "forced": scene_of(forced()),
    "borrowed": borrowed_scene(),
    "spanish": scene_of(forced(), notation="spanish"),
    "wrong": scene_of(forced(), wrong=["Kh"], tried=("me", "melds", (("Kh", "Ah", "Ad"),))),
    "four players": scene_of(load("partnership").position(up="Kh", hand=["Ah"])),
}


@pytest.fixture(params=list(SCENES.values()), ids=list(SCENES))
def scene(request: pytest.FixtureRequest) -> Scene:
    found: Scene = request.param
    return found


def test_a_picture_is_well_formed_and_made_of_paths_alone(scene: Scene) -> None:
    assert tags(svg(scene)) <= DRAWN
    assert not re.search(r"font|script|<text|<image|foreignObject", svg(scene))


def test_a_picture_needs_nothing_but_itself(scene: Scene) -> None:
    drawn = svg(scene)
    ids = set(re.findall(r'\bid="([^"]+)"', drawn))
    assert all(address.startswith("#") and address[1:] in ids for address in addresses(drawn))
    assert len(re.findall(r'\bid="', drawn)) == len(ids)
    assert re.findall(r"[a-z]+://[^\"]+", drawn) == ["http://www.w3.org/2000/svg"]


def test_a_picture_says_its_size_title_and_description(scene: Scene) -> None:
    root = tree(svg(scene, ident="one"))
    left, top, width, height = map(float, root.get("viewBox", "").split())
    assert (left, top, width) == (0, 0, ACROSS) and height > 0
    assert (root.get("width"), float(root.get("height", "0"))) == (str(ACROSS), height)
    title, desc = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title is not None and desc is not None
    assert (title.text, desc.text) == (title_of(scene), description(scene))
    assert root.get("aria-labelledby") == "one-title one-desc" and root.get("role") == "img"
    assert (title.get("id"), desc.get("id")) == ("one-title", "one-desc")


def test_the_same_scene_gives_the_same_bytes(scene: Scene) -> None:
    assert svg(scene) == svg(scene)


def test_every_card_is_drawn_once_within_the_picture(scene: Scene) -> None:
    root = tree(svg(scene))
    high = float(root.get("height", "0"))
    drawn = uses(root)
    for _, x, y, scale in drawn:
        assert x >= 0 and x + WIDTH * scale <= ACROSS
        assert y >= 0 and y + HEIGHT * scale <= high
    wanted = [card.card for seat in scene.seats for card in seat.hand]
    wanted += [card.card for seat in scene.seats for meld in seat.table for card in meld.cards]
    wanted += [card.card for meld in scene.tried for card in meld.cards]
    wanted += [] if scene.offer is None else [scene.offer.card.card]
    found = [name.rsplit("-", 1)[1] for name, *_ in drawn if not name.endswith("-back")]
    assert sorted(found) == sorted([*wanted, *scene.gone])


def test_hands_are_backs_where_cards_are_unknown() -> None:
    told = scene_of(forced(), open_hands=False)
    backs = [name for name, *_ in uses(tree(svg(told))) if name == "cq-f-back"]
    assert len(backs) == 10 + 3  # the opponent's hand, and the three that stand for the stock of twelve
    last = scene_of(load("swedish").position(up="Kh", hand=[], stock=1))
    assert [name for name, *_ in uses(tree(svg(last)))].count("cq-f-back") == 3 + 1  # an open hand, one card


def frames(drawn: str, colour: str) -> int:
    return len(re.findall(rf'<rect class="cq-{colour}"', drawn))


def test_forced_melds_have_a_dashed_frame_and_so_has_the_card() -> None:
    drawn = svg(scene_of(forced()))
    assert frames(drawn, "force") == 3  # the meld, the card, the legend
    calm = svg(scene_of(load("no-force").position(up="Kh", table=[["6h", "7h", "Jh", "Qh"]], hand=[])))
    assert frames(calm, "force") == 0


def test_borrowed_laid_and_offending_cards_have_signs_besides_their_colour() -> None:
    drawn = svg(borrowed_scene())
    # One borrowed and three laid cards, and one of each in the legend.
    assert drawn.count('class="mark-borrowed"') == 1 + 1
    assert drawn.count('class="mark-laid"') == 3 + 1
    assert drawn.count('class="mark-wrong"') == 0
    before, _ = borrowing()
    assert svg(scene_of(before, wrong=["7h"])).count('class="mark-wrong"') == 1 + 1


@pytest.mark.parametrize("notation", NOTATIONS)
def test_every_card_of_a_pack_has_a_face_of_its_own(notation: Notation) -> None:
    pack = load("classic").engine.pack
    sheet = tree(Shared(pack.cards, notation).sheet())
    faces = {
        one.get("id", "").rsplit("-", 1)[1]: "".join(
            sorted(str(sorted(part.attrib.items())) for part in one.iter() if part is not one)
        )
        for one in sheet.iter(f"{SVG}g")
        if one.get("id") is not None
    }
    assert set(faces) == {*pack.cards, "back"}
    assert len(set(faces.values())) == len(faces)


def test_french_and_spanish_suits_differ_in_shape_not_in_colour_alone() -> None:
    shapes = {}
    for notation in ("french", "spanish"):
        sheet = tree(Shared(["2c", "2d", "2h", "2s"], notation).sheet())
        shapes[notation] = {
            one.get("d")
            for one in sheet.iter(f"{SVG}path")
            if re.fullmatch(r"cq-.-[cdhs]", one.get("id", ""))
        }
    assert [len(found) for found in shapes.values()] == [4, 4]
    assert not shapes["french"] & shapes["spanish"]


def test_pictures_of_one_page_share_faces_and_words() -> None:
    scenes = [scene_of(forced()), borrowed_scene()]
    shared = Shared(load("swedish").engine.pack.cards, "french")
    drawn = [svg(scene, ident=f"p{i}", shared=shared) for i, scene in enumerate(scenes)]
    sheet = shared.sheet()
    ids = re.findall(r'\bid="([^"]+)"', sheet + "".join(drawn))
    assert len(set(ids)) == len(ids)
    for one in drawn:
        assert "<defs" not in one and "<style" not in one
        assert all(address[1:] in ids for address in addresses(one))
        assert len(one) < 6_000
    assert tags(sheet) <= DRAWN


def test_a_picture_is_small() -> None:
    assert all(len(svg(scene)) < 40_000 for scene in SCENES.values())


def test_names_are_escaped_and_drawn_as_they_can_be() -> None:
    before = forced()
    hostile = Position(before.rules, before.state, ('<script>"&', "李\x00\u202e"))
    drawn = svg(scene_of(hostile, open_hands=False))
    desc = tree(drawn).find(f"{SVG}desc")
    assert desc is not None and desc.text is not None
    assert '<script>"&' in desc.text and "李\ufffd\u202e" in desc.text
    assert "<script" not in drawn


# ---- colours

LIGHT = {name: colour.light for name, colour in COLOURS.items()}
DARK = {name: colour.dark for name, colour in COLOURS.items()}


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2 defines it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_black_on_white_has_the_greatest_contrast_there_is() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_everything_can_be_read_by_day_and_by_night(colours: dict[str, str]) -> None:
    for name in ("k", "r", "g", "o", "b"):
        assert contrast(colours[name], colours["face"]) >= 4.5, name
    for name in ("ink", "faint", "force", "moved", "wrong"):
        assert contrast(colours[name], colours["mat"]) >= 4.5, name


def test_the_night_has_a_rule_for_every_colour_that_is_used(scene: Scene) -> None:
    drawn = svg(scene)
    style = tree(drawn).find(f"{SVG}style")
    assert style is not None and style.text is not None
    assert style.text.startswith("@media screen and (prefers-color-scheme:dark){")
    ruled = dict(re.findall(r"\.cq-([a-z]+)\{color:(#[0-9a-f]{6})\}", style.text))
    used = re.findall(r'class="cq-([a-z]+)" color="(#[0-9a-f]{6})"', drawn)
    assert {name for name, _ in used} <= ruled.keys()
    assert ruled == DARK and dict(used).items() <= LIGHT.items()


# ---- whole games


@pytest.mark.parametrize("name", ["swedish", "partnership", "two-deck", "mexican"])
def test_in_whole_games_every_picture_holds_every_card_within_its_edges(name: str) -> None:
    rules = load(name)
    (game,) = games(rules.engine, 1, 5)
    shared = Shared(rules.engine.pack.cards, "french")
    for index, deal in enumerate(game.deals):
        before = None
        played = list(replay(rules, game.players, deal, dealer_of(rules.engine, game, index)))
        for position, _ in played[:: max(len(played) // 25, 1)]:
            scene = scene_of(position, before=before, open_hands=False)
            root = tree(svg(scene, shared=shared))
            high = float(root.get("height", "0"))
            for ident, x, y, scale in uses(root):
                if not ident.startswith("cq-w"):
                    assert x >= 0 and x + WIDTH * scale <= ACROSS and y >= 0 and y + HEIGHT * scale <= high
            before = position


def test_a_notebook_shows_the_picture() -> None:
    here = forced()
    assert here._repr_svg_() == svg(scene_of(here))
