"""`conquian report` goes on after an illegal act as it was played: what is shown then, and what is said of it.

The pictures are held against two things that know nothing of how they are made: the findings of `validate --as-played`,
and a count of the cards of each picture, of which none may be lost or doubled.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from conquian import stood
from conquian.engine.engine import engine
from conquian.engine.residues import TooManyHands
from conquian.engine.sets import rule_sets
from conquian.generate import games
from conquian.pictures.page import page
from conquian.pictures.scene import Scene
from conquian.pictures.story import Story, Untellable, story_of
from conquian.transcript.read import read
from conquian.verdict import AsPlayed, Stood
from tests.agreement.both import document
from tests.cli.running import ROOT, run
from tests.reference.edits import one_edit_mutations
from tests.stood.test_random import said

from .looking import Node, html

FULL = bool(os.environ.get("CONQUIAN_FULL"))
EVENING = """rules: swedish
players: Ana, Ben
match: wins=3

deal 1
Ana holds Jh Jd 6c 7c 3d 4d Ks As 2h 6s
Ana turns 5c; melds 5c 6c; discards Ks    # nobody counted the cards
Ben passes; turns 2d; passes
Ana melds 2d 3d 4d; discards As
Ben passes; discards 3h
Ana passes; discards 4h
Ben passes; turns Jc

deal 2
Ana holds 3c 3d 3h 6h 7h Jh Qh 5s 6s 7s
Ben turns 2c; melds 2c 4c; discards Kd
Ana passes; turns 3s; melds 3c 3d 3h 3s, 6h 7h Jh Qh, 5s 6s 7s
Ana wins

deal 3
Ana turns 5x
Ana melds 5c 6c 7c
Ben what

deal 4
Ben turns 5c; melds 5c 6c; discards Ks
Ana objects
Ben melds 5c 6c 7c; discards Ks
Ana and Ben agree a draw

deal 5
Ana turns 4d; passes
Ben concedes

