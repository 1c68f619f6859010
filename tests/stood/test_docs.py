"""`docs/notation.md` and `docs/stood.md` are true: transcripts are read, commands print what is shown."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec
import pytest

from conquian.findings import Finding
from conquian.transcript.names import WORDS
from conquian.transcript.read import read
from conquian.transcript.sentence import EXAMPLES
from conquian.transcript.write import write_json, write_text
from conquian.verdict import Stood
from tests.docs.pages import Page, asked, at_line, printed
from tests.language.examples import Block

PAGES = {name: Page(name) for name in ("notation", "stood")}
CONSOLES = [(name, block) for name, page in PAGES.items() for block in page.of("console")]
TRANSCRIPTS = [(name, block) for name, page in PAGES.items() for block in page.of("transcript")]


@pytest.mark.parametrize(("name", "block"), CONSOLES, ids=at_line)
def test_every_command_prints_what_the_page_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, block: Block
) -> None:
    arguments, shown = asked(block)
    assert printed(arguments, PAGES[name].unpacked(tmp_path), monkeypatch) == shown


@pytest.mark.parametrize(("name", "block"), TRANSCRIPTS, ids=at_line)
def test_every_transcript_is_read_and_comes_back_the_same(name: str, block: Block) -> None:
    (sheet,) = read(block.text.encode(), f"{name}.cqn")
    no_errors: tuple[Finding, ...] = ()
    assert sheet.errors == no_errors and sheet.game is not None
    written = write_text(sheet.game, sheet.remarks)
    assert isinstance(written, str)
    (again,) = read(written.encode(), "again.cqn")
    (through,) = read(write_json(sheet.game).encode(), "again.json")
    assert sheet.game == again.game == through.game


def test_the_json_is_the_first_text() -> None:
    text, document = PAGES["notation"].the("transcript club.cqn"), PAGES["notation"].the("json club.json")
    (one,), (other,) = read(text.encode(), "club.cqn"), read(document.encode(), "club.json")
    assert one.game == other.game


def test_every_event_of_the_table_is_read() -> None:
    found = re.findall(r"`(\[\"\w+\",.*?\])`", PAGES["notation"].text)
    events = [json.loads(event) for event in found]
    assert {event[1] for event in events} == {
        *("turns", "discards", "melds", "arranges", "passes", "forces", "gives"),
        *("objects", "concedes", "agrees"),
    }
    game = {
        "format": "conquian/1",
        "rules": "swedish",
        "players": ["Ana", "Ben"],
        "deals": [{"events": events}],
    }
    (sheet,) = read(json.dumps(game).encode(), "events.json")
    assert not sheet.errors


def test_the_words_of_the_notation_are_those_of_the_page() -> None:
    listed = PAGES["notation"].text.split("These are its words:")[1].split(".\n")[0]
    assert set(re.findall(r"`(\w+)`", listed)) == WORDS


def test_every_kind_of_sentence_stands_on_the_page() -> None:
    for kind in EXAMPLES:
        assert re.search(rf"`[^`]*\b{kind.removesuffix('s')}", PAGES["notation"].text), kind


def test_the_keys_of_the_json_are_those_of_the_page() -> None:
    text = PAGES["stood"].the("json")
    assert msgspec.convert(json.loads(text)["stood"], Stood).taken


def test_every_link_leads_somewhere() -> None:
    assert {name: page.dead_links() for name, page in PAGES.items()} == {name: [] for name in PAGES}
