"""The site is built without a warning, and holds every command, code, guide and name of the library."""

from __future__ import annotations

import html
import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.main import get_command

import conquian
from conquian.cli import app
from conquian.commands.listed import whole
from conquian.language.pages import codes

from .guides import ROOT

MISSING = [name for name in ("sphinx", "furo", "myst_parser") if importlib.util.find_spec(name) is None]
pytestmark = pytest.mark.skipif(
    bool(MISSING), reason=f"the extra `docs` is not installed ({', '.join(MISSING)})"
)


def built(source: Path, out: Path) -> subprocess.CompletedProcess[str]:
    """A build that takes every warning for an error, and goes on to tell them all."""
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-E", "-d", str(out / "trees")]
    return subprocess.run(
        [*command, str(source), str(out / "html")],
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("site")
    before = {path for path in (ROOT / "docs").rglob("*") if "__pycache__" not in path.parts}
    done = built(ROOT / "docs", out)
    assert (done.returncode, done.stderr) == (0, "")
    after = {path for path in (ROOT / "docs").rglob("*") if "__pycache__" not in path.parts}
    assert after == before, "nothing is written beside the sources"
    return out / "html"


def text(page: Path) -> str:
    """What a page says, without markup."""
    found = page.read_text("utf-8")
    article = found[found.index("<article") : found.index("</article>")]
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", article)).split())


def test_every_page_of_the_sources_is_on_the_site_and_reached_from_the_first(site: Path) -> None:
    names = [str(path.relative_to(ROOT / "docs").with_suffix("")) for path in (ROOT / "docs").rglob("*.md")]
    assert {"index", "language", "guides/tutorial"} < set(names) and len(names) > 20
    menu = (site / "index.html").read_text("utf-8")
    for name in names:
        assert (site / f"{name}.html").is_file()
        assert name == "index" or f'href="{name}.html"' in menu, name


def test_every_command_and_option_is_on_the_page_of_commands(site: Path) -> None:
    shown = text(site / "commands.html")

    def check(command: object, name: str) -> None:
        assert f"{name}¶" in shown
        for param in getattr(whole(command), "params", []):
            for option in param.opts:
                assert option in shown, f"{name} {option}"
        for word, inner in getattr(command, "commands", {}).items():
            check(inner, f"{name} {word}")

    check(get_command(app), "conquian")
    assert "$ conquian validate examples/club-evening.cqn --reading new-meld=any" in shown


def test_every_code_is_on_the_page_of_codes_where_links_lead(site: Path) -> None:
    page = (site / "codes.html").read_text("utf-8")
    assert [code for code in codes() if f'id="code-{code.lower()}"' not in page] == []
    linked = re.findall(r'href="codes\.html#([\w-]+)"', (site / "language.html").read_text("utf-8"))
    assert "code-cq201" in linked and all(f'id="{aim}"' in page for aim in linked)


def test_every_name_of_the_library_is_on_its_page(site: Path) -> None:
    page = (site / "api.html").read_text("utf-8")
    for name in conquian.__all__:
        if name != "__version__":
            thing = getattr(conquian, name)
            assert f'id="{thing.__module__}.{name}"' in page, name


def test_no_page_takes_anything_from_another_place(site: Path) -> None:
    for page in site.rglob("*.html"):
        for aim in re.findall(r'(?:src|<link[^>]* href)="(https?:[^"]*)"', page.read_text("utf-8")):
            raise AssertionError(f"{page.name} loads {aim}")


def test_no_word_of_a_rule_file_or_transcript_is_an_error_of_highlighting(site: Path) -> None:
    pages = [path for path in site.rglob("*.html") if 'class="err"' in path.read_text("utf-8")]
    assert pages == []


def test_a_broken_link_would_be_found(tmp_path: Path) -> None:
    import shutil

    source = tmp_path / "docs"
    shutil.copytree(ROOT / "docs" / "_site", source / "_site")
    (source / "index.md").write_text("# One page\n\n[gone](#nowhere)\n", encoding="utf-8")
    conf = (ROOT / "docs" / "conf.py").read_text("utf-8")
    (source / "conf.py").write_text(conf, encoding="utf-8")
    shutil.copytree(ROOT / "grammar", tmp_path / "grammar")
    done = built(source, tmp_path / "out")
    assert done.returncode != 0 and "nowhere" in done.stderr
