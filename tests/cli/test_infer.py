"""`infer`: what each player certainly held, may have held and cannot have held."""

from __future__ import annotations

from pathlib import Path

import pytest

from .running import run
from .test_process import probe_of

HIDDEN = """rules: swedish
players: Ana, Ben

deal 1
Ben holds Ac Ad Ah As 2c 2d 2h 2s 3c ?
Ana turns 5c; melds 4c 5c 6c; discards Kd
Ben passes; turns 3d; passes
"""
OPEN_CARDS = "3h 3s 4d 4h 4s 5d 5h 5s 6d 6h 6s 7c 7d 7h 7s Jc Jd Jh Js Qc Qd Qh Qs Kc Kh Ks"
"""What nobody recorded: not one of Ben's nine, and not 5c 4c 6c Kd 3d."""


@pytest.fixture(autouse=True)
def hidden(folder: Path) -> None:
    (folder / "hidden.cqn").write_text(HIDDEN, encoding="utf-8")
    (folder / "bad.cqn").write_text(HIDDEN + "Ana plays 5c\n", encoding="utf-8")


def test_after_the_last_event_every_card_is_held_for_certain_perhaps_or_not() -> None:
    done = run("infer", "hidden.cqn")
    assert (
        done.out
        == f"""\
hidden.cqn: deal 1, at the end (swedish; all 6 events used)
  Ana held 7 cards
    certainly  -
    perhaps    {OPEN_CARDS}
    not        Ac Ad Ah As 2c 2d 2h 2s 3c 3d 4c 5c 6c Kd
  Ben held 10 cards
    certainly  Ac Ad Ah As 2c 2d 2h 2s 3c
    perhaps    {OPEN_CARDS}
    not        3d 4c 5c 6c Kd
"""
    )
    assert (done.status, done.err) == (0, "")


def test_a_card_that_comes_from_the_hand_later_was_held_for_certain() -> None:
    done = run("infer", "--at", "hidden.cqn:6:15", "--format", "json")
    ana = done.data["players"]["Ana"]
    assert (ana["held"], ana["certain"]) == (10, ["4c", "6c", "Kd"])
    assert "3d" in ana["cannot"]  # turned from the stock two events later
    assert (done.data["event"], done.data["events_used"]) == (1, 6)


def test_so_far_uses_only_what_came_before() -> None:
    done = run("infer", "hidden.cqn", "--at", "6:15", "--so-far", "--format", "json")
    ana = done.data["players"]["Ana"]
    assert ana["certain"] == []
    assert {"4c", "6c", "Kd", "3d"} <= set(ana["possible"])
    assert ana["cannot"] == ["Ac", "Ad", "Ah", "As", "2c", "2d", "2h", "2s", "3c", "5c"]
    assert done.data["events_used"] == 1


def test_the_document_has_each_card_once_and_names_its_rules() -> None:
    data = run("infer", "hidden.cqn", "--format", "json").data
    assert list(data) == ["file", "rules", "readings", "deal", "event", "events_used", "players"]
    assert (data["file"], data["rules"], data["readings"], data["deal"]) == ("hidden.cqn", "swedish", {}, 1)
    assert (data["event"], list(data["players"])) == (None, ["Ana", "Ben"])
    for player in data["players"].values():
        cards = [*player["certain"], *player["possible"], *player["cannot"]]
        assert len(cards) == len(set(cards)) == 40


def test_the_places_of_the_contract_name_the_same_moment() -> None:
    there = run("infer", "--at", "hidden.cqn#1@2", "--format", "json").data
    assert there["event"] == 2
    for place in ("hidden.cqn:6:31", "hidden.cqn:6:40"):
        assert run("infer", "--at", place, "--format", "json").data == there
    assert run("infer", "hidden.cqn", "--at", "#1@2", "--format", "json").data == there


def test_with_every_place_but_one_known_the_last_card_is_certain(folder: Path) -> None:
    # Forty cards: Ben's ten, Ana's nine and the whole stock are told, so Ana's tenth card is the one left over.
    names = [
        f"{rank}{suit}" for rank in ("A", "2", "3", "4", "5", "6", "7", "J", "Q", "K") for suit in "cdhs"
    ]
    text = (
        "rules: swedish\nplayers: Ana, Ben\n\n"
        f"stock {' '.join(names[20:])}\nAna holds {' '.join(names[:9])}\nBen holds {' '.join(names[10:20])}\n"
        f"Ana turns {names[20]}\n"
    )
    (folder / "full.cqn").write_text(text, encoding="utf-8")
    ana = run("infer", "full.cqn", "--format", "json").data["players"]["Ana"]
    assert (ana["certain"], ana["possible"]) == (names[:10], [])


