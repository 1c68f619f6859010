"""The documentation site: `python -m sphinx -W docs OUT`. The extra `docs` of the package has what it needs.

Pages are the Markdown files of this folder, as they can be read in the checkout. What is generated (commands, codes)
is put in where a page says `<!-- generated: NAME -->`; no file is written beside the sources.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent), str(HERE / "_site")]

import site_lexers  # noqa: E402
import site_pages  # noqa: E402

import conquian  # noqa: E402

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "Conquian"
version = release = conquian.__version__
language = "en"

extensions = ["myst_parser", "sphinx.ext.autodoc"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_site", "_build"]
myst_heading_anchors = 4
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
highlight_language = "text"
smartquotes = False  # `--format` is not a dash
html_theme = "furo"
html_title = f"Conquian {release}"
html_copy_source = False
html_show_copyright = False


def _read(app: Sphinx, name: str, source: list[str]) -> None:
    known = {str(page) for page in app.env.found_docs}
    source[0] = site_pages.for_site(source[0], name, known)


def setup(app: Sphinx) -> dict[str, bool]:
    """Registers what the pages of this project need."""
    for word, lexer in site_lexers.LEXERS.items():
        app.add_lexer(word, lexer)
    app.connect("source-read", _read)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
