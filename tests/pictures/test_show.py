"""`conquian show` on the command line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from conquian.pictures.scene import scene_of
from conquian.pictures.svg import svg
from conquian.position import load
from tests.cli.running import ROOT, run

from .looking import SVG, tree

HERE = ("--rules", "swedish", "--up", "Kh", "--table", "6h 7h Jh Qh", "--hand", "Ah Ad", "--stock", "9")
GAME = """rules: swedish
players: Ana, Ben
cards: spanish

Ana holds 4e 7o 1b 2b 3b 5o 6c 11o 12b 1e
Ana turns 5c; passes
Ben passes; turns 12c; passes
Ana passes
Ana turns 5e
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "game.cqn").write_text(GAME, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_position_is_drawn_from_options_and_from_a_document_alike(folder: Path) -> None:
    (folder / "here.json").write_text(
        json.dumps(
            {
                "rules": "swedish",
                "up": "Kh",
                "table": [["6h", "7h", "Jh", "Qh"]],
                "hand": ["Ah", "Ad"],
                "stock": 9,
            }
        )
    )
    drawn = run("show", *HERE)
    assert (drawn.status, drawn.err) == (0, "")
    assert "║6♥ ║7♥ ║J♥ ║Q♥ ║" in drawn.out and "can be forced" in drawn.out and "9 in stock" in drawn.out
    assert run("show", "--position", "here.json").out == drawn.out


def test_ascii_is_ascii() -> None:
    assert run("show", *HERE, "--ascii").out.isascii()


def test_a_place_in_a_transcript_is_drawn_in_its_cards() -> None:
    done = run("show", "--at", "game.cqn:7:13")
    assert done.status == 0
    # Ben is about to turn: what lies there is the card that both have passed.
    assert done.out.splitlines()[0] == "  Ana" and done.out.splitlines()[-1] == "▶ Ben to act"
    assert "  │1b │1e │2b │3b │4e │5o │6c │7o │11o│12b│  10 cards in hand" in done.out.splitlines()
    assert "  │▒▒▒│  19 in stock  │5c │  passed by Ben" in done.out.splitlines()
    in_french = run("show", "--at", "game.cqn:7:13", "--cards", "french")
    assert "5♥" in in_french.out


def test_a_picture_is_written_whole_and_is_that_of_the_library(folder: Path) -> None:
    done = run("show", *HERE, "--svg", "table.svg")
    assert (done.status, done.out, done.err) == (0, "", "")
    here = load("swedish").position(up="Kh", table=[["6h", "7h", "Jh", "Qh"]], hand=["Ah", "Ad"], stock=9)
    assert (folder / "table.svg").read_text(encoding="utf-8") == svg(scene_of(here))
    assert [path.name for path in folder.iterdir() if path.name.startswith(".")] == []
    assert run("show", *HERE, "--svg", "-").out == svg(scene_of(here))


def test_a_stock_that_nobody_counted_is_not_counted() -> None:
    assert "? in stock" in run("show", "--rules", "swedish", "--up", "Kh").out


def test_json_says_what_is_drawn() -> None:
    scene = run("show", *HERE, "--format", "json").data
    assert scene["offer"] == {
        "card": {"card": "Kh", "marks": []},
        "player": "me",
        "passed": False,
        "demand": "on-offer",
    }
    mine, theirs = scene["seats"]
    assert [card["card"] for card in mine["hand"]] == ["Ad", "Ah"]
    assert [(len(meld["cards"]), meld["forced"]) for meld in mine["table"]] == [(4, True)]
    assert (theirs["unknown"], scene["stock"]) == (None, 9)


def test_the_table_that_a_meld_leaves_is_drawn_with_what_it_borrowed() -> None:
    position = ("--rules", "swedish", "--up", "7h", "--table", "5s 6s 7s", "--hand", "4s 7d")
    meld = ("--meld", "7s 7h 7d, 4s 5s 6s")
    refused = run("show", *position, *meld)
    assert (refused.status, refused.out) == (1, "") and refused.err.startswith("not legal: new-meld - ")
    allowed = run("show", *position, *meld, "--reading", "new-meld=any", "--format", "json")
    marked = {
        card["card"]: card["marks"]
        for seat in allowed.data["seats"]
        for meld in seat["table"]
        for card in meld["cards"]
    }
    assert marked == {"7d": ["laid"], "7h": ["laid"], "7s": ["borrowed"], "4s": ["laid"], "5s": [], "6s": []}


def test_why_a_meld_is_not_drawn_is_said_in_the_cards_of_the_picture() -> None:
    position = ("--rules", "swedish", "--up", "7h", "--table", "5s 6s 7s", "--hand", "4s 7d")
    meld = ("--meld", "7s 7h 7d, 4s 5s 6s")
    assert "with 7♥" in run("show", *position, *meld).err
    ascii_only = run("show", *position, *meld, "--ascii").err
    assert "with 7h" in ascii_only and ascii_only.isascii()
    assert run("show", *position, *meld, "--lang", "de").err.startswith("nicht erlaubt: new-meld - ")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "no rule set is named"),
        (("--rules", "nowhere"), "nowhere"),
        (("--rules", "swedish", "--up", "10h"), "10h is not in the pack"),
        (("--rules", "swedish", "--up", "Xh"), "Xh"),
        (
            ("--rules", "classic-52", "--up", "7o", "--cards", "spanish"),
            "10 of this pack has no spanish form",
        ),
        (("--rules", "swedish", "--up", "Kh", "--svg", "nowhere/table.svg"), "No such file or directory"),
        (("--rules", "swedish", "--up", "Kh", "--svg", "."), "Is a directory"),
        (("--at", "game.cqn:99"), "no event stands there"),
        (("--rules", "swedish", "--up", "Kh", "--format", "csv"), "--format csv is not known here"),
        (("--rules", "swedish", "--up", "Kh", "--meld", "Kh, ,"), "a meld is empty"),
    ],
)
def test_what_cannot_be_drawn_is_refused_with_a_reason(arguments: tuple[str, ...], said: str) -> None:
    done = run("show", *arguments)
    assert (done.status, done.out) == (2, "")
    assert said in done.err


