"""`conquian report`: the page as it can be read without a browser."""

from __future__ import annotations

import json
import os
import re
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conquian.pictures.page import page
from conquian.pictures.story import story_of
from conquian.transcript.read import read
from tests.cli.running import ROOT, run

from .looking import addresses, html, tree

EXAMPLES = (
    "club-evening.cqn",
    "session.cqn",
    "spanish-cards.cqn",
    "unrecorded-hands.cqn",
    "disputed/one-hand-card.cqn",
    "disputed/misdeal.cqn",
)
BROKEN = """rules: swedish
players: Ana, Ben
match: wins=2

deal 1
Ana turns 5c; melds 4c 5c 6c 7c; discards Kd   # a bold start
Ben passes; turns 7h; passes
Ana melds 7c 7h 7d                             # is that so?
Ana discards 2h
deal 2
Ben turns 5x
deal 3
Ana turns 5c
"""
NASTY = "<img src=x onerror=alert(1)>\u202e&\"'"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "broken.cqn").write_text(BROKEN, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def made(path: str, *more: str) -> str:
    """The page of an example or of a file of the folder."""
    if (ROOT / "examples" / path).exists():
        return _made(path, *more)
    return run("report", path, *more).out


@cache
def _made(path: str, *more: str) -> str:
    return run("report", str(ROOT / "examples" / path), *more).out


@pytest.fixture(params=EXAMPLES)
def example(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


def test_a_page_is_one_document_with_landmarks_and_headings_in_order(example: str) -> None:
    text = made(example)
    assert text.startswith("<!DOCTYPE html>\n")
    root = html(text).one("html")
    assert root.attributes["lang"] == "en"
    body = root.one("body")
    assert [child.tag for child in body.children if child.tag not in ("a", "svg", "script")] == [
        "header",
        "main",
        "footer",
    ]
    assert body.children[0].attributes == {"href": "#deals", "class": "skip"}
    levels = [int(node.tag[1]) for node in body.all() if re.fullmatch(r"h[1-6]", node.tag)]
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    assert root.one("head").one("title").text.endswith(" - Conquian")
    assert next(meta.attributes.get("charset") for meta in root.all("meta")) == "utf-8"


def test_ids_are_unique_and_every_reference_leads_to_one(example: str) -> None:
    root = html(made(example))
    ids = [node.attributes["id"] for node in root.all() if "id" in node.attributes]
    assert len(set(ids)) == len(ids)
    for node in root.all():
        for name in ("aria-labelledby", "aria-describedby"):
            assert set(node.attributes.get(name, "").split()) <= set(ids)
        if "href" in node.attributes:
            assert node.attributes["href"].removeprefix("#") in ids


def test_a_page_needs_nothing_but_itself_and_forbids_the_rest(example: str) -> None:
    text = made(example)
    assert all(address.startswith("#") for address in addresses(text) if isinstance(address, str))
    assert not re.search(r"<link|<iframe|<img|<object|<form|@import|url\(", text)
    assert set(re.findall(r"[a-z]+://[^\"' ]+", text)) == {"http://www.w3.org/2000/svg"}
    (policy,) = [m.attributes["content"] for m in html(text).all("meta") if "http-equiv" in m.attributes]
    assert policy.startswith("default-src 'none';") and "script-src 'sha256-" in policy
    assert "unsafe-inline" not in policy.split("script-src")[1]


def test_the_digest_in_the_policy_is_that_of_the_script() -> None:
    import base64
    import hashlib

    text = made("club-evening.cqn")
    (script,) = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"'sha256-{digest}'" in text
    assert not re.search(r"\son[a-z]+=", text)


def test_everything_that_can_be_pressed_or_moved_has_a_name() -> None:
    root = html(made("session.cqn"))
    pressed = [*root.all("button"), *root.all("a")]
    assert pressed and all(node.text.strip() for node in pressed)
    for node in [*root.all("input"), *root.all("nav"), *root.all("section")]:
        assert node.attributes.get("aria-label") or node.attributes.get("aria-labelledby")
    assert all(node.attributes["type"] == "button" for node in root.all("button"))
    assert all(
        node.attributes["role"] == "img" for node in root.all("svg") if "aria-hidden" not in node.attributes
    )


def test_every_picture_is_well_formed() -> None:
    drawn = re.findall(r"<svg.*?</svg>", made("session.cqn"), re.DOTALL)
    assert len(drawn) == 1 + 30 + 60 + 42
    for one in drawn:
        tree(one)


def test_there_is_a_frame_for_the_start_and_for_every_event() -> None:
    path = ROOT / "examples" / "session.cqn"
    (sheet,) = read(path.read_bytes(), str(path))
    assert sheet.game is not None
    deals = list(html(made("session.cqn")).all("section", "deal"))
    assert len(deals) == len(sheet.game.deals)
    for number, (deal, told) in enumerate(zip(deals, sheet.game.deals, strict=True), 1):
        ids = [frame.attributes["id"] for frame in deal.all("li", "frame")]
        assert ids == [f"d{number}-start", *(f"d{number}-e{event}" for event in range(len(told.events)))]
        heads = [frame.one("h3").text for frame in deal.all("li", "frame")][1:]
        assert [head.split()[:2] for head in heads] == [[str(e[0]), str(e[1])] for e in told.events]


def test_without_scripts_everything_is_shown_and_nothing_has_to_be_pressed() -> None:
    root = html(made("session.cqn"))
    assert all("hidden" not in frame.attributes for frame in root.all("li", "frame"))
    assert all("hidden" in bar.attributes for bar in root.all("div", "stepper"))
    assert len(list(root.all("div", "stepper"))) == 3


def verdict_of(path: str) -> dict[str, Any]:
    found: dict[str, Any] = run("validate", path, "--format", "json").data[0]
    return found


def with_signs(text: str) -> str:
    """The same with suits as the pictures draw them."""
    return re.sub(
        r"\b(A|[2-9]|10|J|Q|K)([cdhs])\b", lambda m: m[1] + dict(zip("cdhs", "♣♦♥♠", strict=True))[m[2]], text
    )


def test_the_verdict_stands_where_it_falls_with_clause_source_and_what_was_right() -> None:
    (violation,) = verdict_of("broken.cqn")["deals"][0]["violations"]
    root = html(made("broken.cqn", "--first-violation"))
    (frame,) = [f for f in root.all("li", "frame") if "broken" in f.attributes["class"]]
    assert frame.attributes["id"] == f"d1-e{violation['event']}"
    said = frame.one("div", "violation").text
    for part in (
        violation["code"],
        with_signs(violation["message"]),
        violation["clause"],
        violation["source"],
        with_signs(violation["hint"]),
    ):
        assert part in said
    assert f"Line {violation['line']}, column {violation['column']}" in said
    assert len(list(root.all("div", "violation"))) == 1
    # What follows is told, and not judged.
    deal = next(root.all("section", "deal"))
    assert [node.text for node in deal.all("li", "untold")] == ["Ana discards 2♥"]
    assert "1 event after the violation is not judged" in deal.text
    assert "A rule was broken" in deal.text


def test_the_picture_of_the_violation_shows_the_act_and_the_position_before_it() -> None:
    (violation,) = verdict_of("broken.cqn")["deals"][0]["violations"]
    text = made("broken.cqn")
    frame = re.search(rf'<li class="frame broken" id="d1-e{violation["event"]}">.*?</svg>', text, re.DOTALL)
    assert frame is not None
    desc = re.search(r"<desc[^>]*>(.*?)</desc>", frame[0], re.DOTALL)
    assert desc is not None
    assert "Ana tried 7♣ 7♥ 7♦, which is not legal." in desc[1]
    assert "table 4♣ 5♣ 6♣ 7♣." in desc[1] and "Marked as offending:" in desc[1]
    assert 'class="mark-wrong"' in frame[0]


def test_comments_stand_at_their_events() -> None:
    frames = {frame.attributes["id"]: frame for frame in html(made("broken.cqn")).all("li", "frame")}
    assert frames["d1-e0"].one("p", "comment").text == "a bold start"
    assert frames["d1-e6"].one("p", "comment").text == "is that so?"


def test_an_unreadable_deal_says_what_cannot_be_read_and_the_others_are_drawn() -> None:
    done = run("report", "broken.cqn")
    assert done.status == 2
    deals = list(html(done.out).all("section", "deal"))
    # The start and eight events, of which one stands; nothing; the start and one event.
    assert [len(list(deal.all("li", "frame"))) for deal in deals] == [1 + 8 + 1, 0, 2]
    error = deals[1].one("div", "error")
    assert "Line 11" in error.text and "'5x' is no card" in error.text
    assert error.one("code").text == deals[1].one("li", "unread").one("code").text == "Ben turns 5x"


def test_a_misdeal_has_its_verdict_and_no_picture() -> None:
    root = html(made("disputed/misdeal.cqn"))
    (violation,) = [
        v for d in verdict_of(str(ROOT / "examples/disputed/misdeal.cqn"))["deals"] for v in d["violations"]
    ]
    assert violation["message"] in root.one("div", "violation").text


@pytest.mark.parametrize("path", ["broken.cqn", "session.cqn"])
def test_the_ledger_is_that_of_score(path: str) -> None:
    where = str(ROOT / "examples" / path) if path == "session.cqn" else path
    score = run("score", where, "--format", "json").data
    table = html(made(path)).one("table")
    rows = [[cell.text for cell in row.children] for row in table.one("tbody").all("tr")]
    counted = [row for row in rows if "-" not in row[3:5]]
    numbers = [[int(cell.replace("\u2212", "-")) for cell in row[3:5]] for row in counted]
    paid = [list(deal["payments"].values()) for deal in score["deals"] if any(deal["payments"].values())]
    assert numbers == paid
    assert [row[0] for row in rows] == [str(deal["number"]) for deal in score["deals"]]
    units, wins = [[cell.text for cell in row.all("td")] for row in table.one("tfoot").all("tr")]
    players = score["players"].values()
    assert [int(cell.replace("\u2212", "-")) for cell in units] == [
        *(p["units"] for p in players),
        score["pot"],
    ]
    assert wins[:2] == [str(p["wins"]) for p in players]
    assert f"Next to deal: {score['dealer_next']}." in html(made(path)).text


def test_who_holds_what_is_said_in_words() -> None:
    frame = next(html(made("unrecorded-hands.cqn")).all("li", "frame"))
    said = frame.one("div", "knows").text
    assert "Ana holds 6♣ 6♦ 6♥ 7♥ Q♣ and 5 unknown cards" in said
    assert "Ben holds 10 unknown cards" in said


def test_who_may_hold_what_is_what_infer_says_of_the_whole_record() -> None:
    path = ROOT / "examples" / "unrecorded-hands.cqn"
    frames = {
        frame.attributes["id"]: frame for frame in html(made("unrecorded-hands.cqn")).all("li", "frame")
    }
    for event in (0, 8, 20):
        told = run("infer", "--at", f"{path}#1@{event}", "--format", "json").data["players"]
        said = frames["d1-start" if event == 0 else f"d1-e{event - 1}"].one("div", "knows").text
        for name, hand in told.items():
            certain, possible = (
                [card[:-1] + dict(zip("cdhs", "♣♦♥♠", strict=True))[card[-1]] for card in hand[kind]]
                for kind in ("certain", "possible")
            )
            found = re.search(
                rf"{name}, by all that is recorded, (?:certainly )?held(.*?)(?: and)?(?: (\d+) of ([^.]*))?\.",
                said,
            )
            if found is None:
                assert not possible  # nothing of this hand was left unrecorded
                continue
            assert found[1].split() == certain
            assert (found[3] or "").split() == possible
            assert len(certain) + int(found[2] or 0) == hand["held"]


def test_a_card_that_is_thrown_later_was_in_the_hand_before() -> None:
    # Ana lays the seven of diamonds and throws two twos; none of them was written down at the start.
    start = next(html(made("unrecorded-hands.cqn")).all("li", "frame")).one("div", "knows").text
    found = re.search(r"Ana, by all that is recorded, certainly held ([^.]*)\.", start)
    assert found is not None and {"2♣", "7♦", "2♠"} <= set(found[1].split())


def nasty() -> str:
    game = {
        "format": "conquian/1",
        "rules": "swedish",
        "players": [NASTY, "</script><script>alert(2)</script>"],
        "dealer": NASTY,
        "tags": {"event": "</title><script>alert(3)</script>", "<b>": '"><svg onload=alert(4)>'},
        "deals": [
            {
                "number": 1,
                "events": [[NASTY, "passes"]],
                "comments": [[0, "--><script>alert(5)</script>"], [1, "<style>*{display:none}</style>"]],
                "claim": {"winner": NASTY},
            }
        ],
    }
    return json.dumps(game)


def test_names_tags_and_comments_are_text_and_never_markup(folder: Path) -> None:
    (folder / "nasty.json").write_text(nasty(), encoding="utf-8")
    done = run("report", "nasty.json")
    root = html(done.out)
    assert len(list(root.all("script"))) == 1 and len(list(root.all("img"))) == 0
    assert len(list(root.all("b"))) == 0
    known = {
        "html",
        "head",
        "body",
        "meta",
        "title",
        "style",
        "a",
        "svg",
        "defs",
        "path",
        "g",
        "rect",
        "use",
        "header",
        "h1",
        "p",
        "span",
        "dl",
        "div",
        "dt",
        "dd",
        "main",
        "section",
        "h2",
        "nav",
        "ol",
        "li",
        "bdi",
        "h3",
        "figure",
        "desc",
        "h4",
        "ul",
        "button",
        "input",
        "output",
        "table",
        "caption",
        "thead",
        "tr",
        "th",
        "tbody",
        "td",
        "tfoot",
        "footer",
        "script",
        "details",
        "summary",
        "strong",
    }
    assert {node.tag for node in root.all()} <= known
    assert not any(name.startswith("on") for node in root.all() for name in node.attributes)
    body = root.one("body")
    assert NASTY in body.text and "--><script>alert(5)</script>" in body.text
    assert "<style>*{display:none}</style>" in body.text and "alert(4)" in body.text
    assert [node.text for node in body.all("bdi")].count(NASTY) >= 2
    for one in re.findall(r"<svg.*?</svg>", done.out, re.DOTALL):
        tree(one)


def test_the_same_file_gives_the_same_bytes(example: str) -> None:
    path = ROOT / "examples" / example
    (sheet,) = read(path.read_bytes(), str(path))
    assert page(story_of(sheet)) == page(story_of(sheet)) == made(example)


def test_a_page_of_an_evening_is_not_large() -> None:
    assert len(made("club-evening.cqn").encode()) < 250_000
    assert len(made("session.cqn").encode()) < 900_000


def test_cards_can_be_drawn_in_another_notation() -> None:
    text = made("club-evening.cqn", "--cards", "spanish")
    assert 'id="cq-s-12o"' not in text and 'id="cq-s-Kd"' in text
    assert "Ana turns 7o" in html(text).text
    assert "Ana turns 7♦" in html(made("club-evening.cqn")).text


# ---- files


def test_a_page_is_written_whole_with_the_exit_status_of_the_verdict(folder: Path) -> None:
    done = run("report", "broken.cqn", "-o", "game.html")
    assert (done.status, done.out) == (2, "")
    assert (folder / "game.html").read_text(encoding="utf-8") == made("broken.cqn")
    evening = str(ROOT / "examples" / "club-evening.cqn")
    assert run("report", evening, "-o", "game.html").status == 0
    assert run("report", str(ROOT / "examples/disputed/one-hand-card.cqn"), "-o", "game.html").status == 1
    assert sorted(path.name for path in folder.iterdir()) == ["broken.cqn", "game.html"]


def test_a_page_does_not_take_the_place_of_its_transcript(folder: Path) -> None:
    done = run("report", "broken.cqn", "-o", "./broken.cqn")
    assert done.status == 2 and "take the place of its transcript" in done.err
    assert (folder / "broken.cqn").read_text(encoding="utf-8") == BROKEN


def test_standard_input_is_read() -> None:
    assert html(run("report", "-", given=BROKEN).out).one("h1").text == "Ana and Ben"


def test_a_game_of_several_is_chosen_by_its_number(folder: Path) -> None:
    evening = ROOT / "examples" / "evening.jsonl"
    games = [json.loads(line) for line in evening.read_text(encoding="utf-8").splitlines() if line.strip()]
    assert len(games) > 1
    done = run("report", str(evening))
    assert done.status == 2 and "--game N" in done.err
    second = html(run("report", str(evening), "--game", "2").out)
    assert sum(1 for _ in second.all("li", "frame")) == sum(len(d["events"]) + 1 for d in games[1]["deals"])
    beyond = run("report", str(evening), "--game", "99")
    assert beyond.status == 2 and f"it holds {len(games)} games" in beyond.err


@pytest.mark.parametrize(
    ("content", "more", "said"),
    [
        (b"", (), "nothing of it can be shown"),
        (b"\xff\xfe\x00", (), "nothing of it can be shown"),
        (b"players: Ana, Ben\nAna turns 5c\n", (), "no-rules"),
        (b"rules: nowhere\nplayers: Ana, Ben\nAna turns 5c\n", (), "unknown-rules"),
        (BROKEN.encode(), ("--cards", "klingon"), "--cards klingon is not known"),
        (
            BROKEN.encode(),
            ("--rules", "classic-52", "--cards", "spanish"),
            "10 of this pack has no spanish form",
        ),
        (BROKEN.encode(), ("--rules", "nowhere"), "nowhere"),
        (BROKEN.encode(), ("--reading", "new-meld=some"), "new-meld"),
        (BROKEN.encode(), ("-o", "nowhere/game.html"), "No such file or directory"),
    ],
)
def test_what_gives_no_page_says_why_and_writes_nothing(
    folder: Path, content: bytes, more: tuple[str, ...], said: str
) -> None:
    (folder / "bad.cqn").write_bytes(content)
    done = run("report", "bad.cqn", *(more if "-o" in more else ("-o", "game.html", *more)))
    assert (done.status, done.out) == (2, "")
    assert said in done.err and "Traceback" not in done.err
    assert not (folder / "game.html").exists()


def test_a_file_that_is_not_there_is_named() -> None:
    done = run("report", "nowhere.cqn")
    assert (done.status, done.err) == (2, "conquian: nowhere.cqn: No such file or directory\n")


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=80), st.integers(0, len(BROKEN)), st.integers(0, 40))
def test_whatever_the_file_holds_there_is_a_page_or_a_reason(put: bytes, at: int, gone: int) -> None:
    text = BROKEN.encode()
    done = run("report", "-", given=text[:at] + put + text[at + gone :])
    if done.out:
        html(done.out)
        assert done.err == ""
    else:
        assert done.status == 2 and done.err
    assert done.status in (0, 1, 2)


SAMPLES = ROOT / "tests" / "data" / "samples" / "games.jsonl"


def test_in_real_games_the_pictures_end_where_the_verdict_falls() -> None:
    lines = SAMPLES.read_text(encoding="utf-8").splitlines()
    for line in lines if os.environ.get("CONQUIAN_FULL") else lines[::15]:
        game = json.dumps(json.loads(line)["game"]).encode()
        (sheet,) = read(game, "game.json")
        story = story_of(sheet, as_played=False)
        assert sheet.game is not None
        for deal, told in zip(story.deals, sheet.game.deals, strict=True):
            wrong = [v.event for v in deal.verdict.violations if v.event is not None]
            assert [frame.event for frame in deal.frames if frame.violation] == wrong
            shown = [frame.event for frame in deal.frames if frame.event is not None]
            judged = wrong[0] + 1 if wrong else len(told.events)
            if any(v.event is None and v.code != "wrong-result" for v in deal.verdict.violations):
                judged = 0  # the deal itself was wrong
            assert shown == list(range(judged))
            assert [event.event for event in deal.untold] == list(range(len(shown), len(told.events)))
        html(page(story))