def test_with_several_packs_it_says_how_many_of_a_card_at_most(folder: Path) -> None:
    text = "rules: navajo-tens\nplayers: Ana, Ben\n\nAna holds Kd Kd Qs\nAna turns Qs; passes\n"
    (folder / "two.cqn").write_text(text, encoding="utf-8")
    done = run("infer", "two.cqn", "--format", "json")
    ana, ben = done.data["players"]["Ana"], done.data["players"]["Ben"]
    assert ana["certain"] == ["Qs", "Kd", "Kd"]
    assert ben["cannot"] == ["Qs", "Kd"]
    assert (ana["at_most"]["Ac"], "Kd" in ana["at_most"]) == (2, False)
    assert "Ac (up to 2)" in run("infer", "two.cqn").out


def test_cards_are_written_as_the_transcript_writes_them() -> None:
    assert "Kru" in run("infer", "hidden.cqn", "--cards", "swedish").out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "no transcript is named"),
        (("missing.cqn",), "missing.cqn: "),
        (("--at", "hidden.cqn:99"), "no event stands there"),
        (("--at", "hidden.cqn"), "names no place"),
        (("hidden.cqn", "--at", "won.cqn:4"), "names another file"),
        (("--at", "bad.cqn:6"), "cannot be read"),
        (("club.cqn", "--at", "club.cqn#1@9"), "no event stands there"),
        (("hidden.cqn", "--rules", "whist"), "whist"),
        (("hidden.cqn", "--cards", "tarot"), "tarot"),
    ],
)
def test_what_cannot_be_asked_is_said_with_status_2(arguments: tuple[str, ...], message: str) -> None:
    done = run("infer", *arguments)
    assert (done.status, done.out) == (2, "")
    assert message in done.err


def test_play_beyond_the_first_violation_cannot_be_asked_about(folder: Path) -> None:
    text = HIDDEN + "Ben turns 6d\nAna passes\n"
    (folder / "wrong.cqn").write_text(text, encoding="utf-8")
    assert run("infer", "wrong.cqn", "--format", "json").data["events_used"] == 6
    done = run("infer", "--at", "wrong.cqn:9")
    assert (done.status, "play stops being legal" in done.err) == (2, True)
    (folder / "misdeal.cqn").write_text(HIDDEN.replace("Ac Ad", "5c 5c"), encoding="utf-8")
    done = run("infer", "misdeal.cqn")
    assert (done.status, "set-up of deal 1 is not legal" in done.err) == (2, True)


def test_no_solver_is_imported(folder: Path) -> None:
    assert "z3" not in probe_of(folder, "infer", "hidden.cqn").splitlines()[-1]


SAID = HIDDEN.replace(
    "melds 4c 5c 6c; discards Kd\n",
    "melds 4c 5c; discards Qd\nBen objects\nAna melds 4c 5c 6c; discards Kd\n",
)


def test_what_was_taken_back_and_what_players_say_moves_no_card(folder: Path) -> None:
    (folder / "said.cqn").write_text(SAID + "Ben concedes\n", encoding="utf-8")
    (plain, said) = (run("infer", name, "--format", "json").data for name in ("hidden.cqn", "said.cqn"))
    assert said["players"] == plain["players"]
    (folder / "drawn.cqn").write_text(SAID + "Ana and Ben agree a draw\n", encoding="utf-8")
    assert run("infer", "drawn.cqn", "--format", "json").data["players"] == plain["players"]
    # Before the objection, between the meld that was taken back and the one that stands, nothing has moved.
    before = [
        run("infer", "--at", f"said.cqn#1@{event}", "--format", "json").data["players"]
        for event in (1, 2, 3, 4)
    ]
    assert before[0] == before[1] == before[2] == before[3]
    assert before[0]["Ana"]["certain"] == ["4c", "6c", "Kd"]


def test_an_example_deal_fits_a_record_in_which_players_say_things(folder: Path) -> None:
    (folder / "said.cqn").write_text(SAID + "Ben concedes\n", encoding="utf-8")
    (verdict,) = run("validate", "said.cqn", "--example-deal", "--format", "json").data
    (deal,) = verdict["deals"]
    assert (deal["verdict"], deal["result"]) == ("valid", {"winner": "Ana"})
    assert {"4c", "6c", "Kd"} < set(deal["example_deal"]["hands"]["Ana"])