@pytest.mark.parametrize("step", ["fsync", "replace", "chmod"])
def test_a_picture_that_cannot_be_written_leaves_the_old_one_and_nothing_else(
    folder: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    (folder / "table.svg").write_text("old")
    monkeypatch.setattr(f"conquian.pictures.writing.os.{step}", full)
    done = run("show", *HERE, "--svg", "table.svg")
    assert (done.status, done.err) == (2, "conquian: table.svg: No space left on device\n")
    assert (folder / "table.svg").read_text() == "old"
    assert sorted(path.name for path in folder.iterdir()) == ["game.cqn", "table.svg"]


def test_a_picture_keeps_the_permissions_of_the_file_and_the_link_that_leads_to_it(folder: Path) -> None:
    (folder / "real.svg").write_text("old")
    (folder / "real.svg").chmod(0o640)
    (folder / "table.svg").symlink_to("real.svg")
    assert run("show", *HERE, "--svg", "table.svg").status == 0
    assert (folder / "table.svg").is_symlink()
    assert (folder / "real.svg").stat().st_mode & 0o777 == 0o640
    assert (folder / "real.svg").read_text(encoding="utf-8").startswith("<svg ")


def test_colour_is_for_terminals_alone_and_ascii_for_consoles_that_have_nothing_else() -> None:
    where = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "ascii"}
    command = [sys.executable, str(ROOT / "cli.py"), "show", *HERE]
    done = subprocess.run(command, env=where, capture_output=True, timeout=60, check=True)
    assert done.stdout.isascii() and b"\033" not in done.stdout and b"#Kh #" in done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
@pytest.mark.parametrize(("more", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_a_terminal_gets_colour_unless_it_wants_none(more: dict[str, str], coloured: bool) -> None:
    import pty

    where = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    where |= {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8", "COLUMNS": "80", **more}
    ours, theirs = pty.openpty()
    command = [sys.executable, str(ROOT / "cli.py"), "show", *HERE]
    process = subprocess.Popen(command, env=where, stdout=theirs, stderr=theirs)
    os.close(theirs)
    shown = b""
    while True:
        try:
            data = os.read(ours, 65536)
        except OSError:
            break
        if not data:
            break
        shown += data
    os.close(ours)
    assert process.wait(60) == 0
    assert (b"\033[31mK\xe2\x99\xa5" in shown) is coloured and (b"\033" in shown) is coloured


def test_show_needs_no_solver() -> None:
    code = (
        "import sys; from typer.testing import CliRunner; from conquian.cli import app; "
        f"CliRunner().invoke(app, ['show', *{HERE!r}], catch_exceptions=False); "
        "print(sorted({'z3', 'lark', 'pydantic'} & set(sys.modules)))"
    )
    where = {**os.environ, "PYTHONPATH": str(ROOT)}
    load("swedish")  # the program of the rules is then in the cache
    done = subprocess.run([sys.executable, "-c", code], env=where, capture_output=True, text=True, timeout=60)
    assert "z3" not in done.stdout and done.stdout.startswith("[")


def test_the_picture_of_a_place_has_both_names(folder: Path) -> None:
    run("show", "--at", "game.cqn:7:13", "--svg", "table.svg")
    desc = tree((folder / "table.svg").read_text(encoding="utf-8")).find(f"{SVG}desc")
    assert desc is not None and desc.text is not None
    assert desc.text.startswith("Ben: ") and "Ana: holds" in desc.text