deal 6
Ben turns 5h
broken off
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "evening.cqn").write_text(EVENING, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def deals(*more: str) -> list[Node]:
    return list(html(run("report", "evening.cqn", *more).out).all("section", "deal"))


def frames(deal: Node) -> dict[str, Node]:
    return {frame.attributes["id"]: frame for frame in deal.all("li", "frame")}


def test_an_act_that_stood_is_shown_twice_as_it_was_tried_and_as_it_lay() -> None:
    shown = frames(deals()[0])
    assert list(shown)[:5] == ["d1-start", "d1-e0", "d1-e1", "d1-e1-stands", "d1-e2"]
    tried, lay = shown["d1-e1"], shown["d1-e1-stands"]
    assert tried.one("h3").text == "Ana melds 5♣ 6♣ - not legal"
    assert lay.one("h3").text == "Nobody objected: it stands"
    assert "Ana tried 5♣ 6♣, which is not legal." in tried.text and "no meld on the table" in tried.text
    assert "table 5♣ 6♣." in lay.text and "which is not legal" not in lay.text
    assert tried.attributes["class"] == "frame broken" and lay.attributes["class"] == "frame stands"
    # The king was thrown with that meld on the table.
    assert "table 5♣ 6♣." in shown["d1-e2"].text


def test_who_could_have_objected_and_until_when_is_said_with_a_link_to_it() -> None:
    found = frames(deals()[0])["d1-e1"].one("div", "violation")
    assert "Ben could have objected, until this was played: Ben passes." in found.text
    assert found.one("a").attributes["href"] == "#d1-e3"
    assert "Nobody objected, so it stands as it was played." in found.text


def test_later_findings_are_marked_as_after_an_irregularity_with_their_own_rule() -> None:
    first, second, third = deals()[0].all("div", "violation")
    assert "After an irregularity" not in first.text
    assert "sw.board.1" in first.text and "is a group or a run" in first.text
    for one, objector in ((second, "Ana"), (third, "Ben")):
        assert one.text.startswith("After an irregularity: this may be no more than what follows from it.")
        assert "sw.turn.6" in one.text and "turns the top card of the stock" in one.text
        assert f"{objector} could have objected" in one.text
    assert "stands as it was played" in second.text
    assert "judging stops here: the hand of Ana is known and does not hold 4♥." in third.text


def test_the_findings_are_listed_above_the_deal_and_lead_to_their_pictures() -> None:
    one, two, *_ = deals()
    listed = one.one("div", "findings")
    assert listed.one("p").text == "What went wrong (3 findings)"
    assert [link.attributes["href"] for link in listed.all("a")] == ["#d1-e1", "#d1-e9", "#d1-e11"]
    assert [("after an irregularity" in item.text) for item in listed.all("li")] == [False, True, True]
    assert two.one("div", "findings").one("p").text == "What went wrong"


def test_where_judging_stops_the_rest_is_told_and_not_judged() -> None:
    deal = deals()[0]
    assert list(frames(deal))[-1] == "d1-e11"
    assert [node.text for node in deal.all("li", "untold")] == ["Ben passes", "Ben turns J♣"]
    assert "2 events after the violation are not judged" in deal.text


def test_a_deal_that_goes_on_to_its_end_says_who_won_as_it_was_played() -> None:
    deal = deals()[1]
    assert "Winner, as it was played: Ana." in deal.text and not list(deal.all("li", "untold"))
    assert "Ana has won" in frames(deal)["d2-e5"].text


def test_the_first_violation_ends_a_deal_if_that_is_asked_for() -> None:
    deal = deals("--first-violation")[0]
    assert list(frames(deal)) == ["d1-start", "d1-e0", "d1-e1"]
    assert len(list(deal.all("li", "untold"))) == 12
    assert "objected" not in deal.text and "After an irregularity" not in deal.text


def test_lines_that_cannot_be_read_stand_where_they_are_among_the_events() -> None:
    deal = deals()[2]
    assert [error.one("code").text for error in deal.all("div", "error")] == [
        "Ana turns 5x",
        "Ben what",
    ]
    log = [(node.attributes["class"], node.text) for node in deal.one("nav", "log").all("li")]
    assert log == [
        ("rest", "Not judged:"),
        ("unread", "Cannot be read:Ana turns 5x"),
        ("untold", "Ana melds 5♣ 6♣ 7♣"),
        ("unread", "Cannot be read:Ben what"),
    ]


def test_a_file_with_an_unreadable_deal_also_says_that_a_rule_was_broken_in_another() -> None:
    root = html(run("report", "evening.cqn").out)
    badges = [badge.text for badge in root.one("header").all("span", "badge")]
    assert badges == ["Not all of it can be read", "A rule was broken"]
    links = [link.text for link in root.one("nav", "deals-nav").all("a")]
    assert links == [
        "Deal 1 (invalid)",
        "Deal 2 (invalid; Ana wins, as played)",
        "Deal 3 (unreadable)",
        "Deal 4 (drawn)",
        "Deal 5 (Ana wins)",
        "Deal 6 (unfinished)",
        "Ledger",
    ]


def test_what_was_taken_back_is_marked_and_moves_nothing() -> None:
    shown = frames(deals()[3])
    assert shown["d4-e1"].one("h3").text == "Ben melds 5♣ 6♣ - taken back"
    assert "Taken back: Ana objects in time." in shown["d4-e1"].text
    assert "It was not legal: 5♣ 6♣ is no valid meld (invalid-meld)." in shown["d4-e1"].text
    assert "It was not legal" not in shown["d4-e2"].text  # the discard alone would have been in order
    assert "Ben tried 5♣ 6♣, which is not legal." in shown["d4-e1"].text
    assert shown["d4-e2"].one("h3").text == "Ben discards K♠ - taken back"
    for event in ("e1", "e2", "e3"):
        assert "Ben holds 10 unknown cards; no meld on the table" in shown[f"d4-{event}"].text
    assert "Ben holds 8 unknown cards; table 5♣ 6♣ 7♣" in shown["d4-e4"].text
    assert not list(deals()[3].all("div", "violation"))


def test_what_players_agree_on_ends_a_deal_and_reads_like_it() -> None:
    _, _, _, drawn, conceded, stopped = deals()
    assert list(drawn.all("h3"))[-1].text == "Ana agrees a draw with Ben"
    assert (
        "The deal is drawn." in drawn.text and "The deal is over." in list(drawn.all("li", "frame"))[-1].text
    )
    assert "Winner: Ana." in conceded.text and list(conceded.all("h3"))[-1].text == "Ben concedes"
    assert "The record says: broken off." in stopped.text
    assert "the deal is broken off; nobody has won it" in stopped.text


def test_the_ledger_counts_what_is_valid_and_says_what_it_comes_to_as_played() -> None:
    sections = html(run("report", "evening.cqn").out).all("section")
    ledger = next(section for section in sections if section.attributes["id"] == "ledger")
    scored = run("score", "evening.cqn", "--as-played", "--format", "json").data["players"]
    text = f"Ana +{scored['Ana']['units']} ({scored['Ana']['wins']} wins)"
    assert f"If the players let the deals stand as they were played: {text}" in ledger.text
    assert "let the deals stand" not in html(run("report", "evening.cqn", "--first-violation").out).text


def test_what_cannot_be_decided_leaves_the_first_violations_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def too_many(*_: object) -> None:
        raise TooManyHands

    monkeypatch.setattr(stood, "walked_on", too_many)
    found = html(run("report", "evening.cqn").out)
    assert "each deal ends with its first violation" in found.one("header").text
    one = next(found.all("section", "deal"))
    assert list(frames(one)) == ["d1-start", "d1-e0", "d1-e1"]


def test_a_note_on_the_header_stands_once_at_the_head(folder: Path) -> None:
    (folder / "table.cqn").write_text(f"table: 4\n{EVENING}", encoding="utf-8")
    root = html(run("report", "table.cqn", "--reading", "new-meld=any").out)
    notes = [note.text for note in root.one("header").all("p", "note")]
    assert len(notes) == 1 and "'table'" in notes[0]
    assert root.text.count("'table'") == 1
    over = html(run("report", "table.cqn", "--rules", "navajo-tens").out).one("header")
    assert any("from the command line" in note.text for note in over.all("p", "note"))


def test_what_could_be_done_besides_a_meld_that_is_none_is_still_said() -> None:
    # Ana has 2♦ on offer, and 3♦ 4♦ in her hand; 5♣ 6♣ lies before her.
    frame = frames(deals()[0])["d1-e5"]
    assert "Ana may meld 2♦ 3♦ 4♦." in frame.text


def test_messages_write_cards_as_the_pictures_do() -> None:
    for more, card in (((), "5♣"), (("--cards", "german"), "5♣"), (("--cards", "spanish"), "5b")):
        main = html(run("report", "evening.cqn", *more).out).one("main").text
        assert f"{card} {card.replace('5', '6')} is no valid meld" in main
        if card != "5b":
            assert set(re.findall(r"\b(?:[2-9JQK]|10)[cdhs]\b", main)) <= {
                "7s",
                "10h",
            }  # of a hint: like 7s or 10h


# ---- real and random games


def places(scene: Scene, size: int) -> None:
    """Every card of the pack is in one place of the picture, or among the cards that nobody has seen.

    Cards that are given, and not yet taken up, are in no place that is drawn.
    """
    named = [card.card for seat in scene.seats for card in seat.hand]
    named += [card.card for seat in scene.seats for meld in seat.table for card in meld.cards]
    named += [*scene.gone, *([scene.offer.card.card] if scene.offer is not None else [])]
    assert max(Counter(named).values(), default=0) <= size // 40
    hidden = sum(seat.unknown or 0 for seat in scene.seats) + (scene.stock or 0)
    assert len(named) + hidden == size, (named, hidden)


def follows_the_verdict(story: Story, told: list[list[Any]]) -> int:
    """The frames are those of the findings; how many acts stood."""
    count = 0
    for deal, events in zip(story.deals, told, strict=True):
        verdict = deal.verdict
        taken = {
            v.event: isinstance(v.stood, Stood) and v.stood.taken
            for v in verdict.violations
            if v.event is not None
        }
        judged = verdict.as_played.judged if isinstance(verdict.as_played, AsPlayed) else len(events)
        if any(v.event is None and v.code != "wrong-result" for v in verdict.violations):
            judged = 0
        wanted: list[tuple[int | None, bool, bool]] = [(None, False, False)] if judged or not taken else []
        for event in range(judged):
            wanted.append((event, event in taken, False))
            if taken.get(event):
                wanted.append((event, False, True))
                count += 1
        shown = [(f.event, f.violation is not None, f.stands) for f in deal.frames]
        pictured = len({event for event, _, _ in shown} - {None})
        if deal.frames and pictured < judged:
            # The first violation is pictured, and what follows told: a gift that nobody saw would be a guess.
            assert any(event[1] == "gives" and event[2] == "?" for event in events if len(event) > 2)
            assert shown == wanted[: len(shown)] and shown[-1][1]
        elif deal.frames:
            assert shown == wanted
        assert [(one.event, one.judged) for one in deal.untold] == [
            (event, event < judged) for event in range(pictured, len(events))
        ]
    return count


def test_in_real_games_pictures_go_on_as_far_as_the_verdict_and_lose_no_card() -> None:
    lines = (ROOT / "tests/data/samples/games.jsonl").read_text(encoding="utf-8").splitlines()
    count = 0
    for line in lines if FULL else lines[7::15]:
        (sheet,) = read(json.dumps(json.loads(line)["game"]).encode(), "game.json")
        assert sheet.game is not None
        story = story_of(sheet)
        count += follows_the_verdict(story, [list(deal.events) for deal in sheet.game.deals])
        for deal in story.deals:
            for frame in (f for f in deal.frames if f.scene.phase != "exchange"):
                places(frame.scene, len(story.pack) * (engine(story.rules).pack.size // len(story.pack)))
        html(page(story))
    assert count


@pytest.mark.parametrize("rules", rule_sets() if FULL else ["swedish", "coonking", "partnership"])
def test_games_that_were_spoilt_have_a_page_that_follows_the_verdict(rules: str) -> None:
    random = Random(f"pages/{rules}")
    count = 0
    for game in map(document, games(engine(rules), 1, 11)):
        mutants = list(one_edit_mutations(game, random))
        for mutant in mutants if FULL else random.sample(mutants, min(6, len(mutants))):
            spoken = said(mutant, random)
            (sheet,) = read(json.dumps(spoken).encode(), "game.json")
            try:
                story = story_of(sheet)
            except Untellable:
                continue
            assert sheet.game is not None
            count += follows_the_verdict(story, [list(deal.events) for deal in sheet.game.deals])
            html(page(story))
    assert count
