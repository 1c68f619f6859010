"""The page in a real browser: it steps, marks the violation, and complains of nothing.

Needs a Chromium (`CONQUIAN_BROWSER`, or one on the path); skipped where there is none. With `CONQUIAN_SCREENSHOTS` a
folder is named into which pictures of the page are put, to be looked at.
"""

from __future__ import annotations

import base64
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import ROOT, run

from .browser import Browser, found
from .test_played_on import EVENING as EVENING_AS_PLAYED
from .test_report import BROKEN, nasty

BROWSER = found()
pytestmark = pytest.mark.skipif(
    BROWSER is None, reason="no Chromium is installed; CONQUIAN_BROWSER names one"
)

# What a person sees: how many frames of each deal are shown, and the head of the first of them.
SHOWN = """[...document.querySelectorAll('.deal')].map(deal => {
  const seen = [...deal.querySelectorAll('.frame')].filter(f => f.getClientRects().length);
  return [seen.length, seen.length ? seen[0].querySelector('h3').textContent : null];
})"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    assert BROWSER is not None
    with Browser(BROWSER, tmp_path_factory.mktemp("profile")) as one:
        yield one


@pytest.fixture(autouse=True)
def nothing_is_complained_of(browser: Browser) -> Iterator[None]:
    browser.scripts(True)
    browser.size(1250, 900)
    browser.scheme("light")
    browser.complaints.clear()
    browser.requests.clear()
    yield
    assert browser.complaints == []
    assert all(address.startswith("file:") and address.endswith(".html") for address in browser.requests)
    assert len(browser.requests) >= 1


def opened(browser: Browser, folder: Path, transcript: str | Path, place: str = "") -> None:
    """The page of a transcript, or of a text, loaded."""
    source = folder / "game.cqn"
    if isinstance(transcript, Path):
        source = transcript
    else:
        if transcript.startswith("{"):
            source = folder / "game.json"
        source.write_text(transcript, encoding="utf-8")
    assert "Traceback" not in run("report", str(source), "-o", str(folder / "page.html")).err
    browser.open(f"{(folder / 'page.html').as_uri()}{place}")


def shown(browser: Browser) -> Any:
    return browser.run(SHOWN)


def pictured(browser: Browser, name: str) -> None:
    folder = os.environ.get("CONQUIAN_SCREENSHOTS")
    if folder:
        browser.picture(Path(folder) / f"{name}.png")


EVENING = ROOT / "examples" / "club-evening.cqn"


def test_buttons_step_through_the_deal(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, EVENING)
    assert shown(browser) == [[1, "The deal begins"]]

    def pressed(name: str) -> str:
        browser.run(f"document.querySelector('[data-do={name}]').click()")
        ((count, head),) = shown(browser)
        assert count == 1
        return str(head)

    assert browser.run("document.querySelector('[data-do=back]').disabled")
    assert [pressed("on"), pressed("on"), pressed("back")] == ["Ana turns 7♦", "Ana passes", "Ana turns 7♦"]
    assert pressed("last") == "Ben melds K♣ K♦ K♥ K♠"
    assert browser.run("document.querySelector('[data-do=on]').disabled")
    assert pressed("first") == "The deal begins"
    pictured(browser, "start")


def test_arrow_keys_step_and_leave_other_keys_alone(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, EVENING)
    heads = []
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft", "End", "x", "Home"):
        browser.press(key)
        heads.append(shown(browser)[0][1])
    last = "Ben melds K♣ K♦ K♥ K♠"
    assert heads == ["Ana turns 7♦", "Ana passes", "Ana turns 7♦", last, last, "The deal begins"]


def test_the_slider_steps_and_says_where_it_is(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, EVENING)
    browser.run(
        "(s => { s.value = 5; s.dispatchEvent(new Event('input')); })(document.querySelector('input[type=range]'))"
    )
    assert shown(browser) == [[1, "Ben melds 3♦ 4♦ 5♦"]]
    slider = "document.querySelector('input[type=range]')"
    assert browser.run(f"{slider}.getAttribute('aria-valuetext')") == "Ben melds 3♦ 4♦ 5♦"
    assert browser.run("document.querySelector('output').textContent") == "5 of 24: Ben melds 3♦ 4♦ 5♦"
    browser.run(f"{slider}.focus()")
    browser.press("ArrowRight")
    assert shown(browser) == [[1, "Ben discards J♣"]]  # one step, not two


def test_the_violation_is_found_marked_and_explained(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, BROKEN)
    assert browser.run("document.querySelector('.violation').getClientRects().length") == 0
    browser.run("document.querySelector('[data-do=violation]').click()")
    assert shown(browser)[0] == [1, "Ana melds 7♣ 7♥ 7♦ - not legal"]
    frame = "document.querySelector('.frame:not([hidden])')"
    assert browser.run(f"{frame}.classList.contains('broken')")
    assert "Rule sw." in browser.run(f"{frame}.querySelector('.violation').innerText")
    assert browser.run(f"{frame}.querySelector('.mark-wrong').getBoundingClientRect().width") > 0
    edge, calm = (
        browser.run(f"getComputedStyle({one}).borderColor")
        for one in (frame, "document.querySelector('.frame')")
    )
    assert edge != calm
    pictured(browser, "violation")


def test_findings_are_gone_through_one_after_the_other_and_from_the_list(
    browser: Browser, tmp_path: Path
) -> None:
    opened(browser, tmp_path, EVENING_AS_PLAYED)
    heads = []
    for _ in range(4):
        browser.run("document.querySelector('#deal-1 [data-do=violation]').click()")
        heads.append(shown(browser)[0][1])
    found = [f"{deed} - not legal" for deed in ("Ana melds 5♣ 6♣", "Ben discards 3♥", "Ana discards 4♥")]
    assert heads == [*found, found[0]]
    browser.press("ArrowRight")
    assert shown(browser)[0] == [1, "Nobody objected: it stands"]
    stands = "document.querySelector('#d1-e1-stands')"
    assert browser.run(f"{stands}.classList.contains('stands') && !{stands}.hidden")
    pictured(browser, "stands")
    browser.run("document.querySelector('#deal-1 .findings li:nth-child(2) a').click()")
    assert browser.run("new Promise(done => setTimeout(() => done(true), 50))")
    assert shown(browser)[0] == [1, found[1]]
    browser.run("document.querySelector('#d1-e1 .violation a').click()")
    assert browser.run("new Promise(done => setTimeout(() => done(true), 50))")
    assert shown(browser)[0] == [1, "Ben passes"]


@pytest.mark.parametrize("width", [360, 400])
def test_no_word_of_the_ledger_is_broken_on_a_phone(browser: Browser, tmp_path: Path, width: int) -> None:
    browser.size(width, 800)
    opened(browser, tmp_path, EVENING_AS_PLAYED)
    assert browser.run("document.documentElement.scrollWidth") <= width
    # A head of one word is one line high.
    heights = browser.run("""[...document.querySelectorAll('thead th')].map(
        cell => { const r = document.createRange(); r.selectNodeContents(cell);
                  return r.getBoundingClientRect().height / parseFloat(getComputedStyle(cell).lineHeight); })""")
    assert heights and all(height < 1.5 for height in heights)


def test_a_link_to_an_event_opens_it_and_the_list_follows(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, EVENING, "#d1-e4")
    assert shown(browser) == [[1, "Ben melds 3♦ 4♦ 5♦"]]
    current = "document.querySelector('.log [aria-current]').textContent"
    assert browser.run(current) == "Ben melds 3♦ 4♦ 5♦"
    browser.run("document.querySelector('.log a[href=\"#d1-e0\"]').click()")
    assert shown(browser) == [[1, "Ana turns 7♦"]] and browser.run(current) == "Ana turns 7♦"
    assert browser.run("location.hash") == "#d1-e0"
    browser.run("location.hash = '#d1-e3'")
    assert browser.run("new Promise(done => setTimeout(() => done(true), 50))")
    assert shown(browser) == [[1, "Ben turns 3♦"]]


def test_every_deal_has_its_own_steps(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, ROOT / "examples" / "session.cqn")
    browser.run("document.querySelectorAll('[data-do=on]')[1].click()")
    assert [head for _, head in shown(browser)] == ["The deal begins", "Ben passes", "The deal begins"]
    browser.run("document.querySelectorAll('[data-do=on]')[1].focus()")
    browser.press("ArrowRight")
    assert [head for _, head in shown(browser)] == ["The deal begins", "Ana passes", "The deal begins"]


def test_all_frames_can_be_shown_at_once(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, EVENING)
    button = "document.querySelector('[data-do=all]')"
    browser.run(f"{button}.click()")
    assert shown(browser)[0][0] == 25 and browser.run(f"{button}.getAttribute('aria-pressed')") == "true"
    browser.run(f"{button}.click()")
    assert shown(browser)[0][0] == 1 and browser.run(f"{button}.getAttribute('aria-pressed')") == "false"


def test_without_scripts_and_on_paper_every_frame_is_there(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, EVENING)
    browser.scheme("light", "print")
    assert shown(browser)[0][0] == 25
    assert browser.run("document.querySelector('.stepper').getClientRects().length") == 0
    # Of the list only that is printed which has no picture.
    assert browser.run("document.querySelector('.log').innerText").startswith("The record says: Ben wins.")
    pictured(browser, "paper")
    browser.scheme("light")
    assert shown(browser)[0][0] == 1
    browser.scripts(False)
    opened(browser, tmp_path, EVENING)
    assert shown(browser)[0][0] == 25
    assert browser.run("document.querySelector('.stepper').getClientRects().length") == 0
    pictured(browser, "without-scripts")


def test_three_pictures_of_a_deal_fit_on_a_sheet_of_paper(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, EVENING)
    paper = browser.ask("Page.printToPDF", paperWidth=8.27, paperHeight=11.69)["data"]
    sheets = len(re.findall(rb"/Type\s*/Page\b", base64.b64decode(paper)))
    assert 25 / 4 < sheets <= 25 / 3 + 3, sheets  # the heading and the ledger take a sheet or two


def test_every_card_of_a_picture_is_painted_within_it(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, EVENING, "#d1-e22")
    outside = browser.run("""(() => {
      const svg = document.querySelector('.frame:not([hidden]) svg'), edge = svg.getBoundingClientRect();
      const parts = [...svg.querySelectorAll('use, path, rect')].map(one => one.getBoundingClientRect());
      return [parts.length, parts.filter(p => p.width + p.height === 0 || p.left < edge.left - 1
        || p.right > edge.right + 1 || p.top < edge.top - 1 || p.bottom > edge.bottom + 1).length];
    })()""")
    assert outside[0] > 20 and outside[1] == 0


@pytest.mark.parametrize("width", [360, 800, 1600])
def test_nothing_sticks_out_of_a_narrow_or_wide_window(browser: Browser, tmp_path: Path, width: int) -> None:
    browser.size(width, 900)
    opened(browser, tmp_path, BROKEN, "#d1-e6")
    assert browser.run("document.documentElement.scrollWidth") <= width
    pictured(browser, f"width-{width}")


def test_the_night_is_dark_also_on_the_cards(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, EVENING, "#d1-e22")
    # The middle of a card's paper, as it is painted.
    ground = "getComputedStyle(document.body).backgroundColor"
    face = "getComputedStyle(document.querySelector('.cq-face')).color"
    light = (browser.run(ground), browser.run(face))
    browser.scheme("dark")
    pictured(browser, "night")
    assert (browser.run(ground), browser.run(face)) == ("rgb(16, 21, 18)", "rgb(42, 49, 56)")
    assert light == ("rgb(251, 250, 246)", "rgb(255, 255, 255)")


def test_names_and_comments_that_look_like_scripts_run_nothing(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, nasty(), "#d1-e0")
    assert browser.run("document.scripts.length") == 1
    assert browser.run("document.querySelectorAll('img, [onload], [onerror]').length") == 0
    assert "alert(5)" in browser.run("document.body.innerText")


def test_the_tree_that_a_reader_hears_has_names_for_everything(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, BROKEN, "#d1-e6")
    nodes = browser.ask("Accessibility.getFullAXTree")["nodes"]
    spoken = [
        (node["role"]["value"], node.get("name", {}).get("value", ""))
        for node in nodes
        if not node.get("ignored")
    ]
    roles = {role for role, _ in spoken}
    assert {"banner", "main", "navigation", "region", "contentinfo", "slider", "button", "image"} <= roles
    assert all(
        name for role, name in spoken if role in ("button", "slider", "link", "image", "navigation", "region")
    )
    # A picture is one image with its words, not a heap of shapes.
    assert any(role == "image" and "Ana tried 7♣ 7♥ 7♦, which is not legal." in name for role, name in spoken)


def test_a_rule_book_opens_without_complaint_and_fits_the_page(browser: Browser, tmp_path: Path) -> None:
    """Without a solver: its pictures are as any others."""
    from conquian.book import contents
    from conquian.book.page import page
    from conquian.differing import named

    class Blind:
        def __init__(self, *_: object) -> None:
            pass

        def of(self, _: object) -> None:
            return None

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(contents, "Acts", Blind)
        text = page(contents.book((named("swedish"), named("swedish?new-meld=any"))))
    (tmp_path / "book.html").write_text(text, encoding="utf-8")
    for scheme, wide in (("light", 1250), ("dark", 420)):
        browser.scheme(scheme)
        browser.size(wide, 900)
        browser.open((tmp_path / "book.html").as_uri())
        assert browser.run("document.documentElement.scrollWidth <= window.innerWidth")
        drawn = browser.run(
            "[...document.querySelectorAll('figure svg')].map(x => x.getBoundingClientRect().width)"
        )
        assert drawn and all(width > 200 for width in drawn)
        pictured(browser, f"book-{scheme}")
